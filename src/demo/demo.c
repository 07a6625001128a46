/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/clock.h"
#include "base/embedded.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool
reply_refuse(struct demo_call *call, const char *name, const char *expected, const cJSON *given)
{
	struct buf brief = BUF_INIT;

	json_print_brief(&brief, given, 60);
	demo_fail(call, "%s must be %s, not %s.", name, expected, buf_text(&brief));
	buf_finish(&brief);
	return false;
}

bool
demo_arg_size(struct demo_call *call, const char *name, size_t min, size_t max, size_t *value)
{
	const cJSON *given = json_get(call->arguments, name);
	size_t number = 0;

	if (!given)
		return true;
	if (cJSON_IsNumber(given) && json_number_to_size(given, max, &number) && number >= min) {
		*value = number;
		return true;
	}
	struct buf expected = BUF_INIT;
	buf_addf(&expected, "an integer from %zu to %zu", min, max);
	reply_refuse(call, name, buf_text(&expected), given);
	buf_finish(&expected);
	return false;
}

bool
demo_arg_bool(struct demo_call *call, const char *name, bool *value)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given)
		return true;
	if (!cJSON_IsBool(given))
		return reply_refuse(call, name, "true or false", given);
	*value = cJSON_IsTrue(given);
	return true;
}

bool
demo_arg_text(struct demo_call *call, const char *name, const char **value)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given)
		return true;
	if (!cJSON_IsString(given))
		return reply_refuse(call, name, "a string", given);
	*value = cJSON_GetStringValue(given);
	return true;
}

bool
demo_arg_choice(struct demo_call *call, const char *name, const char *const *choices, size_t *value)
{
	const cJSON *given = json_get(call->arguments, name);
	const char *text = cJSON_GetStringValue(given);

	if (!given)
		return true;
	for (size_t i = 0; text && choices[i]; i++)
		if (strcmp(text, choices[i]) == 0) {
			*value = i;
			return true;
		}
	struct buf expected = BUF_INIT;
	buf_add_str(&expected, "one of ");
	for (size_t i = 0; choices[i]; i++)
		buf_addf(&expected, "%s%s", i ? ", " : "", choices[i]);
	reply_refuse(call, name, buf_text(&expected), given);
	buf_finish(&expected);
	return false;
}

#define TEXT_MAX 1024 /* longer texts are cut */

#define SERVER_INFO \
	"{\"name\":\"demo\",\"title\":\"mcpane demo server\",\"version\":\"" VERSION "\"}"

void
demo_message(struct json_writer *w, struct demo *d)
{
	json_write_init(w, &d->out->bytes);
	json_write_object(w);
	json_write_member_string(w, "jsonrpc", "2.0");
}

void
demo_notice_end(struct json_writer *w)
{
	json_write_object_end(w);
	json_write_object_end(w);
	buf_add_char(w->out, '\n');
}

static void
open_reply(struct demo_call *call, const char *member)
{
	demo_message(&call->w, call->demo);
	json_write_member_json(&call->w, "id", call->id);
	json_write_member_object(&call->w, member);
}

void
demo_result(struct demo_call *call)
{
	open_reply(call, "result");
}

void
demo_end_as(struct demo_call *call, const char *result_type)
{
	struct json_writer *w = &call->w;

	if (call->modern) {
		json_write_member_string(w, "resultType", result_type);
		json_write_member_object(w, "_meta");
		json_write_member_json(w, "io.modelcontextprotocol/serverInfo", SERVER_INFO);
		json_write_object_end(w);
	}
	demo_notice_end(w);
}

void
demo_end(struct demo_call *call)
{
	demo_end_as(call, "complete");
}

void
demo_end_cacheable(struct demo_call *call, int ttl_ms)
{
	if (call->modern) {
		json_write_member_int(&call->w, "ttlMs", ttl_ms);
		json_write_member_string(&call->w, "cacheScope", "private");
	}
	demo_end(call);
}

void
demo_text_block(struct json_writer *w, const char *text)
{
	json_write_object(w);
	json_write_member_string(w, "type", "text");
	json_write_member_string(w, "text", text);
	json_write_object_end(w);
}

void
demo_text(struct demo_call *call, const char *format, ...)
{
	char text[TEXT_MAX];

	FORMAT_INTO(text, format);
	json_write_member_array(&call->w, "content");
	demo_text_block(&call->w, text);
	json_write_array_end(&call->w);
}

const cJSON *
demo_extra(const struct demo_call *call, const char *name)
{
	return json_get(json_get(call->tool, "demo"), name);
}

void
demo_structured(struct demo_call *call, const char *json)
{
	if (call->modern || !cJSON_IsTrue(demo_extra(call, "anyValue"))) {
		json_write_member_json(&call->w, "structuredContent", json);
		return;
	}
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_json(&call->w, "result", json);
	json_write_object_end(&call->w);
}

