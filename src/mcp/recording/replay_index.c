/* SPDX-License-Identifier: MIT */
#include "cues.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/recording.h"

#include <stdlib.h>
#include <string.h>

static char *
json_text(const cJSON *node)
{
	struct buf text = BUF_INIT;

	if (!node)
		return NULL;
	json_print(&text, node);
	return buf_detach(&text);
}

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

bool
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

void
replay_message_finish(struct replay_message *m)
{
	free(m->id);
	free(m->token);
	json_doc_destroy(m->doc);
}

/* ---- other values ---- */

/* After a string or a number of a text that was parsed. */
static size_t
value_end(const char *line, size_t len, size_t at)
{
	if (line[at] != '"') {
		while (at < len && !strchr(" \t\r\n,]}", line[at]))
			at++;
		return at;
	}
	for (at++; at < len && line[at] != '"'; at++)
		at += line[at] == '\\';
	return at < len ? at + 1 : len;
}

void
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
		copied = value_end(line, len, at.offset);
	}
	buf_add(out, line + copied, len - copied);
}

/* Recorded requests that wait for an answer at once, in either direction. */
#define OPEN_MOST 256

void
replay_index_init(struct replay_index *x)
{
	*x = (struct replay_index){ 0 };
	*VEC_PUSH(&x->cues) = (struct replay_cue){ .used = true };
}

static void
finish_groups(struct map *groups)
{
	struct replay_group *g;

	MAP_ALL(groups, g) {
		free(g->items);
		free(g);
	}
	map_finish(groups);
}

void
replay_index_finish(struct replay_index *x)
{
	finish_groups(&x->exact);
	finish_groups(&x->like);
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
	*x = (struct replay_index){ 0 };
}

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

uint32_t
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
	struct buf text = BUF_INIT;

	if (!value)
		return NULL;
	json_print(&text, value);
	for (size_t i = x->open.len; i-- > 0;) {
		struct replay_open *o = &x->open.items[i];
		const char *of = by_token ? o->token : o->id;
		bool on_it = x->exchange && o->exchange == x->exchange;
		if ((!found || on_it) && of && strcmp(of, buf_text(&text)) == 0)
			found = o;
	}
	buf_finish(&text);
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

bool
replay_index_add(
    struct replay_index *x, const char *line, size_t len, uint64_t offset, struct err *err)
{
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
