#ifndef SCHEMA_REPORT_REPORT_H
#define SCHEMA_REPORT_REPORT_H

#include "base/did_you_mean.h"
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
/*
 * Iterates over the subschemas that a schema applies, without checking anything, to find facts
 * about a value other than its validity. The caller decides which edges to follow.
 */
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

typedef void edge_fn(void *ctx, const struct edge *edge);

struct edge_walk {
	const struct schema *schema;
	const struct resource_scope *scope; /* as in a checker, plus the resource of the node */
	struct regex_run *regex;
	edge_fn *on_edge;
	void *ctx;
	const struct node *node;
	const cJSON *value;
};

void walk_edges(const struct edge_walk *walk);

/* The position of a walk, with the steps to it. */
struct walk_step {
	const struct walk_step *up; /* NULL at the root */
	struct edge edge;
	const cJSON *value;
	const struct resource_scope *scope;
	struct resource_scope own;
	unsigned depth; /* steps from the root */
};

/* up and step must not move while the walk uses them. */
void step_init(struct walk_step *step, const struct walk_step *up, const struct edge *edge);
void step_init_root(struct walk_step *step, const struct schema *schema, const cJSON *instance);
/* Append the keyword path, references included, and the instance path. */
void step_add_keywords(const struct walk_step *step, struct buf *out);
void step_add_instance(const struct walk_step *step, struct buf *out);

#endif
