#ifndef VIEW_VIEWS_H
#define VIEW_VIEWS_H

#include "view/view.h"

/*
 * One value in every view: each has a state, one is shown. Only the shown one is synced, so raw
 * JSON of a huge value costs nothing unseen. Functions whose view has no such callback do
 * nothing and return false, 0 or NULL.
 */
struct views {
	struct view_input in; /* set by views_set_input() */
	void *states[VIEW_COUNT];
	uint64_t synced[VIEW_COUNT]; /* the input generation each view has seen */
	enum view_id shown;
	bool printed;               /* as in struct view_env; set before views_init() */
	const struct view_ops *ops; /* of the one shown */
	void *state;
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

/* Of the one shown, as in render.h. */
void views_draw(struct views *v, bool focused, struct surface s);
bool views_key(struct views *v, bool focused, const struct key *key);
enum { VIEWS_ALL_ROWS = 1000 }; /* of a view that takes all the rows it gets */
int views_want(struct views *v, int width);
void views_heading(struct views *v, struct buf *where, struct buf *facts);
bool views_seek(struct views *v, struct seekable *out);
const char *views_filtered(const struct views *v);
const cJSON *views_selected(struct views *v, struct buf *pointer);
/* The selected node for the clipboard: a string as it is, all else as JSON; without a selection
 * the whole value. part: "", or "row" or "column" of a table. False: there is none. */
bool views_copy(struct views *v, const char *part, struct buf *out);

/* The chart of the value for a file, whatever view is shown: as shapes, or without these as text.
 */
bool views_picture(struct views *v, struct drawing *shapes, struct buf *text, struct err *err);

bool views_run(struct views *v, const char *name, const char *arg, struct buf *why);

enum view_id views_best(const struct view_input *in);
/* Runs the action of this name; false: refused, or only another view has it; the reason is appended
 * to why. */
bool view_run(const struct view_ops *ops, void *state, const struct view_env *env, const char *name,
    const char *arg, struct buf *why);

#endif
