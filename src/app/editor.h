#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/*
 * The user's editor on a temporary file of mode 0600: $VISUAL, $EDITOR or vi, as a shell
 * command. Suspend the display first.
 */
struct editor;

/* on_done: text is NULL and err explains why if the editor failed. The editor is destroyed
 * before. */
struct editor *editor_start(struct loop *loop, const char *text, size_t len,
    void (*on_done)(void *user, const struct buf *text, const struct err *err), void *user,
    struct err *err);
/* The same for a file of the user's, changed in place. */
struct editor *editor_start_file(struct loop *loop, const char *path,
    void (*on_done)(void *user, const struct buf *text, const struct err *err), void *user,
    struct err *err);
void editor_destroy(struct editor *e); /* NULL-safe; terminates the process */

#endif
