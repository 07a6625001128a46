/* SPDX-License-Identifier: MIT */
/* Members that the user adds to _meta of calls. */
#include "base/vec.h"
#include "test.h"
#include "wire.h"

#include <string.h>

static const struct server_options modern = { .session = { .era = ERA_MODERN },
	.trace_seed = { 1, 2, 3 } };
static const struct server_options legacy = { .session = { .era = ERA_LEGACY } };

static void
open_with(struct wire *w, const struct server_options *options)
{
	wire_open(w, options);
	wire_connect(w, "{'name':'t','inputSchema':{'type':'object'}}");
}

static void
set(struct wire *w, const char *json)
{
	struct err err = { "" };

	assert_true(server_set_meta(w->server, &json, 1, &err));
}

/* Beside the protocol's own members, in both eras, and only with calls. */
static void
test_members(void **state)
{
	const struct server_options *both[] = { &modern, &legacy };

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		struct wire w;
		open_with(&w, both[i]);
		set(&w, "{\"tracestate\": \"a=b\", \"x/y\": [1.50]}");
		wire_call(&w, "t", "{}");
		assert_non_null(strstr(wire_last(&w), "\"tracestate\":\"a=b\",\"x/y\":[1.50]}"));
		assert_non_null(strstr(wire_last(&w), "\"progressToken\":"));
		assert_string_equal(
		    server_info(w.server)->meta, "{\"tracestate\":\"a=b\",\"x/y\":[1.50]}");
		server_relist(w.server, w.now_us);
		assert_null(strstr(wire_last(&w), "tracestate"));
		wire_answer(&w, "tools/list",
		    "'result':{'tools':[{'name':'t','inputSchema':{'type':'object'}}]}");
		set(&w, "{}");
		wire_call(&w, "t", "{}");
		assert_null(strstr(wire_last(&w), "tracestate"));
		assert_string_equal(server_info(w.server)->meta, "");
		wire_close(&w);
	}
}

/* The members and the trace are still there after the server was started again. */
static void
test_kept(void **state)
{
	struct wire w;

	open_with(&w, &legacy);
	set(&w, "{\"a\":1}");
	wire_end(&w, "exited");
	wire_connect(&w, "{'name':'t','inputSchema':{'type':'object'}}");
	wire_call(&w, "t", "{}");
	assert_non_null(strstr(wire_last(&w), ",\"a\":1}"));
	wire_close(&w);
}

static const char *
traceparent(struct wire *w)
{
	wire_call(w, "t", "{}");
	const char *at = strstr(wire_last(w), "\"traceparent\":\"");
	return at ? at + strlen("\"traceparent\":\"") : NULL;
}

static void
test_trace(void **state)
{
	struct wire w;
	char first[56];

	open_with(&w, &modern);
	assert_null(traceparent(&w));
	server_set_trace(w.server, true);
	memcpy(first, traceparent(&w), 55);
	first[55] = '\0';
	assert_memory_equal(first, "00-", 3);
	assert_int_equal(strspn(first + 3, "0123456789abcdef"), 32);
	assert_int_equal(first[35], '-');
	assert_int_equal(strspn(first + 36, "0123456789abcdef"), 16);
	assert_string_equal(first + 52, "-01");
	assert_string_equal(session_info(server_info(w.server)->session)->traceparent, first);
	assert_memory_not_equal(traceparent(&w), first, 55);
	set(&w, "{\"traceparent\":\"mine\"}");
	assert_memory_equal(traceparent(&w), "mine\"}", 6);
	set(&w, "{}");
	server_set_trace(w.server, false);
	assert_null(traceparent(&w));
	wire_close(&w);
}

static void
test_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "[1]", "\"[1]\" is neither KEY=VALUE nor a JSON object" },
		{ "{\"a\":1},\"b\":{\"c\":2}", "_meta: not JSON, 1:8: " },
		{ "a:=", "_meta: not JSON, " },
		{ "{\"progressToken\":1}", "_meta: the protocol itself sets progressToken" },
		{ "{\"io.modelcontextprotocol/x\":1}",
		    "_meta: the protocol itself sets io.modelcontextprotocol/x" },
		{ "{\"a\":1,\"a\":2}", "_meta: duplicate key" },
		{ "{", "\"{\" is neither KEY=VALUE nor a JSON object" },
	};
	struct wire w;

	open_with(&w, &legacy);
	set(&w, "{\"kept\":1}");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { "" };
		assert_false(server_set_meta(w.server, &rows[i][0], 1, &err));
		assert_memory_equal(err.text, rows[i][1], strlen(rows[i][1]));
	}
	assert_string_equal(server_info(w.server)->meta, "{\"kept\":1}");
	wire_close(&w);
}

TEST_FILE(server_meta)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
