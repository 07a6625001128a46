#include "render/render.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unless the user says otherwise: so deep, and so many members, are shown unfolded. */
#define OPEN_DEPTH 6
#define OPEN_COUNT 200
#define ROWS_MAX 2000000
#define INDENT 2

struct tree_row {
	const cJSON *node;   /* NULL: a required member that is missing */
	const cJSON *holder; /* its object or array; NULL for the root */
	const char *missing;
	uint32_t index; /* among its siblings */
	uint16_t depth;
	bool open;
};

/* Nodes whose fold is not what it would be by itself, sorted. */
struct node_set {
	const cJSON **items;
	size_t len, cap;
};

struct tree_view {
	struct {
		struct tree_row *items;
		size_t len, cap;
	} rows;
	struct node_set toggled;
	struct {
		size_t *items; /* violations about missing members, by object */
		size_t len, cap;
	} missing;
	struct list list;
	char *place; /* pointer of the selection, kept over results */
};

static void
tree_finish(void *state)
{
	struct tree_view *v = state;

	free(v->rows.items);
	free(v->toggled.items);
	free(v->missing.items);
	free(v->place);
}

static int
claim(const struct render_input *in)
{
	return in->value ? 5 : 1;
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
	(void)*VEC_PUSH(set);
	memmove(set->items + at + 1, set->items + at, (set->len - 1 - at) * sizeof(*set->items));
	set->items[at] = node;
}

static bool
is_open(const struct tree_view *v, const cJSON *node, unsigned depth)
{
	bool open = depth < OPEN_DEPTH && json_count(node) <= OPEN_COUNT;

	return open != set_has(&v->toggled, node);
}

/* ---- rows ---- */

static int
compare_holders(const void *x, const void *y, void *report)
{
	uintptr_t a = (uintptr_t)report_at(report, *(const size_t *)x)->node;
	uintptr_t b = (uintptr_t)report_at(report, *(const size_t *)y)->node;

	return a < b ? -1 : a > b;
}

static void
index_missing(struct tree_view *v, const struct report *report)
{
	v->missing.len = 0;
	for (size_t i = 0; report && i < report_kept(report); i++)
		if (report_at(report, i)->missing)
			*VEC_PUSH(&v->missing) = i;
	if (v->missing.len > 0)
		qsort_r(v->missing.items, v->missing.len, sizeof(size_t), compare_holders,
		    (void *)report);
}

static void
add_missing(struct tree_view *v, const struct report *report, const cJSON *object, unsigned depth)
{
	size_t low = 0, high = v->missing.len;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if ((uintptr_t)report_at(report, v->missing.items[mid])->node < (uintptr_t)object)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < v->missing.len; low++) {
		const struct violation *violation = report_at(report, v->missing.items[low]);
		if (violation->node != object)
			return;
		*VEC_PUSH(&v->rows) = (struct tree_row){ .holder = object,
			.missing = violation->missing,
			.depth = (uint16_t)(depth + 1) };
	}
}

static void
add_rows(struct tree_view *v, const struct render_input *in, const cJSON *node, const cJSON *holder,
    uint32_t index, unsigned depth)
{
	if (v->rows.len >= ROWS_MAX)
		return;
	bool open = json_first(node) && is_open(v, node, depth);
	*VEC_PUSH(&v->rows) = (struct tree_row){ .node = node,
		.holder = holder,
		.index = index,
		.depth = (uint16_t)depth,
		.open = open };
	uint32_t i = 0;
	for (const cJSON *m = open ? json_first(node) : NULL; m; m = m->next)
		add_rows(v, in, m, node, i++, depth + 1);
	if (in->report && json_type(node) == JSON_OBJECT && (open || !json_first(node)))
		add_missing(v, in->report, node, depth);
}

static void
renew(struct tree_view *v, const struct render_env *env)
{
	v->rows.len = 0;
	if (env->in->value)
		add_rows(v, env->in, env->in->value, NULL, 0, 0);
	list_set_count(&v->list, v->rows.len);
}

static size_t
row_of_node(const struct tree_view *v, const cJSON *node)
{
	for (size_t i = 0; i < v->rows.len; i++)
		if (v->rows.items[i].node == node)
			return i;
	return SIZE_MAX;
}

static bool reveal(void *state, const struct render_env *env, const char *pointer);

