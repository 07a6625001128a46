#include "internals.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages to the app, and the open requests of both sides. */

/* ---- one message ---- */

/* member: "params", "result" or "error", whose value is JSON; NULL: {}. */
static void
send_message(
    struct app_bridge *b, struct app_line *line, const char *member, const char *value, size_t len)
{
	bool is_call = line->kind == MESSAGE_REQUEST || line->kind == MESSAGE_NOTIFICATION;
	struct buf json = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	if (line->id)
		json_write_member_json(&w, "id", line->id);
	if (is_call)
		json_write_member_string(&w, "method", line->method);
	json_write_key(&w, member);
	json_write_raw(&w, value ? value : "{}", value ? len : 2);
	json_write_object_end(&w);
	line->is_sent = true;
	line->at_us = b->now_us;
	line->bytes = blob_take_buf(&json);
	b->info.sent++;
	b->events.on_line(b->user, line);
	b->events.on_send(b->user, line->bytes->data, line->bytes->len);
	blob_unref(line->bytes);
}

static void
notify(struct app_bridge *b, const char *method, const char *params, size_t len)
{
	struct app_line line = { .kind = MESSAGE_NOTIFICATION, .method = method };

	send_message(b, &line, "params", params, len);
}

void
bridge_respond(
    struct app_bridge *b, const char *id, const char *method, const char *result, size_t len)
{
	struct app_line line = { .kind = MESSAGE_RESULT, .method = method, .id = id };

	send_message(b, &line, "result", result, len);
}

void
bridge_respond_error(
    struct app_bridge *b, const char *id, const char *method, int64_t code, const char *text)
{
	struct app_line line = {
		.kind = MESSAGE_ERROR, .method = method, .id = id, .is_error = true
	};
	struct buf error = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &error);
	json_write_object(&w);
	json_write_member_int(&w, "code", code);
	json_write_member_string(&w, "message", text);
	json_write_object_end(&w);
	send_message(b, &line, "error", buf_text(&error), error.len);
	buf_finish(&error);
}

/* ---- the result of ui/initialize ---- */

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

void
bridge_write_initialize_result(struct app_bridge *b, struct buf *out)
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

/* ---- the host context ---- */

void
bridge_tell_context(struct app_bridge *b)
{
	struct buf params = BUF_INIT;
	struct json_writer w;
	size_t changed = 0;

	if (b->info.phase != APP_READY || b->told == b->host)
		return;
	json_write_init(&w, &params);
	json_write_object(&w);
	for (const cJSON *m = json_first(json_root(b->host)); m; m = m->next) {
		const cJSON *before = json_get(json_root(b->told), m->string);
		if (before && json_equal(before, m))
			continue;
		json_write_member_value(&w, m->string, m);
		changed++;
	}
	json_write_object_end(&w);
	json_doc_destroy(b->told);
	b->told = json_doc_ref(b->host);
	if (changed > 0)
		notify(b, "ui/notifications/host-context-changed", buf_text(&params), params.len);
	buf_finish(&params);
}

void
bridge_take_modes(struct app_bridge *b)
{
	const cJSON *list = json_get(b->info.capabilities, "availableDisplayModes");
	unsigned declared = 0;

	b->info.declares_modes = json_type(list) == JSON_ARRAY;
	for (const cJSON *item = json_first(list); item; item = item->next)
		declared |= 1u << app_display_find(json_string(item));
	b->info.modes = b->info.declares_modes ? b->host_modes & declared : b->host_modes;
}

bool
app_bridge_set_context(struct app_bridge *b, const struct app_context *c, int64_t now_us)
{
	struct app_context possible = *c;
	struct buf json = BUF_INIT;
	struct json_writer w;

	b->now_us = now_us;
	b->host_modes = c->modes;
	bridge_take_modes(b);
	bool allowed = c->mode == b->info.mode || b->info.modes & 1u << c->mode;
	if (!allowed)
		possible.mode = b->info.mode;
	b->info.mode = possible.mode;
	json_write_init(&w, &json);
	app_context_write(&possible, &w);
	json_doc_destroy(b->host);
	b->host = json_parse(buf_text(&json), json.len, NULL, NULL);
	BUG_IF(!b->host);
	buf_finish(&json);
	bridge_tell_context(b);
	return allowed;
}

