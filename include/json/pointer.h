/* SPDX-License-Identifier: MIT */
#ifndef JSON_POINTER_H
#define JSON_POINTER_H

#include "base/buf.h"
#include "json/doc.h"

/* JSON Pointer, RFC 6901. "" is the whole document. */

void json_pointer_add_key(struct buf *pointer, const char *key); /* escapes ~ and / */
void json_pointer_add_index(struct buf *pointer, size_t index);

/* The node at a pointer; NULL if it does not exist or the pointer is malformed. */
const cJSON *json_pointer_find(const cJSON *root, const char *pointer);

/* The member or item that one token names, or NULL. */
const cJSON *json_pointer_step(const cJSON *node, const char *token);

/* A token as the index of an item: digits without a leading zero (section 4). False: not an index
 * below count. */
bool json_pointer_index(const char *token, size_t count, size_t *index);

/* Walks the tokens: *at starts at the pointer's text; each call unescapes the next token into
 * token (cleared first) and moves *at on. False at the end or on a malformed pointer. */
bool json_pointer_next(const char **at, struct buf *token);

/* Appends the pointer of node inside root, found by walking; false (nothing appended) when it is
 * not in that tree. Cost: the size of the tree. */
bool json_pointer_of(const cJSON *root, const cJSON *node, struct buf *pointer);

/* The position of a value's first byte in its text. */
struct json_position {
	size_t offset;
	unsigned line, column; /* from 1, the column counts bytes; line 0: not found */
};

/* Finds nodes of the tree that text[0..len) was parsed to, in one pass over the text up to the last
 * of them. nodes come in document order, a container before its children; repetitions are fine. */
void json_positions(const char *text, size_t len, const cJSON *root, const cJSON *const *nodes,
    size_t count, struct json_position *positions);

#endif
