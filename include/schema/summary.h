#ifndef SCHEMA_SUMMARY_H
#define SCHEMA_SUMMARY_H

#include "schema/schema.h"

/*
 * Summarizes the failing rows of an array in one line: "31 of 10 000 rows fail: id is text
 * (12), role missing (11)…". Violations of the same rule form one group, even if the values differ.
 * Warnings do not count.
 */
struct summary_group {
	const char *text; /* "id is text", "address.city missing", "tags[] not at most 3" */
	size_t rows;      /* rows with this violation */
	size_t first;     /* a violation in the first such row, for report_at() */
};

#define SUMMARY_MAX_GROUPS 256

struct summary {
	const cJSON *list; /* in the instance */
	size_t rows, failed;
	bool partial; /* the report does not keep every violation, so failed and groups may be too
			 low */
	size_t rest;  /* violations in groups beyond the limit */
	struct {
		struct summary_group *items;
		size_t len, cap;
	} groups; /* sorted by rows, descending */
	struct pool *pool;
};

/* Summarizes the array with the most failing rows. Returns false, with nothing to finish, if no
 * array has at least two failing rows. Borrows the report. */
bool summary_init(struct summary *summary, const struct report *report);
/* The same for the given array. Returns false if no row fails. */
bool summary_init_list(struct summary *summary, const struct report *report, const cJSON *list);
void summary_finish(struct summary *summary);

/* Appends the line with at most max_groups groups. Not escaped for a terminal. */
void summary_line(const struct summary *summary, size_t max_groups, struct buf *out);

#endif
