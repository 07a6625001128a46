#ifndef MODEL_SERVER_TASKS_PRIV_H
#define MODEL_SERVER_TASKS_PRIV_H

#include "server_parts_priv.h"

/* What the files about tasks have for each other. */

#define TASKS_MAX 1000

/* ---- server_tasks_ask.c ---- */
bool tasks_may_ask(const struct server *s); /* a session is open */
void tasks_poll_later(struct server *s, struct server_task *t);
/* Where it stands, or by tasks/result how it ended; nothing while that is asked already. */
void tasks_ask(struct server *s, struct server_task *t, bool result);

/* ---- server_tasks_state.c ---- */
struct call *tasks_call_of(struct server *s, const struct server_task *t); /* that waits for it */
void tasks_describe(struct server *s, struct server_task *t);              /* in its call */
void tasks_take_facts(struct server *s, struct server_task *t, const struct task *told);
/* Takes what reply gives away when that is how it ended. */
void tasks_take_state(
    struct server *s, struct server_task *t, const struct task *told, struct session_reply *reply);
/* Takes what reply gives away. */
void tasks_end(struct server *s, struct server_task *t, struct session_reply *reply);
void tasks_give_up(struct server *s, struct server_task *t, struct session_reply *reply);
/* What it wants was refused. */
void tasks_end_unanswered(struct server *s, struct server_task *t);

#endif
