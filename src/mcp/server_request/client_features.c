/* SPDX-License-Identifier: MIT */
#include "mcp/client_features.h"

#include "base/vec.h"
#include "server_request.h"

#include <string.h>

static enum elicitation_mode
read_mode(const cJSON *mode)
{
	const char *text = cJSON_GetStringValue(mode);

	if (!mode || (text && strcmp(text, "form") == 0))
		return ELICITATION_FORM;
	return text && strcmp(text, "url") == 0 ? ELICITATION_URL : ELICITATION_OTHER;
}

void
elicitation_decode(struct elicitation *e, const cJSON *params)
{
	const char *message = json_get_string(params, "message");
	const char *url = json_get_string(params, "url");
	const cJSON *schema = json_get(params, "requestedSchema");

	*e = (struct elicitation){
		.mode = read_mode(json_get(params, "mode")),
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
is_type(const cJSON *block, const char *type)
{
	const char *text = json_get_string(block, "type");

	return text && strcmp(text, type) == 0;
}

static bool
has_type(const cJSON *content, const char *type)
{
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));)
		if (is_type(b, type))
			return true;
	return false;
}

static bool
is_role(const cJSON *message, const char *role)
{
	const char *text = json_get_string(message, "role");

	return text && strcmp(text, role) == 0;
}

static const cJSON *
find_block(const cJSON *content, const char *type, const char *key, const char *id)
{
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		const char *found = is_type(b, type) ? json_get_string(b, key) : NULL;
		if (found && id && strcmp(found, id) == 0)
			return b;
	}
	return NULL;
}

/* A message with tool results has nothing else, and each belongs to a tool_use of the message
 * before. */
static const char *
results_flaw(const cJSON *content, const cJSON *before)
{
	const cJSON *uses = json_get(before, "content");

	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		if (!is_type(b, "tool_result"))
			return "Tool results mixed with other content";
		if (!is_role(before, "assistant") ||
		    !find_block(uses, "tool_use", "id", json_get_string(b, "toolUseId")))
			return "Tool result without its tool use";
	}
	return NULL;
}

static const char *
message_flaw(const cJSON *message, const cJSON *before)
{
	const cJSON *content = json_get(message, "content");

	if (!is_role(message, "user") && !is_role(message, "assistant"))
		return "a message's role is neither user nor assistant";
	if (!cJSON_IsObject(content) && json_type(content) != JSON_ARRAY)
		return "a message without content";
	if (json_type(content) == JSON_ARRAY && json_count(content) > MAX_BLOCKS)
		return "a message of more than 1000 blocks";
	if (is_role(message, "assistant")) {
		/* The next message must have a tool_result for every tool_use. */
		const cJSON *results = json_get(message->next, "content");
		for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
			if (!is_type(b, "tool_use"))
				continue;
			if (!is_role(message->next, "user") ||
			    !find_block(
				results, "tool_result", "toolUseId", json_get_string(b, "id")))
				return "Tool result missing in request";
		}
		return NULL;
	}
	return has_type(content, "tool_result") ? results_flaw(content, before) : NULL;
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

static const char *
use_flaw(const struct sampling *s, const cJSON *use)
{
	if (!json_get_string(use, "id"))
		return "a tool_use has no id";
	if (!cJSON_IsObject(json_get(use, "input")))
		return "the input of a tool_use is not an object";
	if (!json_find_by(s->tools, "name", json_get_string(use, "name")))
		return "a tool_use names a tool that was not offered";
	return NULL;
}

static bool
has_mode(const struct sampling *s, const char *mode)
{
	const char *text = json_get_string(s->tool_choice, "mode");

	return text && strcmp(text, mode) == 0;
}

const char *
sampling_result_flaw(const struct sampling *s, const cJSON *result)
{
	const cJSON *content = json_get(result, "content");

	if (!cJSON_IsObject(result))
		return "the result is not an object";
	if (!is_role(result, "assistant"))
		return "role is not assistant";
	if (!json_get_string(result, "model"))
		return "model is missing";
	if (!cJSON_IsObject(content) && json_type(content) != JSON_ARRAY)
		return "content is neither a block nor an array of blocks";
	for (const cJSON *b = NULL; (b = sampling_next_block(content, b));) {
		if (!json_get_string(b, "type"))
			return "a content block without a type";
		if (is_type(b, "tool_result"))
			return "the result may not contain tool results";
		const char *flaw = is_type(b, "tool_use") ? use_flaw(s, b) : NULL;
		if (flaw)
			return flaw;
	}
	if (has_type(content, "tool_use") && has_mode(s, "none"))
		return "toolChoice is none, but a tool is used";
	if (!has_type(content, "tool_use") && has_mode(s, "required"))
		return "toolChoice is required, but no tool is used";
	return NULL;
}

/* ---- accepted requests ---- */

static const char *
elicitation_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct elicitation e;

	elicitation_decode(&e, params);
	*code = ERROR_INVALID_PARAMS;
	if (e.mode == ELICITATION_FORM && !s->can.elicitation_form)
		return "Form elicitation was not declared";
	if (e.mode == ELICITATION_URL && !s->can.elicitation_url)
		return "URL elicitation was not declared";
	return elicitation_flaw(&e);
}

static const char *
sampling_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct sampling wanted;

	sampling_decode(&wanted, params);
	*code = s->can.sampling ? ERROR_INVALID_PARAMS : ERROR_METHOD_NOT_FOUND;
	if (!s->can.sampling)
		return "Sampling was not declared";
	if ((wanted.tools || wanted.tool_choice) && !s->can.sampling_tools)
		return "Tools in sampling were not declared";
	return sampling_flaw(&wanted);
}

static const char *
roots_refusal(const struct session *s, const cJSON *params, int *code)
{
	*code = ERROR_METHOD_NOT_FOUND;
	return s->can.roots ? NULL : "Roots not supported";
}

static const struct client_feature features[] = {
	{ "elicitation/create", elicitation_refusal, "{\"action\":\"decline\"}",
	    "{\"action\":\"cancel\"}" },
	{ "sampling/createMessage", sampling_refusal, NULL, NULL },
	{ "roots/list", roots_refusal, "{\"roots\":[]}", NULL },
};

const struct client_feature *
client_feature_find(const char *method)
{
	for (size_t i = 0; method && i < ARRAY_LEN(features); i++)
		if (strcmp(features[i].method, method) == 0)
			return &features[i];
	return NULL;
}

const char *
client_feature_flaw(const struct session *s, const char *method, const cJSON *params, int *code)
{
	const struct client_feature *feature = client_feature_find(method);

	*code = ERROR_METHOD_NOT_FOUND;
	return feature ? feature->refusal(s, params, code) : "Method not found";
}
