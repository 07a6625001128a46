/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/app.h"
#include "client/notices.h"

#include <stdio.h>
#include <string.h>

/* The bottom bar: keys on the left, calls on the right. Clicking a hint presses its key. */

static int
draw_word(struct surface s, int x, int end, const char *key, const char *word)
{
	int width = (int)(glyph_columns(key, strlen(key)) + glyph_columns(word, strlen(word))) + 1;

	if (x + width > end)
		return x;
	x += surface_text(s, x, 0, -1, style_on(ROLE_BAR_KEY, ROLE_BAR), key) + 1;
	x += surface_text(s, x, 0, -1, style_on(ROLE_DIM, ROLE_BAR), word);
	return x + (s.width < 100 ? 2 : 3);
}

static void
add_zone(struct workbench *wb, int from, int to, const char *command)
{
	struct hints *h = &wb->frame.hints;

	if (to > from && h->len < HINTS_MAX)
		h->items[h->len++] = (struct hint_zone){ from, to, command };
}

static int
draw_hint(
    struct workbench *wb, struct surface s, int x, int end, const char *command, const char *word)
{
	enum pane_id id = workbench_focused(wb);
	bool typing = workbench_types(wb, id);
	char key[64];

	if (!word || !(typing ? keymap_chord_for : keymap_key_for)(
			 &wb->keymap, workbench_contexts(wb, id), command, key, sizeof(key)))
		return x;
	/* the field or an active search takes these keys first */
	bool esc = strcmp(key, "Esc") == 0, n = strcmp(key, "n") == 0 || strcmp(key, "N") == 0;
	if (typing ? esc : (esc || n) && find_is_on(wb))
		return x;
	int next = draw_word(s, x, end, key, word);
	if (next > x)
		surface_spot(s, x, 0);
	add_zone(wb, x, next, command);
	return next;
}

const char *
hints_at(const struct workbench *wb, int x)
{
	for (size_t i = 0; i < wb->frame.hints.len; i++)
		if (x >= wb->frame.hints.items[i].from && x < wb->frame.hints.items[i].to)
			return wb->frame.hints.items[i].command;
	return NULL;
}

/* ---- which hints apply ---- */

enum fact {
	ALWAYS,
	ASKED, /* a question is shown */
	ASKED_ROOTS,
	ASKED_SAMPLING,
	ASKED_URL,
	ASKED_TO_OPEN, /* its URL */
	ASKED_OPENED,
	ASKED_TO_WRITE, /* an answer */
	ASKED_TO_FILL,  /* fields */
	ASKED_TO_PRESS, /* a button */
	RUNNING,        /* the call shown */
	OTHERS_RUN,
	UNAUTHORIZED,
	REMOTE_DOWN,
	PROCESS_DOWN,
	UNSTARTED, /* its process did not get so far as to list anything */
	NARROWED,  /* by a filter */
	FILTERABLE,
	SEARCHABLE_ABOVE, /* in an overlay */
	SEARCHABLE_BELOW,
	OPENED,  /* a record or a table in the pane */
	COVERED, /* by an overlay or the zoom */
	UNCOVERED,
	TOOL, /* one can be called */
	RESOURCE,
	WATCHABLE,
	PROMPT,
	DEFINITION,
	APP_HIDDEN, /* the result is shown instead of its app */
	APP_SHOWN,
	APP_FLOATS,
	VIOLATIONS,
	WANTS_LEGACY, /* the call shown failed because of the era */
	SERVER,
	PANES,   /* Tab goes to one */
	CHOICES, /* of servers */
	PASSES,  /* a value that is selected */
	FACT_COUNT
};

