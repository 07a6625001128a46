#ifndef MODEL_TABLE_PRIV_H
#define MODEL_TABLE_PRIV_H

#include "json/rows.h"
#include "model/table.h"

/* Rows that are looked at in one go, which takes some milliseconds. */
#define TABLE_SLICE ((size_t)32768)

/* Violations counted in one go. */
#define COUNT_SLICE ((size_t)2000)

/* table_columns.c: finds the columns of a table whose rows are known, and measures them. */
void finding_begin(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void finding_work(struct table *t, size_t rows); /* ends it after the last row */
void finding_drop(struct table *t);
unsigned finding_percent(const struct table *t);

/* table_order.c: filters and sorts as the table says. */
void ordering_work(struct table *t, size_t rows);
void ordering_drop(struct table *t);
unsigned ordering_percent(const struct table *t);

/* table_count.c: false: all are counted. */
bool table_count_on(struct table *t, size_t violations);

/* A row while going through all of them: of a lazy array it lives until the next one. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);

/* table_filter.c */
struct search;
struct search *search_create(const char *text);
void search_destroy(struct search *s);
bool search_matches(const struct search *s, const char *key, const cJSON *row); /* key: of a map */

#endif
