/* SPDX-License-Identifier: MIT */
#include "chart_view.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "json/pointer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_BYTES 80
#define ROWS_WANTED 10000000
/* Lines of a printed chart. */
#define BOX_LINES 4
#define PLOT_LEAST 12
#define PLOT_MOST 30

static void
drop(struct chart_view *v)
{
	chart_reading_finish(&v->reading);
	if (v->has_table)
		table_finish(&v->table);
	v->has_table = v->can = false;
	chart_columns_finish(&v->columns);
	chart_turned_finish(&v->turned);
	json_doc_destroy(v->part.doc);
	free(v->part.spot.pointer);
	v->part.doc = NULL;
	v->part.spot = (struct table_spot){ .node = NULL };
}

static void
forget_wishes(struct chart_view *v)
{
	for (size_t i = 0; i < v->wishes.ys.len; i++)
		free(v->wishes.ys.items[i]);
	free(v->wishes.x);
	free(v->filter);
	v->filter = NULL;
	v->wishes = (struct chart_wishes){ .at = v->wishes.at };
}

static void
chart_view_finish(void *state)
{
	struct chart_view *v = state;

	drop(v);
	forget_wishes(v);
	free(v->wishes.at);
	shape_finish(&v->spots);
}

/* A chart is never the default view of a value with tables. */
static int
serves(const struct view_env *env)
{
	struct table_spots spots;
	bool can = chart_turns(env->in->value);

	if (can)
		return 1;
	shape_find(&spots, env->in->value, env->in->schema);
	for (size_t i = 0; i < spots.len && i < CHART_SPOTS && !can; i++)
		can = chart_spot_serves(&spots.items[i]);
	shape_finish(&spots);
	return can;
}

/* ---- the choice of a chart ---- */

bool
chart_view_has_rows(const struct chart_view *v)
{
	return v->choice.kind == CHART_BAR || v->choice.kind == CHART_STACKED ||
	       v->choice.kind == CHART_HEAT;
}

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

/* Move the cursor to the next point that has a number, or else to the previous one. */
static void
settle(struct chart_view *v)
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
on_read(void *user)
{
	struct chart_view *v = user;
	enum chart_kind kind = v->choice.kind;

	list_set_count(&v->list, kind == CHART_BOX ? v->choice.y_count : v->table.shown);
	if (v->series >= v->choice.y_count)
		v->series = 0;
	settle(v);
}

static void
apply_wishes(struct chart_view *v)
{
	const struct chart_wishes *w = &v->wishes;
	struct chart_choice *choice = &v->choice;
	size_t kept = 0, ys[CHART_SERIES_MAX];
	enum chart_kind kind = w->has_kind ? w->kind : choice->kind;

	for (size_t i = 0; i < w->ys.len; i++) {
		size_t column = table_find_column(&v->table, w->ys.items[i]);
		if (column < v->columns.len)
			ys[kept++] = column;
	}
	if (kept > 0)
		memcpy(choice->ys, ys, kept * sizeof(*ys));
	choice->y_count = kept > 0 ? kept : choice->y_count;
	size_t x = w->x && *w->x ? table_find_column(&v->table, w->x) : SIZE_MAX;
	if (w->x && (!*w->x || x < v->columns.len))
		choice->x = x;
	if (choice->x == x && x != SIZE_MAX &&
	    (kind == CHART_BAR || kind == CHART_STACKED || kind == CHART_HEAT))
		choice->label = x;
	if (w->has_kind || kept > 0 || w->x)
		chart_choose_kind(&v->columns, kind, kept > 0, choice);
}

static void
chart_view_choose(struct chart_view *v)
{
	chart_reading_finish(&v->reading);
	v->can = chart_choose(&v->columns, &v->table, &v->choice);
	if (!v->can)
		return;
	apply_wishes(v);
	v->reading.changed = on_read;
	v->reading.user = v;
	chart_read(&v->reading, &v->table, &v->columns, &v->choice, v->jobs);
}

