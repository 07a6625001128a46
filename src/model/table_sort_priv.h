#ifndef MODEL_TABLE_SORT_PRIV_H
#define MODEL_TABLE_SORT_PRIV_H

#include "model/table.h"

/* A cell as it is sorted: by place, then by key, then by text. */
struct sort_item {
	uint64_t key;
	const char *text; /* of what the key does not tell all; NULL: it does */
	uint32_t row;
	uint8_t rank, place; /* what kind of value it is, and which kinds come first */
};

/* Sorts cells, a part of the work at a time: runs of them, then two runs into one. Stable; null and
 * absent come last whichever the direction. */
struct sorter {
	bool descending;
	bool copies; /* cells do not outlive sorter_add() */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct sort_item *spare; /* as many; NULL before sorting */
	size_t width;            /* of the runs that are sorted; 0: not all are */
	size_t at;               /* how far the pass has come */
	size_t left, right;      /* in the two runs being merged */
	struct text_block *texts;
};

void sorter_finish(struct sorter *s);
void sorter_reserve(struct sorter *s, size_t cells);                /* before the first is added */
void sorter_add(struct sorter *s, const cJSON *cell, uint32_t row); /* in the order of rows */
/* Goes on with about so many cells. True: they are sorted. */
bool sorter_work(struct sorter *s, size_t cells);
unsigned sorter_percent(const struct sorter *s); /* of the sorting */

#endif
