/* SPDX-License-Identifier: MIT */
#include "mcp/message.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "json/number.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *const message_kind_names[] = {
	[MESSAGE_REQUEST] = "request",
	[MESSAGE_NOTIFICATION] = "notification",
	[MESSAGE_RESULT] = "result",
	[MESSAGE_ERROR] = "error",
	[MESSAGE_BATCH] = "batch",
	[MESSAGE_INVALID] = "invalid",
	[MESSAGE_NOT_JSON] = "not JSON",
};

/* The first flaw is the one reported. */
static void
add_flaw(struct message *m, const char *flaw)
{
	if (!m->flaw)
		m->flaw = flaw;
}

static void
invalid(struct message *m, const char *flaw)
{
	m->kind = MESSAGE_INVALID;
	m->flaw = flaw;
}

static void
classify_call(struct message *m, const cJSON *method)
{
	m->kind = m->id ? MESSAGE_REQUEST : MESSAGE_NOTIFICATION;
	m->method = cJSON_GetStringValue(method);
	if (!m->method) {
		invalid(m, "the method is not a string");
		return;
	}
	if (m->result || m->error)
		add_flaw(m, "both a method and a result or error");
	enum json_type params = json_type(m->params);
	if (params != JSON_ABSENT && params != JSON_OBJECT && params != JSON_ARRAY)
		add_flaw(m, "params is neither an object nor an array");
}

/* An error wins over a result, but "error": null next to a result is only a flaw. */
static void
classify_answer(struct message *m)
{
	enum json_type error = json_type(m->error);

	if (m->result && error == JSON_NULL) {
		add_flaw(m, "an error member in addition to the result");
		m->error = NULL;
	}
	if (m->error) {
		m->kind = MESSAGE_ERROR;
		if (m->result)
			add_flaw(m, "both a result and an error");
		if (error != JSON_OBJECT)
			add_flaw(m, "the error is not an object");
	} else if (!m->result) {
		invalid(m, "neither a method nor a result nor an error");
	} else if (json_type(m->id) == JSON_ABSENT || cJSON_IsNull(m->id)) {
		invalid(m, "a result without an id");
	} else {
		m->kind = MESSAGE_RESULT;
	}
}

void
message_classify(const cJSON *value, struct message *m)
{
	*m = (struct message){ .kind = MESSAGE_INVALID };
	if (json_type(value) == JSON_ARRAY) {
		m->kind = MESSAGE_BATCH;
		m->flaw = json_first(value) ? NULL : "an empty batch";
		return;
	}
	if (!cJSON_IsObject(value)) {
		m->flaw = "not an object";
		return;
	}
	m->id = json_get(value, "id");
	m->params = json_get(value, "params");
	m->result = json_get(value, "result");
	m->error = json_get(value, "error");
	const cJSON *method = json_get(value, "method");
	if (method)
		classify_call(m, method);
	else
		classify_answer(m);
	if (m->kind == MESSAGE_INVALID)
		return;
	switch (json_type(m->id)) {
	case JSON_ABSENT:
	case JSON_STRING:
		break;
	case JSON_NULL:
		if (m->kind != MESSAGE_ERROR)
			add_flaw(m, "the id is null");
		break;
	case JSON_NUMBER:
		if (!json_number_is_integer(m->id))
			add_flaw(m, "the id is not an integer");
		break;
	default:
		invalid(m, "the id is neither a number nor a string");
		m->id = NULL;
	}
	const char *version = json_get_string(value, "jsonrpc");
	if (!version || strcmp(version, "2.0") != 0)
		add_flaw(m, version ? "jsonrpc is not \"2.0\"" : "no \"jsonrpc\": \"2.0\"");
}

const char *
error_name(int64_t code)
{
	switch (code) {
#define X(id, number, name) \
	case id:            \
		return (name);
		ERROR_CODES(X)
#undef X
	}
	return NULL;
}

/* ---- header values ---- */

#define OPENING "=?base64?"
#define CLOSING "?="

static bool
is_plain(const char *text, size_t len)
{
	if (len > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[len - 1])))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	/* A value that looks encoded must be encoded, or the server would decode it. */
	return !(len >= strlen(OPENING CLOSING) && memcmp(text, OPENING, strlen(OPENING)) == 0 &&
		 memcmp(text + len - strlen(CLOSING), CLOSING, strlen(CLOSING)) == 0);
}

