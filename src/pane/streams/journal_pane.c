/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "journal_pane.h"
#include "json/print.h"
#include "client/app.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE ((size_t)64 << 10) /* larger messages are formatted by a job */
#define BESIDE_FROM 100            /* columns for two messages side by side */

static void
drop_text(struct journal_pane *p, int side)
{
	struct journal_text *t = &p->texts[side];

	job_drop(&t->job);
	blob_unref(t->bytes);
	blob_unref(t->formatted);
	t->bytes = t->formatted = NULL;
	stream_list_forget_text(&p->stream, side);
}

static void
journal_finish(void *state)
{
	struct journal_pane *p = state;

	stream_list_finish(&p->stream);
	drop_text(p, 0);
	drop_text(p, 1);
	job_drop(&p->export_job);
}

/* Return the app whose bridge is shown instead of the server's messages. */
static const struct app *
bridged_app(const struct view_env *env)
{
	return env->ws->shows_bridge ? workspace_app(env->ws) : NULL;
}

const struct journal *
journal_of(const struct view_env *env)
{
	const struct app *a = bridged_app(env);

	if (a)
		return app_facts(a)->log;
	return env->ws->server ? server_info(env->ws->server)->journal : NULL;
}

/* ---- which entries are shown ---- */

static const void *
source(const struct view_env *env)
{
	return journal_of(env);
}

/* A reply is part of the line of its request. */
static const void *
journal_pane_find(const struct view_env *env, uint64_t id)
{
	const struct journal_entry *e = journal_find(journal_of(env), id);

	return e && !journal_is_second(e) ? e : NULL;
}

static uint64_t
next(const struct view_env *env, uint64_t id)
{
	const struct journal *j = journal_of(env);
	const struct journal_entry *first = journal_at(j, 0);
	uint64_t after = first && id < first->id ? first->id : id + 1;

	while (journal_find(j, after) && !journal_pane_find(env, after))
		after++;
	return journal_find(j, after) ? after : 0;
}

static uint64_t
changed(const struct view_env *env, uint64_t *seen)
{
	return journal_changed(journal_of(env), seen);
}

/* ---- drawing ---- */

static const struct {
	const char *mark;
	enum role role;
} marks[] = {
	[JOURNAL_SENT] = { "→", ROLE_SENT },
	[JOURNAL_RECEIVED] = { "←", ROLE_RECEIVED },
	[JOURNAL_STDERR] = { "│", ROLE_STDERR },
	[JOURNAL_NOTE] = { "●", ROLE_HINT },
};

enum { COL_TIME, COL_MARK, COL_WHAT, COL_VERDICT, COL_TOOK, COL_SIZE };
static const struct stream_column columns[] = {
	[COL_TIME] = { "time", 0, 10, false },
	[COL_MARK] = { "", 11, 1, false },
	[COL_WHAT] = { "request → reply", 13, -21, false },
	[COL_VERDICT] = { "", -19, 1, false },
	[COL_TOOK] = { "took", -17, 8, true },
	[COL_SIZE] = { "size", -8, 8, true },
	{ 0 },
};
static const struct stream_column narrow[] = {
	[COL_TIME] = { "time", 0, 8, false },
	[COL_MARK] = { "", 9, 1, false },
	[COL_WHAT] = { "request → reply", 11, -11, false },
	[COL_VERDICT] = { "", -10, 1, false },
	[COL_TOOK] = { "took", -8, 8, true },
	{ 0 },
};

/* The parts of a line: the method or tool, its arguments in brief, and the outcome. */
struct journal_line {
	const char *name, *brief, *outcome;
	size_t brief_len;
	enum role name_role, outcome_role;
	bool is_alone;
	char why[200], own_name[64];
};

static void
set_outcome(struct journal_line *l, const struct journal_entry *e, const char *text)
{
	bool bad = e->flaw || e->ended || e->is_error;

	l->outcome = text ? text : "";
	l->outcome_role = bad ? ROLE_ERROR : e->is_probe ? ROLE_DIM : ROLE_TEXT;
	if (e->flaw || e->ended) {
		snprintf(l->why, sizeof(l->why), "✗ %.180s", e->ended ? e->ended : e->flaw);
		l->outcome = l->why;
	}
}

