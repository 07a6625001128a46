/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "arena.h"
#include "base/buf.h"
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/keys.h"
#include "json/print.h"
#include "json/rows.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 64, /* of the cache */
	FIRST_BLOCK = 1024,
	LAST_BLOCK = 1024 * 1024,
	HUGE_FROM = 8 * 1024 * 1024, /* the unused end of a huge page is little then */
	/* A small arena keeps bytes next to their nodes, so that both are in few pages. */
	SMALL = 64 * 1024,
	CHUNK = 4 * LINE,
};
static_assert(sizeof(struct interned) <= sizeof(cJSON), "an entry takes the place of a node");

struct arena_block {
	struct arena_block *next;
	size_t size;
};

/* ---- memory of a document (arena.h) ---- */

void
arena_finish(struct arena *arena)
{
	for (struct arena_block *next, *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	*arena = (struct arena){ 0 };
}

/* Whole lines, from line to line. */
static void
set_pool(struct arena_pool *pool, struct arena_block *block)
{
	uintptr_t start = ((uintptr_t)(block + 1) + LINE - 1) / LINE * LINE;
	uintptr_t end = ((uintptr_t)block + block->size) / LINE * LINE;

	pool->at = (char *)start;
	pool->end = (char *)end;
}

/* An eighth more each time wastes little and still takes few blocks. */
static void
new_block(struct arena *arena, struct arena_pool *pool, size_t len)
{
	size_t size = arena->held / 8;

	size = arena->held >= HUGE_FROM ? MEM_HUGE
	       : size < FIRST_BLOCK     ? FIRST_BLOCK
	       : size > LAST_BLOCK      ? LAST_BLOCK
					: size;
	bool huge = size == MEM_HUGE && len <= size - LINE * 2;

	if (size < len + LINE * 2)
		size = len + LINE * 2;
	struct arena_block *block = huge ? mem_alloc_huge(size) : mem_alloc(size);
	*block = (struct arena_block){ arena->blocks, size };
	arena->blocks = block;
	arena->held += size;
	set_pool(pool, block);
}

void
arena_refill(struct arena *arena, struct arena_pool *pool, size_t len)
{
	struct arena_pool *nodes = &arena->nodes;

	if (pool == nodes || arena->held >= SMALL || len > CHUNK) {
		new_block(arena, pool, len);
		return;
	}
	if (nodes->end - nodes->at < CHUNK)
		new_block(arena, nodes, CHUNK);
	*pool = (struct arena_pool){ nodes->at, nodes->at + CHUNK };
	nodes->at += CHUNK;
}

/* Two blocks, one for each pool, are kept: the next content will be of the same size, mostly. */
void
arena_rewind(struct arena *arena)
{
	struct arena_block *last = arena->blocks, *first = last ? last->next : NULL;

	if (first && first->next) {
		arena_finish(arena);
		return;
	}
	arena->nodes = arena->bytes = (struct arena_pool){ 0 };
	if (last)
		set_pool(&arena->nodes, last);
	if (first)
		set_pool(&arena->bytes, first);
}

void
intern_finish(struct intern *in)
{
	map_finish(&in->keys);
	arena_finish(&in->entries);
	free(in->undo.items);
	*in = (struct intern){ 0 };
}

/* A key's text with its header and its zeros (json/keys.h). */
static char *
arena_key(struct arena *arena, const char *text, struct json_key key)
{
	size_t align = alignof(uint64_t), len = key.len, bytes = json_key_bytes(len);
	uintptr_t room = (uintptr_t)arena_bytes(arena, sizeof(key) + bytes + align - 1);
	char *at = (char *)((room + align - 1) / align * align);

	memcpy(at, &key, sizeof(key));
	memcpy(at + sizeof(key), text, len);
	memset(at + sizeof(key) + len, 0, bytes - len);
	arena->bytes.at = at + sizeof(key) + bytes;
	return at + sizeof(key);
}

struct interned *
intern_key(struct intern *in, const char *text, size_t len, bool verbatim)
{
	uint32_t hash = json_key_hash(text, len);
	struct interned *key;

	MAP_EACH(&in->keys, hash, key)
		if (key->len == len && memcmp(key->text, text, len) == 0) {
			key->verbatim |= verbatim;
			return key;
		}
	key = (struct interned *)arena_node(&in->entries);
	*key = (struct interned){ .len = len,
		.verbatim = verbatim,
		.text = arena_key(in->arena, text, (struct json_key){ hash, (uint32_t)len }) };
	map_add(&in->keys, hash, key);
	return key;
}

/* ---- documents ---- */

struct json_doc *
json_doc_ref(struct json_doc *doc)
{
	if (doc)
		doc->refs++;
	return doc;
}

void
json_doc_destroy(struct json_doc *doc)
{
	if (!doc || doc->refs-- > 0)
		return;
	json_doc_destroy(doc->whole);
	for (struct json_rows *next, *rows = doc->rows; rows; rows = next) {
		next = rows->next;
		free(rows->starts);
		free(rows);
	}
	blob_unref(doc->blob);
	arena_finish(&doc->arena);
	free(doc->flaws.items);
	free(doc);
}

/* ---- parts ---- */

/* More than this is not copied. */
#define PART_BYTES ((size_t)256 << 10)

static bool
copy_text(struct arena *arena, char **text, size_t *left)
{
	size_t len = *text ? strnlen(*text, *left) + 1 : 0;

	if (len > *left)
		return false;
	*left -= len;
	if (*text)
		*text = memcpy(arena_bytes(arena, len), *text, len);
	return true;
}

/* NULL: it takes more bytes than are left. */
static cJSON *
copy_node(struct arena *arena, const cJSON *node, size_t *left)
{
	const struct json_node *more = json_node_of(node);
	struct json_node *longer = more ? arena_long_node(arena) : NULL;
	cJSON *copy = longer ? &longer->node : arena_node(arena), *last = NULL;

	if (longer)
		*longer = *more;
	else
		*copy = *node;
	copy->next = copy->prev = copy->child = NULL;
	if (*left < sizeof(*longer) || json_is_lazy(node))
		return NULL;
	*left -= sizeof(*longer);
	if (node->string) {
		const struct json_key key = json_key_of(node);
		size_t len = sizeof(key) + json_key_bytes(key.len) + alignof(uint64_t);
		if (len > *left)
			return NULL;
		*left -= len;
		copy->string = arena_key(arena, node->string, key);
	}
	if (!copy_text(arena, &copy->valuestring, left))
		return NULL;
	if (longer && cJSON_IsNumber(node) && !copy_text(arena, (char **)&longer->written, left))
		return NULL;
	for (const cJSON *child = json_first(node); child; child = child->next) {
		cJSON *next = copy_node(arena, child, left);
		if (!next)
			return NULL;
		next->prev = last;
		*(last ? &last->next : &copy->child) = next;
		last = next;
		copy->child->prev = last; /* as in every tree of cJSON's */
	}
	return copy;
}

struct json_doc *
json_part(struct json_doc *doc, const cJSON *node)
{
	struct json_doc *part = node ? mem_zalloc(sizeof(*part)) : NULL;
	size_t left = PART_BYTES;

	if (!part)
		return NULL;
	part->root = copy_node(&part->arena, node, &left);
	if (part->root)
		return part;
	arena_finish(&part->arena);
	part->root = node;
	part->whole = json_doc_ref(doc->whole ? doc->whole : doc);
	return part;
}

struct json_doc *
json_copy(const cJSON *tree)
{
	char *text = json_text(tree);
	struct json_doc *doc = text ? json_parse(text, strlen(text), NULL, NULL) : NULL;

	free(text);
	return doc;
}

const char *
json_label(struct json_doc *doc, const char *text)
{
	static const char more[] = "…";
	size_t len = text ? label_length(text) : 0;

	if (!text || text[len] == '\0')
		return text;
	char *label = arena_bytes(&doc->arena, len + sizeof(more));
	memcpy(label, text, len);
	memcpy(label + len, more, sizeof(more));
	return label;
}

const char *
json_prose(struct json_doc *doc, const char *text)
{
	struct buf prose = BUF_INIT;
	size_t len = text ? strlen(text) : 0;

	if (len == 0 || !memchr(text, '\n', len))
		return text;
	glyph_add_dedented(&prose, text, len);
	if (prose.len != len)
		text = memcpy(
		    arena_bytes(&doc->arena, prose.len + 1), buf_text(&prose), prose.len + 1);
	buf_finish(&prose);
	return text;
}

const cJSON *
json_root(const struct json_doc *doc)
{
	return doc ? doc->root : NULL;
}

const struct json_flaws *
json_flaws(const struct json_doc *doc)
{
	return &doc->flaws;
}

const char *
json_flaw_text(enum json_flaw_kind kind)
{
	static const char *const texts[] = {
		[JSON_FLAW_DUPLICATE_KEY] = "duplicate key",
		[JSON_FLAW_NUL] = "NUL in a string",
		[JSON_FLAW_LONE_SURROGATE] = "lone surrogate",
		[JSON_FLAW_INVALID_UTF8] = "invalid UTF-8",
	};

	return texts[kind];
}

size_t
json_doc_memory(const struct json_doc *doc)
{
	size_t bytes = sizeof(*doc) + doc->arena.held + doc->flaws.cap * sizeof(*doc->flaws.items);

	for (const struct json_rows *rows = doc->rows; rows; rows = rows->next)
		bytes += sizeof(*rows) + rows->count * sizeof(*rows->starts);
	return bytes + (doc->whole ? json_doc_memory(doc->whole) : 0);
}

enum json_type
json_type(const cJSON *node)
{
	if (!node)
		return JSON_ABSENT;
	switch (node->type & 0xff) {
	case cJSON_NULL:
		return JSON_NULL;
	case cJSON_False:
	case cJSON_True:
		return JSON_BOOLEAN;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Raw:
		return json_is_lazy(node) ? JSON_ARRAY : JSON_ABSENT;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_ABSENT;
	}
}

const char *
json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_ABSENT] = "absent",
		[JSON_NULL] = "null",
		[JSON_BOOLEAN] = "boolean",
		[JSON_NUMBER] = "number",
		[JSON_STRING] = "string",
		[JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object",
	};

	return names[type];
}

