#ifndef E2E_H
#define E2E_H

#include "terminal.h"

/*
 * What the end-to-end tests share: mcpane on a terminal, with the demo server or one of
 * tests/fixtures at its other end. *state keeps the terminal, e2e_teardown() closes it.
 */

/* The demo server, its tools on the screen; extra arguments may be NULL. */
struct terminal *e2e_demo(void **state, const char *const *extra);
struct terminal *e2e_demo_sized(void **state, int rows, int cols);
/* Whatever is wanted; argv[0] is put in. Nothing is waited for. */
struct terminal *e2e_start(void **state, const struct terminal_options *options);
/* mcpane [EXTRA...] -- badserver MODE [ARG...]; nothing is waited for. */
struct terminal *e2e_bad(void **state, const char *const *extra, const char *const *mode);
int e2e_teardown(void **state);

/* Types a command into the prompt and waits until it was handled and drawn. */
void e2e_run(struct terminal *t, const char *command);
/* Presses keys and waits until they were handled and drawn. */
void e2e_press(struct terminal *t, const char *names);
/* Presses keys after a dialog has been on the screen as long as it must be before it takes them. */
void e2e_answer(struct terminal *t, const char *names);
/* Leaves by ctrl-q: code 0, terminal restored, nobody left. */
void e2e_leave(struct terminal *t);

/* Waits for the text, and until the frame it came with is whole. */
#define e2e_wait(t, text) e2e_wait_at((t), (text), HERE)
void e2e_wait_at(struct terminal *t, const char *text, const char *file, int line);
/* Fails unless the text is, or is not, on the screen now. */
#define e2e_see(t, text) e2e_see_at((t), (text), HERE)
#define e2e_see_not(t, text) e2e_see_not_at((t), (text), HERE)
void e2e_see_at(struct terminal *t, const char *text, const char *file, int line);
void e2e_see_not_at(struct terminal *t, const char *text, const char *file, int line);
/* The cell where the text begins; it must be on the screen. */
#define e2e_cell(t, text) e2e_cell_at((t), (text), HERE)
struct terminal_cell e2e_cell_at(struct terminal *t, const char *text, const char *file, int line);

/* A file in the terminal's home, or of that name to come; the caller frees the path. */
char *e2e_file(struct terminal *t, const char *name, const char *text);
/* Fails unless the file holds the text. */
#define e2e_file_has(path, text) e2e_file_has_at((path), (text), HERE)
void e2e_file_has_at(const char *path, const char *text, const char *file, int line);

#endif
