/* SPDX-License-Identifier: MIT */
#ifndef SCREENSHOT_H
#define SCREENSHOT_H

#include "ui/surface.h"
#include "ui/theme.h"

/* Write the grid as a PNG file with cairo, which is loaded at run time. Frames, blocks and Braille
 * dots are drawn as shapes, so that they join; other characters use DejaVu Sans Mono. */
bool screenshot_write(
    const struct grid *g, const struct theme *theme, const char *path, struct err *err);

#endif
