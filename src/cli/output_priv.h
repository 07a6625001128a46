#ifndef CLI_OUTPUT_PRIV_H
#define CLI_OUTPUT_PRIV_H

#include "base/buf.h"

#include <stdbool.h>

/* What the commands say: results on standard output, the rest on standard error. */

/* Standard output is a terminal: text from outside is made harmless, tables fit the width. */
bool output_is_terminal(void);
int output_columns(void); /* of that terminal; 80 when it does not know */

/* Appends JSON as it goes out: laid out for a terminal, else on one line. */
void output_add_json(struct buf *out, const struct buf *json);
/* Writes text, and a newline where the last line lacks one. Returns 0 or the exit code: 141 when
 * nobody reads, as of a program that SIGPIPE ended, else 1. */
int output_write(const struct buf *text);

/* "mcpane: ..." on standard error, made harmless. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Lines of it, each indented by two. */
void say_lines(const char *text, size_t len);

#endif
