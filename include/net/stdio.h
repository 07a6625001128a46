#ifndef NET_STDIO_H
#define NET_STDIO_H

#include "loop/child.h"
#include "rpc/frame.h"

/*
 * MCP over the standard streams of a child process: one message a line. Lines are
 * bytes here; what they say is the session's business. (MCP 2026-07-28,
 * basic/transports/stdio.)
 */
struct stdio;

#define STDIO_MAX_LINE ((size_t)256 * 1024 * 1024)
#define STDIO_MAX_OUTBOX ((size_t)64 * 1024 * 1024)
/* How much of the end of stderr is kept to explain an exit. */
#define STDIO_STDERR_TAIL ((size_t)4 * 1024)

struct stdio_options {
	struct child_options child;
	size_t max_line;   /* 0: STDIO_MAX_LINE */
	size_t max_outbox; /* what the server has not read yet; 0: STDIO_MAX_OUTBOX */
};

struct stdio_end {
	struct child_status status;
	char text[128]; /* one line: "exit code 3", "killed by SIGSEGV", ... */
	const char
	    *stderr_tail; /* its last bytes, from the start of a line; "" for none; untrusted */
	size_t stderr_len;
};

/* All from the loop, never from within a call below; stdio_destroy() may be called from any. */
struct stdio_events {
	/* The callee takes the line's reference. */
	void (*on_line)(void *user, struct frame_line line);
	void (*on_stderr)(void *user, const char *bytes, size_t len); /* as read; may be NULL */
	/* The process has exited and all it wrote was delivered. Once, and the last call. */
	void (*on_closed)(void *user, const struct stdio_end *end);
};

/* NULL with err when the command cannot be started; nothing is called then. events is copied. */
struct stdio *stdio_create(struct loop *loop, const struct stdio_options *options,
    const struct stdio_events *events, void *user, struct err *err);
/* Stops the server by its ladder in the background if it still runs; nothing is called any more.
 * NULL-safe. */
void stdio_destroy(struct stdio *stdio);

/* Sends the line and a newline; it must hold none itself. False: closed, the server has closed its
 * stdin, or max_outbox bytes wait already; nothing of the line was sent then. */
bool stdio_send(struct stdio *stdio, const char *line, size_t len, struct err *err);
size_t stdio_waiting(const struct stdio *stdio); /* bytes the server has not taken yet */

/* While held nothing is read from the server and its end is not told. Lines that were read already
 * still come: those of STREAM_CHUNK bytes at most. For an owner that is busy with one. */
void stdio_hold(struct stdio *stdio, bool held);

pid_t stdio_pid(const struct stdio *stdio);

#endif
