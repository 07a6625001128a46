/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/glyph.h"
#include "base/units.h"
#include "client/lens.h"
#include "data/table.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "pane/pane_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct structured {
	struct views views;        /* first */
	int chosen;                /* the view that the user chose; -1: automatic */
	uint64_t call;             /* the call of the result */
	size_t bytes;              /* of structuredContent as compact JSON, about */
	size_t tokens;             /* of the shown value as compact JSON; estimated */
	struct view_input whole;   /* structuredContent; without a value if it is absent */
	struct text_blocks texts;  /* data in the text blocks */
	struct text_blocks opened; /* data in a string of the value */
	char *opened_from;         /* "structuredContent/result" */
	bool opened_by_user;       /* else because the value is only this string */
	const struct desk *desk;   /* the owner of wanted */
	size_t wanted;             /* index of a text block; or STRUCTURED, or VERBATIM */
	size_t shown;              /* item of texts; or STRUCTURED, or OPENED */
	enum call_state call_state;
	const struct report *report; /* may arrive after the value */
	struct detail detail;
	struct query query;
	bool has_chart;         /* the shown value has a chart */
	uint64_t answered;      /* version of the query that is shown */
	struct page absent;     /* shown without a value */
	int order_x, order_end; /* the position of the sort order in the title */
};

#define STRUCTURED SIZE_MAX     /* structuredContent, or the data in its only string */
#define VERBATIM (SIZE_MAX - 1) /* structuredContent, even if it is only a string */
#define OPENED (SIZE_MAX - 2)   /* the data in opened */

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
	query_init(&p->query);
}

static void
structured_finish(void *state)
{
	struct structured *p = state;

	detail_close(&p->detail);
	text_blocks_forget(&p->texts);
	text_blocks_forget(&p->opened);
	free(p->opened_from);
	page_finish(&p->absent);
	query_finish(&p->query);
}

/* ---- the shown value: structuredContent, or the data in a text block ---- */

/* Return the source to show. Without structuredContent it is the same data that call_data_read()
 * finds. */
static size_t
find_shown(const struct structured *p)
{
	size_t i = 0, best = 0;

	if (p->opened.len > 0)
		return OPENED;
	if (p->texts.len == 0)
		return STRUCTURED;
	if (p->wanted < OPENED) { /* this block or the next one with data, else the first */
		while (i < p->texts.len && p->texts.items[i].index < p->wanted)
			i++;
		return i < p->texts.len ? i : 0;
	}
	if (p->whole.value)
		return STRUCTURED;
	for (i = 1; i < p->texts.len; i++)
		if (text_data_outranks(p->texts.items[i].kind, p->texts.items[best].kind))
			best = i;
	return best;
}

/* Return the shown text block or opened string; NULL for structuredContent or nothing. */
static const struct block_data *
shown_block(const struct structured *p)
{
	return p->shown == STRUCTURED ? NULL
	       : p->shown == OPENED   ? p->opened.items
				      : &p->texts.items[p->shown];
}

/* Return the input of the views. Texts have no report, because the verdict is about
 * structuredContent. The source of a block is an address in the desk. */
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

/* Estimate the tokens of a value as compact JSON from its beginning. */
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

/* Show the result of the query, or without one the value. */
static void
show_answer(struct structured *p)
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
	show_answer(p);
}

