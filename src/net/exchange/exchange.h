/* SPDX-License-Identifier: MIT */
#ifndef NET_EXCHANGE_EXCHANGE_H
#define NET_EXCHANGE_EXCHANGE_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

#include <stdint.h>

/*
 * One HTTP request and its response as it arrives: head, pieces of the body, end. Always HTTP/1.1,
 * so that a held stream fills its own socket and no other. A request is never sent twice, not even
 * if the kept connection turned out to be dead.
 */
struct exchange;
struct curl_api;

#define EXCHANGE_INBOX ((size_t)128 * 1024) /* the largest piece of a body */
/* The most that a compressed body may grow to between two turns of the loop: libcurl copies data
 * that is not taken again and again. */
#define EXCHANGE_UNPACKED ((size_t)4 << 20)
#define EXCHANGE_MAX_HEAD ((size_t)64 * 1024)
#define EXCHANGE_MAX_HEADS (4 * EXCHANGE_MAX_HEAD) /* with those of interim responses, 1xx */

/* Borrowed for the call, except body: until the exchange is destroyed. */
struct exchange_request {
	const char *method, *url;
	const char *body; /* NULL: none */
	size_t body_len;
	bool insecure, public_only;
	bool as_is;            /* nothing is added to its headers, and the body stays packed */
	int64_t connect_ms;    /* name, connection and TLS */
	int64_t head_ms;       /* from the first line of the response to the end of its head */
	int64_t first_byte_ms; /* from the start to that first line; 0: no limit */
	int64_t total_ms;      /* 0: no limit */
};

/* Called from the loop, never from within a call below. Each may destroy the exchange. */
struct exchange_events {
	/* The head of the response is complete; heads of 1xx and of proxies are not reported. May
	 * be NULL, as the next. */
	void (*on_head)(void *user, struct exchange *x);
	void (*on_body)(void *user, const char *bytes, size_t len);
	/* The last call. trouble: one line for people; NULL: the response is complete. */
	void (*on_end)(void *user, const char *trouble);
};

/* The URL has passed url_check() or comes from url_resolve(). NULL with err: no libcurl. */
struct exchange *exchange_create(struct loop *loop, const struct exchange_request *request,
    const struct exchange_events *events, void *user, struct err *err);
void exchange_destroy(struct exchange *x); /* NULL-safe */
/* False: it holds something that no header may hold; it is left out. */
bool exchange_add_header(struct exchange *x, const char *name, const char *value);
/* The same for "Name: value". */
bool exchange_add_line(struct exchange *x, const char *line, size_t len);
void exchange_start(struct exchange *x);
/* While held, nothing is reported and nothing beyond EXCHANGE_INBOX bytes is read. */
void exchange_hold(struct exchange *x, bool held);

struct exchange_head {
	int status;              /* 0 before on_head */
	const char *status_text; /* "404 Not Found" */
	const char *headers;     /* "Name: value\n" each, as received */
	const char *sent; /* that of the request, lines ended by CR LF; with one to a proxy */
};
struct exchange_head exchange_head(const struct exchange *x);
/* The nth value (from 0), case of the name ignored; NULL: none. Caller frees. */
char *exchange_header(const struct exchange *x, const char *name, size_t nth);
int64_t exchange_retry_after_s(const struct exchange *x); /* -1: absent or unreadable */
/* Describe the current wait: "first byte, for 2.5 s", "body, silent for 3 s after 120 bytes". */
void exchange_describe_wait(const struct exchange *x, char *out, size_t size);

/* ---- URLs, as libcurl reads them ---- */
/* Loads libcurl at first use. NULL with err: not found, or too old. */
const struct curl_api *curl_api_of(struct loop *loop, struct err *err);
/* Resolves a reference in a response (Location, endpoint); NULL: not an http or https URL. A user
 * name or password in it is dropped. Caller frees. */
char *url_resolve(const struct curl_api *api, const char *base, const char *reference);
/* False with err: not a URL that can be requested. */
bool url_check(const struct curl_api *api, const char *text, struct err *err);
/* Scheme, host and port are the same (RFC 6454). */
bool url_same_origin(const struct curl_api *api, const char *a, const char *b);
/* With secrets hidden. Caller frees. */
char *url_to_show(const char *url);

#endif
