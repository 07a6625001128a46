/* SPDX-License-Identifier: MIT */
#ifndef PANE_PANE_H
#define PANE_PANE_H

#include "base/units.h"
#include "pane/effects.h"
#include "pane/workspace.h"
#include "pane/panes.h"
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

/* Long work that the user waits for: the bottom bar shows it, Ctrl-C stops it. */
struct pane_work {
	char text[100]; /* "exporting the journal" */
	void *owner;    /* for these functions */
	unsigned (*percent)(const struct pane_work *work);
	void (*stop)(struct pane_work *work); /* may free it */
};

/* The functions of the workbench for panes; wb is view_env.user. */
struct pane_host {
	/* A command line as typed after ":". False: it failed, and the bottom bar says why. */
	bool (*run)(struct workbench *wb, const char *command_line);
	void (*say)(struct workbench *wb, enum role role, const char *text); /* in the bottom bar */
	/* Copies to the clipboard and reports it. */
	void (*copy)(struct workbench *wb, const char *text, size_t len);
	/* Writes a file and reports it; asks before it replaces one. */
	bool (*write)(struct workbench *wb, const char *path, const char *bytes, size_t len);
	/* Writes a new file and reports it; its name gets a number if a file has the name. */
	bool (*write_new)(struct workbench *wb, const char *path, const char *bytes, size_t len);
	/* Shows long work until work_is_over(). False: other work runs; reported. */
	bool (*work)(struct workbench *wb, struct pane_work *work);
	void (*work_is_over)(struct workbench *wb, struct pane_work *work);
	/* Sends a message of ours once more, under a new id; asks first if it calls a destructive
	 * tool. */
	bool (*send_again)(struct workbench *wb, const char *text, size_t len);
	/* Edits a message in $EDITOR, then sends it to the server. */
	bool (*edit_message)(struct workbench *wb, const char *text, size_t len);
	/* Asks the user, then opens the file in the user's program for its type. False: it
	 * failed, and the bottom bar says why. */
	bool (*open_file)(struct workbench *wb, const struct pane_file *file);
	void (*changed)(struct workbench *wb); /* by a job: draw again */
	const struct effects *effects;
	void *effects_user; /* the first argument of effects */
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
struct units_text pane_duration(int64_t us); /* "0.4 ms", "12.3 s" */

#endif
