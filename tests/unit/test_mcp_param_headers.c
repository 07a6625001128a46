/* SPDX-License-Identifier: MIT */
/* Which x-mcp-header annotations are valid, and the headers they produce. */
#include "mcp/param_headers.h"

#include "base/buf.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define H "\"x-mcp-header\""

static void
test_annotations(void **state)
{
	static const struct {
		const char *schema;
		const char *found; /* "NAME POINTER;"; NULL: broken */
		const char *problem;
	} rows[] = {
		{ "{}", "", NULL },
		{ "true", "", NULL },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"Region\"}}}", "Region /a;",
		    NULL },
		{ "{\"properties\":{\"o\":{\"type\":\"object\",\"properties\":{\"a/"
		  "b\":{\"type\":\"integer\"," H ":\"N\"}}},\"t\":{\"type\":\"boolean\"," H
		  ":\"B\"}}}",
		    "N /o/a~1b;B /t;", NULL },
		{ "{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"]," H ":\"A\"}}}", "A /a;",
		    NULL },
		{ "{\"properties\":{" H ":{\"type\":\"string\"}}}", "", NULL },
		{ "{\"properties\":{\"a\":{\"default\":{" H ":\"\"},\"const\":{" H
		  ":1},\"enum\":[{" H ":1}]}}}",
		    "", NULL },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"\"}}}", NULL,
		    "it is empty" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":7}}}", NULL,
		    "it is not a string" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"a b\"}}}", NULL,
		    "it is not a valid header name" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"a:b\"}}}", NULL,
		    "it is not a valid header name" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"a\\r\\nb\"}}}", NULL,
		    "it is not a valid header name" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H ":\"\xc3\xa9\"}}}", NULL,
		    "it is not a valid header name" },
		{ "{\"properties\":{\"a\":{\"type\":\"number\"," H ":\"A\"}}}", NULL, "its type" },
		{ "{\"properties\":{\"a\":{\"type\":\"object\"," H ":\"A\"}}}", NULL, "its type" },
		{ "{\"properties\":{\"a\":{\"type\":[\"string\",\"number\"]," H ":\"A\"}}}", NULL,
		    "its type" },
		{ "{\"properties\":{\"a\":{\"type\":[\"null\"]," H ":\"A\"}}}", NULL, "its type" },
		{ "{\"properties\":{\"a\":{" H ":\"A\"}}}", NULL, "its type" },
		{ "{\"properties\":{\"a\":{\"type\":\"string\"," H
		  ":\"X-A\"},\"b\":{\"type\":\"string\"," H ":\"x-a\"}}}",
		    NULL, "another annotation" },
		{ "{" H ":\"A\",\"type\":\"string\"}", NULL, "at the root: it is not on" },
		{ "{\"properties\":{\"a\":{\"items\":{\"type\":\"string\"," H ":\"A\"}}}}", NULL,
		    "at /a: it is not on" },
		{ "{\"properties\":{\"a\":{\"items\":{\"properties\":{\"b\":{\"type\":\"string\"," H
		  ":\"A\"}}}}}}",
		    NULL, "it is not on" },
		{ "{\"anyOf\":[{\"properties\":{\"b\":{\"type\":\"string\"," H ":\"A\"}}}]}", NULL,
		    "it is not on" },
		{ "{\"oneOf\":[{\"type\":\"string\"," H ":\"A\"}]}", NULL, "it is not on" },
		{ "{\"not\":{\"type\":\"string\"," H ":\"A\"}}", NULL, "it is not on" },
		{ "{\"then\":{\"properties\":{\"b\":{\"type\":\"string\"," H ":\"A\"}}}}", NULL,
		    "it is not on" },
		{ "{\"$defs\":{\"d\":{\"type\":\"string\"," H ":\"A\"}}}", NULL, "it is not on" },
		{ "{\"additionalProperties\":{\"type\":\"string\"," H ":\"A\"}}", NULL,
		    "it is not on" },
		{ "{\"patternProperties\":{\"d\":{\"type\":\"string\"," H ":\"A\"}}}", NULL,
		    "it is not on" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *doc =
		    json_parse(rows[i].schema, strlen(rows[i].schema), NULL, NULL);
		struct param_headers h;
		struct buf found = BUF_INIT;
		char problem[160] = "";
		assert_non_null(doc);
		bool ok = param_headers_read(&h, json_root(doc), problem, sizeof(problem));
		for (size_t k = 0; k < h.len; k++)
			buf_addf(&found, "%s %s;", h.items[k].name, h.items[k].pointer);
		if (rows[i].found) {
			assert_true(ok);
			assert_string_equal(buf_text(&found), rows[i].found);
		} else {
			assert_false(ok);
			assert_int_equal(h.len, 0);
			if (!strstr(problem, rows[i].problem))
				fail_msg("%s: %s", rows[i].schema, problem);
		}
		buf_finish(&found);
		param_headers_finish(&h);
		json_doc_destroy(doc);
	}
}

static void
test_values(void **state)
{
	static const struct {
		const char *json, *value; /* NULL: left out */
	} rows[] = {
		{ "\"\"", "" },
		{ "\"us\"", "us" },
		{ "\"a\\tb\"", "=?base64?YQli?=" },
		{ "true", "true" },
		{ "false", "false" },
		{ "null", NULL },
		{ "[]", NULL },
		{ "{}", NULL },
		{ "42", "42" },
		{ "-7", "-7" },
		{ "42.0", "42" },
		{ "4.2e1", "42" },
		{ "-0", "0" },
		{ "-0.0", "0" },
		{ "9007199254740991", "9007199254740991" },
		{ "-9007199254740991", "-9007199254740991" },
		{ "9007199254740993", "9007199254740993" },
		{ "1.5", "1.5" },
		{ "1e400", "1e400" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *doc = json_parse(rows[i].json, strlen(rows[i].json), NULL, NULL);
		char *value = param_header_value(json_root(doc));
		if (rows[i].value)
			assert_string_equal(value, rows[i].value);
		else
			assert_null(value);
		free(value);
		json_doc_destroy(doc);
	}
	assert_null(param_header_value(NULL));
}

/* Schemas as deep as JSON allows do not overflow the stack. */
static void
test_deep(void **state)
{
	struct buf text = BUF_INIT;
	struct param_headers h;
	char problem[160];

	for (int i = 0; i < 490; i++)
		buf_add_str(&text, "{\"properties\":{\"a\":");
	buf_add_str(&text, "{\"type\":\"string\"," H ":\"Deep\"}");
	for (int i = 0; i < 490; i++)
		buf_add_str(&text, "}}");
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	assert_non_null(doc);
	assert_true(param_headers_read(&h, json_root(doc), problem, sizeof(problem)));
	assert_int_equal(h.len, 1);
	assert_int_equal(strlen(h.items[0].pointer), 980);
	param_headers_finish(&h);
	json_doc_destroy(doc);
	buf_finish(&text);
}

TEST_FILE(mcp_param_headers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_annotations),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
