#ifndef RECIPE_REPORT_H
#define RECIPE_REPORT_H

#include "base/buf.h"
#include "base/map.h"
#include "recipe/run.h"

/*
 * What came of recipes, as text for people and in the formats of test tools. Texts of servers and
 * files are made harmless here: no control character, nothing that ends a line, an element of XML,
 * a cell of Markdown, or is a command to the machine that reads a log.
 */
struct recipe_case {
	enum recipe_outcome outcome;
	enum recipe_failure failure;
	size_t depth, round, rounds; /* as in struct recipe_record */
	/* The title and the rounds it is in, on one line, different from that of each other case of
	 * the suite. It stays the same from run to run, so a CI can follow the case. */
	const char *name;
	char *title, *detail, *message;
	int64_t took_us;
	size_t attempt;
	uint64_t call;
};

/* A case for the formats of machines: another step is only told to people, and as JSON. */
static inline bool
recipe_outcome_counts(enum recipe_outcome outcome)
{
	return outcome != RECIPE_OPENED && outcome != RECIPE_RETRIED;
}

struct recipe_suite {
	const char *name; /* different from that of each other suite */
	char *file;
	char *trouble;           /* why nothing ran; NULL */
	int64_t started_wall_us; /* 0: unknown */
	struct {
		struct recipe_case *items;
		size_t len, cap;
	} cases;
	size_t left_out; /* cases that are not kept: long runs keep the first ones, and failures */
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
/* To the last suite. */
void report_add_case(struct recipe_report *r, const struct recipe_record *record);
void report_set_trouble(struct recipe_report *r, const char *why);
void recipe_report_finish(struct recipe_report *r);

enum recipe_format { RECIPE_TEXT, RECIPE_JSON, RECIPE_JUNIT, RECIPE_TAP, RECIPE_GITHUB };
/* All of it; of text only the last line, because recipe_add_line() said the rest. */
void recipe_report_add(const struct recipe_report *r, enum recipe_format format, struct buf *out);
/* One step as text, as soon as it is done. */
void recipe_add_line(const struct recipe_record *record, struct buf *out);
extern const char *const recipe_failure_names[]; /* "expectation" */

#endif
