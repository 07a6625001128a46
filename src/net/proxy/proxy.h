/* SPDX-License-Identifier: MIT */
#ifndef NET_PROXY_PROXY_H
#define NET_PROXY_PROXY_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/*
 * The server side of HTTP/1.1 on our loop: libmicrohttpd reads requests and frames responses, and
 * is loaded when the first server is created. A request is reported once it is complete; its
 * response is given piece by piece.
 */
struct web_listener;

#define WEB_CLIENTS 256U               /* at once; near that the one that idles longest goes */
#define WEB_OUTBOX ((size_t)128 << 10) /* of a response: more waits outside */

/* A request of a client, until its response is sent or the client has gone. */
struct web_call {
	struct web_call *next;
	struct web_listener *owner;
	void *connection; /* libmicrohttpd's */
	struct loop_watch *gone;
	char *method, *target; /* as received */
	struct buf headers;    /* "Name: value\n" each */
	struct buf body;
	void *thing; /* the receiver's */
	/* the response */
	int status; /* 0: not yet */
	char *answer_headers;
	int64_t length; /* of its body; -1: unknown */
	struct buf outbox;
	bool begun, accepted, queued, suspended, reported;
	bool full, ended;
	bool cut;    /* it ended too early; the outbox is still sent */
	bool broken; /* nothing more is sent */
};

/* Called from the loop; a response may be given at once. */
struct web_events {
	/* The head has arrived. Return 0 to continue, or the status to answer with, and why. */
	int (*check)(void *user, const struct web_call *call, struct err *why);
	void (*on_call)(void *user, struct web_call *call);
	void (*on_room)(void *user, struct web_call *call); /* after web_add() returned false */
	/* The last call, also of calls that on_call() never saw: thing is NULL then. */
	void (*on_done)(void *user, struct web_call *call);
};

/* Takes a listening socket. NULL with err: no library. */
struct web_listener *web_listen(struct loop *loop, int fd, size_t max_body,
    const struct web_events *events, void *user, struct err *err);
void web_close(struct web_listener *l); /* NULL-safe; with on_done() of all */

/* headers: "Name: value\n" each. */
void web_respond(struct web_call *call, int status, const char *headers, int64_t length);
/* False: it was taken, but the client is slow: wait for on_room(). */
bool web_add(struct web_call *call, const char *bytes, size_t len);
void web_end(struct web_call *call, bool whole);

/* The address of a proxy, and the host names that it answers to. */
struct proxy_address {
	int fd;        /* listening */
	char text[80]; /* "127.0.0.1:8080", "[::1]:8080": its port is known */
	bool is_local; /* loopback */
};

/* "127.0.0.1:8080", "[::1]:0", "localhost:0", "8080". False with err. */
bool proxy_address_listen(struct proxy_address *a, const char *text, struct err *err);

/*
 * A page of a browser can make requests to us in the name of its site. Then Host is the site's
 * name, which resolves to our address (DNS rebinding), or Origin is the site. So Host has to be an
 * address or localhost, and Origin, if there is one, Host: other programs of this machine serve
 * pages too.
 */
bool proxy_host_is_ours(const char *host);
bool proxy_origin_is_ours(const char *origin, const char *host);

#endif
