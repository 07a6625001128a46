#include "workbench_priv.h"

#include "base/glyph.h"
#include "model/notices.h"

#include <stdio.h>
#include <string.h>

static void
add_part(struct buf *out, const char *text)
{
	if (text && *text)
		buf_addf(out, "%s%s", out->len ? " · " : "", text);
}

static void
add_time(struct buf *out, int64_t us)
{
	char text[32];

	if (us < 10000)
		snprintf(text, sizeof(text), "%.1f ms", (double)us / 1000);
	else if (us < 1000000)
		snprintf(text, sizeof(text), "%d ms", (int)(us / 1000));
	else
		snprintf(text, sizeof(text), "%.1f s", (double)us / 1e6);
	add_part(out, text);
}

/* "demo 1.0 · 2026-07-28 · stdio · 0.4 ms": what is known of the connection. */
static void
describe_server(const struct workbench *wb, struct buf *out)
{
	const struct server *s = wb->ws.server;
	const struct session *session = server_session(s);
	size_t shown = start_shown(wb);

	if (server_phase(s) != SERVER_READY) /* what is cut is the end */
		add_part(out, server_phase_name(server_phase(s)));
	if (session && session_server_name(session)[0]) {
		add_part(out, session_server_name(session));
		if (session_server_version(session)[0])
			buf_addf(out, " %s", session_server_version(session));
	}
	if (session)
		add_part(out, session_protocol(session));
	add_part(out, shown != SIZE_MAX && wb->ws.choices[shown].target->url ? "http" : "stdio");
	if (server_connect_us(s) >= 0)
		add_time(out, server_connect_us(s));
}

enum { TABS_X = 10, FACTS_LEAST = 24 };

int
bars_tabs_x(void)
{
	return TABS_X;
}

/* The facts of the shown server give way, but not all of them. */
int
bars_tabs_width(const struct workbench *wb)
{
	int room = wb->width - TABS_X - 1;

	return wb->ws.server && room > 3 * FACTS_LEAST ? room - FACTS_LEAST : room;
}

/* Warnings and worse that the server logged, until they were looked at. */
static int
draw_unseen(const struct server *server, struct surface s, int x)
{
	size_t unseen = server_logs(server)->unseen;

	if (unseen == 0)
		return x;
	return x +
	       surface_textf(
		   s, x, 0, 16, style_on(ROLE_WARNING, ROLE_BAR), "⚠ %zu logged", unseen) +
	       2;
}

void
bars_draw_top(struct workbench *wb, struct surface s)
{
	struct style name = style_on(ROLE_ACCENT, ROLE_BAR);
	const struct server *server = wb->ws.server;
	int x = TABS_X;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	name.attr = ATTR_BOLD;
	surface_text(s, 1, 0, -1, name, "mcpane");
	if (tabs_wanted(wb)) {
		x += tabs_draw(wb, surface_sub(s, x, 0, bars_tabs_width(wb), 1));
	} else if (server) {
		enum role role;
		const char *mark = tabs_server_mark(server, &role);
		x += surface_text(s, x, 0, 32, style_on(ROLE_TITLE, ROLE_BAR), server_name(server));
		x += surface_text(s, x + 1, 0, -1, style_on(role, ROLE_BAR), mark) + 3;
	}
	if (server)
		x = draw_unseen(server, s, x);
	if (!server || s.width - 1 - x < FACTS_LEAST / 2)
		return;
	struct buf facts = BUF_INIT;
	describe_server(wb, &facts);
	surface_text_right(
	    s, s.width - 1, 0, s.width - 1 - x, style_on(ROLE_DIM, ROLE_BAR), buf_text(&facts));
	buf_finish(&facts);
}

/* ---- tabs, where there is no room for all panes ---- */

static bool
has_tab(const struct workbench *wb, int pane)
{
	enum pane_slot slot = pane_table[pane]->slot;

	if (slot == SLOT_LEFT)
		return wb->layout.shape == LAYOUT_TABS;
	return slot == SLOT_RIGHT && workbench_has(wb, (enum pane_id)pane);
}

/* The verdict stands in the validation pane's tab: a mark of one column. */
static const struct verdict *
tab_verdict(const struct workbench *wb, int pane)
{
	const struct call *call = workspace_call(&wb->ws);

	return pane == PANE_validation && call && call->state != CALL_RUNNING ? &call->verdict
									      : NULL;
}

/* The list is called by what is in it. */
static const char *
tab_title(const struct workbench *wb, int pane)
{
	static const char *const lists[OFFER_KINDS] = { "Tools", "Resources", "Resources",
		"Prompts" };

	return pane == PANE_tools ? lists[wb->ws.tab] : pane_table[pane]->title;
}

