#ifndef NET_CURL_LOOP_PRIV_H
#define NET_CURL_LOOP_PRIV_H

#include "curl_api_priv.h"
#include "loop/loop.h"

/*
 * libcurl's multi handle on our loop: one for each loop, made at first use and gone with
 * it. What libcurl's callbacks get is delivered after they have returned, so that the
 * receivers may start and end transfers.
 */
struct exchange;

struct curl_loop {
	struct curl_api api;
	struct loop *loop;
	CURLM *multi;
	struct loop_timer timer;   /* libcurl's */
	struct loop_timer deliver; /* for what became ready outside of libcurl's own turns */
	struct {
		struct exchange **items; /* NULL: was destroyed */
		size_t len, cap;
	} ready;
	struct {
		CURL **items; /* to be used again */
		size_t len, cap;
	} spare;
	bool acting;
};

/* A handle with nothing set; given back it is out of the multi handle. */
CURL *curl_loop_take_handle(struct curl_loop *cl);
void curl_loop_give_handle(struct curl_loop *cl, CURL *easy);

/* NULL with err: no libcurl. */
struct curl_loop *curl_loop_of(struct loop *loop, struct err *err);
/* The exchange has something to deliver. */
void curl_loop_ready(struct curl_loop *cl, struct exchange *x);
/* A transfer was added: what it can do at once it does, and tells of it later. */
void curl_loop_go(struct curl_loop *cl);
void curl_loop_forget(struct curl_loop *cl, const struct exchange *x);

#endif
