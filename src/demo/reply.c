#include "state.h"

#include "base/mem.h"

#include "json/number.h"
#include "json/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool
refuse(struct demo_call *call, const char *name, const char *expected, const cJSON *given)
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
	refuse(call, name, buf_text(&expected), given);
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
		return refuse(call, name, "true or false", given);
	*value = json_is_true(given);
	return true;
}

bool
demo_arg_text(struct demo_call *call, const char *name, const char **value)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given)
		return true;
	if (!cJSON_IsString(given))
		return refuse(call, name, "a string", given);
	*value = json_string(given);
	return true;
}

bool
demo_arg_choice(struct demo_call *call, const char *name, const char *const *choices, size_t *value)
{
	const cJSON *given = json_get(call->arguments, name);
	const char *text = json_string(given);

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
	refuse(call, name, buf_text(&expected), given);
	buf_finish(&expected);
	return false;
}

/* Longer texts are cut. */
#define TEXT_MAX 1024

static void
open_message(struct json_writer *w, struct buf *out)
{
	json_write_init(w, out);
	json_write_object(w);
	json_write_member_string(w, "jsonrpc", "2.0");
}

static void
close_message(struct json_writer *w)
{
	json_write_object_end(w);
	json_write_object_end(w);
	buf_add_char(w->out, '\n');
}

static void
open_reply(struct demo_call *call, const char *member)
{
	open_message(&call->w, &call->demo->out);
	json_write_member_json(&call->w, "id", call->id);
	json_write_member_object(&call->w, member);
}

void
demo_write_info(struct json_writer *w)
{
	json_write_object(w);
	json_write_member_string(w, "name", "demo");
	json_write_member_string(w, "title", "mcpane demo server");
	json_write_member_string(w, "version", VERSION);
	json_write_object_end(w);
}

void
demo_result(struct demo_call *call)
{
	open_reply(call, "result");
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
demo_end_as(struct demo_call *call, const char *result_type)
{
	struct json_writer *w = &call->w;

	if (call->modern) {
		json_write_member_string(w, "resultType", result_type);
		json_write_member_object(w, "_meta");
		json_write_key(w, "io.modelcontextprotocol/serverInfo");
		demo_write_info(w);
		json_write_object_end(w);
	}
	close_message(w);
}

__attribute__((format(printf, 2, 0))) static void
write_text(struct json_writer *w, const char *format, va_list args)
{
	char text[TEXT_MAX];

	vsnprintf(text, sizeof(text), format, args);
	json_write_member_array(w, "content");
	json_write_object(w);
	json_write_member_string(w, "type", "text");
	json_write_member_string(w, "text", text);
	json_write_object_end(w);
	json_write_array_end(w);
}

void
demo_text(struct demo_call *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_text(&call->w, format, args);
	va_end(args);
}

void
demo_structured(struct demo_call *call, const char *json)
{
	json_write_member_json(&call->w, "structuredContent", json);
}

void
demo_any_value(struct demo_call *call, const char *json)
{
	if (call->modern) {
		demo_structured(call, json);
		return;
	}
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_json(&call->w, "result", json);
	json_write_object_end(&call->w);
}

void
demo_reply(struct demo_call *call)
{
	const struct demo_tool *tool = call->tool;

	demo_result(call);
	demo_text(call, "%s", tool->text);
	(tool->any_value ? demo_any_value : demo_structured)(call, tool->data);
	demo_end(call);
}

void
demo_fail(struct demo_call *call, const char *format, ...)
{
	va_list args;

	demo_result(call);
	va_start(args, format);
	write_text(&call->w, format, args);
	va_end(args);
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
	if (data) {
		json_write_member_json(&call->w, "data", data);
	}
	close_message(&call->w);
}

void
demo_notice(struct json_writer *w, struct demo *d, const char *method)
{
	open_message(w, &d->out);
	json_write_member_string(w, "method", method);
	json_write_member_object(w, "params");
}

void
demo_notice_end(struct json_writer *w)
{
	close_message(w);
}
