/* SPDX-License-Identifier: MIT */
/* The demo server by plain calls: bytes and times in, lines out. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "demo/demo.h"
#include "json/doc.h"
#include "json/number.h"
#include "json/pointer.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define META "\"io.modelcontextprotocol/"
#define ENVELOPE \
	"\"_meta\":{" META "protocolVersion\":\"2026-07-28\"," META "clientCapabilities\":{}}"

static const char *const tool_names[] = { "list_users", "list_users_before", "get_weather_data",
	"search_orders", "update_order", "test_call", "test_call_structured_only", "bad_rows",
	"contradiction", "mixed_content", "rows", "slow", "fail", "crash", "array_result",
	"scalar_result", "nested", "big_numbers", "draw_shape", "plan_trip", "ask", "ask_form",
	"ask_url", "ask_sampling", "ask_roots", "edit_orders", "plan_budget", "watch_machine",
	"machine_stats", "hostile" };

/* A server and the reply looked at last. */
struct bench {
	struct demo *demo;
	struct demo_output out;
	struct json_doc *doc;
	const cJSON *reply;
};

static int
set_up(void **state)
{
	struct bench *b = mem_zalloc(sizeof(*b));

	b->demo = demo_create(&b->out);
	*state = b;
	return 0;
}

static int
tear_down(void **state)
{
	struct bench *b = *state;

	json_doc_destroy(b->doc);
	demo_destroy(b->demo);
	buf_finish(&b->out.bytes);
	free(b);
	return 0;
}

static void
say(struct bench *b, const char *line)
{
	demo_on_bytes(b->demo, line, strlen(line));
	demo_on_bytes(b->demo, "\n", 1);
}

static void
work(struct bench *b, int64_t now_ms)
{
	while (demo_work(b->demo, now_ms))
		;
}

/* Take one line of the output. Returns false if there is none. */
static bool
hear(struct bench *b)
{
	struct buf *out = &b->out.bytes;
	const char *end = out->len ? memchr(out->data, '\n', out->len) : NULL;

	json_doc_destroy(b->doc);
	b->doc = NULL;
	b->reply = NULL;
	if (!end)
		return false;
	size_t len = (size_t)(end - out->data);
	struct json_error error;
	b->doc = json_parse(out->data, len, NULL, &error);
	if (!b->doc)
		fail_msg(
		    "not JSON: %s: %.*s", error.text, (int)(len < 2000 ? len : 2000), out->data);
	b->reply = json_root(b->doc);
	assert_string_equal(json_get_string(b->reply, "jsonrpc"), "2.0");
	buf_consume(out, len + 1);
	return true;
}

static void
ask(struct bench *b, const char *line)
{
	say(b, line);
	work(b, 0);
	assert_true(hear(b));
}

static void
initialize(struct bench *b, const char *version)
{
	char *line =
	    mem_printf("{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":"
		       "{\"protocolVersion\":\"%s\",\"capabilities\":{}}}",
		version);

	ask(b, line);
	free(line);
}

static void
call(struct bench *b, const char *tool, const char *arguments, bool modern)
{
	char *line =
	    mem_printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
		       "{\"name\":\"%s\",\"arguments\":%s%s}}",
		tool, arguments, modern ? "," ENVELOPE : "");

	if (!modern)
		initialize(b, "2025-11-25");
	ask(b, line);
	free(line);
}

static const cJSON *
at(const struct bench *b, const char *pointer)
{
	return json_pointer_find(b->reply, pointer);
}

static void
expect_text(const struct bench *b, const char *pointer, const char *text)
{
	const cJSON *node = at(b, pointer);

	if (json_type(node) != JSON_STRING)
		fail_msg("%s is %s", pointer, json_type_name(json_type(node)));
	assert_string_equal(cJSON_GetStringValue(node), text);
}

static void
expect_number(const struct bench *b, const char *pointer, const char *text)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const cJSON *node = at(b, pointer);

	if (json_type(node) != JSON_NUMBER)
		fail_msg("%s is %s", pointer, json_type_name(json_type(node)));
	assert_string_equal(json_number_text(node, buffer), text);
}

static void
expect_type(const struct bench *b, const char *pointer, enum json_type type)
{
	if (json_type(at(b, pointer)) != type)
		fail_msg("%s is %s", pointer, json_type_name(json_type(at(b, pointer))));
}

