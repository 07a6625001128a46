#ifndef DEMO_SLOW_PRIV_H
#define DEMO_SLOW_PRIV_H

#include "demo_priv.h"

/* What `slow` does beside its progress. */

/* ---- log.c ---- */
int demo_log_level(const struct demo_call *call); /* that this client wants to hear */
void demo_set_level(struct demo_call *call);
void demo_log_step(struct demo *d, const struct demo_run *run, const char *doing);

/* ---- task.c ---- */
bool demo_task_wanted(const struct demo_call *call); /* does this client know tasks? */
void demo_task_begin(struct demo_call *call, int64_t total_ms, size_t steps);
void demo_get_task(struct demo_call *call);
void demo_cancel_task(struct demo_call *call);

#endif
