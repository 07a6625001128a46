/* SPDX-License-Identifier: MIT */
#include "client/server/server.h"

#include "auth/auth_url.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "client/question.h"
#include "form/sample.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/session.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- links ---- */

static void
warn(struct link *l, const char *text)
{
	if (l->warning_count < LINK_WARNINGS)
		l->warnings[l->warning_count++] = text;
}

enum script { SCRIPT_LATIN = 1, SCRIPT_GREEK = 2, SCRIPT_CYRILLIC = 4, SCRIPT_OTHER = 8 };

static void
inspect_host(struct link *l, const char *host, size_t len)
{
	unsigned scripts = 0;
	bool foreign = false;
	uint32_t c;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(host + i, len - i, &c);
		bool letter = n > 0 && (c >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
		if (letter)
			scripts |= c < 0x250                 ? SCRIPT_LATIN
				   : c >= 0x370 && c < 0x400 ? SCRIPT_GREEK
				   : c >= 0x400 && c < 0x530 ? SCRIPT_CYRILLIC
							     : SCRIPT_OTHER;
		foreign = foreign || (unsigned char)host[i] >= 0x80;
		i += n > 0 ? n : 1;
	}
	if (scripts & (scripts - 1))
		warn(l, "the host mixes scripts: letters may only look like others");
	else if (foreign)
		warn(l, "the host is not plain ASCII: letters may only look like others");
	for (size_t i = 0; i + 4 <= len; i++)
		if ((i == 0 || host[i - 1] == '.') && strncasecmp(host + i, "xn--", 4) == 0) {
			warn(l, "the host is punycode (xn--): browsers may show other letters");
			break;
		}
}

void
link_inspect(struct link *l, const char *url)
{
	struct err err = { "" };
	struct url u;

	*l = (struct link){ 0 };
	url_split(&u, url, strlen(url));
	if (u.scheme.at) {
		l->host = (size_t)(u.host.at - url);
		l->host_len = u.host.len;
		if (u.user.at)
			warn(l, "the part before the @ is a user name, not the host");
		inspect_host(l, u.host.at, u.host.len);
	}
	if (strchr(url, '\\'))
		warn(l, "it contains a backslash: programs disagree on where the host ends");
	for (const char *c = url; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f) {
			warn(l, "it contains white space or a control character");
			break;
		}
	l->openable = auth_url_is_safe(url, &err);
	if (!l->openable)
		snprintf(l->refusal, sizeof(l->refusal), "%.150s", err.text);
}

const char *const question_kind_names[] = {
	[QUESTION_FORM] = "form",
	[QUESTION_URL] = "URL",
	[QUESTION_SAMPLING] = "sampling",
	[QUESTION_ROOTS] = "roots",
};

struct question *
question_create(uint64_t id, const struct session_question *asked, int64_t now_us)
{
	struct question *q = mem_zalloc(sizeof(*q));

	q->id = id;
	q->session = asked->id;
	q->method = asked->method;
	q->key = mem_strdup(asked->key);
	q->sends_again = asked->sends_again;
	q->asked_us = now_us;
	q->doc = json_copy(asked->params);
	elicitation_decode(&q->elicitation, json_root(q->doc));
	sampling_decode(&q->sampling, json_root(q->doc));
	q->kind = strcmp(q->method, "sampling/createMessage") == 0 ? QUESTION_SAMPLING
		  : strcmp(q->method, "roots/list") == 0           ? QUESTION_ROOTS
		  : q->elicitation.mode == ELICITATION_URL         ? QUESTION_URL
								   : QUESTION_FORM;
	if (q->kind == QUESTION_FORM)
		q->form = form_create(q->doc, q->elicitation.schema, FORM_DEFAULTS_SENT);
	else if (q->kind == QUESTION_URL)
		link_inspect(&q->link, q->elicitation.url);
	return q;
}

