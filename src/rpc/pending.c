#include "rpc/pending.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>

void
pending_finish(struct pending *p)
{
	for (size_t i = 0; i < p->len; i++)
		free(p->items[i].method);
	free(p->items);
	*p = (struct pending){ 0 };
}

int64_t
pending_time_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

struct pending_request *
pending_add(
    struct pending *p, const char *method, uint64_t owner, int64_t deadline_ms, int64_t limit_ms)
{
	struct pending_request *r = VEC_PUSH(p);

	p->last_id++;
	*r = (struct pending_request){
		.id = p->last_id,
		.owner = owner ? owner : p->last_id,
		.method = mem_strdup(method),
		.deadline_ms = deadline_ms < limit_ms ? deadline_ms : limit_ms,
		.limit_ms = limit_ms,
	};
	return r;
}

uint64_t
pending_take_id(struct pending *p)
{
	return ++p->last_id;
}

struct pending_request *
pending_find(const struct pending *p, uint64_t id)
{
	for (size_t i = 0; i < p->len; i++)
		if (p->items[i].id == id)
			return &p->items[i];
	return NULL;
}

struct pending_request *
pending_find_owner(const struct pending *p, uint64_t owner)
{
	for (size_t i = 0; i < p->len; i++)
		if (p->items[i].owner == owner)
			return &p->items[i];
	return NULL;
}

void
pending_end(struct pending *p, uint64_t id, enum pending_end how)
{
	struct pending_request *r = pending_find(p, id);

	if (!r)
		return;
	struct pending_ended *e = &p->ended[p->next_ended];
	p->next_ended = (p->next_ended + 1) % PENDING_REMEMBERED;
	*e = (struct pending_ended){ .id = id, .owner = r->owner, .how = how };
	snprintf(e->method, sizeof(e->method), "%s", r->method);
	free(r->method);
	VEC_REMOVE(p, (size_t)(r - p->items));
}

const struct pending_ended *
pending_find_ended(const struct pending *p, uint64_t id)
{
	for (size_t i = 0; id != 0 && i < PENDING_REMEMBERED; i++)
		if (p->ended[i].id == id)
			return &p->ended[i];
	return NULL;
}

bool
pending_was_used(const struct pending *p, uint64_t id)
{
	return id > 0 && id <= p->last_id;
}

int64_t
pending_next_time(const struct pending *p)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < p->len; i++)
		if (p->items[i].deadline_ms < next)
			next = p->items[i].deadline_ms;
	return next;
}

void
pending_extend_deadlines(struct pending *p, int64_t ms)
{
	for (size_t i = 0; i < p->len; i++) {
		struct pending_request *r = &p->items[i];
		r->deadline_ms = pending_time_add(r->deadline_ms, ms);
		r->limit_ms = pending_time_add(r->limit_ms, ms);
	}
}

struct pending_request *
pending_expired(const struct pending *p, int64_t now_ms)
{
	for (size_t i = 0; i < p->len; i++)
		if (p->items[i].deadline_ms <= now_ms)
			return &p->items[i];
	return NULL;
}

void
pending_restart(struct pending_request *r, int64_t now_ms, int64_t timeout_ms)
{
	int64_t deadline = pending_time_add(now_ms, timeout_ms);

	r->deadline_ms = deadline < r->limit_ms ? deadline : r->limit_ms;
}
