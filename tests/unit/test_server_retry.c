/* SPDX-License-Identifier: MIT */
/* A call whose headers were refused: the tools are listed again, then it goes out once more. */
#include "test.h"
#include "wire.h"

#include <string.h>

static const struct server_options http = { .session = { .era = ERA_MODERN,
						.transport = TRANSPORT_HTTP,
						.client_name = "t",
						.client_version = "1" } };

static const char tool[] = "{'name':'t','inputSchema':{'type':'object'}}";
static const char mismatch[] = "'error':{'code':-32020,'message':'Header mismatch'}";
static const char listed[] =
    "'result':{'resultType':'complete','tools':[{'name':'t','inputSchema':{'type':'object',"
    "'properties':{'a':{'type':'string','x-mcp-header':'A'}}}}]}";

static uint64_t
refuse(struct wire *w)
{
	wire_open(w, &http);
	wire_connect(w, tool);
	uint64_t id = wire_call(w, "t", "{\"a\":\"x\"}");
	wire_answer(w, "tools/call", mismatch);
	assert_int_equal(server_find_call(w->server, id)->state, CALL_RUNNING);
	assert_int_equal(wire_count(w, "tools/call"), 1);
	assert_int_equal(wire_count(w, "tools/list"), 2);
	return id;
}

static void
test_once_more(void **state)
{
	struct wire w;
	uint64_t id = refuse(&w);

	wire_answer(&w, "tools/list", listed);
	assert_int_equal(wire_count(&w, "tools/call"), 2);
	assert_non_null(strstr(wire_last(&w), "{\"a\":\"x\"}"));
	wire_answer(&w, "tools/call", "'result':{'resultType':'complete','content':[]}");
	assert_int_equal(server_find_call(w.server, id)->state, CALL_DONE);
	wire_close(&w);
}

static void
test_only_once(void **state)
{
	struct wire w;
	uint64_t id = refuse(&w);

	wire_answer(&w, "tools/list", listed);
	wire_answer(&w, "tools/call", mismatch);
	assert_int_equal(wire_count(&w, "tools/call"), 2);
	assert_int_equal(server_find_call(w.server, id)->state, CALL_REFUSED);
	assert_string_equal(server_find_call(w.server, id)->error_text, "Header mismatch");
	wire_close(&w);
}

static void
test_tool_has_gone(void **state)
{
	struct wire w;
	uint64_t id = refuse(&w);

	wire_answer(&w, "tools/list", "'result':{'resultType':'complete','tools':[]}");
	assert_int_equal(server_find_call(w.server, id)->state, CALL_REFUSED);
	assert_int_equal(server_find_call(w.server, id)->error_code, -32020);
	assert_string_equal(server_find_call(w.server, id)->error_text, "Header mismatch");
	wire_close(&w);
}

static void
test_cancelled_meanwhile(void **state)
{
	struct wire w;
	uint64_t id = refuse(&w);

	assert_true(server_cancel(w.server, id, w.now_us));
	assert_false(server_cancel(w.server, id, w.now_us));
	assert_int_equal(server_find_call(w.server, id)->state, CALL_CANCELLED);
	wire_answer(&w, "tools/list", listed);
	assert_int_equal(wire_count(&w, "tools/call"), 1);
	wire_close(&w);
}

static void
test_server_ends_meanwhile(void **state)
{
	struct wire w;
	uint64_t id = refuse(&w);

	wire_end(&w, "gone");
	assert_int_equal(server_find_call(w.server, id)->state, CALL_REFUSED);
	wire_close(&w);
}

/* A tool whose annotations break the rules is there, with the reason, and is not called. */
static void
test_unusable(void **state)
{
	struct wire w;

	wire_open(&w, &http);
	wire_connect(&w, "{'name':'t','inputSchema':{'type':'object','properties':{'a':{'type':"
			 "'number','x-mcp-header':'A'}}}}");
	const struct primitive *p = &server_info(w.server)->lists[PRIMITIVE_TOOL].list.items[0];
	assert_true(p->unusable);
	assert_true(p->broken);
	assert_string_equal(
	    p->problem, "x-mcp-header at /a: its type is not string, integer or boolean");
	assert_int_equal(wire_call(&w, "t", "{}"), 0);
	assert_int_equal(wire_count(&w, "tools/call"), 0);
	wire_close(&w);
}

TEST_FILE(server_retry)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_once_more),
		cmocka_unit_test(test_only_once),
		cmocka_unit_test(test_tool_has_gone),
		cmocka_unit_test(test_cancelled_meanwhile),
		cmocka_unit_test(test_server_ends_meanwhile),
		cmocka_unit_test(test_unusable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
