#include "pane/pane.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "structured.h"
#include "json/print.h"
#include "client/lens.h"
#include "data/table.h"
#include "pane/pane_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
applies(const struct view_env *env)
{
	const struct desk *desk = env->ws->desk;
	const struct call *call = workspace_call(env->ws);

	if (workspace_shows_app(env->ws))
		return false;
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
	p->texts.changed = p->opened.changed = show_wanted;
	p->texts.user = p->opened.user = p;
	views_init(&p->views);
	query_init(&p->query);
}

static void
finish(void *state)
{
	struct structured *p = state;

	detail_close(&p->detail);
	text_blocks_forget(&p->texts);
	text_blocks_forget(&p->opened);
	free(p->opened_from);
	page_finish(&p->absent);
	query_finish(&p->query);
	views_finish(&p->views);
}

/* ---- what is shown: structuredContent, or the data in a text block ---- */

/* Data is shown in place of an absent structuredContent: the same as call_data_read() finds. */
static size_t
find_shown(const struct structured *p)
{
	if (p->opened.len > 0)
		return OPENED;
	if (p->wanted < OPENED)
		return p->texts.len > 0 ? text_blocks_from(&p->texts, p->wanted) : STRUCTURED;
	if (p->whole.value || p->texts.len == 0)
		return STRUCTURED;
	size_t best = 0;
	for (size_t i = 1; i < p->texts.len; i++)
		if (text_data_outranks(p->texts.items[i].kind, p->texts.items[best].kind))
			best = i;
	return best;
}

/* The text block, or the opened string; NULL: structuredContent, or nothing, is shown. */
static const struct block_data *
shown_block(const struct structured *p)
{
	return p->shown == STRUCTURED ? NULL
	       : p->shown == OPENED   ? p->opened.items
				      : &p->texts.items[p->shown];
}

/* Texts have no report: the verdict is about structuredContent. Each block has a source of its own,
 * an address in the desk. */
static struct view_input
input_of(const struct structured *p)
{
	struct view_input in = p->whole;

	const struct block_data *b = shown_block(p);
	if (!b)
		return in;
	in.value = json_root(b->doc);
	in.docs[0] = b->doc;
	in.report = NULL;
	in.is_part = b->kind == TEXT_DATA_TABLES;
	in.source = (const char *)p->desk + 1 + b->index % (sizeof(*p->desk) - 1);
	return in;
}

static size_t
shown_bytes(const struct structured *p)
{
	return shown_block(p) ? shown_block(p)->bytes : p->bytes;
}

/* As compact JSON; of a long value its beginning counts for all of it. */
static size_t
count_tokens(const cJSON *value, size_t bytes)
{
	enum { LOOKED_AT = 64 << 10 };
	struct buf json = BUF_INIT;

	if (!value)
		return 0;
	bool is_all = json_print_some(&json, value, -1, LOOKED_AT, NULL);
	size_t tokens = tokens_estimate(buf_text(&json), json.len);
	if (!is_all && bytes > json.len)
		tokens = (size_t)((double)tokens * (double)bytes / (double)json.len);
	buf_finish(&json);
	return tokens;
}

/* The value, or what the query makes of it. */
void
structured_show_answer(struct structured *p)
{
	const struct query *q = &p->query;

	if (p->answered == q->version)
		return;
	p->answered = q->version;
	detail_close(&p->detail);
	views_set_input(&p->views, q->doc ? (struct view_input){ .value = q->result,
						.docs = { q->doc, NULL },
						.jobs = p->whole.jobs,
						.source = q }
					  : input_of(p));
	p->tokens = count_tokens(p->views.in.value, q->doc ? q->bytes : shown_bytes(p));
	p->has_chart = view_serves(&view_chart, &p->views.in) > 0;
	bool usable = p->chosen >= 0 && view_serves(value_views[p->chosen], &p->views.in) > 0;
	views_show(&p->views, usable ? (enum view_id)p->chosen : views_best(&p->views.in));
}

static void
show_wanted(void *state)
{
	struct structured *p = state;

	p->shown = find_shown(p);
	struct view_input in = input_of(p);
	query_set_value(
	    &p->query, (struct queried){ in.value, in.docs[0], shown_bytes(p), p->desk });
	p->answered = UINT64_MAX;
	structured_show_answer(p);
}

