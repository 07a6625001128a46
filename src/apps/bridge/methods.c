/* SPDX-License-Identifier: MIT */
#include "internals.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Requests that need the user or the server: checked here, then passed to the owner, who answers
 * later. */

#define PROTOCOL "2026-01-26"

static void __attribute__((format(printf, 3, 4)))
refuse(struct refusal *r, int64_t code, const char *format, ...)
{
	r->code = code;
	FORMAT_INTO(r->text, format);
}

/* Pass a request on to the owner. */
static void
ask(struct app_bridge *b, const struct app_message *in)
{
	const struct app_method *m = in->method;
	const cJSON *params = in->message.params;
	const cJSON *token = json_get(json_get(params, "_meta"), "progressToken");
	const char *mode = json_get_string(params, "mode");
	bool is_token = cJSON_IsString(token) || cJSON_IsNumber(token);
	const struct app_ask a = { .token = ++b->last_token,
		.kind = m->kind,
		.method = in->message.method,
		.params = params,
		.doc = in->doc,
		.name = m->string ? json_get_string(params, m->string) : NULL,
		.value = m->value ? json_get(params, m->value) : NULL,
		.mode = m->kind == APP_ASK_DISPLAY_MODE ? app_display_find(mode) : 0 };
	*VEC_PUSH(&b->asks) = (struct open_ask){
		.token = a.token,
		.kind = a.kind,
		.id = mem_strdup(in->id),
		.method = mem_strdup(in->message.method),
		.progress = is_token ? json_text(token) : NULL,
	};
	b->info.asks = b->asks.len;
	b->events.on_ask(b->user, &a);
}

/* ---- the server ---- */

static void
check_tool(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const cJSON *arguments = json_get(in->message.params, "arguments");
	const char *name = json_get_string(in->message.params, "name"), *found;
	const cJSON *tool;
	struct app_tool says;

	for (size_t i = 0; (tool = b->events.definition_at(b->user, APP_LIST_TOOLS, i)); i++)
		if ((found = json_get_string(tool, "name")) && strcmp(found, name) == 0)
			break;
	app_tool_read(&says, tool);
	if (!tool)
		refuse(r, ERROR_INVALID_PARAMS, "this server has no tool %.100s", name);
	else if (!says.for_app)
		refuse(r, APP_ERROR, "the visibility of %.100s does not include \"app\"", name);
	else if (arguments && !cJSON_IsObject(arguments))
		refuse(r, ERROR_INVALID_PARAMS, "params.arguments is %s, not an object",
		    json_type_name(json_type(arguments)));
}

static void
check_sampling(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (!cJSON_IsArray(json_get(in->message.params, "messages")))
		refuse(r, ERROR_INVALID_PARAMS, "params.messages is not an array");
	else if (json_get(in->message.params, "tools") && !b->options.sampling_tools)
		refuse(r, ERROR_INVALID_PARAMS, "tools in sampling were not offered");
}

/* ---- the user ---- */

#define URL_MAX 8192

static void
check_link(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const char *url = json_get_string(in->message.params, "url"), *wrong = NULL;
	size_t host;

	if (strlen(url) > URL_MAX) {
		wrong = "the URL is too long";
	} else if (!url_is_plain(url)) {
		wrong = "the URL has a character that no URL has";
	} else if (strncasecmp(url, "mailto:", 7) == 0) {
		wrong = url[7] ? NULL : "the URL has no address";
	} else if (!is_web_url(url)) {
		wrong = "only http, https and mailto URLs are opened";
	} else {
		web_url_host(url, &host);
		wrong = host > 0 ? NULL : "the URL has no host";
	}
	if (wrong)
		refuse(r, APP_ERROR, "Invalid URL: %s", wrong);
}

