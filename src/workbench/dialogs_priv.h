#ifndef WORKBENCH_DIALOGS_PRIV_H
#define WORKBENCH_DIALOGS_PRIV_H

#include "layout.h"
#include "model/target.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/page.h"
#include "ui/seek.h"
#include "ui/wrap.h"

/* What is drawn over the panes and has the keyboard while it is open. */
struct workbench;

struct strings {
	char **items;
	size_t len, cap;
};

/* The ":" line. */
struct prompt {
	struct edit edit;
	struct strings history;
	size_t history_at;      /* == history.len: the line being typed */
	struct strings matches; /* completions of what is typed */
	size_t match;           /* the one Tab would take */
};

/* The buttons of a dialog where they were drawn last, for the mouse. */
enum { BUTTONS_MAX = 3 };
struct buttons {
	struct rect items[BUTTONS_MAX];
	int len;
};

/* A question that y or Enter answers with yes. */
struct confirm {
	char *text;
	char *command;          /* run on yes */
	struct buttons buttons; /* yes, no */
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

struct help {
	struct wrap wrap; /* zeroed: of no text */
	char *text;
	int width; /* of the screen the text was laid out for */
	size_t top;
	int height; /* of the text, at the last drawing */
};

void strings_clear(struct strings *s);

/* buttons.c */
void buttons_clear(struct buttons *b);
/* Draws it; returns the column after it. */
int buttons_add(
    struct buttons *b, struct surface s, int x, int y, enum role role, const char *text);
int buttons_at(const struct buttons *b, const struct key *key); /* in order; -1: none is clicked */

/* prompt.c */
void prompt_open(struct workbench *wb, const char *text);
void prompt_key(struct workbench *wb, const struct key *key);
void prompt_draw(struct workbench *wb, struct surface bar, struct surface above);
void prompt_finish(struct prompt *p);

/* confirm.c */
void confirm_open(struct workbench *wb, const char *command, char *text_taken);
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

/* help.c */
void help_open(struct workbench *wb);
void help_key(struct workbench *wb, const struct key *key);
void help_draw(struct workbench *wb, struct surface s);
void help_finish(struct help *h);
bool help_seek(struct workbench *wb, struct seekable *out);

#endif
