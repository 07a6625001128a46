#include "intern_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "hash_priv.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

void
intern_init(struct intern *in, struct arena *arena)
{
	*in = (struct intern){ .arena = arena };
}

void
intern_finish(struct intern *in)
{
	free(in->slots);
	free(in->undo.items);
	*in = (struct intern){ 0 };
}

static void
grow(struct intern *in)
{
	size_t count = in->slot_count ? in->slot_count * 2 : FIRST_SLOTS;
	struct interned **slots = mem_zalloc(count * sizeof(*slots));

	for (size_t i = 0; i < in->slot_count; i++) {
		struct interned *key = in->slots[i];
		if (!key)
			continue;
		size_t at = key->hash & (count - 1);
		while (slots[at])
			at = (at + 1) & (count - 1);
		slots[at] = key;
	}
	free(in->slots);
	in->slots = slots;
	in->slot_count = count;
}

static struct interned *
new_key(struct intern *in, const char *text, size_t len)
{
	size_t align = alignof(struct interned);
	char *room = arena_bytes(in->arena, sizeof(struct interned) + len + align);
	char *end = room + sizeof(struct interned) + len + align;
	struct interned *key = (struct interned *)(((uintptr_t)room + align - 1) / align * align);

	*key = (struct interned){ .len = len };
	memcpy(key->text, text, len);
	key->text[len] = '\0';
	in->arena->bytes.at -= end - (key->text + len + 1);
	return key;
}

struct interned *
intern_key(struct intern *in, const char *text, size_t len, bool verbatim)
{
	/* The address differs from run to run, so nobody can prepare keys that all collide. */
	uint32_t hash = (uint32_t)hash_bytes((uintptr_t)in->arena, text, len);

	if (in->len * 2 >= in->slot_count)
		grow(in);
	size_t at = hash & (in->slot_count - 1);
	for (; in->slots[at]; at = (at + 1) & (in->slot_count - 1)) {
		struct interned *key = in->slots[at];
		if (key->hash == hash && key->len == len && memcmp(key->text, text, len) == 0) {
			key->verbatim |= verbatim;
			return key;
		}
	}
	struct interned *key = new_key(in, text, len);
	key->hash = hash;
	key->verbatim = verbatim;
	in->slots[at] = key;
	in->len++;
	return key;
}

void
intern_open(struct intern *in, struct scope *scope)
{
	*scope = (struct scope){ .id = ++in->last_scope, .undo_mark = in->undo.len };
}

void
intern_close(struct intern *in, struct scope *scope)
{
	while (in->undo.len > scope->undo_mark) {
		const struct intern_undo *undo = &in->undo.items[--in->undo.len];
		undo->key->scope = undo->scope;
		undo->key->depth = undo->depth;
	}
}

bool
intern_claim(struct intern *in, struct scope *scope, uint32_t depth, struct interned *key,
    bool outer_is_open)
{
	if (key->scope == scope->id)
		return false;
	if (outer_is_open)
		*VEC_PUSH(&in->undo) = (struct intern_undo){ key, key->scope, key->depth };
	key->scope = scope->id;
	key->depth = depth;
	scope->distinct++;
	return true;
}
