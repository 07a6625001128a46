/* SPDX-License-Identifier: MIT */
#ifndef UI_DROPDOWN_H
#define UI_DROPDOWN_H

#include "ui/list.h"
#include "ui/surface.h"

#include "base/buf.h"

/*
 * A framed list that drops down from a field over the cells there, or rises above
 * the field if there is more room. It has no entries: it asks for the visible ones.
 * The owner reads and sets the members of list.
 */
struct dropdown {
	struct list list;
	int x, y, width,
	    height; /* of the entries at the last drawing, in that surface; all 0: none */
	int aside;  /* the column of the second column */
};

#define DROPDOWN_ROWS 12 /* entries shown at once */

struct dropdown_look {
	int x, y;          /* the field: the first column of its text, its row */
	int rows;          /* from there on that stay in sight: the field and its hint */
	bool unselected;   /* none of the entries is the chosen one */
	const char *title; /* on the frame; NULL: none */
	const char *note;  /* below the entries; NULL: none */
	enum role note_role;
	/* Appends the text of an entry; returns its ink. */
	enum role (*entry)(void *user, size_t index, struct buf *out);
	/* Appends the text of the second column; NULL: there is only one column. */
	void (*aside)(void *user, size_t index, struct buf *out);
	void *user;
};

/* Returns the box. */
struct surface dropdown_draw(
    struct dropdown *d, struct surface s, const struct dropdown_look *look);
/* Arrows, PgUp PgDn, Home, End, the wheel. True: the key was used. */
bool dropdown_key(struct dropdown *d, const struct key *key);
enum dropdown_hit { DROPDOWN_OUTSIDE, DROPDOWN_FRAME_HIT, DROPDOWN_ENTRY };
/* A press of the mouse, in columns and rows of the surface, selects the entry below it. */
enum dropdown_hit dropdown_press(struct dropdown *d, const struct key *key);

#endif
