/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/glyph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The time line of a recording, in the top bar: "▶ 12:03:41.006 ━━━━━●──── 17/243". */

enum { BAR_LEAST = 6, BAR_MOST = 60, GAP_COLUMNS = 2 };

static void
draw_bar(struct workbench *wb, struct surface s, const struct time_line *t)
{
	size_t at = t->target >= 0 ? (size_t)t->target : t->at;
	int knob = at >= t->count ? s.width - 1
				  : (int)((double)at / (double)t->count * (s.width - 1) + 0.5);

	surface_repeat(s, 0, 0, s.width, style_on(ROLE_HINT, ROLE_BAR), 0x2500);
	surface_repeat(s, 0, 0, knob, style_on(ROLE_ACCENT, ROLE_BAR), 0x2501);
	surface_put(s, knob, 0, style_on(ROLE_TITLE, ROLE_BAR), 0x25cf);
	wb->frame.time_bar = (struct rect){ s.x, s.y, s.width, 1 };
}

void
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
		draw_bar(wb, surface_sub(s, x - bar, 0, bar, 1), t);
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
find(const struct time_line *t, const char *text, size_t *at)
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
go(struct workbench *wb, const char *to)
{
	const struct time_line *t = shown_line(wb);
	size_t at;

	if (!t)
		return workbench_refuse(wb, "only a recording has a time line: mcpane open FILE");
	if (!find(t, to, &at))
		return workbench_refuse(
		    wb, "a line number, +N, -N, start, end, play [SPEED] or pause");
	t->seek(t->owner, at, 0);
	return true;
}

static bool
play(struct workbench *wb, const char *speed)
{
	const struct time_line *t = shown_line(wb);
	char *end = NULL;
	double number = *speed ? strtod(speed, &end) : 1;

	if (!t)
		return go(wb, "");
	if ((end && (*end || end == speed)) || !(number > 0) || number > 1e6)
		return workbench_refuse(wb, "the speed is a number, such as 2 or 0.5");
	/* at the end it plays from the start */
	t->seek(t->owner, t->at >= t->count ? 0 : t->at, number);
	return true;
}

bool
cmd_time_line(struct workbench *wb, const char *arg)
{
	const struct time_line *t = shown_line(wb);
	bool toggles = arg[0] == '\0';

	if (strncmp(arg, "play", 4) == 0 && (arg[4] == ' ' || arg[4] == '\0'))
		return play(wb, arg + 4 + strspn(arg + 4, " "));
	if (t && (strcmp(arg, "pause") == 0 || (toggles && t->speed > 0))) {
		t->seek(t->owner, t->at, 0);
		return true;
	}
	return toggles ? play(wb, "") : go(wb, arg);
}

bool
cmd_step_time_line(struct workbench *wb, const char *arg, int by)
{
	char to[24];

	snprintf(to, sizeof(to), "%c%.20s", by > 0 ? '+' : '-', *arg ? arg : "1");
	return go(wb, to);
}

bool
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
