/* SPDX-License-Identifier: MIT */
/* oneOf, anyOf and lists of types in forms: the variants, the variant of a value, and what is kept
 * when the variant changes. Schemas and values are written with ' for ". */
#include "any_form.h"
#include "base/vec.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The names of all variants, the chosen one in brackets. */
static void
assert_variants(const struct form *form, const char *path, const char *expected)
{
	const struct field *field = field_of(form, path);
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < field_view(field).variant_count; i++)
		buf_addf(&out, i == field_view(field).variant ? "%s[%s]" : "%s%s",
		    i > 0 ? " | " : "", field_variant_name(field, i));
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static const char shapes[] =
    "{'type':'object','properties':{'shape':{'oneOf':[{'$ref':'#/$defs/Circle'},"
    "{'$ref':'#/$defs/Box'},{'type':'string','title':'By name'}]}},'$defs':{"
    "'Circle':{'type':'object','required':['kind','radius'],'properties':{"
    "'kind':{'const':'circle'},'radius':{'type':'number','exclusiveMinimum':0},"
    "'label':{'type':'string'},'size':{'type':'string'}}},"
    "'Box':{'type':'object','required':['kind','size'],'properties':{'kind':{'const':'box'},"
    "'size':{'type':'array','items':{'type':'integer'}},'label':{'type':'string'},"
    "'limit':{'type':'integer','default':3}}}}}";

/* ---- which there are ---- */

static void
test_names(void **state)
{
	struct form *form = new_form(
	    "{'properties':{'a':{'anyOf':[{'title':'One','type':'object'},{'type':'string'}]},"
	    "'b':{'oneOf':[{'properties':{'t':{'const':'x'},'v':{}}},"
	    "{'properties':{'t':{'enum':['y']}}}]},"
	    "'c':{'anyOf':[{'$ref':'#/$defs/Named'},{'type':'array','items':{'type':'string'}}]},"
	    "'d':{'type':['string','integer','null']},"
	    "'e':{'anyOf':[{'const':'auto'},{'type':'integer'},{'enum':[true,'b']}]},"
	    "'f':{'oneOf':[{'type':'string','format':'date'},{'type':'string','format':'time'}],"
	    "'type':'string'},"
	    "'g':{'anyOf':[{'type':'object','properties':{'x':{},'y':{}}},"
	    "{'type':'object','properties':{'x':{},'y':{}}}]},"
	    "'h':{'oneOf':[true,false,{'type':'boolean'}]},"
	    "'i':{'type':['array','object'],'items':{'type':'string'}},"
	    "'j':{'discriminator':{'propertyName':'p'},'anyOf':["
	    "{'properties':{'k':{'const':1},'p':{'const':'P'}}},{'properties':{'p':{'const':7}}}]}"
	    "},'$defs':{'Named':{'type':'object','properties':{'x':{}}}}}");
	assert_variants(form, "a", "[One] | string");
	assert_variants(form, "b", "[x] | y");
	assert_variants(form, "c", "[Named] | array");
	assert_variants(form, "d", "[string] | integer");
	assert_true(field_view(field_of(form, "d")).nullable);
	assert_variants(form, "e", "[auto] | integer | true, b");
	assert_variants(form, "f", ""); /* they only forbid */
	assert_kind(form, "f", FIELD_STRING);
	assert_variants(form, "g", "[object of x, y] | object of x, y (2)");
	assert_variants(form, "h", "[any JSON] | boolean");
	assert_variants(form, "i", "[array] | object");
	assert_variants(form, "j", "[P] | 7");
	form_destroy(form);
}

