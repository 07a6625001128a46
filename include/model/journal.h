#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include "base/buf.h"
#include "rpc/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The wire log of one server: every line both ways, the server's stderr and our own notes, with the
 * exact bytes. Memory is bounded: the oldest entries are evicted first and counted. Entries are
 * named by id, which is never reused.
 */
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
	int64_t at_us;             /* monotonic */
	struct blob *bytes;
	size_t dropped;     /* bytes of an over-long line that were not kept */
	char *method;       /* a label; of a reply the method of its request; NULL if unknown */
	char *rpc_id;       /* JSON text, a label; NULL if none */
	char *flaw;         /* what is wrong with the line; NULL if nothing */
	bool is_error;      /* a reply with `error`, or a result with isError */
	uint64_t pair;      /* entry of the matching reply or request; 0 if none */
	int64_t latency_us; /* of a reply; -1 without a pair */
};

struct journal;

struct journal *journal_create(size_t max_bytes); /* 0 means 64 MiB */
void journal_destroy(struct journal *j);

/* What is known of a new entry; borrowed. */
struct journal_args {
	enum journal_kind kind;
	enum message_kind message;
	int64_t at_us;
	struct blob *bytes; /* the entry takes a reference of its own */
	size_t dropped;
	const char *method, *rpc_id, *flaw;
	bool is_error;
};

/* Adds an entry, pairs a reply with its request, evicts. Returns the id. An entry larger than the
 * bound is kept alone. */
uint64_t journal_add(struct journal *j, const struct journal_args *args);

struct journal_info {
	size_t count;            /* of the entries kept */
	size_t bytes, max_bytes; /* in memory */
	size_t evicted;          /* entries */
	int64_t start_us;        /* time of the first entry ever; 0 if none */
};

const struct journal_info *journal_info(const struct journal *j);
const struct journal_entry *journal_at(const struct journal *j, size_t index); /* 0 is the oldest */
const struct journal_entry *journal_find(const struct journal *j, uint64_t id); /* NULL: evicted */
size_t journal_index(const struct journal *j, uint64_t id); /* the count if evicted */

#endif
