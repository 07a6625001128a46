/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "view/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a wide and of a narrow pane; a narrow pane does not show sizes. */
static const struct call_columns {
	int time, server, tool, took, size;
} wide = { 19, 14, 26, 9, 9 }, narrow = { 11, 9, 20, 8, 0 };

#define WIDE 100

struct line {
	const char *time, *server, *tool, *name, *arguments, *mark;
	enum role role; /* of the mark */
	int64_t took_us, bytes;
	bool pinned;
};

static void
draw_line(struct surface s, int y, const struct line *line)
{
	const struct call_columns *c = s.width >= WIDE ? &wide : &narrow;
	int x = 4 + c->time + 1, right = s.width - c->took - c->size - 3;
	/* "2026-07-28 12:03:41", or "07-28 12:03" */
	bool cut = c == &narrow && strlen(line->time) == (size_t)wide.time;

	surface_text(s, 0, y, 1, style_of(line->role), line->mark);
	surface_text(s, 2, y, 1, style_of(ROLE_ACCENT), line->pinned ? "*" : "");
	surface_textf(s, 4, y, c->time, style_of(ROLE_DIM), "%.*s", cut ? 11 : 30,
	    cut ? line->time + 5 : line->time);
	surface_text(s, x, y, c->server, style_of(ROLE_TEXT), line->server);
	x += c->server + 1;
	surface_text(s, x, y, c->tool, style_of(ROLE_TITLE), line->tool);
	x += c->tool + 1;
	if (line->name && x < right)
		x += surface_text(s, x, y, right - x, style_of(ROLE_ACCENT), line->name) + 1;
	if (x < right)
		surface_text(s, x, y, right - x, style_of(ROLE_DIM), line->arguments);
	if (c->size > 0 && line->bytes > 0)
		surface_text_right(s, s.width - 1, y, c->size, style_of(ROLE_DIM),
		    pane_bytes((size_t)line->bytes).text);
	surface_text_right(s, s.width - 1 - (c->size > 0 ? c->size + 1 : 0), y, c->took,
	    style_of(ROLE_NUMBER), pane_duration(line->took_us).text);
}

static void
history_draw_heads(struct surface s, int y)
{
	const struct call_columns *c = s.width >= WIDE ? &wide : &narrow;
	struct style style = style_of(ROLE_COLUMN);
	int x = 4 + c->time + 1;

	surface_text(s, 4, y, c->time, style, "time");
	surface_text(s, x, y, c->server, style, "server");
	surface_text(s, x + c->server + 1, y, c->tool, style, "tool, URI or prompt");
	surface_text(s, x + c->server + c->tool + 2, y, 9, style, "arguments");
	if (c->size > 0)
		surface_text_right(s, s.width - 1, y, c->size, style, "reply");
	surface_text_right(
	    s, s.width - 1 - (c->size > 0 ? c->size + 1 : 0), y, c->took, style, "took");
}

static void
history_draw_live(const struct view_env *env, struct surface s, int y, const struct call *c)
{
	bool runs = c->state == CALL_RUNNING;
	struct call_look look = pane_call_look(c->verdict.kind, call_is_error(c));
	struct line line = {
		.time = call_state_names[c->state],
		.server = server_info(env->ws->server)->name,
		.tool = call_name(c),
		.arguments = c->arguments,
		.mark = runs ? "◐" : look.mark,
		.role = runs ? ROLE_ACCENT : look.role,
		.took_us = call_elapsed_us(c, env->now_us),
		.bytes = c->raw ? (int64_t)c->raw->len : 0,
	};

	draw_line(s, y, &line);
}

static void
history_draw_kept(struct surface s, int y, const struct history_call *h)
{
	struct buf time = BUF_INIT;
	struct call_look look = pane_call_look(h->verdict, h->is_error);

	history_add_time(h, &time);
	draw_line(s, y,
	    &(struct line){
		.time = buf_text(&time),
		.server = h->server,
		.tool = h->uri ? h->uri : h->key,
		.name = h->name,
		.arguments = h->arguments,
		.mark = look.mark,
		.role = look.role,
		.took_us = h->took_us,
		.bytes = h->bytes,
		.pinned = h->pinned,
	    });
	buf_finish(&time);
}

