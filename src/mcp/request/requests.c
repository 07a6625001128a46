#include "request.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/session/internals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t
time_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void
destroy(struct request *r)
{
	free(r->method);
	free(r->watched_id);
	free(r->watched_token);
	buf_finish(&r->members);
	buf_finish(&r->last);
	param_headers_finish(&r->headers);
	json_doc_destroy(r->input.doc);
	blob_unref(r->input.bytes);
	free(r);
}

void
requests_finish(struct requests *t)
{
	for (size_t i = 0; i < t->len; i++)
		destroy(t->items[i]);
	requests_finish_by_hand(t);
	free(t->items);
	*t = (struct requests){ 0 };
}

uint64_t
requests_next_id(struct requests *t)
{
	for (size_t i = 0; i <= REQUESTS_REMEMBERED; i++) {
		bool used = false;
		t->last_id++;
		for (size_t k = 0; t->by_hand && k < REQUESTS_REMEMBERED && !used; k++)
			used = t->by_hand[k].rpc_id == t->last_id;
		if (!used)
			break;
	}
	return t->last_id;
}

struct request *
requests_add(struct requests *t, const char *method)
{
	struct request *r = mem_zalloc(sizeof(*r));

	*r = (struct request){
		.id = requests_next_id(t),
		.method = mem_strdup(method),
		.known = method_find(method),
		.deadline_ms = INT64_MAX,
		.limit_ms = INT64_MAX,
	};
	*VEC_PUSH(t) = r;
	return r;
}

struct request *
requests_find(const struct requests *t, uint64_t id)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->id == id)
			return t->items[i];
	return NULL;
}

struct request *
requests_find_message(const struct requests *t, uint64_t rpc_id)
{
	for (size_t i = 0; rpc_id != 0 && i < t->len; i++)
		if (t->items[i]->rpc_id == rpc_id)
			return t->items[i];
	return NULL;
}

struct request *
requests_find_watched(const struct requests *t, const cJSON *id, bool by_token, uint64_t rpc_id)
{
	struct request *found = NULL;
	struct buf text = BUF_INIT;

	if (!id)
		return NULL;
	json_print(&text, id);
	for (size_t i = t->len; i-- > 0;) {
		struct request *r = t->items[i];
		const char *of = by_token ? r->watched_token : r->watched_id;
		bool first = rpc_id && r->rpc_id == rpc_id;
		if (of && (!found || first) && strcmp(of, buf_text(&text)) == 0)
			found = r;
	}
	buf_finish(&text);
	return found;
}

struct request *
requests_find_internal(const struct requests *t, const char *method)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->internal && strcmp(t->items[i]->method, method) == 0)
			return t->items[i];
	return NULL;
}

void
requests_send(struct requests *t, struct request *r, int64_t deadline_ms, int64_t limit_ms)
{
	if (r->rpc_id)
		requests_leave_wire(t, r, REQUEST_RESENT);
	r->rpc_id = r->state == REQUEST_NEW ? r->id : requests_next_id(t);
	r->state = REQUEST_SENT;
	r->limit_ms = limit_ms;
	r->deadline_ms = deadline_ms < limit_ms ? deadline_ms : limit_ms;
	r->has_progress = false;
}

static void
remember(struct requests *t, struct ended_message ended, const char *method)
{
	struct ended_message *e = &t->ended[t->next_ended];

	t->next_ended = (t->next_ended + 1) % REQUESTS_REMEMBERED;
	*e = ended;
	utf8_copy(e->method, sizeof(e->method), method);
}

void
requests_leave_wire(struct requests *t, struct request *r, enum request_state how)
{
	if (!r->rpc_id)
		return;
	remember(t, (struct ended_message){ .rpc_id = r->rpc_id, .request = r->id, .how = how },
	    r->method);
	r->rpc_id = 0;
	r->state = how;
	r->deadline_ms = r->limit_ms = INT64_MAX;
}

void
requests_end(struct requests *t, struct request *r, enum request_state how)
{
	requests_leave_wire(t, r, how);
	for (size_t i = 0; i < t->len; i++) {
		if (t->items[i] != r)
			continue;
		VEC_REMOVE(t, i);
		destroy(r);
		return;
	}
}

const struct ended_message *
requests_find_ended(const struct requests *t, uint64_t rpc_id)
{
	for (size_t i = 0; rpc_id != 0 && i < REQUESTS_REMEMBERED; i++)
		if (t->ended[i].rpc_id == rpc_id)
			return &t->ended[i];
	return NULL;
}

int64_t
requests_next_time(const struct requests *t)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->deadline_ms < next)
			next = t->items[i]->deadline_ms;
	return next;
}

struct request *
requests_expired(const struct requests *t, int64_t now_ms)
{
	struct request *first = NULL;

	for (size_t i = 0; i < t->len; i++) {
		struct request *r = t->items[i];
		if (r->deadline_ms <= now_ms && (!first || r->rpc_id < first->rpc_id))
			first = r;
	}
	return first;
}

void
requests_extend_deadlines(struct requests *t, int64_t ms)
{
	for (size_t i = 0; i < t->len; i++) {
		struct request *r = t->items[i];
		r->deadline_ms = time_add(r->deadline_ms, ms);
		r->limit_ms = time_add(r->limit_ms, ms);
	}
}

void
request_renew_deadline(struct request *r, int64_t now_ms, int64_t timeout_ms)
{
	r->deadline_ms = time_add(now_ms, timeout_ms);
	if (r->limit_ms < r->deadline_ms)
		r->limit_ms = r->deadline_ms;
}

void
request_restart(struct request *r, int64_t now_ms, int64_t timeout_ms)
{
	int64_t deadline = time_add(now_ms, timeout_ms);

	r->deadline_ms = deadline < r->limit_ms ? deadline : r->limit_ms;
}