/* Make the name of a file to save: the last part of the path, with safe characters only. */
static void
take_methods_name(struct app_download *d, const char *from)
{
	size_t path = strcspn(from, "?#"), len = 0;
	const char *name = from;

	for (size_t i = 0; i < path; i++)
		if (from[i] == '/' || from[i] == '\\')
			name = from + i + 1;
	for (; name < from + path && len < sizeof(d->name) - 1; name++) {
		bool fine = ascii_is_alnum((unsigned char)*name) || *name == '-' || *name == '_' ||
			    (*name == '.' && len > 0);
		if (fine)
			d->name[len++] = *name;
		else if (len > 0 && d->name[len - 1] != '_')
			d->name[len++] = '_';
	}
	d->name[len] = '\0';
	if (len == 0)
		snprintf(d->name, sizeof(d->name), "download");
}

bool
app_download_read(struct app_download *d, const cJSON *block)
{
	const char *type = json_get_string(block, "type");
	const cJSON *inside = json_get(block, "resource");

	*d = (struct app_download){ .mime = NULL };
	if (type && strcmp(type, "resource") == 0) {
		const char *uri = json_get_string(inside, "uri");
		d->mime = json_get_string(inside, "mimeType");
		d->text = json_get_string(inside, "text");
		d->blob = json_get_string(inside, "blob");
		take_methods_name(d, uri ? uri : "");
		return d->text || d->blob;
	}
	if (!type || strcmp(type, "resource_link") != 0)
		return false;
	d->mime = json_get_string(block, "mimeType");
	d->uri = json_get_string(block, "uri");
	const char *name = json_get_string(block, "name");
	take_methods_name(d, name ? name : d->uri ? d->uri : "");
	return d->uri != NULL;
}

#define FILES_MAX 20

static void
check_download(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const cJSON *contents = json_get(in->message.params, "contents");
	struct app_download d;

	if (!cJSON_IsArray(contents) || !json_first(contents)) {
		refuse(r, ERROR_INVALID_PARAMS, "params.contents is not an array with items");
		return;
	}
	if (json_count(contents) > FILES_MAX) {
		refuse(r, ERROR_INVALID_PARAMS, "more than %d files", FILES_MAX);
		return;
	}
	for (const cJSON *item = json_first(contents); item; item = item->next)
		if (!app_download_read(&d, item)) {
			refuse(r, ERROR_INVALID_PARAMS,
			    "an item is neither an embedded resource nor a resource link");
			return;
		}
}

#define COPY_MAX ((size_t)1 << 20)

static void
check_copy(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (strlen(json_get_string(in->message.params, "text")) > COPY_MAX)
		refuse(r, APP_ERROR, "more than %zu MiB cannot be copied", COPY_MAX >> 20);
}

static bool
is_block(const cJSON *value)
{
	return cJSON_IsObject(value) && json_get_string(value, "type");
}

/* Return whether a value is an array of content blocks. */
static bool
are_blocks(const cJSON *array)
{
	for (const cJSON *item = json_first(array); item; item = item->next)
		if (!is_block(item))
			return false;
	return cJSON_IsArray(array);
}

static void
check_message(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const cJSON *content = json_get(in->message.params, "content");
	const char *role = json_get_string(in->message.params, "role");

	if (!role || strcmp(role, "user") != 0)
		refuse(r, ERROR_INVALID_PARAMS, "params.role is not \"user\"");
	else if (!is_block(content) && !(are_blocks(content) && json_first(content)))
		refuse(r, ERROR_INVALID_PARAMS,
		    "params.content is neither a content block nor an array of them");
}

/* The answer to an impossible mode is the current mode. */
static void
ask_mode(struct app_bridge *b, const struct app_message *in)
{
	unsigned mode = app_display_find(json_get_string(in->message.params, "mode"));
	char result[64];

	if (mode != b->info.mode && b->info.modes & 1u << mode) {
		ask(b, in);
		return;
	}
	snprintf(result, sizeof(result), "{\"mode\":\"%s\"}", app_display_names[b->info.mode]);
	bridge_respond(b, in->id, in->message.method, result, strlen(result));
}

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
		refuse(r, ERROR_INVALID_PARAMS, "ui/initialize needs params");
		return;
	}
	if (b->info.phase != APP_LOADING)
		refuse(r, 0, "a second ui/initialize");
	for (size_t i = 0; i < ARRAY_LEN(required); i++) {
		enum json_type type = json_type(json_get(in->message.params, required[i].member));
		if (type != required[i].type)
			refuse(r, 0, "%s is %s, not %s", required[i].member, json_type_name(type),
			    json_type_name(required[i].type));
	}
}

