#ifndef DATA_SNAPSHOT_H
#define DATA_SNAPSHOT_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Everything that a server declares, as text to commit: members in the order of their names, lists
 * in that of their keys, two spaces for each level, a newline at the end. The same server gives the
 * same bytes, whatever the order of its lists.
 *   {"snapshot": 1, "server": {…}, "tools": […], "prompts": […], "resources": […],
 *    "resourceTemplates": […]}
 */
#define SNAPSHOT_VERSION 1
#define SNAPSHOT_MAX ((size_t)256 << 20) /* bytes */

/* The name of a list of the snapshot, and the member that tells its items apart. */
extern const struct snapshot_list {
	const char *name, *key, *noun;
} snapshot_lists[]; /* ended by a row without a name */

bool snapshot_is(const cJSON *value);
/* Prints a value in that form; lists only at its top. Indentation makes many times the bytes of
 * values that are nested deeply: give out a bound. */
void snapshot_print(struct buf *out, const cJSON *value);

#endif
