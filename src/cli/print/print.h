#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include "base/buf.h"
#include "model/call.h"

#include <stdbool.h>

/* What the commands say: results on standard output, the rest on standard error. */

bool output_is_terminal(void); /* then tables fit its width */
int output_columns(void);      /* of that terminal; 80 when it does not know */

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

/* Rows of text with their columns under each other. Cells are made when they are needed, twice, and
 * are made harmless here. */
struct columns {
	size_t rows, count;
	bool last_gives_way; /* it is prose: cut before the others */
	int width;           /* columns of the screen: what is longer is cut; 0: nothing is cut */
	void (*heading)(const void *user, size_t column, struct buf *out);
	void (*cell)(const void *user, size_t row, size_t column, struct buf *out);
	bool (*is_right)(const void *user, size_t column); /* NULL: none is */
	const void *user;
};

void columns_print(const struct columns *c, struct buf *out);

/* What a finished call came to. */

/* For people: content, then structuredContent. width: of a terminal; 0: nothing is cut. */
void result_add_text(const struct call *c, int width, struct buf *out);
/* Text as the server meant it: our trees hold U+0000 as C0 80. */
void result_add_exact(struct buf *out, const char *text, size_t len);
/* {"result": …, "validation": {…}}, or "error" instead of "result". */
void result_add_json(const struct call *c, struct buf *out);
/* The texts and bytes of a resource to a file, "-" for standard output, just as they are. Returns
 * the exit code; what went wrong was said. */
int result_write(const struct call *c, const char *path);
/* Verdict, violations, errors: on standard error. quiet: only what is wrong. */
void result_say(const struct call *c, bool quiet);

#endif
