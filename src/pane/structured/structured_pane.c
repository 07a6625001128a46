#include "pane/pane.h"

#include "base/glyph.h"
#include "structured.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "model/table.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

struct structured {
	struct views views;
	int chosen;    /* the view the user chose; -1: automatic */
	uint64_t call; /* the call of the result */
	size_t bytes;  /* of the value as compact JSON */
	enum call_state call_state;
	const struct report *report; /* may arrive after the value */
	struct detail detail;
	struct page absent;     /* in place of a value */
	int order_x, order_end; /* the position of the sort order in the title */
};

static bool
applies(const struct pane_env *env)
{
	const struct desk *desk = env->ws->desk;
	const struct call *call = workspace_call(env->ws);

	return !desk || desk->kind == PRIMITIVE_TOOL ||
	       (call && call->state == CALL_DONE && call->result.structured);
}

static void
init(void *state)
{
	struct structured *p = state;

	p->chosen = -1;
	views_init(&p->views);
}

static void
finish(void *state)
{
	struct structured *p = state;

	detail_close(&p->detail);
	page_finish(&p->absent);
	views_finish(&p->views);
}

/* A big message is nearly all structuredContent: estimate its size without printing it again. */
#define MEASURE_MAX ((size_t)1 << 20)

static size_t
compact_bytes(const struct call *call)
{
	struct buf text = BUF_INIT;

	if (call->raw->len > MEASURE_MAX)
		return call->raw->len;
	json_print(&text, call->result.structured);
	size_t bytes = text.len;
	buf_finish(&text);
	return bytes;
}

/* ---- without a value ---- */

/* Nothing came, and nothing was promised. */
static bool
is_just_absent(const struct call *call)
{
	return call && call->state != CALL_RUNNING &&
	       (call->state != CALL_DONE || call->result.is_error || !call->output_schema);
}

/* No result: content says why; this pane outlines the outputSchema. */
static void
write_no_result(struct page *page, const struct pane_env *env, const struct call *call)
{
	const struct primitive *tool = workspace_primitive(env->ws);

	if (call && call->state == CALL_RUNNING)
		page_text(page, 0, ROLE_HINT, "arrives with the result");
	else if (call)
		page_text(page, 0, ROLE_HINT, "no result, so no structuredContent");
	else if (tool && tool->output_schema)
		promise_write(page, tool->output_schema);
	else if (tool)
		page_text(page, 0, ROLE_HINT,
		    "No outputSchema is declared; structuredContent is shown anyway.");
}

static void
write_absent(struct page *page, const struct pane_env *env)
{
	const struct call *call = workspace_call(env->ws);

	page_clear(page);
	if (!call || call->state != CALL_DONE) {
		write_no_result(page, env, call);
		return;
	}
	page_text(page, 0, ROLE_DIM, "absent: the result has no structuredContent");
	if (call->result.is_error) {
		page_text(page, 0, ROLE_HINT, "as usual if a tool reports an error");
	} else if (call->output_schema) {
		page_text(page, 0, ROLE_WARNING, "but the tool declares an outputSchema");
		page_gap(page);
		promise_write(page, call->output_schema);
	}
}

static void
sync_value(struct structured *p, const struct pane_env *env)
{
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	const struct report *report =
	    call && call->state == CALL_DONE ? call->verdict.report : NULL;

	if (id == p->call && call_state == p->call_state) {
		if (report != p->report)
			views_set_report(&p->views, report);
		p->report = report;
		return;
	}
	p->call = id;
	p->report = report;
	p->call_state = call_state;
	detail_close(&p->detail);
	bool has = call && call->state == CALL_DONE;
	views_set_input(
	    &p->views, (struct render_input){
			   .value = has ? call->result.structured : NULL,
			   .schema = has && call->verdict.schema ? call->output_schema : NULL,
			   .docs = { has ? call->doc : NULL, has ? call->definition : NULL },
			   .jobs = env->jobs,
			   .report = report,
			   .source = env->ws->desk,
		       });
	p->bytes = p->views.in.value ? compact_bytes(call) : 0;
	bool usable = p->chosen >= 0 && renderer_table[p->chosen]->serves(&p->views.in) > 0;
	views_show(&p->views, usable ? (enum renderer_id)p->chosen : renderer_best(&p->views.in));
}

