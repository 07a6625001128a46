#ifndef RPC_PENDING_H
#define RPC_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The requests we sent that wait for an answer. Ids count up from 1 and are never
 * used twice; an id is also the progress token of its request. The ids that ended
 * last are remembered for a while, so that a late or second answer is known as such.
 */
struct pending_request {
	uint64_t id;
	uint64_t owner;      /* the request this one continues; its own id when it continues none */
	char *method;        /* owned */
	unsigned kind;       /* the caller's; 0 at first */
	int64_t deadline_ms; /* moved by progress, never past the limit */
	int64_t limit_ms;
	bool has_progress;
	double progress; /* the last value reported */
};

enum pending_end {
	PENDING_ANSWERED,
	PENDING_CANCELLED,
	PENDING_TIMED_OUT,
	PENDING_LOST,     /* on its way */
	PENDING_REPLACED, /* by the same under a new id */
};

struct pending_ended {
	uint64_t id, owner;
	enum pending_end how;
	char method[40]; /* may be cut */
};

#define PENDING_REMEMBERED 64

struct pending {
	struct pending_request *items;
	size_t len, cap;
	uint64_t last_id;
	struct pending_ended ended[PENDING_REMEMBERED]; /* a ring; id 0 marks an unused place */
	size_t next_ended;
};

/* Zeroed memory is an empty table. */
void pending_finish(struct pending *p);

/* owner 0: itself. The pointer returned dies at the next pending_add() or pending_end(). */
struct pending_request *pending_add(
    struct pending *p, const char *method, uint64_t owner, int64_t deadline_ms, int64_t limit_ms);
/* An id for one that is to be added later, as the owner of others. */
uint64_t pending_take_id(struct pending *p);
struct pending_request *pending_find(const struct pending *p, uint64_t id);
struct pending_request *pending_find_owner(const struct pending *p, uint64_t owner);
/* Removes the request and remembers how it ended. An id that is not open is ignored. */
void pending_end(struct pending *p, uint64_t id, enum pending_end how);
/* NULL when the id is open, was never used, or ended too long ago to be remembered. */
const struct pending_ended *pending_find_ended(const struct pending *p, uint64_t id);
/* Did we ever use this id? */
bool pending_was_used(const struct pending *p, uint64_t id);

/* The earliest time a request expires; INT64_MAX for never. */
int64_t pending_next_time(const struct pending *p);
/* No open request could be answered for so long: all expire that much later. */
void pending_excuse(struct pending *p, int64_t ms);
/* A request whose time is up, NULL when there is none. */
struct pending_request *pending_expired(const struct pending *p, int64_t now_ms);
/* Progress came in: the deadline moves to now + timeout, but not past the limit. */
void pending_restart(struct pending_request *r, int64_t now_ms, int64_t timeout_ms);
/* a + b for times, stopping at INT64_MAX. */
int64_t pending_time_add(int64_t a, int64_t b);

#endif
