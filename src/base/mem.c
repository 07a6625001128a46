/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "base/err.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*before_exit)(void);

void
mem_before_exit(void (*restore)(void))
{
	before_exit = restore;
}

static void *
checked(void *p)
{
	if (p)
		return p;
	if (before_exit)
		before_exit();
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
