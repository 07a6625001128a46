#ifndef SCHEMA_SUMMARY_H
#define SCHEMA_SUMMARY_H

#include "schema/schema.h"

/*
 * What is wrong with the rows of a list, in a line: "31 of 10 000 rows fail: id is text (12), role
 * missing (11)…". Violations of different values by one rule are one group. Warnings do not count.
 */
struct summary_group {
	const char *text; /* "id is text", "address.city missing", "tags[] not at most 3" */
	size_t rows;      /* that have it */
	size_t first;     /* a violation of the first of them, for report_at() */
};

#define SUMMARY_MAX_GROUPS 256

struct summary {
	const cJSON *list; /* in the instance */
	size_t rows, failed;
	bool partial; /* the report does not keep every violation: failed and groups may be more */
	size_t rest;  /* violations of groups that are too many to be kept */
	struct {
		struct summary_group *items;
		size_t len, cap;
	} groups; /* most rows first */
	struct pool *pool;
};

/* Sums up the list with the most failing rows. False: no list has as many as two; nothing is to be
 * finished then. Borrows the report. */
bool summary_init(struct summary *summary, const struct report *report);
/* The same of this array. False: no row of it fails. */
bool summary_init_list(struct summary *summary, const struct report *report, const cJSON *list);
void summary_finish(struct summary *summary);

/* Appends the line with at most so many groups. Not made safe for a terminal. */
void summary_line(const struct summary *summary, size_t max_groups, struct buf *out);

#endif