/* Takes from. */
static bool
open_text(struct structured *p, const struct view_env *env, const cJSON *string,
    struct json_doc *doc, char *from)
{
	const char *text = json_string(string);
	const struct result_text whole = { text, text ? strlen(text) : 0, OPENED };

	if (!text || !text_blocks_open(&p->opened, &whole, doc, env->jobs)) {
		free(from);
		return false;
	}
	free(p->opened_from);
	p->opened_from = from;
	p->opened_by_user = false;
	return true;
}

/* If structuredContent is nothing but a string that is data. */
static void
open_wrapped(struct structured *p, const struct view_env *env, const struct call *call)
{
	struct buf from = BUF_INIT;

	buf_add_str(&from, "structuredContent");
	const cJSON *string =
	    call && p->wanted == STRUCTURED && !call->result.parsed ? call_wrapped_text(call, &from)
								    : NULL;
	if (string)
		open_text(p, env, string, call->doc, buf_detach(&from));
	buf_finish(&from);
}

/* Without structuredContent the texts are read as soon as they are here. */
static void
show_new(struct structured *p, const struct view_env *env, const struct call *call)
{
	bool may = call && text_blocks_serve(call);

	text_blocks_forget(&p->texts);
	text_blocks_forget(&p->opened);
	open_wrapped(p, env, call);
	if (may && (!p->whole.value || p->wanted < OPENED))
		text_blocks_read(&p->texts, call, env->jobs);
	if (p->texts.state != TEXT_READ)
		show_wanted(p);
}

void
structured_want(struct structured *p, const struct view_env *env, size_t wanted)
{
	const struct call *call = workspace_call(env->ws);

	p->wanted = wanted;
	text_blocks_forget(&p->opened);
	open_wrapped(p, env, call && call->state == CALL_DONE ? call : NULL);
	show_wanted(p);
}

