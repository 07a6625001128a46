#ifndef JSON_EQUAL_H
#define JSON_EQUAL_H

#include "json/doc.h"

/* JSON Schema's equality: numbers by exact value, objects without regard to order, null and absent
 * different. Objects with duplicate keys compare by their first ones. */
bool json_equal(const cJSON *a, const cJSON *b);
uint64_t json_hash(const cJSON *node); /* equal values hash equal */

#endif
