#include "internals.h"

#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* What an app may say that the bridge does by itself, one row each: how it is checked, and what it
 * leads to. */

/* ---- the handshake ---- */

static void
check_initialize(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	static const struct {
		const char *member;
		enum json_type type;
	} required[] = { { "appInfo", JSON_OBJECT }, { "appCapabilities", JSON_OBJECT },
		{ "protocolVersion", JSON_STRING } };

	if (!in->message.params) {
		bridge_refuse(r, ERROR_INVALID_PARAMS, "ui/initialize needs params");
		return;
	}
	if (b->info.phase != APP_LOADING)
		bridge_refuse(r, 0, "a second ui/initialize");
	for (size_t i = 0; i < ARRAY_LEN(required); i++) {
		enum json_type type = json_type(json_get(in->message.params, required[i].member));
		if (type != required[i].type)
			bridge_refuse(r, 0, "%s is %s, not %s", required[i].member,
			    json_type_name(type), json_type_name(required[i].type));
	}
}

static const char *
label_of(struct app_bridge *b, const cJSON *object, const char *member)
{
	const char *text = json_label(b->app, json_get_string(object, member));

	return text ? text : "";
}

static void
initialize(struct app_bridge *b, const struct app_message *in)
{
	struct buf result = BUF_INIT;

	json_doc_destroy(b->app);
	b->app = json_part(in->doc, in->message.params);
	const cJSON *params = json_root(b->app), *who = json_get(params, "appInfo");
	b->info.app_name = label_of(b, who, "name");
	b->info.app_title = label_of(b, who, "title");
	b->info.app_version = label_of(b, who, "version");
	b->info.protocol = label_of(b, params, "protocolVersion");
	b->info.capabilities = json_get(params, "appCapabilities");
	b->info.has_tools = cJSON_IsObject(json_get(b->info.capabilities, "tools"));
	bridge_take_modes(b);
	bridge_write_initialize_result(b, &result);
	if (b->info.phase == APP_LOADING)
		bridge_set_phase(b, APP_INITIALIZING);
	bridge_respond(b, in->id, in->message.method, buf_text(&result), result.len);
	buf_finish(&result);
}

static void
check_initialized(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (b->info.phase > APP_INITIALIZING)
		bridge_refuse(r, ERROR_INVALID_REQUEST, "a second ui/notifications/initialized");
}

static void
initialized(struct app_bridge *b, const struct app_message *in)
{
	bridge_become_ready(b);
}

static void
pong(struct app_bridge *b, const struct app_message *in)
{
	bridge_respond(b, in->id, in->message.method, NULL, 0);
}

/* ---- lists ---- */

/* Whole, in one page, without the tools that are not for apps. What it costs counts like what the
 * app sends, so that it cannot make the host write forever. */
static void
answer_list(
    struct app_bridge *b, const struct app_message *in, enum app_list list, const char *member)
{
	struct buf result = BUF_INIT;
	struct json_writer w;
	struct app_tool says;
	const cJSON *definition;

