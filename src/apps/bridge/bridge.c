/* SPDX-License-Identifier: MIT */
#include "internals.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of one app: messages in both directions, open requests, phases and time limits. */

#define REQUESTS_MAX 64 /* our open requests */

static void end_bridge(struct app_bridge *b);

/* ---- messages to the app ---- */

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

static void
respond_error(
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

/* ---- the host context ---- */

static void
tell_context(struct app_bridge *b)
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
		declared |= 1u << app_display_find(cJSON_GetStringValue(item));
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
	tell_context(b);
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

static void
send_pending(struct app_bridge *b)
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

/* Sends it now if the app is ready. */
static void
hold(struct app_bridge *b, struct pending *p, const char *method, const char *member,
    const char *json, size_t len)
{
	buf_clear(&p->params);
	p->method = method;
	if (member)
		buf_addf(&p->params, "{\"%s\":", member);
	buf_add(&p->params, json ? json : "{}", json ? len : 2);
	if (member)
		buf_add_char(&p->params, '}');
	send_pending(b);
}

void
app_bridge_input(
    struct app_bridge *b, const char *json, size_t len, bool is_partial, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.input_sent || b->input.method)
		return;
	if (is_partial) {
		hold(b, &b->partial, "ui/notifications/tool-input-partial", "arguments", json, len);
		return;
	}
	b->partial.method = NULL;
	hold(b, &b->input, "ui/notifications/tool-input", "arguments", json, len);
}

void
app_bridge_result(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.result_sent || b->result.method)
		return;
	hold(b, &b->result, "ui/notifications/tool-result", NULL, json, len);
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
	send_pending(b);
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

static void
finish_ask(struct open_ask *ask)
{
	free(ask->id);
	free(ask->method);
	free(ask->progress);
}

/* Remove the ask first, because the answer may lead the owner to end others. */
static bool
take_ask(struct app_bridge *b, uint64_t token, struct open_ask *out)
{
	const struct open_ask *ask = find_ask(b, token);

	if (!ask)
		return false;
	*out = *ask;
	VEC_REMOVE(&b->asks, (size_t)(ask - b->asks.items));
	b->info.asks = b->asks.len;
	return true;
}

void
bridge_remove_ask(struct app_bridge *b, struct open_ask *ask)
{
	finish_ask(ask);
	VEC_REMOVE(&b->asks, (size_t)(ask - b->asks.items));
	b->info.asks = b->asks.len;
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
	respond_error(b, ask.id, ask.method, code, text);
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
		.deadline_us = now_us + b->options.request_us,
	};
	snprintf(id, sizeof(id), "%llu", (unsigned long long)request);
	line.request = request;
	send_message(b, &line, "params", params, len);
	return request;
}

static void
end_request(struct app_bridge *b, size_t index, const struct app_reply *reply)
{
	struct bridge_request r = b->requests.items[index];
	struct app_reply told = *reply;

	VEC_REMOVE(&b->requests, index);
	told.request = r.id;
	if (strcmp(r.method, "ui/resource-teardown") == 0)
		end_bridge(b);
	else
		b->events.on_reply(b->user, &told);
	free(r.method);
}

/* ---- messages of the app: limits, syntax, and checks before they are executed ---- */

/* ---- floods ---- */

/* Accept a message of any size if any bytes are left, and subtract the bytes that are read. */
static bool
may_read(struct app_bridge *b, size_t len)
{
	double seconds = (double)(b->now_us - b->filled_us) / 1e6;

	if (seconds > 0) {
		b->filled_us = b->now_us;
		b->messages_left += seconds * APP_RATE_MESSAGES;
		b->bytes_left += seconds * (double)APP_RATE_BYTES;
	}
	if (b->messages_left > APP_BURST_MESSAGES)
		b->messages_left = APP_BURST_MESSAGES;
	if (b->bytes_left > (double)APP_BURST_BYTES)
		b->bytes_left = (double)APP_BURST_BYTES;
	if (b->messages_left >= 1 && b->bytes_left > 0) {
		b->messages_left--;
		b->bytes_left -= (double)(len < APP_MESSAGE_MAX ? len : APP_MESSAGE_MAX);
		return true;
	}
	b->info.dropped++;
	b->info.dropped_bytes += len;
	b->flood++;
	b->flood_bytes += len;
	if (b->flood_note_us == INT64_MAX)
		b->flood_note_us = b->now_us + 1000000;
	return false;
}

