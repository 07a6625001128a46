/* SPDX-License-Identifier: MIT */
#include "cues.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cue whose events are being sent. */
struct playing {
	uint32_t cue, next;          /* event: index + 1; 0: no more */
	char *id, *token;            /* of the client's request, as JSON; NULL: none */
	bool again;                  /* the cue was used before: its requests need other ids */
	int64_t base_us, base_at_us; /* now, and then */
	char *asked; /* the request of ours that the client has to answer first; NULL: none */
	bool is_answered;
};

struct replay {
	struct replay_options options;
	struct replay_events events;
	void *user;
	struct replay_index index;
	struct {
		struct playing *items;
		size_t len, cap;
	} playing;
	uint64_t last_id; /* of requests that are sent again */
	bool closed;
	struct replay_info info;
};

struct replay *
replay_create(const struct replay_options *options, const struct replay_events *events, void *user)
{
	struct replay *r = mem_zalloc(sizeof(*r));

	r->options = *options;
	r->events = *events;
	r->user = user;
	replay_index_init(&r->index);
	return r;
}

static void
end_playing(struct replay *r, size_t i)
{
	struct playing *p = &r->playing.items[i];

	free(p->id);
	free(p->token);
	free(p->asked);
	VEC_REMOVE(&r->playing, i);
}

void
replay_destroy(struct replay *r)
{
	if (!r)
		return;
	while (r->playing.len > 0)
		end_playing(r, 0);
	free(r->playing.items);
	replay_index_finish(&r->index);
	free(r);
}

bool
replay_add(struct replay *r, const char *line, size_t len, uint64_t offset, struct err *err)
{
	return replay_index_add(&r->index, line, len, offset, err);
}

struct replay_info
replay_info(const struct replay *r)
{
	struct replay_info info = r->info;

	info.requests = r->index.requests;
	return info;
}

/* ---- when ---- */

static int64_t
due_us(const struct replay *r, const struct playing *p)
{
	const struct replay_event *e = &r->index.events.items[p->next - 1];
	double wait = (double)(e->at_us - p->base_at_us);

	if ((p->asked || e->at_end) && !r->closed)
		return INT64_MAX;
	if (r->options.speed <= 0 || wait <= 0 || r->closed)
		return p->base_us;
	wait /= r->options.speed;
	return wait < 1e15 ? p->base_us + (int64_t)wait : INT64_MAX;
}

/* Return the index of the event that is due first, by its order in the recording if two are due;
 * the count: none. */
static size_t
next_playing(const struct replay *r, int64_t *at_us)
{
	size_t best = r->playing.len;

	*at_us = INT64_MAX;
	for (size_t i = 0; i < r->playing.len; i++) {
		const struct playing *p = &r->playing.items[i];
		int64_t due = due_us(r, p);
		if (due < *at_us || (due == *at_us && best < r->playing.len &&
					p->next < r->playing.items[best].next)) {
			*at_us = due;
			best = i;
		}
	}
	return best;
}

int64_t
replay_next_time(const struct replay *r)
{
	int64_t at_us;

	next_playing(r, &at_us);
	return at_us;
}

/* ---- what ---- */

static void
send_message(struct replay *r, struct playing *p, const struct replay_event *e,
    const struct recording_entry *entry, const struct replay_message *m)
{
	struct replay_value values[3] = { { 0 } };
	struct buf out = BUF_INIT;
	size_t n = 0;
	char *asked = NULL; /* another id, because the client has seen this one */

	if (e->kind == REPLAY_RESPONSE && m->m.id && p->id)
		values[n++] = (struct replay_value){ m->m.id, p->id };
	if (e->kind == REPLAY_PROGRESS && p->token)
		values[n++] =
		    (struct replay_value){ json_get(m->m.params, "progressToken"), p->token };
	if (m->subscription && p->id)
		values[n++] = (struct replay_value){ m->subscription, p->id };
	if (e->kind == REPLAY_REQUEST && p->again) {
		asked = mem_printf("\"again-%llu\"", (unsigned long long)++r->last_id);
		values[n++] = (struct replay_value){ m->m.id, asked };
	} else if (e->kind == REPLAY_REQUEST) {
		asked = mem_strdup(m->id);
	}
	if (asked && e->answered_us >= 0)
		p->asked = asked;
	replay_add_changed(&out, entry->bytes, entry->len, json_root(m->doc), values);
	r->events.on_send(r->user, buf_text(&out), out.len);
	if (p->asked != asked)
		free(asked);
	buf_finish(&out);
}