void
question_destroy(struct question *q)
{
	if (!q)
		return;
	form_destroy(q->form);
	json_doc_destroy(q->doc);
	free(q->key);
	free(q->request);
	free(q->draft);
	free(q->trouble);
	free(q);
}

void
question_set(char **text, const char *bytes, size_t len)
{
	char *copy = bytes ? mem_strndup(bytes, len) : NULL;

	free(*text);
	*text = copy;
}

void
question_request(const struct question *q, struct buf *out)
{
	if (q->request)
		buf_add_str(out, q->request);
	else if (q->doc)
		json_print_pretty(out, json_root(q->doc), 2);
	else
		buf_add_str(out, "{}");
}

/* ---- results ---- */

void
question_accept_form(const struct question *q, struct buf *out)
{
	struct buf content = BUF_INIT;

	form_adapt(q->form);
	form_to_json(q->form, &content);
	buf_addf(out, "{\"action\":\"accept\",\"content\":%s}", buf_text(&content));
	buf_finish(&content);
}

void
question_accept_unseen(const struct question *q, bool guesses, struct buf *out, struct buf *missing)
{
	const cJSON *properties = json_get(q->elicitation.schema, "properties");
	const cJSON *required = json_get(q->elicitation.schema, "required");
	struct form *form = form_create(q->doc, q->elicitation.schema, FORM_DEFAULTS_SENT);
	struct buf content = BUF_INIT, value = BUF_INIT;

	for (const cJSON *r = json_first(required); r; r = r->next) {
		const char *name = cJSON_GetStringValue(r);
		struct field *field = name ? form_find(form, name) : NULL;
		if (!field || field_view(field).filled || field_view(field).state == FIELD_NULL)
			continue;
		buf_clear(&value);
		sample_add(&value, json_get(properties, name));
		if (guesses)
			form_set_json(form, name, buf_text(&value), NULL);
		else
			buf_addf(missing, "%s%s", missing->len > 0 ? ", " : "", name);
	}
	if (missing->len == 0) {
		form_to_json(form, &content);
		buf_addf(out, "{\"action\":\"accept\",\"content\":%s}", buf_text(&content));
	}
	buf_finish(&content);
	buf_finish(&value);
	form_destroy(form);
}

void
question_sampling_result(const char *text, size_t len, struct buf *out)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	const cJSON *content = json_get(json_root(doc), "content");
	const cJSON *given = content ? json_root(doc) : NULL;
	bool tool = false;
	struct json_writer w;

	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		const char *type = json_get_string(b, "type");
		tool |= type && strcmp(type, "tool_use") == 0;
	}
	json_write_init(&w, out);
	json_write_object(&w);
	if (!json_get(given, "role"))
		json_write_member_string(&w, "role", "assistant");
	if (!given) {
		json_write_member_object(&w, "content");
		json_write_member_string(&w, "type", "text");
		json_write_key(&w, "text");
		json_write_stringn(&w, text, len);
		json_write_object_end(&w);
	}
	if (!json_get(given, "model"))
		json_write_member_string(&w, "model", "by-hand");
	if (!json_get(given, "stopReason"))
		json_write_member_string(&w, "stopReason", tool ? "toolUse" : "endTurn");
	for (const cJSON *m = json_first(given); m; m = m->next)
		json_write_member_value(&w, m->string, m);
	json_write_object_end(&w);
	json_doc_destroy(doc);
}

const char *
question_sampling_flaw(const struct question *q, const struct buf *result)
{
	struct json_doc *doc = json_parse(buf_text(result), result->len, NULL, NULL);
	const char *flaw = doc ? sampling_result_flaw(&q->sampling, json_root(doc)) : "not JSON";

	json_doc_destroy(doc);
	return flaw;
}

static const char scheme[] = "file://";

