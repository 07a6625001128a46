#ifndef RENDER_MEANT_H
#define RENDER_MEANT_H

#include "base/err.h"
#include "ui/rich.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Text of a server laid out as its author meant it. Only layout, emphasis and colors have an
 * effect: HTML is shown as it is written, nothing is fetched, and no byte reaches the terminal but
 * by the grid. Each function takes time in proportion to the text, up to MEANT_MAX bytes of it, on
 * any thread. False: err says why there is no layout, and out is empty.
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

/* Does it set colors by escape sequences? */
bool text_is_ansi(const char *text, size_t len);
/* Could a terminal show less than there is? Moves of the cursor overwrite, titles vanish. */
bool ansi_may_hide(const char *text, size_t len);
/* Is it Markdown beyond doubt? Looks at its marks up to `len`. Prose, source code, logs and
 * settings are not. */
bool text_is_markdown(const char *text, size_t len);

#endif
