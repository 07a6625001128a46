/* SPDX-License-Identifier: MIT */
#include "http.h"

#include "json/doc.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
is_response_to(const struct response_body *rb, const cJSON *value)
{
	struct message m;

	message_classify(value, &m);
	if (m.kind == MESSAGE_BATCH) {
		for (const cJSON *item = json_first(value); item; item = item->next)
			if (cJSON_IsObject(item) && is_response_to(rb, item))
				return true;
		return false;
	}
	if (m.kind != MESSAGE_RESULT && m.kind != MESSAGE_ERROR)
		return false;
	if (!rb->awaits_id) {
		size_t number;
		return cJSON_IsNumber(m.id) && json_number_to_size(m.id, SIZE_MAX, &number) &&
		       number == rb->awaits;
	}
	struct json_doc *doc = json_parse(rb->awaits_id, strlen(rb->awaits_id), NULL, NULL);
	bool same = m.id && doc && json_equal(m.id, json_root(doc));
	json_doc_destroy(doc);
	return same;
}

/* In a stream, notifications and server requests may precede the response. */
static void
describe_other(struct response_body *rb, const cJSON *value)
{
	struct message m;
	struct buf id = BUF_INIT;

	message_classify(value, &m);
	if (rb->kind == BODY_EVENTS &&
	    (m.kind == MESSAGE_NOTIFICATION || m.kind == MESSAGE_REQUEST))
		return;
	enum json_type type = json_type(m.id);
	const char *words = json_get_string(m.error, "message");
	json_print_brief(&id, m.id, 40);
	if (m.kind == MESSAGE_ERROR && (type == JSON_ABSENT || type == JSON_NULL))
		snprintf(rb->flaw, sizeof(rb->flaw), "an error without an id%s%.100s",
		    words ? ": " : "", words ? words : "");
	else if (m.kind != MESSAGE_RESULT && m.kind != MESSAGE_ERROR)
		snprintf(
		    rb->flaw, sizeof(rb->flaw), "%s", m.flaw ? m.flaw : message_kind_names[m.kind]);
	else if (rb->awaits_id)
		snprintf(rb->flaw, sizeof(rb->flaw), "its id is %s, not %.40s", buf_text(&id),
		    rb->awaits_id);
	else
		snprintf(rb->flaw, sizeof(rb->flaw), "its id is %s, not %" PRIu64, buf_text(&id),
		    rb->awaits);
	buf_finish(&id);
}

/* A large message is assumed to be the response: the owner parses it in a thread. */
static void
check_message(struct response_body *rb, struct raw_message *raw)
{
	if (!raw->is_read && (raw->dropped > 0 || raw->bytes->len >= RAW_MESSAGE_LARGE)) {
		const char *text = raw->bytes->data + strspn(raw->bytes->data, " \t\r\n");
		bool is_json = *text == '{' || *text == '[';
		rb->answered = !rb->cut && is_json;
		if (!rb->cut && !is_json)
			snprintf(
			    rb->flaw, sizeof(rb->flaw), "not JSON: it begins with \"%.20s\"", text);
		return;
	}
	raw_message_read(raw, NULL);
	rb->answered = raw->doc && is_response_to(rb, json_root(raw->doc));
	if (!raw->doc)
		snprintf(rb->flaw, sizeof(rb->flaw), "%s", raw->flaw);
	else if (!rb->answered)
		describe_other(rb, json_root(raw->doc));
}

static void
notify(struct response_body *rb, struct raw_message *raw)
{
	if (rb->awaits && !rb->answered)
		check_message(rb, raw);
	raw->stream = rb->awaits;
	http_notify_message(rb->http, raw);
}

bool
response_body_holds_response(struct response_body *rb)
{
	struct message m = { .kind = MESSAGE_INVALID };

	if (!rb->rejected.bytes)
		return false;
	raw_message_read(&rb->rejected, NULL);
	if (rb->rejected.doc)
		message_classify(json_root(rb->rejected.doc), &m);
	return m.kind == MESSAGE_ERROR || m.kind == MESSAGE_RESULT;
}

void
response_body_deliver_rejected(struct response_body *rb)
{
	struct raw_message raw = rb->rejected;

	blob_ref(raw.bytes);
	rb->rejected.doc = NULL;
	notify(rb, &raw);
}

void
response_body_note_rejected(const struct response_body *rb, const char *whose)
{
	char what[140];

	if (!rb->rejected.bytes)
		return;
	snprintf(what, sizeof(what), "%s, body", whose);
	http_note_bytes(rb->http, what, rb->rejected.bytes->data, rb->rejected.bytes->len);
}