static void
sync_value(struct structured *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	const struct report *report =
	    call && call->state == CALL_DONE ? call->verdict.report : NULL;

	if (id == p->call && call_state == p->call_state) {
		p->whole.report = report;
		if (report != p->report && p->shown == STRUCTURED && !p->query.doc)
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
	p->whole = (struct view_input){
		.value = has ? call->result.structured : NULL,
		.schema = has && call->verdict.schema ? call->output_schema : NULL,
		.docs = { has ? call->doc : NULL, has ? call->definition : NULL },
		.jobs = env->jobs,
		.report = report,
		.source = env->ws->desk,
	};
	p->bytes = p->whole.value ? detail_bytes_of(call) : 0;
	p->shown = STRUCTURED;
	show_new(p, env, has ? call : NULL);
}

static void
sync(void *state, const struct view_env *env)
{
	struct structured *p = state;

	p->query.host = env->host;
	p->query.user = env->user;
	p->query.jobs = env->jobs;
	p->query.kept = &env->ws->queries;
	sync_value(p, env);
	structured_show_answer(p);
	if (!p->views.in.value && !p->query.doc)
		absent_write(&p->absent, env, &p->texts);
}

/* Without its middle, if it has more columns than there is room for. */
static void
add_shortened(const struct buf *text, int room, struct buf *out)
{
	int columns = (int)glyph_columns(buf_text(text), text->len), head = room / 2, seen = 0;
	size_t at = 0, kept = 0;
	struct glyph g;

	if (columns <= room) {
		buf_add(out, buf_text(text), text->len);
		return;
	}
	while (columns - seen >= room - head) {
		at += glyph_next(text->data + at, text->len - at, &g);
		seen += g.width;
		kept = seen <= head ? at : kept;
	}
	buf_add(out, text->data, kept);
	buf_add_str(out, "…");
	buf_add(out, text->data + at, text->len - at);
}

/* Where it is in the value, and the sort order, whose columns are for the mouse. A long trail gives
 * way, if title and border have so much room, to the facts that the view tells of itself. */
static void
add_where(struct structured *p, const struct buf *where, int room, struct buf *title)
{
	enum { LEAST = 12, AIR = 4 /* around the facts, and the border before them */ };
	const struct view *view = p->views.view;
	struct buf order = BUF_INIT;

	if (view->ops->order && !p->detail.open)
		view->ops->order(view->state, &order);
	buf_add_str(title, where->len > 0 ? " ▸ " : "");
	room -= (int)glyph_columns(buf_text(title), title->len) + AIR;
	room -= order.len > 0 ? 2 + (int)glyph_columns(buf_text(&order), order.len) : 0;
	add_shortened(where, room > LEAST ? room : LEAST, title);
	p->order_x = (int)glyph_columns(buf_text(title), title->len) + 2;
	if (order.len > 0)
		buf_addf(title, "  %s", buf_text(&order));
	p->order_end = (int)glyph_columns(buf_text(title), title->len);
	buf_finish(&order);
}

/* "text block 2 as CSV", "3 tables in text block 1": nobody may take it for structuredContent. */
static void
add_source(const struct structured *p, bool is_tool, struct buf *title)
{
	const struct block_data *block = shown_block(p);
	const char *name = text_data_names[block ? block->kind : TEXT_DATA_JSON];

	if (p->query.doc) {
		buf_add_str(title, p->query.title);
	} else if (p->shown == OPENED) {
		buf_addf(title, "%s in %s", name, p->opened_from);
	} else if (!is_tool) {
		buf_addf(title, "the resource as %s", name);
	} else if (!block) {
		buf_add_str(title, "structuredContent");
	} else if (block->kind == TEXT_DATA_TABLES) {
		const cJSON *root = json_root(block->doc);
		units_add_counted(
		    title, json_type(root) == JSON_OBJECT ? json_count(root) : 1, "table");
		buf_addf(title, " in text block %zu", block->index + 1);
	} else {
		buf_addf(title, "text block %zu as %s", block->index + 1, name);
	}
}

bool
structured_open_text(
    struct structured *p, const struct view_env *env, const cJSON *string, const char *pointer)
{
	struct buf from = BUF_INIT;

	if (p->query.doc || view_ground(p->views.in.report, string) != ROLE_NONE)
		return false; /* the detail tells its violations */
	if (p->shown == OPENED)
		buf_add_str(&from, p->opened_from);
	else
		add_source(p, !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL, &from);
	buf_add_str(&from, pointer);
	if (!open_text(p, env, string, p->views.in.docs[0], buf_detach(&from)))
		return false;
	p->opened_by_user = true;
	show_wanted(p);
	return true;
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct structured *p = state;
	struct buf where = BUF_INIT;
	int said = 0;
	bool is_tool = !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;

	if (!p->views.in.value && !p->query.doc) {
		buf_add_str(title, is_tool ? "" : "the resource as data");
		absent_add_facts(&p->texts, workspace_call(env->ws), facts);
		return ROLE_DIM;
	}
	add_source(p, is_tool, title);
	if (p->detail.open) {
		buf_addf(&where, "%s", p->detail.pointer);
		buf_add_str(facts, "Esc closes");
	} else if (!p->views.in.value) {
		buf_add_str(facts, "no result");
	} else {
		size_t bytes = p->query.doc ? p->query.bytes : shown_bytes(p);
		query_add_count(&p->query, facts);
		buf_add_str(facts, facts->len > 0 ? " · " : "");
		view_heading(p->views.view, env, &where, facts);
		said = (int)glyph_columns(buf_text(facts), facts->len);
		buf_add_str(facts, " · ");
		pane_add_bytes(facts, bytes);
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->tokens);
	}
	add_where(p, &where, env->width > 0 ? env->width - said : INT_MAX, title);
	buf_finish(&where);
	return ROLE_DIM;
}

/* ---- drawing ---- */

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct structured *p = state;

	if (p->query.typing) {
		int rows = s.height < QUERY_LINE_ROWS ? s.height : QUERY_LINE_ROWS;
		query_draw(
		    &p->query, env->focused, surface_sub(s, 0, s.height - rows, s.width, rows));
		s = surface_sub(s, 0, 0, s.width, s.height - rows);
	}
	if (!p->views.in.value && p->query.doc) {
		surface_text(s, 0, 0, -1, style_of(ROLE_DIM), "jq gives nothing for this value");
		return;
	}
	if (!p->views.in.value) {
		page_draw(&p->absent, s, ROLE_NONE, env->focused);
		return;
	}
	if (p->detail.open) {
		detail_draw(&p->detail, s);
		return;
	}
	view_draw(p->views.view, env, s);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct structured *p = state;

	*out = p->detail.open ? detail_seek(&p->detail) : seek_page(&p->absent);
	return true;
}

/* ---- keys ---- */

