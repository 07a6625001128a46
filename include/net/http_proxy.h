/* SPDX-License-Identifier: MIT */
#ifndef NET_HTTP_PROXY_H
#define NET_HTTP_PROXY_H

#include "loop/loop.h"

/*
 * Listens at an address of this machine and passes each HTTP request on to another server, its
 * response back as it arrives: method, target, headers, body and status are unchanged. Only the
 * headers of one connection (RFC 9110, 7.6.1) and Host are ours, and no compression is asked for,
 * so that bodies can be read. Redirects are passed back. A client that goes away ends its request
 * to the server; while a client is slow, no more is read from the server.
 *
 * Requests whose Host, Origin or Sec-Fetch-Site is another site are refused, because a page of a
 * browser may have sent them (DNS rebinding; 2025-11-25/basic/transports, "Security Warning").
 */
struct http_proxy;

#define HTTP_PROXY_MAX_BODY ((size_t)128 << 20) /* of a request, which is kept until its end */

/* One request, from its sending to the end of its response. */
struct proxied {
	uint64_t number; /* from 1 */
	const char *method;
	const char *target;  /* "/mcp?x=1", as received */
	const char *headers; /* "Name: value\n" each, as sent on */
	const char *body;
	size_t body_len;
	int status;                               /* 0: no head yet */
	const char *status_text, *answer_headers; /* "404 Not Found"; as received */
	bool client_gone;                         /* before the response was whole */
	void *thing;                              /* the receiver's own */
};

/* Called from the loop, after the data was passed on. */
struct http_proxy_events {
	void (*on_request)(void *user, struct proxied *p);
	void (*on_head)(void *user, struct proxied *p);
	void (*on_body)(void *user, struct proxied *p, const char *bytes, size_t len);
	/* The last call for each. trouble: why the response is not whole, for people; else NULL. */
	void (*on_end)(void *user, struct proxied *p, const char *trouble);
	/* A request that was not passed on, in one line. */
	void (*on_refused)(void *user, const char *why);
};

struct http_proxy_options {
	const char *listen; /* "127.0.0.1:8080", "[::1]:0", "localhost:0", "8080"; port 0: any */
	const char *url;    /* of the server: requests go to its origin */
	bool insecure;      /* certificates are not checked */
	const char *const *origins; /* of pages that may come too: "http://localhost:6274" */
	size_t origin_count;
};

/* NULL with err. */
struct http_proxy *http_proxy_create(struct loop *loop, const struct http_proxy_options *options,
    const struct http_proxy_events *events, void *user, struct err *err);
void http_proxy_destroy(struct http_proxy *proxy); /* ends all requests; NULL-safe */

struct http_proxy_view {
	const char *url; /* the URL for clients, instead of the server's */
	bool is_local;   /* it listens on a loopback address */
};
struct http_proxy_view http_proxy_view(const struct http_proxy *proxy);

#endif