static const char *
label_of(struct app_bridge *b, const cJSON *object, const char *member)
{
	const char *text = json_label(b->app, json_get_string(object, member));

	return text ? text : "";
}

static void
write_capabilities(const struct app_bridge *b, struct json_writer *w)
{
	static const char listed[] = "{\"listChanged\":true}";
	static const char blocks[] = "{\"text\":{},\"image\":{},\"audio\":{},\"resource\":{},"
				     "\"resourceLink\":{}}";
	static const char context[] = "{\"text\":{},\"image\":{},\"audio\":{},\"resource\":{},"
				      "\"resourceLink\":{},\"structuredContent\":{}}";
	const struct {
		unsigned needs;
		const char *name, *json;
	} rows[] = {
		{ APP_CAN_OPEN_LINKS, "openLinks", "{}" },
		{ APP_CAN_DOWNLOAD, "downloadFile", "{}" },
		{ APP_CAN_CALL_TOOLS, "serverTools", listed },
		{ APP_CAN_READ_RESOURCES, "serverResources", listed },
		{ 0, "logging", "{}" },
		{ 0, "updateModelContext", context },
		{ APP_CAN_MESSAGE, "message", blocks },
		{ APP_CAN_SAMPLE, "sampling", b->options.sampling_tools ? "{\"tools\":{}}" : "{}" },
	};

	json_write_member_object(w, "hostCapabilities");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if ((b->options.can & rows[i].needs) == rows[i].needs)
			json_write_member_json(w, rows[i].name, rows[i].json);
	json_write_member_json(w, "sandbox", buf_text(&b->sandbox));
	json_write_object_end(w);
}

static void
write_initialize_result(struct app_bridge *b, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "protocolVersion", PROTOCOL);
	json_write_member_object(&w, "hostInfo");
	json_write_member_string(&w, "name", b->host_name);
	json_write_member_string(&w, "version", b->host_version);
	json_write_object_end(&w);
	write_capabilities(b, &w);
	json_write_member_value(&w, "hostContext", json_root(b->host));
	json_write_object_end(&w);
	json_doc_destroy(b->told);
	b->told = json_doc_ref(b->host);
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
	write_initialize_result(b, &result);
	if (b->info.phase == APP_LOADING)
		bridge_set_phase(b, APP_INITIALIZING);
	bridge_respond(b, in->id, in->message.method, buf_text(&result), result.len);
	buf_finish(&result);
}

static void
check_initialized(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (b->info.phase > APP_INITIALIZING)
		refuse(r, ERROR_INVALID_REQUEST, "a second ui/notifications/initialized");
}

static void
pong(struct app_bridge *b, const struct app_message *in)
{
	bridge_respond(b, in->id, in->message.method, NULL, 0);
}

/* ---- lists ---- */

/* Send the whole list in one page, without tools that are not for apps. Its bytes count against the
 * limit of the app, so that it cannot make the host write without end. */
