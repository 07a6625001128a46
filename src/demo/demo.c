#include "state.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/message.h"

#include <stdlib.h>
#include <string.h>

#define X(tool) &demo_tool_##tool,
static const struct demo_tool *const tools[] = { DEMO_TOOLS(X) };
#undef X

static void
write_member_json(struct json_writer *w, const char *key, const char *json)
{
	if (!json)
		return;
	json_write_member_json(w, key, json);
}

static void
write_output_schema(struct json_writer *w, const struct demo_tool *tool, bool modern)
{
	if (modern || !tool->any_value) {
		write_member_json(w, "outputSchema", tool->output_schema);
		return;
	}
	json_write_member_object(w, "outputSchema");
	json_write_member_string(w, "type", "object");
	json_write_member_object(w, "properties");
	write_member_json(w, "result", tool->output_schema);
	json_write_object_end(w);
	write_member_json(w, "required", "[\"result\"]");
	json_write_object_end(w);
}

static void
write_app(struct json_writer *w, const struct demo_tool *tool)
{
	if (!tool->app)
		return;
	json_write_member_object(w, "_meta");
	json_write_member_object(w, "ui");
	json_write_member_string(w, "resourceUri", tool->app);
	if (tool->app_only)
		json_write_member_json(w, "visibility", "[\"app\"]");
	json_write_object_end(w);
	json_write_object_end(w);
}

static const char no_input[] =
    JSON_TEXT({"type":"object","properties":{},"additionalProperties":false});

static void
write_tool(struct json_writer *w, const struct demo_tool *tool, bool modern)
{
	json_write_object(w);
	json_write_member_string(w, "name", tool->name);
	json_write_member_string(w, "title", tool->title);
	json_write_member_string(w, "description", tool->description);
	write_member_json(w, "annotations", tool->annotations);
	write_member_json(w, "inputSchema", tool->input_schema ? tool->input_schema : no_input);
	write_output_schema(w, tool, modern);
	write_app(w, tool);
	json_write_object_end(w);
}

static void
list_tools(struct demo_call *call)
{
	demo_result(call);
	json_write_member_array(&call->w, "tools");
	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		write_tool(&call->w, tools[i], call->modern);
	json_write_array_end(&call->w);
	demo_end_cacheable(call, 0);
}

static void
call_tool(struct demo_call *call)
{
	const char *name = json_get_string(call->params, "name");

	call->arguments = json_get(call->params, "arguments");
	if (!name) {
		demo_error(
		    call, ERROR_INVALID_PARAMS, NULL, "params.name must be the name of a tool");
		return;
	}
	if (call->arguments && !cJSON_IsObject(call->arguments)) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL,
		    "params.arguments must be an object, not %s",
		    json_type_name(json_type(call->arguments)));
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		if (strcmp(tools[i]->name, name) == 0) {
			demo_count(call->demo);
			call->tool = tools[i];
			tools[i]->run(call);
			return;
		}
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "Unknown tool: %s", name);
}

/* The longest request taken. */
#define LINE_MAX_BYTES ((size_t)16 * 1024 * 1024)

#define META "io.modelcontextprotocol/"
#define MODERN_VERSION "2026-07-28"

static const char *const legacy_versions[] = { "2024-11-05", "2025-03-26", "2025-06-18",
	"2025-11-25" };
#define LEGACY_COUNT ARRAY_LEN(legacy_versions)

static const char instructions[] =
    "Every tool shows one thing that mcpane can show. Start with list_users, then bad_rows.";

static const char capabilities[] = JSON_TEXT({"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},
	"logging":{},"extensions":{"io.modelcontextprotocol/tasks":{},
	"io.modelcontextprotocol/skills":{"directoryRead":true},
	"io.modelcontextprotocol/ui":{}}});

static void
write_capabilities(struct json_writer *w)
{
	json_write_member_json(w, "capabilities", capabilities);
	json_write_member_string(w, "instructions", instructions);
}

