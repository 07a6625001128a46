/* SPDX-License-Identifier: MIT */
#ifndef PANE_STREAMS_JOURNAL_PANE_H
#define PANE_STREAMS_JOURNAL_PANE_H

#include "stream_list.h"

/* Private to the journal pane. */

/* A message of the open entry, formatted by a job. */
struct journal_text {
	struct blob *bytes; /* NULL: none yet */
	bool raw;           /* shown as raw bytes */
	struct job *job;
	struct blob *formatted; /* NULL: bytes are shown */
};

struct journal_pane {
	struct stream_list stream; /* first */
	bool raw;                  /* the open entry is shown as raw bytes */
	uint64_t by_hand;          /* the message of the user that was selected when it was sent */
	struct journal_text texts[2];
	struct list time_rows;  /* of the table of times, which covers the stream */
	struct job *export_job; /* see journal_export.c */
};

/* journal_pane.c: the journal shown, of the server or of an app; NULL: there is no server */
const struct journal *journal_of(const struct view_env *env);

/* journal_export.c: writes the lines shown to a file */
bool journal_act_export(void *state, const struct view_env *env, const char *arg);

#endif