/* Open a string as data. Takes from. */
static bool
open_text(struct structured *p, const struct view_env *env, const cJSON *string,
    struct json_doc *doc, char *from)
{
	const char *text = cJSON_GetStringValue(string);
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

/* Open the string that is all of structuredContent, if it is data. */
static void
open_wrapped(struct structured *p, const struct view_env *env, const struct call *call)
{
	struct buf from = BUF_INIT;

	text_blocks_forget(&p->opened);
	buf_add_str(&from, "structuredContent");
	const cJSON *string = call && p->wanted == STRUCTURED && !call->result.parsed
				  ? call_wrapped_text(call, &from)
				  : NULL;
	if (string)
		open_text(p, env, string, call->doc, buf_detach(&from));
	buf_finish(&from);
}

/* Show another source. */
static void
show_source(struct structured *p, const struct view_env *env, size_t wanted)
{
	const struct call *call = workspace_call(env->ws);

	p->wanted = wanted;
	open_wrapped(p, env, call && call->state == CALL_DONE ? call : NULL);
	show_wanted(p);
}

static void
sync_value(struct structured *p, const struct view_env *env)
{
	enum { MEASURE_MAX = 1 << 20 };
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;
	bool has = call && call_state == CALL_DONE;
	const struct report *report = has ? call->verdict.report : NULL;

	if (id == p->call && call_state == p->call_state) {
		p->whole.report = report;
		if (report != p->report && p->shown == STRUCTURED && !p->query.doc)
			views_set_report(&p->views, report);
		p->report = report;
		return;
	}
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
	p->bytes = p->whole.value ? call->raw->len : 0;
	if (p->whole.value && p->bytes <= MEASURE_MAX) {
		struct buf text = BUF_INIT;
		json_print(&text, p->whole.value);
		p->bytes = text.len;
		buf_finish(&text);
	} /* else the message is nearly all structuredContent */
	p->shown = STRUCTURED;
	text_blocks_forget(&p->texts);
	open_wrapped(p, env, has ? call : NULL);
	if (has && text_blocks_serve(call) && (!p->whole.value || p->wanted < OPENED))
		text_blocks_read(&p->texts, call, env->jobs);
	if (p->texts.state != TEXT_READ)
		show_wanted(p);
}

static void
structured_sync(void *state, const struct view_env *env)
{
	struct structured *p = state;

	p->query.run.host = env->host;
	p->query.run.user = env->user;
	p->query.run.jobs = env->jobs;
	p->query.kept = &env->ws->queries;
	sync_value(p, env);
	show_answer(p);
	if (!p->views.in.value && !p->query.doc)
		absent_write(&p->absent, env, &p->texts);
}

/* ---- the title ---- */

/* Append a text, without its middle if it has more than `room` columns. */
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

/* Append the position in the value and the sort order, whose columns are for the mouse. A long
 * position is shortened to leave room for the facts of the view. */
static void
add_where(struct structured *p, const struct buf *where, int room, struct buf *title)
{
	enum { LEAST = 12, AIR = 4 /* blanks and border around the facts */ };
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

/* Append the source: "text block 2 as CSV", "3 tables in text block 1". */
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
		units_add_counted(title, cJSON_IsObject(root) ? json_count(root) : 1, "table");
		buf_addf(title, " in text block %zu", block->index + 1);
	} else {
		buf_addf(title, "text block %zu as %s", block->index + 1, name);
	}
}

/* Open the string at a pointer of the shown value as data. Return false if it is not data, or has
 * violations, which only the detail shows. */
static bool
open_shown_text(
    struct structured *p, const struct view_env *env, const cJSON *string, const char *pointer)
{
	struct buf from = BUF_INIT;

	if (p->query.doc || view_ground(p->views.in.report, string) != ROLE_NONE)
		return false;
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
structured_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct structured *p = state;
	struct buf where = BUF_INIT;
	int view_facts = 0; /* columns */
	bool is_tool = !env->ws->desk || env->ws->desk->kind == PRIMITIVE_TOOL;

	if (!p->views.in.value && !p->query.doc) {
		buf_add_str(title, is_tool ? "" : "the resource as data");
		if (p->texts.state == TEXT_READING)
			buf_add_str(facts, "looking for data in the text");
		else if (absent_is_normal(&p->texts, workspace_call(env->ws)))
			buf_add_str(facts, "absent");
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
		view_facts = (int)glyph_columns(buf_text(facts), facts->len);
		buf_addf(facts, " · %s · ", pane_bytes(bytes).text);
		pane_add_tokens(facts, p->tokens);
	}
	add_where(p, &where, env->width > 0 ? env->width - view_facts : INT_MAX, title);
	buf_finish(&where);
	return ROLE_DIM;
}

/* ---- actions ---- */

static bool
say(const struct view_env *env, const char *why)
{
	env->host->say(env->user, ROLE_ERROR, why);
	return false;
}

