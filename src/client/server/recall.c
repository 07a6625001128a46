#include "client/history.h"

#include "base/mem.h"
#include "base/vec.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls that go into the history and come back from it. */

void
server_keep_call(struct server *s, struct call *c)
{
	if (s->options.keep && !c->is_past && c->kind != PRIMITIVE_SKILL)
		c->kept = s->options.keep(s->options.keep_user, s, c);
}

const struct call *
server_find_kept(const struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; id && i-- > 0;)
		if (s->calls.items[i]->kept == id)
			return s->calls.items[i];
	return NULL;
}

/* What ended the call, by its state. */
static const enum reply_kind reply_kinds[] = {
	[CALL_DONE] = REPLY_RESULT,
	[CALL_REFUSED] = REPLY_ERROR,
	[CALL_INVALID] = REPLY_INVALID,
	[CALL_TIMED_OUT] = REPLY_TIMED_OUT,
	[CALL_CANCELLED] = REPLY_CANCELLED,
	[CALL_DIED] = REPLY_CLOSED,
	[CALL_TRANSPORT_ERROR] = REPLY_TRANSPORT_ERROR,
	[CALL_INPUT] = REPLY_INPUT_REQUIRED,
};

struct json_doc *
server_parse_reply(struct blob *bytes)
{
	const struct json_options options = {
		.blob = bytes,
		.lazy_bytes = (size_t)2 << 20,
		.lazy_in = "/result/structuredContent",
	};

	return bytes ? json_parse(bytes->data, bytes->len, &options, NULL) : NULL;
}

static void
take_reply(struct call *c, const struct history_call *h)
{
	struct blob *bytes = h->reply ? blob_from_bytes(h->reply, h->reply_len) : NULL;
	struct session_reply reply = { .kind = reply_kinds[h->state], .code = h->error_code };
	const char *member = reply.kind == REPLY_RESULT ? "result" : "error";

	reply.bytes = bytes;
	reply.doc = server_parse_reply(bytes);
	reply.value = reply.doc ? json_get(json_root(reply.doc), member) : NULL;
	snprintf(reply.text, sizeof(reply.text), "%s", h->error ? h->error : "");
	if (reply.kind == REPLY_RESULT && !reply.value) {
		reply.kind = REPLY_INVALID;
		snprintf(reply.text, sizeof(reply.text), "%s",
		    bytes ? "the reply in the history cannot be read"
			  : "the history has no reply: it was too large, or the program was killed");
	}
	call_take_reply(c, &reply, c->started_us + h->took_us);
	json_doc_destroy(reply.doc);
	blob_unref(bytes);
}

uint64_t
server_recall(struct server *s, const struct history_call *h, int64_t now_us)
{
	const struct call *there = server_find_kept(s, h->id);
	struct json_doc *definition =
	    h->definition ? json_parse(h->definition, strlen(h->definition), NULL, NULL) : NULL;

	if (there) {
		json_doc_destroy(definition);
		return there->id;
	}
	s->now_us = now_us;
	struct call *c = call_create(s->next_call++, h->key, definition, h->arguments,
	    strlen(h->arguments), HISTORY_STARTED_US(h->id) - journal_info(s->journal)->wall_us);
	c->kind = (enum primitive_kind)h->kind;
	c->uri = h->uri ? mem_strdup(h->uri) : NULL;
	c->kept = h->id;
	c->is_past = true;
	if (c->kind != PRIMITIVE_TOOL)
		c->output_schema = NULL;
	take_reply(c, h);
	s->info.calls++;
	*VEC_PUSH(&s->calls) = c;
	server_check(s, c);
	server_count_call(s, c);
	s->generation++;
	return c->id;
}
