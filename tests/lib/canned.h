/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CANNED_H
#define TESTS_CANNED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * An HTTP server on loopback with scripted answers, in threads of the test. A request gets the
 * first unused answer that matches, or 404 if none does. Tests can read the requests that were
 * received.
 */
struct canned_answer {
	const char *request; /* start of the request: "GET /x"; NULL: any */
	const char *has;     /* text that the headers or body must contain; NULL: any */
	const char *head;    /* "200 OK\r\nContent-Type: text/plain"; NULL: send only body */
	const char *body;    /* NULL: send no answer and keep the connection open */
	size_t len;          /* length of body; 0: strlen(body) */
	size_t piece;        /* bytes per write; 0: all at once */
	bool stream;         /* send no Content-Length: closing the connection ends the body */
	bool close;          /* close the connection after the answer */
	bool open;           /* with stream: keep the connection open without ending the body */
	bool reset;          /* reset the connection (RST) after the answer */
	bool again;          /* may be used more than once */
};

struct canned;

struct canned *canned_start(const struct canned_answer *answers, size_t count);
void canned_stop(struct canned *c);
int canned_port(const struct canned *c);
/* "http://127.0.0.1:PORT/path"; valid until the next call. */
const char *canned_url(struct canned *c, const char *path);
size_t canned_count(struct canned *c); /* complete requests received */
size_t canned_open(struct canned *c);  /* open connections */
/* Return the head and body of request nth (from 0), with header names as sent, or NULL if it has
 * not arrived. The static buffer is overwritten by the next call. */
const char *canned_request(struct canned *c, size_t nth);
/* Return how many requests begin with this text. */
size_t canned_asked(struct canned *c, const char *request);

#endif
