#ifndef PANE_STREAMS_JOURNAL_PANE_H
#define PANE_STREAMS_JOURNAL_PANE_H

#include "stream_list.h"

/* Between the files of the journal pane. */

/* A message of the open entry, formatted by a job. */
struct journal_text {
	struct blob *bytes; /* NULL: of none yet */
	bool raw;           /* shown as raw bytes */
	struct job *job;
	struct blob *formatted; /* NULL: bytes are shown */
};

struct journal_pane {
	struct stream_list stream; /* first */
	bool raw;                  /* the open entry is shown as raw bytes */
	uint64_t by_hand;          /* the message of the user that was selected when it was sent */
	struct journal_text texts[2];
	bool times; /* the table of times is shown in place of the entries */
	struct list rows;
	struct job *export_job; /* see journal_export.c */
};

/* journal_open.c: an exchange, its two messages side by side or one above the other */
void journal_open_draw(
    void *state, const struct view_env *env, struct surface s, const void *entry);
void journal_open_finish(struct journal_pane *p);
/* The message of the exchange that keys are for. */
const struct journal_entry *journal_open_message(
    const struct journal_pane *p, const struct journal_entry *e);
extern const struct journal_mark {
	const char *mark;
	enum role role;
} journal_marks[]; /* by kind */

/* journal_pane.c: what is shown; NULL: nothing */
const struct journal *journal_of(const struct view_env *env);

/* journal_export.c: writes the lines shown to a file */
bool journal_act_export(void *state, const struct view_env *env, const char *arg);

/* journal_times.c: how long requests took, by method and tool */
void journal_times_draw(
    struct journal_pane *p, const struct timings *t, const struct view_env *env, struct surface s);
bool journal_times_key(struct journal_pane *p, const struct key *key);

#endif
