#include "server_parts_priv.h"

#include "base/vec.h"

#include <string.h>

/*
 * A call whose headers the server found not to match its body (-32020): the definition they were
 * made by is old. The tools are listed again, then it is sent once more
 * (2026-07-28/basic/transports/streamable-http.mdx, "Client Behavior").
 */

#define HEADER_MISMATCH (-32020)
#define REMEMBERED 64

static bool
was_retried(const struct server *s, uint64_t call)
{
	for (size_t i = 0; i < s->retries.len; i++)
		if (s->retries.items[i].call == call)
			return true;
	return false;
}

bool
server_retry_later(struct server *s, struct call *c, struct session_reply *reply)
{
	if (reply->kind != REPLY_ERROR || reply->code != HEADER_MISMATCH || c->kind != OFFER_TOOL ||
	    !session_info(s->session)->modern || was_retried(s, c->id))
		return false;
	if (s->retries.len == REMEMBERED)
		VEC_REMOVE(&s->retries, 0);
	struct retry *r = VEC_PUSH(&s->retries);
	*r = (struct retry){ .call = c->id, .waits = true };
	memcpy(r->text, reply->text, sizeof(r->text));
	json_doc_destroy(reply->doc);
	c->request = 0;
	server_note(
	    s, "the server refused the headers of a call: tools/list, then the call once more");
	if (!lister_is_busy(&s->listers[OFFER_TOOL]))
		lister_start(&s->listers[OFFER_TOOL], s->session, server_now_ms(s));
	server_retry_now(s);
	return true;
}

static void
send_again(struct server *s, struct call *c, const struct retry *r)
{
	const struct offer *tool = offer_list_find(&s->listers[OFFER_TOOL].list, c->key, 0);
	struct session_reply refusal = { .kind = REPLY_ERROR, .code = HEADER_MISMATCH };

	if (tool && !tool->unusable)
		c->request = session_call(s->session,
		    &(struct session_call){ .name = c->key,
			.arguments = c->arguments,
			.len = strlen(c->arguments),
			.definition = tool->definition },
		    server_now_ms(s));
	if (c->request)
		return;
	memcpy(refusal.text, r->text, sizeof(refusal.text));
	server_end_call(s, c, &refusal);
}

void
server_retry_now(struct server *s)
{
	for (size_t i = 0; i < s->retries.len && !lister_is_busy(&s->listers[OFFER_TOOL]); i++) {
		if (!s->retries.items[i].waits)
			continue;
		s->retries.items[i].waits = false;
		struct retry r = s->retries.items[i];
		struct call *c = server_mutable_call(s, r.call);
		if (c && c->state == CALL_RUNNING)
			send_again(s, c, &r);
	}
}

bool
server_retry_cancel(struct server *s, struct call *c)
{
	struct session_reply reply = { .kind = REPLY_CANCELLED, .text = CALL_CANCEL_REASON };

	for (size_t i = 0; i < s->retries.len; i++) {
		struct retry *r = &s->retries.items[i];
		if (r->call != c->id || !r->waits)
			continue;
		r->waits = false;
		server_end_call(s, c, &reply);
		return true;
	}
	return false;
}
