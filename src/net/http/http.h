/* SPDX-License-Identifier: MIT */
#ifndef NET_HTTP_HTTP_H
#define NET_HTTP_HTTP_H

#include "net/exchange/exchange.h"
#include "net/transport.h"
#include "mcp/frame.h"

/* The HTTP transport from the inside: its state, and the functions that its files call of each
 * other. */

#define HTTP_MAX_SESSION_ID 1024
#define HTTP_MAX_REDIRECTS 5
#define HTTP_MAX_FAILURES 5       /* of a stream in a row */
#define HTTP_RETRY_MS 1000        /* before a stream is reopened, if the server gives no delay */
#define HTTP_MIN_RETRY_MS 10      /* even if the server asks for less */
#define HTTP_MAX_RETRY_MS 30000   /* the limit of the backoff */
#define HTTP_SHORT_STREAM_MS 1000 /* a stream that ends sooner without an event has failed */
#define HTTP_NOTICE_MS 30000      /* for the first byte of a response to anything but a request */
#define HTTP_LINGER_MS 2000       /* a stream may stay open after its response or a cancellation */
#define HTTP_MAX_REFUSAL ((size_t)1 << 20)

struct post;

struct headers {
	struct header {
		char *name, *value;
	} * items;
	size_t len, cap;
};

/* REFUSAL: not an MCP message, or the body of an error status. */
enum response_body_kind { BODY_NONE, BODY_JSON, BODY_EVENTS, BODY_REFUSAL };

/* The body of a response, from its bytes to the messages in it. */
struct response_body {
	struct http *http;
	enum response_body_kind kind;
	uint64_t awaits;       /* the request that it should answer; 0: none */
	const char *awaits_id; /* its id, as JSON, if that is not the same number; else NULL */
	bool answered;         /* it did */
	bool cut;              /* it ended too soon */
	struct frame frame;
	struct sse sse;
	struct raw_message rejected; /* a whole body that is not the response: an error, a web
					page; no bytes: none */
	char flaw[200];              /* why the last message is not the response; "": none came */
};

/* The GET stream. */
struct get_stream {
	struct http *http;
	bool wanted, parked, is_open, with_session;
	bool was_open; /* in this session */
	struct exchange *exchange;
	struct response_body body;
	struct loop_timer timer;
	int64_t opened_ms;
	int failures, redirects;
	uint64_t auth_round, before; /* before: its events and ids when it was opened */
};

struct http {
	struct transport transport; /* first */
	struct loop *loop;
	const struct curl_api *api;
	struct transport_events events;
	void *user;
	char *url, *endpoint; /* endpoint: of HTTP_EVENTS; NULL: not received yet */
	enum http_kind kind;
	bool insecure;
	bool unreached; /* the last state that on_reach reported */
	size_t max_message;
	int64_t connect_ms;
	struct http_auth auth;
	struct headers headers; /* the user's */

	char *session, *version;
	uint64_t session_round, auth_round;
	bool auth_pending;
	struct {
		struct post **items;
		size_t len, cap;
	} posts, dead;
	size_t waiting_bytes;
	struct get_stream stream;
	struct exchange *delete_session; /* the DELETE request */
	struct loop_timer closing;
	char closed_text[160];
	bool held, closed, told_closed, destroyed;
	int busy;
};

/* ---- http.c ---- */
/* Around each callback from the loop: memory is freed after the last http_leave(). */
void http_enter(struct http *h);
void http_leave(struct http *h);
/* Sends every message that may be sent now. */
void http_pump(struct http *h);
void http_fail(struct http *h, const char *how); /* ends the transport */
void get_stream_open(struct get_stream *s);

