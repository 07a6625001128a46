#ifndef TESTS_VIEW_H
#define TESTS_VIEW_H

#include "view/render.h"

/* One renderer with a value on a piece of a grid, as a pane would have it. Values and schemas are
 * written with ' for ". */
struct view {
	const struct render_ops *ops;
	void *state;
	struct json_doc *value, *schema;
	struct schema *compiled;
	struct report *report;
	struct render_input in;
	struct jobs *jobs; /* from the next value on; NULL: long work is done at once */
	size_t lazy_bytes; /* json_options of the next value */
	bool unfocused;
	bool printed; /* as in struct render_env */
	struct grid grid;
	struct buf text;
};

/* schema may be NULL: no report then. width and height are those of the inside. */
void view_open(struct view *v, enum renderer_id renderer, const char *value, const char *schema,
    int width, int height);
void view_close(struct view *v);
void view_replace(struct view *v, const char *value); /* another result */
void view_resize(struct view *v, int width, int height);
/* Names of keys, separated by blanks; true: the last was used. */
bool view_keys(struct view *v, const char *names);
bool view_enter(struct view *v); /* opens what is selected */
bool view_mouse(struct view *v, enum mouse_action action, int x, int y);
bool view_command(struct view *v, const char *verb, const char *arg);
bool view_reveal(struct view *v, const char *pointer);
const char *view_selected(struct view *v); /* "POINTER VALUE"; an absent value is "-" */
/* Draws, and fails the test if anything outside is drawn on; the rows inside, from the column of
 * the selection's bar on, trailing blanks cut; empty rows at the end are left out. */
const char *view_text(struct view *v);
int view_want(struct view *v, int width);
const char *view_facts(struct view *v); /* "WHERE | FACTS" */
/* A cell of the last drawing, x and y as in the text (x counts columns). */
const struct cell *view_cell(const struct view *v, int x, int y);

#endif
