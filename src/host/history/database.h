/* SPDX-License-Identifier: MIT */
#ifndef HOST_HISTORY_DATABASE_H
#define HOST_HISTORY_DATABASE_H

#include "base/err.h"
#include "base/shared_library.h"
#include "client/history.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* One connection to the database of the history. Not for two threads at once. */

#define DATABASE_FUNCTIONS(X)      \
	X(sqlite3_open_v2)         \
	X(sqlite3_close_v2)        \
	X(sqlite3_exec)            \
	X(sqlite3_prepare_v2)      \
	X(sqlite3_step)            \
	X(sqlite3_reset)           \
	X(sqlite3_finalize)        \
	X(sqlite3_bind_int64)      \
	X(sqlite3_bind_blob64)     \
	X(sqlite3_bind_text64)     \
	X(sqlite3_bind_zeroblob64) \
	X(sqlite3_blob_open)       \
	X(sqlite3_blob_write)      \
	X(sqlite3_blob_close)      \
	X(sqlite3_column_int64)    \
	X(sqlite3_column_blob)     \
	X(sqlite3_column_text)     \
	X(sqlite3_column_bytes)    \
	X(sqlite3_errcode)         \
	X(sqlite3_errmsg)          \
	X(sqlite3_changes)         \
	X(sqlite3_db_config)       \
	X(sqlite3_wal_hook)        \
	X(sqlite3_busy_timeout)

struct database_api {
	DATABASE_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

enum database_state {
	DATABASE_CLOSED,
	DATABASE_OPEN,
	DATABASE_LOCKED,  /* by another program: worth another try */
	DATABASE_FULL,    /* no space, or not writable; it can still be read */
	DATABASE_DAMAGED, /* unreadable */
	DATABASE_OFF,     /* a newer file, another owner, no library, no permission */
};

struct database {
	struct database_api f;
	sqlite3 *handle;
	char *path; /* of the file that is open */
	enum database_state state;
	struct err why; /* unless open */
};

/* Opens or makes the file. wait_ms: how long it may be locked. */
bool database_open(struct database *d, const char *path, int wait_ms);
void database_close(struct database *d);
bool database_run(struct database *d, const char *sql); /* statements without results */

/* ---- rows ---- */
/* The calls of the history in one connection. False: the reason is in d->state and d->why. */
bool rows_write(struct database *d, void *call); /* a struct history_call, whose id may rise */
/* The reply and the verdict, if the call was written without; nothing if it was deleted. */
bool rows_complete(struct database *d, void *call);
/* Requests for rows; each uses some of the members. */
struct row_request {
	uint64_t id; /* of last: the call before this one */
	const char *server, *key;
	enum primitive_kind kind;
	bool whole;
	struct history_call *out;
	size_t max;
	struct strings *arguments;
	const char *sql;  /* of a change, with ?1 for the id and ?2; NULL: remove the call */
	const char *text; /* of ?2; NULL: it is the number */
	int64_t number;
};
bool rows_find(struct database *d, void *request);
bool rows_last(struct database *d, void *request); /* as history_host.last() */
bool rows_arguments(struct database *d, void *request);
/* Those that match, newest first, until fn returns false. The call is borrowed. */
struct rows_wanted {
	const struct filter *filter;
	int zone_s;
	struct job *job; /* may be NULL */
	enum history_part part;
};
bool rows_each(struct database *d, const struct rows_wanted *w, history_each_fn *fn, void *user);
/* Changes or removes a call. */
bool rows_change(struct database *d, void *request);
/* Deletes the oldest calls that are not pinned until the rest fits, and all calls over the age. */
struct rows_bounds {
	int64_t max_bytes, max_age_us;
	int64_t now_us; /* since 1970 */
	size_t most;    /* not 0: delete only calls over the age, and at most this many */
};
struct rows_dropped {
	size_t old, of; /* calls that were too old, of how many */
};
bool rows_prune(struct database *d, const struct rows_bounds *bounds, struct rows_dropped *dropped);

#endif
