/* SPDX-License-Identifier: MIT */
#include "schema/schema.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One schema, one value, and the outcome. */
struct trial {
	struct json_doc *schema_doc, *value_doc;
	struct schema *schema;
	struct report *report;
};

static struct json_doc *
parse(const char *text, size_t len)
{
	char *copy = mem_strndup(text, len);

	for (size_t i = 0; i < len; i++)
		if (copy[i] == '\'')
			copy[i] = '"';
	struct json_doc *doc = json_parse(copy, len, NULL, NULL);
	assert_non_null(doc);
	free(copy);
	return doc;
}

static void
trial_init(
    struct trial *t, const char *schema, const char *value, const struct check_options *options)
{
	struct schema_problem problem;

	t->schema_doc = parse(schema, strlen(schema));
	t->value_doc = parse(value, strlen(value));
	t->schema = schema_compile(json_root(t->schema_doc), NULL, &problem);
	if (!t->schema)
		fail_msg("%s: %s", problem.pointer, problem.text);
	t->report = schema_check(t->schema, json_root(t->value_doc), options);
}

static void
trial_finish(struct trial *t)
{
	report_destroy(t->report);
	schema_destroy(t->schema);
	json_doc_destroy(t->schema_doc);
	json_doc_destroy(t->value_doc);
}

static const cJSON *
item(const cJSON *array, size_t index)
{
	const cJSON *c = json_first(array);

	while (c && index-- > 0)
		c = c->next;
	assert_non_null(c);
	return c;
}

static const char USERS[] =
    "{'required':['total'],'properties':{'users':{'type':'array','items':{'type':'object',"
    "'required':['id','name'],'properties':{'id':{'type':'integer'},'email':{'format':'email'}}}}}"
    "}";

static void
test_violations_are_found_by_node(void **state)
{
	struct trial t;
	trial_init(&t, USERS,
	    "{'users':[{'id':1,'name':'a'},{'id':'2'},{'name':'c','email':'x'},3]}", NULL);
	const struct report *r = t.report;
	const cJSON *root = json_root(t.value_doc), *users = json_get(root, "users");
	const cJSON *second = item(users, 1), *third = item(users, 2);

	assert_int_equal(report_facts(r)->outcome, SCHEMA_INVALID);
	assert_int_equal(report_facts(r)->violations, 5);
	assert_int_equal(report_facts(r)->warnings, 1);
	assert_int_equal(report_facts(r)->kept, 6);
	assert_int_equal(report_find(r, root), REPORT_NONE);
	assert_int_equal(report_find(r, item(users, 0)), REPORT_NONE);
	assert_int_equal(report_find(r, NULL), REPORT_NONE);
	size_t at = report_find(r, json_get(second, "id"));
	assert_int_not_equal(at, REPORT_NONE);
	assert_string_equal(report_at(r, at)->keyword, "type");
	assert_ptr_equal(report_at(r, at)->node, json_get(second, "id"));
	assert_int_equal(report_find(r, second), REPORT_NONE);
	at = report_find(r, json_get(third, "email"));
	assert_true(report_at(r, at)->warning);
	at = report_find(r, item(users, 3));
	assert_string_equal(report_at(r, at)->keyword, "type");
	trial_finish(&t);
}

static void
test_missing_properties_are_found_by_name(void **state)
{
	struct trial t;
	trial_init(&t, USERS, "{'users':[{'id':1},{}]}", NULL);
	const struct report *r = t.report;
	const cJSON *root = json_root(t.value_doc), *users = json_get(root, "users");

	size_t at = report_find_missing(r, root, "total");
	assert_int_equal(at, 0);
	assert_string_equal(report_at(r, at)->missing, "total");
	assert_ptr_equal(report_at(r, at)->node, root);
	assert_int_equal(report_find_missing(r, item(users, 0), "id"), REPORT_NONE);
	assert_int_equal(report_find_missing(r, item(users, 0), "name"), 1);
	assert_int_equal(report_find_missing(r, item(users, 1), "id"), 2);
	assert_int_equal(report_find_missing(r, item(users, 1), "name"), 3);
	assert_int_equal(report_find_missing(r, item(users, 1), "other"), REPORT_NONE);
	trial_finish(&t);
}

