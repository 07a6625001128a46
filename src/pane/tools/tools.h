/* SPDX-License-Identifier: MIT */
#ifndef PANE_TOOLS_TOOLS_H
#define PANE_TOOLS_TOOLS_H

#include "pane/pane.h"

/* Return how well a non-empty filter matches; 0: not at all. The name ranks before the title, the
 * title before the description. */
unsigned primitive_rank(const struct primitive *p, const char *filter);

/* The texts for each kind of primitive. */
struct primitive_words {
	const char *tab;       /* "Tools": the list it is in */
	const char *brief;     /* the short form */
	const char *button;    /* " Call F5 " */
	const char *no_fields; /* without arguments */
	const char *idle;      /* before the first call */
	const char *none;      /* the list is empty; NULL: it is not shown alone */
	const char *title;     /* of the content pane */
	const char *member;    /* the result member that the pane shows */
	const char *empty;     /* an empty member */
	const char *absent;    /* an absent member */
};

extern const struct primitive_words primitive_words[PRIMITIVE_KINDS];
const struct primitive_words *primitive_words_of(const struct view_env *env); /* of the selection */

/* Append the facts next to the name: "demo://welcome · text/markdown · 97 B". */
void primitive_facts(const struct primitive *p, bool listed, struct buf *out);

/* Write the reason for an empty list of a ready server, and a next step. */
struct page;
void primitive_write_empty(struct page *page, const struct view_env *env, enum primitive_kind tab);

#endif
