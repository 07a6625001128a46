#include "tree_view.h"

#include "base/units.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 200

static void
finish(void *state)
{
	struct tree_view *v = state;

	tree_rows_finish(v);
	free(v->place);
}

static int
serves(const struct view_env *env)
{
	return env->in->value ? 5 : 1;
}

static void
sync(void *state, const struct view_env *env)
{
	struct tree_view *v = state;

	tree_rows_renew(v, env);
	size_t row = v->place ? tree_rows_reveal(v, env, v->place) : v->list.selected;
	list_select(&v->list, row == SIZE_MAX ? 0 : row);
}

static int
want(void *state, const struct view_env *env, int width)
{
	struct tree_view *v = state;

	return v->rows.len > 1000 && !env->printed ? 1000 : (int)v->rows.len;
}

/* Of the selected node, if a title has room for it. */
static void
add_path(const struct tree_view *v, struct buf *where)
{
	struct buf path = { .max = PATH_MAX_BYTES };

	if (v->list.selected < v->rows.len)
		tree_rows_pointer(v, v->list.selected, &path);
	if (!path.overflowed)
		buf_add(where, buf_text(&path), path.len);
	buf_finish(&path);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct tree_view *v = state;

	buf_addf(facts, "tree · %s", json_type_name(json_type(env->in->value)));
	if (json_count(env->in->value) > 0) {
		buf_add_str(facts, " of ");
		units_add_count(facts, json_count(env->in->value));
	}
	add_path(v, title);
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

/* Left folds the node, or goes to its parent if it cannot fold. False: neither. */
static bool
go_left(struct tree_view *v, const struct view_env *env)
{
	const struct tree_row *row = &v->rows.items[v->list.selected];

	if (row->open)
		tree_rows_fold(v, env, v->list.selected, false);
	else if (row->parent != TREE_NO_ROW)
		list_select(&v->list, row->parent);
	else
		return false;
	return true;
}

/* False: the row is already selected. */
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

static bool
mouse(struct tree_view *v, const struct view_env *env, const struct key *key)
{
	if (key->action == MOUSE_PRESS)
		return click(v, env, key);
	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN)
		list_scroll(&v->list, key->action == MOUSE_WHEEL_UP ? -3 : 3);
	else
		return false;
	return true;
}

static bool
move(struct tree_view *v, const struct view_env *env, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	size_t at = v->list.selected;

	if (key->kind == KEY_MOUSE)
		return mouse(v, env, key);
	if (key->kind == KEY_LEFT || ch == 'h')
		return go_left(v, env);
	if (key->kind == KEY_RIGHT || ch == 'l')
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
key(void *state, const struct view_env *env, const struct key *key)
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
selected(void *state, const struct view_env *env, struct buf *pointer)
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

/* Searched bytes of a folded node. */
#define FOLDED_BYTES 65536

/* The name and value of a row; if folded, its contents. */
static void
row_text(const struct seekable *s, size_t index, struct buf *out)
{
	const struct tree_view *v = s->of;
	const struct tree_row *row = &v->rows.items[index];
	const cJSON *node = tree_row_node(row);
	bool holds = json_type(node) == JSON_OBJECT || json_type(node) == JSON_ARRAY;

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
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct tree_view *v = state;

	*out = seek_list(&v->list, 0, v, NULL, row_text);
	return true;
}

static void
on_report(void *state, const struct view_env *env)
{
	tree_rows_on_report(state, env);
}

/* ---- commands ---- */

/* The deepest level that has rows. */
static unsigned
deepest(const struct tree_view *v)
{
	unsigned depth = 0;

	for (size_t i = 0; i < v->rows.len; i++)
		depth = v->rows.items[i].depth > depth ? v->rows.items[i].depth : depth;
	return depth;
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

static bool
act_more(void *state, const struct view_env *env, const char *arg)
{
	unsigned level = deepest(state) + 1;

	tree_rows_unfold_to(state, env, level < VIEW_LEVEL_MAX ? level : VIEW_LEVEL_MAX);
	return true;
}

static bool
act_less(void *state, const struct view_env *env, const char *arg)
{
	unsigned level = deepest(state);

	tree_rows_unfold_to(state, env, level > 1 ? level - 1 : 1);
	return true;
}

static const struct view_action actions[] = {
	VIEW_LEVEL_ACTIONS(act_level, act_more, act_less),
	{ 0 },
};

const struct view_ops view_tree = {
	.title = "tree",
	.help = "any value as a foldable tree",
	.state_size = sizeof(struct tree_view),
	.actions = actions,
	.finish = finish,
	.serves = serves,
	.sync = sync,
	.on_report = on_report,
	.want = want,
	.heading = heading,
	.draw = tree_view_draw,
	.key = key,
	.reveal = reveal,
	.selected = selected,
	.seek = seek,
};
