/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/glyph.h"
#include "client/notices.h"
#include "client/recipe_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The time line of a recording, in the top bar: "▶ 12:03:41.006 ━━━━━●──── 17/243". */

enum { BAR_LEAST = 6, BAR_MOST = 60, GAP_COLUMNS = 2 };

static void
time_line_draw(struct workbench *wb, struct surface s)
{
	const struct server_info *info = server_info(wb->ws.server);
	const struct time_line *t = info->time_line;
	const char *mark = t->speed > 0 ? "▶ " : t->live ? "" : "❚❚ ";
	struct buf clock = BUF_INIT, count = BUF_INIT;

	int64_t second = t->at_us / 1000000 + journal_info(info->journal)->zone_s;
	buf_addf(&clock, "%s%02d:%02d:%02d.%03d", mark, (int)(second / 3600 % 24),
	    (int)(second / 60 % 60), (int)(second % 60), (int)(t->at_us / 1000 % 1000));
	if (t->target >= 0)
		buf_addf(&count, "%zu → %zu", t->at, (size_t)t->target);
	else
		buf_addf(&count, "%zu/%zu%s", t->at, t->count, t->reading ? "…" : "");
	if (t->damaged > 0)
		buf_addf(&count, " · %zu damaged", t->damaged);
	int left = (int)glyph_columns(buf_text(&clock), clock.len);
	int right = (int)glyph_columns(buf_text(&count), count.len);
	int bar = s.width - left - right - 2 * GAP_COLUMNS;
	bar = bar > BAR_MOST ? BAR_MOST : bar;
	wb->frame.time_bar.width = 0;
	surface_text_right(s, s.width, 0, s.width, style_on(ROLE_DIM, ROLE_BAR), buf_text(&count));
	int x = s.width - right - GAP_COLUMNS;
	if (bar >= BAR_LEAST) {
		size_t at = t->target >= 0 ? (size_t)t->target : t->at;
		int knob = at >= t->count ? bar - 1
					  : (int)((double)at / (double)t->count * (bar - 1) + 0.5);
		struct surface line = surface_sub(s, x - bar, 0, bar, 1);
		surface_repeat(line, 0, 0, line.width, style_on(ROLE_HINT, ROLE_BAR), 0x2500);
		surface_repeat(line, 0, 0, knob, style_on(ROLE_ACCENT, ROLE_BAR), 0x2501);
		surface_put(line, knob, 0, style_on(ROLE_TITLE, ROLE_BAR), 0x25cf);
		wb->frame.time_bar = (struct rect){ line.x, line.y, line.width, 1 };
		x -= bar + GAP_COLUMNS;
	}
	if (x >= left)
		surface_text(s, x - left, 0, left,
		    style_on(t->live ? ROLE_DIM : ROLE_TEXT, ROLE_BAR), buf_text(&clock));
	buf_finish(&clock);
	buf_finish(&count);
}

/* ---- moving ---- */

static const struct time_line *
shown_line(const struct workbench *wb)
{
	return wb->ws.server ? server_info(wb->ws.server)->time_line : NULL;
}

/* A line number, "+N", "-N", start or end. */
static bool
find_line(const struct time_line *t, const char *text, size_t *at)
{
	size_t from = t->target >= 0 ? (size_t)t->target : t->at;
	bool back = text[0] == '-', relative = back || text[0] == '+';
	size_t len = strspn(text + relative, "0123456789");
	size_t n = len > 0 && len < 18 ? strtoul(text + relative, NULL, 10) : 0;

	if (strcmp(text, "start") == 0)
		*at = 0;
	else if (strcmp(text, "end") == 0)
		*at = SIZE_MAX;
	else if (len == 0 || len > 17 || text[relative + len])
		return false;
	else if (back)
		*at = n < from ? from - n : 0;
	else
		*at = relative ? from + n : n;
	return true;
}

