/* SPDX-License-Identifier: MIT */
#include "mcp/replay.h"

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An action of the recorded server. */
struct replay_event {
	uint64_t offset; /* of its line in the file */
	uint32_t len;
	bool at_end; /* it ended a subscription when the client had closed its end */
	int64_t at_us;
	uint32_t next; /* of the same cue: index + 1; 0: none */
	enum replay_event_kind {
		REPLAY_RESPONSE,
		REPLAY_NOTIFICATION,
		REPLAY_PROGRESS,
		REPLAY_REQUEST,
		REPLAY_STDERR,
		REPLAY_EXIT,
	} kind;
	int64_t answered_us; /* of a request: when the client answered; -1: never */
};

/* A message of the recorded client, and the events that it caused. */
struct replay_cue {
	int64_t at_us;
	uint32_t first, last; /* of its events: index + 1; 0: none */
	bool used;
	bool is_answered;
	bool is_subscription;
};

/* Cues with the same key, in the order of the recording. */
struct replay_group {
	uint64_t key;
	uint32_t *items;
	size_t len, cap;
	size_t next; /* all before it are used */
};

/* A parsed message with the keys that it is matched by. */
struct replay_message {
	struct json_doc *doc;
	struct message m;
	char *id, *token;          /* as JSON; NULL: none */
	const cJSON *subscription; /* the id in its _meta; NULL: none */
	uint64_t exact, like;      /* keys; like 0: only an exact match counts */
};

/* A recorded request whose answer may still come. */
struct replay_open {
	char *id, *token;
	uint64_t exchange;
	uint32_t cue;
	bool initializes, discovers;
};
struct replay_asked {
	char *id;
	uint32_t event;
};

struct replay_index {
	struct {
		struct replay_event *items;
		size_t len, cap;
	} events;
	struct {
		struct replay_cue *items;
		size_t len, cap;
	} cues;                 /* the first is the start */
	struct map exact, like; /* of struct replay_group */
	size_t requests;
	bool with_secrets;
	bool is_initialized; /* initialize got a result */
	uint32_t discovered; /* the result of server/discover, event: index + 1; 0: none */
	bool closed;         /* the client has closed its end, so an exit is expected */
	int64_t last_us;
	uint64_t exchange; /* of the current line; 0: none */
	struct {
		struct replay_open *items;
		size_t len, cap;
	} open;
	struct {
		struct replay_asked *items;
		size_t len, cap;
	} asked;
};

/* ---- keys ---- */

static uint64_t
hash_text(uint64_t seed, const char *text)
{
	return hash_bytes(seed, text, strlen(text));
}

/* Hash all members but _meta, in any order. */
static uint64_t
hash_params(const cJSON *params)
{
	uint64_t sum = 0;

	if (!cJSON_IsObject(params))
		return params ? json_hash(params) : 0;
	for (const cJSON *child = json_first(params); child; child = child->next)
		if (strcmp(child->string, "_meta") != 0)
			sum += hash_mix(hash_text(1, child->string), json_hash(child));
	return sum;
}

/* A recording without secrets has redacted params, so compare redacted params. */
static uint64_t
hash_redacted(const cJSON *params)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &text);
	json_write_redacted(&w, params);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	uint64_t hash = hash_params(doc ? json_root(doc) : NULL);
	json_doc_destroy(doc);
	buf_finish(&text);
	return hash;
}

/* False: it is not JSON. with_secrets: else params are compared without them. */
static bool
replay_message_read(struct replay_message *m, const char *line, size_t len, bool with_secrets)
{
	*m = (struct replay_message){ .doc = recording_parse(line, len, NULL) };
	if (!m->doc)
		return false;
	message_classify(json_root(m->doc), &m->m);
	m->id = json_text(m->m.id);
	m->subscription =
	    json_get(json_get(m->m.params, "_meta"), "io.modelcontextprotocol/subscriptionId");
	if (m->m.method) {
		m->token = json_text(json_get(json_get(m->m.params, "_meta"), "progressToken"));
		const cJSON *params = m->m.params;
		uint64_t method = hash_text(m->m.kind == MESSAGE_REQUEST, m->m.method);
		/* The subject of a request: the name of the tool, a URI, a cursor. */
		static const char *const members[] = { "name", "uri", "cursor", "taskId", "ref" };
		uint64_t hash = 0;
		for (size_t i = 0; i < ARRAY_LEN(members); i++) {
			const cJSON *node = json_get(params, members[i]);
			if (node)
				hash = hash_mix(hash_text(hash, members[i]), json_hash(node));
		}
		m->like = hash_mix(method, hash) | 1;
		m->exact = method;
		/* Clients identify themselves differently, so a handshake matches any other. */
		if (!(strcmp(m->m.method, "initialize") == 0 ||
			strcmp(m->m.method, "server/discover") == 0))
			m->exact = hash_mix(method,
			    with_secrets || !params ? hash_params(params) : hash_redacted(params));
	}
	return true;
}

