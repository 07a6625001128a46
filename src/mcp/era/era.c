/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"

#include "base/vec.h"

#include <stddef.h>
#include <string.h>

#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_CLIENT "io.modelcontextprotocol/clientInfo"
#define META_SERVER "io.modelcontextprotocol/serverInfo"

/* The methods of MCP: see struct method. */
static const struct method methods[] = {
	{ "initialize", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "server/discover", ERAS_MODERN, FROM_CLIENT, .traits = 0 },
	{ "ping", ERAS_LEGACY, FROM_BOTH, .traits = ONLY_READS, .on_message = server_request_ping },
	{ "tools/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "tools/call", ERAS_BOTH, FROM_CLIENT, .traits = MAY_REPORT | MAY_WANT_INPUT | MAY_BE_TASK,
	    .subject = "name" },
	{ "resources/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/templates/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/read", ERAS_BOTH, FROM_CLIENT,
	    .traits = ONLY_READS | MAY_REPORT | MAY_WANT_INPUT, .subject = "uri" },
	{ "resources/subscribe", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/unsubscribe", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "resources/directory/read", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "skills/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "skills/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "prompts/list", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "prompts/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS | MAY_REPORT | MAY_WANT_INPUT,
	    .subject = "name" },
	{ "completion/complete", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS },
	{ "logging/setLevel", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "subscriptions/listen", ERAS_MODERN, FROM_CLIENT, .traits = 0 },
	{ "tasks/get", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/result", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/list", ERAS_LEGACY, FROM_CLIENT, .traits = ONLY_READS },
	{ "tasks/cancel", ERAS_BOTH, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "tasks/update", ERAS_MODERN, FROM_CLIENT, .traits = ONLY_READS, .subject = "taskId" },
	{ "notifications/tasks/status", ERAS_LEGACY, FROM_SERVER, .traits = 0 },
	{ "notifications/tasks", ERAS_MODERN, FROM_SERVER, .traits = 0 },
	{ "roots/list", ERAS_LEGACY, FROM_SERVER, .traits = 0, .on_message = server_request_take },
	{ "sampling/createMessage", ERAS_LEGACY, FROM_SERVER, .traits = 0,
	    .on_message = server_request_take },
	{ "elicitation/create", ERAS_LEGACY, FROM_SERVER, .traits = 0,
	    .on_message = server_request_take },
	{ "notifications/initialized", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "notifications/cancelled", ERAS_BOTH, FROM_BOTH, .traits = 0,
	    .on_message = incoming_cancelled },
	{ "notifications/progress", ERAS_BOTH, FROM_BOTH, .traits = 0,
	    .on_message = incoming_progress },
	{ "notifications/message", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/tools/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/prompts/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/resources/list_changed", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/resources/updated", ERAS_BOTH, FROM_SERVER, .traits = 0 },
	{ "notifications/roots/list_changed", ERAS_LEGACY, FROM_CLIENT, .traits = 0 },
	{ "notifications/elicitation/complete", ERAS_LEGACY, FROM_SERVER, .traits = 0 },
	{ "notifications/subscriptions/acknowledged", ERAS_MODERN, FROM_SERVER, .traits = 0,
	    .on_message = subscription_on_acknowledged },
};

const struct method *
method_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(methods); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

const char *const session_era_names[ERA_COUNT] = {
	[ERA_AUTO] = "auto",
	[ERA_MODERN] = "modern",
	[ERA_LEGACY] = "legacy",
};

enum session_era
session_era_find(const char *name)
{
	int era = 0;

	while (era < ERA_COUNT && strcmp(session_era_names[era], name) != 0)
		era++;
	return (enum session_era)era;
}

/* Writes the ClientCapabilities object of the era. */
static void
write_capabilities(const struct session_capabilities *c, struct json_writer *w, bool modern)
{
	json_write_object(w);
	if (c->elicitation_form || c->elicitation_url) {
		json_write_member_object(w, "elicitation");
		if (c->elicitation_form)
			json_write_member_json(w, "form", "{}");
		if (c->elicitation_url)
			json_write_member_json(w, "url", "{}");
		json_write_object_end(w);
	}
	if (c->sampling) {
		json_write_member_object(w, "sampling");
		if (c->sampling_context)
			json_write_member_json(w, "context", "{}");
		if (c->sampling_tools)
			json_write_member_json(w, "tools", "{}");
		json_write_object_end(w);
	}
	if (c->roots) {
		json_write_member_object(w, "roots");
		if (!modern)
			json_write_member_bool(w, "listChanged", true);
		json_write_object_end(w);
	}
	if (c->extension_count > 0) {
		json_write_member_object(w, "extensions");
		for (size_t i = 0; i < c->extension_count; i++) {
			json_write_key(w, c->extensions[i].id);
			size_t len =
			    c->extensions[i].settings ? strlen(c->extensions[i].settings) : 0;
			struct json_doc *doc =
			    json_parse(c->extensions[i].settings ? c->extensions[i].settings : "",
				len, NULL, NULL);
			if (doc && cJSON_IsObject(json_root(doc)))
				json_write_value(w, json_root(doc));
			else
				json_write_raw(w, "{}", 2);
			json_doc_destroy(doc);
		}
		json_write_object_end(w);
	}
	json_write_object_end(w);
}

