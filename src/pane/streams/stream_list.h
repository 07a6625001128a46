#ifndef PANE_STREAMS_STREAM_LIST_H
#define PANE_STREAMS_STREAM_LIST_H

#include "pane/pane.h"
#include "ui/list.h"
#include "ui/wrap.h"

/*
 * A list that grows at its end and drops entries at its beginning: journal, log. The filter line is
 * on top, then column heads and rows. The selection follows the newest entry until the user moves
 * it; an opened entry is shown whole below. Entries are identified by rising ids. This is the first
 * member of its pane's state, which its callbacks receive.
 */
struct stream_ops;

struct stream_list {
	const struct stream_ops *ops;
	struct {
		uint64_t *items; /* ids of the entries that pass the filter */
		size_t len, cap;
	} shown;
	const void *source; /* source of the entries; only compared */
	uint64_t looked_at; /* entries up to this id were filtered */
	struct list list;
	struct buf filter;
	bool follow;      /* the selection stays on the newest */
	bool open;        /* the selected entry is open */
	struct wrap wrap; /* of the open one's text */
	size_t top;
	int text_height, text_y; /* of it, as last drawn */
};

struct stream_ops {
	const char *filter_hint;
	bool (*exists)(const struct pane_env *env, uint64_t id); /* or was it dropped? */
	void (*refilter)(void *state, const struct pane_env *env, const char *text);
	const char *(*why_empty)(void *state, const struct pane_env *env);
	void (*draw_heads)(struct surface s, int y);
	void (*draw_row)(const struct pane_env *env, struct surface s, int y, uint64_t id);
	void (*draw_open)(void *state, const struct pane_env *env, struct surface s, uint64_t id);
};

void stream_list_init(struct stream_list *l, const struct stream_ops *ops);
void stream_list_finish(struct stream_list *l);
void stream_list_begin(struct stream_list *l); /* from the start */
/* True: the source changed and the list was reset. */
bool stream_list_show(struct stream_list *l, const void *source);
void stream_list_drop(struct stream_list *l, const struct pane_env *env);
/* A new entry costs the same in a list of any length: add those that pass, then settle. */
void stream_list_add(struct stream_list *l, uint64_t id);
void stream_list_settle(struct stream_list *l, uint64_t looked_at);
uint64_t stream_list_selected(const struct stream_list *l); /* 0: none */
bool stream_list_go(struct stream_list *l, uint64_t id);    /* false: not in the list */

/* The hint of an action that needs an entry, or a server. */
const char *stream_list_hint(const struct stream_list *l, const struct pane_env *env,
    const struct pane_action *action, bool of_entry);
/* Draws the open entry with a scroll bar. json: with syntax colors. */
void stream_list_draw_text(struct stream_list *l, const struct pane_env *env, struct surface s,
    const char *text, size_t len, bool json);

/* ---- callbacks and actions of its panes ---- */
void stream_list_draw(void *state, const struct pane_env *env, struct surface s);
bool stream_list_captures(const void *state);
bool stream_list_key(void *state, const struct pane_env *env, const struct key *key);
bool stream_list_act_open(void *state, const struct pane_env *env, const char *arg); /* or close */
bool stream_list_act_filter(void *state, const struct pane_env *env, const char *words);
/* `/` filters the list, or searches the open entry. */
const char *stream_list_filtered(const void *state);
void stream_list_filter(void *state, const struct pane_env *env, const char *words);
bool stream_list_seek(void *state, const struct pane_env *env, struct seekable *out);

#endif
