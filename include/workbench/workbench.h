#ifndef WORKBENCH_WORKBENCH_H
#define WORKBENCH_WORKBENCH_H

#include "base/media.h"
#include "json/query.h"
#include "pane/workspace.h"
#include "pane/pane.h"
#include "ui/backend.h"
#include "ui/input.h"
#include "ui/surface.h"

/*
 * The whole interface as one value without I/O: panes, focus, layout, commands, keys, prompt and
 * dialogs. Input and time come in, a grid comes out; effects go through workbench_host.
 */
struct workbench;

/* Requests about the authorization of a server. */
enum workbench_auth {
	WORKBENCH_AUTH_NEXT,   /* agree, or open the browser */
	WORKBENCH_AUTH_AGAIN,  /* start over */
	WORKBENCH_AUTH_PASTE,  /* text: the URL that the browser was redirected to */
	WORKBENCH_AUTH_CLIENT, /* text: "ID [SECRET]" */
	WORKBENCH_AUTH_FORGET,
};

/* A setting of the user's configuration. */
struct workbench_setting {
	const char *name;
	const char *values; /* "auto|cells": words to choose from; else what it takes, "SIZE" */
	const char *help;
};

struct workbench_host {
	void (*quit)(void *user);
	size_t (*running)(void *user); /* calls, of all servers */
	/* Suspends the program as a shell job, soon. */
	bool (*suspend)(void *user, struct err *err);
	/* Servers are choices of the workspace, by index. Starts or restarts one; it then has a
	 * struct server. */
	bool (*start)(void *user, size_t choice, struct err *err);
	bool (*stop)(void *user, size_t choice, struct err *err);
	/* Approves the server, now and, unless false, from now on. */
	bool (*approve)(void *user, size_t choice, struct err *err);
	/* The next input value it needs; NULL: none. */
	const struct target_input *(*wanted)(void *user, size_t choice);
	/* A value for what wanted() returned; false: it does not take it. */
	bool (*give)(void *user, size_t choice, const char *value, struct err *err);
	bool (*authorize)(
	    void *user, size_t choice, enum workbench_auth what, const char *text, struct err *err);
	/* Text with servers in the format of another client (host/user_config.h): appends to told what
	 * they would run, or adds them if told is NULL. False with an empty err: the text has no
	 * servers. */
	bool (*add_pasted)(void *user, const char *text, struct buf *told, struct err *err);
	/* In the user's own configuration; choices may change. words: a URL, or environment
	 * variables and a command. */
	bool (*add_server)(void *user, const char *name, char *const *words, struct err *err);
	bool (*remove_server)(void *user, size_t choice, struct err *err);
	bool (*disable_server)(void *user, size_t choice, bool disabled, struct err *err);
	/* Edits the file of the server, SIZE_MAX: the user's own, then reloads it. */
	bool (*edit_server)(void *user, size_t choice, struct err *err);
	/* The settings, by index; NULL past the end. A change lasts until the program ends. */
	const struct workbench_setting *(*setting)(void *user, size_t index);
	bool (*set_setting)(void *user, const char *name, const char *value, struct err *err);
	void (*add_setting)(void *user, const char *name, struct buf *out); /* its value */
	/* Names those in the user's folder, in no order. */
	void (*list_themes)(void *user, struct strings *out);
	/* Shows a theme until another call: NULL shows the set one. */
	void (*preview_theme)(void *user, const char *name);
	bool (*has_file)(void *user, const char *path); /* a regular one; NULL: none is there */
	/* path_write_export() */
	bool (*write_file)(
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	/* path_write_new() */
	char *(*write_new)(
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	/* A new file that grows: path_create_new() of mode 0600, path_write_fd(), close(). */
	int (*create_new)(void *user, const char *path, char **name, struct err *err);
	bool (*append_new)(void *user, int file, const char *bytes, size_t len, struct err *err);
	void (*close_new)(void *user, int file);
	/* Appends a regular file, bounded by out->max. */
	bool (*read_file)(void *user, const char *path, struct buf *out, struct err *err);
	/* beneath_read(), for a name that comes out of a file */
	bool (*read_beneath)(void *user, const char *folder, const char *name, struct buf *out,
	    struct err *err);
	/* Names what is in a local folder, a bounded number of entries, in no order. */
	void (*list_folder)(void *user, const char *folder,
	    void (*each)(void *ctx, const char *name, bool is_folder), void *ctx);
	/* Edits text in $EDITOR; workbench_on_edited() gets the result. */
	bool (*edit)(void *user, const char *text, size_t len, struct err *err);
	void (*copy)(void *user, const char *text, size_t len);         /* to the clipboard */
	bool (*open_url)(void *user, const char *url, struct err *err); /* in a browser */
	/* Runs --sampling-command to draft an answer to this sampling request of the shown server.
	 */
	bool (*sample)(void *user, uint64_t question, struct err *err);
	/* As in struct pane_host. */
	bool (*picture)(void *user, struct picture_job *job);
	bool (*audio)(void *user, struct audio_job *job);
	bool (*play)(
	    void *user, const char *bytes, size_t len, const char *ending, struct err *err);
	bool (*stop_playing)(void *user);
	/* The command of the user's program for a MIME type. NULL: programs cannot run. */
	const char *(*program_for)(void *user, const char *type);
	bool (*open_file)(void *user, const struct pane_file *file, struct err *err);
	bool (*query)(void *user, struct query_job *job);
	void (*stop_query)(void *user, struct query_job *job);
	/* Programs of the terminal pane; user is that of the other functions. NULL: none. */
	const struct terminal_host *terminal;
	/* Shows text in the user's pager. ending: of a file of this kind, ".json". */
	bool (*page)(void *user, const char *text, size_t len, const char *ending, struct err *err);
	job_submit_fn *submit;       /* takes jobs; NULL: long work is done at once */
	void (*changed)(void *user); /* outside of all calls: draw again */
	/* The real path; the caller frees. NULL with err on failure. */
	char *(*absolute_path)(void *user, const char *path, struct err *err);
};

struct workbench *workbench_create(const struct workbench_host *host, void *user);
void workbench_destroy(struct workbench *wb);
struct workspace *workbench_workspace(struct workbench *wb);
/* A line of the user's configuration: "bind CONTEXT KEY COMMAND". */
bool workbench_bind(struct workbench *wb, const char *line, struct err *err);

void workbench_key(struct workbench *wb, const struct key *key, int64_t now_us);
/* Runs a line as typed after ":". False: failed; the bottom bar says why. */
bool workbench_run(struct workbench *wb, const char *command_line, int64_t now_us);
/* Queues commands to run in order once the server is ready, each when the previous one is done
 * (`call` is done when its response arrives or the server asks something). */
void workbench_enqueue(struct workbench *wb, const char *command_line);
/* Runs the commands that are due. Call after every event. */
void workbench_advance(struct workbench *wb, int64_t now_us);
bool workbench_queue_empty(const struct workbench *wb);

/* Writes the rest of a recorded session, before the servers and the workbench are destroyed. */
void workbench_end_recording(struct workbench *wb);

/* One line for the bottom bar. */
void workbench_tell(struct workbench *wb, enum role role, const char *text);
/* The editor ended: the new text, or NULL and the reason. */
void workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us);

/* Opens the terminal pane on a program. */
bool workbench_open_terminal(
    struct workbench *wb, const struct terminal_program *program, struct err *err);

/* The editor of edit_server() ended; why: the failure, or NULL. */
void workbench_on_server_edited(struct workbench *wb, const char *why);

/* Before the first frame: for commands that run before it. */
void workbench_set_size(struct workbench *wb, int width, int height);
/* The sizes that the user gave to panes, as text to keep; unknown names are skipped. */
void workbench_load_sizes(struct workbench *wb, const char *text);
void workbench_add_sizes(struct workbench *wb, struct buf *out);
/* Until the first call of all runs, the bottom bar says where the keys are. text: as kept by an
 * earlier run; "": there was none. */
void workbench_load_first_call(struct workbench *wb, const char *text);
void workbench_add_first_call(struct workbench *wb, struct buf *out);
/* What the palette ran, as text to keep. */
void workbench_load_uses(struct workbench *wb, const char *text);
void workbench_add_uses(struct workbench *wb, struct buf *out);
/* The expressions of jq, likewise. */
void workbench_load_queries(struct workbench *wb, const char *text);
void workbench_add_queries(struct workbench *wb, struct buf *out);
/* Which changed definitions of tools the user has seen. */
void workbench_load_looked(struct workbench *wb, const char *text);
void workbench_add_looked(struct workbench *wb, struct buf *out);
/* Draws everything into g. */
void workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us);
/* Jobs are under way, or the last frame shows a part of a long text: later frames show more. */
bool workbench_is_busy(const struct workbench *wb);
/* The next time-driven change of the screen (a running clock, progress); INT64_MAX: none. */
int64_t workbench_next_frame_us(const struct workbench *wb, int64_t now_us);
/* The last message in the bottom bar; "" if none. */
const char *workbench_message(const struct workbench *wb);

/* The table of commands for --help and the manual: name, arguments, keys, help; NULL past the end.
 */
struct command_info {
	const char *context; /* "global", or the name of a pane or view */
	const char *name, *args, *keys, *help;
	bool whole; /* cannot be abbreviated */
	bool of_view;
	const char *alias_of; /* the command line that the name stands for; NULL: no alias */
};
bool workbench_command_info(size_t index, struct command_info *out);

#endif
