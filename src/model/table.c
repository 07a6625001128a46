#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"
#include "model/shape.h"

#include <stdlib.h>
#include <string.h>

/* Rows looked at for widths: the first so many and as many spread over the rest. */
#define WIDTH_SAMPLE 500
#define WIDTH_MAX 40

static bool
same_key(const char *a, const char *b)
{
	return a == b || strcmp(a, b) == 0;
}

/* ---- columns ---- */

static bool
path_is(const struct column *c, const char *const *path, int depth)
{
	if (c->depth != depth)
		return false;
	for (int i = depth; i-- > 0;)
		if (!same_key(c->path[i], path[i]))
			return false;
	return true;
}

static void
name_column(struct column *c)
{
	struct buf name = BUF_INIT;

	for (int i = 0; i < c->depth; i++) {
		if (i > 0)
			buf_add_char(&name, '.');
		buf_add_str(&name, c->path[i]);
	}
	if (c->depth == 0)
		buf_add_str(&name, "value");
	c->name = buf_detach(&name);
}

/* Finds the column, looking first at `*hint`, where the next one of a row like the last one is. */
static void
want_column(struct table *t, const char *const *path, int depth, size_t *hint)
{
	if (*hint < t->columns.len && path_is(&t->columns.items[*hint], path, depth)) {
		++*hint;
		return;
	}
	for (size_t i = 0; i < t->columns.len; i++) {
		if (path_is(&t->columns.items[i], path, depth)) {
			*hint = i + 1;
			return;
		}
	}
	if (t->columns.len == COLUMNS_MAX) {
		t->more_columns = true;
		return;
	}
	struct column *c = VEC_PUSH(&t->columns);
	*c = (struct column){ .depth = depth };
	for (int i = 0; i < depth; i++)
		c->path[i] = path[i];
	name_column(c);
	*hint = t->columns.len;
}

static void
columns_of_object(struct table *t, const cJSON *object, const char **path, int depth, size_t *hint)
{
	for (const cJSON *m = json_first(object); m; m = m->next) {
		path[depth] = m->string;
		if (json_type(m) == JSON_OBJECT && json_count(m) > 0 && depth + 1 < COLUMN_DEPTH)
			columns_of_object(t, m, path, depth + 1, hint);
		else
			want_column(t, path, depth + 1, hint);
	}
}

static void
columns_of_schema(struct table *t, const cJSON *root, const cJSON *schema, const char **path,
    int depth, size_t *hint)
{
	const cJSON *properties = json_get(schema, "properties");

	for (const cJSON *p = json_first(properties); p; p = p->next) {
		const cJSON *member = shape_schema_member(root, schema, p->string);
		path[depth] = p->string;
		if (depth + 1 < COLUMN_DEPTH && json_count(json_get(member, "properties")) > 0)
			columns_of_schema(t, root, member, path, depth + 1, hint);
		else
			want_column(t, path, depth + 1, hint);
	}
}

static void
find_columns(struct table *t, const struct table_spot *spot, const cJSON *root)
{
	const char *path[COLUMN_DEPTH];
	size_t hint = 0, longest = 0;
	bool plain = false;

	if (t->kind == TABLE_OBJECTS)
		columns_of_schema(t, root, shape_schema_items(root, spot->schema), path, 0, &hint);
	for (size_t i = 0; i < t->row_count; i++) {
		hint = 0;
		if (t->kind == TABLE_ARRAYS && json_count(t->rows[i]) > longest)
			longest = json_count(t->rows[i]);
		else if (t->kind != TABLE_ARRAYS && json_type(t->rows[i]) == JSON_OBJECT)
			columns_of_object(t, t->rows[i], path, 0, &hint);
		else
			plain |= json_type(t->rows[i]) != JSON_ARRAY || t->kind != TABLE_ARRAYS;
	}
	for (size_t i = 0; i < longest && i < COLUMNS_MAX; i++)
		*VEC_PUSH(&t->columns) =
		    (struct column){ .index = i, .depth = 1, .name = mem_printf("%zu", i) };
	if (plain || t->columns.len == 0)
		want_column(t, path, 0, &(size_t){ t->columns.len });
}

const char *
table_row_key(const struct table *t, size_t row)
{
	return t->kind == TABLE_MAP ? t->rows[row]->string : NULL;
}

const cJSON *
table_holder(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = t->rows[row];

	for (int i = 0; i + 1 < c->depth; i++)
		node = json_get(node, c->path[i]);
	return json_type(node) == JSON_OBJECT ? node : NULL;
}

