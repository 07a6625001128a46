#include "era_priv.h"

#include "capabilities_priv.h"

#include <string.h>

/* 2024-11-05 to 2025-11-25: initialize, then notifications/initialized; requests go out bare. */

static const char *const versions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

const char *
era_legacy_version(const char *version)
{
	for (size_t i = 0; version && i < sizeof(versions) / sizeof(versions[0]); i++)
		if (strcmp(versions[i], version) == 0)
			return versions[i];
	return NULL;
}

static void
write_handshake(const struct session *s, struct json_writer *params)
{
	json_write_member_string(params, "protocolVersion", s->asked_version);
	json_write_key(params, "capabilities");
	capabilities_write(&s->can, params, false);
	era_write_client_info(s, params, "clientInfo");
}

static const char *
handshake_flaw(const cJSON *result)
{
	const char *version = json_get_string(result, "protocolVersion");

	if (json_type(result) != JSON_OBJECT)
		return "the result of initialize is not an object";
	if (!version)
		return "initialize names no protocolVersion";
	if (!era_legacy_version(version))
		return "initialize names an unknown protocolVersion";
	if (json_type(json_get(result, "capabilities")) != JSON_OBJECT)
		return "initialize names no capabilities";
	if (!json_get_string(json_get(result, "serverInfo"), "name"))
		return "initialize names no serverInfo.name";
	return NULL;
}

static void
read_hello(struct session *s, const cJSON *result)
{
	const char *version = json_get_string(result, "protocolVersion");

	text_to_line(s->protocol, sizeof(s->protocol), version ? version : "unknown");
	s->server_info = json_get(result, "serverInfo");
}

static enum result_verdict
judge(const cJSON *result)
{
	const cJSON *task = json_get(result, "task");
	bool is_task = json_get_string(task, "taskId") && !json_get(result, "content");

	return is_task ? RESULT_IS_TASK : RESULT_COMPLETE;
}

static const char *
result_flaw(const cJSON *result)
{
	return json_type(result) == JSON_OBJECT ? NULL : "the result is not an object";
}

const struct era era_legacy = {
	.modern = false,
	.handshake = "initialize",
	.write_handshake = write_handshake,
	.handshake_flaw = handshake_flaw,
	.read_hello = read_hello,
	.judge = judge,
	.result_flaw = result_flaw,
};
