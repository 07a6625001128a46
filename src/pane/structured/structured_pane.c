#include "pane/pane.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "structured.h"
#include "json/print.h"
#include "model/table.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct structured {
	struct views views;
	int chosen;    /* the view the user chose; -1: automatic */
	uint64_t call; /* the call of the result */
	size_t bytes;  /* of the value as compact JSON, or of the text it is read from */
	struct render_input whole; /* structuredContent; its value is NULL if there is none */
	struct text_blocks texts;
	const struct desk *desk; /* for it the user chose: */
	size_t wanted;           /* the data in the text block at this index; or STRUCTURED */
	size_t shown;            /* item of texts; or STRUCTURED */
	enum call_state call_state;
	const struct report *report; /* may arrive after the value */
	struct detail detail;
	struct page absent;     /* in place of a value */
	int order_x, order_end; /* the position of the sort order in the title */
};

#define STRUCTURED SIZE_MAX /* in place of a text block: structuredContent, if there is any */

static bool
applies(const struct pane_env *env)
{
	const struct desk *desk = env->ws->desk;
	const struct call *call = workspace_call(env->ws);

	return !desk || desk->kind == PRIMITIVE_TOOL ||
	       (call && call->state == CALL_DONE &&
		   (call->result.structured || text_blocks_serve(call)));
}

static void show_wanted(void *state);

static void
init(void *state)
{
	struct structured *p = state;

	p->chosen = -1;
	p->wanted = p->shown = STRUCTURED;
	p->texts.changed = show_wanted;
	p->texts.user = p;
	views_init(&p->views);
}

static void
finish(void *state)
{
	struct structured *p = state;

	detail_close(&p->detail);
	text_blocks_forget(&p->texts);
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

/* ---- what is shown: structuredContent, or the data in a text block ---- */

/* Data is shown in place of an absent structuredContent, but not the tables of a longer text: that
 * is for reading. */
static size_t
find_shown(const struct structured *p)
{
	if (p->wanted != STRUCTURED)
		return p->texts.len > 0 ? text_blocks_from(&p->texts, p->wanted) : STRUCTURED;
	for (size_t i = 0; i < p->texts.len && !p->whole.value; i++)
		if (p->texts.items[i].kind != TEXT_DATA_TABLES)
			return i;
	return STRUCTURED;
}

/* Texts have no report: the verdict is about structuredContent. Each block has a source of its own,
 * an address in the desk. */
static struct render_input
input_of(const struct structured *p)
{
	struct render_input in = p->whole;

	if (p->shown == STRUCTURED)
		return in;
	const struct block_data *b = &p->texts.items[p->shown];
	in.value = json_root(b->doc);
	in.docs[0] = b->doc;
	in.report = NULL;
	in.source = (const char *)p->desk + 1 + b->index % (sizeof(*p->desk) - 1);
	return in;
}

static void
show_wanted(void *state)
{
	struct structured *p = state;

	detail_close(&p->detail);
	p->shown = find_shown(p);
	views_set_input(&p->views, input_of(p));
	bool usable = p->chosen >= 0 && renderer_table[p->chosen]->serves(&p->views.in) > 0;
	views_show(&p->views, usable ? (enum renderer_id)p->chosen : renderer_best(&p->views.in));
}

/* Without structuredContent the texts are read as soon as they are here. */
static void
show_new(struct structured *p, const struct pane_env *env, const struct call *call)
{
	bool may = call && text_blocks_serve(call);

	text_blocks_forget(&p->texts);
	if (may && (!p->whole.value || p->wanted != STRUCTURED))
		text_blocks_read(&p->texts, call, env->jobs);
	if (p->texts.state != TEXT_READ)
		show_wanted(p);
}

static size_t
shown_bytes(const struct structured *p)
{
	return p->shown == STRUCTURED ? p->bytes : p->texts.items[p->shown].bytes;
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
		p->whole.report = report;
		if (report != p->report && p->shown == STRUCTURED)
			views_set_report(&p->views, report);
		p->report = report;
		return;
	}
	bool has = call && call->state == CALL_DONE;
	p->wanted = p->desk == env->ws->desk ? p->wanted : STRUCTURED;
	p->desk = env->ws->desk;
	p->call = id;
	p->report = report;
	p->call_state = call_state;
	p->whole = (struct render_input){
		.value = has ? call->result.structured : NULL,
		.schema = has && call->verdict.schema ? call->output_schema : NULL,
		.docs = { has ? call->doc : NULL, has ? call->definition : NULL },
		.jobs = env->jobs,
		.report = report,
		.source = env->ws->desk,
	};
	p->bytes = p->whole.value ? compact_bytes(call) : 0;
	p->shown = STRUCTURED;
	show_new(p, env, has ? call : NULL);
}

