#include "methods_priv.h"
#include "outgoing_priv.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

/* What requests were made of, kept as long as they are open and may have to be sent again. */

struct sent_call *
sent_find(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->calls.len; i++)
		if (s->calls.items[i].request == request)
			return &s->calls.items[i];
	return NULL;
}

static void
finish(struct sent_call *call)
{
	free(call->members);
	free(call->last);
	param_headers_finish(&call->headers);
	json_doc_destroy(call->round.doc);
	blob_unref(call->round.bytes);
}

size_t
sent_waiting(const struct session *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->calls.len; i++)
		count += s->calls.items[i].round.waiting;
	return count;
}

void
sent_remove(struct session *s, uint64_t request)
{
	struct sent_call *call = sent_find(s, request);

	if (!call)
		return;
	finish(call);
	VEC_REMOVE(&s->calls, (size_t)(call - s->calls.items));
}

void
sent_finish(struct session *s)
{
	for (size_t i = 0; i < s->calls.len; i++)
		finish(&s->calls.items[i]);
	free(s->calls.items);
	s->calls.items = NULL;
	s->calls.len = s->calls.cap = 0;
}

/* Over stdio before 2026-07-28 nothing is sent again but what URLs have to be visited for. */
static bool
may_go_again(const struct session *s, const struct method *method)
{
	return s->transport == TRANSPORT_HTTP || session_is_modern(s) ||
	       (s->can.elicitation_url && method && (method->traits & MAY_WANT_INPUT));
}

uint64_t
sent_request(struct session *s, const struct outgoing_request *r, bool delicate)
{
	const struct method *method = method_find(r->method);
	uint64_t id = outgoing_request(s, r);

	if (may_go_again(s, method)) {
		struct sent_call *call = VEC_PUSH(&s->calls);
		*call = (struct sent_call){
			.request = id, .len = r->len, .whole = r->whole, .delicate = delicate
		};
		call->method = method ? method->name : NULL;
		call->members = mem_strndup(r->members, r->len);
		if (r->headers) {
			call->headers = *r->headers;
			*r->headers = (struct param_headers){ 0 };
		}
	}
	return id;
}

struct sent_call *
sent_add_waiting(struct session *s, const char *method, struct buf *members)
{
	struct sent_call *call = VEC_PUSH(&s->calls);

	*call = (struct sent_call){
		.request = pending_take_id(&s->pending),
		.len = members->len,
		.method = method_find(method)->name,
	};
	call->members = buf_detach(members);
	return call;
}

const char *
sent_keep_last(struct sent_call *call, const char *members, size_t len)
{
	free(call->last);
	call->last = mem_strndup(members, len);
	call->last_len = len;
	return call->last;
}

void
sent_again(struct session *s, uint64_t id, const char *members, size_t len)
{
	const struct pending_request *p = pending_find(&s->pending, id);
	struct sent_call *call = p ? sent_find(s, p->owner) : NULL;

	if (!call)
		return;
	char *method = mem_strdup(p->method), *copy = members ? mem_strndup(members, len) : NULL;
	struct outgoing_request again = { .method = method,
		.owner = p->owner,
		.limit_ms = p->limit_ms,
		.whole = call->whole,
		.headers = &call->headers };

	if (copy) {
		free(call->last);
		call->last = copy;
		call->last_len = len;
	}
	again.members = call->last ? call->last : call->members;
	again.len = call->last ? call->last_len : call->len;
	call->parked = false;
	pending_end(&s->pending, id, PENDING_REPLACED);
	outgoing_request(s, &again);
	free(method);
}
