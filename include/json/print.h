/* SPDX-License-Identifier: MIT */
#ifndef JSON_PRINT_H
#define JSON_PRINT_H

#include "base/buf.h"
#include "json/doc.h"

/* The exact printer: numbers with their original characters, C0 80 as \u0000, a lone surrogate as
 * its escape, and no needless escapes. Works on any cJSON tree. */
void json_print(struct buf *out, const cJSON *node); /* one line, no spaces */
char *json_text(const cJSON *node);                  /* likewise, for free(); NULL gives NULL */
void json_print_pretty(struct buf *out, const cJSON *node, int indent); /* spaces of indentation */
/* The same, but stops after a node once out has at least this many bytes, or when the job is
 * stopped. The job's progress counts bytes; job may be NULL. False: the output is incomplete. */
bool json_print_some(
    struct buf *out, const cJSON *node, int indent, size_t max_bytes, struct job *job);
void json_print_string(struct buf *out, const char *text, size_t len); /* "quoted" */
/* One line for a person, at most max_bytes and then "…": strings quoted. */
void json_print_brief(struct buf *out, const cJSON *node, size_t max_bytes);

#endif
