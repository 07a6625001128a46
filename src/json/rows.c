/* SPDX-License-Identifier: MIT */
#include "json/rows.h"

#include "base/mem.h"
#include "base/vec.h"
#include "parse.h"
#include "plain_text.h"

#include <stdlib.h>
#include <string.h>

/* An item is parsed whenever it is looked at: arrays of items that are large themselves are not
 * worth it. */
#define ITEM_BYTES_MAX 16384

void
lazy_open(struct parser *p)
{
	struct lazy *lazy = &p->lazy;
	size_t left = (size_t)(p->end - p->at);

	if (lazy->level != SIZE_MAX || p->at < lazy->not_before || left < lazy->min_bytes ||
	    left > UINT32_MAX)
		return;
	/* Is the innermost container the value that lazy.in names, or inside it? */
	const char *in = lazy->in;
	for (size_t level = 1; in && *in; level++) {
		const char *key =
		    level < p->levels.len ? p->levels.items[level].container->node.string : NULL;
		size_t len = strcspn(in + 1, "/");
		if (!key || strlen(key) != len || memcmp(key, in + 1, len) != 0)
			return;
		in += 1 + len;
	}
	lazy->level = p->levels.len;
	lazy->start = p->at;
	lazy->mark = (struct flaw_mark){ p->doc->flaws.count, p->doc->flaws.len, p->position.at,
		p->position.line_start, p->position.line };
	p->arena = &lazy->scratch;
}

void
lazy_item(struct parser *p)
{
	arena_rewind(&p->lazy.scratch);
	p->levels.items[p->levels.len - 1].last = NULL;
	*VEC_PUSH(&p->lazy.starts) = (uint32_t)(p->at - p->lazy.start);
}

bool
lazy_close(struct parser *p)
{
	struct lazy *lazy = &p->lazy;
	struct level *level = &p->levels.items[p->levels.len - 1];
	size_t bytes = (size_t)(p->at - lazy->start), count = lazy->starts.len;

	lazy->level = SIZE_MAX;
	lazy->not_before = p->at;
	p->arena = &p->doc->arena;
	level->last = level->container->node.child = NULL;
	if (bytes >= lazy->min_bytes && bytes / count <= ITEM_BYTES_MAX) {
		struct json_rows *rows = mem_alloc(sizeof(*rows));
		*rows = (struct json_rows){
			.next = p->doc->rows,
			.text = lazy->start,
			.starts = mem_realloc(lazy->starts.items, count * sizeof(*rows->starts)),
			.count = count,
			.end = p->at,
		};
		lazy->starts.items = NULL;
		lazy->starts.len = lazy->starts.cap = 0;
		p->doc->rows = rows;
		if (lazy->blob && !p->doc->blob)
			p->doc->blob = blob_ref(lazy->blob);
		level->container->node.type = JSON_LAZY;
		level->container->rows = rows;
		return true;
	}
	lazy->starts.len = 0;
	level->count = 0;
	p->doc->flaws.count = lazy->mark.count;
	p->doc->flaws.len = lazy->mark.kept;
	p->position.at = lazy->mark.at;
	p->position.line_start = lazy->mark.line_start;
	p->position.line = lazy->mark.line;
	p->at = lazy->start;
	return false;
}

struct slot {
	size_t index; /* of the item, + 1; 0: free */
	const cJSON *node;
	struct arena arena;
};

struct kept_item {
	size_t index; /* as above */
	const cJSON *node;
};

/* Values of members that live at once. */
#define MEMBERS 4

struct json_reader {
	const struct json_rows *rows;
	struct json_doc keys; /* has them in its arena; its root is the item parsed last */
	struct parser parser;
	struct slot *slots;
	size_t slot_count, next; /* the one read longest ago */
	size_t last;             /* the one read last */
	struct kept_item *kept;
	size_t kept_count, kept_mask;
	struct arena kept_arena;
	struct arena members[MEMBERS]; /* of json_reader_member() */
	size_t next_member;
};

struct json_reader *
json_reader_create(const cJSON *array, size_t slots)
{
	struct json_reader *r = mem_zalloc(sizeof(*r));

	BUG_IF(!json_is_lazy(array) || slots == 0);
	r->rows = json_node_of(array)->rows;
	r->slots = mem_zalloc(slots * sizeof(*r->slots));
	r->slot_count = slots;
	r->parser = (struct parser){
		.doc = &r->keys,
		.max_depth = SIZE_MAX,
		.lazy = { .level = SIZE_MAX },
	};
	r->parser.intern.arena = &r->keys.arena;
	return r;
}

void
json_reader_forget(struct json_reader *r)
{
	for (size_t i = 0; i < r->slot_count; i++) {
		arena_finish(&r->slots[i].arena);
		r->slots[i] = (struct slot){ 0 };
	}
}

void
json_reader_destroy(struct json_reader *r)
{
	if (!r)
		return;
	json_reader_forget(r);
	intern_finish(&r->parser.intern);
	free(r->parser.levels.items);
	arena_finish(&r->keys.arena);
	arena_finish(&r->kept_arena);
	for (size_t i = 0; i < MEMBERS; i++)
		arena_finish(&r->members[i]);
	free(r->slots);
	free(r->kept);
	free(r);
}

