#include "json/write.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/rows.h"

#include <string.h>

bool
json_is_password_argument(const cJSON *tool, const char *name)
{
	const cJSON *schema = json_get(json_get(json_get(tool, "inputSchema"), "properties"), name);
	const char *format = json_get_string(schema, "format");

	return (format && strcmp(format, "password") == 0) ||
	       json_is_true(json_get(schema, "writeOnly"));
}

/* ---- a tree ---- */

/* Members whose names sound like secrets, but which are part of the protocol. */
static const char *const no_secrets[] = { "code", "progressToken" };

static bool
is_secret(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(no_secrets); i++)
		if (strcmp(name, no_secrets[i]) == 0)
			return false;
	return secret_is_named(name, strlen(name));
}

/* A string, a number or an array; the members of an object have names of their own. */
static bool
is_hidden(const cJSON *node)
{
	bool may_hide = json_type(node) == JSON_STRING || json_type(node) == JSON_ARRAY ||
			json_type(node) == JSON_NUMBER;

	return may_hide && node->string && is_secret(node->string);
}

/* A picture or a sound: "data" or "blob" with Base64 of bytes that no text has. It has no secrets
 * that could be found, is often most of a message, and must stay as it is, whatever letters meet in
 * it. */
static bool
is_media(const char *name, const char *text)
{
	enum { LEAST = 1024, LOOKED_AT = 48 };
	struct buf bytes = BUF_INIT;

	if (!name || (strcmp(name, "data") != 0 && strcmp(name, "blob") != 0))
		return false;
	size_t digits = strspn(text, ASCII_ALNUM "+/");
	size_t padding = strspn(text + digits, "=");
	if (text[digits + padding] != '\0' || padding > 2 || digits < LEAST ||
	    (digits + padding) % 4 != 0)
		return false;
	base64_decode(&bytes, text, LOOKED_AT);
	bool is_binary = utf8_first_invalid(bytes.data, bytes.len) + 4 <= bytes.len; /* or cut */
	for (size_t i = 0; i < bytes.len; i++)
		is_binary |= (unsigned char)bytes.data[i] < ' ' && !memchr("\t\r\n", bytes.data[i], 3);
	buf_finish(&bytes);
	return is_binary;
}

static bool
write_text(struct json_writer *w, const char *text)
{
	struct buf plain = BUF_INIT;
	bool hidden = secret_hide_text(&plain, text, strlen(text));

	json_write_stringn(w, buf_text(&plain), plain.len);
	buf_finish(&plain);
	return hidden;
}

static bool
write_items(struct json_writer *w, const cJSON *array)
{
	struct json_items it;
	bool hidden = false;

	json_write_array(w);
	for (json_items_init(&it, array, NULL); it.item; json_items_next(&it))
		hidden |= json_write_redacted(w, it.item);
	json_items_finish(&it);
	json_write_array_end(w);
	return hidden;
}

bool
json_write_redacted(struct json_writer *w, const cJSON *node)
{
	bool hidden = false;

	if (is_hidden(node)) {
		json_write_string(w, SECRET_HIDDEN);
		return true;
	}
	if (json_string(node) && !is_media(node->string, json_string(node)))
		return write_text(w, json_string(node));
	if (json_type(node) == JSON_ARRAY)
		return write_items(w, node);
	if (json_type(node) != JSON_OBJECT) {
		json_write_value(w, node);
		return false;
	}
	json_write_object(w);
	for (const cJSON *child = json_first(node); child; child = child->next) {
		json_write_key(w, child->string);
		hidden |= json_write_redacted(w, child);
	}
	json_write_object_end(w);
	return hidden;
}

/* ---- a text, without a tree of the whole ---- */

/* Larger pieces that are nested deeper are parsed as a whole: each level looks at the text once. */
enum { DEPTH_MOST = 32 };

struct redaction {
	struct json_writer *w;
	size_t piece; /* bytes that are parsed at once */
	bool hidden;
	struct buf text; /* a piece with brackets of its own */
};

static const char *
skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* Past the string that begins here, or the end. */
static const char *
skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\';
	return at < end ? at + 1 : end;
}

/* The comma or bracket behind the member, or the end. Whether it is JSON the parser finds out. */
static const char *
find_end(const char *at, const char *end)
{
	for (size_t depth = 0; at < end; at++) {
		char c = *at;
		if (c == '"')
			at = skip_string(at, end) - 1;
		else if (c == '[' || c == '{')
			depth++;
		else if (depth == 0 && (c == ',' || c == ']' || c == '}'))
			return at;
		else if (c == ']' || c == '}')
			depth--;
	}
	return end;
}

