/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "base/mem.h"
#include "base/moment.h"
#include "base/vec.h"
#include "data/chart.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct chart_kind_name chart_kinds[] = {
#define X(id, name, help) { name, help },
	CHART_KINDS(X)
#undef X
};

/* Cells sampled in each column. */
#define SAMPLE_ROWS ((size_t)200)
#define SAMPLE_CELLS ((size_t)20000)
/* An array of numbers up to this length is drawn in its order, a longer one by frequency. */
#define SEQUENCE_MAX 200
/* Series whose largest numbers differ by more than this factor do not share an axis. */
#define ALIKE 12

bool
chart_number(const cJSON *cell, double *value, bool *too_large)
{
	if (json_type(cell) != JSON_NUMBER)
		return false;
	*value = cell->valuedouble;
	if (isfinite(*value))
		return true;
	*too_large = true;
	return false;
}

/* ---- the values of the columns ---- */

struct value_sample {
	size_t numbers, times, strings, others;
	bool rises, whole;
	double last, least, most;
	uint64_t seen[SAMPLE_ROWS];
	bool twice;
};

static void
add_cell(struct value_sample *t, const cJSON *cell)
{
	bool too_large;
	double value;

	if (json_type(cell) == JSON_STRING) {
		uint64_t hash = hash_bytes(1, cell->valuestring, strnlen(cell->valuestring, 200));
		double seconds;
		t->times += moment_to_seconds(cell->valuestring, &seconds);
		for (size_t i = 0; i < t->strings && !t->twice; i++)
			t->twice = t->seen[i] == hash;
		t->seen[t->strings++] = hash;
		return;
	}
	if (!chart_number(cell, &value, &too_large)) {
		t->others += cell && json_type(cell) != JSON_NULL;
		return;
	}
	t->rises = (t->numbers == 0 || t->rises) && (t->numbers == 0 || value == t->last + 1);
	t->whole = (t->numbers == 0 || t->whole) && value == floor(value);
	t->least = t->numbers == 0 ? value : fmin(t->least, value);
	t->most = t->numbers == 0 ? value : fmax(t->most, value);
	t->last = value;
	t->numbers++;
}

static struct chart_column
settle_column(const struct value_sample *t, const struct column *column)
{
	/* "id", "user_id", "userId", "index", "year" */
	static const char *const words[] = { "id", "index", "idx", "rank", "year", "zip", "#" };
	struct chart_column c = { .least = t->least, .most = t->most };
	size_t most = t->numbers > t->strings ? t->numbers : t->strings;
	const char *dot = strrchr(column->name, '.'), *name = dot ? dot + 1 : column->name;
	size_t len = strlen(name);

	if (t->others > most)
		return c;
	bool is_named =
	    len > 2 && (strcmp(name + len - 3, "_id") == 0 || strcmp(name + len - 2, "Id") == 0);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		is_named |= strcasecmp(name, words[i]) == 0;
	if (t->numbers > 0 && t->numbers >= t->strings)
		c.values = CHART_NUMBERS;
	else if (t->strings > 0)
		c.values = 5 * t->times >= 4 * t->strings ? CHART_TIMES : CHART_NAMES;
	else if (column->numeric) /* after the sample */
		c.values = CHART_NUMBERS;
	c.differs = t->strings > 0 && !t->twice;
	c.is_key =
	    c.values == CHART_NUMBERS && t->whole && (is_named || (t->rises && t->numbers > 9));
	return c;
}

void
chart_columns_find(struct chart_columns *c, const struct table *t)
{
	size_t count = t->columns.len, rows = SAMPLE_CELLS / (count > 0 ? count : 1);

	rows = rows > SAMPLE_ROWS ? SAMPLE_ROWS : rows < 4 ? 4 : rows;
	rows = rows > t->row_count ? t->row_count : rows;
	struct value_sample *sample = mem_alloc(sizeof(*sample));
	chart_columns_finish(c);
	c->items = mem_zalloc((count + 1) * sizeof(*c->items));
	c->len = count;
	for (size_t i = 0; i < count; i++) {
		memset(sample, 0, sizeof(*sample));
		for (size_t row = t->heading; row < rows; row++)
			add_cell(sample, table_cell(t, row, i));
		c->items[i] = settle_column(sample, &t->columns.items[i]);
	}
	free(sample);
}

void
chart_columns_finish(struct chart_columns *c)
{
	free(c->items);
	*c = (struct chart_columns){ 0 };
}

/* ---- the first choice ---- */

/* Choose at most `most` columns of numbers; if `alike`, the first one and those of a similar size.
 * Keys only if nothing else. */
static void
choose_ys(const struct chart_columns *c, struct chart_choice *out, size_t most, bool alike)
{
	double first = 0;

	out->y_count = 0;
	for (int keys = 0; keys < 2 && out->y_count == 0; keys++)
		for (size_t i = 0; i < c->len && out->y_count < most; i++) {
			const struct chart_column *column = &c->items[i];
			double size = fmax(fabs(column->least), fabs(column->most));
			if (column->values != CHART_NUMBERS || column->is_key != (keys == 1))
				continue;
			first = out->y_count == 0 ? size : first;
			if (!alike || first == size ||
			    (first / ALIKE <= size && size / ALIKE <= first))
				out->ys[out->y_count++] = i;
		}
}