/* Fill in the line of a message without a pair. */
static void
fill_alone(struct journal_line *l, const struct journal_entry *e)
{
	bool own = e->kind == JOURNAL_STDERR || e->kind == JOURNAL_NOTE;
	size_t len = e->bytes->len < 1000 ? e->bytes->len : 1000;
	const char *end = memchr(e->bytes->data, '\n', len);

	bool is_said = e->brief || (e->message == MESSAGE_NOTIFICATION && !e->flaw && !own);

	l->brief = !is_said ? e->bytes->data : e->brief ? e->brief : "";
	l->brief_len = is_said ? strlen(l->brief) : end ? (size_t)(end - e->bytes->data) : len;
	if (e->kind == JOURNAL_NOTE) {
		l->name = NULL;
	} else if (e->kind == JOURNAL_STDERR) {
		l->name = "stderr";
		l->name_role = ROLE_STDERR;
	} else if (e->message != MESSAGE_NOTIFICATION) {
		snprintf(l->own_name, sizeof(l->own_name), "%s%s%.40s",
		    message_kind_names[e->message], e->rpc_id ? " #" : "",
		    e->rpc_id ? e->rpc_id : "");
		l->name = l->own_name;
	}
	l->is_alone = true;
	if (e->flaw || e->ended || e->is_error)
		set_outcome(l, e, "");
}

static void
fill_line(struct journal_line *l, const struct journal_entry *e, const struct journal_entry *reply)
{
	const char *method = e->method ? e->method : "request";

	*l = (struct journal_line){ .name = e->tool ? e->tool : method,
		.name_role = e->tool ? ROLE_TITLE : ROLE_KEY_NAME };
	if (e->message != MESSAGE_REQUEST || e->kind == JOURNAL_STDERR || e->kind == JOURNAL_NOTE) {
		fill_alone(l, e);
		return;
	}
	l->brief = e->brief ? e->brief : "";
	l->brief_len = strlen(l->brief);
	if (reply)
		set_outcome(l, reply, reply->brief);
	else if (e->ended || e->flaw)
		set_outcome(l, e, NULL);
}

/* Draw a message without a pair: the error, then its text. */
static void
draw_alone(struct surface s, const struct journal_line *l)
{
	int x = 0;

	if (l->name)
		x = surface_text(s, 0, 0, -1, style_of(l->name_role), l->name) + 1;
	if (l->outcome)
		x += surface_text(s, x, 0, -1, style_of(l->outcome_role), l->outcome) + 1;
	if (l->brief_len > 0 && x < s.width)
		surface_textn(
		    s, x, 0, style_of(l->name ? ROLE_DIM : ROLE_TEXT), l->brief, l->brief_len);
}

/* Draw a request with its reply. Reserve up to half of the width for the outcome. */
static void
draw_exchange(struct surface s, const struct journal_line *l)
{
	size_t outcome = l->outcome ? glyph_columns(l->outcome, strlen(l->outcome)) + 3 : 0;
	int room = s.width - (outcome < (size_t)s.width / 2 ? (int)outcome : s.width / 2);
	int x = surface_text(s, 0, 0, room, style_of(l->name_role), l->name) + 1;

	if (l->brief_len > 0 && x < room)
		x += surface_textn(surface_sub(s, x, 0, room - x, 1), 0, 0, style_of(ROLE_DIM),
			 l->brief, l->brief_len) +
		     1;
	if (!l->outcome || x + 2 >= s.width)
		return;
	x += surface_text(s, x, 0, -1, style_of(ROLE_HINT), "→") + 1;
	surface_text(s, x, 0, -1, style_of(l->outcome_role), l->outcome);
}

