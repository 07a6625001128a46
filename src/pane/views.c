#include "views.h"

#include "base/mem.h"

#include <stdlib.h>

void
views_init(struct views *v)
{
	for (int i = 0; i < RENDERER_COUNT; i++) {
		v->states[i] = mem_zalloc(renderer_table[i]->state_size);
		if (renderer_table[i]->init)
			renderer_table[i]->init(v->states[i]);
	}
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

void
views_set_input(struct views *v, struct render_input in)
{
	in.generation = v->in.generation + 1;
	v->in = in;
}

void
views_set_report(struct views *v, const struct pane_env *env, const struct report *report)
{
	struct render_env renv = views_env(v, env);

	v->in.report = report;
	for (int i = 0; i < RENDERER_COUNT; i++)
		if (v->synced[i] == v->in.generation && renderer_table[i]->on_report)
			renderer_table[i]->on_report(v->states[i], &renv);
}

struct render_env
views_env(const struct views *v, const struct pane_env *env)
{
	return (struct render_env){ .in = &v->in, .focused = env->focused };
}

void
views_show(struct views *v, const struct pane_env *env, enum renderer_id view)
{
	struct render_env renv = views_env(v, env);

	v->shown = view;
	if (v->synced[view] == v->in.generation)
		return;
	v->synced[view] = v->in.generation;
	if (renderer_table[view]->sync)
		renderer_table[view]->sync(v->states[view], &renv);
}

bool
views_work(struct views *v)
{
	const struct render_ops *ops = views_ops(v);

	return ops->work && ops->work(views_state(v));
}

const struct render_ops *
views_ops(const struct views *v)
{
	return renderer_table[v->shown];
}

void *
views_state(const struct views *v)
{
	return v->states[v->shown];
}

bool
views_seek(struct views *v, struct seekable *out)
{
	return views_ops(v)->seek && views_ops(v)->seek(views_state(v), out);
}

bool
views_key(struct views *v, const struct pane_env *env, const struct key *key)
{
	struct render_env renv = views_env(v, env);

	return views_ops(v)->key && views_ops(v)->key(views_state(v), &renv, key);
}
