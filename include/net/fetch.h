#ifndef NET_FETCH_H
#define NET_FETCH_H

#include "loop/loop.h"

/*
 * One plain HTTP exchange, whole in memory: for metadata, tokens and resources that
 * are fetched beside a server's own conversation. Redirects are answers like any
 * other unless they are asked for; no cookies, no .netrc; proxies as the environment
 * says; http and https and nothing else.
 */
struct fetch;

#define FETCH_MAX_BODY ((size_t)1 << 20)
#define FETCH_TIMEOUT_MS 30000

/* Everything is borrowed for the call only. */
struct fetch_request {
	const char *method; /* NULL: GET, or POST where there is a body */
	const char *url;
	const char *const *headers; /* "Name: value", NULL-terminated; NULL: none */
	const char *body;           /* NULL: none. Say its type in the headers */
	size_t body_len;
	size_t max_body;    /* of the answer; 0: FETCH_MAX_BODY. A longer one is a failure */
	int64_t timeout_ms; /* for all of it; 0: FETCH_TIMEOUT_MS */
	int max_redirects;  /* of a GET, followed within its origin only; 0: none */
	bool insecure;      /* certificates are not checked */
	bool public_only;   /* refuses addresses that are private, of this host or link-local */
};

struct fetch_answer {
	int status;          /* 0: none came; then error says why */
	const char *reason;  /* "Not Found"; "" where the server gives none */
	const char *error;   /* one line for people; NULL: an answer came, whatever its status */
	const char *url;     /* what answered, after redirects */
	const char *headers; /* "Name: value\n" each, as they came; see fetch_header() */
	const char *body;    /* NUL-terminated after body_len bytes; untrusted */
	size_t body_len;
	int64_t took_ms;
};

/* Once, from the loop, never from within fetch_start(). The answer is borrowed for the call; the
 * fetch is gone after it. */
typedef void fetch_done_fn(void *user, const struct fetch_answer *answer);

/* NULL with err when it cannot even begin: no libcurl, no such URL. Nothing is called then. */
struct fetch *fetch_start(struct loop *loop, const struct fetch_request *request,
    fetch_done_fn *done, void *user, struct err *err);
/* done() is not called any more. NULL-safe. */
void fetch_cancel(struct fetch *fetch);

/* The nth (from 0) value of that header, case ignored; NULL: there is none. Caller frees. */
char *fetch_header(const struct fetch_answer *answer, const char *name, size_t nth);

#endif