static void
initialize(struct demo_call *call)
{
	const char *wanted = json_get_string(call->params, "protocolVersion");
	const char *version = legacy_versions[LEGACY_COUNT - 1];

	for (size_t i = 0; wanted && i < LEGACY_COUNT; i++)
		if (strcmp(wanted, legacy_versions[i]) == 0)
			version = legacy_versions[i];
	call->demo->legacy_seen = true;
	demo_result(call);
	json_write_member_string(&call->w, "protocolVersion", version);
	write_capabilities(&call->w);
	json_write_key(&call->w, "serverInfo");
	demo_write_info(&call->w);
	demo_end(call);
}

static void
ping(struct demo_call *call)
{
	demo_result(call);
	demo_end(call);
}

static void
discover(struct demo_call *call)
{
	demo_result(call);
	json_write_member_json(&call->w, "supportedVersions", "[\"" MODERN_VERSION "\"]");
	write_capabilities(&call->w);
	demo_end_cacheable(call, 0);
}

static const struct {
	const char *name;
	bool legacy, modern;
	void (*run)(struct demo_call *call);
} methods[] = {
	{ "initialize", true, false, initialize },
	{ "ping", true, false, ping },
	{ "logging/setLevel", true, false, demo_set_level },
	{ "tasks/get", false, true, demo_get_task },
	{ "tasks/cancel", false, true, demo_cancel_task },
	{ "server/discover", false, true, discover },
	{ "tools/list", true, true, list_tools },
	{ "tools/call", true, true, call_tool },
	{ "resources/list", true, true, demo_list_resources },
	{ "resources/templates/list", true, true, demo_list_templates },
	{ "resources/read", true, true, demo_read_resource },
	{ "resources/subscribe", true, false, demo_subscribe },
	{ "resources/unsubscribe", true, false, demo_unsubscribe },
	{ "subscriptions/listen", false, true, demo_listen },
	{ "resources/directory/read", true, true, demo_read_directory },
	{ "skills/list", true, true, demo_list_skills },
	{ "skills/get", true, true, demo_get_skill },
	{ "prompts/list", true, true, demo_list_prompts },
	{ "prompts/get", true, true, demo_get_prompt },
	{ "completion/complete", true, true, demo_complete },
};

/* Tells the era of a request and checks its envelope. False: answered with an error. */
static bool
check_envelope(struct demo_call *call, bool is_initialize)
{
	const cJSON *meta = json_get(call->params, "_meta");
	const char *version = json_get_string(meta, META "protocolVersion");

	call->modern = version != NULL;
	if (version) {
		call->demo->modern_seen = true;
	} else if (call->demo->modern_seen && !call->demo->legacy_seen && !is_initialize) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL,
		    "_meta must hold " META "protocolVersion and " META "clientCapabilities");
		return false;
	}
	if (!version || is_initialize)
		return true;
	if (strcmp(version, MODERN_VERSION) != 0) {
		struct buf data = BUF_INIT;
		buf_add_str(&data, "{\"supported\":[\"" MODERN_VERSION "\"],\"requested\":");
		json_print_string(&data, version, strlen(version));
		buf_add_char(&data, '}');
		demo_error(call, ERROR_UNSUPPORTED_VERSION, buf_text(&data),
		    "Unsupported protocol version");
		buf_finish(&data);
		return false;
	}
	if (!cJSON_IsObject(json_get(meta, META "clientCapabilities"))) {
		demo_error(
		    call, ERROR_INVALID_PARAMS, NULL, "_meta must hold " META "clientCapabilities");
		return false;
	}
	return true;
}

static void
on_request(struct demo_call *call, const char *method)
{
	if (call->params && !cJSON_IsObject(call->params)) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL, "params must be an object");
		return;
	}
	if (!check_envelope(call, strcmp(method, "initialize") == 0))
		return;
	for (size_t i = 0; i < ARRAY_LEN(methods); i++)
		if (strcmp(methods[i].name, method) == 0 &&
		    (call->modern ? methods[i].modern : methods[i].legacy)) {
			methods[i].run(call);
			return;
		}
	demo_error(call, ERROR_METHOD_NOT_FOUND, NULL, "Method not found: %s", method);
}

