/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/glyph.h"
#include "client/notices.h"

#include <stdio.h>
#include <string.h>

/* The servers in the top bar, if there are several: "1 demo ●  2 files ◌". If they do not fit, the
 * started ones around the shown one, then the number of the others: "+12". */

/* The choice of the tab at x, or one of these. */
#define TABS_NONE SIZE_MAX
#define TABS_MORE (SIZE_MAX - 1)

enum { NAME_COLS = 24, GAP = 3, MORE_COLS = GAP + 3 };

static const struct {
	const char *mark;
	enum role role;
} phases[] = {
	[SERVER_IDLE] = { "◌", ROLE_DIM },
	[SERVER_UNPACKING] = { "◐", ROLE_ACCENT },
	[SERVER_STARTING] = { "◐", ROLE_ACCENT },
	[SERVER_LISTING] = { "◐", ROLE_ACCENT },
	[SERVER_READY] = { "●", ROLE_OK },
	[SERVER_FAILED] = { "✗", ROLE_ERROR },
	[SERVER_EXITED] = { "✗", ROLE_ERROR },
};

static const char *
tabs_server_mark(const struct server *server, enum role *role)
{
	enum server_phase phase = server ? server_info(server)->phase : SERVER_IDLE;
	bool asks = server && auth_flow_info(server_info(server)->auth).wants_user;
	bool unreached = phase == SERVER_READY && server_info(server)->trouble[0];

	*role = asks || unreached ? ROLE_WARNING : phases[phase].role;
	return asks ? "!" : unreached ? "○" : phases[phase].mark;
}

static const char *
tabs_mark(const struct server_choice *c, enum role *role)
{
	const char *mark = tabs_server_mark(c->server, role);
	bool broken =
	    c->target->trouble && (!c->server || server_info(c->server)->phase == SERVER_IDLE);

	if (!broken)
		return mark;
	*role = ROLE_HINT;
	return "–";
}

/* A typed command is named after its program, "node", until the server sends its name. */
static const char *
tab_name(const struct server_choice *c)
{
	const struct session *session = c->server ? server_info(c->server)->session : NULL;
	bool typed = c->target->argv && !c->target->file;

	return typed && session && session_info(session)->server_name[0]
		   ? session_info(session)->server_name
		   : c->target->name;
}

/* "12 name ●", and "▸3" if calls run. */
static int
tab_columns(const struct server_choice *c, size_t index)
{
	char text[48];
	const char *name = tab_name(c);
	int columns = (int)glyph_columns(name, strlen(name));
	size_t running = c->server ? server_running(c->server) : 0;
	int n = snprintf(text, sizeof(text), "%zu ", index + 1);

	if (running > 0)
		n += snprintf(text, sizeof(text), "x%zu", running);
	return n + (columns < NAME_COLS ? columns : NAME_COLS) + 2;
}

static bool
is_offered(const struct workbench *wb, size_t i, bool started)
{
	const struct server_choice *c = &wb->ws.choices[i];

	return !started || c->server != NULL;
}

static int
total_columns(const struct workbench *wb, size_t from, size_t to, bool started)
{
	int cols = 0;

	for (size_t i = from; i < to; i++)
		if (is_offered(wb, i, started))
			cols += tab_columns(&wb->ws.choices[i], i) + GAP;
	return cols;
}

static int
draw_tab(const struct workbench *wb, struct surface s, int x, size_t i, bool shown)
{
	const struct server_choice *c = &wb->ws.choices[i];
	size_t running = c->server ? server_running(c->server) : 0;
	enum role ground = shown ? ROLE_SELECTION : ROLE_BAR, role;
	int columns = tab_columns(c, i);
	char text[32];

	if (shown)
		surface_repeat(s, x - 1, 0, columns + 2, style_on(ROLE_TEXT, ground), ' ');
	surface_spot(s, x, 0);
	snprintf(text, sizeof(text), "%zu", i + 1);
	x += surface_text(s, x, 0, -1, style_on(ROLE_HINT, ground), text) + 1;
	x += surface_text(
		 s, x, 0, NAME_COLS, style_on(shown ? ROLE_TITLE : ROLE_DIM, ground), tab_name(c)) +
	     1;
	const char *mark = tabs_mark(c, &role);
	x += surface_text(s, x, 0, -1, style_on(role, ground), mark);
	if (running > 0) {
		snprintf(text, sizeof(text), "▸%zu", running);
		x += surface_text(s, x, 0, -1, style_on(ROLE_ACCENT, ground), text);
	}
	return x;
}

