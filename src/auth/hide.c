#include "auth/step.h"

#include "base/secret.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void
auth_hide_form(struct buf *out, const char *form, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *end = memchr(form + at, '&', len - at);
		size_t member = end ? (size_t)(end - form) - at : len - at;
		secret_hide_member(out, form + at, member);
		buf_add_char(out, '\n');
		at += member + 1;
	}
}

void
auth_hide_header(struct buf *out, const char *header)
{
	static const char *const hidden[] = {
		"Authorization:", "Proxy-Authorization:", "Cookie:", "Set-Cookie:", "DPoP:"
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (strncasecmp(header, hidden[i], strlen(hidden[i])) == 0) {
			buf_addf(out, "%s " SECRET_HIDDEN, hidden[i]);
			return;
		}
	}
	secret_hide_url(out, header); /* of Location, say */
}

/* What a token endpoint says besides tokens; whatever else it has to say may be one. */
static const char *const harmless[] = { "token_type", "expires_in", "scope", "error",
	"error_description", "error_uri", "iss" };

static bool
is_harmless(const char *name)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (name && strcmp(harmless[i], name) == 0)
			return true;
	return false;
}

/* A `code` in JSON is as a rule that of an error; the one that is secret is known by its value. */
static bool
hides(const cJSON *node, bool tokens)
{
	const char *name = node->string;

	if (name && strcmp(name, "code") != 0 && secret_is_named(name, strlen(name)))
		return true;
	return tokens && json_type(node) == JSON_STRING && !is_harmless(name);
}

static void
write_hidden(struct json_writer *w, const cJSON *node, bool tokens)
{
	enum json_type type = json_type(node);

	if (hides(node, tokens)) {
		json_write_string(w, SECRET_HIDDEN);
		return;
	}
	if (type != JSON_OBJECT && type != JSON_ARRAY) {
		json_write_value(w, node);
		return;
	}
	if (type == JSON_OBJECT)
		json_write_object(w);
	else
		json_write_array(w);
	for (const cJSON *i = json_first(node); i; i = i->next) {
		if (type == JSON_OBJECT)
			json_write_key(w, i->string);
		write_hidden(w, i, tokens);
	}
	if (type == JSON_OBJECT)
		json_write_object_end(w);
	else
		json_write_array_end(w);
}

bool
auth_hide_json(struct buf *out, const char *json, size_t len, bool tokens)
{
	struct json_options options = { .max_depth = 64 };
	struct json_doc *doc = json_parse(json, len, &options, NULL);
	struct buf line = BUF_INIT;
	struct json_writer w;

	if (!doc)
		return false;
	json_write_init(&w, &line);
	write_hidden(&w, json_root(doc), tokens);
	json_doc_destroy(doc);
	doc = json_parse(buf_text(&line), line.len, NULL, NULL);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
	buf_finish(&line);
	return true;
}
