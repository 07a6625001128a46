/* SPDX-License-Identifier: MIT */
#ifndef VIEW_JSON_OUTLINE_H
#define VIEW_JSON_OUTLINE_H

#include "base/buf.h"
#include "base/job.h"
#include "json/doc.h"
#include "ui/wrap.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_OUTLINE_INDENT 2

/*
 * The containers of formatted JSON, found from its lines: each token has a line. Marks every few
 * KiB record the open containers, so a question about a line costs no more in a long text than in
 * a short one. The text is borrowed.
 */
struct json_outline {
	const char *text;
	size_t len;
	size_t deepest; /* level of a line */
	struct {
		struct outline_mark {
			size_t at, first, depth; /* the start of a line, and its places */
		} * items;
		size_t len, cap;
	} marks;
	struct outline_places {
		struct outline_place {
			size_t open;  /* the line that opens the container */
			size_t index; /* children that begin before the line */
		} * items;
		size_t len, cap;
	} places;
};

/* Lines are offsets of their starts. Takes time in proportion to len; the job (may be NULL) stops
 * it. */
void json_outline_read(struct json_outline *o, const char *text, size_t len, struct job *job);
void json_outline_finish(struct json_outline *o);
size_t json_outline_line(const struct json_outline *o, size_t at); /* of the byte at */
/* Return whether the line opens a container with children. */
bool json_outline_opens(const struct json_outline *o, size_t line);
/* Return the end of the line that closes the container opened in `line`, and count its children.
 * If the text ends before, return its length. */
size_t json_outline_close(const struct json_outline *o, size_t line, size_t *children);
/* Find the containers around a line, from the outermost, including one that it closes. */
void json_outline_around(const struct json_outline *o, size_t line, struct outline_places *out);
/* Append the JSON Pointer of the node in the line. */
void json_outline_pointer(const struct json_outline *o, size_t line, struct buf *pointer);
/* Return the line of a node; SIZE_MAX: not in the text. */
size_t json_outline_find(const struct json_outline *o, const char *pointer);

/* The folded containers: those at a level and deeper, except in lines that were toggled. */
struct json_folds {
	struct wrap_folds wrap; /* first */
	unsigned level;         /* 0: none */
	struct {
		size_t *items; /* lines, in order */
		size_t len, cap;
	} toggled;
	struct json_outline outline;
};

void json_folds_init(struct json_folds *f);
void json_folds_copy(struct json_folds *f, const struct json_folds *from); /* without the outline */
void json_folds_finish(struct json_folds *f);
bool json_folds_has(const struct json_folds *f, size_t line); /* opens a folded container */
void json_folds_toggle(struct json_folds *f, size_t line);

#endif
