#ifndef MCP_WATCH_H
#define MCP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Notices about single resources and tasks. 2026-07-28 has one subscription for all of
 * them (basic/patterns/subscriptions.mdx): a change of what is wanted opens a new one
 * and then closes the old; one that ends or breaks is opened again, later and later.
 * Before it there is resources/subscribe (2025-11-25/server/resources.mdx).
 */
struct session;

enum watch_kind { WATCH_RESOURCE, WATCH_TASK };

enum watch_state {
	WATCH_NONE,
	WATCH_ASKED,
	WATCH_ON,
	WATCH_REFUSED, /* the server does not send such notices, or said no */
};

/* Keys (URI, task id) are kept until turned off. Nothing is done where the session is not ready, or
 * the server has no such notices: the key's state says what came of it. */
void session_watch(
    struct session *s, enum watch_kind kind, const char *key, bool on, int64_t now_ms);
enum watch_state session_watch_state(
    const struct session *s, enum watch_kind kind, const char *key);
/* Could it be asked for here at all? */
bool session_can_watch(const struct session *s, enum watch_kind kind);

#endif
