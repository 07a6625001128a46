/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){ .max = max };
}

void
buf_finish(struct buf *b)
{
	if (!b)
		return;
	free(b->data);
	buf_init(b, b->max);
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	b->overflowed = false;
	if (b->data)
		b->data[0] = '\0';
}

char *
buf_reserve(struct buf *b, size_t len)
{
	size_t max = b->max ? b->max : SIZE_MAX / 2;

	if (len > max - b->len) {
		b->overflowed = true;
		return NULL;
	}
	if (!b->data || b->len + len + 1 > b->cap) {
		size_t cap = b->cap ? b->cap + b->cap / 2 : 128;
		if (cap < b->len + len + 1)
			cap = b->len + len + 1;
		b->data = mem_realloc(b->data, cap);
		b->cap = cap;
	}
	return b->data + b->len;
}

void
buf_commit(struct buf *b, size_t len)
{
	b->len += len;
	b->data[b->len] = '\0';
}

bool
buf_add(struct buf *b, const void *data, size_t len)
{
	char *to = buf_reserve(b, len);

	if (!to)
		return false;
	if (len > 0)
		memcpy(to, data, len);
	buf_commit(b, len);
	return true;
}

bool
buf_add_str(struct buf *b, const char *text)
{
	return buf_add(b, text, strlen(text));
}

bool
buf_add_char(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

bool
buf_addf(struct buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *to = len < 0 ? NULL : buf_reserve(b, (size_t)len);
	if (!to)
		return false;
	va_start(args, format);
	vsnprintf(to, (size_t)len + 1, format, args);
	va_end(args);
	buf_commit(b, (size_t)len);
	return true;
}

void
buf_consume(struct buf *b, size_t len)
{
	if (len == 0)
		return;
	b->len -= len;
	memmove(b->data, b->data + len, b->len + 1);
}

void
buf_replace(struct buf *b, const char *from, const char *to)
{
	const char *at = buf_text(b), *end = at + b->len, *found;
	struct buf out = { .max = b->max };

	while ((found = memmem(at, (size_t)(end - at), from, strlen(from)))) {
		buf_add(&out, at, (size_t)(found - at));
		buf_add_str(&out, to);
		at = found + strlen(from);
	}
	if (at == buf_text(b))
		return;
	buf_add(&out, at, (size_t)(end - at));
	buf_finish(b);
	*b = out;
}

void
buf_truncate(struct buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->data[len] = '\0';
}

const char *
buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *
buf_detach(struct buf *b)
{
	char *data = b->data ? b->data : mem_zalloc(1);

	buf_init(b, b->max);
	return data;
}

struct blob *
blob_from_bytes(const void *bytes, size_t len)
{
	struct blob *blob = mem_alloc(sizeof(*blob));

	*blob = (struct blob){ .refs = 1, .len = len, .data = mem_strndup(bytes, len) };
	return blob;
}

struct blob *
blob_take_buf(struct buf *b)
{
	struct blob *blob = mem_alloc(sizeof(*blob));

	*blob = (struct blob){ .refs = 1, .len = b->len };
	blob->data = mem_realloc(buf_detach(b), blob->len + 1);
	return blob;
}

struct blob *
blob_ref(struct blob *blob)
{
	blob->refs++;
	return blob;
}

void
blob_unref(struct blob *blob)
{
	if (!blob || --blob->refs > 0)
		return;
	free(blob->data);
	free(blob);
}
