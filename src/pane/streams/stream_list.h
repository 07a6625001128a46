#ifndef PANE_STREAMS_STREAM_LIST_H
#define PANE_STREAMS_STREAM_LIST_H

#include "client/filter.h"
#include "pane/pane.h"
#include "ui/wrap.h"
#include "view/rows.h"

/*
 * The list of the journal, of the logs and of the tasks: it grows at its end. The filter line is on
 * top, then column heads and rows. The selection follows the newest entry until the user moves it;
 * an opened entry is shown whole below. Entries are named by rising ids. This is the first member
 * of its pane's state, which its callbacks receive. A pane of it is its columns, its filter words,
 * its actions and how it draws an entry.
 */
struct stream_column {
	const char *head; /* "" for none; NULL ends the columns */
	int x, cols;      /* x < 0: from the right edge; cols < 0: up to so many before it */
	bool right;       /* aligned */
};

struct stream_ops {
	const struct filter_word *words;
	const struct stream_column *columns;
	const struct stream_column
	    *narrow;                       /* on fewer columns than STREAM_NARROW; NULL: the same */
	const struct view_action *actions; /* of the pane: their keys work while an entry is open */
	const char *keys;                  /* the keys meanwhile, for the bottom bar */
	bool changes; /* entries also change and vanish in the middle: all are filtered again */
	/* Owner of the entries, only compared; NULL: none. */
	const void *(*source)(const struct view_env *env);
	/* The first id after this one; 0: none. */
	uint64_t (*next)(const struct view_env *env, uint64_t id);
	const void *(*find)(const struct view_env *env, uint64_t id); /* NULL: dropped */
	/* Of entries that change, as journal_changed(); NULL: they do not. */
	uint64_t (*changed)(const struct view_env *env, uint64_t *seen);
	const char *(*why_empty)(const struct view_env *env);
	void (*draw_row)(const struct view_env *env, struct surface s, int y, const void *entry);
	/* Below a line, on which it can write a title. */
	void (*draw_open)(
	    void *state, const struct view_env *env, struct surface s, const void *entry);
	void (*copy)(void *state, const struct view_env *env, const void *entry, struct buf *out);
	/* The whole of an entry, for stream_list_draw_entry(). */
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
	const struct stream_ops *ops;
	struct {
		uint64_t *items; /* ids of the entries that pass the filter */
		size_t len, cap;
	} shown;
	const void *source;
	uint64_t looked_at; /* entries up to this id were filtered */
	uint64_t changes;   /* of entries, up to which they were filtered again */
	struct filter filter;
	bool follow; /* the selection stays on the newest */
	bool open;   /* the selected entry is open */
	struct stream_text texts[2];
	int sides;          /* how many of them there are */
	int side;           /* the one that keys scroll, if there are two */
	struct blob *whole; /* of the entry whole_of; NULL: of none yet */
	uint64_t whole_of;
};

/* The text that keys scroll. */
static inline struct stream_text *
stream_list_text(struct stream_list *l)
{
	return &l->texts[l->sides == 2 ? l->side : 0];
}

/* Before the text that was drawn last is freed: the next one may have its address. */
static inline void
stream_list_forget_text(struct stream_list *l, int side)
{
	l->texts[side].whole = NULL;
	wrap_set(&l->texts[side].wrap, "", 0, 1);
}

void stream_list_init(struct stream_list *l, const struct stream_ops *ops);
void stream_list_finish(struct stream_list *l);
/* Reads new entries. True: the source changed and the list was read from the start. */
bool stream_list_sync(struct stream_list *l, const struct view_env *env);
/* Selects the entry of this id and stays there, unless the filter leaves it out. */
void stream_list_select(struct stream_list *l, uint64_t id);
/* The selected entry; NULL: none. */
const void *stream_list_selected(const struct stream_list *l, const struct view_env *env);
/* "12 of 345" entries; the caller adds the noun. */
void stream_list_count(const struct stream_list *l, size_t all, struct buf *facts);

int stream_column_x(const struct stream_column *c, struct surface s);
int stream_column_cols(const struct stream_column *c, struct surface s);
/* Draws a cell of a row: text of at most the column's width. */
void stream_cell(
    const struct stream_column *c, struct surface s, int y, struct style style, const char *text);
void stream_cell_time(const struct stream_column *c, struct surface s, int y,
    const struct view_env *env, int64_t at_us); /* since the server's start */
/* Draws text number `side` of the open entry with a scroll bar. json: with syntax colors. */
void stream_list_draw_text(struct stream_list *l, int side, const struct view_env *env,
    struct surface s, struct blob *text, bool json);
/* The same with what add_whole() makes of the open entry, which is made once. */
void stream_list_draw_entry(struct stream_list *l, const struct view_env *env, struct surface s,
    const void *entry, bool json);

/* ---- callbacks and actions of its panes ---- */
void stream_list_end(void *state);
void stream_list_renew(void *state, const struct view_env *env);
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

extern const struct row_ops stream_rows;

/* Of a pane without its own; one that draws more calls stream_list_draw(). */
#define STREAM_CALLBACKS                                                                    \
	.key = stream_list_key, .captures = stream_list_captures, .copy = stream_list_copy, \
	.rows = &stream_rows, .filtered = stream_list_filtered, .seek = stream_list_seek

#endif
