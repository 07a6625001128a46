/* SPDX-License-Identifier: MIT */
#ifndef VIEW_VIEWS_H
#define VIEW_VIEWS_H

#include "view/view.h"

/*
 * One value in every view of VIEWS. Each view has a state, but only the one shown is synced, so a
 * huge value is not formatted as JSON before that is shown.
 */
struct views {
	struct view_input in; /* set by views_set_input() */
	struct view all[VIEW_COUNT];
	uint64_t synced[VIEW_COUNT]; /* the input generation each view has seen */
	enum view_id shown;
	struct view *view; /* the one shown */
	bool printed;      /* as in struct view_env; set before views_init() */
};

void views_init(struct views *v);
void views_finish(struct views *v);
/* Set the value and its generation. Call views_show() next. */
void views_set_input(struct views *v, struct view_input in);
void views_set_report(struct views *v, const struct report *report); /* of the same value */
void views_show(struct views *v, enum view_id view);
/* Show in another view the part of the value, or the table made of it, that the current view shows.
 * False if that view cannot show it. */
bool views_show_part(struct views *v, enum view_id view);
/* Return the next view that serves the value. */
enum view_id views_next(const struct views *v);
/* Show the node in the current view if possible, else in another. False: in none. */
bool views_reveal(struct views *v, const char *pointer);
/* Show the node in this view. False if it cannot; then the current view stays. */
bool views_reveal_in(struct views *v, enum view_id view, const char *pointer);
/* Draw the chart of the value for a file, whatever view is shown. shapes NULL: as text. */
bool views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err);
enum view_id views_best(const struct view_input *in);

#endif
