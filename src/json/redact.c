/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/rows.h"
#include "plain_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- a tree ---- */

/* The name that decides is that of the member; of an item that of its array, or the option before
 * it; of the "value" of a pair what its "name" says. An error code is called as a code of OAuth is.
 * NULL: nothing decides. */
static enum secret_kind
kind_of(const char *name)
{
	return !name || strcmp(name, "code") == 0 ? SECRET_NONE : secret_kind(name, strlen(name));
}

/* A string, a number or an array; the members of an object have their own names. */
static bool
is_hidden(const cJSON *node, const char *name)
{
	char number[JSON_NUMBER_TEXT_MAX];
	enum secret_kind kind = kind_of(name);
	const char *text = cJSON_GetStringValue(node);

	if (json_type(node) == JSON_ARRAY)
		return kind == SECRET_ALWAYS;
	if (cJSON_IsNumber(node))
		text = json_number_text(node, number);
	return kind != SECRET_NONE && text && secret_is_value(kind, text, strlen(text));
}

bool
json_is_secret_member(const cJSON *member)
{
	if (cJSON_IsObject(member) || json_type(member) == JSON_ARRAY)
		return kind_of(member->string) >= SECRET_NOT_NUMBER;
	return is_hidden(member, member->string);
}

/* "--password", which names the item after it. */
static const char *
option_of(const cJSON *item)
{
	enum { LONGEST = 64 };
	const char *text = cJSON_GetStringValue(item);

	return text && text[0] == '-' && strnlen(text, LONGEST) < LONGEST && !strchr(text, '=') &&
		       kind_of(text) != SECRET_NONE
		   ? text
		   : NULL;
}

/* The name that this member of a pair gives to the other member, if it is a secret's. */
static const char *
name_in(const cJSON *member)
{
	enum { LONGEST = 64 };
	const char *text = cJSON_GetStringValue(member);
	const char *blank = text ? strchr(text, ' ') : NULL;

	return text && member->string && words_have(secret_pair_names, member->string) &&
		       strnlen(text, LONGEST) < LONGEST && !(blank && strchr(blank + 1, ' ')) &&
		       kind_of(text) != SECRET_NONE
		   ? text
		   : NULL;
}

/* The name that decides about a member. of_value: what its "value" is called. */
static const char *
name_of(const cJSON *member, const char *of_value)
{
	return of_value && words_have(secret_pair_values, member->string) ? of_value
									  : member->string;
}

/* A picture or a sound: "data" or "blob" with Base64 of non-text bytes. It contains no findable
 * secrets, is often most of a message, and must not change because its letters happen to look like
 * a token. */
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
		is_binary |=
		    (unsigned char)bytes.data[i] < ' ' && !memchr("\t\r\n", bytes.data[i], 3);
	buf_finish(&bytes);
	return is_binary;
}

/* Data may be the names of members. */
static bool
write_key(struct json_writer *w, const char *key)
{
	struct buf plain = BUF_INIT;
	bool hidden = secret_hide_tokens(&plain, key, strlen(key));

	json_write_key(w, hidden ? buf_text(&plain) : key);
	buf_finish(&plain);
	return hidden;
}

static bool write_node(struct json_writer *w, const cJSON *node, const char *name);

static bool
write_items(struct json_writer *w, const cJSON *array, const char *name)
{
	struct json_items it;
	char *option = NULL; /* items of a lazy array exist only until others are read */
	bool hidden = false;

	json_write_array(w);
	for (json_items_init(&it, array, NULL); it.item; json_items_next(&it)) {
		hidden |= write_node(w, it.item, option ? option : name);
		free(option);
		option = mem_strdup(option_of(it.item));
	}
	json_items_finish(&it);
	free(option);
	json_write_array_end(w);
	return hidden;
}

static bool
write_node(struct json_writer *w, const cJSON *node, const char *name)
{
	bool hidden = false;

	if (is_hidden(node, name)) {
		json_write_string(w, SECRET_HIDDEN);
		return true;
	}
	if (cJSON_GetStringValue(node) && !is_media(node->string, cJSON_GetStringValue(node))) {
		struct buf plain = BUF_INIT;
		hidden = secret_hide_text(
		    &plain, cJSON_GetStringValue(node), strlen(cJSON_GetStringValue(node)));
		json_write_stringn(w, buf_text(&plain), plain.len);
		buf_finish(&plain);
		return hidden;
	}
	if (cJSON_IsNumber(node)) {
		char buffer[JSON_NUMBER_TEXT_MAX];
		const char *text = json_number_text(node, buffer);
		struct buf plain = BUF_INIT;
		hidden = secret_hide_values(&plain, text, strlen(text), SECRET_VALUES_NOTED);
		if (hidden)
			json_write_string(w, buf_text(&plain));
		else
			json_write_value(w, node);
		buf_finish(&plain);
		return hidden;
	}
	if (json_type(node) == JSON_ARRAY)
		return write_items(w, node, name);
	if (!cJSON_IsObject(node)) {
		json_write_value(w, node);
		return false;
	}
	const char *of_value = kind_of(name) != SECRET_NONE ? name : NULL;
	for (const cJSON *child = json_first(node); !of_value && child; child = child->next)
		of_value = name_in(child);
	json_write_object(w);
	for (const cJSON *child = json_first(node); child; child = child->next) {
		hidden |= write_key(w, child->string);
		hidden |= write_node(w, child, name_of(child, of_value));
	}
	json_write_object_end(w);
	return hidden;
}

