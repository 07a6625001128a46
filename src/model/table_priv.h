#ifndef MODEL_TABLE_PRIV_H
#define MODEL_TABLE_PRIV_H

#include "model/table.h"

/* Finds the columns of a table whose rows are known, and measures them. */
void table_find_columns(struct table *t, const struct table_spot *spot, const cJSON *root_schema);

/* Sorts the rows shown, which are in document order, as the table says. */
void table_sort_shown(struct table *t);

#endif