/* Show a view at the node that was selected, unless finding it may take long. */
static void
show_view(struct structured *p, enum view_id view)
{
	enum { KEPT_MAX = 4 << 20 };
	struct buf pointer = BUF_INIT;
	bool keeps = p->views.in.value && p->views.shown != view && p->views.view->ops->selected &&
		     value_views[view]->reveal && p->query.of.bytes <= KEPT_MAX;

	if (keeps)
		view_selected(p->views.view, &pointer);
	p->chosen = (int)view;
	detail_close(&p->detail);
	if (!views_show_part(&p->views, view))
		views_show(&p->views, view);
	if (keeps && pointer.len > 0)
		views_reveal_in(&p->views, p->views.shown, buf_text(&pointer));
	buf_finish(&pointer);
}

static bool
act_view(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	int view = *arg ? 0 : (int)views_next(&p->views);
	struct buf names = BUF_INIT;

	while (*arg && view < VIEW_COUNT && strcmp(value_views[view]->title, arg) != 0)
		view++;
	if (view < VIEW_COUNT) {
		show_view(p, (enum view_id)view);
		return true;
	}
	for (int i = 0; i < VIEW_COUNT; i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "views: ", value_views[i]->title);
	say(env, buf_text(&names));
	buf_finish(&names);
	return false;
}

/* Toggle between the cards and the table or tree. */
static bool
act_card(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	bool back = p->views.shown == VIEW_cards;

	if (!p->views.in.value)
		return say(env, "no data to show");
	if (!back && view_serves(&view_cards, &p->views.in) == 0)
		return say(env, "this value has no records");
	show_view(p, !back                                        ? VIEW_cards
		     : view_serves(&view_table, &p->views.in) > 1 ? VIEW_table
								  : VIEW_tree);
	return true;
}

static bool
act_chart(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (!p->views.in.value)
		return say(env, "no data to draw");
	if (!views_show_part(&p->views, VIEW_chart))
		return say(env, "this table has no numbers to draw");
	p->chosen = VIEW_chart;
	detail_close(&p->detail);
	return *arg == '\0' || view_run(p->views.view, env, "kind", arg);
}

static bool
act_filter(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (*arg == '\0' && env->focused)
		return env->host->run(env->user, "find");
	if (!p->views.in.value)
		return say(env, "no data to show");
	const struct view *view = p->views.view;
	if (!view_filtered(view))
		return say(env, "this view has no rows to filter: v shows another view");
	view_filter(view, env, arg);
	return true;
}

static bool
act_detail(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf pointer = BUF_INIT;

	if (!p->views.in.value || !p->views.view->ops->selected)
		return true;
	if (view_open(p->views.view, env))
		return true;
	const cJSON *node = view_selected(p->views.view, &pointer);
	if (p->views.view->ops->leads_to_table) {
		bool found = node && views_reveal_in(&p->views, VIEW_table, buf_text(&pointer));
		p->chosen = found ? VIEW_table : p->chosen;
		buf_finish(&pointer);
		return true;
	}
	const struct table *t = view_table_of(p->views.view, NULL);
	if (node && t && t->arrays) { /* a copy, which the report does not know */
		const cJSON *own = json_pointer_find(p->views.in.value, buf_text(&pointer));
		node = own ? own : node;
	}
	if (!open_shown_text(p, env, node, buf_text(&pointer)))
		detail_show(&p->detail, node, buf_text(&pointer), p->views.in.report);
	buf_finish(&pointer);
	return true;
}

static bool
act_copy(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf text = BUF_INIT;

	if (*arg && strcmp(arg, "row") != 0 && strcmp(arg, "column") != 0)
		return say(env, "usage: copy-value [row|column]");
	bool ok = p->views.in.value && view_copy(p->views.view, arg, &text);
	if (ok)
		env->host->copy(env->user, buf_text(&text), text.len);
	buf_finish(&text);
	return ok || say(env, *arg ? "no row to copy" : "no value to copy");
}

static bool
act_copy_path(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf pointer = BUF_INIT;
	bool ok = p->views.in.value && p->views.view->ops->selected;

	if (ok) {
		view_selected(p->views.view, &pointer);
		env->host->copy(env->user, buf_text(&pointer), pointer.len);
	}
	buf_finish(&pointer);
	return ok || say(env, "nothing is selected: the whole value has an empty path");
}