static void
journal_draw_row(const struct view_env *env, struct surface s, int y, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e), *last = reply ? reply : e;
	const struct stream_column *c = s.width < STREAM_NARROW ? narrow : columns;
	struct surface what =
	    surface_sub(s, c[COL_WHAT].x, y, stream_column_cols(&c[COL_WHAT], s), 1);
	enum verdict_kind verdict = reply ? reply->verdict : VERDICT_NONE;
	struct call_look look = pane_call_look(verdict, reply && reply->is_error);
	int64_t took_us = reply ? reply->latency_us : env->now_us - e->at_us;
	struct journal_line line;

	fill_line(&line, e, reply);
	const int64_t day_ds = 24 * 36000; /* tenths of a second, in the user's time zone */
	int64_t ds = (e->wall_us / 100000 + journal_info(e->journal)->zone_s * 10) % day_ds;
	char clock[32];
	ds += ds < 0 ? day_ds : 0;
	snprintf(clock, sizeof(clock), "%02d:%02d:%02d.%d", (int)(ds / 36000), (int)(ds / 600 % 60),
	    (int)(ds / 10 % 60), (int)(ds % 10));
	clock[c[COL_TIME].cols] = '\0';
	stream_cell(&c[COL_TIME], s, y, style_of(ROLE_HINT), clock);
	if (e->kind != JOURNAL_SENT || e->message != MESSAGE_REQUEST) /* ours need no mark */
		stream_cell(&c[COL_MARK], s, y, style_of(marks[e->kind].role), marks[e->kind].mark);
	if (line.is_alone)
		draw_alone(what, &line);
	else
		draw_exchange(what, &line);
	if (e->waits)
		stream_cell(&c[COL_VERDICT], s, y, style_of(ROLE_ACCENT), "◌");
	else if (verdict != VERDICT_NONE)
		stream_cell(&c[COL_VERDICT], s, y, style_of(look.role), look.mark);
	if (reply || e->waits)
		stream_cell(&c[COL_TOOK], s, y, style_of(reply ? ROLE_NUMBER : ROLE_ACCENT),
		    pane_duration(took_us).text);
	if (c == columns)
		stream_cell(&c[COL_SIZE], s, y, style_of(ROLE_DIM),
		    pane_bytes(last->bytes->len + last->dropped).text);
}

/* "▁▃█ 14/min", a bar for each five seconds; nothing without messages. */
static void
add_activity(const struct journal *j, int64_t now_us, struct buf *facts)
{
	size_t slots[ACTIVITY_SLOTS], most = 0;
	size_t sum = journal_activity(j, now_us, slots);

	if (sum == 0)
		return;
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++)
		most = slots[i] > most ? slots[i] : most;
	for (size_t i = 0; i < ACTIVITY_SLOTS; i++) {
		size_t level = (slots[i] * 7 + most - 1) / most; /* rounded up */
		const char bar[] = { (char)0xe2, (char)0x96, (char)(0x81 + level), '\0' };
		buf_add_str(facts, bar);
	}
	buf_addf(facts, " %s/min · ", units_count(sum).text);
}

static enum role
journal_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	const struct app *a = bridged_app(env);

	buf_add_str(title, "journal");
	if (a)
		buf_addf(title, " · bridge of %s", app_name(a));
	if (p->stream.covered)
		buf_add_str(title, " · times by method and tool");
	if (!j)
		return ROLE_DIM;
	const struct journal_info *info = journal_info(j);
	add_activity(j, env->now_us, facts);
	if (p->stream.filter.len > 0) {
		units_add_counted(facts, p->stream.shown.len, "line");
		buf_add_str(facts, " of ");
	}
	units_add_counted(facts, info->count, "message");
	buf_addf(facts, " · %s", pane_bytes(info->bytes).text);
	if (info->evicted > 0)
		buf_addf(facts, " · %s oldest dropped", units_count(info->evicted).text);
	return info->evicted > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- the open entry: the two messages of an exchange ---- */

/* Format a message from its bytes. */
struct journal_job {
	struct job job; /* first */
	struct journal_text *to;
	struct blob *bytes;
	struct buf text;
};

static void
format_message(struct job *job)
{
	struct journal_job *k = (struct journal_job *)job;
	struct json_doc *doc =
	    json_parse(k->bytes->data, k->bytes->len, &(struct json_options){ .job = job }, NULL);

	if (doc)
		json_print_some(&k->text, json_root(doc), 2, SIZE_MAX, job);
	json_doc_destroy(doc);
}

