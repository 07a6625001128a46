/* SPDX-License-Identifier: MIT */
/* Fields that depend on values: if, then, else, dependentSchemas, dependentRequired; rules of anyOf
 * and oneOf. Schemas and values are written with ' for ". */
#include "any_form.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

static const char payment[] =
    "{'properties':{'kind':{'enum':['card','cash']},'note':{'type':'string'},"
    "'when':{'type':'string'},'gift':{'type':'boolean'}},'required':['kind'],"
    "'allOf':[{'if':{'properties':{'kind':{'const':'card'}},'required':['kind']},"
    "'then':{'properties':{'number':{'type':'string'},'note':{'maxLength':3},"
    "'type':{'const':'visa'}},'required':['number','type']},"
    "'else':{'properties':{'change':{'type':'integer','default':5}},'required':['change']}},"
    "{'if':{'required':['number']},'then':{'properties':{'cvc':{'type':'integer'}}}}],"
    "'dependentRequired':{'note':['when']},"
    "'dependentSchemas':{'gift':{'properties':{'to':{'type':'object','properties':"
    "{'name':{'type':'string'}},'required':['name']}},'required':['to']}}}";

static bool
has_row(const struct form *form, const char *name)
{
	for (size_t i = 0; i < form_row_count(form); i++) {
		const struct field_view v = form_row_at(form, i).view;
		if (v.name && strcmp(v.name, name) == 0)
			return true;
	}
	return false;
}

static void
assert_rows(const struct form *form, const char *expected)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < form_row_count(form); i++) {
		const struct field_view v = form_row_at(form, i).view;
		buf_addf(&out, "%s%s%s", i > 0 ? " " : "", v.name, v.required ? "*" : "");
	}
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_then_and_else(void **state)
{
	struct form *form = new_form(payment);

	form_adapt(form);
	assert_rows(form, "kind* note when gift change*");
	assert_form_json(form, "{'change':5}"); /* a default of what became required */
	assert_false(form_adapt(form));
	set_field(form, "kind", "card");
	form_adapt(form);
	assert_rows(form, "kind* note when gift number* type*");
	assert_form_json(form, "{'kind':'card','type':'visa'}");
	set_field(form, "number", "'1'"); /* a condition that looks at another one's member */
	form_adapt(form);
	assert_true(has_row(form, "cvc"));
	set_field(form, "cvc", "7");
	set_field(form, "note", "'long'");
	assert_int_equal(form_check(form), 2); /* the then makes it shorter, and asks for when */
	assert_problem(form, "note", "at most 3");
	assert_problem(form, "when", "required");
	set_field(form, "kind", "cash");
	form_adapt(form);
	assert_form_json(form, "{'kind':'cash','note':'long','change':5}");
	assert_int_equal(form_check(form), 1);
	set_field(form, "kind", "card"); /* the typed text returns */
	form_adapt(form);
	assert_form_json(form, "{'kind':'card','note':'long','number':'1','type':'visa','cvc':7}");
	form_destroy(form);
}

static void
test_dependents(void **state)
{
	struct form *form = new_form(payment);

	set_field(form, "kind", "cash");
	set_field(form, "note", "''");
	set_field(form, "gift", "false");
	form_adapt(form);
	assert_rows(form, "kind* note when* gift to* name* change*");
	set_field(form, "to.name", "'Ada'");
	field_set_state(field_of(form, "gift"), FIELD_OMITTED);
	field_set_state(field_of(form, "note"), FIELD_OMITTED);
	form_adapt(form);
	assert_rows(form, "kind* note when gift change*");
	assert_form_json(form, "{'kind':'cash','change':5}");
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
}

/* An explicit value is sent regardless of the conditions, with the type it would have. */
static void
test_given(void **state)
{
	struct form *form = new_form(payment);
	struct err err = { "" };

	assert_true(form_load_json(form, "{}", 2, NULL));
	assert_true(form_set_typed(form, "cvc", "7", &err));
	assert_true(form_set_typed(form, "number", "7", &err));
	assert_form_json(form, "{'number':'7','cvc':7}");
	form_destroy(form);
	form = new_form(payment);
	fill_form(form, "{'kind':'cash','number':'1','to':{'name':'x'}}");
	form_adapt(form);
	assert_form_json(form, "{'kind':'cash','to':{'name':'x'},'number':'1','change':5}");
	assert_true(field_view(field_of(form, "number")).extra);
	set_field(form, "kind", "card");
	form_adapt(form);
	assert_false(field_view(field_of(form, "number")).extra);
	form_destroy(form);
}

