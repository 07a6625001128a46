/* SPDX-License-Identifier: MIT */
#ifndef DATA_DIFF_MATCH_H
#define DATA_DIFF_MATCH_H

#include "base/job.h"
#include "data/diff.h"
#include "json/rows.h"

/* Two sequences to match, given by the hashes of their items, such as the lines of two texts. */
struct sequence {
	const uint64_t *hashes[2];
	size_t counts[2];
	uint32_t *match; /* the item of the first for each of the second; DIFF_NOWHERE: none */
	struct job *job; /* may be NULL */
};

/* Set match[], in ascending order. The time is proportional to the counts, times a logarithm and a
 * constant. If the job is stopped, the rest stays unmatched. */
void sequence_match(const struct sequence *s);

/* Match equal hashes in any order, the nth with the nth. */
void sequence_match_by_key(const struct sequence *s);

/* The children of a container by index; those of a lazy array are parsed on demand. */
struct offspring {
	const cJSON *container;
	const cJSON **nodes; /* NULL: the array is lazy */
	struct json_reader *reader;
	size_t count;
};

static inline const cJSON *
children_at(const struct offspring *c, size_t i)
{
	return c->nodes ? c->nodes[i] : json_reader_at(c->reader, i);
}

/* The matches between the children of two containers of one type. */
struct matching {
	struct offspring sides[2];
	uint32_t *match; /* the child of the first for each of the second; DIFF_NOWHERE: none */
	bool *rises;     /* which of these keep their order; NULL: all */
	bool is_table;
	const char *key;
	struct job *job;
	size_t *cost; /* of hashes so far; above COST_MAX, items are matched by position */
};

void match_members(struct matching *m);
/* key: as in struct diff_options. */
void match_items(struct matching *m, const char *key);

/* List the members of the first row that can be keys, by rank; members of equal rank keep their
 * order. Return how many. */
struct ranked_key {
	const char *key;
	int points;
};
size_t match_rank_keys(const struct matching *m, struct ranked_key *list, size_t max);

#endif
