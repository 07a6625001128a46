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

/* "demo 1.0 · 2026-07-28 · stdio · 0.4 ms": what is known of the connection. */
static void
describe_server(const struct workbench *wb, struct buf *out)
{
	const struct server *s = wb->ws.server;
	const struct session *session = server_session(s);
	size_t shown = start_shown(wb);
	bool wants_user = auth_flow_wants_user(server_auth(s));

	if (server_phase(s) != SERVER_READY) /* what is cut is the end */
		add_part(out, wants_user ? "not authorized" : server_phase_name(server_phase(s)));
	if (!wants_user && server_trouble(s)[0])
		buf_addf(out, "%s: %s", server_phase(s) == SERVER_READY ? "not reached" : "",
		    server_trouble(s));
	if (session && session_info(session)->server_name[0]) {
		add_part(out, session_info(session)->server_name);
		if (session_info(session)->server_version[0])
			buf_addf(out, " %s", session_info(session)->server_version);
	}
	if (session)
		add_part(out, session_info(session)->protocol);
	add_part(out, shown != SIZE_MAX && wb->ws.choices[shown].target->url ? "http" : "stdio");
	if (server_connect_us(s) >= 0) {
		buf_add_str(out, " · ");
		pane_add_duration(out, server_connect_us(s));
	}
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
		x += surface_text(
		    s, x, 0, 32, style_on(ROLE_TITLE, ROLE_BAR), tabs_server_name(wb, server));
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
