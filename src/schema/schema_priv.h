#ifndef SCHEMA_SCHEMA_PRIV_H
#define SCHEMA_SCHEMA_PRIV_H

#include "node_priv.h"
#include "pool_priv.h"

/*
 * A compiled schema: one node for each (sub)schema of the text, found once,
 * references included. A node is a list of rules, one for each keyword that
 * checks something; keywords that are checked in one loop over an object or an
 * array share `struct object_rules` or `struct array_rules`.
 * Everything here lives in the schema's pool and is immutable once compiled.
 */

/* A schema with a base URI of its own. */
struct resource {
	const char *uri; /* resolved, without fragment; "" at a root without $id */
	uint64_t hash;
	struct node *root;
	enum schema_draft draft;
	bool recursive; /* $recursiveAnchor: true */
};

struct anchor {
	const struct resource *resource;
	const char *name;
	uint64_t hash;
	struct node *node;
	bool dynamic;
};

struct node_slot {
	const cJSON *source;
	struct node *node;
};

struct schema {
	const cJSON *text;
	enum schema_draft draft;
	enum schema_format_mode format;
	struct node *root;
	bool has_dynamic; /* a $dynamicRef or $recursiveRef that depends on the way it is reached */
	uint32_t key_count; /* size of a checker's key cache */
	struct pool *pool;
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
	struct {
		struct regex **items;
		size_t len, cap;
	} regexes;
};

const struct anchor *anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic);

#endif