static void
on_formatted(struct job *job)
{
	struct journal_job *k = (struct journal_job *)job;

	if (!job_is_stopped(job) && k->text.len > 0)
		k->to->formatted = blob_take_buf(&k->text);
	buf_finish(&k->text);
	blob_unref(k->bytes);
	free(k);
}

/* Set the text of a message: its exact bytes, or formatted JSON. */
static void
renew_text(
    struct journal_pane *p, int side, const struct view_env *env, const struct journal_entry *e)
{
	struct journal_text *t = &p->texts[side];

	if (t->bytes == e->bytes && t->raw == p->raw)
		return;
	drop_text(p, side);
	t->bytes = blob_ref(e->bytes);
	t->raw = p->raw;
	p->stream.texts[side].top = 0;
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	if (p->raw || !on_wire || e->message == MESSAGE_NOT_JSON || e->dropped)
		return;
	struct journal_job *k = mem_zalloc(sizeof(*k));
	*k = (struct journal_job){ .job = { .run = format_message, .done = on_formatted },
		.to = t,
		.bytes = blob_ref(e->bytes) };
	job_start(e->bytes->len > AT_ONCE ? env->jobs : NULL, &k->job, &t->job);
}

static void
draw_title(struct journal_pane *p, struct surface s, const struct journal_entry *e, bool active)
{
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	const char *name = e->kind == JOURNAL_STDERR ? "stderr"
			   : e->kind == JOURNAL_NOTE ? "mcpane"
						     : message_kind_names[e->message];
	struct buf line = BUF_INIT;

	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	buf_addf(&line, " %s %s%s%s · %s%s", marks[e->kind].mark, name, e->method ? " " : "",
	    e->method ? e->method : "",
	    !on_wire ? ""
	    : p->raw ? "exact bytes · "
		     : "formatted · ",
	    pane_bytes(e->bytes->len + e->dropped).text);
	if (e->latency_us >= 0)
		buf_addf(&line, " · %s", pane_duration(e->latency_us).text);
	buf_add_char(&line, ' ');
	surface_text(
	    s, 1, 0, s.width - 2, style_of(active ? ROLE_TITLE : ROLE_DIM), buf_text(&line));
	buf_finish(&line);
}

/* Draw the lines of an HTTP head that begin with the mark; return the rows used. */
static int
journal_draw_head(struct surface s, const struct journal_entry *note, char mark)
{
	const char *at = note->bytes->data;
	int y = 0;

	while ((at = strchr(at, '\n')) && y < s.height) {
		const char *line = ++at;
		if (line[0] != mark || line[1] != ' ')
			continue;
		line += 2;
		size_t len = strcspn(line, "\n"), name = y > 0 ? strcspn(line, ":\n") : len;
		/* "POST /mcp HTTP/1.1", or "HTTP 200 OK", by its status */
		enum role role = y > 0                              ? ROLE_HINT
				 : strncmp(line, "HTTP ", 5) != 0   ? ROLE_TEXT
				 : line[5] == '2'                   ? ROLE_OK
				 : line[5] == '4' || line[5] == '5' ? ROLE_ERROR
								    : ROLE_WARNING;
		int x = surface_textn(s, 0, y, style_of(role), line, name);
		surface_textn(s, x, y++, style_of(ROLE_DIM), line + name, len - name);
	}
	return y;
}

