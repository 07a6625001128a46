/* SPDX-License-Identifier: MIT */
#ifndef UI_RICH_H
#define UI_RICH_H

#include "base/buf.h"
#include "ui/surface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text laid out for one width: rows of styled pieces, and links. A parser fills it; then it is only
 * drawn and searched. The bytes are untrusted. A layout that reaches its limit is `full`, and the
 * rest of the text is missing.
 */
struct rich_piece {
	uint32_t at, len; /* bytes of the text; len 0: a trusted character, repeated */
	uint32_t ch;
	uint16_t count, x;
	uint32_t link; /* its number, from 1; 0: none */
	struct style style;
};

struct rich_row {
	uint32_t piece, at; /* its first piece, and its place in the text */
};

struct rich_link {
	uint32_t row; /* in which it begins */
	size_t uri;   /* in uris */
};

struct rich {
	struct buf text; /* of all rows, to search: a newline between them, a blank in a sentence */
	struct buf uris; /* each ends with a NUL */
	struct {
		struct rich_piece *items;
		size_t len, cap;
	} pieces;
	struct {
		struct rich_row *items;
		size_t len, cap;
	} rows;
	struct {
		struct rich_link *items;
		size_t len, cap;
	} links;
	bool full;
};

void rich_finish(struct rich *r); /* zeroed memory is empty; leaves it so */
/* goes_on: the sentence of the row before. */
void rich_begin_row(struct rich *r, bool goes_on);
/* To the last row, at a column of it. */
void rich_add(
    struct rich *r, int x, struct style style, uint32_t link, const char *text, size_t len);
void rich_add_mark(struct rich *r, int x, struct style style, uint32_t ch, int count);
/* Returns its number; 0: it has no target. */
uint32_t rich_add_link(struct rich *r, const char *uri, size_t len);

/* Rows from `top` on; `selected`: the number of a link, or 0. */
void rich_draw(const struct rich *r, struct surface s, size_t top, uint32_t selected);
size_t rich_row_of(const struct rich *r, size_t at); /* of a byte of the text */
/* The number of the link at a cell; 0: none is there. */
uint32_t rich_link_at(const struct rich *r, size_t row, int x);
const char *rich_uri(const struct rich *r, uint32_t link);

#endif
