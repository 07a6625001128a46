#ifndef PANE_AUTHORIZATION_AUTHORIZATION_H
#define PANE_AUTHORIZATION_AUTHORIZATION_H

#include "auth/flow.h"
#include "pane/pane.h"
#include "ui/edit.h"
#include "ui/list.h"
#include "ui/wrap.h"

struct authorization {
	struct list list;
	bool follow;               /* the selection stays on the newest */
	bool open;                 /* the selected step fills the pane */
	struct buf text;           /* of it */
	uint64_t text_of, text_at; /* the step, and the flow's generation */
	struct wrap wrap;
	size_t top;
	int text_height; /* as last drawn */
	bool pasting;
	struct edit edit;
	int head_rows;                /* above the steps, of the last frame */
	const struct auth_flow *flow; /* only compared */
};

const struct auth_flow *authorization_flow(const struct view_env *env); /* NULL: it has none */
/* Everything known about the step. */
void authorization_add_step(struct buf *out, const struct auth_step *step);
void authorization_draw(void *state, const struct view_env *env, struct surface s);

#endif
