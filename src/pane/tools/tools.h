/* SPDX-License-Identifier: MIT */
#ifndef PANE_TOOLS_TOOLS_H
#define PANE_TOOLS_TOOLS_H

#include "pane/pane.h"

enum { PRIMITIVE_MARKS = 5 }; /* columns at the right of a row */

/* Rows of the list of primitives. */
struct primitive_row {
	const struct primitive *primitive;
	bool selected;
	const char *filter; /* "": none */
	int beside;         /* the column of titles and descriptions of tools */
	enum definition_state {
		DEFINITION_UNKNOWN,
		DEFINITION_FINE,
		DEFINITION_ODD,
		DEFINITION_WRONG
	} definition;
	/* whether the definition changed since the last call */
	enum definition_drift { DRIFT_NONE, DRIFT_CHANGED, DRIFT_BREAKS } drift;
};

/* Return how well a non-empty filter matches; 0: not at all. The name ranks before the title, the
 * title before the description. */
unsigned primitive_rank(const struct primitive *p, const char *filter);
/* Return the columns of its name and marks. */
int primitive_row_columns(const struct primitive *p);
void primitive_row_draw(
    const struct view_env *env, const struct primitive_row *row, struct surface s, int y);

/* Draw "Tools 9  Resources 3  Prompts 2" on one row, shortened to fit. `passing` entries of the
 * shown tab pass the filter. */
void primitive_tabs_draw(const struct view_env *env, size_t passing, struct surface s);
/* The tab at a column; PRIMITIVE_KINDS: none. */
enum primitive_kind primitive_tab_at(const struct view_env *env, size_t passing, int width, int x);
/* The kind `step` after the shown one, wrapping around. */
enum primitive_kind primitive_tab_next(enum primitive_kind tab, int step);

/* The texts for each kind of primitive. */
struct primitive_words {
	const char *tab;       /* "Tools": the list it is in */
	const char *brief;     /* the short form */
	const char *button;    /* " Call F5 " */
	const char *no_fields; /* without arguments */
	const char *idle;      /* before the first call */
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
/* The same in the list, in any server state; one line if the form is next to it. */
void primitive_draw_empty(const struct view_env *env, enum primitive_kind tab, struct surface s);

#endif
