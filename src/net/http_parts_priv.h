#ifndef NET_HTTP_PARTS_PRIV_H
#define NET_HTTP_PARTS_PRIV_H

#include "exchange_priv.h"
#include "url_priv.h"
#include "net/http.h"
#include "rpc/sse.h"

/* What the files of the HTTP transport share. */

#define HTTP_MAX_SESSION_ID 1024
#define HTTP_MAX_REDIRECTS 5
#define HTTP_MAX_FAILURES 5     /* of a stream, one after the other */
#define HTTP_RETRY_MS 1000      /* before a stream is opened again, where the server says nothing */
#define HTTP_MAX_RETRY_MS 30000 /* what failures let it grow to */
#define HTTP_SHORT_STREAM_MS 1000 /* one that ends sooner without an event has failed */
#define HTTP_NOTICE_MS 30000      /* for the first byte of an answer to what is no request */
#define HTTP_CANCELLED_MS 2000    /* a cancelled request's stream may go on for so long */
#define HTTP_MAX_REFUSAL ((size_t)1 << 20)

enum intake_kind { INTAKE_NONE, INTAKE_JSON, INTAKE_EVENTS, INTAKE_REFUSAL };

/* The body of an answer on its way to the messages in it. */
struct intake {
	struct http *http;
	enum intake_kind kind;
	uint64_t awaits; /* the request it should answer; 0: none */
	bool answered;   /* and did */
	struct frame body;
	struct sse sse;
	struct blob *refusal; /* the body of a refusal, once it is whole */
	size_t refusal_dropped;
};

enum post_state {
	POST_WAITING, /* for its turn */
	POST_SENT,
	POST_PARKED,   /* for authorization */
	POST_LATER,    /* for the time the server gave */
	POST_RESUMING, /* its stream broke; to be opened again by GET */
};

struct header {
	char *name, *value;
};

struct post {
	struct http *http;
	enum post_state state;
	uint64_t id;
	char *method, *line;
	size_t len;
	bool is_request, modern, starts_session, opens_stream;
	struct {
		struct header *items;
		size_t len, cap;
	} headers; /* that the message itself asks for */
	char *url; /* where it was redirected to; NULL: the usual place */
	struct exchange *exchange;
	struct intake intake;
	struct loop_timer timer;
	char *doom; /* why it is not tried any more; NULL: it is */
	enum lost_how doom_how;
	bool has_head; /* an answer began: what waits behind it may go */
	bool with_session, cancelled;
	bool is_resumed;                    /* it was, at least once */
	uint64_t session_round, auth_round; /* when it was sent */
	int redirects, retries, failures;
	uint64_t events_before; /* of the stream, when it was opened last */
};

/* The GET stream. */
struct stream {
	struct http *http;
	bool wanted, parked, is_open, with_session;
	struct exchange *exchange;
	struct intake intake;
	struct loop_timer timer;
	int64_t opened_ms;
	int failures;
	uint64_t auth_round, events_before;
};

struct http {
	struct loop *loop;
	const struct curl_api *api;
	struct http_events events;
	void *user;
	char *url, *endpoint; /* endpoint: of HTTP_EVENTS; NULL: not known yet */
	enum http_kind kind;
	bool insecure;
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
void http_tell_line(struct http *h, struct frame_line line); /* takes */
void http_tell_lost(struct http *h, const struct lost *lost);
void http_note(struct http *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Starts what may start. */
void http_pump(struct http *h);
void http_fail(struct http *h, const char *how); /* the transport is over */

/* ---- http_headers.c ---- */
void post_take_headers(struct post *p, const struct outbound *m);
/* On each request; accept: what is wanted of the answer. */
void http_add_headers(struct http *h, struct exchange *x, const struct post *p, const char *accept);
bool http_is_session_id(const char *id);

/* ---- http_post.c ---- */
struct post *post_create(struct http *h, const struct outbound *m);
void post_start(struct post *p);
/* Removes it from the posts; its memory goes when nobody is in it any more. */
void post_end(struct post *p);
void post_free(struct post *p);
void post_lost(struct post *p, enum lost_how how, int status, const char *text);
void post_again(struct post *p, int64_t delay_ms);
void post_cancel(struct post *p);
void post_unpark(struct post *p);
/* It is lost, which the loop will tell. */
void post_doom(struct post *p, enum lost_how how, const char *text);
/* The server does not know the session that the request named. */
bool answer_lost_session(
    bool with_session, int status, const struct intake *refusal, const struct http *h);

/* ---- http_answer.c ---- */
/* An answer that is no success; its body is in the intake. */
void post_refused(struct post *p);
bool http_is_auth(const struct exchange *x);
/* Asks for authorization, once for all that are parked. False: there is none to be had. */
bool http_challenge(struct http *h, const struct exchange *x);

/* ---- http_resume.c ---- */
/* The stream of a legacy server's answer ended too soon; false: it cannot be resumed. */
bool post_resume(struct post *p);
void post_reopen(struct post *p);
int64_t http_delay_ms(const struct sse *sse, int failures); /* until the next attempt */

/* ---- http_stream.c ---- */
void stream_init(struct stream *s, struct http *h);
void stream_open(struct stream *s);
void stream_close(struct stream *s);
void stream_unpark(struct stream *s);

/* ---- http_intake.c ---- */
void intake_init(struct intake *in, struct http *h, uint64_t awaits);
void intake_finish(struct intake *in);
/* Before each body; EVENTS go on where the last stream ended. */
void intake_begin(struct intake *in, enum intake_kind kind);
void intake_feed(struct intake *in, const char *bytes, size_t len);
void intake_end(struct intake *in);
void intake_tell(struct intake *in, struct frame_line line); /* takes */
/* What a 2xx answer's Content-Type says. */
enum intake_kind intake_kind_of(const struct exchange *x);

#endif
