#ifndef SCHEMA_CHECK_CHECK_H
#define SCHEMA_CHECK_CHECK_H

#include "json/doc.h"
#include "json/rows.h"
#include "schema/compile/compile.h"
#include "schema/regex/regex.h"

/* What could not be checked, and the budget that says how much is. */
struct checker;
struct node;

/* A rule that says neither yes nor no. */
struct doubt {
	const struct node *node; /* NULL: all that was left, not one rule */
	const cJSON *member;     /* of its text; NULL: node itself */
	const char *why;         /* lives as long as the schema */
};

struct doubt_list {
	struct doubt *items;
	size_t len, cap;
};

/* Raises a doubt and returns true. */
bool check_doubt(struct checker *c, const struct node *node, const cJSON *member, const char *why);
void check_stop(struct checker *c, const char *why);
/* Tells the report all that were raised, each once. */
void doubts_tell(struct checker *c);
/* Stops the check where the budget is used up. */
void check_budget(struct checker *c);

/* Doubts and warnings of a branch that turned out not to matter are dropped. */
struct trial {
	size_t doubts, warnings;
};
struct trial trial_begin(const struct checker *c);
void trial_drop(struct checker *c, const struct trial *trial);
bool trial_doubtful(const struct checker *c, const struct trial *trial);
bool trial_clean(const struct checker *c, const struct trial *trial); /* nor warnings */

/* Which children of the value in hand some keyword has looked at (for unevaluated*). */
struct marks {
	uint64_t *bits;
	size_t count; /* children */
	uint64_t small[4];
};

void marks_init(struct marks *marks, const cJSON *value);
void marks_finish(struct marks *marks);
void marks_merge(struct marks *to, const struct marks *from);

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

/* Where the check stands in the instance; kept while collecting only. */
struct check_frame {
	struct check_frame *up;
	const cJSON *value;
	size_t index;
	struct place *place; /* NULL until something is wrong here or below */
};

/* The subschemas the check came through, innermost first; kept while collecting only. */
struct trail {
	struct trail *up;
	const struct node *node;
	bool down;              /* entered for a child of the value, not for the value itself */
	struct kept_trail *way; /* NULL until something is wrong here or below */
};

/* The resources the check came through, innermost first; kept for $dynamicRef only. */
struct resource_scope {
	const struct resource_scope *up;
	const struct resource *resource;
};

struct checker {
	const struct schema *schema;
	const struct node *root; /* what the instance is checked by */
	bool collecting;         /* every violation is wanted, not just whether there is one */
	bool stopped;            /* out of budget: whatever is left counts as unknown */
	bool muted;              /* collects, but only what is looked at: nothing is reported */
	bool naming;             /* the value in hand is the name of the member in `frame` */
	size_t steps, max_steps;
	size_t budget;         /* max_steps at the start of a run */
	const struct job *job; /* may be NULL */
	unsigned depth;        /* of C recursion */
	unsigned inplace; /* references and alternatives entered without going down in the value */
	unsigned nested;  /* the same over all levels, and what looks at a child again: where it is
			     large, results are remembered */
	const struct node *halfway; /* entered when half as many in place as there may be */
	bool circular;              /* it came again */
	size_t doubts;              /* kept or not */
	size_t warnings;            /* raised by a run that does not collect */
	struct doubt_list doubt_list;
	const char **keys; /* last seen spelling of each declared property */
	struct memo_table {
		struct memo *slots; /* doubt.c */
		size_t count, kept; /* 0 until needed */
	} memo;
	uint64_t epoch; /* addresses in items of lazy arrays are used again: in another one */
	const struct resource_scope *scope;
	struct check_frame *frame;
	struct trail *trail;
	struct report *report;
	struct regex_run regex;
};

/* Does value obey node? marks may be NULL. */
bool check_node(
    struct checker *c, const struct node *node, const cJSON *value, struct marks *marks);
/* The same for a child of the value in hand, and for the value itself by another schema. */
bool check_child(struct checker *c, const struct node *node, const cJSON *child, size_t index);
bool check_here(struct checker *c, const struct node *node, const struct subject *s);
/* The same as check_here() without collecting; marks only where it holds. */
bool check_try(struct checker *c, const struct node *node, const struct subject *s);
/* Value by a schema that is not about a place of the instance of its own (contains). */
bool check_quietly(struct checker *c, const struct node *node, const cJSON *value);

bool is_integer(struct checker *c, const cJSON *number);

static inline bool
passes_type(struct checker *c, unsigned types, const cJSON *value)
{
	unsigned type = type_of(value);

	return types & type ||
	       (type == TYPE_NUMBER && types & TYPE_INTEGER && is_integer(c, value));
}

/* For work that takes as long as so many steps: whatever takes longer where values, texts or
 * numbers are longer has to be paid for, or a small schema can ask for hours of it. */
static inline void
check_charge(struct checker *c, size_t steps)
{
	c->max_steps = steps < c->max_steps ? c->max_steps - steps : 0;
}
struct value_set;
bool is_in_set(struct checker *c, const struct value_set *set, const cJSON *value);
/* What the $ref, $dynamicRef or $recursiveRef of a rule leads to, the check having come through
 * scope; NULL: the rule is none of them. */
const struct node *reference_target(
    const struct schema *schema, const struct resource_scope *scope, const struct rule *rule);

check_fn check_type, check_enum, check_const, check_bound, check_multiple, check_doubtful;
check_fn check_min_length, check_max_length, check_pattern, check_format, check_min_size,
    check_max_size;
check_fn check_unique, check_ref, check_dynamic_ref, check_recursive_ref, check_members,
    check_property_names;
check_fn check_elements, check_contains, check_all_of, check_any_of, check_one_of, check_not,
    check_if;
check_fn check_dependent_schemas, check_dependent_required, check_dependencies,
    check_unevaluated_properties;
check_fn check_unevaluated_items;

/* The items of an array, lazy or not. What is reported about an item is reported about the one
 * that items_lasting() returns, which lives as long as the report. */
void items_begin(struct checker *c, struct json_items *it, const cJSON *array);
const cJSON *items_lasting(struct checker *c, const struct json_items *it);
/* The check is over: items that nothing was reported about are forgotten. */
void items_end(struct report *report);

/* The item obeys node: it is collected from only when a quick look finds something wrong. */
bool check_item(struct checker *c, const struct node *node, const struct json_items *it);
static inline void
items_next(struct checker *c, struct json_items *it)
{
	c->epoch += it->reader != NULL;
	json_items_next(it);
}

/*
 * A schema that doubles its way is 2^n checks of n nodes: where alternatives nest deeply, or
 * keywords that look at the same children, what a shared node came to for a value is remembered.
 */
#define MEMO_NESTED 8 /* of these in each other from where that is done */

bool memo_wanted(const struct checker *c, const struct subject *s);
/* How the check came here, as far as that matters; to be asked for before the run. */
uint64_t memo_way(struct checker *c);
/* False: it is not known, or not all that is wanted is. */
bool memo_recall(struct checker *c, const struct subject *s, uint64_t way, bool *result);
/* before: as the run began. */
void memo_keep(struct checker *c, const struct subject *s, uint64_t way, const struct trial *before,
    bool result);

#endif
