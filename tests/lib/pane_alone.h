/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PANE_ALONE_H
#define TESTS_PANE_ALONE_H

#include "pane/pane.h"

/* A pane without a workbench: the test supplies its environment. */

/* Return whether the text is on its screen of 100 by 14 cells. */
bool pane_alone_shows(struct view *pane, const struct view_env *env, const char *text);
/* Run an action; fails the test if the pane does not have it. */
void pane_alone_act(
    struct view *pane, const struct view_env *env, const char *name, const char *arg);

#endif
