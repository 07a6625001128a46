/* SPDX-License-Identifier: MIT */
#ifndef UI_SEEK_H
#define UI_SEEK_H

#include "base/buf.h"
#include "base/text_match.h"
#include "ui/list.h"
#include "ui/page.h"
#include "ui/wrap.h"

#include <stdint.h>

/* How a filter is read, by a pane that knows expressions. */
struct filter_note {
	bool is_expression;
	char trouble[100]; /* why the expression is wrong; "": it is not */
	size_t at, len;    /* in the filter's text, in bytes; len 0: at its end */
};

/*
 * A thing that `/` can search: a text, a page, the rows of a list, a tree. A place in it is a
 * number that rises from its beginning to its end; only its maker knows the unit. Filled in for
 * each use: all of it is borrowed.
 */
enum seek_result { SEEK_FOUND, SEEK_DONE, SEEK_MORE, SEEK_LATER };

struct seekable {
	void *of;           /* NULL: there is nothing to search */
	const void *with;   /* for the functions */
	uint64_t version;   /* changes with the text: places found before are void */
	struct blob *whole; /* all of its text if it may be kept: places are bytes; else NULL */
	/* Searches from *at for a short time. SEEK_FOUND: at *at; SEEK_MORE: call again with *at;
	 * SEEK_LATER: call again when a job is done. */
	enum seek_result (*seek)(const struct seekable *s, const struct substring *n, size_t *at);
	void (*show)(const struct seekable *s, size_t at); /* brings it into sight */
	size_t (*place)(
	    const struct seekable *s); /* of the selection, or of the first visible row */
	/* Its row in the pane, as drawn last; may be out of sight. */
	int (*row)(const struct seekable *s, size_t at);

	/* for seek_list() */
	void (*text)(const struct seekable *s, size_t row, struct buf *out);
	struct list *list;
	/* for seek_show_row() and seek_y_of(): rows of which `height` are shown from *top on; NULL:
	 * a place is a row */
	size_t (*row_of)(const struct seekable *s, size_t at);
	size_t *top;
	int height;
	int y; /* the row of the pane it was drawn at */
};

/* Members of a seekable with rows. */
void seek_show_row(const struct seekable *s, size_t at);
int seek_y_of(const struct seekable *s, size_t at);

/* A wrapped text of which `height` rows from *top on are shown, y rows below the pane's edge. */
struct seekable seek_wrap(struct wrap *w, size_t *top, int height, int y);
struct seekable seek_page(struct page *p);
/* The rows of a list by their texts. */
struct seekable seek_list(struct list *list, int y, void *of, const void *with,
    void (*text)(const struct seekable *s, size_t row, struct buf *out));

/* Highlights the text in a drawn surface, more strongly in row `current`. */
void surface_light(struct surface s, const struct substring *n, int current);

#endif
