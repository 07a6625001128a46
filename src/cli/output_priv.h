#ifndef CLI_OUTPUT_PRIV_H
#define CLI_OUTPUT_PRIV_H

#include "base/buf.h"

#include <stdbool.h>

/* What the commands say: results on standard output, the rest on standard error. */

bool output_is_terminal(void); /* then tables fit its width */
int output_columns(void); /* of that terminal; 80 when it does not know */

/* Appends JSON as it goes out: laid out for a terminal, else on one line. Control characters and
 * everything else that a terminal would obey are \u escapes, unless it is to be raw. */
void output_add_json(struct buf *out, const struct buf *json, bool raw);
/* Writes text, and a newline if the last line lacks one; marks stand for everything that a terminal
 * would obey, unless it is to be raw. Returns 0 or the exit code: 141 when nobody reads, as of a
 * program that SIGPIPE ended, else 1. */
int output_write(const struct buf *text, bool raw);

/* "mcpane: ..." on standard error, made harmless. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Lines of it, each indented by two. */
void say_lines(const char *text, size_t len);

#endif
