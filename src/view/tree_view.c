/* SPDX-License-Identifier: MIT */
#include "base/units.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "ui/list.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

#define TREE_ROWS_MAX 2000000
#define TREE_INDENT 2
#define TREE_NO_ROW UINT32_MAX
#define TREE_ALL_LEVELS UINT32_MAX

struct tree_row {
	union {
		const cJSON *node;
		const char *missing; /* the name of a missing required member */
	};
	uint32_t parent; /* its row; TREE_NO_ROW for the root */
	uint32_t index;  /* among its siblings */
	uint16_t depth;
	bool is_missing, open;
	bool is_rest; /* the remaining items of a lazy array; node is the array */
};

#define TREE_LAZY_MAX ((size_t)10000) /* items of a lazy array that have rows */
struct tree_lazy {
	const cJSON *array;
	struct json_reader *reader;
};

/* Nodes whose fold differs from the default, sorted. */
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
	unsigned level; /* chosen by the user: nodes above it are unfolded; 0: the default */
	struct {
		size_t *items; /* violations about missing members, by object */
		size_t len, cap;
	} missing;
	struct {
		struct tree_lazy *items; /* keep their items as long as the rows exist */
		size_t len, cap;
	} lazy;
	struct list list;
	char *place; /* pointer of the selection, kept across results */
};

/* NULL for a missing member or the rest of an array. */
static inline const cJSON *
tree_row_node(const struct tree_row *row)
{
	return row->is_missing || row->is_rest ? NULL : row->node;
}

/* Default limits of depth and members for unfolded nodes. */
#define OPEN_DEPTH 6
#define OPEN_COUNT 200
#define LEVEL_COUNT 10000 /* the limit of members if the user chose the level */

static void
drop_lazy(struct tree_view *v)
{
	for (size_t i = 0; i < v->lazy.len; i++)
		json_reader_destroy(v->lazy.items[i].reader);
	v->lazy.len = 0;
}

/* ---- folds ---- */