/* ---- the journal ---- */

static void
tell_line(struct app_bridge *b, const char *json, size_t len, struct app_line *line)
{
	size_t kept = len > APP_MESSAGE_MAX ? APP_MESSAGE_KEPT : len;

	line->at_us = b->now_us;
	line->dropped = len - kept;
	line->bytes = blob_from_bytes(json, kept);
	if (line->flaw)
		b->info.flaws++;
	b->events.on_line(b->user, line);
	blob_unref(line->bytes);
}

/* ---- requests and notifications ---- */

static void
take_call(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;
	struct refusal r = { .code = 0 };
	struct app_line line = {
		.kind = m->kind, .method = m->method, .id = in->id, .doc = in->doc
	};

	bridge_check_call(b, in, &r);
	line.flaw = r.text[0] ? r.text : NULL;
	tell_line(b, json, len, &line);
	if (r.code == 0)
		in->method->act(b, in);
	else if (in->id && m->kind == MESSAGE_REQUEST && strlen(in->id) <= APP_ID_MAX)
		respond_error(b, in->id, m->method, r.code, r.text);
}

/* ---- responses ---- */

static void
take_response(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;
	size_t number = 0, index = 0;
	bool is_numbered = m->id && json_number_to_size(m->id, SIZE_MAX, &number);
	while (index < b->requests.len && !(is_numbered && b->requests.items[index].id == number))
		index++;
	bool known = index < b->requests.len;
	struct app_line line = {
		.kind = m->kind,
		.id = in->id,
		.doc = in->doc,
		.is_error = m->kind == MESSAGE_ERROR,
		.method = known ? b->requests.items[index].method : NULL,
		.request = known ? b->requests.items[index].id : 0,
		.flaw = known ? m->flaw : "it answers no open request",
	};
	struct app_reply reply = { .doc = in->doc, .result = m->result };

	if (m->kind == MESSAGE_ERROR) {
		const char *text = json_get_string(m->error, "message");
		reply.result = NULL;
		reply.error = text ? text : "an error without a message";
	}
	tell_line(b, json, len, &line);
	if (known)
		end_request(b, index, &reply);
}

/* ---- all messages ---- */

static void
take_value(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;

	message_classify(json_root(in->doc), &in->message);
	in->id = json_text(m->id);
	if (m->kind == MESSAGE_REQUEST || m->kind == MESSAGE_NOTIFICATION) {
		take_call(b, json, len, in);
	} else if (m->kind == MESSAGE_RESULT || m->kind == MESSAGE_ERROR) {
		take_response(b, json, len, in);
	} else {
		struct app_line line = { .kind = m->kind,
			.id = in->id,
			.doc = in->doc,
			.flaw = m->kind == MESSAGE_BATCH ? "a batch, which MCP Apps does not have"
							 : m->flaw };
		tell_line(b, json, len, &line);
	}
	free(in->id);
}

void
app_bridge_on_message(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	struct app_message in = { .bytes = len };
	struct json_error error;
	size_t values = 0;
	char flaw[200];
	struct app_line unread = { .kind = MESSAGE_NOT_JSON, .flaw = flaw };

	b->now_us = now_us;
	if (b->info.phase == APP_GONE || !may_read(b, len))
		return;
	b->info.received++;
	/* Each value takes a node, which needs far more memory than its text. */
	for (size_t i = 0; i < len && len <= APP_MESSAGE_MAX; i++)
		values += json[i] == ',' || json[i] == '[' || json[i] == '{';
	if (len > APP_MESSAGE_MAX)
		snprintf(
		    flaw, sizeof(flaw), "longer than %zu MiB: not read", APP_MESSAGE_MAX >> 20);
	else if (values > APP_VALUES_MAX)
		snprintf(flaw, sizeof(flaw), "it has too many values: not read");
	else if (!(in.doc = json_parse(json, len, NULL, &error)))
		snprintf(flaw, sizeof(flaw), NOT_JSON, error.text, error.offset);
	if (in.doc)
		take_value(b, json, len, &in);
	else
		tell_line(b, json, len, &unread);
	json_doc_destroy(in.doc);
}

