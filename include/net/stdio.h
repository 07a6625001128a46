#ifndef NET_STDIO_H
#define NET_STDIO_H

#include "loop/child.h"
#include "rpc/frame.h"

/*
 * MCP over the standard streams of a child process: one message per line. Lines are only bytes
 * here; the session parses them. (MCP 2026-07-28, basic/transports/stdio.)
 */
struct stdio;

#define STDIO_MAX_LINE ((size_t)256 * 1024 * 1024)
#define STDIO_MAX_OUTBOX ((size_t)64 * 1024 * 1024)
/* How much of the end of stderr is kept to explain an exit. */
#define STDIO_STDERR_TAIL ((size_t)4 * 1024)

struct stdio_options {
	struct child_options child;
	size_t max_line;   /* 0: STDIO_MAX_LINE */
	size_t max_outbox; /* bytes that the server has not read yet; 0: STDIO_MAX_OUTBOX */
};

struct stdio_end {
	struct child_status status;
	char text[128]; /* one line: "exit code 3", "killed by SIGSEGV", ... */
	/* The last bytes of stderr, from the start of a line; "": none; untrusted. */
	const char *stderr_tail;
	size_t stderr_len;
};

/* All called from the loop, never from within a call below; each may call stdio_destroy(). */
struct stdio_events {
	/* The callee takes the line's reference. */
	void (*on_line)(void *user, struct frame_line line);
	void (*on_stderr)(void *user, const char *bytes, size_t len); /* as read; may be NULL */
	/* The process has exited and all its output was delivered. Once, and the last call. */
	void (*on_closed)(void *user, const struct stdio_end *end);
};

/* NULL with err if the command cannot be started; nothing is called then. events is copied. */
struct stdio *stdio_create(struct loop *loop, const struct stdio_options *options,
    const struct stdio_events *events, void *user, struct err *err);
/* Stops a running server by the ladder in the background; no callback follows. NULL-safe. */
void stdio_destroy(struct stdio *stdio);

/* Sends the line, which must not hold a newline, and a newline. False with err, and nothing sent:
 * the server is gone or has closed its stdin, or max_outbox bytes already wait. */
bool stdio_send(struct stdio *stdio, const char *line, size_t len, struct err *err);
size_t stdio_waiting(const struct stdio *stdio); /* bytes that the server has not read yet */

/* While held, nothing is read from the server and its end is not reported. Lines that were already
 * read (at most STREAM_CHUNK bytes) are still delivered. For an owner that is busy with a line. */
void stdio_hold(struct stdio *stdio, bool held);

pid_t stdio_pid(const struct stdio *stdio);

#endif
