#include "base/mem.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "data/chart.h"

#include <stdlib.h>
#include <string.h>

/* Numbers or items that are copied, and bytes of the copy: objects of more are not turned. */
#define CELLS_MAX ((size_t)50000)
#define TEXT_MAX ((size_t)8 << 20)
#define DEPTH_MAX 4
#define MEMBERS_LOOKED_AT 200
#define ROWS_LOOKED_AT 8

static bool
is_number_or_null(const cJSON *node)
{
	return json_type(node) == JSON_NUMBER || json_type(node) == JSON_NULL;
}

static bool
is_map_of_numbers(const cJSON *object)
{
	size_t numbers = 0;

	if (json_count(object) < 2 || json_count(object) > CELLS_MAX)
		return false;
	for (const cJSON *m = json_first(object); m; m = m->next) {
		if (!is_number_or_null(m))
			return false;
		numbers += json_type(m) == JSON_NUMBER;
	}
	return numbers > 1;
}

static bool
begins_with_number(const cJSON *array)
{
	const cJSON *item = json_first(array);

	for (int i = 0; item && i < ROWS_LOOKED_AT && json_type(item) != JSON_NUMBER; i++)
		item = item->next;
	return json_type(item) == JSON_NUMBER;
}

/* Members that are no arrays do not count: units, a title. */
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
		numbers += begins_with_number(m);
		arrays++;
	}
	return arrays > 1 && numbers > 0 && length > 1 && arrays * length <= CELLS_MAX;
}

/* The first such object, the outer before the inner. */
static const cJSON *
find(const cJSON *node, int depth, size_t *left)
{
	if (json_type(node) != JSON_OBJECT || depth > DEPTH_MAX)
		return NULL;
	if (is_map_of_numbers(node) || is_object_of_arrays(node))
		return node;
	for (const cJSON *m = json_first(node); m && *left > 0; m = m->next) {
		--*left;
		const cJSON *found = find(m, depth + 1, left);
		if (found)
			return found;
	}
	return NULL;
}

static const cJSON *
find_in(const cJSON *value)
{
	size_t left = MEMBERS_LOOKED_AT;

	return find(value, 0, &left);
}

bool
chart_turns(const cJSON *value)
{
	return find_in(value) != NULL;
}

static void
add_members(struct buf *out, const cJSON *object)
{
	for (const cJSON *m = json_first(object); m; m = m->next) {
		buf_add_str(out, m == json_first(object) ? "[{\"name\":" : ",{\"name\":");
		json_print_string(out, m->string, strlen(m->string));
		buf_add_str(out, ",\"value\":");
		json_print(out, m);
		buf_add_char(out, '}');
	}
}

/* `at`: the next item of each array. */
static void
add_row(struct buf *out, const cJSON *object, const cJSON **at)
{
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
		add_row(out, object, at);
	}
	free(at);
}

void
chart_turn(struct chart_turned *t, const cJSON *value)
{
	const cJSON *object = find_in(value);
	struct buf text = { .max = TEXT_MAX }, pointer = BUF_INIT;

	*t = (struct chart_turned){ 0 };
	if (!object)
		return;
	t->arrays = !is_map_of_numbers(object);
	if (t->arrays)
		add_arrays(&text, object);
	else
		add_members(&text, object);
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