/* ---- handshakes ---- */

static void
test_legacy_handshake(void **state)
{
	static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18",
		"2025-11-25" };
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		initialize(b, versions[i]);
		expect_text(b, "/id", "i");
		expect_text(b, "/result/protocolVersion", versions[i]);
		expect_text(b, "/result/serverInfo/name", "demo");
		expect_type(b, "/result/capabilities/tools", JSON_OBJECT);
		expect_type(b, "/result/resultType", JSON_ABSENT);
	}
	initialize(b, "1999-01-01");
	expect_text(b, "/result/protocolVersion", "2025-11-25");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	assert_int_equal(json_count(at(b, "/result")), 0);
	say(b, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	work(b, 0);
	assert_false(hear(b));
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"server/discover\"}");
	expect_number(b, "/error/code", "-32601");
}

static void
test_modern_handshake(void **state)
{
	struct bench *b = *state;

	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
	       "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}," ENVELOPE "}}");
	expect_number(b, "/error/code", "-32601");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"server/discover\",\"params\":{" ENVELOPE
	       "}}");
	expect_text(b, "/result/supportedVersions/0", "2026-07-28");
	expect_text(b, "/result/resultType", "complete");
	expect_text(b, "/result/_meta/io.modelcontextprotocol~1serverInfo/name", "demo");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{" ENVELOPE "}}");
	expect_number(b, "/error/code", "-32601");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}");
	expect_number(b, "/error/code", "-32602");
	ask(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"_meta\":{" META
	    "protocolVersion\":\"2026-07-28\"}}}");
	expect_number(b, "/error/code", "-32602");
	ask(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\",\"params\":{\"_meta\":{" META
	    "protocolVersion\":\"2099-01-01\"," META "clientCapabilities\":{}}}}");
	expect_number(b, "/error/code", "-32022");
	expect_text(b, "/error/data/supported/0", "2026-07-28");
	expect_text(b, "/error/data/requested", "2099-01-01");
	initialize(b, "2025-06-18"); /* a client may still turn back */
	expect_text(b, "/result/protocolVersion", "2025-06-18");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}");
	expect_type(b, "/result/tools", JSON_ARRAY);
}

static void
test_list(void **state)
{
	struct bench *b = *state;
	size_t i = 0;

	ask(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" ENVELOPE "}}");
	expect_text(b, "/result/resultType", "complete");
	expect_type(b, "/result/ttlMs", JSON_NUMBER);
	expect_type(b, "/result/nextCursor", JSON_ABSENT);
	assert_int_equal(json_flaws(b->doc)->count, 0);
	for (const cJSON *tool = json_first(at(b, "/result/tools")); tool; tool = tool->next, i++) {
		const char *name = json_get_string(tool, "name");
		if (i < ARRAY_LEN(tool_names))
			assert_string_equal(name, tool_names[i]);
		else
			assert_non_null(strchr(name, '\033'));
		assert_non_null(json_get_string(tool, "title"));
		const char *description = json_get_string(tool, "description");
		assert_in_range(strlen(description), 20, 240);
		/* The first sentence must fit on a narrow screen. */
		assert_in_range(strcspn(description, "."), 10, 74);
		assert_string_equal(
		    json_get_string(json_get(tool, "inputSchema"), "type"), "object");
		const cJSON *output = json_get(tool, "outputSchema");
		assert_true(!output || json_type(output) == JSON_OBJECT);
		const cJSON *hints = json_get(tool, "annotations");
		assert_int_equal(json_type(json_get(hints, "readOnlyHint")), JSON_BOOLEAN);
	}
	assert_int_equal(i, ARRAY_LEN(tool_names) + 1);
}

/* Before 2026-07-28 output schemas must be objects: other clients drop all tools because of one
 * that is not. */
