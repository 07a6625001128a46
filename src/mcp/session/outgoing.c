/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "base/glyph.h"
#include "base/sha256.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/splice.h"
#include "mcp/session/internals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Here a request is cancelled by closing the stream of its answer, without a message. */
static bool
is_modern_http(const struct session *s)
{
	return s->era->modern && s->transport == TRANSPORT_HTTP;
}

/* Mcp-Param-*: the same values as in the body. */
static void
add_params(struct outbound *out, const struct json_doc *doc, const struct param_headers *headers)
{
	const cJSON *params = doc ? json_get(json_root(doc), "params") : NULL;
	const cJSON *arguments = json_get(params, "arguments");

	if (headers->len == 0)
		return;
	out->params = mem_zalloc(headers->len * sizeof(*out->params));
	for (size_t i = 0; i < headers->len; i++) {
		const struct param_header *h = &headers->items[i];
		char *value = param_header_value(json_pointer_find(arguments, h->pointer));
		if (value)
			out->params[out->param_count++] =
			    (struct outbound_param){ .name = h->name, .value = value };
	}
}

/* Takes the text in `line`. `event` goes to on_line, `out` to the transport. r: NULL if it is not a
 * request. */
static void
send_line(struct session *s, struct buf *line, struct session_line event, struct outbound out,
    const struct request *r)
{
	struct json_error error = { 0 };
	struct json_doc *parsed = NULL;
	char flaw[SESSION_TEXT_MAX];

	if (s->onlooker) {
		buf_finish(line);
		return;
	}
	/* A line break would end the message; between JSON tokens a space is equivalent. */
	for (size_t i = 0; i < line->len; i++)
		if (line->data[i] == '\n' || line->data[i] == '\r')
			line->data[i] = ' ';
	event.direction = WIRE_SENT;
	event.carried = out.id ? out.id : out.told;
	event.bytes = blob_take_buf(line);
	/* arguments and answers go out as the user typed them; the rest is ours, and needs no
	 * parser */
	if (!event.doc && (event.kind == MESSAGE_RESULT || (r && !r->internal)))
		event.doc = parsed = json_parse(event.bytes->data, event.bytes->len, NULL, &error);
	if (error.text[0]) {
		snprintf(flaw, sizeof(flaw), NOT_JSON, error.text, error.offset);
		event.flaw = flaw;
	}
	if (r && is_modern_http(s))
		add_params(&out, event.doc, &r->headers);
	if (!(out.cancels && is_modern_http(s)))
		s->events.on_line(s->user, &event);
	out.line = event.bytes->data;
	out.len = event.bytes->len;
	out.kind = event.kind;
	out.method = event.method;
	/* MCP-Protocol-Version, which exists since 2025-06-18. */
	out.version = s->era->modern                           ? MODERN_VERSION
		      : strcmp(s->protocol, "2025-06-18") >= 0 ? s->protocol
							       : NULL;
	out.modern = s->era->modern;
	const struct method *method = s->era->modern ? method_find(event.method) : NULL;
	if (event.doc && method && method->subject)
		out.name =
		    json_get_string(json_get(json_root(event.doc), "params"), method->subject);
	s->events.on_send(s->user, &out);
	for (size_t i = 0; i < out.param_count; i++)
		free(out.params[i].value);
	free(out.params);
	json_doc_destroy(parsed);
	blob_unref(event.bytes);
}

static void
open_message(struct json_writer *w, struct buf *line)
{
	json_write_init(w, line);
	json_write_object(w);
	json_write_member_string(w, "jsonrpc", "2.0");
}