static void
on_body(void *user, struct frame_line line)
{
	struct response_body *rb = user;
	struct raw_message raw;

	if (rb->kind != BODY_JSON) {
		raw_message_finish(&rb->rejected);
		raw_message_init(&rb->rejected, line);
		return;
	}
	/* "Implementations MUST NOT add a byte order mark", but parsers may ignore it (RFC
	 * 8259, 8.1). */
	struct blob *all = line.bytes;
	if (all->len >= 3 && memcmp(all->data, "\xef\xbb\xbf", 3) == 0) {
		http_note(
		    rb->http, "the body begins with a byte order mark, which JSON must not have");
		line.bytes = blob_from_bytes(all->data + 3, all->len - 3);
		blob_unref(all);
	}
	raw_message_init(&raw, line);
	blob_ref(line.bytes);
	notify(rb, &raw);
	if (rb->awaits && !rb->answered) {
		raw_message_finish(&rb->rejected);
		raw_message_init(&rb->rejected, line);
	} else {
		blob_unref(line.bytes);
	}
}

/* Events of other types are not MCP messages. */
static void
on_event(void *user, struct sse_event event)
{
	struct response_body *rb = user;

	if (strcmp(event.type, "message") == 0) {
		struct raw_message raw;
		raw_message_init(&raw, event.data);
		notify(rb, &raw);
		return;
	}
	if (strcmp(event.type, "endpoint") == 0 && rb->http->kind == HTTP_EVENTS) {
		struct http *h = rb->http;
		char *to = url_resolve(h->api, h->url, event.data.bytes->data);
		char *shown = url_to_show(to ? to : event.data.bytes->data);
		char text[160];
		if (to && url_same_origin(h->api, h->url, to)) {
			http_note(h, "messages go to %s", shown);
			free(h->endpoint);
			h->endpoint = to;
		} else {
			snprintf(text, sizeof(text),
			    "it wants messages sent to another origin, %.80s: refused", shown);
			http_fail(h, text);
			free(to);
		}
		free(shown);
	} else {
		http_note(rb->http, "an event of type \"%s\": ignored", event.type);
	}
	blob_unref(event.data.bytes);
}

void
response_body_init(struct response_body *rb, struct http *h, uint64_t awaits, const char *awaits_id)
{
	*rb = (struct response_body){ .http = h, .awaits = awaits, .awaits_id = awaits_id };
	sse_init(&rb->sse, h->max_message, on_event, rb);
	frame_init(&rb->frame, h->max_message, on_body, rb);
}

void
response_body_finish(struct response_body *rb)
{
	sse_finish(&rb->sse);
	frame_finish(&rb->frame);
	raw_message_finish(&rb->rejected);
}

void
response_body_begin(struct response_body *rb, enum response_body_kind kind)
{
	size_t max = rb->http->max_message;

	rb->kind = kind;
	rb->cut = false;
	rb->flaw[0] = '\0';
	raw_message_finish(&rb->rejected);
	frame_finish(&rb->frame);
	if (kind == BODY_REFUSAL && max > HTTP_MAX_REFUSAL)
		max = HTTP_MAX_REFUSAL;
	frame_init(&rb->frame, max, on_body, rb);
}

void
response_body_feed(struct response_body *rb, const char *bytes, size_t len)
{
	if (rb->kind == BODY_EVENTS)
		sse_feed(&rb->sse, bytes, len);
	else if (rb->kind != BODY_NONE)
		frame_feed_body(&rb->frame, bytes, len);
}

void
response_body_end(struct response_body *rb, bool whole)
{
	rb->cut = !whole;
	if (rb->kind == BODY_EVENTS) {
		/* An event without the empty line at its end is not an event, but its data may
		 * explain why. */
		struct buf part = BUF_INIT;
		char what[120];
		buf_add_str(&part, buf_text(&rb->sse.data.pending));
		size_t dropped = sse_end(&rb->sse);
		if (dropped > 0) {
			snprintf(what, sizeof(what),
			    "the stream ended within an event (no empty line ends it), %zu bytes",
			    dropped);
			http_note_bytes(rb->http, what, buf_text(&part), part.len);
			snprintf(rb->flaw, sizeof(rb->flaw), "an event that no empty line ends");
		}
		buf_finish(&part);
	} else {
		frame_feed(&rb->frame, "\n", 1);
	}
}

enum response_body_kind
response_body_kind_of(const struct exchange *x, bool must_answer)
{
	char *type = exchange_header(x, "Content-Type", 0);
	enum response_body_kind other = exchange_head(x).status == 202 ? BODY_NONE : BODY_REFUSAL;
	enum response_body_kind kind = must_answer ? BODY_JSON : other;

	if (type && strncasecmp(type, "text/event-stream", 17) == 0)
		kind = BODY_EVENTS;
	else if (type && strncasecmp(type, "application/json", 16) == 0)
		kind = BODY_JSON;
	free(type);
	return kind;
}