/*
 * The calls of the history, newest first; above them the calls of the shown server that are not in
 * it, such as running ones. A job finds the ids that pass the filter. A row is read when it is
 * drawn, so a frame costs the same for fifty and for a hundred thousand calls.
 */
#define ROWS_KEPT 128

struct history_pane {
	struct rows rows;
	struct {
		uint64_t *items; /* calls of the server that are not in the history */
		size_t len, cap;
	} live;
	struct history_ids ids;
	struct history_call read[ROWS_KEPT]; /* rows, by id % ROWS_KEPT */
	struct filter filter;
	struct job *job;
	bool listed, stale;
	uint64_t changes, generation; /* as listed, as drawn */
	uint64_t seen;                /* changes at the last renewal */
	struct call_ref marked;       /* to compare with; both 0: none */
	const char *off;              /* why the history is off; NULL: it is on */
};

static void
history_pane_finish(void *state)
{
	struct history_pane *p = state;

	job_drop(&p->job);
	for (size_t i = 0; i < ROWS_KEPT; i++)
		history_finish(&p->read[i]);
	filter_finish(&p->filter);
	free(p->live.items);
	free(p->ids.items);
}

/* ---- the rows ---- */

/* A row by the id of its call, because new calls come above it. */
struct chosen {
	uint64_t id;
	bool live;
	size_t row;
};

static struct chosen
chosen(const struct history_pane *p)
{
	size_t row = p->rows.list.selected, kept = row - p->live.len;

	if (row < p->live.len)
		return (struct chosen){ p->live.items[row], true, row };
	return (struct chosen){ kept < p->ids.len ? p->ids.items[kept] : 0, false, row };
}

/* Return the row of this call, or its old row if it was deleted. Ids are in descending order. */
static size_t
row_of(const struct history_pane *p, const struct chosen *c)
{
	size_t from = 0, to = p->ids.len;

	for (size_t i = 0; c->live && i < p->live.len; i++)
		if (p->live.items[i] == c->id)
			return i;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (p->ids.items[middle] > c->id)
			from = middle + 1;
		else
			to = middle;
	}
	bool found = !c->live && from < p->ids.len && p->ids.items[from] == c->id;
	return found ? p->live.len + from : c->row;
}

/* Keep the selected call and its screen position after the rows change. If the newest call was
 * selected, select the newest again. */
static void
choose_again(struct history_pane *p, const struct chosen *c)
{
	size_t top = p->rows.list.top, row = c->row > 0 ? row_of(p, c) : 0;

	list_set_count(&p->rows.list, p->live.len + p->ids.len);
	if (row + top >= c->row)
		p->rows.list.top = row + top - c->row;
	list_select(&p->rows.list, row);
}

struct listing {
	struct job job; /* first */
	struct history_pane *pane;
	struct workspace_history history;
	struct filter filter;
	struct history_ids ids;
};

static void
history_list_run(struct job *job)
{
	struct listing *l = (struct listing *)job;

	l->history.host->list(l->history.user, &l->filter, job, &l->ids);
}

static void
history_list_done(struct job *job)
{
	struct listing *l = (struct listing *)job;
	struct history_pane *p = l->pane;

	if (!job_is_stopped(job)) {
		struct chosen before = chosen(p);
		free(p->ids.items);
		p->ids = l->ids;
		l->ids = (struct history_ids){ 0 };
		p->listed = true;
		p->generation = 0; /* there may be more by now */
		choose_again(p, &before);
	}
	filter_finish(&l->filter);
	free(l->ids.items);
	free(l);
}

static void
set_filter(struct filter *filter, const struct view_env *env, const char *words)
{
	const struct workspace_history *history = &env->ws->history;
	const struct filter_clock clock = { history->wall_us + env->now_us, history->zone_s };

	filter_set(filter, history_words, words, &clock);
}

static bool
passes(const struct history_pane *p, const struct server *s, const struct call *c)
{
	static char none[] = "";
	struct history_call h = {
		.id = HISTORY_ID(c->started_us + journal_info(server_info(s)->journal)->wall_us, 0),
		.verdict = (int)c->verdict.kind,
		.is_error = call_is_error(c),
		.server = (char *)server_info(s)->name,
		.label = (char *)server_info(s)->label,
		.key = c->key,
		.uri = c->uri,
		.arguments = c->arguments,
		.text = none,
		.error = c->error_text,
	};

	return filter_matches(&p->filter, &h);
}