/* Draw a message with its title and its errors. */
static void
draw_message(struct journal_pane *p, int side, const struct view_env *env, struct surface s,
    const struct journal_entry *e)
{
	const struct journal_entry *request =
	    journal_is_second(e) ? journal_find(e->journal, e->pair) : e;
	const struct journal_entry *http =
	    request && request->http ? journal_find(e->journal, request->http) : NULL;
	int y = 1;

	draw_title(p, s, e, p->stream.sides == 2 && side == p->stream.side);
	if (e->flaw)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", e->flaw);
	if (e->ended)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s: %s",
		    e->message == MESSAGE_REQUEST ? "no reply" : "not received", e->ended);
	if (e->dropped)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR),
		    "✗ %zu more bytes exceeded the size limit of a message and were dropped",
		    e->dropped);
	if (http && s.height - y > 6) { /* its HTTP head and an empty row */
		struct surface heads = surface_sub(s, 0, y, s.width, (s.height - y) / 2);
		int rows = journal_draw_head(heads, http, e->kind == JOURNAL_SENT ? '>' : '<');
		if (e->kind == JOURNAL_SENT &&
		    !journal_reply(e)) /* the response has no other place */
			rows += journal_draw_head(
			    surface_sub(heads, 0, rows, s.width, heads.height - rows), http, '<');
		y += rows < heads.height && rows > 0 ? rows + 1 : rows;
	}
	renew_text(p, side, env, e);
	const struct journal_text *t = &p->texts[side];
	stream_list_draw_text(&p->stream, side, env, surface_sub(s, 0, y, s.width, s.height - y),
	    t->formatted ? t->formatted : t->bytes, t->formatted != NULL);
}

static void
journal_open_draw(void *state, const struct view_env *env, struct surface s, const void *entry)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	bool beside = s.width >= BESIDE_FROM;
	int half = beside ? (s.width - 3) / 2 : s.height / 3;

	p->stream.sides = reply ? 2 : 1;
	if (!reply) {
		draw_message(p, 0, env, s, e);
	} else if (beside) {
		struct surface right = surface_sub(s, half + 3, 0, s.width - half - 3, s.height);
		for (int y = 0; y < s.height; y++)
			surface_put(s, half + 1, y, style_of(ROLE_BORDER), y ? 0x2502 : 0x252c);
		draw_message(p, 0, env, surface_sub(s, 0, 0, half, s.height), e);
		draw_message(p, 1, env, right, reply);
	} else {
		struct surface below = surface_sub(s, 0, half, s.width, s.height - half);
		draw_message(p, 0, env, surface_sub(s, 0, 0, s.width, half), e);
		draw_message(p, 1, env, below, reply);
	}
}

/* ---- commands and keys ---- */

static bool
act_raw(void *state, const struct view_env *env, const char *arg)
{
	struct journal_pane *p = state;

	p->raw = !p->raw;
	p->stream.open = p->stream.shown.len > 0;
	return true;
}

static bool
act_pair(void *state, const struct view_env *env, const char *arg)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = stream_list_selected(&p->stream, env);

	if (!e || !journal_reply(e))
		return view_refuse(env, "there is no request with its reply here");
	p->stream.side = p->stream.open ? 1 - p->stream.side : p->stream.side;
	p->stream.open = true;
	p->stream.follow = false;
	return true;
}

static bool
act_times(void *state, const struct view_env *env, const char *arg)
{
	struct journal_pane *p = state;

	p->stream.covered = !p->stream.covered;
	return true;
}

/* Show the messages of the server, or those on the bridge of the shown app. */
static bool
act_wire(void *state, const struct view_env *env, const char *arg)
{
	bool to_bridge = *arg ? strcmp(arg, "bridge") == 0 : !env->ws->shows_bridge;

	if (*arg && !to_bridge && strcmp(arg, "server") != 0)
		return view_refuse(env, "usage: next-journal [server|bridge]");
	if (to_bridge && !workspace_app(env->ws))
		return view_refuse(env, "no app is open");
	env->ws->shows_bridge = to_bridge;
	env->ws->generation++;
	return env->host->run(env->user, "pane journal");
}

/* Copy the raw bytes of the message that has the keys, even if they are shown formatted. */
static void
journal_copy(void *state, const struct view_env *env, const void *entry, struct buf *out)
{
	const struct journal_pane *p = state;
	const struct journal_entry *e = entry, *reply = journal_reply(e);

	if (reply && p->stream.side == 1)
		e = reply;
	buf_add(out, e->bytes->data, e->bytes->len);
}

