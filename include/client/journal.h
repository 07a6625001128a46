/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_JOURNAL_H
#define CLIENT_JOURNAL_H

#include "base/buf.h"
#include "base/err.h"
#include "base/job.h"
#include "client/verdict.h"
#include "mcp/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The wire log of one server: every line both ways, the server's stderr and our own notes, with the
 * exact bytes. Memory is bounded: the oldest entries are evicted first and counted. Entries are
 * named by id, which is never reused. The summary of an entry is made when the entry is added, so
 * that showing it costs nothing.
 */
struct journal;

enum journal_kind {
	JOURNAL_SENT,
	JOURNAL_RECEIVED,
	JOURNAL_STDERR,
	JOURNAL_NOTE, /* ours: started, exited with 3, restarted */
};

struct journal_entry {
	uint64_t id;
	enum journal_kind kind;
	enum message_kind message; /* of SENT and RECEIVED */
	enum verdict_kind verdict; /* of the result of a tool; otherwise NONE */
	const struct journal *journal;
	int64_t at_us;   /* monotonic */
	int64_t wall_us; /* since 1970 UTC */
	struct blob *bytes;
	size_t dropped;     /* bytes of an over-long line that were not kept */
	char *method;       /* a label; of a reply the method of its request; NULL if unknown */
	char *tool;         /* of tools/call; NULL if none */
	char *brief;        /* one line: arguments, outcome, the error's message; NULL if nothing */
	char *rpc_id;       /* JSON text, a label; NULL if none */
	char *flaw;         /* why the line is malformed; NULL if it is not */
	bool is_error;      /* a reply with `error`, or a result with isError */
	bool is_probe;      /* a reply that only tells the era of the server: no error */
	uint64_t request;   /* of ours: its id in the session; 0 if none */
	uint64_t carried;   /* of ours and of a note: the number for the transport; 0: none */
	uint64_t pair;      /* entry of the matching reply or request; 0 if none */
	int64_t latency_us; /* of a reply; -1 without a pair */
	uint64_t http;      /* of a request: the note about its HTTP exchange; 0: none */
	bool waits;         /* a request whose reply may still come */
	char *ended;        /* why no reply will come; NULL if it came or may come */
};

struct journal *journal_create(size_t max_bytes); /* 0 means 64 MiB */
void journal_destroy(struct journal *j);

/* The members of a new entry; borrowed. */
struct journal_args {
	enum journal_kind kind;
	enum message_kind message;
	int64_t at_us;
	struct blob *bytes; /* the entry takes a reference */
	size_t dropped;
	const char *method, *rpc_id, *flaw;
	bool is_error;
	bool by_hand; /* the user wrote it */
	uint64_t request, carried;
	const struct json_doc *doc; /* the message; NULL: the entry gets no summary */
};

/* Adds an entry, pairs a reply with its request and a note with the open request of its number,
 * evicts. Returns the id. An entry larger than the
 * bound is kept alone. */
uint64_t journal_add(struct journal *j, const struct journal_args *args);
void journal_clear(struct journal *j); /* as if all were evicted, but nothing is counted */
/* Times from now on: the wall clock minus the monotonic one, and the seconds that the user's clock
 * is ahead of UTC. */
void journal_set_clock(struct journal *j, int64_t wall_us, int zone_s);
/* No reply will come to this request of the session; 0: to any. Says why, in one line. */
void journal_end(struct journal *j, uint64_t request, const char *why);
/* The error that answers the last request of this method is not a failure: it proved the era. */
void journal_excuse_probe(struct journal *j, const char *method, const char *brief);
/* The last entry is the late reply to this request of the session. */
void journal_pair_late(struct journal *j, uint64_t request);
/* The entry of a reply that came lately, by its bytes; 0 if unknown. */
uint64_t journal_find_bytes(const struct journal *j, const struct blob *bytes);
void journal_judge(struct journal *j, uint64_t id, enum verdict_kind verdict);

