/* SPDX-License-Identifier: MIT */
#include "any_form.h"
#include "test.h"

#include <string.h>

static const char people[] =
    "{\"type\":\"object\",\"required\":[\"name\",\"age\"],\"additionalProperties\":false,"
    "\"properties\":{"
    "\"name\":{\"type\":\"string\",\"minLength\":2},\"age\":{\"type\":\"integer\",\"maximum\":120},"
    "\"mail\":{\"type\":\"string\",\"format\":\"email\"},\"free\":{},"
    "\"home\":{\"type\":\"object\",\"required\":[\"zip\"],\"properties\":{\"zip\":{\"type\":"
    "\"string\"}}},"
    "\"tags\":{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":\"integer\",\"minimum\":0}}}}";

static void
test_required(void **state)
{
	struct form *form = new_form(people);
	assert_int_equal(form_check_given(form), 0);
	assert_int_equal(form_check(form), 2);
	assert_int_equal(form_check_given(form), 2); /* said once, it stays */
	assert_problem(form, "name", "required");
	assert_problem(form, "age", "required");
	assert_ptr_equal(field_first_problem(form_view(form).root), field_of(form, "name"));
	field_set_text(field_of(form, "name"), "Al", 2);
	assert_null(field_view(field_of(form, "name")).problem); /* an edit takes the mark away */
	assert_int_equal(form_view(form).problems, 1);
	field_set_text(field_of(form, "age"), "30", 2);
	assert_int_equal(form_check(form), 0);
	assert_null(field_first_problem(form_view(form).root));
	field_set_state(field_of(form, "home"), FIELD_SET);
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "home.zip", "required");
	assert_int_equal(field_view(field_of(form, "home")).problems_below, 1);
	assert_int_equal(field_view(form_view(form).root).problems_below, 1);
	field_set_state(field_of(form, "home"), FIELD_OMITTED);
	assert_int_equal(form_check(form), 0);
	assert_int_equal(field_view(field_of(form, "home")).problems_below, 0);
	form_destroy(form);
}

static void
test_violations_find_their_field(void **state)
{
	struct form *form = new_form(people);
	fill_form(form,
	    "{\"name\":\"A\",\"age\":\"old\",\"mail\":\"none\",\"tags\":[1,-1,5],\"what\":1,"
	    "\"home\":{\"zip\":5}}");
	assert_int_equal(form_check(form), 7);
	assert_problem(form, "name", "expected");
	assert_problem(form, "age", "integer");
	assert_problem(form, "mail", "e-mail address");
	assert_problem(form, "tags", "2");
	assert_problem(form, "tags.1", "0");
	assert_null(field_view(field_of(form, "tags.0")).problem);
	assert_problem(form, "home.zip", "5, expected a string");
	assert_problem(form, "what", "");
	fill_form(form, "{\"name\":\"Al\",\"age\":1}");
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
}

static void
test_text_that_is_not_a_value(void **state)
{
	struct form *form = new_form(people);
	fill_form(form, "{\"name\":\"Al\",\"age\":1}");
	field_set_text(field_of(form, "age"), "1x", 2);
	field_set_text(field_of(form, "free"), "{\n", 2);
	field_add_item(field_of(form, "tags"), 0);
	assert_int_equal(form_check(form), 3);
	assert_problem(form, "age", "not a number");
	assert_problem(form, "free", "not JSON, line ");
	assert_problem(form, "tags.0", "no value");
	form_load_raw(form, "{]", 2);
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "", "not JSON, line 1 column 2");
	form_load_raw(form, "[1]", 3);
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "", "object");
	form_destroy(form);
}

static void
test_inside_a_json_field(void **state)
{
	struct form *form = new_form("{\"properties\":{\"m\":{\"type\":\"array\",\"title\":"
				     "\"m\",\"unevaluatedItems\":{\"type\":\"integer\"}}}}");
	fill_form(form, "{\"m\":[1,{}]}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "m", "at /1: ");
	form_destroy(form);
}

static void
test_schema_that_cannot_be_used(void **state)
{
	struct form *form = new_form("{\"minProperties\":-1,\"required\":[\"a\"],"
				     "\"properties\":{\"a\":{\"type\":\"integer\"}}}");
	assert_int_equal(form_check(form), 1); /* what needs no schema is still said */
	assert_string_not_equal(form_view(form).schema_problem, "");
	form_destroy(form);
	form = form_create(NULL, NULL, FORM_DEFAULTS_SHOWN);
	assert_int_equal(form_check(form), 0);
	assert_string_equal(form_view(form).schema_problem, "");
	form_destroy(form);
}

TEST_FILE(form_check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_required),
		cmocka_unit_test(test_violations_find_their_field),
		cmocka_unit_test(test_text_that_is_not_a_value),
		cmocka_unit_test(test_inside_a_json_field),
		cmocka_unit_test(test_schema_that_cannot_be_used),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
