#ifndef MODEL_NOTICES_H
#define MODEL_NOTICES_H

#include "mcp/watch.h"
#include "model/logs.h"

/* What a server tells unasked: its log, and changes of the resources watched. */
struct server;

const struct logs *server_logs(const struct server *s);
void server_logs_seen(struct server *s);
void server_logs_clear(struct server *s);
/* Also for sessions to come. False: this one declares no logging (it is kept all the same). */
bool server_set_log_level(struct server *s, enum log_level level, int64_t now_us);
enum log_level server_log_level(const struct server *s); /* the one asked for */

/* Notices about a resource, in this session and those to come, until turned off. False: this server
 * has none. */
bool server_watch(struct server *s, const char *uri, bool on, int64_t now_us);
enum watch_state server_watch_state(const struct server *s, const char *uri);
/* Did it change since it was read last? */
bool server_watch_changed(const struct server *s, const char *uri);
bool server_watch_any_changed(const struct server *s);

#endif