/* ---- life cycle ---- */

const char *const app_phase_names[] = { "loading", "initializing", "ready", "closing", "gone" };

#define SECOND INT64_C(1000000)

static void __attribute__((format(printf, 2, 3)))
note(struct app_bridge *b, const char *format, ...)
{
	char text[256];

	FORMAT_INTO(text, format);
	b->events.on_note(b->user, text, b->now_us);
}

void
bridge_set_phase(struct app_bridge *b, enum app_phase phase)
{
	b->info.phase = phase;
	b->events.on_change(b->user, APP_CHANGE_PHASE);
}

/* ---- creation ---- */

static void
write_sandbox(struct app_bridge *b, const struct app_policy *policy)
{
	struct json_writer w;

	json_write_init(&w, &b->sandbox);
	json_write_object(&w);
	json_write_member_object(&w, "permissions");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (b->options.permissions & 1u << i)
			json_write_member_json(&w, app_permission_names[i], "{}");
	json_write_object_end(&w);
	json_write_member_object(&w, "csp");
	for (int kind = 0; policy && kind < APP_DOMAIN_KINDS; kind++) {
		json_write_member_array(&w, app_domain_members[kind]);
		for (size_t i = 0; i < policy->domains.len; i++)
			if ((int)policy->domains.items[i].kind == kind &&
			    !policy->domains.items[i].refusal)
				json_write_string(&w, policy->domains.items[i].text);
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
	json_write_object_end(&w);
}

struct app_bridge *
app_bridge_create(const struct app_bridge_options *options, const struct app_context *context,
    const struct app_events *events, void *user, const struct app_bridge_info **info,
    int64_t now_us)
{
	struct app_bridge *b = mem_zalloc(sizeof(*b));

	*b = (struct app_bridge){
		.options = *options,
		.host_name = mem_strdup(options->host_name),
		.host_version = mem_strdup(options->host_version),
		.events = *events,
		.user = user,
		.info = { .app_name = "",
		    .app_title = "",
		    .app_version = "",
		    .protocol = "",
		    .mode = context->mode,
		    .modes = context->modes,
		    .ready_us = -1 },
		.now_us = now_us,
		.start_us = now_us,
		.messages_left = APP_BURST_MESSAGES,
		.bytes_left = (double)APP_BURST_BYTES,
		.filled_us = now_us,
		.flood_note_us = INT64_MAX,
	};
	*info = &b->info;
	write_sandbox(b, options->policy);
	b->options.policy = NULL; /* the caller's */
	if (options->init_us <= 0)
		b->options.init_us = 10 * SECOND;
	if (options->request_us <= 0)
		b->options.request_us = 30 * SECOND;
	if (options->teardown_us <= 0)
		b->options.teardown_us = SECOND / 2;
	b->init_deadline_us = now_us + b->options.init_us;
	app_bridge_set_context(b, context, now_us);
	return b;
}

void
app_bridge_destroy(struct app_bridge *b)
{
	if (!b)
		return;
	while (b->asks.len > 0)
		bridge_remove_ask(b, &b->asks.items[0]);
	for (size_t i = 0; i < b->requests.len; i++)
		free(b->requests.items[i].method);
	free(b->requests.items);
	free(b->asks.items);
	free(b->host_name);
	free(b->host_version);
	buf_finish(&b->sandbox);
	buf_finish(&b->partial.params);
	buf_finish(&b->input.params);
	buf_finish(&b->result.params);
	json_doc_destroy(b->app);
	json_doc_destroy(b->model);
	json_doc_destroy(b->host);
	json_doc_destroy(b->told);
	free(b);
}

/* ---- phases ---- */

void
bridge_become_ready(struct app_bridge *b, const struct app_message *in)
{
	b->init_deadline_us = INT64_MAX;
	b->info.ready_us = b->now_us - b->start_us;
	if (b->info.trouble) {
		b->info.trouble = NULL;
		b->events.on_change(b->user, APP_CHANGE_TROUBLE);
	}
	bridge_set_phase(b, APP_READY);
	tell_context(b);
	send_pending(b);
}

static void
end_bridge(struct app_bridge *b)
{
	const struct app_reply gone = { .error = "the app is gone" };

	if (b->info.phase == APP_GONE)
		return;
	b->info.phase = APP_GONE;
	b->init_deadline_us = INT64_MAX;
	while (b->asks.len > 0) {
		uint64_t token = b->asks.items[0].token;
		bridge_remove_ask(b, &b->asks.items[0]);
		b->events.on_ask_end(b->user, token, gone.error);
	}
	while (b->requests.len > 0)
		end_request(b, 0, &gone);
	b->events.on_change(b->user, APP_CHANGE_PHASE);
}

void
app_bridge_close(struct app_bridge *b, const char *why, int64_t now_us)
{
	const struct app_reply closing = { .error = "the app is being closed" };
	struct buf params = BUF_INIT;
	struct json_writer w;

	b->now_us = now_us;
	if (b->info.phase >= APP_CLOSING)
		return;
	if (b->info.phase < APP_READY) {
		end_bridge(b);
		return;
	}
	if (b->requests.len == REQUESTS_MAX)
		end_request(b, 0, &closing);
	json_write_init(&w, &params);
	json_write_object(&w);
	if (why)
		json_write_member_string(&w, "reason", why);
	json_write_object_end(&w);
	uint64_t id =
	    app_bridge_request(b, "ui/resource-teardown", buf_text(&params), params.len, now_us);
	buf_finish(&params);
	for (size_t i = 0; i < b->requests.len; i++)
		if (b->requests.items[i].id == id)
			b->requests.items[i].deadline_us = now_us + b->options.teardown_us;
	bridge_set_phase(b, APP_CLOSING);
}

/* ---- time ---- */

int64_t
app_bridge_next_time(const struct app_bridge *b)
{
	int64_t next =
	    b->init_deadline_us < b->flood_note_us ? b->init_deadline_us : b->flood_note_us;

	for (size_t i = 0; i < b->requests.len; i++)
		if (b->requests.items[i].deadline_us < next)
			next = b->requests.items[i].deadline_us;
	return b->info.phase == APP_GONE ? INT64_MAX : next;
}

void
app_bridge_on_time(struct app_bridge *b, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.phase == APP_GONE)
		return;
	if (now_us >= b->init_deadline_us) {
		double seconds = (double)b->options.init_us / 1e6;
		b->init_deadline_us = INT64_MAX;
		if (b->info.phase == APP_LOADING)
			snprintf(b->trouble, sizeof(b->trouble), "no ui/initialize within %g s",
			    seconds);
		else
			snprintf(b->trouble, sizeof(b->trouble),
			    "ui/initialize, but no ui/notifications/initialized within %g s",
			    seconds);
		b->info.trouble = b->trouble;
		note(b, "%s", b->trouble);
		b->events.on_change(b->user, APP_CHANGE_TROUBLE);
	}
	if (now_us >= b->flood_note_us) {
		note(b, "a flood: %zu messages of the app, %zu bytes, were dropped unread",
		    b->flood, b->flood_bytes);
		b->flood = b->flood_bytes = 0;
		b->flood_note_us = INT64_MAX;
	}
	for (size_t i = b->requests.len; i-- > 0;)
		if (i < b->requests.len && now_us >= b->requests.items[i].deadline_us) {
			const struct bridge_request *r = &b->requests.items[i];
			struct app_reply reply = { .error = "no answer in time" };
			note(b, "no answer to %s in time", r->method);
			end_request(b, i, &reply);
		}
}
