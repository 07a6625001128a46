/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/buf.h"
#include "base/embedded.h"
#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/app.h"
#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys that work here, in the bottom bar and in the help. The bar has keys on the left and
 * calls on the right; clicking a hint presses its key. */

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

	if (!word || !keymap_key_for(&wb->keymap, workbench_contexts(wb, id), command, typing, key,
			 sizeof(key)))
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

bool
hints_mouse(struct workbench *wb, const struct key *key)
{
	const struct hints *h = &wb->frame.hints;

	if (key->y != wb->frame.height - 1 || key->action != MOUSE_PRESS)
		return false;
	for (size_t i = 0; i < h->len; i++)
		if (key->x >= h->items[i].from && key->x < h->items[i].to) {
			workbench_run(wb, h->items[i].command, wb->now_us);
			return true;
		}
	return false;
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

/* If the server is down, authorization has to come first. The cancel hint appears only after 300
 * ms, so that it does not flicker for short calls. */
static void
find_server_facts(const struct workbench *wb, bool is[FACT_COUNT])
{
	const struct server *s = wb->ws.server;
	const struct server_info *info = s ? server_info(s) : NULL;
	bool down = info && (info->phase == SERVER_IDLE || info->phase >= SERVER_FAILED ||
				info->trouble[0]);
	bool authorizing = wb->overlay == PANE_authorization;
	const struct call *call = workspace_call(&wb->ws);
	const struct desk *desk = wb->ws.desk;
	bool runs = call && call->state == CALL_RUNNING, below = wb->overlay < 0;
	bool callable = below && !down && desk && desk->form;

	is[SERVER] = s && below;
	is[CHOICES] = below && (wb->ws.choice_count > 1 || !s);
	is[UNAUTHORIZED] = info && !authorizing && auth_flow_info(info->auth).wants_user;
	is[REMOTE_DOWN] = down && !authorizing && server_info(s)->is_remote;
	is[PROCESS_DOWN] = down && !authorizing && !server_info(s)->is_remote;
	is[UNSTARTED] = is[PROCESS_DOWN] && !desk && below;
	is[RUNNING] =
	    runs && wb->overlay != PANE_questions && call_elapsed_us(call, wb->now_us) > 300000;
	is[OTHERS_RUN] = below && s && !runs && server_running(s) > 0;
	is[VIOLATIONS] =
	    below && call && call->verdict.report && report_facts(call->verdict.report)->kept > 0;
	is[WANTS_LEGACY] = below && call && call->wants_legacy;
	is[TOOL] = callable && desk->kind == PRIMITIVE_TOOL;
	is[PROMPT] = callable && desk->kind == PRIMITIVE_PROMPT;
	is[RESOURCE] = callable && workspace_tab_of(desk->kind) == PRIMITIVE_RESOURCE;
	is[WATCHABLE] = is[RESOURCE] && info && info->session &&
			session_can_watch(info->session, WATCH_RESOURCE);
	is[DEFINITION] = below && workspace_primitive(&wb->ws);
	if (is[SERVER] && info->shows_apps) {
		is[APP_FLOATS] = workbench_has_floating(wb);
		is[APP_SHOWN] = workspace_shows_app(&wb->ws);
		is[APP_HIDDEN] = !is[APP_SHOWN] && !is[APP_FLOATS] && call && call_has_app(call);
	}
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
	const char *filter;
	bool finds = find_applies(wb, &filter), below = wb->overlay < 0;
	bool covered = below ? wb->zoomed : wb->ws.server || wb->overlay != PANE_servers;

	is[ALWAYS] = true;
	find_question_facts(wb, is);
	find_server_facts(wb, is);
	is[NARROWED] = filter && *filter;
	is[FILTERABLE] = filter != NULL;
	is[SEARCHABLE_ABOVE] = finds && !filter && !below;
	is[SEARCHABLE_BELOW] = finds && !filter && below;
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
	{ 0 },
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
	{ 0 },
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
	{ 0 },
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
	if (last)
		buf_addf(out, " · last %s", pane_duration(call_elapsed_us(last, wb->now_us)).text);
}

/* The number of open questions of all servers. Returns its first column. */
static int
draw_badge(struct workbench *wb, struct surface s, int end)
{
	const struct server *shown = wb->ws.server;
	size_t count = shown ? server_info(shown)->questions.len : 0;
	char text[64], key[16];

	for (size_t i = 0; i < wb->ws.choice_count; i++) {
		const struct server *other = wb->ws.choices[i].server;
		count += other && other != shown ? server_info(other)->questions.len : 0;
	}
	if (count == 0 || wb->overlay == PANE_questions)
		return end;
	if (!keymap_key_for(&wb->keymap, "global", "questions", false, key, sizeof(key)))
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

	if (!keymap_key_for(&wb->keymap, KEYMAP_GLOBAL, "cancel", false, key, sizeof(key)))
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
	const struct dialog *dialog = wb->dialog;
	struct buf calls = BUF_INIT, keys = BUF_INIT;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	wb->frame.hints.len = 0;
	/* while a dialog is open, no other keys work */
	if (dialog && dialog->seek && find_is_on(wb))
		buf_add_str(&keys, "n next  N previous  Esc end the search");
	else if (dialog && dialog->add_keys)
		dialog->add_keys(wb, &keys);
	else if (dialog && dialog->keys)
		buf_add_str(&keys, dialog->keys);
	describe_calls(wb, &calls);
	int used = surface_text_right(
	    s, s.width - 1, 0, s.width / 3, style_on(ROLE_DIM, ROLE_BAR), buf_text(&calls));
	int end = draw_badge(wb, s, s.width - used - 3);
	if (wb->message && *wb->message)
		surface_text(s, 1, 0, end - 1, style_on(wb->message_role, ROLE_BAR), wb->message);
	else if (wb->work)
		draw_work(wb, s, end);
	else if (keys.len > 0)
		draw_typing(s, 1, end, buf_text(&keys));
	else
		draw_hints(wb, s, end);
	buf_finish(&calls);
	buf_finish(&keys);
}

/* ---- the help: the keys and commands of this pane and of all others ---- */

/* Columns of a row: key, command, description. */
enum { HELP_NAME = 14, HELP_TEXT = 36, HELP_WIDTH = 100 };

static void
help_finish(struct workbench *wb)
{
	wrap_finish(&wb->help.wrap);
	free(wb->help.text);
	wb->help = (struct help){ 0 };
}

/* The current keys, the name with arguments, and the description. */
static void
add_command(
    const struct workbench *wb, struct buf *out, const struct command_info *info, const char *keys)
{
	int width = (wb->frame.width < HELP_WIDTH ? wb->frame.width : HELP_WIDTH) - 4;
	bool narrow = width < HELP_TEXT + 24;
	int indent = narrow ? 4 : HELP_TEXT;
	char name[64];
	struct wrap wrap = { 0 };
	struct wrap_row row;

	snprintf(name, sizeof(name), "%s%s%s", info->name, info->args[0] ? " " : "", info->args);
	buf_addf(out, "  %-*s %-*s ", HELP_NAME - 3, keys, HELP_TEXT - HELP_NAME - 1, name);
	/* below the row if that has no room for the description */
	bool below = narrow || strlen(name) >= HELP_TEXT - HELP_NAME;
	wrap_set(&wrap, info->help, strlen(info->help), width - indent > 1 ? width - indent : 1);
	if (below)
		buf_add_char(out, '\n');
	for (size_t i = 0; wrap_row_at(&wrap, i, &row); i++) {
		if (i > 0 || below)
			buf_addf(out, "%*s", indent, "");
		buf_add(out, info->help + row.start, row.end - row.start);
		buf_add_char(out, '\n');
	}
	wrap_finish(&wrap);
}

/* Commands of the context `from`: those with keys in the context `where`, or those without, while
 * keys are looked up in `contexts`. */
struct selection {
	const char *from, *where, *contexts;
	bool keyless;
};

/* A global command that the pane binds or implements is listed with the pane. */
static bool
is_told(const struct workbench *wb, const struct pane *pane, const struct selection *sel,
    const struct command_info *info)
{
	struct buf keys = BUF_INIT;

	if (strcmp(info->context, sel->from) != 0)
		return false;
	if (strcmp(sel->from, KEYMAP_GLOBAL) != 0)
		return true;
	bool has = view_find_action(pane->ops, info->name);
	bool own = has || keymap_keys_in(&wb->keymap, pane->name, pane->name, info->name, &keys);
	buf_finish(&keys);
	return strcmp(sel->where, pane->name) == 0 ? !has : !own;
}

static void
add_selection(const struct workbench *wb, struct buf *out, const struct pane *pane,
    const struct selection *sel)
{
	const struct command_info *info;
	struct buf keys = BUF_INIT;

	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		if (!is_told(wb, pane, sel, info))
			continue;
		buf_clear(&keys);
		bool any =
		    keymap_keys_in(&wb->keymap, sel->where, sel->contexts, info->name, &keys);
		if (any != sel->keyless)
			add_command(wb, out, info, buf_text(&keys));
	}
	buf_finish(&keys);
}

