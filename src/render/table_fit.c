#include "json/number.h"
#include "table_view.h"

/* The visible columns and their widths. */

#define MISSING_WIDTH 9

/* Scrolls so that the selected column is fully visible, if possible. */
static void
keep_column_in_sight(struct table_view *v, int width)
{
	int room = width - GUTTER - v->label_width, needed = -GAP;

	if (v->column < v->first_column)
		v->first_column = v->column;
	for (size_t i = v->first_column; i <= v->column; i++)
		needed += v->table.columns.items[i].width + GAP;
	for (; needed > room && v->first_column < v->column; v->first_column++)
		needed -= v->table.columns.items[v->first_column].width + GAP;
}

static int
needed_width(const struct table_view *v, const struct report *report, size_t row, size_t column)
{
	const struct column *c = &v->table.columns.items[column];
	const cJSON *cell = table_cell(&v->table, row, column);
	char buffer[JSON_NUMBER_TEXT_MAX];
	int pad;

	if (json_type(cell) == JSON_NUMBER)
		return table_place_number(c, json_number_text(cell, buffer), &pad);
	return table_cell_is_missing(&v->table, report, row, column) ? MISSING_WIDTH : 0;
}

/* Widths come from a sample: a visible column grows for a longer number or a missing value, but
 * pushes nothing off the screen. */
static void
fit_columns(struct table_view *v, const struct render_env *env, int width)
{
	int x = GUTTER + v->label_width;

	for (size_t i = v->first_column; i < v->table.columns.len && x < width; i++) {
		struct column *c = &v->table.columns.items[i];
		int head = table_head_width(v, c);
		if (head > c->width && head <= width - x)
			c->width = head;
		for (int y = 0; y < v->list.height; y++) {
			size_t shown = v->list.top + (size_t)y;
			if (shown >= v->table.shown)
				break;
			int needed = needed_width(v, env->in->report, v->table.order[shown], i);
			if (needed > width - x)
				needed = width - x;
			if (needed > c->width)
				c->width = needed;
		}
		x += c->width + GAP;
	}
}

/* Width of the columns from the first one; stops above `most`. */
static int
width_of_all(const struct table_view *v, int most)
{
	int width = GUTTER + v->label_width - GAP;

	for (size_t i = 0; i < v->table.columns.len && width <= most; i++)
		width += v->table.columns.items[i].width + GAP;
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

	if (more <= 0)
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
	v->first_column = 0;
	for (size_t i = 0; i < v->table.columns.len; i++)
		takers += v->table.columns.items[i].longest > v->table.columns.items[i].width;
	int share = takers > 0 ? room / takers : 0;
	for (size_t i = 0; i < v->table.columns.len; i++)
		room -= lend(&v->table.columns.items[i], share);
	for (size_t i = 0; i < v->table.columns.len; i++)
		room -= lend(&v->table.columns.items[i], room);
}

void
table_fit(struct table_view *v, const struct render_env *env, int width)
{
	take_back(v);
	for (int pass = 0; pass < 2; pass++) {
		keep_column_in_sight(v, width);
		fit_columns(v, env, width);
	}
	share_room(v, width);
}
