/* SPDX-License-Identifier: MIT */
#ifndef VIEW_MEANT_H
#define VIEW_MEANT_H

#include "base/err.h"
#include "ui/rich.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Layout of a server's text in its own language. Only layout, emphasis and colors have an effect:
 * HTML in Markdown is shown as source, nothing is fetched, and bytes reach the terminal only
 * through the grid. The functions run on any thread, in time proportional to the text, which has at
 * most MEANT_MAX bytes (Markdown may take a second more for its links). On failure they return
 * false, set err and leave out empty.
 */
#define MEANT_MAX ((size_t)2 << 20)

struct job;
typedef bool lay_out_fn(const char *text, size_t len, int width,
    struct job *job, /* stops the layout; may be NULL */
    struct rich *out, struct err *err);

/* CommonMark with GitHub's tables, task lists and strikethrough, by md4c, loaded at first use. */
lay_out_fn markdown_lay_out;
/* Colors and layout of text for a terminal, by libvterm, loaded at first use. Other escape
 * sequences have no effect. */
lay_out_fn ansi_lay_out;
/* Headings, lists, tables, links and code of HTML, converted to Markdown. Scripts, styles and
 * comments are left out, and the last line reports it; styles do not hide text. */
lay_out_fn html_lay_out;

bool text_is_html(const char *text, size_t len); /* begins like a page */
bool text_is_ansi(const char *text, size_t len); /* sets colors by escape sequences */
/* Return whether a terminal could hide text: moves of the cursor overwrite it, titles vanish. */
bool ansi_may_hide(const char *text, size_t len);
/* Return whether it is certainly Markdown, which prose, source code, logs and settings are not. */
bool text_is_markdown(const char *text, size_t len);

/* The language of a text, as far as it is certain. */
enum meant_kind { MEANT_PLAIN, MEANT_ANSI, MEANT_HTML, MEANT_MARKDOWN, MEANT_JSON, MEANT_KINDS };
extern const struct meant_look {
	const char *word, *mime; /* NULL: none */
	lay_out_fn *lay_out;     /* NULL: shown as text */
	bool (*recognize)(const char *text, size_t len);
	bool (*may_hide)(
	    const char *text, size_t len); /* then it is shown raw first; NULL: never */
} meant_looks[MEANT_KINDS];

/* Recognize a text from its beginning and the server's media type (may be NULL). Never returns
 * MEANT_JSON: see meant_format_json(). */
enum meant_kind meant_kind_of(const char *mime, const char *text, size_t len);
/* Format JSON, one token per line. False if the text is not JSON, or too long. */
bool meant_format_json(const char *text, size_t len, struct buf *out);

#endif