static void
test_undo(void **state)
{
	struct form *form = new_form(payment);

	form_adapt(form);
	form_note_step(form);
	set_field(form, "kind", "card");
	form_adapt(form);
	form_note_step(form);
	set_field(form, "number", "'1'");
	form_adapt(form);
	form_note_step(form);
	assert_true(has_row(form, "cvc"));
	assert_true(form_undo(form, false));
	form_adapt(form);
	assert_false(has_row(form, "cvc"));
	assert_true(form_undo(form, false));
	form_adapt(form);
	assert_rows(form, "kind* note when gift change*");
	assert_true(form_undo(form, true));
	assert_true(form_undo(form, true));
	form_adapt(form);
	assert_form_json(form, "{'kind':'card','number':'1','type':'visa'}");
	field_reset(form_view(form).root);
	form_adapt(form);
	assert_rows(form, "kind* note when gift change*");
	form_destroy(form);
}

/* Inside items, variants and definitions, and in draft-07. */
static void
test_inside(void **state)
{
	struct form *form =
	    new_form("{'$schema':'http://json-schema.org/draft-07/schema#','properties':{"
		     "'list':{'type':'array','items':{'$ref':'#/definitions/one'}},"
		     "'pick':{'oneOf':[{'type':'string'},{'$ref':'#/definitions/one'}]}},"
		     "'definitions':{'one':{'type':'object','properties':{'a':{'type':'integer'},"
		     "'b':{'type':'integer'}},'dependencies':{'a':['b'],'b':{'properties':"
		     "{'c':{'type':'integer'}}}}}}}");

	fill_form(form, "{'list':[{'a':1},{'b':1},{}],'pick':{'a':1,'b':2}}");
	form_adapt(form);
	assert_true(field_view(field_of(form, "list.0.b")).required);
	assert_false(field_view(field_of(form, "list.1.b")).required);
	assert_true(field_view(field_of(form, "pick.b")).required);
	assert_rows(form, "list (null) a b* (null) a b c (null) a b list pick a b* c");
	set_field(form, "pick", "'word'");
	form_adapt(form);
	assert_form_json(form, "{'list':[{'a':1},{'b':1},{}],'pick':'word'}");
	form_destroy(form);
}

static void
test_odd_conditions(void **state)
{
	static const char *const schemas[] = {
		"{'if':true,'then':{'if':true,'then':{'properties':{'a':{}}}}}",
		"{'properties':{'b':{}},'if':true,'then':{'properties':['a']}}",
		"{'if':5,'then':5,'else':[],'dependentSchemas':3,'dependencies':{'a':7}}",
		"{'properties':{'a':{}},'if':{'required':['a']},'then':{'properties':{'a':false}}}",
		"{'if':{'required':['x']},'then':{},'else':{'required':['x']}}",
		"{'if':{'required':['x']},'else':{'properties':{'x':{}},'required':['x']}}",
		"{'$ref':'#/$defs/d','$defs':{'d':{'if':{},'then':{'$ref':'#/$defs/d'}}}}",
	};

	for (size_t i = 0; i < ARRAY_LEN(schemas); i++) {
		struct form *form = new_form(schemas[i]);
		for (int round = 0; round < 3; round++) {
			form_adapt(form);
			form_check(form);
			form_row_count(form);
			fill_form(form, "{'a':1,'x':{}}");
		}
		field_reset(form_view(form).root);
		form_check(form);
		form_destroy(form);
	}
}

static void
assert_rules(const struct form *form, bool unmet, const char *expected)
{
	struct buf out = BUF_INIT;

	field_rules(form_view(form).root, unmet, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_rules(void **state)
{
	struct form *form = new_form("{'properties':{'a':{'type':'string'},'b':{'type':'string'},"
				     "'c':{'type':'string'}},'anyOf':[{'required':['a']},"
				     "{'required':['b','c']}],'oneOf':[{'required':['a']},"
				     "{'required':['c'],'title':'C'}]}");
	static const char both[] =
	    "one of a or b and c is required; exactly one of a or c is required";

	assert_rules(form, false, both);
	assert_int_equal(form_check(form), 1);
	assert_string_equal(field_view(form_view(form).root).problem, both);
	set_field(form, "a", "''");
	assert_rules(form, false, both);
	assert_rules(form, true, "");
	assert_int_equal(form_check(form), 0);
	set_field(form, "c", "''");
	assert_rules(form, true, "exactly one of a or c is required");
	form_destroy(form);
	form = new_form("{'anyOf':[{'required':['a']},{'properties':{'b':{}}}]}");
	assert_rules(form, false, "");
	form_destroy(form);
	form = new_form("{'anyOf':[['required'],['a']]}"); /* not schemas */
	assert_rules(form, false, "");
	form_destroy(form);
}

TEST_FILE(form_conditions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_then_and_else),
		cmocka_unit_test(test_dependents),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_odd_conditions),
		cmocka_unit_test(test_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
