/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/vec.h"
#include "quoted.h"

#include "form/sample.h"
#include "test.h"

static void
expect(const char *schema, const char *sample)
{
	struct json_doc *doc = parse_quoted(schema);
	struct buf out = BUF_INIT;
	char *wanted = quoted(sample);

	sample_add(&out, json_root(doc));
	assert_string_equal(buf_text(&out), wanted);
	free(wanted);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_named(void **state)
{
	expect("{'type':'string','const':'c','default':'d'}", "'c'");
	expect("{'type':'number','default':95.50}", "95.50");
	expect("{'examples':[[1]],'enum':['e']}", "[1]");
	expect("{'type':'string','enum':['e','f']}", "'e'");
	expect("{'type':'string','oneOf':[{'const':'a','title':'A'},{'const':'b'}]}", "'a'");
	expect("{'type':'array','items':{'anyOf':[{'const':'x'}]}}", "['x']");
	expect("{'default':null}", "null");
}

static void
test_types(void **state)
{
	expect("{'type':'string'}", "'text'");
	expect("{'type':'string','minLength':6}", "'textxx'");
	expect("{'type':'string','maxLength':2}", "'te'");
	expect("{'type':'string','format':'date'}", "'2026-07-28'");
	expect("{'type':'string','format':'nosuch'}", "'text'");
	expect("{'type':'integer'}", "1");
	expect("{'type':'integer','minimum':5}", "5");
	expect("{'type':'number','maximum':-0.5}", "-0.5");
	expect("{'type':'number','exclusiveMinimum':3}", "4");
	expect("{'type':'boolean'}", "true");
	expect("{'type':'null'}", "null");
	expect("{'type':['null','integer']}", "1");
	expect("{'type':'array'}", "[]");
	expect("{'type':'array','items':{'type':'integer'},'minItems':3}", "[1,1,1]");
	expect("{'type':'array','prefixItems':[{'type':'integer'},{'type':'null'}]}", "[1,null]");
}

static void
test_objects(void **state)
{
	expect("{'type':'object'}", "{}");
	expect("{'properties':{'a':{'type':'number'},'b':{'type':'object','properties':{'c':{}}}}}",
	    "{'a':1,'b':{'c':'text'}}");
	expect("{'type':'object','anyOf':[{'required':['a']}],'properties':{'a':true}}",
	    "{'a':'text'}");
	expect("{'$defs':{'n':{'type':'integer','minimum':7}},'type':'object','properties':"
	       "{'a':{'$ref':'#/$defs/n'}}}",
	    "{'a':7}");
}

/* Any input ends with valid JSON. */
static void
test_hostile(void **state)
{
	static const char *const schemas[] = {
		"{'$ref':'#'}",
		"{'type':'object','properties':{'a':{'$ref':'#'},'b':{'$ref':'#'}}}",
		"{'anyOf':[{'$ref':'#'}]}",
		"{'$ref':'https://example.com/x'}",
		"{'type':'array','items':{'$ref':'#'},'minItems':99999}",
		"{'type':'string','minLength':99999999999}",
		"{'type':{},'properties':[1],'enum':{},'oneOf':[]}",
		"[]",
		"null",
		"false",
	};

	for (size_t i = 0; i < ARRAY_LEN(schemas); i++) {
		struct json_doc *doc = parse_quoted(schemas[i]);
		struct buf out = BUF_INIT;
		sample_add(&out, json_root(doc));
		struct json_doc *back = json_parse(buf_text(&out), out.len, NULL, NULL);
		assert_non_null(back);
		assert_in_range(out.len, 1, 4 << 20);
		json_doc_destroy(back);
		buf_finish(&out);
		json_doc_destroy(doc);
	}
	struct buf out = BUF_INIT;
	sample_add(&out, NULL);
	assert_string_equal(buf_text(&out), "\"text\"");
	buf_finish(&out);
}

TEST_FILE(sample)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