/* The next event of this cue. */
static void
play(struct replay *r, size_t i)
{
	struct playing *p = &r->playing.items[i];
	const struct replay_event *e = &r->index.events.items[p->next - 1];
	struct buf line = BUF_INIT, bytes = BUF_INIT;
	struct recording_entry entry;
	struct replay_message m = { 0 };

	if (e->kind == REPLAY_RESPONSE)
		p->is_answered = true;
	if (!r->events.load(r->user, e->offset, e->len, &line) ||
	    !recording_read(buf_text(&line), line.len, &entry, &bytes, NULL))
		r->events.tell(r->user, "the recording has changed: a message of it is gone");
	else if (e->kind == REPLAY_STDERR)
		r->events.on_stderr(r->user, entry.bytes, entry.len);
	else if (e->kind == REPLAY_EXIT)
		r->events.on_exit(r->user, entry.exit_code, entry.signal_number);
	else if (!replay_message_read(&m, entry.bytes, entry.len, true))
		r->events.on_send(r->user, entry.bytes, entry.len);
	else if (e->kind != REPLAY_PROGRESS || p->token) /* unwanted, it would be a mistake */
		send_message(r, p, e, &entry, &m);
	replay_message_finish(&m);
	p->next = e->next;
	if (p->asked) /* continue from the time of the answer */
		p->base_at_us = e->answered_us;
	buf_finish(&line);
	buf_finish(&bytes);
	if (!p->next)
		end_playing(r, i);
}

void
replay_on_time(struct replay *r, int64_t now_us)
{
	int64_t at_us;
	size_t i;

	while ((i = next_playing(r, &at_us)) < r->playing.len && at_us <= now_us)
		play(r, i);
}

static void
start_cue(struct replay *r, uint32_t cue, struct replay_message *m, bool again, int64_t now_us)
{
	const struct replay_cue *c = &r->index.cues.items[cue];

	if (!c->first)
		return;
	*VEC_PUSH(&r->playing) = (struct playing){
		.cue = cue,
		.next = c->first,
		.again = again,
		.base_us = now_us,
		.base_at_us = c->at_us,
	};
	if (!m)
		return;
	struct playing *p = &r->playing.items[r->playing.len - 1];
	p->id = m->id;
	p->token = m->token;
	m->id = m->token = NULL;
}

void
replay_start(struct replay *r, int64_t now_us)
{
	start_cue(r, 0, NULL, false, now_us);
	replay_on_time(r, now_us);
}

/* ---- the client ---- */