/* The columns of the table, or its rows, have changed. */
static void
on_changed(void *user)
{
	struct chart_view *v = user;

	chart_columns_find(&v->columns, &v->table);
	chart_view_choose(v);
}

static void
begin_table(struct chart_view *v, const struct view_env *env, const struct table_spot *spot)
{
	bool again = v->wishes.at && strcmp(v->wishes.at, spot->pointer) == 0;

	if (!again) {
		forget_wishes(v);
		free(v->wishes.at);
		v->wishes.at = mem_strdup(spot->pointer);
		v->series = v->point = 0;
		list_select(&v->list, 0);
	}
	v->has_table = true;
	table_begin(&v->table, spot,
	    &(struct table_options){
		.root_schema = v->turned.doc || v->part.doc ? NULL : env->in->schema,
		.docs = { v->turned.doc ? v->turned.doc
			  : v->part.doc ? v->part.doc
					: env->in->docs[0],
		    env->in->docs[1] },
		.jobs = env->in->jobs,
		.changed = on_changed,
		.user = v });
	if (v->filter)
		table_filter(&v->table, v->filter);
	on_changed(v);
}

static void
show_spot(struct chart_view *v, const struct view_env *env, size_t spot)
{
	drop(v);
	v->spot = spot;
	v->jobs = env->in->jobs;
	if (spot < v->spots.len)
		begin_table(v, env, &v->spots.items[spot]);
	else
		chart_turn(&v->turned, env->in->value);
	if (v->turned.doc)
		begin_table(v, env,
		    &(struct table_spot){ .pointer = v->turned.pointer,
			.node = json_root(v->turned.doc),
			.kind = TABLE_OBJECTS });
}

/* Show the table of before, else the best one if it has numbers, else the first one that has.
 * Objects that can be turned into a table are preferred to an array of scalars. */
static void
chart_sync(void *state, const struct view_env *env)
{
	struct chart_view *v = state;

	drop(v);
	if (env->in->source != v->source)
		forget_wishes(v);
	v->source = env->in->source;
	shape_finish(&v->spots);
	v->spots = (struct table_spots){ 0 };
	shape_find(&v->spots, env->in->value, env->in->schema);
	size_t best = shape_best(&v->spots), spot = v->spots.len;
	for (size_t i = v->spots.len; i-- > 0;)
		if (chart_spot_serves(&v->spots.items[i]))
			spot = i;
	if (best < v->spots.len && chart_spot_serves(&v->spots.items[best]))
		spot = best;
	bool scalars = spot < v->spots.len && v->spots.items[spot].kind == TABLE_SCALARS;
	if (scalars && chart_turns(env->in->value))
		spot = v->spots.len;
	for (size_t i = 0; v->wishes.at && i < v->spots.len; i++)
		if (strcmp(v->spots.items[i].pointer, v->wishes.at) == 0)
			spot = i;
	show_spot(v, env, spot);
}

/* table_filter() calls on_changed(). */
static void
filter(void *state, const struct view_env *env, const char *text)
{
	struct chart_view *v = state;
	char *kept = *text ? mem_strdup(text) : NULL;

	if (!v->has_table) {
		free(kept);
		return;
	}
	free(v->filter);
	v->filter = kept;
	table_filter(&v->table, kept);
	list_select(&v->list, 0);
}

static bool
take_part(void *state, const struct view_env *env, const struct view_part *part)
{
	struct chart_view *v = state;

	if (!part) {
		if (v->part.spot.node)
			chart_sync(v, env);
		return true;
	}
	if (!chart_spot_serves(part->spot))
		return false;
	drop(v);
	v->spot = v->spots.len;
	v->part.doc = json_doc_ref(part->doc);
	v->part.spot = *part->spot;
	v->part.spot.pointer = mem_strdup(part->name);
	begin_table(v, env, &v->part.spot);
	filter(v, env, part->filter ? part->filter : "");
	return true;
}

