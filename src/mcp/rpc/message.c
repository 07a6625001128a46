#include "mcp/message.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "json/number.h"

#include <stdbool.h>
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
check_id(struct message *m)
{
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
}

static void
classify_call(struct message *m, const cJSON *method)
{
	m->kind = m->id ? MESSAGE_REQUEST : MESSAGE_NOTIFICATION;
	m->method = json_string(method);
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

/* An error wins over a result, but "error": null beside a result is only a flaw. */
static void
classify_answer(struct message *m)
{
	enum json_type error = json_type(m->error);

	if (m->result && error == JSON_NULL) {
		add_flaw(m, "an error member beside the result");
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
	check_id(m);
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
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A value that looks encoded must be encoded, or the server would decode it. */
static bool
looks_encoded(const char *text, size_t len)
{
	return len >= strlen(OPENING CLOSING) && memcmp(text, OPENING, strlen(OPENING)) == 0 &&
	       memcmp(text + len - strlen(CLOSING), CLOSING, strlen(CLOSING)) == 0;
}

static bool
is_plain(const char *text, size_t len)
{
	if (len > 0 && (is_blank(text[0]) || is_blank(text[len - 1])))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return !looks_encoded(text, len);
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
