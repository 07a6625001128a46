/* SPDX-License-Identifier: MIT */
#ifndef JSON_KEYS_H
#define JSON_KEYS_H

#include "json/doc.h"

#include <string.h>

/* The parser stores this in front of the text of each key. The text is padded with zeros to a whole
 * number of words. */
struct json_key {
	uint32_t hash, len;
};

/* The seed differs from run to run, so a server cannot prepare keys that collide. */
uint32_t json_key_hash(const char *text, size_t len);

/* The bytes of a text with its padding. */
static inline size_t
json_key_bytes(size_t len)
{
	return len / sizeof(uint64_t) * sizeof(uint64_t) + sizeof(uint64_t);
}

/* Only for members of a tree that json_parse() made. */
static inline struct json_key
json_key_of(const cJSON *member)
{
	return ((const struct json_key *)(const void *)member->string)[-1];
}

/* Are two texts of this length the same? Both have their zeros. */
static inline bool
json_key_is(const char *a, const char *b, size_t len)
{
	uint64_t x, y;

	for (size_t at = 0; at <= len; at += sizeof(x)) {
		memcpy(&x, a + at, sizeof(x));
		memcpy(&y, b + at, sizeof(y));
		if (x != y)
			return false;
	}
	return true;
}

/* The members of one object by key; the last of those that share one, as nearly every reader of
 * JSON has it. */
struct json_keys {
	const cJSON *object;
	const cJSON **slots; /* NULL: few enough to walk */
	size_t slot_count;
};

/* A key that is there twice counts once, if the parser counted. */
size_t json_keys_count(const cJSON *object);

void json_keys_init(struct json_keys *keys, const cJSON *object);
void json_keys_finish(struct json_keys *keys);
const cJSON *json_keys_find(const struct json_keys *keys, const char *key);

#endif
