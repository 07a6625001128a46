/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "schema/schema.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define D04 "'$schema':'http://json-schema.org/draft-04/schema#'"
#define D07 "'$schema':'http://json-schema.org/draft-07/schema#'"
#define D19 "'$schema':'https://json-schema.org/draft/2019-09/schema'"

static struct json_doc *
parse(const char *text)
{
	size_t len = strlen(text);
	char *copy = malloc(len + 1);

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i] == '\'' ? '"' : text[i];
	struct json_doc *doc = json_parse(copy, len, NULL, NULL);
	if (!doc)
		fail_msg("not JSON: %s", text);
	free(copy);
	return doc;
}

struct asked {
	const cJSON *root;
	size_t times;
	char uri[100];
};

static const cJSON *
find(void *ctx, const char *uri)
{
	struct asked *asked = ctx;

	asked->times++;
	strncpy(asked->uri, uri, sizeof(asked->uri) - 1);
	return strstr(uri, "there") ? asked->root : NULL;
}

static void
test_what_is_not_there_is_asked_for_once(void **state)
{
	struct json_doc *doc = parse("{'definitions':{'a':{'type':'null'}}}");
	struct asked asked = { .root = json_root(doc) };
	struct schema_library *library = schema_library_create();

	assert_null(schema_library_find(library, "http://x.example/there"));
	schema_library_ask(library, find, &asked);
	assert_null(schema_library_find(library, "http://x.example/there"));
	assert_int_equal(asked.times, 0);
	assert_ptr_equal(schema_library_find(library, "x:there-too#frag"), json_root(doc));
	assert_string_equal(asked.uri, "x:there-too");
	assert_ptr_equal(schema_library_find(library, "x:there-too"), json_root(doc));
	assert_null(schema_library_find(library, "x:other"));
	assert_null(schema_library_find(library, "x:other"));
	assert_int_equal(asked.times, 2);
	schema_library_add(library, "x:other", json_root(doc));
	assert_ptr_equal(schema_library_find(library, "x:other"), json_root(doc));
	schema_library_destroy(library);
	json_doc_destroy(doc);
}

static void
test_metaschemas_are_built_in(void **state)
{
	static const char *const URIS[] = { "http://json-schema.org/draft-04/schema#",
		"http://json-schema.org/draft-06/schema",
		"https://json-schema.org/draft-07/schema#",
		"https://json-schema.org/draft/2019-09/schema",
		"https://json-schema.org/draft/2019-09/meta/applicator",
		"https://json-schema.org/draft/2020-12/schema",
		"https://json-schema.org/draft/2020-12/meta/format-assertion" };
	struct schema_library *library = schema_library_create();

	for (size_t i = 0; i < ARRAY_LEN(URIS); i++) {
		const cJSON *root = schema_library_find(library, URIS[i]);
		assert_int_equal(json_type(root), JSON_OBJECT);
		assert_ptr_equal(schema_library_find(library, URIS[i]), root);
	}
	assert_null(schema_library_find(library, "https://json-schema.org/draft-05/schema"));
	assert_null(schema_library_find(library, "ftp://json-schema.org/draft-07/schema"));
	schema_library_destroy(library);
}

static void
test_a_location_in_another_document_has_its_uri(void **state)
{
	struct json_doc *doc = parse("{'definitions':{'a':{'type':'null'}}}");
	struct json_doc *text = parse("{'items':{'$ref':'d.json#/definitions/a'}}");
	struct json_doc *value = parse("[null,1]");
	struct schema_library *library = schema_library_create();
	const struct schema_options options = { .library = library, .uri = "file:///x/main.json" };
	struct buf path = BUF_INIT;

	schema_library_add(library, "file:///x/d.json", json_root(doc));
	struct schema *schema = schema_compile(json_root(text), &options, NULL);
	assert_non_null(schema);
	struct report *report = schema_check(schema, json_root(value), NULL);
	assert_int_equal(report_facts(report)->violations, 1);
	report_schema_path(report, 0, &path);
	assert_string_equal(buf_text(&path), "file:///x/d.json#/definitions/a/type");
	buf_finish(&path);
	report_destroy(report);
	schema_destroy(schema);
	schema_library_destroy(library);
	json_doc_destroy(value);
	json_doc_destroy(text);
	json_doc_destroy(doc);
}

