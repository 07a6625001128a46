#ifndef PANE_VALIDATION_PRIV_H
#define PANE_VALIDATION_PRIV_H

#include "pane/pane.h"
#include "ui/list.h"
#include "ui/page.h"
#include "violation.h"

struct validation {
	struct list list;             /* over the violations kept */
	struct violation_view detail; /* of the one selected */
	uint64_t call;
	enum call_state call_state;
	enum verdict_kind verdict;
	struct buf hosts;   /* what others make of it, a line each */
	struct buf summary; /* "31 of 10 000 rows fail: ..."; empty: none */
	struct page head;   /* the verdict and its reason */
	struct page foot;   /* what others make of it, below the violations */
	int list_y;         /* where the list was drawn */
};

/* Of the call that is shown; NULL: none. */
const struct report *validation_report(const struct pane_env *env);

/* ---- validation_draw.c ---- */
void validation_draw(void *state, const struct pane_env *env, struct surface s);
int validation_want(void *state, const struct pane_env *env, int width);

#endif
