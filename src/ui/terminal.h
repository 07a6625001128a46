/* SPDX-License-Identifier: MIT */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include "ui/input.h"
#include "ui/surface.h"
#include "ui/theme.h"

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* A terminal description with direct color, as a value of TERMINFO. */
extern const char terminfo_rgb[];
#define TERMINFO_RGB_NAME "mcpane-rgb"

/* ---- terminal.c: the terminal as a device ---- */

struct tty {
	int fd;         /* a private file description if possible, non-blocking */
	bool is_shared; /* fd is the caller's: its flags are put back */
	int saved_flags;
	struct termios saved;
};

bool tty_open(struct tty *t, int fd, struct err *err);
void tty_close(struct tty *t);
bool tty_set_raw(const struct tty *t);
void tty_set_saved(const struct tty *t); /* async-signal-safe */
void tty_size(const struct tty *t, int *width, int *height);
/* In pixels; 0: unknown to the kernel. */
void tty_cell_size(const struct tty *t, int *width, int *height);
/* Writes all of it on leaving, but waits only briefly. Async-signal-safe. */
void tty_write_all(const struct tty *t, const char *bytes, size_t len);

/* ---- backend_curses.c: from a grid to the bytes that show it ---- */

struct screen;

struct screen_options {
	const char *term;     /* NULL: TERM's own */
	const char *terminfo; /* value for TERMINFO while the description is read, or NULL */
	int width, height;
	int most_colors; /* PAINT_..., the description may know less */
	bool ascii;
};

struct screen *screen_create(const struct screen_options *options, struct err *err);
void screen_destroy(struct screen *s);
/* The abilities that the terminal's description names. */
struct screen_info {
	int colors; /* PAINT_... */
	bool has_alternate;
	/* of the last screen_draw() */
	bool cleared;             /* the terminal was cleared first */
	const bool *rows_written; /* may include unchanged cells of the row */
};
const struct screen_info *screen_info(const struct screen *s);
void screen_resize(struct screen *s, int width, int height);
void screen_repaint(struct screen *s);
/* The next draw writes the whole row again. */
void screen_touch_row(struct screen *s, int y);
struct screen_cursor {
	int x, y; /* x < 0: anywhere */
};
/* Appends the bytes that turn the last grid into this one. blank_pictures: cells below a picture
 * are blanks. */
void screen_draw(struct screen *s, const struct grid *grid, const struct theme *theme,
    struct screen_cursor cursor, bool blank_pictures, struct buf *out);

/* The closest ASCII character, or '?'. */
uint32_t ascii_of(uint32_t ch);

#endif
