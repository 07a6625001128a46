#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

#include "base/buf.h"
#include "host/options.h"
#include "json/pointer.h"
#include "json/write.h"
#include "schema/findings.h"
#include "schema/library.h"

/* ---- instances.c: reads instances one at a time ---- */

/* The source of an instance. */
struct origin {
	const char *file; /* as given */
	size_t line;      /* line of a JSON Lines file, from 1; 0: the whole file */
};

struct instance_events {
	void (*on_instance)(void *ctx, const struct origin *origin, const char *text, size_t len);
	void (*on_unreadable)(void *ctx, const struct origin *origin, const char *why);
	void (*on_pause)(void *ctx); /* before a read that may block: flush pending output */
	void *ctx;
};

void instances_read(const char *file, bool lines, const struct instance_events *input);
bool instances_has_lines(const char *file); /* judged by its name */

/* ---- formats.c: formats the outcome of one instance ---- */

struct checked {
	const struct origin *origin;
	const char *text; /* as read */
	size_t len;
	const struct json_doc *doc;
	const struct schema *schema;
	const struct report *report;
};

/* FILE:LINE:COLUMN; line and column are relative to the instance's text, 0: unknown. */
void origin_add(const struct origin *origin, unsigned line, unsigned column, struct buf *out);

/* A schema that cannot be used. */
struct broken {
	const char *file;
	const char *why;
	const struct schema_findings *findings; /* NULL: the file is not JSON */
	const struct json_position *at;         /* one per finding */
};

/* By enum check_output. The text format writes to the writer's buffer. */
struct check_format {
	void (*add_result)(const struct checked *checked, struct json_writer *w);
	/* An instance that cannot be read, and such a schema; NULL: standard error is enough. */
	void (*add_failure)(const struct origin *origin, const char *why, struct json_writer *w);
	void (*add_broken)(const struct broken *broken, struct json_writer *w);
	enum check_mode mode;
};
extern const struct check_format check_formats[];

/* Instance location, message and schema location on one line. */
void check_add_violation(const struct report *report, size_t index, struct buf *out);

/*
 * Documents that --map finds in folders for a schema library. A URI that starts with a prefix is
 * the file of the same name in its folder, or that name with .json; neither dots nor symbolic
 * links lead out of the folder. Nothing is fetched.
 */
struct schema_map {
	struct {
		struct schema_folder {
			const char *prefix;
			size_t len;
			char *path; /* a real path without a trailing slash */
		} * items;
		size_t len, cap;
	} folders;
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;
	bool missed; /* some URI matched no folder */
};

/* Each item of maps is PREFIX=DIR. False: one is malformed or its folder does not exist; the map
 * is finished. */
bool schema_map_init(struct schema_map *map, const struct option_strings *maps, struct err *err);
void schema_map_finish(struct schema_map *map); /* call it after destroying the library */

schema_finder schema_map_find; /* ctx: the map. Reports files that are not JSON. */

/* Appends the file: URI of a path; false if the file does not exist. */
bool schema_map_add_uri(const char *path, struct buf *out);

#endif