static void
sync(void *state, const struct pane_env *env)
{
	struct structured *p = state;

	sync_value(p, env);
	if (!p->views.in.value)
		absent_write(&p->absent, env, &p->texts);
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

	if (!p->views.in.value) {
		buf_add_str(title, is_tool ? "" : "the resource as data");
		absent_add_facts(&p->texts, workspace_call(env->ws), facts);
		return ROLE_DIM;
	}
	const struct block_data *block = p->shown == STRUCTURED ? NULL : &p->texts.items[p->shown];
	const char *name = text_data_names[block ? block->kind : TEXT_DATA_JSON];
	if (!is_tool)
		buf_addf(title, "the resource as %s", name);
	else if (block)
		buf_addf(title, "text block %zu as %s", block->index + 1, name);
	else
		buf_add_str(title, "structuredContent");
	if (p->detail.open) {
		buf_addf(&where, "%s", p->detail.pointer);
		buf_add_str(facts, "Esc closes");
	} else {
		views_heading(&p->views, &where, facts);
		buf_add_str(facts, " · ");
		pane_add_bytes(facts, shown_bytes(p));
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, shown_bytes(p), p->shown == STRUCTURED ? 3 : 4);
	}
	buf_addf(title, "%s%s", where.len > 0 ? " ▸ " : "", buf_text(&where));
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
		return say(env, "there is no data to show");
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

/* The source after the shown one: structuredContent, then the data of each block. */
static size_t
next_source(const struct structured *p)
{
	size_t next = p->shown == STRUCTURED ? 0 : p->shown + 1;

	if (p->shown == STRUCTURED && p->texts.len == 0)
		return 0;
	if (next < p->texts.len)
		return p->texts.items[next].index;
	return p->whole.value ? STRUCTURED : 0;
}

static bool
act_data(void *state, const struct pane_env *env, const char *arg)
{
	struct structured *p = state;
	const struct call *call = workspace_call(env->ws);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);

	if (*arg && (*end || number == 0))
		return say(env, "usage: data [NUMBER]");
	if (!call || call->state != CALL_DONE || !text_blocks_serve(call))
		return say(env, "there is no result with data");
	p->wanted = *arg ? number - 1 : next_source(p);
	text_blocks_read(&p->texts, call, env->jobs);
	if (p->texts.state == TEXT_READING)
		return true;
	show_wanted(p);
	return p->texts.len > 0 ||
	       say(env, "no text block is JSON, JSON Lines, CSV or a Markdown table");
}

static bool
act_text(void *state, const struct pane_env *env, const char *arg)
{
	const struct structured *p = state;
	char line[40];

	snprintf(line, sizeof(line), "block %zu",
	    p->shown != STRUCTURED ? p->texts.items[p->shown].index + 1 : (size_t)1);
	return env->host->run(env->user, "pane content") && env->host->run(env->user, line);
}

static const struct pane_action actions[] = {
	{ "detail", "enter", "", "open the selected row, list or value, with its violations",
	    act_detail, "open" },
	{ "view", "v", "[NAME]", "show the next view, or the one named", act_view, "view" },
	{ "data", "B", "[NUMBER]",
	    "show structuredContent, or the data in the next text block or the one of this number",
	    act_data, "other data" },
	{ "text", "m", "", "go to the text block that the data is in", act_text, "text" },
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

static bool
reveal(void *state, const struct pane_env *env, const char *pointer)
{
	struct structured *p = state;

	if (p->shown != STRUCTURED && p->whole.value) { /* violations are in structuredContent */
		p->wanted = STRUCTURED;
		show_wanted(p);
	}
	if (!detail_exists(&p->views.in, pointer))
		return false;
	detail_close(&p->detail);
	return views_reveal(&p->views, pointer);
}

/* Is there, or may there be, other data than what is shown? */
static bool
has_other_data(const struct structured *p, const struct pane_env *env)
{
	const struct call *call = workspace_call(env->ws);
	size_t sources = p->texts.len + (p->whole.value != NULL);

	if (p->texts.state != TEXT_UNREAD || !call || call->kind != PRIMITIVE_TOOL)
		return sources > 1 || (p->shown == STRUCTURED && p->texts.len > 0);
	for (size_t i = 0; i < call->result.len && i < 8; i++) {
		const struct content_block *c = &call->result.blocks[i];
		if (c->text && text_data_begins_json(c->text, c->text_len))
			return true;
	}
	return false;
}

/* Other actions need a value. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct structured *p = state;
	bool selects = p->views.ops->selected != NULL;

	if (action->run == act_data)
		return has_other_data(p, env) ? action->hint : NULL;
	if (action->run == act_text)
		return p->shown != STRUCTURED ? action->hint : NULL;
	return p->views.in.value && (selects || action->run != act_detail) ? action->hint : NULL;
}

static int
want(void *state, const struct pane_env *env, int width)
{
	struct structured *p = state;

	if (p->views.in.value)
		return p->detail.open ? VIEWS_ALL_ROWS : views_want(&p->views, width);
	return absent_says_nothing(&p->texts, workspace_call(env->ws))
		   ? 0
		   : (int)page_rows(&p->absent, width);
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