const cJSON *
json_get(const cJSON *object, const char *key)
{
	return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *
json_get_string(const cJSON *object, const char *key)
{
	return cJSON_GetStringValue(json_get(object, key));
}

const cJSON *
json_find_by(const cJSON *container, const char *key, const char *text)
{
	for (const cJSON *child = json_first(container); child; child = child->next) {
		const char *found = json_get_string(child, key);
		if (found && text && strcmp(found, text) == 0)
			return child;
	}
	return NULL;
}

size_t
json_count(const cJSON *container)
{
	if (!container || !(container->type & (cJSON_Array | cJSON_Object | cJSON_Raw)))
		return 0;
	const struct json_node *more = json_node_of(container);
	if (!more)
		return (size_t)cJSON_GetArraySize(container);
	return json_is_lazy(container) ? more->rows->count : more->children.count;
}

bool
json_has_at_most(const cJSON *node, size_t most)
{
	if (json_count(node) > most)
		return false;
	for (const cJSON *child = json_first(node); child; child = child->next)
		if (!json_has_at_most(child, most))
			return false;
	return true;
}

const cJSON *
json_first(const cJSON *container)
{
	enum json_type type = json_type(container);

	return type == JSON_ARRAY || type == JSON_OBJECT ? container->child : NULL;
}

size_t
json_keys_count(const cJSON *object)
{
	const struct json_node *more = json_node_of(object);

	return more ? more->children.distinct : json_count(object);
}

enum { FEW = 16 };

uint32_t
json_key_hash(const char *text, size_t len)
{
	static const char seed = 0;

	return (uint32_t)text_hash(&seed, text, len);
}

/* The slot that holds the key, or the empty slot for it. */
static const cJSON **
slot_of(const struct json_keys *keys, const char *key)
{
	/* The table exists for this call only, so its address is a seed that an attacker cannot
	 * know. */
	size_t at = (size_t)hash_bytes((uintptr_t)keys->slots, key, strlen(key));

	for (at &= keys->slot_count - 1;; at = (at + 1) & (keys->slot_count - 1)) {
		const cJSON *member = keys->slots[at];
		if (!member || member->string == key || strcmp(member->string, key) == 0)
			return &keys->slots[at];
	}
}

void
json_keys_init(struct json_keys *keys, const cJSON *object)
{
	size_t count = json_count(object);

	*keys = (struct json_keys){ .object = object };
	if (count <= FEW)
		return;
	for (keys->slot_count = FEW * 2; keys->slot_count < count * 2;)
		keys->slot_count *= 2;
	keys->slots = mem_zalloc(keys->slot_count * sizeof(*keys->slots));
	for (const cJSON *member = object->child; member; member = member->next)
		*slot_of(keys, member->string) = member;
}

void
json_keys_finish(struct json_keys *keys)
{
	free(keys->slots);
	*keys = (struct json_keys){ 0 };
}

const cJSON *
json_keys_find(const struct json_keys *keys, const char *key)
{
	const cJSON *last = NULL;

	if (keys->slots)
		return *slot_of(keys, key);
	for (const cJSON *member = json_first(keys->object); member; member = member->next)
		if (member->string == key || strcmp(member->string, key) == 0)
			last = member;
	return last;
}