static void
find_question_facts(const struct workbench *wb, bool is[FACT_COUNT])
{
	const struct question *q =
	    wb->overlay == PANE_questions ? workspace_question(&wb->ws) : NULL;

	if (!q)
		return;
	is[ASKED] = true;
	is[ASKED_ROOTS] = q->kind == QUESTION_ROOTS;
	is[ASKED_SAMPLING] = q->kind == QUESTION_SAMPLING;
	is[ASKED_URL] = q->kind == QUESTION_URL;
	is[ASKED_TO_OPEN] = q->kind == QUESTION_URL && !q->opened && q->link.openable;
	is[ASKED_OPENED] = q->kind == QUESTION_URL && q->opened;
	is[ASKED_TO_WRITE] = q->kind == QUESTION_SAMPLING || q->kind == QUESTION_FORM;
	is[ASKED_TO_FILL] = q->kind == QUESTION_FORM && form_row_count(q->form) > 0;
	is[ASKED_TO_PRESS] = q->kind != QUESTION_FORM;
}

/* Returns whether the server is down; authorization has to come first. */
static bool
find_server_facts(const struct workbench *wb, bool is[FACT_COUNT])
{
	const struct server *s = wb->ws.server;
	const struct server_info *info = s ? server_info(s) : NULL;
	bool down = info && (info->phase == SERVER_IDLE || info->phase >= SERVER_FAILED ||
				info->trouble[0]);
	bool authorizing = wb->overlay == PANE_authorization;

	is[SERVER] = s && wb->overlay < 0;
	is[CHOICES] = wb->overlay < 0 && (bars_lists_servers(wb) || !s);
	is[UNAUTHORIZED] = info && !authorizing && auth_flow_info(info->auth).wants_user;
	is[REMOTE_DOWN] = down && !authorizing && server_is_remote(s);
	is[PROCESS_DOWN] = down && !authorizing && !server_is_remote(s);
	is[UNSTARTED] = is[PROCESS_DOWN] && !wb->ws.desk && wb->overlay < 0;
	return down;
}

/* The cancel hint appears only after 300 ms, so that it does not flicker for short calls. */
static void
find_call_facts(const struct workbench *wb, bool down, bool is[FACT_COUNT])
{
	const struct server *s = wb->ws.server;
	const struct session *session = s ? server_info(s)->session : NULL;
	const struct call *call = workspace_call(&wb->ws);
	const struct desk *desk = wb->ws.desk;
	bool runs = call && call->state == CALL_RUNNING, below = wb->overlay < 0;
	bool callable = below && !down && desk && desk->form;

	is[RUNNING] =
	    runs && wb->overlay != PANE_questions && call_elapsed_us(call, wb->now_us) > 300000;
	is[OTHERS_RUN] = below && s && !runs && server_running(s) > 0;
	is[VIOLATIONS] =
	    below && call && call->verdict.report && report_facts(call->verdict.report)->kept > 0;
	is[WANTS_LEGACY] = below && call && call->wants_legacy;
	is[TOOL] = callable && desk->kind == PRIMITIVE_TOOL;
	is[PROMPT] = callable && desk->kind == PRIMITIVE_PROMPT;
	is[RESOURCE] = callable && workspace_tab_of(desk->kind) == PRIMITIVE_RESOURCE;
	is[WATCHABLE] = is[RESOURCE] && session && session_can_watch(session, WATCH_RESOURCE);
	is[DEFINITION] = below && workspace_primitive(&wb->ws);
}

static void
find_app_facts(const struct workbench *wb, bool is[FACT_COUNT])
{
	const struct server *s = wb->ws.server;
	const struct call *call = workspace_call(&wb->ws);

	if (!s || wb->overlay >= 0 || !server_info(s)->shows_apps)
		return;
	is[APP_FLOATS] = workbench_has_floating(wb);
	is[APP_SHOWN] = workspace_shows_app(&wb->ws);
	is[APP_HIDDEN] = !is[APP_SHOWN] && !is[APP_FLOATS] && call && call_has_app(call);
}

/* Does Tab move to the next field? */
static bool
fills(const struct workbench *wb)
{
	enum pane_id id = workbench_focused(wb);
	const struct view_ops *ops = pane_table[id].ops;

	return workbench_types(wb, id) && ops->fills && ops->fills(wb->panes[id].state);
}

