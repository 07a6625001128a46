#include "cues.h"

#include "base/vec.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/recording.h"

#include <stdlib.h>
#include <string.h>

#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

static char *
json_text(const cJSON *node)
{
	struct buf text = BUF_INIT;

	if (!node)
		return NULL;
	json_print(&text, node);
	return buf_detach(&text);
}

const cJSON *
replay_subscription(const struct message *m)
{
	return json_get(json_get(m->params, "_meta"), META_SUBSCRIPTION);
}

/* ---- keys ---- */

static uint64_t
hash_text(uint64_t seed, const char *text)
{
	return hash_bytes(seed, text, strlen(text));
}

/* Of the members but _meta, in any order. */
static uint64_t
hash_params(const cJSON *params)
{
	uint64_t sum = 0;

	if (!cJSON_IsObject(params))
		return params ? json_hash(params) : 0;
	for (const cJSON *child = json_first(params); child; child = child->next)
		if (strcmp(child->string, "_meta") != 0)
			sum += hash_mix(hash_text(1, child->string), json_hash(child));
	return sum;
}

/* Params of a recording without secrets are compared as they are there. */
static uint64_t
hash_redacted(const cJSON *params)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	if (!params)
		return 0;
	json_write_init(&w, &text);
	json_write_redacted(&w, params);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	uint64_t hash = hash_params(doc ? json_root(doc) : NULL);
	json_doc_destroy(doc);
	buf_finish(&text);
	return hash;
}

/* What a request is about: the name of the tool, a URI, a cursor. */
static uint64_t
hash_subject(const cJSON *params)
{
	static const char *const members[] = { "name", "uri", "cursor", "taskId", "ref" };
	uint64_t hash = 0;

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const cJSON *node = json_get(params, members[i]);
		if (node)
			hash = hash_mix(hash_text(hash, members[i]), json_hash(node));
	}
	return hash;
}

/* Clients differ in what they say of themselves. */
static bool
is_handshake(const char *method)
{
	return strcmp(method, "initialize") == 0 || strcmp(method, "server/discover") == 0;
}

static void
set_keys(struct replay_message *m, bool with_secrets)
{
	const cJSON *params = m->m.params;
	uint64_t method = hash_text(m->m.kind == MESSAGE_REQUEST, m->m.method);

	m->like = hash_mix(method, hash_subject(params)) | 1;
	m->exact = method;
	if (!is_handshake(m->m.method))
		m->exact =
		    hash_mix(method, with_secrets ? hash_params(params) : hash_redacted(params));
}

bool
replay_message_read(struct replay_message *m, const char *line, size_t len, bool with_secrets)
{
	*m = (struct replay_message){ .doc = recording_parse(line, len, NULL) };
	if (!m->doc)
		return false;
	message_classify(json_root(m->doc), &m->m);
	m->id = json_text(m->m.id);
	if (m->m.method) {
		m->token = json_text(json_get(json_get(m->m.params, "_meta"), "progressToken"));
		set_keys(m, with_secrets);
	}
	return true;
}

void
replay_message_finish(struct replay_message *m)
{
	free(m->id);
	free(m->token);
	json_doc_destroy(m->doc);
}

/* ---- other values ---- */

/* After a string or a number of a text that was parsed. */
static size_t
value_end(const char *line, size_t len, size_t at)
{
	if (line[at] != '"') {
		while (at < len && !strchr(" \t\r\n,]}", line[at]))
			at++;
		return at;
	}
	for (at++; at < len && line[at] != '"'; at++)
		at += line[at] == '\\';
	return at < len ? at + 1 : len;
}

void
replay_add_changed(struct buf *out, const char *line, size_t len, const cJSON *root,
    const struct replay_value *values)
{
	size_t copied = 0;

	for (; values->node; values++) {
		struct json_position at;
		json_positions(line, len, root, &values->node, 1, &at);
		bool plain = cJSON_IsString(values->node) || cJSON_IsNumber(values->node) ||
			     cJSON_IsNull(values->node);
		if (at.line == 0 || at.offset < copied || !plain)
			continue;
		buf_add(out, line + copied, at.offset - copied);
		buf_add_str(out, values->json);
		copied = value_end(line, len, at.offset);
	}
	buf_add(out, line + copied, len - copied);
}
