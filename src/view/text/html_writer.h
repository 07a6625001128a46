#ifndef VIEW_TEXT_HTML_WRITER_H
#define VIEW_TEXT_HTML_WRITER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * HTML as Markdown: what the elements and texts of a page become. Each sign that Markdown could take
 * for a mark gets a backslash. Lines, blanks and marks of emphasis are due until a text follows.
 */
enum { AROUND_MAX = 12, MARKS_MAX = 8, COLUMNS_MAX = 64 };

struct html_writer {
	struct buf *out;
	const char *at, *end; /* what is to be read */
	struct around {
		char kind;     /* 'q' quote, 'u' and 'o' lists, 'i' item */
		size_t indent; /* of an item, behind its mark */
		size_t number; /* of the last item */
	} around[AROUND_MAX];
	size_t depth, too_deep;
	struct {
		char kind; /* '*', 'b', '~', '[' */
		bool due;  /* not written yet */
	} marks[MARKS_MAX];
	size_t mark_count;
	const char *href; /* of the link that is open */
	size_t href_len;
	size_t lines; /* that end before the next text; 2 leaves an empty one */
	bool fresh;   /* nothing is in the line but what it begins with */
	bool blank, breaks;
	bool in_pre;
	size_t columns, tables_within; /* of the table; 0: none is open */
	size_t cells;
	bool in_row, in_cell, has_head;
	size_t to_count; /* bytes that may still be looked at for columns, so that tables in tables
	                  * cost no more than they are long */
	bool no_tags;    /* no > comes any more */
	size_t scripts, styles, comments; /* left out */
};

void html_begin_line(struct html_writer *w);
void html_begin_text(struct html_writer *w); /* writes what is due */
void html_end_lines(struct html_writer *w, size_t lines);
void html_end_marks(struct html_writer *w, size_t from); /* all but the first so many */
void html_add_words(struct html_writer *w, const char *at, const char *end);
void html_add_code(struct html_writer *w, const char *at, const char *end);
void html_add_text(struct html_writer *w, const char *at, const char *end); /* either of these */

/* A row has a line, so what is in a cell has no lines of its own. */
void html_begin_cell(struct html_writer *w);
void html_end_cell(struct html_writer *w);
void html_end_row(struct html_writer *w);

#endif
