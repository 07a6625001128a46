#ifndef MCP_REQUEST_INTERNAL_REQUEST_H
#define MCP_REQUEST_INTERNAL_REQUEST_H

#include "mcp/logging.h"
#include "mcp/watch.h"

#include <stddef.h>

/* What a session asks for by itself, and keeps for it. */

struct session;
struct incoming;
struct json_writer;
struct lost;
struct message;

/* pending_request.kind */
enum request_kind {
	REQUEST_OWNERS, /* asked for by the session's owner */
	REQUEST_HANDSHAKE,
	REQUEST_LISTEN,
	REQUEST_WATCH,
	REQUEST_PING,
	REQUEST_LEVEL,
	REQUEST_KINDS,
};

/* A resource or task that notices are wanted about. */
struct watch {
	enum watch_kind kind;
	char *key; /* URI or task id */
	enum watch_state state;
	uint64_t request; /* resources/subscribe, before 2026-07-28; 0: answered */
};

struct inner {
	struct {
		struct watch *items;
		size_t len, cap;
	} watches;
	uint64_t listen;       /* the open subscription's request; 0: none */
	uint64_t listen_old;   /* one that is replaced, until the new one is acknowledged */
	int64_t listen_due_ms; /* when to open it, or one with another filter */
	int64_t listen_since_ms;
	int listen_failures; /* since one lasted */
	bool acknowledged;
	int64_t ping_every_ms; /* 0: never */
	int64_t ping_due_ms;
	uint64_t ping;
	bool prefer_tasks;
};

void inner_init(struct session *s, int64_t ping_every_ms);
void inner_finish(struct session *s);
void inner_on_ready(struct session *s);
void inner_on_answer(struct session *s, struct incoming *in);
void inner_on_timeout(struct session *s, uint64_t id);
void inner_on_lost(struct session *s, uint64_t id, const struct lost *lost);
void inner_close(struct session *s); /* nothing of it is open any more */
int64_t inner_next_time(const struct session *s);
void inner_on_time(struct session *s);

/* ---- subscription.c: subscriptions/listen, 2026-07-28 ---- */
void subscription_change(struct session *s); /* what is wanted is another now */
void subscription_on_time(struct session *s);
void subscription_on_answer(struct session *s, struct incoming *in);
/* may_return: what broke it may be over some time. */
void subscription_on_failure(struct session *s, uint64_t id, const char *why, bool may_return);
void subscription_on_acknowledged(struct session *s, const struct message *m);
/* The server says by notifications/cancelled that it ended this; false: it is no subscription. */
bool subscription_on_cancelled(struct session *s, const struct message *m);
/* What is wrong with a notification that comes by subscription; *stray: it is not for us. */
const char *subscription_flaw(const struct session *s, const struct message *m, bool *stray);

/* ---- watch.c ---- */
void watch_on_ready(struct session *s); /* subscribes anew, before 2026-07-28 */
void watch_on_answer(struct session *s, struct incoming *in);
void watch_on_failure(struct session *s, uint64_t id, const char *why, bool may_return);

/* ---- logging ---- */
void level_write_meta(const struct session *s, struct json_writer *meta, const char *method);

#endif