static void
find_facts(struct workbench *wb, bool is[FACT_COUNT])
{
	bool filters, finds = find_applies(wb, &filters), below = wb->overlay < 0;
	bool covered = workbench_can_go_back(wb) && (!below || wb->zoomed);

	is[ALWAYS] = true;
	find_question_facts(wb, is);
	find_call_facts(wb, find_server_facts(wb, is), is);
	find_app_facts(wb, is);
	is[NARROWED] = find_filters(wb);
	is[FILTERABLE] = finds && filters;
	is[SEARCHABLE_ABOVE] = finds && !filters && !below;
	is[SEARCHABLE_BELOW] = finds && !filters && below;
	struct view *pane = &wb->panes[workbench_focused(wb)];
	is[OPENED] = view_is_open(pane);
	is[NARROWED] &= !is[OPENED];
	is[COVERED] = covered && !is[ASKED] && !is[NARROWED] && !is[OPENED];
	is[UNCOVERED] = !covered;
	const struct view *value = view_of_value(pane);
	is[PANES] = is[SERVER] && !fills(wb);
	is[PASSES] = value && value->in->value && value->ops->selected;
}

/* Commands with a hint in the bar, most useful first. */
static const struct global_hint {
	const char *command, *word;
	enum fact when;
} before_pane[] = {
	{ "answer", "send", ASKED_TO_WRITE },
	{ "answer", "open", ASKED_TO_OPEN },
	{ "answer", "done", ASKED_OPENED },
	{ "answer", "send", ASKED_ROOTS },
	{ "press", "edit", ASKED_TO_FILL },
	{ "press", "press", ASKED_TO_PRESS },
	{ "decline", "decline", ASKED },
	{ "dismiss", "cancel", ASKED },
	{ "back", "later", ASKED },
	{ NULL },
}, after_asked[] = {
	{ "copy-url", "copy", ASKED_URL },
	{ "edit-answer", "$EDITOR", ASKED_TO_WRITE },
	{ "sample", "command", ASKED_SAMPLING },
	{ "cancel", "cancel", RUNNING },
	{ "cancel", "running calls", OTHERS_RUN },
	{ "authorization", "authorize", UNAUTHORIZED },
	{ "restart", "reconnect", REMOTE_DOWN },
	{ "restart", "restart", PROCESS_DOWN },
	{ "edit", "edit command", UNSTARTED },
	{ "back", "back", OPENED },
	{ "back", "show all", NARROWED },
	{ "back", "close", COVERED },
	{ "call-legacy", "call in the legacy era", WANTS_LEGACY },
	{ "call", "call", TOOL },
	{ "call", "read", RESOURCE },
	{ "call", "get", PROMPT },
	{ "app", "app", APP_HIDDEN },
	{ NULL },
}, after_pane[] = {
	{ "app", "result", APP_SHOWN },
	{ "find", "filter", FILTERABLE },
	{ "find", "search", SEARCHABLE_ABOVE },
	{ "app", "into the app", APP_FLOATS },
	{ "next-error", "next error", VIOLATIONS },
	{ "watch", "watch", WATCHABLE },
	{ "server", "servers", CHOICES },
	{ "pass", "pass on", PASSES },
	{ "next-pane", "pane", PANES },
	{ "journal", "journal", SERVER },
	{ "definition", "definition", DEFINITION },
	{ "zoom", "zoom", SERVER },
	{ "find", "search", SEARCHABLE_BELOW },
	{ "command", "command", ALWAYS },
	{ "close", "quit", UNCOVERED },
	{ NULL },
};

static int
draw_globals(struct workbench *wb, struct surface s, int x, int end, const bool is[FACT_COUNT],
    const struct global_hint *h)
{
	for (; h->command; h++)
		if (is[h->when])
			x = draw_hint(wb, s, x, end, h->command, h->word);
	return x;
}

/* last: only the one that gives way to all others. */
static int
draw_actions(
    struct workbench *wb, const struct view *v, struct surface s, int x, int end, bool last)
{
	struct view_env env = workbench_env(wb, workbench_focused(wb));
	const struct view_ops *ops = v->ops;

	for (const struct view_action *a = ops->actions; a && a->name; a++)
		if (last == (ops->last_hint && strcmp(a->name, ops->last_hint) == 0))
			x = draw_hint(wb, s, x, end, a->name,
			    ops->hint ? ops->hint(v->state, &env, a) : a->hint);
	return x;
}

