
#include "auth/url.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "form/sample.h"
#include "json/print.h"
#include "json/write.h"
#include "client/question.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void
warn(struct link *l, const char *text)
{
	if (l->warning_count < LINK_WARNINGS)
		l->warnings[l->warning_count++] = text;
}

/* The authority without userinfo and port: RFC 3986 section 3.2. */
static void
find_host(struct link *l, const char *url)
{
	const char *start = strstr(url, "://");

	if (!start)
		return;
	start += 3;
	const char *end = start + strcspn(start, "/?#");
	for (const char *at = start; at < end; at++)
		if (*at == '@') {
			start = at + 1;
			if (l->warning_count == 0)
				warn(l, "the part before the @ is a user name, not the host");
		}
	const char *stop = *start == '[' ? strchr(start, ']') : NULL;
	if (stop && stop < end)
		stop++;
	else
		stop = memchr(start, ':', (size_t)(end - start));
	l->host = (size_t)(start - url);
	l->host_len = (size_t)((stop ? stop : end) - start);
}

enum script { SCRIPT_LATIN = 1, SCRIPT_GREEK = 2, SCRIPT_CYRILLIC = 4, SCRIPT_OTHER = 8 };

static unsigned
script_of(uint32_t c)
{
	if (c < 0x80)
		return (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? SCRIPT_LATIN : 0;
	if (c < 0x250)
		return SCRIPT_LATIN;
	if (c >= 0x370 && c < 0x400)
		return SCRIPT_GREEK;
	return c >= 0x400 && c < 0x530 ? SCRIPT_CYRILLIC : SCRIPT_OTHER;
}

static bool
has_label(const char *host, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	for (size_t i = 0; i + n <= len; i++)
		if ((i == 0 || host[i - 1] == '.') && strncasecmp(host + i, prefix, n) == 0)
			return true;
	return false;
}

static void
inspect_host(struct link *l, const char *host, size_t len)
{
	unsigned scripts = 0;
	bool foreign = false;
	uint32_t c;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(host + i, len - i, &c);
		if (n > 0)
			scripts |= script_of(c);
		foreign = foreign || (unsigned char)host[i] >= 0x80;
		i += n > 0 ? n : 1;
	}
	if (scripts & (scripts - 1))
		warn(l, "the host mixes scripts: letters may only look like others");
	else if (foreign)
		warn(l, "the host is not plain ASCII: letters may only look like others");
	if (has_label(host, len, "xn--"))
		warn(l, "the host is punycode (xn--): browsers may show other letters");
}

void
link_inspect(struct link *l, const char *url)
{
	struct err err = { "" };

	*l = (struct link){ 0 };
	find_host(l, url);
	inspect_host(l, url + l->host, l->host_len);
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

const char *
question_kind_name(enum question_kind kind)
{
	static const char *const names[] = {
		[QUESTION_FORM] = "form",
		[QUESTION_URL] = "URL",
		[QUESTION_SAMPLING] = "sampling",
		[QUESTION_ROOTS] = "roots",
	};

	return names[kind];
}

static enum question_kind
kind_of(const char *method, const struct elicitation *e)
{
	if (strcmp(method, "sampling/createMessage") == 0)
		return QUESTION_SAMPLING;
	if (strcmp(method, "roots/list") == 0)
		return QUESTION_ROOTS;
	return e->mode == ELICITATION_URL ? QUESTION_URL : QUESTION_FORM;
}

static struct json_doc *
copy_tree(const cJSON *tree)
{
	struct buf text = BUF_INIT;

	if (!tree)
		return NULL;
	json_print(&text, tree);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	return doc;
}

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
	q->doc = copy_tree(asked->params);
	const cJSON *params = q->doc ? json_root(q->doc) : NULL;
	elicitation_decode(&q->elicitation, params);
	sampling_decode(&q->sampling, params);
	q->kind = kind_of(q->method, &q->elicitation);
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

static void
accept_with(struct buf *out, const char *content, size_t len)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "action", "accept");
	json_write_key(&w, "content");
	json_write_raw(&w, content, len);
	json_write_object_end(&w);
}

void
question_accept_form(const struct question *q, struct buf *out)
{
	struct buf content = BUF_INIT;

	form_adapt(q->form);
	form_to_json(q->form, &content);
	accept_with(out, buf_text(&content), content.len);
	buf_finish(&content);
}

void
question_accept_unseen(
    const struct question *q, bool guesses, struct buf *out, struct buf *missing)
{
	const cJSON *properties = json_get(q->elicitation.schema, "properties");
	const cJSON *required = json_get(q->elicitation.schema, "required");
	struct form *form = form_create(q->doc, q->elicitation.schema, FORM_DEFAULTS_SENT);
	struct buf content = BUF_INIT, value = BUF_INIT;

	for (const cJSON *r = json_first(required); r; r = r->next) {
		const char *name = json_string(r);
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
		accept_with(out, buf_text(&content), content.len);
	}
	buf_finish(&content);
	buf_finish(&value);
	form_destroy(form);
}

static bool
uses_tool(const cJSON *content)
{
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		const char *type = json_get_string(b, "type");
		if (type && strcmp(type, "tool_use") == 0)
			return true;
	}
	return false;
}

static void
complete_result(const cJSON *given, struct buf *out)
{
	bool tool = uses_tool(json_get(given, "content"));
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (!json_get(given, "role"))
		json_write_member_string(&w, "role", "assistant");
	if (!json_get(given, "model"))
		json_write_member_string(&w, "model", "by-hand");
	if (!json_get(given, "stopReason"))
		json_write_member_string(&w, "stopReason", tool ? "toolUse" : "endTurn");
	for (const cJSON *m = json_first(given); m; m = m->next) {
		json_write_member_value(&w, m->string, m);
	}
	json_write_object_end(&w);
}

void
question_sampling_result(const char *text, size_t len, struct buf *out)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	struct json_writer w;

	if (doc && json_get(json_root(doc), "content")) {
		complete_result(json_root(doc), out);
		json_doc_destroy(doc);
		return;
	}
	json_doc_destroy(doc);
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "role", "assistant");
	json_write_member_object(&w, "content");
	json_write_member_string(&w, "type", "text");
	json_write_key(&w, "text");
	json_write_stringn(&w, text, len);
	json_write_object_end(&w);
	json_write_member_string(&w, "model", "by-hand");
	json_write_member_string(&w, "stopReason", "endTurn");
	json_write_object_end(&w);
}

const char *
question_sampling_flaw(const struct question *q, const struct buf *result)
{
	struct json_doc *doc = json_parse(buf_text(result), result->len, NULL, NULL);
	const char *flaw = doc ? sampling_result_flaw(&q->sampling, json_root(doc)) : "not JSON";

	json_doc_destroy(doc);
	return flaw;
}
