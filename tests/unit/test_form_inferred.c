/* SPDX-License-Identifier: MIT */
/* Values whose type follows from the typed text: unions of scalar types, and schemas without a
 * type. Schemas and values are written with ' for ". */
#include "any_form.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const char unions[] =
    "{'properties':{'u':{'type':['string','integer','boolean','null']},"
    "'n':{'anyOf':[{'type':'number'},{'type':'integer'}]},"
    "'s':{'anyOf':[{'type':'string','maxLength':3},{'type':'integer','minimum':1}]},"
    "'d':{'type':['number','string'],'default':'5'},"
    "'b':{'type':['boolean','number']},"
    "'list':{'type':'array','items':{'type':['string','number','boolean','null']}},"
    "'two':{'anyOf':[{'type':'string','format':'date'},{'type':'string','format':'time'}]},"
    "'e':{'anyOf':[{'enum':['a','b']},{'type':'string'}]},"
    "'nullable':{'type':['string','null']},'any':{},'yes':true,'object':{'type':'object'}}}";

static void
type_in(const struct form *form, const char *path, const char *text)
{
	field_set_inferred(field_of(form, path), text, strlen(text), false);
}

static void
assert_type(const struct form *form, const char *path, const char *type)
{
	const char *sent = field_sent_type(field_of(form, path));

	if (!type)
		assert_null(sent);
	else
		assert_string_equal(sent ? sent : "none", type);
}

static void
test_which(void **state)
{
	static const struct {
		const char *path;
		bool inferred;
	} cases[] = { { "u", true }, { "n", true }, { "s", true }, { "list", false },
		{ "two", false }, { "e", false }, { "nullable", false }, { "any", true },
		{ "yes", true }, { "object", false } };
	struct form *form = new_form(unions);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (field_view(field_of(form, cases[i].path)).inferred != cases[i].inferred)
			fail_msg("%s", cases[i].path);
	assert_false(field_view(form_view(form).root).inferred);
	form_destroy(form);
}

static void
test_types(void **state)
{
	static const struct {
		const char *path, *text, *type, *sent;
	} cases[] = {
		{ "u", "5", "integer", "5" },
		{ "u", "5.0", "integer", "5.0" },
		{ "u", "5.5", "string", "'5.5'" },
		{ "u", "true", "boolean", "true" },
		{ "u", "True", "string", "'True'" },
		{ "u", "", "string", "''" },
		{ "u", "'x'", "string", "'\\'x\\''" },
		{ "u", "{}", "string", "'{}'" },
		{ "u", "1e400", "integer", "1e400" },
		{ "n", "1.50", "number", "1.50" },
		{ "n", "12345678901234567890", "integer", "12345678901234567890" },
		{ "b", "1", "number", "1" },
		{ "b", "false", "boolean", "false" },
		{ "any", "hello", "string", "'hello'" },
		{ "any", "5", "number", "5" },
		{ "any", "null", "null", "null" },
		{ "any", "[1,2]", "array", "[1,2]" },
		{ "yes", "{'a':1}", "object", "{'a':1}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct form *form = new_form(unions);
		char expected[80], text[40];
		snprintf(text, sizeof(text), "%s", cases[i].text);
		for (char *c = text; *c; c++)
			*c = *c == '\'' ? '"' : *c;
		type_in(form, cases[i].path, text);
		assert_type(form, cases[i].path, cases[i].type);
		snprintf(expected, sizeof(expected), "{'%s':%s}", cases[i].path, cases[i].sent);
		assert_form_json(form, expected);
		assert_int_equal(form_check_given(form), 0);
		form_destroy(form);
	}
}

static void
test_null_and_nothing(void **state)
{
	struct form *form = new_form(unions);

	assert_type(form, "u", NULL);
	type_in(form, "u", "null");
	assert_type(form, "u", NULL);
	assert_form_json(form, "{'u':null}");
	type_in(form, "u", "nul");
	assert_form_json(form, "{'u':'nul'}");
	type_in(form, "n", "");
	assert_form_json(form, "{'u':'nul'}");
	type_in(form, "n", "x"); /* no string is allowed: it is said */
	assert_int_equal(form_check_given(form), 1);
	assert_problem(form, "n", "not a number");
	form_destroy(form);
}

static void
test_switching(void **state)
{
	struct form *form = new_form(unions);

	assert_false(field_switch_type(field_of(form, "u"))); /* no value */
	type_in(form, "u", "true");
	assert_true(field_switch_type(field_of(form, "u")));
	assert_form_json(form, "{'u':'true'}");
	assert_true(field_is_plain_string(field_of(form, "u")));
	assert_true(field_switch_type(field_of(form, "u")));
	assert_form_json(form, "{'u':true}");
	type_in(form, "n", "1");
	assert_false(field_switch_type(field_of(form, "n")));
	type_in(form, "any", "[1]");
	assert_true(field_switch_type(field_of(form, "any")));
	assert_true(field_switch_type(field_of(form, "any")));
	assert_form_json(form, "{'u':true,'n':1,'any':[1]}");
	type_in(form, "any", "word");
	assert_false(field_switch_type(field_of(form, "any")));
	assert_true(field_is_plain_string(field_of(form, "d"))); /* its default looks like 5 */
	form_destroy(form);
}

/* A loaded value keeps its type, whatever it looks like. */
static void
test_loaded(void **state)
{
	static const char value[] = "{'u':'5','list':['1',1,true,null,''],'any':'null','yes':null}";
	struct form *form = new_form(unions);
	struct buf text = BUF_INIT;

	fill_form(form, value);
	assert_form_json(form, value);
	assert_type(form, "u", "string");
	assert_type(form, "any", "string");
	assert_type(form, "list.1", "number");
	assert_true(field_is_plain_string(field_of(form, "list.0")));
	assert_false(field_is_plain_string(field_of(form, "list.4")));
	field_inferred_text(field_of(form, "list.2"), &text);
	assert_string_equal(buf_text(&text), "true");
	buf_finish(&text);
	assert_int_equal(form_row_count(form), 12 + 6); /* one row for an item, and one to add */
	form_destroy(form);
}

static void
test_problems(void **state)
{
	struct form *form = new_form(unions);
	struct buf facts = BUF_INIT;

	field_facts(field_of(form, "s"), &facts);
	assert_string_equal(buf_text(&facts), "string, at most 3 characters or integer ≥ 1");
	buf_finish(&facts);
	type_in(form, "s", "0");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "s", "at least 1");
	type_in(form, "s", "long");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "s", "at most 3 characters");
	type_in(form, "any", "{1"); /* meant as JSON */
	assert_int_equal(form_check(form), 2);
	assert_problem(form, "any", "not JSON");
	form_destroy(form);
}

TEST_FILE(form_inferred)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_null_and_nothing),
		cmocka_unit_test(test_switching),
		cmocka_unit_test(test_loaded),
		cmocka_unit_test(test_problems),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
