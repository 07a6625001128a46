#include "view/views.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct render_ops *const renderer_table[] = {
#define X(id) &render_##id,
	RENDERERS(X)
#undef X
};
static_assert(ARRAY_LEN(renderer_table) == RENDERER_COUNT, "one row each");

enum renderer_id
renderer_best(const struct render_input *in)
{
	int best = 0, most = -1;

	for (int i = 0; i < RENDERER_COUNT; i++) {
		int serves = renderer_table[i]->serves(in);
		if (serves > most) {
			most = serves;
			best = i;
		}
	}
	return (enum renderer_id)best;
}

static const struct render_action *
find_action(const struct render_ops *ops, const char *name)
{
	for (const struct render_action *a = ops->actions; a && a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

bool
renderer_run(const struct render_ops *ops, void *state, const struct render_env *env,
    const char *name, const char *arg, struct buf *why)
{
	const struct render_action *action = find_action(ops, name);

	if (!env->in->value)
		return render_refuse(why, "there is no value to show");
	if (action)
		return action->run(state, env, arg, why);
	for (int i = 0; i < RENDERER_COUNT && why->len == 0; i++)
		if (find_action(renderer_table[i], name))
			buf_addf(why, "%s works on %ss: v shows another view", name,
			    renderer_table[i]->name);
	return false;
}

void
views_init(struct views *v)
{
	for (int i = 0; i < RENDERER_COUNT; i++) {
		v->states[i] = mem_zalloc(renderer_table[i]->state_size);
		if (renderer_table[i]->init)
			renderer_table[i]->init(v->states[i]);
	}
	views_show(v, v->shown);
}

void
views_finish(struct views *v)
{
	for (int i = 0; i < RENDERER_COUNT; i++) {
		if (renderer_table[i]->finish)
			renderer_table[i]->finish(v->states[i]);
		free(v->states[i]);
	}
}

static struct render_env
env_of(const struct views *v, bool focused)
{
	return (struct render_env){ .in = &v->in, .focused = focused, .printed = v->printed };
}

void
views_set_input(struct views *v, struct render_input in)
{
	in.generation = v->in.generation + 1;
	v->in = in;
}

void
views_set_report(struct views *v, const struct report *report)
{
	struct render_env env = env_of(v, false);

	v->in.report = report;
	for (int i = 0; i < RENDERER_COUNT; i++)
		if (v->synced[i] == v->in.generation && renderer_table[i]->on_report)
			renderer_table[i]->on_report(v->states[i], &env);
}

void
views_show(struct views *v, enum renderer_id view)
{
	struct render_env env = env_of(v, false);

	v->shown = view;
	v->ops = renderer_table[view];
	v->state = v->states[view];
	if (v->synced[view] == v->in.generation)
		return;
	v->synced[view] = v->in.generation;
	if (renderer_table[view]->sync)
		renderer_table[view]->sync(v->states[view], &env);
}

bool
views_show_part(struct views *v, enum renderer_id view)
{
	const struct render_ops *to = renderer_table[view];
	struct render_env env = env_of(v, false);
	struct render_part part;

	if (v->shown == view)
		return true;
	if (to->take_part && v->ops->part && v->ops->part(v->state, &part)) {
		enum renderer_id before = v->shown;
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

enum renderer_id
views_next(const struct views *v)
{
	int at = (int)v->shown;

	do
		at = (at + 1) % RENDERER_COUNT;
	while (at != (int)v->shown && renderer_table[at]->serves(&v->in) == 0);
	return (enum renderer_id)at;
}

bool
views_reveal_in(struct views *v, enum renderer_id view, const char *pointer)
{
	struct render_env env = env_of(v, false);
	enum renderer_id before = v->shown;

	if (!renderer_table[view]->reveal)
		return false;
	views_show(v, view);
	if (renderer_table[view]->reveal(v->states[view], &env, pointer))
		return true;
	views_show(v, before);
	return false;
}

/* The tree shows everything except items far behind in a huge array: those need the table. */
bool
views_reveal(struct views *v, const char *pointer)
{
	if (views_reveal_in(v, v->shown, pointer) || views_reveal_in(v, RENDERER_tree, pointer))
		return true;
	for (int i = 0; i < RENDERER_COUNT; i++)
		if (i != RENDERER_tree && views_reveal_in(v, (enum renderer_id)i, pointer))
			return true;
	return false;
}

/* ---- of the one shown ---- */

void
views_draw(struct views *v, bool focused, struct surface s)
{
	struct render_env env = env_of(v, focused);

	v->ops->draw(v->state, &env, s);
}

bool
views_key(struct views *v, bool focused, const struct key *key)
{
	struct render_env env = env_of(v, focused);

	return v->ops->key && v->ops->key(v->state, &env, key);
}

int
views_want(struct views *v, int width)
{
	struct render_env env = env_of(v, false);

	return v->ops->want ? v->ops->want(v->state, &env, width) : VIEWS_ALL_ROWS;
}

void
views_heading(struct views *v, struct buf *where, struct buf *facts)
{
	struct render_env env = env_of(v, false);

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
	struct render_env env = env_of(v, false);

	return v->ops->selected ? v->ops->selected(v->state, &env, pointer) : NULL;
}

bool
views_copy(struct views *v, const char *part, struct buf *out)
{
	struct render_env env = env_of(v, true);
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
	struct render_env env = env_of(v, true);

	return renderer_run(v->ops, v->state, &env, name, arg, why);
}

bool
views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err)
{
	struct render_env env = env_of(v, false);
	enum renderer_id before = v->shown;

	views_show(v, RENDERER_chart);
	bool ok = v->ops->picture(v->state, &env, shapes, text, err);
	views_show(v, before);
	return ok;
}