static void
refuse(struct replay *r, const char *id, int code, const char *text)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_json(&w, "id", id ? id : "null");
	json_write_member_object(&w, "error");
	json_write_member_int(&w, "code", code);
	json_write_member_string(&w, "message", text);
	json_write_object_end(&w);
	json_write_object_end(&w);
	r->events.on_send(r->user, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
tell(struct replay *r, const struct message *m, const char *what)
{
	const char *name = json_get_string(m->params, "name");
	char text[400];

	if (!name)
		name = json_get_string(m->params, "uri");
	snprintf(text, sizeof(text), "%.100s%s%.160s: %s", m->method, name ? " " : "",
	    name ? name : "", what);
	r->events.tell(r->user, text);
}

/* ---- a client of the legacy era before a recording of the modern one ---- */

#define META "io.modelcontextprotocol/"

static void
answer_initialize(struct replay *r, const struct replay_message *m, const cJSON *discovered)
{
	static const char unnamed[] = "{\"name\":\"recorded\",\"version\":\"\"}";
	const char *version = json_get_string(m->m.params, "protocolVersion");
	const cJSON *server = json_get(json_get(discovered, "_meta"), META "serverInfo");
	const cJSON *capabilities = json_get(discovered, "capabilities");
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_json(&w, "id", m->id);
	json_write_member_object(&w, "result");
	json_write_member_string(&w, "protocolVersion", version ? version : "2025-11-25");
	json_write_key(&w, "capabilities");
	if (cJSON_IsObject(capabilities))
		json_write_value(&w, capabilities);
	else
		json_write_raw(&w, "{}", 2);
	json_write_key(&w, "serverInfo");
	if (json_get_string(server, "name"))
		json_write_value(&w, server);
	else
		json_write_raw(&w, unnamed, strlen(unnamed));
	if (json_get_string(discovered, "instructions"))
		json_write_member_string(
		    &w, "instructions", json_get_string(discovered, "instructions"));
	json_write_object_end(&w);
	json_write_object_end(&w);
	r->events.on_send(r->user, buf_text(&out), out.len);
	buf_finish(&out);
}

/* The result of server/discover has all that initialize needs. False: this is another case. */
static bool
bridge_eras(struct replay *r, const struct replay_message *m)
{
	const cJSON *meta = json_get(m->m.params, "_meta");
	struct buf line = BUF_INIT, bytes = BUF_INIT;
	struct recording_entry entry;
	struct replay_message found = { 0 };

	if (strcmp(m->m.method, "initialize") != 0 || r->index.is_initialized ||
	    !r->index.discovered || json_get(meta, META "protocolVersion"))
		return false;
	const struct replay_event *e = &r->index.events.items[r->index.discovered - 1];
	bool ok = r->events.load(r->user, e->offset, e->len, &line) &&
		  recording_read(buf_text(&line), line.len, &entry, &bytes, NULL) &&
		  replay_message_read(&found, entry.bytes, entry.len, true);
	if (ok) {
		r->info.answered++;
		tell(r, &m->m, "recorded in 2026-07-28; answered out of server/discover");
		answer_initialize(r, m, found.m.result);
	}
	replay_message_finish(&found);
	buf_finish(&line);
	buf_finish(&bytes);
	return ok;
}

static void
on_call(struct replay *r, struct replay_message *m, int64_t now_us)
{
	bool stands_in, asks = m->m.kind == MESSAGE_REQUEST;

	if (asks && bridge_eras(r, m))
		return;
	if (strcmp(m->m.method, "notifications/cancelled") == 0) {
		/* The client has cancelled the request. */
		const cJSON *id = json_get(m->m.params, "requestId");
		struct buf text = BUF_INIT;
		if (id)
			json_print(&text, id);
		for (size_t i = 0; id && i < r->playing.len; i++) {
			const struct playing *p = &r->playing.items[i];
			if (!p->id || p->is_answered || strcmp(p->id, buf_text(&text)) != 0)
				continue;
			end_playing(r, i);
			break;
		}
		buf_finish(&text);
	}
	uint32_t cue = replay_index_match(&r->index, m, r->options.strict, &stands_in);
	if (!cue && asks && strcmp(m->m.method, "ping") == 0) {
		/* clients ping when they like */
		char *pong = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", m->id);
		r->events.on_send(r->user, pong, strlen(pong));
		free(pong);
	} else if (!cue && asks) {
		r->info.unknown++;
		tell(r, &m->m, "the recording has no answer to this");
		refuse(r, m->id,
		    json_get(m->m.params, "name") ? ERROR_INVALID_PARAMS : ERROR_METHOD_NOT_FOUND,
		    "the recording has no answer to this request");
	}
	if (!cue)
		return;
	r->info.answered += asks;
	if (stands_in && asks)
		tell(r, &m->m, "recorded with other params only; replaying that answer");
	struct replay_cue *c = &r->index.cues.items[cue];
	bool again = c->used;
	c->used = true;
	start_cue(r, cue, m, again, now_us);
}

void
replay_on_line(struct replay *r, const char *line, size_t len, int64_t now_us)
{
	struct replay_message m;

	if (!replay_message_read(&m, line, len, r->index.with_secrets))
		refuse(r, NULL, ERROR_PARSE, "not JSON");
	else if (m.m.kind == MESSAGE_REQUEST || m.m.kind == MESSAGE_NOTIFICATION)
		on_call(r, &m, now_us);
	else if (m.m.kind != MESSAGE_RESULT && m.m.kind != MESSAGE_ERROR)
		refuse(r, m.id, ERROR_INVALID_REQUEST, "batches are not answered");
	else
		for (size_t i = 0; m.id && i < r->playing.len; i++) {
			struct playing *p = &r->playing.items[i];
			if (!p->asked || strcmp(p->asked, m.id) != 0)
				continue;
			free(p->asked);
			p->asked = NULL;
			p->base_us = now_us;
			break;
		}
	replay_message_finish(&m);
	replay_on_time(r, now_us);
}

void
replay_on_closed(struct replay *r, int64_t now_us)
{
	r->closed = true;
	/* only responses are sent; other messages are dropped */
	for (size_t i = r->playing.len; i-- > 0;)
		if (r->playing.items[i].is_answered || !r->playing.items[i].id ||
		    !r->index.cues.items[r->playing.items[i].cue].is_answered)
			end_playing(r, i);
	replay_on_time(r, now_us);
}