/* Return the source after the shown one: structuredContent, first as data, then verbatim if it is
 * only a string; then the data of each block. */
static size_t
next_source(const struct structured *p)
{
	size_t next = p->shown == STRUCTURED ? 0 : p->shown + 1;

	if (p->shown == OPENED)
		return p->opened_by_user ? p->wanted : VERBATIM;
	if (p->shown == STRUCTURED && p->texts.len == 0)
		return p->wanted == VERBATIM && p->texts.state == TEXT_READ ? STRUCTURED : 0;
	if (next < p->texts.len)
		return p->texts.items[next].index;
	return p->whole.value ? STRUCTURED : 0;
}

static bool
act_data(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	const struct call *call = workspace_call(env->ws);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);

	if (*arg && (*end || number == 0))
		return say(env, "usage: data [NUMBER]");
	if (!call || call->state != CALL_DONE || !text_blocks_serve(call))
		return say(env, "no result with data");
	size_t wanted = *arg ? number - 1 : next_source(p);
	if (wanted < OPENED)
		text_blocks_read(&p->texts, call, env->jobs);
	show_source(p, env, wanted);
	return p->texts.state != TEXT_READ || p->texts.len > 0 || wanted >= OPENED ||
	       say(env, "no text block is JSON, JSON Lines, CSV or a Markdown table");
}

static bool
act_text(void *state, const struct view_env *env, const char *arg)
{
	const struct structured *p = state;
	size_t block = p->shown < OPENED ? p->texts.items[p->shown].index + 1 : 1;

	return env->host->run(env->user, "pane content") && pane_run(env, "block %zu", block);
}

static bool
act_jq(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (!p->query.of.value)
		return say(env, "no value to query");
	if (*arg) {
		query_set(&p->query, arg);
	} else {
		detail_close(&p->detail);
		query_open(&p->query);
	}
	show_answer(p);
	return true;
}

/* Set the expression for later results of the tool, in later runs too. */
static bool
act_jq_default(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	const char *expression = *arg ? arg : query_is_on(&p->query) ? p->query.asked : "";

	if (!env->ws->desk)
		return say(env, "select a tool first");
	if (!queries_set_default(&env->ws->queries, env->ws->desk, expression))
		return say(env, "only a line of up to 300 bytes without a secret can be a default");
	if (*arg && p->query.of.value)
		query_set(&p->query, arg);
	show_answer(p);
	env->host->say(env->user, ROLE_OK,
	    *expression ? "its results begin with this expression, in later runs too"
			: "its results begin without jq");
	return true;
}

static const struct view_action actions[] = {
	{ "detail", "enter", "", "open the selected row, list or value, with its violations",
	    act_detail, "open" },
	{ "view", "v", "[NAME]", "show the next view, or the named one", act_view, "view" },
	{ "chart", "#", "[KIND]", "draw a chart of the numbers", act_chart, "chart" },
	{ "card", "alt-c", "", "show the selected row or the object as a card, or go back",
	    act_card, NULL },
	{ "data", "B", "[NUMBER]",
	    "show structuredContent, or the data in the next text block, or in block N", act_data,
	    "other data" },
	{ "text", "m", "", "go to the text block of the data", act_text, "text" },
	{ "jq", "|", "[EXPRESSION]",
	    "show the results of jq for the value; Esc returns to the value", act_jq, "jq" },
	{ "jq-default", "", "[EXPRESSION]",
	    "apply this expression, or the current one, to all results of this tool; without "
	    "either, none",
	    act_jq_default, NULL },
	{ "filter", "", "[TEXT]", "show only rows that match", act_filter, NULL },
	{ "copy-value", "y", "[row|column]", "copy the selected value, its row or its column",
	    act_copy, NULL },
	{ "copy-path", "Y", "", "copy the JSON Pointer of the selected value", act_copy_path,
	    NULL },
	{ 0 },
};

/* ---- drawing ---- */

static void
structured_draw(void *state, const struct view_env *env, struct surface s)
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
structured_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct structured *p = state;

	*out = p->detail.open
		   ? seek_wrap(&p->detail.wrap, &p->detail.top, p->detail.height, p->detail.y)
		   : seek_page(&p->absent);
	return true;
}

