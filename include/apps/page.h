/* SPDX-License-Identifier: MIT */
#ifndef APPS_PAGE_H
#define APPS_PAGE_H

#include "base/buf.h"

/*
 * The files that the host adds to the page of an app to show it in cells: a font without ink whose
 * characters have the widths of base/glyph, a style sheet that sets all text in that font, a script
 * that reports the position of text, and one that prevents drawing the text of a canvas. They are
 * in src/apps/cells/page/.
 */

enum app_mode {
	APP_CELL,   /* the page is laid out in cells, a character each */
	APP_FIT,    /* the fonts of the app; its text is put into the nearest cells */
	APP_PIXELS, /* only the picture, without cells of text */
};

/* Append the font as a TrueType file. The style sheet of APP_CELL loads it from this path of the
 * app's origin. */
#define APP_FONT_PATH "/__mcpcell.ttf"
#define APP_FONT_TYPE "font/ttf"

/* Append the style sheet of a mode for cells of that height in CSS pixels, and half that width;
 * nothing for APP_PIXELS. For CSS.setStyleSheetText on the app's frame. */
void app_page_add_style(struct buf *out, enum app_mode mode, int cell_height);
/* Append the scripts for the app's world, for Page.addScriptToEvaluateOnNewDocument: one that
 * prevents drawing the text of a canvas, not in APP_PIXELS; an app could detect it. And if it may
 * copy, one that turns clipboard writes into requests mcpane/copy. */
void app_page_add_hooks(struct buf *out, enum app_mode mode, int cell_height, bool may_copy);
/* Append the walker and its call `__begin(options)`. It is evaluated once in each new isolated
 * world of the app's frame; `__collect()` there then returns the JSON for app_cells_take_text(). */
void app_page_add_walker(struct buf *out, enum app_mode mode, int cell_height);

void app_font_add(struct buf *out);

#endif
