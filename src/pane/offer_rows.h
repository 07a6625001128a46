#ifndef PANE_OFFER_ROWS_H
#define PANE_OFFER_ROWS_H

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

#endif
