#include "view/views.h"

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

enum view_id
views_best(const struct view_input *in)
{
	int best = 0, most = -1;

	for (int i = 0; i < VIEW_COUNT; i++) {
		int serves = value_views[i]->serves(in);
		if (serves > most) {
			most = serves;
			best = i;
		}
	}
	return (enum view_id)best;
}

static const struct view_action *
find_action(const struct view_ops *ops, const char *name)
{
	for (const struct view_action *a = ops->actions; a && a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

bool
view_run(const struct view_ops *ops, void *state, const struct view_env *env, const char *name,
    const char *arg, struct buf *why)
{
	const struct view_action *action = find_action(ops, name);

	if (!env->in->value)
		return view_refuse(why, "there is no value to show");
	if (action)
		return action->run(state, env, arg, why);
	for (int i = 0; i < VIEW_COUNT && why->len == 0; i++)
		if (find_action(value_views[i], name))
			buf_addf(why, "%s works on %ss: v shows another view", name,
			    value_views[i]->name);
	return false;
}

void
views_init(struct views *v)
{
	for (int i = 0; i < VIEW_COUNT; i++) {
		v->states[i] = mem_zalloc(value_views[i]->state_size);
		if (value_views[i]->init)
			value_views[i]->init(v->states[i]);
	}
	views_show(v, v->shown);
}

void
views_finish(struct views *v)
{
	for (int i = 0; i < VIEW_COUNT; i++) {
		if (value_views[i]->finish)
			value_views[i]->finish(v->states[i]);
		free(v->states[i]);
	}
}

static struct view_env
env_of(const struct views *v, bool focused)
{
	return (struct view_env){ .in = &v->in, .focused = focused, .printed = v->printed };
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
	struct view_env env = env_of(v, false);

	v->in.report = report;
	for (int i = 0; i < VIEW_COUNT; i++)
		if (v->synced[i] == v->in.generation && value_views[i]->on_report)
			value_views[i]->on_report(v->states[i], &env);
}

void
views_show(struct views *v, enum view_id view)
{
	struct view_env env = env_of(v, false);

	v->shown = view;
	v->ops = value_views[view];
	v->state = v->states[view];
	if (v->synced[view] == v->in.generation)
		return;
	v->synced[view] = v->in.generation;
	if (value_views[view]->sync)
		value_views[view]->sync(v->states[view], &env);
}

bool
views_show_part(struct views *v, enum view_id view)
{
	const struct view_ops *to = value_views[view];
	struct view_env env = env_of(v, false);
	struct view_part part;

	if (v->shown == view)
		return true;
	if (to->take_part && v->ops->part && v->ops->part(v->state, &part)) {
		enum view_id before = v->shown;
		views_show(v, view);
		if (to->take_part(v->state, &env, &part))
			return true;
		views_show(v, before);
		return false;
	}
	if (to->serves(&v->in) == 0)
		return false;
	views_show(v, view);
	if (to->take_part)
		to->take_part(v->state, &env, NULL);
	return true;
}

enum view_id
views_next(const struct views *v)
{
	int at = (int)v->shown;

	do
		at = (at + 1) % VIEW_COUNT;
	while (at != (int)v->shown && value_views[at]->serves(&v->in) == 0);
	return (enum view_id)at;
}

bool
views_reveal_in(struct views *v, enum view_id view, const char *pointer)
{
	struct view_env env = env_of(v, false);
	enum view_id before = v->shown;

	if (!value_views[view]->reveal)
		return false;
	views_show(v, view);
	if (value_views[view]->reveal(v->states[view], &env, pointer))
		return true;
	views_show(v, before);
	return false;
}

/* The tree shows everything except items far behind in a huge array: those need the table. */
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

/* ---- of the one shown ---- */

void
views_draw(struct views *v, bool focused, struct surface s)
{
	struct view_env env = env_of(v, focused);

	v->ops->draw(v->state, &env, s);
}

bool
views_key(struct views *v, bool focused, const struct key *key)
{
	struct view_env env = env_of(v, focused);

	return v->ops->key && v->ops->key(v->state, &env, key);
}

int
views_want(struct views *v, int width)
{
	struct view_env env = env_of(v, false);

	return v->ops->want ? v->ops->want(v->state, &env, width) : VIEWS_ALL_ROWS;
}

void
views_heading(struct views *v, struct buf *where, struct buf *facts)
{
	struct view_env env = env_of(v, false);

	if (v->ops->heading)
		v->ops->heading(v->state, &env, where, facts);
	else
		buf_add_str(facts, v->ops->name);
}

bool
views_seek(struct views *v, struct seekable *out)
{
	return v->ops->seek && v->ops->seek(v->state, out);
}

const char *
views_filtered(const struct views *v)
{
	return v->ops->filtered ? v->ops->filtered(v->state) : NULL;
}

const cJSON *
views_selected(struct views *v, struct buf *pointer)
{
	struct view_env env = env_of(v, false);

	return v->ops->selected ? v->ops->selected(v->state, &env, pointer) : NULL;
}

bool
views_copy(struct views *v, const char *part, struct buf *out)
{
	struct view_env env = env_of(v, true);
	struct buf pointer = BUF_INIT;

	if (*part)
		return v->ops->copy && v->ops->copy(v->state, &env, part, out);
	const cJSON *node = v->ops->selected ? views_selected(v, &pointer) : v->in.value;

	if (json_string(node))
		buf_add_str(out, json_string(node));
	else if (node)
		json_print(out, node);
	buf_finish(&pointer);
	return node != NULL;
}

bool
views_run(struct views *v, const char *name, const char *arg, struct buf *why)
{
	struct view_env env = env_of(v, true);

	return view_run(v->ops, v->state, &env, name, arg, why);
}

bool
views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err)
{
	struct view_env env = env_of(v, false);
	enum view_id before = v->shown;

	views_show(v, VIEW_chart);
	bool ok = v->ops->picture(v->state, &env, shapes, text, err);
	views_show(v, before);
	return ok;
}
