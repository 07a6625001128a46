#include "transport.h"

#include "json/doc.h"
#include "json/number.h"
#include "json/print.h"

#include <inttypes.h>
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

/* Notices may come before the answer, in a stream. */
static void
describe_other(struct intake *in, const cJSON *value)
{
	struct message m;
	struct buf id = BUF_INIT;

	message_classify(value, &m);
	if (in->kind == INTAKE_EVENTS &&
	    (m.kind == MESSAGE_NOTIFICATION || m.kind == MESSAGE_REQUEST))
		return;
	enum json_type type = json_type(m.id);
	const char *words = json_get_string(m.error, "message");
	json_print_brief(&id, m.id, 40);
	if (m.kind == MESSAGE_ERROR && (type == JSON_ABSENT || type == JSON_NULL))
		snprintf(in->flaw, sizeof(in->flaw), "an error without an id%s%.100s",
		    words ? ": " : "", words ? words : "");
	else if (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR)
		snprintf(in->flaw, sizeof(in->flaw), "its id is %s, not %" PRIu64, buf_text(&id),
		    in->awaits);
	else
		snprintf(
		    in->flaw, sizeof(in->flaw), "%s", m.flaw ? m.flaw : message_kind_name(m.kind));
	buf_finish(&id);
}

/* Of one that is too large to be looked into. */
static bool
begins_as_answer(struct intake *in, const char *text)
{
	text += strspn(text, " \t\r\n");
	if (*text == '{' || *text == '[')
		return true;
	snprintf(in->flaw, sizeof(in->flaw), "not JSON: it begins with \"%.20s\"", text);
	return false;
}

static void
look_into(struct intake *in, const struct frame_line *line)
{
	struct json_error error;

	if (line->dropped > 0 || line->bytes->len > LOOK_INTO_BYTES) {
		in->answered = !in->cut && begins_as_answer(in, line->bytes->data);
		return;
	}
	struct json_doc *doc = json_parse(line->bytes->data, line->bytes->len, NULL, &error);
	in->answered = doc && is_answer(json_root(doc), in->awaits);
	if (!doc)
		snprintf(in->flaw, sizeof(in->flaw), "not JSON: %s (byte %zu)", error.text,
		    error.offset);
	else if (!in->answered)
		describe_other(in, json_root(doc));
	json_doc_destroy(doc);
}

void
intake_tell(struct intake *in, struct frame_line line)
{
	if (in->awaits && !in->answered)
		look_into(in, &line);
	line.stream = in->awaits;
	http_tell_line(in->http, line);
}

static void
keep_instead(struct intake *in, struct blob *bytes, size_t dropped)
{
	blob_unref(in->instead);
	in->instead = bytes;
	in->instead_dropped = dropped;
}

void
intake_note_instead(const struct intake *in, const char *whose)
{
	char what[140];

	if (!in->instead)
		return;
	snprintf(what, sizeof(what), "%s, body", whose);
	http_note_bytes(in->http, what, in->instead->data, in->instead->len);
}

/* "Implementations MUST NOT add a byte order mark", but may ignore one (RFC 8259 section 8.1). */
static void
skip_mark(struct intake *in, struct frame_line *line)
{
	struct blob *all = line->bytes;

	if (all->len < 3 || memcmp(all->data, "\xef\xbb\xbf", 3) != 0)
		return;
	http_note(in->http, "the body begins with a byte order mark, which JSON must not have");
	line->bytes = blob_from_bytes(all->data + 3, all->len - 3);
	blob_unref(all);
}

static void
on_body(void *user, struct frame_line line)
{
	struct intake *in = user;

	if (in->kind == INTAKE_JSON) {
		skip_mark(in, &line);
		struct blob *bytes = blob_ref(line.bytes);
		intake_tell(in, line);
		if (in->awaits && !in->answered)
			keep_instead(in, bytes, line.dropped);
		else
			blob_unref(bytes);
		return;
	}
	keep_instead(in, line.bytes, line.dropped);
}

static void
take_endpoint(struct intake *in, struct blob *data)
{
	struct http *h = in->http;
	char *to = url_resolve(h->api, h->url, data->data);
	char *shown = url_to_show(to ? to : data->data);
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
	blob_unref(in->instead);
	in->instead = NULL;
}

void
intake_begin(struct intake *in, enum intake_kind kind)
{
	size_t max = in->http->max_message;

	in->kind = kind;
	in->cut = false;
	in->flaw[0] = '\0';
	blob_unref(in->instead);
	in->instead = NULL;
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

/* An event that no empty line ends is none, but what there is of it may tell why. */
static void
end_events(struct intake *in)
{
	struct buf part = BUF_INIT;
	char what[120];

	buf_add_str(&part, sse_unfinished(&in->sse));
	size_t dropped = sse_end(&in->sse);
	if (dropped > 0) {
		snprintf(what, sizeof(what),
		    "the stream ended within an event (no empty line ends it), %zu bytes", dropped);
		http_note_bytes(in->http, what, buf_text(&part), part.len);
		snprintf(in->flaw, sizeof(in->flaw), "an event that no empty line ends");
	}
	buf_finish(&part);
}

void
intake_end(struct intake *in, bool whole)
{
	in->cut = !whole;
	if (in->kind == INTAKE_EVENTS)
		end_events(in);
	else
		frame_feed(&in->body, "\n", 1);
}

enum intake_kind
intake_kind_of(const struct exchange *x, bool must_answer)
{
	char *type = exchange_header(x, "Content-Type", 0);
	enum intake_kind other = exchange_status(x) == 202 ? INTAKE_NONE : INTAKE_REFUSAL;
	enum intake_kind kind = must_answer ? INTAKE_JSON : other;

	if (type && strncasecmp(type, "text/event-stream", 17) == 0)
		kind = INTAKE_EVENTS;
	else if (type && strncasecmp(type, "application/json", 16) == 0)
		kind = INTAKE_JSON;
	free(type);
	return kind;
}
