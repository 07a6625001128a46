#ifndef HOST_TASK_STORE_H
#define HOST_TASK_STORE_H

#include "config/target.h"
#include "model/server.h"

/*
 * The tasks of servers between two runs: <state>/tasks.json, the user's alone, since whoever has a
 * task's id may have its result. An entry belongs to exactly what is run or reached (trust_mark()).
 * Programs that change it take turns (base/private_file.h).
 */

/* What is not there or not understood is no tasks. */
void task_store_load(const struct target *t, struct server *s);
bool task_store_save(const struct target *t, const struct server *s, struct err *err);

#endif
