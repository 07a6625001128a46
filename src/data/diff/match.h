#ifndef DATA_DIFF_MATCH_H
#define DATA_DIFF_MATCH_H

#include "base/job.h"
#include "data/diff.h"
#include "json/rows.h"

/* Matches two sequences that are known by the hashes of their items, as the lines of two texts. */
struct sequence {
	const uint64_t *hashes[2];
	size_t counts[2];
	uint32_t
	    *match; /* of each of the second, the one of the first, rising; DIFF_NOWHERE: none */
	struct job *job; /* may be NULL */
};

/* Sets match[]. Time in proportion to the counts, times a logarithm and a constant for differences
 * near by. Stopped, it leaves the rest unmatched. */
void sequence_match(const struct sequence *s);

/* Matches equal hashes in any order, the nth with the nth. */
void sequence_match_by_key(const struct sequence *s);

/* Children of a container by their number; of a lazy array they are read. */
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

/* How the children of two containers of one type were matched. */
struct matching {
	struct offspring sides[2];
	uint32_t *match; /* of each child of the second, that of the first; DIFF_NOWHERE: none */
	bool *rises;     /* which of these keep their order; NULL: all */
	bool is_table;
	const char *key;
	struct job *job;
	size_t *cost; /* of hashes so far; above a bound, items are matched by position */
};

void match_members(struct matching *m);
/* key: as in struct diff_options. */
void match_items(struct matching *m, const char *key);

size_t match_rank_keys(const struct matching *m, const char **out, size_t max);

#endif