static void
test_counts_add_up_on_the_way_to_the_root(void **state)
{
	struct trial t;
	trial_init(&t, USERS, "{'users':[{'id':'1'},{'id':2,'name':''},{}]}", NULL);
	const struct report *r = t.report;
	const cJSON *root = json_root(t.value_doc), *users = json_get(root, "users");

	assert_int_equal(report_count_below(r, root), 5);
	assert_int_equal(report_count_below(r, users), 4);
	assert_int_equal(report_count_below(r, item(users, 0)), 2);
	assert_int_equal(report_count_below(r, item(users, 1)), 0);
	assert_int_equal(report_count_below(r, item(users, 2)), 2);
	assert_int_equal(report_count_below(r, json_get(item(users, 0), "id")), 1);
	assert_int_equal(report_count_below(r, NULL), 0);
	trial_finish(&t);
}

static void
test_violations_stand_in_document_order(void **state)
{
	struct trial t;
	struct buf paths = BUF_INIT;
	trial_init(&t,
	    "{'allOf':[{'properties':{'c':{'type':'null'}}},{'properties':{'a':{'items':{'type':'"
	    "null'}}}},"
	    "{'minProperties':9}],'properties':{'b':{'type':'null'}}}",
	    "{'a':[1,null,2],'b':1,'c':1}", NULL);

	for (size_t i = 0; i < report_facts(t.report)->kept; i++) {
		buf_add_char(&paths, ' ');
		report_instance_path(t.report, i, &paths);
	}
	assert_string_equal(buf_text(&paths), "  /a/0 /a/2 /b /c");
	buf_finish(&paths);
	trial_finish(&t);
}

static void
test_what_is_not_kept_is_counted(void **state)
{
	struct trial t;
	const struct check_options options = { .max_violations = 3 };
	trial_init(&t, "{'properties':{'a':{'items':{'type':'null'}}}}",
	    "{'a':[1,2,3,4,5,6,7,8,9,10]}", &options);

	assert_int_equal(report_facts(t.report)->kept, 3);
	assert_int_equal(report_facts(t.report)->violations, 10);
	assert_int_equal(report_count_below(t.report, json_root(t.value_doc)), 10);
	assert_int_equal(report_count_below(t.report, json_get(json_root(t.value_doc), "a")), 10);
	trial_finish(&t);
}

static void
test_the_same_complaint_is_made_once(void **state)
{
	struct trial t;
	trial_init(&t,
	    "{'allOf':[{'$ref':'#/$defs/a'},{'$ref':'#/$defs/"
	    "a'}],'$defs':{'a':{'required':['x'],'maxProperties':0}}}",
	    "{'y':1}", NULL);

	assert_int_equal(report_facts(t.report)->violations, 2);
	trial_finish(&t);
}

static void
test_steps_are_counted(void **state)
{
	struct trial t;
	trial_init(
	    &t, USERS, "{'total':2,'users':[{'id':1,'name':'a'},{'id':2,'name':'b'}]}", NULL);

	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_VALID);
	assert_int_equal(report_facts(t.report)->kept, 0);
	assert_in_range(report_facts(t.report)->steps, 8, 30);
	trial_finish(&t);
}

/* ---- hostile ---- */

static void
test_a_budget_ends_undecided_or_certain(void **state)
{
	struct trial t;
	struct buf value = BUF_INIT;
	const struct check_options options = { .max_steps = 100 };

	buf_add_str(&value, "[0");
	for (int i = 1; i < 1000; i++)
		buf_addf(&value, ",%d", i);
	buf_add_str(&value, "]");
	trial_init(&t, "{'items':{'minimum':0,'maximum':2000}}", buf_text(&value), &options);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_UNDECIDED);
	assert_string_equal(report_facts(t.report)->unchecked[0], "too many steps");
	trial_finish(&t);
	/* violations found before the end stay */
	trial_init(&t, "{'items':{'minimum':1,'maximum':2000}}", buf_text(&value), &options);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_INVALID);
	assert_true(report_facts(t.report)->violations > 0);
	trial_finish(&t);
	buf_finish(&value);
}

static void
add_doubling(struct buf *out, const char *keyword, int times)
{
	buf_addf(out, "{'$ref':'#/$defs/n%d','$defs':{'n0':{'type':'string'}", times);
	for (int i = 1; i <= times; i++)
		buf_addf(out, ",'n%d':{'%s':[{'$ref':'#/$defs/n%d'},{'$ref':'#/$defs/n%d'}]}", i,
		    keyword, i - 1, i - 1);
	buf_add_str(out, "}}");
}

