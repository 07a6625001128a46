#ifndef WORKBENCH_PROMPT_PROMPT_H
#define WORKBENCH_PROMPT_PROMPT_H

#include "pane/pane.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/surface.h"

struct workbench;

struct strings {
	char **items;
	size_t len, cap;
};

void strings_clear(struct strings *s);

/* The ":" line. */
struct prompt {
	struct edit edit;
	struct strings history;
	size_t history_at;      /* == history.len: the line being typed */
	struct strings matches; /* completions of what is typed */
	size_t match;           /* the one Tab would take */
};

void prompt_open(struct workbench *wb, const char *text);
void prompt_key(struct workbench *wb, const struct key *key);
void prompt_draw(struct workbench *wb, struct surface bar, struct surface above);
void prompt_finish(struct prompt *p);

/* complete.c: whole command lines that start with `text` */
void complete(struct workbench *wb, const char *text, struct strings *out);

/*
 * The `/` line of every pane and of the help. Where rows are filtered it is the pane's filter,
 * which the pane keeps; elsewhere it is a search, of which there is one, kept here. A pane is its
 * number or FIND_HELP.
 */
enum { FIND_NOWHERE = -1, FIND_HELP = PANE_COUNT };
struct find {
	struct edit edit;
	bool open;               /* it has the keyboard */
	bool fresh;              /* what is typed replaces the text */
	char *before;            /* the text when it was opened */
	int typed_in;            /* what was in front then: a pane, or FIND_HELP */
	size_t from;             /* the place there */
	int pane;                /* that is searched, or FIND_HELP, FIND_NOWHERE */
	char *text;              /* searched for */
	struct substring needle; /* of it; empty: nothing is */
	const void *of; /* the seekable's, with its version, and what the panes knew then */
	uint64_t version, seen;
	struct {
		size_t *items; /* places, in order */
		size_t len, cap;
	} found;
	size_t next, at; /* where to look on; the one gone to, SIZE_MAX: none yet */
	size_t origin;   /* the first from here is gone to */
	bool done;       /* all of the text was looked at */
	bool shows;      /* and brought into sight */
};

struct workbench;

void find_init(struct find *f);
void find_finish(struct find *f);
/* A key of the line while it is open; of a search that is on: n, N, Esc. */
bool find_key(struct workbench *wb, const struct key *key);
bool find_applies(struct workbench *wb, bool *filters); /* to what is in front */
bool find_filters(struct workbench *wb);                /* is a filter on there? */
bool find_is_on(struct workbench *wb);                  /* a search, there */
bool find_clear(struct workbench *wb, int pane);        /* its filter or search; false: none */
bool find_work(struct workbench *wb);                   /* some ms; false: nothing is left */
/* "/lima ✕", "/lima 3 of 17 ✕"; nothing while neither a filter nor a search is on. */
void find_chip(struct workbench *wb, int pane, struct buf *out);
void find_light(struct workbench *wb, int pane, struct surface inner); /* what was found */
void find_draw(struct workbench *wb, struct surface bar);

#endif
