/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_RUN_H
#define RECIPE_RUN_H

#include "json/query.h"
#include "recipe/recipe.h"
#include "recipe/variables.h"

/*
 * A run of a recipe: a state machine without I/O. It requests a call, jq, a snapshot or a delay,
 * and continues with the result. The driver (client/recipe_player.h) may take any time.
 *
 * The current value is the result of the last call or pick; a round of `each` starts with the item.
 * It is the input of jq unless there is `from`, and each variable is available as $name.
 */
struct recipe_run;

enum recipe_outcome {
	RECIPE_OPENED, /* an each or a group begins */
	RECIPE_PASSED,
	RECIPE_SKIPPED,
	RECIPE_FAILED,
	RECIPE_RETRIED, /* it failed and is retried; not counted */
};

/* Why a step failed. */
enum recipe_failure {
	RECIPE_NO_FAILURE,
	RECIPE_FAILED_EXPECTATION, /* an expectation or an assertion */
	RECIPE_ERROR_ANSWER,       /* the server answered with an error */
	RECIPE_NO_ANSWER,
	RECIPE_BROKEN_RESULT, /* it violates its outputSchema */
	RECIPE_WRONG,         /* an error in the recipe: jq, a variable, a limit */
};

/* A completed step. Borrowed until the callback returns. */
struct recipe_record {
	const struct recipe_step *step;
	enum recipe_outcome outcome;
	enum recipe_failure failure;
	size_t depth;         /* of steps in steps */
	size_t round, rounds; /* of the innermost each, from 1, or the attempt of a group; 0: none.
				 For an each that opens: the number of its rounds */
	const char *place;    /* the rounds of all enclosing each, "2.1"; "": none */
	const char *title;    /* its name, or its action */
	const char *detail;  /* the arguments without secrets, or the value, shortened; may be "" */
	const char *message; /* the reasons of a failure or skip, a line each; "" */
	int64_t took_us;     /* of a call; else 0 */
	size_t attempt;      /* of a call that may be retried, from 1; 0: of another step */
	uint64_t call;       /* id of the call; 0: none */
};

/* Counts of steps, without RECIPE_OPENED and RECIPE_RETRIED. */
struct recipe_counts {
	size_t passed, failed, skipped;
};

enum recipe_want_kind {
	RECIPE_WANTS_NOTHING, /* the run has ended, or the next step may not begin */
	RECIPE_WANTS_CALL,
	RECIPE_WANTS_JQ,
	RECIPE_WANTS_SNAPSHOT,
	RECIPE_WANTS_DELAY, /* before the next attempt */
};

/* The pending request; the run owns the texts. */
struct recipe_want {
	enum recipe_want_kind kind;
	enum recipe_kind calls; /* RECIPE_CALL, RECIPE_READ or RECIPE_GET */
	const char *name;       /* of the tool or prompt, or the URI */
	struct buf arguments;   /* JSON */
	const char *expression;
	struct buf value; /* input of jq, to be taken; or value of a snapshot, without secrets */
	const char *snapshot; /* the file */
	int64_t delay_us;
};

struct recipe_finding {
	const char *id, *text;
	int severity; /* 0 error, 1 warning, 2 note */
};

/* The outcome of a call. */
struct recipe_reply {
	struct json_doc *result_doc, *data_doc; /* taken; may be NULL */
	const cJSON *result;                    /* the whole result; NULL: none */
	const cJSON
	    *data; /* structuredContent, or the text parsed as JSON, or the text as a string */
	const char *error; /* an error, or the lack of an answer; NULL: there is a result */
	enum recipe_failure failure; /* of an error */
	bool is_over;                /* no more answers will come */
	const char *verdict;         /* its name */
	const char *violations;      /* in words; may be NULL */
	const struct recipe_finding *findings;
	size_t finding_count;
	int64_t took_us;
	uint64_t call;
};

struct recipe_snapshot {
	const char *text; /* of the file */
	size_t len;
	bool written;        /* the value was written as the new snapshot */
	const char *trouble; /* the error; NULL: none */
};

struct recipe_run_options {
	const struct recipe *recipe;   /* borrowed, until the end of the run */
	const char *environment;       /* of the recipe; NULL: none */
	struct variables given;        /* taken; they override those of the file */
	bool (*may_begin)(void *user); /* whether the next step may begin now; NULL: always */
	void (*on_record)(void *user, const struct recipe_record *record);
	void *user;
};

/* Create a run. NULL with err: a variable has no value, or there is no such environment. jq
 * expressions are compiled before the first step; the run fails if one is invalid. */
struct recipe_run *recipe_run_create(const struct recipe_run_options *options, struct err *err);
void recipe_run_destroy(struct recipe_run *r);

/* Return the pending request. The owner may take the buffers. */
struct recipe_want *recipe_run_next(struct recipe_run *r);
void recipe_run_on_reply(struct recipe_run *r, struct recipe_reply *reply);
/* The caller owns answer. */
void recipe_run_on_jq(struct recipe_run *r, const struct query_answer *answer);
void recipe_run_on_snapshot(struct recipe_run *r, const struct recipe_snapshot *snapshot);
void recipe_run_on_delay(struct recipe_run *r);
/* Stop the run: fail the pending step and skip the rest. */
void recipe_run_stop(struct recipe_run *r, const char *why);

/* Append the title of a step as in a record, with the values of these variables, or with
 * references. */
void recipe_step_add_title(
    const struct recipe_step *step, const struct variables *v, struct buf *out);

struct recipe_run_view {
	const struct recipe_step *step; /* the running step; NULL: the run has ended */
	size_t at;                      /* index of the running top-level step */
	size_t depth, round, rounds;
	size_t attempt; /* attempt at the step, from 1; 0: it is not retried */
	struct recipe_counts counts;
	enum recipe_failure failure; /* the first one */
	bool is_over;
};
struct recipe_run_view recipe_run_view(const struct recipe_run *r);

#endif