/* Latencies of replies, by method and by tool, with a sorted sample of the last ones. */
#define TIMING_SAMPLE 256
struct timing {
	char *name; /* of the method or tool; NULL: all others, once there are too many */
	bool is_tool;
	size_t count, errors; /* requests; those with an error or without a reply */
	size_t bytes;         /* of requests and replies */
	size_t replies;
	int64_t max_us;
	uint32_t sorted[TIMING_SAMPLE], ring[TIMING_SAMPLE]; /* microseconds */
};
struct timings {
	struct timing **items; /* methods, each before its tools */
	size_t len, cap;
};
/* The time that this percentage of the replies took at most; -1: there are none. */
int64_t timing_quantile(const struct timing *t, unsigned percent);
/* The messages of the last minute in slots of five seconds, the newest last; returns their sum. */
#define ACTIVITY_SLOTS 12
size_t journal_activity(const struct journal *j, int64_t now_us, size_t slots[ACTIVITY_SLOTS]);

struct journal_info {
	size_t count;            /* of the entries kept */
	size_t bytes, max_bytes; /* in memory */
	size_t evicted;          /* entries */
	uint64_t by_hand;        /* the last message that the user wrote; 0: none */
	int64_t start_us;        /* time of the first entry ever; 0 if none */
	int64_t wall_us;         /* the wall clock minus the monotonic one */
	int zone_s;              /* the user's clock is ahead of UTC */
	const struct timings *timings;
};

const struct journal_info *journal_info(const struct journal *j);
const struct journal_entry *journal_at(const struct journal *j, size_t index); /* 0 is the oldest */
const struct journal_entry *journal_find(const struct journal *j, uint64_t id); /* NULL: evicted */
size_t journal_index(const struct journal *j, uint64_t id); /* the count if evicted */
/* A request and its reply are one exchange, named by its request. */
const struct journal_entry *journal_reply(const struct journal_entry *e); /* NULL: none is kept */
static inline bool
journal_is_second(const struct journal_entry *e) /* the reply of an exchange */
{
	return e->pair != 0 && e->pair < e->id;
}
/* Walks through the exchanges and single entries that changed since *seen: the id of the next one,
 * 0: no more, UINT64_MAX: so many that all may have. Starts with a *seen of 0. */
uint64_t journal_changed(const struct journal *j, uint64_t *seen);

/*
 * The journal as a file: jsonl, one message a line with its time and direction; har, HAR 1.2 of the
 * HTTP exchanges; curl, the command that sends one request again. Secrets are hidden by their names
 * (base/secret.h) unless asked for; those of HTTP heads are hidden in any case, because the journal
 * has never had them.
 */
struct journal_export {
	const struct journal *journal;
	const uint64_t *ids; /* the lines to export, rising; of an exchange its request */
	size_t count;
	uint64_t selected; /* for curl */
	const char *url;   /* of the server, safe to show; NULL: not reached over HTTP */
	bool with_secrets;
};

/* At once. format: "jsonl", "har" or "curl". */
bool journal_export(
    const struct journal_export *x, const char *format, struct buf *out, struct err *err);

/*
 * The same in slices, while the journal continues. Each slice is copied in the thread of the
 * journal and written in any. Entries added later are left out, as are entries evicted before their
 * turn.
 */
struct journal_exporter;
/* Copies what x says. NULL: there is no such export. */
struct journal_exporter *journal_exporter_create(
    const struct journal_export *x, const char *format, struct err *err);
void journal_exporter_destroy(struct journal_exporter *e);
/* Copies the next slice. False: there are no more. */
bool journal_exporter_take(struct journal_exporter *e, const struct journal *j);
void journal_exporter_write(struct journal_exporter *e, struct job *job); /* job: may be NULL */
unsigned journal_exporter_percent(const struct journal_exporter *e);
/* After the last slice: the whole file, valid until destroy. NULL: it would be empty. */
const struct buf *journal_exporter_end(struct journal_exporter *e, struct err *err);

#endif