static bool
go_to_line(struct workbench *wb, const char *to)
{
	const struct time_line *t = shown_line(wb);
	size_t at;

	if (!t)
		return workbench_refuse(wb, "only a recording has a time line: mcpane open FILE");
	if (!find_line(t, to, &at))
		return workbench_refuse(
		    wb, "a line number, +N, -N, start, end, play [SPEED] or pause");
	t->seek(t->owner, at, 0);
	return true;
}

static bool
cmd_time_line(struct workbench *wb, const char *arg)
{
	const struct time_line *t = shown_line(wb);
	bool plays = strncmp(arg, "play", 4) == 0 && (arg[4] == ' ' || arg[4] == '\0');
	bool toggles = *arg == '\0';

	if (!t || (!plays && !toggles && strcmp(arg, "pause") != 0))
		return go_to_line(wb, arg);
	if (!plays && (!toggles || t->speed > 0)) {
		t->seek(t->owner, t->at, 0);
		return true;
	}
	const char *speed = plays ? arg + 4 + strspn(arg + 4, " ") : "";
	char *end = NULL;
	double number = *speed ? strtod(speed, &end) : 1;
	if ((end && (*end || end == speed)) || !(number > 0) || number > 1e6)
		return workbench_refuse(wb, "the speed is a number, such as 2 or 0.5");
	/* at the end it plays from the start */
	t->seek(t->owner, t->at >= t->count ? 0 : t->at, number);
	return true;
}

static bool
cmd_step_time_line(struct workbench *wb, const char *arg, int by)
{
	char to[24];

	snprintf(to, sizeof(to), "%c%.20s", by > 0 ? '+' : '-', *arg ? arg : "1");
	return go_to_line(wb, to);
}

static bool
time_line_mouse(struct workbench *wb, const struct key *key)
{
	const struct time_line *t = shown_line(wb);
	const struct rect *bar = &wb->frame.time_bar;
	bool moves = key->action == MOUSE_PRESS || key->action == MOUSE_DRAG;

	if (!t || bar->width < 2 || !rect_has(bar, key->x, key->y))
		return false;
	if (moves)
		t->seek(t->owner,
		    key->x == bar->x + bar->width - 1
			? SIZE_MAX
			: (size_t)((double)(key->x - bar->x) / (bar->width - 1) * (double)t->count),
		    0);
	return true;
}

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

static int
total_columns(const struct workbench *wb, size_t from, size_t to, bool started)
{
	int cols = 0;

	for (size_t i = from; i < to; i++)
		if (!started || wb->ws.choices[i].server)
			cols += tab_columns(&wb->ws.choices[i], i) + GAP;
	return cols;
}

static void
draw_server_tab(const struct workbench *wb, struct surface s, int x, size_t i, bool shown)
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
	const char *mark = tabs_server_mark(c->server, &role);
	if (c->target->trouble && (!c->server || server_info(c->server)->phase == SERVER_IDLE)) {
		role = ROLE_HINT;
		mark = "–";
	}
	x += surface_text(s, x, 0, -1, style_on(role, ground), mark);
	if (running > 0)
		surface_textf(s, x, 0, 32, style_on(ROLE_ACCENT, ground), "▸%zu", running);
}

/* Draws into s, or finds the tab at a column; returns the columns used. */
static int
lay_out_tabs(const struct workbench *wb, struct surface *s, int width, int at, size_t *found)
{
	size_t shown = start_shown(wb), hidden = wb->ws.choice_count;
	bool started = total_columns(wb, 0, wb->ws.choice_count, false) - GAP > width;
	int room = started ? width - MORE_COLS : width, x = 0;
	size_t first = 0;

	while (shown != SIZE_MAX && first < shown && /* the shown one has to fit */
	       total_columns(wb, first, shown + 1, started) - GAP > room)
		first++;
	for (size_t i = first; i < wb->ws.choice_count; i++) {
		if (started && !wb->ws.choices[i].server)
			continue;
		int columns = tab_columns(&wb->ws.choices[i], i);
		if (x + columns > room)
			break;
		if (s)
			draw_server_tab(wb, *s, x, i, i == shown);
		if (found && at >= x - 1 && at <= x + columns)
			*found = i;
		x += columns + GAP;
		hidden--;
	}
	if (hidden == 0)
		return x;
	char more[32]; /* the number of hidden servers; a click lists all */
	int columns = snprintf(more, sizeof(more), x > 0 ? "+%zu" : "%zu servers", hidden);
	if (s)
		surface_text(*s, x, 0, -1, style_on(ROLE_HINT, ROLE_BAR), more);
	if (found && at >= x && at < x + columns)
		*found = TABS_MORE;
	return x + columns + GAP;
}

