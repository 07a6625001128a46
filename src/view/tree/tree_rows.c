#include "base/vec.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "tree_view.h"

#include <stdlib.h>
#include <string.h>

/* Default limits of depth and members for unfolded nodes. */
#define OPEN_DEPTH 6
#define OPEN_COUNT 200
/* The same if the user chose the level. */
#define LEVEL_COUNT 10000

static void
drop_lazy(struct tree_view *v)
{
	for (size_t i = 0; i < v->lazy.len; i++)
		json_reader_destroy(v->lazy.items[i].reader);
	v->lazy.len = 0;
}

void
tree_rows_finish(struct tree_view *v)
{
	drop_lazy(v);
	free(v->lazy.items);
	free(v->rows.items);
	free(v->toggled.items);
	free(v->missing.items);
}

/* ---- folds ---- */

static size_t
set_position(const struct node_set *set, const cJSON *node)
{
	size_t low = 0, high = set->len;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if ((uintptr_t)set->items[mid] < (uintptr_t)node)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool
set_has(const struct node_set *set, const cJSON *node)
{
	size_t at = set_position(set, node);

	return at < set->len && set->items[at] == node;
}

static void
set_toggle(struct node_set *set, const cJSON *node)
{
	size_t at = set_position(set, node);

	if (at < set->len && set->items[at] == node) {
		VEC_REMOVE(set, at);
		return;
	}
	*VEC_PUSH(set) = node;
	memmove(set->items + at + 1, set->items + at, (set->len - 1 - at) * sizeof(*set->items));
	set->items[at] = node;
}

static bool
is_open(const struct tree_view *v, const cJSON *node, unsigned depth)
{
	bool open = depth < OPEN_DEPTH && json_count(node) <= OPEN_COUNT;

	if (v->level > 0)
		open = depth < v->level &&
		       (v->level == TREE_ALL_LEVELS || json_count(node) <= LEVEL_COUNT);

	return open != set_has(&v->toggled, node);
}

/* ---- missing members ---- */

static int
compare_holders(const void *x, const void *y, void *report)
{
	size_t i = *(const size_t *)x, k = *(const size_t *)y;
	uintptr_t a = (uintptr_t)report_at(report, i)->node;
	uintptr_t b = (uintptr_t)report_at(report, k)->node;

	if (a != b)
		return a < b ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void
index_missing(struct tree_view *v, const struct report *report)
{
	v->missing.len = 0;
	for (size_t i = 0; report && i < report_facts(report)->kept; i++)
		if (report_at(report, i)->missing)
			*VEC_PUSH(&v->missing) = i;
	if (v->missing.len > 0)
		qsort_r(v->missing.items, v->missing.len, sizeof(size_t), compare_holders,
		    (void *)report);
}

static size_t
first_missing(const struct tree_view *v, const struct report *report, const cJSON *object)
{
	size_t low = 0, high = v->missing.len;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if ((uintptr_t)report_at(report, v->missing.items[mid])->node < (uintptr_t)object)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* ---- lazy arrays ---- */

static struct json_reader *
reader_of(struct tree_view *v, const cJSON *array)
{
	for (size_t i = 0; i < v->lazy.len; i++)
		if (v->lazy.items[i].array == array)
			return v->lazy.items[i].reader;
	struct json_reader *reader = json_reader_create(array, 1);
	*VEC_PUSH(&v->lazy) = (struct tree_lazy){ array, reader };
	return reader;
}

/* Prefers the report's own node, because its violations are keyed by it. */
static const cJSON *
lazy_item(struct tree_view *v, const struct view_input *in, const cJSON *array, size_t index)
{
	const cJSON *item = in->report ? report_item(in->report, array, index) : NULL;

	return item ? item : json_reader_keep(reader_of(v, array), index);
}

/* ---- rows ---- */

static void
add_row(struct tree_view *v, struct tree_row row)
{
	if (v->rows.len < TREE_ROWS_MAX)
		*VEC_PUSH(&v->rows) = row;
}

static void
add_missing(struct tree_view *v, const struct report *report, uint32_t parent)
{
	const struct tree_row object = v->rows.items[parent];
	size_t i = first_missing(v, report, object.node);

	for (; i < v->missing.len; i++) {
		const struct violation *violation = report_at(report, v->missing.items[i]);
		if (violation->node != object.node)
			return;
		add_row(v, (struct tree_row){ .missing = violation->missing,
			       .parent = parent,
			       .depth = (uint16_t)(object.depth + 1),
			       .is_missing = true });
	}
}

static void add_rows(struct tree_view *v, const struct view_input *in, const cJSON *node,
    uint32_t parent, uint32_t index, unsigned depth);

static void
add_lazy_rows(struct tree_view *v, const struct view_input *in, const cJSON *array, uint32_t parent,
    unsigned depth)
{
	size_t count = json_count(array), shown = count < TREE_LAZY_MAX ? count : TREE_LAZY_MAX;

	for (size_t i = 0; i < shown; i++)
		add_rows(v, in, lazy_item(v, in, array, i), parent, (uint32_t)i, depth);
	if (shown < count)
		add_row(v, (struct tree_row){ .node = array,
			       .parent = parent,
			       .index = (uint32_t)shown,
			       .depth = (uint16_t)depth,
			       .is_rest = true });
}

static void
add_rows(struct tree_view *v, const struct view_input *in, const cJSON *node, uint32_t parent,
    uint32_t index, unsigned depth)
{
	uint32_t self = (uint32_t)v->rows.len, i = 0;
	bool open = json_count(node) > 0 && is_open(v, node, depth);

	if (v->rows.len >= TREE_ROWS_MAX)
		return;
	add_row(v, (struct tree_row){ .node = node,
		       .parent = parent,
		       .index = index,
		       .depth = (uint16_t)depth,
		       .open = open });
	if (open && json_is_lazy(node))
		add_lazy_rows(v, in, node, self, depth + 1);
	else if (open)
		for (const cJSON *m = json_first(node); m; m = m->next)
			add_rows(v, in, m, self, i++, depth + 1);
	if (v->missing.len > 0 && json_type(node) == JSON_OBJECT && (open || !json_first(node)))
		add_missing(v, in->report, self);
}

static void
renew(struct tree_view *v, const struct view_env *env)
{
	v->rows.len = 0;
	if (env->in->value)
		add_rows(v, env->in, env->in->value, TREE_NO_ROW, 0, 0);
	list_set_count(&v->list, v->rows.len);
}

void
tree_rows_renew(struct tree_view *v, const struct view_env *env)
{
	drop_lazy(v);
	v->toggled.len = 0;
	v->level = env->printed ? TREE_ALL_LEVELS : v->level;
	index_missing(v, env->in->report);
	renew(v, env);
}

/* Keeps folds and selection. */
void
tree_rows_on_report(struct tree_view *v, const struct view_env *env)
{
	size_t selected = v->list.selected;
	const cJSON *node = selected < v->rows.len ? v->rows.items[selected].node : NULL;

	index_missing(v, env->in->report);
	renew(v, env);
	for (size_t i = selected; node && i < v->rows.len; i++) {
		if (v->rows.items[i].node == node) {
			list_select(&v->list, i);
			return;
		}
	}
}

void
tree_rows_fold(struct tree_view *v, const struct view_env *env, size_t row, bool open)
{
	const cJSON *node = tree_row_node(&v->rows.items[row]);

	if (json_count(node) == 0 || v->rows.items[row].open == open)
		return;
	set_toggle(&v->toggled, node);
	renew(v, env);
}

/* ---- pointers ---- */

void
tree_rows_pointer(const struct tree_view *v, size_t row, struct buf *pointer)
{
	const struct tree_row *r = &v->rows.items[row];

	if (r->parent == TREE_NO_ROW)
		return;
	tree_rows_pointer(v, r->parent, pointer);
	if (r->is_rest)
		return;
	if (json_type(v->rows.items[r->parent].node) == JSON_ARRAY)
		json_pointer_add_index(pointer, r->index);
	else
		json_pointer_add_key(pointer, r->is_missing ? r->missing : r->node->string);
}

static const cJSON *
child_of(struct tree_view *v, const struct view_input *in, const cJSON *node, const char *token)
{
	struct buf step = BUF_INIT;
	size_t index;

	if (json_is_lazy(node)) {
		size_t count = json_count(node);
		bool has_row = json_pointer_index(
		    token, count < TREE_LAZY_MAX ? count : TREE_LAZY_MAX, &index);
		return has_row ? lazy_item(v, in, node, index) : NULL;
	}
	json_pointer_add_key(&step, token);
	const cJSON *child = json_pointer_find(node, buf_text(&step));
	buf_finish(&step);
	return child;
}

static bool
is_missing(const struct report *report, const cJSON *object, const char *name)
{
	return report && report_find_missing(report, object, name) != REPORT_NONE;
}

static size_t
row_of(const struct tree_view *v, const cJSON *node, const char *missing)
{
	for (size_t i = 0; i < v->rows.len; i++) {
		const struct tree_row *row = &v->rows.items[i];
		if (!missing && tree_row_node(row) == node)
			return i;
		if (missing && row->is_missing && v->rows.items[row->parent].node == node &&
		    strcmp(row->missing, missing) == 0)
			return i;
	}
	return SIZE_MAX;
}

size_t
tree_rows_reveal(struct tree_view *v, const struct view_env *env, const char *pointer)
{
	struct buf token = BUF_INIT;
	const cJSON *node = env->in->value;
	const char *missing = NULL;
	size_t row = SIZE_MAX;
	unsigned depth = 0;

	while (node && !missing && json_pointer_next(&pointer, &token)) {
		const cJSON *child = child_of(v, env->in, node, buf_text(&token));
		if (json_count(node) > 0 && !is_open(v, node, depth++))
			set_toggle(&v->toggled, node);
		if (child || !is_missing(env->in->report, node, buf_text(&token)))
			node = child;
		else
			missing = buf_text(&token);
	}
	renew(v, env);
	if (node && *pointer == '\0')
		row = row_of(v, node, missing);
	buf_finish(&token);
	return row;
}

/* The row of the node at the pointer, or of the innermost node around it that has one. */
static size_t
nearest_row(const struct tree_view *v, const char *pointer)
{
	struct buf token = BUF_INIT;
	size_t row = 0;

	while (
	    row < v->rows.len && v->rows.items[row].open && json_pointer_next(&pointer, &token)) {
		const cJSON *node = v->rows.items[row].node, *child = NULL;
		if (!json_is_lazy(node))
			child = json_pointer_step(node, buf_text(&token));
		size_t next = child ? row_of(v, child, NULL) : SIZE_MAX;
		if (next == SIZE_MAX)
			break;
		row = next;
	}
	buf_finish(&token);
	return row;
}

void
tree_rows_unfold_to(struct tree_view *v, const struct view_env *env, unsigned level)
{
	struct buf place = BUF_INIT;

	if (v->list.selected < v->rows.len)
		tree_rows_pointer(v, v->list.selected, &place);
	v->level = level;
	v->toggled.len = 0;
	renew(v, env);
	list_select(&v->list, nearest_row(v, buf_text(&place)));
	buf_finish(&place);
}