static void
test_objects_for_old_versions(void **state)
{
	static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18",
		"2025-11-25" };
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		initialize(b, versions[i]);
		ask(b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
		for (const cJSON *t = json_first(at(b, "/result/tools")); t; t = t->next) {
			const cJSON *output = json_get(t, "outputSchema");
			const char *type = json_get_string(output, "type");
			if (output && (!type || strcmp(type, "object") != 0))
				fail_msg("%s: %s", versions[i], json_get_string(t, "name"));
		}
	}
	expect_text(b, "/result/tools/14/outputSchema/properties/result/type", "array");
	for (size_t i = 0; i < ARRAY_LEN(tool_names); i++) {
		if (strcmp(tool_names[i], "slow") == 0 || strcmp(tool_names[i], "crash") == 0)
			continue;
		call(b, tool_names[i], "{}", false);
		const cJSON *data = at(b, "/result/structuredContent");
		if (data && json_type(data) != JSON_OBJECT)
			fail_msg("%s", tool_names[i]);
	}
}

/* ---- apps ---- */

static void
test_apps(void **state)
{
	struct bench *b = *state;
	char uris[8][60];
	size_t count = 0, hidden = 0;

	ask(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" ENVELOPE "}}");
	for (const cJSON *tool = json_first(at(b, "/result/tools")); tool; tool = tool->next) {
		const cJSON *ui = json_get(json_get(tool, "_meta"), "ui");
		if (ui)
			snprintf(uris[count++], sizeof(uris[0]), "%s",
			    json_get_string(ui, "resourceUri"));
		if (json_get(ui, "visibility"))
			hidden++;
	}
	assert_int_equal(count, 4);
	assert_int_equal(hidden, 1);
	for (size_t i = 0; i < count; i++) {
		char *request = mem_printf(
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{"
		    "\"uri\":\"%s\"," ENVELOPE "}}",
		    uris[i]);
		ask(b, request);
		free(request);
		expect_text(b, "/result/contents/0/mimeType", "text/html;profile=mcp-app");
		const char *html = cJSON_GetStringValue(at(b, "/result/contents/0/text"));
		assert_non_null(strstr(html, "\"ui/initialize\""));
		assert_non_null(strstr(html, "color-scheme"));
		assert_null(strstr(html, "<!-- "));
	}
}

/* ---- bad requests ---- */

static void
test_bad_requests(void **state)
{
	static const struct {
		const char *line, *code;
	} cases[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,", "-32700" },
		{ "garbage", "-32700" },
		{ "\xff\xfe", "-32700" },
		{ "[]", "-32600" },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", "-32600" },
		{ "{}", "-32600" },
		{ "42", "-32600" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nope\"}", "-32601" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}", "-32602" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", "-32602" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":7}}",
		    "-32602" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		  "call\",\"params\":{\"name\":\"no\"}}",
		    "-32602" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
		  "{\"name\":\"fail\",\"arguments\":[]}}",
		    "-32602" },
	};
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		ask(b, cases[i].line);
		expect_number(b, "/error/code", cases[i].code);
		assert_false(hear(b));
	}
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"); /* an unsolicited reply */
	say(b, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard\"}");
	say(b, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[]}");
	say(b, "");
	work(b, 0);
	assert_false(hear(b));
}

static void
test_hostile_input(void **state)
{
	struct bench *b = *state;
	static char brackets[100000];
	char spaces[65536];

	memset(brackets, '[', sizeof(brackets) - 1);
	ask(b, brackets);
	expect_number(b, "/error/code", "-32700");
	memset(spaces, ' ', sizeof(spaces));
	for (size_t i = 0; i < 300; i++) /* 18.75 MiB in one line */
		demo_on_bytes(b->demo, spaces, sizeof(spaces));
	ask(b, "");
	expect_number(b, "/error/code", "-32600");
	assert_false(hear(b));
	for (size_t i = 0; i < 20000; i++)
		say(b, "1");
	work(b, 0);
	for (size_t i = 0; i < 20000; i++)
		assert_true(hear(b));
	assert_false(hear(b));
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":12345678901234567890,\"method\":\"ping\"}");
	expect_number(b, "/id", "12345678901234567890");
}

/* ---- the tools ---- */

