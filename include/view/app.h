/* SPDX-License-Identifier: MIT */
#ifndef VIEW_APP_H
#define VIEW_APP_H

#include "apps/cells.h"
#include "apps/context.h"
#include "ui/surface.h"

/* Set is_dark and the colors that are sent to an app. An app may use those of the opposite kind of
 * theme too; they are those of the built-in theme. */
void render_app_colors(const struct theme *theme, struct app_context *c);
/* Draw the cells of an app from the corner of s. kept: the bits of its colors to use, all or
 * STYLE_PICTURE_BITS. */
void render_app_cells(struct surface s, const struct app_cells *c, uint32_t kept);

#endif
