#include "auth/step.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/url_text.h"
#include "base/vec.h"
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

	for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
		if (strncasecmp(header, hidden[i], strlen(hidden[i])) == 0) {
			buf_addf(out, "%s " SECRET_HIDDEN, hidden[i]);
			return;
		}
	}
	secret_hide_url(out, header); /* such as Location */
}

/* The members of a token response that are not secret; any other may be a token. */
static const char *const harmless[] = { "token_type", "expires_in", "scope", "error",
	"error_description", "error_uri", "iss" };

static bool
is_harmless(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++)
		if (name && strcmp(harmless[i], name) == 0)
			return true;
	return false;
}

/* A `code` in JSON is usually an error code; the authorization code is hidden by its value. */
static bool
hides(const cJSON *node, bool tokens)
{
	const char *name = node->string;

	if (name && strcmp(name, "code") != 0 && secret_is_named(name, strlen(name)))
		return true;
	return tokens && cJSON_IsString(node) && !is_harmless(name);
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

/* Shorter strings are not secrets and may be part of any word. */
#define MIN_SECRET 8

static void
add_header(struct strings *out, const char *header)
{
	static const char name[] = "Authorization:";

	if (strncasecmp(header, name, strlen(name)) != 0)
		return;
	const char *scheme = header + strlen(name) + strspn(header + strlen(name), " ");
	const char *space = strchr(scheme, ' ');
	strings_add(out, space ? space + 1 : scheme);
}

void
auth_secrets_add(struct strings *out, const struct auth_request *request)
{
	const char *body = buf_text(&request->body);

	for (size_t i = 0; i < request->headers.len; i++)
		add_header(out, request->headers.items[i]);
	while (request->form && *body) {
		size_t member = strcspn(body, "&"), name = strcspn(body, "=&");
		if (body[name] == '=' && secret_is_named(body, name)) {
			char *key = mem_strndup(body, name);
			char *value = auth_form_get(body, member, key, NULL);
			if (value)
				strings_take(out, value);
			free(key);
		}
		body += member;
		body += *body == '&';
	}
}

/* Verbatim, as in a form, and as in a JSON string. */
static void
hide_one(struct buf *text, const char *secret)
{
	struct buf form = BUF_INIT, json = BUF_INIT;
	struct json_writer w;

	percent_encode(&form, secret, "-._~");
	json_write_init(&w, &json);
	json_write_string(&w, secret);
	buf_truncate(&json, json.len - 1); /* its quotes */
	buf_replace(text, secret, SECRET_HIDDEN);
	buf_replace(text, buf_text(&form), SECRET_HIDDEN);
	buf_replace(text, buf_text(&json) + 1, SECRET_HIDDEN);
	buf_finish(&form);
	buf_finish(&json);
}

void
auth_secrets_hide(const struct strings *secrets, struct buf *text)
{
	for (size_t i = 0; i < secrets->len; i++)
		if (strlen(secrets->items[i]) >= MIN_SECRET)
			hide_one(text, secrets->items[i]);
}

static void
step_finish(struct auth_step *s)
{
	free(s->title);
	free(s->method);
	free(s->url);
	free(s->request);
	free(s->headers);
	free(s->answer);
	free(s->outcome);
}

void
auth_steps_finish(struct auth_steps *s)
{
	for (size_t i = 0; i < s->len; i++)
		step_finish(&s->items[i]);
	free(s->items);
	*s = (struct auth_steps){ 0 };
}

static char *
request_text(const struct auth_request *request)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; request && i < request->headers.len; i++) {
		auth_hide_header(&out, request->headers.items[i]);
		buf_add_char(&out, '\n');
	}
	if (request && request->body.len > 0) {
		buf_add_char(&out, '\n');
		if (request->form)
			auth_hide_form(&out, request->body.data, request->body.len);
		else
			auth_hide_json(&out, request->body.data, request->body.len, false);
	}
	return buf_detach(&out);
}

struct auth_step *
auth_steps_add(struct auth_steps *s, const char *title, const struct auth_request *request)
{
	struct buf url = BUF_INIT;

	if (s->len == AUTH_MAX_STEPS) {
		step_finish(&s->items[0]);
		VEC_REMOVE(s, 0);
	}
	if (request)
		secret_hide_url(&url, request->url);
	struct auth_step *step = VEC_PUSH(s);
	*step = (struct auth_step){
		.id = ++s->last_id,
		.title = mem_strdup(title),
		.method = request ? mem_strdup(request->method) : NULL,
		.url = request ? buf_detach(&url) : NULL,
		.request = request_text(request),
		.headers = mem_strdup(""),
		.answer = mem_strdup(""),
		.outcome = mem_strdup(""),
		.open = true,
		.took_ms = -1,
	};
	return step;
}

void
auth_step_close(struct auth_step *step, bool ok, const char *outcome)
{
	step->open = false;
	step->failed = !ok;
	free(step->outcome);
	step->outcome = mem_strdup(outcome);
}

void
auth_step_add_line(struct buf *out, const struct auth_step *step)
{
	size_t from = out->len;

	buf_add_str(out, step->title);
	if (step->method)
		buf_addf(out, ": %s %s", step->method, step->url);
	if (step->status)
		buf_addf(out, ": %d", step->status);
	if (step->outcome[0])
		buf_addf(out, ": %s", step->outcome);
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '\n')
			out->data[i] = ' ';
}
