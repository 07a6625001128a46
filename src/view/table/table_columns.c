/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "table_view.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The user's choices for columns are stored by name, to apply to the next result too. */

static struct column_wish *
wish_of(struct table_view *v, size_t column)
{
	for (size_t i = 0; i < v->chosen.wishes.len; i++)
		if (v->chosen.wishes.items[i].column == column)
			return &v->chosen.wishes.items[i];
	return NULL;
}

/* Return the column that identifies a row, which is frozen. A map needs none: its keys are always
 * visible. */
static size_t
column_of_names(const struct table_view *v)
{
	static const char *const names[] = { "id", "name", "key", "title" };
	const struct table *t = &v->table;

	if (t->kind == TABLE_MAP || t->kind == TABLE_SCALARS)
		return SIZE_MAX;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		for (size_t place = 0; place < t->place_count; place++)
			if (strcasecmp(t->columns.items[t->places[place]].name, names[i]) == 0)
				return t->places[place];
	return t->places[0];
}

/* ---- the columns shown ---- */

static size_t *
places_in_order(const struct table_view *v, const bool *has_wish, size_t *count)
{
	const struct table *t = &v->table;
	size_t *places = mem_alloc(t->columns.len * sizeof(*places));
	bool hidden[COLUMNS_MAX + 1] = { false };

	*count = 0;
	for (size_t i = 0; i < v->chosen.wishes.len; i++) {
		const struct column_wish *w = &v->chosen.wishes.items[i];
		if (w->column == SIZE_MAX)
			continue;
		hidden[w->column] = w->hidden;
		if (v->chosen.moved && !w->hidden)
			places[(*count)++] = w->column;
	}
	for (size_t i = 0; i < t->columns.len; i++)
		if (!hidden[i] && !(v->chosen.moved && has_wish[i]))
			places[(*count)++] = i;
	if (*count == 0) /* all columns of this result are hidden */
		for (; *count < t->columns.len; ++*count)
			places[*count] = *count;
	return places;
}

/* A hidden column cannot have the cursor. */
static void
keep_cursor(struct table_view *v)
{
	const struct table *t = &v->table;
	size_t place = 0;

	while (place + 1 < t->place_count && t->places[place] < v->column)
		place++;
	if (table_view_place(v, v->column) == SIZE_MAX)
		v->column = t->places[place];
	if (v->first >= t->place_count)
		v->first = 0;
	if (v->record.field >= t->columns.len)
		v->record.field = 0;
}

void
table_view_arrange(struct table_view *v)
{
	struct table *t = &v->table;
	bool has_wish[COLUMNS_MAX + 1] = { false };
	size_t next = 0; /* look here first: names are usually in the order of the columns */
	size_t count;

	for (size_t i = 0; i < v->chosen.wishes.len; i++) {
		struct column_wish *w = &v->chosen.wishes.items[i];
		w->column = SIZE_MAX;
		for (size_t n = 0; n < t->columns.len && w->column == SIZE_MAX; n++) {
			size_t at = (next + n) % t->columns.len;
			/* once, because two columns may have the same name */
			if (!has_wish[at] && strcmp(t->columns.items[at].name, w->name) == 0)
				w->column = at;
		}
		if (w->column != SIZE_MAX) {
			has_wish[w->column] = true;
			next = w->column + 1;
		}
	}
	size_t *places = places_in_order(v, has_wish, &count);
	table_arrange(t, places, count);
	size_t names = column_of_names(v);
	for (size_t i = 0; i < t->columns.len; i++) {
		t->columns.items[i].frozen = i == names;
		t->columns.items[i].asked = 0;
		t->columns.items[i].wraps = false;
	}
	for (size_t i = 0; i < v->chosen.wishes.len; i++) {
		const struct column_wish *w = &v->chosen.wishes.items[i];
		if (w->column == SIZE_MAX)
			continue;
		struct column *c = &t->columns.items[w->column];
		c->asked = w->width;
		c->wraps = w->wraps;
		c->frozen = w->freeze == FREEZE_YES || (c->frozen && w->freeze != FREEZE_NO);
	}
	keep_cursor(v);
}

size_t
table_view_place(const struct table_view *v, size_t column)
{
	for (size_t i = 0; i < v->table.place_count; i++)
		if (v->table.places[i] == column)
			return i;
	return SIZE_MAX;
}

/* ---- wishes ---- */

static int
compare_columns(const void *a, const void *b)
{
	const struct column_wish *left = a, *right = b;

	return (left->column > right->column) - (left->column < right->column);
}

struct column_wish *
table_view_wish(struct table_view *v)
{
	const struct table *t = &v->table;

	for (size_t i = 0; i < t->columns.len; i++)
		if (!wish_of(v, i))
			*VEC_PUSH(&v->chosen.wishes) =
			    (struct column_wish){ .name = mem_strdup(t->columns.items[i].name),
				    .column = i };
	return wish_of(v, v->column);
}

