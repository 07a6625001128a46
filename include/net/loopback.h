#ifndef NET_LOOPBACK_H
#define NET_LOOPBACK_H

#include "loop/loop.h"

/*
 * A tiny web server on 127.0.0.1 for one visit: that of the browser which comes back
 * from an authorization server. It reads the head of a GET, hands its target over,
 * answers a small page and closes; everything else gets an error page, and so does a request
 * for another host or one that a page of another origin loads. Bounded in connections, bytes
 * and time.
 */
struct loopback;

#define LOOPBACK_MAX_HEAD ((size_t)32 * 1024)
#define LOOPBACK_MAX_VISITS 8 /* at once */
#define LOOPBACK_VISIT_MS 10000

/* What became of a visit: its page says so. */
enum loopback_visit {
	LOOPBACK_TAKEN,
	LOOPBACK_REFUSED, /* it was the one that was waited for, and brought nothing good */
	LOOPBACK_STRAY,   /* it was not; the other may still come */
};

/* target: "/callback?code=…", as it came. Called from the loop; may destroy the listener. */
typedef enum loopback_visit loopback_visit_fn(void *user, const char *target);

/* port 0: any that is free. path: "/callback". NULL with err. */
struct loopback *loopback_create(struct loop *loop, int port, const char *path,
    loopback_visit_fn *on_visit, void *user, struct err *err);
void loopback_destroy(struct loopback *l); /* NULL-safe */
int loopback_port(const struct loopback *l);

#endif