static void
add_own(const struct workbench *wb, struct buf *out, const struct pane *pane)
{
	const struct selection parts[] = {
		{ pane->name, pane->name, pane->name, false },
		{ KEYMAP_GLOBAL, pane->name, pane->name, false },
		{ pane->name, pane->name, pane->name, true },
	};

	buf_addf(out, "%s: %s\n", pane->ops->title, pane->ops->help);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		add_selection(wb, out, pane, &parts[i]);
}

/* The views, whose keys work in the pane that shows them. */
static void
add_views(const struct workbench *wb, struct buf *out, const struct pane *pane)
{
	char contexts[64];

	for (int i = 0; i < VIEW_COUNT && pane->ops->has_views; i++) {
		const struct view_ops *view = value_views[i];
		const struct selection parts[] = {
			{ view->title, view->title, contexts, false },
			{ view->title, view->title, contexts, true },
		};
		snprintf(contexts, sizeof(contexts), "%s %s", pane->name, view->title);
		buf_addf(out, "\nView %s: %s\n", view->title, view->help);
		for (size_t k = 0; k < ARRAY_LEN(parts); k++)
			add_selection(wb, out, pane, &parts[k]);
	}
}

static void
fill_help(struct workbench *wb)
{
	const struct pane *pane = &pane_table[workbench_focused(wb)];
	const struct command_info *info;
	const struct embedded_file *marks = embedded_find(page_files, "help_marks.txt");
	const struct embedded_file *moving = embedded_find(page_files, "help_moving.txt");
	struct buf out = BUF_INIT;

	const struct selection keys = { KEYMAP_GLOBAL, KEYMAP_GLOBAL, pane->name, false };
	const struct selection names = { KEYMAP_GLOBAL, KEYMAP_GLOBAL, pane->name, true };
	buf_add(&out, marks->bytes, marks->len);
	buf_add_char(&out, '\n');
	add_own(wb, &out, pane);
	add_views(wb, &out, pane);
	buf_add_str(&out, "\nEverywhere\n");
	add_selection(wb, &out, pane, &keys);
	buf_add_char(&out, '\n');
	buf_add(&out, moving->bytes, moving->len);
	buf_add_str(&out, "\nCommands without a key here, typed after :\n");
	add_selection(wb, &out, pane, &names);
	buf_add_str(&out, "\nOther names\n");
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (info->alias_of)
			buf_addf(&out, "  %-*s %s\n", HELP_TEXT - 3, info->name, info->help);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (&pane_table[i] == pane || !pane_table[i].ops->actions)
			continue;
		buf_add_char(&out, '\n');
		add_own(wb, &out, &pane_table[i]);
		if (i == PANE_structured && !pane->ops->has_views)
			add_views(wb, &out, &pane_table[i]);
	}
	free(wb->help.text);
	wb->help.text = buf_detach(&out);
	wb->help.width = wb->frame.width;
}

