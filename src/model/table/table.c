#include "schema/report.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "model/table.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* A violation of an object whose members have columns of their own counts in all of these. */
static bool
is_in_column(
    const struct table *t, const struct column *c, const struct report_step *way, size_t len)
{
	if (len == 0 || c->depth == 0)
		return len == 0 && c->depth == 0;
	if (t->kind == TABLE_ARRAYS)
		return !way[0].key && way[0].index == c->index;
	for (int i = 0; i < c->depth && (size_t)i < len; i++)
		if (!way[i].key ||
		    (way[i].key != c->path[i] && strcmp(way[i].key, c->path[i]) != 0))
			return false;
	return true;
}

static void
count_one(struct table *t, size_t index)
{
	struct report_step way[1 + COLUMN_DEPTH]; /* the row, then keys */
	size_t len = report_way(t->report, index, t->node, way, 1 + COLUMN_DEPTH);

	if (len == REPORT_NONE || len == 0 || report_at(t->report, index)->warning)
		return;
	len = len > 1 + COLUMN_DEPTH ? COLUMN_DEPTH : len - 1;
	for (size_t i = 0; i < t->columns.len; i++)
		if (is_in_column(t, &t->columns.items[i], way + 1, len))
			t->columns.items[i].wrong++;
}

static bool
table_count_on(struct table *t, size_t violations)
{
	size_t kept = t->report ? report_kept(t->report) : 0;

	if (t->counted >= kept)
		return false;
	for (; t->counted < kept && violations > 0; violations--)
		count_one(t, t->counted++);
	return true;
}

void
table_set_report(struct table *t, const struct report *report)
{
	t->report = report;
	t->counted = 0;
	for (size_t i = 0; i < t->columns.len; i++)
		t->columns.items[i].wrong = 0;
	if (!t->finding)
		table_count_on(t, COUNT_SLICE);
}

#define WIDTH_MAX 40
#define ONLY_WIDTH_MAX 160 /* of a table's only column */

static void
measure_number(struct column *c, struct column_tally *tally, const cJSON *cell)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const char *text = json_number_text(cell, buffer);
	int len = (int)strnlen(text, ONLY_WIDTH_MAX);
	const char *point = memchr(text, '.', (size_t)len);

	if (memchr(text, 'e', (size_t)len) || memchr(text, 'E', (size_t)len))
		point = NULL;
	int whole = point ? (int)(point - text) : len;
	if (whole > tally->whole)
		tally->whole = whole;
	if (len > tally->longest)
		tally->longest = len;
	if (len - whole > c->fraction)
		c->fraction = len - whole;
}

static int
brief_width(const cJSON *cell)
{
	struct buf brief = BUF_INIT;

	json_print_brief(&brief, cell, ONLY_WIDTH_MAX);
	int width = (int)glyph_columns(buf_text(&brief), brief.len);
	buf_finish(&brief);
	return width;
}

static int
string_width(const char *text)
{
	size_t len = strnlen(text, ONLY_WIDTH_MAX);
	int quotes = len < ONLY_WIDTH_MAX && text_is_ambiguous(text) ? 2 : 0;

	return (int)glyph_columns(text, len) + quotes;
}

static int
cell_width(const cJSON *cell)
{
	switch (json_type(cell)) {
	case JSON_STRING:
		return string_width(cell->valuestring);
	case JSON_NULL:
		return 4;
	case JSON_BOOLEAN:
		return 5;
	default:
		return brief_width(cell);
	}
}

void
column_measure(struct column *c, struct column_tally *tally, const cJSON *cell)
{
	if (json_type(cell) == JSON_NUMBER) {
		tally->numbers++;
		measure_number(c, tally, cell);
		return;
	}
	tally->others += json_type(cell) != JSON_NULL;
	int width = cell_width(cell);
	if (width > c->width)
		c->width = width;
}

static void
widen(struct column *c, int width, int most)
{
	if (width > most)
		width = most;
	if (width > c->width)
		c->width = width;
}

