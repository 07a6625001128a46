#ifndef PANE_OFFER_WORDS_H
#define PANE_OFFER_WORDS_H

#include "pane/pane.h"

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
