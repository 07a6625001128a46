#include "base/mem.h"
#include "base/sha256.h"
#include "json/pointer.h"
#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line break would end the message; between JSON tokens a space is equivalent. */
static void
keep_on_one_line(struct buf *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (line->data[i] == '\n' || line->data[i] == '\r')
			line->data[i] = ' ';
}

/* Here a request is cancelled by closing the stream of its answer, without a message. */
static bool
is_modern_http(const struct session *s)
{
	return s->era->modern && s->transport == TRANSPORT_HTTP;
}

/* MCP-Protocol-Version, which exists since 2025-06-18. */
static const char *
header_version(const struct session *s)
{
	if (s->era->modern)
		return MODERN_VERSION;
	return strcmp(s->protocol, "2025-06-18") >= 0 ? s->protocol : NULL;
}

/* The value of Mcp-Name. */
static const char *
find_subject(const struct json_doc *doc, const char *name)
{
	const struct method *method = method_find(name);

	if (!doc || !method || !method->subject)
		return NULL;
	return json_get_string(json_get(json_root(doc), "params"), method->subject);
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

static void
finish_params(struct outbound *out)
{
	for (size_t i = 0; i < out->param_count; i++)
		free(out->params[i].value);
	free(out->params);
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
	keep_on_one_line(line);
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
	out.version = header_version(s);
	out.modern = s->era->modern;
	out.name = s->era->modern ? find_subject(event.doc, event.method) : NULL;
	s->events.on_send(s->user, &out);
	finish_params(&out);
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

/* W3C Trace Context, version 00: a trace of its own for each request, sampled. */
static void
write_trace(struct session *s, struct json_writer *w, const struct request *r)
{
	struct sha256 h;
	char hex[SHA256_HEX];

	sha256_init(&h);
	sha256_add(&h, s->meta.seed, sizeof(s->meta.seed));
	sha256_add(&h, &r->rpc_id, sizeof(r->rpc_id));
	sha256_add(&h, &s->now_ms, sizeof(s->now_ms));
	sha256_end_hex(&h, hex);
	snprintf(s->traceparent, sizeof(s->traceparent), "00-%.32s-%.16s-01", hex, hex + 32);
	json_write_member_string(w, "traceparent", s->traceparent);
}

static void
write_meta(struct session *s, struct json_writer *w, const struct request *r, bool with_envelope)
{
	bool report = r->known && (r->known->traits & MAY_REPORT);

	if (!report && !with_envelope && !s->era->write_meta)
		return;
	json_write_member_object(w, "_meta");
	if (with_envelope)
		era_write_envelope(s, w);
	else if (s->era->write_meta)
		s->era->write_meta(s, w);
	level_write_meta(s, w, r->method);
	if (report)
		json_write_member_int(w, "progressToken", (int64_t)r->rpc_id);
	if (report && s->meta.members.len > 0)
		json_write_raw(w, buf_text(&s->meta.members), s->meta.members.len);
	if (report && s->meta.has_trace)
		write_trace(s, w, r);
	json_write_object_end(w);
}

static void
write_params(struct session *s, struct json_writer *w, const struct request *r,
    const struct request_args *args)
{
	json_write_key(w, "params");
	if (r->raw_params) {
		json_write_raw(w, args->members, args->len);
		return;
	}
	json_write_object(w);
	if (args->len > 0)
		json_write_raw(w, args->members, args->len);
	write_meta(s, w, r, args->with_envelope);
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
	write_params(s, &w, r, args);
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

static void
answer(struct session *s, const char *method, const char *rpc_id, enum message_kind kind,
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
outgoing_answer(
    struct session *s, const char *method, const char *rpc_id, const char *result, size_t len)
{
	answer(s, method, rpc_id, MESSAGE_RESULT, result, len);
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
	answer(s, method, rpc_id, MESSAGE_ERROR, buf_text(&body), body.len);
	buf_finish(&body);
}

void
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
	struct buf text = BUF_INIT;
	char why[160];

	if (tool && is_modern_http(s) &&
	    param_headers_read(&headers, json_get(tool, "inputSchema"), why, sizeof(why)))
		add_params(&out, doc, &headers);
	if (m->id)
		json_print(&text, m->id);
	send_line(s, line,
	    (struct session_line){ .kind = m->kind,
		.method = m->method,
		.id = text.len > 0 ? buf_text(&text) : NULL,
		.request = by_hand->number,
		.flaw = doc ? NULL : "not JSON",
		.doc = doc },
	    out, NULL);
	param_headers_finish(&headers);
	buf_finish(&text);
}