/* Notify the owner, unless it has closed or destroyed the transport. */
void http_notify_reach(struct http *h, const char *trouble);
void http_note(struct http *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes data that is not a message: at most 64 KiB of it. */
void http_note_bytes(struct http *h, const char *what, const char *bytes, size_t len);

struct opening {
	const char *method, *url;
	const struct post *message; /* of a POST */
	const char *accept;         /* the Accept header */
	const char *last_event;     /* "": none */
	int64_t first_byte_ms;      /* 0: no limit */
	int64_t total_ms;           /* 0: no limit; also limits name, connection and head */
	const struct exchange_events *events;
	void *user;
};
/* A request with the headers that all requests share, to be started. NULL with err: see
 * exchange_create(). */
struct exchange *http_open(struct http *h, const struct opening *o, struct err *err);
void headers_finish(struct headers *headers);
/* A line about an exchange for the journal, and the heads exchanged so far. */
void http_note_heads(struct http *h, const struct exchange *x, uint64_t id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The delay that the server asks for before a stream is opened again; failures make it longer. */
int64_t http_retry_delay_ms(const struct sse *sse, int failures);

/* ---- post.c ---- */
struct redirect {
	const char *from;
	bool is_post;
	int before; /* redirects so far */
	char *text; /* receives a description */
	size_t size;
};
bool http_is_redirect(int status);
/* The target of the redirect; NULL: not followed. Caller frees. */
char *http_redirect(struct http *h, const struct exchange *x, struct redirect r);
/* The server does not know the session that the request named. */
bool http_session_is_gone(
    bool with_session, int status, const struct response_body *rb, const struct http *h);
bool http_is_auth(const struct exchange *x);
/* Asks for authorization, once for all parked messages. False: none can be had. */
bool http_challenge(struct http *h, const struct exchange *x);

void response_body_init(
    struct response_body *rb, struct http *h, uint64_t awaits, const char *awaits_id);
void response_body_finish(struct response_body *rb);
/* Before each body; EVENTS continue where the last stream ended. */
void response_body_begin(struct response_body *rb, enum response_body_kind kind);
void response_body_feed(struct response_body *rb, const char *bytes, size_t len);
void response_body_end(struct response_body *rb, bool whole);
/* Puts `rejected` into the journal: "POST tools/call #3, body: ...". */
void response_body_note_rejected(const struct response_body *rb, const char *whose);
/* The kind that the Content-Type of a 2xx response declares. Another type than MCP's counts as JSON
 * if a response is due; else it is only shown, and with 202 not even that. */
enum response_body_kind response_body_kind_of(const struct exchange *x, bool must_answer);

/* A message in flight, and its response. */

enum post_state {
	POST_WAITING, /* for its turn */
	POST_SENT,
	POST_PARKED,   /* for authorization */
	POST_LATER,    /* for the Retry-After of the server */
	POST_RESUMING, /* its stream broke; will be reopened by GET */
};

struct post {
	struct http *http;
	enum post_state state;
	uint64_t id;
	uint64_t told; /* the number for errors and notes: id, or that of no request */
	char *rpc_id;  /* as JSON, if it is not the number `id`; else NULL */
	char *method, *line;
	size_t len;
	bool is_request, modern, starts_session, opens_stream;
	struct headers headers; /* of this message */
	char *url;              /* the target of a redirect; NULL: the usual URL */
	struct exchange *exchange;
	struct response_body body;
	struct loop_timer timer;
	char *failure; /* set by post_fail_later(); NULL: none */
	enum transport_error_kind failure_kind;
	bool has_head; /* a response has begun: later messages may be sent */
	bool with_session, cancelled;
	bool is_resumed;                    /* at least once */
	uint64_t session_round, auth_round; /* when it was sent */
	int redirects, retries, failures;
};

/* ---- post.c ---- */
#define POST_NAME 96
struct post *post_create(struct http *h, const struct outbound *m);
void post_start(struct post *p);
/* Removes it from the posts; its memory is freed after the last http_leave(). */
void post_end(struct post *p);
void post_free(struct post *p);
/* Reports a transport error and ends it. */
void post_fail_later(
    struct post *p, enum transport_error_kind kind, const char *text); /* from the loop */
void post_cancel(struct post *p);

#endif