static void
add_fact(struct buf *out, const char *text)
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
		add_fact(
		    out, wants_user ? "not authorized" : server_phase_name(server_info(s)->phase));
	if (!wants_user && server_info(s)->trouble[0])
		buf_addf(out, "%s: %s", server_info(s)->phase == SERVER_READY ? "not reached" : "",
		    server_info(s)->trouble);
	if (session && session_info(session)->server_name[0]) {
		add_fact(out, session_info(session)->server_name);
		if (session_info(session)->server_version[0])
			buf_addf(out, " %s", session_info(session)->server_version);
	}
	if (session)
		add_fact(out, session_info(session)->protocol);
	add_fact(out, shown != SIZE_MAX && wb->ws.choices[shown].target->url ? "http" : "stdio");
	if (server_info(s)->connect_us >= 0)
		buf_addf(out, " · %s", pane_duration(server_info(s)->connect_us).text);
}

enum { TABS_X = 10, FACTS_LEAST = 24, RECORDING_COLS = 7 };

/* The facts of the shown server shrink, but stay. */
static int
tabs_width(const struct workbench *wb)
{
	bool records = wb->recording.recorder || wb->recording.session;
	int room = wb->frame.width - TABS_X - 1 - (records ? RECORDING_COLS : 0);

	return wb->ws.server && room > 3 * FACTS_LEAST ? room - FACTS_LEAST : room;
}

