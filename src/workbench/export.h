#ifndef WORKBENCH_EXPORT_H
#define WORKBENCH_EXPORT_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "model/table.h"

/* The value in a format: json and jsonl, or its best table as csv, tsv or md. Appends to out. */
bool export_write(
    const cJSON *value, const cJSON *schema, const char *format, struct buf *out, struct err *err);
/* A table as csv, tsv, md or jsonl: the rows it shows, in its order. */
bool export_table(const struct table *t, const char *format, struct buf *out, struct err *err);
const char *export_format(size_t index); /* NULL past the end */

#endif
