#ifndef CLI_CHECK_PRIV_H
#define CLI_CHECK_PRIV_H

#include "base/buf.h"
#include "cli/options.h"
#include "json/position.h"
#include "schema/findings.h"

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

#endif
