/* SPDX-License-Identifier: MIT */
#ifndef NET_LOOPBACK_H
#define NET_LOOPBACK_H

#include "loop/loop.h"

/*
 * A tiny web server on 127.0.0.1 for one visit: the browser's return from an authorization server.
 * It reads the head of a GET, passes its target on, answers with a small page and closes.
 * Everything else gets an error page, including requests for another host and those from a page of
 * another origin. Connections, bytes and time are limited.
 */
struct loopback;

#define LOOPBACK_MAX_HEAD ((size_t)32 * 1024)
#define LOOPBACK_MAX_VISITS 8 /* at once */
#define LOOPBACK_VISIT_MS 10000

/* The outcome of a visit, which its page shows. */
enum loopback_visit {
	LOOPBACK_TAKEN,
	LOOPBACK_REFUSED, /* the expected visit, but without success */
	LOOPBACK_STRAY,   /* not the expected visit, which may still come */
};

/* target: "/callback?code=…", as received. Called from the loop; may destroy the listener. */
typedef enum loopback_visit loopback_visit_fn(void *user, const char *target);

/* port 0: any free port. path: "/callback". NULL with err. */
struct loopback *loopback_create(struct loop *loop, int port, const char *path,
    loopback_visit_fn *on_visit, void *user, struct err *err);
void loopback_destroy(struct loopback *l); /* NULL-safe */
int loopback_port(const struct loopback *l);

#endif
