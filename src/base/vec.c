#include "base/vec.h"

#include "base/err.h"
#include "base/mem.h"

#include <string.h>

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