static int
tab_width(const struct workbench *wb, int pane)
{
	const char *title = tab_title(wb, pane);

	return (int)glyph_columns(title, strlen(title)) + (tab_verdict(wb, pane) ? 4 : 2);
}

int
bars_tab_at(const struct workbench *wb, int x)
{
	int at = 1;

	for (int i = 0; i < PANE_COUNT; i++) {
		if (!has_tab(wb, i))
			continue;
		if (x >= at && x < at + tab_width(wb, i))
			return i;
		at += tab_width(wb, i) + 1;
	}
	return -1;
}

void
bars_draw_tabs(struct workbench *wb, struct surface s)
{
	int shown = wb->layout.shape == LAYOUT_TABS ? (int)wb->focus : (int)wb->right;
	int x = 1;

	surface_clear(s, style_of(ROLE_TEXT));
	for (int i = 0; i < PANE_COUNT; i++) {
		if (!has_tab(wb, i))
			continue;
		struct style style =
		    i == shown ? style_on(ROLE_TITLE, ROLE_SELECTION) : style_of(ROLE_DIM);
		surface_repeat(s, x, 0, tab_width(wb, i), style, ' ');
		int end = x + 1 + surface_text(s, x + 1, 0, -1, style, tab_title(wb, i));
		const struct verdict *v = tab_verdict(wb, i);
		if (v)
			surface_text(s, end + 1, 0, 1, style_of(pane_verdict_role(v->kind)),
			    verdict_mark(v->kind));
		x += tab_width(wb, i) + 1;
	}
}

/* ---- the bottom bar: keys at the left, calls at the right ---- */

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

static int
draw_hint(
    struct workbench *wb, struct surface s, int x, int end, const char *command, const char *word)
{
	char key[64];
	const char *context = pane_table[workbench_focused(wb)]->name;

	if (!word || !keymap_key_for(&wb->keymap, context, command, key, sizeof(key)))
		return x;
	return draw_word(s, x, end, key, word);
}

/* Long enough to think of it: a hint that is gone at once only flickers. */
static bool
is_running(const struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	return wb->overlay != PANE_questions && call && call->state == CALL_RUNNING &&
	       call_elapsed_us(call, wb->now_us) > 300000;
}

static bool
is_down(const struct workbench *wb)
{
	enum server_phase phase = wb->ws.server ? server_phase(wb->ws.server) : SERVER_READY;

	return phase == SERVER_IDLE || phase >= SERVER_FAILED;
}

static bool
is_callable(const struct workbench *wb)
{
	return wb->overlay < 0 && !is_down(wb) && wb->ws.desk && wb->ws.desk->form;
}

static bool
is_readable(const struct workbench *wb)
{
	return is_callable(wb) && workspace_tab_of(wb->ws.desk->kind) == OFFER_RESOURCE;
}

static bool
is_watchable(const struct workbench *wb)
{
	const struct session *session = wb->ws.server ? server_session(wb->ws.server) : NULL;

	return is_readable(wb) && session && session_can_watch(session, WATCH_RESOURCE);
}

static bool
is_prompt(const struct workbench *wb)
{
	return is_callable(wb) && wb->ws.desk->kind == OFFER_PROMPT;
}

static bool
is_tool(const struct workbench *wb)
{
	return is_callable(wb) && wb->ws.desk->kind == OFFER_TOOL;
}

static bool
has_violations(const struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	return wb->overlay < 0 && call && call->verdict.report &&
	       report_kept(call->verdict.report) > 0;
}

static bool
is_covered(const struct workbench *wb)
{
	return wb->overlay >= 0 || wb->zoomed;
}

static bool
has_tool(const struct workbench *wb)
{
	return wb->overlay < 0 && workspace_offer(&wb->ws);
}

static bool
is_bare(const struct workbench *wb)
{
	return wb->overlay < 0;
}

