/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_COMPILE_COMPILE_H
#define SCHEMA_COMPILE_COMPILE_H

#include "base/buf.h"
#include "base/map.h"
#include "json/doc.h"
#include "json/keys.h"
#include "schema/node.h"
#include "schema/regex/regex.h"

#include <stddef.h>

/* Zeroed memory that lives as long as the pool; a NULL pool is empty. */
void *pool_alloc(struct pool **pool, size_t size);
char *pool_text(struct pool **pool, const char *text, size_t len);
void pool_destroy(struct pool *pool);

/*
 * A compiled schema: one node for each schema and subschema of the text, found once, including
 * the targets of references. A node is a list of rules, one for each keyword that checks
 * something; keywords that are checked in one loop over an object or array share `struct
 * object_rules` or `struct array_rules`. Everything here lives in the schema's pool and is
 * immutable after compilation.
 */
enum vocabulary {
	VOCABULARY_CORE = 1,
	VOCABULARY_APPLICATOR = 2,
	VOCABULARY_UNEVALUATED = 4,
	VOCABULARY_VALIDATION = 8,
	VOCABULARY_FORMAT = 16,
	VOCABULARY_CONTENT = 32,
	VOCABULARY_META = 64,
	VOCABULARY_ALL = 127,
};

/* The dialect of a schema: a draft, perhaps reduced to the vocabularies of a custom metaschema. */
struct dialect {
	enum schema_draft draft;
	unsigned vocabularies; /* a mask of enum vocabulary */
	bool asserts_format;
	bool unknown; /* its metaschema is unknown: it is read as the draft above */
};

/* A tree that contains schemas: the first one is the schema itself, references lead to the
 * others. */
struct document {
	const char *uri;
	const cJSON *root;
};

/* A schema with its own base URI. */
struct resource {
	const char *uri; /* resolved, without fragment; "" for a root without $id */
	struct node *root;
	const struct document *document;
	struct dialect dialect;
	bool recursive; /* $recursiveAnchor: true */
};

struct anchor {
	const struct resource *resource;
	const char *name;
	struct node *node;
	bool dynamic;
	bool rival; /* another resource has a dynamic anchor with that name */
};

struct schema {
	enum schema_draft draft;
	enum schema_format_mode format;
	bool asserts_content, strict_integers, plainly;
	struct schema_library *library, *own_library; /* own_library: if the caller gave none */
	struct node *root;
	bool has_dynamic; /* a $dynamicRef or $recursiveRef depends on the path to it */
	struct pool *pool;
	struct {
		struct document **items;
		size_t len, cap;
	} documents;
	struct {
		struct node **items;
		size_t len, cap;
	} nodes;
	struct {
		struct resource **items;
		size_t len, cap;
	} resources;
	struct map resources_by_uri, anchors_by_name, dynamic_by_name;
	struct {
		struct regex **items;
		size_t len, cap;
	} regexes;
	struct regex_room regex_room;
};

const struct anchor *anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic);
/* Appends the location of a member of node's text, or of the node if member is NULL:
 * a pointer, preceded by URI# in any document but the first. The cost grows with its depth. */
void schema_add_location(
    const struct schema *schema, const struct node *node, const cJSON *member, struct buf *out);
/* The same as a URI; returns false and appends nothing if it has no absolute URI. */
bool schema_add_uri(const struct node *node, const cJSON *member, struct buf *out);
/* schema_check() against a part of the schema, which keyword paths in the report start from. */
struct report *schema_check_by(const struct schema *schema, const struct node *node,
    const cJSON *instance, const struct check_options *options);

/* Scalar values by hash: a long enum, or alternatives that are constants. */
struct value_set;

enum value_added {
	VALUE_NEW,
	VALUE_KNOWN,
	VALUE_LOST, /* too many hashes collide, perhaps on purpose: the set is useless */
};

/* Allocates room for count values. */
struct value_set *value_set_create(struct pool **pool, size_t count);
enum value_added value_set_add(struct value_set *set, const cJSON *value);

/*
 * Distinguishes the branches of an anyOf or oneOf by a property, or a property of a property,
 * if branches list its allowed values directly, in allOf, through a $ref, or in each alternative
 * of a nested anyOf or oneOf. The checker looks up the few branches that a value may match, and
 * messages name that property.
 */
#define KINDS_DEPTH 3

/* Branch numbers in ascending order. */
struct branches {
	uint32_t *items;
	size_t len;
};

