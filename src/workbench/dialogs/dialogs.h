/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_DIALOGS_DIALOGS_H
#define WORKBENCH_DIALOGS_DIALOGS_H

#include "workbench/frame/frame.h"
#include "base/strings.h"
#include "client/target.h"
#include "client/chain.h"
#include "form/form.h"
#include "recipe/collection.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/list.h"
#include "ui/page.h"
#include "ui/seek.h"
#include "ui/wrap.h"

/* Dialogs are drawn over the panes and own the keyboard while open: one file and one row each. */
struct workbench;

struct dialog {
	bool (*key)(struct workbench *wb, const struct key *key); /* false: it has no use for it */
	/* main: the area of the panes; bar: the row below it. */
	void (*draw)(struct workbench *wb, struct surface main, struct surface bar);
	void (*finish)(struct workbench *wb); /* frees everything; may be called at any time */
	const char *keys; /* for the bottom bar, "Esc close  / search"; NULL: those of the pane */
	void (*add_keys)(
	    const struct workbench *wb, struct buf *out); /* instead of keys; or NULL */
	bool decides; /* runs or sends something: queued commands wait for it, see dispatch.c */
	bool types;   /* decides, and has a text field: Enter alone answers */
	/* For `/`, as of a pane; its number for the search. NULL: nothing to search. */
	struct seekable (*seek)(struct workbench *wb);
	enum find_front front;
	const struct list_dialog_ops *rows; /* of a list, see list_dialog.c; NULL: it is none */
};

#define DIALOGS(X) \
	X(prompt)  \
	X(palette) \
	X(help) X(calls) X(confirm) X(approval) X(ask) X(pick) X(pass) X(copy_menu) X(saved)
#define X(id) extern const struct dialog dialog_##id;
DIALOGS(X)
#undef X

/* A cleared box in the middle of the main area, at most this large. */
struct surface dialog_box(struct surface main, int width, int height);
bool dialog_closes(const struct key *key); /* Escape or Ctrl-C */
/* Closes the open dialog and frees its state. */
void dialog_leave(struct workbench *wb);
void dialog_leave_for(struct workbench *wb, char *line_taken); /* and runs the command */

/* A key of one list dialog; row: the selected one. */
struct list_dialog_action {
	const char *keys; /* "d delete" */
	const char *hint; /* for the bottom bar; NULL: none */
	void (*run)(struct workbench *wb, size_t row);
};

struct list_dialog_ops {
	int width;
	const char *verb; /* what Enter does, for the bottom bar */
	void (*choose)(struct workbench *wb, size_t row);
	void (*draw_row)(struct workbench *wb, struct surface s, int y, size_t row);
	/* Text to search; without a search its first letter selects the row. May be NULL. */
	void (*add_text)(const struct workbench *wb, size_t row, struct buf *out);
	const struct list_dialog_action *keys; /* ended by a row without keys; may be NULL */
};

/* The list dialog that is open. */
struct list_dialog {
	const char *title;
	struct list list;
	struct rect box; /* as last drawn */
	int y;           /* of the first row, on the screen */
};

void list_dialog_open(
    struct workbench *wb, const struct dialog *dialog, const char *title, size_t count);
/* Functions of struct dialog. */
bool list_dialog_key(struct workbench *wb, const struct key *key);
void list_dialog_draw(struct workbench *wb, struct surface main, struct surface bar);
void list_dialog_add_keys(const struct workbench *wb, struct buf *out);
struct seekable list_dialog_seek(struct workbench *wb);
void list_dialog_draw_rows(struct workbench *wb, struct surface inner);

/* The buttons of a dialog as last drawn, for the mouse. */
enum { BUTTONS_MAX = 3 };
struct buttons {
	struct rect items[BUTTONS_MAX];
	int len;
};

/* A confirmation with the focus on the safe answer: Enter chooses it, y the other. */
struct confirm_words {
	const char *title, *no, *yes; /* "Quit?", "Stay", "Quit" */
	const char *instead;          /* the command for no; NULL: none. Escape runs none. */
};
struct confirm {
	const struct confirm_words *words;
	struct page page;
	bool more;     /* than fits on the screen */
	char *command; /* the command for yes */
	int focus;
	struct buttons buttons; /* no, yes */
};

/* Approval of a server in a project's file. */
struct approval {
	struct page page;
	struct buttons buttons; /* yes, no, toggle secrets */
	bool hides, reveal;     /* secrets exist; secrets are shown */
};

/* An input value to start a server. */
struct ask {
	const struct target_input *input; /* the choice's */
	struct edit edit;
};

/* The running calls, to cancel one. */
struct calls {
	uint64_t *items; /* ids */
	size_t len, cap;
};

/* The controls of the last frame, each with its label. */
struct pick {
	struct spot spots[SPOTS_MAX];
	int len;
	int alone; /* labels of one letter, which come first */
	int typed; /* the first letter of two; -1: none */
};

/* Values on the screen that can be passed on to another call. */
enum pass_what { PASS_VALUE, PASS_ROWS, PASS_COLUMN, PASS_ITEMS, PASS_WHATS };
struct pass_part {
	enum pass_what what;
	size_t count;            /* of values, absent ones included */
	struct json_doc *sample; /* the first of them */
	char *pointer;           /* of it in the result */
};

/* The field that takes them, to be chosen. */
struct pass {
	struct pass_part parts[PASS_WHATS];
	size_t count, part;         /* the part that is passed on */
	struct chain_fields fields; /* for it */
	char *uri;                  /* the value is one; else NULL */
	bool is_web;                /* and not a resource of the server */
	struct edit edit;
	struct {
		uint32_t *items; /* of fields, those with the typed letters */
		size_t len, cap;
	} shown;
	int name_cols;
};

struct help {
	struct wrap wrap; /* zeroed: no text */
	char *text;
	int width; /* screen width of the wrapped text */
	size_t top;
	int height; /* of the text, as last drawn */
};

/* screen.c */
/* Draws it; returns the column after it. */
int buttons_add(
    struct buttons *b, struct surface s, int x, int y, enum role role, const char *text);
int buttons_at(const struct buttons *b, const struct key *key); /* in order; -1: none is clicked */

/* format: the command for yes. Returns true. */
bool confirm_open(struct workbench *wb, const struct confirm_words *words, char *text_taken,
    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* All problems of a form: "2 arguments are missing: a, b.", then one line per other problem. */
void confirm_add_problems(const struct form *form, const char *noun, struct buf *out);

#endif
