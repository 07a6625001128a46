/* SPDX-License-Identifier: MIT */
#ifndef JSON_DOC_H
#define JSON_DOC_H

#include "base/buf.h"
#include "base/err.h"
#include "base/job.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A parsed JSON text as a tree of cJSON nodes. Our own strict parser (RFC 8259) allocates them in
 * an arena: a tree is const for every reader and lives exactly as long as its doc. Every libcjson
 * function that only reads works on it, and cJSON_Duplicate() returns a tree that libcjson owns.
 *
 * Some nodes have more data than a cJSON has room for. Such a node begins a longer struct, private
 * to src/json, and cJSON_IsReference in its type marks it:
 *   numbers   the exact text, if the double does not reproduce it: json_number_text()
 *   objects, arrays  the number of children: json_count(); of different keys: json/keys.h
 *   huge arrays may be lazy, if options ask for it: json/rows.h. Their items are not nodes, so to
 *             libcjson they are cJSON_Raw without a text, JSON that is not parsed yet: it takes
 *             them neither for arrays nor for empty, cannot print them and finds none equal
 *
 * Texts that libcjson would refuse or cut:
 *   strings   U+0000 is kept as C0 80, a lone surrogate as three bytes ED A0..BF xx (WTF-8),
 *             a byte that is not UTF-8 as U+FFFD; each is also a flaw
 *   objects   duplicate keys are all kept, in order; look-ups find the first; each is a flaw
 *   keys      equal keys of one doc are (nearly always) the same pointer: compare pointers first
 */
struct json_doc;

enum json_flaw_kind {
	JSON_FLAW_DUPLICATE_KEY,
	JSON_FLAW_NUL,            /* "\u0000" */
	JSON_FLAW_LONE_SURROGATE, /* "\ud800" without its other half */
	JSON_FLAW_INVALID_UTF8,   /* shown as U+FFFD */
};

/* Something RFC 8259 calls unwise or wrong that a debugger has to show all the same. */
struct json_flaw {
	enum json_flaw_kind kind;
	size_t offset;         /* in bytes from the start of the text */
	unsigned line, column; /* from 1; the column counts bytes */
};

struct json_flaws {
	struct json_flaw *items; /* the first of them */
	size_t len, cap;
	size_t count; /* all, also those not kept */
};

struct json_options {
	size_t max_depth;      /* nesting; 0 means 1000 */
	size_t max_flaws;      /* kept; the rest is counted; 0 means 64 */
	const struct job *job; /* the work this is part of: stops with it; NULL: none */
	struct blob *blob;     /* the owner of text: the doc keeps a reference if arrays are lazy */
	size_t lazy_bytes;     /* arrays of at least this many bytes are lazy; 0: never */
	const char *lazy_in;   /* a JSON Pointer: only in the value it names; NULL: anywhere */
};

/* The place at which a text stops being JSON. */
struct json_error {
	size_t offset;
	unsigned line, column;
	char text[120]; /* "expected ',' or ']'", "nested deeper than 1000" */
};

/* The one value in text[0..len), white space around it allowed. options and error may be NULL.
 * NULL: not JSON; *error says where and why. The doc keeps no pointer into text. */
struct json_doc *json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error);
void json_doc_destroy(struct json_doc *doc);         /* NULL-safe; one for each reference */
struct json_doc *json_doc_ref(struct json_doc *doc); /* one more; not for use across threads */
/* A new doc whose root is a node of doc: a copy if it is small, else the node itself, for which doc
 * is kept. NULL if node is NULL. */
struct json_doc *json_part(struct json_doc *doc, const cJSON *node);
struct json_doc *json_copy(const cJSON *tree); /* a doc of its copy; NULL gives NULL */

/* A name as the tree shows it: the text itself or, if it is longer than a label
 * (base/glyph.h), its beginning with "…" behind, which lives as long as the doc. NULL gives NULL.
 */
const char *json_label(struct json_doc *doc, const char *text);
/* A description without the indentation of its source (base/glyph.h); likewise. */
const char *json_prose(struct json_doc *doc, const char *text);

const cJSON *json_root(const struct json_doc *doc);
const struct json_flaws *json_flaws(const struct json_doc *doc);
const char *json_flaw_text(enum json_flaw_kind kind); /* "duplicate key" */
/* Bytes held; of a part also those of the doc that is kept for it. */
size_t json_doc_memory(const struct json_doc *doc);

/* ---- reading a tree (any of these may be given NULL, which is "absent") ---- */

enum json_type {
	JSON_ABSENT, /* no node at all: not the same as null */
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum json_type json_type(const cJSON *node);
const char *json_type_name(enum json_type type);             /* "absent", "null", "boolean"... */
const cJSON *json_get(const cJSON *object, const char *key); /* first match, case-sensitive */
const char *json_get_string(const cJSON *object, const char *key);
/* The first item or member of a container whose member `key` is this string, or NULL. */
const cJSON *json_find_by(const cJSON *container, const char *key, const char *text);
/* Children, those of a lazy array too; 0 for anything else; O(1) on our trees. */
size_t json_count(const cJSON *container);
/* Do the node and all its descendants have at most this many children each? */
bool json_has_at_most(const cJSON *node, size_t most);
const cJSON *json_first(const cJSON *container); /* then ->next */

#endif
