#ifndef RPC_PENDING_H
#define RPC_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The requests we sent that wait for a response. Ids count up from 1 and are never reused; an id is
 * also the progress token of its request. The most recently ended ids are remembered, so that a
 * late or second response is recognized.
 */
struct pending_request {
	uint64_t id;
	uint64_t owner;      /* the request that it continues; its own id if none */
	char *method;        /* owned */
	unsigned kind;       /* for the caller; initially 0 */
	int64_t deadline_ms; /* progress moves it, but never past limit_ms */
	int64_t limit_ms;
	bool has_progress;
	double progress; /* the last value reported */
};

enum pending_end {
	PENDING_ANSWERED,
	PENDING_CANCELLED,
	PENDING_TIMED_OUT,
	PENDING_LOST,     /* by the transport */
	PENDING_REPLACED, /* sent again under a new id */
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
	struct pending_ended ended[PENDING_REMEMBERED]; /* a ring; id 0: unused */
	size_t next_ended;
};

/* Zeroed memory is an empty table. */
void pending_finish(struct pending *p);

/* owner 0: itself. The pointer is valid until the next pending_add() or pending_end(). */
struct pending_request *pending_add(
    struct pending *p, const char *method, uint64_t owner, int64_t deadline_ms, int64_t limit_ms);
/* Reserves an id for the owner of requests that are added later. */
uint64_t pending_take_id(struct pending *p);
struct pending_request *pending_find(const struct pending *p, uint64_t id);
struct pending_request *pending_find_owner(const struct pending *p, uint64_t owner);
/* Removes the request and remembers how it ended. Ignores an id that is not pending. */
void pending_end(struct pending *p, uint64_t id, enum pending_end how);
/* NULL: the id is pending, was never used, or ended too long ago to be remembered. */
const struct pending_ended *pending_find_ended(const struct pending *p, uint64_t id);
/* Have we ever used this id? */
bool pending_was_used(const struct pending *p, uint64_t id);

/* The earliest time a request expires; INT64_MAX for never. */
int64_t pending_next_time(const struct pending *p);
/* Nothing could be answered for so long: all requests expire that much later. */
void pending_extend_deadlines(struct pending *p, int64_t ms);
/* A request whose time is up; NULL: none. */
struct pending_request *pending_expired(const struct pending *p, int64_t now_ms);
/* On progress: moves the deadline to now + timeout, but not past the limit. */
void pending_restart(struct pending_request *r, int64_t now_ms, int64_t timeout_ms);
/* a + b, saturating at INT64_MAX. */
int64_t pending_time_add(int64_t a, int64_t b);

#endif
