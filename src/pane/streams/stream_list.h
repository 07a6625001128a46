/* SPDX-License-Identifier: MIT */
#ifndef PANE_STREAMS_STREAM_LIST_H
#define PANE_STREAMS_STREAM_LIST_H

#include "client/filter.h"
#include "pane/pane.h"
#include "ui/wrap.h"
#include "view/rows.h"

/*
 * The list of the journal, the logs, the tasks and the console: it grows at its end. The filter
 * line is on top, then column heads and rows. The selection follows the newest entry until the user
 * moves it; an opened entry is shown below. Ids of entries rise. The pane's state begins with
 * struct stream_list, and its view_ops.rows is the first member of a struct stream_ops.
 */
struct stream_column {
	const char *head; /* "" for none; NULL ends the columns */
	int x, cols;      /* x < 0: from the right edge; cols < 0: up to -cols before it */
	bool right;       /* aligned */
};

struct stream_ops {
	struct row_ops rows; /* STREAM_ROWS */
	const struct filter_word *words;
	const struct stream_column *columns, *narrow; /* narrow: for less than STREAM_NARROW
						       * columns; NULL: the same */
	const struct view_action *actions; /* of the pane: their keys work while an entry is open */
	const char *keys;                  /* the keys meanwhile, for the bottom bar */
	bool changes; /* entries change and vanish anywhere: filter all of them at each sync */
	/* Owner of the entries, only compared; NULL: none. */
	const void *(*source)(const struct view_env *env);
	/* The first id after this one; 0: none. */
	uint64_t (*next)(const struct view_env *env, uint64_t id);
	const void *(*find)(const struct view_env *env, uint64_t id); /* NULL: dropped */
	/* The next changed entry, as journal_changed(); NULL: entries do not change. */
	uint64_t (*changed)(const struct view_env *env, uint64_t *seen);
	const char *empty;                                    /* why there are no entries; NULL: */
	const char *(*why_empty)(const struct view_env *env); /* it depends */
	void (*draw_row)(const struct view_env *env, struct surface s, int y, const void *entry);
	/* The first row of s is a line for a title. */
	void (*draw_open)(
	    void *state, const struct view_env *env, struct surface s, const void *entry);
	/* NULL: copies what add_whole() makes. */
	void (*copy)(void *state, const struct view_env *env, const void *entry, struct buf *out);
	/* The text of stream_list_draw_entry(). */
	void (*add_whole)(const void *entry, struct buf *out);
};

#define STREAM_NARROW 76

/* A text of the open entry. */
struct stream_text {
	struct blob *whole; /* as drawn last; borrowed */
	struct wrap wrap;
	size_t top;
	int height, x, y; /* as last drawn */
};

struct stream_list {
	struct rows rows;
	struct {
		uint64_t *items; /* ids of the entries that pass the filter */
		size_t len, cap;
	} shown;
	const void *source;
	uint64_t looked_at; /* the last id that was filtered */
	uint64_t changes;   /* the last change of an entry that was filtered again */
	struct filter filter;
	bool follow;  /* the selection stays on the newest */
	bool open;    /* the selected entry is open */
	bool covered; /* by something else of the pane, which has no filter or search */
	struct stream_text texts[2];
	int sides;          /* 2: both texts are shown */
	int side;           /* the text that keys scroll, if there are two */
	struct blob *whole; /* the text of the entry whole_of; NULL: none yet */
	uint64_t whole_of;
};

/* The text that keys scroll. */
static inline struct stream_text *
stream_list_text(struct stream_list *l)
{
	return &l->texts[l->sides == 2 ? l->side : 0];
}

/* Call it before the text drawn last is freed: the next one may have its address. */
static inline void
stream_list_forget_text(struct stream_list *l, int side)
{
	l->texts[side].whole = NULL;
	wrap_set(&l->texts[side].wrap, "", 0, 1);
}

/* Selects the entry of this id and stays there, if it passes the filter. */
void stream_list_select(struct stream_list *l, uint64_t id);
/* The selected entry; NULL: none. */
const void *stream_list_selected(const struct stream_list *l, const struct view_env *env);
/* "12 of 345" entries; the caller adds the noun. */
void stream_list_count(const struct stream_list *l, size_t all, struct buf *facts);

int stream_column_cols(const struct stream_column *c, struct surface s);
/* Draws a cell of a row: text of at most the column's width. */
void stream_cell(
    const struct stream_column *c, struct surface s, int y, struct style style, const char *text);
void stream_cell_time(const struct stream_column *c, struct surface s, int y,
    const struct view_env *env, int64_t at_us); /* since the server's start */
/* Draws text number `side` of the open entry with a scroll bar. json: with syntax colors. */
void stream_list_draw_text(struct stream_list *l, int side, const struct view_env *env,
    struct surface s, struct blob *text, bool json);
/* The same below the title, with what add_whole() makes of the open entry, which is made once. */
void stream_list_draw_entry(struct stream_list *l, const struct view_env *env, struct surface s,
    const void *entry, bool json);

/* ---- callbacks and actions of its panes ---- */
void stream_list_finish(void *state);
void stream_list_sync(void *state, const struct view_env *env); /* reads new entries */
void stream_list_draw(void *state, const struct view_env *env, struct surface s);
const char *stream_list_captures(const void *state);
bool stream_list_key(void *state, const struct view_env *env, const struct key *key);
bool stream_act_open(void *state, const struct view_env *env, const char *arg); /* or close */
void stream_list_copy(void *state, const struct view_env *env, const char *part, struct buf *out);
/* Actions whose hint needs an entry: open and copy. */
const char *stream_list_hint(
    void *state, const struct view_env *env, const struct view_action *action);
/* `/` filters the list, or searches the open entry. */
const char *stream_list_filtered(const void *state);
bool stream_list_seek(void *state, const struct view_env *env, struct seekable *out);

void stream_list_draw_row(
    void *state, const struct view_env *env, struct surface s, int y, size_t row);
void stream_list_choose(void *state, const struct view_env *env);

#define STREAM_ROWS                                                    \
	{                                                              \
		.draw = stream_list_draw_row, .open = stream_act_open, \
		.filter = stream_list_choose                           \
	}
/* For a pane without its own. */
#define STREAM_CALLBACKS                                                                    \
	.key = stream_list_key, .captures = stream_list_captures, .copy = stream_list_copy, \
	.filtered = stream_list_filtered, .seek = stream_list_seek

#endif