static void
test_list_users(void **state)
{
	struct bench *b = *state;

	call(b, "list_users", "{}", true);
	expect_text(b, "/result/content/0/text", "Found 3 users");
	assert_int_equal(json_count(at(b, "/result/structuredContent/users")), 3);
	expect_text(b, "/result/structuredContent/users/2/name", "Charlie");
	expect_number(b, "/result/structuredContent/total", "3");
	call(b, "list_users", "{\"role\":\"editor\"}", false);
	expect_text(b, "/result/content/0/text", "Found 1 user");
	expect_text(b, "/result/structuredContent/users/0/name", "Bob");
	expect_type(b, "/result/resultType", JSON_ABSENT);
	call(b, "list_users", "{\"limit\":1}", false);
	assert_int_equal(json_count(at(b, "/result/structuredContent/users")), 1);
	expect_number(b, "/result/structuredContent/total", "3");
	call(b, "list_users_before", "{}", false);
	expect_type(b, "/result/structuredContent", JSON_ABSENT);
	assert_non_null(strstr(cJSON_GetStringValue(at(b, "/result/content/0/text")), "Charlie"));
}

static void
test_bad_arguments(void **state)
{
	static const struct {
		const char *tool, *arguments, *says;
	} cases[] = {
		{ "list_users", "{\"role\":\"king\"}",
		    "role must be one of admin, editor, viewer, not \"king\"." },
		{ "list_users", "{\"role\":null}",
		    "role must be one of admin, editor, viewer, not null." },
		{ "list_users", "{\"limit\":0}", "limit must be an integer from 1 to 500, not 0." },
		{ "list_users", "{\"limit\":501}",
		    "limit must be an integer from 1 to 500, not 501." },
		{ "list_users", "{\"limit\":1.5}",
		    "limit must be an integer from 1 to 500, not 1.5." },
		{ "get_weather_data", "{}", "location is required: a city or a zip code." },
		{ "get_weather_data", "{\"location\":7}", "location must be a string, not 7." },
		{ "rows", "{\"wide\":1}", "wide must be true or false, not 1." },
		{ "rows", "{\"count\":1000001}",
		    "count must be an integer from 0 to 1000000, not 1000001." },
		{ "slow", "{\"seconds\":-1}", "seconds must be a number from 0 to 3600." },
		{ "slow", "{\"seconds\":1e400}", "seconds must be a number from 0 to 3600." },
		{ "slow", "{\"seconds\":\"1\"}", "seconds must be a number from 0 to 3600." },
		{ "update_order", "{\"order_id\":\"ORD-1009\"}",
		    "There is no order ORD-1009: take an order_id that search_orders found." },
		{ "update_order", "{\"order_id\":\"ORD-1001\"}",
		    "status is required: what should become of ORD-1001?" },
	};
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		call(b, cases[i].tool, cases[i].arguments, i % 2 == 0);
		assert_true(cJSON_IsTrue(at(b, "/result/isError")));
		expect_text(b, "/result/content/0/text", cases[i].says);
	}
	assert_int_equal(demo_next_time(b->demo), INT64_MAX);
}

static void
test_orders(void **state)
{
	struct bench *b = *state;

	call(b, "search_orders", "{\"status\":\"open\"}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/orders")), 2);
	expect_text(b, "/result/structuredContent/orders/0/order_id", "ORD-1007");
	expect_number(b, "/result/structuredContent/orders/1/total", "3.30");
	call(b, "update_order",
	    "{\"order_id\":\"ORD-1007\",\"status\":\"paid\",\"reference\":12345678901234567890}",
	    true);
	expect_text(b, "/result/content/0/text", "ORD-1007: open → paid");
	expect_text(b, "/result/structuredContent/order/status", "paid");
	expect_number(b, "/result/structuredContent/received/reference", "12345678901234567890");
	call(b, "search_orders", "{\"status\":\"open\"}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/orders")), 1);
	call(b, "search_orders", "{\"customer\":\"Char\"}", true);
	expect_text(b, "/result/structuredContent/orders/1/status", "paid");
	call(b, "search_orders", "{\"customer\":\"nobody\"}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/orders")), 0);
	expect_type(b, "/result/structuredContent/orders", JSON_ARRAY);
}