static size_t
first_with(const struct chart_columns *c, enum chart_values values)
{
	for (size_t i = 0; i < c->len; i++)
		if (c->items[i].values == values)
			return i;
	return SIZE_MAX;
}

/* Choose points of two numbers; the first is the axis. */
static void
choose_scatter(const struct chart_columns *c, struct chart_choice *choice)
{
	size_t x = choice->x;

	if (x == SIZE_MAX)
		x = first_with(c, CHART_NUMBERS);
	for (size_t i = 0; i < c->len && choice->x == SIZE_MAX; i++)
		if (c->items[i].values == CHART_NUMBERS && !c->items[i].is_key) {
			x = i;
			break;
		}
	choice->x = x;
	size_t kept = 0;
	for (size_t i = 0; i < choice->y_count; i++)
		if (choice->ys[i] != x)
			choice->ys[kept++] = choice->ys[i];
	choice->y_count = kept;
	for (size_t i = 0; i < c->len && choice->y_count == 0; i++)
		if (c->items[i].values == CHART_NUMBERS && i != x && !c->items[i].is_key)
			choice->ys[choice->y_count++] = i;
	if (choice->y_count == 0) { /* a single column: by the number of the row */
		choice->ys[choice->y_count++] = x;
		choice->x = SIZE_MAX;
	}
}

bool
chart_choose(const struct chart_columns *c, const struct table *t, struct chart_choice *out)
{
	*out = (struct chart_choice){ .x = SIZE_MAX, .label = SIZE_MAX };
	choose_ys(c, out, CHART_SERIES_MAX, true);
	if (out->y_count == 0)
		return false;
	if (t->kind != TABLE_MAP)
		out->label = first_with(c, CHART_NAMES);
	for (size_t i = c->len; i-- > 0 && t->kind != TABLE_MAP;)
		if (c->items[i].values == CHART_NAMES && c->items[i].differs)
			out->label = i; /* better: the first column of distinct names */
	size_t measures = 0;
	bool named = out->label != SIZE_MAX || t->kind == TABLE_MAP;
	out->x = first_with(c, CHART_TIMES);
	for (size_t i = 0; i < c->len; i++) {
		measures += c->items[i].values == CHART_NUMBERS && !c->items[i].is_key;
		/* years are times although they are numbers */
		bool is_year =
		    c->items[i].is_key && strcasecmp(t->columns.items[i].name, "year") == 0;
		if (out->x == SIZE_MAX && is_year)
			out->x = i;
	}
	if (out->x != SIZE_MAX && out->ys[0] != out->x) {
		out->kind = CHART_LINE;
	} else if (t->row_count > SEQUENCE_MAX && (named || c->len == 1)) {
		out->kind = CHART_HISTOGRAM; /* too many bars to read */
		out->y_count = 1;
	} else if (named) {
		out->kind = CHART_BAR;
		out->y_count = 1;
	} else if (measures == 2 && c->len == 2 && t->kind == TABLE_OBJECTS) {
		out->kind = CHART_SCATTER;
		choose_scatter(c, out);
	}
	return true;
}

void
chart_choose_kind(
    const struct chart_columns *c, enum chart_kind kind, bool fixed, struct chart_choice *choice)
{
	choice->kind = kind;
	if (fixed) {
		; /* the user has chosen the columns */
	} else if (kind == CHART_HEAT || kind == CHART_BOX) {
		choose_ys(
		    c, choice, kind == CHART_HEAT ? CHART_COLUMNS_MAX : CHART_SERIES_MAX, false);
	} else if (kind == CHART_BAR || kind == CHART_HISTOGRAM) {
		choice->y_count = choice->y_count > 1 ? 1 : choice->y_count;
	} else {
		choose_ys(c, choice, CHART_SERIES_MAX, true);
		if (kind == CHART_STACKED && choice->y_count < 2)
			choose_ys(c, choice, CHART_SERIES_MAX, false);
	}
	if (kind == CHART_SCATTER)
		choose_scatter(c, choice);
	if (kind != CHART_HEAT && choice->y_count > CHART_SERIES_MAX)
		choice->y_count = CHART_SERIES_MAX;
}

/* Limits of numbers or items, and of bytes of the copy; larger objects are not turned. */
#define CELLS_MAX ((size_t)50000)
#define TEXT_MAX ((size_t)8 << 20)
#define DEPTH_MAX 4
#define MEMBERS_LOOKED_AT 200
#define ROWS_LOOKED_AT 8

static bool
is_map_of_numbers(const cJSON *object)
{
	size_t numbers = 0;

	if (json_count(object) < 2 || json_count(object) > CELLS_MAX)
		return false;
	for (const cJSON *m = json_first(object); m; m = m->next) {
		if (json_type(m) != JSON_NUMBER && json_type(m) != JSON_NULL)
			return false;
		numbers += json_type(m) == JSON_NUMBER;
	}
	return numbers > 1;
}

