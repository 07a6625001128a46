#ifndef MODEL_TABLE_WIDTH_PRIV_H
#define MODEL_TABLE_WIDTH_PRIV_H

#include "table_priv.h"

/* How wide the columns of a table are to be, by the cells that were looked at. */
/* What the values of a column have shown so far. */
struct column_tally {
	size_t numbers, others; /* not counting null */
	int whole, longest;     /* of the numbers: columns before the point, and in all */
	bool seen;              /* some row has it */
	bool valued;            /* and more than null */
	bool required;          /* by the schema */
};

void column_measure(struct column *column, struct column_tally *tally, const cJSON *cell);
/* only: of a table's only column, which may be wider. */
void column_settle(struct column *column, const struct column_tally *tally, bool only);

#endif