/* Renew the rows. Called while the pane is shown, because the first look opens the file. */
static void
history_renew(struct history_pane *p, const struct view_env *env)
{
	const struct workspace_history *history = &env->ws->history;
	uint64_t generation = workspace_generation(env->ws);

	if (history->host)
		history->host->look(history->user);
	uint64_t changes = history->host ? history->host->changes(history->user) : 0;
	if (generation == p->generation && changes == p->seen && !p->stale)
		return;
	p->generation = generation;
	p->seen = changes;
	const struct server *s = env->ws->server;
	struct chosen before = chosen(p);
	p->live.len = 0;
	for (size_t i = s ? server_info(s)->calls : 0; i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		if (c->kept == 0 && c->kind != PRIMITIVE_SKILL && passes(p, s, c))
			*VEC_PUSH(&p->live) = c->id;
	}
	choose_again(p, &before);
	p->off = history->host ? history->host->off(history->user) : "the history is switched off";
	if (p->off || (!p->stale && (p->job || (p->listed && changes == p->changes))))
		return;
	p->changes = changes;
	for (size_t i = 0; i < ROWS_KEPT; i++)
		history_finish(&p->read[i]);
	p->stale = false;
	struct listing *l = mem_zalloc(sizeof(*l));
	*l = (struct listing){ .job = { .run = history_list_run, .done = history_list_done },
		.pane = p,
		.history = *history };
	set_filter(&l->filter, env, buf_text(&p->rows.filter));
	job_start(env->jobs, &l->job, &p->job);
}

static const struct call *
live_at(const struct history_pane *p, const struct view_env *env, size_t row)
{
	return row < p->live.len && env->ws->server
		   ? server_find_call(env->ws->server, p->live.items[row])
		   : NULL;
}

/* Return the id of the row's call, or 0 if the call is not in the history. */
static uint64_t
id_at(const struct history_pane *p, size_t row)
{
	return row >= p->live.len && row - p->live.len < p->ids.len
		   ? p->ids.items[row - p->live.len]
		   : 0;
}

static const struct history_call *
row_at(struct history_pane *p, const struct view_env *env, size_t row)
{
	const struct workspace_history *history = &env->ws->history;
	uint64_t id = id_at(p, row);
	struct history_call *h = &p->read[id % ROWS_KEPT];

	if (id == 0 || h->id == id)
		return id ? h : NULL;
	history_finish(h);
	return history->host->find(history->user, id, false, h) ? h : NULL;
}

/* ---- drawing ---- */

static void
draw_empty(const struct history_pane *p, struct surface s)
{
	char text[300];

	if (p->off)
		snprintf(text, sizeof(text), "No call has been made yet; %s.", p->off);
	else if (!p->listed)
		snprintf(text, sizeof(text), "reading");
	else
		snprintf(text, sizeof(text), "%s",
		    p->rows.filter.len > 0
			? "nothing matches: Esc shows all"
			: "No call has been made yet: F5 calls a tool, and each call "
			  "stays here.");
	pane_draw_text(s, 0, ROLE_HINT, text);
}

static void
history_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t row)
{
	struct history_pane *p = state;
	const struct call *c = live_at(p, env, row);
	const struct history_call *h = c ? NULL : row_at(p, env, row);

	if (c)
		history_draw_live(env, s, y, c);
	else if (h)
		history_draw_kept(s, y, h);
	else
		surface_text(s, 4, y, -1, style_of(ROLE_HINT), "no longer there");
	if ((c && c->id == p->marked.call) || (h && h->id == p->marked.kept))
		surface_text(s, 2, y, 1, style_of(ROLE_ACCENT), "◆");
}

static void
history_draw(void *state, const struct view_env *env, struct surface s)
{
	struct history_pane *p = state;
	const char *wrong = p->filter.wrong.text;
	int heads = (p->rows.list.count > 0 && s.height > 6) || wrong[0];
	struct surface rows = surface_sub(s, 0, 1 + heads, s.width, s.height - 1 - heads);

	history_renew(p, env);
	pane_draw_filter(s, &p->rows, history_words);
	if (wrong[0])
		surface_text(s, 2, 1, -1, style_of(ROLE_WARNING), wrong);
	else if (heads)
		history_draw_heads(s, 1);
	rows_draw(p, env, s, 1 + heads, rows.height);
	if (p->rows.list.count == 0)
		draw_empty(p, rows);
}

