#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

#include "base/buf.h"
#include "config/options.h"
#include "json/position.h"
#include "schema/findings.h"
#include "schema/library.h"

/* ---- check_input.c: instances, one after the other ---- */

/* Where an instance comes from. */
struct origin {
	const char *file; /* as given */
	size_t line;      /* of a file of lines, from 1; 0: all of the file */
};

struct input {
	void (*on_instance)(void *ctx, const struct origin *origin, const char *text, size_t len);
	void (*on_unreadable)(void *ctx, const struct origin *origin, const char *why);
	void (*on_pause)(void *ctx); /* what is to be said can be said: more has to be read first */
	void *ctx;
};

void input_read(const char *file, bool lines, const struct input *input);
bool input_has_lines(const char *file); /* by its name */

/* ---- check_say.c: what is said of one ---- */

struct checked {
	const struct origin *origin;
	const char *text; /* as read */
	size_t len;
	const struct json_doc *doc;
	const struct schema *schema;
	const struct report *report;
};

/* FILE:LINE:COLUMN; line and column are those of the instance's text, 0: unknown. */
void origin_add(const struct origin *origin, unsigned line, unsigned column, struct buf *out);

typedef void check_say_fn(const struct checked *checked, struct buf *out);
check_say_fn check_say_text, check_say_json, check_say_flag, check_say_basic;

/* For an instance that cannot be checked. */
typedef void check_fail_fn(const struct origin *origin, const char *why, struct buf *out);
check_fail_fn check_fail_json, check_fail_unit;

/* A schema that nothing can be checked by. */
struct broken {
	const char *file;
	const char *why;
	const struct schema_findings *findings; /* NULL: it is not even JSON */
	const struct json_position *at;         /* of each finding */
};
typedef void check_broken_fn(const struct broken *broken, struct buf *out);
check_broken_fn check_broken_json, check_broken_unit;

/* Where, what, and the place in the schema, on one line. */
void check_add_violation(const struct report *report, size_t index, struct buf *out);

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
bool schema_map_init(struct schema_map *map, const struct option_strings *maps, struct err *err);
void schema_map_finish(struct schema_map *map); /* after the library */

schema_finder schema_map_find; /* ctx: the map. Files that are not JSON are said. */

/* Appends the file: URI of a path; false where there is no such file. */
bool schema_map_add_uri(const char *path, struct buf *out);

#endif
