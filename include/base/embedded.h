/* SPDX-License-Identifier: MIT */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

/* Files that the build puts into the program, byte for byte; the last entry of a list has no name.
 */
struct embedded_file {
	const char *name;  /* without the folder that the list is of */
	const char *bytes; /* no NUL at the end */
	size_t len;
};

/* src/schema/meta, without ".json": "draft-07/schema" is the path below https://json-schema.org/ */
extern const struct embedded_file meta_files[];
/* Web pages, scripts, help texts and the tools of the demo: every file in a folder `page` of src.
 * Their names are unique. */
extern const struct embedded_file page_files[];

/* NULL: the list has no file of that name. */
static inline const struct embedded_file *
embedded_find(const struct embedded_file *list, const char *name)
{
	for (; list->name; list++)
		if (strcmp(list->name, name) == 0)
			return list;
	return NULL;
}

#endif