static bool
redact_whole(struct redaction *r, const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	if (doc)
		r->hidden |= json_write_redacted(r->w, json_root(doc));
	json_doc_destroy(doc);
	return doc != NULL;
}

/* Some small members, with commas between them. */
static bool
redact_members(struct redaction *r, char open, const char *text, const char *end)
{
	buf_clear(&r->text);
	buf_add_char(&r->text, open);
	buf_add(&r->text, text, (size_t)(end - text));
	buf_add_char(&r->text, open == '[' ? ']' : '}');
	struct json_doc *doc = json_parse(r->text.data, r->text.len, NULL, NULL);
	const cJSON *child = doc ? json_first(json_root(doc)) : NULL;
	bool ok = child != NULL;

	for (; child; child = child->next) {
		if (open == '{')
			json_write_key(r->w, child->string);
		r->hidden |= json_write_redacted(r->w, child);
	}
	json_doc_destroy(doc);
	return ok;
}

static bool redact_value(struct redaction *r, const char *at, const char *end, int depth);

/* Nothing of the value is written, but it has to be JSON. */
static bool
hide_value(struct redaction *r, const char *at, const char *end, int depth)
{
	struct buf unseen = BUF_INIT;
	struct json_writer nowhere, *w = r->w;

	json_write_init(&nowhere, &unseen);
	r->w = &nowhere;
	bool ok = redact_value(r, at, end, depth);
	r->w = w;
	buf_finish(&unseen);
	json_write_string(w, SECRET_HIDDEN);
	r->hidden = true;
	return ok;
}

/* One that is large. */
static bool
redact_member(struct redaction *r, char open, const char *at, const char *end, int depth)
{
	if (open == '[')
		return redact_value(r, at, end, depth);
	at = skip_space(at, end);
	const char *key_end = at < end && *at == '"' ? skip_string(at, end) : at;
	const char *colon = skip_space(key_end, end);
	struct json_doc *key = json_parse(at, (size_t)(key_end - at), NULL, NULL);
	bool ok = key && colon < end && *colon == ':';

	if (ok) {
		const char *name = json_string(json_root(key)), *value = skip_space(colon + 1, end);
		if (value < end && *value == '"') { /* one that knows its name */
			json_doc_destroy(key);
			return redact_members(r, open, at, end);
		}
		json_write_key(r->w, name);
		bool may_hide = value < end && *value != '{' && !strchr("tfn", *value);
		ok =
		    (may_hide && is_secret(name) ? hide_value : redact_value)(r, value, end, depth);
	}
	json_doc_destroy(key);
	return ok;
}

/* Small members are parsed together, large ones taken apart. The text begins with the bracket. */
static bool
redact_container(struct redaction *r, const char *text, const char *end, int depth)
{
	const char open = *text, close = open == '[' ? ']' : '}';
	const char *from = text + 1, *at = from, *stop; /* from: not written yet */
	bool ok = true;

	(open == '[' ? json_write_array : json_write_object)(r->w);
	for (;; at = stop + 1) {
		stop = find_end(at, end);
		bool is_large = (size_t)(stop - at) > r->piece && skip_space(at, stop) < stop;
		if (ok && from < at && (is_large || (size_t)(stop - from) > r->piece)) {
			ok = redact_members(r, open, from, at - 1);
			from = at;
		}
		if (ok && is_large) {
			ok = redact_member(r, open, at, stop, depth);
			from = stop + 1;
		}
		if (!ok || stop == end || *stop != ',')
			break;
	}
	bool is_empty = at == text + 1 && skip_space(at, stop) == stop;
	if (ok && from <= stop && !is_empty)
		ok = redact_members(r, open, from, stop);
	(open == '[' ? json_write_array_end : json_write_object_end)(r->w);
	return ok && stop < end && *stop == close && skip_space(stop + 1, end) == end;
}

static bool
redact_value(struct redaction *r, const char *at, const char *end, int depth)
{
	at = skip_space(at, end);
	bool is_small = (size_t)(end - at) <= r->piece || depth == DEPTH_MOST;
	if (is_small || (*at != '[' && *at != '{'))
		return redact_whole(r, at, (size_t)(end - at));
	return redact_container(r, at, end, depth + 1);
}

bool
json_write_redacted_text(
    struct json_writer *w, const char *text, size_t len, size_t piece, bool *hidden)
{
	struct redaction r = { .w = w, .piece = piece };
	bool ok = redact_value(&r, text, text + len, 0);

	*hidden = r.hidden;
	buf_finish(&r.text);
	return ok;
}
