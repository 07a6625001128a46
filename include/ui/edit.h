/* SPDX-License-Identifier: MIT */
#ifndef UI_EDIT_H
#define UI_EDIT_H

#include "ui/input.h"
#include "ui/surface.h"

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Text being typed: one line, or many with lines = true. Holds any bytes it is
 * given; keys only ever add well-formed UTF-8 and only ever cut between whole
 * characters with their marks. Undo goes back by bursts of typing.
 */
struct edit_state { /* for undo */
	char *text;
	size_t len, cursor;
};

struct edit {
	struct buf text;
	size_t cursor; /* byte offset, at the start of a character */
	size_t
	    selected;  /* bytes before the cursor that typing replaces; any other key keeps them */
	bool lines;    /* Enter is a newline; up and down move */
	int left, top; /* the column and the line shown first */
	int height;    /* of the last drawing: the rows of a page */
	int goal;      /* the column that up and down aim at, -1 when not moving so */
	struct edit_state *undo;
	size_t undo_len;
	int burst; /* the kind of the last key: a run of one kind is undone together */
};

/* max: bytes that it will hold at most; more is refused as a whole (a paste is cut). */
void edit_init(struct edit *e, bool lines, size_t max);
void edit_finish(struct edit *e);

void edit_set(struct edit *e, const char *text, size_t len); /* cursor to the end, no undo */
const char *edit_text(const struct edit *e);                 /* never NULL; e->text.len bytes */

/* From there to the end: it was only proposed. */
static inline void
edit_select(struct edit *e, size_t from)
{
	e->cursor = e->text.len;
	e->selected = from < e->text.len ? e->text.len - from : 0;
}

/*
 * Characters, paste; Left Right Home End, ctrl-left ctrl-right by word, Up Down with lines;
 * Backspace Delete, ctrl-w alt-backspace (word back), ctrl-delete alt-d (word ahead), ctrl-u
 * (to the start) ctrl-k (to the end of the line), ctrl-a ctrl-e, PgUp PgDn ctrl-Home ctrl-End
 * with lines, ctrl-z (undo). A paste into one
 * line gets blanks for its line ends. Selected text goes when a character is typed or deleted.
 * *changed (may be NULL): the text is another one. False: the key is not for text (Enter of one
 * line, Tab, Escape, Up on the first line...).
 */
bool edit_key(struct edit *e, const struct key *key, bool *changed);
/* A click: the cursor goes to the character at x, y of what edit_draw drew. */
void edit_point(struct edit *e, int x, int y);

/* Fills s with style's ground, draws the text and, if focused, the cursor in ROLE_CURSOR, and
 * scrolls the cursor into view. placeholder (may be NULL) is drawn in ROLE_HINT if the text is
 * empty. */
void edit_draw(
    struct edit *e, struct surface s, struct style style, bool focused, const char *placeholder);

#endif
