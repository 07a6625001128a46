#ifndef APP_EDITOR_H
#define APP_EDITOR_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"
#include "workbench/workbench.h"

/*
 * The user's editor or pager on a file: $VISUAL, $EDITOR or vi, as a shell command, in the
 * terminal pane or on the whole terminal.
 */
struct editor;

struct editor_job {
	const char *command; /* NULL: the user's editor */
	const char *path;    /* a file of the user's; NULL: a temporary one of mode 0600 */
	const char *text;    /* of the temporary one */
	size_t len;
	const char *ending;   /* of its name, ".json" */
	struct workbench *wb; /* runs in its terminal pane; NULL: on the terminal, which the
			       * display has given away */
	/* text is NULL and err explains why if the editor failed; a pager's is empty. The editor is
	 * destroyed before. */
	void (*on_done)(void *user, const struct buf *text, const struct err *err);
	void *user;
};

/* The job and its strings are borrowed for the call. */
struct editor *editor_start(struct loop *loop, const struct editor_job *job, struct err *err);
/* NULL-safe; terminates a process on the terminal. The pane must not tell the end of its program
 * any more. */
void editor_destroy(struct editor *e);

#endif
