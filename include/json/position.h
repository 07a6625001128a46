#ifndef JSON_POSITION_H
#define JSON_POSITION_H

#include "json/doc.h"

/* Where a value starts in its text. */
struct json_position {
	size_t offset;
	unsigned line, column; /* from 1, the column counts bytes; line 0: not found */
};

/* Finds nodes of the tree that text[0..len) was parsed to, in one pass over the text up to the last
 * of them. nodes come in document order, a node before what is in it; repetitions are fine. */
void json_positions(const char *text, size_t len, const cJSON *root, const cJSON *const *nodes,
    size_t count, struct json_position *positions);

#endif
