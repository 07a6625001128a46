#ifndef SCHEMA_COMPILED_H
#define SCHEMA_COMPILED_H

#include "base/map.h"
#include "json/doc.h"
#include "json/keys.h"
#include "node.h"
#include "schema/regex/regex.h"

#include <stddef.h>

struct pool;

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
	struct schema_library *library,
	    *own_library; /* own_library is used if the caller gave none */
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
/* location.c: appends the location of a member of node's text, or of the node if member is NULL:
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
 * if branches list its allowed values directly, in allOf, behind a $ref, or in each alternative
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

/* NULL if nothing distinguishes the branches of list. holder: the node with the anyOf or oneOf.
 * *work goes down with each step; at 0 the search ends. */
const struct kinds *kinds_create(
    struct pool **pool, const struct node *holder, const struct node_list *list, size_t *work);
/* The property in an object. NULL if it is missing; *blocked: a value on the path is not an
 * object. */
const cJSON *kinds_property(const struct kinds *kinds, const cJSON *object, bool *blocked);
/* The branches that may match an object; NULL for all. *cost grows by the work done. */
const struct branches *kinds_branches(const struct kinds *kinds, const cJSON *object, size_t *cost);
/* The const or enum that node always demands, or NULL. */
const struct rule *node_constant(const struct node *node);

/*
 * Distinguishes the branches of an anyOf or oneOf by the names they require, if kinds cannot: a
 * branch can only match an object that has its rarest one.
 */
struct presence {
	struct object_rules names;
	struct branches *branches; /* for each name; empty if it is the rarest of none */
	struct branches others;    /* those that require no name */
};

/* NULL if it would not help. *work as for kinds_create(). */
const struct presence *presence_create(
    struct pool **pool, const struct node_list *list, size_t *work);
/* The branches that an object may match; NULL for all. */
const struct branches *presence_branches(const struct presence *presence, const cJSON *object);

/* The rules for members of all that node demands of an object, if they are no more than that and
 * each name is checked by one schema; else NULL. *work as for kinds_create(). */
const struct object_rules *row_create(struct pool **pool, const struct node *node, size_t *work);
/* plan.c: gives each required member its bit, if they are few. */
void number_required(struct object_rules *rules);

/* The i-th subschema that a rule applies to every value, or NULL. */
const struct node *rule_always(const struct rule *rule, size_t i);
/* Appends to a list in ascending order, unless it is the last one already. */
void branches_push(struct branches *branches, uint32_t branch);
struct branches branches_merge(
    struct pool **pool, const struct branches *a, const struct branches *b);

#endif
