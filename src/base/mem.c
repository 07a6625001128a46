/* SPDX-License-Identifier: MIT */
/* Memory: allocation, growable arrays, the hash table, and the two ways to give up: a bug and no
 * memory. */
#include "base/mem.h"

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void (*mem_before_exit)(void);
char bug_text[256];

bool
err_set(struct err *err, const char *format, ...)
{
	if (err) {
		FORMAT_INTO(err->text, format);
	}
	return false;
}

_Noreturn void
bug_at(const char *file, int line, const char *what)
{
	snprintf(bug_text, sizeof(bug_text), "mcpane: bug at %s:%d: %s", file, line, what);
	abort();
}

/* ---- allocation ---- */

static void *
checked(void *p)
{
	if (p)
		return p;
	if (mem_before_exit)
		mem_before_exit();
	fputs("mcpane: out of memory\n", stderr);
	exit(1);
}

void *
mem_alloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *
mem_alloc_huge(size_t size)
{
	void *p = checked(aligned_alloc(MEM_HUGE, size));

	(void)madvise(p, size, MADV_HUGEPAGE); /* only advice: small pages do as well */
	return p;
}

void
mem_clear(void *p, size_t size)
{
	memset(p, 0, size);
}

void *
mem_zalloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *
mem_realloc(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1));
}

void *
mem_dup(const void *bytes, size_t len)
{
	void *copy = mem_alloc(len);

	if (len > 0)
		memcpy(copy, bytes, len);
	return copy;
}

char *
mem_strdup(const char *text)
{
	return text ? mem_dup(text, strlen(text) + 1) : NULL;
}

char *
mem_strndup(const char *text, size_t len)
{
	char *copy = mem_alloc(len + 1);

	if (len > 0)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *
mem_vprintf(const char *format, va_list args)
{
	char most[200], *text; /* nearly always enough */
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(most, sizeof(most), format, args);
	if ((size_t)len < sizeof(most)) {
		text = mem_strndup(most, (size_t)len);
	} else {
		text = mem_alloc((size_t)len + 1);
		vsnprintf(text, (size_t)len + 1, format, again);
	}
	va_end(again);
	return text;
}

char *
mem_printf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = mem_vprintf(format, args);
	va_end(args);
	return text;
}

/* ---- growable arrays ---- */

void *
vec_room(void *items, size_t *cap, size_t len, size_t item_size)
{
	if (len < *cap)
		return items;
	*cap = *cap ? *cap * 2 : 8;
	return mem_realloc(items, *cap * item_size);
}

void
vec_remove(void *items, size_t *len, size_t index, size_t item_size)
{
	BUG_IF(index >= *len);
	char *at = (char *)items + index * item_size;

	(*len)--;
	memmove(at, at + item_size, (*len - index) * item_size);
}

/* ---- the hash table ---- */

void
map_finish(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

void
map_clear(struct map *m)
{
	if (m->slots)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->len = 0;
}

static void
put(struct map *m, uint64_t hash, const void *value)
{
	size_t i = (size_t)hash & (m->cap - 1);

	while (m->slots[i].value)
		i = (i + 1) & (m->cap - 1);
	m->slots[i] = (struct map_slot){ hash, value };
}

void
map_add(struct map *m, uint64_t hash, const void *value)
{
	if (m->len * 2 >= m->cap) {
		struct map old = *m;
		size_t first = 0; /* a free slot: values with the same hash are in order from it */
		m->cap = old.cap ? old.cap * 2 : 16;
		m->slots = mem_zalloc(m->cap * sizeof(*m->slots));
		while (old.cap && old.slots[first].value)
			first++;
		for (size_t i = 0; i < old.cap; i++) {
			const struct map_slot *slot = &old.slots[(first + i) & (old.cap - 1)];
			if (slot->value)
				put(m, slot->hash, slot->value);
		}
		free(old.slots);
	}
	put(m, hash, value);
	m->len++;
}
