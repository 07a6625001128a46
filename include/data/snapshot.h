/* SPDX-License-Identifier: MIT */
#ifndef DATA_SNAPSHOT_H
#define DATA_SNAPSHOT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Everything that a server declares, as text to commit: members sorted by name, lists sorted by
 * key, two spaces for each level, a newline at the end. The order in which a server lists things
 * does not change the text.
 *   {"snapshot": 1, "server": {…}, "tools": […], "prompts": […], "resources": […],
 *    "resourceTemplates": […]}
 */
#define SNAPSHOT_VERSION 1
#define SNAPSHOT_MAX ((size_t)256 << 20) /* bytes */

/* The name of a list of the snapshot, and the member that identifies its items. */
extern const struct snapshot_list {
	const char *name, *key, *noun;
} snapshot_lists[]; /* ended by a row without a name */

bool snapshot_is(const cJSON *value);
/* Print a value in this form; only lists at its top are sorted. Set out->max, because indentation
 * multiplies the size of deeply nested values. */
void snapshot_print(struct buf *out, const cJSON *value);

#endif
