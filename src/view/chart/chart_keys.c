#include "chart_view.h"

#include <math.h>
#include <stdlib.h>

static size_t
points_of(const struct chart_view *v)
{
	const struct chart *c = &v->reading.chart;

	return v->series < c->choice.y_count ? c->series[v->series].len : 0;
}

static bool
is_drawn(const struct chart_view *v, size_t point)
{
	return !isnan(v->reading.chart.series[v->series].items[point].high);
}

void
chart_view_settle(struct chart_view *v)
{
	size_t count = points_of(v), at = v->point;

	if (v->choice.kind == CHART_BOX) {
		v->point = at < CHART_FIVE ? at : CHART_MEDIAN;
		list_select(&v->list, v->series);
		return;
	}
	if (count == 0)
		return;
	at = at < count ? at : count - 1;
	while (at + 1 < count && !is_drawn(v, at))
		at++;
	while (at > 0 && !is_drawn(v, at))
		at--;
	v->point = at;
}

static void
move_point(struct chart_view *v, ptrdiff_t by)
{
	size_t count = v->choice.kind == CHART_BOX ? (size_t)CHART_FIVE : points_of(v);
	size_t at = v->point;

	for (size_t left = (size_t)(by < 0 ? -by : by); left > 0 && count > 0; left--) {
		size_t next = by < 0 ? at - 1 : at + 1;
		while (next < count && v->choice.kind != CHART_BOX && !is_drawn(v, next))
			next = by < 0 ? next - 1 : next + 1;
		if (next >= count)
			break;
		at = next;
	}
	v->point = at;
}

/* The point of the series that is nearest to a place on the screen; y < 0: only across. */
static size_t
nearest(const struct chart_view *v, double x, double y)
{
	const struct chart_series *s = &v->reading.chart.series[v->series];
	size_t best = v->point;
	double least = INFINITY;

	for (size_t i = 0; i < s->len; i++) {
		if (isnan(s->items[i].high))
			continue;
		double across = chart_place(v->x, s->items[i].x) - x;
		double up = y < 0 ? 0 : chart_place(v->y, s->items[i].high) - y;
		double distance = across * across + up * up;
		if (distance < least) {
			least = distance;
			best = i;
		}
	}
	return best;
}

/* To another series at the same place of the axis. */
static void
move_series(struct chart_view *v, int by)
{
	const struct chart_point *p = chart_view_point(v);
	size_t count = v->choice.y_count;

	if (by < 0 ? v->series == 0 : v->series + 1 >= count)
		return;
	double x = p ? chart_place(v->x, p->x) : 0;
	v->series = by < 0 ? v->series - 1 : v->series + 1;
	if (!chart_view_has_rows(v) && v->choice.kind != CHART_BOX && p)
		v->point = nearest(v, x, -1);
	chart_view_settle(v);
}

static int
direction(const struct key *key, enum key_kind back, enum key_kind forth, uint32_t h, uint32_t l)
{
	if (key->mods != 0)
		return 0;
	if (key->kind == back || (key->kind == KEY_CHAR && key->ch == h))
		return -1;
	return key->kind == forth || (key->kind == KEY_CHAR && key->ch == l) ? 1 : 0;
}

static bool
jump(struct chart_view *v, const struct key *key)
{
	ptrdiff_t all = (ptrdiff_t)points_of(v) + CHART_FIVE, page = all / 10 + 1;
	bool is_char = key->kind == KEY_CHAR && key->mods == 0;

	if (key->kind == KEY_HOME || (is_char && (key->ch == 'g' || key->ch == '0')))
		move_point(v, -all);
	else if (key->kind == KEY_END || (is_char && (key->ch == 'G' || key->ch == '$')))
		move_point(v, all);
	else if (key->kind == KEY_PAGE_UP || key->kind == KEY_PAGE_DOWN)
		move_point(v, key->kind == KEY_PAGE_UP ? -page : page);
	else
		return false;
	return true;
}

static bool
on_mouse(struct chart_view *v, const struct key *key)
{
	int x = key->x - (v->plot.x - v->whole.x), y = key->y - (v->plot.y - v->whole.y);
	bool inside = x >= 0 && y >= 0 && x < v->plot.width && y < v->plot.height;
	bool lines = chart_view_has_rows(v) || v->choice.kind == CHART_BOX;
	size_t row;

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		if (lines)
			list_scroll(&v->list, key->action == MOUSE_WHEEL_UP ? -3 : 3);
		else
			move_point(v, key->action == MOUSE_WHEEL_UP ? -1 : 1);
		return true;
	}
	if ((key->action != MOUSE_PRESS && key->action != MOUSE_DRAG) || !inside)
		return false;
	if (!lines) {
		v->point = nearest(v, v->plot.width > 1 ? (double)x / (v->plot.width - 1) : 0,
		    v->choice.kind == CHART_SCATTER && v->plot.height > 1
			? 1 - (double)y / (v->plot.height - 1)
			: -1);
		return true;
	}
	bool found = v->rows_each > 0 && list_row_at(&v->list, y / v->rows_each, &row);
	bool again = found && row == v->list.selected;
	if (found)
		list_select(&v->list, row);
	if (found && v->choice.kind == CHART_BOX)
		v->series = row;
	return found && !again;
}

bool
chart_view_key(void *state, const struct view_env *env, const struct key *key)
{
	struct chart_view *v = state;
	int across = direction(key, KEY_LEFT, KEY_RIGHT, 'h', 'l');
	int down = direction(key, KEY_UP, KEY_DOWN, 'k', 'j');

	if (!v->can || v->reading.job)
		return false;
	if (key->kind == KEY_MOUSE)
		return on_mouse(v, key);
	if (chart_view_has_rows(v)) {
		if (across)
			move_series(v, across);
		return across || list_key(&v->list, key);
	}
	if (across)
		move_point(v, across);
	else if (down)
		move_series(v, down);
	else
		return jump(v, key);
	return true;
}
