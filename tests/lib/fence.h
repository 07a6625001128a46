#ifndef TESTS_FENCE_H
#define TESTS_FENCE_H

#include "base/buf.h"
#include "ui/surface.h"

/* Proof that a pane or view draws on its own rectangle only: the rest of the grid is fenced off. */

/* Clears the rectangle; every cell around it gets a style that nothing draws in. */
void fence_raise(struct surface inside);
/*
 * After drawing: appends what is wrong first, false if nothing is. Wrong is a cell outside that was
 * drawn on, half a wide character, and a row whose text is wider than the rectangle. The bar and
 * the ground of a selected row may reach into the air beside it, and the thumb of a scrollbar to
 * the border, as surface_select_row() and surface_scrollbar() draw them.
 */
bool fence_broken(struct surface inside, struct buf *why);
/* Fails the test, with the grid, if the fence is broken. */
void fence_assert(struct surface inside);

#endif
