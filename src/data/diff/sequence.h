#ifndef DATA_DIFF_SEQUENCE_H
#define DATA_DIFF_SEQUENCE_H

#include "base/job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Of rising and other numbers the longest part that rises: keeps[i] is set for it. Numbers that are
 * DIFF_NOWHERE are left out. */
void sequence_longest_rise(const uint32_t *numbers, size_t count, bool *keeps);

#endif
