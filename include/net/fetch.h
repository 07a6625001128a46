/* SPDX-License-Identifier: MIT */
#ifndef NET_FETCH_H
#define NET_FETCH_H

#include "base/buf.h"
#include "loop/loop.h"

/*
 * One plain HTTP request with the whole response in memory: for metadata, tokens and resources
 * outside an MCP connection. Follows redirects only if max_redirects allows it. No cookies, no
 * .netrc; proxies as the environment says; only http and https.
 */
struct fetch;

#define FETCH_MAX_BODY ((size_t)1 << 20)
#define FETCH_TIMEOUT_MS 30000

/* Borrowed for the call. */
struct fetch_request {
	const char *method; /* NULL: GET, or POST if there is a body */
	const char *url;
	const char *const *headers; /* "Name: value", NULL-terminated; NULL: none */
	const char *body;           /* NULL: none. Its type goes into headers */
	size_t body_len;
	size_t max_body;    /* of the response; 0: FETCH_MAX_BODY. A longer body is an error */
	int64_t timeout_ms; /* in total; 0: FETCH_TIMEOUT_MS */
	int max_redirects;  /* of a GET, within its origin; 0: none */
	bool insecure;      /* do not verify certificates */
	bool public_only;   /* refuse private, loopback and link-local addresses */
};

struct fetch_answer {
	int status;          /* 0: no response; error says why */
	const char *reason;  /* "Not Found"; "": none */
	const char *error;   /* one line for people; NULL: there was a response of any status */
	const char *url;     /* after redirects */
	const char *headers; /* "Name: value\n" each, as received; see header_find() */
	const char *body;    /* NUL-terminated after body_len bytes; untrusted */
	size_t body_len;
	int64_t took_ms;
};

/* Called once, from the loop, never from within fetch_start(). The answer is borrowed for the call;
 * the fetch is freed after it. */
typedef void fetch_done_fn(void *user, const struct fetch_answer *answer);

/* NULL with err if it cannot start (no libcurl, an invalid URL); done() is not called then. */
struct fetch *fetch_start(struct loop *loop, const struct fetch_request *request,
    fetch_done_fn *done, void *user, struct err *err);
/* done() will not be called. NULL-safe. */
void fetch_cancel(struct fetch *fetch);

/* The nth value (from 0) of a header in such lines, case ignored; NULL: none. Caller frees. */
char *header_find(const char *headers, const char *name, size_t nth);

/* Appends the lines of a head for people, each after a line break and the mark, control characters
 * as blanks. add, may be NULL: appends the line and returns true; otherwise it is appended with its
 * secrets hidden. */
typedef bool header_line_fn(struct buf *out, const void *user, const char *line, size_t len);
void header_lines_add(
    struct buf *out, const char *mark, const char *head, header_line_fn *add, const void *user);

#endif
