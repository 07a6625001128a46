#ifndef MCP_FEATURES_FEATURES_H
#define MCP_FEATURES_FEATURES_H

#include "mcp/session/internals.h"

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

#endif
