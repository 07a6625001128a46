#include "compile_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Members of the large objects that references lead through. Without it a schema of n definitions
 * that refer to each other takes n * n comparisons. */
#define SMALL 32

static size_t
slot_index(const struct lookup *l, const cJSON *object, const char *name)
{
	uint64_t hash = text_hash(object, name, strlen(name));

	return (size_t)hash & (l->count - 1);
}

static struct lookup_slot *
slot_of(const struct lookup *l, const cJSON *object, const char *name)
{
	size_t i = slot_index(l, object, name);

	while (l->slots[i].object &&
	       (l->slots[i].object != object || strcmp(l->slots[i].name, name) != 0))
		i = (i + 1) & (l->count - 1);
	return &l->slots[i];
}

static void
reserve(struct lookup *l, size_t more)
{
	struct lookup old = *l;

	if ((l->used + more) * 2 <= l->count)
		return;
	l->count = l->count ? l->count : 256;
	while ((l->used + more) * 2 > l->count)
		l->count *= 2;
	l->slots = mem_zalloc(l->count * sizeof(*l->slots));
	for (size_t i = 0; i < old.count; i++)
		if (old.slots[i].object)
			*slot_of(l, old.slots[i].object, old.slots[i].name) = old.slots[i];
	free(old.slots);
}

static void
add(struct lookup *l, const cJSON *object, const char *name, const cJSON *member)
{
	struct lookup_slot *slot = slot_of(l, object, name);

	if (slot->object)
		return;
	*slot = (struct lookup_slot){ .object = object, .name = name, .member = member };
	l->used++;
}

const cJSON *
lookup_member(struct lookup *l, const cJSON *object, const char *name)
{
	size_t count = json_count(object);

	if (count <= SMALL)
		return json_get(object, name);
	/* An object that is in has its first member in. */
	const cJSON *first = json_first(object);
	if (!l->slots || !slot_of(l, object, first->string)->object) {
		reserve(l, count);
		for (const cJSON *c = first; c; c = c->next)
			add(l, object, c->string, c);
	}
	return slot_of(l, object, name)->member;
}

void
lookup_finish(struct lookup *l)
{
	free(l->slots);
	*l = (struct lookup){ 0 };
}