static void
on_notification(struct demo *d, const struct message *m)
{
	const cJSON *id = json_get(m->params, "requestId");

	if (strcmp(m->method, "notifications/cancelled") != 0 || !id)
		return;
	buf_clear(&d->id);
	json_print(&d->id, id);
	demo_runs_cancel(d, buf_text(&d->id));
	demo_asked_cancel(d, buf_text(&d->id));
	demo_listen_cancel(d, buf_text(&d->id));
}

static void
on_message(struct demo *d, const cJSON *value, int64_t now_ms)
{
	struct message m;

	message_classify(value, &m);
	buf_clear(&d->id);
	if (m.id)
		json_print(&d->id, m.id);
	else
		buf_add_str(&d->id, "null");
	struct demo_call call = {
		.demo = d, .id = buf_text(&d->id), .params = m.params, .now_ms = now_ms
	};
	if (m.kind == MESSAGE_REQUEST)
		on_request(&call, m.method);
	else if (m.kind == MESSAGE_NOTIFICATION)
		on_notification(d, &m);
	else if (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR)
		demo_asked_on_answer(d, &m, now_ms);
	else if (m.kind == MESSAGE_BATCH)
		demo_error(&call, ERROR_INVALID_REQUEST, NULL, "batches are not answered");
	else if (m.kind == MESSAGE_INVALID)
		demo_error(&call, ERROR_INVALID_REQUEST, NULL, "%s",
		    m.flaw ? m.flaw : "not a JSON-RPC message");
}

static void
on_line(struct demo *d, const struct frame_line *line, int64_t now_ms)
{
	struct json_error error = { 0 };
	struct demo_call call = { .demo = d, .id = "null", .now_ms = now_ms };

	if (line->dropped > 0) {
		demo_error(&call, ERROR_INVALID_REQUEST, NULL, "a request has at most %zu bytes",
		    LINE_MAX_BYTES);
		return;
	}
	struct json_doc *doc = json_parse(line->bytes->data, line->bytes->len, NULL, &error);
	if (doc)
		on_message(d, json_root(doc), now_ms);
	else
		demo_error(&call, ERROR_PARSE, NULL, "not JSON: line %u, column %u: %s", error.line,
		    error.column, error.text);
	json_doc_destroy(doc);
}

static void
queue_line(void *user, struct frame_line line)
{
	struct demo *d = user;

	*VEC_PUSH(&d->lines) = line;
}

struct demo *
demo_create(void)
{
	struct demo *d = mem_zalloc(sizeof(*d));

	frame_init(&d->frame, LINE_MAX_BYTES, queue_line, d);
	d->log_level = DEMO_LOG_LEVELS;
	return d;
}

void
demo_destroy(struct demo *d)
{
	if (!d)
		return;
	for (size_t i = d->lines.next; i < d->lines.len; i++)
		blob_unref(d->lines.items[i].bytes);
	free(d->lines.items);
	demo_runs_finish(d);
	demo_asked_finish(d);
	frame_finish(&d->frame);
	buf_finish(&d->out);
	buf_finish(&d->id);
	free(d->listen_id);
	free(d);
}

void
demo_on_bytes(struct demo *d, const char *bytes, size_t len)
{
	frame_feed(&d->frame, bytes, len);
}

bool
demo_work(struct demo *d, int64_t now_ms)
{
	if (d->crash != DEMO_ALIVE)
		return false;
	if (d->stream.active) {
		demo_stream_step(d);
		return true;
	}
	if (demo_runs_step(d, now_ms))
		return true;
	if (d->lines.next == d->lines.len)
		return false;
	struct frame_line line = d->lines.items[d->lines.next++];
	if (d->lines.next == d->lines.len)
		d->lines.next = d->lines.len = 0;
	on_line(d, &line, now_ms);
	blob_unref(line.bytes);
	return true;
}

int64_t
demo_next_time(const struct demo *d)
{
	return demo_runs_next_time(d);
}

struct buf *
demo_output(struct demo *d)
{
	return &d->out;
}

enum demo_crash
demo_crash(const struct demo *d)
{
	return d->crash;
}
