#ifndef PANE_VALIDATION_VALIDATION_H
#define PANE_VALIDATION_VALIDATION_H

#include "client/verdict.h"
#include "pane/pane.h"
#include "ui/page.h"
#include "ui/wrap.h"
#include "view/rows.h"

/* One violation in full: location, actual and expected value, keyword location and the schema
 * around it. */
struct violation_view {
	bool open;
	struct buf text;
	struct {
		struct violation_part {
			size_t start; /* of text */
			enum role role;
		} * items;
		size_t len, cap;
	} parts;
	struct wrap wrap;
	size_t top;
	int height; /* as last drawn */
};

void violation_view_open(struct violation_view *v, const struct report *report, size_t index);
void violation_view_close(struct violation_view *v); /* releases everything; can be opened again */
int violation_view_rows(const struct violation_view *v); /* wanted width without wrapping */
void violation_view_draw(struct violation_view *v, struct surface s, bool focused);
/* The location of a violation or missing member: "/rows/1/id", "(the value)". */
void violation_add_path(const struct report *report, size_t index, struct buf *out);
/* Its location in the schema. */
void violation_add_schema_path(const struct report *report, size_t index, struct buf *out);

struct validation {
	struct rows rows;             /* the kept violations */
	struct violation_view detail; /* of the one selected */
	uint64_t call;
	enum call_state call_state;
	enum verdict_kind verdict;
	struct buf compat;  /* how other hosts treat it, one line each */
	struct buf summary; /* "31 of 10 000 rows fail: ..."; empty: none */
	struct buf in_text; /* would JSON in the text conform? Empty: it does not matter */
	struct job *job;    /* finds that out; NULL: none */
	struct page head;   /* the verdict and its reason */
	struct page foot;   /* how other hosts treat it, below the violations */
	int path_cols;      /* of the rows, as last drawn */
};

/* Of the call that is shown; NULL: none. */
const struct report *validation_report(const struct view_env *env);

/* ---- validation_rows.c ---- */
void validation_draw_row(
    void *state, const struct view_env *env, struct surface s, int y, size_t index);
void validation_draw(void *state, const struct view_env *env, struct surface s);
int validation_want(void *state, const struct view_env *env, int width);

#endif