struct kind {
	const cJSON *value;       /* a constant of at least one branch; NULL: an empty slot */
	uint64_t hash;            /* of value */
	struct branches branches; /* all branches that may match this value, `others` included */
};

struct kinds {
	const char *path[KINDS_DEPTH]; /* with their zeros (json/keys.h) */
	struct json_key keys[KINDS_DEPTH];
	unsigned depth;
	struct branches missing;   /* branches that may match an object without the property */
	struct branches others;    /* branches that list no values */
	const struct rule **names; /* const or enum of the property, in the order of the text */
	size_t name_count;
	struct kind *slots;
	size_t mask;
};

/* Sets kinds of the list, else presence, or none if nothing distinguishes its branches. holder: the
 * node with the anyOf or oneOf. *work goes down with each step; at 0 the search ends. */
void branches_distinguish(
    struct pool **pool, const struct node *holder, struct node_list *list, size_t *work);
/* The branches that may match an object; NULL for all, because a value on the path is not an
 * object. *cost grows by the work done. */
const struct branches *kinds_branches(const struct kinds *kinds, const cJSON *object, size_t *cost);
/* The const or enum that node always demands, or NULL. */
const struct rule *node_constant(const struct node *node);

/* The i-th subschema that a rule applies to every value, or NULL. */
static inline const struct node *
rule_always(const struct rule *rule, size_t i)
{
	if (rule->kind == RULE_REF)
		return i == 0 ? rule->as.node : NULL;
	return rule->kind == RULE_ALL_OF && i < rule->as.list.len ? rule->as.list.items[i] : NULL;
}

/* Drafts, as a mask of 1 << enum schema_draft. */
#define D04 (1u << SCHEMA_DRAFT_04)
#define D06 (1u << SCHEMA_DRAFT_06)
#define D07 (1u << SCHEMA_DRAFT_07)
#define D19 (1u << SCHEMA_DRAFT_2019_09)
#define D20 (1u << SCHEMA_DRAFT_2020_12)
#define SINCE_20 (D20 | 1u << SCHEMA_DRAFT_V1)
#define SINCE_19 (D19 | SINCE_20)
#define SINCE_07 (D07 | SINCE_19)
#define SINCE_06 (D06 | SINCE_07)
#define ALL_DRAFTS (D04 | SINCE_06)
#define UNTIL_07 (D04 | D06 | D07)

/* The places of schemas in the value of a keyword. */
enum holds {
	HOLDS_NONE,
	HOLDS_SCHEMA,
	HOLDS_LIST,           /* [schema...] */
	HOLDS_MAP,            /* { name: schema } */
	HOLDS_SCHEMA_OR_LIST, /* items before 2020-12 */
	HOLDS_MAP_OR_NAMES,   /* dependencies */
};

struct record;
/* Compiles the keyword of the compiler, whose value this is. Returns false after a problem. */
typedef bool compile_fn(struct compiler *k, const cJSON *value);
/* How a subschema applies to a value. */
enum edge_kind {
	EDGE_ALWAYS,
	EDGE_BRANCH, /* anyOf, oneOf: some are valid */
	EDGE_ITEM,   /* contains: valid for some items */
	EDGE_IF,     /* comes before its then and else */
	EDGE_THEN,
	EDGE_ELSE,
	EDGE_LEFT, /* unevaluated…: only children that no other keyword has evaluated */
};

/* Visits the edges of the walk that the rule makes. */
struct edge_walk;
typedef void walk_fn(struct edge_walk *walk, const struct rule *rule);
typedef void add_words_fn(const struct record *record, struct buf *out);

/* The functions of a keyword, defined in src/schema/keyword. All may be NULL. */
struct keyword_functions {
	compile_fn *compile;    /* NULL: an annotation */
	enum json_type expects; /* of its value; JSON_ABSENT: compile looks itself */
	check_fn *check;        /* NULL: checked together with another keyword */
	walk_fn *walk;          /* its subschemas that apply to a value */
	enum edge_kind edge;    /* of this kind */
	add_words_fn *expected; /* "an integer"; NULL: KEYWORD VALUE */
	add_words_fn *line;     /* NULL: FOUND, expected EXPECTED */
	const char *fault;      /* of rows: "too many"; NULL: not EXPECTED */
};

/* A row of KEYWORDS. */
struct keyword {
	const char *name;
	const struct keyword_functions *does;
	enum rule_kind kind;
	unsigned drafts, vocabularies;
	unsigned applies; /* types of value that it applies to */
	enum holds holds;
};

