#ifndef CLIENT_SERVER_RELAY_H
#define CLIENT_SERVER_RELAY_H

#include "base/err.h"
#include "base/strings.h"
#include "mcp/events.h"

/* Requests that somebody else, such as an app, makes of the server. */
struct server;
struct call;

/* Who made a request that is not ours. */
struct relay_owner {
	/* Once, unless the owner left. May make and cancel others. */
	void (*on_reply)(void *user, uint64_t request, struct session_reply *reply);
	void (*on_progress)(void *user, uint64_t request, const struct session_progress *progress);
	void *user;
};

struct relay {
	uint64_t request;
	struct relay_owner owner;
};

struct relays {
	struct relay *items;
	size_t len, cap;
};

struct app_house;
struct app;
struct open_apps {
	struct app_house *house; /* NULL: no apps run */
	struct app **items;
	size_t len, cap;
	struct relays relays;   /* what they asked of the server */
	struct strings allowed; /* domains that they reach */
};

/* Sends a request for its owner; params is an object, or NULL. 0: err says why not. */
uint64_t server_relay(struct server *s, const char *method, const cJSON *params,
    const struct relay_owner *owner, struct err *err);
uint64_t server_relay_read(
    struct server *s, const char *uri, const struct relay_owner *owner, struct err *err);
void server_relay_cancel(struct server *s, uint64_t request, const char *why); /* replies at once */
/* Cancels what the owner with this user has open; it gets no reply. */
void server_relay_leave(struct server *s, const void *user, const char *why);
bool server_relay_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
bool server_relay_on_progress(
    struct server *s, uint64_t request, const struct session_progress *progress);

/* open_apps.c */
void server_apps_on_call_end(struct server *s, const struct call *c);
void server_apps_on_notification(struct server *s, const char *method);
int64_t server_apps_next_time(const struct server *s);
void server_apps_on_time(struct server *s);
void server_apps_finish(struct server *s);

#endif
