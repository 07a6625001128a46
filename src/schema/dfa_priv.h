#ifndef SCHEMA_DFA_PRIV_H
#define SCHEMA_DFA_PRIV_H

#include "nfa_priv.h"

/*
 * One part of an NFA as a table. A row stands for the set of steps that the text read so far may
 * have reached; its cells lead to the row after one more character. A complete table never changes,
 * so threads may share it. Any other table has one owner, who fills it in while reading.
 */
struct dfa {
	const struct nfa *nfa;
	const struct nfa_part *part;
	uint32_t symbols; /* cells of a row: the classes and the end of the text, for each
			     combination of looks */
	struct {
		int32_t *items; /* start of the next row, DFA_ACCEPTS or'ed if the part matches
				   here; or DFA_UNKNOWN */
		size_t len, cap;
	} cells;
	struct dfa_room *room; /* NULL if complete */
	size_t work;           /* steps visited so far */
};

#define DFA_UNKNOWN (-1)
#define DFA_ACCEPTS INT32_MIN
#define DFA_DEAD 0 /* the row of no step: there is no match any more */

void dfa_init(struct dfa *dfa, const struct nfa *nfa, const struct nfa_part *part);
void dfa_finish(struct dfa *dfa);
/* Fills in the whole table. False if that takes more work. */
bool dfa_complete(struct dfa *dfa, size_t max_work);
static inline int32_t
dfa_start(const struct dfa *dfa)
{
	return (int32_t)dfa->symbols;
}
/* Fills in a cell and returns it. A full table is cleared first: row numbers from before are void.
 */
int32_t dfa_fill(struct dfa *dfa, int32_t row, uint32_t symbol);

#endif
