#ifndef HOST_HISTORY_H
#define HOST_HISTORY_H

#include "loop/loop.h"
#include "loop/worker.h"
#include "client/history.h"

/*
 * The history in a file: finished calls in an SQLite database, mode 0600, which several programs
 * write at once. libsqlite3 is loaded and the file opened when a call has ended or somebody asks.
 * A damaged file is put aside under another name; one of a newer mcpane is left alone, and there
 * is no history then. What went wrong is told once, in one line.
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
	struct loop *loop;        /* for look(); NULL: nobody waits for other programs */
	struct worker *worker; /* for big calls; must end before it. NULL: all is done at once */
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
/* Of struct server_options; user is the history. The call is in the file when this returns, and its
 * reply if it is small. For a call that is being checked, once more when it was. */
uint64_t history_keep(void *user, const struct server *s, const struct call *c);
/* The row as it is, as for tests and imports; false: err says why not. */
bool history_add(struct history *h, const struct history_call *call, struct err *err);
/* Drops what is over the bounds; done after a while in a job, too. The age counts from the newest
 * call of an earlier day, so a clock that is wrong for a day drops nothing. err says if over a
 * tenth of the calls were too old, though this is no failure. */
bool history_prune(struct history *h, struct err *err);

/* Each call that matches, newest first, in one go. False: err says why not. */
bool history_each(struct history *h, const struct filter *filter, enum history_part part,
    history_each_fn *fn, void *user, struct err *err);

extern const struct history_host history_host; /* its user is the history */

#endif
