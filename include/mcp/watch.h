#ifndef MCP_WATCH_H
#define MCP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Notifications about single resources and tasks. 2026-07-28 has one subscription for all of them
 * (basic/patterns/subscriptions.mdx): a change of the filter opens a new one, then closes the old
 * one; a stream that ends is opened again after a growing delay. 2025-11-25 has resources/subscribe
 * (server/resources.mdx).
 */
struct session;

enum watch_kind { WATCH_RESOURCE, WATCH_TASK };

enum watch_state {
	WATCH_NONE,
	WATCH_ASKED,
	WATCH_ON,
	WATCH_REFUSED, /* the server refused, or does not send such notifications */
};

/* Keys (URI, task id) are kept until turned off. Does nothing if the session is not ready or the
 * server does not send such notifications; session_watch_state() tells. */
void session_watch(
    struct session *s, enum watch_kind kind, const char *key, bool on, int64_t now_ms);
enum watch_state session_watch_state(
    const struct session *s, enum watch_kind kind, const char *key);
/* Can this session ask for such notifications? */
bool session_can_watch(const struct session *s, enum watch_kind kind);

#endif
