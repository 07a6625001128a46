#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "base/moment.h"
#include "data/chart.h"

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

/* Cells that are looked at to know what the columns have. */
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

/* ---- what the columns have ---- */

struct value_sample {
	size_t numbers, times, strings, others;
	bool rises, whole;
	double last, least, most;
	uint64_t seen[SAMPLE_ROWS];
	bool twice;
};

static void
add_string(struct value_sample *t, const char *text)
{
	uint64_t hash = hash_bytes(1, text, strnlen(text, 200));
	double seconds;

	t->times += moment_to_seconds(text, &seconds);
	for (size_t i = 0; i < t->strings && !t->twice; i++)
		t->twice = t->seen[i] == hash;
	t->seen[t->strings++] = hash;
}

static void
add_cell(struct value_sample *t, const cJSON *cell)
{
	bool too_large;
	double value;

	if (json_type(cell) == JSON_STRING) {
		add_string(t, cell->valuestring);
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

/* "id", "user_id", "userId", "index", "year" */
static bool
is_key_name(const char *name)
{
	static const char *const words[] = { "id", "index", "idx", "rank", "year", "zip", "#" };
	const char *dot = strrchr(name, '.');

	name = dot ? dot + 1 : name;
	size_t len = strlen(name);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(name, words[i]) == 0)
			return true;
	return len > 2 && (strcmp(name + len - 3, "_id") == 0 || strcmp(name + len - 2, "Id") == 0);
}

static struct chart_column
settle(const struct value_sample *t, const struct column *column)
{
	struct chart_column c = { .least = t->least, .most = t->most };
	size_t most = t->numbers > t->strings ? t->numbers : t->strings;

	if (t->others > most)
		return c;
	if (t->numbers > 0 && t->numbers >= t->strings)
		c.values = CHART_NUMBERS;
	else if (t->strings > 0)
		c.values = 5 * t->times >= 4 * t->strings ? CHART_TIMES : CHART_NAMES;
	else if (column->numeric) /* behind the sample */
		c.values = CHART_NUMBERS;
	c.differs = t->strings > 0 && !t->twice;
	c.is_key = c.values == CHART_NUMBERS && t->whole &&
		   (is_key_name(column->name) || (t->rises && t->numbers > 9));
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
		c->items[i] = settle(sample, &t->columns.items[i]);
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

static double
largest(const struct chart_column *c)
{
	return fmax(fabs(c->least), fabs(c->most));
}

static bool
is_alike(const struct chart_column *a, const struct chart_column *b)
{
	double x = largest(a), y = largest(b);

	return x == y || (x / ALIKE <= y && y / ALIKE <= x);
}

/* The first column of numbers, then those of about its size. Keys only if there is nothing else. */
static void
choose_ys(const struct chart_columns *c, struct chart_choice *out)
{
	for (int keys = 0; keys < 2 && out->y_count == 0; keys++)
		for (size_t i = 0; i < c->len && out->y_count < CHART_SERIES_MAX; i++) {
			const struct chart_column *column = &c->items[i];
			if (column->values != CHART_NUMBERS || column->is_key != (keys == 1))
				continue;
			if (out->y_count == 0 || is_alike(&c->items[out->ys[0]], column))
				out->ys[out->y_count++] = i;
		}
}

static size_t
first_with(const struct chart_columns *c, enum chart_values values, size_t but)
{
	for (size_t i = 0; i < c->len; i++)
		if (c->items[i].values == values && i != but)
			return i;
	return SIZE_MAX;
}

/* The first column whose names differ, else the first of names. */
static size_t
find_label(const struct chart_columns *c, const struct table *t)
{
	for (size_t i = 0; i < c->len && t->kind != TABLE_MAP; i++)
		if (c->items[i].values == CHART_NAMES && c->items[i].differs)
			return i;
	return t->kind == TABLE_MAP ? SIZE_MAX : first_with(c, CHART_NAMES, SIZE_MAX);
}

static size_t
count_measures(const struct chart_columns *c)
{
	size_t count = 0;

	for (size_t i = 0; i < c->len; i++)
		count += c->items[i].values == CHART_NUMBERS && !c->items[i].is_key;
	return count;
}

/* Years count as times although they are numbers: rows are in their order. */
static size_t
find_year(const struct chart_columns *c, const struct table *t)
{
	for (size_t i = 0; i < c->len; i++)
		if (c->items[i].is_key && strcasecmp(t->columns.items[i].name, "year") == 0)
			return i;
	return SIZE_MAX;
}

/* Points of two numbers: the first of them is the axis. */
static void
choose_scatter(const struct chart_columns *c, struct chart_choice *choice)
{
	size_t x = choice->x;

	if (x == SIZE_MAX)
		x = first_with(c, CHART_NUMBERS, SIZE_MAX);
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
	*out = (struct chart_choice){ .x = SIZE_MAX, .label = find_label(c, t) };
	choose_ys(c, out);
	if (out->y_count == 0)
		return false;
	size_t times = first_with(c, CHART_TIMES, SIZE_MAX);
	bool named = out->label != SIZE_MAX || t->kind == TABLE_MAP;
	out->x = times != SIZE_MAX ? times : find_year(c, t);
	if (out->x != SIZE_MAX && out->ys[0] != out->x) {
		out->kind = CHART_LINE;
	} else if (t->row_count > SEQUENCE_MAX && (named || c->len == 1)) {
		out->kind = CHART_HISTOGRAM; /* of so many bars nobody sees the whole */
		out->y_count = 1;
	} else if (named) {
		out->kind = CHART_BAR;
		out->y_count = 1;
	} else if (count_measures(c) == 2 && c->len == 2 && t->kind == TABLE_OBJECTS) {
		out->kind = CHART_SCATTER;
		choose_scatter(c, out);
	}
	return true;
}

/* All measures, up to so many. */
static void
choose_all(const struct chart_columns *c, struct chart_choice *choice, size_t most)
{
	choice->y_count = 0;
	for (int keys = 0; keys < 2 && choice->y_count == 0; keys++)
		for (size_t i = 0; i < c->len && choice->y_count < most; i++)
			if (c->items[i].values == CHART_NUMBERS &&
			    c->items[i].is_key == (keys == 1))
				choice->ys[choice->y_count++] = i;
}

/* As many columns as the kind shows. */
static void
choose_columns(const struct chart_columns *c, struct chart_choice *choice)
{
	enum chart_kind kind = choice->kind;

	if (kind == CHART_HEAT || kind == CHART_BOX) {
		choose_all(c, choice, kind == CHART_HEAT ? CHART_COLUMNS_MAX : CHART_SERIES_MAX);
	} else if (kind == CHART_BAR || kind == CHART_HISTOGRAM) {
		choice->y_count = choice->y_count > 1 ? 1 : choice->y_count;
	} else {
		choice->y_count = 0;
		choose_ys(c, choice);
		if (kind == CHART_STACKED && choice->y_count < 2)
			choose_all(c, choice, CHART_SERIES_MAX);
	}
}

void
chart_choose_kind(
    const struct chart_columns *c, enum chart_kind kind, bool fixed, struct chart_choice *choice)
{
	choice->kind = kind;
	if (!fixed)
		choose_columns(c, choice);
	if (kind == CHART_SCATTER)
		choose_scatter(c, choice);
	if (kind != CHART_HEAT && choice->y_count > CHART_SERIES_MAX)
		choice->y_count = CHART_SERIES_MAX;
}