static void
replay_message_finish(struct replay_message *m)
{
	free(m->id);
	free(m->token);
	json_doc_destroy(m->doc);
}

/* ---- other values ---- */

/* Appends the message with the values of some nodes replaced; pairs end with a NULL node. */
struct replay_value {
	const cJSON *node;
	const char *json;
};

static void
replay_add_changed(struct buf *out, const char *line, size_t len, const cJSON *root,
    const struct replay_value *values)
{
	size_t copied = 0;

	for (; values->node; values++) {
		struct json_position at;
		json_positions(line, len, root, &values->node, 1, &at);
		bool plain = cJSON_IsString(values->node) || cJSON_IsNumber(values->node) ||
			     cJSON_IsNull(values->node);
		if (at.line == 0 || at.offset < copied || !plain)
			continue;
		buf_add(out, line + copied, at.offset - copied);
		buf_add_str(out, values->json);
		/* After the string or the number. */
		size_t end = at.offset;
		if (line[end] == '"') {
			for (end++; end < len && line[end] != '"'; end++)
				end += line[end] == '\\';
			copied = end < len ? end + 1 : len;
		} else {
			while (end < len && !strchr(" \t\r\n,]}", line[end]))
				end++;
			copied = end;
		}
	}
	buf_add(out, line + copied, len - copied);
}

/* Recorded requests that wait for an answer at once, in either direction. */
#define OPEN_MOST 256

/* ---- groups ---- */

static struct replay_group *
find_group(const struct map *groups, uint64_t key)
{
	struct replay_group *g;

	MAP_EACH(groups, key, g)
		if (g->key == key)
			return g;
	return NULL;
}

static void
join_group(struct map *groups, uint64_t key, uint32_t cue)
{
	struct replay_group *g = find_group(groups, key);

	if (!g) {
		g = mem_zalloc(sizeof(*g));
		g->key = key;
		map_add(groups, key, g);
	}
	*VEC_PUSH(g) = cue;
}

/* Skip requests that have no recorded response. */
static uint32_t
next_of_group(struct replay_index *x, struct replay_group *g, bool again, bool needs_answer)
{
	uint32_t last = 0;

	while (g && g->next < g->len && x->cues.items[g->items[g->next]].used)
		g->next++;
	for (size_t i = g ? g->next : 0; g && i < g->len; i++) {
		const struct replay_cue *cue = &x->cues.items[g->items[i]];
		if (!cue->used && (cue->is_answered || !needs_answer))
			return g->items[i];
	}
	for (size_t i = again && g ? g->len : 0; i-- > 0 && !last;)
		if (x->cues.items[g->items[i]].is_answered || !needs_answer)
			last = g->items[i];
	return last;
}

/* The cue for this message; 0: none. *stands_in: its params are others. */
static uint32_t
replay_index_match(
    struct replay_index *x, const struct replay_message *m, bool strict, bool *stands_in)
{
	bool asks = m->m.kind == MESSAGE_REQUEST;
	struct replay_group *exact = find_group(&x->exact, m->exact);
	struct replay_group *like = strict ? NULL : find_group(&x->like, m->like);
	uint32_t cue = next_of_group(x, exact, !strict, asks);

	*stands_in = false;
	if (!cue && like) {
		cue = next_of_group(x, like, true, asks);
		*stands_in = cue != 0;
	}
	if (!cue) /* it hung then, and hangs now */
		cue = next_of_group(x, exact, !strict, false);
	return cue;
}

/* ---- what belongs together ---- */

static void
drop_open(struct replay_index *x, const struct replay_open *o)
{
	if (!o)
		return;
	free(o->id);
	free(o->token);
	VEC_REMOVE(&x->open, (size_t)(o - x->open.items));
}

/* Several clients may use the same ids and tokens: then the one on whose exchange the line came. */
static struct replay_open *
find_open(const struct replay_index *x, const cJSON *value, bool by_token)
{
	struct replay_open *found = NULL;
	char *text = json_text(value);

	for (size_t i = text ? x->open.len : 0; i-- > 0;) {
		struct replay_open *o = &x->open.items[i];
		const char *of = by_token ? o->token : o->id;
		bool on_it = x->exchange && o->exchange == x->exchange;
		if ((!found || on_it) && of && strcmp(of, text) == 0)
			found = o;
	}
	free(text);
	return found;
}

