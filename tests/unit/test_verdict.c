/* SPDX-License-Identifier: MIT */
#include "client/verdict.h"
#include "quoted.h"
#include "test.h"

#include <string.h>

static void
judge(struct verdict *v, const cJSON *schema, const cJSON *value, bool is_error)
{
	verdict_begin(v, schema, value, is_error);
	if (v->kind == VERDICT_CHECKING)
		verdict_end(v, schema_check(v->schema, value, NULL));
}

/* "valid: line | reason"; NULL is absent. */
static void
assert_verdict(const char *schema, const char *value, bool is_error, const char *expected)
{
	struct json_doc *s = schema ? parse_quoted(schema) : NULL;
	struct json_doc *d = value ? parse_quoted(value) : NULL;
	struct buf out = BUF_INIT;
	struct verdict v;

	judge(&v, s ? json_root(s) : NULL, d ? json_root(d) : NULL, is_error);
	buf_addf(&out, "%s: ", verdict_looks[v.kind].name);
	verdict_line(&v, &out);
	size_t len = out.len;
	buf_add_str(&out, " | ");
	verdict_reason(&v, &out);
	if (out.len == len + 3)
		buf_truncate(&out, len);
	assert_string_equal(buf_text(&out), expected);
	verdict_finish(&v);
	assert_int_equal(v.kind, VERDICT_NONE);
	assert_null(v.schema);
	assert_null(v.report);
	buf_finish(&out);
	json_doc_destroy(s);
	json_doc_destroy(d);
}

static void
test_valid(void **state)
{
	assert_verdict(
	    "{'type':'object'}", "{}", false, "valid: conforms to outputSchema (2020-12), 1 check");
	assert_verdict(
	    "{'$schema':'http://json-schema.org/draft-07/schema#','type':['integer','null'],"
	    "'minimum':1}",
	    "null", false, "valid: conforms to outputSchema (draft-07), 1 check");
	assert_verdict("true", "3", false, "valid: conforms to outputSchema (2020-12), 0 checks");
}

static void
test_invalid(void **state)
{
	assert_verdict(
	    "{'type':'object'}", "[]", false, "invalid: 1 violation of outputSchema (2020-12)");
	assert_verdict("{'required':['a','b']}", "{}", false,
	    "invalid: 2 violations of outputSchema (2020-12)");
	assert_verdict("false", "1", false, "invalid: 1 violation of outputSchema (2020-12)");
}

/* null is a value, absent is none. */
static void
test_missing(void **state)
{
	assert_verdict("{'type':'null'}", NULL, false,
	    "missing: structuredContent is missing, though an outputSchema is declared");
	assert_verdict(
	    "{'type':'null'}", "null", false, "valid: conforms to outputSchema (2020-12), 1 check");
}

static void
test_no_schema(void **state)
{
	assert_verdict(NULL, "{}", false, "no-schema: the tool declares no outputSchema");
	assert_verdict(NULL, NULL, true, "no-schema: the tool declares no outputSchema");
}

static void
test_schema_broken(void **state)
{
	struct json_doc *doc = parse_quoted("{'properties':{'x':{'type':'strnig'}}}");
	struct buf out = BUF_INIT;
	struct verdict v;

	judge(&v, json_root(doc), NULL, false);
	assert_int_equal(v.kind, VERDICT_SCHEMA_BROKEN);
	verdict_reason(&v, &out);
	assert_non_null(strstr(buf_text(&out), "at /properties/x"));
	verdict_finish(&v);
	json_doc_destroy(doc);
	buf_clear(&out);
	doc = parse_quoted("'no schema'");
	judge(&v, json_root(doc), json_root(doc), false);
	assert_int_equal(v.kind, VERDICT_SCHEMA_BROKEN);
	verdict_reason(&v, &out);
	assert_non_null(strstr(buf_text(&out), "at the root: "));
	verdict_finish(&v);
	json_doc_destroy(doc);
	buf_finish(&out);
}

static void
test_not_applied(void **state)
{
	assert_verdict("{'type':'object'}", "3", true,
	    "not-applied: not checked: the tool reported an error (isError)");
	assert_verdict(
	    "3", NULL, true, "not-applied: not checked: the tool reported an error (isError)");
}

static void
test_undecided(void **state)
{
	struct json_doc *schema =
	    parse_quoted("{'type':'object','frobnicate':{'x':1},'pattern':'('}");
	struct json_doc *value = parse_quoted("{}");
	struct verdict v;

	judge(&v, json_root(schema), json_root(value), false);
	assert_int_not_equal(v.kind, VERDICT_INVALID);
	verdict_finish(&v);
	json_doc_destroy(schema);
	schema = parse_quoted("{'$dynamicRef':'http://example.com/far#away','type':'object'}");
	judge(&v, json_root(schema), json_root(value), false);
	assert_int_not_equal(v.kind, VERDICT_VALID);
	verdict_finish(&v);
	json_doc_destroy(schema);
	json_doc_destroy(value);
}

static void
test_every_kind_has_words(void **state)
{
	for (int i = 0; i < VERDICT_COUNT; i++) {
		assert_true(verdict_looks[(enum verdict_kind)i].name[0] != '\0');
		assert_true(verdict_looks[(enum verdict_kind)i].mark[0] != '\0');
		assert_true(verdict_looks[(enum verdict_kind)i].text[0] != '\0');
		for (int k = 0; k < i; k++)
			assert_string_not_equal(verdict_looks[(enum verdict_kind)i].name,
			    verdict_looks[(enum verdict_kind)k].name);
	}
}

TEST_FILE(verdict)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_no_schema),
		cmocka_unit_test(test_schema_broken),
		cmocka_unit_test(test_not_applied),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_every_kind_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
