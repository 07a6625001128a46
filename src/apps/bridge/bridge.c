#include "internals.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"
#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages of the app: limits, syntax, and checks before they are executed. */

enum { ID_MAX = 256 };

/* ---- floods ---- */

static void
refill(struct app_bridge *b)
{
	double seconds = (double)(b->now_us - b->filled_us) / 1e6;

	if (seconds <= 0)
		return;
	b->filled_us = b->now_us;
	b->messages_left += seconds * APP_RATE_MESSAGES;
	b->bytes_left += seconds * (double)APP_RATE_BYTES;
	if (b->messages_left > APP_BURST_MESSAGES)
		b->messages_left = APP_BURST_MESSAGES;
	if (b->bytes_left > (double)APP_BURST_BYTES)
		b->bytes_left = (double)APP_BURST_BYTES;
}

/* Accept a message of any size if any bytes are left, and subtract the bytes that are read. */
static bool
may_read(struct app_bridge *b, size_t len)
{
	refill(b);
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

/* Each value takes a node, which needs far more memory than its text. */
static bool
has_too_many_values(const char *json, size_t len)
{
	size_t values = 0;

	for (size_t i = 0; i < len; i++)
		values += json[i] == ',' || json[i] == '[' || json[i] == '{';
	return values > APP_VALUES_MAX;
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

static void
tell_unread(struct app_bridge *b, const char *json, size_t len, const char *flaw)
{
	struct app_line line = { .kind = MESSAGE_NOT_JSON, .flaw = flaw };

	tell_line(b, json, len, &line);
}

/* ---- requests and notifications ---- */

void
bridge_refuse(struct refusal *r, int64_t code, const char *format, ...)
{
	r->code = code;
	FORMAT_INTO(r->text, format);
}

static bool
is_open(const struct app_bridge *b, const char *id)
{
	for (size_t i = 0; i < b->asks.len; i++)
		if (strcmp(b->asks.items[i].id, id) == 0)
			return true;
	return false;
}

static void
check_call(struct app_bridge *b, const struct app_message *in, const struct app_method *method,
    struct refusal *r)
{
	const struct message *m = &in->message;
	enum json_type params = json_type(m->params);

	if (m->flaw)
		bridge_refuse(r, ERROR_INVALID_REQUEST, "%s", m->flaw);
	else if (in->id && strlen(in->id) > ID_MAX)
		bridge_refuse(r, ERROR_INVALID_REQUEST, "the id has more than %d bytes", ID_MAX);
	else if (in->id && is_open(b, in->id))
		bridge_refuse(r, ERROR_INVALID_REQUEST, "a request with this id is open");
	else if (!method && strncmp(m->method, "ui/notifications/sandbox-", 25) == 0)
		bridge_refuse(r, ERROR_METHOD_NOT_FOUND, "only for hosts that are web pages");
	else if (!method)
		bridge_refuse(r, ERROR_METHOD_NOT_FOUND, "Method not found: %.120s", m->method);
	else if (b->info.phase < method->since)
		bridge_refuse(r, ERROR_INVALID_REQUEST, "ui/initialize has to come first");
	else if (params != JSON_OBJECT && params != JSON_ABSENT)
		bridge_refuse(
		    r, ERROR_INVALID_PARAMS, "params is %s, not an object", json_type_name(params));
	else if (method->check)
		method->check(b, in, r);
}

static void
take_call(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;
	const struct app_method *method = bridge_find_method(b, m);
	struct refusal r = { .code = 0 };
	struct app_line line = {
		.kind = m->kind, .method = m->method, .id = in->id, .doc = in->doc
	};

	check_call(b, in, method, &r);
	line.flaw = r.text[0] ? r.text : NULL;
	tell_line(b, json, len, &line);
	if (r.code == 0)
		method->act(b, in);
	else if (in->id && m->kind == MESSAGE_REQUEST && strlen(in->id) <= ID_MAX)
		bridge_respond_error(b, in->id, m->method, r.code, r.text);
}

/* ---- responses ---- */

static size_t
find_request(const struct app_bridge *b, const cJSON *id)
{
	size_t number, i = 0;

	if (!id || !json_number_to_size(id, SIZE_MAX, &number))
		return b->requests.len;
	while (i < b->requests.len && b->requests.items[i].id != number)
		i++;
	return i;
}

static void
take_response(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;
	size_t index = find_request(b, m->id);
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
		bridge_end_request(b, index, &reply);
}

/* ---- all messages ---- */

static void
take_value(struct app_bridge *b, const char *json, size_t len, struct app_message *in)
{
	const struct message *m = &in->message;
	struct buf id = BUF_INIT;

	message_classify(json_root(in->doc), &in->message);
	if (m->id)
		json_print(&id, m->id);
	in->id = m->id ? id.data : NULL;
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
	buf_finish(&id);
}

void
app_bridge_on_message(struct app_bridge *b, const char *json, size_t len, int64_t now_us)
{
	struct json_error error;
	char flaw[200];

	b->now_us = now_us;
	if (b->info.phase == APP_GONE || !may_read(b, len))
		return;
	b->info.received++;
	if (len > APP_MESSAGE_MAX) {
		snprintf(
		    flaw, sizeof(flaw), "longer than %zu MiB: not read", APP_MESSAGE_MAX >> 20);
		tell_unread(b, json, len, flaw);
		return;
	}
	if (has_too_many_values(json, len)) {
		tell_unread(b, json, len, "it has too many values: not read");
		return;
	}
	struct app_message in = { .doc = json_parse(json, len, NULL, &error), .bytes = len };
	if (in.doc) {
		take_value(b, json, len, &in);
	} else {
		snprintf(flaw, sizeof(flaw), NOT_JSON, error.text, error.offset);
		tell_unread(b, json, len, flaw);
	}
	json_doc_destroy(in.doc);
}

/* Life cycle of an app: phases, time limits and facts. */

const char *const app_phase_names[] = { "loading", "initializing", "ready", "closing", "gone" };

#define SECOND INT64_C(1000000)

static int64_t
or_default(int64_t us, int64_t otherwise)
{
	return us > 0 ? us : otherwise;
}

void
bridge_change(struct app_bridge *b, enum app_change change)
{
	b->events.on_change(b->user, change);
}

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
	bridge_change(b, APP_CHANGE_PHASE);
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
		.init_deadline_us = now_us + or_default(options->init_us, 10 * SECOND),
		.messages_left = APP_BURST_MESSAGES,
		.bytes_left = (double)APP_BURST_BYTES,
		.filled_us = now_us,
		.flood_note_us = INT64_MAX,
	};
	*info = &b->info;
	write_sandbox(b, options->policy);
	b->options.policy = NULL; /* the caller's */
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
bridge_become_ready(struct app_bridge *b)
{
	b->init_deadline_us = INT64_MAX;
	b->info.ready_us = b->now_us - b->start_us;
	if (b->info.trouble) {
		b->info.trouble = NULL;
		bridge_change(b, APP_CHANGE_TROUBLE);
	}
	bridge_set_phase(b, APP_READY);
	bridge_tell_context(b);
	bridge_send_pending(b);
}

void
bridge_end(struct app_bridge *b)
{
	const struct app_reply gone = { .error = "the app is gone" };

	if (b->info.phase == APP_GONE)
		return;
	b->info.phase = APP_GONE;
	b->init_deadline_us = INT64_MAX;
	bridge_end_asks(b, "the app is gone");
	while (b->requests.len > 0)
		bridge_end_request(b, 0, &gone);
	bridge_change(b, APP_CHANGE_PHASE);
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
		bridge_end(b);
		return;
	}
	if (b->requests.len == REQUESTS_MAX)
		bridge_end_request(b, 0, &closing);
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
			b->requests.items[i].deadline_us =
			    now_us + or_default(b->options.teardown_us, SECOND / 2);
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
		double seconds = (double)or_default(b->options.init_us, 10 * SECOND) / 1e6;
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
		bridge_change(b, APP_CHANGE_TROUBLE);
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
			bridge_end_request(b, i, &reply);
		}
}
