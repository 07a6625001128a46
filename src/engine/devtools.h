#ifndef ENGINE_DEVTOOLS_H
#define ENGINE_DEVTOOLS_H

#include "json/write.h"
#include "loop/stream.h"

/*
 * The DevTools protocol over one socket: JSON messages that end with a NUL, commands with an answer
 * each, and events. Knows neither processes nor pages. Nothing waits: a command's answer comes to
 * its function, with a problem in place of a result if it fails or is not there in time.
 */
enum {
	DEVTOOLS_IN_MAX = 64 << 20, /* a longer message is dropped, and told */
	DEVTOOLS_OUT_MAX = 96 << 20,
	DEVTOOLS_PENDING_MAX = 4096,
	DEVTOOLS_ANSWER_MS = 10000,
};

/* Exactly one of result and problem. They live as long as the call. */
typedef void devtools_answer_fn(void *user, uint64_t id, const cJSON *result, const char *problem);

struct devtools_events {
	void *user;
	/* session: "" for the browser itself. */
	void (*on_event)(void *user, const char *session, const char *method, const cJSON *params);
	void (*on_dropped)(void *user, size_t bytes); /* a message that was too long */
	/* The other side is gone or talks nonsense; why, as one line. The last call. */
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
	struct buf command; /* that is being written */
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

/* Takes fd, a non-blocking socket. */
void devtools_init(
    struct devtools *d, struct loop *loop, int fd, const struct devtools_events *events);
/* Closes the socket. Commands without an answer get a problem. Callable from its callbacks, and
 * twice. */
void devtools_finish(struct devtools *d);

/* Begins a command: members of its parameters are to be written next. session: "" or NULL is the
 * browser. */
struct json_writer *devtools_begin(struct devtools *d, const char *session, const char *method);
/* Sends it and returns its id. fn NULL: nobody wants the answer. within_ms 0: DEVTOOLS_ANSWER_MS.
 * If it cannot be sent, fn gets the problem later; after devtools_finish() nothing comes. */
uint64_t devtools_send(struct devtools *d, int within_ms, devtools_answer_fn *fn, void *user);
/* The same for parameters that are JSON already; NULL: none. */
uint64_t devtools_call(struct devtools *d, const char *session, const char *method,
    const char *members, devtools_answer_fn *fn, void *user);
/* No answer goes to this user any more. */
void devtools_forget(struct devtools *d, const void *user);

/* Bytes from the other side; for tests and fuzzing too. */
void devtools_feed(struct devtools *d, const char *bytes, size_t len);

#endif
