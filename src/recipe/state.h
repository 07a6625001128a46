/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_STATE_H
#define RECIPE_STATE_H

#include "recipe/run.h"

/* Internals of a run. */

/* ---- evaluate.c: jq expressions with variables ---- */

/* The end of an expression in parentheses: its last line may be a comment, which a backslash
 * continues. */
#define EXPRESSION_END "\n\n)"
/* The expression with a prefix that defines the variables it uses. prefix: its length, to map the
 * place of an error back to text. */
struct recipe_expression {
	const char *text; /* as in the file */
	struct buf whole;
	size_t prefix;
};
/* Make the expression and the input of jq. False: a variable or the value is too large. */
bool expression_make(struct recipe_expression *e, const char *text, const cJSON *current,
    const struct variables *v, struct buf *value, struct err *err);
/* Return false and append the reason if jq failed. */
bool expression_read(
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason);
/* Return whether there are results and all are true. Like in jq, null and false are not true. */
bool results_are_true(const cJSON *results);

/* All expressions of a recipe; they are compiled before its first step. */
struct recipe_checks {
	struct recipe_check {
		const cJSON *node;
		const struct recipe_step *step; /* the top-level step that contains it */
	} * items;
	size_t len, cap;
	size_t from, to;        /* the range that jq is compiling */
	size_t one_by_one;      /* up to this index, because one of these does not compile */
	struct variables names; /* variables they may use, without values */
};
/* Collect the expressions, and add the values of the file and of the environment to those given.
 * False: there is no such environment, or a step refers to an unknown variable. */
bool checks_start(struct recipe_checks *c, const struct recipe_run_options *options,
    struct variables *values, struct err *err);
void checks_finish(struct recipe_checks *c); /* leaves it zeroed */
/* Make one expression that compiles the next ones without running them; false: all are compiled. */
bool checks_next(struct recipe_checks *c, struct recipe_expression *e);
/* ---- evaluate.c: expectations ---- */

/* Check a reply, except for jq and snapshots. Append a line for each failed expectation and return
 * the kind of failure, or RECIPE_NO_FAILURE. */
enum recipe_failure expect_reply(const struct recipe_expect *e, const struct recipe_reply *reply,
    const struct variables *v, struct buf *lines);
/* Check equals, or contains if a part is enough. Return false and append the reason if it fails. */
bool expect_value(const cJSON *expected, const cJSON *found, bool part, const struct variables *v,
    struct buf *lines);
bool expect_snapshot(
    const struct recipe_snapshot *snapshot, const char *value, size_t len, struct buf *lines);

/* ---- recipe_run.c ---- */

#define WORDS_BYTES 120 /* limit of a value in a message */
/* Append a short form of the value. Secrets are hidden before it is cut. */
void step_add_brief(const cJSON *value, size_t max_bytes, struct buf *out);

/* ---- the state ---- */

/* A value and its document. */
struct recipe_value {
	struct json_doc *doc;
	const cJSON *node; /* NULL: none */
};

/* Running steps: those of the file, of a round, or of a group. */
struct run_frame {
	const struct recipe_steps *steps;
	size_t at;
	const struct recipe_step *owner; /* NULL: the file */
	struct recipe_value outside;     /* the current value outside of it */
	struct json_doc *items;          /* of an each: the results of jq */
	const cJSON *item;
	size_t round, rounds;    /* of an each, or the attempts at a group that is retried */
	struct buf collected;    /* of an each that saves: the values of its rounds */
	bool failed, any_failed; /* in this round; in an earlier one */
	bool ends;               /* skip the remaining steps */
	bool again; /* of a retried group: a step failed, and another attempt follows */
	bool until; /* of a retried group: `until` was evaluated */
};

/* Phases of a step. */
enum phase {
	AT_BEGIN,
	AT_WHEN,
	AT_ACTION, /* the call, or the expression of pick and each */
	AT_OF,     /* the jq of expect.of */
	AT_SNAPSHOT,
	AT_CONDITION, /* number `condition` */
	AT_UNTIL,
	AT_END,
	AT_RETRY, /* another attempt begins when its delay is over */
};

struct recipe_run {
	struct recipe_run_options options;
	struct variables variables;
	struct recipe_value current;
	struct {
		struct run_frame *items;
		size_t len, cap;
	} frames;
	struct recipe_want want;
	struct recipe_expression expression;
	struct recipe_checks checks;
	enum phase phase;
	const cJSON *conditions, *condition; /* all, and the current one */
	struct recipe_value checked;         /* the value that expectations are checked against */
	struct buf lines;                    /* why the step failed */
	struct buf detail;
	enum recipe_failure failure; /* of the step */
	bool skipped;
	int64_t took_us;
	size_t attempt; /* at a call that may be retried; else 0 */
	uint64_t call;
	struct json_doc *answer; /* of jq */
	size_t steps;
	struct recipe_counts counts;
	enum recipe_failure first_failure;
	bool is_over;
};

static inline void
value_set(struct recipe_value *v, struct json_doc *doc, const cJSON *node)
{
	struct json_doc *old = v->doc;

	*v = (struct recipe_value){ doc ? json_doc_ref(doc) : NULL, node };
	json_doc_destroy(old);
}

static inline struct run_frame *
top(const struct recipe_run *r)
{
	return &r->frames.items[r->frames.len - 1];
}

#endif
