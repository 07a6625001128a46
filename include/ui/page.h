/* SPDX-License-Identifier: MIT */
#ifndef UI_PAGE_H
#define UI_PAGE_H

#include "base/buf.h"
#include "ui/input.h"
#include "ui/surface.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A text to be read: heads, rows of a key and its value, paragraphs. Each is wrapped to the width,
 * never cut, and the whole scrolls. Texts are copied, and come from anywhere.
 */
struct page_item {
	size_t key, key_len; /* in the text */
	size_t at, len;
	size_t lengthy; /* the number of its struct page_lengthy, from 1; 0: none */
	enum role role, key_role;
	int indent; /* columns; of a row the text's own */
	bool bold;
	int rows_width; /* of the page when rows were counted; 0: never */
	size_t rows;
};

/* A text of which every frame wraps a slice more. The same text on a page that is written again
 * keeps its rows. */
struct page_lengthy;

struct page {
	struct buf text, before; /* before: the text before page_clear() */
	struct page_item *items;
	size_t len, cap;
	size_t top, rows;        /* rows: at the last drawing */
	int width, height;       /* likewise, of the text */
	int aside;               /* columns at the right without text */
	bool in_order;           /* keys pass over no row that was not on the screen yet */
	size_t seen, seen_items; /* rows that were on the screen, from the first on; whole items */
	bool read;               /* all of them */
	struct {
		struct page_lengthy *items;
		size_t len, cap;
	} lengthy;
	bool unfinished; /* rows is an estimate */
	bool to_end;     /* once that is known */
};

void page_finish(struct page *p); /* a zeroed page is empty */
void page_clear(struct page *p);  /* keeps the scroll position, as far as there is text */

void page_head(struct page *p, const char *text); /* below a gap, except at the top */
void page_gap(struct page *p);
void page_text(struct page *p, int indent, enum role role, const char *text);
/* The key stands before the text, which hangs at `indent`. */
void page_row(struct page *p, int indent, const char *key, enum role role, const char *text);
/* The same with a format. */
void page_textf(struct page *p, int indent, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void page_rowf(struct page *p, int indent, const char *key, enum role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* A key of another role: a mark, a name. */
void page_mark_row(struct page *p, int indent, enum role key_role, const char *key, enum role role,
    const char *text);

/* Arrows, j k, PgUp PgDn, space, Home End, g G, the wheel. True: the key was used. */
bool page_key(struct page *p, const struct key *key);
/* Of these, the keys that a page below a list takes: PgUp PgDn, space, the wheel. */
bool page_key_below_list(struct page *p, const struct key *key);
/* s: the inside of a frame, whose right border gets the thumb. ground: ROLE_NONE or a dialog's. */
void page_draw(struct page *p, struct surface s, enum role ground, bool focused);
/* Rows it takes at this width. */
size_t page_rows(struct page *p, int width);
/* The row of a byte of its text, as drawn last. */
size_t page_row_of(const struct page *p, size_t at);
void page_to_text(const struct page *p, struct buf *out);

#endif
