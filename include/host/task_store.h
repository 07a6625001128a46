#ifndef HOST_TASK_STORE_H
#define HOST_TASK_STORE_H

#include "host/target.h"
#include "client/server.h"

/*
 * Tasks of servers, kept across runs in <state>/tasks.json, which only the user can read: a
 * task's id may be enough to fetch its result. An entry belongs to one exact command or URL
 * (trust_mark()). Programs take turns changing it (base/private_file.h).
 */

/* A missing or malformed file means no tasks. */
void task_store_load(const struct target *t, struct server *s);
bool task_store_save(const struct target *t, const struct server *s, struct err *err);

#endif
