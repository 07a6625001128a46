#ifndef NET_HTTP_TRANSPORT_H
#define NET_HTTP_TRANSPORT_H

#include "net/http.h"
#include "response_body.h"
#include "rpc/transport_error.h"

/* What the files of the HTTP transport share. */

#define HTTP_MAX_SESSION_ID 1024
#define HTTP_MAX_REDIRECTS 5
#define HTTP_MAX_FAILURES 5     /* of a stream, one after the other */
#define HTTP_RETRY_MS 1000      /* before a stream is opened again, where the server says nothing */
#define HTTP_MIN_RETRY_MS 10    /* whatever the server says */
#define HTTP_MAX_RETRY_MS 30000 /* what failures let it grow to */
#define HTTP_SHORT_STREAM_MS 1000 /* one that ends sooner without an event has failed */
#define HTTP_NOTICE_MS 30000      /* for the first byte of an answer to what is no request */
#define HTTP_LINGER_MS 2000 /* what a stream may go on when it was cancelled or has answered */
#define HTTP_MAX_REFUSAL ((size_t)1 << 20)

struct post;

struct header {
	char *name, *value;
};

/* The GET stream. */
struct stream {
	struct http *http;
	bool wanted, parked, is_open, with_session;
	bool was_open; /* in this session */
	struct exchange *exchange;
	struct intake intake;
	struct loop_timer timer;
	int64_t opened_ms;
	int failures, redirects;
	uint64_t auth_round, before; /* before: progress when it was opened */
};

struct http {
	struct loop *loop;
	const struct curl_api *api;
	struct http_events events;
	void *user;
	char *url, *endpoint; /* endpoint: of HTTP_EVENTS; NULL: not known yet */
	enum http_kind kind;
	bool insecure;
	bool unreached; /* as on_reach was told */
	size_t max_message;
	int64_t connect_ms;
	struct http_auth auth;
	struct {
		struct header *items;
		size_t len, cap;
	} headers; /* the user's */

	char *session, *version;
	uint64_t session_round, auth_round;
	bool auth_pending;
	struct {
		struct post **items;
		size_t len, cap;
	} posts, dead;
	size_t waiting_bytes;
	struct stream stream;
	struct exchange *farewell; /* DELETE */
	struct loop_timer closing;
	char closed_text[160];
	bool held, closed, told_closed, destroyed;
	int busy;
};

/* ---- http.c ---- */
/* Around everything that comes from the loop: memory goes only when the last has left. */
void http_enter(struct http *h);
void http_leave(struct http *h);
/* Starts what may start. */
void http_pump(struct http *h);
void http_fail(struct http *h, const char *how); /* the transport is over */

/* ---- status.c ---- */
struct redirect {
	const char *from;
	bool is_post;
	int before; /* how often already */
	char *text; /* gets what happened, for people */
	size_t size;
	int status; /* the rest is http_redirect()'s own */
	char *to;
};
bool http_is_redirect(int status);
/* Where the answer redirects to, NULL: that is not followed. Caller frees. */
char *http_redirect(struct http *h, const struct exchange *x, struct redirect r);
/* The server does not know the session that the request named. */
bool answer_lost_session(
    bool with_session, int status, const struct intake *in, const struct http *h);
bool http_is_auth(const struct exchange *x);
/* Asks for authorization, once for all that are parked. False: there is none to be had. */
bool http_challenge(struct http *h, const struct exchange *x);

/* ---- get_stream.c ---- */
void stream_init(struct stream *s, struct http *h);
void stream_open(struct stream *s);
void stream_close(struct stream *s);
void stream_unpark(struct stream *s); /* the next turn opens it again */

/* ---- headers.c: what the requests of a session have in common ---- */
struct opening {
	const char *method, *url;
	const struct post *message; /* of a POST */
	const char *accept;         /* what is wanted of the answer */
	const char *last_event;     /* "": none */
	int64_t first_byte_ms;      /* 0: no bound */
	int64_t total_ms;           /* 0: no bound; of name, connection and head, too */
	const struct exchange_events *events;
	void *user;
};
/* What all requests have in common; to be started. NULL with err: see exchange_create(). */
struct exchange *http_open(struct http *h, const struct opening *o, struct err *err);
/* A fact about an exchange for the journal, and the heads of it as far as there are any. */
void http_note_heads(struct http *h, const struct exchange *x, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool http_is_session_id(const char *id);

void http_tell_line(struct http *h, struct frame_line line); /* takes */
void http_tell_lost(struct http *h, const struct lost *lost);
void http_tell_reach(struct http *h, const char *trouble);
void http_note(struct http *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of more than one line. */
void http_tell_note(struct http *h, const char *text);
/* For what is no message and yet has to be seen: 64 KiB of it at most. */
void http_note_bytes(struct http *h, const char *what, const char *bytes, size_t len);

#endif
