#ifndef PANE_HISTORY_HISTORY_ROWS_H
#define PANE_HISTORY_HISTORY_ROWS_H

#include "pane/pane.h"

/* The rows of the history, in columns for a wide or a narrow pane. */
void history_draw_heads(struct surface s, int y); /* what the columns are */
void history_draw_live(
    const struct view_env *env, struct surface s, int y, const struct call *c);
void history_draw_kept(struct surface s, int y, const struct history_call *h);

#endif