static void
write_meta(struct session *s, struct json_writer *w, const struct request *r, bool with_envelope)
{
	bool report = r->known && (r->known->traits & MAY_REPORT);

	with_envelope |= s->era->modern;
	if (!report && !with_envelope)
		return;
	json_write_member_object(w, "_meta");
	if (with_envelope)
		era_write_envelope(s, w);
	/* The stream of a subscription never carries log messages, so a level has no effect there.
	 */
	if (s->era->modern && s->info.log_level != LOG_LEVEL_NONE &&
	    strcmp(r->method, "subscriptions/listen") != 0)
		json_write_member_string(
		    w, "io.modelcontextprotocol/logLevel", log_level_names[s->info.log_level]);
	if (report)
		json_write_member_int(w, "progressToken", (int64_t)r->rpc_id);
	if (report && s->meta.members.len > 0)
		json_write_raw(w, buf_text(&s->meta.members), s->meta.members.len);
	if (report && s->meta.has_trace) {
		/* W3C Trace Context, version 00: a new trace for each request, sampled. */
		struct sha256 h;
		char hex[SHA256_HEX];
		sha256_init(&h);
		sha256_add(&h, s->meta.seed, sizeof(s->meta.seed));
		sha256_add(&h, &r->rpc_id, sizeof(r->rpc_id));
		sha256_add(&h, &s->now_ms, sizeof(s->now_ms));
		sha256_end_hex(&h, hex);
		snprintf(
		    s->traceparent, sizeof(s->traceparent), "00-%.32s-%.16s-01", hex, hex + 32);
		json_write_member_string(w, "traceparent", s->traceparent);
	}
	json_write_object_end(w);
}

void
outgoing_request(struct session *s, const struct request *r, const struct request_args *args)
{
	struct buf line = BUF_INIT;
	struct json_writer w;
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, r->rpc_id);
	open_message(&w, &line);
	json_write_member_int(&w, "id", (int64_t)r->rpc_id);
	json_write_member_string(&w, "method", r->method);
	json_write_key(&w, "params");
	if (r->raw_params) {
		json_write_raw(&w, args->members, args->len);
	} else {
		json_write_object(&w);
		if (args->len > 0)
			json_write_raw(&w, args->members, args->len);
		write_meta(s, &w, r, args->with_envelope);
		json_write_object_end(&w);
	}
	json_write_object_end(&w);
	send_line(s, &line,
	    (struct session_line){
		.kind = MESSAGE_REQUEST, .method = r->method, .id = id, .request = r->id },
	    (struct outbound){ .id = r->rpc_id }, r);
}

void
outgoing_cancel(struct session *s, const struct request *r, const char *reason)
{
	static const char method[] = "notifications/cancelled";
	struct buf line = BUF_INIT;
	struct json_writer w;

	open_message(&w, &line);
	json_write_member_string(&w, "method", method);
	json_write_member_object(&w, "params");
	json_write_member_int(&w, "requestId", (int64_t)r->rpc_id);
	if (reason)
		json_write_member_string(&w, "reason", reason);
	json_write_object_end(&w);
	json_write_object_end(&w);
	if (is_modern_http(s))
		session_note(s, r->id, "%s: cancelled by closing its stream", r->method);
	send_line(s, &line,
	    (struct session_line){
		.kind = MESSAGE_NOTIFICATION, .method = method, .request = r->id },
	    (struct outbound){ .cancels = r->rpc_id }, NULL);
}

void
outgoing_notification(struct session *s, const char *method)
{
	struct buf line = BUF_INIT;
	struct json_writer w;

	open_message(&w, &line);
	json_write_member_string(&w, "method", method);
	json_write_object_end(&w);
	send_line(s, &line, (struct session_line){ .kind = MESSAGE_NOTIFICATION, .method = method },
	    (struct outbound){ 0 }, NULL);
}

void
outgoing_answer(struct session *s, const char *method, const char *rpc_id, enum message_kind kind,
    const char *body, size_t len)
{
	struct buf line = BUF_INIT;
	struct json_writer w;

	open_message(&w, &line);
	json_write_member_json(&w, "id", rpc_id);
	json_write_key(&w, kind == MESSAGE_ERROR ? "error" : "result");
	json_write_raw(&w, body, len);
	json_write_object_end(&w);
	send_line(s, &line, (struct session_line){ .kind = kind, .method = method, .id = rpc_id },
	    (struct outbound){ 0 }, NULL);
}

