/* SPDX-License-Identifier: MIT */
#ifndef JSON_EQUAL_H
#define JSON_EQUAL_H

#include "json/doc.h"

/* JSON Schema's equality: numbers by exact value, objects without regard to order, null and absent
 * different. The last of several members with the same key counts, as in json/keys.h. */
bool json_equal(const cJSON *a, const cJSON *b);
uint64_t json_hash(const cJSON *node); /* equal values hash equal */

/* The same for those who have a budget: *cost grows by a unit or two for each value looked at and
 * by one for each 16 bytes of text. */
bool json_equal_counted(const cJSON *a, const cJSON *b, size_t *cost);
uint64_t json_hash_counted(const cJSON *node, size_t *cost);

#endif
