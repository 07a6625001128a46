/* SPDX-License-Identifier: MIT */
#ifndef ENGINE_DEVTOOLS_H
#define ENGINE_DEVTOOLS_H

#include "json/write.h"
#include "loop/stream.h"

/*
 * The DevTools protocol over one socket: NUL-terminated JSON messages, which are commands with one
 * answer each, and events. Independent of processes and pages. Calls do not block: a function gets
 * the answer to a command, or a problem if the command fails or times out.
 */
enum {
	DEVTOOLS_IN_MAX = 64 << 20, /* a longer message is dropped and reported */
	DEVTOOLS_OUT_MAX = 96 << 20,
	DEVTOOLS_PENDING_MAX = 4096,
	DEVTOOLS_ANSWER_MS = 10000,
};

/* Either result or problem is NULL. Both are valid during the call. */
typedef void devtools_answer_fn(void *user, uint64_t id, const cJSON *result, const char *problem);

struct devtools_events {
	void *user;
	/* session: "" for the browser itself. */
	void (*on_event)(void *user, const char *session, const char *method, const cJSON *params);
	void (*on_dropped)(void *user, size_t bytes); /* a message that was too long */
	/* The connection was closed or broke the protocol; why: one line. The last call. */
	void (*on_end)(void *user, const char *why);
};

struct devtools {
	struct loop *loop;
	struct devtools_events events;
	int fd; /* owned; -1: closed */
	struct stream_in in;
	struct stream_out out;
	struct buf message; /* received so far */
	size_t dropped;     /* > 0: the current message is too long */
	uint64_t received;  /* bytes, of all messages */
	size_t in_max;
	struct buf command; /* being written */
	struct json_writer w;
	uint64_t last_id;
	struct {
		struct devtools_pending {
			uint64_t id;
			int64_t at_ms;
			devtools_answer_fn *fn;
			void *user;
		} * items;
		size_t len, cap;
	} pending;
	struct loop_timer timer;
};

/* Take fd, a non-blocking socket. */
void devtools_init(
    struct devtools *d, struct loop *loop, int fd, const struct devtools_events *events);
/* Close the socket. Pending commands get a problem. May be called from callbacks, and twice. */
void devtools_finish(struct devtools *d);

/* Begin a command; the caller writes the members of its parameters next. session: "" or NULL is the
 * browser. */
struct json_writer *devtools_begin(struct devtools *d, const char *session, const char *method);
/* Send the command and return its id. fn NULL: ignore the answer. within_ms 0: DEVTOOLS_ANSWER_MS.
 * If it cannot be sent, fn gets the problem later, unless devtools_finish() was called. */
uint64_t devtools_send(struct devtools *d, int within_ms, devtools_answer_fn *fn, void *user);
/* The same with parameters as JSON; NULL: none. */
uint64_t devtools_call(struct devtools *d, const char *session, const char *method,
    const char *members, devtools_answer_fn *fn, void *user);
/* Drop the pending answers of this user. */
void devtools_forget(struct devtools *d, const void *user);

/* Process received bytes; also for tests and fuzzing. */
void devtools_feed(void *devtools, const char *bytes, size_t len);

#endif
