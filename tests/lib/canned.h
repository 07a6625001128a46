#ifndef TESTS_CANNED_H
#define TESTS_CANNED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * An HTTP server on loopback that answers by rote, in threads of the test. A request
 * gets the first unused answer that fits; a request without one gets 404. The requests can
 * be looked at.
 */
struct canned_answer {
	const char *request; /* how the request begins: "GET /x"; NULL: any */
	const char *has;     /* and what is in it, headers and body; NULL: whatever */
	const char *head;    /* "200 OK\r\nContent-Type: text/plain"; NULL: body is all there is */
	const char *body;    /* NULL: no answer, the connection stays open */
	size_t len;          /* of body; 0: its strlen() */
	size_t piece;        /* bytes sent at once, 0: all */
	bool stream;         /* no Content-Length: the body ends with the connection */
	bool close;          /* after the answer */
	bool open;           /* with stream: the connection stays, the body does not end */
	bool reset;          /* after the answer, by RST */
	bool again;          /* fits more than once */
};

struct canned;

struct canned *canned_start(const struct canned_answer *answers, size_t count);
void canned_stop(struct canned *c);
int canned_port(const struct canned *c);
/* "http://127.0.0.1:PORT/path"; valid until the next call. */
const char *canned_url(struct canned *c, const char *path);
size_t canned_count(struct canned *c); /* requests that came whole */
size_t canned_open(struct canned *c);  /* connections */
/* The nth request, from 0, head and body, headers' names as sent; NULL: has not come. Static copy,
 * overwritten by the next call. */
const char *canned_request(struct canned *c, size_t nth);
/* How many requests begin so. */
size_t canned_asked(struct canned *c, const char *request);

#endif
