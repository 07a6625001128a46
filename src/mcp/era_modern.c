#include "era_priv.h"

#include "capabilities_priv.h"

#include <string.h>

/* 2026-07-28: no session; every request claims its version, and results say what they are. */

void
era_write_client_info(const struct session *s, struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_object(w);
	json_write_member_string(w, "name", s->client_name);
	json_write_member_string(w, "version", s->client_version);
	json_write_object_end(w);
}

void
era_write_claim(const struct session *s, struct json_writer *meta)
{
	json_write_member_string(meta, META_VERSION, MODERN_VERSION);
	json_write_key(meta, META_CAPABILITIES);
	capabilities_write(&s->can, meta, true);
	era_write_client_info(s, meta, META_CLIENT);
}

static void
write_handshake(const struct session *s, struct json_writer *params)
{
	(void)s;
	(void)params;
}

static const char *
handshake_flaw(const cJSON *result)
{
	if (json_type(result) != JSON_OBJECT)
		return "the result of server/discover is not an object";
	for (const cJSON *v = json_first(json_get(result, "supportedVersions")); v; v = v->next)
		if (json_string(v) && strcmp(json_string(v), MODERN_VERSION) == 0)
			return NULL;
	return "supportedVersions does not name " MODERN_VERSION;
}

static void
read_hello(struct session *s, const cJSON *result)
{
	text_to_line(s->protocol, sizeof(s->protocol), MODERN_VERSION);
	s->server_info = json_get(json_get(result, "_meta"), META_SERVER);
}

/* Absent means complete; what is not known is invalid (basic/index.mdx, "Result"). */
static enum result_verdict
judge(const cJSON *result)
{
	const cJSON *type = json_get(result, "resultType");
	const char *text = json_string(type);

	if (!type || (text && strcmp(text, "complete") == 0))
		return RESULT_COMPLETE;
	if (text && strcmp(text, "input_required") == 0)
		return RESULT_WANTS_INPUT;
	if (text && strcmp(text, "task") == 0)
		return RESULT_IS_TASK;
	return RESULT_UNKNOWN;
}

static const char *
result_flaw(const cJSON *result)
{
	if (json_type(result) != JSON_OBJECT)
		return "the result is not an object";
	if (!json_get(result, "resultType"))
		return "the result has no resultType";
	return judge(result) == RESULT_UNKNOWN ? "unknown resultType" : NULL;
}

const struct era era_modern = {
	.modern = true,
	.handshake = "server/discover",
	.write_handshake = write_handshake,
	.write_meta = era_write_claim,
	.handshake_flaw = handshake_flaw,
	.read_hello = read_hello,
	.judge = judge,
	.result_flaw = result_flaw,
};
