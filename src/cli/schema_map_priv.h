#ifndef CLI_SCHEMA_MAP_PRIV_H
#define CLI_SCHEMA_MAP_PRIV_H

#include "cli/options.h"
#include "schema/library.h"

/*
 * Documents of a schema library from folders: what --map says. A URI below a prefix is the file of
 * that name below its folder, or that name with .json; no way leads out of the folder, neither by
 * dots nor by links. Nothing is fetched.
 */
struct schema_map {
	struct {
		struct schema_folder {
			const char *prefix;
			size_t len;
			char *path; /* real, without a slash at the end */
		} * items;
		size_t len, cap;
	} folders;
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;
	bool missed; /* a URI that no folder is for was asked for */
};

/* maps: PREFIX=DIR each. False: one is not that, or there is no such folder; the map is finished.
 */
bool schema_map_init(struct schema_map *map, const struct cli_strings *maps, struct err *err);
void schema_map_finish(struct schema_map *map); /* after the library */

schema_finder schema_map_find; /* ctx: the map. Files that are not JSON are said. */

/* Appends the file: URI of a path; false where there is no such file. */
bool schema_map_add_uri(const char *path, struct buf *out);

#endif
