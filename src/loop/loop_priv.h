#ifndef LOOP_LOOP_PRIV_H
#define LOOP_LOOP_PRIV_H

#include "loop/loop.h"

struct child;
struct guard;

/* The children this loop looks after (child.c), and the process that ends them if need be. */
struct children {
	struct child *first;
	struct guard *guard; /* NULL before the first child */
};
struct children *loop_children(struct loop *loop);

/* A binary heap of the callers' timers, the next one first. */
struct timers {
	struct loop_timer **items;
	size_t len, cap;
	uint64_t order;
};

void timers_add(struct timers *timers, struct loop_timer *timer);
void timers_remove(struct timers *timers, struct loop_timer *timer);
int64_t timers_next_ms(const struct timers *timers); /* INT64_MAX: none */

/* For loop_destroy(): drops the records of children nobody owns any more, and the guard; a living
 * child that was neither handed over nor ended is a bug. */
void child_forget_all(struct children *children);

#endif
