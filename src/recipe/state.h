#ifndef RECIPE_STATE_H
#define RECIPE_STATE_H

#include "recipe/run.h"

/* The inside of a run. */

/* ---- jq_input.c: jq with the variables it names ---- */

/* Ends an expression in parentheses: its last line may be a comment, which a backslash continues.
 */
#define EXPRESSION_END "\n\n)"
/* "" prefix if it names none. at, the answer's place of an error, is moved into the expression. */
struct recipe_expression {
	const char *text; /* as in the file */
	struct buf whole;
	size_t prefix;
};
/* Makes the expression and the value that jq gets. False: a variable or the value is too large. */
bool expression_make(struct recipe_expression *e, const char *text, const cJSON *current,
    const struct variables *v, struct buf *value, struct err *err);
/* False: jq failed; appends the reason. */
bool expression_read(
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason);
/* Are there results, and all of them true? As in jq, only null and false are not. */
bool results_are_true(const cJSON *results);

/* All expressions of a recipe, which are compiled before its first step. */
struct recipe_checks {
	struct recipe_check {
		const cJSON *node;
		const struct recipe_step *step; /* of the file itself, which it is in */
	} * items;
	size_t len, cap;
	size_t from, to;        /* those that jq compiles now */
	size_t one_by_one;      /* up to here, because one of these does not compile */
	struct variables names; /* that they may have, without values */
};
void checks_start(
    struct recipe_checks *c, const struct recipe *recipe, const struct variables *values);
void checks_finish(struct recipe_checks *c); /* leaves it zeroed */
/* The next ones, as one expression that computes nothing; false: all are compiled. */
bool checks_next(struct recipe_checks *c, struct recipe_expression *e);
/* False: the first of those under way, c->items[c->from], is wrong; appends why. */
bool checks_read(struct recipe_checks *c, const struct recipe *recipe,
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason);

/* ---- expect.c ---- */

/* What a call's reply has to be, but for jq and snapshots: appends a line for each expectation that
 * failed, and returns why; RECIPE_NO_FAILURE: none did. */
enum recipe_failure expect_reply(const struct recipe_expect *e, const struct recipe_reply *reply,
    const struct variables *v, struct buf *lines);
/* equals and contains. False: appends why. */
bool expect_value(const struct recipe_expect *e, const cJSON *value, const struct variables *v,
    struct buf *lines);
bool expect_snapshot(
    const struct recipe_snapshot *snapshot, const char *value, size_t len, struct buf *lines);

/* ---- start_values.c ---- */

/* Adds the values of the file and of the environment to those given. False: there is no such
 * environment, or a step refers to a variable that nothing sets. */
bool start_variables(
    const struct recipe_run_options *options, struct variables *values, struct err *err);

/* ---- step_record.c ---- */

#define WORDS_BYTES 120 /* of a value */
/* The value in short, without its secrets, which are hidden before it is cut; the latter in place
 * of what is there. */
void step_add_brief(const cJSON *value, size_t max_bytes, struct buf *out);

/* ---- the state ---- */

/* A value and the doc it is in. */
struct recipe_value {
	struct json_doc *doc;
	const cJSON *node; /* NULL: there is none */
};

/* Steps that run: those of the file, of a round, or of a group. */
struct run_frame {
	const struct recipe_steps *steps;
	size_t at;
	const struct recipe_step *owner; /* NULL: the file */
	struct recipe_value outside;     /* the current value around it */
	struct json_doc *items;          /* of an each: what jq gave */
	const cJSON *item;
	size_t round, rounds;    /* of an each, or the attempts at a group that is retried */
	struct buf collected;    /* of an each that saves: what the rounds gave */
	bool failed, any_failed; /* in this round; in an earlier one */
	bool ends;               /* the steps that are left do not run */
	bool again; /* of a retried group: a step failed, and another attempt follows */
	bool until; /* likewise: `until` was looked at */
};

/* How far the step is. */
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
	const cJSON *conditions, *condition; /* all, and the one that is checked */
	struct recipe_value checked;         /* what the expectations of a call are about */
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

/* ---- step_record.c ---- */

/* ---- recipe_run.c ---- */

/* ---- rounds.c ---- */

#endif