static enum role
history_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct history_pane *p = state;

	history_renew(p, env);
	buf_add_str(title, "history · calls, newest first");
	if (p->off)
		buf_addf(facts, "%s · ", p->off);
	units_add_counted(facts, p->rows.list.count, "call");
	return p->off ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

/* Run a command with the selected call: its id in the history, or the number of a live call. */
static bool
run_on_call(void *state, const struct view_env *env, const char *arg, const char *command)
{
	const struct history_pane *p = state;
	const struct call *c = live_at(p, env, p->rows.list.selected);
	uint64_t id = c ? c->id : id_at(p, p->rows.list.selected);

	if (!id)
		return view_refuse(env, "no call is selected");
	return pane_run(env, "%s %s%llu", command, c ? "#" : "", (unsigned long long)id);
}

VIEW_ACTION_WITH(act_open, run_on_call, "show-call")
VIEW_ACTION_WITH(act_forget, run_on_call, "delete-call")

/* Load the kept arguments into the form and focus it. */
static bool
act_fill_in(void *state, const struct view_env *env, const char *arg)
{
	if (!act_open(state, env, arg))
		return false;
	const struct call *c = workspace_call(env->ws);
	if (!c || !env->ws->desk->form)
		return view_refuse(env, "the call has no form here");
	form_load_raw(env->ws->desk->form, c->arguments, strlen(c->arguments));
	env->ws->generation++;
	if (strstr(c->arguments, SECRET_HIDDEN))
		env->host->say(env->user, ROLE_WARNING,
		    "the history keeps no secrets: enter those that are " SECRET_HIDDEN);
	return env->host->run(env->user, "pane form");
}

static bool
act_again(void *state, const struct view_env *env, const char *arg)
{
	if (!act_fill_in(state, env, arg))
		return false;
	if (strstr(workspace_call(env->ws)->arguments, SECRET_HIDDEN))
		return false; /* act_fill_in() said why */
	return env->host->run(env->user, "call");
}

static bool
act_cancel(void *state, const struct view_env *env, const char *arg)
{
	struct history_pane *p = state;
	const struct call *c = live_at(p, env, p->rows.list.selected);

	return (c && server_cancel(env->ws->server, c->id, env->now_us)) ||
	       view_refuse(env, "only a call that runs can be cancelled");
}

static bool
act_pin(void *state, const struct view_env *env, const char *arg)
{
	struct history_pane *p = state;
	const struct history_call *h = row_at(p, env, p->rows.list.selected);
	const struct workspace_history *history = &env->ws->history;
	struct err err = { "only a call in the history can be pinned" };

	if (!h || !history->host->change(
		      history->user, h->id, h->pinned ? HISTORY_UNPIN : HISTORY_PIN, NULL, &err))
		return view_refuse(env, "%s", err.text);
	env->ws->generation++;
	return true;
}

static bool
act_name(void *state, const struct view_env *env, const char *name)
{
	struct history_pane *p = state;
	const struct workspace_history *history = &env->ws->history;
	uint64_t id = id_at(p, p->rows.list.selected);
	struct err err = { "only a call in the history can have a name" };

	if (id != 0 && *name == '\0')
		return env->host->run(env->user, "command name-call ");
	if (id == 0 || !history->host->change(history->user, id, HISTORY_NAME,
			   strcmp(name, "-") == 0 ? "" : name, &err))
		return view_refuse(env, "%s", err.text);
	env->ws->generation++;
	return true;
}

/* ---- to compare ---- */

static struct call_ref
ref_at(struct history_pane *p, const struct view_env *env, size_t row)
{
	const struct call *c = live_at(p, env, row);

	return c ? (struct call_ref){ .call = c->id } : (struct call_ref){ .kept = id_at(p, row) };
}

