#ifndef NET_HTTP_POST_H
#define NET_HTTP_POST_H

#include "http.h"

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
const char *post_name(const struct post *p, char out[POST_NAME]); /* "tools/call #3"; out */
struct post *post_create(struct http *h, const struct outbound *m);
void post_start(struct post *p);
/* Replaces its exchange by a new one. False with err: it could not be started. */
bool post_open(struct post *p, const struct opening *opening, struct err *err);
/* Removes it from the posts; its memory is freed after the last http_leave(). */
void post_end(struct post *p);
void post_free(struct post *p);
/* Reports a transport error and ends it. */
void post_fail(struct post *p, enum transport_error_kind kind, int status, const char *text);
void post_fail_later(
    struct post *p, enum transport_error_kind kind, const char *text); /* from the loop */
void post_again(struct post *p, int64_t delay_ms);
void post_cancel(struct post *p);
void post_unpark(struct post *p);
/* The stream of its response ended too soon: resumes it, else fails. trouble: NULL for none. */
void post_broken(struct post *p, int status, const char *trouble);
void post_on_body(void *user, const char *bytes, size_t len); /* of a response to POST or GET */

/* ---- headers.c ---- */
void post_take_headers(struct post *p, const struct outbound *m);

/* ---- status.c ---- */
/* The response has an error status and is complete; its body is in p->body. */
void post_refused(struct post *p);

/* ---- get_stream.c ---- */
/* The stream of a legacy server's response ended too soon. False: it cannot be resumed. */
bool post_resume(struct post *p);
void post_reopen(struct post *p);

#endif
