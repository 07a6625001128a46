#ifndef PANE_FILTER_LINE_PRIV_H
#define PANE_FILTER_LINE_PRIV_H

#include "ui/edit.h"

/* The "/" line of a pane: what is typed filters at once; Enter keeps it, Esc empties it. */
struct filter_line {
	struct edit edit;
	bool open; /* it owns the keyboard */
};

void filter_line_init(struct filter_line *f);
void filter_line_finish(struct filter_line *f);
const char *filter_line_text(const struct filter_line *f);
void filter_line_set(struct filter_line *f, const char *text);
/* On the first row of s; hint is shown while it is empty and closed. */
void filter_line_draw(struct filter_line *f, struct surface s, const char *hint);

enum filter_key {
	FILTER_UNUSED,  /* not a key for it */
	FILTER_USED,    /* the text is the same */
	FILTER_CHANGED, /* filter anew */
};
enum filter_key filter_line_key(struct filter_line *f, const struct key *key);

#endif
