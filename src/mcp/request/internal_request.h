#ifndef MCP_REQUEST_INTERNAL_REQUEST_H
#define MCP_REQUEST_INTERNAL_REQUEST_H

#include "mcp/logging.h"
#include "mcp/watch.h"

#include <stddef.h>

/* The requests that a session sends for itself, and their state. */

struct session;
struct incoming;
struct json_writer;
struct transport_error;
struct message;

/* pending_request.kind */
enum request_kind {
	REQUEST_OWNERS, /* sent for the owner */
	REQUEST_HANDSHAKE,
	REQUEST_LISTEN,
	REQUEST_WATCH,
	REQUEST_PING,
	REQUEST_LEVEL,
	REQUEST_KINDS,
};

/* A resource or task to get notifications about. */
struct watch {
	enum watch_kind kind;
	char *key; /* URI or task id */
	enum watch_state state;
	uint64_t request; /* resources/subscribe, before 2026-07-28; 0 once answered */
};

struct internal_requests {
	struct {
		struct watch *items;
		size_t len, cap;
	} watches;
	uint64_t listen;       /* the request of the open subscription; 0: none */
	uint64_t listen_old;   /* the subscription it replaces, open until it is acknowledged */
	int64_t listen_due_ms; /* when to open it, or to replace it by one with another filter */
	int64_t listen_since_ms;
	int listen_failures; /* since a subscription lasted */
	bool acknowledged;
	int64_t ping_every_ms; /* 0: never */
	int64_t ping_due_ms;
	uint64_t ping;
	bool prefer_tasks;
};

void internal_request_init(struct session *s, int64_t ping_every_ms);
void internal_request_finish(struct session *s);
void internal_request_on_ready(struct session *s);
void internal_request_on_answer(struct session *s, struct incoming *in);
void internal_request_on_timeout(struct session *s, uint64_t id);
void internal_request_on_transport_error(
    struct session *s, uint64_t id, const struct transport_error *lost);
void internal_request_close(struct session *s); /* ends all of them */
int64_t internal_request_next_time(const struct session *s);
void internal_request_on_time(struct session *s);

/* ---- subscription.c: subscriptions/listen, 2026-07-28 ---- */
void subscription_change(struct session *s); /* the filter has changed */
void subscription_on_time(struct session *s);
void subscription_on_answer(struct session *s, struct incoming *in);
/* may_return: the cause may pass. */
void subscription_on_failure(struct session *s, uint64_t id, const char *why, bool may_return);
void subscription_on_acknowledged(struct session *s, const struct message *m);
/* The server ended a subscription by notifications/cancelled; false if the id is not one of ours.
 */
bool subscription_on_cancelled(struct session *s, const struct message *m);
/* What is wrong with a notification that needs a subscription; *stray: its subscription is not
 * ours. */
const char *subscription_flaw(const struct session *s, const struct message *m, bool *stray);

/* ---- watch.c ---- */
void watch_on_ready(struct session *s); /* subscribes again, before 2026-07-28 */
void watch_on_answer(struct session *s, struct incoming *in);
void watch_on_failure(struct session *s, uint64_t id, const char *why, bool may_return);

/* ---- logging ---- */
void level_write_meta(const struct session *s, struct json_writer *meta, const char *method);

#endif
