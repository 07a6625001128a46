#ifndef PANE_CALL_STATE_PRIV_H
#define PANE_CALL_STATE_PRIV_H

#include "pane/pane.h"
#include "ui/page.h"

/* What there is to say of the shown call where there is no result to show. */

/* Never called, refused, timed out, cancelled, the server gone. Nothing where nothing is selected.
 */
void call_state_write(struct page *page, const struct pane_env *env);
/* Running: its clock, its progress, what it waits for, how to cancel it. */
void call_state_draw_running(const struct pane_env *env, struct surface s);
int call_state_running_rows(const struct pane_env *env, int width);

#endif