void
header_value_add(struct buf *out, const char *text)
{
	size_t len = strlen(text);
	struct buf bytes = BUF_INIT;

	if (is_plain(text, len)) {
		buf_add(out, text, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		bool nul = text[i] == '\xc0' && text[i + 1] == '\x80';
		buf_add_char(&bytes, nul ? '\0' : text[i]);
		i += nul;
	}
	buf_add_str(out, OPENING);
	base64_add(out, buf_text(&bytes), bytes.len, BASE64_PLAIN);
	buf_add_str(out, CLOSING);
	buf_finish(&bytes);
}

void
text_to_line(char *out, size_t size, const char *text)
{
	utf8_copy(out, size, text);
	for (char *c = out; *c; c++)
		if (*c == '\n' || *c == '\r' || *c == '\t')
			*c = ' ';
}

/*
 * A scan of a message that cannot be parsed: it is not JSON, too deep, or cut off. A response has,
 * at its top level, an integer as "id", a "result" or "error", and no "method"; a request has a
 * "method", neither of the others, and as "id" an integer or a short string without escapes.
 */
struct partial_scan {
	const char *at, *end;
	size_t depth;
	const char *id; /* the start of its value; NULL if absent */
	bool is_answer, is_call;
};

static void
message_skip_blanks(struct partial_scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
}

/* 0 if it cannot be an id of ours. */
static uint64_t
read_whole(const struct partial_scan *s)
{
	const char *at = s->id;
	uint64_t n = 0;

	for (; at && at < s->end && *at >= '0' && *at <= '9'; at++) {
		if (n > UINT64_MAX / 100)
			return 0;
		n = n * 10 + (uint64_t)(*at - '0');
	}
	return at && at < s->end && (*at == ',' || *at == '}' || *at == ' ') ? n : 0;
}

/* Copies the id if it can be written back safely; else leaves out empty. */
static void
copy_id(const struct partial_scan *s, char *out)
{
	const char *at = s->id;
	size_t len = 0;
	bool quoted = at < s->end && *at == '"';

	for (at += quoted; at + len < s->end && len < RAW_MESSAGE_ID_MAX - 3; len++) {
		unsigned char c = (unsigned char)at[len];
		if (quoted ? c == '"' || c == '\\' || c < 0x20 || c > 0x7e : !isdigit(c))
			break;
	}
	bool ends = at + len < s->end && (quoted ? at[len] == '"' : strchr(",} ", at[len]) != NULL);
	if (!ends || (!quoted && (len == 0 || (len > 1 && *at == '0'))))
		return;
	at -= quoted;
	len += 2 * (size_t)quoted;
	memcpy(out, at, len);
	out[len] = '\0';
}

static void
on_string(struct partial_scan *s)
{
	const char *key = s->at;

	/* From the byte after the opening quote to the one after the closing quote. */
	while (s->at < s->end && *s->at != '"')
		s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
	if (s->at < s->end)
		s->at++;
	size_t len = (size_t)(s->at - key);
	if (s->depth != 1)
		return;
	message_skip_blanks(s);
	if (s->at == s->end || *s->at != ':')
		return;
	s->at++;
	message_skip_blanks(s);
	if (len == 3 && memcmp(key, "id\"", 3) == 0)
		s->id = s->at;
	else if ((len == 7 && memcmp(key, "result\"", 7) == 0) ||
		 (len == 6 && memcmp(key, "error\"", 6) == 0))
		s->is_answer = true;
	else if (len == 7 && memcmp(key, "method\"", 7) == 0)
		s->is_call = true;
}

static void
scan_partial(struct raw_message *raw)
{
	const char *bytes = raw->bytes->data;
	struct partial_scan s = { .at = bytes, .end = bytes + raw->bytes->len };

	message_skip_blanks(&s);
	if (s.at == s.end || *s.at != '{')
		return;
	while (s.at < s.end) {
		char c = *s.at++;
		if (c == '"')
			on_string(&s);
		else if (c == '{' || c == '[')
			s.depth++;
		else if ((c == '}' || c == ']') && --s.depth == 0)
			break;
	}
	if (s.is_answer && !s.is_call)
		raw->response_to = read_whole(&s);
	else if (s.is_call && !s.is_answer && s.id)
		copy_id(&s, raw->request_id);
}

void
raw_message_init(struct raw_message *raw, struct frame_line line)
{
	*raw = (struct raw_message){
		.bytes = line.bytes,
		.dropped = line.dropped,
		.cut = line.unterminated,
		.stream = line.stream,
	};
}

/* A long table is shown a page at a time, so its rows need no nodes, which would take four times as
 * much memory as their text. Commands without a screen pass no job and get an ordinary tree. */
#define LAZY_BYTES ((size_t)512 << 10)

void
raw_message_read(struct raw_message *raw, const struct job *job)
{
	char text[sizeof(raw->flaw)];
	struct json_error error = { 0 };

	if (raw->is_read)
		return;
	raw->is_read = true;
	/* "Implementations MUST NOT add a byte order mark", but parsers may ignore it (RFC
	 * 8259, 8.1). */
	struct blob *all = raw->bytes;
	raw->had_mark = all->len >= 3 && memcmp(all->data, "\xef\xbb\xbf", 3) == 0;
	if (raw->had_mark) {
		raw->bytes = blob_from_bytes(all->data + 3, all->len - 3);
		blob_unref(all);
	}
	size_t len = raw->bytes->len;
	if (raw->dropped == 0) {
		const struct json_options options = {
			.job = job,
			.blob = raw->bytes,
			.lazy_bytes = job ? LAZY_BYTES : 0,
			.lazy_in = "/result/structuredContent",
		};
		raw->doc = json_parse(raw->bytes->data, raw->bytes->len, &options, &error);
	}
	if (raw->doc)
		return;
	if (raw->dropped > 0)
		snprintf(text, sizeof(text), "too long: %zu bytes after these were dropped",
		    raw->dropped);
	else if (raw->cut)
		snprintf(text, sizeof(text), "the server ended within this line (byte %zu)", len);
	else
		snprintf(text, sizeof(text), NOT_JSON, error.text, error.offset);
	text_to_line(raw->flaw, sizeof(raw->flaw), text);
	if (!raw->cut)
		scan_partial(raw);
}

void
raw_message_finish(struct raw_message *raw)
{
	blob_unref(raw->bytes);
	json_doc_destroy(raw->doc);
	*raw = (struct raw_message){ 0 };
}