void
demo_fail(struct demo_call *call, const char *format, ...)
{
	char text[TEXT_MAX];

	FORMAT_INTO(text, format);
	demo_result(call);
	demo_text(call, "%s", text);
	json_write_member_bool(&call->w, "isError", true);
	demo_end(call);
}

void
demo_error(struct demo_call *call, int code, const char *data, const char *format, ...)
{
	char text[TEXT_MAX];

	FORMAT_INTO(text, format);
	open_reply(call, "error");
	json_write_member_int(&call->w, "code", code);
	json_write_member_string(&call->w, "message", text);
	if (data)
		json_write_member_json(&call->w, "data", data);
	demo_notice_end(&call->w);
}

void
demo_notice(struct json_writer *w, struct demo *d, const char *method)
{
	demo_message(w, d);
	json_write_member_string(w, "method", method);
	json_write_member_object(w, "params");
}

/* ---- tools ---- */

/* The reply of a tool without a handler. */
static void
reply(struct demo_call *call)
{
	const cJSON *content = demo_extra(call, "content");
	char *data = json_text(demo_extra(call, "data"));

	demo_result(call);
	if (content)
		json_write_member_value(&call->w, "content", content);
	else
		demo_text(call, "%s", cJSON_GetStringValue(demo_extra(call, "text")));
	if (data)
		demo_structured(call, data);
	demo_end(call);
	free(data);
}

static void
write_tool(struct json_writer *w, const struct demo_call *call)
{
	bool wrapped = !call->modern && cJSON_IsTrue(demo_extra(call, "anyValue"));

	json_write_object(w);
	for (const cJSON *m = json_first(call->tool); m; m = m->next) {
		if (wrapped && strcmp(m->string, "outputSchema") == 0) {
			json_write_member_object(w, "outputSchema");
			json_write_member_string(w, "type", "object");
			json_write_member_object(w, "properties");
			json_write_member_value(w, "result", m);
			json_write_object_end(w);
			json_write_member_json(w, "required", "[\"result\"]");
			json_write_object_end(w);
		} else if (strcmp(m->string, "demo") != 0) {
			json_write_member_value(w, m->string, m);
		}
	}
	json_write_object_end(w);
}

static void
list_tools(struct demo_call *call)
{
	demo_result(call);
	json_write_member_array(&call->w, "tools");
	for (call->tool = json_first(json_root(call->demo->tools)); call->tool;
	     call->tool = call->tool->next)
		write_tool(&call->w, call);
	json_write_array_end(&call->w);
	demo_end_cacheable(call, 0);
}

static void (*find_handler(const struct demo_call *call, const char *name))(struct demo_call *)
{
	static const struct demo_handler *const lists[] = { demo_results, demo_records,
		demo_long_calls };
	const char *run = cJSON_GetStringValue(demo_extra(call, "run"));

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (const struct demo_handler *h = lists[i]; h->name; h++)
			if (strcmp(h->name, run ? run : name) == 0)
				return h->run;
	return reply;
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
	call->tool = json_first(json_root(call->demo->tools));
	while (call->tool && strcmp(json_get_string(call->tool, "name"), name) != 0)
		call->tool = call->tool->next;
	if (!call->tool) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL, "Unknown tool: %s", name);
		return;
	}
	demo_count(call->demo);
	find_handler(call, name)(call);
}

#define LINE_MAX_BYTES ((size_t)16 * 1024 * 1024) /* of a request */

#define META "io.modelcontextprotocol/"
#define MODERN_VERSION "2026-07-28"

static const char *const legacy_versions[] = { "2024-11-05", "2025-03-26", "2025-06-18",
	"2025-11-25" };
#define LEGACY_COUNT ARRAY_LEN(legacy_versions)

static void
write_capabilities(struct json_writer *w)
{
	static const char capabilities[] = JSON_TEXT({"tools":{},"resources":{"subscribe":true},
		"prompts":{},"completions":{},"logging":{},
		"extensions":{"io.modelcontextprotocol/tasks":{},
		"io.modelcontextprotocol/skills":{"directoryRead":true},
		"io.modelcontextprotocol/ui":{}}});

	json_write_member_json(w, "capabilities", capabilities);
	json_write_member_string(w, "instructions",
	    "Every tool shows one thing that mcpane can show. Start with list_users, then "
	    "bad_rows.");
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
	json_write_member_json(&call->w, "serverInfo", SERVER_INFO);
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
	{ "resources/list", true, true, demo_list },
	{ "resources/templates/list", true, true, demo_list },
	{ "resources/read", true, true, demo_read_resource },
	{ "resources/subscribe", true, false, demo_subscribe },
	{ "resources/unsubscribe", true, false, demo_subscribe },
	{ "subscriptions/listen", false, true, demo_listen },
	{ "resources/directory/read", true, true, demo_read_directory },
	{ "skills/list", true, true, demo_list_skills },
	{ "skills/get", true, true, demo_get_skill },
	{ "prompts/list", true, true, demo_list },
	{ "prompts/get", true, true, demo_get_prompt },
	{ "completion/complete", true, true, demo_complete },
};