/* Only blanks and a comma separate two items, and no item ends in one of those. */
static const char *
end_of_item(const struct json_rows *rows, size_t index)
{
	BUG_IF(index >= rows->count);
	const char *end =
	    index + 1 < rows->count ? rows->text + rows->starts[index + 1] : rows->end;

	while (end[-1] == ',' || (unsigned char)end[-1] <= ' ')
		end--;
	return end;
}

/* An item, or a value in it, which was parsed before. */
static const cJSON *
parse_part(struct json_reader *r, struct arena *arena, const char *at, const char *end)
{
	struct parser *p = &r->parser;

	p->start = p->at = p->position.at = p->position.line_start = at;
	p->end = end;
	p->arena = arena;
	BUG_IF(!parse_value(p));
	return r->keys.root;
}

static const cJSON *
parse_item(struct json_reader *r, struct arena *arena, size_t index)
{
	const char *end = end_of_item(r->rows, index);

	return parse_part(r, arena, r->rows->text + r->rows->starts[index], end);
}

const cJSON *
json_reader_at(struct json_reader *r, size_t index)
{
	struct slot *slot = &r->slots[r->last];

	for (size_t i = 0; i < r->slot_count && slot->index != index + 1; i++)
		slot = &r->slots[i];
	if (slot->index != index + 1) {
		slot = &r->slots[r->next];
		r->next = (r->next + 1) % r->slot_count;
		arena_rewind(&slot->arena);
		slot->node = parse_item(r, &slot->arena, index);
		slot->index = index + 1;
	}
	r->last = (size_t)(slot - r->slots);
	return slot->node;
}

/* ---- members alone: the text was parsed before, so it is JSON ---- */

/* The value of the first member with the key, or NULL. at: the brace. */
static const char *
find_member(const char *at, const char *end, const char *key, size_t len, bool *escapes)
{
	for (at = skip_space(at + 1, end); *at == '"'; at = skip_space(at + 1, end)) {
		const char *name = at + 1;
		at = skip_string(at, end, escapes);
		if (*escapes)
			return NULL;
		bool found = (size_t)(at - 1 - name) == len && memcmp(name, key, len) == 0;
		at = skip_space(skip_space(at, end) + 1, end);
		if (found)
			return at;
		at = skip_space(skip_value(at, end), end);
		if (*at != ',')
			return NULL;
	}
	return NULL;
}

const cJSON *
json_reader_member(struct json_reader *r, size_t index, const char *const *keys, size_t depth)
{
	const char *at = r->rows->text + r->rows->starts[index], *end = end_of_item(r->rows, index);
	bool escapes = false;

	for (size_t i = 0; i < depth && (i == 0 || *at != 'n'); i++) {
		escapes =
		    strchr(keys[i], '\xef') != NULL; /* is it U+FFFD, which may replace any byte? */
		at = *at == '{' ? find_member(at, end, keys[i], strlen(keys[i]), &escapes) : NULL;
		if (escapes) { /* perhaps in a key */
			const cJSON *item = json_reader_at(r, index);
			for (size_t k = 0; k < depth && item && (k == 0 || !cJSON_IsNull(item));
			     k++)
				item = json_get(item, keys[k]);
			return item;
		}
		if (!at)
			return NULL;
	}
	struct arena *arena = &r->members[r->next_member++ % MEMBERS];
	arena_rewind(arena);
	return parse_part(r, arena, at, skip_value(at, end));
}

bool
json_reader_text(const struct json_reader *r, size_t index, const char **text, size_t *len)
{
	*text = r->rows->text + r->rows->starts[index];
	*len = (size_t)(end_of_item(r->rows, index) - *text);
	return memchr(*text, '\\', *len) == NULL;
}

/* ---- kept rows ---- */

static struct kept_item *
kept_slot(const struct json_reader *r, size_t index)
{
	size_t i = (index * 0x9e3779b97f4a7c15u >> 20) & r->kept_mask;

	while (r->kept[i].index && r->kept[i].index != index + 1)
		i = (i + 1) & r->kept_mask;
	return &r->kept[i];
}

const cJSON *
json_reader_kept(const struct json_reader *r, size_t index)
{
	return r->kept ? kept_slot(r, index)->node : NULL;
}

const cJSON *
json_reader_keep(struct json_reader *r, size_t index)
{
	if (!r->kept || r->kept_count * 2 > r->kept_mask) {
		struct kept_item *old = r->kept;
		size_t count = old ? r->kept_mask + 1 : 0;
		r->kept_mask = (count ? count * 2 : 64) - 1;
		r->kept = mem_zalloc((r->kept_mask + 1) * sizeof(*r->kept));
		for (size_t i = 0; i < count; i++)
			if (old[i].index)
				*kept_slot(r, old[i].index - 1) = old[i];
		free(old);
	}
	struct kept_item *slot = kept_slot(r, index);
	if (!slot->index) {
		*slot = (struct kept_item){ index + 1, parse_item(r, &r->kept_arena, index) };
		r->kept_count++;
	}
	return slot->node;
}

/* ---- any array ---- */

void
json_items_init(struct json_items *it, const cJSON *array, struct json_reader *reader)
{
	*it = (struct json_items){ .item = json_first(array), .count = json_count(array) };
	if (!json_is_lazy(array))
		return;
	it->own = !reader;
	it->reader = reader ? reader : json_reader_create(array, 1);
	it->item = json_reader_at(it->reader, 0);
}

void
json_items_finish(struct json_items *it)
{
	if (it->own)
		json_reader_destroy(it->reader);
	*it = (struct json_items){ 0 };
}
