/* SPDX-License-Identifier: MIT */
#include "view/views.h"
#include "view/rows.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct view_ops *const value_views[] = {
#define X(id) &view_##id,
	VIEWS(X)
#undef X
};
static_assert(ARRAY_LEN(value_views) == VIEW_COUNT, "one row each");

void
view_init(struct view *v, const struct view_ops *ops)
{
	*v = (struct view){ .ops = ops, .state = mem_zalloc(ops->state_size) };
	if (ops->rows)
		((struct rows *)v->state)->ops = ops->rows;
	if (ops->has_views)
		views_init(v->state);
	if (ops->init)
		ops->init(v->state);
}

void
view_finish(struct view *v)
{
	if (v->ops->has_views)
		views_finish(v->state);
	if (v->ops->page)
		page_finish(v->state);
	if (v->ops->finish)
		v->ops->finish(v->state);
	if (v->ops->rows)
		buf_finish(&((struct rows *)v->state)->filter);
	free(v->state);
	*v = (struct view){ 0 };
}

/* Return the visible child of v; NULL: none. */
static struct view *
front_child(const struct view *v)
{
	struct view *child = v->ops->has_views ? ((struct views *)v->state)->view : NULL;

	if (!child || !child->in->value || (v->ops->covers && v->ops->covers(v->state)))
		return NULL;
	return child;
}

struct view *
view_inner(struct view *v)
{
	struct view *child = front_child(v);

	return child ? view_inner(child) : v;
}

struct view *
view_of_value(struct view *v)
{
	if (v->ops->has_views)
		return view_of_value(((struct views *)v->state)->view);
	return v->in ? v : NULL;
}

struct view_env
view_env_of(const struct view *v, const struct view_env *env)
{
	struct view_env own = *env;

	own.in = v->in;
	return own;
}

/* ---- rows ---- */

void
rows_draw(void *state, const struct view_env *env, struct surface s, int y, int height)
{
	struct rows *r = state;
	struct surface body = surface_sub(s, 0, y, s.width, height);

	r->y = y;
	list_set_height(&r->list, body.height);
	for (int i = 0; i < body.height && r->list.top + (size_t)i < r->list.count; i++) {
		r->ops->draw(state, env, body, i, r->list.top + (size_t)i);
		surface_spot(body, -1, i);
		if (r->list.top + (size_t)i == r->list.selected && !r->unmarked)
			surface_select_row(body, i, env->focused);
	}
	surface_scrollbar(body, env->focused, r->list.count, r->list.top);
}

void
rows_filter(void *state, const struct view_env *env, const char *text)
{
	struct rows *r = state;

	buf_clear(&r->filter);
	buf_add_str(&r->filter, text);
	r->ops->filter(state, env);
}

/* A click that also moves the focus here does not open the row. */
static bool
rows_key(struct rows *r, const struct view_env *env, const struct key *key)
{
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	size_t row = 0, before = r->list.selected;

	if (!(press ? list_row_at(&r->list, key->y - r->y, &row) : list_key(&r->list, key)))
		return false;
	if (press && row == before && r->ops->open && !env->entered)
		return r->ops->open(r, env, "");
	if (press)
		list_select(&r->list, row);
	if (r->ops->on_select && (press || r->list.selected != before))
		r->ops->on_select(r, env);
	return true;
}

const char *
view_filtered(const struct view *v)
{
	const struct rows *r = v->ops->rows && v->ops->rows->filter ? v->state : NULL;

	return v->ops->filtered ? v->ops->filtered(v->state) : r ? buf_text(&r->filter) : NULL;
}

void
view_filter(const struct view *v, const struct view_env *env, const char *text)
{
	struct view_env own = view_env_of(v, env);

	if (v->ops->filter)
		v->ops->filter(v->state, &own, text);
	else
		rows_filter(v->state, &own, text);
}

