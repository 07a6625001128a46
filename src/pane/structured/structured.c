#include "pane/pane.h"

#include "base/glyph.h"
#include "base/vec.h"
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
			views_set_report(&p->views, env, report);
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
			   .report = report,
			   .source = env->ws->desk,
		       });
	p->bytes = p->views.in.value ? compact_bytes(call) : 0;
	bool usable = p->chosen >= 0 && renderer_table[p->chosen]->claim(&p->views.in) > 0;
	views_show(
	    &p->views, env, usable ? (enum renderer_id)p->chosen : renderer_best(&p->views.in));
}

static void
sync(void *state, const struct pane_env *env)
{
	struct structured *p = state;

	sync_value(p, env);
	if (!p->views.in.value)
		write_absent(&p->absent, env);
}

static bool
work(void *state, const struct pane_env *env)
{
	struct structured *p = state;
	(void)env;

	return p->views.in.value && views_work(&p->views);
}

static struct table *
table(void *state)
{
	struct structured *p = state;
	const struct render_ops *view = views_ops(&p->views);

	return p->views.in.value && view->table ? view->table(views_state(&p->views)) : NULL;
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct structured *p = state;
	const struct render_ops *view = views_ops(&p->views);
	struct render_env renv = views_env(&p->views, env);
	struct buf where = BUF_INIT;
	bool is_tool = !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;
	const char *name = is_tool ? "structuredContent" : "the resource as JSON";

	if (!p->views.in.value)
		return ROLE_DIM;
	if (p->detail.open) {
		buf_addf(&where, "%s", p->detail.pointer);
		buf_add_str(facts, "Esc closes");
	} else if (view->heading) {
		view->heading(views_state(&p->views), &renv, &where, facts);
		buf_add_str(facts, " · ");
		pane_add_bytes(facts, p->bytes);
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->bytes, 3);
	}
	buf_addf(title, "%s%s%s", name, where.len > 0 ? " ▸ " : "", buf_text(&where));
	const struct table *sorted = p->detail.open ? NULL : table(state);
	p->order_x = (int)glyph_columns(buf_text(title), title->len) + 2;
	if (sorted && sorted->sorted_by < sorted->columns.len)
		buf_addf(title, "  %s%s", sorted->columns.items[sorted->sorted_by].name,
		    sorted->descending ? "▼" : "▲");
	p->order_end = (int)glyph_columns(buf_text(title), title->len);
	buf_finish(&where);
	return ROLE_DIM;
}

/* ---- drawing ---- */

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct structured *p = state;
	struct render_env renv = views_env(&p->views, env);

	if (!p->views.in.value) {
		page_draw(&p->absent, s, ROLE_NONE, env->focused);
		return;
	}
	if (p->detail.open) {
		detail_draw(&p->detail, s);
		return;
	}
	views_ops(&p->views)->draw(views_state(&p->views), &renv, s);
}

/* ---- commands ---- */

static bool
forward(struct structured *p, const struct pane_env *env, const char *verb, const char *arg)
{
	const struct render_ops *view = views_ops(&p->views);
	struct render_env renv = views_env(&p->views, env);
	struct buf why = BUF_INIT;

	if (!p->views.in.value)
		buf_add_str(&why, "there is no structuredContent to show");
	bool ok = p->views.in.value && view->command &&
		  view->command(views_state(&p->views), &renv, verb, arg, &why);
	if (!ok)
		env->host->say(
		    env->user, ROLE_ERROR, why.len ? buf_text(&why) : "not possible in this view");
	buf_finish(&why);
	return ok;
}

static bool
act_view(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	int view = (int)p->views.shown;

	for (int i = 0; i < RENDERER_COUNT; i++) {
		if (*arg ? strcmp(renderer_table[i]->name, arg) == 0
			 : renderer_table[(p->views.shown + 1 + i) % RENDERER_COUNT]->claim(
			       &p->views.in) > 0) {
			view = *arg ? i : (int)(p->views.shown + 1 + i) % RENDERER_COUNT;
			break;
		}
		if (*arg && i + 1 == RENDERER_COUNT) {
			env->host->say(env->user, ROLE_ERROR, "views: table, tree, json");
			return false;
		}
	}
	p->chosen = view;
	detail_close(&p->detail);
	views_show(&p->views, env, (enum renderer_id)view);
	return true;
}

static bool
act_sort(void *state, const struct pane_env *env, const char *arg)
{
	return forward(state, env, "sort", arg);
}