/* The number of hidden servers; a click lists all. */
static int
lay_out_more(struct surface *s, int x, size_t hidden, int at, size_t *found)
{
	char text[32];
	int columns = snprintf(text, sizeof(text), x > 0 ? "+%zu" : "%zu servers", hidden);

	if (s)
		surface_text(*s, x, 0, -1, style_on(ROLE_HINT, ROLE_BAR), text);
	if (found && at >= x && at < x + columns)
		*found = TABS_MORE;
	return x + columns + GAP;
}

/* Draws into s, or finds the tab at a column; returns the columns used. */
static int
lay_out(const struct workbench *wb, struct surface *s, int width, int at, size_t *found)
{
	size_t shown = start_shown(wb), hidden = wb->ws.choice_count;
	bool started = total_columns(wb, 0, wb->ws.choice_count, false) - GAP > width;
	int room = started ? width - MORE_COLS : width, x = 0;
	size_t first = 0;

	while (shown != SIZE_MAX && first < shown && /* the shown one has to fit */
	       total_columns(wb, first, shown + 1, started) - GAP > room)
		first++;
	for (size_t i = first; i < wb->ws.choice_count; i++) {
		if (!is_offered(wb, i, started))
			continue;
		int columns = tab_columns(&wb->ws.choices[i], i);
		if (x + columns > room)
			break;
		if (s)
			draw_tab(wb, *s, x, i, i == shown);
		if (found && at >= x - 1 && at <= x + columns)
			*found = i;
		x += columns + GAP;
		hidden--;
	}
	return hidden > 0 ? lay_out_more(s, x, hidden, at, found) : x;
}

bool
bars_lists_servers(const struct workbench *wb)
{
	return wb->ws.choice_count > 1;
}

static void
add_part(struct buf *out, const char *text)
{
	if (text && *text)
		buf_addf(out, "%s%s", out->len ? " · " : "", text);
}

/* The facts of the connection: "demo 1.0 · 2026-07-28 · stdio · 0.4 ms". */
static void
describe_server(const struct workbench *wb, struct buf *out)
{
	const struct server *s = wb->ws.server;
	const struct session *session = server_info(s)->session;
	size_t shown = start_shown(wb);
	bool wants_user = auth_flow_info(server_info(s)->auth).wants_user;

	if (server_info(s)->phase != SERVER_READY) /* the end is cut */
		add_part(
		    out, wants_user ? "not authorized" : server_phase_name(server_info(s)->phase));
	if (!wants_user && server_info(s)->trouble[0])
		buf_addf(out, "%s: %s", server_info(s)->phase == SERVER_READY ? "not reached" : "",
		    server_info(s)->trouble);
	if (session && session_info(session)->server_name[0]) {
		add_part(out, session_info(session)->server_name);
		if (session_info(session)->server_version[0])
			buf_addf(out, " %s", session_info(session)->server_version);
	}
	if (session)
		add_part(out, session_info(session)->protocol);
	add_part(out, shown != SIZE_MAX && wb->ws.choices[shown].target->url ? "http" : "stdio");
	if (server_info(s)->connect_us >= 0) {
		buf_add_str(out, " · ");
		pane_add_duration(out, server_info(s)->connect_us);
	}
}

enum { TABS_X = 10, FACTS_LEAST = 24, RECORDING_COLS = 7 };

static bool
is_recording(const struct workbench *wb)
{
	return wb->recording.recorder || wb->recording.session;
}

