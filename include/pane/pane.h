#ifndef PANE_PANE_H
#define PANE_PANE_H

#include "base/audio.h"
#include "base/err.h"
#include "base/job.h"
#include "base/picture.h"
#include "json/query.h"
#include "pane/workspace.h"
#include "pane/panes.h"
#include "pane/terminal.h"
#include "ui/input.h"
#include "ui/seek.h"
#include "ui/surface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A pane is a view of the workspace: one file (or room) and one row of PANES. It owns only its view
 * state (selection, scroll, folds); the workspace owns the data. It draws all of its surface and
 * requests effects through the host.
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

struct pane_env {
	struct workspace *ws;
	const struct pane_host *host;
	void *user;        /* for host */
	struct jobs *jobs; /* for long work; NULL: it is done at once */
	int64_t now_us;
	int width;         /* inside its frame, for heading(); 0: unknown */
	bool focused;
	bool alone;   /* not in a stack: no other pane could use its rows */
	bool entered; /* this mouse press moved the focus here */
	bool typing;  /* letters are text: see types() */
};

/* A pane's command: by key if the pane has the focus, by `:name` from anywhere. */
struct pane_action {
	const char *name; /* "sort" */
	const char *keys; /* default keys, separated by spaces: "s"; "" for none */
	const char *args; /* "[COLUMN]"; "" for none */
	const char *help; /* "sort by the selected or the named column" */
	bool (*run)(void *state, const struct pane_env *env,
	    const char *arg); /* false: failed, and said why */
	const char *hint;     /* hint for the bottom bar: "sort"; NULL: none */
};

/* Keys of a global command in one pane. */
struct pane_binding {
	const char *keys, *command; /* "S f5", "answer" */
};

struct pane_ops {
	const char *title; /* "structuredContent" */
	const char *help;  /* one sentence */
	size_t state_size;
	const struct pane_action *actions;   /* ended by a row without a name; may be NULL */
	const char *last_hint; /* of the action whose hint gives way to all others; NULL: none */
	const struct pane_binding *bindings; /* ended by a row without keys; may be NULL */
	/* Names, separated by blanks, of commands that delete, clear, forget or quit: they cannot
	 * be abbreviated. May be NULL. */
	const char *whole;

	/* Any of these may be NULL. */
	/* Does it apply to the selection? Default: to all. */
	bool (*applies)(const struct pane_env *env);
	void (*init)(void *state); /* state is zeroed */
	void (*finish)(void *state);
	/* The workspace changed: update derived data. Called before draw. */
	void (*sync)(void *state, const struct pane_env *env);
	/* Rows wanted inside the frame at this inner width, 0 if the title says all; of the list:
	 * the columns. */
	int (*want)(void *state, const struct pane_env *env, int width);
	bool is_wide; /* an overlay that wants rows, and the columns of the whole screen */
	/* Columns that its value wants inside the frame, the same whatever is selected in it; 0:
	 * unknown. Of structuredContent only. */
	int (*columns)(const void *state);
	/* The title (if set, replaces the default) and facts of the frame. Returns the role of the
	 * facts. */
	enum role (*heading)(
	    void *state, const struct pane_env *env, struct buf *title, struct buf *facts);
	/* Drawn on the border in place of the title: one row. */
	void (*draw_title)(void *state, const struct pane_env *env, struct surface row);
	void (*draw)(void *state, const struct pane_env *env, struct surface inner);
	/* Of the focused pane: draws its open menu or list over all panes. inner is the surface of
	 * draw(). Returns the part of the screen whose mouse events it gets,
	 * relative to inner; width 0: nothing is open. */
	struct surface (*pop_up)(
	    void *state, const struct pane_env *env, struct surface screen, struct surface inner);
	/* Unbound keys, and mouse events with x, y relative to `inner`. True: consumed. */
	bool (*key)(void *state, const struct pane_env *env, const struct key *key);
	/* While a text field or something opened owns the keyboard, so that key() precedes
	 * bindings: its keys for the bottom bar, "Enter keep  Esc clear". NULL: not now. */
	const char *(*captures)(const void *state);
	/* While the focus is on a field that is not being edited yet: letters, Tab and a paste are for
	 * key() before any binding, until Esc makes letters commands. May be NULL. */
	bool (*types)(const void *state);
	bool (*fills)(const void *state); /* then, does Tab go on to the next field? May be NULL. */
	/* While it captures, all keys are its own but that of this action. NULL: keys that key()
	 * does not consume keep their usual meaning. */
	const char *release;
	/* Is something open that key() closes with Esc, while keys are bound as usual? */
	bool (*is_open)(const void *state);
	/* For `/`, if the pane filters rows: the filter text, "" for all of them; NULL: not
	 * filterable now. */
	const char *(*filtered)(const void *state);
	void (*filter)(void *state, const struct pane_env *env, const char *text);
	/* On the filter, if it may be an expression. May return NULL. */
	const struct filter_note *(*filter_note)(const void *state);
	/* For `/` otherwise: the searched text; false: none now. env outlives *out. */
	bool (*seek)(void *state, const struct pane_env *env, struct seekable *out);
	/* The hint of an action if it applies now, else NULL. Default: the action's own hint. */
	const char *(*hint)(
	    void *state, const struct pane_env *env, const struct pane_action *action);
	void (*copy)(void *state, const struct pane_env *env, struct buf *out); /* for :copy */
	/* The views of its value: their actions are then the pane's, too. */
	struct views *(*views)(void *state);
	/* Shows the node of structuredContent at a JSON Pointer, for jumps. */
	bool (*reveal)(void *state, const struct pane_env *env, const char *pointer);
};

#define X(id, ...) extern const struct pane_ops pane_##id;
PANES(X, X, X)
#undef X

enum pane_slot { SLOT_LIST, SLOT_STACKED, SLOT_OVERLAY };

/* A row of PANES. */
struct pane {
	const char *name;
	enum pane_slot slot;
	int least, share, rank; /* of the list and the stacked ones */
	const struct pane_ops *ops;
};
extern const struct pane pane_table[PANE_COUNT];

extern const enum role pane_verdict_roles[VERDICT_COUNT];
/* A call in a list: its verdict, or whether it failed if there was nothing to check. */
struct call_look {
	const char *mark;
	enum role role;
};
struct call_look pane_call_look(enum verdict_kind verdict, bool failed);
void pane_add_duration(struct buf *out, int64_t us); /* "0.4 ms", "12.3 s" */

#endif
