/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_NODE_H
#define SCHEMA_NODE_H

#include "json/doc.h"
#include "json/keys.h"
#include "schema/schema.h"

#include <stdatomic.h>

struct checker;
struct compiler;
struct format;
struct keyword;
struct kinds;
struct node;
struct pool;
struct presence;
struct rule;
struct value_set;

/* A name in `properties` or `required`. */
struct known_member {
	const char *name; /* with its zeros (json/keys.h) */
	struct json_key key;
	struct node *checked_by; /* node, or additional; NULL: neither */
	uint64_t required_bit;   /* 0: not required, or too many are */
	unsigned sure;           /* types of value that certainly pass checked_by */
	/* Does some pattern match the name? The first check that meets it finds out. */
	_Atomic uint8_t patterned;
	struct node *node; /* NULL: only required */
	const cJSON *required;
};

enum { PATTERNED_UNKNOWN, PATTERNED_NOT, PATTERNED_PERHAPS };

struct member_pattern {
	struct regex *regex; /* NULL: unsupported, so every name is undecided */
	struct node *node;
};

/* properties, patternProperties, additionalProperties and required, checked in one loop. */
struct object_rules {
	/* The fast pass reads these. */
	struct known_member *members;
	struct known_member **slots; /* open addressing; NULL: free */
	size_t mask;
	struct node *additional;
	size_t pattern_count;
	uint64_t required_bits;
	unsigned sure;     /* types of value that an undeclared member may have */
	bool few_required; /* each has a bit */

	size_t count, cap, required_count;
	struct member_pattern *patterns;
	const struct rule *by_required, *by_additional;
};

void object_rules_init(struct object_rules *rules);
/* The member with that name, added if it is new. */
struct known_member *object_add(struct pool **pool, struct object_rules *rules, const char *name);
/* The member with that name, or NULL. */
const struct known_member *object_find(const struct object_rules *rules, const char *name);

/* The same for the name of a member of a value. */
static inline struct known_member *
object_member(const struct object_rules *rules, const cJSON *member)
{
	uint32_t hash = json_key_of(member).hash;
	struct known_member *m;

	/* Texts of different length differ in the zeros behind. */
	for (size_t i = hash & rules->mask; (m = rules->slots[i]); i = (i + 1) & rules->mask)
		if (m->key.hash == hash && json_key_is(m->name, member->string, m->key.len))
			break;
	return m;
}

/* cJSON has one bit for each type of value, so a type is already a mask; a lazy array is raw. */
#define TYPE_NULL cJSON_NULL
#define TYPE_BOOLEAN (cJSON_False | cJSON_True)
#define TYPE_NUMBER cJSON_Number
#define TYPE_STRING cJSON_String
#define TYPE_ARRAY (cJSON_Array | cJSON_Raw)
#define TYPE_OBJECT cJSON_Object
#define TYPE_INTEGER 0x100u /* the numbers that are integers */
#define TYPE_ANY 0xffu

static inline unsigned
type_of(const cJSON *value)
{
	return (unsigned)value->type & 0xff;
}

/* The type of a constant: true and false are one, and so are arrays and lazy arrays. */
static inline unsigned
type_of_constant(const cJSON *value)
{
	unsigned type = type_of(value);

	return type & TYPE_BOOLEAN ? TYPE_BOOLEAN : type & TYPE_ARRAY ? TYPE_ARRAY : type;
}

static inline bool
is_leaf(const cJSON *value)
{
	return !(type_of(value) & (TYPE_OBJECT | TYPE_ARRAY));
}

/* The value that a node checks and, for unevaluated*, the children that were evaluated. */
struct subject {
	const struct node *node;
	const cJSON *value;
	unsigned type;
	struct marks *marks; /* NULL if nothing needs it */
	size_t undecided_before;
};

/* False: the value is certainly invalid. True with a new undecided rule: it is undecided. */
typedef bool check_fn(struct checker *c, const struct rule *rule, const struct subject *s);

/* Values of node_list.only; any other is the number of the only branch, + 1. */
enum { ONLY_SEVERAL = 0, ONLY_NONE = 255 };

struct node_list {
	struct node **items;
	size_t len;
	unsigned sure;   /* types of value that certainly pass */
	uint8_t only[8]; /* for each bit of a type: which branch such a value may match */
	const struct value_set
	    *constants; /* set if each branch is just one of these constants, else NULL */
	/* The branches that an object may match; one of them, or both are NULL. */
	const struct kinds *kinds;
	const struct presence *presence;
};