const char *
roots_uri_flaw(const char *uri)
{
	if (strncmp(uri, scheme, sizeof(scheme) - 1) != 0)
		return "it is not a file:// URI";
	const char *path = uri + sizeof(scheme) - 1;
	if (*path != '/')
		return "it names a host";
	if (strpbrk(path, "?#"))
		return "it has a query or fragment";
	/* Dot segments, escaped or not, lead to another folder. */
	size_t segment = 0, dots = 0;
	while (*path) {
		int c = *path == '%' ? hex_number(path + 1, 2) : (unsigned char)*path;
		if (c < 0)
			return "it contains a broken % escape";
		path += *path == '%' ? 3 : 1;
		if (c < 0x20 || c == 0x7f)
			return "it contains a control character";
		if (c == '/') {
			if (segment == dots && (dots == 1 || dots == 2))
				return "it contains a . or .. segment";
			segment = dots = 0;
			continue;
		}
		segment++;
		dots += c == '.';
	}
	return segment == dots && (dots == 1 || dots == 2) ? "it contains a . or .. segment" : NULL;
}

static char *
to_uri(const char *path_or_uri)
{
	struct buf out = BUF_INIT;

	if (*path_or_uri != '/')
		return mem_strdup(path_or_uri);
	buf_add_str(&out, scheme);
	percent_encode(&out, path_or_uri, "/-._~!$&'()*+,;=:@");
	while (out.len > sizeof(scheme) && out.data[out.len - 1] == '/')
		buf_truncate(&out, out.len - 1);
	return buf_detach(&out);
}

bool
roots_add(struct strings *r, const char *path_or_uri, struct err *err)
{
	char *uri = to_uri(path_or_uri);
	const char *flaw = roots_uri_flaw(uri);

	if (flaw) {
		err_set(err, "%.150s: %s", path_or_uri, flaw);
		free(uri);
		return false;
	}
	if (strings_have(r, uri))
		free(uri);
	else
		strings_take(r, uri);
	return true;
}

bool
roots_remove(struct strings *r, const char *path_or_uri)
{
	char *uri = to_uri(path_or_uri);
	size_t at = strings_index(r, uri);

	free(uri);
	if (at == r->len)
		return false;
	strings_remove(r, at);
	return true;
}