/* ---- the call that opened it ---- */

static void
send_one(struct app_bridge *b, struct pending *p)
{
	const char *method = p->method;
	struct buf params = p->params;

	*p = (struct pending){ .method = NULL };
	notify(b, method, buf_text(&params), params.len);
	buf_finish(&params);
}

void
bridge_send_pending(struct app_bridge *b)
{
	if (b->info.phase != APP_READY)
		return;
	if (b->partial.method)
		send_one(b, &b->partial);
	if (b->input.method) {
		b->info.input_sent = true;
		send_one(b, &b->input);
	}
	if (b->info.input_sent && b->result.method) {
		b->info.result_sent = true;
		send_one(b, &b->result);
	}
}

static void
hold(struct pending *p, const char *method, const char *member, const char *json, size_t len)
{
	buf_clear(&p->params);
	p->method = method;
	if (member)
		buf_addf(&p->params, "{\"%s\":", member);
	buf_add(&p->params, json ? json : "{}", json ? len : 2);
	if (member)
		buf_add_char(&p->params, '}');
}

void
app_bridge_partial_input(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.input_sent || b->input.method)
		return;
	hold(&b->partial, "ui/notifications/tool-input-partial", "arguments", json, len);
	bridge_send_pending(b);
}

void
app_bridge_input(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.input_sent || b->input.method)
		return;
	b->partial.method = NULL;
	hold(&b->input, "ui/notifications/tool-input", "arguments", json, len);
	bridge_send_pending(b);
}

void
app_bridge_result(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.result_sent || b->result.method)
		return;
	hold(&b->result, "ui/notifications/tool-result", NULL, json, len);
	bridge_send_pending(b);
}

void
app_bridge_cancelled(struct app_bridge *b, const char *why, int64_t now_us)
{
	struct json_writer w;

	b->now_us = now_us;
	if (b->info.result_sent || b->result.method)
		return;
	b->result.method = "ui/notifications/tool-cancelled";
	buf_clear(&b->result.params);
	json_write_init(&w, &b->result.params);
	json_write_object(&w);
	if (why)
		json_write_member_string(&w, "reason", why);
	json_write_object_end(&w);
	bridge_send_pending(b);
}

void
app_bridge_list_changed(struct app_bridge *b, enum app_list list, int64_t now_us)
{
	static const struct {
		unsigned needs;
		const char *method;
	} rows[] = {
		[APP_LIST_TOOLS] = { APP_CAN_CALL_TOOLS, "notifications/tools/list_changed" },
		[APP_LIST_RESOURCES] = { APP_CAN_READ_RESOURCES,
		    "notifications/resources/list_changed" },
		[APP_LIST_TEMPLATES] = { APP_CAN_READ_RESOURCES,
		    "notifications/resources/list_changed" },
		[APP_LIST_PROMPTS] = { APP_CAN_LIST_PROMPTS, "notifications/prompts/list_changed" },
	};

	b->now_us = now_us;
	if (b->info.phase == APP_READY && b->options.can & rows[list].needs)
		notify(b, rows[list].method, NULL, 0);
}

/* ---- pending requests of the app ---- */

static struct open_ask *
find_ask(struct app_bridge *b, uint64_t token)
{
	for (size_t i = 0; i < b->asks.len; i++)
		if (b->asks.items[i].token == token)
			return &b->asks.items[i];
	return NULL;
}

void
bridge_remove_ask(struct app_bridge *b, struct open_ask *ask)
{
	free(ask->id);
	free(ask->method);
	free(ask->progress);
	VEC_REMOVE(&b->asks, (size_t)(ask - b->asks.items));
	b->info.asks = b->asks.len;
}

