#include "loop_priv.h"

#include "base/vec.h"

static bool
is_before(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void
place(struct timers *timers, struct loop_timer *timer, size_t slot)
{
	timers->items[slot] = timer;
	timer->slot = slot;
}

static void
sift_up(struct timers *timers, struct loop_timer *timer)
{
	size_t at = timer->slot;

	while (at > 0 && is_before(timer, timers->items[(at - 1) / 2])) {
		place(timers, timers->items[(at - 1) / 2], at);
		at = (at - 1) / 2;
	}
	place(timers, timer, at);
}

static void
sift_down(struct timers *timers, struct loop_timer *timer)
{
	size_t at = timer->slot;

	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= timers->len)
			break;
		if (child + 1 < timers->len &&
		    is_before(timers->items[child + 1], timers->items[child]))
			child++;
		if (!is_before(timers->items[child], timer))
			break;
		place(timers, timers->items[child], at);
		at = child;
	}
	place(timers, timer, at);
}

void
timers_add(struct timers *timers, struct loop_timer *timer)
{
	timer->order = timers->order++;
	*VEC_PUSH(timers) = timer;
	timer->slot = timers->len - 1;
	sift_up(timers, timer);
}

void
timers_remove(struct timers *timers, struct loop_timer *timer)
{
	struct loop_timer *last = timers->items[--timers->len];

	if (last == timer)
		return;
	place(timers, last, timer->slot);
	sift_up(timers, last);
	sift_down(timers, last);
}

int64_t
timers_next_ms(const struct timers *timers)
{
	return timers->len ? timers->items[0]->at_ms : INT64_MAX;
}
