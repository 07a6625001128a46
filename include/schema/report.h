/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_REPORT_H
#define SCHEMA_REPORT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Validates a value against a compiled schema and explains the result. A report borrows the
 * schema and the value.
 */
struct schema;
struct report;

enum schema_outcome {
	SCHEMA_VALID,
	SCHEMA_INVALID,
	SCHEMA_UNDECIDED, /* no violation was found, but not everything was checked: see
			     report_facts */
};

enum check_mode {
	CHECK_AS_NEEDED,  /* default: a fast pass, and a second pass for the reasons if it fails */
	CHECK_COLLECTING, /* collects the reasons in the first pass */
	CHECK_FLAG,       /* only the outcome: counts at most one violation and keeps none */
};

struct check_options {
	enum check_mode mode;
	size_t max_violations; /* violations kept, the rest is only counted; 0 means 10 000 */
	size_t max_steps;      /* limit of node visits; 0 means 50 million */
	const struct job *job; /* cancels the check, which is then undecided; may be NULL */
};

struct report *schema_check(
    const struct schema *schema, const cJSON *instance, const struct check_options *options);
void report_destroy(struct report *report);
/* The outcome alone, which CHECK_FLAG would come to, without a report; options->mode is ignored. */
enum schema_outcome schema_outcome(
    const struct schema *schema, const cJSON *instance, const struct check_options *options);

struct report_facts {
	enum schema_outcome outcome;
	bool is_cut;  /* it hit its limits before the end; more steps may find more violations */
	size_t steps; /* keyword checks made */
	size_t violations, warnings; /* kept or not */
	size_t kept;                 /* records for report_at(), warnings included */
	/* The reasons for SCHEMA_UNDECIDED: "/items/pattern (too slow)", "too many steps"... An
	 * invalid value may have them too. */
	const char *const *unchecked;
	size_t unchecked_count;
};
const struct report_facts *report_facts(const struct report *report);
/* Appends the first reasons and the number of the others. */
void report_add_unchecked(const struct report *report, struct buf *out);

struct violation {
	const cJSON *node; /* the invalid value; for a missing property, the object that lacks it */
	const char *missing; /* the name of a missing property, else NULL */
	const char *keyword; /* "type", "required"...; "false" if the schema is false */
	bool warning;        /* does not affect the outcome (format) */
};

/* The subschemas of a schema, found by their nodes in its tree. */
struct schema_parts *schema_parts_create(const struct schema *schema);
void schema_parts_destroy(struct schema_parts *parts); /* NULL-safe */
/* Validates instance against one subschema alone. NULL if the node is not a subschema. */
struct report *schema_check_part(const struct schema_parts *parts, const cJSON *part,
    const cJSON *instance, const struct check_options *options);

/* Violations are in document order of the instance. */
const struct violation *report_at(const struct report *report, size_t index);
#define REPORT_NONE ((size_t)-1)
/* The first violation at exactly this node (without missing properties), or REPORT_NONE. */
size_t report_find(const struct report *report, const cJSON *node);
/* The violation for the missing property `name` of object, or REPORT_NONE. */
size_t report_find_missing(const struct report *report, const cJSON *object, const char *name);
/* Violations at node and below it. */
size_t report_count_below(const struct report *report, const cJSON *node);

/* The item of a lazy array (json/rows.h) that has violations. They are found by its address and
 * the addresses of its descendants. NULL if the item has none. Lives as long as the report. */
const cJSON *report_item(const struct report *report, const cJSON *array, size_t index);

/* The steps from the container above down to the node of violation index, including a missing
 * property. Stores at most max of them and returns how many there are; REPORT_NONE if above does
 * not contain the node. */
struct report_step {
	const char *key; /* NULL for an item */
	size_t index;    /* among its siblings */
};
size_t report_way(const struct report *report, size_t index, const cJSON *above,
    struct report_step *steps, size_t max);

/* Texts for violation `index`, appended to out. Values from the instance are quoted and
 * shortened, but not escaped for a terminal. A path is cut if out is full. */
/* /users/0/role */
void report_instance_path(const struct report *report, size_t index, struct buf *out);
/* /properties/…; URI#/… if a reference led to another document */
void report_schema_path(const struct report *report, size_t index, struct buf *out);
/* The same path along the references that were followed: /items/$ref/…. */
void report_keyword_path(const struct report *report, size_t index, struct buf *out);
/* URI#/…; returns false and appends nothing if the schema has no absolute URI. */
bool report_absolute_path(const struct report *report, size_t index, struct buf *out);
void report_expected(const struct report *report, size_t index, struct buf *out); /* an integer */
void report_found(const struct report *report, size_t index, struct buf *out);    /* string "3" */
/* A shorter text for a table cell: expected an integer; missing. At most 60 bytes and a "…". */
void report_cell(const struct report *report, size_t index, struct buf *out);
/* The schema around the keyword, one line for each member, ending in '\n', with shortened
 * values. The keyword's line starts with "▸ ", the others with spaces. */
void report_excerpt(const struct report *report, size_t index, struct buf *out);
/* string "3", expected an integer */
void report_line(const struct report *report, size_t index, struct buf *out);

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
