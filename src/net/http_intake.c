#include "http_parts_priv.h"

#include "json/doc.h"
#include "json/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is larger is taken for the answer: it would take too long to look into. */
#define LOOK_INTO_BYTES ((size_t)256 * 1024)

static bool
is_answer(const cJSON *value, uint64_t id)
{
	struct message m;
	size_t number;

	message_classify(value, &m);
	if (m.kind == MESSAGE_BATCH) {
		for (const cJSON *item = json_first(value); item; item = item->next)
			if (json_type(item) == JSON_OBJECT && is_answer(item, id))
				return true;
		return false;
	}
	return (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR) &&
	       json_type(m.id) == JSON_NUMBER && json_number_to_size(m.id, SIZE_MAX, &number) &&
	       number == id;
}

static bool
answers(const struct frame_line *line, uint64_t id)
{
	if (id == 0)
		return false;
	if (line->dropped > 0 || line->bytes->len > LOOK_INTO_BYTES)
		return true;
	struct json_doc *doc = json_parse(line->bytes->data, line->bytes->len, NULL, NULL);
	bool is = doc && is_answer(json_root(doc), id);
	json_doc_destroy(doc);
	return is;
}

void
intake_tell(struct intake *in, struct frame_line line)
{
	in->answered |= !in->answered && answers(&line, in->awaits);
	http_tell_line(in->http, line);
}

static void
on_body(void *user, struct frame_line line)
{
	struct intake *in = user;

	if (in->kind == INTAKE_JSON) {
		intake_tell(in, line);
		return;
	}
	blob_unref(in->refusal);
	in->refusal = line.bytes;
	in->refusal_dropped = line.dropped;
}

static void
take_endpoint(struct intake *in, struct blob *data)
{
	struct http *h = in->http;
	char *to = url_resolve(h->api, h->url, data->data);

	if (to && url_same_origin(h->api, h->url, to)) {
		http_note(h, "messages go to %s", to);
		free(h->endpoint);
		h->endpoint = to;
		return;
	}
	free(to);
	char text[160];
	snprintf(text, sizeof(text), "it wants messages sent to another origin, %.80s: refused",
	    data->data);
	http_fail(h, text);
}

/* Events of other types are for others. */
static void
on_event(void *user, struct sse_event event)
{
	struct intake *in = user;

	if (strcmp(event.type, "message") == 0) {
		intake_tell(in, event.data);
		return;
	}
	if (strcmp(event.type, "endpoint") == 0 && in->http->kind == HTTP_EVENTS)
		take_endpoint(in, event.data.bytes);
	else
		http_note(in->http, "an event of type \"%s\": ignored", event.type);
	blob_unref(event.data.bytes);
}

void
intake_init(struct intake *in, struct http *h, uint64_t awaits)
{
	*in = (struct intake){ .http = h, .awaits = awaits };
	sse_init(&in->sse, h->max_message, on_event, in);
	frame_init(&in->body, h->max_message, on_body, in);
}

void
intake_finish(struct intake *in)
{
	sse_finish(&in->sse);
	frame_finish(&in->body);
	blob_unref(in->refusal);
	in->refusal = NULL;
}

void
intake_begin(struct intake *in, enum intake_kind kind)
{
	size_t max = in->http->max_message;

	in->kind = kind;
	blob_unref(in->refusal);
	in->refusal = NULL;
	frame_finish(&in->body);
	if (kind == INTAKE_REFUSAL && max > HTTP_MAX_REFUSAL)
		max = HTTP_MAX_REFUSAL;
	frame_init(&in->body, max, on_body, in);
}

static const char *
find(const char *from, const char *end, char c)
{
	const char *found = memchr(from, c, (size_t)(end - from));

	return found ? found : end;
}

/* A body is one line, whatever line breaks are in it. */
static void
feed_as_line(struct frame *f, const char *bytes, size_t len)
{
	const char *end = bytes + len, *lf = find(bytes, end, '\n');

	while (bytes < end) {
		const char *part = find(bytes, lf, '\r');
		frame_feed(f, bytes, (size_t)(part - bytes));
		if (part == end)
			return;
		frame_feed(f, " ", 1);
		bytes = part + 1;
		if (part == lf)
			lf = find(bytes, end, '\n');
	}
}

void
intake_feed(struct intake *in, const char *bytes, size_t len)
{
	if (in->kind == INTAKE_EVENTS)
		sse_feed(&in->sse, bytes, len);
	else if (in->kind != INTAKE_NONE)
		feed_as_line(&in->body, bytes, len);
}

void
intake_end(struct intake *in)
{
	if (in->kind == INTAKE_EVENTS) {
		size_t dropped = sse_end(&in->sse);
		if (dropped > 0)
			http_note(in->http,
			    "the stream ended within an event: %zu bytes of it dropped", dropped);
	} else {
		frame_feed(&in->body, "\n", 1);
	}
}

enum intake_kind
intake_kind_of(const struct exchange *x, bool must_answer)
{
	char *type = exchange_header(x, "Content-Type", 0);
	enum intake_kind kind = must_answer ? INTAKE_JSON : INTAKE_NONE;

	if (type && strncasecmp(type, "text/event-stream", 17) == 0)
		kind = INTAKE_EVENTS;
	else if (type && strncasecmp(type, "application/json", 16) == 0)
		kind = INTAKE_JSON;
	free(type);
	return kind;
}