bool
json_write_redacted(struct json_writer *w, const cJSON *node)
{
	return write_node(w, node, node->string);
}

static bool
is_password(const cJSON *schema)
{
	const char *format = json_get_string(schema, "format");

	return (format && strcmp(format, "password") == 0) ||
	       cJSON_IsTrue(json_get(schema, "writeOnly"));
}

bool
json_is_password_argument(const cJSON *tool, const char *name)
{
	return is_password(json_get(json_get(json_get(tool, "inputSchema"), "properties"), name));
}

void
json_note_secrets(const cJSON *node, const char *name, const cJSON *schema)
{
	char number[JSON_NUMBER_TEXT_MAX];
	const cJSON *below = json_get(schema, "properties");
	const char *of_value = NULL, *option = NULL;

	if (is_password(schema))
		name = "password"; /* under any name */
	if (cJSON_GetStringValue(node) && kind_of(name) != SECRET_NONE)
		secret_note_typed(name, cJSON_GetStringValue(node));
	if (cJSON_IsNumber(node) && kind_of(name) != SECRET_NONE)
		secret_note_typed(name, json_number_text(node, number));
	if (cJSON_IsObject(node))
		of_value = kind_of(name) != SECRET_NONE ? name : NULL;
	for (const cJSON *child = json_first(node); !of_value && child && child->string;
	     child = child->next)
		of_value = name_in(child);
	for (const cJSON *child = json_first(node); child; child = child->next)
		if (cJSON_IsObject(node)) {
			json_note_secrets(
			    child, name_of(child, of_value), json_get(below, child->string));
		} else {
			json_note_secrets(child, option ? option : name, json_get(schema, "items"));
			option = option_of(child);
		}
}

/* ---- a text, without a tree of the whole ---- */

/* Larger pieces that are nested deeper are parsed as a whole: each level looks at the text once. */
enum { DEPTH_MOST = 32 };

struct redaction {
	struct json_writer *w;
	size_t piece; /* bytes that are parsed at once */
	bool hidden;
	struct buf text;   /* a piece with its own brackets */
	struct buf unread; /* the output if the caller only asks for the presence of a secret */
};

/* The comma or bracket after the member, or the end. The parser checks that it is JSON. */
static const char *
find_end(const char *at, const char *end)
{
	for (size_t depth = 0; at < end; at++) {
		char c = *at;
		if (c == '"')
			at = skip_string(at, end, NULL) - 1;
		else if (c == '[' || c == '{')
			depth++;
		else if (depth == 0 && (c == ',' || c == ']' || c == '}'))
			return at;
		else if (c == ']' || c == '}')
			depth--;
	}
	return end;
}

/* A container that is taken apart. */
struct taken_apart {
	char open;
	const char *name; /* of the array or object */
	char *of_value;   /* the name of this object's "value"; owned */
	char *option;     /* the last item, if it is one; owned */
	int depth;
};

/* Some members, with commas between them. */
static bool
redact_members(struct redaction *r, struct taken_apart *c, const char *text, const char *end)
{
	const char open = c->open;

	buf_clear(&r->text);
	buf_add_char(&r->text, open);
	buf_add(&r->text, text, (size_t)(end - text));
	buf_add_char(&r->text, open == '[' ? ']' : '}');
	struct json_doc *doc = json_parse(r->text.data, r->text.len, NULL, NULL);
	const cJSON *child = doc ? json_first(json_root(doc)) : NULL;
	bool ok = child != NULL;

	for (; child; child = child->next) {
		if (open == '{') {
			r->hidden |= write_key(r->w, child->string);
			r->hidden |= write_node(r->w, child, name_of(child, c->of_value));
			continue;
		}
		r->hidden |= write_node(r->w, child, c->option ? c->option : c->name);
		free(c->option);
		c->option = mem_strdup(option_of(child));
	}
	buf_clear(&r->unread);
	json_doc_destroy(doc);
	return ok;
}

static bool redact_value(
    struct redaction *r, const char *at, const char *end, const char *name, int depth);