bool
view_seek(const struct view *v, const struct view_env *env, struct seekable *out)
{
	struct rows *r = v->state;

	if (v->ops->seek)
		return v->ops->seek(v->state, env, out);
	if (v->ops->page) {
		bool there = v->ops->page(v->state, env);
		*out = seek_page(v->state);
		return there;
	}
	if (!v->ops->rows || !v->ops->rows->text)
		return false;
	*out = seek_list(&r->list, r->y, r, env, v->ops->rows->text);
	return true;
}

/* ---- one view and its child ---- */

const char *
view_captures(const struct view *v)
{
	return v->ops->captures ? v->ops->captures(v->state) : NULL;
}

bool
view_key(struct view *v, const struct view_env *env, const struct key *key)
{
	struct view *child = front_child(v);
	struct view_env own = view_env_of(v, env);
	bool captures = view_captures(v) != NULL;

	if (captures && v->ops->key(v->state, &own, key))
		return true;
	if (child) {
		struct key local = *key;
		bool above =
		    key->kind == KEY_MOUSE && key->action == MOUSE_PRESS && key->y < child->y;
		local.y -= key->kind == KEY_MOUSE ? child->y : 0;
		if (!above && view_key(child, env, &local))
			return true;
	}
	if (captures)
		return false;
	return (v->ops->key && v->ops->key(v->state, &own, key)) ||
	       (v->ops->page && page_key(v->state, key)) ||
	       (v->ops->rows && rows_key(v->state, &own, key));
}

bool
view_is_open(const struct view *v)
{
	struct view *child = front_child(v);

	return (v->ops->is_open && v->ops->is_open(v->state)) || (child && view_is_open(child));
}

void
view_draw(struct view *v, const struct view_env *env, struct surface s)
{
	struct view_env own = view_env_of(v, env);

	v->ops->draw(v->state, &own, s);
}

int
view_want(struct view *v, const struct view_env *env, int width)
{
	struct view_env own = view_env_of(v, env);

	return v->ops->want ? v->ops->want(v->state, &own, width) : VIEW_ALL_ROWS;
}

enum role
view_heading(struct view *v, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct view_env own = view_env_of(v, env);

	if (v->ops->heading)
		return v->ops->heading(v->state, &own, title, facts);
	buf_add_str(facts, v->ops->title);
	return ROLE_DIM;
}

bool
view_open(const struct view *v, const struct view_env *env)
{
	struct view_env own = view_env_of(v, env);

	return v->ops->open && v->ops->open(v->state, &own);
}

const cJSON *
view_selected(const struct view *v, struct buf *pointer)
{
	struct view_env env = { .in = v->in };

	return v->ops->selected ? v->ops->selected(v->state, &env, pointer) : NULL;
}

bool
view_copy(const struct view *v, const char *part, struct buf *out)
{
	struct view_env env = { .in = v->in };
	struct buf pointer = BUF_INIT;

	if (*part && v->ops->copy)
		v->ops->copy(v->state, &env, part, out);
	if (*part)
		return out->len > 0;
	const cJSON *node = v->ops->selected ? view_selected(v, &pointer) : v->in->value;

	if (cJSON_GetStringValue(node))
		buf_add_str(out, cJSON_GetStringValue(node));
	else if (node)
		json_print(out, node);
	buf_finish(&pointer);
	return node != NULL;
}

struct table *
view_table_of(const struct view *v, size_t *column)
{
	size_t ignored;

	return v->in->value && v->ops->table ? v->ops->table(v->state, column ? column : &ignored)
					     : NULL;
}

