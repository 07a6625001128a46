/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FENCE_H
#define TESTS_FENCE_H

#include "base/buf.h"
#include "ui/surface.h"

/* Checks that a pane or view draws only inside its rectangle. */

/* Clear the rectangle and give every cell around it a style that no code draws with. */
void fence_raise(struct surface inside);
/*
 * Call after drawing. Append the first fault to why and return true, or return false if there is
 * none. Faults are: a cell drawn outside the rectangle, half a wide character, and a row whose text
 * is wider than the rectangle. The background of a selected row may extend into the padding, and
 * the thumb of a scrollbar onto the border, because surface_select_row() and surface_scrollbar()
 * draw them there.
 */
bool fence_broken(struct surface inside, struct buf *why);
/* Fail the test and print the grid if the fence is broken. */
void fence_assert(struct surface inside);

#endif