/* A large object or array. Values without members are parsed whole. */
static bool
redact_member(struct redaction *r, struct taken_apart *c, const char *from, const char *end)
{
	const char *at = skip_space(from, end), *value = at;
	struct json_doc *key = NULL;
	const char *name = c->option ? c->option : c->name;

	if (c->open == '{') {
		const char *key_end = at < end && *at == '"' ? skip_string(at, end, NULL) : at;
		const char *colon = skip_space(key_end, end);
		key = json_parse(at, (size_t)(key_end - at), NULL, NULL);
		if (!key || colon == end || *colon != ':') {
			json_doc_destroy(key);
			return false;
		}
		value = skip_space(colon + 1, end);
		name = cJSON_GetStringValue(json_root(key));
	}
	if (value == end || (*value != '[' && *value != '{')) {
		json_doc_destroy(key);
		return redact_members(r, c, from, end);
	}
	if (key) {
		r->hidden |= write_key(r->w, name);
		if (c->of_value && words_have(secret_pair_values, name))
			name = c->of_value;
	}
	bool ok;
	if (*value == '[' && kind_of(name) == SECRET_ALWAYS) {
		/* nothing of the value is written, but it has to be JSON */
		struct buf unseen = BUF_INIT;
		struct json_writer nowhere, *w = r->w;
		json_write_init(&nowhere, &unseen);
		r->w = &nowhere;
		ok = redact_value(r, value, end, NULL, c->depth);
		r->w = w;
		buf_finish(&unseen);
		json_write_string(w, SECRET_HIDDEN);
		r->hidden = true;
	} else {
		ok = redact_value(r, value, end, name, c->depth);
	}
	json_doc_destroy(key);
	free(c->option);
	c->option = NULL;
	return ok;
}

/* The name of this object's "value", given by the member before or after it. */
static char *
find_name_in(const char *text, const char *end)
{
	char *found = NULL;

	for (const char *at = text + 1, *stop; !found && at < end; at = stop + 1) {
		enum { LONGEST = 256 };
		stop = find_end(at, end);
		at = skip_space(at, stop);
		if (at == stop || *at != '"' || stop - at > LONGEST)
			continue;
		char *member = mem_printf("{%.*s}", (int)(stop - at), at);
		struct json_doc *doc = json_parse(member, strlen(member), NULL, NULL);
		const cJSON *only = doc ? json_first(json_root(doc)) : NULL;
		found = only ? mem_strdup(name_in(only)) : NULL;
		json_doc_destroy(doc);
		free(member);
	}
	return found;
}

/* Small members are parsed together, large ones taken apart. The text begins with the bracket. */
static bool
redact_container(
    struct redaction *r, const char *text, const char *end, const char *name, int depth)
{
	struct taken_apart c = { .open = *text, .name = name, .depth = depth };
	const char close = c.open == '[' ? ']' : '}';
	const char *from = text + 1, *at = from, *stop; /* from: not written yet */
	bool ok = true;

	if (c.open == '{')
		c.of_value =
		    kind_of(name) != SECRET_NONE ? mem_strdup(name) : find_name_in(text, end);
	(c.open == '[' ? json_write_array : json_write_object)(r->w);
	for (;; at = stop + 1) {
		stop = find_end(at, end);
		bool is_large = (size_t)(stop - at) > r->piece && skip_space(at, stop) < stop;
		if (ok && from < at && (is_large || (size_t)(stop - from) > r->piece)) {
			ok = redact_members(r, &c, from, at - 1);
			from = at;
		}
		if (ok && is_large) {
			ok = redact_member(r, &c, at, stop);
			from = stop + 1;
		}
		if (!ok || stop == end || *stop != ',')
			break;
	}
	bool is_empty = at == text + 1 && skip_space(at, stop) == stop;
	if (ok && from <= stop && !is_empty)
		ok = redact_members(r, &c, from, stop);
	(c.open == '[' ? json_write_array_end : json_write_object_end)(r->w);
	free(c.of_value);
	free(c.option);
	return ok && stop < end && *stop == close && skip_space(stop + 1, end) == end;
}

static bool
redact_value(struct redaction *r, const char *at, const char *end, const char *name, int depth)
{
	at = skip_space(at, end);
	bool is_small = (size_t)(end - at) <= r->piece || depth == DEPTH_MOST;
	if (!is_small && (*at == '[' || *at == '{'))
		return redact_container(r, at, end, name, depth + 1);
	struct json_doc *doc = json_parse(at, (size_t)(end - at), NULL, NULL);
	if (doc)
		r->hidden |= write_node(r->w, json_root(doc), name);
	buf_clear(&r->unread);
	json_doc_destroy(doc);
	return doc != NULL;
}

bool
json_write_redacted_text(
    struct json_writer *w, const char *text, size_t len, size_t piece, bool *hidden)
{
	struct redaction r = { .w = w, .piece = piece };
	struct json_writer nowhere;

	if (!w) {
		json_write_init(&nowhere, &r.unread);
		r.w = &nowhere;
	}
	bool ok = redact_value(&r, text, text + len, NULL, 0);
	*hidden = r.hidden;
	buf_finish(&r.text);
	buf_finish(&r.unread);
	return ok;
}
