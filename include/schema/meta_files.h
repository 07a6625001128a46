#ifndef SCHEMA_META_FILES_H
#define SCHEMA_META_FILES_H

#include <stddef.h>

/* The files of src/schema/meta, embedded at build time; the last entry has no name. */
struct meta_file {
	const char *name; /* "draft-07/schema": the path below https://json-schema.org/ */
	const char *text;
	size_t len;
};

extern const struct meta_file meta_files[];

#endif
