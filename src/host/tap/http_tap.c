#include "host/tap.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "net/fetch.h"
#include "net/http_proxy.h"
#include "mcp/sse.h"
#include "tape.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MESSAGE_MOST ((size_t)128 << 20)
#define REFUSAL_MOST ((size_t)2000) /* of a body that is no message, in a note */

struct http_tap {
	const struct tap_options *options;
	struct loop *loop;
	struct http_proxy *proxy;
	struct tape tape;
	char *path; /* of the server's URL: messages go there */
	bool unreachable;
};

/* What the body of a response is. */
enum answer_kind { ANSWER_OTHER, ANSWER_JSON, ANSWER_EVENTS, ANSWER_PACKED };

/* Beside a request on its way. */
struct heard {
	struct http_tap *tap;
	struct proxied *request;
	enum answer_kind kind;
	bool sent_message; /* its body was one */
	struct sse events;
	struct frame body;
};

static void
note(struct http_tap *t, const char *text)
{
	tape_add(&t->tape, RECORDING_NOTE, text, strlen(text));
}

/* ---- messages ---- */

/* Other JSON that passes is of OAuth. */
static bool
is_message(const char *bytes, size_t len)
{
	struct json_doc *doc = json_parse(bytes, len, NULL, NULL);
	const cJSON *root = doc ? json_root(doc) : NULL;

	if (json_type(root) == JSON_ARRAY) /* a batch */
		root = json_first(root);
	bool is = json_get(root, "jsonrpc") != NULL;
	json_doc_destroy(doc);
	return is;
}

static void
record(const struct heard *h, enum recording_kind kind, struct frame_line line)
{
	recording_writer_add(&h->tap->tape.writer, &(struct recording_entry){ .kind = kind,
						       .wall_us = clock_wall_us(),
						       .bytes = line.bytes->data,
						       .len = line.bytes->len,
						       .dropped = line.dropped,
						       .exchange = h->request->number });
}

static void
on_sent(void *user, struct frame_line line)
{
	struct heard *h = user;
	const char *path = h->tap->path;
	size_t len = strlen(path);
	const char *target = h->request->target;
	bool is_endpoint =
	    strncmp(target, path, len) == 0 && (target[len] == '\0' || target[len] == '?');

	h->sent_message = is_endpoint || is_message(line.bytes->data, line.bytes->len);
	if (h->sent_message)
		record(h, RECORDING_SENT, line);
	blob_unref(line.bytes);
}

static void
on_request(void *user, struct proxied *p)
{
	struct heard *h = mem_zalloc(sizeof(*h));
	struct frame body;

	p->thing = h;
	h->tap = user;
	h->request = p;
	if (p->body_len == 0 || strcmp(p->method, "POST") != 0)
		return;
	frame_init(&body, MESSAGE_MOST, on_sent, h);
	frame_feed_body(&body, p->body, p->body_len);
	frame_end(&body);
	frame_finish(&body);
}

/* ---- responses ---- */

static void
on_event(void *user, struct sse_event event)
{
	struct heard *h = user;
	char text[200];

	if (strcmp(event.type, "message") == 0) {
		record(h, RECORDING_RECEIVED, event.data);
	} else {
		snprintf(text, sizeof(text), "an event of type \"%s\": %.100s", event.type,
		    event.data.bytes->data);
		note(h->tap, text);
	}
	blob_unref(event.data.bytes);
}

/* Of an error that is no message, only people can make sense. */
static void
on_answer(void *user, struct frame_line line)
{
	struct heard *h = user;
	struct buf text = BUF_INIT;
	bool fits = h->sent_message && h->request->status < 300;

	if (fits || is_message(line.bytes->data, line.bytes->len)) {
		record(h, RECORDING_RECEIVED, line);
	} else if (h->sent_message) {
		buf_addf(&text, "%s %.200s: the body is no message: ", h->request->method,
		    h->request->target);
		buf_add(&text, line.bytes->data,
		    line.bytes->len < REFUSAL_MOST ? line.bytes->len : REFUSAL_MOST);
		note(h->tap, buf_text(&text));
	}
	blob_unref(line.bytes);
	buf_finish(&text);
}

static bool
has_type(const char *value, const char *type)
{
	size_t len = strlen(type);

	return value && strncasecmp(value, type, len) == 0 && strchr("; \t", value[len]);
}

static enum answer_kind
kind_of(const struct proxied *p)
{
	char *type = header_find(p->answer_headers, "Content-Type", 0);
	char *coding = header_find(p->answer_headers, "Content-Encoding", 0);
	enum answer_kind kind = coding && strcasecmp(coding, "identity") != 0 ? ANSWER_PACKED
				: has_type(type, "text/event-stream")         ? ANSWER_EVENTS
				: has_type(type, "application/json")          ? ANSWER_JSON
									      : ANSWER_OTHER;

	free(type);
	free(coding);
	return kind;
}