/* Key hints of a text field, separated by two blanks: "Enter keep  Esc show all". */
static int
draw_typing(struct surface s, int x, int end, const char *text)
{
	char key[32], word[64];

	for (const char *next; *text; text = next) {
		const char *gap = strstr(text, "  ");
		size_t len = gap ? (size_t)(gap - text) : strlen(text);
		size_t name = strcspn(text, " ");
		next = gap ? gap + 2 : text + len;
		snprintf(key, sizeof(key), "%.*s", (int)name, text);
		snprintf(word, sizeof(word), "%.*s", (int)(len - name - 1), text + name + 1);
		x = draw_word(s, x, end, key, word);
	}
	return x;
}

/* Until the first call of all runs, names the keys of the help and the palette at the right.
 * Returns the first column. */
static int
draw_welcome(struct workbench *wb, struct surface s, int end)
{
	static const char words[] = "new here?";
	enum { WELCOME_COLS = 37, GAP = 2, LEAST_COLS = 100 };
	int x = end - WELCOME_COLS;

	if (!wb->frame.hints.newcomer || wb->overlay >= 0 || s.width < LEAST_COLS)
		return end;
	x += surface_text(s, x, 0, -1, style_on(ROLE_ACCENT, ROLE_BAR), words) + 1;
	x = draw_hint(wb, s, x, end, "help", "help");
	draw_hint(wb, s, x, end, "palette", "everything");
	return end - WELCOME_COLS - GAP;
}

/* The help hint always fits. */
static void
draw_hints(struct workbench *wb, struct surface s, int whole)
{
	enum { HELP_COLS = 9 };
	enum pane_id id = workbench_focused(wb);
	const struct view *pane = &wb->panes[id], *value = view_of_value(&wb->panes[id]);
	bool is[FACT_COUNT] = { false };
	int end = whole, x = 1;

	if (find_is_on(wb) && !workbench_types(wb, id))
		x = draw_typing(s, x, end - HELP_COLS, "n next  N previous  Esc end");
	const char *captured = view_captures(pane);
	if (captured && pane->ops->release)
		draw_hint(wb, s, x, end, pane->ops->release, "leave the keyboard to mcpane");
	else if (captured)
		draw_typing(s, x, end, captured);
	if (captured)
		return;
	end = draw_welcome(wb, s, whole);
	int room = end == whole ? end - HELP_COLS : end;
	find_facts(wb, is);
	x = draw_globals(wb, s, x, room, is, before_pane);
	bool typing = workbench_types(wb, id);
	if (fills(wb))
		x = draw_word(s, x, room, "Tab", "next field");
	if (typing && is[ASKED])
		x = draw_word(s, x, room, "Esc", "commands");
	x = draw_globals(wb, s, x, room, is, after_asked);
	x = draw_actions(wb, pane, s, x, room, false);
	if (typing && !is[ASKED])
		x = draw_word(s, x, room, "Esc", "commands");
	if (value && value->in->value)
		x = draw_actions(wb, value, s, x, room, false);
	x = draw_globals(wb, s, x, room, is, after_pane);
	x = draw_actions(wb, pane, s, x, room, true);
	if (end == whole)
		draw_hint(wb, s, x, end, "help", "help");
}

/* ---- until the first call ---- */

void
workbench_load_first_call(struct workbench *wb, const char *text)
{
	wb->frame.hints.newcomer = *text == '\0';
}

void
workbench_add_first_call(struct workbench *wb, struct buf *out)
{
	buf_add_str(out, wb->frame.hints.newcomer ? "" : "made\n");
}

/* Draws the dialog's keys while one is open, because no others work. */
static void
draw_keys(struct workbench *wb, struct surface s, int end)
{
	const struct dialog *dialog = wb->dialog;
	struct buf keys = BUF_INIT;

	if (dialog && dialog->seek && find_is_on(wb))
		buf_add_str(&keys, "n next  N previous  Esc end the search");
	else if (dialog && dialog->add_keys)
		dialog->add_keys(wb, &keys);
	else if (dialog && dialog->keys)
		buf_add_str(&keys, dialog->keys);
	if (keys.len > 0)
		draw_typing(s, 1, end, buf_text(&keys));
	else
		draw_hints(wb, s, end);
	buf_finish(&keys);
}

