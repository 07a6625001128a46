/* SPDX-License-Identifier: MIT */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A program on a pseudoterminal, with libvterm as its terminal emulator. Input passes through the
 * kernel's line discipline; tests read the cells of the screen.
 *
 * No function sleeps. Every wait is for a condition and has a deadline (one minute, or
 * MCPANE_TEST_DEADLINE_MS). A wait that times out prints the screen and fails the cmocka test. Rows
 * and columns count from 0. Use one terminal at a time where processes are counted.
 */
struct terminal;

#define HERE __FILE__, __LINE__
#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct terminal_options {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *env;  /* "NAME=value" sets, "NAME" unsets; TERM, LANG, HOME are fixed */
	const char *cwd;         /* NULL: the test's directory; ~: the terminal's home */
	const char *background;  /* answer to OSC 11, "rgb:ffff/ffff/ffff"; NULL: no answer */
	const char *device;      /* answers to a query up to and including DA1; NULL: plain */
	int rows, cols;          /* 0: 36 by 120 */
	bool first;              /* first start of the program, with its introduction to the keys */
	bool no_sync;            /* reports that synchronized output (mode 2026) is not supported */
};

/* Never returns NULL. HOME and the XDG directories are one new directory, removed by
 * terminal_close(). */
struct terminal *terminal_start(const struct terminal_options *options);
/* Kill the program and its descendants. NULL is allowed. */
void terminal_close(struct terminal *t);

/* Return the path of the program under test (MCPANE), or of a helper of tests/fixtures. Both skip
 * the test if the variable is not set. Static storage, overwritten by the next call. */
const char *terminal_program(void);
const char *terminal_fixture(const char *name);

pid_t terminal_pid(const struct terminal *t);
const char *terminal_home(const struct terminal *t);

/* ---- input ---- */
/* Key names separated by spaces: "ctrl-p down enter f5 alt-x shift-tab space esc pgdn a". */
#define terminal_keys(t, names) terminal_keys_at((t), (names), HERE)
void terminal_keys_at(struct terminal *t, const char *names, const char *file, int line);
void terminal_type(struct terminal *t, const char *text); /* raw: Enter is "\r", not "\n" */
void terminal_send(struct terminal *t, const void *bytes, size_t len);
void terminal_paste(struct terminal *t, const char *text); /* bracketed if the program enabled it */
/* SGR mouse. Fails unless the program enabled a mouse mode and mode 1006. Negative steps scroll
 * up. */
#define terminal_click(t, row, col) terminal_drag_at((t), (row), (col), (row), (col), HERE)
#define terminal_drag(t, r1, c1, r2, c2) terminal_drag_at((t), (r1), (c1), (r2), (c2), HERE)
#define terminal_wheel(t, row, col, steps) terminal_wheel_at((t), (row), (col), (steps), HERE)
void terminal_drag_at(struct terminal *t, int r1, int c1, int r2, int c2, const char *, int line);
void terminal_wheel_at(struct terminal *t, int row, int col, int steps, const char *file, int line);
void terminal_resize(struct terminal *t, int rows, int cols); /* the next barrier waits for it */
void terminal_hang_up(struct terminal *t);                    /* close the terminal: SIGHUP */

/* ---- waiting ---- */
/* Send `CSI 7700 ; n ~` and wait for `OSC 7700 ; n ST` or `OSC 7700 ; n ; rows ; cols ST`: the
 * program has then handled and drawn all earlier input. Requires MCPANE_TEST_BARRIER=1, which
 * terminal_start() sets. */
#define terminal_barrier(t) terminal_barrier_at((t), HERE)
#define terminal_wait_text(t, text) terminal_wait_text_at((t), (text), HERE)
#define terminal_wait_gone(t, text) terminal_wait_gone_at((t), (text), HERE)
#define terminal_wait_until(t, condition, ctx) terminal_wait_until_at((t), (condition), (ctx), HERE)
#define terminal_wait_frames(t, n) terminal_wait_frames_at((t), (n), HERE)
#define terminal_wait_exit(t) terminal_wait_exit_at((t), HERE)
#define terminal_wait_processes(t, n) terminal_wait_processes_at((t), (n), HERE)
void terminal_watch(struct terminal *t, int ms); /* waits for this time */
typedef bool terminal_condition(struct terminal *t, void *ctx);
void terminal_barrier_at(struct terminal *t, const char *file, int line);
void terminal_wait_text_at(struct terminal *t, const char *text, const char *file, int line);
void terminal_wait_gone_at(struct terminal *t, const char *text, const char *file, int line);
void terminal_wait_until_at(
    struct terminal *t, terminal_condition *condition, void *ctx, const char *file, int line);
/* Wait until n frames of synchronized output have ended since the start. */
void terminal_wait_frames_at(struct terminal *t, unsigned n, const char *file, int line);
/* Return the exit code or -signal, after reading the remaining output. */
int terminal_wait_exit_at(struct terminal *t, const char *file, int line);
/* Wait until exactly n processes descend from the program or have its environment. The program is
 * not counted. */
void terminal_wait_processes_at(struct terminal *t, size_t n, const char *file, int line);

/* ---- the screen ---- */
struct terminal_cell {
	char text[28];   /* UTF-8; " " if empty, "" in the right half of a wide character */
	uint32_t fg, bg; /* TERMINAL_DEFAULT, TERMINAL_INDEX | 0..255, TERMINAL_RGB | 0xrrggbb */
	bool bold, italic, reverse, blink, strike;
	int width, underline;
};
enum { TERMINAL_DEFAULT = 0, TERMINAL_INDEX = 1 << 24, TERMINAL_RGB = 2 << 24 };

/* Find text within one row. col is a cell index, also after wide characters. row and col may be
 * NULL. */
bool terminal_find(struct terminal *t, const char *text, int *row, int *col);
bool terminal_find_in_row(struct terminal *t, int row, const char *text, int *col);
struct terminal_cell terminal_cell(struct terminal *t, int row, int col);
/* Return a row without trailing blanks, valid until the next call for this terminal. */
const char *terminal_row(struct terminal *t, int row);
const char *terminal_screen(struct terminal *t);              /* all rows, each followed by "\n" */
bool terminal_cursor(struct terminal *t, int *row, int *col); /* returns whether it is visible */
const char *terminal_title(const struct terminal *t);
/* Return the last setting of a DEC private mode, or otherwise if the program never set it. */
bool terminal_mode(const struct terminal *t, int mode, bool otherwise);
void terminal_fail(struct terminal *t, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- all output ---- */
/* Return the raw output since the start, at most the last 32 MiB. */
const char *terminal_log(const struct terminal *t, size_t *len);
#define terminal_assert_never(t, bytes) terminal_assert_never_at((t), (bytes), HERE)
void terminal_assert_never_at(struct terminal *t, const char *bytes, const char *file, int line);
/* Call after the exit. Fails unless the line settings, main screen and cursor are restored, and
 * mouse, paste, focus, synchronized output and application keys are off. */
#define terminal_assert_restored(t) terminal_assert_restored_at((t), HERE)
void terminal_assert_restored_at(struct terminal *t, const char *file, int line);

#endif