	json_write_init(&w, &result);
	json_write_object(&w);
	json_write_member_array(&w, member);
	for (size_t i = 0; (definition = b->events.definition_at(b->user, list, i)); i++) {
		app_tool_read(&says, definition);
		if (list != APP_LIST_TOOLS || says.for_app)
			json_write_value(&w, definition);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
	b->bytes_left -= (double)result.len;
	bridge_respond(b, in->id, in->message.method, buf_text(&result), result.len);
	buf_finish(&result);
}

static void
list_tools(struct app_bridge *b, const struct app_message *in)
{
	answer_list(b, in, APP_LIST_TOOLS, "tools");
}

static void
list_resources(struct app_bridge *b, const struct app_message *in)
{
	answer_list(b, in, APP_LIST_RESOURCES, "resources");
}

static void
list_templates(struct app_bridge *b, const struct app_message *in)
{
	answer_list(b, in, APP_LIST_TEMPLATES, "resourceTemplates");
}

static void
list_prompts(struct app_bridge *b, const struct app_message *in)
{
	answer_list(b, in, APP_LIST_PROMPTS, "prompts");
}

/* ---- the model context ---- */

static void
check_model(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const cJSON *content = json_get(in->message.params, "content");
	const cJSON *structured = json_get(in->message.params, "structuredContent");

	if (content && !bridge_are_blocks(content))
		bridge_refuse(
		    r, ERROR_INVALID_PARAMS, "params.content is not an array of content blocks");
	else if (structured && !cJSON_IsObject(structured))
		bridge_refuse(r, ERROR_INVALID_PARAMS, "params.structuredContent is not an object");
}

/* The last one counts. */
static void
set_model(struct app_bridge *b, const struct app_message *in)
{
	json_doc_destroy(b->model);
	b->model = in->message.params ? json_part(in->doc, in->message.params) : NULL;
	b->info.context = b->model ? json_root(b->model) : NULL;
	b->info.context_bytes = b->model ? in->bytes : 0;
	b->info.context_updates++;
	bridge_respond(b, in->id, in->message.method, NULL, 0);
	bridge_change(b, APP_CHANGE_CONTEXT);
}

/* ---- notifications ---- */

static void
check_cancelled(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (!json_get(in->message.params, "requestId"))
		bridge_refuse(r, ERROR_INVALID_PARAMS, "params.requestId is absent");
}

static void
cancelled(struct app_bridge *b, const struct app_message *in)
{
	struct buf id = BUF_INIT;

	json_print(&id, json_get(in->message.params, "requestId"));
	for (size_t i = 0; i < b->asks.len; i++) {
		if (strcmp(b->asks.items[i].id, buf_text(&id)) != 0)
			continue;
		uint64_t token = b->asks.items[i].token;
		bridge_remove_ask(b, &b->asks.items[i]);
		b->events.on_ask_end(b->user, token, json_get_string(in->message.params, "reason"));
		break;
	}
	buf_finish(&id);
}

static bool
is_length(const cJSON *value)
{
	return cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble < 1e7;
}

static void
check_size(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	static const char *const members[] = { "width", "height" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const cJSON *value = json_get(in->message.params, members[i]);
		if (value && !is_length(value))
			bridge_refuse(
			    r, ERROR_INVALID_PARAMS, "params.%s is not a length", members[i]);
	}
}

static void
set_size(struct app_bridge *b, const struct app_message *in)
{
	const cJSON *width = json_get(in->message.params, "width");
	const cJSON *height = json_get(in->message.params, "height");

	b->info.width = width ? width->valuedouble : b->info.width;
	b->info.height = height ? height->valuedouble : b->info.height;
	bridge_change(b, APP_CHANGE_SIZE);
}

static void
want_teardown(struct app_bridge *b, const struct app_message *in)
{
	bridge_change(b, APP_CHANGE_TEARDOWN);
}

static void
change_tools(struct app_bridge *b, const struct app_message *in)
{
	bridge_change(b, APP_CHANGE_TOOLS);
}

static void
check_log(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (!json_get_string(in->message.params, "level"))
		bridge_refuse(r, 0, "params.level is absent");
	else if (!json_get(in->message.params, "data"))
		bridge_refuse(r, 0, "params.data is absent");
}

static void
take_log(struct app_bridge *b, const struct app_message *in)
{
	const char *level = json_get_string(in->message.params, "level");
	const struct app_log log = { .level = level ? level : "info",
		.logger = json_get_string(in->message.params, "logger"),
		.data = json_get(in->message.params, "data") };

	b->events.on_log(b->user, &log);
}

/* ---- the table ---- */

static const struct app_method METHODS[] = {
	{ "ui/initialize", true, 0, APP_LOADING, check_initialize, initialize },
	{ "ui/notifications/initialized", false, 0, APP_INITIALIZING, check_initialized,
	    initialized },
	{ "ping", true, 0, APP_LOADING, NULL, pong },
	{ "tools/list", true, APP_CAN_CALL_TOOLS, APP_INITIALIZING, NULL, list_tools },
	{ "resources/list", true, APP_CAN_READ_RESOURCES, APP_INITIALIZING, NULL, list_resources },
	{ "resources/templates/list", true, APP_CAN_READ_RESOURCES, APP_INITIALIZING, NULL,
	    list_templates },
	{ "prompts/list", true, APP_CAN_LIST_PROMPTS, APP_INITIALIZING, NULL, list_prompts },
	{ "ui/update-model-context", true, 0, APP_INITIALIZING, check_model, set_model },
	{ "ui/notifications/size-changed", false, 0, APP_LOADING, check_size, set_size },
	{ "ui/notifications/request-teardown", false, 0, APP_LOADING, NULL, want_teardown },
	{ "notifications/cancelled", false, 0, APP_LOADING, check_cancelled, cancelled },
	{ "notifications/message", false, 0, APP_LOADING, check_log, take_log },
	{ "ui/log", false, 0, APP_LOADING, check_log, take_log },
	{ "notifications/tools/list_changed", false, 0, APP_LOADING, NULL, change_tools },
};

static const struct app_method *
find_in(const struct app_method *rows, size_t count, const struct app_bridge *b,
    const struct message *m)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, m->method) == 0 &&
		    rows[i].is_request == (m->kind == MESSAGE_REQUEST) &&
		    (b->options.can & rows[i].needs) == rows[i].needs)
			return &rows[i];
	return NULL;
}

const struct app_method *
bridge_find_method(const struct app_bridge *b, const struct message *m)
{
	const struct app_method *found = find_in(METHODS, ARRAY_LEN(METHODS), b, m);

	return found ? found : find_in(bridge_asks, BRIDGE_ASKS, b, m);
}
