/* SPDX-License-Identifier: MIT */
#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

#include "base/buf.h"
#include "host/options.h"
#include "json/pointer.h"
#include "json/write.h"
#include "schema/findings.h"
#include "schema/schema.h"

/* The source of an instance. */
struct origin {
	const char *file; /* as given */
	size_t line;      /* line of a JSON Lines file, from 1; 0: the whole file */
};

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

#endif
