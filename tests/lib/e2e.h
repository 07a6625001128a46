/* SPDX-License-Identifier: MIT */
#ifndef E2E_H
#define E2E_H

#include "terminal.h"

/*
 * Helpers of the end-to-end tests: mcpane on a terminal, connected to the demo server or to a
 * server of tests/fixtures. *state holds the terminal; e2e_teardown() closes it.
 */

/* Start with the demo server and wait for its tools. The extra arguments may be NULL. */
struct terminal *e2e_demo(void **state, const char *const *extra);
struct terminal *e2e_demo_sized(void **state, int rows, int cols);
/* Start with any options; argv[0] is filled in. Does not wait for anything. */
struct terminal *e2e_start(void **state, const struct terminal_options *options);
/* mcpane [EXTRA...] -- badserver MODE [ARG...]; does not wait for anything. */
struct terminal *e2e_bad(void **state, const char *const *extra, const char *const *mode);
int e2e_teardown(void **state);

/* Type a command into the prompt and wait until it was handled and drawn. */
void e2e_run(struct terminal *t, const char *command);
/* Press keys and wait until they were handled and drawn. */
void e2e_press(struct terminal *t, const char *names);
/* Press keys in a dialog that ignores keys at first, after it accepts them. */
void e2e_answer(struct terminal *t, const char *names);
/* Quit with ctrl-q. Fails unless the exit code is 0, the terminal is restored and no process is
 * left. */
void e2e_leave(struct terminal *t);

/* Wait for the text, and until the frame that drew it is complete. */
#define e2e_wait(t, text) e2e_wait_at((t), (text), HERE)
void e2e_wait_at(struct terminal *t, const char *text, const char *file, int line);
/* Fail unless the text is (or is not) on the screen now. */
#define e2e_see(t, text) e2e_see_at((t), (text), HERE)
#define e2e_see_not(t, text) e2e_see_not_at((t), (text), HERE)
void e2e_see_at(struct terminal *t, const char *text, const char *file, int line);
void e2e_see_not_at(struct terminal *t, const char *text, const char *file, int line);
/* Return the cell where the text begins; fails if it is not on the screen. */
#define e2e_cell(t, text) e2e_cell_at((t), (text), HERE)
struct terminal_cell e2e_cell_at(struct terminal *t, const char *text, const char *file, int line);

/* Return the path of a file in the terminal's home, written with text unless text is NULL. Free
 * with free(). */
char *e2e_file(struct terminal *t, const char *name, const char *text);
/* Fail unless the file contains the text. */
#define e2e_file_has(path, text) e2e_file_has_at((path), (text), HERE)
void e2e_file_has_at(const char *path, const char *text, const char *file, int line);

#endif