static void
sync(void *state, const struct render_env *env)
{
	struct tree_view *v = state;

	v->toggled.len = 0;
	index_missing(v, env->in->report);
	renew(v, env);
	if (v->place && !reveal(v, env, v->place))
		list_select(&v->list, 0);
}

/* ---- drawing ---- */

static int
draw_name(struct surface s, int x, int y, const struct tree_row *row)
{
	bool in_array = json_type(row->holder) == JSON_ARRAY;
	const char *name = row->missing ? row->missing : row->node->string;

	if (!row->holder)
		return 0;
	if (in_array)
		return surface_textf(s, x, y, -1, style_of(ROLE_DIM), "%u", row->index) + 2;
	return surface_text(s, x, y, s.width / 2, style_of(ROLE_KEY_NAME), name) + 2;
}

static void
draw_container(struct surface s, int x, int y, const struct tree_row *row, uint32_t ground)
{
	size_t n = json_count(row->node);
	bool array = json_type(row->node) == JSON_ARRAY;
	struct style style = { .ink = ROLE_DIM, .ground = ground };

	if (n == 0) {
		surface_text(s, x, y, -1, style, array ? "[] empty" : "{} empty");
		return;
	}
	x += surface_textf(s, x, y, -1, style, array ? "[%zu]" : "{%zu}", n) + 1;
	if (row->open)
		return;
	struct buf brief = BUF_INIT;
	json_print_brief(&brief, row->node, 300);
	surface_textn(s, x, y, -1, style_of(ROLE_HINT), buf_text(&brief), brief.len);
	buf_finish(&brief);
}

static uint32_t
ground_of(const struct report *report, const struct tree_row *row)
{
	size_t index = report && row->node ? report_find(report, row->node) : REPORT_NONE;

	if (row->missing)
		return ROLE_ERROR_CELL;
	if (index == REPORT_NONE)
		return ROLE_NONE;
	return report_at(report, index)->warning ? ROLE_WARNING_CELL : ROLE_ERROR_CELL;
}

static void
draw_row(
    const struct tree_view *v, const struct render_env *env, struct surface s, int y, size_t index)
{
	const struct tree_row *row = &v->rows.items[index];
	uint32_t ground = ground_of(env->in->report, row);
	size_t below =
	    env->in->report && row->node ? report_count_below(env->in->report, row->node) : 0;
	int x = row->depth * INDENT;

	if (row->node && json_first(row->node))
		surface_text(s, x, y, 1, style_of(ROLE_DIM), row->open ? "▾" : "▸");
	x += 2;
	x += draw_name(s, x, y, row);
	if (row->missing)
		surface_text(s, x, y, -1, style_on(ROLE_ERROR_CELL, ROLE_ERROR_CELL), "⟨missing⟩");
	else if (json_type(row->node) == JSON_OBJECT || json_type(row->node) == JSON_ARRAY)
		draw_container(s, x, y, row, ground);
	else
		render_value(s, x, y, -1, row->node, ground);
	if (below > 0 && !row->open && json_first(row->node))
		surface_textf(s, 0, y, -1, style_of(ROLE_ERROR), "✗%zu", below);
	if (index == v->list.selected)
		surface_select_row(s, y, env->focused);
}

static void
draw(void *state, const struct render_env *env, struct surface s)
{
	struct tree_view *v = state;

	list_set_height(&v->list, s.height);
	for (int y = 0; y < s.height && v->list.top + (size_t)y < v->rows.len; y++)
		draw_row(v, env, s, y, v->list.top + (size_t)y);
	surface_scrollbar(s, env->focused, v->rows.len, v->list.top);
}

static int
want(void *state, const struct render_env *env, int width)
{
	struct tree_view *v = state;
	(void)env, (void)width;

	return v->rows.len > 1000 ? 1000 : (int)v->rows.len;
}

static void
heading(void *state, const struct render_env *env, struct buf *where, struct buf *facts)
{
	struct tree_view *v = state;
	(void)where;

	buf_addf(facts, "tree · %s", json_type_name(json_type(env->in->value)));
	if (json_count(env->in->value) > 0)
		buf_addf(facts, " of %zu", json_count(env->in->value));
	if (v->rows.len > (size_t)v->list.height && v->list.height > 0)
		buf_addf(facts, " · line %zu of %zu", v->list.selected + 1, v->rows.len);
}