const struct view_action *
view_find_action(const struct view_ops *ops, const char *name)
{
	for (const struct view_action *a = ops->actions; a && a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

bool
view_run(struct view *v, const struct view_env *env, const char *name, const char *arg)
{
	const struct view_action *action = view_find_action(v->ops, name);
	struct view_env own = view_env_of(v, env);

	if (v->in && !v->in->value)
		return view_refuse(env, "there is no value to show");
	if (action)
		return action->run(v->state, &own, arg);
	for (int i = 0; i < VIEW_COUNT; i++)
		if (view_find_action(value_views[i], name))
			return view_refuse(env, "%s works on %ss: v shows another view", name,
			    value_views[i]->title);
	return false;
}

int
view_serves(const struct view_ops *ops, const struct view_input *in)
{
	return ops->serves(&(struct view_env){ .in = in });
}

bool
view_refuse(const struct view_env *env, const char *format, ...)
{
	char text[512];

	FORMAT_INTO(text, format);
	if (env->why)
		buf_add_str(env->why, text);
	return false;
}

/* ---- one value in all of them ---- */

enum view_id
views_best(const struct view_input *in)
{
	int best = 0, most = -1;

	for (int i = 0; i < VIEW_COUNT; i++) {
		int serves = view_serves(value_views[i], in);
		if (serves > most) {
			most = serves;
			best = i;
		}
	}
	return (enum view_id)best;
}

void
views_init(struct views *v)
{
	for (int i = 0; i < VIEW_COUNT; i++) {
		view_init(&v->all[i], value_views[i]);
		v->all[i].in = &v->in;
		v->all[i].among = v;
	}
	views_show(v, v->shown);
}

void
views_finish(struct views *v)
{
	for (int i = 0; i < VIEW_COUNT; i++)
		view_finish(&v->all[i]);
}

static struct view_env
env_of(const struct views *v)
{
	return (struct view_env){ .in = &v->in, .printed = v->printed };
}

void
views_set_input(struct views *v, struct view_input in)
{
	in.generation = v->in.generation + 1;
	v->in = in;
}

void
views_set_report(struct views *v, const struct report *report)
{
	struct view_env env = env_of(v);

	v->in.report = report;
	for (int i = 0; i < VIEW_COUNT; i++)
		if (v->synced[i] == v->in.generation && value_views[i]->on_report)
			value_views[i]->on_report(v->all[i].state, &env);
}

void
views_show(struct views *v, enum view_id view)
{
	struct view_env env = env_of(v);

	v->shown = view;
	v->view = &v->all[view];
	if (v->synced[view] == v->in.generation)
		return;
	v->synced[view] = v->in.generation;
	if (value_views[view]->sync)
		value_views[view]->sync(v->all[view].state, &env);
}

bool
views_show_part(struct views *v, enum view_id view)
{
	const struct view_ops *to = value_views[view];
	struct view_env env = env_of(v);
	struct view_part part;

	if (v->shown == view)
		return true;
	if (to->take_part && v->view->ops->part && v->view->ops->part(v->view->state, &part)) {
		enum view_id before = v->shown;
		views_show(v, view);
		if (to->take_part(v->view->state, &env, &part))
			return true;
		views_show(v, before);
		return false;
	}
	if (view_serves(to, &v->in) == 0)
		return false;
	views_show(v, view);
	if (to->take_part)
		to->take_part(v->view->state, &env, NULL);
	return true;
}

enum view_id
views_next(const struct views *v)
{
	int at = (int)v->shown;

	do
		at = (at + 1) % VIEW_COUNT;
	while (at != (int)v->shown && view_serves(value_views[at], &v->in) == 0);
	return (enum view_id)at;
}

bool
views_reveal_in(struct views *v, enum view_id view, const char *pointer)
{
	struct view_env env = env_of(v);
	enum view_id before = v->shown;

	if (!value_views[view]->reveal)
		return false;
	views_show(v, view);
	if (value_views[view]->reveal(v->all[view].state, &env, pointer))
		return true;
	views_show(v, before);
	return false;
}

/* The tree shows everything except the last items of a huge array, which only the table shows. */
bool
views_reveal(struct views *v, const char *pointer)
{
	if (views_reveal_in(v, v->shown, pointer) || views_reveal_in(v, VIEW_tree, pointer))
		return true;
	for (int i = 0; i < VIEW_COUNT; i++)
		if (i != VIEW_tree && views_reveal_in(v, (enum view_id)i, pointer))
			return true;
	return false;
}

bool
views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err)
{
	struct view_env env = env_of(v);
	enum view_id before = v->shown;

	views_show(v, VIEW_chart);
	bool ok = v->view->ops->picture(v->view->state, &env, shapes, text, err);
	views_show(v, before);
	return ok;
}
