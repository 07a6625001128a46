/* SPDX-License-Identifier: MIT */
#include "client/call.h"
#include "quoted.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define DRAFT_07 "'$schema':'http://json-schema.org/draft-07/schema#',"
#define SDK_INVALID "TypeScript SDK, Inspector: error -32602 instead of this result"
#define PYTHON_ONE "Python SDK: an exception instead of this result"
#define NOT_OBJECT "clients before 2026-07-28 refuse structuredContent that is not an object"

/* Findings about a result of a tool with that outputSchema (NULL: none). */
static void
assert_lines(const char *schema, const char *result, const char *expected)
{
	char definition[2048];
	struct buf out = BUF_INIT;

	snprintf(definition, sizeof(definition), schema ? "{'name':'t','outputSchema':%s}" : "{}%s",
	    schema ? schema : "");
	struct json_doc *doc = parse_quoted(definition);
	struct call *c = call_create(1, "t", doc, "{}", 2, 0);
	struct session_reply reply = { .kind = REPLY_RESULT, .doc = parse_quoted(result) };
	reply.value = json_root(reply.doc);
	buf_add_str(&out, "before|");
	assert_int_equal(compat_add_lines(c, &out), 0);
	call_take_reply(c, &reply, 1);
	call_check(c);
	size_t lines = *expected != '\0';
	for (const char *at = expected; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(compat_add_lines(c, &out), lines);
	assert_memory_equal(buf_text(&out), "before|", 7);
	assert_string_equal(buf_text(&out) + 7, expected);
	buf_finish(&out);
	call_destroy(c);
}

static void
test_nothing_to_say(void **state)
{
	assert_lines(NULL, "{'content':[]}", "");
	assert_lines(NULL, "{'structuredContent':{}}", "");
	assert_lines("{'type':'object'}", "{'structuredContent':{}}", "");
	assert_lines("{'type':'object'}", "{'content':[],'isError':true}", "");
}

static void
test_invalid(void **state)
{
	assert_lines("{'required':['a']}", "{'structuredContent':{}}", SDK_INVALID "\n" PYTHON_ONE);
	assert_lines("{'type':'object'}", "{'structuredContent':[]}",
	    SDK_INVALID "\n" PYTHON_ONE "\n" NOT_OBJECT);
}

/* The shortest path first; among equals the last. */
static void
test_first_of_many(void **state)
{
	assert_lines("{'properties':{'rows':{'items':{'required':['id'],'properties':{'id':"
		     "{'type':'integer'}}}}}}",
	    "{'structuredContent':{'rows':[{'id':'x'},{'id':'y'},{}]}}",
	    SDK_INVALID "\nPython SDK: raises 1 of these 3, probably /rows/2: id is missing");
	assert_lines("{'properties':{'rows':{'items':{'type':'integer'}}}}",
	    "{'structuredContent':{'rows':[1,2,'a',3,4,5,6,7,8,9,'b']}}",
	    SDK_INVALID "\nPython SDK: raises 1 of these 2, probably /rows/10: string \"b\", "
			"expected an integer");
	assert_lines("{'required':['a'],'properties':{'b':{'type':'null'}}}",
	    "{'structuredContent':{'b':1}}",
	    SDK_INVALID "\nPython SDK: raises 1 of these 2, probably a is missing");
}

static void
test_missing(void **state)
{
	assert_lines("{'type':'object'}", "{'content':[]}",
	    "TypeScript SDK: error -32600, \"did not return structured content\"");
}

static void
test_formats(void **state)
{
	static const char schema[] =
	    "{'properties':{'at':{'format':'date'},'n':{'type':'integer'}}}";

	assert_lines(schema, "{'structuredContent':{'at':'March'}}",
	    "ajv asserts formats and refuses this result; the Python SDK ignores them");
	assert_lines(
	    schema, "{'structuredContent':{'at':'March','n':'x'}}", SDK_INVALID "\n" PYTHON_ONE);
	assert_lines(schema, "{'structuredContent':{'at':'2026-03-01'}}", "");
}

static void
test_error(void **state)
{
	assert_lines("{'type':'object'}", "{'structuredContent':{},'isError':true}",
	    "TypeScript SDK: checks structuredContent of errors too, may hide this error");
}

static void
test_schema_broken(void **state)
{
	assert_lines("{'type':'strnig'}", "{'structuredContent':{}}",
	    "Inspector: accepts any result if a schema does not compile");
}

static void
test_not_an_object(void **state)
{
	assert_lines(NULL, "{'structuredContent':[1]}", NOT_OBJECT);
	assert_lines("{'type':'null'}", "{'structuredContent':null}", NOT_OBJECT);
}

static void
test_siblings(void **state)
{
	static const char line[] = "ajv evaluates the siblings of $ref, draft-07 ignores them";

	assert_lines("{" DRAFT_07 "'properties':{'a':{'$ref':'#/definitions/x','minimum':5}},"
		     "'definitions':{'x':{}}}",
	    "{'structuredContent':{'a':1}}", line);
	assert_lines("{" DRAFT_07 "'properties':{'a':{'$ref':'#/definitions/x','description':'!'}},"
		     "'definitions':{'x':{}}}",
	    "{'structuredContent':{'a':1}}", "");
	assert_lines("{'properties':{'a':{'$ref':'#/$defs/x','minimum':5}},'$defs':{'x':{}}}",
	    "{'structuredContent':{'a':9}}", "");
	assert_lines("{" DRAFT_07 "'properties':{'$ref':{'type':'string'},'minimum':{}},"
		     "'default':{'$ref':'#','minimum':3}}",
	    "{'structuredContent':{}}", "");
}

static void
test_draft_04(void **state)
{
	assert_lines("{'$schema':'http://json-schema.org/draft-04/schema#'}",
	    "{'structuredContent':{}}", "TypeScript SDK: has no validator for draft-04");
}

TEST_FILE(compat)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_to_say),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_first_of_many),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_schema_broken),
		cmocka_unit_test(test_not_an_object),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_draft_04),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
