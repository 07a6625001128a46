/* SPDX-License-Identifier: MIT */
#ifndef JSON_ARENA_H
#define JSON_ARENA_H

#include "base/map.h"
#include "json/doc.h"
#include "json/keys.h"

/*
 * A node with more data than cJSON has fields for. cJSON_IsReference in its type marks it, which to
 * libcjson means that the node does not own the data it points to. cJSON_Duplicate() clears the
 * mark, so a copy is never read past its end.
 */
struct json_node {
	cJSON node;
	union {
		struct {
			uint32_t count, distinct; /* distinct: the different keys of an object */
		} children;                       /* of an array or object */
		const char *written; /* the text of a number that its double does not reproduce */
		const struct json_rows *rows; /* of a lazy array */
	};
};

/* NULL: the fields of cJSON are all. */
static inline const struct json_node *
json_node_of(const cJSON *node)
{
	return node->type & cJSON_IsReference ? (const struct json_node *)node : NULL;
}

/*
 * The memory of one document: nodes in the order of the text, and bytes, both packed. Nothing is
 * released before all of it is.
 */
struct arena_pool {
	char *at, *end;
};

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t held; /* bytes asked of the heap; the larger, the larger the next block */
	struct arena_pool nodes, bytes;
};

void arena_finish(struct arena *arena);
void arena_rewind(struct arena *arena); /* empties it, keeps the memory */
/* A fresh block that holds at least len bytes. The rest of the old one is given up. */
void arena_refill(struct arena *arena, struct arena_pool *pool, size_t len);

static inline void *
arena_node_bytes(struct arena *arena, size_t len)
{
	if ((size_t)(arena->nodes.end - arena->nodes.at) < len)
		arena_refill(arena, &arena->nodes, len);
	char *at = arena->nodes.at;
	arena->nodes.at += len;
	return at;
}

static inline cJSON *
arena_node(struct arena *arena)
{
	return arena_node_bytes(arena, sizeof(cJSON));
}

static inline struct json_node *
arena_long_node(struct arena *arena)
{
	return arena_node_bytes(arena, sizeof(struct json_node));
}

static inline char *
arena_bytes(struct arena *arena, size_t len)
{
	if ((size_t)(arena->bytes.end - arena->bytes.at) < len)
		arena_refill(arena, &arena->bytes, len);
	char *bytes = arena->bytes.at;
	arena->bytes.at += len;
	return bytes;
}

/*
 * The keys of one document, each kept once, and which open object has which of
 * them: equal keys are one pointer, and a duplicate is found in constant time.
 */
struct interned {
	struct interned *following; /* the key that came after this one the last time */
	char *text;                 /* in the document */
	size_t len;
	uint32_t scope; /* the last object that had this key ... */
	uint32_t depth; /* ... and the level it is, or was, at */
	bool verbatim;  /* identical to the source text: no escape, no repair */
};

/* The keys of an open object. */
struct scope {
	uint32_t id;       /* never 0 for an object, never used again */
	uint32_t distinct; /* keys met so far, each counted once */
	size_t undo_mark;  /* length of the undo list when the object was opened */
};

struct intern {
	struct arena *arena;  /* for the texts */
	struct arena entries; /* struct interned, one in the place of a node */
	struct map keys;
	uint32_t last_scope;
	/* Keys that an object borrowed from an enclosing one and will return. */
	struct {
		struct intern_undo {
			struct interned *key;
			uint32_t scope, depth;
		} * items;
		size_t len, cap;
	} undo;
};

void intern_finish(struct intern *in);
struct interned *intern_key(struct intern *in, const char *text, size_t len, bool verbatim);

#endif
