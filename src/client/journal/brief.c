#include "journal.h"

#include "base/glyph.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <string.h>

/* Bytes of a brief, and of one value in it. However large a message is, only the beginnings of its
 * first members are looked at. */
#define BRIEF_BYTES ((size_t)240)
#define VALUE_BYTES ((size_t)48)
#define MEMBERS_MAX 12
#define ITEMS_MAX 4

/* Members that serve the protocol and say nothing to a person. */
static const char *const plumbing[] = { "_meta", "resultType", "ttlMs", "cacheScope" };

static bool
is_plumbing(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(plumbing); i++)
		if (strcmp(plumbing[i], key) == 0)
			return true;
	return false;
}

/* The first line with something in it. */
static void
add_line(struct buf *out, const char *text, size_t max)
{
	size_t len = strnlen(text, max + VALUE_BYTES), blank = 0;

	while (blank < len && strchr(" \t\r\n", text[blank]))
		blank++;
	size_t line = blank;
	while (line < len && text[line] != '\n' && text[line] != '\r')
		line++;
	utf8_add_cut(out, text + blank, line - blank, max);
}

/* Is it so small that all of it can be shown? */
static bool
is_small(const cJSON *value)
{
	const char *text = json_string(value);

	if (json_type(value) != JSON_ARRAY && !cJSON_IsObject(value))
		return !text || strnlen(text, VALUE_BYTES + 1) <= VALUE_BYTES;
	if (json_count(value) > ITEMS_MAX)
		return false;
	for (const cJSON *item = json_first(value); item; item = item->next)
		if (json_count(item) > 0 || !is_small(item))
			return false;
	return true;
}

/* "bob"; quoted if blanks or quotes would hide where it ends. */
static void
add_value(struct buf *out, const cJSON *value)
{
	const char *text = json_string(value);
	bool small = is_small(value);

	if (small && !(text && *text && !strpbrk(text, " \t\r\n\"'")))
		json_print_brief(out, value, VALUE_BYTES);
	else if (text)
		add_line(out, text, VALUE_BYTES);
	else
		buf_addf(
		    out, json_type(value) == JSON_ARRAY ? "[%zu]" : "{%zu}", json_count(value));
}

/* "role=admin limit=10" */
static void
add_members(struct buf *out, const cJSON *object)
{
	const char *between = out->len > 0 ? " " : "";
	int count = 0;

	for (const cJSON *m = json_first(object); m && m->string; m = m->next) {
		if (is_plumbing(m->string))
			continue;
		buf_add_str(out, between);
		between = " ";
		if (++count > MEMBERS_MAX || out->len > BRIEF_BYTES) {
			buf_add_str(out, "…");
			return;
		}
		add_line(out, m->string, VALUE_BYTES);
		buf_add_char(out, '=');
		add_value(out, m);
	}
}

/* "3 users", of the first array among the members. */
static bool
add_array(struct buf *out, const cJSON *object)
{
	int count = 0;

	for (const cJSON *m = json_first(object); m && m->string && count < MEMBERS_MAX;
	     m = m->next, count++) {
		if (json_type(m) != JSON_ARRAY)
			continue;
		buf_addf(out, "%zu ", json_count(m));
		add_line(out, m->string, VALUE_BYTES);
		return true;
	}
	return false;
}

/* Of the first block that can be told in a line: its text, or its type. */
static bool
add_content(struct buf *out, const cJSON *content)
{
	const cJSON *block = json_first(content);
	const char *text = json_get_string(block, "text");
	const char *type = json_get_string(block, "type");
	const char *mime = json_get_string(block, "mimeType");

	if (text && *text)
		add_line(out, text, BRIEF_BYTES);
	else if (mime || type)
		add_line(out, mime ? mime : type, VALUE_BYTES);
	return text || mime || type;
}

static bool
is_json_like(const cJSON *content)
{
	const char *text = json_get_string(json_first(content), "text");

	return text && (*text == '{' || *text == '[');
}

/* Of a handshake: "demo 0.1.0 2026-07-28". */
static bool
add_server(struct buf *out, const cJSON *result)
{
	const cJSON *server = json_get(result, "serverInfo");
	const char *version = json_get_string(result, "protocolVersion");

	if (!json_get(result, "capabilities"))
		return false;
	if (!server)
		server = json_get(json_get(result, "_meta"), "io.modelcontextprotocol/serverInfo");
	if (!version)
		version = json_string(json_first(json_get(result, "supportedVersions")));
	const char *parts[] = { json_get_string(server, "name"), json_get_string(server, "version"),
		version };
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!parts[i])
			continue;
		buf_add_str(out, out->len > 0 ? " " : "");
		add_line(out, parts[i], VALUE_BYTES);
	}
	return out->len > 0;
}

static void
add_result(struct buf *out, const cJSON *result)
{
	const cJSON *content = json_get(result, "content");
	const cJSON *structured = json_get(result, "structuredContent");
	const char *type = json_get_string(result, "resultType");

	if (type && strcmp(type, "complete") != 0) {
		add_line(out, type, VALUE_BYTES);
		add_members(out, result);
	} else if (json_type(content) == JSON_ARRAY || structured) {
		bool is_error = json_is_true(json_get(result, "isError"));
		if (is_error || !add_array(out, structured)) {
			if (structured && (!content || is_json_like(content)))
				add_members(out, structured);
			else
				add_content(out, content);
		}
	} else if (!add_server(out, result) && !add_content(out, json_get(result, "contents")) &&
		   !add_array(out, result)) {
		add_members(out, result);
	}
	if (out->len == 0)
		buf_add_str(out, "empty");
	if (json_get(result, "nextCursor"))
		buf_add_str(out, ", more follow");
}

static void
add_error(struct buf *out, const cJSON *error)
{
	const char *text = json_get_string(error, "message");
	char code[JSON_NUMBER_TEXT_MAX];

	if (text)
		add_line(out, text, BRIEF_BYTES);
	if (cJSON_IsNumber(json_get(error, "code")))
		buf_addf(out, "%s(%.20s)", text ? " " : "",
		    json_number_text(json_get(error, "code"), code));
}

/* What stands for the whole: a prompt's name, a URI, a question. */
static const char *const subjects[] = { "name", "uri", "message" };

static void
add_params(struct buf *out, const cJSON *params, bool is_tool)
{
	const cJSON *arguments = json_get(params, "arguments");

	for (size_t i = 0; i < ARRAY_LEN(subjects) && !is_tool && out->len == 0; i++) {
		const char *text = json_get_string(params, subjects[i]);
		if (text)
			add_line(out, text, BRIEF_BYTES);
	}
	if (is_tool || arguments)
		add_members(out, arguments);
	else if (out->len == 0)
		add_members(out, params);
}

void
journal_describe(struct journal_entry *e, const cJSON *message)
{
	const cJSON *params = json_get(message, "params");
	const char *tool = json_get_string(params, "name");
	struct buf out = BUF_INIT;

	if (e->message == MESSAGE_REQUEST && e->method && strcmp(e->method, "tools/call") == 0)
		e->tool = label_dup(tool);
	if (e->message == MESSAGE_RESULT)
		add_result(&out, json_get(message, "result"));
	else if (e->message == MESSAGE_ERROR)
		add_error(&out, json_get(message, "error"));
	else if (params)
		add_params(&out, params, e->tool != NULL);
	if (out.len > 0)
		e->brief = buf_detach(&out);
	buf_finish(&out);
}
