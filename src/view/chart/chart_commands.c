/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "chart_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Find the point of the series nearest to a place on the screen; y < 0: compare only x. */
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

/* Move to another series at the same place on the axis. */
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

static const char *const style_names[] = {
#define X(id, name) name,
	CHART_STYLES(X)
#undef X
};

static bool
has_numbers(const struct chart_view *v, const struct view_env *env)
{
	return v->can || view_refuse(env, "this value has no column of numbers");
}

/* ---- kinds and styles ---- */

static bool
act_kind(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	int kind = *arg ? 0 : (int)v->choice.kind;

	if (!has_numbers(v, env))
		return false;
	do
		kind = *arg ? kind : (kind + 1) % CHART_KIND_COUNT;
	while (!*arg && kind == CHART_STACKED && v->choice.y_count < 2);
	while (*arg && kind < CHART_KIND_COUNT && strcmp(chart_kinds[kind].name, arg) != 0)
		kind++;
	if (kind == CHART_KIND_COUNT) {
		for (int i = 0; i < CHART_KIND_COUNT; i++)
			view_refuse(env, "%s%s", i > 0 ? ", " : "charts: ", chart_kinds[i].name);
		return false;
	}
	v->wishes.kind = kind;
	chart_view_choose(v);
	return true;
}

static bool
act_style(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	size_t style = 0;

	while (*arg && style < CHART_STYLE_COUNT && strcmp(style_names[style], arg) != 0)
		style++;
	if (style == CHART_STYLE_COUNT)
		return view_refuse(env, "charts are drawn in braille, blocks or ascii");
	v->style = (enum chart_style)(*arg ? style : (v->style + 1) % CHART_STYLE_COUNT);
	return true;
}

/* ---- columns ---- */

/* Find the column with the longest name that the text begins with, or else one whose name begins
 * with the first word. Set *end to the rest of the text. */
static size_t
take_column(const struct table *t, const char *text, const char **end)
{
	size_t found = SIZE_MAX, longest = 0, word = strcspn(text, ", ");

	for (size_t i = 0; i < t->columns.len; i++) {
		size_t len = strlen(t->columns.items[i].name);
		if (len >= longest && strncmp(text, t->columns.items[i].name, len) == 0 &&
		    strchr(", ", text[len])) {
			found = i;
			longest = len;
		}
	}
	for (size_t i = 0; i < t->columns.len && found == SIZE_MAX; i++)
		if (strncasecmp(t->columns.items[i].name, text, word) == 0) {
			found = i;
			longest = word;
		}
	*end = text + longest;
	return found;
}

static void
set_ys(struct chart_view *v, const size_t *columns, size_t count)
{
	struct strings_of_y ys = { .len = count };

	for (size_t i = 0; i < count; i++)
		ys.items[i] = mem_strdup(v->table.columns.items[columns[i]].name);
	for (size_t i = 0; i < v->wishes.ys.len; i++)
		free(v->wishes.ys.items[i]);
	v->wishes.ys = ys;
	chart_view_choose(v);
}

static bool
act_x(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	const char *end;

	if (!has_numbers(v, env))
		return false;
	size_t column = *arg ? take_column(&v->table, arg, &end) : SIZE_MAX;
	if (*arg && (column == SIZE_MAX || *end))
		return view_refuse(env, "no column is named %.200s", arg);
	free(v->wishes.x);
	v->wishes.x = mem_strdup(*arg ? v->table.columns.items[column].name : "");
	chart_view_choose(v);
	return true;
}

static bool
act_y(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	size_t columns[CHART_SERIES_MAX], count = 0;

	if (!has_numbers(v, env))
		return false;
	if (!*arg)
		return view_refuse(env, "which columns? chart-y COLUMN...");
	for (const char *at = arg; *(at += strspn(at, ", "));) {
		if (count == CHART_SERIES_MAX)
			return view_refuse(env, "a chart has at most 6 series");
		size_t column = take_column(&v->table, at, &at);
		if (column == SIZE_MAX)
			return view_refuse(env, "no column is named %.200s", at);
		if (v->columns.items[column].values != CHART_NUMBERS)
			return view_refuse(
			    env, "%.200s has no numbers", v->table.columns.items[column].name);
		columns[count++] = column;
	}
	set_ys(v, columns, count);
	return true;
}

static bool
is_column_drawn(const struct chart_choice *c, size_t column)
{
	for (size_t i = 0; i < c->y_count; i++)
		if (c->ys[i] == column)
			return true;
	return c->x == column;
}

static bool
act_more(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	size_t columns[CHART_SERIES_MAX], count = v->choice.y_count, next = 0;

	if (!has_numbers(v, env))
		return false;
	if (count >= CHART_SERIES_MAX)
		return view_refuse(env, "a chart has at most 6 series");
	while (next < v->columns.len && (v->columns.items[next].values != CHART_NUMBERS ||
					    is_column_drawn(&v->choice, next)))
		next++;
	if (next == v->columns.len)
		return view_refuse(env, "all columns of numbers are drawn");
	memcpy(columns, v->choice.ys, count * sizeof(*columns));
	columns[count] = next;
	set_ys(v, columns, count + 1);
	v->series = count;
	return true;
}

static bool
act_less(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	size_t columns[CHART_COLUMNS_MAX], count = 0;

	if (!has_numbers(v, env))
		return false;
	if (v->choice.y_count < 2)
		return view_refuse(env, "this is the only column drawn");
	if (v->choice.y_count > CHART_SERIES_MAX + 1)
		return view_refuse(env, "a heat map has all columns: chart-y names others");
	for (size_t i = 0; i < v->choice.y_count; i++)
		if (i != v->series)
			columns[count++] = v->choice.ys[i];
	set_ys(v, columns, count);
	return true;
}

/* ---- tables ---- */

static bool
show_other(struct chart_view *v, const struct view_env *env, bool back)
{
	size_t len = v->spots.len, spot = v->spot, count = 0;

	for (size_t i = 0; i < len && i < CHART_SPOTS; i++)
		count += chart_spot_serves(&v->spots.items[i]);
	if (count < (spot < len ? 2 : 1))
		return view_refuse(env, "no other table has numbers");
	do
		spot = spot >= len ? (back ? len - 1 : 0) : (spot + (back ? len - 1 : 1)) % len;
	while (!chart_spot_serves(&v->spots.items[spot]));
	chart_view_show(v, env, spot);
	return true;
}

static bool
act_next_table(void *state, const struct view_env *env, const char *arg)
{
	return show_other(state, env, false);
}

static bool
act_previous_table(void *state, const struct view_env *env, const char *arg)
{
	return show_other(state, env, true);
}

const char *
chart_view_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct chart_view *v = state;

	return v->can ? action->hint : NULL;
}

/* clang-format off */
const struct view_action chart_view_actions[] = {
	{ "kind",           "#", "[KIND]",    "draw the next kind of chart, or the named one", act_kind, "kind" },
	{ "chart-style",    "_", "[STYLE]",   "switch between braille, blocks and ASCII", act_style, NULL },
	{ "chart-x",        "",  "[COLUMN]",  "choose the column of the x axis, or the row number", act_x, NULL },
	{ "chart-y",        "",  "COLUMN...", "choose the columns to draw", act_y, NULL },
	{ "add-series",     "+", "",          "add a series", act_more, NULL },
	{ "remove-series",  "-", "",          "remove the selected series", act_less, NULL },
	{ "next-table",     "]", "",          "draw the next table in the value", act_next_table, NULL },
	{ "previous-table", "[", "",          "draw the previous table in the value", act_previous_table, NULL },
	{ 0 },
};
/* clang-format on */