extern const struct keyword keywords[];
extern const size_t KEYWORD_COUNT;

/* Maps names to rows; rebuilt for each compilation, which takes less than a microsecond. */
#define KEYWORD_SLOTS 256
struct keyword_index {
	uint8_t rows[KEYWORD_SLOTS]; /* row number + 1 */
};
void keyword_index_init(struct keyword_index *index);
/* The row for name in this draft, or else in another draft, or NULL. */
const struct keyword *keyword_find(
    const struct keyword_index *index, const char *name, enum schema_draft draft);
bool keyword_in_dialect(const struct keyword *keyword, const struct dialect *dialect);
const struct keyword *keyword_row(
    const char *name); /* the first one with that name, which must exist */

struct dialect dialect_of_draft(enum schema_draft draft);
void dialect_add_uri(enum schema_draft draft, struct buf *out); /* of its metaschema */
/* The draft of this metaschema URI. as_written: only for the exact URI that other validators
 * know. */
enum schema_draft dialect_named(const char *uri, bool *as_written);

/* Known not to affect validity: x-…, ui:…, a keyword of OpenAPI or of an editor. */
bool keyword_is_foreign(const char *name);

#define MAX_SUBSCHEMAS 200000
#define MAX_NAMES 100000 /* resources and anchors */
#define MAX_NESTING 1000
#define MAX_WALKED 50000000

struct compiler {
	struct schema *schema;
	struct schema_problem *problem;
	struct keyword_index keywords;
	struct node *node;             /* the one in hand */
	const struct keyword *keyword; /* of its keywords, the one in hand */
	struct map nodes;              /* by source */
	struct map members;            /* of large objects on reference paths, by object and name */
	size_t walked;                 /* items skipped on the way to an index in a reference */
	size_t unknown;                /* unknown keywords */
	bool failed;                   /* the schema is unusable: *problem says why */
	struct buf scratch;
	struct {
		struct rule *items;
		size_t len, cap;
	} rules; /* of the current node */
	struct {
		struct node **items;
		size_t len, cap;
	} wanted; /* nodes to compile, in the order they were found */
};

/* Records the problem at `where` (in the schema's text) and returns false. */
bool compile_fail(struct compiler *k, const cJSON *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds an undecided rule, because the meaning of this member is unknown. */
void compile_undecided(struct compiler *k, const cJSON *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a rule for the keyword to the node. The pointer is valid until the next call. */
struct rule *compile_rule(struct compiler *k, const cJSON *value);
struct rule *compile_rule_of(struct compiler *k, const struct keyword *keyword, const cJSON *value);
/* A rule that never runs: a shared loop reports its violations. */
const struct rule *compile_silent_rule(struct compiler *k, const cJSON *value);
/* The node of a subschema; NULL after a problem. */
struct node *compile_child(struct compiler *k, const cJSON *value);
bool compile_children(struct compiler *k, const cJSON *array, struct node_list *out);
struct regex *compile_regex(
    struct compiler *k, const char *pattern, const cJSON *where, bool *broken);

static inline enum schema_draft
compile_draft(const struct compiler *k)
{
	return k->node->resource->dialect.draft;
}

/* Another keyword of the same schema object. */
static inline const cJSON *
compile_sibling(const struct compiler *k, const char *name)
{
	return json_get(k->node->source, name);
}

void compile_want(struct compiler *k, struct node *node);

/* resource.c: the nodes, resources and anchors found so far. */
struct node *node_of(const struct compiler *k, const cJSON *source);
struct resource *resource_find(const struct schema *schema, const char *uri, size_t len);

/* Finds every subschema at and below value, which is located at location, and creates its node. */
bool resource_register(struct compiler *k, const cJSON *value, struct location location,
    struct resource *resource, unsigned depth);
/* dialect applies if value does not declare one. NULL after a problem. */
struct resource *resource_add_root(
    struct compiler *k, const cJSON *value, const char *uri, struct dialect dialect);

/* The schemas from here on have an unknown dialect. */
bool resource_starts_unknown(const struct node *node);

/* reference.c: decides where dynamic references lead, if only one target is possible. */
void references_settle(struct schema *schema);

/* plan.c: prepares shortcuts once all nodes are compiled. */
void plan_all(struct schema *schema);

/* An unknown URI keeps the draft and sets `unknown`. */
bool dialect_from_uri(
    struct compiler *k, const cJSON *where, const char *uri, struct dialect *dialect);

#endif