/* There may be hidden columns between the two places. */
void
table_view_move(struct table_view *v, size_t place)
{
	table_view_wish(v);
	if (!v->chosen.moved) /* from now on, the wishes have the order of the columns */
		qsort(v->chosen.wishes.items, v->chosen.wishes.len, sizeof(*v->chosen.wishes.items),
		    compare_columns);
	v->chosen.moved = true;
	struct column_wish *a = wish_of(v, v->column);
	struct column_wish *b = wish_of(v, v->table.places[place]);
	struct column_wish moving = *a;
	for (; a < b; a++)
		a[0] = a[1];
	for (; a > b; a--)
		a[0] = a[-1];
	*b = moving;
	table_view_arrange(v);
}

void
table_view_select(struct table_view *v, size_t column)
{
	v->column = column;
	if (table_view_place(v, column) != SIZE_MAX)
		return;
	table_view_wish(v)->hidden = false;
	table_view_arrange(v);
}

void
table_view_forget_wishes(struct table_view *v)
{
	for (size_t i = 0; i < v->chosen.wishes.len; i++)
		free(v->chosen.wishes.items[i].name);
	free(v->chosen.wishes.items);
	for (size_t i = 0; i < v->chosen.folded.len; i++)
		free(v->chosen.folded.items[i]);
	free(v->chosen.folded.items);
	memset(&v->chosen.folded, 0, sizeof(v->chosen.folded));
	memset(&v->chosen.wishes, 0, sizeof(v->chosen.wishes));
	v->chosen.moved = false;
}

/* ---- the visible columns ---- */

#define MISSING_WIDTH 9
#define LEAST_WIDTH 4 /* a narrower column at the right edge is useless */

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

/* Frozen columns that would be scrolled away move to the left edge and get at most half of the
 * width. The last column gets all the rest, so that its numbers are not cut at the edge. */
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

/* Scroll so that the selected column is fully visible, if possible. */
static void
keep_column_in_sight(struct table_view *v, int width)
{
	size_t cursor = table_view_place(v, v->column);
	int needed = -GAP;

	if (cursor < v->first)
		v->first = cursor;
	for (size_t i = v->first; i <= cursor; i++)
		needed += width_at(v, i) + GAP;
	for (; v->first < cursor; v->first++) {
		int start = GUTTER + v->label_width; /* of the columns that scroll */
		place_slots(v, width);
		if (v->frozen_slots > 0) {
			const struct table_slot *last = &v->slots.items[v->frozen_slots - 1];
			start = last->x + last->width + GAP + 1;
		}
		if (needed <= width - start)
			break;
		needed -= width_at(v, v->first) + GAP;
	}
}

/* ---- widths ---- */

static void
fit_column(struct table_view *v, const struct view_env *env, size_t column, int room)
{
	const struct table *t = &v->table;
	struct column *c = &t->columns.items[column];
	char buffer[JSON_NUMBER_TEXT_MAX], count[32];
	int wrong = table_print_wrong(v, c, count, sizeof(count)), pad;
	int head = wrong > 0 ? label_columns(c->name) + 1 + wrong : 0;

	if (head > c->width && head <= room)
		c->width = head;
	for (int y = 0; y < v->list.height && v->list.top + (size_t)y < t->shown; y++) {
		size_t row = t->order[v->list.top + (size_t)y];
		const cJSON *cell = table_cell(t, row, column);
		int needed = 0;
		if (cJSON_IsNumber(cell))
			needed = table_place_number(c, json_number_text(cell, buffer), &pad);
		else if (table_cell_mark(t, env->in->report, row, column).missing)
			needed = MISSING_WIDTH;
		needed = needed < room ? needed : room;
		c->width = needed > c->width ? needed : c->width;
	}
}

int
table_columns_width(const struct table_view *v, int most)
{
	int width = GUTTER + v->label_width - GAP;

	for (size_t i = 0; i < v->table.place_count && width <= most; i++)
		width += width_at(v, i) + GAP;
	return width;
}

/* If all columns are visible, long ones get equal shares of the spare width, then what is left. */
static void
share_room(struct table_view *v, int width)
{
	int room = width - table_columns_width(v, width), takers = 0;

	if (room < 0)
		return;
	v->first = 0;
	for (size_t i = 0; i < v->table.place_count; i++)
		takers += column_at(v, i)->longest > width_at(v, i);
	int share = takers > 0 ? room / takers : 0;
	for (size_t i = 0; i < 2 * v->table.place_count; i++) {
		struct column *c = column_at(v, i % v->table.place_count);
		int most = i < v->table.place_count ? share : room;
		int more = c->longest - c->width < most ? c->longest - c->width : most;
		if (more <= 0 || c->asked > 0)
			continue;
		c->width += more;
		c->spare += more;
		room -= more;
	}
}

