#ifndef NET_LOOPBACK_H
#define NET_LOOPBACK_H

#include "loop/loop.h"

/*
 * A tiny web server on 127.0.0.1 for one visit: that of the browser which comes back
 * from an authorization server. It reads the head of a GET, hands its target over,
 * answers a small page and closes; everything else gets an error page. Bounded in
 * connections, bytes and time.
 */
struct loopback;

#define LOOPBACK_MAX_HEAD ((size_t)32 * 1024)
#define LOOPBACK_MAX_VISITS 8 /* at once */
#define LOOPBACK_VISIT_MS 10000

/* target: "/callback?code=…", as it came. True: this was the visit that was waited for; its page
 * says so. False: the page says that it was not. Called from the loop; may destroy the listener. */
typedef bool loopback_visit_fn(void *user, const char *target);

/* port 0: any that is free. path: "/callback". NULL with err. */
struct loopback *loopback_create(struct loop *loop, int port, const char *path,
    loopback_visit_fn *on_visit, void *user, struct err *err);
void loopback_destroy(struct loopback *l); /* NULL-safe */
int loopback_port(const struct loopback *l);

#endif
