/* SPDX-License-Identifier: MIT */
#include "mcp/client_features.h"

#include <string.h>

static bool
has_value(const cJSON *object, const char *key, const char *value)
{
	const char *text = json_get_string(object, key);

	return text && strcmp(text, value) == 0;
}

void
elicitation_decode(struct elicitation *e, const cJSON *params)
{
	const char *message = json_get_string(params, "message");
	const char *url = json_get_string(params, "url");
	const cJSON *schema = json_get(params, "requestedSchema");
	enum elicitation_mode mode = ELICITATION_OTHER;

	if (!json_get(params, "mode") || has_value(params, "mode", "form"))
		mode = ELICITATION_FORM;
	else if (has_value(params, "mode", "url"))
		mode = ELICITATION_URL;
	*e = (struct elicitation){
		.mode = mode,
		.message = message ? message : "",
		.schema = cJSON_IsObject(schema) ? schema : NULL,
		.url = url ? url : "",
		.elicitation_id = json_get_string(params, "elicitationId"),
	};
}

const char *
elicitation_flaw(const struct elicitation *e)
{
	if (e->mode == ELICITATION_OTHER)
		return "unknown elicitation mode";
	if (e->mode == ELICITATION_URL && !e->url[0])
		return "a URL elicitation without a URL";
	return NULL;
}

/* The limit of one message, because matching uses with results takes quadratic time. */
#define MAX_BLOCKS 1000

void
sampling_decode(struct sampling *s, const cJSON *params)
{
	const cJSON *messages = json_get(params, "messages");
	const cJSON *max_tokens = json_get(params, "maxTokens");

	*s = (struct sampling){
		.messages = json_type(messages) == JSON_ARRAY ? messages : NULL,
		.system_prompt = json_get_string(params, "systemPrompt"),
		.include_context = json_get_string(params, "includeContext"),
		.max_tokens = cJSON_IsNumber(max_tokens) ? max_tokens : NULL,
		.temperature = json_get(params, "temperature"),
		.stop_sequences = json_get(params, "stopSequences"),
		.preferences = json_get(params, "modelPreferences"),
		.metadata = json_get(params, "metadata"),
		.tools = json_get(params, "tools"),
		.tool_choice = json_get(params, "toolChoice"),
	};
}

const cJSON *
sampling_next_block(const cJSON *content, const cJSON *block)
{
	if (json_type(content) != JSON_ARRAY)
		return block ? NULL : content;
	return block ? block->next : json_first(content);
}

static bool
has_type(const cJSON *content, const char *type)
{
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));)
		if (has_value(b, "type", type))
			return true;
	return false;
}

static const cJSON *
find_block(const cJSON *content, const char *type, const char *key, const char *id)
{
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		const char *found = has_value(b, "type", type) ? json_get_string(b, key) : NULL;
		if (found && id && strcmp(found, id) == 0)
			return b;
	}
	return NULL;
}

static const char *
message_flaw(const cJSON *message, const cJSON *before)
{
	const cJSON *content = json_get(message, "content");

	if (!has_value(message, "role", "user") && !has_value(message, "role", "assistant"))
		return "a message's role is neither user nor assistant";
	if (!cJSON_IsObject(content) && json_type(content) != JSON_ARRAY)
		return "a message without content";
	if (json_type(content) == JSON_ARRAY && json_count(content) > MAX_BLOCKS)
		return "a message of more than 1000 blocks";
	if (has_value(message, "role", "assistant")) {
		/* The next message must have a tool_result for every tool_use. */
		const cJSON *results = json_get(message->next, "content");
		for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
			if (!has_value(b, "type", "tool_use"))
				continue;
			if (!has_value(message->next, "role", "user") ||
			    !find_block(
				results, "tool_result", "toolUseId", json_get_string(b, "id")))
				return "Tool result missing in request";
		}
		return NULL;
	}
	if (!has_type(content, "tool_result"))
		return NULL;
	/* A message with tool results has nothing else, and each belongs to a tool_use of the
	 * message before. */
	const cJSON *uses = json_get(before, "content");
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		if (!has_value(b, "type", "tool_result"))
			return "Tool results mixed with other content";
		if (!has_value(before, "role", "assistant") ||
		    !find_block(uses, "tool_use", "id", json_get_string(b, "toolUseId")))
			return "Tool result without its tool use";
	}
	return NULL;
}

const char *
sampling_flaw(const struct sampling *s)
{
	const cJSON *before = NULL;

	if (!s->messages)
		return "messages is not an array";
	if (!s->max_tokens)
		return "maxTokens is not a number";
	if (s->tools && json_type(s->tools) != JSON_ARRAY)
		return "tools is not an array";
	for (const cJSON *m = json_first(s->messages); m; before = m, m = m->next) {
		const char *flaw = message_flaw(m, before);
		if (flaw)
			return flaw;
	}
	return NULL;
}

const char *
sampling_result_flaw(const struct sampling *s, const cJSON *result)
{
	const cJSON *content = json_get(result, "content");

	if (!cJSON_IsObject(result))
		return "the result is not an object";
	if (!has_value(result, "role", "assistant"))
		return "role is not assistant";
	if (!json_get_string(result, "model"))
		return "model is missing";
	if (!cJSON_IsObject(content) && json_type(content) != JSON_ARRAY)
		return "content is neither a block nor an array of blocks";
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		if (!json_get_string(b, "type"))
			return "a content block without a type";
		if (has_value(b, "type", "tool_result"))
			return "the result may not contain tool results";
		if (!has_value(b, "type", "tool_use"))
			continue;
		if (!json_get_string(b, "id"))
			return "a tool_use has no id";
		if (!cJSON_IsObject(json_get(b, "input")))
			return "the input of a tool_use is not an object";
		if (!json_find_by(s->tools, "name", json_get_string(b, "name")))
			return "a tool_use names a tool that was not offered";
	}
	if (has_type(content, "tool_use") && has_value(s->tool_choice, "mode", "none"))
		return "toolChoice is none, but a tool is used";
	if (!has_type(content, "tool_use") && has_value(s->tool_choice, "mode", "required"))
		return "toolChoice is required, but no tool is used";
	return NULL;
}
