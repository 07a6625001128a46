#ifndef DATA_TABLE_EXPORT_H
#define DATA_TABLE_EXPORT_H

#include "data/table.h"

/* Tables as text for files and other programs. Cells are exact: strings unquoted,
 * other values as JSON, absent ones empty. In csv and tsv no cell is a formula to a spreadsheet.
 * Nothing is made safe for a terminal. */
const char *export_format(size_t index); /* "json", "jsonl", "csv" ...; NULL past the end */
/* Appends the value as json, or in another format its best table, else the object as a row. job
 * (may be NULL): of which this is the work; progress in percent; if it is stopped, a part is
 * missing. */
bool export_write(const cJSON *value, const cJSON *schema, const char *format, struct job *job,
    struct buf *out, struct err *err);
/* Appends the rows as shown, of these the selected ones if some are; json has the shown members. */
bool export_table(
    const struct table *t, const char *format, struct job *job, struct buf *out, struct err *err);
size_t export_count(const struct table *t);  /* the rows it writes */
bool export_is_whole(const struct table *t); /* of the value, nothing hidden, sorted, selected */
/* The table as it is shown now, for one export in a job beside the table. */
struct table *table_snapshot(const struct table *t);
void table_snapshot_destroy(struct table *s); /* NULL-safe; on the thread of the table */

#endif