/* Schemas, and where their metaschema finds them broken; "-" where it does not. */
static const struct {
	const char *schema, *at;
	bool compiles;
} REVIEWS[] = {
	{ "true", "-", true },
	{ "{'type':'object','properties':{'a':{'type':['null','string'],'default':1}}}", "-",
	    true },
	{ "{'title':5}", "/title", true },
	{ "{'properties':{'a':{'description':null}}}", "/properties/a/description", true },
	{ "{'required':['a','b','a']}", "/required", true },
	{ "{'$defs':{'x':{'examples':1}}}", "/$defs/x/examples", true },
	{ "{'type':['null','null']}", "/type", true },
	{ "{'type':'strng'}", "/type", false },
	{ "{'items':{'minLength':-1}}", "/items/minLength", false },
	{ "{'allOf':[{'properties':{'a':{'readOnly':'yes'}}}]}", "/allOf/0/properties/a/readOnly",
	    true },
	{ "{" D04 ",'enum':[]}", "/enum", true },
	{ "{" D04 ",'exclusiveMinimum':true}", "", true },
	{ "{" D07 ",'$ref':'#/definitions/a','definitions':{'a':{'$comment':1}}}",
	    "/definitions/a/$comment", true },
	{ "{" D07 ",'properties':{'a':{'$ref':'#','description':5}}}", "/properties/a/description",
	    true },
	{ "{" D19 ",'$defs':{'a':{'deprecated':0}}}", "/$defs/a/deprecated", true },
	{ "{" D19 ",'items':[{'maxItems':'x'}]}", "/items/0/maxItems", false },
};

static void
test_a_review_says_what_the_metaschema_forbids(void **state)
{
	struct schema_library *library = schema_library_create();

	for (size_t i = 0; i < ARRAY_LEN(REVIEWS); i++) {
		struct json_doc *doc = parse(REVIEWS[i].schema);
		struct schema_problem problem;
		struct report *report = schema_review(library, json_root(doc), NULL, &problem);
		struct buf at = BUF_INIT;

		assert_non_null(report);
		if (report_facts(report)->violations > 0)
			report_instance_path(report, 0, &at);
		else
			buf_add_str(&at, "-");
		if (strcmp(buf_text(&at), REVIEWS[i].at) != 0)
			fail_msg("%s: broken at '%s'", REVIEWS[i].schema, buf_text(&at));
		assert_true(report_facts(report)->outcome != SCHEMA_UNDECIDED);
		struct schema *schema = schema_compile(json_root(doc), NULL, NULL);
		if (!schema != !REVIEWS[i].compiles)
			fail_msg("%s: compiles", REVIEWS[i].schema);
		schema_destroy(schema);
		buf_finish(&at);
		report_destroy(report);
		json_doc_destroy(doc);
	}
	schema_library_destroy(library);
}

static void
test_a_review_uses_custom_metaschemas(void **state)
{
	struct json_doc *meta =
	    parse("{'$id':'http://x.example/meta','$dynamicAnchor':'meta',"
		  "'$schema':'https://json-schema.org/draft/2020-12/schema',"
		  "'$ref':'https://json-schema.org/draft/2020-12/schema','required':['title']}");
	struct json_doc *good = parse("{'$schema':'http://x.example/meta','title':'t',"
				      "'properties':{'a':{'title':'u'}}}");
	struct json_doc *bad = parse("{'$schema':'http://x.example/meta','title':'t',"
				     "'properties':{'a':{'type':'null'}}}");
	struct json_doc *lost = parse("{'$schema':'http://x.example/none','title':1}");
	struct schema_library *library = schema_library_create();
	struct schema_problem problem;
	struct buf at = BUF_INIT;

	schema_library_add(library, "http://x.example/meta", json_root(meta));
	struct report *report = schema_review(library, json_root(good), NULL, &problem);
	assert_int_equal(report_facts(report)->outcome, SCHEMA_VALID);
	report_destroy(report);
	report = schema_review(library, json_root(bad), NULL, &problem);
	assert_int_equal(report_facts(report)->violations, 1);
	report_instance_path(report, 0, &at);
	assert_string_equal(buf_text(&at), "/properties/a");
	report_destroy(report);
	report = schema_review(library, json_root(lost), NULL, &problem);
	assert_int_equal(report_facts(report)->violations, 1);
	report_destroy(report);
	buf_finish(&at);
	schema_library_destroy(library);
	json_doc_destroy(meta);
	json_doc_destroy(good);
	json_doc_destroy(bad);
	json_doc_destroy(lost);
}

TEST_FILE(schema_library)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_not_there_is_asked_for_once),
		cmocka_unit_test(test_metaschemas_are_built_in),
		cmocka_unit_test(test_a_location_in_another_document_has_its_uri),
		cmocka_unit_test(test_a_review_says_what_the_metaschema_forbids),
		cmocka_unit_test(test_a_review_uses_custom_metaschemas),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
