/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "auth/flow.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/print.h"
#include "json/write.h"

#include <stdarg.h>
#include <stdio.h>
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

static void
write_hidden(struct json_writer *w, const cJSON *node, bool tokens)
{
	enum json_type type = json_type(node);
	const char *name = node->string;
	bool hidden = tokens && cJSON_IsString(node);

	for (size_t i = 0; name && i < ARRAY_LEN(harmless); i++)
		hidden &= strcmp(harmless[i], name) != 0;
	/* A `code` in JSON is usually an error code; the authorization code is hidden by its
	 * value. */
	if (name && strcmp(name, "code") != 0 && secret_is_named(name, strlen(name)))
		hidden = true;
	if (hidden) {
		json_write_string(w, SECRET_HIDDEN);
		return;
	}
	if (type != JSON_OBJECT && type != JSON_ARRAY) {
		json_write_value(w, node);
		return;
	}
	(type == JSON_OBJECT ? json_write_object : json_write_array)(w);
	for (const cJSON *i = json_first(node); i; i = i->next) {
		if (type == JSON_OBJECT)
			json_write_key(w, i->string);
		write_hidden(w, i, tokens);
	}
	(type == JSON_OBJECT ? json_write_object_end : json_write_array_end)(w);
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

void
auth_secrets_add(struct strings *out, const struct auth_request *request)
{
	static const char prefix[] = "Authorization:";
	const char *body = buf_text(&request->body);

	for (size_t i = 0; i < request->headers.len; i++) {
		if (strncasecmp(request->headers.items[i], prefix, strlen(prefix)) != 0)
			continue;
		const char *scheme = request->headers.items[i] + strlen(prefix);
		scheme += strspn(scheme, " ");
		const char *space = strchr(scheme, ' ');
		strings_add(out, space ? space + 1 : scheme);
	}
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

void
auth_secrets_hide(const struct strings *secrets, struct buf *text)
{
	for (size_t i = 0; i < secrets->len; i++)
		if (strlen(secrets->items[i]) >= MIN_SECRET) {
			/* Verbatim, as in a form, and as in a JSON string. */
			const char *secret = secrets->items[i];
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

struct auth_step *
auth_steps_add(struct auth_steps *s, const char *title, const struct auth_request *request)
{
	struct buf url = BUF_INIT, text = BUF_INIT;

	if (s->len == AUTH_MAX_STEPS) {
		step_finish(&s->items[0]);
		VEC_REMOVE(s, 0);
	}
	if (request)
		secret_hide_url(&url, request->url);
	for (size_t i = 0; request && i < request->headers.len; i++) {
		auth_hide_header(&text, request->headers.items[i]);
		buf_add_char(&text, '\n');
	}
	if (request && request->body.len > 0) {
		buf_add_char(&text, '\n');
		if (request->form)
			auth_hide_form(&text, request->body.data, request->body.len);
		else
			auth_hide_json(&text, request->body.data, request->body.len, false);
	}
	struct auth_step *step = VEC_PUSH(s);
	*step = (struct auth_step){
		.id = ++s->last_id,
		.title = mem_strdup(title),
		.method = request ? mem_strdup(request->method) : NULL,
		.url = request ? buf_detach(&url) : NULL,
		.request = buf_detach(&text),
		.headers = mem_strdup(""),
		.answer = mem_strdup(""),
		.outcome = mem_strdup(""),
		.open = true,
		.took_ms = -1,
	};
	return step;
}

static void
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

/* The only code that sets sentences and adds steps: it removes the secrets. */

void
flow_set_text(char **slot, const char *text)
{
	char *copy = mem_strdup(text);

	free(*slot);
	*slot = copy;
}

void
auth_flow_hide(const struct auth_flow *f, struct buf *text)
{
	char *held[] = { f->token.access, f->token.refresh, f->client.secret, f->given.secret,
		f->verifier };

	for (size_t i = 0; i < ARRAY_LEN(held); i++)
		if (held[i])
			auth_secrets_hide(&(struct strings){ &held[i], 1, 1 }, text);
	auth_secrets_hide(&f->sent, text);
}

void
flow_hide_in_place(const struct auth_flow *f, char **text)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, *text);
	auth_flow_hide(f, &out);
	free(*text);
	*text = buf_detach(&out);
}

/* One line without control characters and secrets. Caller frees. */
static __attribute__((format(printf, 2, 0))) char *
make_line(struct auth_flow *f, const char *format, va_list args)
{
	char text[600];

	vsnprintf(text, sizeof(text), format, args);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	char *line = mem_strdup(text);
	flow_hide_in_place(f, &line);
	return line;
}

void
flow_set(struct auth_flow *f, enum auth_state state, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	free(f->sentence);
	f->sentence = line;
	f->state = state;
	f->generation++;
}

struct auth_step *
flow_open_step(struct auth_flow *f)
{
	struct auth_step *last = f->steps.len > 0 ? &f->steps.items[f->steps.len - 1] : NULL;

	return last && last->open ? last : NULL;
}

void
flow_step_done(struct auth_flow *f, bool ok, const char *format, ...)
{
	struct auth_step *step = flow_open_step(f);
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	if (step)
		auth_step_close(step, ok, line);
	free(line);
	f->generation++;
}

/* Not cut, because it may be a URL. */
void
flow_note(struct auth_flow *f, bool ok, const char *title, const char *outcome)
{
	char *text = mem_strdup(outcome);

	flow_hide_in_place(f, &text);
	auth_step_close(auth_steps_add(&f->steps, title, NULL), ok, text);
	free(text);
	f->generation++;
}

void
flow_fail(struct auth_flow *f, const char *format, ...)
{
	const struct auth_step *last;
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	free(f->sentence);
	f->sentence = line;
	last = f->steps.len > 0 ? &f->steps.items[f->steps.len - 1] : NULL;
	if (flow_open_step(f))
		flow_step_done(f, false, "%s", f->sentence);
	else if (!last || !last->failed)
		flow_note(f, false, "given up", f->sentence);
	auth_request_finish(&f->request);
	f->fetching = FETCHING_NOTHING;
	f->go = false;
	if (!f->challenged && f->token.access) /* an early renewal: the token is still valid */
		flow_set(f, AUTH_AUTHORIZED, "authorized; the token could not be renewed: %.450s",
		    f->sentence);
	else
		f->state = AUTH_FAILED;
	f->generation++;
}

void
flow_fetch(struct auth_flow *f, enum fetching what, const char *title)
{
	f->fetching = what;
	strings_finish(&f->sent);
	auth_secrets_add(&f->sent, &f->request);
	auth_steps_add(&f->steps, title, &f->request);
	flow_set(f, AUTH_WORKING, "%s: %s %.300s", title, f->request.method, f->request.url);
}

/* ---- responses ---- */

#define EXCERPT 120

/* Caller frees; NULL: no such header. */
static char *
find_header(const struct auth_answer *a, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = a->headers ? a->headers : ""; *at; at += *at == '\n') {
		size_t line = strcspn(at, "\n");
		if (line > len && at[len] == ':' && strncasecmp(at, name, len) == 0) {
			const char *value = at + len + 1 + strspn(at + len + 1, " ");
			return mem_strndup(value, (size_t)(at + line - value));
		}
		at += line;
	}
	return NULL;
}

/* "text/html", without parameters; "": none. */
static char *
media_type(const struct auth_answer *a)
{
	char *type = find_header(a, "Content-Type");

	if (!type)
		return mem_strdup("");
	type[strcspn(type, "; ")] = '\0';
	return type;
}

/* False: it is none. */
static bool
add_redirect(struct buf *out, const struct auth_answer *a)
{
	if (a->status < 300 || a->status >= 400 || a->status == 304)
		return false;
	char *location = find_header(a, "Location");
	struct buf to = BUF_INIT;
	if (location)
		secret_hide_url(&to, location);
	buf_addf(out, "a redirect%s%.120s, which is not followed", location ? " to " : "",
	    buf_text(&to));
	buf_finish(&to);
	free(location);
	return true;
}

/* Why it is not a JSON object. */
static void
add_why_not_json(struct buf *out, const struct auth_answer *a)
{
	struct json_options options = { .max_depth = 64 };
	struct json_error error = { 0 };
	struct json_doc *doc = json_parse(a->body ? a->body : "", a->len, &options, &error);
	char *type = media_type(a);

	if (a->len == 0)
		buf_add_str(out, "an empty body");
	else if (doc)
		buf_add_str(out, "not a JSON object");
	else if (type[0] && strcasecmp(type, "application/json") != 0)
		buf_addf(out, "%.60s, not JSON", type);
	else
		buf_addf(
		    out, "not JSON: line %u, column %u: %s", error.line, error.column, error.text);
	json_doc_destroy(doc);
	free(type);
}

void
flow_add_no_document(struct buf *out, const struct auth_answer *a)
{
	if (add_redirect(out, a))
		return;
	if (a->status == 0)
		buf_add_str(out, a->error ? a->error : "no answer");
	else if (a->status >= 200 && a->status < 300)
		add_why_not_json(out, a);
	else if (a->status == 401 || a->status == 403)
		buf_add_str(out, "metadata must be public");
	else if (a->status >= 500)
		buf_add_str(out, "the server has an error");
	else
		buf_add_str(out, "not here");
}

/* The beginning of an unexpected body, on one line. */
static void
add_excerpt(struct buf *out, const char *text, const char *type)
{
	size_t from = out->len;

	if (strcasecmp(type, "text/html") == 0 || text[0] == '<') {
		buf_add_str(out, ", an HTML page");
		return;
	}
	text += strspn(text, " \t\r\n");
	if (text[0] == '\0')
		return;
	buf_add_str(out, ": ");
	while (*text && out->len - from < EXCERPT) {
		size_t space = strspn(text, " \t\r\n");
		buf_add_char(out, space ? ' ' : *text);
		text += space ? space : 1;
	}
	buf_add_str(out, *text ? "…" : "");
}

void
flow_add_refusal(const struct auth_flow *f, struct buf *out, const struct auth_answer *a)
{
	struct buf body = BUF_INIT;
	char *type = media_type(a);

	buf_add_str(&body, a->body ? a->body : "");
	auth_flow_hide(f, &body);
	size_t from = out->len;
	buf_addf(out, "%d ", a->status);
	size_t bare = out->len;
	if (!add_redirect(out, a)) {
		auth_error_words(out, buf_text(&body), body.len);
		if (out->len == bare) {
			buf_truncate(out, bare - 1);
			add_excerpt(out, buf_text(&body), type);
		}
	}
	for (size_t i = from; i < out->len; i++)
		if ((unsigned char)out->data[i] < ' ' || out->data[i] == 127)
			out->data[i] = ' ';
	buf_finish(&body);
	free(type);
}

void
flow_record_answer(struct auth_flow *f, const struct auth_answer *a)
{
	struct auth_step *step = flow_open_step(f);
	bool secret = f->fetching >= FETCHING_REGISTRATION;
	bool tokens = f->fetching >= FETCHING_TOKEN && a->status < 400;
	struct buf headers = BUF_INIT, text = BUF_INIT;

	BUG_IF(!step);
	step->status = a->status;
	step->took_ms = a->took_ms;
	for (const char *at = a->headers ? a->headers : ""; *at; at += *at == '\n') {
		size_t len = strcspn(at, "\n");
		char *line = mem_strndup(at, len);
		auth_hide_header(&headers, line);
		buf_add_char(&headers, '\n');
		free(line);
		at += len;
	}
	auth_flow_hide(f, &headers);
	free(step->headers);
	step->headers = buf_detach(&headers);
	if (!auth_hide_json(&text, a->body ? a->body : "", a->len, tokens)) {
		/* A body that is not JSON: verbatim if it is an error; if it may hold secrets, only
		 * the parts that are certainly not secret. */
		char *type = media_type(a);
		bool form = strcasecmp(type, "application/x-www-form-urlencoded") == 0;
		if (!secret || a->status < 200 || a->status > 299)
			buf_add_str(&text, a->body ? a->body : "");
		else if (form)
			auth_hide_form(&text, a->body, a->len);
		else if (a->len > 0)
			buf_addf(&text, "%zu bytes that are not JSON " SECRET_HIDDEN, a->len);
		free(type);
	}
	auth_flow_hide(f, &text);
	size_t rest = text.len > AUTH_STEP_BODY ? text.len - AUTH_STEP_BODY : 0;
	if (rest > 0) {
		buf_truncate(&text, AUTH_STEP_BODY);
		buf_addf(&text, "\n… and %zu bytes more", rest);
	}
	free(step->answer);
	step->answer = buf_detach(&text);
}
