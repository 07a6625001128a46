#ifndef VIEW_TEXT_MARKDOWN_H
#define VIEW_TEXT_MARKDOWN_H

#include "base/buf.h"
#include "ui/rich.h"

/* Text of sentences or cells that is yet to be broken into rows, in runs of one style. */
struct sentence_run {
	size_t at;
	uint32_t link;
	struct style style;
};

struct sentence {
	struct buf text;
	struct {
		struct sentence_run *items;
		size_t len, cap;
	} runs;
};

/* Bytes start to end of it become pieces of the last row, from column x. */
void sentence_put(const struct sentence *s, size_t start, size_t end, struct rich *out, int x);

struct table_cell {
	size_t at, end; /* in the sentence */
	char align;     /* 'l', 'r', 'c' */
};

/* The cells of a table row by row, the first row its head. begin_row() begins a row inside the
 * quotes and items around the table, and returns its column; width is the width inside. */
struct text_table {
	const struct sentence *sentence;
	const struct table_cell *cells;
	size_t rows, columns;
	int width;
	int (*begin_row)(void *user, bool goes_on);
	void *user;
};

void text_table_lay_out(const struct text_table *t, struct rich *out);

#endif
