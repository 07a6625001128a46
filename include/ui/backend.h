/* SPDX-License-Identifier: MIT */
#ifndef UI_BACKEND_H
#define UI_BACKEND_H

#include "ui/input.h"
#include "ui/paint.h"
#include "ui/surface.h"

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The terminal: curses draws a grid into memory, and a whole frame leaves in one
 * write inside a synchronized update. Never blocks, never asks the terminal and
 * waits. Reading keys is the caller's: bytes from its fd go to ui/input.h.
 * One terminal at a time. LC_CTYPE must be a UTF-8 locale (any with .ascii).
 */
#define BACKEND_COLORS_AUTO (-1) /* by NO_COLOR, COLORTERM and the terminal's description */

/* How pictures are drawn (surface_picture()): as their cells are, or by a graphics protocol if the
 * terminal answers that it has it. AUTO: kitty's, else sixel, else cells. */
#define BACKEND_PICTURES(X) X(AUTO, auto) X(CELLS, cells) X(KITTY, kitty) X(SIXEL, sixel)
enum backend_pictures {
#define X(id, name) BACKEND_PICTURES_##id,
	BACKEND_PICTURES(X)
#undef X
};
extern const char *const backend_pictures_names[]; /* in that order; NULL ends */

struct backend_options {
	int fd;     /* of the terminal; borrowed */
	int colors; /* BACKEND_COLORS_AUTO or an enum of ui/paint.h */
	bool ascii; /* frames and marks in ASCII, '?' for characters that ASCII cannot imitate */
	bool mouse;
	bool ask_background; /* sends OSC 11; the answer comes as KEY_REPORT, or never */
	enum backend_pictures pictures;
	/* They make large pictures, which a later frame shows: ask for it when one is done. They
	 * outlive the back end; NULL: all is made at once. */
	struct jobs *jobs;
};

struct backend;

/* Raw mode, alternate screen, paste and mouse reports on. NULL: err. */
struct backend *backend_open(const struct backend_options *options, struct err *err);
void backend_close(struct backend *b); /* restores everything; NULL-safe */
/* The same for a signal handler that ends the program: async-signal-safe, does not free. */
void backend_restore_async(const struct backend *b);
/* Gives the terminal back for a while (an editor), and takes it again with a full repaint. */
void backend_suspend(struct backend *b);
bool backend_resume(struct backend *b, struct err *err);

struct backend_info {
	int fd;     /* non-blocking: to read keys, to poll for both */
	int colors; /* PAINT_... */
	int width, height;
	bool draws_pixels; /* of pictures */
	bool has_answered; /* what graphics it has */
};
struct backend_info backend_info(const struct backend *b);
/* Asks for the terminal's size again (SIGWINCH). True: it or that of its cells changed. */
bool backend_resize(struct backend *b);

/* A cursor_x < 0 hides the cursor. False: the last frame is still on its way, nothing was taken:
 * call again when the fd is writable. */
bool backend_flush(struct backend *b, const struct grid *grid, const struct theme *theme,
    int cursor_x, int cursor_y);
/* Bytes for the terminal itself (OSC 52, a barrier's answer), after the frames flushed so far. */
void backend_write_extra(struct backend *b, const char *bytes, size_t len);
/* While true, poll the fd for writing and call backend_drain(). */
bool backend_wants_write(const struct backend *b);
bool backend_drain(struct backend *b); /* false: the terminal is gone */
/* A KEY_REPORT: the terminal's answer about its graphics. True: draw the next frame. */
bool backend_hear(struct backend *b, const char *text, size_t len);
/* A KEY_MOUSE, which may be in pixels: its cell, and where in that. */
void backend_locate(const struct backend *b, struct key *key);
void backend_set_pictures(struct backend *b, enum backend_pictures pictures);
/* The next flush repaints every cell. */
void backend_repaint(struct backend *b);

/* A terminal description with direct color, as a value of TERMINFO. */
extern const char terminfo_rgb[];
#define TERMINFO_RGB_NAME "mcpane-rgb"
/* The closest ASCII character, or '?'. */
uint32_t ascii_of(uint32_t ch);
/* Understands the answer to OSC 11 ("]11;rgb:rrrr/gggg/bbbb"); false for anything else. */
bool report_background_is_light(const char *text, size_t len, bool *is_light);

#endif