static void
test_what_is_no_variant(void **state)
{
	struct form *form = new_form(
	    "{'anyOf':[{'required':['a']},{'required':['b']}],'properties':{"
	    "'a':{'anyOf':[{'type':'string'},{'type':'null'}]},"
	    "'b':{'oneOf':[{'const':'r','title':'Red'},{'const':'g','title':'Green'}]},"
	    "'c':{'type':'integer','oneOf':[{'minimum':10},{'maximum':0}]},"
	    "'d':{'type':'array','items':{'anyOf':[{'const':1,'title':'I'},{'const':2}]}},"
	    "'e':{'type':['integer','number']},'f':{'oneOf':[{'type':'string'},false]},"
	    "'g':{'anyOf':[{'anyOf':[{'type':'string'},{'type':'null'}]},{'type':'null'}]},"
	    "'h':{'type':'object','properties':{'x':{},'y':{}},'oneOf':["
	    "{'required':['x']},{'required':['y']}]}}}");
	static const enum field_kind kinds[] = { FIELD_STRING, FIELD_ENUM, FIELD_INTEGER,
		FIELD_ARRAY, FIELD_NUMBER, FIELD_STRING, FIELD_STRING, FIELD_OBJECT };
	char name[2] = "a";

	assert_int_equal(field_view(form_view(form).root).variant_count, 0);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++, name[0]++) {
		assert_kind(form, name, kinds[i]);
		assert_variants(form, name, "");
	}
	assert_true(field_view(field_of(form, "g")).nullable);
	assert_int_equal(field_view(field_of(form, "d")).option_count, 2);
	form_destroy(form);
}

static void
test_nested_ones_are_laid_out_flat(void **state)
{
	struct form *form = new_form(
	    "{'properties':{'v':{'anyOf':[{'$ref':'#/$defs/Scalar'},{'$ref':'#/$defs/List'}]}},"
	    "'$defs':{'Scalar':{'anyOf':[{'type':'string'},{'type':['integer','boolean']},"
	    "{'oneOf':[{'const':'a'},{'const':'b'}]},{'type':'null'}]},"
	    "'List':{'type':'array','items':{'$ref':'#/$defs/Scalar'}}}}");

	assert_variants(form, "v", "[string] | integer | boolean | a, b | List");
	assert_true(field_view(field_of(form, "v")).nullable);
	fill_form(form, "{'v':[1,'x',[true]]}");
	assert_variants(form, "v", "string | integer | boolean | a, b | [List]");
	assert_variants(form, "v.0", "string | [integer] | boolean | a, b");
	assert_variants(form, "v.1", "[string] | integer | boolean | a, b");
	assert_kind(form, "v.2", FIELD_JSON); /* it is none of them */
	assert_form_json(form, "{'v':[1,'x',[true]]}");
	form_destroy(form);
}

/* ---- choosing ---- */

static void
test_choosing_keeps_what_fits(void **state)
{
	struct form *form = new_form(shapes);
	struct field *shape = field_of(form, "shape");

	assert_form_json(form, "{}");
	assert_variants(form, "shape", "[circle] | box | By name");
	field_set_variant(shape, 0);
	assert_form_json(form, "{'shape':{'kind':'circle'}}");
	assert_kind(form, "shape.kind", FIELD_CONST);
	set_field(form, "shape.radius", "1.50");
	set_field(form, "shape.label", "'L'");
	set_field(form, "shape.size", "'big'");
	set_field(form, "shape.more", "[1]");
	field_set_variant(shape, 1); /* size is a list there; the extra member stays */
	assert_form_json(form, "{'shape':{'kind':'box','size':[],'label':'L','more':[1]}}");
	set_field(form, "shape.limit", "9");
	field_set_variant(shape, 2);
	assert_form_json(form, "{'shape':''}");
	field_set_text(shape, "named", 5);
	field_set_variant(shape, 0); /* and is there again */
	assert_form_json(
	    form, "{'shape':{'kind':'circle','radius':1.50,'label':'L','size':'big','more':[1]}}");
	set_field(form, "shape.label", "'M'");
	field_set_variant(shape, 1);
	assert_form_json(
	    form, "{'shape':{'kind':'box','size':[],'label':'M','limit':9,'more':[1]}}");
	field_set_variant(shape, 2);
	assert_form_json(form, "{'shape':'named'}");
	field_set_state(shape, FIELD_OMITTED);
	assert_form_json(form, "{}");
	field_set_variant(shape, 2);
	assert_form_json(form, "{'shape':'named'}");
	field_set_variant(shape, 3); /* out of range */
	field_reset(shape);
	assert_variants(form, "shape", "[circle] | box | By name");
	assert_form_json(form, "{}");
	form_destroy(form);
}

