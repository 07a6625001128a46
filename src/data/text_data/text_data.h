#ifndef DATA_TEXT_DATA_TEXT_DATA_H
#define DATA_TEXT_DATA_TEXT_DATA_H

#include "base/map.h"
#include "data/text_data.h"

/* A table in text on its way to JSON: an array of objects. Cells go out as they are read, so a text
 * that turns out to be no table has cost a part of the buffer. */
struct text_rows {
	struct buf *out;
	struct job *job;
	struct {
		struct text_column {
			char *name;
			char *key; /* "\"name\":" */
		} * items;
		size_t len, cap;
	} columns;
	struct map by_name;
	size_t cell; /* index of the next one in this row */
	bool comma;  /* in this row */
	size_t rows;
};

#define TEXT_COLUMNS_MAX 1000
#define TEXT_NAME_MAX 200
/* Names are repeated in each row, so a table grows: no further than this. */
#define TEXT_OUT_MAX ((size_t)256 << 20)

void text_rows_init(struct text_rows *r, struct buf *out, struct job *job);
void text_rows_finish(struct text_rows *r);
/* False: there is such a column already, or there are too many. */
bool text_rows_add_column(struct text_rows *r, const char *name, size_t len);
/* One that has no name, or one that is taken: "column 3". */
void text_rows_add_unnamed(struct text_rows *r);
void text_rows_begin(struct text_rows *r); /* the array, and its end */
void text_rows_end(struct text_rows *r);
bool text_rows_next(struct text_rows *r); /* a row begins; false: stopped, or too long */
void text_rows_cell(struct text_rows *r, const char *text, size_t len, bool quoted);
void text_rows_close(struct text_rows *r); /* the row ends */

/* Each appends JSON; false, and the buffer is of no use: the text is no such table. whole: it has
 * nothing else but headings. */
bool text_csv(const char *text, size_t len, char separator, struct job *job, struct buf *out);
bool text_markdown(const char *text, size_t len, struct job *job, struct buf *out, bool *whole);

/* The separator of the first line; '\0': it has none. */
char text_csv_separator(const char *text, size_t len);

static inline size_t
text_line_length(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return (size_t)((newline ? newline : end) - at);
}

/* Without blanks at both ends. */
static inline void
text_trim(const char **at, size_t *len)
{
	while (*len > 0 && strchr(" \t\r\n", **at) && **at) {
		++*at;
		--*len;
	}
	while (*len > 0 && (*at)[*len - 1] && strchr(" \t\r\n", (*at)[*len - 1]))
		--*len;
}

#endif
