#ifndef VIEW_APP_H
#define VIEW_APP_H

#include "apps/cells.h"
#include "apps/context.h"
#include "ui/surface.h"

/* What apps (MCP Apps) and themes have to do with each other. */

/* Sets is_dark and the colors that an app is told. An app may ask for those of the other kind of
 * theme: they are of the one that is built in. */
void render_app_colors(const struct theme *theme, struct app_context *c);
/* The picture of an app, from the corner of s. kept: the bits of its colors to use, all or
 * STYLE_PICTURE_BITS. */
void render_app_cells(struct surface s, const struct app_cells *c, uint32_t kept);

#endif