/* Return the selected message if mcpane sent it to the server, else NULL. */
static const struct journal_entry *
sent_entry(const struct journal_pane *p, const struct view_env *env)
{
	const struct journal_entry *e = stream_list_selected(&p->stream, env);

	if (e && e->kind == JOURNAL_SENT && !bridged_app(env))
		return e;
	view_refuse(env, "only a message that mcpane sent to the server can be sent again");
	return NULL;
}

/* Edit the formatted message in $EDITOR and send the saved text. */
static bool
act_edit(void *state, const struct view_env *env, const char *arg)
{
	const struct journal_entry *e = sent_entry(state, env);

	if (!e)
		return false;
	struct buf text = BUF_INIT;
	struct json_doc *doc = json_parse(e->bytes->data, e->bytes->len, NULL, NULL);
	if (doc)
		json_print_pretty(&text, json_root(doc), 2);
	else
		buf_add(&text, e->bytes->data, e->bytes->len);
	buf_add_char(&text, '\n');
	bool ok = env->host->edit_message(env->user, buf_text(&text), text.len);
	json_doc_destroy(doc);
	buf_finish(&text);
	return ok;
}

/* Send the message again, under a new id. */
static bool
act_send_again(void *state, const struct view_env *env, const char *arg)
{
	const struct journal_entry *e = sent_entry(state, env);

	return e && env->host->send_again(env->user, e->bytes->data, e->bytes->len);
}

static const struct view_action actions[] = {
	{ "open-message", "enter", "", "show the request and its reply, or close them",
	    stream_act_open, "open" },
	{ "filter", "", "[WORDS]",
	    "show only matches: text, tool: method: status: verdict: kind: dir: id: -not",
	    pane_act_filter, NULL },
	{ "raw", "v", "", "switch between formatted and raw bytes", act_raw, "raw" },
	{ "pair", "%", "", "go from a request to its reply and back", act_pair, NULL },
	{ "next-journal", "]", "[server|bridge]",
	    "toggle between the messages of the app and the server's", act_wire, NULL },
	{ "times", "M", "", "toggle the latencies of requests, by method and tool", act_times,
	    "times" },
	{ "copy-message", "y", "",
	    "copy the raw bytes of the reply, or the chosen message; :write FILE saves them",
	    pane_act_copy, "copy" },
	{ "edit-message", "ctrl-e", "", "edit the request in $EDITOR and send it under a new id",
	    act_edit, "edit" },
	{ "send-again", ".", "", "send the request again, unchanged except for its id",
	    act_send_again, "again" },
	{ "export-journal", "", "[--with-secrets] FORMAT FILE",
	    "write the visible lines as jsonl or har, or the request as a curl command",
	    journal_act_export, NULL },
	{ 0 },
};

static const struct stream_ops stream = {
	.rows = STREAM_ROWS,
	.words = journal_words,
	.columns = columns,
	.narrow = narrow,
	.actions = actions,
	.keys = "Esc close  v raw  Tab other side  y copy  . send again  Ctrl-E edit and send  ↑↓ "
		"next  "
		"PgDn scroll",
	.source = source,
	.next = next,
	.find = journal_pane_find,
	.changed = changed,
	.empty = "no messages yet",
	.draw_row = journal_draw_row,
	.draw_open = journal_open_draw,
	.copy = journal_copy,
};

static void
init(void *state)
{
	struct journal_pane *p = state;

	p->stream.side = 1;
}

static const char *
journal_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct journal_pane *p = state;
	bool sends = action->run == act_edit || action->run == act_send_again;

	if (sends && bridged_app(env))
		return NULL;
	return env->ws->server && p->stream.shown.len > 0 ? action->hint : NULL;
}

/* ---- the table of times, over the list ---- */

enum { TIME_NAME, TIME_COUNT, TIME_ERRORS, TIME_P50, TIME_P95, TIME_MAX, TIME_BYTES };
static const struct stream_column time_columns[] = {
	[TIME_NAME] = { "method or tool", 0, -50, false },
	[TIME_COUNT] = { "requests", -49, 8, true },
	[TIME_ERRORS] = { "errors", -40, 6, true },
	[TIME_P50] = { "p50", -33, 7, true },
	[TIME_P95] = { "p95", -25, 7, true },
	[TIME_MAX] = { "max", -17, 7, true },
	[TIME_BYTES] = { "bytes", -9, 9, true },
	{ 0 },
};

