#ifndef TESTS_VIEWER_H
#define TESTS_VIEWER_H

#include "view/view.h"

/* One view with a value on a piece of a grid, as a pane would have it. Values and schemas are
 * written with ' for ". */
struct viewer {
	const struct view_ops *ops;
	void *state;
	struct json_doc *value, *schema;
	struct schema *compiled;
	struct report *report;
	struct view_input in;
	struct jobs *jobs; /* from the next value on; NULL: long work is done at once */
	size_t lazy_bytes; /* json_options of the next value */
	bool unfocused;
	bool printed; /* as in struct view_env */
	struct grid grid;
	struct buf text;
};

/* schema may be NULL: no report then. width and height are those of the inside. */
void viewer_open(struct viewer *v, enum view_id id, const char *value, const char *schema,
    int width, int height);
void viewer_close(struct viewer *v);
void viewer_replace(struct viewer *v, const char *value); /* another result */
void viewer_resize(struct viewer *v, int width, int height);
/* Names of keys, separated by blanks; true: the last was used. */
bool viewer_keys(struct viewer *v, const char *names);
bool viewer_enter(struct viewer *v); /* opens what is selected */
bool viewer_mouse(struct viewer *v, enum mouse_action action, int x, int y);
bool viewer_command(struct viewer *v, const char *verb, const char *arg);
bool viewer_reveal(struct viewer *v, const char *pointer);
const char *viewer_selected(struct viewer *v); /* "POINTER VALUE"; an absent value is "-" */
/* Draws, and fails the test if anything outside is drawn on; the rows inside, from the column of
 * the selection's bar on, trailing blanks cut; empty rows at the end are left out. */
const char *viewer_text(struct viewer *v);
int viewer_want(struct viewer *v, int width);
const char *viewer_facts(struct viewer *v); /* "WHERE | FACTS" */
/* A cell of the last drawing, x and y as in the text (x counts columns). */
const struct cell *viewer_cell(const struct viewer *v, int x, int y);

#endif
