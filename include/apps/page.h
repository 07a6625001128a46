#ifndef APPS_PAGE_H
#define APPS_PAGE_H

#include "base/buf.h"

/*
 * What the host puts into the page of an app, so that it can be shown in cells: a font without
 * ink whose characters are as wide as base/glyph draws them, a style sheet that lays all text out
 * in that font, a script that finds out which text is where, and one that keeps the text of a
 * canvas from being drawn. The files of src/apps/cells/page/, as they are.
 */

enum app_mode {
	APP_CELL,   /* the page is laid out in cells: each character has its own */
	APP_FIT,    /* the fonts of the app; its text is put into the nearest cells */
	APP_PIXELS, /* the picture as it is, without text */
};

/* The font as a TrueType file. The style sheet of APP_CELL loads it from this path of the app's
 * own origin. */
#define APP_FONT_PATH "/__mcpcell.ttf"
#define APP_FONT_TYPE "font/ttf"

/* The style sheet of a mode for cells of that height in CSS pixels (they are half as wide); nothing
 * for APP_PIXELS. For CSS.setStyleSheetText on the app's frame. */
void app_page_add_style(struct buf *out, enum app_mode mode, int cell_height);
/* The script for the app's own world that keeps the text of a canvas from becoming pixels. For
 * Page.addScriptToEvaluateOnNewDocument, not in APP_PIXELS; an app could notice it. */
void app_page_add_canvas_hook(struct buf *out, int cell_height);
/* The script for the app's own world by which its copies become requests mcpane/copy. */
void app_page_add_copy_hook(struct buf *out);
/* One script: the walker and its `__begin(options)`. Evaluated once in each new isolated world of
 * the app's frame; `__collect()` there then gives the JSON for app_cells_take_text(). */
void app_page_add_walker(struct buf *out, enum app_mode mode, int cell_height);

void app_font_add(struct buf *out);

#endif
