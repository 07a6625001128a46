#include "workbench/state.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "model/notices.h"

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
	struct hints *h = &wb->hints;

	if (to > from && h->len < HINTS_MAX)
		h->items[h->len++] = (struct hint_zone){ from, to, command };
}

static int
draw_hint(
    struct workbench *wb, struct surface s, int x, int end, const char *command, const char *word)
{
	char key[64];

	if (!word || !keymap_key_for(&wb->keymap, workbench_contexts(wb, workbench_focused(wb)),
			 command, key, sizeof(key)))
		return x;
	int next = draw_word(s, x, end, key, word);
	add_zone(wb, x, next, command);
	return next;
}

const char *
hints_at(const struct workbench *wb, int x)
{
	for (size_t i = 0; i < wb->hints.len; i++)
		if (x >= wb->hints.items[i].from && x < wb->hints.items[i].to)
			return wb->hints.items[i].command;
	return NULL;
}

/* The cancel hint appears only after 300 ms, so that it does not flicker for short calls. */
static bool
is_running(const struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	return wb->overlay != PANE_questions && call && call->state == CALL_RUNNING &&
	       call_elapsed_us(call, wb->now_us) > 300000;
}

static bool
others_run(const struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	return wb->overlay < 0 && wb->ws.server && !(call && call->state == CALL_RUNNING) &&
	       server_running(wb->ws.server) > 0;
}

static bool
is_down(const struct workbench *wb)
{
	enum server_phase phase = wb->ws.server ? server_info(wb->ws.server)->phase : SERVER_READY;

	return phase == SERVER_IDLE || phase >= SERVER_FAILED ||
	       (wb->ws.server && server_info(wb->ws.server)->trouble[0]);
}

/* Authorization has to come first. */
static bool
is_worth_another_try(const struct workbench *wb)
{
	return is_down(wb) && wb->overlay != PANE_authorization;
}

static bool
is_remote_down(const struct workbench *wb)
{
	return is_worth_another_try(wb) && server_is_remote(wb->ws.server);
}

static bool
is_process_down(const struct workbench *wb)
{
	return is_worth_another_try(wb) && !server_is_remote(wb->ws.server);
}

static bool
is_callable(const struct workbench *wb)
{
	return wb->overlay < 0 && !is_down(wb) && wb->ws.desk && wb->ws.desk->form;
}

static bool
is_readable(const struct workbench *wb)
{
	return is_callable(wb) && workspace_tab_of(wb->ws.desk->kind) == PRIMITIVE_RESOURCE;
}

static bool
is_watchable(const struct workbench *wb)
{
	const struct session *session = wb->ws.server ? server_info(wb->ws.server)->session : NULL;

	return is_readable(wb) && session && session_can_watch(session, WATCH_RESOURCE);
}

static bool
is_prompt(const struct workbench *wb)
{
	return is_callable(wb) && wb->ws.desk->kind == PRIMITIVE_PROMPT;
}

static bool
is_tool(const struct workbench *wb)
{
	return is_callable(wb) && wb->ws.desk->kind == PRIMITIVE_TOOL;
}

static bool
has_violations(const struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	return wb->overlay < 0 && call && call->verdict.report &&
	       report_facts(call->verdict.report)->kept > 0;
}

static const struct question *
asked(const struct workbench *wb)
{
	return wb->overlay == PANE_questions ? workspace_question(&wb->ws) : NULL;
}

static bool
is_asked(const struct workbench *wb)
{
	return asked(wb) != NULL;
}

static bool
is_covered(const struct workbench *wb)
{
	return workbench_can_go_back(wb) && (wb->overlay >= 0 || wb->zoomed) && !asked(wb) &&
	       !find_filters((struct workbench *)wb);
}

static bool
is_uncovered(const struct workbench *wb)
{
	return !workbench_can_go_back(wb) || (wb->overlay < 0 && !wb->zoomed);
}

static bool
is_narrowed(const struct workbench *wb)
{
	return find_filters((struct workbench *)wb);
}

static bool
is_filtered(const struct workbench *wb)
{
	bool filters;

	return find_applies((struct workbench *)wb, &filters) && filters;
}

static bool
is_searched(const struct workbench *wb)
{
	bool filters;

	return find_applies((struct workbench *)wb, &filters) && !filters;
}

static bool
is_searched_above(const struct workbench *wb)
{
	return wb->overlay >= 0 && is_searched(wb);
}

static bool
is_searched_below(const struct workbench *wb)
{
	return wb->overlay < 0 && is_searched(wb);
}

static bool
has_choices(const struct workbench *wb)
{
	return wb->overlay < 0 && (tabs_wanted(wb) || !wb->ws.server);
}

static bool
has_primitives(const struct workbench *wb)
{
	return wb->overlay < 0 && wb->ws.server;
}

static bool
has_tool(const struct workbench *wb)
{
	return wb->overlay < 0 && workspace_primitive(&wb->ws);
}

static bool
wants_authorization(const struct workbench *wb)
{
	return wb->overlay != PANE_authorization && wb->ws.server &&
	       auth_flow_info(server_info(wb->ws.server)->auth).wants_user;
}

static bool
is_asked_url(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind == QUESTION_URL;
}

static bool
is_asked_to_open(const struct workbench *wb)
{
	return is_asked_url(wb) && !asked(wb)->opened && asked(wb)->link.openable;
}

static bool
is_asked_done(const struct workbench *wb)
{
	return is_asked_url(wb) && asked(wb)->opened;
}

static bool
is_asked_sampling(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind == QUESTION_SAMPLING;
}

