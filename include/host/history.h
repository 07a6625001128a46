/* SPDX-License-Identifier: MIT */
#ifndef HOST_HISTORY_H
#define HOST_HISTORY_H

#include "loop/loop.h"
#include "loop/worker.h"
#include "client/history.h"

/*
 * The history in a file: finished calls in an SQLite database, mode 0600, which several programs
 * write at once. libsqlite3 is loaded and the file opened when a call ends or the history is first
 * read. A damaged file is renamed; a file of a newer mcpane is not changed, and the history is
 * unavailable. Each error is reported once, in one line.
 */
struct history;

#define HISTORY_DEFAULT_BYTES ((size_t)256 << 20)
enum { HISTORY_DEFAULT_DAYS = 365 };

struct history_options {
	const char *path; /* NULL: the one under the state directory */
	bool off;         /* nothing is read or written */
	bool brief;       /* for one call: what takes long is done at its end, without the disk */
	size_t
	    max_bytes; /* 0: HISTORY_DEFAULT_BYTES; the oldest calls that are not pinned go first */
	int max_days;  /* 0: HISTORY_DEFAULT_DAYS */
	int64_t (*wall_us)(void); /* the clock, for the age; NULL: that of the machine */
	struct loop *loop;        /* for look(); NULL: do not watch for other programs */
	struct worker *worker;    /* for big calls; must end before it. NULL: all is done at once */
	void (*tell)(void *user, const char *text); /* on the loop's thread */
	void (*changed)(void *user); /* likewise; a call was written later, or by another program */
	void *user;
};

struct history *history_create(const struct history_options *options);
/* Other bounds from now on. */
void history_limit(struct history *h, bool off, size_t max_bytes, int max_days);
void history_destroy(struct history *h); /* NULL-safe */
/* At the end, after the worker: calls that are not in the file, or not with all of their reply.
 * NULL-safe. */
size_t history_lost(const struct history *h);
/* Implements server_options.keep; user is the history. When it returns, the call is in the file,
 * with its reply if that is small. Called again after a call has been checked. */
uint64_t history_keep(void *user, const struct server *s, const struct call *c);
/* Adds the row unchanged, for tests and imports. False with err. */
bool history_add(struct history *h, const struct history_call *call, struct err *err);
/* Deletes the calls over the bounds; a job does the same from time to time. Age counts from the
 * newest call of an earlier day, so a clock that is wrong for a day deletes nothing. err also
 * reports, with true, that over a tenth of the calls were too old. */
bool history_prune(struct history *h, struct err *err);

/* Each call that matches, newest first, in one go. False: err says why not. */
bool history_each(struct history *h, const struct filter *filter, enum history_part part,
    history_each_fn *fn, void *user, struct err *err);

extern const struct history_host history_host; /* its user is the history */

#endif