void
bridge_end_asks(struct app_bridge *b, const char *why)
{
	while (b->asks.len > 0) {
		uint64_t token = b->asks.items[0].token;
		bridge_remove_ask(b, &b->asks.items[0]);
		b->events.on_ask_end(b->user, token, why);
	}
}

/* Remove the ask first, because the answer may lead the owner to end others. */
static bool
take_ask(struct app_bridge *b, uint64_t token, struct open_ask *out)
{
	struct open_ask *ask = find_ask(b, token);

	if (!ask)
		return false;
	*out = *ask;
	ask->id = ask->method = ask->progress = NULL;
	bridge_remove_ask(b, ask);
	return true;
}

static void
finish_ask(struct open_ask *ask)
{
	free(ask->id);
	free(ask->method);
	free(ask->progress);
}

bool
app_bridge_answer(
    struct app_bridge *b, uint64_t token, const char *json, size_t len, int64_t now_us)
{
	struct open_ask ask;
	char mode[32];

	b->now_us = now_us;
	if (!take_ask(b, token, &ask))
		return false;
	if (ask.kind == APP_ASK_DISPLAY_MODE) {
		snprintf(mode, sizeof(mode), "{\"mode\":\"%s\"}", app_display_names[b->info.mode]);
		json = mode;
		len = strlen(mode);
	}
	bridge_respond(b, ask.id, ask.method, json, len);
	finish_ask(&ask);
	return true;
}

bool
app_bridge_refuse(
    struct app_bridge *b, uint64_t token, int64_t code, const char *text, int64_t now_us)
{
	struct open_ask ask;

	b->now_us = now_us;
	if (!take_ask(b, token, &ask))
		return false;
	bridge_respond_error(b, ask.id, ask.method, code, text);
	finish_ask(&ask);
	return true;
}

bool
app_bridge_progress(struct app_bridge *b, uint64_t token, const cJSON *params, int64_t now_us)
{
	struct open_ask *ask = find_ask(b, token);
	struct buf json = BUF_INIT;
	struct json_writer w;

	b->now_us = now_us;
	if (!ask)
		return false;
	if (!ask->progress || b->info.phase != APP_READY)
		return true;
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_json(&w, "progressToken", ask->progress);
	for (const cJSON *m = json_first(params); m; m = m->next)
		if (strcmp(m->string, "progressToken") != 0)
			json_write_member_value(&w, m->string, m);
	json_write_object_end(&w);
	notify(b, "notifications/progress", buf_text(&json), json.len);
	buf_finish(&json);
	return true;
}

/* ---- requests to the app ---- */

#define REQUEST_US INT64_C(30000000)

uint64_t
app_bridge_request(
    struct app_bridge *b, const char *method, const char *params, size_t len, int64_t now_us)
{
	char id[24];
	struct app_line line = { .kind = MESSAGE_REQUEST, .method = method, .id = id };

	b->now_us = now_us;
	if (b->info.phase != APP_READY || b->requests.len == REQUESTS_MAX)
		return 0;
	uint64_t request = ++b->last_request;
	*VEC_PUSH(&b->requests) = (struct bridge_request){
		.id = request,
		.method = mem_strdup(method),
		.deadline_us =
		    now_us + (b->options.request_us > 0 ? b->options.request_us : REQUEST_US),
	};
	snprintf(id, sizeof(id), "%llu", (unsigned long long)request);
	line.request = request;
	send_message(b, &line, "params", params, len);
	return request;
}

void
bridge_end_request(struct app_bridge *b, size_t index, const struct app_reply *reply)
{
	struct bridge_request r = b->requests.items[index];
	struct app_reply told = *reply;

	VEC_REMOVE(&b->requests, index);
	told.request = r.id;
	if (strcmp(r.method, "ui/resource-teardown") == 0)
		bridge_end(b);
	else
		b->events.on_reply(b->user, &told);
	free(r.method);
}