/* Up to RULE_LEAF a rule looks at the value alone, up to RULE_NAMES at no subschema for it. */
enum rule_kind {
	RULE_NONE, /* an annotation, or checked together with another keyword */
	RULE_TYPE,
	RULE_ENUM,
	RULE_CONST,
	RULE_BOUND,
	RULE_PATTERN,
	RULE_LEAF, /* any other without subschemas */
	RULE_MEMBERS,
	RULE_ELEMENTS,
	RULE_CHILDREN, /* any other with subschemas for members or items */
	RULE_NAMES,    /* for names of members */
	RULE_REF,
	RULE_DYNAMIC_REF,
	RULE_RECURSIVE_REF,
	RULE_ALL_OF,
	RULE_ANY_OF,
	RULE_ONE_OF,
	RULE_NOT,
	RULE_IF,
	RULE_IN_PLACE, /* any other with subschemas for the value itself */
	RULE_UNDECIDED,
	RULE_UNEVALUATED,
};

struct rule {
	check_fn *check;
	const cJSON *value; /* the keyword's value in the schema's text */
	unsigned applies;   /* types of value that it applies to */
	uint8_t kind;       /* enum rule_kind */
	union {
		size_t count;
		unsigned types;
		struct node *node;
		struct node_list list;
		struct {
			struct node *yes, *no; /* then, else */
			struct node *test;
		} branch;
		struct regex *regex;
		struct {
			const struct format *format;
			bool warns;
		} format;
		struct {
			const struct value_set *set; /* for a long enum, else NULL */
			bool lengthy;                /* a constant takes long to compare */
		} constants;                         /* enum and const */
		const char *why;                     /* the reason why the rule is undecided */
	} as;
	const struct keyword *keyword;
};

/* The constants of `const` or `enum`. */
static inline const cJSON *
constant_first(const struct rule *rule)
{
	return rule->kind == RULE_CONST ? rule->value : json_first(rule->value);
}

static inline const cJSON *
constant_next(const struct rule *rule, const cJSON *constant)
{
	return rule->kind == RULE_CONST ? NULL : constant->next;
}

/* How to check a node if only the outcome is wanted. */
enum node_plan {
	NODE_ANYTHING, /* true, {} */
	NODE_TYPE,     /* only `type`; `types` decides */
	NODE_ROW,      /* an object obeys only `row`; other types go by all rules */
	NODE_LIST,     /* only `type` and one schema for all items */
	NODE_RULE,     /* only `type` and one rule, or only that rule */
	NODE_FAST,     /* by check/fast.c, which keeps no marks and no scope */
	NODE_RULES,    /* by check/check.c */
};

/* The location of a schema in its document. */
struct location {
	const struct node *up; /* the enclosing schema; NULL for the root of the document */
	const cJSON *holder;   /* the keyword of up that holds it */
	size_t index;          /* in an array of schemas */
	const char *path;      /* the pointer from up if no keyword holds it, else NULL */
};

struct node {
	/* The fast pass reads no more than these, which share a cache line. */
	const struct node *alike;   /* has the same outcome: the end of a chain of nodes with one
				       $ref or one branch; itself if it is none of these */
	const struct node *same_as; /* the final target if the schema is just a $ref */
	struct rule *rules;
	struct object_rules *object;
	struct array_rules *array;
	const struct object_rules *row; /* of NODE_ROW; those of object or joined */
	uint32_t rule_count;
	unsigned types;  /* the types that `type` allows */
	uint8_t accepts; /* no other type of value can pass; integers are numbers here */
	uint8_t sure;    /* types of value that certainly pass */
	uint8_t plan;    /* enum node_plan */
	uint8_t again;   /* doublings: how often a child may be checked, as a power of two */
	bool shared;     /* a reference leads here */
	bool never;      /* the schema false: every value is invalid */

	bool wanted; /* to be compiled: in other documents only schemas that are used */
	bool tracks; /* has unevaluated* */
	uint8_t accepts_state, sure_state, descends_state;
	bool descends; /* it, or a schema that it applies to the same value, has schemas for
			  children */
	const cJSON *source;
	struct location location;
	struct resource *resource;
};

static inline const struct node *
node_meant(const struct node *node)
{
	return node->same_as ? node->same_as : node;
}

/* items, prefixItems and additionalItems, checked in one loop. */
struct array_rules {
	struct node_list prefix;
	struct node *rest;
	const struct rule *by_rest;
};

#endif
