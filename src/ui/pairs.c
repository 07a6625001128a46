#include "backend_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int64_t
key_of(int32_t fg, int32_t bg)
{
	/* COLOR_DEFAULT is -1: both parts are at least 1 */
	return (int64_t)(fg + 2) << 32 | (bg + 2);
}

static struct pair *
slot_of(const struct pairs *p, int64_t key)
{
	uint64_t hash = (uint64_t)key * 0x9e3779b97f4a7c15u;
	uint32_t mask = (uint32_t)p->slot_count - 1;
	uint32_t at = (uint32_t)(hash >> 32) & mask;

	while (p->slots[at].key != 0 && p->slots[at].key != key)
		at = (at + 1) & mask;
	return &p->slots[at];
}

static void
grow(struct pairs *p)
{
	struct pairs old = *p;

	p->slot_count = old.slot_count ? old.slot_count * 2 : 256;
	p->slots = mem_zalloc((size_t)p->slot_count * sizeof(*p->slots));
	for (int i = 0; i < old.slot_count; i++)
		if (old.slots[i].key != 0)
			*slot_of(p, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

int
pairs_number(struct pairs *p, int32_t fg, int32_t bg, bool *is_new)
{
	if (p->used >= p->slot_count / 2)
		grow(p);
	struct pair *slot = slot_of(p, key_of(fg, bg));
	*is_new = slot->key == 0;
	if (*is_new)
		*slot = (struct pair){ .key = key_of(fg, bg), .number = ++p->used };
	return slot->number;
}

void
pairs_clear(struct pairs *p)
{
	if (p->slots)
		memset(p->slots, 0, (size_t)p->slot_count * sizeof(*p->slots));
	p->used = 0;
}

void
pairs_finish(struct pairs *p)
{
	free(p->slots);
	*p = (struct pairs){ 0 };
}
