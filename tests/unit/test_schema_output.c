/* SPDX-License-Identifier: MIT */
#include "schema/schema.h"
#include "schema/output.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "validator.h"
#include "quoted.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef void output_fn(struct json_writer *w, const struct report *report);

/* Return the output for a value, parsed again. */
static struct json_doc *
output_of(output_fn *write, const cJSON *schema_text, const cJSON *value,
    const struct schema_options *options, const struct check_options *limits)
{
	struct schema_problem problem;
	struct schema *schema = schema_compile(schema_text, options, &problem);
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (!schema)
		fail_msg("%s: %s", problem.pointer, problem.text);
	struct report *report = schema_check(schema, value, limits);
	json_write_init(&w, &out);
	write(&w, report);
	struct json_doc *doc = json_parse(buf_text(&out), out.len, NULL, NULL);
	if (!doc)
		fail_msg("not JSON: %s", buf_text(&out));
	buf_finish(&out);
	report_destroy(report);
	schema_destroy(schema);
	return doc;
}

static struct json_doc *
output_of_texts(output_fn *write, const char *schema, const char *value,
    const struct schema_options *options, const struct check_options *limits)
{
	struct json_doc *text = parse_quoted(schema), *instance = parse_quoted(value);
	struct json_doc *doc =
	    output_of(write, json_root(text), json_root(instance), options, limits);

	json_doc_destroy(text);
	json_doc_destroy(instance);
	return doc;
}

static void
expect(const struct json_doc *doc, const char *pointer, const char *json)
{
	const cJSON *node = json_pointer_find(json_root(doc), pointer);
	char *expected = quoted(json);
	struct buf text = BUF_INIT;

	if (node)
		json_print(&text, node);
	if (strcmp(buf_text(&text), expected) != 0)
		fail_msg("%s is %s, not %s", pointer, buf_text(&text), expected);
	buf_finish(&text);
	free(expected);
}

static void
test_flag_is_one_word(void **state)
{
	struct json_doc *doc = output_of_texts(output_flag, "{'type':'integer'}", "1", NULL, NULL);

	expect(doc, "", "{'valid':true}");
	json_doc_destroy(doc);
	doc = output_of_texts(output_flag, "{'type':'integer'}", "'1'", NULL, NULL);
	expect(doc, "", "{'valid':false}");
	json_doc_destroy(doc);
	doc = output_of_texts(output_flag, "{'requird':1}", "1", NULL, NULL);
	expect(doc, "",
	    "{'valid':false,'error':'undecided, not checked: /requird (unknown keyword: did "
	    "you mean required?)'}");
	json_doc_destroy(doc);
}

static const char NESTED[] =
    "{'$id':'https://example.org/list','items':{'anyOf':[{'$ref':'#/$defs/row'},{'type':'null'}]},"
    "'$defs':{'row':{'$id':'row','type':'object','properties':{'a/b':{'$ref':'#/$defs/n'}},"
    "'additionalProperties':false,'$defs':{'n':{'type':'integer'}}}}}";

static void
test_basic_says_where(void **state)
{
	struct json_doc *doc =
	    output_of_texts(output_basic, NESTED, "[null,{'a/b':'x','c':1}]", NULL, NULL);

	expect(doc, "/valid", "false");
	expect(doc, "/keywordLocation", "''");
	expect(doc, "/instanceLocation", "''");
	expect(doc, "/annotations", "");
	expect(doc, "/errors/0",
	    "{'valid':false,'keywordLocation':'/items/anyOf/0/$ref/properties/a~1b/$ref/type',"
	    "'absoluteKeywordLocation':'https://example.org/row#/$defs/n/type','instanceLocation':"
	    "'/1/a~1b','error':'string \\'x\\', expected an integer'}");
	expect(doc, "/errors/1/keywordLocation", "'/items/anyOf/0/$ref/additionalProperties'");
	expect(doc, "/errors/1/absoluteKeywordLocation",
	    "'https://example.org/row#/additionalProperties'");
	expect(doc, "/errors/1/instanceLocation", "'/1/c'");
	expect(doc, "/errors/2", "");
	json_doc_destroy(doc);
}

