#ifndef MODEL_NOTICES_H
#define MODEL_NOTICES_H

#include "mcp/watch.h"
#include "model/logs.h"

/* Notifications a server sends unasked: its log, and changes of watched resources. */
struct server;

void server_logs_seen(struct server *s);
void server_logs_clear(struct server *s);
/* Applies to later sessions too. False if this server declares no logging (the level is kept all
 * the same). */
bool server_set_log_level(struct server *s, enum log_level level, int64_t now_us);

/* Subscribes to changes of a resource, in this session and later ones, until turned off. False
 * if this server has no subscriptions. */
bool server_watch(struct server *s, const char *uri, bool on, int64_t now_us);
enum watch_state server_watch_state(const struct server *s, const char *uri);
/* Has it changed since it was last read? */
bool server_watch_changed(const struct server *s, const char *uri);
bool server_watch_any_changed(const struct server *s);

#endif
