#ifndef HOST_TASK_STORE_H
#define HOST_TASK_STORE_H

#include "host/target.h"
#include "model/server.h"

/*
 * The tasks of servers between two runs: <state>/tasks.json, the user's alone, since whoever has a
 * task's id may have its result. An entry belongs to exactly what is run or reached (trust_mark()).
 * Written anew as a whole; of two programs that write at once the last one wins.
 */

/* What is not there or not understood is no tasks. */
void task_store_load(const struct target *t, struct server *s);
bool task_store_save(const struct target *t, const struct server *s, struct err *err);

#endif