static bool
act_next_table(void *state, const struct pane_env *env, const char *arg)
{
	return forward(state, env, "next-table", arg);
}

/* Tables are filtered; other views are searched. */
static const char *
filtered(const void *state)
{
	const struct structured *p = state;
	const struct render_ops *view = views_ops(&p->views);
	bool table = p->views.in.value && !p->detail.open && view->filtered;

	return table ? view->filtered(views_state(&p->views)) : NULL;
}

static void
filter(void *state, const struct pane_env *env, const char *text)
{
	forward(state, env, "filter", text);
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	if (*arg == '\0' && env->focused)
		return env->host->run(env->user, "find");
	return forward(state, env, "filter", arg);
}

static bool
seek(void *state, const struct pane_env *env, struct seekable *out)
{
	struct structured *p = state;
	(void)env;

	if (p->views.in.value && !p->detail.open)
		return views_seek(&p->views, out);
	*out = p->detail.open ? detail_seek(&p->detail) : seek_page(&p->absent);
	return true;
}

static bool
act_detail(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	const struct render_ops *view = views_ops(&p->views);
	struct render_env renv = views_env(&p->views, env);
	struct buf pointer = BUF_INIT;
	(void)arg;

	if (!p->views.in.value || !view->selected)
		return true;
	const cJSON *node = view->selected(views_state(&p->views), &renv, &pointer);
	detail_show(&p->detail, node, buf_text(&pointer), p->views.in.report);
	buf_finish(&pointer);
	return true;
}

static const struct pane_action actions[] = {
	{ "detail", "enter", "", "show the whole selected value and its violations", act_detail,
	    "detail" },
	{ "view", "v", "[NAME]", "show the value as table, tree or JSON", act_view, "view" },
	{ "sort", "s", "[COLUMN [desc]]", "sort by a column: ascending, descending, unsorted",
	    act_sort, "sort" },
	{ "filter", "", "[TEXT]", "show only rows that contain the text", act_filter, NULL },
	{ "next-table", "n", "", "go to the next table in the value", act_next_table,
	    "next table" },
	{ 0 },
};

/* ---- keys ---- */

static bool
captures(const void *state)
{
	const struct structured *p = state;

	return p->detail.open;
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
		return key->x >= p->order_x && key->x < p->order_end && forward(p, env, "turn", "");
	return views_key(&p->views, env, key) || (press && !env->entered && act_detail(p, env, ""));
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

/* In the current view if possible, else in the tree, which shows everything except items far behind
 * in a huge array: those need the table. */
static bool
reveal(void *state, const struct pane_env *env, const char *pointer)
{
	struct structured *p = state;
	const enum renderer_id order[] = { p->views.shown, RENDERER_tree, RENDERER_table };
	struct render_env renv = views_env(&p->views, env);

	if (!exists(&p->views.in, pointer))
		return false;
	detail_close(&p->detail);
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const struct render_ops *view = renderer_table[order[i]];
		if (!view->reveal)
			continue;
		views_show(&p->views, env, order[i]);
		if (view->reveal(views_state(&p->views), &renv, pointer))
			return true;
	}
	return false;
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Esc back  ↑↓ scroll";
}

/* These actions need a value. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct structured *p = state;
	(void)env;

	if (!p->views.in.value)
		return NULL;
	if (action->run == act_detail)
		return views_ops(&p->views)->selected ? action->hint : NULL;
	if (action->run == act_view)
		return action->hint;
	const struct render_ops *view = views_ops(&p->views);
	bool offered = view->offers && view->offers(views_state(&p->views), action->name);
	return offered ? action->hint : NULL;
}

static int
want(void *state, const struct pane_env *env, int width)
{
	struct structured *p = state;
	const struct render_ops *view = views_ops(&p->views);
	struct render_env renv = views_env(&p->views, env);

	if (!p->views.in.value)
		return (int)page_rows(&p->absent, width);
	if (!view->want || p->detail.open)
		return 0;
	return view->want(views_state(&p->views), &renv, width);
}

const struct pane_ops pane_structured = {
	.title = "structuredContent",
	.help = "the structured result, which a program reads; arrays are tables",
	.state_size = sizeof(struct structured),
	.actions = actions,
	.applies = applies,
	.init = init,
	.finish = finish,
	.sync = sync,
	.work = work,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
	.hint = hint,
	.filtered = filtered,
	.filter = filter,
	.seek = seek,
	.reveal = reveal,
	.table = table,
};
