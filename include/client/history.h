/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_HISTORY_H
#define CLIENT_HISTORY_H

#include "base/sha256.h"
#include "client/filter.h"
#include "client/server.h"

/*
 * A finished call in the history, without I/O: made from a call, and converted back to one. Stored
 * calls have no secrets. A row of a file can contain anything, see history_check().
 */
struct history_call {
	uint64_t id;              /* rises with the start of the call; see HISTORY_ID */
	int kind, state, verdict; /* of enum primitive_kind, call_state, verdict_kind */
	bool is_error, pinned;
	int64_t took_us, error_code;
	int64_t bytes;                          /* of the reply as it came; 0: none came */
	char *server, *label, *key, *arguments; /* never NULL */
	char *uri, *error, *name;               /* may be NULL */
	char *text;                             /* the beginning of the reply's text; never NULL */
	bool more;                              /* text is incomplete */
	char *definition, *hash;                /* JSON and its SHA-256; NULL: not kept */
	char *reply; /* the message, maybe the bytes of raw; NULL: not kept, or not asked for */
	size_t reply_len;
	struct blob *raw; /* as it came: history_redact() makes the reply of it */
	int zone_s;       /* the reader's clock is ahead of UTC, for dates */
};

/* An id of the start, in microseconds since 1970, and of the program that made the call. */
#define HISTORY_ID(wall_us, salt) ((uint64_t)(wall_us) << 10 | ((salt)&1023))
#define HISTORY_STARTED_US(id) ((int64_t)((id) >> 10))

#define HISTORY_ARGUMENTS_MAX ((size_t)1 << 20) /* bytes kept; a longer text is left out */
#define HISTORY_LIST_MAX ((size_t)1 << 10)      /* of a text in a list and for searches */

/* Converts an ended call. Cheap, because it shares the reply. */
void history_take(
    struct history_call *h, const struct server *s, const struct call *c, unsigned salt);
/* Appends the JSON of a definition and sets its hash. False: it is too long to be stored. */
bool history_add_definition(const struct json_doc *doc, struct buf *out, char hash[SHA256_HEX]);
/* Takes the secrets out; may run in another thread. */
void history_redact(struct history_call *h);
/* Makes a row of a file safe to use: false, it cannot be a call. Absent strings become "". */
bool history_check(struct history_call *h);
void history_finish(struct history_call *h); /* leaves it zeroed */

/* Adds it to the calls of the server, unless it is there, and returns its id. It is not live. */
uint64_t server_recall(struct server *s, const struct history_call *h, int64_t now_us);
/* The call that has this id in the history; NULL: none. */
const struct call *server_find_kept(const struct server *s, uint64_t id);

/* The interface of the panes to the file. Threads may call any function concurrently, each with a
 * separate `out`. */
struct history_ids {
	uint64_t *items;
	size_t len, cap;
};
/* The parts to read: the id alone, enough without a filter; all but reply and definition; all. */
enum history_part { HISTORY_IDS, HISTORY_ROWS, HISTORY_WHOLE };
enum history_change { HISTORY_NAME, HISTORY_PIN, HISTORY_UNPIN, HISTORY_REMOVE };
/* Returns false to stop. */
typedef bool history_each_fn(void *user, const struct history_call *call);
struct history_host {
	/* Returns why the history is off, as a sentence; NULL: it is on. */
	const char *(*off)(void *user);
	/* Searches for changes of other programs. A pane that shows calls does so at each frame,
	 * and gets a notice of the next change. */
	void (*look)(void *user);
	/* Rises with each change that this program makes or sees. */
	uint64_t (*changes)(void *user);
	/* Lists the matching calls, newest first. It may take long; the job can stop it. */
	void (*list)(
	    void *user, const struct filter *filter, struct job *job, struct history_ids *out);
	/* whole: with definition and reply. False: it was removed. */
	bool (*find)(void *user, uint64_t id, bool whole, struct history_call *out);
	/* The last call of a primitive that was answered, before the call with this id: its id,
	 * hash and definition alone. False: none. */
	bool (*last)(void *user, const char *server, enum primitive_kind kind, const char *key,
	    uint64_t before, struct history_call *out);
	/* name: of HISTORY_NAME, "" for none; NULL for other changes. */
	bool (*change)(
	    void *user, uint64_t id, enum history_change change, const char *name, struct err *err);
	/* The arguments of past calls of a primitive: pinned ones, then from the newest on,
	 * each once. */
	void (*arguments)(void *user, const char *server, enum primitive_kind kind, const char *key,
	    size_t max, struct strings *out);
};

/* As `mcpane history --json` and an export write it. */
void history_add_json(const struct history_call *h, bool whole, struct buf *out);
void history_add_time(const struct history_call *h, struct buf *out); /* "2026-07-28 12:03:41" */

#endif
