/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/content.h"

#include "quoted.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct json_doc *
read_result(struct result *r, enum primitive_kind kind, const char *text)
{
	struct json_doc *doc = parse_quoted(text);

	result_init_of(r, kind, doc, json_root(doc));
	return doc;
}

static void
test_resource(void **state)
{
	struct result r;
	struct json_doc *doc = read_result(&r, PRIMITIVE_RESOURCE,
	    "{'contents':[{'uri':'a:1','mimeType':'text/plain','text':'hello'},"
	    "{'uri':'a:2','blob':'AAEC'},{'uri':'a:3'},7,{'text':''}]}");

	assert_string_equal(r.problem, "");
	assert_int_equal(r.len, 5);
	assert_int_equal(r.blocks[0].kind, CONTENT_RESOURCE);
	assert_string_equal(r.blocks[0].text, "hello");
	assert_string_equal(r.blocks[0].uri, "a:1");
	assert_string_equal(r.blocks[0].mime, "text/plain");
	assert_int_equal(r.blocks[1].decoded_bytes, 3);
	assert_string_equal(r.blocks[2].problem, "the resource has neither text nor blob");
	assert_string_equal(r.blocks[3].problem, "must be an object, but is of type number");
	assert_string_equal(r.blocks[4].problem, "uri is missing");
	assert_null(r.structured);
	result_finish(&r);
	json_doc_destroy(doc);
}

static const struct {
	const char *mime, *text;
	bool parsed;
} documents[] = {
	{ "application/json", "[1]", true },
	{ "application/json; charset=utf-8", "[1]", true },
	{ "application/ld+json", "[1]", true },
	{ "application/json", "[1", false },
	{ "text/plain", "[1]", false },
	{ "json", "[1]", false },
	{ "+json", "[1]", false },
};

static void
test_json_resource(void **state)
{
	char text[200];

	for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
		struct result r;
		snprintf(text, sizeof(text),
		    "{'contents':[{'uri':'a:1','mimeType':'%s','text':'%s'}]}", documents[i].mime,
		    documents[i].text);
		struct json_doc *doc = read_result(&r, PRIMITIVE_TEMPLATE, text);
		assert_int_equal(r.structured != NULL, documents[i].parsed);
		assert_int_equal(json_type(r.structured) == JSON_ARRAY, documents[i].parsed);
		result_finish(&r);
		json_doc_destroy(doc);
	}
}

static void
test_prompt(void **state)
{
	struct result r;
	struct json_doc *doc = read_result(&r, PRIMITIVE_PROMPT,
	    "{'description':'d','messages':[{'role':'user','content':{'type':'text','text':'a'}},"
	    "{'role':'assistant','content':{'type':'resource','resource':{'uri':'a:1','text':'b'}}}"
	    ","
	    "{'role':'system','content':{'type':'text','text':'c'}},"
	    "{'role':'user','content':[{'type':'text','text':'d'},{'type':'text','text':'e'}]},"
	    "{'role':'user'},{'content':{'type':'text','text':'f'}},3]}");
	static const char *const problems[] = { "", "", "the role must be user or assistant",
		"the content of a message must be one block, not an array",
		"the content of a message must be one block, not an array",
		"the message has no content", "the role must be user or assistant",
		"the message has no content" };

	assert_string_equal(r.description, "d");
	assert_int_equal(r.len, 8);
	for (size_t i = 0; i < r.len; i++)
		assert_string_equal(r.blocks[i].problem ? r.blocks[i].problem : "", problems[i]);
	assert_string_equal(r.blocks[0].role, "user");
	assert_string_equal(r.blocks[1].role, "assistant");
	assert_string_equal(r.blocks[1].uri, "a:1");
	assert_string_equal(r.blocks[4].text, "e");
	assert_string_equal(r.blocks[6].role, "");
	result_finish(&r);
	json_doc_destroy(doc);
}

static const struct {
	enum primitive_kind kind;
	const char *value, *problem;
} broken[] = {
	{ PRIMITIVE_PROMPT, "{}", "messages is missing" },
	{ PRIMITIVE_PROMPT, "{'messages':{}}", "messages must be an array, but is of type object" },
	{ PRIMITIVE_RESOURCE, "{'content':[]}", "contents is missing" },
	{ PRIMITIVE_TEMPLATE, "null", "the result must be an object, but is of type null" },
	{ PRIMITIVE_RESOURCE, "{'contents':[]}", "" },
};

static void
test_broken(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		struct result r;
		struct json_doc *doc = read_result(&r, broken[i].kind, broken[i].value);
		assert_string_equal(r.problem, broken[i].problem);
		assert_int_equal(r.len, 0);
		result_finish(&r);
		json_doc_destroy(doc);
	}
}

TEST_FILE(mcp_result)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resource),
		cmocka_unit_test(test_json_resource),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
