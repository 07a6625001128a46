/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/message.h"
#include "test.h"

#include <string.h>

static const struct {
	const char *json;
	enum message_kind kind;
	const char *flaw;
} rows[] = {
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}", MESSAGE_REQUEST, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"m\",\"params\":{}}", MESSAGE_REQUEST,
	    NULL },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}", MESSAGE_NOTIFICATION, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", MESSAGE_RESULT, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", MESSAGE_RESULT, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}", MESSAGE_ERROR, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", MESSAGE_ERROR, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"error\":{}}", MESSAGE_ERROR, NULL },
	{ "[1]", MESSAGE_BATCH, NULL },
	{ "[]", MESSAGE_BATCH, "an empty batch" },
	{ "17", MESSAGE_INVALID, "not an object" },
	{ "\"initialize\"", MESSAGE_INVALID, "not an object" },
	{ "null", MESSAGE_INVALID, "not an object" },
	{ "{}", MESSAGE_INVALID, "neither a method nor a result nor an error" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1}", MESSAGE_INVALID,
	    "neither a method nor a result nor an error" },
	{ "{\"jsonrpc\":\"2.0\",\"method\":7}", MESSAGE_INVALID, "the method is not a string" },
	{ "{\"jsonrpc\":\"2.0\",\"method\":null,\"id\":1}", MESSAGE_INVALID,
	    "the method is not a string" },
	{ "{\"jsonrpc\":\"2.0\",\"result\":{}}", MESSAGE_INVALID, "a result without an id" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}", MESSAGE_INVALID,
	    "a result without an id" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}", MESSAGE_INVALID,
	    "the id is neither a number nor a string" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":true,\"result\":1}", MESSAGE_INVALID,
	    "the id is neither a number nor a string" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":1}", MESSAGE_RESULT,
	    "the id is not an integer" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", MESSAGE_REQUEST, "the id is null" },
	{ "{\"id\":1,\"method\":\"m\"}", MESSAGE_REQUEST, "no \"jsonrpc\": \"2.0\"" },
	{ "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"}", MESSAGE_REQUEST,
	    "no \"jsonrpc\": \"2.0\"" },
	{ "{\"jsonrpc\":\"1.0\",\"method\":\"m\"}", MESSAGE_NOTIFICATION,
	    "jsonrpc is not \"2.0\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":null}", MESSAGE_RESULT,
	    "an error member in addition to the result" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", MESSAGE_ERROR,
	    "both a result and an error" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"boom\"}", MESSAGE_ERROR,
	    "the error is not an object" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null}", MESSAGE_ERROR,
	    "the error is not an object" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":1}", MESSAGE_REQUEST,
	    "both a method and a result or error" },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":3}", MESSAGE_NOTIFICATION,
	    "params is neither an object nor an array" },
};

static void
test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *doc = json_parse(rows[i].json, strlen(rows[i].json), NULL, NULL);
		struct message m;
		assert_non_null(doc);
		message_classify(json_root(doc), &m);
		if (m.kind != rows[i].kind)
			fail_msg("%s is a %s", rows[i].json, message_kind_names[m.kind]);
		assert_string_equal(m.flaw ? m.flaw : "", rows[i].flaw ? rows[i].flaw : "");
		json_doc_destroy(doc);
	}
}

static void
test_nothing(void **state)
{
	struct message m;

	message_classify(NULL, &m);
	assert_int_equal(m.kind, MESSAGE_INVALID);
	assert_null(m.id);
}

static void
test_names(void **state)
{
	assert_string_equal(message_kind_names[MESSAGE_REQUEST], "request");
	assert_string_equal(message_kind_names[MESSAGE_NOT_JSON], "not JSON");
}

TEST_FILE(rpc_message)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