static size_t
set_position(const struct node_set *set, const cJSON *node)
{
	size_t low = 0, high = set->len;

	BISECT(low, high, mid, (uintptr_t)set->items[mid] < (uintptr_t)node);
	return low;
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
tree_is_open(const struct tree_view *v, const cJSON *node, unsigned depth)
{
	bool open = depth < OPEN_DEPTH && json_count(node) <= OPEN_COUNT;
	size_t at = set_position(&v->toggled, node);

	if (v->level > 0)
		open = depth < v->level &&
		       (v->level == TREE_ALL_LEVELS || json_count(node) <= LEVEL_COUNT);
	return open != (at < v->toggled.len && v->toggled.items[at] == node);
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

/* ---- rows ---- */

/* Prefer the node of the report, because it identifies the violations. */
static const cJSON *
lazy_item(struct tree_view *v, const struct view_input *in, const cJSON *array, size_t index)
{
	const cJSON *item = in->report ? report_item(in->report, array, index) : NULL;
	size_t at = 0;

	if (item)
		return item;
	while (at < v->lazy.len && v->lazy.items[at].array != array)
		at++;
	if (at == v->lazy.len)
		*VEC_PUSH(&v->lazy) = (struct tree_lazy){ array, json_reader_create(array, 1) };
	return json_reader_keep(v->lazy.items[at].reader, index);
}

static void
add_tree_row(struct tree_view *v, struct tree_row row)
{
	if (v->rows.len < TREE_ROWS_MAX)
		*VEC_PUSH(&v->rows) = row;
}

static void
add_missing(struct tree_view *v, const struct report *report, uint32_t parent)
{
	const struct tree_row object = v->rows.items[parent];
	size_t first = 0, end = v->missing.len; /* `first` is the first about this object */

	BISECT(first, end, mid,
	    (uintptr_t)report_at(report, v->missing.items[mid])->node < (uintptr_t)object.node);
	for (size_t i = first; i < v->missing.len; i++) {
		const struct violation *violation = report_at(report, v->missing.items[i]);
		if (violation->node != object.node)
			return;
		add_tree_row(v, (struct tree_row){ .missing = violation->missing,
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
		add_tree_row(v, (struct tree_row){ .node = array,
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
	bool open = json_count(node) > 0 && tree_is_open(v, node, depth);

	if (v->rows.len >= TREE_ROWS_MAX)
		return;
	add_tree_row(v, (struct tree_row){ .node = node,
			    .parent = parent,
			    .index = index,
			    .depth = (uint16_t)depth,
			    .open = open });
	if (open && json_is_lazy(node))
		add_lazy_rows(v, in, node, self, depth + 1);
	else if (open)
		for (const cJSON *m = json_first(node); m; m = m->next)
			add_rows(v, in, m, self, i++, depth + 1);
	if (v->missing.len > 0 && cJSON_IsObject(node) && (open || !json_first(node)))
		add_missing(v, in->report, self);
}

static void
tree_renew(struct tree_view *v, const struct view_env *env)
{
	v->rows.len = 0;
	if (env->in->value)
		add_rows(v, env->in, env->in->value, TREE_NO_ROW, 0, 0);
	list_set_count(&v->list, v->rows.len);
}

/* Keep folds and selection. */
static void
on_report(void *state, const struct view_env *env)
{
	struct tree_view *v = state;
	size_t selected = v->list.selected;
	const cJSON *node = selected < v->rows.len ? v->rows.items[selected].node : NULL;

	index_missing(v, env->in->report);
	tree_renew(v, env);
	for (size_t i = selected; node && i < v->rows.len; i++) {
		if (v->rows.items[i].node == node) {
			list_select(&v->list, i);
			return;
		}
	}
}

static void
tree_rows_fold(struct tree_view *v, const struct view_env *env, size_t row, bool open)
{
	const cJSON *node = tree_row_node(&v->rows.items[row]);

	if (json_count(node) == 0 || v->rows.items[row].open == open)
		return;
	set_toggle(&v->toggled, node);
	tree_renew(v, env);
}

/* ---- pointers ---- */

static void
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
	size_t count = json_count(node), index;

	if (!json_is_lazy(node))
		return json_pointer_step(node, token);
	bool has_row =
	    json_pointer_index(token, count < TREE_LAZY_MAX ? count : TREE_LAZY_MAX, &index);
	return has_row ? lazy_item(v, in, node, index) : NULL;
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

/* Unfold the parents of the node or missing member. Return its row; SIZE_MAX: none. */
static size_t
tree_rows_reveal(struct tree_view *v, const struct view_env *env, const char *pointer)
{
	struct buf token = BUF_INIT;
	const struct report *report = env->in->report;
	const cJSON *node = env->in->value;
	const char *missing = NULL;
	size_t row = SIZE_MAX;
	unsigned depth = 0;

	while (node && !missing && json_pointer_next(&pointer, &token)) {
		const cJSON *child = child_of(v, env->in, node, buf_text(&token));
		if (json_count(node) > 0 && !tree_is_open(v, node, depth++))
			set_toggle(&v->toggled, node);
		if (!child && report &&
		    report_find_missing(report, node, buf_text(&token)) != REPORT_NONE)
			missing = buf_text(&token);
		else
			node = child;
	}
	tree_renew(v, env);
	if (node && *pointer == '\0')
		row = row_of(v, node, missing);
	buf_finish(&token);
	return row;
}

/* Return the row of the node at the pointer, or of the innermost enclosing node that has one. */
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

static void
tree_rows_unfold_to(struct tree_view *v, const struct view_env *env, unsigned level)
{
	struct buf place = BUF_INIT;

	if (v->list.selected < v->rows.len)
		tree_rows_pointer(v, v->list.selected, &place);
	v->level = level;
	v->toggled.len = 0;
	tree_renew(v, env);
	list_select(&v->list, nearest_row(v, buf_text(&place)));
	buf_finish(&place);
}

/* Bytes of a folded container shown on its line. */
#define BRIEF_BYTES 300

static void
draw_container(const struct view_env *env, struct surface s, int x, int y,
    const struct tree_row *row, struct style style)
{
	size_t n = json_count(row->node);
	bool array = json_type(row->node) == JSON_ARRAY;
	size_t below = env->in->report ? report_count_below(env->in->report, row->node) : 0;

	if (n == 0) {
		surface_text(s, x, y, -1, style, array ? "[] empty" : "{} empty");
		return;
	}
	x += surface_textf(s, x, y, -1, style, array ? "[%zu]" : "{%zu}", n) + 1;
	if (below > 0)
		x += surface_textf(s, x, y, -1, style_of(ROLE_ERROR), "✗%zu", below) + 1;
	if (row->open)
		return;
	struct buf brief = BUF_INIT;
	json_print_brief(&brief, row->node, BRIEF_BYTES);
	surface_textn(s, x, y, style_of(ROLE_HINT), buf_text(&brief), brief.len);
	buf_finish(&brief);
}

static void
tree_draw_row(
    const struct tree_view *v, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct tree_row *row = &v->rows.items[index];
	const cJSON *node = tree_row_node(row);
	int x = row->depth * TREE_INDENT;

	surface_spot(s, -1, y);
	if (index == v->list.selected)
		surface_select_row(s, y, env->focused);
	if (json_count(node) > 0)
		surface_text(s, x, y, 1, style_of(ROLE_DIM), row->open ? "▾" : "▸");
	x += 2;
	if (row->is_rest) {
		surface_textf(s, x, y, -1, style_of(ROLE_HINT), "… %zu more: the table shows all",
		    json_count(row->node) - row->index);
		return;
	}
	if (row->parent != TREE_NO_ROW && json_type(v->rows.items[row->parent].node) == JSON_ARRAY)
		x += surface_textf(s, x, y, -1, style_of(ROLE_DIM), "%u", row->index) + 2;
	else if (row->parent != TREE_NO_ROW)
		x += surface_text(s, x, y, s.width / 2, style_of(ROLE_KEY_NAME),
			 row->is_missing ? row->missing : row->node->string) +
		     2;
	if (!node) {
		surface_text(s, x, y, -1, style_on(ROLE_ERROR_CELL, ROLE_ERROR_CELL), "⟨missing⟩");
		return;
	}
	uint32_t ground = view_ground(env->in->report, node);
	if (cJSON_IsObject(node) || json_type(node) == JSON_ARRAY)
		draw_container(env, s, x, y, row, view_style(node, ground));
	else
		view_value(s, x, y, -1, node, ground);
}

static void
tree_view_draw(void *state, const struct view_env *env, struct surface s)
{
	struct tree_view *v = state;

	list_set_height(&v->list, s.height);
	for (int y = 0; y < s.height && v->list.top + (size_t)y < v->rows.len; y++)
		tree_draw_row(v, env, s, y, v->list.top + (size_t)y);
	surface_scrollbar(s, env->focused, v->rows.len, v->list.top);
}

#define PATH_MAX_BYTES 200

static void
tree_finish(void *state)
{
	struct tree_view *v = state;

	drop_lazy(v);
	free(v->lazy.items);
	free(v->rows.items);
	free(v->toggled.items);
	free(v->missing.items);
	free(v->place);
}

static int
serves(const struct view_env *env)
{
	return env->in->value ? 5 : 1;
}

static void
tree_sync(void *state, const struct view_env *env)
{
	struct tree_view *v = state;

	drop_lazy(v);
	v->toggled.len = 0;
	v->level = env->printed ? TREE_ALL_LEVELS : v->level;
	index_missing(v, env->in->report);
	tree_renew(v, env);
	size_t row = v->place ? tree_rows_reveal(v, env, v->place) : v->list.selected;
	list_select(&v->list, row == SIZE_MAX ? 0 : row);
}

static int
tree_want(void *state, const struct view_env *env, int width)
{
	struct tree_view *v = state;

	return v->rows.len > 1000 && !env->printed ? 1000 : (int)v->rows.len;
}

static enum role
tree_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct tree_view *v = state;
	struct buf path = { .max = PATH_MAX_BYTES };

	buf_addf(facts, "tree · %s", json_type_name(json_type(env->in->value)));
	if (json_count(env->in->value) > 0) {
		buf_add_str(facts, " of ");
		units_add_count(facts, json_count(env->in->value));
	}
	if (v->list.selected < v->rows.len)
		tree_rows_pointer(v, v->list.selected, &path);
	if (!path.overflowed)
		buf_add(title, buf_text(&path), path.len);
	buf_finish(&path);
	if (v->level > 0 && !env->printed)
		buf_addf(facts, " · level %u", v->level);
	if (v->rows.len > (size_t)v->list.height && v->list.height > 0) {
		buf_add_str(facts, " · line ");
		units_add_count(facts, v->list.selected + 1);
		buf_add_str(facts, " of ");
		units_add_count(facts, v->rows.len);
		buf_add_str(facts, v->rows.len == TREE_ROWS_MAX ? "+" : "");
	}
	return ROLE_DIM;
}

/* ---- keys ---- */

/* Return false if the row was already selected. */
static bool
click(struct tree_view *v, const struct view_env *env, const struct key *key)
{
	size_t row, before = v->list.selected;

	if (!list_row_at(&v->list, key->y, &row))
		return true;
	list_select(&v->list, row);
	int marker = v->rows.items[row].depth * TREE_INDENT;
	if (key->x < marker || key->x > marker + 1)
		return row != before;
	tree_rows_fold(v, env, row, !v->rows.items[row].open);
	return true;
}

/* Left folds the node, or else goes to its parent. */
static bool
move(struct tree_view *v, const struct view_env *env, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	size_t at = v->list.selected;
	bool left = key->kind == KEY_LEFT || ch == 'h';

	if (key->kind == KEY_MOUSE) {
		bool wheels = key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN;
		if (wheels)
			list_scroll(&v->list, key->action == MOUSE_WHEEL_UP ? -3 : 3);
		return wheels || (key->action == MOUSE_PRESS && click(v, env, key));
	}
	if (left && v->rows.items[at].open)
		tree_rows_fold(v, env, at, false);
	else if (left && v->rows.items[at].parent != TREE_NO_ROW)
		list_select(&v->list, v->rows.items[at].parent);
	else if (left)
		return false;
	else if (key->kind == KEY_RIGHT || ch == 'l')
		tree_rows_fold(v, env, at, true);
	else if (ch == ' ')
		tree_rows_fold(v, env, at, !v->rows.items[at].open);
	else
		return list_key(&v->list, key);
	return true;
}

static void
remember_place(struct tree_view *v)
{
	struct buf pointer = BUF_INIT;

	tree_rows_pointer(v, v->list.selected, &pointer);
	free(v->place);
	v->place = buf_detach(&pointer);
}

static bool
tree_key(void *state, const struct view_env *env, const struct key *key)
{
	struct tree_view *v = state;
	size_t at = v->list.selected;

	if (v->rows.len == 0)
		return false;
	bool used = move(v, env, key);
	if (v->list.selected != at)
		remember_place(v);
	return used;
}

static const cJSON *
tree_view_selected(void *state, const struct view_env *env, struct buf *pointer)
{
	struct tree_view *v = state;

	if (v->list.selected >= v->rows.len)
		return NULL;
	tree_rows_pointer(v, v->list.selected, pointer);
	const struct tree_row *row = &v->rows.items[v->list.selected];
	return row->is_rest ? row->node : tree_row_node(row);
}

static bool
reveal(void *state, const struct view_env *env, const char *pointer)
{
	struct tree_view *v = state;
	size_t row = tree_rows_reveal(v, env, pointer);

	if (row == SIZE_MAX)
		return false;
	list_select(&v->list, row);
	remember_place(v);
	return true;
}

#define FOLDED_BYTES 65536 /* bytes of a folded node that are searched */

/* Append the name and value of a row, or the contents of a folded node. */
static void
row_text(const struct seekable *s, size_t index, struct buf *out)
{
	const struct tree_view *v = s->of;
	const struct tree_row *row = &v->rows.items[index];
	const cJSON *node = tree_row_node(row);
	bool holds = cJSON_IsObject(node) || json_type(node) == JSON_ARRAY;

	if (row->is_missing)
		buf_addf(out, "%s missing", row->missing);
	else if (row->parent != TREE_NO_ROW && row->node->string && !row->is_rest)
		buf_addf(out, "%s  ", row->node->string);
	if (node && holds && !row->open)
		json_print_brief(out, node, FOLDED_BYTES);
	else if (node && !holds)
		view_value_text(node, out);
}

static bool
tree_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct tree_view *v = state;

	*out = seek_list(&v->list, 0, v, NULL, row_text);
	return true;
}

/* ---- commands ---- */

/* Unfold to a level relative to the deepest one that has rows. */
static bool
unfold_by(struct tree_view *v, const struct view_env *env, const char *arg, int by)
{
	int level = 0;

	for (size_t i = 0; i < v->rows.len; i++)
		level = v->rows.items[i].depth > level ? v->rows.items[i].depth : level;
	level = level + by > 1 ? level + by : 1;
	tree_rows_unfold_to(v, env, level < VIEW_LEVEL_MAX ? (unsigned)level : VIEW_LEVEL_MAX);
	return true;
}

static bool
act_level(void *state, const struct view_env *env, const char *arg)
{
	unsigned level;

	if (!view_read_level(arg, &level, env))
		return false;
	tree_rows_unfold_to(state, env, level);
	return true;
}

VIEW_ACTION_WITH(act_more, unfold_by, 1)
VIEW_ACTION_WITH(act_less, unfold_by, -1)

static const struct view_action actions[] = {
	VIEW_LEVEL_ACTIONS(act_level, act_more, act_less),
	{ 0 },
};

const struct view_ops view_tree = {
	.title = "tree",
	.help = "any value as a foldable tree",
	.state_size = sizeof(struct tree_view),
	.actions = actions,
	.finish = tree_finish,
	.serves = serves,
	.sync = tree_sync,
	.on_report = on_report,
	.want = tree_want,
	.heading = tree_heading,
	.draw = tree_view_draw,
	.key = tree_key,
	.reveal = reveal,
	.selected = tree_view_selected,
	.seek = tree_seek,
};
