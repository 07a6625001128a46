/* SPDX-License-Identifier: MIT */
#ifndef DATA_TABLE_EXPORT_H
#define DATA_TABLE_EXPORT_H

#include "data/table.h"

/* Tables as text for files and other programs. Cells are exact: strings unquoted,
 * other values as JSON, absent ones empty. Spreadsheets read no cell of csv and tsv as a formula.
 * The text is not escaped for terminals. */
const char *export_format(size_t index); /* "json", "jsonl", "csv" ...; NULL past the end */
/* Append the value as json; in other formats, append its best table, or the object as a row. job
 * (may be NULL) gets the progress in percent; if it is stopped, the output is incomplete. */
bool export_write(const cJSON *value, const cJSON *schema, const char *format, struct job *job,
    struct buf *out, struct err *err);
/* Append the rows shown, or those selected if any; json has the members shown. */
bool export_table(
    const struct table *t, const char *format, struct job *job, struct buf *out, struct err *err);
size_t export_count(const struct table *t); /* rows that it writes */
bool export_is_whole(
    const struct table *t); /* the whole value: nothing hidden, sorted or selected */
/* Copy the table as shown, for an export in a job while the table changes. */
struct table *table_snapshot(const struct table *t);
void table_snapshot_destroy(struct table *s); /* NULL-safe; on the thread of the table */

#endif
