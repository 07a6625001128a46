#ifndef TESTS_PANE_ALONE_H
#define TESTS_PANE_ALONE_H

#include "pane/pane.h"

/* A pane without a workbench around it: its state is the test's, and so is what surrounds it. */

/* Is the text on its screen of 100 by 14 cells? */
bool pane_alone_shows(
    const struct view_ops *ops, void *pane, const struct view_env *env, const char *text);
/* Fails the test where it has no such action. */
void pane_alone_act(const struct view_ops *ops, void *pane, const struct view_env *env,
    const char *name, const char *arg);

#endif
