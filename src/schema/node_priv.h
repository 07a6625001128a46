#ifndef SCHEMA_NODE_PRIV_H
#define SCHEMA_NODE_PRIV_H

#include "type_priv.h"

#include "schema/schema.h"

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
	    *constants; /* where each is one of these, and nothing more; or NULL */
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
	NODE_KINDS, /* nothing but alternatives that `kinds` tells apart, and `type` */
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

#endif
