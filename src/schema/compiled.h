#ifndef SCHEMA_COMPILED_H
#define SCHEMA_COMPILED_H

#include "base/hash.h"
#include "json/doc.h"
#include "node.h"
#include "schema/regex/regex.h"

#include <stddef.h>

struct pool;

/* Zeroed memory that lives as long as the pool; NULL is an empty one. */
void *pool_alloc(struct pool **pool, size_t size);
char *pool_text(struct pool **pool, const char *text, size_t len);
void pool_destroy(struct pool *pool);

/*
 * A compiled schema: one node for each (sub)schema of the text, found once,
 * references included. A node is a list of rules, one for each keyword that
 * checks something; keywords that are checked in one loop over an object or an
 * array share `struct object_rules` or `struct array_rules`.
 * Everything here lives in the schema's pool and is immutable once compiled.
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

/* What a schema is written in: a draft, or what the vocabularies of a custom metaschema leave of
 * it. */
struct dialect {
	enum schema_draft draft;
	unsigned vocabularies; /* enum vocabulary, or'ed */
	bool asserts_format;
	bool unknown; /* nobody knows its metaschema: it is read as the draft above */
};

/* A tree that schemas are in: the first one is the schema itself, others were referred to. */
struct document {
	const char *uri;
	const cJSON *root;
};

/* A schema with a base URI of its own. */
struct resource {
	const char *uri; /* resolved, without fragment; "" at a root without $id */
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
	bool rival; /* another resource has a dynamic one of that name */
};

struct node_slot {
	const cJSON *source;
	struct node *node;
};

/* Hashes to numbers of items that are kept elsewhere. */
struct index_slot {
	uint64_t hash;
	uint32_t number; /* + 1 */
};

struct index {
	struct index_slot *slots;
	size_t count, used;
};

struct schema {
	enum schema_draft draft;
	enum schema_format_mode format;
	bool plainly;
	struct schema_library *library, *own_library; /* the latter where none was given */
	struct node *root;
	bool has_dynamic; /* a $dynamicRef or $recursiveRef that depends on the way it is reached */
	uint32_t key_count; /* size of a checker's key cache */
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
	struct {
		struct anchor *items;
		size_t len, cap;
	} anchors;
	struct index resources_by_uri, anchors_by_name, dynamic_by_name;
	struct {
		struct regex **items;
		size_t len, cap;
	} regexes;
	struct regex_room regex_room;
};

const struct anchor *anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic);
/* location.c: appends where a member of node's text is, or the node where member is NULL: a
 * pointer, with URI# before it in any document but the first. Cost: how deep that is. */
void schema_add_location(
    const struct schema *schema, const struct node *node, const cJSON *member, struct buf *out);
/* The same as a URI; false (nothing is appended) where it has no absolute one. */
bool schema_add_uri(const struct node *node, const cJSON *member, struct buf *out);
/* schema_check() by a part of the schema, where keyword paths of the report start. */
struct report *schema_check_by(const struct schema *schema, const struct node *node,
    const cJSON *instance, const struct check_options *options);

/* Values that are no containers, by their hashes: a long enum, alternatives that are constants. */
struct value_set;

enum value_added {
	VALUE_NEW,
	VALUE_KNOWN,
	VALUE_LOST, /* the values collide too much: somebody made them so; the set is of no use */
};

/* Room for so many. */
struct value_set *value_set_create(struct pool **pool, size_t count);
enum value_added value_set_add(struct value_set *set, const cJSON *value);

/*
 * What tells the branches of an anyOf or oneOf apart: a property, or a property
 * of a property, for which branches list the values it may have, themselves, in
 * allOf or behind a $ref. The checker looks up the few branches that a value
 * may match, and messages name that property.
 */
#define KINDS_DEPTH 3

/* Numbers of branches, ascending. */
struct branches {
	uint32_t *items;
	size_t len;
};

struct kind {
	const cJSON *value;       /* a constant of at least one branch; NULL: an empty slot */
	struct branches branches; /* of all that may match such a value, the others included */
};

struct kinds {
	const char *path[KINDS_DEPTH];
	unsigned depth;
	size_t named;            /* branches that list values */
	struct branches missing; /* that may match an object without the property */
	struct branches others;  /* that list no values */
	struct kind *slots;
	size_t mask;
};

/* NULL if nothing tells the branches of list apart. holder: the node that has the anyOf or oneOf.
 * *work goes down by what is looked at; at 0 nothing is. */
const struct kinds *kinds_create(
    struct pool **pool, const struct node *holder, const struct node_list *list, size_t *work);
/* The property in an object. NULL: it is not there; *blocked: something else stands where it would
 * be. */
const cJSON *kinds_property(const struct kinds *kinds, const cJSON *object, bool *blocked);
/* The branches that may match an object; NULL: all of them. *cost grows by the work done. */
const struct branches *kinds_branches(const struct kinds *kinds, const cJSON *object, size_t *cost);
/* const, or enum, that a branch demands of the property; NULL if it demands none. */
const struct rule *kinds_names(const struct kinds *kinds, const struct node *branch);
/* const, or enum, that node demands in any case; NULL if it demands none. */
const struct rule *node_constant(const struct node *node);

#endif