static void
take_sent(struct replay_index *x, struct replay_message *m)
{
	uint32_t cue = (uint32_t)x->cues.len;
	bool asks = m->m.kind == MESSAGE_REQUEST;

	if (m->m.kind == MESSAGE_RESULT || m->m.kind == MESSAGE_ERROR) {
		/* The client has answered a request of the server. */
		for (size_t i = x->asked.len; m->id && i-- > 0;) {
			if (strcmp(x->asked.items[i].id, m->id) != 0)
				continue;
			x->events.items[x->asked.items[i].event].answered_us = x->last_us;
			free(x->asked.items[i].id);
			VEC_REMOVE(&x->asked, i);
			break;
		}
		return;
	}
	*VEC_PUSH(&x->cues) = (struct replay_cue){ .at_us = x->last_us };
	if (!m->m.method)
		return;
	if (strcmp(m->m.method, "notifications/cancelled") == 0)
		drop_open(x, find_open(x, json_get(m->m.params, "requestId"), false));
	join_group(&x->exact, m->exact, cue);
	join_group(&x->like, m->like, cue);
	if (!asks)
		return;
	x->requests++;
	if (x->open.len == OPEN_MOST)
		drop_open(x, &x->open.items[0]);
	*VEC_PUSH(&x->open) = (struct replay_open){
		.id = m->id,
		.token = m->token,
		.exchange = x->exchange,
		.cue = cue,
		.initializes = strcmp(m->m.method, "initialize") == 0,
		.discovers = strcmp(m->m.method, "server/discover") == 0,
	};
	m->id = m->token = NULL;
}

static void
add_event(struct replay_index *x, uint32_t cue, struct replay_event event)
{
	struct replay_cue *c = &x->cues.items[cue];
	uint32_t number = (uint32_t)x->events.len + 1;

	event.at_us = x->last_us;
	event.answered_us = -1;
	*VEC_PUSH(&x->events) = event;
	if (c->last)
		x->events.items[c->last - 1].next = number;
	else
		c->first = number;
	c->last = number;
}

/* The request under way that this line came on, by HTTP. */
static struct replay_open *
open_of_exchange(const struct replay_index *x)
{
	for (size_t i = x->open.len; x->exchange && i-- > 0;)
		if (x->open.items[i].exchange == x->exchange)
			return &x->open.items[i];
	return NULL;
}

/* That one, else the request under way that was sent last, else the client's last message. */
static uint32_t
current_cue(const struct replay_index *x)
{
	const struct replay_open *o = open_of_exchange(x);

	if (o)
		return o->cue;
	return x->open.len > 0 ? x->open.items[x->open.len - 1].cue : (uint32_t)x->cues.len - 1;
}

static void
take_received(struct replay_index *x, const struct replay_message *m, struct replay_event event)
{
	const struct replay_open *of = NULL;

	if (m->m.kind == MESSAGE_RESULT || m->m.kind == MESSAGE_ERROR) {
		const struct replay_open *o = find_open(x, m->m.id, false);
		if (!o && (!m->m.id || cJSON_IsNull(m->m.id))) /* as of an error */
			o = open_of_exchange(x);
		if (!o)
			return;
		event.kind = REPLAY_RESPONSE;
		event.at_end = x->closed && x->cues.items[o->cue].is_subscription;
		add_event(x, o->cue, event);
		x->cues.items[o->cue].is_answered = true;
		if (o->initializes && m->m.kind == MESSAGE_RESULT)
			x->is_initialized = true;
		if (o->discovers && m->m.kind == MESSAGE_RESULT)
			x->discovered = (uint32_t)x->events.len;
		drop_open(x, o);
		return;
	}
	event.kind = m->m.kind == MESSAGE_REQUEST ? REPLAY_REQUEST : REPLAY_NOTIFICATION;
	if (m->m.method && strcmp(m->m.method, "notifications/progress") == 0) {
		event.kind = REPLAY_PROGRESS;
		of = find_open(x, json_get(m->m.params, "progressToken"), true);
	} else if (m->m.kind == MESSAGE_NOTIFICATION && m->subscription) {
		of = find_open(x, m->subscription, false);
		if (of)
			x->cues.items[of->cue].is_subscription = true;
	}
	add_event(x, of ? of->cue : current_cue(x), event);
	if (event.kind != REPLAY_REQUEST)
		return;
	if (x->asked.len == OPEN_MOST) {
		free(x->asked.items[0].id);
		VEC_REMOVE(&x->asked, 0);
	}
	*VEC_PUSH(&x->asked) =
	    (struct replay_asked){ .id = mem_strdup(m->id), .event = (uint32_t)x->events.len - 1 };
}