static void
test_doubled_alternatives_take_no_time(void **state)
{
	static const char *const KEYWORDS[] = { "anyOf", "oneOf", "allOf" };

	for (size_t i = 0; i < 3; i++) {
		struct buf schema = BUF_INIT;
		struct trial t;
		add_doubling(&schema, KEYWORDS[i], 40);
		trial_init(&t, buf_text(&schema), "3", NULL);
		assert_int_equal(report_facts(t.report)->outcome, SCHEMA_INVALID);
		assert_int_equal(report_facts(t.report)->violations, 1);
		assert_true(report_facts(t.report)->steps < 10000);
		trial_finish(&t);
		trial_init(&t, buf_text(&schema), "'x'", NULL);
		/* oneOf: both branches hold all the way up */
		assert_int_equal(
		    report_facts(t.report)->outcome, i == 1 ? SCHEMA_INVALID : SCHEMA_VALID);
		assert_true(report_facts(t.report)->steps < 10000);
		trial_finish(&t);
		buf_finish(&schema);
	}
}

static void
test_a_deep_tree_with_alternatives_takes_no_time(void **state)
{
	struct buf value = BUF_INIT;
	struct trial t;

	for (int i = 0; i < 300; i++)
		buf_add_str(&value, "{'a':");
	buf_add_str(&value, "{}");
	for (int i = 0; i < 300; i++)
		buf_add_str(&value, "}");
	trial_init(&t,
	    "{'$ref':'#/$defs/t','$defs':{'t':{'anyOf':["
	    "{'properties':{'a':{'$ref':'#/$defs/t'}},'required':['a','b']},"
	    "{'properties':{'a':{'$ref':'#/$defs/t'}},'required':['a','c']}]}}}",
	    buf_text(&value), NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_INVALID);
	assert_true(report_facts(t.report)->steps < 1000000);
	trial_finish(&t);
	buf_finish(&value);
}

static void
test_deep_values_and_schemas_are_survived(void **state)
{
	struct buf value = BUF_INIT, schema = BUF_INIT;
	struct trial t;

	for (int i = 0; i < 990; i++)
		buf_add_char(&value, '[');
	for (int i = 0; i < 990; i++)
		buf_add_char(&value, ']');
	trial_init(&t, "{'items':{'$ref':'#'},'type':'array'}", buf_text(&value), NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_VALID);
	trial_finish(&t);
	trial_init(&t, "{'anyOf':[{'items':{'$ref':'#'},'minItems':1}]}", buf_text(&value), NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_INVALID);
	trial_finish(&t);
	for (int i = 0; i < 490; i++)
		buf_add_str(&schema, "{'not':");
	buf_add_str(&schema, "true");
	for (int i = 0; i < 490; i++)
		buf_add_str(&schema, "}");
	trial_init(&t, buf_text(&schema), "1", NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_VALID);
	trial_finish(&t);
	buf_finish(&value);
	buf_finish(&schema);
}

static void
test_a_hundred_thousand_properties(void **state)
{
	struct buf schema = BUF_INIT, value = BUF_INIT;
	struct trial t;

	buf_add_str(&schema, "{'properties':{'p':true");
	buf_add_str(&value, "{'p':1");
	for (int i = 0; i < 100000; i++) {
		buf_addf(&schema, ",'p%d':{'type':'integer'}", i);
		buf_addf(&value, ",'p%d':%s", i, i == 77777 ? "null" : "1");
	}
	buf_add_str(&schema, "},'required':['p','p5','q']}");
	buf_add_str(&value, "}");
	trial_init(&t, buf_text(&schema), buf_text(&value), NULL);
	assert_int_equal(report_facts(t.report)->violations, 2);
	assert_int_not_equal(
	    report_find(t.report, json_get(json_root(t.value_doc), "p77777")), REPORT_NONE);
	trial_finish(&t);
	buf_finish(&schema);
	buf_finish(&value);
}

/* Violations must know their location: thousands of searches through schema and value would be
 * slow. Here both are freed before the locations are read. */
