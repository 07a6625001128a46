/* SPDX-License-Identifier: MIT */
#ifndef PANE_EFFECTS_H
#define PANE_EFFECTS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/job.h"
#include "base/media.h"
#include "base/strings.h"
#include "json/query.h"
#include "pane/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The effects of the full screen on the world outside. src/app implements the table for the
 * program, tests/lib/stage.c for tests; the workbench and the panes call it. The first argument is
 * the implementer's. Functions with an err return false or NULL and set it on failure.
 */

/* Requests about the authorization of a server. */
enum authorize {
	AUTHORIZE_NEXT,   /* agree, or open the browser */
	AUTHORIZE_AGAIN,  /* start over */
	AUTHORIZE_PASTE,  /* text: the URL that the browser was redirected to */
	AUTHORIZE_CLIENT, /* text: "ID [SECRET]" */
	AUTHORIZE_FORGET,
};

/* A change of a server in the user's configuration. */
enum server_change { SERVER_REMOVE, SERVER_ENABLE, SERVER_DISABLE };

/* A setting of the user's configuration. */
struct setting_info {
	const char *name;
	const char *values; /* "auto|cells": words to choose from; else what it takes, "SIZE" */
	const char *help;
};

/* A file for a program of the user. */
struct pane_file {
	const char *type;   /* "image/png" */
	const char *ending; /* of its name, ".png"; static */
	const char *bytes;
	size_t len;
};

struct target_input;

struct effects {
	void (*quit)(void *user);
	bool (*suspend)(void *user, struct err *err); /* the program as a shell job, soon */
	/* Takes jobs. NULL: long work is done at once. */
	job_submit_fn *submit;
	void (*changed)(void *user); /* outside of all calls: draw again. May be NULL */

	/* Servers: a choice is an index of the workspace's choices. */
	size_t (*running)(void *user); /* calls, of all servers */
	/* Starts or restarts a server; it then has a struct server. */
	bool (*start)(void *user, size_t choice, struct err *err);
	bool (*stop)(void *user, size_t choice, struct err *err);
	/* Approves the server, now and in later runs. */
	bool (*approve)(void *user, size_t choice, struct err *err);
	/* The next input value that the server needs; NULL: none. */
	const struct target_input *(*wanted)(void *user, size_t choice);
	/* Sets what wanted() returned. */
	bool (*give)(void *user, size_t choice, const char *value, struct err *err);
	bool (*authorize)(
	    void *user, size_t choice, enum authorize what, const char *text, struct err *err);
	/* Adds the servers of a text in the format of another client (host/user_config.h), or, if
	 * told is not NULL, appends to it the commands that they would run. False with an empty
	 * err: the text has no servers. */
	bool (*add_pasted)(void *user, const char *text, struct buf *told, struct err *err);
	/* These two change the user's own configuration, and with it the choices. words: a URL,
	 * or environment variables and a command. */
	bool (*add_server)(void *user, const char *name, char *const *words, struct err *err);
	bool (*change_server)(
	    void *user, size_t choice, enum server_change change, struct err *err);
	/* Edits the file of the server, SIZE_MAX: the user's own, then reloads it. */
	bool (*edit_server)(void *user, size_t choice, struct err *err);
	/* Drafts an answer to this sampling request of the shown server by --sampling-command. */
	bool (*sample)(void *user, uint64_t question, struct err *err);

	/* The settings, by index; NULL past the end. A change lasts until the program ends. */
	const struct setting_info *(*setting)(size_t index);
	bool (*set_setting)(void *user, const char *name, const char *value, struct err *err);
	void (*add_setting)(void *user, const char *name, struct buf *out); /* appends its value */
	void (*list_themes)(void *user, struct strings *out); /* in the user's folder, unsorted */
	/* Shows a theme until the next call; NULL shows the theme of the settings. */
	void (*preview_theme)(void *user, const char *name);

	/* Files. */
	bool (*has_file)(void *user, const char *path); /* a regular one. NULL: none exists */
	bool (*write_file)(/* of mode 0600 if it is new; on any thread */
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	char *(*write_new)(/* path_write_new() */
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	/* A new file that grows: path_create_new() of mode 0600, path_write_fd(), close(). */
	int (*create_new)(void *user, const char *path, char **name, struct err *err);
	bool (*append_new)(void *user, int file, const char *bytes, size_t len, struct err *err);
	void (*close_new)(void *user, int file);
	/* Appends a regular file, bounded by out->max. */
	bool (*read_file)(void *user, const char *path, struct buf *out, struct err *err);
	bool (*read_beneath)(/* beneath_read(), for a name that comes out of a file */
	    void *user, const char *folder, const char *name, struct buf *out, struct err *err);
	/* Names the entries of a local folder, a bounded number of them, unsorted. */
	void (*list_folder)(void *user, const char *folder,
	    void (*each)(void *ctx, const char *name, bool is_folder), void *ctx);
	/* The real path; the caller frees. */
	char *(*absolute_path)(void *user, const char *path, struct err *err);

	/* Other programs. */
	void (*copy)(void *user, const char *text, size_t len);         /* to the clipboard */
	bool (*open_url)(void *user, const char *url, struct err *err); /* in a browser */
	/* Edits text in $EDITOR; workbench_on_edited() gets the result. */
	bool (*edit)(void *user, const char *text, size_t len, struct err *err);
	/* Shows text in the user's pager. ending: of a file of this kind, ".json". */
	bool (*page)(void *user, const char *text, size_t len, const char *ending, struct err *err);
	/* The command of the user's program for a MIME type. NULL: programs cannot run. */
	const char *(*program_for)(void *user, const char *type);
	bool (*open_file)(void *user, const struct pane_file *file, struct err *err); /* in that */
	/* Plays a file with these bytes and stops an earlier one. ending: of its name, ".wav". */
	bool (*play)(
	    void *user, const char *bytes, size_t len, const char *ending, struct err *err);
	bool (*stop_playing)(void *user); /* false: nothing was played */

	/* Jobs in confined processes. True: done() is called later. False: the result is ready,
	 * possibly without a value and an error; done() is not called. */
	bool (*picture)(void *user, struct picture_job *job); /* NULL: no pictures */
	bool (*audio)(void *user, struct audio_job *job);     /* NULL: no audio */
	bool (*query)(void *user, struct query_job *job);
	void (*stop_query)(void *user, struct query_job *job); /* it runs: calls done() */

	/* Programs of the terminal pane. start_program may be NULL: none can run. */
	struct terminal_link *(*start_program)(void *user, char *const *argv,
	    struct terminal_size size, const struct terminal_listener *listener, struct err *err);
	void (*write_program)(struct terminal_link *link, const char *bytes, size_t len);
	void (*resize_program)(struct terminal_link *link, struct terminal_size size);
	/* Ends it if it runs; no callback follows. */
	void (*close_program)(struct terminal_link *link);
};

#endif
