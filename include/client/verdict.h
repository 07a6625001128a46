/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_VERDICT_H
#define CLIENT_VERDICT_H

#include "base/buf.h"
#include "schema/schema.h"

struct call;

/*
 * Does a result conform to its tool's outputSchema? Every finished call has one of these; the
 * payload is shown in any case. CHECKING is temporary. A row: name in --json, mark (one column),
 * role, sentence.
 */
#define VERDICTS(X)                                                                             \
	X(NONE, "none", "·", DIM, "no result yet")                                              \
	X(VALID, "valid", "✓", OK, "conforms to outputSchema")                                  \
	X(INVALID, "invalid", "✗", ERROR, "does not conform to outputSchema")                   \
	X(MISSING, "missing", "∅", WARNING,                                                     \
	    "structuredContent is missing, though an outputSchema is declared")                 \
	X(NO_SCHEMA, "no-schema", "–", DIM, "the tool declares no outputSchema")                \
	X(SCHEMA_BROKEN, "schema-broken", "⚠", WARNING, "the outputSchema itself is broken")    \
	X(NOT_APPLIED, "not-applied", "!", WARNING,                                             \
	    "not checked: the tool reported an error (isError)")                                \
	X(UNDECIDED, "undecided", "?", WARNING, "not fully checked: no violation found so far") \
	X(NO_RESULT, "no-result", "⚠", ERROR, "the call gave no result")                        \
	X(CANCELLED, "cancelled", "–", DIM, "the call was cancelled")                           \
	X(CHECKING, "checking", "◌", DIM, "being checked against outputSchema")

enum verdict_kind {
#define X(id, name, mark, role, text) VERDICT_##id,
	VERDICTS(X)
#undef X
	    VERDICT_COUNT
};

extern const struct verdict_look {
	const char *name, *mark, *text;
} verdict_looks[VERDICT_COUNT];

struct verdict {
	enum verdict_kind kind;
	struct schema *schema;         /* NULL if it did not compile */
	struct report *report;         /* NULL if the value was not checked */
	struct schema_problem problem; /* of SCHEMA_BROKEN */
};

/* Validates a result. output_schema: the declared one, NULL if none; structured: NULL if absent.
 * Both are borrowed until verdict_finish(). It takes three steps, so that the middle one can run
 * in any thread: verdict_begin() leaves CHECKING if there is something to check; schema_check()
 * makes a report; verdict_end() takes it. */
void verdict_begin(
    struct verdict *v, const cJSON *output_schema, const cJSON *structured, bool is_error);
void verdict_end(struct verdict *v, struct report *report);
void verdict_finish(struct verdict *v); /* leaves VERDICT_NONE */

/* One line with numbers: "conforms to outputSchema (2020-12), 14 checks". */
void verdict_line(const struct verdict *v, struct buf *out);
/* The reason for SCHEMA_BROKEN or UNDECIDED: "at /properties/x: …", "not checked:
 * unevaluatedItems". */
void verdict_reason(const struct verdict *v, struct buf *out);

/*
 * The tool declares an outputSchema, structuredContent is missing, and a text block is JSON:
 * perhaps the schema was meant for that text. The verdict stays "missing", because clients look
 * only in structuredContent; this tells the author about the text.
 */
struct call;
struct text_claim {
	const cJSON *schema; /* in the call's definition */
	const char *text;    /* in its doc */
	size_t len;
	size_t number; /* of the block in content, from 1 */
};

/* The first text that begins as JSON. False: it is not such a call, or has no such text. */
bool text_claim_find(const struct call *c, struct text_claim *out);
/* Appends a sentence, or nothing if the text is not JSON or the schema does not compile. Any thread
 * may call it; job may be NULL. */
void text_claim_check(const struct text_claim *claim, struct job *job, struct buf *out);

/*
 * The treatment of a result by other programs: short neutral lines, unless they just show it. Facts
 * about the TypeScript SDK (ajv), the Python SDK (jsonschema) and the official Inspector, as of
 * 2026.
 *
 * Appends the lines for a call, separated by '\n'; nothing if all is well or unknown. Returns
 * the number of lines. Not made safe for a terminal.
 */
size_t compat_add_lines(const struct call *c, struct buf *out);

#endif
