#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A real program on a pseudo terminal, with libvterm as the terminal it believes in: what a test
 * types goes through the kernel's line discipline, what a test looks at is cells of a screen.
 *
 * Nothing here sleeps. Every wait is for a condition and has a deadline (a minute, or
 * MCPANE_TEST_DEADLINE_MS); a wait that runs out prints the screen and fails the cmocka test.
 * Rows and columns count from 0. One terminal at a time where processes are counted.
 */
struct terminal;

#define HERE __FILE__, __LINE__
#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct terminal_options {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *env;  /* "NAME=value" sets, "NAME" unsets; TERM, LANG, HOME are clean */
	const char *cwd;         /* NULL: the test's own; ~: its home, which is removed with it */
	const char *background;  /* answer to OSC 11, as "rgb:ffff/ffff/ffff"; NULL: silence */
	const char *device; /* answers to what DA1 ends, its own last; NULL: a plain terminal */
	int rows, cols;     /* 0: 36 by 120 */
	bool first;         /* the program never ran before: the first start teaches keys */
	bool no_sync;       /* says no when asked for synchronized output (mode 2026) */
};

/* Never NULL. HOME and the XDG folders are one new folder, removed by terminal_close(). */
struct terminal *terminal_start(const struct terminal_options *options);
/* Kills what still runs, the program's children too. NULL is fine. */
void terminal_close(struct terminal *t);

/* The program under test (MCPANE), and a helper of tests/fixtures; both skip the test when it was
 * started by hand without them. Static storage, overwritten by the next call. */
const char *terminal_program(void);
const char *terminal_fixture(const char *name);

pid_t terminal_pid(const struct terminal *t);
const char *terminal_home(const struct terminal *t);

/* ---- input ---- */
/* Keys by name, space between: "ctrl-p down enter f5 alt-x shift-tab space esc pgdn a". */
#define terminal_keys(t, names) terminal_keys_at((t), (names), HERE)
void terminal_keys_at(struct terminal *t, const char *names, const char *file, int line);
void terminal_type(struct terminal *t, const char *text); /* as typed: "\n" is not Enter, "\r" is */
void terminal_send(struct terminal *t, const void *bytes, size_t len);
void terminal_paste(struct terminal *t, const char *text); /* bracketed where asked for */
/* Mouse, SGR. Fails unless the program turned a mouse mode and mode 1006 on. Up is negative. */
#define terminal_click(t, row, col) terminal_drag_at((t), (row), (col), (row), (col), HERE)
#define terminal_drag(t, r1, c1, r2, c2) terminal_drag_at((t), (r1), (c1), (r2), (c2), HERE)
#define terminal_wheel(t, row, col, steps) terminal_wheel_at((t), (row), (col), (steps), HERE)
void terminal_drag_at(struct terminal *t, int r1, int c1, int r2, int c2, const char *, int line);
void terminal_wheel_at(struct terminal *t, int row, int col, int steps, const char *file, int line);
void terminal_resize(struct terminal *t, int rows, int cols); /* the next barrier waits for it */
void terminal_hang_up(struct terminal *t);                    /* the terminal goes away: SIGHUP */

/* ---- waiting ---- */
/* Sends `CSI 7700 ; n ~` and waits for `OSC 7700 ; n ST`, or `OSC 7700 ; n ; rows ; cols ST`: all
 * that was sent before has been handled and drawn. MCPANE_TEST_BARRIER=1 is in the environment. */
#define terminal_barrier(t) terminal_barrier_at((t), HERE)
#define terminal_wait_text(t, text) terminal_wait_text_at((t), (text), HERE)
#define terminal_wait_gone(t, text) terminal_wait_gone_at((t), (text), HERE)
#define terminal_wait_until(t, condition, ctx) terminal_wait_until_at((t), (condition), (ctx), HERE)
#define terminal_wait_frames(t, n) terminal_wait_frames_at((t), (n), HERE)
#define terminal_wait_exit(t) terminal_wait_exit_at((t), HERE)
#define terminal_wait_processes(t, n) terminal_wait_processes_at((t), (n), HERE)
void terminal_watch(struct terminal *t, int ms); /* the time is what is waited for */
typedef bool terminal_condition(struct terminal *t, void *ctx);
void terminal_barrier_at(struct terminal *t, const char *file, int line);
void terminal_wait_text_at(struct terminal *t, const char *text, const char *file, int line);
void terminal_wait_gone_at(struct terminal *t, const char *text, const char *file, int line);
void terminal_wait_until_at(
    struct terminal *t, terminal_condition *condition, void *ctx, const char *file, int line);
/* Until n brackets of synchronized output have been closed since the start. */
void terminal_wait_frames_at(struct terminal *t, unsigned n, const char *file, int line);
/* The program's exit code, or -signal; what it wrote last has been read. */
int terminal_wait_exit_at(struct terminal *t, const char *file, int line);
/* Until just n processes descend from the program or have its environment; itself not counted. */
void terminal_wait_processes_at(struct terminal *t, size_t n, const char *file, int line);

/* ---- the screen ---- */
struct terminal_cell {
	char text[28];   /* UTF-8; " " where nothing was written, "" right of a wide character */
	uint32_t fg, bg; /* TERMINAL_DEFAULT, TERMINAL_INDEX | 0..255, TERMINAL_RGB | 0xrrggbb */
	bool bold, italic, reverse, blink, strike;
	int width, underline;
};
enum { TERMINAL_DEFAULT = 0, TERMINAL_INDEX = 1 << 24, TERMINAL_RGB = 2 << 24 };

/* Finds text inside one row; col is in cells, right behind wide ones too. Either may be NULL. */
bool terminal_find(struct terminal *t, const char *text, int *row, int *col);
bool terminal_find_in_row(struct terminal *t, int row, const char *text, int *col);
struct terminal_cell terminal_cell(struct terminal *t, int row, int col);
/* Without blanks at the end; valid until the next call for this terminal. */
const char *terminal_row(struct terminal *t, int row);
const char *terminal_screen(struct terminal *t);              /* all rows, "\n" after each */
bool terminal_cursor(struct terminal *t, int *row, int *col); /* true: visible */
const char *terminal_title(const struct terminal *t);
/* The last setting of a DEC private mode the program sent; `otherwise` when it never did. */
bool terminal_mode(const struct terminal *t, int mode, bool otherwise);
void terminal_fail(struct terminal *t, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- everything that was written ---- */
/* The raw bytes since the start; the oldest are dropped after 32 MiB. */
const char *terminal_log(const struct terminal *t, size_t *len);
#define terminal_assert_never(t, bytes) terminal_assert_never_at((t), (bytes), HERE)
void terminal_assert_never_at(struct terminal *t, const char *bytes, const char *file, int line);
/* After the exit: line settings as they were, main screen, cursor shown, mouse, paste, focus,
 * synchronized output and application keys off. */
#define terminal_assert_restored(t) terminal_assert_restored_at((t), HERE)
void terminal_assert_restored_at(struct terminal *t, const char *file, int line);

#endif
