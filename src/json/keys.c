#include "json/keys.h"

#include "base/mem.h"
#include "hash_priv.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };

/* The slot that holds the key, or the empty one where it would go. */
static const cJSON **
slot_of(const struct json_keys *keys, const char *key)
{
	/* A table lives in its call alone, so its address is a seed nobody can prepare for. */
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
	for (const cJSON *member = object->child; member; member = member->next) {
		*slot_of(keys, member->string) = member;
	}
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
