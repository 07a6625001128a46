#include "base/buf.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "schema/report.h"
#include "table.h"

#include <string.h>

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
		return json_pointer_index(token, t->row_count, row) && *row >= t->heading;
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
	bool found = t->kind == TABLE_RECORD ||
		     (json_pointer_next(&pointer, &token) && find_row(t, buf_text(&token), row));

	if (t->kind == TABLE_RECORD)
		*row = 0;
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
