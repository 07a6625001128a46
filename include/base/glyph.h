/* SPDX-License-Identifier: MIT */
#ifndef BASE_GLYPH_H
#define BASE_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Untrusted text, one harmless screen unit at a time. This is the only way for a
 * string from outside to reach a terminal: control characters, escape sequences,
 * invalid UTF-8, bidi overrides and zero-width tricks come out as visible marks
 * of known width, never as themselves. Emoji clusters come out as their base.
 *
 * Our JSON trees hold U+0000 as C0 80 and a lone surrogate as ED A0..BF xx; both
 * come out as marks too. Widths are the C library's (LC_CTYPE must be UTF-8).
 */
enum glyph_kind {
	GLYPH_PLAIN,
	GLYPH_NEWLINE, /* \n (also \r\n as one); ch is a mark for one-line use */
	GLYPH_TAB,     /* \t; likewise */
	GLYPH_CONTROL, /* C0, DEL, C1: ch is a control picture */
	GLYPH_INVALID, /* not UTF-8, unassigned or a lone surrogate: ch is U+FFFD */
	GLYPH_HIDDEN,  /* bidi control, zero-width, BOM, tag, soft hyphen...: ch is a mark */
};

struct glyph {
	uint32_t ch; /* to draw: never a control, always `width` columns wide */
	uint32_t
	    marks[2];  /* combining marks drawn on it, 0 where none; up to 32 more are dropped */
	uint8_t width; /* 1 or 2 */
	uint8_t kind;  /* enum glyph_kind */
};

/* Takes the next unit from s (len > 0) and returns how many bytes it used: at least 1. */
size_t glyph_next(const char *s, size_t len, struct glyph *g);

/* Is it a character that is not seen, or that changes what is seen around it? */
bool glyph_is_unseen(uint32_t ch);

/* Names, titles and other labels from servers are kept whole only for sending them back. The label
 * to display is cut on arrival, so that the cost of a frame does not depend on the server. */
#define LABEL_BYTES ((size_t)4096)
/* The bytes of the text that a label shows: all, or up to the end of a character. */
size_t label_length(const char *text);
/* That part, and "…" if it was cut. label_dup(): the caller frees; NULL gives NULL. */
char *label_dup(const char *text);
struct buf;
void label_add(struct buf *out, const char *text);
int label_columns(const char *text); /* of the part that is shown */
/* A description without the indentation that a server's source code gives to every line of a long
 * string, and without empty lines at its ends. */
void glyph_add_dedented(struct buf *out, const char *text, size_t len);

/* Columns of the whole text drawn on one line (newline and tab count as their marks). */
size_t glyph_columns(const char *s, size_t len);

/* Characters that glyph_append_safe() does not change. */
enum glyph_keep {
	GLYPH_KEEP_NOTHING, /* the text as it would be drawn on one line */
	GLYPH_KEEP_LINES,   /* \n and \t */
	GLYPH_KEEP_BYTES,   /* these, \r\n, and every plain byte */
};

/* Bytes of printable ASCII at the start that no mark of a later character can join: glyph_next()
 * would take them one by one, unchanged. */
size_t glyph_plain_run(const char *s, size_t len);

/* Appends the text in UTF-8, with marks instead of everything that is unsafe to print. */
void glyph_append_safe(struct buf *out, const char *s, size_t len, enum glyph_keep keep);

#endif
