#include "json/write.h"

#include "base/secret.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/rows.h"

#include <inttypes.h>
#include <string.h>

static void
separate(struct json_writer *w)
{
	if (w->comma)
		buf_add_char(w->out, ',');
	w->comma = true;
}

void
json_write_init(struct json_writer *w, struct buf *out)
{
	*w = (struct json_writer){ .out = out };
}

static void
open_bracket(struct json_writer *w, char bracket)
{
	separate(w);
	buf_add_char(w->out, bracket);
	w->comma = false;
}

static void
close_bracket(struct json_writer *w, char bracket)
{
	buf_add_char(w->out, bracket);
	w->comma = true;
}

void
json_write_object(struct json_writer *w)
{
	open_bracket(w, '{');
}

void
json_write_object_end(struct json_writer *w)
{
	close_bracket(w, '}');
}

void
json_write_array(struct json_writer *w)
{
	open_bracket(w, '[');
}

void
json_write_array_end(struct json_writer *w)
{
	close_bracket(w, ']');
}

void
json_write_key(struct json_writer *w, const char *key)
{
	separate(w);
	json_print_string(w->out, key, strlen(key));
	buf_add_char(w->out, ':');
	w->comma = false;
}

void
json_write_string(struct json_writer *w, const char *text)
{
	if (text)
		json_write_stringn(w, text, strlen(text));
	else
		json_write_null(w);
}

void
json_write_stringn(struct json_writer *w, const char *text, size_t len)
{
	separate(w);
	json_print_string(w->out, text, len);
}

void
json_write_int(struct json_writer *w, int64_t value)
{
	separate(w);
	buf_addf(w->out, "%" PRId64, value);
}

void
json_write_bool(struct json_writer *w, bool value)
{
	separate(w);
	buf_add_str(w->out, value ? "true" : "false");
}

void
json_write_null(struct json_writer *w)
{
	separate(w);
	buf_add_str(w->out, "null");
}

void
json_write_value(struct json_writer *w, const cJSON *value)
{
	separate(w);
	json_print(w->out, value);
}

void
json_write_raw(struct json_writer *w, const char *json, size_t len)
{
	separate(w);
	buf_add(w->out, json, len);
}

void
json_write_member_string(struct json_writer *w, const char *key, const char *text)
{
	json_write_key(w, key);
	json_write_string(w, text);
}

void
json_write_member_int(struct json_writer *w, const char *key, int64_t value)
{
	json_write_key(w, key);
	json_write_int(w, value);
}

void
json_write_member_bool(struct json_writer *w, const char *key, bool value)
{
	json_write_key(w, key);
	json_write_bool(w, value);
}

void
json_write_member_value(struct json_writer *w, const char *key, const cJSON *value)
{
	json_write_key(w, key);
	json_write_value(w, value);
}

void
json_write_member_json(struct json_writer *w, const char *key, const char *json)
{
	json_write_key(w, key);
	json_write_raw(w, json, strlen(json));
}

void
json_write_member_object(struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_object(w);
}

void
json_write_member_array(struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_array(w);
}

/* ---- without secrets ---- */

/* Members whose names sound like secrets, but which are part of the protocol. */
static const char *const no_secrets[] = { "code", "progressToken" };

static bool
is_secret(const cJSON *member)
{
	for (size_t i = 0; i < ARRAY_LEN(no_secrets); i++)
		if (strcmp(member->string, no_secrets[i]) == 0)
			return false;
	return secret_is_named(member->string, strlen(member->string));
}

/* A string, a number or an array; the members of an object have names of their own. */
static bool
is_hidden(const cJSON *node)
{
	bool may_hide = json_type(node) == JSON_STRING || json_type(node) == JSON_ARRAY ||
			json_type(node) == JSON_NUMBER;

	return may_hide && node->string && is_secret(node);
}

static bool
write_text(struct json_writer *w, const char *text)
{
	struct buf plain = BUF_INIT;
	size_t len = strlen(text);

	secret_hide_text(&plain, text, len);
	bool hidden = plain.len != len || memcmp(buf_text(&plain), text, len) != 0;
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
	if (json_string(node))
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
