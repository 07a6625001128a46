#ifndef WORKBENCH_WORKBENCH_H
#define WORKBENCH_WORKBENCH_H

#include "base/picture.h"
#include "model/workspace.h"
#include "ui/input.h"
#include "ui/surface.h"

/*
 * The whole interface as one value without I/O: panes, focus, layout, commands,
 * keys, prompt and dialogs. Keys and times come in, a grid comes out; what touches
 * the world goes through workbench_host.
 */
struct workbench;

/* What may be asked about the authorization of a server. */
enum workbench_auth {
	WORKBENCH_AUTH_NEXT,   /* agree, or open the browser */
	WORKBENCH_AUTH_AGAIN,  /* from the start */
	WORKBENCH_AUTH_PASTE,  /* text: the address that the browser ended at */
	WORKBENCH_AUTH_CLIENT, /* text: "ID [SECRET]" */
	WORKBENCH_AUTH_FORGET,
};

struct workbench_host {
	void (*quit)(void *user);
	size_t (*running)(void *user); /* calls, of all servers */
	/* Stops the program as a shell's job, soon. */
	bool (*suspend)(void *user, struct err *err);
	/* Servers are choices of the workspace, by index. Starts one, or again; it has a struct
	 * server then. */
	bool (*start)(void *user, size_t choice, struct err *err);
	bool (*stop)(void *user, size_t choice, struct err *err);
	/* It may be started, now and, unless false, from now on. */
	bool (*approve)(void *user, size_t choice, struct err *err);
	/* A value it needs to be started; NULL: it has all. */
	const struct target_input *(*wanted)(void *user, size_t choice);
	void (*give)(void *user, size_t choice, const char *id, const char *value);
	bool (*authorize)(
	    void *user, size_t choice, enum workbench_auth what, const char *text, struct err *err);
	/* In the user's own server file; the choices may be others afterwards. words: a URL, or
	 * variables of the environment and a command. */
	bool (*add_server)(void *user, const char *name, char *const *words, struct err *err);
	bool (*remove_server)(void *user, size_t choice, struct err *err);
	bool (*disable_server)(void *user, size_t choice, bool disabled, struct err *err);
	/* Lets the user edit the file that has it, SIZE_MAX: their own; read again afterwards. */
	bool (*edit_server)(void *user, size_t choice, struct err *err);
	bool (*set_theme)(void *user, const char *name, struct err *err);
	bool (*write_file)(
	    void *user, const char *path, const char *bytes, size_t len, struct err *err);
	/* Appends a regular file, bounded by out->max. */
	bool (*read_file)(void *user, const char *path, struct buf *out, struct err *err);
	/* Lets the user edit text in $EDITOR; workbench_on_edited() gets what comes of it. */
	bool (*edit)(void *user, const char *text, size_t len, struct err *err);
	void (*copy)(void *user, const char *text, size_t len);         /* to the clipboard */
	bool (*open_url)(void *user, const char *url, struct err *err); /* in a browser */
	/* Lets the user's command draft an answer to this sampling of the server shown. */
	bool (*sample)(void *user, uint64_t question, struct err *err);
	/* Both as in struct pane_host. */
	bool (*picture)(void *user, struct picture_job *job);
	void (*changed)(void *user);
	/* The real path; the caller frees. NULL with err: there is none. */
	char *(*absolute_path)(void *user, const char *path, struct err *err);
};

struct workbench *workbench_create(const struct workbench_host *host, void *user);
void workbench_destroy(struct workbench *wb);
struct workspace *workbench_workspace(struct workbench *wb);
/* A line of the user's configuration: "bind CONTEXT KEY COMMAND". */
bool workbench_bind(struct workbench *wb, const char *line, struct err *err);

void workbench_key(struct workbench *wb, const struct key *key, int64_t now_us);
/* What could be typed after ":". False: refused; the bottom bar says why. */
bool workbench_run(struct workbench *wb, const char *command_line, int64_t now_us);
/* Commands to be run in order once the server is ready, each when the one before it is done (`call`
 * is done when its reply is there, or the server asks something). */
void workbench_enqueue(struct workbench *wb, const char *command_line);
/* Runs what is due of them. Call after every event. */
void workbench_advance(struct workbench *wb, int64_t now_us);
bool workbench_queue_empty(const struct workbench *wb);

/* One line for the bottom bar. */
void workbench_tell(struct workbench *wb, enum role role, const char *text);
/* The editor has ended: the new text of the arguments, or NULL and why not. */
void workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us);

/* The editor of edit_server() has ended; why: it failed, or NULL. */
void workbench_on_server_edited(struct workbench *wb, const char *why);

/* Before the first frame: for commands that run before it. */
void workbench_set_size(struct workbench *wb, int width, int height);
/* Draws everything into g. */
void workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us);
/* What takes long is done a few milliseconds at a time, whenever there is nothing else to do. True:
 * something was done, so there is something to draw and maybe more to do. */
bool workbench_work(struct workbench *wb);
/* When the screen changes by itself next (a running clock); INT64_MAX: never. */
int64_t workbench_next_frame_us(const struct workbench *wb, int64_t now_us);
/* The last thing said in the bottom bar; "" when none. */
const char *workbench_message(const struct workbench *wb);

/* The table of commands for --help and the manual: name, arguments, keys, help; NULL past the end.
 */
struct command_info {
	const char *context; /* "global" or a pane's name */
	const char *name, *args, *keys, *help;
	bool whole; /* no beginning of its name will do */
};
bool workbench_command_info(size_t index, struct command_info *out);

#endif
