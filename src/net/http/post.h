#ifndef NET_HTTP_POST_H
#define NET_HTTP_POST_H

#include "transport.h"

/* One message on its way, and the answer to it. */

enum post_state {
	POST_WAITING, /* for its turn */
	POST_SENT,
	POST_PARKED,   /* for authorization */
	POST_LATER,    /* for the time the server gave */
	POST_RESUMING, /* its stream broke; to be opened again by GET */
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
};

/* ---- post.c ---- */
#define POST_NAME 96
const char *post_name(const struct post *p, char out[POST_NAME]); /* "tools/call #3"; out */
struct post *post_create(struct http *h, const struct outbound *m);
void post_start(struct post *p);
/* What it was waiting for before is over. False: it could not be begun. */
bool post_open(struct post *p, const struct opening *opening, struct err *err);
/* Removes it from the posts; its memory goes when nobody is in it any more. */
void post_end(struct post *p);
void post_free(struct post *p);
void post_lost(struct post *p, enum lost_how how, int status, const char *text);
void post_again(struct post *p, int64_t delay_ms);
void post_cancel(struct post *p);
void post_unpark(struct post *p);
/* It is lost, which the loop will tell. */
void post_doom(struct post *p, enum lost_how how, const char *text);

/* The stream of its answer ended too soon: it is resumed, else lost. trouble: NULL for none. */
void post_broken(struct post *p, int status, const char *trouble);
void post_on_body(void *user, const char *bytes, size_t len); /* of an answer, however it came */

/* ---- headers.c ---- */
void post_take_headers(struct post *p, const struct outbound *m);

/* ---- status.c ---- */
/* An answer that is no success; its body is in the intake. */
void post_refused(struct post *p);

/* ---- get_stream.c ---- */
/* The stream of a legacy server's answer ended too soon; false: it cannot be resumed. */
bool post_resume(struct post *p);
void post_reopen(struct post *p);

#endif