/* ---- the server that replays it ---- */

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
	*VEC_PUSH(&r->index.cues) = (struct replay_cue){ .used = true };
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
	struct replay_index *x = &r->index;
	while (r->playing.len > 0)
		end_playing(r, 0);
	free(r->playing.items);
	struct map *groups[] = { &x->exact, &x->like };
	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		struct replay_group *g;
		MAP_ALL(groups[i], g) {
			free(g->items);
			free(g);
		}
		map_finish(groups[i]);
	}
	for (size_t i = 0; i < x->open.len; i++) {
		free(x->open.items[i].id);
		free(x->open.items[i].token);
	}
	for (size_t i = 0; i < x->asked.len; i++)
		free(x->asked.items[i].id);
	free(x->open.items);
	free(x->asked.items);
	free(x->events.items);
	free(x->cues.items);
	free(r);
}

bool
replay_add(struct replay *r, const char *line, size_t len, uint64_t offset, struct err *err)
{
	struct replay_index *x = &r->index;
	struct recording_entry e;
	struct buf bytes = BUF_INIT;
	struct replay_event event = { .offset = offset, .len = (uint32_t)len, .at_end = x->closed };
	struct replay_message m = { 0 };
	bool ok = len < UINT32_MAX && x->events.len < UINT32_MAX - 1 &&
		  recording_read(line, len, &e, &bytes, err);

	if (!ok) {
		buf_finish(&bytes);
		return false;
	}
	x->exchange = e.exchange;
	if (e.wall_us > x->last_us)
		x->last_us = e.wall_us;
	if (x->cues.items[0].at_us == 0)
		x->cues.items[0].at_us = x->last_us;
	if (e.kind == RECORDING_HEADING) {
		x->with_secrets = e.with_secrets;
	} else if (e.kind == RECORDING_SENT || e.kind == RECORDING_RECEIVED) {
		bool sent = e.kind == RECORDING_SENT;
		if (!e.dropped && replay_message_read(&m, e.bytes, e.len, x->with_secrets)) {
			if (sent)
				take_sent(x, &m);
			else
				take_received(x, &m, event);
		} else if (!e.dropped && !sent) { /* replayed unchanged */
			event.kind = REPLAY_NOTIFICATION;
			add_event(x, current_cue(x), event);
		}
		replay_message_finish(&m);
	} else if (e.kind == RECORDING_CLOSED) {
		x->closed = true;
	} else if (e.kind == RECORDING_STDERR || (e.kind == RECORDING_EXIT && !x->closed)) {
		event.kind = e.kind == RECORDING_STDERR ? REPLAY_STDERR : REPLAY_EXIT;
		add_event(x, current_cue(x), event);
	}
	buf_finish(&bytes);
	return true;
}

struct replay_info
replay_info(const struct replay *r)
{
	struct replay_info info = r->info;

	info.requests = r->index.requests;
	return info;
}

/* ---- when ---- */

/* Return the index of the event that is due first, by its order in the recording if two are due;
 * the count: none. */
static size_t
next_playing(const struct replay *r, int64_t *at_us)
{
	size_t best = r->playing.len;

	*at_us = INT64_MAX;
	for (size_t i = 0; i < r->playing.len; i++) {
		const struct playing *p = &r->playing.items[i];
		const struct replay_event *e = &r->index.events.items[p->next - 1];
		double wait = (double)(e->at_us - p->base_at_us);
		int64_t due = p->base_us;
		if ((p->asked || e->at_end) && !r->closed)
			due = INT64_MAX;
		else if (r->options.speed > 0 && wait > 0 && !r->closed)
			due = wait / r->options.speed < 1e15
				  ? p->base_us + (int64_t)(wait / r->options.speed)
				  : INT64_MAX;
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
		char *id = json_text(json_get(m->m.params, "requestId"));
		for (size_t i = 0; id && i < r->playing.len; i++) {
			const struct playing *p = &r->playing.items[i];
			if (!p->id || p->is_answered || strcmp(p->id, id) != 0)
				continue;
			end_playing(r, i);
			break;
		}
		free(id);
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
