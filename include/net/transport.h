/* SPDX-License-Identifier: MIT */
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include "loop/child.h"
#include "mcp/message.h"
#include "mcp/events.h"

/*
 * The way to a server: its process (basic/transports/stdio) or HTTP. It carries messages and knows
 * only what HTTP needs to know of them (struct outbound). Eras, retries under a new id and new
 * sessions are up to the session.
 */
struct transport {
	const struct transport_ops *ops;
	long pid; /* 0: no process */
	/* The time of its events, monotonic, and 1970 minus that clock; 0: now. */
	int64_t at_us, epoch_us;
};

/* All called from the loop, never from within a call of the transport; each may destroy it. */
struct transport_events {
	/* The callee takes the contents of the message. Messages of one stream keep their order.
	 * HTTP has parsed some of them. */
	void (*on_message)(void *user, struct raw_message *message);
	void (*on_stderr)(void *user, const char *bytes, size_t len); /* as read; may be NULL */
	/* At most once for each message sent, never for one whose response was delivered. A
	 * JSON-RPC message in the body of an error status goes to on_message; on_error follows if
	 * that message does not answer the request (its id is null). Also with id 0 and
	 * TRANSPORT_SESSION if the GET stream finds the session gone. Only by HTTP. */
	void (*on_error)(void *user, const struct transport_error *error);
	/* An HTTP fact for the journal: "POST tools/call: 200 OK, text/event-stream". The lines of
	 * both heads may follow, the request's after "> ", the response's after "< ", with secrets
	 * hidden. */
	void (*on_note)(void *user, const char *text,
	    uint64_t id); /* id: of the request it is about; 0: none */
	/* trouble: no connection, or no response on it; NULL: now there was one. May be NULL. */
	void (*on_reach)(void *user, const char *trouble);
	/* Only of a recording: all that came will come again, from the start; the server ended. */
	void (*on_rewind)(void *user);
	void (*on_ended)(void *user, const char *how);
	/* The process has exited and all its output was delivered; or after close(); or the only
	 * stream of HTTP_EVENTS ended or could not be opened. how: one line, "exit code 3". Once,
	 * and the last call. */
	void (*on_closed)(void *user, struct transport *transport, const char *how);
};

struct transport_ops {
	/* False with err: nothing was sent. HTTP reports the outcome by events. */
	bool (*send)(struct transport *t, const struct outbound *message, struct err *err);
	/* While held, nothing is read and no end is reported; the server's pipes or sockets fill
	 * up. Bytes already read (at most STREAM_CHUNK) are still delivered. */
	void (*hold)(struct transport *t, bool held);
	/* Describes the wait of the request: "first byte, for 2.5 s". False: unknown. May be NULL.
	 */
	bool (*describe_wait)(const struct transport *t, uint64_t id, char *out, size_t size);
	/* The user has decided about authorization. NULL: sends all parked messages again with the
	 * new token. Else they fail with TRANSPORT_FORBIDDEN and why. NULL: never parks any. */
	void (*settle)(struct transport *t, const char *why);
	/* Drops everything in flight, ends the session and waits for the response, at most
	 * grace_ms; then on_closed. NULL: the server learns of the end in no other way than by
	 * destroy(). */
	void (*close)(struct transport *t, int64_t grace_ms);
	/* Stops a process in the background, by its ladder. No callback follows. */
	void (*destroy)(struct transport *t);
};

static inline void
transport_destroy(struct transport *t)
{
	if (t)
		t->ops->destroy(t);
}

/* ---- the standard streams of a process ---- */

#define STDIO_MAX_LINE ((size_t)256 * 1024 * 1024)
#define STDIO_MAX_OUTBOX ((size_t)64 * 1024 * 1024)

struct stdio_options {
	struct child_options child;
	size_t max_line;   /* 0: STDIO_MAX_LINE */
	size_t max_outbox; /* bytes that the server has not read yet; 0: STDIO_MAX_OUTBOX */
};

/* NULL with err if the command cannot be started; nothing is called then. events is copied. */
struct transport *stdio_create(struct loop *loop, const struct stdio_options *options,
    const struct transport_events *events, void *user, struct err *err);
size_t stdio_waiting(const struct transport *t); /* bytes that the server has not read yet */

/* ---- HTTP ---- */

/*
 * Streamable: each message is a POST, its response a JSON body or a stream of events
 * (2026-07-28/basic/transports/streamable-http); for older servers also the session header, the GET
 * stream, resumption and DELETE (2025-11-25/basic/transports). HTTP_EVENTS is the transport of
 * 2024-11-05 instead: one GET stream that names the endpoint to POST to.
 *
 * A notifications/cancelled to a modern server closes the stream of the cancelled request and is
 * not sent. An `initialize` begins a new session.
 */
enum http_kind { HTTP_STREAMABLE, HTTP_EVENTS };

/*
 * Authorization. On 401, and on 403 with insufficient_scope, the message is parked and challenge()
 * is called, once for all messages refused meanwhile. True: ops->settle() will follow, perhaps
 * during the call. False: the message fails with TRANSPORT_FORBIDDEN. www_authenticate: the values
 * of the header, joined by ", ", or NULL.
 */
struct http_auth {
	/* The bearer token for the next request, borrowed until the loop's next turn; NULL: none.
	 * It replaces an Authorization among the options' headers. */
	const char *(*token)(void *user);
	bool (*challenge)(void *user, int status, const char *www_authenticate);
	void *user;
};

/* Borrowed for the call, except what auth points to. */
struct http_options {
	const char *url;
	enum http_kind kind;
	const char *const *headers; /* "Name: value" each, NULL-terminated; NULL: none */
	bool insecure;              /* certificates are not checked */
	size_t max_message;         /* 0: HTTP_MAX_MESSAGE; only the head of a longer one is kept */
	int64_t connect_ms;         /* name, connection and TLS together; 0: HTTP_CONNECT_MS */
	struct http_auth auth;      /* zeroed: a refusal is TRANSPORT_FORBIDDEN */
};

#define HTTP_MAX_MESSAGE ((size_t)64 << 20)
#define HTTP_CONNECT_MS 15000
#define HTTP_HEAD_MS 15000                 /* from the first line of a head to its end */
#define HTTP_MAX_OUTBOX ((size_t)64 << 20) /* bytes of unanswered messages */
#define HTTP_MAX_POSTS 64                  /* in flight at once; others wait */
#define HTTP_MAX_RETRIES 3                 /* of one message, after Retry-After */
#define HTTP_MAX_RETRY_AFTER_S 30

/* NULL with err: no libcurl, or an invalid URL. Connects only for HTTP_EVENTS. */
struct transport *http_create(struct loop *loop, const struct http_options *options,
    const struct transport_events *events, void *user, struct err *err);

#endif
