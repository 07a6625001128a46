#ifndef SCHEMA_SCHEMA_PRIV_H
#define SCHEMA_SCHEMA_PRIV_H

#include "node_priv.h"
#include "pool_priv.h"
#include "regex_priv.h"

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

#endif