static void
test_broken_results(void **state)
{
	struct bench *b = *state;

	call(b, "get_weather_data", "{\"location\":\"New York\"}", true);
	expect_number(b, "/result/structuredContent/temperature", "22.5");
	call(b, "test_call", "{}", true);
	expect_type(b, "/result/structuredContent", JSON_ABSENT);
	expect_type(b, "/result/content/0", JSON_OBJECT);
	call(b, "test_call_structured_only", "{}", true);
	assert_int_equal(json_count(at(b, "/result/content")), 0);
	expect_type(b, "/result/content", JSON_ARRAY);
	expect_number(b, "/result/structuredContent/value", "42");
	call(b, "test_call_structured_only", "{\"omit_content\":true}", true);
	expect_type(b, "/result/content", JSON_ABSENT);
	call(b, "bad_rows", "{}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/products")), 8);
	expect_text(b, "/result/structuredContent/products/2/id", "3");
	expect_number(b, "/result/structuredContent/products/3/price", "-4.00");
	expect_type(b, "/result/structuredContent/products/4/name", JSON_ABSENT);
	call(b, "contradiction", "{}", false);
	expect_text(b, "/result/content/0/text", "Found 5 users");
	assert_int_equal(json_count(at(b, "/result/structuredContent/users")), 3);
	call(b, "fail", "{}", true);
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
	call(b, "fail", "{\"kind\":\"protocol\"}", true);
	expect_number(b, "/error/code", "-32603");
	expect_number(b, "/error/data/warehouse", "7");
}

static void
test_mixed_content(void **state)
{
	static const char *const types[] = { "text", "text", "image", "audio", "resource_link",
		"resource", "resource", "hologram", "text" };
	struct bench *b = *state;
	size_t i = 0;

	call(b, "mixed_content", "{}", true);
	for (const cJSON *block = json_first(at(b, "/result/content")); block; block = block->next)
		assert_string_equal(json_get_string(block, "type"), types[i++]);
	assert_int_equal(i, ARRAY_LEN(types));
	expect_text(b, "/result/content/2/mimeType", "image/png");
	expect_text(b, "/result/content/3/mimeType", "audio/wav");
	expect_text(b, "/result/content/4/annotations/lastModified", "2026-07-31T17:00:00Z");
	assert_non_null(
	    strstr(cJSON_GetStringValue(at(b, "/result/content/5/resource/text")), "\n- of two"));
	expect_type(b, "/result/content/6/resource/blob", JSON_STRING);
}

static void
test_shapes(void **state)
{
	static const char *const data[] = { "/result/structuredContent/result",
		"/result/structuredContent" };
	struct bench *b = *state;

	for (int modern = 0; modern < 2; modern++) {
		call(b, "array_result", "{}", modern);
		assert_int_equal(json_count(at(b, data[modern])), 3);
		call(b, "scalar_result", "{}", modern);
		expect_number(b, data[modern], "42");
		call(b, "scalar_result", "{\"kind\":\"null\"}", modern);
		expect_type(b, data[modern], JSON_NULL);
	}
	call(b, "nested", "{}", true);
	expect_type(b, "/result/structuredContent/people/1/nick", JSON_NULL);
	expect_text(b, "/result/structuredContent/people/2/nick", "");
	expect_text(b, "/result/structuredContent/people/3/nick", "null");
	expect_type(b, "/result/structuredContent/people/3/address", JSON_ABSENT);
	expect_text(b, "/result/structuredContent/deep/a/b/c/d/e/f/g/h/0/0/0/0", "the bottom");
	call(b, "big_numbers", "{}", true);
	expect_number(b, "/result/structuredContent/numbers/1/value", "9007199254740993");
	expect_number(b, "/result/structuredContent/numbers/5/value", "1.10");
	expect_number(b, "/result/structuredContent/numbers/6/value", "-0");
	expect_number(b, "/result/structuredContent/numbers/7/value", "1e400");
	expect_number(b, "/result/structuredContent/account", "98765432109876543210");
}

static void
test_hostile(void **state)
{
	struct bench *b = *state;

	call(b, "hostile", "{}", true);
	assert_int_equal(json_flaws(b->doc)->count, 3); /* NUL, half a pair, a key twice */
	assert_non_null(strchr(cJSON_GetStringValue(at(b, "/result/content/0/text")), '\033'));
	call(b, "hostile\\u001b[31;7m\\u202eeman\\u001b]0;owned\\u0007", "{}", true);
	expect_type(b, "/result/content/0/text", JSON_STRING);
}