/* Aligns decimal points, unless one long decimal would push the others away. */
void
column_settle(struct column *c, const struct column_tally *tally, bool only)
{
	int most = only ? ONLY_WIDTH_MAX : WIDTH_MAX;

	c->longest = c->width < ONLY_WIDTH_MAX ? c->width : ONLY_WIDTH_MAX;
	if (c->width > most)
		c->width = most;
	if (c->fraction > (tally->whole + c->fraction) / 2 && c->fraction > 12)
		c->fraction = 0;
	widen(c, c->fraction ? tally->whole + c->fraction : tally->longest, most);
	widen(c, (int)glyph_columns(c->name, strlen(c->name)), most);
	widen(c, 3, 3);
	c->numeric = tally->numbers > tally->others;
}

/* ---- cells ---- */

const char *
table_row_key(const struct table *t, size_t row)
{
	return t->kind == TABLE_MAP ? t->rows[row]->string : NULL;
}

static const cJSON *
nth_item(const cJSON *array, size_t index)
{
	const cJSON *item = json_type(array) == JSON_ARRAY ? json_first(array) : NULL;

	while (item && index-- > 0)
		item = item->next;
	return item;
}

/* The row as one value, if its members do not have columns of their own. */
static const cJSON *
whole_row(const struct table *t, const cJSON *row)
{
	bool spread =
	    t->kind == TABLE_ARRAYS ? json_type(row) == JSON_ARRAY : json_type(row) == JSON_OBJECT;

	return spread && t->columns.len > 1 ? NULL : row;
}

const cJSON *
table_row(const struct table *t, size_t row)
{
	if (t->rows)
		return t->rows[row];
	const cJSON *kept = t->report ? report_item(t->report, t->node, row) : NULL;
	return kept ? kept : json_reader_at(t->reader, row);
}

const cJSON *
table_cell_of(const struct table *t, const cJSON *node, size_t column)
{
	const struct column *c = &t->columns.items[column];

	if (c->depth == 0)
		return whole_row(t, node);
	if (t->kind == TABLE_ARRAYS)
		return nth_item(node, c->index);
	/* the null in place of a nested object is the value of all its columns */
	for (int i = 0; i < c->depth && node && (i == 0 || json_type(node) != JSON_NULL); i++)
		node = json_get(node, c->path[i]);
	return node;
}

const cJSON *
table_cell(const struct table *t, size_t row, size_t column)
{
	return table_cell_of(t, table_row(t, row), column);
}

bool
table_cell_is_told(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = table_row(t, row);
	int depth = 0;

	if (column == 0 || t->kind == TABLE_ARRAYS || c[-1].depth == 0)
		return false;
	for (; depth + 1 < c->depth && json_type(node) == JSON_OBJECT; depth++) {
		if (depth >= c[-1].depth || strcmp(c->path[depth], c[-1].path[depth]) != 0)
			return false;
		node = json_get(node, c->path[depth]);
	}
	return depth > 0 && depth < c->depth && json_type(node) == JSON_NULL;
}

const cJSON *
table_holder(const struct table *t, size_t row, size_t column, const char **key)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = table_row(t, row);

	for (int i = 0; i < c->depth && c->path[i] && json_type(node) == JSON_OBJECT; i++) {
		const cJSON *next = json_get(node, c->path[i]);
		if (!next) {
			*key = c->path[i];
			return node;
		}
		node = next;
	}
	return NULL;
}

/* ---- finding ---- */

