#include "json/rows.h"

#include "base/mem.h"
#include "parse_priv.h"

#include <stdlib.h>
#include <string.h>

struct slot {
	size_t index; /* of the item, + 1; 0: free */
	const cJSON *node;
	struct arena arena;
};

struct kept {
	size_t index; /* as above */
	const cJSON *node;
};

struct json_reader {
	const struct json_rows *rows;
	struct json_doc keys; /* has them in its arena; its root is the item parsed last */
	struct parser parser;
	struct slot *slots;
	size_t slot_count, next; /* the one read longest ago */
	size_t last;             /* the one read last */
	struct kept *kept;
	size_t kept_count, kept_mask;
	struct arena kept_arena;
};

struct json_reader *
json_reader_create(const cJSON *array, size_t slots)
{
	struct json_reader *r = mem_zalloc(sizeof(*r));

	BUG_IF(!json_is_lazy(array) || slots == 0);
	r->rows = (const struct json_rows *)array->valuestring;
	r->slots = mem_zalloc(slots * sizeof(*r->slots));
	r->slot_count = slots;
	r->parser = (struct parser){
		.doc = &r->keys,
		.max_depth = SIZE_MAX,
		.lazy = { .level = SIZE_MAX },
	};
	intern_init(&r->parser.intern, &r->keys.arena);
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
	free(r->slots);
	free(r->kept);
	free(r);
}

/* What is between the end of an item and the start of the next is blanks and a comma, and no item
 * ends in one of those. */
static const char *
end_of_item(const struct json_rows *rows, size_t index)
{
	const char *end =
	    index + 1 < rows->count ? rows->text + rows->starts[index + 1] : rows->end;

	while (end[-1] == ',' || (unsigned char)end[-1] <= ' ')
		end--;
	return end;
}

static const cJSON *
parse_item(struct json_reader *r, struct arena *arena, size_t index)
{
	struct parser *p = &r->parser;

	BUG_IF(index >= r->rows->count);
	p->start = p->at = r->rows->text + r->rows->starts[index];
	p->end = end_of_item(r->rows, index);
	p->position.at = p->position.line_start = p->start;
	p->arena = arena;
	BUG_IF(!parse_value(p)); /* it was parsed before */
	return r->keys.root;
}

static struct slot *
find_slot(struct json_reader *r, size_t index)
{
	if (r->slots[r->last].index == index + 1)
		return &r->slots[r->last];
	for (size_t i = 0; i < r->slot_count; i++)
		if (r->slots[i].index == index + 1)
			return &r->slots[i];
	return NULL;
}

const cJSON *
json_reader_at(struct json_reader *r, size_t index)
{
	struct slot *slot = find_slot(r, index);

	if (!slot) {
		slot = &r->slots[r->next];
		r->next = (r->next + 1) % r->slot_count;
		arena_rewind(&slot->arena);
		slot->node = parse_item(r, &slot->arena, index);
		slot->index = index + 1;
	}
	r->last = (size_t)(slot - r->slots);
	return slot->node;
}

/* ---- what is kept ---- */

static struct kept *
kept_slot(const struct json_reader *r, size_t index)
{
	size_t i = (index * 0x9e3779b97f4a7c15u >> 20) & r->kept_mask;

	while (r->kept[i].index && r->kept[i].index != index + 1)
		i = (i + 1) & r->kept_mask;
	return &r->kept[i];
}

static void
grow_kept(struct json_reader *r)
{
	struct kept *old = r->kept;
	size_t count = old ? r->kept_mask + 1 : 0;

	r->kept_mask = (count ? count * 2 : 64) - 1;
	r->kept = mem_zalloc((r->kept_mask + 1) * sizeof(*r->kept));
	for (size_t i = 0; i < count; i++)
		if (old[i].index)
			*kept_slot(r, old[i].index - 1) = old[i];
	free(old);
}

const cJSON *
json_reader_kept(const struct json_reader *r, size_t index)
{
	return r->kept ? kept_slot(r, index)->node : NULL;
}

const cJSON *
json_reader_keep(struct json_reader *r, size_t index)
{
	if (!r->kept || r->kept_count * 2 > r->kept_mask)
		grow_kept(r);
	struct kept *slot = kept_slot(r, index);
	if (!slot->index) {
		*slot = (struct kept){ index + 1, parse_item(r, &r->kept_arena, index) };
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