static void
test_ask(void **state)
{
	struct bench *b = *state;

	call(b, "ask", "{}", false);
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
	call(b, "ask", "{}", true);
	expect_text(b, "/result/resultType", "input_required");
	expect_text(b, "/result/inputRequests/color/method", "elicitation/create");
	ask(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\","
	    "\"inputResponses\":{\"color\":{\"action\":\"accept\",\"content\":{\"color\":\"red\"}"
	    "}}," ENVELOPE "}}");
	expect_text(b, "/result/content/0/text", "You answered: red");
}

static void
test_asking(void **state)
{
	static const char *const tools[] = { "ask_form", "ask_url", "ask_sampling", "ask_roots" };
	static const char *const methods[] = { "elicitation/create", "elicitation/create",
		"sampling/createMessage", "roots/list" };
	struct bench *b = *state;

	for (size_t i = 0; i < 4; i++) {
		call(b, tools[i], "{}", true);
		expect_text(b, "/result/resultType", "input_required");
		expect_text(b, "/result/inputRequests/answer/method", methods[i]);
		call(b, tools[i], "{}", false);
		expect_text(b, "/method", methods[i]);
	}
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-1,\"message\":\"no\"}}");
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
	expect_text(b, "/result/content/0/text", "The client refused: no");
	ask(b, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"roots\":[]}}");
	expect_type(b, "/result/structuredContent/roots", JSON_ARRAY);
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"roots\":[]}}"); /* again */
	work(b, 0);
	assert_false(hear(b));
}

/* ---- rows ---- */

static void
test_rows(void **state)
{
	static const size_t counts[] = { 0, 1, 1000, 20000 };
	struct bench *b = *state;
	char arguments[64];

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		snprintf(arguments, sizeof(arguments), "{\"count\":%zu}", counts[i]);
		call(b, "rows", arguments, i % 2);
		assert_int_equal(json_count(at(b, "/result/structuredContent/rows")), counts[i]);
		expect_type(b, "/result/structuredContent/rows", JSON_ARRAY);
	}
	expect_number(b, "/result/structuredContent/rows/19999/id", "20000");
	call(b, "rows", "{}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/rows")), 1000);
	call(b, "rows", "{\"wide\":true,\"count\":2}", true);
	assert_int_equal(json_count(at(b, "/result/structuredContent/rows/1")), 10);
}

static void
test_rows_come_in_pieces(void **state)
{
	struct bench *b = *state;
	struct buf *out = &b->out.bytes;
	size_t total = 0, lines = 0;

	say(b,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rows\","
	    "\"arguments\":{\"count\":1000000}}}");
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	while (demo_work(b->demo, 0)) {
		assert_in_range(out->len, 0, 100000);
		total += out->len;
		for (size_t i = 0; i < out->len; i++)
			lines += out->data[i] == '\n';
		buf_clear(out);
	}
	assert_in_range(total, 45000000, 60000000);
	assert_int_equal(lines, 2);
}

/* ---- slow ---- */

static void
start_slow(struct bench *b, int id, const char *arguments, int64_t now_ms)
{
	char *line = mem_printf(
	    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":"
	    "{\"name\":\"slow\",\"arguments\":%s,\"_meta\":{\"progressToken\":\"t%d\"}}}",
	    id, arguments, id);

	say(b, line);
	work(b, now_ms);
	free(line);
}

static void
test_progress(void **state)
{
	struct bench *b = *state;

	start_slow(b, 1, "{\"seconds\":1,\"steps\":4}", 1000);
	assert_false(hear(b));
	assert_int_equal(demo_next_time(b->demo), 1250);
	work(b, 1249);
	assert_false(hear(b));
	work(b, 1250);
	assert_true(hear(b));
	expect_text(b, "/method", "notifications/progress");
	expect_text(b, "/params/progressToken", "t1");
	expect_number(b, "/params/progress", "1");
	expect_number(b, "/params/total", "4");
	expect_type(b, "/params/message", JSON_STRING);
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	work(b, 1300);
	assert_true(hear(b));
	expect_number(b, "/id", "2");
	work(b, 2000);
	for (int i = 2; i <= 4; i++)
		assert_true(hear(b));
	expect_number(b, "/params/progress", "4");
	assert_true(hear(b));
	expect_number(b, "/id", "1");
	expect_number(b, "/result/structuredContent/steps", "4");
	assert_int_equal(demo_next_time(b->demo), INT64_MAX);
}

