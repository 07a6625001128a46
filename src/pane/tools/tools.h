#ifndef PANE_TOOLS_TOOLS_H
#define PANE_TOOLS_TOOLS_H

#include "pane/pane.h"

/* Rows of the list of offers. */
struct offer_row {
	const struct offer *offer;
	bool selected;
	enum definition_state {
		DEFINITION_UNKNOWN,
		DEFINITION_FINE,
		DEFINITION_ODD,
		DEFINITION_WRONG
	} definition;
};

bool offer_passes(const struct offer *o, const char *filter);
void offer_row_draw(
    const struct pane_env *env, const struct offer_row *row, struct surface s, int y);

/* "Tools 9  Resources 3  Prompts 2" on one row, shorter where it does not fit. So many of the shown
 * kind pass the filter. */
void offer_tabs_draw(const struct pane_env *env, size_t passing, struct surface s);
/* The tab at a column of it; OFFER_KINDS: none. */
enum offer_kind offer_tab_at(const struct pane_env *env, size_t passing, int width, int x);
/* The one `step` from the shown one, round and round. */
enum offer_kind offer_tab_next(enum offer_kind tab, int step);

/* What panes say of each kind of offer. */
struct offer_words {
	const char *tab;       /* "Tools": the list it is in */
	const char *brief;     /* the same where there is no room */
	const char *button;    /* " Call F5 " */
	const char *no_fields; /* where there is nothing to fill in */
	const char *idle;      /* before the first time */
	const char *title;     /* of the content pane */
	const char *member;    /* of the result, which that pane shows */
	const char *empty;     /* of it */
	const char *absent;    /* of it */
};

const struct offer_words *offer_words(enum offer_kind kind);
const struct offer_words *offer_words_of(const struct pane_env *env); /* of what is selected */

/* "demo://welcome · text/markdown · 97 B": what there is to say of one beside its name. */
void offer_facts(const struct offer *o, bool listed, struct buf *out);

/* Why the list under a tab of a server that is ready is empty, and what can be done. */
struct page;
void offer_write_empty(struct page *page, const struct pane_env *env, enum offer_kind tab);
/* The same in the list, whatever the server's state; in few words where the form beside it says it
 * all. */
void offer_draw_empty(const struct pane_env *env, enum offer_kind tab, struct surface s);

#endif