static bool
is_asked_to_write(const struct workbench *wb)
{
	return is_asked_sampling(wb) || (asked(wb) && asked(wb)->kind == QUESTION_FORM);
}

static bool
is_asked_roots(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind == QUESTION_ROOTS;
}

static bool
is_asked_to_fill(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind == QUESTION_FORM && form_row_count(asked(wb)->form) > 0;
}

static bool
is_asked_to_press(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind != QUESTION_FORM;
}

/* Commands with a hint in the bar, most useful first. */
static const struct global_hint {
	const char *command, *word;
	bool (*applies)(const struct workbench *wb); /* NULL: always */
} before_pane[] = {
	{ "answer", "send", is_asked_to_write },
	{ "answer", "open", is_asked_to_open },
	{ "answer", "done", is_asked_done },
	{ "answer", "send", is_asked_roots },
	{ "press", "edit", is_asked_to_fill },
	{ "press", "press", is_asked_to_press },
	{ "decline", "decline", is_asked },
	{ "dismiss", "cancel", is_asked },
	{ "back", "later", is_asked },
	{ "copy-url", "copy", is_asked_url },
	{ "edit-answer", "$EDITOR", is_asked_to_write },
	{ "sample", "command", is_asked_sampling },
	{ "cancel", "cancel", is_running },
	{ "cancel", "running calls", others_run },
	{ "authorization", "authorize", wants_authorization },
	{ "restart", "reconnect", is_remote_down },
	{ "restart", "restart", is_process_down },
	{ "back", "show all", is_narrowed },
	{ "back", "close", is_covered },
	{ "call", "call", is_tool },
	{ "call", "read", is_readable },
	{ "call", "get", is_prompt },
}, after_pane[] = {
	{ "find", "filter", is_filtered },
	{ "find", "search", is_searched_above },
	{ "next-error", "next error", has_violations },
	{ "watch", "watch", is_watchable },
	{ "server", "servers", has_choices },
	{ "next-pane", "pane", has_primitives },
	{ "wire", "journal", has_primitives },
	{ "schema", "definition", has_tool },
	{ "zoom", "zoom", has_primitives },
	{ "find", "search", is_searched_below },
	{ "command", "command", NULL },
	{ "close", "quit", is_uncovered },
};
static int
draw_globals(struct workbench *wb, struct surface s, int x, int end, const struct global_hint *h,
    size_t count)
{
	for (; count-- > 0; h++)
		if (!h->applies || h->applies(wb))
			x = draw_hint(wb, s, x, end, h->command, h->word);
	return x;
}

static int
draw_action(struct workbench *wb, struct surface s, int x, int end, const struct pane_action *a)
{
	enum pane_id id = workbench_focused(wb);
	const struct pane_ops *ops = pane_table[id].ops;
	struct pane_env env = workbench_env(wb, id);

	return draw_hint(
	    wb, s, x, end, a->name, ops->hint ? ops->hint(wb->states[id], &env, a) : a->hint);
}

/* Of the view in the pane. */
static int
draw_view_actions(struct workbench *wb, struct surface s, int x, int end, enum pane_id pane)
{
	const struct views *views = workbench_views(wb, pane);
	const struct render_action *a = views && views->in.value ? views_ops(views)->actions : NULL;

	for (; a && a->name; a++)
		if (!a->applies || a->applies(views_state(views)))
			x = draw_hint(wb, s, x, end, a->name, a->hint);
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

/* The help hint always fits. */
static void
draw_hints(struct workbench *wb, struct surface s, int end)
{
	enum { HELP_COLS = 9 };
	enum pane_id id = workbench_focused(wb);
	const struct pane_ops *ops = pane_table[id].ops;
	int room = end - HELP_COLS;

	int x = 1;
	if (find_is_on(wb))
		x = draw_typing(s, x, room, "n next  N previous  Esc end");
	const char *captured = ops->captures ? ops->captures(wb->states[id]) : NULL;
	if (captured) {
		draw_typing(s, x, end, captured);
		return;
	}
	x = draw_globals(wb, s, x, room, before_pane, ARRAY_LEN(before_pane));
	for (const struct pane_action *a = ops->actions; a && a->name; a++)
		x = draw_action(wb, s, x, room, a);
	x = draw_view_actions(wb, s, x, room, id);
	x = draw_globals(wb, s, x, room, after_pane, ARRAY_LEN(after_pane));
	draw_hint(wb, s, x, end, "help", "help");
}

/* In a dialog only its own keys work. */
static void
draw_keys(struct workbench *wb, struct surface s, int end)
{
	const struct dialog *dialog = wb->dialog;
	struct buf keys = BUF_INIT;

	if (dialog == &dialog_help && find_is_on(wb))
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
	    server_call_count(s) ? server_call_at(s, server_call_count(s) - 1) : NULL;
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
	size_t count = shown ? server_question_count(shown) : 0;
	char text[64], key[16];

	for (size_t i = 0; i < wb->ws.choice_count; i++) {
		const struct server *other = wb->ws.choices[i].server;
		count += other && other != shown ? server_question_count(other) : 0;
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

void
hints_draw(struct workbench *wb, struct surface s)
{
	struct buf calls = BUF_INIT;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	wb->hints.len = 0;
	describe_calls(wb, &calls);
	int used = surface_text_right(
	    s, s.width - 1, 0, s.width / 3, style_on(ROLE_DIM, ROLE_BAR), buf_text(&calls));
	int end = draw_badge(wb, s, s.width - used - 3);
	if (wb->message)
		surface_text(s, 1, 0, end - 1, style_on(wb->message_role, ROLE_BAR), wb->message);
	else
		draw_keys(wb, s, end);
	buf_finish(&calls);
}