/* ---- keys ---- */

static void
set_open(struct tree_view *v, const struct render_env *env, size_t index, bool open)
{
	const struct tree_row *row = &v->rows.items[index];

	if (!row->node || !json_first(row->node) || row->open == open)
		return;
	set_toggle(&v->toggled, row->node);
	renew(v, env);
}

/* Left folds, or goes to the parent of what has nothing to fold. */
static void
go_left(struct tree_view *v, const struct render_env *env)
{
	const struct tree_row *row = &v->rows.items[v->list.selected];

	if (row->open) {
		set_open(v, env, v->list.selected, false);
		return;
	}
	size_t parent = row->holder ? row_of_node(v, row->holder) : SIZE_MAX;
	if (parent != SIZE_MAX)
		list_select(&v->list, parent);
}

static void
remember_place(struct tree_view *v, const struct render_env *env)
{
	struct buf pointer = BUF_INIT;

	if (v->list.selected < v->rows.len && v->rows.items[v->list.selected].node)
		json_pointer_of(env->in->value, v->rows.items[v->list.selected].node, &pointer);
	free(v->place);
	v->place = buf_detach(&pointer);
}

static bool
key(void *state, const struct render_env *env, const struct key *key)
{
	struct tree_view *v = state;
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (v->rows.len == 0)
		return false;
	size_t at = v->list.selected;
	bool used = true;
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		size_t row = v->list.top + (size_t)(key->y > 0 ? key->y : 0);
		if (row < v->rows.len) {
			list_select(&v->list, row);
			int marker = v->rows.items[row].depth * INDENT;
			if (key->x >= marker && key->x <= marker + 1)
				set_open(v, env, row, !v->rows.items[row].open);
		}
	} else if (key->kind == KEY_LEFT || ch == 'h') {
		go_left(v, env);
	} else if (key->kind == KEY_RIGHT || ch == 'l') {
		set_open(v, env, at, true);
	} else if (ch == ' ') {
		set_open(v, env, at, !v->rows.items[at].open);
	} else {
		used = list_key(&v->list, key);
	}
	if (used && v->list.selected != at)
		remember_place(v, env);
	return used;
}

static const cJSON *
selected(void *state, const struct render_env *env, struct buf *pointer)
{
	struct tree_view *v = state;

	if (v->list.selected >= v->rows.len)
		return NULL;
	const struct tree_row *row = &v->rows.items[v->list.selected];
	json_pointer_of(env->in->value, row->missing ? row->holder : row->node, pointer);
	if (row->missing)
		json_pointer_add_key(pointer, row->missing);
	return row->node;
}

/* Unfolds what hides the node: every ancestor from the root down. */
static bool
reveal(void *state, const struct render_env *env, const char *pointer)
{
	struct tree_view *v = state;
	struct buf path = BUF_INIT;
	const char *at = pointer;
	struct buf token = BUF_INIT;
	const cJSON *node = env->in->value;
	size_t row = node ? 0 : SIZE_MAX;

	while (row != SIZE_MAX && json_pointer_next(&at, &token)) {
		json_pointer_add_key(&path, buf_text(&token));
		const cJSON *next = json_pointer_find(env->in->value, buf_text(&path));
		set_open(v, env, row, true);
		if (!next) { /* a missing member: its ghost, else its object */
			for (size_t i = 0; i < v->rows.len; i++)
				if (v->rows.items[i].holder == node && v->rows.items[i].missing &&
				    strcmp(v->rows.items[i].missing, buf_text(&token)) == 0)
					row = i;
			break;
		}
		node = next;
		row = row_of_node(v, node);
	}
	if (row != SIZE_MAX)
		list_select(&v->list, row);
	buf_finish(&path);
	buf_finish(&token);
	return row != SIZE_MAX;
}

static bool
command(
    void *state, const struct render_env *env, const char *verb, const char *arg, struct buf *why)
{
	(void)state, (void)env, (void)arg;
	buf_addf(why, "%s works on tables: v shows another view", verb);
	return false;
}

const struct render_ops render_tree = {
	.name = "tree",
	.help = "any value, foldable",
	.state_size = sizeof(struct tree_view),
	.finish = tree_finish,
	.claim = claim,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.reveal = reveal,
	.selected = selected,
	.command = command,
};
