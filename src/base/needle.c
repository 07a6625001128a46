#include "base/needle.h"

#include "base/mem.h"

#include <stdlib.h>

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

void
needle_init(struct needle *n, const char *text, size_t len)
{
	*n = (struct needle){ .text = mem_strndup(text, len), .len = len };
	for (size_t i = 0; i < len; i++)
		n->text[i] = lower(n->text[i]);
}

void
needle_finish(struct needle *n)
{
	free(n->text);
	*n = (struct needle){ 0 };
}

size_t
needle_find(const struct needle *n, const char *text, size_t len)
{
	if (n->len == 0)
		return 0;
	for (size_t i = 0; i + n->len <= len; i++) {
		if (lower(text[i]) != n->text[0])
			continue;
		size_t k = 1;
		while (k < n->len && lower(text[i + k]) == n->text[k])
			k++;
		if (k == n->len)
			return i;
	}
	return NEEDLE_NONE;
}

bool
needle_is_in(const struct needle *n, const char *text, size_t len)
{
	return needle_find(n, text, len) != NEEDLE_NONE;
}
