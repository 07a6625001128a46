#ifndef PANE_PANE_H
#define PANE_PANE_H

#include "base/media.h"
#include "base/err.h"
#include "base/job.h"
#include "json/query.h"
#include "pane/workspace.h"
#include "pane/panes.h"
#include "pane/terminal.h"
#include "ui/input.h"
#include "ui/seek.h"
#include "ui/surface.h"
#include "view/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A pane is a view (view/view.h) of the workspace: one file (or room) and one row of PANES. The
 * workspace owns the data. It draws all of its surface and requests effects through the host.
 */

/* Long work that the user waits for: the bottom bar tells of it, Ctrl-C stops it. */
struct pane_work {
	char text[100]; /* "exporting the journal" */
	unsigned (*percent)(const struct pane_work *work);
	void (*stop)(struct pane_work *work); /* and forgets it */
};

/* What a program of the user is to open. */
struct pane_file {
	const char *type;   /* "image/png" */
	const char *ending; /* of a name for it, ".png": of a static table */
	const char *bytes;
	size_t len;
};

/* Requests of a pane. `run` takes a command line as typed after ":". */
struct pane_host {
	bool (*run)(
	    void *user, const char *command_line); /* false: failed, and the user was told why */
	void (*say)(void *user, enum role role, const char *text); /* one line in the bottom bar */
	void (*copy)(void *user, const char *text, size_t len);    /* to the clipboard */
	/* Writes a file and says so. */
	bool (*write)(void *user, const char *path, const char *bytes, size_t len);
	/* The same for a file that did not exist: one of that name stays, and the new one gets a
	 * number. */
	bool (*write_new)(void *user, const char *path, const char *bytes, size_t len);
	/* As write(), without a word, on any thread. */
	bool (*write_silently)(
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	void (*wrote)(void *user, const char *path, size_t len); /* says so */
	/* It is under way, and then over. False: other work is under way, and the user was told. */
	bool (*work)(void *user, struct pane_work *work);
	void (*work_is_over)(void *user, struct pane_work *work);
	/* Sends a message of ours once more, under a new id; asks first if it calls a destructive
	 * tool. */
	bool (*send_again)(void *user, const char *text, size_t len);
	/* A message in $EDITOR, to send it to the server. */
	bool (*edit_message)(void *user, const char *text, size_t len);
	/* Decodes a picture. True: done() is called later. False: the result is ready, possibly
	 * without image and error; done() is not called. NULL: images are not supported. */
	bool (*picture)(void *user, struct picture_job *job);
	bool (*audio)(void *user, struct audio_job *job); /* the same for audio */
	/* Asks the user, then opens it in the program that the settings have for the type. False:
	 * the user was told why. */
	bool (*open_file)(void *user, const struct pane_file *file);
	/* Plays a file with these bytes in place of what is played. ending: of its name, ".wav".
	 * False: the user was told why. */
	bool (*play)(void *user, const char *bytes, size_t len, const char *ending);
	bool (*stop_playing)(void *user); /* false: nothing was played */
	/* Runs a query in a process of its own. True: done() is called later. False: the result is
	 * ready; done() is not called. */
	bool (*query)(void *user, struct query_job *job);
	void (*stop_query)(void *user, struct query_job *job); /* under way: calls done() */
	void (*changed)(void *user);                           /* by a job: draw again */
	const struct terminal_host *terminal;                  /* NULL: programs cannot run */
	void *terminal_user;
};

#define X(id, ...) extern const struct view_ops pane_##id;
PANES(X, X, X)
#undef X

enum pane_slot { SLOT_LIST, SLOT_STACKED, SLOT_OVERLAY };

/* A row of PANES. */
struct pane {
	const char *name;
	enum pane_slot slot;
	int least, share, rank; /* of the list and the stacked ones */
	const struct view_ops *ops;
};
extern const struct pane pane_table[PANE_COUNT];

extern const enum role pane_verdict_roles[VERDICT_COUNT];
/* A call in a list: its verdict, or whether it failed if there was nothing to check. */
struct call_look {
	const char *mark;
	enum role role;
};
struct call_look pane_call_look(enum verdict_kind verdict, bool failed);
/* A click in column x of a filter line clears the filter or opens it for editing. */
bool pane_click_filter(const struct view_env *env, const char *text, int x);
void pane_add_duration(struct buf *out, int64_t us); /* "0.4 ms", "12.3 s" */

#endif
