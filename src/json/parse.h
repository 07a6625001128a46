/* SPDX-License-Identifier: MIT */
#ifndef JSON_PARSE_H
#define JSON_PARSE_H

#include "arena.h"
#include "json/doc.h"

/* A lazy array: the offsets of its items in the text. */
struct json_rows {
	struct json_rows *next; /* of the same doc */
	const char *text;       /* starts count from here */
	uint32_t *starts;
	size_t count;
	const char *end; /* of the array, its bracket left out */
};

struct json_doc {
	struct arena arena;
	struct json_rows *rows;
	struct blob *blob; /* NULL unless there are rows */
	const cJSON *root;
	struct json_doc *whole; /* which root is in; NULL: this one */
	size_t refs;            /* besides the first */
	struct json_flaws flaws;
};

/* A container whose end has not come yet. */
struct level {
	struct json_node *container;
	cJSON *last; /* of its children */
	uint32_t count;
	struct scope scope; /* the keys of an object */
};

struct flaw_mark {
	size_t count, kept;
	const char *at, *line_start;
	unsigned line;
};

/* An array that may become lazy. Until its end shows that it is large enough, its items are parsed
 * only for their flaws; if it is not, the parser goes back and makes nodes of them. */
struct lazy {
	struct blob *blob;
	size_t min_bytes; /* 0: nothing is lazy */
	const char *in;
	const char *not_before; /* a container that starts before this is not a candidate */
	size_t level;           /* of the array; SIZE_MAX: none is open */
	const char *start;      /* its first item */
	struct flaw_mark mark;
	struct arena scratch;
	struct {
		uint32_t *items;
		size_t len, cap;
	} starts;
};

struct parser {
	const char *start, *at, *end;
	struct json_doc *doc;
	struct arena *arena; /* the doc's, or that for items of a lazy array */
	struct lazy lazy;
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

/* The value at p->at, outside any container; its node becomes the doc's root. */
bool parse_value(struct parser *p);
/* rows.c: the innermost array has just been opened, its next item starts, it ends (false: parse its
 * items again, from p->at). */
void lazy_open(struct parser *p);
void lazy_item(struct parser *p);
bool lazy_close(struct parser *p);

#endif
