#ifndef TESTS_RECIPE_STAGE_H
#define TESTS_RECIPE_STAGE_H

#include "recipe/report.h"
#include "recipe/run.h"

/* Runs a recipe against tools that this file plays. NAME of a call: "orders" gives three orders,
 * "echo" its arguments, "invalid" a broken result, "slow" takes two seconds, "found" has findings,
 * "fails" reports an error, "flaky" does so before its third call, "silent" gives no answer, "ends"
 * none and the server ends; others give {"did":NAME}. */
struct recipe_stage {
	struct recipe *recipe;
	struct recipe_problem problem;
	struct recipe_run *run;
	struct recipe_report report;
	struct variables given;
	const char *environment;
	struct buf said;     /* the lines of the steps */
	struct buf calls;    /* "NAME ARGUMENTS\n" */
	struct buf snapshot; /* the file */
	bool update;         /* the snapshot */
	size_t flaky;        /* calls of it */
	int64_t delayed_us;  /* in all */
	size_t most;         /* answers, after which it is stopped; 0: no limit */
	struct err err;
};

/* False: it does not parse, or does not start. */
bool recipe_stage_play(struct recipe_stage *s, const char *text);
void recipe_stage_finish(struct recipe_stage *s);

#endif
