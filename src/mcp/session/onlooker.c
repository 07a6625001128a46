#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <stdlib.h>
#include <string.h>

/*
 * A session that watches another client. Its requests are in the table like ours, under ids of
 * their own, so that all that a server sends is understood as ever; nothing is sent, and no time
 * runs out.
 */

/* Requests that were never answered: the oldest give way. */
#define WATCHED_MOST 512

static char *
text_of(const cJSON *node)
{
	struct buf text = BUF_INIT;

	if (!node)
		return NULL;
	json_print(&text, node);
	return buf_detach(&text);
}

/* What the client opens its session with; NULL: any other request. */
static const struct era *
era_of_handshake(const struct session *s, const char *method)
{
	if (strcmp(method, era_legacy.handshake) == 0)
		return &era_legacy;
	if (strcmp(method, era_modern.handshake) == 0 && s->info.state != SESSION_READY)
		return &era_modern;
	return NULL;
}

/* The recording may begin anywhere. */
static void
assume_era(struct session *s, const struct message *m)
{
	const struct era *era = era_of_handshake(s, m->method);
	bool modern = json_get(json_get(m->params, "_meta"), META_VERSION) != NULL;

	if (era) {
		s->era = era;
		s->info.state = SESSION_OPENING;
	} else if (s->info.state == SESSION_NEW || (modern && s->info.state != SESSION_READY)) {
		s->era = modern ? &era_modern : &era_legacy;
		s->info.state = SESSION_READY;
		text_to_line(s->protocol, sizeof(s->protocol), modern ? MODERN_VERSION : "unknown");
	} else {
		return;
	}
	s->info.modern = s->era->modern;
	s->events.on_state(s->user);
}

static struct request *
add_request(struct session *s, const struct message *m, uint64_t stream)
{
	struct requests *t = &s->requests;
	bool shakes;

	assume_era(s, m);
	shakes = s->info.state == SESSION_OPENING && strcmp(m->method, s->era->handshake) == 0;
	if (shakes && handshake_request(s))
		requests_end(t, handshake_request(s), REQUEST_BROKEN);
	if (t->len >= WATCHED_MOST && !t->items[0]->internal)
		request_end(s, t->items[0]->id, REQUEST_BROKEN, REPLY_CLOSED, NULL,
		    "it was never answered");
	struct request *r = requests_add(t, m->method);
	r->internal = shakes;
	r->watched_id = text_of(m->id);
	r->watched_stream = stream;
	r->watched_token = text_of(json_get(json_get(m->params, "_meta"), "progressToken"));
	requests_send(t, r, INT64_MAX, INT64_MAX);
	return r;
}

static void
announce(struct session *s, const struct raw_message *line, const struct message *m,
    const struct request *r)
{
	char *id = text_of(m->id);
	struct session_line event = {
		.direction = WIRE_SENT,
		.bytes = line->bytes,
		.kind = m->kind,
		.method = m->method,
		.id = id,
		.request = r ? r->id : 0,
		.dropped = line->dropped,
		.flaw = line->doc ? m->flaw : line->flaw,
		.doc = line->doc,
	};

	s->events.on_line(s->user, &event);
	free(id);
}

static void
cancel(struct session *s, const cJSON *id)
{
	const struct request *r = requests_find_watched(&s->requests, id, false, 0);

	if (r && !r->internal)
		request_end(s, r->id, REQUEST_CANCELLED, REPLY_CANCELLED, NULL, "cancelled");
}

void
session_on_sent(struct session *s, struct raw_message *line, int64_t now_ms)
{
	struct message m = { .kind = MESSAGE_NOT_JSON };
	const struct request *r = NULL;

	s->now_ms = now_ms;
	if (line->doc)
		message_classify(json_root(line->doc), &m);
	if (m.kind == MESSAGE_REQUEST)
		r = add_request(s, &m, line->stream);
	announce(s, line, &m, r);
	if (r && !r->internal)
		s->events.on_watched(s->user, r->id, &m);
	else if (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR)
		server_request_watch_answer(s, &m);
	else if (m.kind == MESSAGE_NOTIFICATION && strcmp(m.method, "notifications/cancelled") == 0)
		cancel(s, json_get(m.params, "requestId"));
	raw_message_finish(line);
}