static void
describe_calls(const struct workbench *wb, struct buf *out)
{
	const struct server *s = wb->ws.server;

	if (!s || server_info(s)->calls_made == 0)
		return;
	if (server_running(s) > 0) {
		buf_addf(out, "%zu running", server_running(s));
		return;
	}
	units_add_counted(out, server_info(s)->calls_made, "call");
	const struct call *last =
	    server_info(s)->calls ? server_call_at(s, server_info(s)->calls - 1) : NULL;
	if (last) {
		buf_add_str(out, " · last ");
		pane_add_duration(out, call_elapsed_us(last, wb->now_us));
	}
}

/* The number of open questions of all servers. Returns its first column. */
static int
draw_badge(struct workbench *wb, struct surface s, int end)
{
	const struct server *shown = wb->ws.server;
	size_t count = shown ? server_info(shown)->questions : 0;
	char text[64], key[16];

	for (size_t i = 0; i < wb->ws.choice_count; i++) {
		const struct server *other = wb->ws.choices[i].server;
		count += other && other != shown ? server_info(other)->questions : 0;
	}
	if (count == 0 || wb->overlay == PANE_questions)
		return end;
	if (!keymap_key_for(&wb->keymap, "global", "questions", key, sizeof(key)))
		snprintf(key, sizeof(key), ":questions");
	snprintf(text, sizeof(text), " %zu question%s %s ", count, plural(count), key);
	int width = (int)strlen(text);
	surface_text(s, end - width, 0, -1, style_on(ROLE_BUTTON_FOCUS, ROLE_BUTTON_FOCUS), text);
	add_zone(wb, end - width, end, "questions");
	return end - width - 2;
}

/* Draws the long work, its progress and the key that stops it. */
static void
draw_work(struct workbench *wb, struct surface s, int end)
{
	enum { BAR = 20, STOP = 14 };
	const struct style dim = style_on(ROLE_HINT, ROLE_BAR);
	const unsigned percent = wb->work->percent(wb->work);
	char key[64];

	if (!keymap_key_for(&wb->keymap, KEYMAP_GLOBAL, "cancel", key, sizeof(key)))
		snprintf(key, sizeof(key), ":cancel");
	int x = 1 + surface_text(s, 1, 0, end - 1, style_on(ROLE_ACCENT, ROLE_BAR), wb->work->text);
	if (x + BAR + STOP < end) {
		int full = (int)(percent * BAR / 100);
		surface_repeat(s, x + 1, 0, full, style_on(ROLE_ACCENT, ROLE_BAR), 0x2588);
		surface_repeat(s, x + 1 + full, 0, BAR - full, dim, 0x2591);
		x += 1 + BAR;
	}
	if (x + 6 < end)
		x += surface_textf(s, x + 1, 0, end - x - 1, style_on(ROLE_NUMBER, ROLE_BAR),
			 "%u %%", percent) +
		     1;
	if (x + 2 < end)
		surface_textf(s, x + 2, 0, end - x - 2, dim, "%s stop", key);
	add_zone(wb, 1, x, "cancel");
}

void
hints_draw(struct workbench *wb, struct surface s)
{
	struct buf calls = BUF_INIT;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	wb->frame.hints.len = 0;
	describe_calls(wb, &calls);
	int used = surface_text_right(
	    s, s.width - 1, 0, s.width / 3, style_on(ROLE_DIM, ROLE_BAR), buf_text(&calls));
	int end = draw_badge(wb, s, s.width - used - 3);
	if (wb->message && *wb->message)
		surface_text(s, 1, 0, end - 1, style_on(wb->message_role, ROLE_BAR), wb->message);
	else if (wb->work)
		draw_work(wb, s, end);
	else
		draw_keys(wb, s, end);
	buf_finish(&calls);
}
