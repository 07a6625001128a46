#include "offers_priv.h"

#include <assert.h>
#include <string.h>

#define X(tool) &demo_tool_##tool,
static const struct demo_tool *const tools[] = { DEMO_TOOLS(X) };
#undef X

#define TOOL_COUNT (sizeof(tools) / sizeof(*tools))
static_assert(TOOL_COUNT == 26, "a tool came or went: the tests know them all");

static void
write_member_json(struct json_writer *w, const char *key, const char *json)
{
	if (!json)
		return;
	json_write_key(w, key);
	json_write_raw(w, json, strlen(json));
}

static void
write_output_schema(struct json_writer *w, const struct demo_tool *tool, bool modern)
{
	if (modern || !tool->any_value) {
		write_member_json(w, "outputSchema", tool->output_schema);
		return;
	}
	json_write_key(w, "outputSchema");
	json_write_object(w);
	json_write_member_string(w, "type", "object");
	json_write_key(w, "properties");
	json_write_object(w);
	write_member_json(w, "result", tool->output_schema);
	json_write_object_end(w);
	write_member_json(w, "required", "[\"result\"]");
	json_write_object_end(w);
}

static void
write_tool(struct json_writer *w, const struct demo_tool *tool, bool modern)
{
	json_write_object(w);
	json_write_member_string(w, "name", tool->name);
	json_write_member_string(w, "title", tool->title);
	json_write_member_string(w, "description", tool->description);
	write_member_json(w, "annotations", tool->annotations);
	write_member_json(w, "inputSchema", tool->input_schema);
	write_output_schema(w, tool, modern);
	json_write_object_end(w);
}

void
demo_list_tools(struct demo_call *call)
{
	demo_result(call);
	json_write_key(&call->w, "tools");
	json_write_array(&call->w);
	for (size_t i = 0; i < TOOL_COUNT; i++)
		write_tool(&call->w, tools[i], call->modern);
	json_write_array_end(&call->w);
	if (call->modern) {
		json_write_member_int(&call->w, "ttlMs", 0);
		json_write_member_string(&call->w, "cacheScope", "private");
	}
	demo_end(call);
}

void
demo_call_tool(struct demo_call *call)
{
	const char *name = json_get_string(call->params, "name");

	call->arguments = json_get(call->params, "arguments");
	if (!name) {
		demo_error(call, -32602, NULL, "params.name must be the name of a tool");
		return;
	}
	if (call->arguments && json_type(call->arguments) != JSON_OBJECT) {
		demo_error(call, -32602, NULL, "params.arguments must be an object, not %s",
		    json_type_name(json_type(call->arguments)));
		return;
	}
	for (size_t i = 0; i < TOOL_COUNT; i++)
		if (strcmp(tools[i]->name, name) == 0) {
			demo_count(call->demo);
			tools[i]->run(call);
			return;
		}
	demo_error(call, -32602, NULL, "Unknown tool: %s", name);
}
