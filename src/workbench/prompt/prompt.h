/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_PROMPT_PROMPT_H
#define WORKBENCH_PROMPT_PROMPT_H

#include "base/strings.h"
#include "pane/pane.h"
#include "ui/edit.h"
#include "ui/input.h"
#include "ui/surface.h"

struct workbench;

/* Whole command lines, each with a note about it. */
struct completions {
	struct strings lines, notes;
};

/* The ":" line. */
struct prompt {
	struct edit edit;
	struct strings history;
	size_t history_at;          /* == history.len: the line being typed */
	struct completions matches; /* of the typed text */
	size_t match;               /* the one that Tab accepts */
};

void prompt_open(struct workbench *wb, const char *text);

/* Does the command apply now? Commands of hidden panes do not. */
struct command_info;
bool command_applies(struct workbench *wb, const struct command_info *info);
/* Lines that begin with the text, or if none does, lines that have its letters in this order. */
void complete(struct workbench *wb, const char *text, struct completions *out);
/* The same for the `/` line of the pane in front, if its filter has words. Returns where in the
 * text the completed word begins. */
size_t complete_find(struct workbench *wb, const char *text, struct completions *out);
/* The line that Tab takes, *at its index: if the text is that line already, the next one in the
 * direction. NULL: there are none. */
const char *completions_take(
    const struct completions *c, size_t *at, const char *text, int direction);
void completions_finish(struct completions *c);

/* A completion being made: the sources of values offer to it. */
enum { COMMAND_NAME = 40 };
struct line_completer {
	struct workbench *wb;
	const char *line, *arguments;
	const char *typed; /* of the part that is completed, up to the end of the line */
	bool loose;
	bool once; /* a line that was offered is not offered again */
	int of;    /* of the row of the source */
	struct completions *out;
};
bool completer_has_room(const struct line_completer *c);
/* note may be NULL. A value that does not fit the typed text is left out. */
void completer_offer(struct line_completer *c, const char *value, const char *note);

/* Return the nth argument before the completed one; the caller frees. */
char *completer_argument(const struct line_completer *c, size_t nth);
struct worded {
	const char *value, *note;
};
void completer_offer_words(struct line_completer *c, const struct worded *words, size_t count);
/* A source itself; of: 0, or ONLY_FOLDERS. */
enum { ONLY_FOLDERS = 1 };
void completer_offer_paths(struct line_completer *c);

/* Who offers values for the nth argument of a command; a row without a command ends a table. A
 * source of several rows knows by `of` what to offer. */
struct argument_source {
	const char *command;
	size_t nth;
	void (*source)(struct line_completer *c);
	int of;
};
extern const struct argument_source word_sources[]; /* argument_words.c */

/*
 * The `/` line of every pane and of the dialogs with long texts or lists. If rows are filtered, it
 * edits the pane's filter, which the pane keeps; otherwise it is the search, of which there is one,
 * kept here. A pane is identified by its number, a dialog by that of its row.
 */
enum { FIND_MAX = 100000 }; /* matches */
struct find {
	struct edit edit;
	bool open;                       /* it has the keyboard */
	char *before;                    /* the text at opening */
	enum primitive_kind before_kind; /* the selection then; SIZE_MAX: none */
	size_t before_index;
	bool in_rows;             /* searches what could be filtered, too */
	struct completions words; /* of the typed text */
	size_t word, words_at;    /* the one that Tab takes; where in the text they begin */
	int typed_in;             /* the pane or dialog in front then */
	size_t from;              /* its position */
	int pane;                 /* the searched pane or dialog, or FIND_NOWHERE */
	char *text;               /* searched for */
	struct substring needle;  /* its text; empty: no search */
	const void *of; /* source and version of the text, and the generation the panes knew */
	uint64_t version, seen;
	struct {
		size_t *items; /* positions of matches, in order */
		size_t len, cap;
	} found;
	size_t next, at; /* where to continue; the current match, SIZE_MAX: none yet */
	size_t origin;   /* the first match from here is shown */
	bool done;       /* the whole text was searched */
	bool waits;      /* the rest of the text is being laid out */
	struct job *job; /* searches the rest of the text; NULL: none */
	bool shows;      /* and scroll to it */
};

struct workbench;

void find_finish(struct find *f);
/* Handles keys of the open line, and n, N, Esc of an active search. */
bool find_key(struct workbench *wb, const struct key *key);
/* For the pane in front; *filter: the text of its filter, NULL: it is searched. */
bool find_applies(struct workbench *wb, const char **filter);
bool find_is_on(struct workbench *wb);           /* is a search active there? */
bool find_clear(struct workbench *wb, int pane); /* its filter or search; false: none */
/* The filter or search of a pane or dialog. */
struct find_look {
	const char *filter; /* "" for none; NULL: it is searched */
	const struct filter_note *note;
	bool on;  /* a search is active */
	bool can; /* it can be filtered or searched; asked only while the line is open for it */
	struct view_env env;
	struct seekable s;
};
/* "/lima ✕", "/lima 3 of 17 ✕"; empty without a filter or search. */
void find_chip(struct workbench *wb, int pane, struct buf *out);
void find_light(
    struct workbench *wb, int pane, struct surface inner); /* the result of the search */
void find_draw(struct workbench *wb, struct surface bar);

#endif