static void
bars_draw_top(struct workbench *wb, struct surface s)
{
	struct style name = style_on(ROLE_ACCENT, ROLE_BAR);
	const struct server *server = wb->ws.server;
	int x = TABS_X;

	surface_clear(s, style_on(ROLE_TEXT, ROLE_BAR));
	name.attr = ATTR_BOLD;
	surface_text(s, 1, 0, -1, name, "mcpane");
	if (wb->ws.choice_count > 1) {
		struct surface tabs = surface_sub(s, x, 0, tabs_width(wb), 1);
		x += lay_out_tabs(wb, &tabs, tabs.width, -2, NULL);
	} else if (server) {
		enum role role;
		const char *mark = tabs_server_mark(server, &role);
		size_t shown = start_shown(wb);
		x += surface_text(s, x, 0, 32, style_on(ROLE_TITLE, ROLE_BAR),
		    shown != SIZE_MAX ? tab_name(&wb->ws.choices[shown])
				      : server_info(server)->name);
		x += surface_text(s, x + 1, 0, -1, style_on(role, ROLE_BAR), mark) + 3;
	}
	if (wb->recording.recorder || wb->recording.session) {
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

static uint32_t
frame_number(int pane)
{
	static const uint32_t superscripts[FRAME_NUMBERS] = { 0xb9, 0xb2, 0xb3, 0x2074, 0x2075,
		0x2076, 0x2077, 0x2078, 0x2079 };

	return pane_number(pane) < FRAME_NUMBERS ? superscripts[pane_number(pane)] : ' ';
}

/* Draws the tabs into s, or returns the pane whose tab is at a column; -1: none. The tab of the
 * list names the kind that it shows, and that of the validation has a verdict mark. */
static int
lay_out_panes(struct workbench *wb, struct surface *s, int at)
{
	static const char *const lists[PRIMITIVE_KINDS] = { "Tools", "Resources", "Resources",
		"Prompts" };
	const struct call *call = workspace_call(&wb->ws);
	bool has_list = wb->frame.layout.shape == LAYOUT_TABS;
	int shown = has_list ? (int)wb->focus : (int)wb->right, x = 1;

	if (s)
		surface_clear(*s, style_of(ROLE_TEXT));
	for (int i = 0; i < PANE_COUNT; i++) {
		enum pane_slot slot = pane_table[i].slot;
		bool stacked = slot == SLOT_STACKED && workbench_has(wb, (enum pane_id)i);
		if (!stacked && (slot != SLOT_LIST || !has_list))
			continue;
		const char *title = i == PANE_tools ? lists[wb->ws.tab] : pane_table[i].ops->title;
		bool checked = i == PANE_validation && call && call->state != CALL_RUNNING;
		int width = (int)glyph_columns(title, strlen(title)) + (checked ? 4 : 2);
		if (at >= x && at < x + width)
			return i;
		if (s) {
			struct style style =
			    i == shown ? style_on(ROLE_TITLE, ROLE_SELECTION) : style_of(ROLE_DIM);
			surface_repeat(*s, x, 0, width, style, ' ');
			surface_put(*s, x, 0, style, frame_number(i));
			surface_spot(*s, x, 0);
			int end = x + 1 + surface_text(*s, x + 1, 0, -1, style, title);
			if (checked)
				surface_text(*s, end + 1, 0, 1,
				    style_of(pane_verdict_roles[call->verdict.kind]),
				    verdict_looks[call->verdict.kind].mark);
		}
		x += width + 1;
	}
	return -1;
}

bool
bars_mouse(struct workbench *wb, const struct key *key)
{
	if (time_line_mouse(wb, key))
		return true;
	bool in_top = key->y == 0 && wb->ws.choice_count > 1;
	bool in_tabs = rect_has(&wb->frame.layout.tabs, key->x, key->y);

	if (key->action != MOUSE_PRESS)
		return in_top || in_tabs;
	if (in_top) {
		size_t tab = TABS_NONE;
		lay_out_tabs(wb, NULL, tabs_width(wb), key->x - TABS_X, &tab);
		if (tab == TABS_MORE)
			workbench_run(wb, "server", wb->now_us);
		else if (tab != TABS_NONE)
			start_show(wb, tab);
	} else if (in_tabs) {
		int pane = lay_out_panes(wb, NULL, key->x - wb->frame.layout.tabs.x);
		if (pane >= 0)
			workbench_focus(wb, (enum pane_id)pane);
	}
	return in_top || in_tabs;
}

int
buttons_add(struct buttons *b, struct surface s, int x, int y, enum role role, const char *text)
{
	struct surface place = surface_sub(s, x, y, (int)glyph_columns(text, strlen(text)), 1);

	surface_text(place, 0, 0, -1, style_on(role, ROLE_NONE), text);
	if (b->len < BUTTONS_MAX)
		b->items[b->len++] = (struct rect){ place.x, place.y, place.width, place.height };
	return x + place.width;
}

int
buttons_at(const struct buttons *b, const struct key *key)
{
	if (key->kind != KEY_MOUSE || key->action != MOUSE_PRESS)
		return -1;
	for (int i = 0; i < b->len; i++)
		if (rect_has(&b->items[i], key->x, key->y))
			return i;
	return -1;
}

struct surface
dialog_box(struct surface main, int width, int height)
{
	width = width < main.width ? width : main.width;
	height = height < main.height ? height : main.height;
	struct surface box =
	    surface_sub(main, (main.width - width) / 2, (main.height - height) / 2, width, height);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	return box;
}

/* Draws a frame from the layout. */

static int
want_of(struct workbench *wb, int pane, int width)
{
	const struct view_ops *ops = pane_table[pane].ops;
	struct view_env env = workbench_env(wb, (enum pane_id)pane);

	return ops->want ? ops->want(wb->panes[pane].state, &env, width) : 0;
}

/* The wishes of the panes at the widths that they will have. */
static void
ask_wants(struct workbench *wb, struct layout_input *in, bool ended)
{
	enum { FRAME = 4 };

	if (in->overlay >= 0) { /* the others are asked when they are drawn below it */
		in->is_wide = pane_table[in->overlay].ops->is_wide;
		in->want[in->overlay] =
		    want_of(wb, in->overlay, in->is_wide ? in->width - FRAME : LAYOUT_BOX_INNER);
		return;
	}
	if (wb->frame.most.width != in->width || wb->frame.most.height != in->height)
		wb->frame.most = (struct most_wanted){ in->width, in->height, 0, 0 };
	const struct view *value = view_of_value(&wb->panes[PANE_structured]);
	int columns =
	    value->in->value && value->ops->columns ? value->ops->columns(value->state) : 0;
	if (workbench_has(wb, PANE_structured) && columns > wb->frame.most.columns)
		wb->frame.most.columns = columns;
	in->columns = wb->frame.most.columns;
	in->want[PANE_tools] = want_of(wb, PANE_tools, in->width);
	struct layout_columns c = layout_columns(in);
	for (int i = PANE_COUNT; i-- > 0;) { /* content's stack depends on structuredContent */
		in->absent[i] = !workbench_has(wb, (enum pane_id)i);
		if (pane_table[i].slot != SLOT_STACKED)
			continue;
		in->want[i] = want_of(wb, i, c.stacks[layout_stack_of(&c, in, i)] - FRAME);
		in->silent[i] = ended && in->want[i] == 0;
	}
	if (wb->ws.desk && in->want[PANE_form] > wb->frame.most.form_rows)
		wb->frame.most.form_rows = in->want[PANE_form];
	in->form_rows = wb->frame.most.form_rows;
}

static void
layout_for(struct workbench *wb, int width, int height)
{
	if (!workbench_has(wb, wb->right))
		wb->right = PANE_content;
	if (!workbench_has(wb, wb->focus))
		wb->focus = PANE_content;
	const struct call *call = workspace_call(&wb->ws);
	struct layout_input in = {
		.width = width,
		.height = height,
		.focus = wb->focus,
		.right = wb->right,
		.overlay = wb->overlay,
		.zoomed = wb->zoomed,
		.sizes = wb->frame.sizes,
		.no_strip = wb->frame.no_strip,
		.floats = workbench_has_floating(wb),
		.has_call = call != NULL,
	};

	ask_wants(wb, &in, call && call->state != CALL_RUNNING);
	wb->frame.layout = layout_make(&in);
}

/* A fact that names a key, "definition F2", can be clicked. */
static void
note_key(struct workbench *wb, struct surface outer, enum pane_id id)
{
	const struct cell *row =
	    outer.grid->cells + (size_t)outer.y * (size_t)outer.grid->width + outer.x;

	wb->frame.titles.keys[id].place.width = 0;
	for (int x = 1; x + 2 < outer.width; x++) {
		bool digit = row[x + 1].ch >= '1' && row[x + 1].ch <= '9';
		if (row[x - 1].ch != ' ' || row[x].ch != 'F' || !digit || row[x + 2].ch != ' ')
			continue;
		int from = x, to = x + 2;
		while (from > 2 && !(row[from - 1].ch == ' ' && row[from - 2].ch == ' ') &&
		       row[from - 1].ch < 0x2500)
			from--;
		while (to + 1 < outer.width && row[to + 1].ch < 0x2500)
			to++;
		struct titles *titles = &wb->frame.titles;
		titles->keys[id].number = row[x + 1].ch - '0';
		titles->keys[id].place = (struct rect){ outer.x + from, outer.y, to - from, 1 };
		return;
	}
}

/* The filter or search follows the title, with a ✕ to click. */
struct surface
frame_draw(struct workbench *wb, struct surface outer, int pane, const char *title,
    const char *facts, enum role role)
{
	bool focused = pane >= PANE_COUNT || (!wb->dialog && (int)workbench_focused(wb) == pane);
	struct buf chip = BUF_INIT, whole = BUF_INIT;
	int columns = (int)glyph_columns(title, strlen(title));

	find_chip(wb, pane, &chip);
	buf_addf(&whole, "%s%s%s", title, chip.len > 0 ? "  " : "", buf_text(&chip));
	int width = (int)glyph_columns(buf_text(&chip), chip.len);
	int x = columns + 4, last = outer.width - 3 - width;
	struct surface inner = surface_frame(outer, focused, buf_text(&whole), facts, role);
	buf_finish(&whole);
	x = x < last ? x : last > 2 ? last : 2;
	wb->frame.titles.chips[pane] = (struct rect){ 0 };
	if (chip.len > 0) {
		surface_put(outer, x - 1, 0, style_of(ROLE_BORDER), ' ');
		int used = surface_text(outer, x, 0, outer.width - x - 2,
		    style_on(ROLE_BAR_KEY, ROLE_SELECTION), buf_text(&chip));
		wb->frame.titles.chips[pane] =
		    (struct rect){ outer.x + x + used - 1, outer.y, 1, 1 };
	}
	buf_finish(&chip);
	if (pane < PANE_COUNT)
		note_key(wb, outer, (enum pane_id)pane);
	if (pane < PANE_COUNT && wb->frame.titles.keys[pane].place.width > 0)
		surface_spot(outer, wb->frame.titles.keys[pane].place.x - outer.x, 0);
	if (pane < PANE_COUNT)
		surface_spot(outer, 2, 0);
	if (pane_number(pane) < FRAME_NUMBERS && inner.width > 0)
		surface_put(
		    outer, 1, 0, style_of(focused ? ROLE_FOCUS : ROLE_DIM), frame_number(pane));
	return inner;
}

static void
draw_pane(struct workbench *wb, struct grid *g, enum pane_id id)
{
	const struct view_ops *ops = pane_table[id].ops;
	struct rect r = wb->frame.layout.panes[id];
	struct view_env env = workbench_env(wb, id);
	struct buf title = BUF_INIT, facts = BUF_INIT;

	env.width = r.width - 4;
	enum role role = ROLE_DIM;
	if (ops->heading)
		role = ops->heading(wb->panes[id].state, &env, &title, &facts);
	struct surface outer = surface_sub(surface_whole(g), r.x, r.y, r.width, r.height);
	if (title.len == 0)
		buf_add_str(&title, ops->draw_title ? " " : ops->title);
	struct surface inner =
	    frame_draw(wb, outer, (int)id, buf_text(&title), buf_text(&facts), role);
	if (ops->draw_title)
		ops->draw_title(
		    wb->panes[id].state, &env, surface_sub(outer, 2, 0, outer.width - 3, 1));
	ops->draw(wb->panes[id].state, &env, inner);
	find_light(wb, (int)id, inner);
	buf_finish(&title);
	buf_finish(&facts);
}

static void
draw_panes(struct workbench *wb, struct grid *g)
{
	bool floats = workbench_has_floating(wb);

	for (int i = 0; i < PANE_COUNT; i++)
		if (wb->frame.layout.panes[i].width > 0 && !(floats && i == PANE_app))
			draw_pane(wb, g, (enum pane_id)i);
		else
			wb->frame.titles.chips[i].width = wb->frame.titles.keys[i].place.width = 0;
}

void
workbench_set_size(struct workbench *wb, int width, int height)
{
	wb->frame.width = width;
	wb->frame.height = height;
	layout_for(wb, width, height);
}

/* The panes that the box of an overlay leaves in sight. */
static void
draw_below(struct workbench *wb, struct grid *g)
{
	struct layout box = wb->frame.layout;
	struct rect r = box.panes[wb->overlay];
	int overlay = wb->overlay;

	wb->overlay = -1;
	layout_for(wb, g->width, g->height);
	wb->overlay = overlay;
	draw_panes(wb, g);
	g->spot_count = 0; /* clicks there do nothing */
	surface_dim(surface_whole(g));
	surface_clear(surface_sub(surface_whole(g), r.x, r.y, r.width, r.height),
	    style_on(ROLE_TEXT, ROLE_DIALOG));
	wb->frame.layout = box;
}

/* Drops those of the first `before` spots that the box covers. */
static void
drop_spots(struct grid *g, int before, const struct rect *box)
{
	int kept = 0;

	for (int i = 0; i < g->spot_count; i++)
		if (i >= before || !rect_has(box, g->spots[i].x, g->spots[i].y))
			g->spots[kept++] = g->spots[i];
	g->spot_count = kept;
}

static void
draw_pop_up(struct workbench *wb, struct surface main)
{
	enum pane_id id = workbench_focused(wb);
	const struct view_ops *ops = pane_table[id].ops;
	struct rect r = wb->frame.layout.panes[id];

	wb->frame.pop_up.width = 0;
	if (!ops->pop_up || r.width == 0)
		return;
	struct view_env env = workbench_env(wb, id);
	struct surface inner =
	    surface_sub(surface_whole(main.grid), r.x + 2, r.y + 1, r.width - 4, r.height - 2);
	int before = main.grid->spot_count;
	struct surface box = ops->pop_up(wb->panes[id].state, &env, main, inner);
	wb->frame.pop_up = (struct rect){ box.x, box.y, box.width, box.height };
	drop_spots(main.grid, before, &wb->frame.pop_up);
}

void
workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us)
{
	struct surface all = surface_whole(g);

	wb->now_us = now_us;
	int64_t wake_us = recipe_show_wake_us(wb->ws.recipe);
	if (wake_us > 0 && now_us >= wake_us)
		workbench_advance(wb, now_us);
	wb->frame.width = g->width;
	wb->frame.height = g->height;
	g->unfinished = record_session_step(wb);
	wb->frame.unfinished = g->unfinished;
	g->spot_count = g->picture_count = 0;
	g->follows_mouse = false;
	surface_clear(all, style_of(ROLE_TEXT));
	if (g->width < 20 || g->height < 6) {
		surface_text(all, 0, 0, -1, style_of(ROLE_TEXT), "too small");
		return;
	}
	workbench_settle(wb);
	workbench_sync(wb);
	layout_for(wb, g->width, g->height);
	if (wb->frame.layout.shape == LAYOUT_BOX)
		draw_below(wb, g);
	draw_panes(wb, g);
	if (workbench_has_floating(wb)) {
		struct rect r = wb->frame.layout.panes[PANE_app];
		drop_spots(g, g->spot_count, &r);
		surface_clear(surface_sub(all, r.x, r.y, r.width, r.height),
		    style_on(ROLE_TEXT, ROLE_DIALOG));
		draw_pane(wb, g, PANE_app);
	}
	struct surface main = surface_sub(all, 0, 1, g->width, g->height - 2);
	bars_draw_top(wb, surface_sub(all, 0, 0, g->width, 1));
	const struct rect *tabs = &wb->frame.layout.tabs;
	if (tabs->width > 0) {
		struct surface row = surface_sub(all, tabs->x, tabs->y, tabs->width, 1);
		lay_out_panes(wb, &row, -1);
	}
	struct surface bottom = surface_sub(all, 0, g->height - 1, g->width, 1);
	draw_pop_up(wb, main);
	hints_draw(wb, bottom);
	if (wb->dialog) {
		if (!wb->palette.previews)
			surface_dim(main);
		wb->dialog->draw(wb, main, bottom);
	}
	if (wb->find.open && (!wb->dialog || wb->dialog->seek))
		find_draw(wb, bottom);
	asked_on_drawn(wb);
	wb->frame.unfinished = g->unfinished;
}

/* clang-format off */
const struct command screen_commands[] = {
	COMMAND("time-line", "", "[N|+N|-N|start|end|play [SPEED]|pause]", "move in a recording", cmd_time_line),
	COMMAND_WITH("earlier", "alt-,", "[N]", "go back one line of an open recording, or N", cmd_step_time_line, -1),
	COMMAND_WITH("later", "alt-.", "[N]", "go forward one line of an open recording, or N", cmd_step_time_line, 1),
	{ 0 },
};
/* clang-format on */