/* ---- keys ---- */

static const char *
structured_captures(const void *state)
{
	const struct structured *p = state;

	if (p->query.typing)
		return "Enter keep  Esc leave  Tab complete  ↑↓ history";
	return p->detail.open ? "Esc back  ↑↓ scroll" : NULL;
}

static bool
structured_is_open(const void *state)
{
	const struct structured *p = state;

	return query_is_on(&p->query) || (p->opened_by_user && p->opened.len > 0);
}

static bool
covers(const void *state)
{
	return ((const struct structured *)state)->detail.open;
}

static bool
structured_key(void *state, const struct view_env *env, const struct key *key)
{
	struct structured *p = state;
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;

	if (p->query.typing) {
		bool used = query_key(&p->query, key);
		show_answer(p);
		return used;
	}
	if (p->detail.open)
		return detail_key(&p->detail, key);
	if (key->kind == KEY_ESCAPE && query_is_on(&p->query)) {
		query_set(&p->query, "");
		show_answer(p);
		return true;
	}
	if (key->kind == KEY_ESCAPE && p->opened_by_user && p->opened.len > 0) {
		show_source(p, env, p->wanted);
		return true;
	}
	if (!p->views.in.value)
		return page_key(&p->absent, key);
	if (press && key->y < 0) { /* on the title: the sort order */
		const struct view *view = p->views.view;
		struct view_env own = view_env_of(view, env);
		if (key->x < p->order_x || key->x >= p->order_end || !view->ops->turn)
			return false;
		view->ops->turn(view->state, &own);
		return true;
	}
	return press && !env->entered && act_detail(p, env, "");
}

/* Whether the value has a node at the pointer, or the report a missing member. Lazy array items are
 * not parsed. */
static bool
has_node(const struct view_input *in, const char *pointer)
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
reveal(void *state, const struct view_env *env, const char *pointer)
{
	struct structured *p = state;

	if (p->shown != STRUCTURED && p->whole.value) /* violations are in structuredContent */
		show_source(p, env, p->shown == OPENED ? VERBATIM : STRUCTURED);
	if (p->query.doc) {
		query_set(&p->query, "");
		show_answer(p);
	}
	if (!has_node(&p->views.in, pointer))
		return false;
	detail_close(&p->detail);
	return views_reveal(&p->views, pointer);
}

/* Whether there can be other data than the shown value. */
static bool
has_other_data(const struct structured *p, const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);
	size_t sources = p->texts.len + (p->whole.value != NULL);

	if (p->opened.len > 0 || p->wanted == VERBATIM)
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

static const char *
structured_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct structured *p = state;
	bool selects = p->views.view->ops->selected != NULL;

	if (strcmp(action->name, "data") == 0)
		return has_other_data(p, env) ? action->hint : NULL;
	if (strcmp(action->name, "text") == 0)
		return p->shown < OPENED ? action->hint : NULL;
	if (strcmp(action->name, "chart") == 0)
		return p->has_chart && p->views.shown != VIEW_chart ? action->hint : NULL;
	return p->views.in.value && (selects || action->run != act_detail) ? action->hint : NULL;
}

static int
structured_want(void *state, const struct view_env *env, int width)
{
	struct structured *p = state;
	int line = p->query.typing ? QUERY_LINE_ROWS : 0;

	if (p->views.in.value)
		return line +
		       (p->detail.open ? VIEW_ALL_ROWS : view_want(p->views.view, env, width));
	if (p->query.doc)
		return line + 1;
	return absent_is_normal(&p->texts, workspace_call(env->ws))
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
	.actions = actions,
	.bindings = bindings,
	.serves = applies,
	.init = init,
	.finish = structured_finish,
	.sync = structured_sync,
	.want = structured_want,
	.heading = structured_heading,
	.draw = structured_draw,
	.key = structured_key,
	.captures = structured_captures,
	.is_open = structured_is_open,
	.pop_up = pop_up,
	.hint = structured_hint,
	.last_hint = "chart",
	.seek = structured_seek,
	.reveal = reveal,
	.has_views = true,
	.covers = covers,
};