void
outgoing_refusal(
    struct session *s, const char *method, const char *rpc_id, int code, const char *text)
{
	struct buf body = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &body);
	json_write_object(&w);
	json_write_member_int(&w, "code", code);
	json_write_member_string(&w, "message", text);
	json_write_object_end(&w);
	outgoing_answer(s, method, rpc_id, MESSAGE_ERROR, buf_text(&body), body.len);
	buf_finish(&body);
}

/* A message that the user wrote; takes the text in `line`. tool: see struct session_text. */
static void
outgoing_text(struct session *s, struct buf *line, const struct json_doc *doc,
    const struct message *m, const cJSON *tool, const struct request_by_hand *by_hand)
{
	bool asks = m->kind == MESSAGE_REQUEST;
	struct outbound out = {
		.id = asks ? by_hand->number : 0,
		.told = asks ? 0 : by_hand->number,
		.rpc_id = by_hand->id,
	};
	struct param_headers headers = { 0 };
	char *id = json_text(m->id), why[160];

	if (tool && is_modern_http(s) &&
	    param_headers_read(&headers, json_get(tool, "inputSchema"), why, sizeof(why)))
		add_params(&out, doc, &headers);
	send_line(s, line,
	    (struct session_line){ .kind = m->kind,
		.method = m->method,
		.id = id,
		.request = by_hand->number,
		.flaw = doc ? NULL : "not JSON",
		.doc = doc },
	    out, NULL);
	param_headers_finish(&headers);
	free(id);
}

/*
 * Messages that the user writes are sent unchanged and never time out; a reply only goes to
 * on_line. Their ids differ from those of the session.
 */

static const struct request_by_hand *
add_by_hand(struct requests *t, const cJSON *id, const char *method)
{
	if (!t->by_hand)
		t->by_hand = mem_zalloc(REQUESTS_REMEMBERED * sizeof(*t->by_hand));
	struct request_by_hand *h = &t->by_hand[t->next_by_hand];
	t->next_by_hand = (t->next_by_hand + 1) % REQUESTS_REMEMBERED;
	free(h->id);
	free(h->method);
	*h = (struct request_by_hand){
		.id = json_text(id),
		.rpc_id = read_request_id(id),
		.method = label_dup(method),
	};
	h->number = requests_next_id(t);
	return h;
}

struct request_by_hand *
requests_find_by_hand(const struct requests *t, const cJSON *id)
{
	uint64_t rpc_id = read_request_id(id);
	struct request_by_hand *found = NULL;

	if (!id || !t->by_hand)
		return NULL;
	char *text = json_text(id);
	for (size_t i = 0; i < REQUESTS_REMEMBERED; i++) {
		struct request_by_hand *h = &t->by_hand[i];
		bool same = h->id && (rpc_id ? h->rpc_id == rpc_id : strcmp(h->id, text) == 0);
		if (same && (!found || found->number < h->number))
			found = h;
	}
	free(text);
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
	const struct request_by_hand *h = requests_find_by_hand(&s->requests, m.id);
	if (m.flaw)
		snprintf(why, size, "%s", m.flaw);
	else if (m.kind == MESSAGE_REQUEST &&
		 ((h && !h->answered) ||
		     requests_find_message(&s->requests, read_request_id(m.id))))
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
		/* A request gets an id that was never used; its progress token goes with it. */
		static const char *const id[] = { "id", NULL };
		static const char *const token[] = { "params", "_meta", "progressToken", NULL };
		const cJSON *progress = json_get(json_get(m.params, "_meta"), "progressToken");
		uint64_t number = requests_next_id(&s->requests);
		set_number(&line, id, m.id, number);
		set_number(&line, token, progress, number);
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