static void
test_cancel(void **state)
{
	struct bench *b = *state;

	start_slow(b, 1, "{\"seconds\":10,\"steps\":2}", 0);
	start_slow(b, 2, "{\"seconds\":6,\"steps\":1}", 0);
	say(b, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	       "cancelled\",\"params\":{\"requestId\":9}}");
	say(b, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	       "cancelled\",\"params\":{\"requestId\":1}}");
	work(b, 1);
	assert_int_equal(demo_next_time(b->demo), 6000);
	work(b, 60000);
	assert_true(hear(b)); /* progress of 2 */
	assert_true(hear(b));
	expect_number(b, "/id", "2");
	assert_false(hear(b));
}

static void
test_slow_without_token_and_at_once(void **state)
{
	struct bench *b = *state;

	call(b, "slow", "{\"seconds\":0,\"steps\":1000}", false);
	expect_number(b, "/result/structuredContent/steps", "1000");
	assert_false(hear(b));
	for (int i = 0; i < 64; i++)
		start_slow(b, i, "{}", 0);
	assert_false(hear(b));
	start_slow(b, 64, "{}", 0);
	assert_true(hear(b));
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
}

static void
test_crash(void **state)
{
	struct bench *b = *state;

	assert_int_equal(b->out.crash, DEMO_ALIVE);
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
	       "call\",\"params\":{\"name\":\"crash\","
	       "\"arguments\":{\"kind\":\"exit\"}}}");
	say(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	work(b, 0);
	assert_int_equal(b->out.crash, DEMO_EXITS);
	assert_false(hear(b));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void
test_draw_shape(void **state)
{
	struct bench *b = *state;

	call(b, "draw_shape", "{\"shape\":{\"kind\":\"circle\",\"radius\":2}}", true);
	expect_text(b, "/result/content/0/text", "A circle of area 12.57");
	expect_number(b, "/result/structuredContent/area", "12.57");
	call(
	    b, "draw_shape", "{\"shape\":{\"kind\":\"rectangle\",\"width\":2,\"height\":3}}", true);
	expect_number(b, "/result/structuredContent/area", "6.00");
	call(b, "draw_shape",
	    "{\"shape\":{\"kind\":\"polygon\",\"points\":[{\"x\":0,\"y\":0},{\"x\":4,\"y\":0},"
	    "{\"x\":0,\"y\":3}]}}",
	    true);
	expect_number(b, "/result/structuredContent/area", "6.00");
	call(b, "draw_shape", "{\"shape\":5}", true);
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
}

static void
test_plan_trip(void **state)
{
	struct bench *b = *state;

	call(b, "plan_trip", "{\"by\":\"car\",\"seats\":{\"adult\":2,\"child\":1}}", true);
	expect_text(b, "/result/content/0/text", "A trip by car, 2 adult, 1 child");
	expect_number(b, "/result/structuredContent/received/seats/child", "1");
	call(b, "plan_trip", "{\"by\":\"train\",\"place\":[48.10,11]}", true);
	expect_text(b, "/result/content/0/text", "A trip by train, to [48.10, 11]");
	call(b, "plan_trip", "{\"by\":5}", true);
	assert_true(cJSON_IsTrue(at(b, "/result/isError")));
}

TEST_FILE(demo)
{
	const struct CMUnitTest tests[] = {
		TEST(test_draw_shape),
		TEST(test_plan_trip),
		TEST(test_legacy_handshake),
		TEST(test_modern_handshake),
		TEST(test_list),
		TEST(test_objects_for_old_versions),
		TEST(test_apps),
		TEST(test_bad_requests),
		TEST(test_hostile_input),
		TEST(test_list_users),
		TEST(test_bad_arguments),
		TEST(test_orders),
		TEST(test_broken_results),
		TEST(test_mixed_content),
		TEST(test_shapes),
		TEST(test_hostile),
		TEST(test_ask),
		TEST(test_asking),
		TEST(test_rows),
		TEST(test_rows_come_in_pieces),
		TEST(test_progress),
		TEST(test_cancel),
		TEST(test_slow_without_token_and_at_once),
		TEST(test_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
