#ifndef SCHEMA_CHECK_PRIV_H
#define SCHEMA_CHECK_PRIV_H

#include "doubt_priv.h"
#include "keyword_priv.h"
#include "marks_priv.h"
#include "regex_priv.h"

/* Where the check stands in the instance; kept while collecting only. */
struct frame {
	struct frame *up;
	const cJSON *value;
	size_t index;
	struct place *place; /* NULL until something is wrong here or below */
};

/* The subschemas the check came through, innermost first; kept while collecting only. */
struct trail {
	struct trail *up;
	const struct node *node;
	bool down;       /* entered for a child of the value, not for the value itself */
	struct way *way; /* NULL until something is wrong here or below */
};

/* The resources the check came through, innermost first; kept for $dynamicRef only. */
struct scope {
	const struct scope *up;
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
		struct memo *slots; /* memo.c */
		size_t count, kept; /* 0 until needed */
	} memo;
	uint64_t epoch; /* addresses in items of lazy arrays are used again: in another one */
	const struct scope *scope;
	struct frame *frame;
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
    const struct schema *schema, const struct scope *scope, const struct rule *rule);

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

#endif
