#ifndef SCHEMA_MARKS_PRIV_H
#define SCHEMA_MARKS_PRIV_H

#include "json/doc.h"

/* Which children of the value in hand some keyword has looked at (for unevaluated*). */
struct marks {
	uint64_t *bits;
	size_t count; /* children */
	uint64_t small[4];
};

void marks_init(struct marks *marks, const cJSON *value);
void marks_finish(struct marks *marks);
void marks_merge(struct marks *to, const struct marks *from);

static inline void
marks_set(struct marks *marks, size_t index)
{
	if (marks && index < marks->count)
		marks->bits[index / 64] |= (uint64_t)1 << (index % 64);
}

static inline bool
marks_has(const struct marks *marks, size_t index)
{
	return index < marks->count && (marks->bits[index / 64] >> (index % 64) & 1);
}

#endif