/* ---- the cursor ---- */

const struct chart_point *
chart_view_point(const struct chart_view *v)
{
	const struct chart *c = &v->reading.chart;

	if (!v->can || v->reading.job || v->series >= c->choice.y_count ||
	    v->point >= c->series[v->series].len)
		return NULL;
	return &c->series[v->series].items[v->point];
}

bool
chart_view_row(const struct chart_view *v, size_t *row)
{
	const struct chart_point *p = chart_view_point(v);
	const struct chart_series *s = &v->reading.chart.series[v->series];

	if (!v->can || v->reading.job)
		return false;
	if (chart_view_has_rows(v)) {
		*row = v->list.selected < v->table.shown ? v->table.order[v->list.selected] : 0;
		return v->list.selected < v->table.shown;
	}
	if (v->choice.kind == CHART_BOX && s->numbers > 0)
		*row = v->point == CHART_LEAST ? s->least_row : s->most_row;
	else if (p && p->count > 0)
		*row = p->row;
	else
		return false;
	return v->choice.kind != CHART_BOX || v->point == CHART_LEAST || v->point == CHART_MOST;
}

void
chart_add_row_name(const struct chart_view *v, size_t row, struct buf *out)
{
	const cJSON *label = v->choice.label < v->table.columns.len
				 ? table_cell(&v->table, row, v->choice.label)
				 : NULL;
	const char *key = table_row_key(&v->table, row);
	size_t before = out->len;

	if (label)
		view_value_cut(label, NAME_BYTES, out);
	if (out->len == before && key)
		utf8_add_cut(out, key, strlen(key), NAME_BYTES);
	if (out->len == before) {
		buf_add_str(out, "row ");
		units_add_count(out, row + 1);
	}
}

static const cJSON *
chart_selected(void *state, const struct view_env *env, struct buf *pointer)
{
	struct chart_view *v = state;
	size_t row;

	if (v->part.spot.node || !chart_view_row(v, &row))
		return NULL; /* no pointer in the value leads there */
	size_t column = v->choice.ys[v->series];
	if (v->turned.doc) {
		chart_turned_pointer(&v->turned, &v->table, row, column, pointer);
		return table_cell(&v->table, row, column);
	}
	const struct column *c = &v->table.columns.items[column];
	buf_add_str(pointer, v->spots.items[v->spot].pointer);
	if (v->table.kind == TABLE_MAP)
		json_pointer_add_key(pointer, table_row_key(&v->table, row));
	else
		json_pointer_add_index(pointer, row);
	if (v->table.kind == TABLE_ARRAYS && c->depth > 0)
		json_pointer_add_index(pointer, c->index);
	const cJSON *node = table_row(&v->table, row);
	for (int i = 0; v->table.kind != TABLE_ARRAYS && i < c->depth; i++) {
		if (!json_get(node, c->path[i]))
			break;
		node = json_get(node, c->path[i]);
		json_pointer_add_key(pointer, c->path[i]);
	}
	return table_cell(&v->table, row, column);
}

/* ---- keys ---- */

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
	settle(v);
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

