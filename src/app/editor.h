#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/*
 * The user's editor on a temporary file of mode 0600: $VISUAL, $EDITOR or vi, split
 * at blanks and started without a shell. The terminal must have been given away.
 */
struct editor;

/* on_done: text is NULL and err says why when the editor failed. The editor is gone then. */
struct editor *editor_start(struct loop *loop, const char *text, size_t len,
    void (*on_done)(void *user, const struct buf *text, const struct err *err), void *user,
    struct err *err);
/* The same on a file of the user's, which is changed in place. */
struct editor *editor_start_file(struct loop *loop, const char *path,
    void (*on_done)(void *user, const struct buf *text, const struct err *err), void *user,
    struct err *err);
void editor_destroy(struct editor *e); /* NULL-safe; asks the process to end */

#endif
