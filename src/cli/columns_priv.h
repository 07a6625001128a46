#ifndef CLI_COLUMNS_PRIV_H
#define CLI_COLUMNS_PRIV_H

#include "base/buf.h"

#include <stdbool.h>

/* Rows of text with their columns under each other. Cells are made when they are needed, twice, and
 * are made harmless here. */
struct columns {
	size_t rows, count;
	bool last_gives_way; /* it is prose: cut before the others */
	int width;           /* columns of the screen: what is longer is cut; 0: nothing is cut */
	void (*heading)(const void *user, size_t column, struct buf *out);
	void (*cell)(const void *user, size_t row, size_t column, struct buf *out);
	bool (*is_right)(const void *user, size_t column); /* NULL: none is */
	const void *user;
};

void columns_print(const struct columns *c, struct buf *out);

#endif
