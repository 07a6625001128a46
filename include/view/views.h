#ifndef VIEW_VIEWS_H
#define VIEW_VIEWS_H

#include "view/view.h"

/*
 * One value in every view of VIEWS: each has a state, one is shown. Only the shown one is synced,
 * so raw JSON of a huge value costs nothing unseen.
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
/* Sets another value and its generation. Call views_show() next. */
void views_set_input(struct views *v, struct view_input in);
/* The same value with a new report. */
void views_set_report(struct views *v, const struct report *report);
void views_show(struct views *v, enum view_id view);
/* The same for what the view before it shows, a part of the value or a table made of it. False: it
 * cannot, and the view stays. */
bool views_show_part(struct views *v, enum view_id view);
/* The next one that serves the value. */
enum view_id views_next(const struct views *v);
/* Shows the node in the current view if possible, else in another. False: in none. */
bool views_reveal(struct views *v, const char *pointer);
/* Only in this view, which is shown then. False: it cannot, and the view stays. */
bool views_reveal_in(struct views *v, enum view_id view, const char *pointer);
/* The chart of the value for a file, whatever view is shown: as shapes, or without these as text.
 */
bool views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err);
enum view_id views_best(const struct view_input *in);

#endif