static bool
act_mark(void *state, const struct view_env *env, const char *arg)
{
	struct history_pane *p = state;
	struct call_ref ref = ref_at(p, env, p->rows.list.selected);

	if (ref.kept == 0 && ref.call == 0)
		return view_refuse(env, "no call is selected");
	bool same = ref.kept == p->marked.kept && ref.call == p->marked.call;
	p->marked = same ? (struct call_ref){ 0 } : ref;
	if (!same)
		env->host->say(env->user, ROLE_OK, "marked: d on another call compares the two");
	return true;
}

/* Compare with the marked call, or else with the previous call of the same tool. */
static bool
act_compare(void *state, const struct view_env *env, const char *arg)
{
	struct history_pane *p = state;
	struct call_ref ref = ref_at(p, env, p->rows.list.selected);
	bool is_marked = ref.kept == p->marked.kept && ref.call == p->marked.call;
	const struct call_ref refs[] = { is_marked ? (struct call_ref){ 0 } : p->marked, ref };
	struct buf line = BUF_INIT;

	if (ref.kept == 0 && ref.call == 0)
		return view_refuse(env, "no call is selected");
	buf_add_str(&line, "diff");
	for (size_t i = 0; i < ARRAY_LEN(refs); i++)
		if (refs[i].kept || refs[i].call)
			buf_addf(&line, refs[i].kept ? " %llu" : " #%llu",
			    (unsigned long long)(refs[i].kept ? refs[i].kept : refs[i].call));
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}

static void
history_choose(void *state, const struct view_env *env)
{
	struct history_pane *p = state;

	set_filter(&p->filter, env, buf_text(&p->rows.filter));
	p->stale = true;
	history_renew(p, env);
}

static bool
act_filter(void *state, const struct view_env *env, const char *words)
{
	rows_filter(state, env, words);
	return env->host->run(env->user, "pane history");
}

static void
history_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct history_pane *p = state;
	const struct workspace_history *history = &env->ws->history;
	uint64_t id = id_at(p, p->rows.list.selected);
	struct history_call h;

	if (id == 0 || !history->host->find(history->user, id, true, &h))
		return;
	history_add_json(&h, true, out);
	history_finish(&h);
}

static bool
act_copy(void *state, const struct view_env *env, const char *format)
{
	char line[80];

	snprintf(line, sizeof(line), "copy-as %.40s", format);
	return run_on_call(state, env, format, line);
}

static const struct view_action actions[] = {
	{ "open-call", "enter", "", "show the call in all views", act_open, "show" },
	{ "call-again", "ctrl-r r f5", "", "repeat the call with its arguments", act_again,
	    "call again" },
	{ "fill-in", "b", "", "fill in its arguments, to change them", act_fill_in, "fill in" },
	{ "compare-calls", "d", "",
	    "compare it with the marked call, or with the previous one of the same tool",
	    act_compare, "compare" },
	{ "mark-call", "space", "", "mark the call, to compare another with it", act_mark, NULL },
	{ "filter-calls", "", "[WORDS]",
	    "show only matches: text, tool: name: server: verdict: status: date: since: before: "
	    "pinned: -not",
	    act_filter, NULL },
	{ "name-call", "c", "[NAME]", "name the call; - removes the name", act_name, "name" },
	{ "pin-call", "!", "", "pin or unpin the call: a pinned call is never dropped", act_pin,
	    "pin" },
	{ "cancel-call", "x", "", "cancel the running call", act_cancel, NULL },
	{ "copy-call", "y", "[FORMAT]",
	    "copy the call as json, a command, curl, python or typescript; :write FILE saves it",
	    act_copy, "copy" },
	{ "drop-call", "delete ctrl-k", "", "delete the call from the history, after a question",
	    act_forget, NULL },
	{ 0 },
};

static const char *
history_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	return ((const struct history_pane *)state)->rows.list.count > 0 ? action->hint : NULL;
}

static const struct row_ops row_ops = {
	.draw = history_draw_row, .open = act_open, .filter = history_choose
};

const struct view_ops pane_history = {
	.title = "history",
	.help = "the calls of this run and of earlier ones, with their results",
	.state_size = sizeof(struct history_pane),
	.actions = actions,
	.whole = "drop-call",
	.finish = history_pane_finish,
	.heading = history_heading,
	.draw = history_draw,
	.rows = &row_ops,
	.hint = history_hint,
	.copy = history_copy,
};