static void
draw_timing(struct surface s, int y, const struct timing *t)
{
	const int64_t times[] = { timing_quantile(t, 50), timing_quantile(t, 95),
		t->replies ? t->max_us : -1 };
	int indent = t->is_tool ? 2 : 0;

	surface_text(s, indent, y, stream_column_cols(&time_columns[TIME_NAME], s) - indent,
	    style_of(t->is_tool ? ROLE_TEXT : ROLE_KEY_NAME), t->name ? t->name : "all others");
	stream_cell(
	    &time_columns[TIME_COUNT], s, y, style_of(ROLE_TEXT), units_count(t->count).text);
	stream_cell(&time_columns[TIME_ERRORS], s, y, style_of(t->errors ? ROLE_ERROR : ROLE_HINT),
	    units_count(t->errors).text);
	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		if (times[i] >= 0)
			stream_cell(&time_columns[TIME_P50 + i], s, y, style_of(ROLE_NUMBER),
			    pane_duration(times[i]).text);
	stream_cell(&time_columns[TIME_BYTES], s, y, style_of(ROLE_DIM), pane_bytes(t->bytes).text);
}

static void
draw_times(struct list *list, const struct timings *t, const struct view_env *env, struct surface s)
{
	struct surface rows = surface_sub(s, 0, 1, s.width, s.height - 1);

	for (const struct stream_column *c = time_columns; c->head; c++)
		stream_cell(c, s, 0, style_of(ROLE_COLUMN), c->head);
	list_set_count(list, t->len);
	list_set_height(list, rows.height);
	for (int y = 0; y < rows.height && list->top + (size_t)y < t->len; y++) {
		draw_timing(rows, y, t->items[list->top + (size_t)y]);
		if (list->top + (size_t)y == list->selected)
			surface_select_row(rows, y, env->focused);
	}
	if (t->len == 0)
		pane_draw_text(rows, 0, ROLE_HINT, "no requests yet");
	surface_scrollbar(rows, env->focused, t->len, list->top);
}

static void
journal_draw(void *state, const struct view_env *env, struct surface s)
{
	struct journal_pane *p = state;

	if (p->stream.covered && env->ws->server)
		draw_times(&p->time_rows, journal_info(journal_of(env))->timings, env, s);
	else
		stream_list_draw(state, env, s);
}

static const char *
journal_captures(const void *state)
{
	const struct journal_pane *p = state;

	return p->stream.covered ? "Esc close  ↑↓ scroll" : stream_list_captures(state);
}

static bool
journal_key(void *state, const struct view_env *env, const struct key *k)
{
	struct journal_pane *p = state;
	bool is_own = k->kind == KEY_CHAR && k->mods == 0 && k->ch == 'M';

	if (!p->stream.covered)
		return stream_list_key(state, env, k);
	p->stream.covered = k->kind != KEY_ESCAPE && !is_own;
	return !p->stream.covered || list_key(&p->time_rows, k);
}

/* Select the message that the user has just sent. */
static void
journal_sync(void *state, const struct view_env *env)
{
	struct journal_pane *p = state;

	stream_list_sync(state, env);
	if (!p->stream.source)
		return;
	uint64_t by_hand = journal_info(journal_of(env))->by_hand;
	if (by_hand != p->by_hand && by_hand)
		stream_list_select(&p->stream, by_hand);
	p->by_hand = by_hand;
}

const struct view_ops pane_journal = {
	.title = "journal",
	.help = "all requests with their replies, other messages, and the server's stderr",
	.state_size = sizeof(struct journal_pane),
	.actions = actions,
	.init = init,
	.finish = journal_finish,
	.sync = journal_sync,
	.heading = journal_heading,
	.draw = journal_draw,
	.hint = journal_hint,
	.key = journal_key,
	.captures = journal_captures,
	.copy = stream_list_copy,
	.rows = &stream.rows,
	.filtered = stream_list_filtered,
	.seek = stream_list_seek,
};
