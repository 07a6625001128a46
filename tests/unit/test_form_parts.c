/* SPDX-License-Identifier: MIT */
/* Arrays with one schema per item, objects with user-defined names, and parts that stay empty.
 * Schemas and values are written with ' for ". */
#include "any_form.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

static const char schema[] =
    "{'$schema':'http://json-schema.org/draft-07/schema#','properties':{"
    "'old':{'type':'array','items':[{'type':'string'},{'type':'integer','minimum':0}],"
    "'additionalItems':{'type':'boolean'}},"
    "'short':{'type':'array','items':[{'type':'number','title':'x'},{}]},"
    "'closed':{'type':'array','items':[{'type':'string','default':'a'}],"
    "'additionalItems':false}}}";

static const char tuples[] =
    "{'properties':{'pos':{'type':'array','prefixItems':[{'type':'number','minimum':-90},"
    "{'type':'number'}],'minItems':2,'maxItems':2},"
    "'row':{'type':'array','prefixItems':[{'type':'string'}],'items':{'type':'integer'}},"
    "'pick':{'anyOf':[{'type':'string'},{'type':'array','prefixItems':[{'type':'integer'}]}]}},"
    "'required':['pos']}";

static void
test_tuples(void **state)
{
	struct form *form = new_form(tuples);
	struct field *pos = field_of(form, "pos"), *row = field_of(form, "row");

	assert_facts(form, "pos", "array [number, number], required");
	assert_facts(form, "pos.0", "number ≥ -90");
	assert_int_equal(field_view(pos).child_count, 2); /* required: there are fields for it */
	assert_true(field_view(pos).complete);
	assert_true(field_view(field_of(form, "pos.0")).fixed);
	assert_int_equal(form_check(form), 2);
	assert_problem(form, "pos.0", "no value yet");
	set_field(form, "pos.0", "-91");
	set_field(form, "pos.1", "1.50");
	assert_form_json(form, "{'pos':[-91,1.50]}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "pos.0", "at least -90");
	assert_false(field_move(field_of(form, "pos.0"), 1));
	assert_false(field_remove(field_of(form, "pos.0")));
	assert_true(field_remove(field_of(form, "pos.1"))); /* too few can still be sent */
	assert_false(field_view(pos).complete);
	assert_form_json(form, "{'pos':[-91]}");
	assert_kind(form, "pos.0", FIELD_NUMBER);

	field_set_state(row, FIELD_SET);
	assert_kind(form, "row.0", FIELD_STRING);
	assert_non_null(field_add_item(row, 0)); /* at the end: the first is a string */
	assert_non_null(field_add_item(row, 1));
	assert_kind(form, "row.1", FIELD_INTEGER);
	set_field(form, "row.1", "1");
	set_field(form, "row.2", "2");
	assert_false(field_move(field_of(form, "row.1"), -1));
	assert_true(field_move(field_of(form, "row.1"), 1));
	set_field(form, "row.0", "s");
	assert_form_json(form, "{'pos':[-91],'row':['s',2,1]}");
	assert_true(field_remove(field_of(form, "row.1")));
	assert_false(field_view(row).complete);
	assert_int_equal(field_view(field_of(form, "pick")).variant_count, 2);
	form_destroy(form);
}

static void
test_older_tuples(void **state)
{
	struct form *form = new_form(schema);

	assert_facts(form, "old", "array [string, integer]");
	fill_form(form, "{'old':['a',1,true,false],'short':[1,2,{'more':3}],'closed':['b','c']}");
	assert_form_json(
	    form, "{'old':['a',1,true,false],'short':[1,2,{'more':3}],'closed':['b','c']}");
	assert_kind(form, "old.1", FIELD_INTEGER);
	assert_kind(form, "old.3", FIELD_BOOLEAN);
	assert_kind(form, "short.2", FIELD_JSON); /* not declared, and not lost */
	assert_true(field_view(field_of(form, "short")).complete);
	assert_int_equal(form_check(form), 1);
	field_reset(form_view(form).root);
	field_set_state(field_of(form, "closed"), FIELD_SET);
	field_set_state(field_of(form, "old"), FIELD_SET);
	assert_form_json(form, "{'old':[null,null],'closed':['a']}");
	assert_int_equal(form_check(form), 2);
	form_destroy(form);
}

static void
test_too_long_a_tuple(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "{'properties':{'t':{'type':'array','prefixItems':[{}");
	for (int i = 0; i < 64; i++)
		buf_add_str(&text, ",{}");
	buf_add_str(&text, "]}}}");
	struct form *form = new_form(buf_text(&text));
	assert_kind(form, "t", FIELD_JSON);
	form_destroy(form);
	buf_finish(&text);
}

/* ---- maps ---- */

static const char maps[] =
    "{'properties':{'free':{'type':'object'},'any':{'type':'object','additionalProperties':{}},"
    "'open':{'type':'object','properties':{'a':{'type':'string'}},'additionalProperties':true},"
    "'plain':{'type':'object','properties':{'a':{'type':'string'}}},"
    "'closed':{'type':'object','additionalProperties':false},"
    "'sizes':{'type':'object','propertyNames':{'$ref':'#/$defs/size'},"
    "'additionalProperties':{'type':'integer'}}},"
    "'$defs':{'size':{'enum':['S','M',7,'L']}}}";

static void
test_maps(void **state)
{
	static const struct {
		const char *path;
		bool map;
	} cases[] = { { "free", true }, { "any", true }, { "open", true }, { "plain", false },
		{ "closed", false }, { "sizes", true } };
	struct form *form = new_form(maps);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_kind(form, cases[i].path, FIELD_OBJECT);
		if (field_view(field_of(form, cases[i].path)).map != cases[i].map)
			fail_msg("%s", cases[i].path);
	}
	assert_false(field_view(form_view(form).root).map); /* arguments without properties */
	assert_facts(form, "free", "object with names of your own");
	struct field *entry = field_add_entry(field_of(form, "free"), "k", NULL);
	assert_non_null(entry);
	field_set_inferred(entry, "0.10", 4, false);
	assert_string_equal(field_sent_type(entry), "number");
	entry = field_add_entry(field_of(form, "open"), "b", NULL);
	field_set_inferred(entry, "word", 4, false);
	assert_form_json(form, "{'free':{'k':0.10},'open':{'b':'word'}}");
	fill_form(form, "{'free':{'a':{'b':[1]},'c':null},'plain':{'z':1}}");
	assert_form_json(form, "{'free':{'a':{'b':[1]},'c':null},'plain':{'z':1}}");
	assert_true(field_view(field_of(form, "free.a")).entry);
	assert_true(field_view(field_of(form, "plain.z")).extra);
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
}

static void
test_names_to_choose(void **state)
{
	struct form *form = new_form(maps);
	struct field *sizes = field_of(form, "sizes");
	const char *names[4];

	assert_int_equal(field_free_names(sizes, names, 4), 3);
	assert_string_equal(names[0], "S");
	assert_string_equal(names[2], "L");
	assert_int_equal(field_free_names(sizes, names, 1), 1);
	field_add_entry(sizes, "S", NULL);
	assert_int_equal(field_free_names(sizes, names, 4), 2);
	assert_string_equal(names[0], "M");
	assert_int_equal(field_free_names(field_of(form, "free"), names, 4), 0);
	form_destroy(form);
}

TEST_FILE(form_parts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tuples),
		cmocka_unit_test(test_older_tuples),
		cmocka_unit_test(test_too_long_a_tuple),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_names_to_choose),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
