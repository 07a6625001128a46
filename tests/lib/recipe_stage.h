/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RECIPE_STAGE_H
#define TESTS_RECIPE_STAGE_H

#include "recipe/report.h"
#include "recipe/run.h"

/* Runs a recipe against scripted tools. The NAME of a call selects the answer: "orders" gives three
 * orders, "echo" its arguments, "invalid" a broken result, "slow" answers after two seconds,
 * "found" has findings, "fails" reports an error, "flaky" reports an error for its first two calls,
 * "silent" gives no answer, "ends" ends the server without an answer. Other names give
 * {"did":NAME}. */
struct recipe_stage {
	struct recipe *recipe;
	struct recipe_problem problem;
	struct recipe_run *run;
	struct recipe_report report;
	struct variables given;
	const char *environment;
	struct buf said;     /* report lines of the steps */
	struct buf calls;    /* "NAME ARGUMENTS\n" */
	struct buf snapshot; /* the snapshot file */
	bool update;         /* update the snapshot */
	size_t flaky;        /* number of calls of "flaky" */
	int64_t delayed_us;  /* sum of all delays */
	size_t most;         /* stop after this many answers; 0: no limit */
	struct err err;
};

/* Returns false if the recipe does not parse or does not start. */
bool recipe_stage_play(struct recipe_stage *s, const char *text);
void recipe_stage_finish(struct recipe_stage *s);

#endif
