#ifndef WORKBENCH_DIALOGS_DIALOGS_H
#define WORKBENCH_DIALOGS_DIALOGS_H

#include "workbench/frame/frame.h"
#include "model/target.h"
#include "form/form.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/list.h"
#include "ui/page.h"
#include "ui/seek.h"
#include "ui/wrap.h"

/* What is drawn over the panes and has the keyboard while it is open. */
struct workbench;

/* The buttons of a dialog where they were drawn last, for the mouse. */
enum { BUTTONS_MAX = 3 };
struct buttons {
	struct rect items[BUTTONS_MAX];
	int len;
};

/* A question whose safe answer has the focus: Enter gives it, y the other one. */
struct confirm_words {
	const char *title, *no, *yes; /* "Quit?", "Stay", "Quit" */
	const char *instead;          /* the command run on no; NULL: none. Escape runs none. */
};
struct confirm {
	const struct confirm_words *words;
	char *text;
	char *command; /* run on yes */
	int focus;
	struct buttons buttons; /* no, yes */
};

/* What a project's file wants to run. */
struct approval {
	struct page page;
	struct buttons buttons; /* yes, no, show secrets or hide them */
	bool hides, reveal;     /* there are secrets; they are shown */
};

/* A value for a server's start. */
struct ask {
	const struct target_input *input; /* the choice's */
	struct edit edit;
};

/* Calls to choose from. */
struct calls {
	struct {
		uint64_t *items; /* ids */
		size_t len, cap;
	} ids;
	struct list list;
	bool running; /* those only, and one of them is to be cancelled */
	int y;        /* of the first, on the screen */
};

struct help {
	struct wrap wrap; /* zeroed: of no text */
	char *text;
	int width; /* of the screen the text was laid out for */
	size_t top;
	int height; /* of the text, at the last drawing */
};

/* buttons.c */
void buttons_clear(struct buttons *b);
/* Draws it; returns the column after it. */
int buttons_add(
    struct buttons *b, struct surface s, int x, int y, enum role role, const char *text);
int buttons_at(const struct buttons *b, const struct key *key); /* in order; -1: none is clicked */

/* confirm.c */
void confirm_open(
    struct workbench *wb, const struct confirm_words *words, const char *command, char *text_taken);
/* All that is wrong with a form: "2 arguments are missing: a, b.", then a line for each other
 * problem. */
void confirm_add_problems(const struct form *form, const char *noun, struct buf *out);
void confirm_add_keys(const struct workbench *wb, struct buf *out); /* for the bottom bar */
void confirm_key(struct workbench *wb, const struct key *key);
void confirm_draw(struct workbench *wb, struct surface s);
void confirm_finish(struct confirm *c);

/* approval.c, ask.c: about the choice that is being started */
void approval_open(struct workbench *wb);
void approval_key(struct workbench *wb, const struct key *key);
void approval_draw(struct workbench *wb, struct surface s);
void approval_finish(struct approval *a);
void ask_open(struct workbench *wb, const struct target_input *input);
void ask_key(struct workbench *wb, const struct key *key);
void ask_draw(struct workbench *wb, struct surface s);
void ask_finish(struct ask *a);

/* calls.c */
void calls_key(struct workbench *wb, const struct key *key);
void calls_draw(struct workbench *wb, struct surface s);
void calls_finish(struct calls *c);

/* help.c */
void help_open(struct workbench *wb);
void help_key(struct workbench *wb, const struct key *key);
void help_draw(struct workbench *wb, struct surface s);
void help_finish(struct help *h);
bool help_seek(struct workbench *wb, struct seekable *out);

#endif
