/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include "base/buf.h"
#include "host/options.h"
#include "client/call.h"
#include "view/view.h"

#include <stdbool.h>

/* Output of the subcommands: results on standard output, everything else on standard error. */

bool output_is_terminal(void); /* if so, tables are fitted to its width */
int output_columns(void);      /* of that terminal; 80 if unknown */

/* Appends JSON and frees it: pretty-printed for a terminal, else on one line. Control characters
 * and everything else a terminal would interpret are written as \u escapes unless raw. */
void output_take_json(struct buf *out, struct buf *json, bool raw);
/* The same without a change of its lines. */
void output_add_lines(struct buf *out, const struct buf *json, bool raw);
/* The colors that standard output shows; PAINT_MONO for none. asked: as for backend_open(). */
int output_colors(int asked);
/* The surface as lines of text in these colors. */
void output_add_surface(struct buf *out, struct surface s, int colors);
/* Writes text, and a newline if the last line lacks one. Everything a terminal would interpret
 * is replaced by marks unless raw. Returns 0 or the exit code: 141 if the reader closed the pipe
 * (as SIGPIPE would), else 1. */
int output_write(const struct buf *text, bool raw);

/* Writes JSON while more of it is being read, and clears it. Returns the same. */
int output_write_part(struct buf *json, bool raw);

/* Prints "mcpane: ..." on standard error, escaped. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints lines there, indented by two. */
void say_lines(const char *text, size_t len);

/* A table of text with aligned columns: add the columns, then the cells row by row. */
struct print_column {
	bool is_right;      /* aligned on the right, as numbers are */
	int heading, cells; /* the widths needed */
	int width;
};

struct print_table {
	/* set by the caller */
	int width;           /* of the terminal: longer lines are cut; 0: nothing is cut */
	bool last_gives_way; /* prose: cut before the other columns */
	size_t uncut;        /* columns at the left that are never cut */

	size_t len, cap; /* columns */
	struct print_column *items;
	struct buf text; /* headings and cells, not escaped */
	struct {
		size_t *items; /* where each of them ends in text */
		size_t len, cap;
	} ends;
};

/* Add a column, and several columns by their headings: "NAME|STATE|>BYTES", that one right. */
void print_column(struct print_table *t, const char *heading, bool is_right);
void print_columns(struct print_table *t, const char *headings);
/* Add a cell. text: cleared. */
void print_cell(struct print_table *t, const char *text);
void print_cell_take(struct print_table *t, struct buf *text);
/* Append the table, escaped, and free it. False: it had no rows, and nothing was appended. */
bool print_table_end(struct print_table *t, struct buf *out);

/* The result of a finished call. */

/* Appends content, then structuredContent, as text. width: of the terminal, which also gets JSON in
 * a text as tables; 0: nothing is cut or changed. */
void result_add_text(const struct call *c, int width, struct buf *out);
/* {"result": …, "validation": {…}}, or "error" instead of "result". findings: not NULL adds
 * "findings". */
struct result_findings;
void result_add_json(const struct call *c, const struct result_findings *findings, struct buf *out);
/* Writes texts and decoded blobs of a resource to a file, or to standard output for "-". Returns
 * the exit code after reporting errors. */
int result_write(const struct call *c, const char *path);
/* The findings about the tool of a call, and about its result. */
struct result_findings {
	struct findings tool, result;
};
void result_say_list(const struct findings *f, const char *about); /* on standard error */
struct json_writer;
void result_write_findings(struct json_writer *w, const struct findings *f, const char *about);
struct report;
/* Instance location, message and schema location on one line. */
void result_add_violation(const struct report *report, size_t index, struct buf *out);
/* Prints verdict, violations and errors on standard error. quiet: only failures. */
void result_say(const struct call *c, bool quiet);

/*
 * The part of a result that --view, --format, --jq and --lens print. The value is
 * structuredContent, or else the data of the first text that is data, which standard error reports.
 */
struct client;
struct excerpt {
	struct view_input in; /* its value may be NULL */
	struct json_doc *doc; /* of in.value; NULL: it is in the call's */
	const cJSON *results; /* of jq: an array; NULL: it did not run */
	struct buf drawn;     /* the content */
	bool failed;          /* the reason was reported */
};

enum { VIEW_OF_CONTENT = VIEW_COUNT + 1 }; /* options.view: this, a view + 1, or 0 */

/* True: the options ask for a part of the call. Finds the value, and runs jq on the client's loop.
 */
bool excerpt_take(
    struct excerpt *e, struct client *client, const struct call *call, const struct options *o);
/* False: something was not printed, and the reason was reported. *safe: out has colors, and nothing
 * else that a terminal interprets. */
bool excerpt_print(const struct excerpt *e, const struct call *call, const struct options *o,
    struct buf *out, bool *safe);

#endif