static void
test_texts_and_numbers_go_over(void **state)
{
	struct form *form =
	    new_form("{'properties':{'v':{'type':['string','integer','boolean','null']}}}");
	struct field *v = field_of(form, "v");

	field_set_variant(v, 0);
	field_set_text(v, "12345678901234567890", 20);
	field_set_variant(v, 1);
	assert_form_json(form, "{'v':12345678901234567890}");
	field_set_text(v, "7", 1);
	field_set_variant(v, 2);
	assert_form_json(form, "{'v':false}");
	assert_true(field_set_state(v, FIELD_NULL));
	assert_form_json(form, "{'v':null}");
	form_destroy(form);
}

static void
test_rows(void **state)
{
	struct form *form = new_form(shapes);
	struct field *shape = field_of(form, "shape");

	assert_int_equal(form_row_count(form), 1);
	field_set_variant(shape, 2);
	assert_int_equal(form_row_count(form), 2);
	assert_int_equal(form_row_at(form, 1).kind, FORM_ROW_VALUE);
	assert_int_equal(form_row_at(form, 1).depth, 1);
	assert_ptr_equal(form_row_at(form, 1).field, shape);
	assert_int_equal(form_row_of(form, shape), 0);
	field_set_variant(shape, 1); /* shape, kind, size, + add, label, limit */
	assert_int_equal(form_row_count(form), 6);
	field_fold(shape, true);
	assert_int_equal(form_row_count(form), 1);
	field_as_json(shape, true, NULL);
	assert_int_equal(field_view(shape).variant_count, 0);
	assert_int_equal(form_row_count(form), 1);
	assert_true(field_as_json(shape, false, NULL));
	assert_int_equal(field_view(shape).variant, 1);
	form_destroy(form);
}

/* ---- values from outside ---- */