void
roots_result(const struct strings *r, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "roots");
	for (size_t i = 0; i < r->len; i++) {
		const char *slash = strrchr(r->items[i], '/');
		json_write_object(&w);
		json_write_member_string(&w, "uri", r->items[i]);
		if (slash && slash[1])
			json_write_member_string(&w, "name", slash + 1);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

static const char declined[] = "{\"action\":\"decline\"}";
static const char cancelled[] = "{\"action\":\"cancel\"}";
static const char no_roots[] = "{\"roots\":[]}";

struct question *
server_find_question(const struct server *s, uint64_t id)
{
	for (size_t i = 0; i < s->info.questions.len; i++)
		if (s->info.questions.items[i]->id == id)
			return s->info.questions.items[i];
	return NULL;
}

const char *
server_question_end(const struct server *s, uint64_t id)
{
	return id != 0 && id == s->questions.ended ? s->questions.end : NULL;
}

static void
note(struct server *s, const struct question *q, const char *text)
{
	const struct session_server_request news = { .method = q->method, .answer = text };

	server_note_request(s, q->call, &news);
}

void
server_note_question(struct server *s, uint64_t question, const char *text, int64_t now_us)
{
	const struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (q)
		note(s, q, text);
}

static void
remove_question(struct server *s, struct question *q)
{
	for (size_t i = 0; i < s->info.questions.len; i++)
		if (s->info.questions.items[i] == q) {
			VEC_REMOVE(&s->info.questions, i);
			break;
		}
	question_destroy(q);
	s->generation++;
}

/* ---- answers ---- */

bool
server_answer(
    struct server *s, uint64_t question, const char *result_json, size_t len, int64_t now_us)
{
	struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (!q)
		return false;
	uint64_t session = q->session;
	remove_question(s, q);
	return session_answer(s->session, session, result_json, len, server_now_ms(s));
}

bool
server_decline(struct server *s, uint64_t question, bool dismissed, int64_t now_us)
{
	struct question *q = server_find_question(s, question);
	const char *answer = dismissed ? cancelled : declined;

	s->now_us = now_us;
	if (!q)
		return false;
	if (q->kind == QUESTION_ROOTS && !dismissed)
		answer = no_roots;
	else if (q->kind == QUESTION_SAMPLING || q->kind == QUESTION_ROOTS) {
		uint64_t session = q->session;
		remove_question(s, q);
		return session_refuse(s->session, session, -1,
		    dismissed ? "The user dismissed the request" : "User rejected sampling request",
		    server_now_ms(s));
	}
	return server_answer(s, question, answer, strlen(answer), now_us);
}

/* ---- roots ---- */

static struct question *
find_roots_question(const struct server *s)
{
	for (size_t i = 0; i < s->info.questions.len; i++)
		if (s->info.questions.items[i]->kind == QUESTION_ROOTS)
			return s->info.questions.items[i];
	return NULL;
}

bool
server_change_root(
    struct server *s, const char *path_or_uri, bool add, int64_t now_us, struct err *err)
{
	struct strings *roots = &s->questions.roots;
	size_t before = roots->len;
	bool ok = add ? roots_add(roots, path_or_uri, err)
		      : roots_remove(roots, path_or_uri) ||
			    err_set(err, "%.200s is not a root", path_or_uri);

	if (roots->len == before)
		return ok;
	s->now_us = now_us;
	s->generation++;
	/* While the first roots/list waits for consent, no notification is needed, because the
	 * answer has the change. */
	if (s->session && !find_roots_question(s))
		session_roots_changed(s->session, server_now_ms(s));
	return true;
}

static bool
answer_roots(struct server *s, uint64_t session)
{
	struct buf result = BUF_INIT;

	roots_result(&s->questions.roots, &result);
	bool ok =
	    session_answer(s->session, session, buf_text(&result), result.len, server_now_ms(s));
	buf_finish(&result);
	return ok;
}

bool
server_consent_to_roots(struct server *s, uint64_t question, int64_t now_us)
{
	struct question *q = server_find_question(s, question);
	bool ok = question == 0 || (q && q->kind == QUESTION_ROOTS);

	s->now_us = now_us;
	s->questions.roots_allowed = s->questions.roots_allowed || ok;
	while (ok && (q = find_roots_question(s))) {
		uint64_t session = q->session;
		remove_question(s, q);
		ok = answer_roots(s, session);
	}
	return ok;
}

/* ---- incoming requests ---- */

/* The content is sent anyway: its author may test the reaction of the server. */
static void
check_content(struct server *s, struct question *q, const char *content)
{
	struct buf pointer = BUF_INIT;

	if (!q->form || !form_load_json(q->form, content, strlen(content), NULL) ||
	    form_check(q->form) == 0)
		return;
	const struct field *first = field_first_problem(form_view(q->form).root);
	field_pointer(first, &pointer);
	char *text = mem_printf("the answer breaks the requestedSchema: %s%s%s",
	    pointer.len ? buf_text(&pointer) : "", pointer.len ? ": " : "",
	    field_view(first).problem);
	note(s, q, text);
	free(text);
	buf_finish(&pointer);
}

static void
answer_elicitation(struct server *s, struct question *q)
{
	const struct answer_policy *policy = &s->options.answers;
	struct buf result = BUF_INIT;

	if (policy->elicit == ANSWER_CANCEL)
		buf_add_str(&result, cancelled);
	else if (policy->elicit == ANSWER_DECLINE || q->kind == QUESTION_URL)
		buf_add_str(&result, declined); /* no user can visit it */
	else if (policy->content) {
		check_content(s, q, policy->content);
		buf_addf(&result, "{\"action\":\"accept\",\"content\":%s}", policy->content);
	} else {
		struct buf missing = BUF_INIT;
		question_accept_unseen(
		    q, s->options.answers.elicit == ANSWER_GUESS, &result, &missing);
		if (missing.len > 0) {
			char *text =
			    mem_printf("declined: the form requires %s, without a default; "
				       "--elicit JSON gives the content",
				buf_text(&missing));
			note(s, q, text);
			free(text);
			buf_add_str(&result, declined);
		}
		buf_finish(&missing);
	}
	session_answer(s->session, q->session, buf_text(&result), result.len, server_now_ms(s));
	buf_finish(&result);
}

/* Answer without the user, if possible; false if the question waits. */
static bool
answer_at_once(struct server *s, struct question *q)
{
	const struct answer_policy *policy = &s->options.answers;

	if (q->kind == QUESTION_ROOTS && (s->questions.roots_allowed || policy->unseen))
		return answer_roots(s, q->session);
	if (q->kind == QUESTION_ROOTS && (s->questions.roots.len == 0 && server_running(s) == 0)) {
		server_note(s, "roots/list: answered without any; :root add FOLDER sends a folder");
		return answer_roots(s, q->session);
	}
	if (!policy->unseen)
		return false;
	bool elicits = q->kind == QUESTION_FORM || q->kind == QUESTION_URL;
	if (elicits && policy->elicit_later)
		return false;
	if (elicits)
		answer_elicitation(s, q);
	else if (policy->sampling) {
		const char *text = s->options.answers.sampling;
		struct buf result = BUF_INIT;
		question_sampling_result(text, strlen(text), &result);
		const char *flaw = question_sampling_flaw(q, &result);
		if (flaw)
			note(s, q, flaw);
		session_answer(
		    s->session, q->session, buf_text(&result), result.len, server_now_ms(s));
		buf_finish(&result);
	} else if (policy->sampling_later)
		return false;
	else
		session_refuse(
		    s->session, q->session, -1, "User rejected sampling request", server_now_ms(s));
	return true;
}

bool
server_on_question(struct server *s, const struct session_question *asked, uint64_t call)
{
	struct question *q = question_create(++s->questions.last, asked, s->now_us);
	const char *canned = s->options.answers.sampling;

	q->call = call;
	s->generation++;
	if (answer_at_once(s, q)) {
		question_destroy(q);
		return true;
	}
	if (q->kind == QUESTION_SAMPLING && canned)
		question_set(&q->draft, canned, strlen(canned));
	*VEC_PUSH(&s->info.questions) = q;
	return true;
}

void
server_on_question_gone(void *server, uint64_t session, const char *why)
{
	struct server *s = server;

	for (size_t i = 0; i < s->info.questions.len; i++)
		if (s->info.questions.items[i]->session == session) {
			s->questions.ended = s->info.questions.items[i]->id;
			question_set(&s->questions.end, why, strlen(why));
			remove_question(s, s->info.questions.items[i]);
			return;
		}
}

/* notifications/elicitation/complete (2025-11-25): the opened URL is done. An unknown id is
 * ignored. */
void
server_on_elicited(struct server *s, const cJSON *params)
{
	static const char accepted[] = "{\"action\":\"accept\"}";
	const char *id = json_get_string(params, "elicitationId");

	for (size_t i = 0; id && i < s->info.questions.len; i++) {
		struct question *q = s->info.questions.items[i];
		if (q->kind != QUESTION_URL || !q->elicitation.elicitation_id ||
		    strcmp(q->elicitation.elicitation_id, id) != 0)
			continue;
		q->completed = true;
		s->generation++;
		if (q->opened && q->sends_again)
			server_answer(s, q->id, accepted, strlen(accepted), s->now_us);
		return;
	}
	server_note(s, "the server says that the elicitation %.60s is complete",
	    id ? id : "(without an id)");
}
