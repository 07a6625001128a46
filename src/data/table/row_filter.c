#include "base/mem.h"
#include "json/equal.h"
#include "json/number.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static bool
found_in(const struct row_search *s, const char *text)
{
	return substring_is_in(&s->needle, text, strlen(text));
}

static bool
value_matches(const struct row_search *s, const cJSON *value)
{
	char number[JSON_NUMBER_TEXT_MAX];

	switch (json_type(value)) {
	case JSON_NULL:
		return s->in_null;
	case JSON_BOOLEAN:
		return json_is_true(value) ? s->in_true : s->in_false;
	case JSON_NUMBER:
		return s->in_numbers && found_in(s, json_number_text(value, number));
	case JSON_STRING:
		return found_in(s, value->valuestring);
	default:
		return false;
	}
}

/* Keys count only inside a cell: below the columns, and in arrays. */
static bool
is_in_row(const struct row_search *s, const cJSON *value, int depth)
{
	bool object = json_type(value) == JSON_OBJECT, keys = object && depth >= COLUMN_DEPTH;

	if (!json_first(value))
		return value_matches(s, value);
	for (const cJSON *m = json_first(value); m; m = m->next)
		if ((keys && found_in(s, m->string)) ||
		    is_in_row(s, m, object ? depth + 1 : COLUMN_DEPTH))
			return true;
	return false;
}

void
row_search_init(struct row_search *s, const char *text)
{
	substring_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
	s->is_plain = true;
	for (const char *at = text; *at; at++)
		s->is_plain &= *at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\';
}

/* Most rows are passed over without being parsed. */
static bool
row_contains(const struct row_search *s, const struct table *t, size_t row)
{
	const char *key = table_row_key(t, row), *text;
	size_t len;

	if (s->needle.len == 0 || (key && found_in(s, key)))
		return true;
	if (!t->rows && s->is_plain && json_reader_text(t->scan, row, &text, &len) &&
	    !substring_is_in(&s->needle, text, len))
		return false;
	return is_in_row(s, table_scan(t, row), 0);
}

/* ---- comparisons ---- */

static const cJSON *
value_of(const struct filter_value *v, const struct table *t, size_t row, cJSON *key)
{
	if (v->column != SIZE_MAX)
		return table_scan_cell(t, row, v->column);
	if (!v->is_key)
		return v->constant;
	*key = (cJSON){ .type = cJSON_String, .valuestring = (char *)table_row_key(t, row) };
	return key;
}

/* Only numbers and strings have an order. */
static bool
compare(const cJSON *a, const cJSON *b, int *order)
{
	enum json_type type = json_type(a);

	if (type != json_type(b) || (type != JSON_NUMBER && type != JSON_STRING))
		return false;
	*order = type == JSON_NUMBER ? json_number_compare(a, b)
				     : strcmp(a->valuestring, b->valuestring);
	return true;
}

static bool
are_equal(const cJSON *a, const cJSON *b)
{
	int order;

	return compare(a, b, &order) ? order == 0 : a && b ? json_equal(a, b) : a == b;
}

static bool
holds(const struct filter_node *n, const cJSON *a, const cJSON *b)
{
	int order = 0;
	bool ordered;

	switch (n->operator) {
	case FILTER_EQUAL:
		return are_equal(a, b);
	case FILTER_UNEQUAL:
		return !are_equal(a, b);
	case FILTER_CONTAINS:
		return a && is_in_row(&n->search, a, COLUMN_DEPTH);
	case FILTER_CONTAINS_NOT:
		return !a || !is_in_row(&n->search, a, COLUMN_DEPTH);
	default:
		ordered = compare(a, b, &order);
	}
	if (!ordered)
		return false;
	return n->operator== FILTER_LESS      ? order < 0
	       : n->operator== FILTER_AT_MOST ? order <= 0
	       : n->operator== FILTER_MORE    ? order > 0
					      : order >= 0;
}

static bool
is_there(const cJSON *value)
{
	enum json_type type = json_type(value);

	return type != JSON_ABSENT && type != JSON_NULL &&
	       (type != JSON_BOOLEAN || json_is_true(value));
}

/* The filter has few nodes. */
static bool
passes(const struct row_filter *f, size_t node, const struct table *t, size_t row)
{
	const struct filter_node *n = &f->items[node];
	cJSON a, b;

	switch (n->kind) {
	case FILTER_TEXT:
		return row_contains(&n->search, t, row);
	case FILTER_COMPARE:
		return holds(n, value_of(&n->a, t, row, &a), value_of(&n->b, t, row, &b));
	case FILTER_THERE:
		return is_there(value_of(&n->a, t, row, &a));
	case FILTER_INVALID:
		return row_set_has(&t->invalid, row);
	case FILTER_SELECTED:
		return row_set_has(&t->picked, row);
	case FILTER_NOT:
		return !passes(f, n->left, t, row);
	case FILTER_AND:
		return passes(f, n->left, t, row) && passes(f, n->right, t, row);
	case FILTER_OR:
		return passes(f, n->left, t, row) || passes(f, n->right, t, row);
	}
	return false;
}

bool
row_filter_passes(const struct row_filter *f, const struct table *t, size_t row)
{
	return passes(f, f->root, t, row);
}

/* ---- the end ---- */

void
row_filter_release(struct filter_node *node)
{
	substring_finish(&node->search.needle);
	json_doc_destroy(node->a.doc);
	json_doc_destroy(node->b.doc);
}

void
row_filter_finish(struct row_filter *f)
{
	for (size_t i = 0; i < f->len; i++)
		row_filter_release(&f->items[i]);
	free(f->items);
	*f = (struct row_filter){ .root = FILTER_NOWHERE };
}