/* Widths come from a sample. A visible column grows for a longer number or a missing value, but
 * never pushes another column off the screen. */
void
table_fit(struct table_view *v, const struct view_env *env, int width)
{
	for (size_t i = 0; i < v->table.columns.len; i++) {
		struct column *c = &v->table.columns.items[i];
		c->width -= c->spare;
		c->spare = 0;
	}
	for (int pass = 0; pass < 2; pass++) {
		int pushed = 0;
		keep_column_in_sight(v, width);
		place_slots(v, width);
		for (size_t i = 0; i < v->slots.len; i++) {
			const struct table_slot *slot = &v->slots.items[i];
			int before = width_at(v, slot->place), x = slot->x + pushed;
			if (x < width)
				fit_column(v, env, slot->column, width - x);
			pushed += width_at(v, slot->place) - before;
		}
	}
	share_room(v, width);
	place_slots(v, width);
	v->width = width;
}

/* ---- rows of several lines ---- */

/* Values of a wrapped column are shown whole, in at most LINES_MAX lines and half of the height.
 * Only the lines of visible rows are computed, so a long table costs no more. */
#define LINES_MAX 8

static int
text_lines(const char *text, size_t len, int room, int most, struct surface *s, struct style style)
{
	struct wrap wrap = { 0 };
	struct wrap_row row;
	int lines = 0;

	wrap_set(&wrap, text, len, room);
	bool several = wrap_row_at(&wrap, 1, &row);
	for (; several && lines < most && wrap_row_at(&wrap, (size_t)lines, &row); lines++) {
		bool cut = lines + 1 == most;
		if (s)
			surface_textn(surface_sub(*s, 0, lines, room, 1), 0, 0, style,
			    text + row.start, (cut ? len : row.end) - row.start);
	}
	wrap_finish(&wrap);
	return lines > 1 ? lines : 1;
}

int
table_cell_lines(const cJSON *cell, int room, int most, struct surface *s, uint32_t ground)
{
	char number[JSON_NUMBER_TEXT_MAX];
	bool is_number = cJSON_IsNumber(cell);
	const char *text = is_number ? json_number_text(cell, number) : cJSON_GetStringValue(cell);
	struct buf printed = BUF_INIT;
	int lines = 1;

	if (room < 1 || most < 2 || !cell)
		return 1;
	size_t bytes = (size_t)room * 4 * (size_t)most; /* more are never drawn */
	if (!text || (!is_number && text_is_ambiguous(text))) {
		view_value_cut(cell, bytes, &printed);
		text = buf_text(&printed);
	}
	size_t len = strnlen(text, bytes + 1);
	if (len > bytes) /* cut between characters */
		for (len = bytes; len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80;)
			len--;
	if (len > (size_t)room || memchr(text, '\n', len))
		lines = text_lines(text, len, room, most, s, view_style(cell, ground));
	buf_finish(&printed);
	return lines;
}

static bool
wraps(const struct table_view *v)
{
	for (size_t i = 0; i < v->table.columns.len; i++)
		if (v->table.columns.items[i].wraps)
			return true;
	return false;
}

int
table_row_lines(const void *view, size_t shown)
{
	const struct table_view *v = view;
	int lines = 1;

	for (size_t i = 0; i < v->slots.len; i++) {
		const struct table_slot *slot = &v->slots.items[i];
		if (!v->table.columns.items[slot->column].wraps)
			continue;
		const cJSON *cell = table_cell(&v->table, v->table.order[shown], slot->column);
		int of_cell = table_cell_lines(cell, slot->width, v->lines.most, NULL, ROLE_NONE);
		lines = of_cell > lines ? of_cell : lines;
	}
	return lines;
}

int
table_lines(const struct table_view *v, int most)
{
	int lines = 0;

	if (v->table.shown > (size_t)most)
		return most + 1;
	if (!wraps(v))
		return (int)v->table.shown;
	for (size_t i = 0; i < v->table.shown && lines <= most; i++)
		lines += table_row_lines(v, i);
	return lines;
}

void
table_wrap_fit(struct table_view *v, const struct view_env *env, int width, int height)
{
	v->lines.room = height;
	v->lines.most = height / 2 < LINES_MAX ? height / 2 : LINES_MAX;
	if (!wraps(v))
		list_set_height(&v->list, height);
	table_fit(v, env, width);
	if (!wraps(v))
		return;
	list_set_lines(&v->list, height, table_row_lines, v);
	table_fit(v, env, width); /* other rows have other widths */
	list_set_lines(&v->list, height, table_row_lines, v);
}
