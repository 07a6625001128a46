#ifndef SCREENSHOT_H
#define SCREENSHOT_H

#include "ui/surface.h"
#include "ui/theme.h"

/* The grid as a PNG file, drawn by cairo, which is loaded here. Frames, blocks and Braille dots are
 * shapes, so that they join; everything else is text in DejaVu Sans Mono. */
bool screenshot_write(
    const struct grid *g, const struct theme *theme, const char *path, struct err *err);

#endif
