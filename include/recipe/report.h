/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_REPORT_H
#define RECIPE_REPORT_H

#include "base/buf.h"
#include "base/map.h"
#include "recipe/run.h"

/*
 * Results of recipes, as text and in the formats of test tools. Texts of servers and files are
 * escaped: no control characters, line ends, XML or Markdown markup, or commands to a program that
 * reads logs.
 */
struct recipe_case {
	enum recipe_outcome outcome;
	enum recipe_failure failure;
	size_t depth, round, rounds; /* as in struct recipe_record */
	/* The title and the rounds, on one line, unique in the suite and the same in each run, so
	 * that a CI server can follow the case. */
	const char *name;
	char *title, *detail, *message;
	int64_t took_us;
	size_t attempt;
	uint64_t call;
};

/* Whether an outcome is a test case; others are only in the text and in JSON. */
static inline bool
recipe_outcome_counts(enum recipe_outcome outcome)
{
	return outcome != RECIPE_OPENED && outcome != RECIPE_RETRIED;
}

struct recipe_suite {
	const char *name; /* unique in the report */
	char *file;
	char *trouble;           /* why nothing ran; NULL */
	int64_t started_wall_us; /* 0: unknown */
	struct {
		struct recipe_case *items;
		size_t len, cap;
	} cases;
	size_t left_out; /* number of cases that were dropped: long runs keep the first ones, and
			    failures */
	struct recipe_counts counts;
	int64_t took_us;
	struct map names; /* of the cases */
};

struct recipe_report {
	struct {
		struct recipe_suite *items;
		size_t len, cap;
	} suites;
	struct map names; /* of the suites */
};

void report_add_suite(struct recipe_report *r, const char *name, const char *file);
/* Add a case to the last suite. */
void report_add_case(struct recipe_report *r, const struct recipe_record *record);
void report_set_trouble(struct recipe_report *r, const char *why);
void recipe_report_finish(struct recipe_report *r);

enum recipe_format { RECIPE_TEXT, RECIPE_JSON, RECIPE_JUNIT, RECIPE_TAP, RECIPE_GITHUB };
/* Append the report; as text only the last line, because recipe_add_line() has written the others.
 */
void recipe_report_add(const struct recipe_report *r, enum recipe_format format, struct buf *out);
/* Append one completed step as text. */
void recipe_add_line(const struct recipe_record *record, struct buf *out);
extern const char *const recipe_failure_names[]; /* "expectation" */

#endif