static bool
cmd_help(struct workbench *wb, const char *arg)
{
	help_finish(wb);
	fill_help(wb);
	wb->dialog = &dialog_help;
	return true;
}

static struct seekable
help_seek(struct workbench *wb)
{
	return seek_wrap(&wb->help.wrap, &wb->help.top, wb->help.height, 0);
}

static bool
help_key(struct workbench *wb, const struct key *key)
{
	size_t count = wrap_rows(&wb->help.wrap);
	size_t page = wb->frame.height > 6 ? (size_t)wb->frame.height - 6 : 1;
	size_t last = count > page ? count - page : 0;

	bool scrolls = scroll_key(key, page, &wb->help.top);
	bool ends = !scrolls && (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
				    keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "help") ||
				    keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "close"));
	if (ends)
		wb->dialog = NULL;
	if (wb->help.top > last)
		wb->help.top = last;
	return scrolls || ends;
}

/* Heads in bold; key, command and description each in their own color. */
static void
draw_help_line(struct wrap *wrap, struct surface s, int y, size_t number)
{
	struct wrap_row row;
	struct style text = style_on(ROLE_TEXT, ROLE_DIALOG);

	if (!wrap_row_at(wrap, number, &row) || row.start == row.end)
		return;
	const char *line = wrap->text + row.start;
	size_t len = row.end - row.start;
	/* rows of commands begin with two blanks, sentences with one */
	bool is_row = len > HELP_NAME && line[1] == ' ' && line[HELP_NAME] != ' ';
	bool has_text = len > HELP_TEXT && line[HELP_TEXT - 1] == ' ';
	if (line[0] != ' ' && (row.start == 0 || line[-1] == '\n')) {
		text = style_on(ROLE_TITLE, ROLE_DIALOG);
		text.attr = ATTR_BOLD;
	}
	surface_textn(s, 0, y, text, line, len);
	if (!is_row)
		return;
	surface_textn(s, 2, y, style_on(ROLE_BAR_KEY, ROLE_DIALOG), line + 2, HELP_NAME - 2);
	surface_textn(s, HELP_NAME, y, style_on(ROLE_KEY_NAME, ROLE_DIALOG), line + HELP_NAME,
	    (has_text ? HELP_TEXT : len) - HELP_NAME);
}

