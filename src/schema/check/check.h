/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_CHECK_CHECK_H
#define SCHEMA_CHECK_CHECK_H

#include "json/doc.h"
#include "json/rows.h"
#include "schema/compile/compile.h"
#include "schema/regex/regex.h"

struct checker;
struct node;

/* A rule without a result: it neither passes nor fails. */
struct undecided {
	const struct node *node; /* NULL: everything left, not one rule */
	const cJSON *member;     /* in the schema's text; NULL: the node itself */
	const char *why;         /* lives as long as the schema */
};

struct undecided_list {
	struct undecided *items;
	size_t len, cap;
};

/* Records an undecided rule and returns true. */
bool check_undecided(
    struct checker *c, const struct node *node, const cJSON *member, const char *why);
void check_stop(struct checker *c, const char *why);

/* Drops the undecided rules and warnings of a branch that turns out not to matter. */
struct trial {
	size_t undecided, warnings;
};
void trial_drop(struct checker *c, const struct trial *trial);

/* The children of the current value that some keyword has evaluated (for unevaluated*). */
struct marks {
	uint64_t *bits;
	size_t count; /* children */
	uint64_t small[4];
};

void marks_init(struct marks *marks, const cJSON *value);
void marks_finish(struct marks *marks);

static inline void
marks_set(struct marks *marks, size_t index)
{
	if (marks && index < marks->count)
		marks->bits[index / 64] |= (uint64_t)1 << (index % 64);
}

static inline bool
marks_has(const struct marks *marks, size_t index)
{
	return index < marks->count && (marks->bits[index / 64] >> (index % 64) & 1);
}

/* The position in the instance; kept only while collecting. */
struct check_frame {
	struct check_frame *up;
	const cJSON *value;
	size_t index;
	struct place *place; /* NULL until a violation is found here or below */
};

/* The subschemas on the path to the current one, innermost first; kept only while collecting. */
struct trail {
	struct trail *up;
	const struct node *node;
	bool down;               /* entered for a child of the value, not for the value itself */
	struct kept_trail *kept; /* NULL until a violation is found here or below */
};

/* The resources on the path to the current one, innermost first; kept only for $dynamicRef. */
struct resource_scope {
	const struct resource_scope *up;
	const struct resource *resource;
};

struct checker {
	const struct schema *schema;
	const struct node *root; /* the schema of the instance */
	bool collecting;         /* records every violation, not just whether there is one */
	bool stopped;            /* out of budget: everything left is undecided */
	bool muted;  /* a collecting run that only marks evaluated children and reports nothing */
	bool naming; /* the current value is the name of the member in `frame` */
	size_t steps, max_steps;
	size_t budget;              /* max_steps at the start of a run */
	const struct job *job;      /* may be NULL */
	const struct node *halfway; /* the node entered at half the limit of inplace */
	bool circular;              /* halfway was entered again */
	unsigned inplace;           /* references and alternatives entered at the same value */
	unsigned depth;             /* of C recursion */
	unsigned nested;  /* inplace over all levels, plus keywords that check a child again; beyond
			     MEMO_NESTED, results are cached */
	size_t undecided; /* kept or not */
	size_t warnings;  /* counted in a run that does not collect */
	struct undecided_list undecided_list;
	struct memo_table {
		struct memo *slots;
		size_t count, kept; /* 0 until needed */
	} memo;
	uint64_t epoch; /* distinguishes reused addresses of items in lazy arrays */
	const struct resource_scope *scope;
	struct check_frame *frame;
	struct trail *trail;
	struct report *report; /* NULL: only the outcome, until a lazy array needs one */
	struct regex_run regex;
};

static inline struct trial
trial_begin(const struct checker *c)
{
	return (struct trial){ .undecided = c->undecided, .warnings = c->warnings };
}

static inline bool
trial_undecided(const struct checker *c, const struct trial *trial)
{
	return c->undecided > trial->undecided;
}

/* No warnings either. */
static inline bool
trial_clean(const struct checker *c, const struct trial *trial)
{
	return !trial_undecided(c, trial) && c->warnings == trial->warnings;
}

#define CHECK_DEPTH 4000 /* nested calls of check_node() */
#define MAX_INPLACE 1000 /* references followed at the same value */

/* options may be NULL. */
void checker_init(struct checker *c, const struct schema *schema, const struct node *root,
    const struct check_options *options);
void checker_finish(struct checker *c); /* leaves the report to the caller */

/* Is the value valid against node? marks may be NULL. */
bool check_node(
    struct checker *c, const struct node *node, const cJSON *value, struct marks *marks);
/* The same for a child of the current value, and for the value itself against another schema. */
bool check_child(struct checker *c, const struct node *node, const cJSON *child, size_t index);
bool check_here(struct checker *c, const struct node *node, const struct subject *s);
/* check_here() without collecting; sets marks only if the value is valid. */
bool check_try(struct checker *c, const struct node *node, const struct subject *s);
/* Checks a value without reporting it at its location (contains). */
bool check_quietly(struct checker *c, const struct node *node, const cJSON *value);

/* check_node() for its cases: only the outcome, by a plan below NODE_RULES; rule by rule. */
bool check_fast(struct checker *c, const struct node *node, const cJSON *value);
bool check_rules(
    struct checker *c, const struct node *node, const cJSON *value, struct marks *marks);
/* The branches of anyOf or oneOf that an object may match; NULL for all. */
const struct branches *branches_among(
    struct checker *c, const struct node_list *list, const cJSON *object);
/* Checks a member by the patternProperties that match its name. *matched: there are some. */
bool check_patterns(struct checker *c, const struct object_rules *rules, const cJSON *child,
    size_t index, bool *matched);

bool is_integer(struct checker *c, const cJSON *number);

static inline bool
passes_type(struct checker *c, unsigned types, const cJSON *value)
{
	unsigned type = type_of(value);

	return types & type ||
	       (type == TYPE_NUMBER && types & TYPE_INTEGER && is_integer(c, value));
}

/* Stops the check if the budget is used up. */
static inline void
check_budget(struct checker *c)
{
	if (c->steps > c->max_steps)
		check_stop(c, "too many steps");
}

/* Charges for work that takes as long as this many steps. Anything that takes longer for larger
 * values, strings or numbers must be charged, or a small schema can cause hours of work. */
static inline void
check_charge(struct checker *c, size_t steps)
{
	c->max_steps = steps < c->max_steps ? c->max_steps - steps : 0;
}
struct value_set;
bool is_in_set(struct checker *c, const struct value_set *set, const cJSON *value);
/* enum and const */
bool constants_allow(struct checker *c, const struct rule *rule, const cJSON *value);

/* The items of an array, lazy or not. Violations must be reported on the item that
 * items_lasting() returns because it lives as long as the report. */
void items_begin(struct checker *c, struct json_items *it, const cJSON *array);
const cJSON *items_lasting(struct checker *c, const struct json_items *it);

/* Checks an item against node; collects only if the fast pass finds a violation. */
bool check_item(struct checker *c, const struct node *node, const struct json_items *it);
static inline void
items_next(struct checker *c, struct json_items *it)
{
	c->epoch += it->reader != NULL;
	json_items_next(it);
}

/*
 * A schema of n nodes can need 2^n checks if each level checks the same value twice. If
 * alternatives, or keywords that check the same children, are deeply nested, the results of
 * shared nodes are cached for each value.
 */
#define MEMO_NESTED 8 /* the nesting at which caching starts */

#endif
