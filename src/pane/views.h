#ifndef PANE_VIEWS_PRIV_H
#define PANE_VIEWS_PRIV_H

#include "pane/pane.h"
#include "render/render.h"

/* One value in every renderer: a state for each, of which one is shown. A view is synced when it is
 * shown and not before, so raw JSON of a huge value costs nothing unseen. */
struct views {
	struct render_input in; /* set by views_set_input() */
	void *states[RENDERER_COUNT];
	uint64_t synced[RENDERER_COUNT]; /* the input's generation each knows */
	enum renderer_id shown;
};

void views_init(struct views *v);
void views_finish(struct views *v);
/* Another value; its generation is given by the views. Follow with views_show(). */
void views_set_input(struct views *v, struct render_input in);
/* The same value, with what there is to say about it. */
void views_set_report(struct views *v, const struct pane_env *env, const struct report *report);
void views_show(struct views *v, const struct pane_env *env, enum renderer_id view);
bool views_work(struct views *v);                          /* of the one shown, as in render.h */
const struct render_ops *views_ops(const struct views *v); /* of the one shown */
void *views_state(const struct views *v);
struct render_env views_env(const struct views *v, const struct pane_env *env);
bool views_seek(struct views *v, struct seekable *out); /* of the one shown, as in render.h */
bool views_key(struct views *v, const struct pane_env *env, const struct key *key);

#endif
