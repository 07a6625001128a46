/* SPDX-License-Identifier: MIT */
#ifndef TESTS_VIEWER_H
#define TESTS_VIEWER_H

#include "view/view.h"

/* One view with a value on part of a grid, as in a pane. Values and schemas are written with ' for
 * ". */
struct viewer {
	const struct view_ops *ops;
	void *state;
	struct json_doc *value, *schema;
	struct schema *compiled;
	struct report *report;
	struct view_input in;
	struct jobs *jobs; /* used from the next value on; NULL: long work runs synchronously */
	size_t lazy_bytes; /* json_options for the next value */
	bool unfocused;
	bool printed; /* see struct view_env */
	struct grid grid;
	struct buf text;
};

/* schema may be NULL for a view without a report. width and height are the size of the view. */
void viewer_open(struct viewer *v, enum view_id id, const char *value, const char *schema,
    int width, int height);
void viewer_close(struct viewer *v);
void viewer_replace(struct viewer *v, const char *value); /* with another result */
void viewer_resize(struct viewer *v, int width, int height);
/* Key names separated by blanks. Returns whether the last key was used. */
bool viewer_keys(struct viewer *v, const char *names);
bool viewer_enter(struct viewer *v); /* activates the selected item */
bool viewer_mouse(struct viewer *v, enum mouse_action action, int x, int y);
bool viewer_command(struct viewer *v, const char *verb, const char *arg);
bool viewer_reveal(struct viewer *v, const char *pointer);
const char *viewer_selected(struct viewer *v); /* "POINTER VALUE"; an absent value is "-" */
/* Draw the view and return its rows, starting at the selection bar, without trailing blanks and
 * trailing empty rows. Fails the test if it draws outside its rectangle. */
const char *viewer_text(struct viewer *v);
int viewer_want(struct viewer *v, int width);
const char *viewer_facts(struct viewer *v); /* "WHERE | FACTS" */
/* Return a cell of the last frame; x (in columns) and y are relative to the text. */
const struct cell *viewer_cell(const struct viewer *v, int x, int y);

#endif