static void
test_locations_are_known_without_looking(void **state)
{
	static const struct {
		const char *value, *schema, *keywords, *absolute;
	} PLACES[] = {
		{ "/b", "/properties/b/allOf/1/type", "/properties/b/allOf/1/type",
		    "urn:s#/properties/b/allOf/1/type" },
		{ "/c/1", "/$defs/c~1d/type", "/properties/c/items/$ref/type", "urn:c#/type" },
		{ "/d", "/odd/1/2/type", "/properties/d/$ref/type", "urn:s#/odd/1/2/type" },
		{ "/e/f", "/properties/e/additionalProperties",
		    "/properties/e/additionalProperties",
		    "urn:s#/properties/e/additionalProperties" },
	};
	struct buf text = BUF_INIT;
	struct trial t;

	trial_init(&t,
	    "{'$id':'urn:s','properties':{'b':{'allOf':[true,{'type':'null'}]},"
	    "'c':{'items':{'$ref':'#/$defs/c~1d'}},'d':{'$ref':'#/odd/1/2'},"
	    "'e':{'additionalProperties':false}},"
	    "'$defs':{'c/d':{'$id':'urn:c','type':'null'}},'odd':[0,[1,2,{'type':'null'}]]}",
	    "{'a':0,'b':1,'c':[null,2],'d':3,'e':{'f':4}}",
	    &(struct check_options){ .mode = CHECK_COLLECTING });
	assert_int_equal(report_facts(t.report)->kept, 4);
	((cJSON *)(uintptr_t)json_root(t.schema_doc))->child = NULL;
	((cJSON *)(uintptr_t)json_root(t.value_doc))->child = NULL;
	for (size_t i = 0; i < 4; i++) {
		buf_clear(&text);
		report_instance_path(t.report, i, &text);
		buf_add_char(&text, ' ');
		report_schema_path(t.report, i, &text);
		buf_add_char(&text, ' ');
		report_keyword_path(t.report, i, &text);
		buf_add_char(&text, ' ');
		assert_true(report_absolute_path(t.report, i, &text));
		char *expected = mem_printf("%s %s %s %s", PLACES[i].value, PLACES[i].schema,
		    PLACES[i].keywords, PLACES[i].absolute);
		assert_string_equal(buf_text(&text), expected);
		free(expected);
	}
	buf_finish(&text);
	trial_finish(&t);
}

static void
test_definitions_that_refer_to_each_other(void **state)
{
	enum { COUNT = 20000 };
	struct buf schema = BUF_INIT;
	struct trial t;

	buf_add_str(&schema, "{'$ref':'#/$defs/d1','$defs':{'d0':{'type':'null'}");
	for (int i = 1; i < COUNT; i++)
		buf_addf(&schema, ",'d%d':{'items':{'$ref':'#/$defs/d%d'}}", i, (i + 7919) % COUNT);
	buf_add_str(&schema, "}}");
	trial_init(&t, buf_text(&schema), "[[[[]]]]", NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_VALID);
	trial_finish(&t);
	buf_finish(&schema);
}

static void
test_numbers_of_any_size_are_decided(void **state)
{
	char schema[600], value[300];
	struct trial t;

	memset(value, '9', 200);
	value[200] = '\0';
	memcpy(schema, "{'maximum':", 11);
	memcpy(schema + 11, value, 200);
	schema[210] = '8';
	snprintf(schema + 211, sizeof(schema) - 211, "%s", ",'multipleOf':1e-200}");
	trial_init(&t, schema, value, NULL);
	assert_int_equal(report_facts(t.report)->violations, 1);
	assert_string_equal(report_at(t.report, 0)->keyword, "maximum");
	trial_finish(&t);
	trial_init(&t, "{'minimum':1e1000000,'multipleOf':7}", "1e999999", NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_INVALID);
	trial_finish(&t);
	trial_init(&t, "{'type':'integer','maximum':1e1000001}", "1e1000000", NULL);
	assert_int_equal(report_facts(t.report)->outcome, SCHEMA_VALID);
	trial_finish(&t);
}

static void
test_duplicate_keys_are_each_checked(void **state)
{
	struct trial t;
	trial_init(&t, "{'properties':{'a':{'type':'null'}},'required':['a','b']}",
	    "{'a':1,'a':2,'a':null}", NULL);

	assert_int_equal(report_facts(t.report)->violations, 3);
	trial_finish(&t);
}

static void
test_a_list_of_schemas_may_be_there_twice(void **state)
{
	struct trial t;
	trial_init(&t,
	    "{'prefixItems':[true,{'type':'null'}],'prefixItems':[{'type':'string'},true]}",
	    "[1,2,3,4]", NULL);

	assert_int_equal(report_facts(t.report)->violations, 1);
	assert_string_equal(report_at(t.report, 0)->keyword, "type");
	trial_finish(&t);
}