static const cJSON *
nth_item(const cJSON *array, size_t index)
{
	const cJSON *item = json_type(array) == JSON_ARRAY ? json_first(array) : NULL;

	while (item && index-- > 0)
		item = item->next;
	return item;
}

const cJSON *
table_cell(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = t->rows[row];

	if (c->depth == 0) {
		bool spread = t->kind == TABLE_ARRAYS ? json_type(node) == JSON_ARRAY
						      : json_type(node) == JSON_OBJECT;
		return spread && t->columns.len > 1 ? NULL : node;
	}
	if (t->kind == TABLE_ARRAYS)
		return nth_item(node, c->index);
	for (int i = 0; i < c->depth && node; i++)
		node = json_get(node, c->path[i]);
	return node;
}

size_t
table_find_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->columns.len; i++)
		if (strcmp(t->columns.items[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

/* ---- widths ---- */

static void
measure_cell(struct column *c, const cJSON *cell, int *whole, size_t *numbers, size_t *others)
{
	char number[JSON_NUMBER_TEXT_MAX];

	if (json_type(cell) == JSON_NUMBER) {
		const char *text = json_number_text(cell, number);
		const char *point = strpbrk(text, "eE") ? NULL : strchr(text, '.');
		int len = (int)strlen(text), before = point ? (int)(point - text) : len;
		*whole = before > *whole ? before : *whole;
		c->fraction = len - before > c->fraction ? len - before : c->fraction;
		++*numbers;
		return;
	}
	if (!cell)
		return;
	int width = 4;
	if (json_type(cell) == JSON_STRING)
		width = (int)glyph_columns(
			    cell->valuestring, strnlen(cell->valuestring, 4 * WIDTH_MAX)) +
			1;
	else if (json_type(cell) == JSON_BOOLEAN)
		width = 5;
	else if (json_count(cell) > 0) {
		struct buf brief = BUF_INIT;
		json_print_brief(&brief, cell, WIDTH_MAX);
		width = (int)glyph_columns(buf_text(&brief), brief.len);
		buf_finish(&brief);
	}
	*others += json_type(cell) != JSON_NULL;
	c->width = width > c->width ? width : c->width;
}

static void
measure_column(struct table *t, size_t column)
{
	struct column *c = &t->columns.items[column];
	size_t numbers = 0, others = 0, step = 1;
	int whole = 0;

	if (t->row_count > 2 * WIDTH_SAMPLE)
		step = t->row_count / WIDTH_SAMPLE;
	for (size_t i = 0; i < t->row_count; i += i < WIDTH_SAMPLE ? 1 : step)
		measure_cell(c, table_cell(t, i, column), &whole, &numbers, &others);
	c->numeric = numbers > others;
	int name = (int)glyph_columns(c->name, strlen(c->name));
	if (whole + c->fraction > c->width)
		c->width = whole + c->fraction;
	c->width = c->width > WIDTH_MAX ? WIDTH_MAX : c->width;
	c->width = name > c->width ? (name > WIDTH_MAX ? WIDTH_MAX : name) : c->width;
	if (c->width < 3)
		c->width = 3;
	if (c->fraction > c->width / 2)
		c->fraction = 0; /* one long decimal does not push the others away */
}

/* ---- life ---- */

static void
show_all(struct table *t)
{
	for (size_t i = 0; i < t->row_count; i++)
		t->order[i] = (uint32_t)i;
	t->shown = t->row_count;
}

void
table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema)
{
	size_t n = json_count(spot->node);

	*t = (struct table){ .node = spot->node, .kind = spot->kind, .sorted_by = SIZE_MAX };
	t->rows = mem_alloc(n * sizeof(*t->rows));
	t->order = mem_alloc(n * sizeof(*t->order));
	for (const cJSON *row = json_first(spot->node); row && t->row_count < n; row = row->next)
		t->rows[t->row_count++] = row;
	find_columns(t, spot, root_schema);
	for (size_t i = 0; i < t->columns.len; i++)
		measure_column(t, i);
	show_all(t);
}

void
table_finish(struct table *t)
{
	for (size_t i = 0; i < t->columns.len; i++)
		free(t->columns.items[i].name);
	free(t->columns.items);
	free(t->rows);
	free(t->order);
	free(t->filter);
	*t = (struct table){ 0 };
}
