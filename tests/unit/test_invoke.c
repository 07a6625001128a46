/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/primitive.h"

#include "json/print.h"
#include "probe.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	enum primitive_kind kind;
	const char *definition, *properties, *required;
} schemas[] = {
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b','name':'n'}", "{}", "[]" },
	{ PRIMITIVE_TEMPLATE, "{'uriTemplate':'a:{b}{?c,d*}','name':'n'}",
	    "{'b':{'type':'string'},'c':{'type':'string'},"
	    "'d':{'type':'array','items':{'type':'string'}}}",
	    "['b']" },
	{ PRIMITIVE_TEMPLATE, "{'uriTemplate':'a:{','name':'n'}", "{}", "[]" },
	{ PRIMITIVE_PROMPT, "{'name':'p'}", "{}", "[]" },
	{ PRIMITIVE_PROMPT,
	    "{'name':'p','arguments':[{'name':'a','required':true,'title':'A','description':'of "
	    "a'},"
	    "{'name':'b'},{},3]}",
	    "{'a':{'type':'string','title':'A','description':'of a'},'b':{'type':'string'}}",
	    "['a']" },
};

static void
check_member(const cJSON *schema, const char *key, const char *expected)
{
	struct buf text = BUF_INIT;
	char *want = quoted(expected);

	json_print(&text, json_get(schema, key));
	assert_string_equal(buf_text(&text), want);
	free(want);
	buf_finish(&text);
}

static void
test_schemas(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(schemas); i++) {
		struct json_doc *doc = parse_quoted(schemas[i].definition);
		struct primitive p;
		primitive_decode(&p, schemas[i].kind, doc, json_root(doc));
		struct json_doc *schema = primitive_make_schema(&p);
		assert_non_null(schema);
		check_member(json_root(schema), "properties", schemas[i].properties);
		check_member(json_root(schema), "required", schemas[i].required);
		check_member(json_root(schema), "type", "'object'");
		json_doc_destroy(schema);
		json_doc_destroy(doc);
	}
	struct primitive tool = { .kind = PRIMITIVE_TOOL };
	assert_null(primitive_make_schema(&tool));
}

static const struct {
	enum primitive_kind kind;
	const char *definition, *arguments, *method, *params, *uri;
} requests[] = {
	{ PRIMITIVE_TOOL, "{'name':'t','inputSchema':{}}", "{'a':1}", "tools/call",
	    "'name':'t','arguments':{'a':1}", "" },
	{ PRIMITIVE_PROMPT, "{'name':'p'}", "{'a':'x'}", "prompts/get",
	    "'name':'p','arguments':{'a':'x'}", "" },
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b c','name':'n'}", "{}", "resources/read", "'uri':'a:b c'",
	    "a:b c" },
	{ PRIMITIVE_TEMPLATE, "{'uriTemplate':'a:{b}','name':'n'}", "{'b':'x y'}", "resources/read",
	    "'uri':'a:x%20y'", "a:x%20y" },
};

static void
test_requests(void **state)
{
	struct probe p;
	struct buf uri = BUF_INIT;
	struct err err = { "" };

	probe_init(&p, &(struct session_options){ .era = ERA_LEGACY });
	struct json_doc *first = parse_quoted(requests[0].definition);
	struct primitive primitive;
	primitive_decode(&primitive, PRIMITIVE_TOOL, first, json_root(first));
	assert_int_equal(primitive_invoke(p.session, &primitive, "{}", &uri, 0, &err), 0);
	assert_string_equal(err.text, "not connected");
	json_doc_destroy(first);
	probe_do(&p, "start");
	static const char hello[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
	    "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";
	probe_say(&p, hello, sizeof(hello) - 1);
	while (probe_next_sent(&p))
		;
	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		struct json_doc *doc = parse_quoted(requests[i].definition);
		char *arguments = quoted(requests[i].arguments),
		     *params = quoted(requests[i].params);
		buf_clear(&uri);
		primitive_decode(&primitive, requests[i].kind, doc, json_root(doc));
		assert_int_not_equal(
		    primitive_invoke(p.session, &primitive, arguments, &uri, 0, &err), 0);
		const char *sent = probe_next_sent(&p);
		assert_non_null(strstr(sent, requests[i].method));
		assert_non_null(strstr(sent, params));
		assert_string_equal(buf_text(&uri), requests[i].uri);
		free(arguments);
		free(params);
		json_doc_destroy(doc);
	}
	buf_finish(&uri);
	probe_finish(&p);
}

static void
test_broken_template(void **state)
{
	struct json_doc *doc = parse_quoted("{'uriTemplate':'a:{b','name':'n'}");
	struct buf uri = BUF_INIT;
	struct err err = { "" };
	struct primitive p;

	primitive_decode(&p, PRIMITIVE_TEMPLATE, doc, json_root(doc));
	assert_int_equal(primitive_invoke(NULL, &p, "{}", &uri, 0, &err), 0);
	assert_non_null(strstr(err.text, "the URI template is broken at byte 4"));
	buf_finish(&uri);
	json_doc_destroy(doc);
}

TEST_FILE(invoke)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_broken_template),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
