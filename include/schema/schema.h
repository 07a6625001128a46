#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * JSON Schema: compile once, check many values, get every violation located on
 * the node it is about. Nothing is ever fetched: a reference that leads out of
 * the schema is a problem that is said. A keyword or dialect this checker does
 * not know makes the outcome undecided, never valid.
 *
 * A compiled schema and a report borrow the trees they were made from; a report also its schema.
 * Checking does not change the schema: several threads may check by the same one at once.
 */
struct schema;
struct report;

enum schema_draft {
	SCHEMA_DRAFT_UNKNOWN,
	SCHEMA_DRAFT_04,
	SCHEMA_DRAFT_06,
	SCHEMA_DRAFT_07,
	SCHEMA_DRAFT_2019_09,
	SCHEMA_DRAFT_2020_12, /* where $schema is absent (MCP, SEP-1613) */
};
const char *schema_draft_name(enum schema_draft draft); /* "2020-12", "draft-07" */

enum schema_format_mode {
	SCHEMA_FORMAT_WARNS, /* default: a violation with `warning` set, the outcome stays valid */
	SCHEMA_FORMAT_IGNORED,
	SCHEMA_FORMAT_ASSERTS,
};

struct schema_options {
	enum schema_draft draft; /* where $schema is absent; UNKNOWN means 2020-12 */
	enum schema_format_mode format;
};

/* Why a schema cannot be used. */
struct schema_problem {
	char pointer[256]; /* where, in the schema */
	char text[256];    /* "unknown dialect http://…", "$ref #/x leads nowhere" */
};

/* options and problem may be NULL. NULL: the schema is broken or of an unknown dialect. */
struct schema *schema_compile(
    const cJSON *root, const struct schema_options *options, struct schema_problem *problem);
void schema_destroy(struct schema *schema);
enum schema_draft schema_draft(const struct schema *schema);

enum schema_outcome {
	SCHEMA_VALID,
	SCHEMA_INVALID,
	SCHEMA_UNDECIDED, /* nothing wrong was found, but not all was checked: report_unchecked() */
};

struct check_options {
	size_t max_violations; /* kept; the rest is counted; 0 means 10 000 */
	size_t max_steps;      /* node visits before giving up; 0 means 50 million */
};

struct report *schema_check(
    const struct schema *schema, const cJSON *instance, const struct check_options *options);
void report_destroy(struct report *report);

enum schema_outcome report_outcome(const struct report *report);
size_t report_steps(const struct report *report);   /* keyword checks made */
size_t report_count(const struct report *report);   /* all violations (not warnings), also those not kept */
size_t report_warnings(const struct report *report);
size_t report_kept(const struct report *report);    /* index range of report_at(), warnings included */

/* The reasons for SCHEMA_UNDECIDED: an unknown keyword's name, "pattern (too slow)", "too many
 * steps"... An invalid value may have them as well. */
size_t report_unchecked_count(const struct report *report);
const char *report_unchecked(const struct report *report, size_t index);

struct violation {
	const cJSON *node;    /* what is wrong; for a missing property the object that lacks it */
	const char *missing;  /* the property's name where one is missing, else NULL */
	const char *keyword;  /* "type", "required"...; "false" where the schema is just that */
	bool warning;         /* does not decide the outcome (format) */
};

/* In document order of the instance. */
const struct violation *report_at(const struct report *report, size_t index);
#define REPORT_NONE ((size_t)-1)
/* The first violation about exactly this node (missing properties not included), or REPORT_NONE. */
size_t report_find(const struct report *report, const cJSON *node);
/* The violation that says property `name` is missing from object, or REPORT_NONE. */
size_t report_find_missing(const struct report *report, const cJSON *object, const char *name);
/* Violations at node or anywhere below it. */
size_t report_count_below(const struct report *report, const cJSON *node);

/* Words for violation `index`, appended to out. Values from the instance are quoted and shortened,
 * but not made safe for a terminal. */
void report_instance_path(const struct report *report, size_t index, struct buf *out); /* /users/0/role */
void report_schema_path(const struct report *report, size_t index, struct buf *out);   /* /properties/… */
void report_expected(const struct report *report, size_t index, struct buf *out); /* an integer */
void report_found(const struct report *report, size_t index, struct buf *out);    /* text "3" */
void report_line(const struct report *report, size_t index, struct buf *out);     /* text "3", expected an integer */

#endif