static bool
key_or_mouse(void *state, const struct view_env *env, const struct key *key)
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
	v->wishes.has_kind = true;
	v->wishes.kind = (enum chart_kind)kind;
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
act_more(void *state, const struct view_env *env, const char *arg)
{
	struct chart_view *v = state;
	size_t columns[CHART_SERIES_MAX], count = v->choice.y_count, next = 0;

	if (!has_numbers(v, env))
		return false;
	if (count >= CHART_SERIES_MAX)
		return view_refuse(env, "a chart has at most 6 series");
	for (; next < v->columns.len; next++) {
		bool drawn = v->choice.x == next;
		for (size_t i = 0; i < count; i++)
			drawn |= v->choice.ys[i] == next;
		if (!drawn && v->columns.items[next].values == CHART_NUMBERS)
			break;
	}
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
show_other(struct chart_view *v, const struct view_env *env, const char *arg, bool back)
{
	size_t len = v->spots.len, spot = v->spot, count = 0;

	for (size_t i = 0; i < len && i < CHART_SPOTS; i++)
		count += chart_spot_serves(&v->spots.items[i]);
	if (count < (spot < len ? 2 : 1))
		return view_refuse(env, "no other table has numbers");
	do
		spot = spot >= len ? (back ? len - 1 : 0) : (spot + (back ? len - 1 : 1)) % len;
	while (!chart_spot_serves(&v->spots.items[spot]));
	show_spot(v, env, spot);
	return true;
}

VIEW_ACTION_WITH(act_next_table, show_other, false)
VIEW_ACTION_WITH(act_previous_table, show_other, true)

static const char *
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct chart_view *v = state;

	return v->can ? action->hint : NULL;
}

/* clang-format off */
static const struct view_action actions[] = {
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

/* ---- the title ---- */

static void
add_columns(const struct chart_view *v, struct buf *facts)
{
	const struct chart_choice *c = &v->choice;

	for (size_t i = 0; i < c->y_count; i++) {
		const char *name = v->table.columns.items[c->ys[i]].name;
		buf_add_str(facts, i == 0 ? " · " : ", ");
		if (i > 1) {
			buf_addf(facts, "+%zu", c->y_count - i);
			break;
		}
		utf8_add_cut(facts, name, strlen(name), NAME_BYTES / 2);
	}
	size_t x = chart_view_has_rows(v) ? c->label : c->x;
	if (c->kind <= CHART_SCATTER && x < v->table.columns.len) {
		buf_add_str(facts, " by ");
		utf8_add_cut(facts, v->table.columns.items[x].name,
		    strlen(v->table.columns.items[x].name), NAME_BYTES / 2);
	}
}

static void
add_left_out(const struct chart_view *v, struct buf *facts)
{
	const struct chart *c = &v->reading.chart;
	size_t gaps = 0;

	for (size_t i = 0; i < c->choice.y_count; i++)
		gaps += c->series[i].others;
	gaps -= c->left_out * c->choice.y_count;
	if (c->left_out > 0) {
		buf_add_str(facts, " · ");
		units_add_counted(facts, c->left_out, "row");
		buf_add_str(facts, " without a number");
	}
	if (gaps > 0) {
		buf_add_str(facts, " · ");
		units_add_counted(facts, gaps, "gap");
	}
	if (c->too_large > 0)
		buf_addf(facts, " · %zu too large to draw", c->too_large);
	if (c->sampled > 1)
		buf_addf(facts, " · quartiles of 1 row in %zu", c->sampled);
}

static enum role
chart_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct chart_view *v = state;
	const char *pointer = v->wishes.at;

	buf_add_str(facts, "chart");
	if (!v->has_table)
		return ROLE_DIM;
	if (pointer && *pointer)
		buf_add_str(
		    title, *pointer != '/' || strchr(pointer + 1, '/') ? pointer : pointer + 1);
	if (!v->can)
		return ROLE_DIM;
	buf_addf(facts, " · %s", chart_kinds[v->choice.kind].name);
	add_columns(v, facts);
	buf_add_str(facts, " · ");
	if (v->table.shown != v->table.row_count - v->table.heading) {
		units_add_count(facts, v->table.shown);
		buf_add_str(facts, " of ");
	}
	units_add_counted(facts, v->table.row_count - v->table.heading, "row");
	unsigned percent;
	const char *work = table_progress(&v->table, &percent);
	if (v->reading.job)
		buf_addf(facts, " · reading %zu %%",
		    job_progress(v->reading.job) * 50 / (v->reading.rows ? v->reading.rows : 1));
	else if (work)
		buf_addf(facts, " · %s %u %%", work, percent);
	else
		add_left_out(v, facts);
	return ROLE_DIM;
}

