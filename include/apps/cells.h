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
 * The page of an app as cells of a terminal: the picture that the browser drew of it, in block
 * elements and Braille dots, and above that its text, which the browser laid out but did not draw
 * (apps/page.h). Both come from outside and are bounded here; text passes base/glyph. Colors stay
 * as they are: the one who draws reduces them to what the terminal has.
 */

struct app_cell {
	uint32_t ch; /* 0: the right half of a wide character */
	uint32_t marks[2];
	uint32_t ink, ground; /* 0xrrggbb */
	uint8_t attr;         /* bits as ATTR_BOLD ... of ui/theme.h */
};

enum {
	APP_ATTR_BOLD = 1,
	APP_ATTR_ITALIC = 4,
	APP_ATTR_UNDERLINE = 8,
	APP_ATTR_REVERSE = 16,
};

/* What a click does something on. Its strings live until the next app_cells_take_text(). */
struct app_target {
	double x, y; /* where to click, in CSS pixels */
	int col, row, cols, rows;
	const char *role; /* as in ARIA: "button", "link", "textbox", "combobox" ... */
	const char *name; /* untrusted, may be "" */
	bool is_disabled, is_checked, is_focused, is_editable;
};

struct app_cells_facts {
	size_t texts;    /* pieces of text that belong in the picture */
	size_t moved;    /* of these, those in other cells than their own */
	size_t collided; /* those whose own cells other text had taken */
	size_t shortened;
	size_t lost;                  /* characters that are not shown */
	size_t changed;               /* cells that are not as app_cells_draw() left them before */
	int caret_col, caret_row;     /* of the text cursor; -1: none, or out of sight */
	double page_height, page_top; /* of all there is to scroll, in CSS pixels; how far it is */
	bool is_incomplete;           /* the page has more text than the walker's limits allow */
};

struct app_cells {
	int cols, rows, cell_width, cell_height; /* of a cell in CSS pixels */
	enum app_mode mode;
	struct app_cell *cells;        /* rows * cols */
	uint8_t *changed;              /* likewise: is the cell another than before? */
	const struct picture *picture; /* the newest frame itself; NULL: none came */
	struct app_target *targets;
	size_t target_count;
	struct app_cells_facts facts;
	struct app_cells_inside *inside;
};

#define APP_FRAME_MAX_PIXELS ((size_t)16 * 1024 * 1024)
#define APP_FRAME_MAX_BYTES ((size_t)32 * 1024 * 1024)
#define APP_TEXT_MAX_BYTES ((size_t)8 * 1024 * 1024)
/* The picture wants so many pixels for a cell; any other number is reduced. */
enum { APP_FRAME_CELL_WIDTH = 4, APP_FRAME_CELL_HEIGHT = 8 };

void app_cells_init(struct app_cells *c, int cols, int rows, int cell_height, enum app_mode mode);
void app_cells_finish(struct app_cells *c);

/* The two halves of a frame, in any order; each is used until the next one of its kind. False: err
 * says why it is refused, and the one before stays. */
bool app_cells_take_frame(struct app_cells *c, const void *png, size_t len, struct err *err);
bool app_cells_take_text(struct app_cells *c, const char *json, size_t len, struct err *err);
/* Cells, changes and facts. */
void app_cells_draw(struct app_cells *c);
/* A place on the screen, in CSS pixels, becomes one on the target that is drawn there: its cells
 * may lie beside its box. */
void app_cells_aim(const struct app_cells *c, int *x, int *y);
/* A line for each row, blanks at its end cut. */
void app_cells_add_text(const struct app_cells *c, struct buf *out);

/* The same in two steps, the first on any thread. The picture goes to the cells. */
struct app_decoded {
	struct picture frame, reduced; /* reduced: what cells need of a frame of another size */
};
bool app_frame_prepare(
    const void *png, size_t len, int cols, int rows, struct app_decoded *out, struct err *err);
void app_decoded_finish(struct app_decoded *d);
void app_cells_take_decoded(
    struct app_cells *c, const void *png, size_t len, struct app_decoded *decoded);
/* Are they the newest already? */
bool app_cells_have_frame(const struct app_cells *c, const void *png, size_t len);
bool app_cells_have_text(const struct app_cells *c, const char *json, size_t len);

/* The size in pixels, and the pixels; bounded. Not for pictures of servers (host/picture_decoder.h). */
bool app_frame_decode(const void *png, size_t len, struct picture *out, struct err *err);

#endif