static void
write_client_info(const struct session *s, struct json_writer *w, const char *key)
{
	json_write_member_object(w, key);
	json_write_member_string(w, "name", s->client_name);
	json_write_member_string(w, "version", s->client_version);
	json_write_object_end(w);
}

/* 2024-11-05 to 2025-11-25: initialize, then notifications/initialized; requests have no envelope.
 */

static const char *const versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

const char *
era_legacy_version(const char *version)
{
	for (size_t i = 0; version && i < ARRAY_LEN(versions); i++)
		if (strcmp(versions[i], version) == 0)
			return versions[i];
	return NULL;
}

static void
legacy_write_handshake(const struct session *s, struct json_writer *params)
{
	json_write_member_string(params, "protocolVersion", s->requested_version);
	json_write_key(params, "capabilities");
	write_capabilities(&s->can, params, false);
	write_client_info(s, params, "clientInfo");
}

static const char *
legacy_handshake_flaw(const cJSON *result)
{
	const char *version = json_get_string(result, "protocolVersion");

	if (!cJSON_IsObject(result))
		return "the initialize result is not an object";
	if (!version)
		return "the initialize result has no protocolVersion";
	if (!era_legacy_version(version))
		return "the initialize result has an unknown protocolVersion";
	if (!cJSON_IsObject(json_get(result, "capabilities")))
		return "the initialize result has no capabilities";
	if (!json_get_string(json_get(result, "serverInfo"), "name"))
		return "the initialize result has no serverInfo.name";
	return NULL;
}

static void
legacy_read_init_result(struct session *s, const cJSON *result)
{
	const char *version = json_get_string(result, "protocolVersion");

	text_to_line(s->protocol, sizeof(s->protocol), version ? version : "unknown");
	s->info.server_info = json_get(result, "serverInfo");
}

static enum result_type
legacy_classify(const cJSON *result)
{
	const cJSON *task = json_get(result, "task");
	bool is_task = json_get_string(task, "taskId") && !json_get(result, "content");

	return is_task ? RESULT_TASK : RESULT_COMPLETE;
}

static const char *
legacy_result_flaw(const cJSON *result)
{
	return cJSON_IsObject(result) ? NULL : "the result is not an object";
}

const struct era era_legacy = {
	.modern = false,
	.handshake = "initialize",
	.write_handshake = legacy_write_handshake,
	.handshake_flaw = legacy_handshake_flaw,
	.read_init_result = legacy_read_init_result,
	.classify = legacy_classify,
	.result_flaw = legacy_result_flaw,
};

/* 2026-07-28: no session; every request has an envelope in _meta, every result a resultType. */

void
era_write_envelope(const struct session *s, struct json_writer *meta)
{
	json_write_member_string(meta, META_VERSION, MODERN_VERSION);
	json_write_key(meta, META_CAPABILITIES);
	write_capabilities(&s->can, meta, true);
	write_client_info(s, meta, META_CLIENT);
}

static const char *
modern_handshake_flaw(const cJSON *result)
{
	if (!cJSON_IsObject(result))
		return "the result of server/discover is not an object";
	for (const cJSON *v = json_first(json_get(result, "supportedVersions")); v; v = v->next)
		if (cJSON_GetStringValue(v) && strcmp(cJSON_GetStringValue(v), MODERN_VERSION) == 0)
			return NULL;
	return "supportedVersions does not list " MODERN_VERSION;
}

static void
modern_read_init_result(struct session *s, const cJSON *result)
{
	text_to_line(s->protocol, sizeof(s->protocol), MODERN_VERSION);
	s->info.server_info = json_get(json_get(result, "_meta"), META_SERVER);
}

/* No resultType means complete; an unknown one is invalid (basic/index.mdx, "Result"). */
static enum result_type
modern_classify(const cJSON *result)
{
	const cJSON *type = json_get(result, "resultType");
	const char *text = cJSON_GetStringValue(type);

	if (!type || (text && strcmp(text, "complete") == 0))
		return RESULT_COMPLETE;
	if (text && strcmp(text, "input_required") == 0)
		return RESULT_INPUT_REQUIRED;
	if (text && strcmp(text, "task") == 0)
		return RESULT_TASK;
	return RESULT_UNKNOWN;
}

static const char *
modern_result_flaw(const cJSON *result)
{
	if (!cJSON_IsObject(result))
		return "the result is not an object";
	if (!json_get(result, "resultType"))
		return "the result has no resultType";
	return modern_classify(result) == RESULT_UNKNOWN ? "unknown resultType" : NULL;
}

const struct era era_modern = {
	.modern = true,
	.handshake = "server/discover",
	.handshake_flaw = modern_handshake_flaw,
	.read_init_result = modern_read_init_result,
	.classify = modern_classify,
	.result_flaw = modern_result_flaw,
};