size_t
table_find_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->columns.len; i++)
		if (strcmp(t->columns.items[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

static bool
find_row(const struct table *t, const char *token, size_t *row)
{
	if (t->kind != TABLE_MAP)
		return json_pointer_index(token, t->row_count, row);
	for (*row = 0; *row < t->row_count; ++*row)
		if (strcmp(table_row_key(t, *row), token) == 0)
			return true;
	return false;
}

/* How well a column covers the path of a pointer, 0 for not at all: the pointer must contain the
 * column's whole path, or be a part of it. */
static int
fitness(const struct column *c, const char *pointer, struct buf *token)
{
	for (int i = 0; i < c->depth; i++) {
		if (*pointer == '\0')
			return i > 0;
		if (!json_pointer_next(&pointer, token) || strcmp(c->path[i], buf_text(token)) != 0)
			return 0;
	}
	return c->depth > 0 ? c->depth + 1 : 0;
}

static size_t
find_column_at(const struct table *t, const char *pointer)
{
	struct buf token = BUF_INIT;
	size_t found = SIZE_MAX, index;
	int best = 0;

	if (t->kind == TABLE_ARRAYS) {
		if (json_pointer_next(&pointer, &token) &&
		    json_pointer_index(buf_text(&token), t->columns.len, &index) &&
		    t->columns.items[index].depth > 0)
			found = index;
	} else {
		for (size_t i = 0; i < t->columns.len; i++) {
			int fit = fitness(&t->columns.items[i], pointer, &token);
			found = fit > best ? i : found;
			best = fit > best ? fit : best;
		}
	}
	buf_finish(&token);
	return found;
}

bool
table_find_pointer(const struct table *t, const char *pointer, size_t *row, size_t *column)
{
	struct buf token = BUF_INIT;
	bool found = json_pointer_next(&pointer, &token) && find_row(t, buf_text(&token), row);

	if (found)
		*column = find_column_at(t, pointer);
	buf_finish(&token);
	return found;
}

/* ---- ambiguous strings ---- */

bool
text_is_ambiguous(const char *text)
{
	static const char *const words[] = { "null", "true", "false" };
	size_t len = strlen(text);

	/* an absent cell is shown as a middle dot, a missing one in angle brackets */
	if (len == 0 || strchr(" \"[{", text[0]) || text[len - 1] == ' ' ||
	    strcmp(text, "·") == 0 || strncmp(text, "⟨", strlen("⟨")) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return len < 400 && json_is_number_text(text, len);
}

/* ---- begin and end ---- */

/* Rows of a lazy array kept in memory: more than a screen shows. */
#define REMEMBERED 256

static void
find_rows(struct table *t)
{
	size_t n = json_count(t->node);

	t->order = mem_alloc(n * sizeof(*t->order));
	if (json_is_lazy(t->node)) {
		t->reader = json_reader_create(t->node, REMEMBERED);
		t->scan = json_reader_create(t->node, 1);
		t->row_count = n;
		return;
	}
	t->rows = mem_alloc(n * sizeof(*t->rows));
	for (const cJSON *row = json_first(t->node); row && t->row_count < n; row = row->next)
		t->rows[t->row_count++] = row;
}

void
table_begin(struct table *t, const struct table_spot *spot, const cJSON *root_schema)
{
	*t = (struct table){ .node = spot->node, .kind = spot->kind, .sorted_by = SIZE_MAX };
	find_rows(t);
	for (size_t i = 0; i < t->row_count; i++)
		t->order[i] = (uint32_t)i;
	t->shown = t->row_count;
	finding_begin(t, spot, root_schema);
	finding_work(t, TABLE_SLICE);
}

bool
table_work(struct table *t)
{
	if (t->finding)
		finding_work(t, TABLE_SLICE);
	else if (t->ordering)
		ordering_work(t, TABLE_SLICE);
	else
		return table_count_on(t, COUNT_SLICE);
	return true;
}

void
table_complete(struct table *t)
{
	if (t->finding)
		finding_work(t, SIZE_MAX);
	if (t->ordering)
		ordering_work(t, SIZE_MAX);
	table_count_on(t, SIZE_MAX);
}

const char *
table_progress(const struct table *t, unsigned *percent)
{
	if (!t->finding && !t->ordering)
		return NULL;
	*percent = t->finding ? finding_percent(t) : ordering_percent(t);
	return t->finding ? "columns" : t->sorted_by == SIZE_MAX ? "filtering" : "sorting";
}

void
table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema)
{
	table_begin(t, spot, root_schema);
	table_complete(t);
}

void
table_finish(struct table *t)
{
	finding_drop(t);
	ordering_drop(t);
	for (size_t i = 0; i < t->columns.len; i++)
		free(t->columns.items[i].name);
	free(t->columns.items);
	json_reader_destroy(t->reader);
	json_reader_destroy(t->scan);
	free(t->rows);
	free(t->order);
	free(t->filter);
	free(t->empty);
	*t = (struct table){ 0 };
}
