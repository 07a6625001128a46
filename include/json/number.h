/* SPDX-License-Identifier: MIT */
#ifndef JSON_NUMBER_H
#define JSON_NUMBER_H

#include "json/doc.h"

/* Room for the text of a number that a double holds exactly, with its NUL. */
#define JSON_NUMBER_TEXT_MAX 32

/* Is the number the shortest text of its double? */
static inline bool
json_number_is_double(const cJSON *number)
{
	return !(number->type & cJSON_IsReference);
}

/* The text of any other number. NULL: it is that of its double. */
const char *json_number_written(const cJSON *number);

/* The exact text: the characters from the wire, or for a number without stored text the shortest
 * that reads back the same. Returns buffer or the node's own text; valid while both are. */
const char *json_number_text(const cJSON *number, char buffer[JSON_NUMBER_TEXT_MAX]);

/* Is text[0..len) exactly one JSON number (RFC 8259 section 6)? */
bool json_is_number_text(const char *text, size_t len);

enum json_answer { JSON_NO, JSON_YES, JSON_TOO_HARD };

/* All by exact decimal value: 1, 1.0 and 10e-1 are equal and integers; 2^53 and 2^53+1 differ.
 * The cost depends on the digits written, never on the size of the exponent. */
int json_number_compare(const cJSON *a, const cJSON *b); /* <0, 0, >0 */
int json_number_compare_texts(const char *a, const char *b);
bool json_number_is_integer(const cJSON *number);
/* Is a a whole multiple of b (b > 0)? JSON_TOO_HARD when b has more than 19 digits and either side
 * more than 4096, or when their exponents differ by 2^63 or more. */
enum json_answer json_number_is_multiple(const cJSON *a, const cJSON *b);
uint64_t json_number_hash(const cJSON *number); /* equal numbers hash equal */
/* The value as an index or count: false unless an integer in 0..max. */
bool json_number_to_size(const cJSON *number, size_t max, size_t *out);

#endif
