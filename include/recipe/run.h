#ifndef RECIPE_RUN_H
#define RECIPE_RUN_H

#include "json/query.h"
#include "recipe/recipe.h"
#include "recipe/variables.h"

/*
 * A run of a recipe: a state machine without I/O. It says what it wants next, a call, jq, a
 * snapshot or a delay, and goes on when it got that. Whoever drives it (client/recipe_player.h) may let it wait
 * as long as he likes.
 *
 * The current value is what the last call or pick gave; in each round of `each` it starts as the
 * item. jq reads it, or the variable of `from`, and has every variable that it names as $name.
 */
struct recipe_run;

enum recipe_outcome {
	RECIPE_OPENED, /* the rounds of an each, or a group, begin */
	RECIPE_PASSED,
	RECIPE_SKIPPED,
	RECIPE_FAILED,
	RECIPE_RETRIED, /* it failed, and another attempt follows: this counts as nothing */
};

/* Why a step failed. */
enum recipe_failure {
	RECIPE_NO_FAILURE,
	RECIPE_FAILED_EXPECTATION, /* or an assertion */
	RECIPE_ERROR_ANSWER,       /* the server answered with an error */
	RECIPE_NO_ANSWER,
	RECIPE_BROKEN_RESULT, /* it violates its outputSchema */
	RECIPE_WRONG,         /* the recipe itself: jq, a variable, a bound */
};

/* A step that came to its end. Borrowed until the callback returns. */
struct recipe_record {
	const struct recipe_step *step;
	enum recipe_outcome outcome;
	enum recipe_failure failure;
	size_t depth;         /* of steps in steps */
	size_t round, rounds; /* of the innermost each, from 1, or the attempt of a group;
				 0: it is in none. Of an each that opened: how many rounds there
				 will be */
	const char *place;    /* the rounds of all each that it is in, "2.1"; "" */
	const char *title;    /* its name, or what it does */
	const char *detail;   /* the arguments without secrets, or the value, in short; may be "" */
	const char *message;  /* lines: why it failed or was skipped; "" */
	int64_t took_us;      /* of a call; else 0 */
	size_t attempt;       /* of a call that may be retried, from 1; 0: of another step */
	uint64_t call;        /* as the reply says; 0: none */
};

/* Counts of steps that are not an opened one. */
struct recipe_counts {
	size_t passed, failed, skipped;
};

enum recipe_want_kind {
	RECIPE_WANTS_NOTHING, /* it is over, or the next step may not begin */
	RECIPE_WANTS_CALL,
	RECIPE_WANTS_JQ,
	RECIPE_WANTS_SNAPSHOT,
	RECIPE_WANTS_DELAY, /* time has to pass before the next attempt */
};

/* What it waits for; the texts are the run's. */
struct recipe_want {
	enum recipe_want_kind kind;
	enum recipe_kind calls; /* RECIPE_CALL, RECIPE_READ or RECIPE_GET */
	const char *name;       /* of the tool or prompt, or the URI */
	struct buf arguments;   /* JSON */
	const char *expression;
	struct buf value;     /* of jq, to be taken; of a snapshot, without secrets */
	const char *snapshot; /* the file */
	int64_t delay_us;
};

struct recipe_finding {
	const char *id, *text;
	int severity; /* 0 error, 1 warning, 2 note */
};

/* The end of a call. */
struct recipe_reply {
	struct json_doc *result_doc, *data_doc; /* taken; may be NULL */
	const cJSON *result;                    /* all of it; NULL: there is none */
	const cJSON *data; /* structuredContent, or what the text is, or the text as a string */
	const char *error; /* the answer is an error, or there is none; NULL: it is a result */
	enum recipe_failure failure; /* of an error */
	bool is_over;                /* there will be no more answers */
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
	bool written;        /* the value is the snapshot from now on */
	const char *trouble; /* NULL, or why there is none */
};

struct recipe_run_options {
	const struct recipe *recipe; /* borrowed, until the end of the run */
	const char *environment;     /* of the recipe; NULL: none */
	struct variables given;      /* taken: they win over those of the file */
	bool (*may_begin)(void *user); /* the next step, now? NULL: it may */
	void (*on_record)(void *user, const struct recipe_record *record);
	void *user;
};

/* NULL: a variable has no value, or there is no such environment; err says so, before anything is
 * called. Expressions of jq are compiled before the first step begins; it fails if one does not. */
struct recipe_run *recipe_run_create(const struct recipe_run_options *options, struct err *err);
void recipe_run_destroy(struct recipe_run *r);

/* What it wants, until it gets it. The owner may take the buffers. */
struct recipe_want *recipe_run_next(struct recipe_run *r);
void recipe_run_on_reply(struct recipe_run *r, struct recipe_reply *reply);
/* answer is the caller's. */
void recipe_run_on_jq(struct recipe_run *r, const struct query_answer *answer);
void recipe_run_on_snapshot(struct recipe_run *r, const struct recipe_snapshot *snapshot);
void recipe_run_on_delay(struct recipe_run *r);
/* Ends it: the step fails that waits, and the rest is not run. */
void recipe_run_stop(struct recipe_run *r, const char *why);

/* Its name, or what it does, as a record has it: with the values of these variables, or with the
 * references. */
void recipe_step_add_title(
    const struct recipe_step *step, const struct variables *v, struct buf *out);

struct recipe_run_view {
	const struct recipe_step *step; /* that is running; NULL: it is over */
	size_t at; /* of the file's own steps: the one that runs, or whose steps do */
	size_t depth, round, rounds;
	size_t attempt; /* at the step, if it may be retried, from 1; else 0 */
	struct recipe_counts counts;
	enum recipe_failure failure; /* the first one */
	bool is_over;
};
struct recipe_run_view recipe_run_view(const struct recipe_run *r);

#endif