static void
help_draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct surface box = dialog_box(s, HELP_WIDTH, s.height);
	struct buf facts = BUF_INIT;

	if (wb->help.width != wb->frame.width)
		fill_help(wb);
	wrap_set(&wb->help.wrap, wb->help.text, strlen(wb->help.text), box.width - 4);
	wrap_work(&wb->help.wrap, SIZE_MAX, SIZE_MAX);
	size_t count = wrap_rows(&wb->help.wrap);
	buf_addf(&facts, "%s · / searches · Esc closes",
	    wb->help.top + (size_t)box.height - 2 < count ? "PgDn for more" : "end");
	struct surface inner = frame_draw(wb, box, FIND_HELP, "Help", buf_text(&facts), ROLE_DIM);
	wb->help.height = inner.height;
	buf_finish(&facts);
	for (int y = 0; y < inner.height; y++)
		draw_help_line(&wb->help.wrap, inner, y, wb->help.top + (size_t)y);
	find_light(wb, FIND_HELP, inner);
}

const struct dialog dialog_help = {
	.key = help_key,
	.draw = help_draw,
	.finish = help_finish,
	.seek = help_seek,
	.front = FIND_HELP,
	.keys = "Esc close  / search  ↑↓ scroll  PgDn page",
};

/* clang-format off */
const struct command hint_commands[] = {
	COMMAND("help", "f1 ?", "", "show the keys of this pane and all commands", cmd_help),
	{ 0 },
};
/* clang-format on */
