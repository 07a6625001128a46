#ifndef PANE_PANE_H
#define PANE_PANE_H

#include "base/err.h"
#include "base/picture.h"
#include "model/workspace.h"
#include "pane/panes.h"
#include "ui/input.h"
#include "ui/seek.h"
#include "ui/surface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A pane is one view on the workspace: one file, one row in PANES. It holds only
 * how it looks (selection, scroll, folds); what it shows is the workspace's. It
 * draws whole into the surface it is given and asks for effects by the host.
 */

/* What a pane may ask for. `run` takes what the user could have typed after ":". */
struct pane_host {
	bool (*run)(
	    void *user, const char *command_line); /* false: refused, and already said why */
	void (*say)(void *user, enum role role, const char *text); /* one line in the bottom bar */
	/* Decodes a PNG or JPEG. True: done() comes later. False: the result is there already, which
	 * may be no picture and no trouble either; done() does not come. NULL: none is drawn. */
	bool (*picture)(void *user, struct picture_job *job);
	void (*changed)(void *user); /* by a job: draw again */
};

struct pane_env {
	struct workspace *ws;
	const struct pane_host *host;
	void *user; /* for host */
	int64_t now_us;
	bool focused;
	bool entered; /* by this press of the mouse: it had not the focus before */
};

/* A command of a pane: by key when the pane has the focus, by `:name` from anywhere. */
struct pane_action {
	const char *name; /* "sort" */
	const char *keys; /* default keys, separated by spaces: "s"; "" for none */
	const char *args; /* "[COLUMN]"; "" for none */
	const char *help; /* "sort by the selected or the named column" */
	bool (*run)(
	    void *state, const struct pane_env *env, const char *arg); /* false: refused, said */
	const char *hint; /* word for the bottom bar: "sort"; NULL: not there */
};

enum pane_slot {
	SLOT_LEFT,    /* the list column */
	SLOT_RIGHT,   /* stacked in the main column */
	SLOT_OVERLAY, /* fills the main area until closed */
};

struct pane_ops {
	const char *name;  /* "structured": for :pane and bind */
	const char *title; /* "structuredContent" */
	const char *help;  /* one sentence */
	enum pane_slot slot;
	int weight; /* share of spare height among SLOT_RIGHT panes */
	size_t state_size;
	const struct pane_action *actions; /* ended by a row without a name; may be NULL */
	/* Names of those that delete, clear, forget or leave, with blanks between: no beginning of
	 * such a name will do. May be NULL. */
	const char *whole;

	/* Any of these may be NULL. */
	void (*init)(void *state); /* state is zeroed before */
	void (*finish)(void *state);
	/* The workspace changed: renew what was derived from it. Comes before draw. */
	void (*sync)(void *state, const struct pane_env *env);
	/* Some milliseconds of what is left to do; false: nothing is. */
	bool (*work)(void *state, const struct pane_env *env);
	/* Rows wanted inside the frame at this inner width. */
	int (*want)(void *state, const struct pane_env *env, int width);
	/* Title (replaces the plain one when not left empty) and facts for the frame. Returns the
	 * role the facts are drawn in. */
	enum role (*heading)(
	    void *state, const struct pane_env *env, struct buf *title, struct buf *facts);
	/* On the border, where the title is, instead of it: one row. */
	void (*draw_title)(void *state, const struct pane_env *env, struct surface row);
	void (*draw)(void *state, const struct pane_env *env, struct surface inner);
	/* Keys that no binding took, and mouse events with x, y relative to `inner`. True: used. */
	bool (*key)(void *state, const struct pane_env *env, const struct key *key);
	/* While a text field of the pane owns the keyboard: key() comes before bindings. */
	bool (*captures)(const void *state);
	/* What the keys do meanwhile, for the bottom bar: "Enter keep  Esc clear". */
	const char *(*typing)(const void *state);
	/* For `/`. Where rows are filtered: the text that they match, "" for all of them; NULL:
	 * nothing is filtered now. */
	const char *(*filtered)(const void *state);
	void (*filter)(void *state, const struct pane_env *env, const char *text);
	/* Elsewhere what is searched; false: nothing now. env lives as long as *out. */
	bool (*seek)(void *state, const struct pane_env *env, struct seekable *out);
	/* The word of an action that makes sense now, NULL: none. Without it, the action's own. */
	const char *(*hint)(
	    void *state, const struct pane_env *env, const struct pane_action *action);
	void (*copy)(void *state, const struct pane_env *env, struct buf *out); /* for :copy */
	struct table *(*table)(void *state); /* the one shown; NULL: none */
	/* Shows the node of structuredContent that a JSON Pointer names (for jumps). */
	bool (*reveal)(void *state, const struct pane_env *env, const char *pointer);
};

#define X(id) extern const struct pane_ops pane_##id;
PANES(X)
#undef X

extern const struct pane_ops *const pane_table[PANE_COUNT];

enum role pane_verdict_role(enum verdict_kind kind);
void pane_add_duration(struct buf *out, int64_t us); /* "0.4 ms", "12.3 s" */

#endif
