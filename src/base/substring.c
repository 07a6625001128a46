#include "base/substring.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>

void
substring_init(struct substring *n, const char *text, size_t len)
{
	*n = (struct substring){ .text = mem_strndup(text, len), .len = len };
	for (size_t i = 0; i < len; i++)
		n->text[i] = (char)ascii_lower(n->text[i]);
}

void
substring_finish(struct substring *n)
{
	free(n->text);
	*n = (struct substring){ 0 };
}

size_t
substring_find(const struct substring *n, const char *text, size_t len)
{
	if (n->len == 0)
		return 0;
	unsigned char first = (unsigned char)n->text[0];
	unsigned char upper = first >= 'a' && first <= 'z' ? (unsigned char)(first - 32) : first;
	for (size_t i = 0; i + n->len <= len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c != first && c != upper)
			continue;
		size_t k = 1;
		while (k < n->len && (char)ascii_lower(text[i + k]) == n->text[k])
			k++;
		if (k == n->len)
			return i;
	}
	return SUBSTRING_NONE;
}

bool
substring_is_in(const struct substring *n, const char *text, size_t len)
{
	return substring_find(n, text, len) != SUBSTRING_NONE;
}
