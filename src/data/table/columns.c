/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "schema/report.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

const char *
table_row_key(const struct table *t, size_t row)
{
	return t->kind == TABLE_MAP ? t->rows[row]->string : NULL;
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

	if (c->depth == 0) { /* the row as one value, unless its members have columns */
		bool spreads =
		    json_type(node) == (t->kind == TABLE_ARRAYS ? JSON_ARRAY : JSON_OBJECT);
		return spreads && t->columns.len > 1 ? NULL : node;
	}
	if (t->kind == TABLE_ARRAYS) {
		const cJSON *item = json_type(node) == JSON_ARRAY ? json_first(node) : NULL;
		for (size_t i = 0; item && i < c->index; i++)
			item = item->next;
		return item;
	}
	/* a null instead of a nested object is the value of all its columns */
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

/* Return how much of a pointer the path of a column covers. 0: neither begins with the other. */
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
	bool found = t->kind == TABLE_RECORD || json_pointer_next(&pointer, &token);

	*row = 0;
	if (found && t->kind == TABLE_MAP) {
		while (*row < t->row_count && strcmp(table_row_key(t, *row), buf_text(&token)) != 0)
			++*row;
		found = *row < t->row_count;
	} else if (found && t->kind != TABLE_RECORD) {
		found =
		    json_pointer_index(buf_text(&token), t->row_count, row) && *row >= t->heading;
	}
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

/* ---- widths, measured in a sample of the cells ---- */

#define WIDTH_MAX 40
#define ONLY_WIDTH_MAX 160 /* of a table's only column */

static int
cell_width(const cJSON *cell)
{
	struct buf brief = BUF_INIT;

	if (json_type(cell) == JSON_STRING) {
		size_t len = strnlen(cell->valuestring, ONLY_WIDTH_MAX);
		int quotes = len < ONLY_WIDTH_MAX && text_is_ambiguous(cell->valuestring) ? 2 : 0;
		return (int)glyph_columns(cell->valuestring, len) + quotes;
	}
	if (json_type(cell) == JSON_NULL || json_type(cell) == JSON_BOOLEAN)
		return json_type(cell) == JSON_NULL ? 4 : 5;
	json_print_brief(&brief, cell, ONLY_WIDTH_MAX);
	int width = (int)glyph_columns(buf_text(&brief), brief.len);
	buf_finish(&brief);
	return width;
}

/* Set the width. Decimal points are aligned, unless one long fraction would waste the width. */
static void
column_settle(struct column *c, const struct column_tally *tally, bool only)
{
	int most = only ? ONLY_WIDTH_MAX : WIDTH_MAX;

	c->longest = c->width < ONLY_WIDTH_MAX ? c->width : ONLY_WIDTH_MAX;
	if (c->fraction > (tally->whole + c->fraction) / 2 && c->fraction > 12)
		c->fraction = 0;
	const int widths[] = { c->fraction ? tally->whole + c->fraction : tally->longest,
		(int)glyph_columns(c->name, strlen(c->name)), 3 };
	for (size_t i = 0; i < ARRAY_LEN(widths); i++)
		c->width = widths[i] > c->width ? widths[i] : c->width;
	c->width = c->width < most ? c->width : most;
	c->numeric = tally->numbers > tally->others;
}

/* ---- finding the columns ---- */

/* Rows sampled for widths: this many first rows, this many spread over the rest, and the rows with
 * the first values of each column. */
#define WIDTH_SAMPLE 500
#define FIRST_VALUES 4
/* Properties of a schema visited, because a schema can refer to itself. */
#define SCHEMA_VISITS_MAX 10000

/* Bytes of names of columns that no row fills; further columns are only counted. */
#define EMPTY_NAMES_MAX 1000

/* The state of a search for columns. */
struct finding {
	struct table *t;
	size_t row;   /* the current row */
	bool plain;   /* some row is not an object (TABLE_ARRAYS: an array) */
	size_t whole; /* the column of plain rows; SIZE_MAX: none */
	size_t schema_visits;
	const struct schema_branches
	    *open[COLUMN_DEPTH];        /* the schemas of the objects at each depth */
	const char *path[COLUMN_DEPTH]; /* of the current member */
	size_t step;                    /* distance between sampled rows */
	bool sampled;                   /* the current row is a sample */
	bool recurs;                    /* a column_tally.recurs is set */
	struct buf empty;               /* names of columns that no row fills */
	struct column_tally tally[COLUMNS_MAX + 1];
	struct map numbers; /* of columns, from 1, by their paths */
};

/* ---- columns by path ---- */

static bool
path_is(const struct column *c, const char *const *path, int depth)
{
	if (c->depth != depth)
		return false;
	for (int i = depth; i-- > 0;)
		if (c->path[i] != path[i] && strcmp(c->path[i], path[i]) != 0)
			return false;
	return true;
}

static uint64_t
path_hash(const struct finding *b, int depth)
{
	uint64_t hash = (uintptr_t)b;

	for (int i = 0; i < depth; i++)
		hash = hash_bytes(hash, b->path[i], strlen(b->path[i]));
	return hash;
}

/* Return the number, from 1, of the column at the current path; 0: none. */
static size_t
column_number(const struct finding *b, int depth)
{
	const void *number;

	MAP_EACH(&b->numbers, path_hash(b, depth), number)
		if (path_is(&b->t->columns.items[(uintptr_t)number - 1], b->path, depth))
			return (uintptr_t)number;
	return 0;
}

static struct column *
add_column(struct finding *b, int depth)
{
	struct column *c = VEC_PUSH(&b->t->columns);
	struct buf name = BUF_INIT;

	*c = (struct column){ .depth = depth };
	for (int i = 0; i < depth; i++) {
		c->path[i] = b->path[i];
		buf_add_str(&name, i ? "." : "");
		label_add(&name, c->path[i]);
	}
	c->name = buf_detach(&name);
	return c;
}

/* Return the index of the column at the current path, adding it if new; SIZE_MAX if there are too
 * many. Tries *hint first, because rows tend to have their members in the same order. */
static size_t
want_column(struct finding *b, int depth, size_t *hint)
{
	struct table *t = b->t;

	if (*hint < t->columns.len && path_is(&t->columns.items[*hint], b->path, depth))
		return (*hint)++;
	size_t number = column_number(b, depth);
	if (!number) {
		t->more_columns |= t->columns.len == COLUMNS_MAX;
		if (t->more_columns)
			return SIZE_MAX;
		add_column(b, depth);
		number = t->columns.len;
		map_add(&b->numbers, path_hash(b, depth), (const void *)number);
	}
	*hint = number;
	return number - 1;
}

static void
measure(struct finding *b, size_t column, const cJSON *cell)
{
	struct column *c = &b->t->columns.items[column];
	struct column_tally *tally = &b->tally[column];
	char buffer[JSON_NUMBER_TEXT_MAX];

	if (!b->sampled && tally->numbers + tally->others >= FIRST_VALUES)
		return;
	if (json_type(cell) != JSON_NUMBER) {
		tally->others += json_type(cell) != JSON_NULL;
		int width = cell_width(cell);
		c->width = width > c->width ? width : c->width;
		return;
	}
	tally->numbers++;
	const char *text = json_number_text(cell, buffer);
	int len = (int)strnlen(text, ONLY_WIDTH_MAX);
	const char *point = memchr(text, '.', (size_t)len);
	if (memchr(text, 'e', (size_t)len) || memchr(text, 'E', (size_t)len))
		point = NULL;
	int whole = point ? (int)(point - text) : len;
	tally->whole = whole > tally->whole ? whole : tally->whole;
	tally->longest = len > tally->longest ? len : tally->longest;
	c->fraction = len - whole > c->fraction ? len - whole : c->fraction;
}

/* Return whether the user folded the object at the current path into one column. */
static bool
is_folded(const struct finding *b, int depth)
{
	const struct table_source *src = b->t->source;

	for (size_t i = 0; i < src->folded_count; i++) {
		const char *name = src->folded[i];
		for (int d = 0; d < depth && name; d++) {
			size_t len = strlen(b->path[d]);
			bool ends = d + 1 == depth;
			bool fits =
			    strncmp(name, b->path[d], len) == 0 && name[len] == (ends ? '\0' : '.');
			name = fits ? name + len + !ends : NULL;
		}
		if (name)
			return true;
	}
	return false;
}

/* ---- the columns of the schema ---- */

static void columns_of_schema(
    struct finding *b, const struct schema_branches *branches, int depth, size_t *hint);

/* Return whether the schema is that of an enclosing object: its columns would never end. */
static bool
columns_is_open(const struct finding *b, const cJSON *schema, int depth)
{
	for (int d = 0; d <= depth; d++)
		for (size_t i = 0; i < b->open[d]->len; i++)
			if (b->open[d]->items[i] == schema)
				return true;
	return false;
}

/* Add a column for an object before those of its members; is_needed() drops one or the other. */
static void
column_of_property(struct finding *b, const cJSON *schema, const char *key, int depth, size_t *hint)
{
	struct schema_branches inner = { .len = 0 };
	bool spreads = false, is_again = false;

	if (depth + 1 < COLUMN_DEPTH)
		schema_branches(&inner, b->t->source->root_schema, schema);
	for (size_t i = 0; i < inner.len; i++) {
		if (json_count(json_get(inner.items[i], "properties")) == 0)
			continue;
		spreads = true;
		is_again |= columns_is_open(b, inner.items[i], depth);
	}
	b->path[depth] = key;
	size_t column = want_column(b, depth + 1, hint);
	if (column != SIZE_MAX && !b->t->columns.items[column].schema)
		b->t->columns.items[column].schema = schema;
	if (column != SIZE_MAX && is_again)
		b->recurs = b->tally[column].recurs = true;
	if (spreads && !is_again && !is_folded(b, depth + 1))
		columns_of_schema(b, &inner, depth + 1, hint);
}

/* Add declared properties first, then properties that are only required. */
static void
columns_of_schema(
    struct finding *b, const struct schema_branches *branches, int depth, size_t *hint)
{
	b->open[depth] = branches;
	for (size_t i = 0; i < branches->len; i++) {
		const cJSON *p = json_first(json_get(branches->items[i], "properties"));
		for (; p; p = p->next) {
			if (b->schema_visits++ >= SCHEMA_VISITS_MAX || b->t->more_columns)
				return;
			column_of_property(b, p, p->string, depth, hint);
		}
	}
	for (size_t i = 0; i < branches->len; i++) {
		const cJSON *r = json_first(json_get(branches->items[i], "required"));
		for (; r; r = r->next) {
			if (b->schema_visits++ >= SCHEMA_VISITS_MAX || b->t->more_columns)
				return;
			bool declared = !cJSON_GetStringValue(r);
			for (size_t k = 0; k < branches->len && !declared; k++)
				declared = json_get(
				    json_get(branches->items[k], "properties"), r->valuestring);
			if (!declared)
				column_of_property(b, NULL, r->valuestring, depth, hint);
			b->path[depth] = r->valuestring;
			size_t number = cJSON_GetStringValue(r) ? column_number(b, depth + 1) : 0;
			if (number)
				b->tally[number - 1].required = true;
		}
	}
}

static const cJSON *
schema_of_rows(const struct table *t)
{
	const cJSON *root = t->source->root_schema, *schema = t->source->schema;

	if (t->kind == TABLE_OBJECTS)
		return shape_schema_items(root, schema);
	if (t->kind == TABLE_RECORD)
		return schema;
	const cJSON *first = t->kind == TABLE_MAP ? json_first(t->node) : NULL;
	return first ? shape_schema_member(root, schema, first->string) : NULL;
}

/* ---- the columns of the rows ---- */

static void
columns_of_object(struct finding *b, const cJSON *object, int depth, size_t *hint)
{
	for (const cJSON *m = json_first(object); m; m = m->next) {
		b->path[depth] = m->string;
		bool spreads = m->child && json_type(m) == JSON_OBJECT && depth + 1 < COLUMN_DEPTH;
		size_t number = spreads && b->recurs ? column_number(b, depth + 1) : 0;
		if (number > 0 && b->tally[number - 1].recurs)
			spreads = false; /* one column, because its schema recurs */
		if (spreads && !is_folded(b, depth + 1)) {
			*hint += *hint < b->t->columns.len &&
				 path_is(&b->t->columns.items[*hint], b->path, depth + 1);
			columns_of_object(b, m, depth + 1, hint);
			continue;
		}
		size_t column = want_column(b, depth + 1, hint);
		if (column == SIZE_MAX)
			continue;
		/* keys are interned in a document: make path_is() compare addresses */
		memcpy(b->t->columns.items[column].path, b->path,
		    (size_t)(depth + 1) * sizeof(*b->path));
		b->tally[column].seen = true;
		b->tally[column].valued |= json_type(m) != JSON_NULL;
		measure(b, column, m);
	}
}

static void
columns_of_array(struct finding *b, const cJSON *array)
{
	struct table *t = b->t;
	size_t index = 0;

	for (const cJSON *m = json_first(array); m; m = m->next, index++) {
		if (index == COLUMNS_MAX) {
			t->more_columns = true;
			return;
		}
		if (index == t->columns.len)
			*VEC_PUSH(&t->columns) = (struct column){
				.index = index, .depth = 1, .name = mem_printf("%zu", index)
			};
		measure(b, index, m);
	}
}

/* ---- a heading ---- */

/* Rows compared with the first, columns of the first, and bytes of a value used as a name. */
#define HEADING_ROWS 50
#define HEADING_MAX 200
#define HEADING_BYTES 60

static void
columns_of_heading(struct table *t, const cJSON *names)
{
	const cJSON *item = json_type(names) == JSON_ARRAY ? json_first(names) : NULL;

	for (size_t index = 0; item && index < COLUMNS_MAX; item = item->next, index++) {
		struct buf name = BUF_INIT;
		if (cJSON_GetStringValue(item))
			label_add(&name, cJSON_GetStringValue(item));
		else if (json_type(item) != JSON_NULL)
			json_print_brief(&name, item, HEADING_BYTES);
		if (name.len == 0)
			buf_addf(&name, "%zu", index);
		*VEC_PUSH(&t->columns) =
		    (struct column){ .index = index, .depth = 1, .name = buf_detach(&name) };
	}
}

/* Return the number of names in a row of different, nonempty strings; 0: another row. */
static size_t
count_names(const cJSON *row)
{
	size_t count = 0;

	if (json_type(row) != JSON_ARRAY)
		return 0;
	for (const cJSON *item = json_first(row); item; item = item->next) {
		if (!cJSON_GetStringValue(item) || !*cJSON_GetStringValue(item) ||
		    count++ == HEADING_MAX)
			return 0;
		for (const cJSON *other = json_first(row); other != item; other = other->next)
			if (strcmp(cJSON_GetStringValue(other), cJSON_GetStringValue(item)) == 0)
				return 0;
	}
	return count;
}

/* The first row has names and a column under them has no strings. No row may be longer. */
bool
columns_guess_heading(const struct table *t)
{
	bool has_text[HEADING_MAX] = { false }, has_other[HEADING_MAX] = { false };
	size_t count =
	    t->kind == TABLE_ARRAYS && t->row_count > 1 ? count_names(table_scan(t, 0)) : 0;
	bool found = false;

	for (size_t row = 1; count > 0 && row < t->row_count && row <= HEADING_ROWS; row++) {
		const cJSON *items = table_scan(t, row);
		size_t i = 0;
		if (json_type(items) != JSON_ARRAY)
			return false;
		for (const cJSON *item = json_first(items); item; item = item->next, i++) {
			if (i == count)
				return false;
			has_text[i] |= cJSON_GetStringValue(item) != NULL;
			has_other[i] |= !cJSON_GetStringValue(item) && json_type(item) != JSON_NULL;
		}
	}
	for (size_t i = 0; i < count; i++)
		found |= has_other[i] && !has_text[i];
	return found;
}

/* ---- rows ---- */

/* Add one column for all plain rows. */
static void
add_whole_column(struct finding *b)
{
	struct table *t = b->t;

	struct column *c = add_column(b, 0);
	free(c->name);
	c->name = mem_strdup("value");
	b->whole = t->columns.len - 1;
	for (size_t i = t->heading; i < b->row; i++) {
		b->sampled = i < WIDTH_SAMPLE || i % b->step == 0;
		const cJSON *cell =
		    b->sampled ? table_cell_of(t, table_scan(t, i), b->whole) : NULL;
		if (cell)
			measure(b, b->whole, cell);
	}
}

/* ---- which columns are needed ---- */

/* Mark a column "address" as spread if a row has "address.city", or without rows if the schema
 * declares it. */
static void
mark_spread(struct finding *b)
{
	for (size_t i = 0; i < b->t->columns.len; i++) {
		struct column c = b->t->columns.items[i];
		for (int depth = 1; depth < c.depth; depth++) {
			if (!b->tally[i].seen && b->t->row_count > 0)
				break;
			memcpy(b->path, c.path, (size_t)depth * sizeof(*b->path));
			size_t number = column_number(b, depth);
			if (number)
				b->t->columns.items[number - 1].spread = true;
		}
	}
}

/* Return whether no row has the enclosing object. The column of the object shows this. */
static bool
is_inside_absent(struct finding *b, const struct column *c)
{
	for (int depth = 1; depth < c->depth; depth++) {
		memcpy(b->path, c->path, (size_t)depth * sizeof(*b->path));
		size_t number = column_number(b, depth);
		if (number && !b->t->columns.items[number - 1].spread)
			return true;
	}
	return false;
}

/* Return whether to show a column. A declared column that no row has is only counted, unless it is
 * required. If "address" is an object or null, "address.city" shows the null, so "address" needs no
 * column. */
static bool
is_needed(struct finding *b, size_t i)
{
	struct table *t = b->t;
	const struct column *c = &t->columns.items[i];
	const struct column_tally *tally = &b->tally[i];

	if (t->kind == TABLE_ARRAYS || c->depth == 0 || tally->valued)
		return true;
	if (c->spread || (!tally->seen && t->row_count > 0 && is_inside_absent(b, c)))
		return false;
	if (tally->seen || tally->required || t->row_count == 0)
		return true;
	if (b->empty.len < EMPTY_NAMES_MAX)
		buf_addf(&b->empty, "%s%s", b->empty.len > 0 ? ", " : "", c->name);
	b->t->empty_count++;
	return t->keeps_empty;
}

static void
drop_needless(struct finding *b)
{
	struct table *t = b->t;
	bool needed[COLUMNS_MAX + 1];
	size_t kept = 0;

	for (size_t i = 0; i < t->columns.len; i++)
		needed[i] = is_needed(b, i);
	for (size_t i = 0; i < t->columns.len; i++) {
		if (!needed[i]) {
			free(t->columns.items[i].name);
			continue;
		}
		t->columns.items[kept] = t->columns.items[i];
		b->tally[kept++] = b->tally[i];
	}
	t->columns.len = kept;
	t->empty = t->empty_count > 0 && !t->keeps_empty ? buf_detach(&b->empty) : NULL;
}

void
columns_find(struct table *t, size_t rows, struct job *job)
{
	struct finding *b = mem_zalloc(sizeof(*b));
	struct schema_branches branches;
	size_t stop = rows < t->row_count ? rows : t->row_count, hint = 0;
	enum json_type nested = t->kind == TABLE_ARRAYS ? JSON_ARRAY : JSON_OBJECT;
	bool on = true;

	b->t = t;
	b->whole = SIZE_MAX;
	b->step = t->row_count > 2 * WIDTH_SAMPLE ? t->row_count / WIDTH_SAMPLE : 1;
	if (t->heading)
		columns_of_heading(t, table_scan(t, 0));
	schema_branches(&branches, t->source->root_schema, schema_of_rows(t));
	columns_of_schema(b, &branches, 0, &hint);
	for (b->row = t->heading; b->row < stop && on; b->row++) {
		const cJSON *row = table_scan(t, b->row);
		b->sampled = b->row < WIDTH_SAMPLE || b->row % b->step == 0;
		hint = 0;
		if (json_type(row) != nested) {
			b->plain = true;
			if (b->whole != SIZE_MAX && b->sampled)
				measure(b, b->whole, row);
		} else if (nested == JSON_ARRAY)
			columns_of_array(b, row);
		else
			columns_of_object(b, row, 0, &hint);
		if (b->row % TABLE_ROWS_A_LOOK == 0)
			on = job_goes_on(job, b->row * 100 / t->row_count);
	}
	bool ends = b->row == t->row_count;
	if (ends) {
		mark_spread(b);
		drop_needless(b);
	}
	if (t->columns.len == 0 || (ends && b->plain && b->whole == SIZE_MAX))
		add_whole_column(b);
	for (size_t i = 0; i < t->columns.len; i++)
		column_settle(&t->columns.items[i], &b->tally[i], t->columns.len == 1);
	t->has_columns = ends;
	buf_finish(&b->empty);
	map_finish(&b->numbers);
	free(b);
}