/* Ignores members that are not arrays, such as units or a title. */
static bool
is_object_of_arrays(const cJSON *object)
{
	size_t arrays = 0, length = 0, numbers = 0;

	for (const cJSON *m = json_first(object); m; m = m->next) {
		if (json_type(m) != JSON_ARRAY)
			continue;
		if (json_is_lazy(m) || (arrays > 0 && json_count(m) != length))
			return false;
		length = json_count(m);
		const cJSON *item = json_first(m);
		for (int i = 0; item && i < ROWS_LOOKED_AT && json_type(item) != JSON_NUMBER; i++)
			item = item->next;
		numbers += json_type(item) == JSON_NUMBER;
		arrays++;
	}
	return arrays > 1 && numbers > 0 && length > 1 && arrays * length <= CELLS_MAX;
}

/* Return the first such object, outer before inner. */
static const cJSON *
find_object(const cJSON *node, int depth, size_t *left)
{
	if (json_type(node) != JSON_OBJECT || depth > DEPTH_MAX)
		return NULL;
	if (is_map_of_numbers(node) || is_object_of_arrays(node))
		return node;
	for (const cJSON *m = json_first(node); m && *left > 0; m = m->next) {
		--*left;
		const cJSON *found = find_object(m, depth + 1, left);
		if (found)
			return found;
	}
	return NULL;
}

bool
chart_turns(const cJSON *value)
{
	return find_object(value, 0, &(size_t){ MEMBERS_LOOKED_AT }) != NULL;
}

static void
add_arrays(struct buf *out, const cJSON *object)
{
	const cJSON **at = mem_alloc(json_count(object) * sizeof(*at));
	size_t arrays = 0, rows = 0;

	for (const cJSON *m = json_first(object); m; m = m->next)
		if (json_type(m) == JSON_ARRAY) {
			rows = json_count(m);
			at[arrays++] = json_first(m);
		}
	for (size_t row = 0; row < rows; row++) {
		buf_add_char(out, row == 0 ? '[' : ',');
		size_t i = 0;
		for (const cJSON *m = json_first(object); m; m = m->next) {
			if (json_type(m) != JSON_ARRAY)
				continue;
			buf_add_char(out, i == 0 ? '{' : ',');
			json_print_string(out, m->string, strlen(m->string));
			buf_add_char(out, ':');
			json_print(out, at[i]);
			at[i] = at[i]->next;
			i++;
		}
		buf_add_char(out, '}');
	}
	free(at);
}

void
chart_turn(struct chart_turned *t, const cJSON *value)
{
	const cJSON *object = find_object(value, 0, &(size_t){ MEMBERS_LOOKED_AT });
	struct buf text = { .max = TEXT_MAX }, pointer = BUF_INIT;

	*t = (struct chart_turned){ 0 };
	if (!object)
		return;
	t->arrays = !is_map_of_numbers(object);
	if (t->arrays)
		add_arrays(&text, object);
	for (const cJSON *m = t->arrays ? NULL : json_first(object); m; m = m->next) {
		buf_add_str(&text, m == json_first(object) ? "[{\"name\":" : ",{\"name\":");
		json_print_string(&text, m->string, strlen(m->string));
		buf_add_str(&text, ",\"value\":");
		json_print(&text, m);
		buf_add_char(&text, '}');
	}
	buf_add_char(&text, ']');
	json_pointer_of(value, object, &pointer);
	if (!text.overflowed)
		t->doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	t->pointer = mem_strdup(buf_text(&pointer));
	buf_finish(&text);
	buf_finish(&pointer);
}

void
chart_turned_finish(struct chart_turned *t)
{
	json_doc_destroy(t->doc);
	free(t->pointer);
	*t = (struct chart_turned){ 0 };
}

void
chart_turned_pointer(const struct chart_turned *t, const struct table *table, size_t row,
    size_t column, struct buf *out)
{
	buf_add_str(out, t->pointer);
	if (!t->arrays) {
		json_pointer_add_key(out, json_get_string(table_row(table, row), "name"));
		return;
	}
	json_pointer_add_key(out, table->columns.items[column].path[0]);
	json_pointer_add_index(out, row);
}

/* ---- tables ---- */

static bool
has_number(const cJSON *node, int depth)
{
	if (json_type(node) == JSON_NUMBER)
		return true;
	for (const cJSON *m = depth > 0 ? json_first(node) : NULL; m; m = m->next)
		if (has_number(m, json_type(m) == JSON_OBJECT ? depth - 1 : 0))
			return true;
	return false;
}

bool
chart_spot_serves(const struct table_spot *spot)
{
	struct json_items it;
	bool has = false;

	if (json_type(spot->node) != JSON_ARRAY) {
		const cJSON *m = json_first(spot->node);
		for (int i = 0; m && i < ROWS_LOOKED_AT && !has; i++, m = m->next)
			has = has_number(m, COLUMN_DEPTH);
		return has;
	}
	json_items_init(&it, spot->node, NULL);
	for (; it.item && it.index < ROWS_LOOKED_AT && !has; json_items_next(&it))
		has = has_number(it.item, COLUMN_DEPTH);
	json_items_finish(&it);
	return has;
}
