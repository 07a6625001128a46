#ifndef MODEL_SERVER_PARTS_PRIV_H
#define MODEL_SERVER_PARTS_PRIV_H

#include "server_priv.h"

/* What the files of the server have for each other. */

struct call *server_mutable_call(struct server *s, uint64_t id); /* NULL: evicted */
/* The reply is the call's: takes what it gives away. */
void server_end_call(struct server *s, struct call *c, struct session_reply *reply);
/* True: the call will be sent once more, and the reply was consumed. */
bool server_retry_later(struct server *s, struct call *c, struct session_reply *reply);
void server_retry_now(struct server *s); /* unless the tools are still being listed */
bool server_retry_cancel(struct server *s, struct call *c);
/* ---- server_tasks.c ---- */
struct server_task *server_tasks_find(struct server *s, const char *id);
struct server_task *server_tasks_add(struct server *s, const char *id, const char *tool);
void server_task_free(struct server_task *t);
/* True: the call became a task, and the reply was consumed. */
bool server_tasks_take_call(struct server *s, struct call *c, struct session_reply *reply);
bool server_tasks_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_tasks_on_notification(struct server *s, const char *method, const cJSON *params);
bool server_task_leave(struct server *s, struct call *c); /* the call waits no more */
int64_t server_tasks_next_us(const struct server *s);
void server_tasks_on_time(struct server *s);
void server_tasks_on_ready(struct server *s);
void server_tasks_on_closed(struct server *s, const char *how);
void server_tasks_finish(struct server *s);

/* ---- server_notices.c ---- */
void server_notices_on_ready(struct server *s);
void server_notices_take(struct server *s, const char *method, const cJSON *params);
void server_notices_finish(struct server *s);

#endif