static const char *
captures(const void *state)
{
	const struct structured *p = state;

	if (p->query.typing)
		return "Enter keep  Esc leave  Tab complete  ↑↓ history";
	return p->detail.open ? "Esc back  ↑↓ scroll" : NULL;
}

static bool
is_open(const void *state)
{
	const struct structured *p = state;

	return query_is_on(&p->query) || (p->opened_by_user && p->opened.len > 0);
}

static struct view *
child(void *state)
{
	return ((struct structured *)state)->views.view;
}

static bool
covers(const void *state)
{
	return ((const struct structured *)state)->detail.open;
}

/* A click on the order in the title. */
static bool
turn(struct structured *p, const struct view_env *env, int x)
{
	const struct view *view = p->views.view;
	struct view_env own = view_env_of(view, env);

	if (x < p->order_x || x >= p->order_end || !view->ops->turn)
		return false;
	view->ops->turn(view->state, &own);
	return true;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct structured *p = state;
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;

	if (p->query.typing) {
		bool used = query_key(&p->query, key);
		structured_show_answer(p);
		return used;
	}
	if (p->detail.open)
		return detail_key(&p->detail, key);
	if (key->kind == KEY_ESCAPE && query_is_on(&p->query)) {
		query_set(&p->query, "");
		structured_show_answer(p);
		return true;
	}
	if (key->kind == KEY_ESCAPE && p->opened_by_user && p->opened.len > 0) {
		structured_want(p, env, p->wanted);
		return true;
	}
	if (!p->views.in.value)
		return page_key(&p->absent, key);
	if (press && key->y < 0)
		return turn(p, env, key->x);
	return press && !env->entered && structured_open_detail(p, env, "");
}

static bool
reveal(void *state, const struct view_env *env, const char *pointer)
{
	struct structured *p = state;

	if (p->shown != STRUCTURED && p->whole.value) { /* violations are in structuredContent */
		structured_want(p, env, p->shown == OPENED ? AS_IT_CAME : STRUCTURED);
	}
	if (p->query.doc) {
		query_set(&p->query, "");
		structured_show_answer(p);
	}
	if (!detail_exists(&p->views.in, pointer))
		return false;
	detail_close(&p->detail);
	return views_reveal(&p->views, pointer);
}

/* Is there, or may there be, other data than what is shown? */
static bool
has_other_data(const struct structured *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);
	size_t sources = p->texts.len + (p->whole.value != NULL);

	if (p->opened.len > 0 || p->wanted == AS_IT_CAME)
		return true;
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
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct structured *p = state;
	bool selects = p->views.view->ops->selected != NULL;

	if (strcmp(action->name, "data") == 0)
		return has_other_data(p, env) ? action->hint : NULL;
	if (strcmp(action->name, "text") == 0)
		return p->shown < OPENED ? action->hint : NULL;
	if (strcmp(action->name, "chart") == 0)
		return p->has_chart && p->views.shown != VIEW_chart ? action->hint : NULL;
	return p->views.in.value && (selects || action->run != structured_open_detail)
		   ? action->hint
		   : NULL;
}

static int
want(void *state, const struct view_env *env, int width)
{
	struct structured *p = state;
	int line = p->query.typing ? QUERY_LINE_ROWS : 0;

	if (p->views.in.value)
		return line + (p->detail.open ? VIEW_ALL_ROWS : view_want(p->views.view, env, width));
	if (p->query.doc)
		return line + 1;
	return absent_says_nothing(&p->texts, workspace_call(env->ws))
		   ? 0
		   : (int)page_rows(&p->absent, width);
}

static struct surface
pop_up(void *state, const struct view_env *env, struct surface screen, struct surface inner)
{
	struct structured *p = state;

	return p->query.typing ? query_pop_up(&p->query, screen, inner)
			       : surface_sub(screen, 0, 0, 0, 0);
}

static const struct view_binding bindings[] = {
	{ "alt-y", "export tsv" },
	{ 0 },
};

const struct view_ops pane_structured = {
	.title = "structuredContent",
	.help = "the result that a program reads; arrays as tables",
	.state_size = sizeof(struct structured),
	.actions = structured_actions,
	.bindings = bindings,
	.serves = applies,
	.init = init,
	.finish = finish,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.is_open = is_open,
	.pop_up = pop_up,
	.hint = hint,
	.last_hint = "chart",
	.seek = seek,
	.reveal = reveal,
	.child = child,
	.covers = covers,
};