static void
answer_list(struct app_bridge *b, const struct app_message *in)
{
	enum app_list list = in->method->kind;
	struct buf result = BUF_INIT;
	struct json_writer w;
	struct app_tool says;
	const cJSON *definition;

	json_write_init(&w, &result);
	json_write_object(&w);
	json_write_member_array(&w, in->method->value);
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

/* ---- the model context ---- */

static void
check_model(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	const cJSON *content = json_get(in->message.params, "content");
	const cJSON *structured = json_get(in->message.params, "structuredContent");

	if (content && !are_blocks(content))
		refuse(r, ERROR_INVALID_PARAMS, "params.content is not an array of content blocks");
	else if (structured && !cJSON_IsObject(structured))
		refuse(r, ERROR_INVALID_PARAMS, "params.structuredContent is not an object");
}

/* The last one replaces earlier ones. */
static void
set_model(struct app_bridge *b, const struct app_message *in)
{
	json_doc_destroy(b->model);
	b->model = in->message.params ? json_part(in->doc, in->message.params) : NULL;
	b->info.context = b->model ? json_root(b->model) : NULL;
	b->info.context_bytes = b->model ? in->bytes : 0;
	b->info.context_updates++;
	bridge_respond(b, in->id, in->message.method, NULL, 0);
	b->events.on_change(b->user, APP_CHANGE_CONTEXT);
}

/* ---- notifications ---- */

static void
check_cancelled(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (!json_get(in->message.params, "requestId"))
		refuse(r, ERROR_INVALID_PARAMS, "params.requestId is absent");
}

static struct open_ask *
find_by_id(const struct app_bridge *b, const char *id)
{
	for (size_t i = 0; i < b->asks.len; i++)
		if (strcmp(b->asks.items[i].id, id) == 0)
			return &b->asks.items[i];
	return NULL;
}

static void
cancelled(struct app_bridge *b, const struct app_message *in)
{
	char *id = json_text(json_get(in->message.params, "requestId"));
	struct open_ask *ask = id ? find_by_id(b, id) : NULL;

	free(id);
	if (!ask)
		return;
	uint64_t token = ask->token;
	bridge_remove_ask(b, ask);
	b->events.on_ask_end(b->user, token, json_get_string(in->message.params, "reason"));
}

static void
check_size(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	static const char *const members[] = { "width", "height" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const cJSON *value = json_get(in->message.params, members[i]);
		if (value &&
		    !(cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble < 1e7))
			refuse(r, ERROR_INVALID_PARAMS, "params.%s is not a length", members[i]);
	}
}

static void
set_size(struct app_bridge *b, const struct app_message *in)
{
	const cJSON *width = json_get(in->message.params, "width");
	const cJSON *height = json_get(in->message.params, "height");

	b->info.width = width ? width->valuedouble : b->info.width;
	b->info.height = height ? height->valuedouble : b->info.height;
	b->events.on_change(b->user, APP_CHANGE_SIZE);
}

static void
tell_change(struct app_bridge *b, const struct app_message *in)
{
	b->events.on_change(b->user, (enum app_change)in->method->kind);
}

static void
check_log(struct app_bridge *b, const struct app_message *in, struct refusal *r)
{
	if (!json_get_string(in->message.params, "level"))
		refuse(r, 0, "params.level is absent");
	else if (!json_get(in->message.params, "data"))
		refuse(r, 0, "params.data is absent");
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
	{ "ui/initialize", true, 0, APP_LOADING, check_initialize, .act = initialize },
	{ "ui/notifications/initialized", false, 0, APP_INITIALIZING, check_initialized,
	    .act = bridge_become_ready },
	{ "ping", true, 0, APP_LOADING, NULL, .act = pong },
	{ "tools/list", true, APP_CAN_CALL_TOOLS, APP_INITIALIZING, NULL, answer_list,
	    .kind = APP_LIST_TOOLS, .value = "tools" },
	{ "resources/list", true, APP_CAN_READ_RESOURCES, APP_INITIALIZING, NULL, answer_list,
	    .kind = APP_LIST_RESOURCES, .value = "resources" },
	{ "resources/templates/list", true, APP_CAN_READ_RESOURCES, APP_INITIALIZING, NULL,
	    answer_list, .kind = APP_LIST_TEMPLATES, .value = "resourceTemplates" },
	{ "prompts/list", true, APP_CAN_LIST_PROMPTS, APP_INITIALIZING, NULL, answer_list,
	    .kind = APP_LIST_PROMPTS, .value = "prompts" },
	{ "ui/update-model-context", true, 0, APP_INITIALIZING, check_model, .act = set_model },
	{ "ui/notifications/size-changed", false, 0, APP_LOADING, check_size, .act = set_size },
	{ "ui/notifications/request-teardown", false, 0, APP_LOADING, NULL, tell_change,
	    .kind = APP_CHANGE_TEARDOWN },
	{ "notifications/cancelled", false, 0, APP_LOADING, check_cancelled, .act = cancelled },
	{ "notifications/message", false, 0, APP_LOADING, check_log, .act = take_log },
	{ "ui/log", false, 0, APP_LOADING, check_log, .act = take_log },
	{ "notifications/tools/list_changed", false, 0, APP_LOADING, NULL, tell_change,
	    .kind = APP_CHANGE_TOOLS },
	/* the user or the server answers */
	{ "tools/call", true, APP_CAN_CALL_TOOLS, APP_INITIALIZING, check_tool, ask,
	    .kind = APP_ASK_TOOL, .string = "name", .value = "arguments" },
	{ "resources/read", true, APP_CAN_READ_RESOURCES, APP_INITIALIZING, NULL, ask,
	    .kind = APP_ASK_RESOURCE, .string = "uri" },
	{ "sampling/createMessage", true, APP_CAN_SAMPLE, APP_INITIALIZING, check_sampling, ask,
	    .kind = APP_ASK_SAMPLING },
	{ "ui/open-link", true, APP_CAN_OPEN_LINKS, APP_INITIALIZING, check_link, ask,
	    .kind = APP_ASK_LINK, .string = "url" },
	{ "ui/download-file", true, APP_CAN_DOWNLOAD, APP_INITIALIZING, check_download, ask,
	    .kind = APP_ASK_DOWNLOAD, .value = "contents" },
	{ "ui/message", true, APP_CAN_MESSAGE, APP_INITIALIZING, check_message, ask,
	    .kind = APP_ASK_MESSAGE, .value = "content" },
	{ "mcpane/copy", true, APP_CAN_COPY, APP_INITIALIZING, check_copy, ask,
	    .kind = APP_ASK_COPY, .string = "text", .value = "text" },
	{ "ui/request-display-mode", true, 0, APP_INITIALIZING, NULL, ask_mode,
	    .kind = APP_ASK_DISPLAY_MODE, .string = "mode" },
};

void
bridge_check_call(struct app_bridge *b, struct app_message *in, struct refusal *r)
{
	const struct app_method *method = NULL;
	const struct message *m = &in->message;
	enum json_type params = json_type(m->params);

	for (size_t i = 0; i < ARRAY_LEN(METHODS) && !method; i++)
		if (strcmp(METHODS[i].name, m->method) == 0 &&
		    METHODS[i].is_request == (m->kind == MESSAGE_REQUEST) &&
		    (b->options.can & METHODS[i].needs) == METHODS[i].needs)
			method = &METHODS[i];
	in->method = method;
	if (m->flaw)
		refuse(r, ERROR_INVALID_REQUEST, "%s", m->flaw);
	else if (in->id && strlen(in->id) > APP_ID_MAX)
		refuse(r, ERROR_INVALID_REQUEST, "the id has more than %d bytes", APP_ID_MAX);
	else if (in->id && find_by_id(b, in->id))
		refuse(r, ERROR_INVALID_REQUEST, "a request with this id is open");
	else if (!method && strncmp(m->method, "ui/notifications/sandbox-", 25) == 0)
		refuse(r, ERROR_METHOD_NOT_FOUND, "only for hosts that are web pages");
	else if (!method)
		refuse(r, ERROR_METHOD_NOT_FOUND, "Method not found: %.120s", m->method);
	else if (b->info.phase < method->since)
		refuse(r, ERROR_INVALID_REQUEST, "ui/initialize has to come first");
	else if (params != JSON_OBJECT && params != JSON_ABSENT)
		refuse(
		    r, ERROR_INVALID_PARAMS, "params is %s, not an object", json_type_name(params));
	else if (method->string && !json_get_string(m->params, method->string))
		refuse(r, ERROR_INVALID_PARAMS, "params.%s is %s, not a string", method->string,
		    json_type_name(json_type(json_get(m->params, method->string))));
	else if (method->check)
		method->check(b, in, r);
	bool is_ask = method && (method->act == ask || method->act == ask_mode);
	if (is_ask && !r->text[0] && b->asks.len >= APP_ASKS_MAX)
		refuse(r, APP_ERROR, "too many requests are open: %d", APP_ASKS_MAX);
}
