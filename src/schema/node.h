#ifndef SCHEMA_NODE_H
#define SCHEMA_NODE_H

#include "json/doc.h"
#include "schema/schema.h"

/* A value's type is cJSON's own bit, so it is a mask already. */
#define TYPE_NULL cJSON_NULL
#define TYPE_BOOLEAN (cJSON_False | cJSON_True)
#define TYPE_NUMBER cJSON_Number
#define TYPE_STRING cJSON_String
#define TYPE_ARRAY cJSON_Array
#define TYPE_OBJECT cJSON_Object
#define TYPE_INTEGER 0x100u /* of numbers only those that are integers */
#define TYPE_ANY 0x7fu

static inline unsigned
type_of(const cJSON *value)
{
	return (unsigned)value->type & 0xff;
}

/* Of a constant: true stands for false as well. */
static inline unsigned
type_of_constant(const cJSON *value)
{
	return type_of(value) & TYPE_BOOLEAN ? TYPE_BOOLEAN : type_of(value);
}

static inline bool
is_leaf(const cJSON *value)
{
	return !(type_of(value) & (TYPE_OBJECT | TYPE_ARRAY));
}

struct checker;
struct compiler;
struct keyword;
struct node;
struct regex;
struct format;
struct value_set;
struct kinds;

/* What one node looks at: value, and where unevaluated* needs it, which children were looked at. */
struct subject {
	const struct node *node;
	const cJSON *value;
	unsigned type;
	struct marks *marks; /* NULL: nobody asks */
	size_t doubts_before;
};

struct rule;
/* False: the value is wrong, for certain. True together with a doubt: it may be. */
typedef bool check_fn(struct checker *c, const struct rule *rule, const struct subject *s);

struct node_list {
	struct node **items;
	size_t len;
	unsigned sure; /* types of value that alternatives are certain to take */
	const struct value_set
	    *constants;            /* where each is one of these, and nothing more; or NULL */
	const struct kinds *kinds; /* which branches an object may match; or NULL */
};

struct rule {
	const struct keyword *keyword;
	const cJSON *value; /* the keyword's value in the schema's text */
	check_fn *check;
	unsigned applies; /* types it looks at */
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
			bool warns; /* only */
		} format;
		const struct value_set *set; /* of a long enum; else NULL */
		const char *why;             /* it is not known what is demanded */
	} as;
};

/* How a node is checked. The first two are decided by `types` alone where the type is one of them.
 */
enum node_plan {
	NODE_ANYTHING, /* true, {} */
	NODE_TYPE,     /* nothing but `type` */
	NODE_ROW,      /* nothing but `type` and plain object rules */
	NODE_LIST,     /* nothing but `type` and one schema for all items */
	NODE_LEAF,     /* no rule leads to another schema */
	NODE_FLAT,     /* none leads to another schema for the same value */
	NODE_KINDS,    /* nothing but alternatives that `kinds` tells apart, and `type` */
	NODE_RULES,
};

/* Where a schema stands in its document. */
struct spot {
	const struct node *up; /* what it is in; NULL: the document is this schema */
	const cJSON *holder;   /* the keyword of up that holds it */
	size_t index;          /* where that is a list of schemas */
	const char *way;       /* a pointer from up where no keyword holds it; else NULL */
};

struct node {
	const cJSON *source;
	struct spot spot;
	struct resource *resource;
	const struct node
	    *same_as; /* where this is nothing but a $ref: what it leads to in the end */
	uint8_t plan; /* enum node_plan */
	bool never;   /* false: nothing passes */
	bool wanted;  /* is compiled: all of the schema itself, of other documents what is used */
	bool shared;  /* a reference leads here */
	bool tracks;  /* has unevaluated* */
	uint8_t accepts_state;
	uint8_t again;    /* how often a child may be looked at, after the first time */
	unsigned types;   /* what `type` allows */
	unsigned accepts; /* no type of value but these can pass; integers are numbers here */
	struct rule *rules;
	size_t rule_count;
	struct object_rules *object;
	struct array_rules *array;
};

static inline const struct node *
node_meant(const struct node *node)
{
	return node->same_as ? node->same_as : node;
}

/* A name that `properties` or `required` knows. */
struct known_member {
	const char *name;
	size_t len;
	struct node *node; /* NULL: only required */
	const cJSON *required;
};

struct member_pattern {
	struct regex *regex; /* NULL: cannot be matched, every name is in doubt */
	struct node *node;
};

/* properties, patternProperties, additionalProperties and required, checked in one loop. */
struct object_rules {
	struct known_member *members;
	size_t count, cap;
	uint32_t *slots; /* member number + 1, open addressing */
	size_t mask;
	uint32_t first_key; /* in the checker's key cache */
	size_t required_count;
	_Atomic uint32_t *following; /* [member + 1]: the one that came next the last time */
	struct member_pattern *patterns;
	size_t pattern_count;
	struct node *additional;
	const struct rule *by_required, *by_additional;
	bool simple; /* no patterns, and a bit for each member: members_hold() can do it */
	uint64_t required_bits; /* where simple */
};

/* items, prefixItems and additionalItems, checked in one loop. */
struct array_rules {
	struct node_list prefix;
	struct node *rest;
	const struct rule *by_rest;
};

/* row.c, without collecting, where the rules are simple: do the members obey? */
bool members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object);
/* Likewise, where there is no prefix. */
bool items_hold(struct checker *c, const struct node *node, const cJSON *array);
void expect_rows(struct checker *c, const cJSON *array);

/* The member a name is, looked for first where the last object had it. *last is the number of the
 * member before, + 1. */
const struct known_member *member_next(
    struct checker *c, const struct object_rules *rules, const char *name, size_t *last);

/* The member of that name, or NULL. */
const struct known_member *object_find(const struct object_rules *rules, const char *name);

#endif
