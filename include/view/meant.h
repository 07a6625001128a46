#ifndef VIEW_MEANT_H
#define VIEW_MEANT_H

#include "base/err.h"
#include "ui/rich.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Text of a server laid out as its author meant it. Only layout, emphasis and colors have an
 * effect: HTML in Markdown is shown as it is written, nothing is fetched, and no byte reaches the terminal but
 * by the grid. Each function takes time in proportion to the text, up to MEANT_MAX bytes of it (and
 * that of Markdown up to a second for its links), on any thread. False: err says why there is no layout, and out is empty.
 */
#define MEANT_MAX ((size_t)2 << 20)

struct job;
typedef bool lay_out_fn(const char *text, size_t len, int width,
    struct job *job, /* may be NULL; stops it */
    struct rich *out, struct err *err);

/* CommonMark with tables, task lists and strikethrough of GitHub, by md4c, which is loaded when it
 * is first used. */
lay_out_fn markdown_lay_out;

/* Text for a terminal, by libvterm, which is loaded when it is first used: colors and layout, and
 * nothing else of what it says to a terminal. */
lay_out_fn ansi_lay_out;

/* HTML by its elements, as Markdown: headings, lists, tables, links, code. Scripts, styles and
 * comments are left out, which its last line says; nothing is hidden by a style. */
lay_out_fn html_lay_out;

/* Does it begin as a page? */
bool text_is_html(const char *text, size_t len);
/* Does it set colors by escape sequences? */
bool text_is_ansi(const char *text, size_t len);
/* Could a terminal show less than there is? Moves of the cursor overwrite, titles vanish. */
bool ansi_may_hide(const char *text, size_t len);
/* Is it Markdown beyond doubt? Looks at its marks up to `len`. Prose, source code, logs and
 * settings are not. */
bool text_is_markdown(const char *text, size_t len);

/* The language of a text, if there is no doubt. */
enum meant_kind {
	MEANT_PLAIN,
	MEANT_ANSI,
	MEANT_HTML,
	MEANT_MARKDOWN,
	MEANT_JSON,
	MEANT_KINDS
};
extern const struct meant_look {
	const char *word, *mime; /* NULL: there is none */
	lay_out_fn *lay_out;     /* NULL: it is shown as text */
	bool (*recognize)(const char *text, size_t len);
	bool (*may_hide)(const char *text, size_t len); /* it is shown raw at first; NULL: never */
} meant_looks[MEANT_KINDS];

/* mime: as the server says; may be NULL. Never MEANT_JSON: that takes meant_format_json(). Looks at
 * the beginning of the text. */
enum meant_kind meant_kind_of(const char *mime, const char *text, size_t len);
/* One token a line. False: the text is no JSON, or a long one. */
bool meant_format_json(const char *text, size_t len, struct buf *out);

#endif
