#ifndef SCHEMA_REPORT_H
#define SCHEMA_REPORT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Checking a value by a compiled schema, and what there is to say about it. A report borrows the
 * schema and the value.
 */
struct schema;
struct report;

enum schema_outcome {
	SCHEMA_VALID,
	SCHEMA_INVALID,
	SCHEMA_UNDECIDED, /* nothing wrong was found, but not all was checked: report_unchecked() */
};

enum check_mode {
	CHECK_AS_NEEDED,  /* default: quickly, then for the reasons where something is wrong */
	CHECK_COLLECTING, /* for the reasons at once */
	CHECK_FLAG,       /* the outcome alone: one violation counted at most, none kept */
};

struct check_options {
	enum check_mode mode;
	size_t max_violations; /* kept; the rest is counted; 0 means 10 000 */
	size_t max_steps;      /* node visits before giving up; 0 means 50 million */
	const struct job *job; /* the work this is part of: stops with it, undecided; NULL: none */
};

struct report *schema_check(
    const struct schema *schema, const cJSON *instance, const struct check_options *options);
void report_destroy(struct report *report);

enum schema_outcome report_outcome(const struct report *report);
size_t report_steps(const struct report *report); /* keyword checks made */
/* It ended by its bounds, not all of it checked: with more steps there may be more to say. */
bool report_is_cut(const struct report *report);
/* All violations (not warnings), also those not kept. */
size_t report_count(const struct report *report);
size_t report_warnings(const struct report *report);
/* The index range of report_at(), warnings included. */
size_t report_kept(const struct report *report);

/* The reasons for SCHEMA_UNDECIDED: "/items/pattern (too slow)", "too many steps"... An invalid
 * value may have them as well. */
size_t report_unchecked_count(const struct report *report);
const char *report_unchecked(const struct report *report, size_t index);
/* Appends the first of them, and how many more there are. */
void report_add_unchecked(const struct report *report, struct buf *out);

struct violation {
	const cJSON *node;   /* what is wrong; for a missing property the object that lacks it */
	const char *missing; /* the property's name where one is missing, else NULL */
	const char *keyword; /* "type", "required"...; "false" where the schema is just that */
	bool warning;        /* does not decide the outcome (format) */
};

/* The subschemas of a schema, found by their nodes in its tree. */
struct schema_parts *schema_parts_create(const struct schema *schema);
void schema_parts_destroy(struct schema_parts *parts); /* NULL-safe */
/* Checks instance against one of them alone. NULL: no subschema stands at that node. */
struct report *schema_check_part(const struct schema_parts *parts, const cJSON *part,
    const cJSON *instance, const struct check_options *options);

/* In document order of the instance. */
const struct violation *report_at(const struct report *report, size_t index);
#define REPORT_NONE ((size_t)-1)
/* The first violation about exactly this node (missing properties not included), or REPORT_NONE. */
size_t report_find(const struct report *report, const cJSON *node);
/* The violation that says property `name` is missing from object, or REPORT_NONE. */
size_t report_find_missing(const struct report *report, const cJSON *object, const char *name);
/* Violations at node or anywhere below it. */
size_t report_count_below(const struct report *report, const cJSON *node);

/* The item of a lazy array (json/rows.h) that violations are about, which are found by its address
 * and those in it; NULL where there are none. Lives as long as the report. */
const cJSON *report_item(const struct report *report, const cJSON *array, size_t index);

/* The steps from above, a container that violation index is in, down to its node, what is missing
 * there included: at most max of them are stored. Returns how many there are; REPORT_NONE: it is
 * not in above. */
struct report_step {
	const char *key; /* NULL: an item */
	size_t index;    /* among its siblings */
};
size_t report_way(const struct report *report, size_t index, const cJSON *above,
    struct report_step *steps, size_t max);

/* Words for violation `index`, appended to out. Values from the instance are quoted and shortened,
 * but not made safe for a terminal. A path ends where out has no more room. */
/* /users/0/role */
void report_instance_path(const struct report *report, size_t index, struct buf *out);
/* /properties/…; URI#/… where a reference led to another document */
void report_schema_path(const struct report *report, size_t index, struct buf *out);
/* The same by the way it was reached, references passed included: /items/$ref/…. */
void report_keyword_path(const struct report *report, size_t index, struct buf *out);
/* URI#/…; false (nothing is appended) where the schema has no absolute URI. */
bool report_absolute_path(const struct report *report, size_t index, struct buf *out);
void report_expected(const struct report *report, size_t index, struct buf *out); /* an integer */
void report_found(const struct report *report, size_t index, struct buf *out);    /* string "3" */
/* The same for a cell, in few words: expected an integer; missing. At most 60 bytes and a "…". */
void report_cell(const struct report *report, size_t index, struct buf *out);
/* The schema around the keyword, a line for each of its members; they end in '\n', values are
 * shortened. The line of the keyword starts with "▸ ", the others with blanks. */
void report_excerpt(const struct report *report, size_t index, struct buf *out);
/* string "3", expected an integer */
void report_line(const struct report *report, size_t index, struct buf *out);

#endif
