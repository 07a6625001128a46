/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_REPORT_REPORT_H
#define SCHEMA_REPORT_REPORT_H

#include "base/text_match.h"
#include "schema/check/check.h"

/* A node of the instance with a violation at it or below it. */
struct place {
	struct place *up;
	const cJSON *value;
	size_t index; /* among its siblings */
	unsigned depth;
	size_t below;         /* violations at this node and below */
	struct record *first; /* at exactly this node, latest first */
	struct record *found; /* the first record that is not about a missing property */
};

/* A trail that led to a violation. */
struct kept_trail {
	const struct kept_trail *up;
	const struct node *node;
	bool down;
};

struct record {
	struct violation pub;
	const struct rule *rule; /* NULL: the schema `false`, or the rule is unknown */
	const struct node *node;
	const struct kept_trail *trail;
	struct place *place;
	struct record *next;  /* at the same node */
	size_t index;         /* in the sorted report */
	size_t order;         /* order in which it was found */
	bool naming;          /* about the name of the member, not its value */
	unsigned types;       /* set if all alternatives reduce to these types, else 0 */
	size_t a, b;          /* counts and positions, depending on the keyword */
	const uint32_t *left; /* the first alternatives that may be the intended one */
	size_t left_count, left_total;
	const struct report *report;
	size_t effort; /* budget for suggestions; shared by all violations */
};

/* Keeps the items of a lazy array that have violations. */
struct lazy_items {
	const cJSON *array;
	struct json_reader *reader;
};

struct report {
	const struct schema *schema;
	const cJSON *instance;
	struct report_facts facts;
	size_t max_kept;
	struct {
		struct record **items;
		size_t len, cap;
	} records;
	struct {
		const char **items;
		size_t len, cap;
	} unchecked;
	struct pool *pool;
	struct map places;  /* by value */
	struct map missing; /* records of members that are missing, by object and name */
	struct {
		struct lazy_items *items;
		size_t len, cap;
	} lazy;
};

static inline const struct record *
report_record(const struct report *report, size_t index)
{
	BUG_IF(index >= report->records.len);
	return report->records.items[index];
}

/* Optional details of a violation. */
struct fact {
	const char *missing;
	unsigned types;
	size_t a, b;
	const uint32_t *left; /* copied */
	size_t left_count, left_total;
	bool warning;
};

/* Records that the current value violates rule. Returns false, for the check to return. */
bool report_add(
    struct checker *c, const struct rule *rule, const struct subject *s, struct fact fact);
/* The same about a child of the current value. */
bool report_child(struct checker *c, const struct rule *rule, const struct node *node,
    const cJSON *child, size_t index, struct fact fact);
void report_sort(struct report *report);

/* alternatives.c: reports why no branch of anyOf or oneOf is valid. Returns false. */
bool explain_alternatives(struct checker *c, const struct rule *rule, const struct subject *s);

/* ---- output_formats.c: follows the subschemas that apply to a value ---- */

#define NO_INDEX ((size_t)-1)

struct edge {
	enum edge_kind kind;
	const char *keyword;
	const char *name; /* in a keyword with named subschemas, else NULL */
	size_t index;     /* in an array of subschemas, else NO_INDEX */
	const struct node *to;
	/* The child that `to` applies to; NULL: the value itself. An item of a lazy array is
	 * valid until the next edge. */
	const cJSON *child;
	size_t child_index;
};

/* A node that applies to a value. */
struct edge_walk {
	const struct schema *schema;
	const struct resource_scope *scope; /* as in a checker, plus the resource of the node */
	struct regex_run *regex;
	const struct node *node;
	const cJSON *value;
};

/* ---- words.c: phrases that sentences about violations share ---- */

/* The properties that a branch declares, directly or through a reference; may be NULL. */
const struct object_rules *branch_members(const struct node *branch);
void add_found(const struct record *record, struct buf *out);
void add_value(const cJSON *value, struct buf *out); /* shortened JSON */
void add_count(size_t count, const char *one, const char *many, struct buf *out);
void add_subject(const struct record *record, struct buf *out); /* a value, or the current name */
void add_short(const char *text, struct buf *out);    /* the beginning of a name or pattern */
void add_property(const char *name, struct buf *out); /* quoted unless it looks like a name */
void add_types(unsigned types, struct buf *out);      /* "a string or null" */

/* Describes a schema by its type or constants; returns false if these do not tell. */
bool add_kind(const struct node *node, struct buf *out);
/* Its title, or the name of its reference; returns false if it has neither. */
bool add_schema_name(const cJSON *source, struct buf *out);
/* false and {"not": {}} */
bool matches_nothing(const struct node *node);

/* keyword/constant.c: adds " (differs only in the Unicode form)" if that is so. */
bool add_form_difference(const char *found, const char *meant, struct buf *out);
/* Whether it has invisible characters outside ASCII, such as a zero width space: \u200b. */
bool has_unseen(const char *text);
void add_escaped(const char *text, struct buf *out);

/* Checks a value against a subschema for more words, by the effort of the record. NULL if there is
 * too little effort left. */
struct report *check_again(
    const struct record *record, const struct node *node, const cJSON *value);
/* The first violation of that check; returns false if the value is valid. */
bool add_reason_of(
    const struct record *record, const struct node *node, const cJSON *value, struct buf *out);

/* Uses the effort of the record. */
void suggest_for(struct did_you_mean *suggestion, const char *word, const struct record *record);
/* " (did you mean NAME?)" */
void add_suggestion(const struct did_you_mean *suggestion, const char *quote, struct buf *out);

#endif