static void
test_values_choose(void **state)
{
	struct form *form = new_form(shapes);
	static const struct {
		const char *json;
		size_t variant;
	} values[] = {
		{ "{'shape':{'kind':'circle','radius':2}}", 0 },
		{ "{'shape':{'kind':'box','size':[1,2]}}", 1 },
		{ "{'shape':'x'}", 2 },
		{ "{'shape':{'size':[3]}}", 1 }, /* valid for none: the most alike */
		{ "{'shape':{'kind':'circle','size':[3]}}", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		fill_form(form, values[i].json);
		assert_int_equal(field_view(field_of(form, "shape")).variant, values[i].variant);
		assert_form_json(form, values[i].json);
	}
	fill_form(form, "{'shape':[1.0]}");
	assert_kind(form, "shape", FIELD_JSON);
	assert_form_json(form, "{'shape':[1.0]}");
	struct err err = { "" };
	assert_false(field_as_json(field_of(form, "shape"), false, &err));
	assert_string_equal(err.text, "this is not one of the variants: it stays JSON");
	form_destroy(form);
}

static void
test_the_validator_decides(void **state)
{
	struct form *form =
	    new_form("{'properties':{"
		     "'n':{'anyOf':[{'type':'integer','maximum':9},{'type':'integer',"
		     "'minimum':100},{'type':'integer','title':'rest'}]},"
		     "'s':{'anyOf':[{'type':'string','format':'date'},"
		     "{'type':'string','pattern':'^x'}],'title':'S'},"
		     "'l':{'oneOf':[{'type':'array','items':{'type':'integer'}},"
		     "{'type':'array','items':{'type':'string'}}],'default':['a']},"
		     "'o':{'anyOf':[{'type':'object','properties':{'a':{}}},"
		     "{'type':'object','properties':{'b':{}}}]}}}");

	field_set_state(field_of(form, "l"), FIELD_SET);
	assert_int_equal(field_view(field_of(form, "l")).variant, 1); /* by its default */
	assert_form_json(form, "{'l':['a']}");
	fill_form(form, "{'n':500,'s':'xyz','l':[],'o':{'b':1}}");
	assert_int_equal(field_view(field_of(form, "n")).variant, 1);
	assert_int_equal(field_view(field_of(form, "s")).variant, 1);
	assert_int_equal(
	    field_view(field_of(form, "l")).variant, 0); /* the first of two that are valid */
	assert_int_equal(
	    field_view(field_of(form, "o")).variant, 1); /* of two, the variant that has b */
	fill_form(form, "{'n':50}");
	assert_int_equal(field_view(field_of(form, "n")).variant, 2);
	form_destroy(form);
}

static void
test_setting_by_path(void **state)
{
	struct form *form = new_form(shapes);
	struct err err = { "" };

	set_field(form, "shape.size", "[4]"); /* only a box has items */
	assert_form_json(form, "{'shape':{'kind':'circle','size':[4]}}");
	set_field(form, "shape.limit", "1");
	assert_int_equal(field_view(field_of(form, "shape")).variant, 1);
	set_field(form, "shape.kind", "'circle'"); /* another constant is another variant */
	assert_int_equal(field_view(field_of(form, "shape")).variant, 0);
	set_field(form, "shape.kind", "box");
	assert_int_equal(field_view(field_of(form, "shape")).variant, 1);
	set_field(form, "shape.kind", "circle");
	assert_int_equal(field_view(field_of(form, "shape")).variant, 0);
	set_field(form, "shape", "box"); /* no JSON: a variant's name */
	assert_int_equal(field_view(field_of(form, "shape")).variant, 1);
	set_field(form, "shape", "word"); /* or a string */
	assert_form_json(form, "{'shape':'word'}");
	assert_false(form_set(form, "shape", "{", FORM_EXTRA_ADDED, &err) && 0);
	fill_form(form, "{}"); /* as the command line does: no defaults */
	assert_true(form_set_typed(form, "shape.limit", "2", &err));
	assert_true(form_set_typed(form, "shape.kind", "box", &err));
	assert_form_json(form, "{'shape':{'kind':'box','limit':2}}");
	fill_form(form, "{}");
	assert_true(form_set_typed(form, "shape.kind", "box", &err));
	assert_true(form_set_typed(form, "shape.size", "[1]", &err));
	assert_form_json(form, "{'shape':{'kind':'box','size':[1]}}");
	fill_form(form, "{}");
	assert_true(form_set_typed(form, "shape", "5", &err));
	assert_form_json(form, "{'shape':5}");
	form_destroy(form);
}

/* ---- everywhere ---- */

static void
test_at_the_root(void **state)
{
	struct form *form = new_form(
	    "{'type':'object','properties':{'id':{'type':'string'},'kind':{'type':'string'}},"
	    "'required':['id'],'oneOf':[{'properties':{'kind':{'const':'a'},"
	    "'x':{'type':'integer'}},'required':['kind']},{'$ref':'#/$defs/b'}],'$defs':{'b':"
	    "{'title':'Bee','properties':{'kind':{'const':'b'},'y':{'type':'integer'}},"
	    "'required':['kind','y']}}}");

	assert_variants(form, "", "[a] | Bee");
	assert_int_equal(form_row_count(form), 4); /* the chooser, id, kind, x */
	assert_ptr_equal(form_row_at(form, 0).field, form_view(form).root);
	assert_int_equal(form_row_at(form, 1).depth, 0);
	assert_kind(form, "kind", FIELD_CONST); /* a string, and this constant */
	assert_form_json(form, "{'kind':'a'}");
	set_field(form, "id", "'7'");
	field_set_variant(form_view(form).root, 1);
	assert_form_json(form, "{'id':'7','kind':'b'}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "y", "required");
	fill_form(form, "{'id':'1','kind':'a','x':5}");
	assert_variants(form, "", "[a] | Bee");
	set_field(form, "y", "5"); /* unknown to a: the other has it */
	assert_form_json(form, "{'id':'1','kind':'b','y':5}");
	field_reset(form_view(form).root);
	assert_form_json(form, "{'kind':'a'}");
	form_destroy(form);
}

static void
test_in_items_and_maps(void **state)
{
	struct form *form =
	    new_form("{'properties':{'l':{'type':'array','items':{'$ref':'#/$defs/V'}},"
		     "'m':{'type':'object','additionalProperties':{'$ref':'#/$defs/V'}}},"
		     "'$defs':{'V':{'oneOf':[{'type':'integer'},{'type':'object','required':['op'],"
		     "'properties':{'op':{'const':'not'},'of':{'$ref':'#/$defs/V'}}}]}}}");
	struct err err = { "" };

	struct field *item = field_add_item(field_of(form, "l"), 0);
	assert_int_equal(field_view(item).variant_count, 2);
	field_set_variant(item, 1);
	field_set_variant(field_of(form, "l.0.of"), 1);
	set_field(form, "l.0.of.of", "5");
	assert_form_json(form, "{'l':[{'op':'not','of':{'op':'not','of':5}}]}");
	struct field *entry = field_add_entry(field_of(form, "m"), "one", &err);
	assert_true(field_view(entry).entry);
	field_set_text(entry, "1", 1);
	assert_null(field_add_entry(field_of(form, "m"), "one", &err));
	assert_string_equal(err.text, "\"one\" already exists");
	assert_non_null(field_add_entry(field_of(form, "m"), "two", &err));
	field_set_variant(field_of(form, "m.two"), 1);
	assert_false(field_rename(field_of(form, "m.two"), "one", &err));
	assert_true(field_rename(field_of(form, "m.two"), "second", &err));
	assert_form_json(form, "{'l':[{'op':'not','of':{'op':'not','of':5}}],"
			       "'m':{'one':1,'second':{'op':'not'}}}");
	assert_true(field_remove(field_of(form, "m.one")));
	fill_form(form, "{'m':{'a':{'op':'not','of':1},'b':2,'c':'x'}}");
	assert_int_equal(field_view(field_of(form, "m.a")).variant, 1);
	assert_int_equal(field_view(field_of(form, "m.b")).variant, 0);
	assert_kind(form, "m.c", FIELD_JSON);
	form_destroy(form);
}

/* ---- problems ---- */

static void
test_problems_are_at_their_fields(void **state)
{
	struct form *form = new_form(shapes);

	fill_form(form, "{'shape':{'kind':'circle','radius':-1}}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "shape.radius", "more than 0");
	assert_null(field_view(field_of(form, "shape")).problem);
	fill_form(form, "{'shape':{'kind':'box','size':['x',1]}}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "shape.size.0", "integer");
	field_set_variant(field_of(form, "shape"), 0); /* radius is missing there; size is a list */
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "shape.radius", "required");
	fill_form(form, "{'shape':{'kind':'hexagon'}}");
	assert_true(form_check(form) > 0);
	assert_problem(form, "shape.kind", "");
	fill_form(form, "{'shape':[]}");
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "shape", "");
	fill_form(form, "{'shape':'fine'}");
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
	form = new_form("{'properties':{'n':{'oneOf':[{'type':'integer'},{'type':'number'}]}}}");
	fill_form(form, "{'n':5}"); /* valid for both: wrong, and said where it is */
	assert_int_equal(form_check(form), 1);
	assert_problem(form, "n", "");
	form_destroy(form);
}

static void
test_only_the_chosen_variant_complains(void **state)
{
	struct form *form =
	    new_form("{'properties':{'v':{'type':'object','properties':{'id':{'type':"
		     "'string','minLength':3}},'anyOf':[{'properties':{'a':{'type':"
		     "'integer'}},'required':['a'],'title':'A'},{'properties':{'a':"
		     "{'type':'string'},'b':{'type':'integer'}},'required':['b'],"
		     "'title':'B'}]}}}");

	field_set_variant(field_of(form, "v"), 1);
	set_field(form, "v.id", "'x'");
	set_field(form, "v.a", "'text'");
	assert_int_equal(form_check(form), 2);
	assert_problem(form, "v.id", "at least 3"); /* in all of them */
	assert_problem(form, "v.b", "required");
	assert_null(field_view(field_of(form, "v.a")).problem); /* A alone wants an integer */
	assert_null(field_view(field_of(form, "v")).problem);
	set_field(form, "v.b", "1");
	assert_int_equal(form_check(form), 1);
	form_destroy(form);
}

/* ---- hostile ---- */

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
test_ten_thousand_variants(void **state)
{
	struct buf text = BUF_INIT;
	double start = seconds();

	buf_add_str(&text, "{'properties':{'v':{'$ref':'#/$defs/v'},'l':{'type':'array','items':"
			   "{'$ref':'#/$defs/v'}}},'$defs':{'v':{'oneOf':[");
	for (int i = 0; i < 10000; i++)
		buf_addf(&text,
		    "%s{'type':'object','required':['kind'],'properties':{'kind':{'const':'k%d'},"
		    "'of':{'$ref':'#/$defs/v'}}}",
		    i ? "," : "", i);
	buf_add_str(&text, "]}}}");
	struct form *form = new_form(buf_text(&text));
	assert_int_equal(field_view(field_of(form, "v")).variant_count, 10000);
	assert_string_equal(field_variant_name(field_of(form, "v"), 9999), "k9999");
	fill_form(form, "{'v':{'kind':'k7777','of':{'kind':'k1'}}}");
	assert_int_equal(field_view(field_of(form, "v")).variant, 7777);
	assert_int_equal(field_view(field_of(form, "v.of")).variant, 1);
	assert_int_equal(form_check(form), 0);
	buf_clear(&text); /* beyond the limit, the rest stays JSON */
	buf_add_str(&text, "{'l':[");
	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%s{'kind':'k%d'}", i ? "," : "", i);
	buf_add_str(&text, "]}");
	fill_form(form, buf_text(&text));
	assert_form_json(form, buf_text(&text));
	assert_kind(form, "l.0", FIELD_OBJECT);
	assert_kind(form, "l.999", FIELD_JSON);
	form_destroy(form);
	buf_finish(&text);
	assert_true(seconds() - start < 20); /* under a sanitizer too */
}

static void
test_deep_and_wide(void **state)
{
	struct buf text = BUF_INIT;
	double start = seconds();

	buf_add_str(&text, "{'properties':{'v':"); /* alternatives in alternatives */
	for (int i = 0; i < 400; i++)
		buf_add_str(&text, "{'anyOf':[{'type':'string'},");
	buf_add_str(&text, "{'type':'integer'}");
	for (int i = 0; i < 400; i++)
		buf_add_str(&text, "]}");
	buf_add_str(&text, "}}");
	struct form *form = new_form(buf_text(&text));
	assert_true(field_view(field_of(form, "v")).variant_count <= SIZE_MAX / 2);
	fill_form(form, "{'v':1}");
	assert_form_json(form, "{'v':1}");
	form_destroy(form);

	buf_clear(&text); /* ten of ten of ten ... */
	buf_add_str(&text, "{'properties':{'v':{'$ref':'#/$defs/d0'},'w':{'$ref':'#/$defs/d0'}},"
			   "'required':['v'],'$defs':{");
	for (int i = 0; i < 12; i++) {
		buf_addf(&text, "%s'd%d':{'anyOf':[", i ? "," : "", i);
		for (int k = 0; k < 10; k++)
			buf_addf(&text, "%s{'properties':{'p%d':{}},'$ref':'#/$defs/d%d'}",
			    k ? "," : "", k, i + 1);
		buf_add_str(&text, "]}");
	}
	buf_add_str(&text, "}}");
	form = new_form(buf_text(&text));
	fill_form(form, "{'v':{'p1':1},'w':[]}");
	assert_form_json(form, "{'v':{'p1':1},'w':[]}");
	form_destroy(form);

	buf_clear(&text); /* a value as deep as it gets, in a schema that refers to itself */
	form =
	    new_form("{'properties':{'v':{'$ref':'#/$defs/e'}},'required':['v'],'$defs':{'e':"
		     "{'oneOf':[{'type':'object','required':['l','r'],'properties':{"
		     "'l':{'$ref':'#/$defs/e'},'r':{'$ref':'#/$defs/e'}}},{'type':'integer'}]}}}");
	assert_true(form_row_count(form) < 50);
	buf_add_str(&text, "{'v':");
	for (int i = 0; i < 900; i++)
		buf_add_str(&text, "{'l':");
	buf_add_str(&text, "1");
	for (int i = 0; i < 900; i++)
		buf_add_str(&text, ",'r':2}");
	buf_add_str(&text, "}");
	fill_form(form, buf_text(&text));
	assert_form_json(form, buf_text(&text));
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
	buf_finish(&text);
	assert_true(seconds() - start < 20);
}

static void
test_choices_are_shared_out(void **state)
{
	struct buf text = BUF_INIT;
	double start = seconds();

	buf_add_str(&text, "{'$defs':{'e':{'enum':[0");
	for (int i = 1; i < 5000; i++)
		buf_addf(&text, ",%d", i);
	buf_add_str(&text, "]}},'properties':{");
	for (int i = 0; i < 5000; i++)
		buf_addf(&text, "%s'p%d':{'$ref':'#/$defs/e'}", i ? "," : "", i);
	buf_add_str(&text, "}}");
	struct form *form =
	    new_form(buf_text(&text)); /* 25 million choices, were they all listed */
	assert_kind(form, "p0", FIELD_ENUM);
	assert_kind(form, "p4999", FIELD_JSON);
	fill_form(form, "{'p0':7,'p4999':8}");
	assert_form_json(form, "{'p0':7,'p4999':8}");
	assert_int_equal(form_check(form), 0);
	form_destroy(form);
	buf_finish(&text);
	assert_true(seconds() - start < 20);
}

static void
test_odd_schemas(void **state)
{
	static const char *const odd[] = {
		"{'properties':{'v':{'oneOf':[]}}}",
		"{'properties':{'v':{'oneOf':{'type':'string'}}}}",
		"{'properties':{'v':{'oneOf':[1,'x',null,[]]}}}",
		"{'properties':{'v':{'oneOf':[false,false]}}}",
		"{'properties':{'v':{'anyOf':[{'$ref':'#/properties/v'},{'type':'string'}]}}}",
		"{'properties':{'v':{'anyOf':[{'$ref':'#/nowhere'},{'type':'string'}]}}}",
		"{'properties':{'v':{'type':['string','integer'],'anyOf':[{'type':'integer'},"
		"{'type':'array'}]}}}",
		"{'properties':{'v':{'type':['bogus','string',7]}}}",
		"{'$ref':'#/$defs/"
		"a','$defs':{'a':{'oneOf':[{'$ref':'#'},{'properties':{'v':{}}}]}}}",
		"{'oneOf':[{'type':'array'},{'type':'string'}]}",
		"{'$schema':'http://example.com/none','properties':{'v':{'oneOf':["
		"{'type':'string'},{'type':'integer'}]}}}",
		"{'properties':{'v':{'oneOf':[{'type':'string','default':5},{'type':'integer',"
		"'default':6}],'default':{'no':1}}}}",
	};
	static const char *const values[] = { "{'v':1}", "{'v':'x'}", "{'v':[1]}", "{'v':null}",
		"{'v':{'a':{}}}", "{}", "[]" };

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		struct form *form = new_form(odd[i]);
		for (size_t k = 0; k < ARRAY_LEN(values); k++) {
			fill_form(form, values[k]);
			assert_form_json(form, values[k]);
			form_check(form);
		}
		struct field *v = form_find(form, "v");
		for (size_t k = 0; v && k < field_view(v).variant_count; k++) {
			field_set_variant(v, k);
			assert_true(form_row_count(form) > 0);
		}
		form_destroy(form);
	}
}

TEST_FILE(form_variants)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_what_is_no_variant),
		cmocka_unit_test(test_nested_ones_are_laid_out_flat),
		cmocka_unit_test(test_choosing_keeps_what_fits),
		cmocka_unit_test(test_texts_and_numbers_go_over),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_values_choose),
		cmocka_unit_test(test_the_validator_decides),
		cmocka_unit_test(test_setting_by_path),
		cmocka_unit_test(test_at_the_root),
		cmocka_unit_test(test_in_items_and_maps),
		cmocka_unit_test(test_problems_are_at_their_fields),
		cmocka_unit_test(test_only_the_chosen_variant_complains),
		cmocka_unit_test(test_ten_thousand_variants),
		cmocka_unit_test(test_deep_and_wide),
		cmocka_unit_test(test_choices_are_shared_out),
		cmocka_unit_test(test_odd_schemas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