/* Members declared by a failed alternative count as declared; members that no alternative declares
 * do not. */
static void
test_unevaluated_says_nothing_of_what_alternatives_declare(void **state)
{
	static const char KINDS[] =
	    "{'oneOf':[{'properties':{'k':{'const':'a'},'x':{'type':'integer'}},'required':['k']},"
	    "{'properties':{'k':{'const':'b'},'y':{'type':'integer'}},'required':['k']}],"
	    "'unevaluatedProperties':false}";
	static const struct {
		const char *schema, *value, *keywords;
	} CASES[] = {
		{ KINDS, "{'k':'a','x':'1','q':2}",
		    "/oneOf/0/properties/x/type\n/unevaluatedProperties\n" },
		{ KINDS, "{'k':'c','y':1,'q':2}", "/oneOf\n/unevaluatedProperties\n" },
		{ "{'anyOf':[{'prefixItems':[{'type':'null'}]},{'prefixItems':[{'type':'string'},"
		  "true]}],'unevaluatedItems':false}",
		    "[1,2,3]", "/anyOf\n/unevaluatedItems\n" },
		{ "{'allOf':[{'anyOf':[{'properties':{'a':{'type':'null'}}},{'properties':"
		  "{'b':true,'a':false}}]}],'unevaluatedProperties':false}",
		    "{'a':1,'b':2}", "/allOf/0/anyOf\n" },
		{ "{'$ref':'#/$defs/d','unevaluatedProperties':false,"
		  "'$defs':{'d':{'properties':{'a':{'type':'null'}},'minProperties':2}}}",
		    "{'a':null}", "/$ref/minProperties\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
		struct buf text = BUF_INIT;
		struct trial t;
		trial_init(&t, CASES[i].schema, CASES[i].value, NULL);
		for (size_t v = 0; v < report_facts(t.report)->kept; v++) {
			report_keyword_path(t.report, v, &text);
			buf_add_char(&text, '\n');
		}
		assert_string_equal(buf_text(&text), CASES[i].keywords);
		buf_finish(&text);
		trial_finish(&t);
	}
}

/* A pointer into a place where no keyword expects a schema may lead to another such schema. */
static void
test_keyword_paths_pass_through_what_was_no_schema(void **state)
{
	struct buf path = BUF_INIT;
	struct trial t;

	trial_init(&t,
	    "{'properties':{'p':{'$ref':'#/odd/a/properties/b'},'q':{'$ref':'#/odd/a'}},"
	    "'odd':{'a':{'properties':{'b':{'type':'null'}}}}}",
	    "{'q':{'b':1}}", NULL);
	report_keyword_path(t.report, 0, &path);
	assert_string_equal(buf_text(&path), "/properties/q/$ref/properties/b/type");
	buf_finish(&path);
	trial_finish(&t);
}

TEST_FILE(schema_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_list_of_schemas_may_be_there_twice),
		cmocka_unit_test(test_unevaluated_says_nothing_of_what_alternatives_declare),
		cmocka_unit_test(test_keyword_paths_pass_through_what_was_no_schema),
		cmocka_unit_test(test_violations_are_found_by_node),
		cmocka_unit_test(test_missing_properties_are_found_by_name),
		cmocka_unit_test(test_counts_add_up_on_the_way_to_the_root),
		cmocka_unit_test(test_violations_stand_in_document_order),
		cmocka_unit_test(test_what_is_not_kept_is_counted),
		cmocka_unit_test(test_the_same_complaint_is_made_once),
		cmocka_unit_test(test_steps_are_counted),
		cmocka_unit_test(test_a_budget_ends_undecided_or_certain),
		cmocka_unit_test(test_doubled_alternatives_take_no_time),
		cmocka_unit_test(test_a_deep_tree_with_alternatives_takes_no_time),
		cmocka_unit_test(test_deep_values_and_schemas_are_survived),
		cmocka_unit_test(test_a_hundred_thousand_properties),
		cmocka_unit_test(test_locations_are_known_without_looking),
		cmocka_unit_test(test_definitions_that_refer_to_each_other),
		cmocka_unit_test(test_numbers_of_any_size_are_decided),
		cmocka_unit_test(test_duplicate_keys_are_each_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