/* Sets the era of a request and checks _meta. False: answered with an error. */
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
on_request(struct demo_call *call)
{
	if (call->params && !cJSON_IsObject(call->params)) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL, "params must be an object");
		return;
	}
	if (!check_envelope(call, strcmp(call->method, "initialize") == 0))
		return;
	for (size_t i = 0; i < ARRAY_LEN(methods); i++)
		if (strcmp(methods[i].name, call->method) == 0 &&
		    (call->modern ? methods[i].modern : methods[i].legacy)) {
			methods[i].run(call);
			return;
		}
	demo_error(call, ERROR_METHOD_NOT_FOUND, NULL, "Method not found: %s", call->method);
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
	struct demo_call call = { .demo = d,
		.id = buf_text(&d->id),
		.method = m.method,
		.params = m.params,
		.now_ms = now_ms };
	if (m.kind == MESSAGE_REQUEST)
		on_request(&call);
	else if (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR)
		demo_on_client_answer(d, &m, now_ms);
	else if (m.kind == MESSAGE_BATCH)
		demo_error(&call, ERROR_INVALID_REQUEST, NULL, "batches are not answered");
	else if (m.kind == MESSAGE_INVALID)
		demo_error(&call, ERROR_INVALID_REQUEST, NULL, "%s",
		    m.flaw ? m.flaw : "not a JSON-RPC message");
	const cJSON *cancelled = json_get(m.params, "requestId");
	if (m.kind == MESSAGE_NOTIFICATION && cancelled &&
	    strcmp(m.method, "notifications/cancelled") == 0) {
		buf_clear(&d->id);
		json_print(&d->id, cancelled);
		demo_calls_cancel(d, buf_text(&d->id));
	}
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
demo_create(struct demo_output *out)
{
	struct demo *d = mem_zalloc(sizeof(*d));
	const struct embedded_file *tools = embedded_find(page_files, "tools.json");
	const struct embedded_file *lists = embedded_find(page_files, "lists.json");

	d->out = out;
	d->tools = json_parse(tools->bytes, tools->len, NULL, NULL);
	d->lists = json_parse(lists->bytes, lists->len, NULL, NULL);
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
	for (size_t i = 0; i < d->run_count; i++) {
		free(d->runs[i].id);
		free(d->runs[i].token);
	}
	for (size_t i = 0; i < d->asked.len; i++)
		free(d->asked.items[i].id);
	free(d->asked.items);
	frame_finish(&d->frame);
	buf_finish(&d->id);
	free(d->listen_id);
	json_doc_destroy(d->tools);
	json_doc_destroy(d->lists);
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
	if (d->out->crash != DEMO_ALIVE)
		return false;
	if (demo_calls_step(d, now_ms))
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

#define READ_BYTES 65536
/* Output is written once this much of it waits, or when there is nothing left to do. */
#define FLUSH_BYTES 65536

static bool
serve_flush(struct buf *out, int fd)
{
	size_t at = 0;

	while (at < out->len) {
		ssize_t n = write(fd, out->data + at, out->len - at);
		if (n > 0) {
			at += (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };
			poll(&wait, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			return false;
		}
	}
	buf_clear(out);
	return true;
}

static bool
serve_work(struct demo *d, int out_fd)
{
	struct buf *out = &d->out->bytes;

	while (demo_work(d, clock_now_ms()))
		if (out->len >= FLUSH_BYTES && !serve_flush(out, out_fd))
			return false;
	if (!serve_flush(out, out_fd))
		return false;
	if (d->out->crash == DEMO_ALIVE)
		return true;
	/* the tool `crash` was called; without a core file, which would be useless */
	fputs("demo: crash was called\n"
	      "demo: assertion failed: oven_is_off(kitchen)\n",
	    stderr);
	fflush(stderr);
	if (d->out->crash == DEMO_EXITS)
		_exit(3);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	signal(SIGABRT, SIG_DFL);
	abort();
}

int
demo_serve(int in_fd, int out_fd)
{
	char bytes[READ_BYTES];
	struct demo_output out = { 0 };
	struct demo *d = demo_create(&out);
	int status = 0;

	signal(SIGPIPE, SIG_IGN);
	while (serve_work(d, out_fd)) {
		struct pollfd in = { .fd = in_fd, .events = POLLIN };
		int64_t next = demo_next_time(d), ms = next - clock_now_ms();
		ms = ms < 0 ? 0 : ms > INT_MAX ? INT_MAX : ms;
		if (poll(&in, 1, next == INT64_MAX ? -1 : (int)ms) < 1)
			continue;
		ssize_t n = read(in_fd, bytes, sizeof(bytes));
		if (n > 0) {
			demo_on_bytes(d, bytes, (size_t)n);
		} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			status = n < 0;
			break;
		}
	}
	demo_destroy(d);
	buf_finish(&out.bytes);
	return status;
}