static void
sync(void *state, const struct pane_env *env)
{
	struct structured *p = state;

	sync_value(p, env);
	if (!p->views.in.value)
		write_absent(&p->absent, env);
}

static struct views *
views(void *state)
{
	struct structured *p = state;

	return &p->views;
}

/* The columns of the title that the sort order takes. */
static void
add_order(struct structured *p, struct buf *title)
{
	const struct render_ops *view = p->views.ops;
	struct buf order = BUF_INIT;

	if (view->order && !p->detail.open)
		view->order(p->views.state, &order);
	p->order_x = (int)glyph_columns(buf_text(title), title->len) + 2;
	if (order.len > 0)
		buf_addf(title, "  %s", buf_text(&order));
	p->order_end = (int)glyph_columns(buf_text(title), title->len);
	buf_finish(&order);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct structured *p = state;
	struct buf where = BUF_INIT;
	bool is_tool = !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;
	const char *name = is_tool ? "structuredContent" : "the resource as JSON";

	if (!p->views.in.value) {
		buf_add_str(facts, is_just_absent(workspace_call(env->ws)) ? "absent" : "");
		return ROLE_DIM;
	}
	if (p->detail.open) {
		buf_addf(&where, "%s", p->detail.pointer);
		buf_add_str(facts, "Esc closes");
	} else {
		views_heading(&p->views, &where, facts);
		buf_add_str(facts, " · ");
		pane_add_bytes(facts, p->bytes);
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->bytes, 3);
	}
	buf_addf(title, "%s%s%s", name, where.len > 0 ? " ▸ " : "", buf_text(&where));
	add_order(p, title);
	buf_finish(&where);
	return ROLE_DIM;
}

/* ---- drawing ---- */

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct structured *p = state;

	if (!p->views.in.value) {
		page_draw(&p->absent, s, ROLE_NONE, env->focused);
		return;
	}
	if (p->detail.open) {
		detail_draw(&p->detail, s);
		return;
	}
	views_draw(&p->views, env->focused, s);
}

/* ---- commands ---- */

static bool
say(const struct pane_env *env, const char *why)
{
	env->host->say(env->user, ROLE_ERROR, why);
	return false;
}

static bool
say_views(const struct pane_env *env)
{
	struct buf names = BUF_INIT;

	for (int i = 0; i < RENDERER_COUNT; i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "views: ", renderer_table[i]->name);
	say(env, buf_text(&names));
	buf_finish(&names);
	return false;
}

static bool
act_view(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	int view = *arg ? 0 : (int)views_next(&p->views);

	while (*arg && view < RENDERER_COUNT && strcmp(renderer_table[view]->name, arg) != 0)
		view++;
	if (view == RENDERER_COUNT)
		return say_views(env);
	p->chosen = view;
	detail_close(&p->detail);
	views_show(&p->views, (enum renderer_id)view);
	return true;
}

/* Views with rows are filtered; others are searched. */
static const char *
filtered(const void *state)
{
	const struct structured *p = state;

	return p->views.in.value && !p->detail.open ? views_filtered(&p->views) : NULL;
}

static void
filter(void *state, const struct pane_env *env, const char *text)
{
	struct structured *p = state;

	p->views.ops->filter(p->views.state, text);
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;

	if (*arg == '\0' && env->focused)
		return env->host->run(env->user, "find");
	if (!p->views.in.value)
		return say(env, "there is no structuredContent to show");
	if (!views_filtered(&p->views))
		return say(env, "this view has no rows to filter: v shows another view");
	filter(state, env, arg);
	return true;
}

static bool
seek(void *state, const struct pane_env *env, struct seekable *out)
{
	struct structured *p = state;

	if (p->views.in.value && !p->detail.open)
		return views_seek(&p->views, out);
	*out = p->detail.open ? detail_seek(&p->detail) : seek_page(&p->absent);
	return true;
}

