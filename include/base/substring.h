#ifndef BASE_SUBSTRING_H
#define BASE_SUBSTRING_H

#include <stdbool.h>
#include <stddef.h>

/* A text to find in many others, ignoring ASCII case; the others may hold any bytes. */
struct substring {
	char *text; /* in lower case */
	size_t len;
};

void substring_init(struct substring *n, const char *text, size_t len); /* copies */
void substring_finish(struct substring *n);
/* Offset of the first occurrence; SUBSTRING_NONE if there is none. */
#define SUBSTRING_NONE ((size_t)-1)
size_t substring_find(const struct substring *n, const char *text, size_t len);
bool substring_is_in(
    const struct substring *n, const char *text, size_t len); /* "" is in everything */

#endif
