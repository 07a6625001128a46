#ifndef BASE_NEEDLE_H
#define BASE_NEEDLE_H

#include <stdbool.h>
#include <stddef.h>

/* A text to look for in many others, ASCII case ignored; the others may hold any bytes. */
struct needle {
	char *text; /* in lower case */
	size_t len;
};

void needle_init(struct needle *n, const char *text, size_t len); /* copies */
void needle_finish(struct needle *n);
/* Where it is first; NEEDLE_NONE: nowhere. */
#define NEEDLE_NONE ((size_t)-1)
size_t needle_find(const struct needle *n, const char *text, size_t len);
bool needle_is_in(const struct needle *n, const char *text, size_t len); /* "" is in everything */

#endif