static bool
act_detail(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf pointer = BUF_INIT;

	struct render_env renv = { .in = &p->views.in, .focused = env->focused };

	if (!p->views.in.value || !p->views.ops->selected)
		return true;
	if (p->views.ops->open && p->views.ops->open(p->views.state, &renv))
		return true;
	const cJSON *node = views_selected(&p->views, &pointer);
	detail_show(&p->detail, node, buf_text(&pointer), p->views.in.report);
	buf_finish(&pointer);
	return true;
}

static bool
act_copy(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf text = BUF_INIT;

	bool ok = p->views.in.value && views_copy(&p->views, &text);
	if (ok)
		env->host->copy(env->user, buf_text(&text), text.len);
	buf_finish(&text);
	return ok || say(env, "there is no value to copy");
}

static const struct pane_action actions[] = {
	{ "detail", "enter", "", "open the selected row, list or value, with its violations", act_detail,
	    "open" },
	{ "view", "v", "[NAME]", "show the next view, or the one named", act_view, "view" },
	{ "filter", "", "[TEXT]", "show only rows that contain the text", act_filter, NULL },
	{ "copy-value", "y", "", "copy the selected value", act_copy, NULL },
	{ 0 },
};

/* ---- keys ---- */

static const char *
captures(const void *state)
{
	const struct structured *p = state;

	return p->detail.open ? "Esc back  ↑↓ scroll" : NULL;
}

static bool
is_open(const void *state)
{
	const struct structured *p = state;
	const struct render_ops *view = p->views.ops;

	return p->views.in.value && view->is_open && view->is_open(p->views.state);
}

/* A click on the order in the title. */
static bool
turn(struct structured *p, const struct pane_env *env, int x)
{
	struct render_env renv = { .in = &p->views.in, .focused = env->focused };

	if (x < p->order_x || x >= p->order_end || !p->views.ops->turn)
		return false;
	p->views.ops->turn(p->views.state, &renv);
	return true;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct structured *p = state;

	if (p->detail.open)
		return detail_key(&p->detail, key);
	if (!p->views.in.value)
		return page_key(&p->absent, key);
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	if (press && key->y < 0)
		return turn(p, env, key->x);
	return views_key(&p->views, env->focused, key) ||
	       (press && !env->entered && act_detail(p, env, ""));
}

/* Does the node exist, or is its absence reported? Lazy array items are not parsed for this. */
static bool
exists(const struct render_input *in, const char *pointer)
{
	const cJSON *node = in->value;
	struct buf token = BUF_INIT;
	bool found = node != NULL;
	size_t index;

	while (found && *pointer && !json_is_lazy(node) && json_pointer_next(&pointer, &token)) {
		const cJSON *holder = node;
		node = json_pointer_step(holder, buf_text(&token));
		found = node || (!*pointer && in->report &&
				    report_find_missing(in->report, holder, buf_text(&token)) !=
					REPORT_NONE);
	}
	if (found && *pointer)
		found = json_is_lazy(node) && json_pointer_next(&pointer, &token) &&
			json_pointer_index(buf_text(&token), json_count(node), &index);
	buf_finish(&token);
	return found;
}

static bool
reveal(void *state, const struct pane_env *env, const char *pointer)
{
	struct structured *p = state;

	if (!exists(&p->views.in, pointer))
		return false;
	detail_close(&p->detail);
	return views_reveal(&p->views, pointer);
}

/* These actions need a value. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct structured *p = state;
	bool selects = p->views.ops->selected != NULL;

	return p->views.in.value && (selects || action->run != act_detail) ? action->hint : NULL;
}

static int
want(void *state, const struct pane_env *env, int width)
{
	struct structured *p = state;

	if (p->views.in.value)
		return p->detail.open ? VIEWS_ALL_ROWS : views_want(&p->views, width);
	return is_just_absent(workspace_call(env->ws)) ? 0 : (int)page_rows(&p->absent, width);
}

const struct pane_ops pane_structured = {
	.title = "structuredContent",
	.help = "the result that a program reads; arrays as tables",
	.state_size = sizeof(struct structured),
	.actions = actions,
	.applies = applies,
	.init = init,
	.finish = finish,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.is_open = is_open,
	.hint = hint,
	.filtered = filtered,
	.filter = filter,
	.seek = seek,
	.reveal = reveal,
	.views = views,
};
