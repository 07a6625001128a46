#ifndef MCP_FEATURES_FEATURES_H
#define MCP_FEATURES_FEATURES_H

#include "mcp/era/era.h"
#include "mcp/primitive.h"

/* ---- primitive.c: only the first problem is kept ---- */
void primitive_add_problem(struct primitive *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- subscription.c: subscriptions/listen, 2026-07-28 ---- */
void subscription_change(struct session *s); /* the filter has changed */
void subscription_on_time(struct session *s);
result_fn subscription_on_result;
failure_fn subscription_on_failure;
message_fn subscription_on_acknowledged;
/* The server ended a subscription by notifications/cancelled; false if the id is not one of ours.
 */
bool subscription_on_cancelled(struct session *s, const struct message *m);
/* What is wrong with a notification that needs a subscription; *stray: its subscription is not
 * ours. */
const char *subscription_flaw(const struct session *s, const struct message *m, bool *stray);

/* ---- watch.c ---- */
void watch_on_ready(struct session *s); /* subscribes again, before 2026-07-28 */
result_fn watch_on_result;
failure_fn watch_on_failure;

#endif
