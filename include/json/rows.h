/* SPDX-License-Identifier: MIT */
#ifndef JSON_ROWS_H
#define JSON_ROWS_H

#include "json/doc.h"

/*
 * A lazy array is huge, and its items are not nodes. The offset of each item is known, and an item
 * is parsed when it is read. json_parse() makes such arrays if its options ask for them; it accepts
 * and rejects the same texts either way. json_type(), json_count(), the printer, equality and hash
 * know them; json_first() finds nothing in them and json_pointer_find() stops at them: read the
 * items with a reader, or with struct json_items if the array may be an ordinary one.
 * cJSON_IsArray() is false: to libcjson it is raw JSON. No item has a lazy array in it.
 */
#define JSON_LAZY (cJSON_Raw | cJSON_IsReference) /* the type of its node */

static inline bool
json_is_lazy(const cJSON *node)
{
	return node && (node->type & JSON_LAZY) == JSON_LAZY;
}

/* Parses items of one lazy array. Each thread may have its own reader; the doc must outlive them.
 * Equal keys of one reader are the same pointer. */
struct json_reader;

/* slots: how many items it remembers. */
struct json_reader *json_reader_create(const cJSON *array, size_t slots);
void json_reader_destroy(struct json_reader *r); /* NULL-safe */
/* Returns the item at index, less than json_count(). It is valid until `slots` others were read. A
 * row is a root: it has no siblings. */
const cJSON *json_reader_at(struct json_reader *r, size_t index);
/* Follows the keys from item index, as json_get() does, and parses only the value found, or NULL.
 * It is valid until a few other values were read. */
const cJSON *json_reader_member(
    struct json_reader *r, size_t index, const char *const *keys, size_t depth);
/* The text of item index, in which an ASCII text without quotes, backslashes and control characters
 * is in each key and value that contains it. false: it has escapes, so that may not be so. */
bool json_reader_text(const struct json_reader *r, size_t index, const char **text, size_t *len);
/* The same, living as long as the reader. */
const cJSON *json_reader_keep(struct json_reader *r, size_t index);
const cJSON *json_reader_kept(const struct json_reader *r, size_t index); /* NULL: it is not */
/* Forgets the rows that were not kept, and releases their memory. */
void json_reader_forget(struct json_reader *r);

/* Walks the items of any array:
 * for (json_items_init(&it, array, NULL); it.item; json_items_next(&it)) ...
 * json_items_finish(&it); */
struct json_items {
	const cJSON *item; /* NULL: past the last */
	size_t index, count;
	struct json_reader *reader; /* of a lazy array; NULL otherwise */
	bool own;
};

/* reader: of this array, if it is lazy; NULL: the function makes one. */
void json_items_init(struct json_items *it, const cJSON *array, struct json_reader *reader);
void json_items_finish(struct json_items *it);

static inline void
json_items_next(struct json_items *it)
{
	it->index++;
	if (!it->reader)
		it->item = it->item->next;
	else
		it->item = it->index < it->count ? json_reader_at(it->reader, it->index) : NULL;
}

#endif
