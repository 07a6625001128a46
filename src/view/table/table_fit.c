#include "base/vec.h"
#include "json/number.h"
#include "table_view.h"

/* The visible columns and their widths. */

#define MISSING_WIDTH 9
/* No screen has more. */
#define COLUMNS_WANTED_MAX 1000
/* A narrower column at the right edge is useless. */
#define LEAST_WIDTH 4

static struct column *
column_at(const struct table_view *v, size_t place)
{
	return &v->table.columns.items[v->table.places[place]];
}

static int
width_at(const struct table_view *v, size_t place)
{
	const struct column *c = column_at(v, place);

	return c->asked > 0 ? c->asked : c->width;
}

/* ---- which are visible ---- */

static bool
add_slot(struct table_view *v, size_t place, int x, int room)
{
	int width = width_at(v, place);
	int used = width < room ? width : room;

	if (used < LEAST_WIDTH && used < width)
		return false;
	size_t column = v->table.places[place];
	bool follows = v->slots.len > 0 && v->slots.items[v->slots.len - 1].column + 1 == column;
	*VEC_PUSH(&v->slots) = (struct table_slot){
		.place = place, .column = column, .x = x, .width = used, .follows = follows
	};
	return true;
}

/* Frozen columns are at the left if they would be scrolled away, in half of the room at most. The
 * last column takes all the room, so that its numbers are not cut at the edge. */
static void
place_slots(struct table_view *v, int width)
{
	int x = GUTTER + v->label_width, half = x + (width - x) / 2;

	v->slots.len = 0;
	for (size_t i = 0; i < v->first; i++)
		if (column_at(v, i)->frozen && add_slot(v, i, x, half - x))
			x += v->slots.items[v->slots.len - 1].width + GAP;
	v->frozen_slots = v->slots.len;
	x += v->frozen_slots > 0; /* for the line behind them */
	for (size_t i = v->first; i < v->table.place_count && x < width; i++) {
		if (!add_slot(v, i, x, width - x))
			break;
		x += width_at(v, i) + GAP;
	}
	v->cut_right = x - GAP > width || v->slots.len == v->frozen_slots ||
		       v->slots.items[v->slots.len - 1].place + 1 < v->table.place_count;
}

/* Where the columns that scroll begin. */
static int
scrolled_from(struct table_view *v, int width)
{
	place_slots(v, width);
	if (v->frozen_slots == 0)
		return GUTTER + v->label_width;
	const struct table_slot *last = &v->slots.items[v->frozen_slots - 1];
	return last->x + last->width + GAP + 1;
}

/* Scrolls so that the selected column is fully visible, if possible. */
static void
keep_column_in_sight(struct table_view *v, int width)
{
	size_t cursor = table_view_place(v, v->column);
	int needed = -GAP;

	if (cursor < v->first)
		v->first = cursor;
	for (size_t i = v->first; i <= cursor; i++)
		needed += width_at(v, i) + GAP;
	for (; v->first < cursor && needed > width - scrolled_from(v, width); v->first++)
		needed -= width_at(v, v->first) + GAP;
}

/* ---- widths ---- */

static int
needed_width(const struct table_view *v, const struct report *report, size_t row, size_t column)
{
	const struct column *c = &v->table.columns.items[column];
	const cJSON *cell = table_cell(&v->table, row, column);
	char buffer[JSON_NUMBER_TEXT_MAX];
	int pad;

	if (json_type(cell) == JSON_NUMBER)
		return table_place_number(c, json_number_text(cell, buffer), &pad);
	return table_cell_mark(&v->table, report, row, column).missing ? MISSING_WIDTH : 0;
}

static void
fit_column(struct table_view *v, const struct view_env *env, size_t column, int room)
{
	struct column *c = &v->table.columns.items[column];
	int head = table_head_width(v, c);

	if (head > c->width && head <= room)
		c->width = head;
	for (int y = 0; y < v->list.height; y++) {
		size_t shown = v->list.top + (size_t)y;
		if (shown >= v->table.shown)
			break;
		int needed = needed_width(v, env->in->report, v->table.order[shown], column);
		if (needed > room)
			needed = room;
		if (needed > c->width)
			c->width = needed;
	}
}

/* Widths come from a sample: a visible column grows for a longer number or a missing value, but
 * pushes nothing off the screen. */
static void
fit_columns(struct table_view *v, const struct view_env *env, int width)
{
	int pushed = 0;

	place_slots(v, width);
	for (size_t i = 0; i < v->slots.len; i++) {
		const struct table_slot *slot = &v->slots.items[i];
		int before = width_at(v, slot->place), x = slot->x + pushed;
		if (x < width)
			fit_column(v, env, slot->column, width - x);
		pushed += width_at(v, slot->place) - before;
	}
}

/* Width of the columns from the first one; stops above `most`. */
static int
width_of_all(const struct table_view *v, int most)
{
	int width = GUTTER + v->label_width - GAP;

	for (size_t i = 0; i < v->table.place_count && width <= most; i++)
		width += width_at(v, i) + GAP;
	return width;
}

static void
take_back(struct table_view *v)
{
	for (size_t i = 0; i < v->table.columns.len; i++) {
		struct column *c = &v->table.columns.items[i];
		c->width -= c->spare;
		c->spare = 0;
	}
}

static int
lend(struct column *c, int most)
{
	int more = c->longest - c->width < most ? c->longest - c->width : most;

	if (more <= 0 || c->asked > 0)
		return 0;
	c->width += more;
	c->spare += more;
	return more;
}

/* If all columns are visible, long ones share the spare width: an equal share each, then the rest.
 */
static void
share_room(struct table_view *v, int width)
{
	int room = width - width_of_all(v, width), takers = 0;

	if (room < 0)
		return;
	v->first = 0;
	for (size_t i = 0; i < v->table.place_count; i++)
		takers += column_at(v, i)->longest > width_at(v, i);
	int share = takers > 0 ? room / takers : 0;
	for (size_t i = 0; i < v->table.place_count; i++)
		room -= lend(column_at(v, i), share);
	for (size_t i = 0; i < v->table.place_count; i++)
		room -= lend(column_at(v, i), room);
}

void
table_fit(struct table_view *v, const struct view_env *env, int width)
{
	take_back(v);
	for (int pass = 0; pass < 2; pass++) {
		keep_column_in_sight(v, width);
		fit_columns(v, env, width);
	}
	share_room(v, width);
	place_slots(v, width);
	v->width = width;
}

int
table_columns_wanted(const struct table_view *v)
{
	int width = width_of_all(v, COLUMNS_WANTED_MAX);

	return width < COLUMNS_WANTED_MAX ? width : COLUMNS_WANTED_MAX;
}
