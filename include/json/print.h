#ifndef JSON_PRINT_H
#define JSON_PRINT_H

#include "base/buf.h"
#include "json/doc.h"

/* The exact printer: every number as it was written, C0 80 as \u0000, a lone surrogate as its
 * escape, everything else that need not be escaped as it is. Works on any cJSON tree. */
void json_print(struct buf *out, const cJSON *node); /* one line, no spaces */
void json_print_pretty(
    struct buf *out, const cJSON *node, int indent); /* indent by so many spaces */
/* The same in parts, for huge values. Each call appends about so many bytes more, whole nodes;
 * false: that was all. The tree and out have to stay until the end. */
struct json_printing;
struct json_printing *json_printing_begin(struct buf *out, const cJSON *node, int indent);
bool json_printing_go(struct json_printing *printing, size_t bytes);
void json_printing_end(struct json_printing *printing);                /* NULL-safe */
void json_print_string(struct buf *out, const char *text, size_t len); /* "quoted" */
/* One line for a person, at most max_bytes and then "…": strings quoted. */
void json_print_brief(struct buf *out, const cJSON *node, size_t max_bytes);

#endif