/* The facts of the shown server shrink, but stay. */
static int
tabs_width(const struct workbench *wb)
{
	int room = wb->frame.width - TABS_X - 1 - (is_recording(wb) ? RECORDING_COLS : 0);

	return wb->ws.server && room > 3 * FACTS_LEAST ? room - FACTS_LEAST : room;
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
	if (bars_lists_servers(wb)) {
		struct surface tabs = surface_sub(s, x, 0, tabs_width(wb), 1);
		x += lay_out(wb, &tabs, tabs.width, -2, NULL);
	} else if (server) {
		enum role role;
		const char *mark = tabs_server_mark(server, &role);
		size_t shown = start_shown(wb);
		x += surface_text(s, x, 0, 32, style_on(ROLE_TITLE, ROLE_BAR),
		    shown != SIZE_MAX ? tab_name(&wb->ws.choices[shown])
				      : server_info(server)->name);
		x += surface_text(s, x + 1, 0, -1, style_on(role, ROLE_BAR), mark) + 3;
	}
	if (is_recording(wb)) {
		surface_text(s, x, 0, -1, style_on(ROLE_ERROR, ROLE_BAR), "● rec");
		x += RECORDING_COLS;
	}
	size_t unseen = server ? server_info(server)->logs->unseen : 0; /* warnings and above */
	if (unseen > 0)
		x += surface_textf(
			 s, x, 0, 16, style_on(ROLE_WARNING, ROLE_BAR), "⚠ %zu logged", unseen) +
		     2;
	if (wb->ws.collection.environment.name)
		x += surface_textf(s, x, 0, 24, style_on(ROLE_ACCENT, ROLE_BAR), "env %s",
			 wb->ws.collection.environment.name) +
		     2;
	wb->frame.time_bar.width = 0;
	if (!server || s.width - 1 - x < FACTS_LEAST / 2)
		return;
	if (server_info(server)->time_line) {
		time_line_draw(wb, surface_sub(s, x, 0, s.width - 1 - x, 1));
		return;
	}
	struct buf facts = BUF_INIT;
	describe_server(wb, &facts);
	surface_text_right(
	    s, s.width - 1, 0, s.width - 1 - x, style_on(ROLE_DIM, ROLE_BAR), buf_text(&facts));
	buf_finish(&facts);
}

/* ---- tabs, if not all panes fit ---- */

static bool
has_tab(struct workbench *wb, int pane)
{
	enum pane_slot slot = pane_table[pane].slot;

	if (slot == SLOT_LIST)
		return wb->frame.layout.shape == LAYOUT_TABS;
	return slot == SLOT_STACKED && workbench_has(wb, (enum pane_id)pane);
}

/* The verdict mark in the tab of the validation pane: one column. */
static const struct verdict *
tab_verdict(const struct workbench *wb, int pane)
{
	const struct call *call = workspace_call(&wb->ws);

	return pane == PANE_validation && call && call->state != CALL_RUNNING ? &call->verdict
									      : NULL;
}

/* The tab of the list names the kind it shows. */
static const char *
tab_title(const struct workbench *wb, int pane)
{
	static const char *const lists[PRIMITIVE_KINDS] = { "Tools", "Resources", "Resources",
		"Prompts" };

	return pane == PANE_tools ? lists[wb->ws.tab] : pane_table[pane].ops->title;
}

static int
tab_width(const struct workbench *wb, int pane)
{
	const char *title = tab_title(wb, pane);

	return (int)glyph_columns(title, strlen(title)) + (tab_verdict(wb, pane) ? 4 : 2);
}

/* The pane whose tab is at column x, -1: none. */
static int
tab_at(struct workbench *wb, int x)
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
	int shown = wb->frame.layout.shape == LAYOUT_TABS ? (int)wb->focus : (int)wb->right;
	int x = 1;

	surface_clear(s, style_of(ROLE_TEXT));
	for (int i = 0; i < PANE_COUNT; i++) {
		if (!has_tab(wb, i))
			continue;
		struct style style =
		    i == shown ? style_on(ROLE_TITLE, ROLE_SELECTION) : style_of(ROLE_DIM);
		surface_repeat(s, x, 0, tab_width(wb, i), style, ' ');
		surface_put(s, x, 0, style, frame_number(i));
		surface_spot(s, x, 0);
		int end = x + 1 + surface_text(s, x + 1, 0, -1, style, tab_title(wb, i));
		const struct verdict *v = tab_verdict(wb, i);
		if (v)
			surface_text(s, end + 1, 0, 1, style_of(pane_verdict_roles[v->kind]),
			    verdict_looks[v->kind].mark);
		x += tab_width(wb, i) + 1;
	}
}

bool
bars_mouse(struct workbench *wb, const struct key *key)
{
	if (time_line_mouse(wb, key))
		return true;
	bool in_top = key->y == 0 && bars_lists_servers(wb);
	bool in_tabs = rect_has(&wb->frame.layout.tabs, key->x, key->y);

	if (key->action != MOUSE_PRESS)
		return in_top || in_tabs;
	if (in_top) {
		size_t tab = TABS_NONE;
		lay_out(wb, NULL, tabs_width(wb), key->x - TABS_X, &tab);
		if (tab == TABS_MORE)
			workbench_run(wb, "server", wb->now_us);
		else if (tab != TABS_NONE)
			start_show(wb, tab);
	} else if (in_tabs) {
		int pane = tab_at(wb, key->x - wb->frame.layout.tabs.x);
		if (pane >= 0)
			workbench_focus(wb, (enum pane_id)pane);
	}
	return in_top || in_tabs;
}
