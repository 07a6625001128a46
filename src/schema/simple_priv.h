#ifndef SCHEMA_SIMPLE_PRIV_H
#define SCHEMA_SIMPLE_PRIV_H

#include "regex_priv.h"

#include <stdint.h>

/*
 * Regular expressions that need no trying: a run of characters and classes, each
 * repeated or not, where no repetition can take what the next one needs. Most
 * patterns of schemas are like that. They are matched here in one pass, as long
 * as the text is ASCII.
 */
#define SIMPLE_ITEMS 12

struct simple_item {
	uint64_t set[2]; /* of ASCII characters */
	uint32_t least, most;
};

struct simple {
	struct simple_item items[SIMPLE_ITEMS];
	uint8_t count;
	bool from_start, to_end; /* ^ and $ */
};

/* False: the pattern, which must be a correct one, is not that simple. */
bool simple_compile(const char *pattern, struct simple *simple);
/* Unknown: there is a character that is not ASCII where it matters. *read grows by the bytes looked
 * at. */
enum regex_answer simple_match(const struct simple *simple, const char *text, size_t *read);

#endif
