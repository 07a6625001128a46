/* SPDX-License-Identifier: MIT */
#ifndef DATA_DIFF_SCHEMA_DRIFT_H
#define DATA_DIFF_SCHEMA_DRIFT_H

#include "data/drift.h"
#include "json/keys.h"

/* The effect of a change on the values that a schema allows. */
enum drift_effect { DRIFT_NARROWS, DRIFT_WIDENS, DRIFT_UNSURE, DRIFT_SAYS, DRIFT_NOTES };

/* The members of two objects by key; a value that is not an object has none. */
static inline const cJSON *
keys_first(const cJSON *object)
{
	return json_type(object) == JSON_OBJECT ? json_first(object) : NULL;
}

static inline void
keys_init(struct json_keys in[2], const cJSON *a, const cJSON *b, size_t *cost)
{
	const cJSON *sides[2] = { a, b };

	for (int i = 0; i < 2; i++) {
		in[i] = (struct json_keys){ 0 };
		if (!keys_first(sides[i]))
			continue;
		*cost += json_count(sides[i]);
		json_keys_init(&in[i], sides[i]);
	}
}

static inline const cJSON *
keys_find(const struct json_keys *in, const char *key)
{
	return in->object ? json_keys_find(in, key) : NULL;
}

static inline void
keys_finish(struct json_keys in[2])
{
	for (int i = 0; i < 2; i++)
		if (in[i].object)
			json_keys_finish(&in[i]);
}

/* The place of a change: a subject, and a path before the text. */
struct drift_place {
	const char *subject;
	struct buf *path;
};

void drift_note(struct drift *d, const struct drift_place *place, enum drift_class class,
    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Report a changed value: "maximum 500 → 100". what can be "". */
void drift_note_values(struct drift *d, const struct drift_place *place, enum drift_class class,
    const char *what, const cJSON *a, const cJSON *b);

/* is_output: widening breaks, because clients rely on the schema; else narrowing breaks. */
void drift_add_schema(struct drift *d, const struct drift_place *place, const cJSON *a,
    const cJSON *b, bool is_output);

#endif
