#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "loop/loop.h"
#include "rpc/frame.h"
#include "rpc/transport_error.h"
#include "rpc/message.h"

/*
 * MCP over HTTP: each message is a POST, its response a JSON body or a stream of events
 * (2026-07-28/basic/transports/streamable-http); for older servers also the session header, the GET
 * stream, resumption and DELETE (2025-11-25/basic/transports). HTTP_EVENTS is the transport of
 * 2024-11-05 instead: one GET stream that names the endpoint to POST to.
 *
 * It carries messages and knows only what HTTP needs to know of them (struct outbound). Eras,
 * retries under a new id and new sessions are up to the session.
 */
struct http;

enum http_kind { HTTP_STREAMABLE, HTTP_EVENTS };

/*
 * Authorization. On 401, and on 403 with insufficient_scope, the message is parked and challenge()
 * is called, once for all messages refused meanwhile. True: http_resume() or http_give_up() will
 * follow, perhaps during the call. False: the message fails with TRANSPORT_FORBIDDEN.
 * www_authenticate: the values of the header, joined by ", ", or NULL.
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
	const char *const
	    *headers;          /* "Name: value" for each request, NULL-terminated; NULL: none */
	bool insecure;         /* certificates are not checked */
	size_t max_message;    /* 0: HTTP_MAX_MESSAGE; only the head of a longer one is kept */
	int64_t connect_ms;    /* name, connection and TLS together; 0: HTTP_CONNECT_MS */
	struct http_auth auth; /* zeroed: a refusal is TRANSPORT_FORBIDDEN */
};

#define HTTP_MAX_MESSAGE ((size_t)64 << 20)
#define HTTP_CONNECT_MS 15000
#define HTTP_HEAD_MS 15000                 /* from the first line of a head to its end */
#define HTTP_MAX_OUTBOX ((size_t)64 << 20) /* bytes of unanswered messages */
#define HTTP_MAX_POSTS 64                  /* in flight at once; others wait */
#define HTTP_MAX_RETRIES 3                 /* of one message, after Retry-After */
#define HTTP_MAX_RETRY_AFTER_S 30

/* All called from the loop, never from within a call below; each may call http_destroy(). */
struct http_events {
	/* A message: a JSON body or the data of a `message` event, line breaks in it turned into
	 * spaces. The callee takes the reference. Messages of one stream keep their order. */
	void (*on_line)(void *user, struct frame_line line);
	/* At most once for each message sent, never for one whose response was delivered. A
	 * JSON-RPC message in the body of an error status goes to on_line; on_error follows if that
	 * message does not answer the request (its id is null). Also with id 0 and
	 * TRANSPORT_SESSION if the GET stream finds the session gone. */
	void (*on_error)(void *user, const struct transport_error *error);
	/* An HTTP fact for the journal: "POST tools/call: 200 OK, text/event-stream". The lines of
	 * both heads may follow, the request's after "> ", the response's after "< ", with secrets
	 * hidden. */
	void (*on_note)(void *user, const char *text);
	/* trouble: no connection, or no response on it; NULL: now there was one. May be NULL. */
	void (*on_reach)(void *user, const char *trouble);
	/* After http_close(), or, with HTTP_EVENTS, after the only stream ended or could not be
	 * opened; how: in words. Once, and the last call. */
	void (*on_closed)(void *user, const char *how);
};

/* NULL with err: no libcurl, or an invalid URL. Connects only for HTTP_EVENTS. */
struct http *http_create(struct loop *loop, const struct http_options *options,
    const struct http_events *events, void *user, struct err *err);
void http_destroy(struct http *http); /* drops everything in flight. NULL-safe */

/* Events report the outcome. A notifications/cancelled to a modern server closes the stream of the
 * cancelled request and is not sent. An `initialize` begins a new session. */
void http_send(struct http *http, const struct outbound *message);
/* What the request waits for: "first byte, for 2.5 s", "body, silent for 3.0 s after 120 bytes".
 * False: it is not in flight. */
bool http_describe_wait(const struct http *http, uint64_t id, char *out, size_t size);
/* While held, nothing is read and no end is reported; the server's sockets fill up. */
void http_hold(struct http *http, bool held);

/* Sends all parked messages again with the new token. */
void http_resume(struct http *http);
/* All parked messages fail with TRANSPORT_FORBIDDEN and why as the text. */
void http_give_up(struct http *http, const char *why);

/* Drops everything in flight, ends a session by DELETE and waits for the response, at most
 * grace_ms; then on_closed. */
void http_close(struct http *http, int64_t grace_ms);

#endif