static bool
add_whole(struct buf *out, const void *user, const char *line, size_t len)
{
	return buf_add(out, line, len);
}

static void
note_heads(const struct heard *h)
{
	const struct proxied *p = h->request;
	header_line_fn *add = h->tap->options->with_secrets ? add_whole : NULL;
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s %.400s: %s", p->method, p->target, p->status_text);
	if (h->kind == ANSWER_PACKED)
		buf_add_str(&text, ", compressed: its messages are not recorded");
	header_lines_add(&text, "> ", p->headers, add, NULL);
	header_lines_add(&text, "< ", p->answer_headers, add, NULL);
	note(h->tap, buf_text(&text));
	buf_finish(&text);
}

static void
tell_reach(struct http_tap *t, const char *trouble)
{
	char text[500];

	if (t->unreachable == (trouble != NULL))
		return;
	t->unreachable = trouble != NULL;
	snprintf(text, sizeof(text), "the server %s%.400s",
	    trouble ? "does not answer: " : "answers", trouble ? trouble : "");
	t->options->tell(text);
}

static void
on_head(void *user, struct proxied *p)
{
	struct heard *h = p->thing;

	tell_reach(h->tap, NULL);
	h->kind = kind_of(p);
	note_heads(h);
	if (h->kind == ANSWER_EVENTS)
		sse_init(&h->events, MESSAGE_MOST, on_event, h);
	else if (h->kind != ANSWER_PACKED)
		frame_init(
		    &h->body, h->kind == ANSWER_JSON ? MESSAGE_MOST : REFUSAL_MOST, on_answer, h);
}

static void
on_body(void *user, struct proxied *p, const char *bytes, size_t len)
{
	struct heard *h = p->thing;

	if (h->kind == ANSWER_EVENTS)
		sse_feed(&h->events, bytes, len);
	else if (h->kind != ANSWER_PACKED)
		frame_feed_body(&h->body, bytes, len);
}

static void
on_end(void *user, struct proxied *p, const char *trouble)
{
	struct http_tap *t = user;
	struct heard *h = p->thing;
	char *text;

	if (trouble) {
		text = mem_printf("%s %.400s: %.400s", p->method, p->target, trouble);
		note(t, text);
		free(text);
	}
	if (trouble && !p->status && !p->client_gone)
		tell_reach(t, trouble);
	if (h->kind == ANSWER_EVENTS) {
		sse_end(&h->events);
		sse_finish(&h->events);
	} else if (p->status) {
		frame_end(&h->body);
		frame_finish(&h->body);
	}
	free(h);
	p->thing = NULL;
}

static void
on_refused(void *user, const char *why)
{
	struct http_tap *t = user;

	note(t, why);
	t->options->tell(why);
}

/* ---- the tap ---- */

static const struct http_proxy_events proxy_events = {
	.on_request = on_request,
	.on_head = on_head,
	.on_body = on_body,
	.on_end = on_end,
	.on_refused = on_refused,
};

static void
on_signal(void *user, int signal_number)
{
	loop_stop(((struct http_tap *)user)->loop);
}

static bool
start(struct http_tap *t, struct err *err)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	const struct http_proxy_options options = { .listen = t->options->listen,
		.url = t->options->url,
		.insecure = t->options->insecure,
		.origins = t->options->origins,
		.origin_count = t->options->origin_count };

	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop || !tape_open(&t->tape, t->options, err))
		return false;
	t->proxy = http_proxy_create(t->loop, &options, &proxy_events, t, err);
	if (!t->proxy)
		return false;
	struct http_proxy_view view = http_proxy_view(t->proxy);
	const char *path = strchr(strstr(view.url, "://") + 3, '/');
	t->path = mem_strndup(path, strcspn(path, "?"));
	tape_start(&t->tape, t->loop, t->options->url);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		loop_watch_signal(t->loop, signals[i], on_signal, t);
	if (!view.is_local)
		t->options->tell("other machines can reach this address, and the server behind it");
	t->options->listening(view.url);
	return true;
}

int
tap_http_run(const struct tap_options *options, struct err *err)
{
	struct http_tap t = { .options = options, .tape.file = -1 };
	bool ok = start(&t, err);

	if (ok)
		loop_run(t.loop);
	http_proxy_destroy(t.proxy);
	tape_close(&t.tape, NULL);
	loop_destroy(t.loop);
	free(t.path);
	return ok ? 0 : -1;
}
