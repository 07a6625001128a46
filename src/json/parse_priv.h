#ifndef JSON_PARSE_PRIV_H
#define JSON_PARSE_PRIV_H

#include "arena_priv.h"
#include "intern_priv.h"
#include "json/doc.h"

struct json_doc {
	struct arena arena;
	const cJSON *root;
	size_t flaw_count;
	struct {
		struct json_flaw *items;
		size_t len, cap;
	} flaws;
};

/* A container whose end has not come yet. */
struct level {
	cJSON *container, *last;
	struct scope scope; /* the keys of an object */
};

struct parser {
	const char *start, *at, *end;
	struct json_doc *doc;
	struct arena *arena; /* the doc's */
	struct intern intern;
	struct {
		struct level *items;
		size_t len, cap;
	} levels;
	struct interned *last_key;
	char *key; /* of the value that comes next; NULL outside objects */
	size_t max_depth, max_flaws;
	struct {
		const char *at, *line_start; /* how far lines have been counted */
		unsigned line;
	} position;
	const struct job *job;    /* may be NULL */
	struct json_error *error; /* may be NULL */
};

/* Notes why the text is not JSON, and returns false. */
bool parse_fail(struct parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parse_note_flaw(struct parser *p, enum json_flaw_kind kind, const char *at);

/* Each starts with p->at on the first byte of the thing and leaves it after the last. */
char *parse_string(struct parser *p);           /* NULL: failed */
struct interned *parse_key(struct parser *p);   /* NULL: failed */
bool parse_number(struct parser *p, cJSON *to); /* sets the values, not the type */

#endif
