#include "base/glyph.h"
#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "json/splice.h"
#include "mcp/request/request.h"
#include "mcp/session/internals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Messages that the user writes. The session sends them as they are and never times out: a reply
 * only goes to on_line. It keeps their ids apart from its own.
 */

static uint64_t
number_of(const cJSON *id)
{
	size_t number = 0;

	if (!cJSON_IsNumber(id) || !json_number_to_size(id, SIZE_MAX, &number))
		return 0;
	return number;
}

static void
forget(struct request_by_hand *h)
{
	free(h->id);
	free(h->method);
	*h = (struct request_by_hand){ 0 };
}

void
requests_finish_by_hand(struct requests *t)
{
	for (size_t i = 0; t->by_hand && i < REQUESTS_REMEMBERED; i++)
		forget(&t->by_hand[i]);
	free(t->by_hand);
}

static const struct request_by_hand *
add_by_hand(struct requests *t, const cJSON *id, const char *method)
{
	struct buf text = BUF_INIT;

	if (!t->by_hand)
		t->by_hand = mem_zalloc(REQUESTS_REMEMBERED * sizeof(*t->by_hand));
	struct request_by_hand *h = &t->by_hand[t->next_by_hand];
	t->next_by_hand = (t->next_by_hand + 1) % REQUESTS_REMEMBERED;
	forget(h);
	if (id)
		json_print(&text, id);
	*h = (struct request_by_hand){
		.id = id ? buf_detach(&text) : NULL,
		.rpc_id = number_of(id),
		.method = label_dup(method),
	};
	h->number = requests_next_id(t);
	return h;
}

struct request_by_hand *
requests_find_by_hand(const struct requests *t, const cJSON *id)
{
	uint64_t rpc_id = number_of(id);
	struct request_by_hand *found = NULL;
	struct buf text = BUF_INIT;

	if (!id || !t->by_hand)
		return NULL;
	json_print(&text, id);
	for (size_t i = 0; i < REQUESTS_REMEMBERED; i++) {
		struct request_by_hand *h = &t->by_hand[i];
		bool same =
		    h->id && (rpc_id ? h->rpc_id == rpc_id : strcmp(h->id, buf_text(&text)) == 0);
		if (same && (!found || found->number < h->number))
			found = h;
	}
	buf_finish(&text);
	return found;
}

struct request_by_hand *
requests_by_hand_of(const struct requests *t, uint64_t number)
{
	for (size_t i = 0; number && t->by_hand && i < REQUESTS_REMEMBERED; i++)
		if (t->by_hand[i].number == number)
			return &t->by_hand[i];
	return NULL;
}

static bool
is_in_flight(const struct session *s, const cJSON *id)
{
	const struct request_by_hand *h = requests_find_by_hand(&s->requests, id);

	return requests_find_message(&s->requests, number_of(id)) || (h && !h->answered);
}

bool
session_check_text(const struct session *s, const char *text, size_t len, char *why, size_t size)
{
	struct json_error error;
	struct message m;
	struct json_doc *doc = json_parse(text, len, NULL, &error);

	why[0] = '\0';
	if (!doc) {
		snprintf(why, size, NOT_JSON, error.text, error.offset);
		return false;
	}
	message_classify(json_root(doc), &m);
	if (m.flaw)
		snprintf(why, size, "%s", m.flaw);
	else if (m.kind == MESSAGE_REQUEST && is_in_flight(s, m.id))
		snprintf(why, size, "its id is that of a request in flight");
	json_doc_destroy(doc);
	return why[0] == '\0';
}

/* Sets a member that is there to this number. */
static void
set_number(struct buf *text, const char *const *path, const cJSON *node, uint64_t number)
{
	struct buf out = BUF_INIT;
	char value[24];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	if (node && json_splice_set(buf_text(text), text->len, path, value, &out, NULL)) {
		buf_finish(text);
		*text = out;
	} else {
		buf_finish(&out);
	}
}

/* A request gets an id that was never used; its progress token goes with it. */
static void
renew_id(struct session *s, struct buf *text, const struct message *m)
{
	static const char *const id[] = { "id", NULL };
	static const char *const token[] = { "params", "_meta", "progressToken", NULL };
	const cJSON *progress = json_get(json_get(m->params, "_meta"), "progressToken");
	uint64_t number = requests_next_id(&s->requests);

	set_number(text, id, m->id, number);
	set_number(text, token, progress, number);
}

bool
session_send_text(struct session *s, const struct session_text *t, int64_t now_ms)
{
	bool asks;
	struct message m = { .kind = MESSAGE_NOT_JSON };
	struct buf line = BUF_INIT;
	struct json_doc *doc = json_parse(t->text, t->len, NULL, NULL);

	if (s->info.state != SESSION_READY || s->onlooker) {
		json_doc_destroy(doc);
		return false;
	}
	s->now_ms = now_ms;
	buf_add(&line, t->text, t->len);
	if (doc)
		message_classify(json_root(doc), &m);
	if (t->new_id && m.kind == MESSAGE_REQUEST) {
		renew_id(s, &line, &m);
		json_doc_destroy(doc);
		doc = json_parse(buf_text(&line), line.len, NULL, NULL);
		message_classify(json_root(doc), &m);
	}
	asks = m.kind == MESSAGE_REQUEST;
	outgoing_text(s, &line, doc, &m, t->definition,
	    add_by_hand(&s->requests, asks ? m.id : NULL, m.method));
	json_doc_destroy(doc);
	return true;
}
