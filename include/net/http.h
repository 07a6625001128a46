#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "loop/loop.h"
#include "rpc/frame.h"
#include "rpc/transport_error.h"
#include "rpc/message.h"

/*
 * MCP over HTTP: each message a POST, its answer a JSON body or a stream of events
 * (2026-07-28/basic/transports/streamable-http), and for servers before that the
 * session header, the GET stream, resumption and DELETE (2025-11-25/basic/transports).
 * With HTTP_EVENTS it is the transport of 2024-11-05 instead: one GET stream that
 * names the endpoint to POST to.
 *
 * It carries messages and knows what HTTP has to know of them (rpc/message.h). Eras,
 * new ids for what was lost and new sessions are the session's business.
 */
struct http;

enum http_kind { HTTP_STREAMABLE, HTTP_EVENTS };

/*
 * Who may come in. On 401, and on 403 with insufficient_scope, the message is parked and
 * challenge() called, once for all that are refused meanwhile: true means that http_resume() or
 * http_give_up() will follow, perhaps from within the call; false that the message is
 * LOST_FORBIDDEN. www_authenticate: the header's value, several joined by ", ", or NULL.
 */
struct http_auth {
	/* The bearer token for the next request, borrowed until the loop's next turn; NULL: none.
	 * It takes the place of an Authorization among the options' headers. */
	const char *(*token)(void *user);
	bool (*challenge)(void *user, int status, const char *www_authenticate);
	void *user;
};

/* Everything is borrowed for the call only, but what auth points to. */
struct http_options {
	const char *url;
	enum http_kind kind;
	const char *const
	    *headers;          /* "Name: value" for each request, NULL-terminated; NULL: none */
	bool insecure;         /* certificates are not checked */
	size_t max_message;    /* 0: HTTP_MAX_MESSAGE; of a longer one the head is kept */
	int64_t connect_ms;    /* for name, connection and TLS together; 0: HTTP_CONNECT_MS */
	struct http_auth auth; /* zeroed: a refusal is LOST_FORBIDDEN at once */
};

#define HTTP_MAX_MESSAGE ((size_t)64 << 20)
#define HTTP_CONNECT_MS 15000
#define HTTP_HEAD_MS 15000                 /* from the first line of an answer's head to its last */
#define HTTP_MAX_OUTBOX ((size_t)64 << 20) /* bytes of messages that are not answered yet */
#define HTTP_MAX_POSTS 64                  /* under way at once; others wait their turn */
#define HTTP_MAX_RETRIES 3                 /* of one message, when asked to come again later */
#define HTTP_MAX_RETRY_AFTER_S 30

/* All from the loop, never from within a call below; http_destroy() may be called from any. */
struct http_events {
	/* One message: a JSON body, or the data of a `message` event. Line breaks in it have become
	 * spaces. The callee takes the reference. Messages of one stream keep their order. */
	void (*on_line)(void *user, struct frame_line line);
	/* At most once for each message that was sent, never for one whose answer was delivered. A
	 * body of another status than success that is a JSON-RPC message goes to on_line; lost
	 * follows when that message does not answer the request (its id is null). Also with id 0
	 * and LOST_SESSION when the GET stream finds the session gone. */
	void (*on_lost)(void *user, const struct lost *lost);
	/* A fact of HTTP for the journal: "POST tools/call: 200 OK, text/event-stream". Below it
	 * may stand the lines of both heads, those of the request after "> ", of the answer after
	 * "< ", with secrets hidden. */
	void (*on_note)(void *user, const char *text);
	/* trouble: no connection came about, or none was answered; NULL: now one was. May be NULL.
	 */
	void (*on_reach)(void *user, const char *trouble);
	/* After http_close(), or, with HTTP_EVENTS, when the one stream ended or never came: the
	 * text says how. Once, and the last call. */
	void (*on_closed)(void *user, const char *how);
};

/* NULL with err: no libcurl, no such URL. Connects to nothing yet, but for HTTP_EVENTS. */
struct http *http_create(struct loop *loop, const struct http_options *options,
    const struct http_events *events, void *user, struct err *err);
void http_destroy(struct http *http); /* drops whatever is under way. NULL-safe */

/* Whatever becomes of it is told by events. A notifications/cancelled to a modern server ends the
 * stream of the request it cancels and is not sent. An `initialize` begins a new session. */
void http_send(struct http *http, const struct outbound *message);
/* What the request of this id waits for: "first byte, for 2.5 s", "body, silent for 3.0 s after 120
 * bytes". False: it is not under way. */
bool http_describe_wait(const struct http *http, uint64_t id, char *out, size_t size);
/* While held nothing is read and no end is told; the servers' sockets fill up. */
void http_hold(struct http *http, bool held);

/* Sends all parked messages again, with the new token. */
void http_resume(struct http *http);
/* All parked messages are LOST_FORBIDDEN, and why is their text. */
void http_give_up(struct http *http, const char *why);

/* Drops what is under way, ends a session by DELETE and waits for the answer to it, grace_ms at
 * most; then on_closed. */
void http_close(struct http *http, int64_t grace_ms);

#endif