static bool
wants_authorization(const struct workbench *wb)
{
	return wb->overlay != PANE_authorization && wb->ws.server &&
	       auth_flow_wants_user(server_auth(wb->ws.server));
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
is_asked_url(const struct workbench *wb)
{
	return asked(wb) && asked(wb)->kind == QUESTION_URL;
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

/* Commands worth a word in the bar, the most useful first. */
static const struct global_hint {
	const char *command, *word;
	bool (*applies)(const struct workbench *wb); /* NULL: always */
} before_pane[] = {
	{ "answer", "send", is_asked },
	{ "decline", "decline", is_asked },
	{ "dismiss", "cancel", is_asked },
	{ "copy-url", "copy", is_asked_url },
	{ "edit-answer", "$EDITOR", is_asked_to_write },
	{ "sample", "command", is_asked_sampling },
	{ "cancel", "cancel", is_running },
	{ "authorization", "authorize", wants_authorization },
	{ "restart", "connect again", is_down },
	{ "back", "close", is_covered },
	{ "call", "call", is_tool },
	{ "call", "read", is_readable },
	{ "call", "get", is_prompt },
}, after_pane[] = {
	{ "next-error", "next error", has_violations },
	{ "watch", "watch", is_watchable },
	{ "next-pane", "pane", is_bare },
	{ "wire", "journal", is_bare },
	{ "schema", "definition", has_tool },
	{ "zoom", "zoom", is_bare },
	{ "command", "command", NULL },
	{ "quit", "quit", NULL },
};
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

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
	const struct pane_ops *ops = pane_table[id];
	struct pane_env env = workbench_env(wb, id);

	return draw_hint(
	    wb, s, x, end, a->name, ops->hint ? ops->hint(wb->states[id], &env, a) : a->hint);
}

/* What keys do in a text field; two blanks between them: "Enter keep  Esc show all". */
static void
draw_typing(struct surface s, int end, const char *text)
{
	char key[32], word[64];
	int x = 1;

	for (const char *next; *text; text = next) {
		const char *gap = strstr(text, "  ");
		size_t len = gap ? (size_t)(gap - text) : strlen(text);
		size_t name = strcspn(text, " ");
		next = gap ? gap + 2 : text + len;
		snprintf(key, sizeof(key), "%.*s", (int)name, text);
		snprintf(word, sizeof(word), "%.*s", (int)(len - name - 1), text + name + 1);
		x = draw_word(s, x, end, key, word);
	}
}

/* Help is never crowded out. */
static void
draw_hints(struct workbench *wb, struct surface s, int end)
{
	enum { HELP_COLS = 9 };
	enum pane_id id = workbench_focused(wb);
	const struct pane_ops *ops = pane_table[id];
	int room = end - HELP_COLS;

	if (ops->typing && ops->captures(wb->states[id])) {
		draw_typing(s, end, ops->typing(wb->states[id]));
		return;
	}
	int x = draw_globals(wb, s, 1, room, before_pane, COUNT_OF(before_pane));
	for (const struct pane_action *a = ops->actions; a && a->name; a++)
		x = draw_action(wb, s, x, room, a);
	x = draw_globals(wb, s, x, room, after_pane, COUNT_OF(after_pane));
	draw_hint(wb, s, x, end, "help", "help");
}

static void
describe_calls(const struct workbench *wb, struct buf *out)
{
	const struct server *s = wb->ws.server;

	if (!s || server_calls_made(s) == 0)
		return;
	if (server_running(s) > 0) {
		buf_addf(out, "%zu running", server_running(s));
		return;
	}
	buf_addf(out, "%zu %s", server_calls_made(s), server_calls_made(s) == 1 ? "call" : "calls");
	const struct call *last =
	    server_call_count(s) ? server_call_at(s, server_call_count(s) - 1) : NULL;
	if (last) {
		struct buf time = BUF_INIT;
		add_time(&time, call_elapsed_us(last, wb->now_us));
		buf_addf(out, " · last %s", buf_text(&time));
		buf_finish(&time);
	}
}

/* What waits for an answer, of any server. Returns the column where it begins. */
static int
draw_badge(const struct workbench *wb, struct surface s, int end)
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
	snprintf(text, sizeof(text), " %zu question%s %s ", count, count == 1 ? "" : "s", key);
	int width = (int)strlen(text);
	surface_text(s, end - width, 0, -1, style_on(ROLE_BUTTON_FOCUS, ROLE_BUTTON_FOCUS), text);
	return end - width - 2;
}

void
bars_draw_bottom(struct workbench *wb, struct surface s)
{
	struct buf calls = BUF_INIT;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	describe_calls(wb, &calls);
	int used = surface_text_right(
	    s, s.width - 1, 0, s.width / 3, style_on(ROLE_DIM, ROLE_BAR), buf_text(&calls));
	int end = draw_badge(wb, s, s.width - used - 3);
	if (wb->message)
		surface_text(s, 1, 0, end - 1, style_on(wb->message_role, ROLE_BAR), wb->message);
	else if (wb->modal < MODAL_APPROVAL) /* those say their keys themselves */
		draw_hints(wb, s, end);
	buf_finish(&calls);
}
