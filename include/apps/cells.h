/* SPDX-License-Identifier: MIT */
#ifndef APPS_CELLS_H
#define APPS_CELLS_H

#include "apps/page.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The page of an app as cells of a terminal: the picture from the browser in block elements and
 * Braille dots, and above it the text, which the browser laid out but did not draw (apps/page.h).
 * Both are untrusted and limited here; text passes base/glyph. The display reduces colors to those
 * of the terminal.
 */

struct app_cell {
	uint32_t ch; /* 0: the right half of a wide character */
	uint32_t marks[2];
	uint32_t ink, ground; /* 0xrrggbb */
	uint8_t attr;         /* bits like ATTR_BOLD of ui/theme.h */
};

enum {
	APP_ATTR_BOLD = 1,
	APP_ATTR_ITALIC = 4,
	APP_ATTR_UNDERLINE = 8,
	APP_ATTR_REVERSE = 16,
};

/* An element that reacts to clicks. Its strings are valid until the next app_cells_take_text(). */
struct app_target {
	double x, y; /* where to click, in CSS pixels */
	int col, row, cols, rows;
	const char *role; /* as in ARIA: "button", "link", "textbox", "combobox" ... */
	const char *name; /* untrusted, may be "" */
	bool is_disabled, is_checked, is_focused, is_editable;
};

struct app_cells_facts {
	size_t texts;    /* visible pieces of text */
	size_t moved;    /* those that were placed in other cells */
	size_t collided; /* those whose cells had other text */
	size_t shortened;
	size_t lost;                  /* characters that are not shown */
	size_t changed;               /* cells that differ from the previous app_cells_draw() */
	int caret_col, caret_row;     /* of the text cursor; -1: none, or out of sight */
	double page_height, page_top; /* height of the page and scroll position, in CSS pixels */
	bool is_incomplete;           /* the page has more text than the walker's limits allow */
};

struct app_cells {
	int cols, rows, cell_width, cell_height; /* of a cell in CSS pixels */
	enum app_mode mode;
	struct app_cell *cells;        /* rows * cols */
	uint8_t *changed;              /* likewise: whether the cell has changed */
	const struct picture *picture; /* the newest frame; NULL: none yet */
	struct app_target *targets;
	size_t target_count;
	struct app_cells_facts facts;
	struct app_cells_inside *inside;
};

#define APP_FRAME_MAX_PIXELS ((size_t)16 * 1024 * 1024)
#define APP_FRAME_MAX_BYTES ((size_t)32 * 1024 * 1024)
#define APP_TEXT_MAX_BYTES ((size_t)8 * 1024 * 1024)
/* Pixels of a picture for each cell; larger pictures are reduced. */
enum { APP_FRAME_CELL_WIDTH = 4, APP_FRAME_CELL_HEIGHT = 8 };

void app_cells_init(struct app_cells *c, int cols, int rows, int cell_height, enum app_mode mode);
void app_cells_finish(struct app_cells *c);

/* Take the picture or the text of a frame, in any order; each is used until the next one. False
 * with err: it is refused, and the previous one stays. */
bool app_cells_take_frame(struct app_cells *c, const void *png, size_t len, struct err *err);
bool app_cells_take_text(struct app_cells *c, const char *json, size_t len, struct err *err);
/* Compute cells, changes and facts. */
void app_cells_draw(struct app_cells *c);
/* Convert a position on the screen, in CSS pixels, to one inside the target that is drawn there,
 * because a target's cells may be outside its box. */
void app_cells_aim(const struct app_cells *c, int *x, int *y);
/* Append the text, a line for each row, without trailing blanks. */
void app_cells_add_text(const struct app_cells *c, struct buf *out);

/* app_cells_take_frame() in two steps, the first on any thread. */
struct app_decoded {
	struct picture frame;
	struct picture reduced; /* the frame at the size of the cells, if it differs */
};
bool app_frame_prepare(
    const void *png, size_t len, int cols, int rows, struct app_decoded *out, struct err *err);
void app_decoded_finish(struct app_decoded *d);
void app_cells_take_decoded(
    struct app_cells *c, const void *png, size_t len, struct app_decoded *decoded);
/* Whether this is already the newest frame or text. */
bool app_cells_have_frame(const struct app_cells *c, const void *png, size_t len);
bool app_cells_have_text(const struct app_cells *c, const char *json, size_t len);

/* Decode a PNG within limits. Not for pictures of servers (host/media_decoder.h). */
bool app_frame_decode(const void *png, size_t len, struct picture *out, struct err *err);

#endif