static void
test_every_way_down_is_found(void **state)
{
	static const struct {
		const char *schema, *value, *at;
	} WAYS[] = {
		{ "false", "1", "''" },
		{ "{'properties':{'a':false}}", "{'a':1}", "'/properties/a'" },
		{ "{'patternProperties':{'^a':{'type':'null'}}}", "{'ab':1}",
		    "'/patternProperties/^a/type'" },
		{ "{'additionalProperties':{'required':['x']}}", "{'a':{}}",
		    "'/additionalProperties/required'" },
		{ "{'prefixItems':[true,{'const':1}]}", "[1,2]", "'/prefixItems/1/const'" },
		{ "{'items':false,'prefixItems':[true]}", "[1,2]", "'/items'" },
		{ "{'$schema':'http://json-schema.org/draft-07/schema#','items':[true,{'const':1}],"
		  "'additionalItems':false}",
		    "[1,1,2]", "'/additionalItems'" },
		{ "{'allOf':[{'if':true,'then':{'not':{}}}]}", "1", "'/allOf/0/then/not'" },
		{ "{'if':false,'else':{'minimum':2}}", "1", "'/else/minimum'" },
		{ "{'dependentSchemas':{'a':{'minProperties':2}}}", "{'a':1}",
		    "'/dependentSchemas/a/minProperties'" },
		{ "{'propertyNames':{'allOf':[{'maxLength':1}]}}", "{'ab':1}",
		    "'/propertyNames/allOf/0/maxLength'" },
		{ "{'unevaluatedProperties':{'type':'null'}}", "{'a':1}",
		    "'/unevaluatedProperties/type'" },
		{ "{'properties':{'a':true},'unevaluatedProperties':false}", "{'a':1,'b':1}",
		    "'/unevaluatedProperties'" },
		{ "{'contains':{'const':1},'minContains':2}", "[1]", "'/contains'" },
		{ "{'properties':{'child':{'$ref':'#'},'n':{'type':'null'}}}",
		    "{'child':{'child':{'n':1}}}",
		    "'/properties/child/$ref/properties/child/$ref/properties/n/type'" },
		{ "{'$id':'https://example.org/tree','$dynamicAnchor':'n','properties':{'kids':{"
		  "'items':{'$dynamicRef':'#n'}}},'maxProperties':1}",
		    "{'kids':[{'a':1,'b':2}]}",
		    "'/properties/kids/items/$dynamicRef/maxProperties'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(WAYS); i++) {
		struct json_doc *doc =
		    output_of_texts(output_basic, WAYS[i].schema, WAYS[i].value, NULL, NULL);
		expect(doc, "/errors/0/keywordLocation", WAYS[i].at);
		json_doc_destroy(doc);
	}
}

static void
test_a_valid_value_is_annotated(void **state)
{
	struct json_doc *doc = output_of_texts(output_basic,
	    "{'properties':{'a':{'title':'A','format':'email'}}}", "{'a':'x'}", NULL, NULL);

	expect(doc, "",
	    "{'valid':true,'keywordLocation':'','instanceLocation':'','annotations':[{'valid':true,"
	    "'keywordLocation':'/properties/a/title','instanceLocation':'/a','annotation':'A'},{"
	    "'valid':true,'keywordLocation':'/properties/a/format','instanceLocation':'/a',"
	    "'annotation':'email'}]}");
	json_doc_destroy(doc);
}

static void
test_what_is_left_out_is_said(void **state)
{
	const struct check_options limits = { .max_violations = 2 };
	struct json_doc *doc =
	    output_of_texts(output_basic, "{'items':{'type':'null'}}", "[1,2,3,4]", NULL, &limits);

	expect(doc, "/error", "'4 violations, 2 of them listed'");
	expect(doc, "/errors/2", "");
	json_doc_destroy(doc);
	doc = output_of_texts(output_basic, "{'requird':1}", "1", NULL, NULL);
	expect(doc, "/valid", "false");
	expect(doc, "/error",
	    "'undecided, not checked: /requird (unknown keyword: did you mean required?)'");
	json_doc_destroy(doc);
}

/* 101 MB of annotations: as many as are listed in 64 MiB, and a word at the end. */
static void
test_annotations_are_bounded(void **state)
{
	struct buf schema = BUF_INIT, value = BUF_INIT, out = BUF_INIT;
	struct json_writer w;
	size_t max = (size_t)64 << 20;

	buf_add_str(&schema, "{\"items\":{\"title\":\"");
	for (int i = 0; i < 20000; i++)
		buf_add_char(&schema, 't');
	buf_add_str(&schema, "\"}}");
	buf_add_str(&value, "[1");
	for (int i = 0; i < 5000; i++)
		buf_add_str(&value, ",1");
	buf_add_str(&value, "]");
	struct json_doc *text = json_parse(buf_text(&schema), schema.len, NULL, NULL);
	struct json_doc *instance = json_parse(buf_text(&value), value.len, NULL, NULL);
	struct schema *compiled = schema_compile(json_root(text), NULL, NULL);
	struct report *report = schema_check(compiled, json_root(instance), NULL);
	json_write_init(&w, &out);
	output_basic(&w, report);
	assert_in_range(out.len, max - 30000, max + 100);
	assert_non_null(strstr(buf_text(&out) + out.len - 100, "}],\"note\":\"the first "));
	assert_non_null(
	    strstr(buf_text(&out) + out.len - 100, " are listed, there may be more\"}"));
	report_destroy(report);
	schema_destroy(compiled);
	json_doc_destroy(instance);
	json_doc_destroy(text);
	buf_finish(&out);
	buf_finish(&value);
	buf_finish(&schema);
}

/* One annotation that is longer than the bound is left out. */
static void
test_one_annotation_is_bounded(void **state)
{
	size_t max = (size_t)64 << 20;
	cJSON title = { .type = cJSON_String, .string = (char *)"title" };
	cJSON schema = { .type = cJSON_Object, .child = &title };
	const cJSON value = { .type = cJSON_NULL };
	struct buf out = BUF_INIT;
	struct json_writer w;

	title.valuestring = mem_zalloc(max + 1);
	memset(title.valuestring, 't', max);
	title.prev = &title;
	struct schema *compiled = schema_compile(&schema, NULL, NULL);
	struct report *report = schema_check(compiled, &value, NULL);
	json_write_init(&w, &out);
	output_basic(&w, report);
	assert_string_equal(buf_text(&out),
	    "{\"valid\":true,\"keywordLocation\":\"\",\"instanceLocation\":\"\","
	    "\"note\":\"the first 0 annotations are listed, there may be more\"}");
	report_destroy(report);
	schema_destroy(compiled);
	buf_finish(&out);
	free(title.valuestring);
}

static void
findings_in_an_object(struct json_writer *w, const struct report *report)
{
	json_write_object(w);
	output_findings(w, report);
	json_write_object_end(w);
}

static void
test_our_own_has_the_words(void **state)
{
	struct json_doc *doc =
	    output_of_texts(findings_in_an_object, NESTED, "[{'a/b':'x'}]", NULL, NULL);

	expect(doc, "",
	    "{'errors':[{'instancePath':'/0/a~1b','schemaPath':'/$defs/row/$defs/n/type',"
	    "'keywordLocation':'/items/anyOf/0/$ref/properties/a~1b/$ref/type',"
	    "'absoluteKeywordLocation':'https://example.org/row#/$defs/n/type',"
	    "'keyword':'type','expected':'an integer','found':'string \\'x\\'',"
	    "'message':'string \\'x\\', expected an integer'}],'unchecked':[]}");
	json_doc_destroy(doc);
	doc = output_of_texts(findings_in_an_object, "{'properties':{'m':{'format':'email'}}}",
	    "{'m':'x'}", NULL, NULL);
	expect(doc, "/errors", "[]");
	expect(doc, "/warnings/0/keyword", "'format'");
	expect(doc, "/warnings/0/keywordLocation", "");
	json_doc_destroy(doc);
}

static void
test_our_own_says_what_is_left_out(void **state)
{
	const struct check_options limits = { .max_violations = 2 };
	struct json_doc *doc = output_of_texts(
	    findings_in_an_object, "{'items':{'type':'null'}}", "[1,2,3,4]", NULL, &limits);

	expect(doc, "/errors/2", "");
	expect(doc, "/omitted", "2");
	json_doc_destroy(doc);
	doc = output_of_texts(
	    findings_in_an_object, "{'items':{'type':'null'}}", "[1,2]", NULL, &limits);
	expect(doc, "/omitted", "");
	json_doc_destroy(doc);
}

/* A thousand levels, and ten thousand violations at the bottom: their paths alone are 180 MB. */
static void
test_deep_violations_are_bounded(void **state)
{
	struct buf value = BUF_INIT, out = BUF_INIT;
	struct json_writer w;

	for (int i = 0; i < 900; i++)
		buf_add_str(&value, "{'long-name':");
	buf_add_str(&value, "[0");
	for (int i = 1; i < 10000; i++)
		buf_add_str(&value, ",0");
	buf_add_char(&value, ']');
	for (int i = 0; i < 900; i++)
		buf_add_char(&value, '}');
	struct json_doc *schema_doc =
	    parse_quoted("{'additionalProperties':{'$ref':'#'},'items':{'type':'null'}}");
	struct json_doc *value_doc = parse_quoted(buf_text(&value));
	struct schema *schema = schema_compile(json_root(schema_doc), NULL, NULL);
	struct report *report = schema_check(schema, json_root(value_doc), NULL);
	assert_int_equal(report_facts(report)->kept, 10000);
	json_write_init(&w, &out);
	findings_in_an_object(&w, report);
	assert_in_range(out.len, (size_t)63 << 20, ((size_t)64 << 20) + 100);
	assert_non_null(strstr(buf_text(&out) + out.len - 100, "\"omitted\":"));
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(schema_doc);
	json_doc_destroy(value_doc);
	buf_finish(&value);
	buf_finish(&out);
}

/* Ten thousand rows, each with a long way to go. */
static void
test_many_violations_are_bounded(void **state)
{
	struct buf schema = BUF_INIT, value = BUF_INIT;

	buf_add_str(&schema, "{'items':{'$ref':'#/$defs/d0'},'$defs':{");
	for (int i = 0; i < 3000; i++)
		buf_addf(&schema,
		    "'d%d':{'title':'t','allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]},",
		    i, i + 1 < 150 ? i + 1 : 3000, 3000);
	buf_add_str(&schema, "'d3000':{'type':'null'}}}");
	buf_add_str(&value, "[0");
	for (int i = 1; i < 10000; i++)
		buf_addf(&value, ",%d", i);
	buf_add_char(&value, ']');
	struct json_doc *doc =
	    output_of_texts(output_basic, buf_text(&schema), buf_text(&value), NULL, NULL);
	assert_int_equal(json_count(json_pointer_find(json_root(doc), "/errors")), 10000);
	json_doc_destroy(doc);
	buf_finish(&schema);
	buf_finish(&value);
}

/* ---- the official ones, in the folder output-tests of the JSON-Schema-Test-Suite ---- */

static const struct {
	const char *folder, *uri;
	enum schema_draft draft;
	size_t tests;
} LEVELS[] = {
	{ "draft2020-12", "https://json-schema.org/draft/2020-12/output/schema",
	    SCHEMA_DRAFT_2020_12, 4 },
	{ "draft2019-09", "https://json-schema.org/draft/2019-09/output/schema",
	    SCHEMA_DRAFT_2019_09, 4 },
};

static void
run_case(const cJSON *group, const cJSON *test, const struct schema_options *options)
{
	const cJSON *rules = json_get(json_get(test, "output"), "basic");
	struct json_doc *doc = output_of(
	    output_basic, json_get(group, "schema"), json_get(test, "data"), options, NULL);
	struct schema_problem problem;
	struct schema *schema = schema_compile(rules, options, &problem);
	struct buf text = BUF_INIT;

	assert_non_null(rules);
	if (!schema)
		fail_msg("%s: %s", problem.pointer, problem.text);
	struct report *report = schema_check(schema, json_root(doc), NULL);
	json_print(&text, json_root(doc));
	if (report_facts(report)->outcome != SCHEMA_VALID)
		fail_msg("%s: %s", json_get_string(test, "description"), buf_text(&text));
	buf_finish(&text);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(doc);
}

static size_t
run_folder(const char *folder, const struct schema_options *options)
{
	struct dirent **names;
	int files = scandir(folder, &names, NULL, alphasort);
	size_t count = 0;

	assert_true(files > 0);
	for (int i = 0; i < files; i++) {
		char *path = mem_printf("%s/%s", folder, names[i]->d_name);
		struct json_doc *doc = names[i]->d_name[0] == '.' ? NULL : load_document(path);
		const cJSON *root = doc ? json_root(doc) : NULL;
		for (const cJSON *g = json_first(root); g; g = g->next)
			for (const cJSON *t = json_first(json_get(g, "tests")); t;
			     t = t->next, count++)
				run_case(g, t, options);
		json_doc_destroy(doc);
		free(path);
		free(names[i]);
	}
	free(names);
	return count;
}

static void
test_the_official_ones_pass(void **state)
{
	const char *suite = getenv("JSON_SCHEMA_SUITE");
	char *folder =
	    mem_printf("%s/output-tests", suite ? suite : "../shared/data/json-schema-test-suite");
	struct stat info;
	bool present = stat(folder, &info) == 0;

	for (size_t i = 0; present && i < ARRAY_LEN(LEVELS); i++) {
		char *rules = mem_printf("%s/%s/output-schema.json", folder, LEVELS[i].folder);
		char *content = mem_printf("%s/%s/content", folder, LEVELS[i].folder);
		struct json_doc *doc = load_document(rules);
		const struct schema_options options = {
			.draft = LEVELS[i].draft,
			.library = schema_library_create(),
			.format = SCHEMA_FORMAT_ASSERTS,
		};
		schema_library_add(options.library, LEVELS[i].uri, json_root(doc));
		size_t count = run_folder(content, &options);
		printf("output-tests, %s: %zu pass\n", LEVELS[i].folder, count);
		assert_true(count >= LEVELS[i].tests);
		schema_library_destroy(options.library);
		json_doc_destroy(doc);
		free(rules);
		free(content);
	}
	if (!present)
		printf("SKIPPED: no output tests at %s\n", folder);
	free(folder);
	if (!present)
		skip();
}

TEST_FILE(schema_output)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flag_is_one_word),
		cmocka_unit_test(test_basic_says_where),
		cmocka_unit_test(test_every_way_down_is_found),
		cmocka_unit_test(test_a_valid_value_is_annotated),
		cmocka_unit_test(test_what_is_left_out_is_said),
		cmocka_unit_test(test_annotations_are_bounded),
		cmocka_unit_test(test_one_annotation_is_bounded),
		cmocka_unit_test(test_our_own_has_the_words),
		cmocka_unit_test(test_our_own_says_what_is_left_out),
		cmocka_unit_test(test_deep_violations_are_bounded),
		cmocka_unit_test(test_many_violations_are_bounded),
		cmocka_unit_test(test_the_official_ones_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
