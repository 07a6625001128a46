/* SPDX-License-Identifier: MIT */
/* The demo server's declarations and results, checked by our validator. Every tool follows its
 * outputSchema except bad_rows, which breaks it in six ways. */
#include "base/buf.h"
#include "demo/demo.h"
#include "json/doc.h"
#include "json/print.h"
#include "schema/schema.h"
#include "test.h"

#include <string.h>

static struct demo_output output;

static struct json_doc *
ask(struct demo *d, const char *line, size_t len)
{
	struct buf *out = &output.bytes;

	demo_on_bytes(d, line, len);
	demo_on_bytes(d, "\n", 1);
	while (demo_work(d, 0))
		;
	struct json_doc *doc = json_parse(out->data, out->len, NULL, NULL);
	assert_non_null(doc);
	buf_clear(out);
	return doc;
}

static struct json_doc *
list(struct demo *d)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

	return ask(d, line, sizeof(line) - 1);
}

static struct json_doc *
call(struct demo *d, const char *name)
{
	struct buf line = BUF_INIT;

	buf_add_str(&line,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"arguments\":{"
	    "\"location\":\"Oslo\",\"order_id\":\"ORD-1001\",\"status\":\"open\",\"wide\":true,"
	    "\"seconds\":0,\"by\":\"car\",\"shape\":{\"kind\":\"circle\",\"radius\":2}},\"name\":");
	json_print_string(&line, name, strlen(name));
	buf_add_str(&line, "}}");
	struct json_doc *doc = ask(d, line.data, line.len);
	buf_finish(&line);
	return doc;
}

static const cJSON *
tools_of(const struct json_doc *doc)
{
	return json_first(json_get(json_get(json_root(doc), "result"), "tools"));
}

static struct schema *
compile(const char *tool, const cJSON *root)
{
	struct schema_problem problem;
	struct schema *schema = schema_compile(root, NULL, &problem);

	if (!schema)
		fail_msg("%s: %s: %s", tool, problem.pointer, problem.text);
	return schema;
}

static void
test_every_schema_compiles(void **state)
{
	struct demo *d = demo_create(&output);
	struct json_doc *doc = list(d);

	for (const cJSON *tool = tools_of(doc); tool; tool = tool->next) {
		const char *name = json_get_string(tool, "name");
		schema_destroy(compile(name, json_get(tool, "inputSchema")));
		if (json_get(tool, "outputSchema"))
			schema_destroy(compile(name, json_get(tool, "outputSchema")));
	}
	json_doc_destroy(doc);
	demo_destroy(d);
	buf_finish(&output.bytes);
}

/* These have an outputSchema and send no data. */
static bool
sends_none(const char *name)
{
	return strcmp(name, "test_call") == 0 || strcmp(name, "fail") == 0;
}

static void
test_results_keep_their_schema(void **state)
{
	struct demo *d = demo_create(&output);
	struct json_doc *doc = list(d);

	for (const cJSON *tool = tools_of(doc); tool; tool = tool->next) {
		const char *name = json_get_string(tool, "name");
		if (!json_get(tool, "outputSchema") || strcmp(name, "bad_rows") == 0)
			continue;
		struct json_doc *reply = call(d, name);
		const cJSON *data =
		    json_get(json_get(json_root(reply), "result"), "structuredContent");
		assert_int_equal(data == NULL, sends_none(name));
		if (data) {
			struct schema *schema = compile(name, json_get(tool, "outputSchema"));
			struct report *report = schema_check(schema, data, NULL);
			if (report_facts(report)->outcome != SCHEMA_VALID ||
			    report_facts(report)->warnings > 0)
				fail_msg("%s breaks its schema", name);
			report_destroy(report);
			schema_destroy(schema);
		}
		json_doc_destroy(reply);
	}
	json_doc_destroy(doc);
	demo_destroy(d);
	buf_finish(&output.bytes);
}

static void
test_bad_rows(void **state)
{
	static const struct {
		const char *path, *keyword;
	} expected[] = {
		{ "/products/2/id", "type" },
		{ "/products/3/price", "minimum" },
		{ "/products/4", "required" },
		{ "/products/5/price", "multipleOf" },
		{ "/products/5/color", "enum" },
		{ "/products/6/added", "pattern" },
	};
	struct demo *d = demo_create(&output);
	struct json_doc *doc = list(d), *reply = call(d, "bad_rows");
	const cJSON *tool = tools_of(doc);

	while (strcmp(json_get_string(tool, "name"), "bad_rows") != 0)
		tool = tool->next;
	struct schema *schema = compile("bad_rows", json_get(tool, "outputSchema"));
	const cJSON *data = json_get(json_get(json_root(reply), "result"), "structuredContent");
	struct report *report = schema_check(schema, data, NULL);
	assert_int_equal(report_facts(report)->outcome, SCHEMA_INVALID);
	assert_int_equal(report_facts(report)->kept, 6);
	for (size_t i = 0; i < 6; i++) {
		struct buf path = BUF_INIT;
		report_instance_path(report, i, &path);
		assert_memory_equal(buf_text(&path), expected[i].path, strlen(expected[i].path));
		assert_string_equal(report_at(report, i)->keyword, expected[i].keyword);
		buf_finish(&path);
	}
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(reply);
	json_doc_destroy(doc);
	demo_destroy(d);
	buf_finish(&output.bytes);
}

TEST_FILE(demo_schemas)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_schema_compiles),
		cmocka_unit_test(test_results_keep_their_schema),
		cmocka_unit_test(test_bad_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
