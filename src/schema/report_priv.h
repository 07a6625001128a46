#ifndef SCHEMA_REPORT_PRIV_H
#define SCHEMA_REPORT_PRIV_H

#include "check_priv.h"

/* A node of the instance at or below which something is wrong. */
struct place {
	struct place *up;
	const cJSON *value;
	size_t index; /* among its siblings */
	unsigned depth;
	size_t below;         /* violations here and below */
	struct record *first; /* about exactly this place, latest first */
	struct record *found; /* the first of them that is not a missing property */
};

/* A trail that led to a violation. */
struct way {
	const struct way *up;
	const struct node *node;
	bool down;
};

struct record {
	struct violation pub;
	const struct rule *rule; /* NULL: the schema `false`, or nothing more is known */
	const struct node *node;
	const struct way *way;
	struct place *place;
	struct record *next; /* at the same place */
	size_t index;        /* in the report once it is sorted */
	size_t order;        /* of finding */
	bool naming;         /* about the name of the member, not its value */
	unsigned types;      /* alternatives that come to these types only; 0 otherwise */
	size_t a, b;         /* say_… knows: counts, positions */
	uint64_t left;       /* alternatives that may have been meant, a bit each of the first 64 */
	const struct report *report;
	size_t effort; /* for finding what was meant; where there are many, less for each */
};

struct place_slot {
	const cJSON *value;
	struct place *place;
};

struct missing_slot {
	const cJSON *object;
	const char *name;
	struct record *record;
};

/* The items of a lazy array that something is wrong with are kept here. */
struct lazy_items {
	const cJSON *array;
	struct json_reader *reader;
};

struct report {
	const struct schema *schema;
	const cJSON *instance;
	enum schema_outcome outcome;
	size_t steps, count, warnings, max_kept;
	bool is_cut;
	struct {
		struct record **items;
		size_t len, cap;
	} records;
	struct {
		const char **items;
		size_t len, cap;
	} unchecked;
	struct pool *pool;
	struct place_slot *places;
	size_t place_count, place_mask;
	struct missing_slot *missing;
	size_t missing_mask;
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

/* Extra facts of a violation; all may be left out. */
struct fact {
	const char *missing;
	unsigned types;
	size_t a, b;
	uint64_t left;
	bool warning;
};

/* Records that the value in hand breaks rule. Returns false, for the check to return. */
bool report_add(
    struct checker *c, const struct rule *rule, const struct subject *s, struct fact fact);
/* The same about a child of the value in hand. */
bool report_child(struct checker *c, const struct rule *rule, const struct node *node,
    const cJSON *child, size_t index, struct fact fact);
void report_sort(struct report *report);

/* alternatives.c: says why none of the branches of anyOf or oneOf holds. Returns false. */
bool explain_alternatives(struct checker *c, const struct rule *rule, const struct subject *s);
/* The properties a branch declares, itself or where it refers to. May be NULL. */
struct object_rules;
const struct object_rules *branch_members(const struct node *branch);

#endif