static int
chart_want(void *state, const struct view_env *env, int width)
{
	const struct chart_view *v = state;

	if (!v->can)
		return 1;
	int lines =
	    v->choice.kind == CHART_BAR && v->choice.y_count > 1 ? (int)v->choice.y_count + 1 : 1;
	if (chart_view_has_rows(v) && (env->printed || v->table.shown < 1000))
		return (v->table.shown < ROWS_WANTED ? (int)v->table.shown : ROWS_WANTED) * lines +
		       3;
	if (!env->printed)
		return 1000;
	if (v->choice.kind == CHART_BOX)
		return BOX_LINES * (int)v->choice.y_count + 1;
	int height = width / 4;
	return height < PLOT_LEAST ? PLOT_LEAST : height > PLOT_MOST ? PLOT_MOST : height;
}

static const char *
filtered(const void *state)
{
	const struct chart_view *v = state;

	return v->has_table ? v->filter ? v->filter : "" : NULL;
}

static struct table *
table(void *state, size_t *column)
{
	struct chart_view *v = state;

	*column = SIZE_MAX;
	return v->has_table ? &v->table : NULL;
}

/* ---- files ---- */

static void
draw_text(struct chart_view *v, const struct view_env *env, const char *title, struct buf *out)
{
	enum { WIDTH = 100, ABOVE = 2 };
	struct view_env on_paper = { .in = env->in, .printed = true };
	struct list kept = v->list;
	enum chart_style style = v->style;
	int rows = chart_want(v, &on_paper, WIDTH), most = (int)CHART_FILE_ROWS_MAX;
	struct grid grid;

	grid_init(&grid, WIDTH + 2, ABOVE + (rows < most ? rows : most));
	struct surface all = surface_whole(&grid);
	surface_clear(all, style_of(ROLE_TEXT));
	surface_text(all, 0, 0, -1, style_of(ROLE_TITLE), title);
	v->list.top = 0;
	if (v->choice.kind == CHART_HEAT) /* shades without colors */
		v->style = STYLE_ASCII;
	chart_view_draw(v, &on_paper, surface_sub(all, 1, ABOVE, WIDTH, grid.height - ABOVE));
	v->list = kept;
	v->style = style;
	grid_to_text(&grid, out);
	grid_finish(&grid);
	if (rows > most)
		buf_addf(out, "\nthe first %d lines of %d\n", most, rows);
}

static bool
picture(void *state, const struct view_env *env, struct drawing *shapes, struct buf *text,
    struct err *err)
{
	struct chart_view *v = state;
	struct buf where = BUF_INIT, facts = BUF_INIT, title = BUF_INIT;

	if (v->has_table && (v->reading.job || v->table.job))
		return err_set(
		    err, "the rows are still being read: try again when the chart is there");
	if (!v->can)
		return err_set(err, "this value has no numbers to draw");
	chart_heading(v, env, &where, &facts);
	if (where.len > 0)
		buf_addf(&title, "%s · ", buf_text(&where));
	buf_add(&title, buf_text(&facts), facts.len);
	if (shapes)
		chart_draw_shapes(v, buf_text(&title), shapes);
	else
		draw_text(v, env, buf_text(&title), text);
	buf_finish(&where);
	buf_finish(&facts);
	buf_finish(&title);
	return true;
}

const struct view_ops view_chart = {
	.title = "chart",
	.help = "numbers drawn: lines, bars, points, distributions",
	.state_size = sizeof(struct chart_view),
	.finish = chart_view_finish,
	.serves = serves,
	.sync = chart_sync,
	.want = chart_want,
	.heading = chart_heading,
	.draw = chart_view_draw,
	.key = key_or_mouse,
	.selected = chart_selected,
	.filtered = filtered,
	.filter = filter,
	.actions = actions,
	.hint = hint,
	.table = table,
	.picture = picture,
	.leads_to_table = true,
	.take_part = take_part,
};
