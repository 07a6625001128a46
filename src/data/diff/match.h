#ifndef DATA_DIFF_MATCH_H
#define DATA_DIFF_MATCH_H

#include "data/diff.h"
#include "json/rows.h"

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

/* key.c: the member that tells the rows of two tables apart, NULL: none; and its candidates. */
const char *match_guess_key(const struct matching *m);
size_t match_rank_keys(const struct matching *m, const char **out, size_t max);
/* Of the member of each row; the same number for all rows without it. */
uint64_t *match_hash_keys(const struct matching *m, int side, const char *key);

#endif
