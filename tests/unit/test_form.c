/* SPDX-License-Identifier: MIT */
#include "any_form.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ---- helpers ---- */

static void
type_text(struct form *form, const char *path, const char *text)
{
	field_set_text(field_of(form, path), text, strlen(text));
}

/* ---- kinds ---- */

static void
test_kinds(void **state)
{
	struct form *form = new_form(
	    "{\"type\":\"object\",\"properties\":{"
	    "\"zulu\":{\"type\":\"string\"},\"alpha\":{\"type\":\"integer\"},\"n\":{\"type\":"
	    "\"number\"},"
	    "\"b\":{\"type\":\"boolean\"},\"e\":{\"enum\":[\"a\",1,{\"x\":[]}]},"
	    "\"t\":{\"oneOf\":[{\"const\":\"r\",\"title\":\"Red\"},{\"const\":\"g\",\"title\":"
	    "\"Green\"}]},"
	    "\"l\":{\"type\":\"string\",\"enum\":[\"p\",\"q\"],\"enumNames\":[\"Pea\",\"Queue\"]},"
	    "\"c\":{\"const\":7},\"o\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":"
	    "\"string\"}}},"
	    "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	    "\"any\":{},\"map\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}"
	    "},"
	    "\"two\":{\"type\":[\"string\",\"integer\"]},\"vary\":{\"anyOf\":[{\"type\":\"string\"}"
	    ",{\"type\":\"object\"}]},"
	    "\"tuple\":{\"type\":\"array\",\"items\":[{},{}]},\"bare\":{\"type\":\"array\"},"
	    "\"bool\":true,\"broken\":5,\"nil\":{\"type\":\"null\"},\"num\":{\"type\":[\"integer\","
	    "\"number\"]}}}");
	static const struct {
		const char *name;
		enum field_kind kind;
	} expected[] = { { "zulu", FIELD_STRING }, { "alpha", FIELD_INTEGER },
		{ "n", FIELD_NUMBER }, { "b", FIELD_BOOLEAN }, { "e", FIELD_ENUM },
		{ "t", FIELD_ENUM }, { "l", FIELD_ENUM }, { "c", FIELD_CONST },
		{ "o", FIELD_OBJECT }, { "a", FIELD_ARRAY }, { "any", FIELD_JSON },
		{ "map", FIELD_OBJECT }, { "two", FIELD_STRING }, { "vary", FIELD_STRING },
		{ "tuple", FIELD_ARRAY }, { "bare", FIELD_JSON }, { "bool", FIELD_JSON },
		{ "broken", FIELD_JSON }, { "nil", FIELD_CONST }, { "num", FIELD_NUMBER } };
	size_t count = ARRAY_LEN(expected);
	assert_int_equal(field_view(form_view(form).root).child_count, count);
	for (size_t i = 0; i < count; i++) { /* in schema order */
		struct field *field = field_child(form_view(form).root, i);
		assert_string_equal(field_view(field).name, expected[i].name);
		assert_int_equal(field_view(field).kind, expected[i].kind);
		assert_int_equal(field_view(field).state, FIELD_OMITTED);
	}
	assert_form_json(form, "{}");
	struct buf label = BUF_INIT;
	field_choice_label(field_of(form, "t"), 1, &label);
	buf_add_char(&label, ' ');
	field_choice_label(field_of(form, "l"), 0, &label);
	buf_add_char(&label, ' ');
	field_choice_label(field_of(form, "e"), 2, &label);
	assert_string_equal(buf_text(&label), "Green Pea {\"x\":[]}");
	buf_finish(&label);
	field_set_choice(field_of(form, "t"), 1);
	field_set_choice(field_of(form, "e"), 2);
	assert_true(field_set_state(field_of(form, "c"), FIELD_SET));
	assert_true(field_set_state(field_of(form, "nil"), FIELD_SET));
	assert_form_json(form, "{\"e\":{\"x\":[]},\"t\":\"g\",\"c\":7,\"nil\":null}");
	form_destroy(form);
}

static void
test_nullable(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"]},\"b\":{\"anyOf\":[{\"type\":"
	    "\"integer\"},"
	    "{\"type\":\"null\"}],\"default\":null},\"c\":{\"type\":\"string\",\"nullable\":true},"
	    "\"d\":{\"enum\":[\"x\",\"y\",null]},\"e\":{\"type\":\"string\"},"
	    "\"f\":{\"oneOf\":[{\"const\":1},{\"const\":2},{\"type\":\"null\"}]}}}");
	assert_kind(form, "a", FIELD_STRING);
	assert_kind(form, "b", FIELD_INTEGER);
	assert_kind(form, "d", FIELD_ENUM);
	assert_kind(form, "f", FIELD_ENUM);
	assert_int_equal(field_view(field_of(form, "d")).choice_count, 2);
	assert_int_equal(field_view(field_of(form, "b")).state, FIELD_OMITTED);
	assert_int_equal(json_type(field_default(field_of(form, "b"))), JSON_NULL);
	assert_true(field_set_state(field_of(form, "b"), FIELD_NULL));
	assert_null(field_default(field_of(form, "b")));
	assert_false(field_set_state(field_of(form, "e"), FIELD_NULL));
	assert_true(field_set_state(field_of(form, "a"), FIELD_NULL));
	assert_true(field_set_state(field_of(form, "d"), FIELD_NULL));
	assert_form_json(form, "{\"a\":null,\"b\":null,\"d\":null}");
	assert_true(field_set_state(field_of(form, "a"), FIELD_SET));
	assert_true(field_set_state(field_of(form, "b"), FIELD_OMITTED));
	assert_form_json(form, "{\"a\":\"\",\"d\":null}");
	type_text(form, "a", "null");
	assert_form_json(form, "{\"a\":\"null\",\"d\":null}");
	form_destroy(form);
}

static void
test_defaults_and_states(void **state)
{
	struct form *form = new_form(
	    "{\"type\":\"object\",\"required\":[\"name\",\"n\",\"on\",\"list\",\"ghost\","
	    "\"in\"],\"properties\":{"
	    "\"name\":{\"type\":\"string\"},\"n\":{\"type\":\"number\"},\"on\":{\"type\":"
	    "\"boolean\"},"
	    "\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":2},"
	    "\"limit\":{\"type\":\"integer\",\"default\":50},\"big\":{\"type\":\"integer\","
	    "\"default\":12345678901234567890},"
	    "\"odd\":{\"type\":\"integer\",\"default\":\"many\"},\"role\":{\"enum\":[\"a\","
	    "\"b\"],\"default\":\"b\"},"
	    "\"in\":{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":{"
	    "\"const\":1},\"y\":{\"type\":\"string\"}}}}}");
	/* the default of an optional member is not sent until the user sets a value */
	assert_form_json(form, "{\"list\":[null,null],\"in\":{\"x\":1}}");
	assert_non_null(field_default(field_of(form, "limit")));
	for (size_t i = 0; i < field_view(form_view(form).root).child_count; i++)
		if (field_default(field_child(form_view(form).root, i)))
			field_set_state(field_child(form_view(form).root, i), FIELD_SET);
	assert_form_json(form,
	    "{\"list\":[null,null],\"limit\":50,\"big\":12345678901234567890,\"odd\":\"many\","
	    "\"role\":\"b\",\"in\":{\"x\":1}}");
	assert_kind(form, "odd", FIELD_JSON); /* its default fits no widget */
	assert_kind(form, "ghost", FIELD_JSON);
	assert_int_equal(field_view(field_of(form, "name")).state, FIELD_SET);
	assert_false(field_view(field_of(form, "name")).filled);
	assert_false(field_view(field_of(form, "on")).filled);
	type_text(form, "name", "");
	field_set_on(field_of(form, "on"), false);
	assert_true(field_set_state(field_of(form, "limit"), FIELD_OMITTED));
	assert_true(field_set_state(field_of(form, "role"), FIELD_OMITTED));
	assert_true(field_set_state(field_of(form, "role"), FIELD_SET)); /* the value was kept */
	assert_form_json(form,
	    "{\"name\":\"\",\"on\":false,\"list\":[null,null],\"big\":12345678901234567890,"
	    "\"odd\":\"many\",\"role\":\"b\",\"in\":{\"x\":1}}");
	field_set_state(field_of(form, "limit"), FIELD_SET);
	field_reset(field_of(form, "limit"));
	assert_int_equal(field_view(field_of(form, "limit")).state, FIELD_OMITTED);
	field_reset(form_view(form).root);
	assert_false(field_view(field_of(form, "name")).filled);
	form_destroy(form);
}

/* An elicitation sends defaults, as SEP-1034 asks; a command line those of required members. */
static void
test_where_defaults_are_sent(void **state)
{
	static const char text[] =
	    "{\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"integer\",\"default\":1},"
	    "\"b\":{\"type\":\"integer\",\"default\":2},\"o\":{\"type\":\"object\",\"required\":"
	    "[\"x\"],\"properties\":{\"x\":{\"default\":\"y\",\"type\":\"string\"}}}}}";
	struct json_doc *schema = json_parse(text, strlen(text), NULL, NULL);
	struct form *asked = form_create(schema, json_root(schema), FORM_DEFAULTS_SENT);
	struct form *called = form_create(schema, json_root(schema), FORM_DEFAULTS_SHOWN);

	assert_form_json(asked, "{\"a\":1,\"b\":2}");
	assert_form_json(called, "{\"a\":1}");
	fill_form(called, "{}");
	assert_form_json(called, "{}");
	form_fill_required(called);
	assert_form_json(called, "{\"a\":1}");
	fill_form(called, "{\"a\":7,\"o\":{}}");
	form_fill_required(called);
	assert_form_json(called, "{\"a\":7,\"o\":{\"x\":\"y\"}}");
	form_destroy(called);
	form_destroy(asked);
	json_doc_destroy(schema);
}

static void
test_undo(void **state)
{
	struct form *form = new_form("{\"properties\":{\"s\":{\"type\":\"string\"},\"v\":{\"type\":"
				     "[\"string\",\"integer\"]},\"m\":{\"type\":\"object\","
				     "\"additionalProperties\":{\"type\":\"string\"}}}}");

	assert_false(form_undo(form, false));
	form_note_step(form);
	type_text(form, "s", "one");
	form_note_step(form);
	field_fold(form_view(form).root, false); /* not a step: the same is sent */
	form_note_step(form);
	field_set_variant(field_of(form, "v"), 1);
	type_text(form, "v", "7");
	form_note_step(form);
	set_field(form, "m.name", "\"x\"");
	field_as_json(field_of(form, "m"), true, NULL);
	type_text(form, "m", "{\"name\":");
	assert_true(form_undo(form, false)); /* the undo history keeps the previous value */
	assert_form_json(form, "{\"s\":\"one\",\"v\":7}");
	assert_true(form_undo(form, false));
	assert_form_json(form, "{\"s\":\"one\"}");
	assert_true(form_undo(form, false));
	assert_form_json(form, "{}");
	assert_false(form_undo(form, false));
	for (int i = 0; i < 3; i++)
		assert_true(form_undo(form, true));
	assert_false(form_undo(form, true));
	assert_string_equal(field_view(field_of(form, "m")).text, "{\"name\":"); /* as typed */
	assert_int_equal(field_view(field_of(form, "v")).variant, 1);
	assert_true(form_undo(form, false));
	type_text(form, "s", "two");
	assert_false(form_undo(form, true)); /* another way was taken */
	assert_form_json(form, "{\"s\":\"two\",\"v\":7}");
	form_destroy(form);
}

static void
test_undo_is_bounded(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}");
	struct buf json = BUF_INIT;
	int undone = 0;

	buf_add_str(&json, "{\"l\":[0");
	while (json.len < 20000)
		buf_add_str(&json, ",1");
	buf_add_str(&json, "]}");
	fill_form(form, buf_text(&json));
	for (int i = 0; i < 20; i++) {
		form_note_step(form);
		field_add_item(field_of(form, "l"), SIZE_MAX);
	}
	while (form_undo(form, false))
		undone++;
	assert_in_range(undone, 2, 5); /* of 20 steps with 10 000 fields each */
	buf_finish(&json);
	form_destroy(form);
}

static void
test_numbers_as_typed(void **state)
{
	struct form *form =
	    new_form("{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"number\"}}}");
	type_text(form, "a", "12345678901234567890");
	type_text(form, "b", "1.10");
	assert_form_json(form, "{\"a\":12345678901234567890,\"b\":1.10}");
	type_text(form, "a", "-0");
	type_text(form, "b", " 1E+400 ");
	assert_form_json(form, "{\"a\":-0,\"b\":1E+400}");
	type_text(form, "a", "0x10");
	type_text(form, "b", "a\"\n");
	assert_form_json(form, "{\"a\":\"0x10\",\"b\":\"a\\\"\\n\"}");
	type_text(form, "a", "");
	assert_form_json(form, "{\"b\":\"a\\\"\\n\"}");
	fill_form(form, "{\"b\":1.1000000000000000000000000001,\"a\":1e2}");
	assert_form_json(form, "{\"a\":1e2,\"b\":1.1000000000000000000000000001}");
	form_destroy(form);
}

/* ---- references ---- */

static void
test_refs(void **state)
{
	struct form *form = new_form(
	    "{\"type\":\"object\",\"properties\":{\"at\":{\"$ref\":\"#/$defs/"
	    "Address\",\"title\":\"Where\"},"
	    "\"esc\":{\"$ref\":\"#/definitions/a~1b%20c\"},\"anchor\":{\"$ref\":\"#there\"},"
	    "\"lost\":{\"$ref\":\"#/$defs/None\"},\"far\":{\"$ref\":\"http://x/y\"},"
	    "\"loop\":{\"$ref\":\"#/$defs/Loop\"},\"all\":{\"allOf\":[{\"$ref\":\"#/$defs/"
	    "Address\"},"
	    "{\"properties\":{\"extra\":{\"type\":\"integer\"}},\"required\":[\"extra\"]}]}},"
	    "\"$defs\":{\"Address\":{\"title\":\"An "
	    "address\",\"type\":\"object\",\"properties\":{\"street\":"
	    "{\"type\":\"string\"}},\"required\":[\"street\"]},\"Loop\":{\"$ref\":\"#/$defs/"
	    "Loop\"},"
	    "\"A\":{\"$anchor\":\"there\",\"type\":\"boolean\"}},"
	    "\"definitions\":{\"a/b c\":{\"type\":\"integer\"}}}");
	assert_kind(form, "at", FIELD_OBJECT);
	assert_string_equal(field_view(field_of(form, "at")).title, "Where");
	assert_kind(form, "esc", FIELD_INTEGER);
	assert_kind(form, "anchor", FIELD_BOOLEAN);
	assert_kind(form, "lost", FIELD_JSON);
	assert_kind(form, "far", FIELD_JSON);
	assert_kind(form, "loop", FIELD_JSON);
	assert_kind(form, "all", FIELD_OBJECT);
	assert_facts(form, "lost", "JSON, its $ref leads nowhere");
	set_field(form, "all", "{\"extra\":3,\"street\":\"s\"}");
	assert_true(field_view(field_of(form, "all.extra")).required);
	assert_kind(form, "all.extra", FIELD_INTEGER);
	form_destroy(form);
}

static void
test_recursive(void **state)
{
	struct form *form = new_form(
	    "{\"type\":\"object\",\"required\":[\"tree\"],\"properties\":{\"tree\":{\"$ref\":"
	    "\"#/$defs/n\"}},"
	    "\"$defs\":{\"n\":{\"type\":\"object\",\"required\":[\"l\",\"r\"],\"properties\":{"
	    "\"v\":{\"type\":\"integer\"},"
	    "\"l\":{\"$ref\":\"#/$defs/n\"},\"r\":{\"$ref\":\"#/$defs/n\"},"
	    "\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"}}}}}}");
	assert_true(form_row_count(form) < 100);
	set_field(form, "/tree/l/l/l/l/v", "4");
	set_field(form, "tree.kids[0].kids[0].v", "5");
	assert_kind(form, "/tree/l/l/l/l/v", FIELD_INTEGER);
	assert_kind(form, "/tree/kids/0/kids/0", FIELD_OBJECT);
	char deep[4000] = "/tree";
	for (int i = 0; i < 100; i++)
		strncat(deep, "/l", sizeof(deep) - strlen(deep) - 1);
	struct err err;
	assert_false(
	    form_set(form, deep, "{}", FORM_EXTRA_ADDED, &err)); /* deeper than a form goes */
	form_destroy(form);
}

/* ---- items ---- */

static void
test_items(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	    "\"rows\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"id\"]"
	    ",\"properties\":{"
	    "\"id\":{\"type\":\"integer\"},\"n\":{\"type\":\"integer\",\"default\":1}}}}}}");
	struct field *tags = field_of(form, "tags");
	for (int i = 0; i < 4; i++) {
		char text[2] = { (char)('a' + i), 0 };
		field_set_text(field_add_item(tags, SIZE_MAX), text, 1);
	}
	field_set_text(field_add_item(tags, 0), "z", 1);
	assert_form_json(form, "{\"tags\":[\"z\",\"a\",\"b\",\"c\",\"d\"]}");
	assert_true(field_move(field_child(tags, 0), 2));
	assert_true(field_move(field_child(tags, 4), -4));
	assert_false(field_move(field_child(tags, 4), 1));
	assert_false(field_move(field_child(tags, 0), -1));
	assert_form_json(form, "{\"tags\":[\"d\",\"a\",\"b\",\"z\",\"c\"]}");
	assert_true(field_remove(field_child(tags, 1)));
	assert_int_equal(field_view(field_child(tags, 3)).index, 3);
	assert_form_json(form, "{\"tags\":[\"d\",\"b\",\"z\",\"c\"]}");
	assert_false(field_remove(tags));
	assert_false(field_set_state(field_child(tags, 0), FIELD_OMITTED));
	field_set_state(tags, FIELD_OMITTED);
	struct field *row = field_add_item(field_of(form, "rows"), 9);
	assert_non_null(row);
	assert_form_json(form, "{\"rows\":[{}]}");
	struct buf pointer = BUF_INIT;
	field_pointer(field_child(row, 0), &pointer);
	assert_string_equal(buf_text(&pointer), "/rows/0/id");
	buf_finish(&pointer);
	type_text(form, "rows.0.id", "7");
	assert_form_json(form, "{\"rows\":[{\"id\":7}]}");
	form_destroy(form);
}

/* ---- JSON ---- */

static void
test_nothing_lost(void **state)
{
	struct form *form =
	    new_form("{\"type\":\"object\",\"properties\":{\"s\":{\"type\":\"string\","
		     "\"default\":\"d\"},\"i\":{\"type\":\"integer\"},"
		     "\"e\":{\"enum\":[1,\"x\"]},\"o\":{\"type\":\"object\","
		     "\"properties\":{\"k\":{\"type\":\"boolean\"}}},"
		     "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}");
	static const char *const same[] = { "{}", "{\"s\":\"\"}", "{\"s\":5,\"i\":\"5\"}",
		"{\"s\":null,\"e\":null,\"a\":null}", "{\"e\":1.0}", "{\"e\":1}", "{\"i\":1.50}",
		"{\"o\":{\"k\":true,\"other\":[1,2,{\"deep\":null}]}}", "{\"o\":[1]}",
		"{\"a\":[1,\"two\",null,[3]]}", "{\"new\":1e400,\"new\":2,\"a/b~\":\"\\u0000\"}",
		"{\"s\":\"\\ud800 \\u202e\\u001b[31m\"}", "{\"\":{\"\":{}}}", "[1,2]", "null",
		"\"text\"", "{\"s\":\"a\",\"s\":\"b\"}" };
	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		fill_form(form, same[i]);
		struct buf out = BUF_INIT;
		assert_true(form_to_json(form, &out));
		if (i != 11) /* control characters are escaped, all others unchanged */
			assert_string_equal(buf_text(&out), same[i]);
		buf_finish(&out);
	}
	form_destroy(form);
}

static void
test_extra_fields(void **state)
{
	struct form *form = new_form("{\"properties\":{\"s\":{\"type\":\"string\"}}}");
	fill_form(form, "{\"later\":{\"x\":1},\"s\":\"v\"}");
	assert_true(field_view(field_of(form, "later")).extra);
	assert_kind(form, "later", FIELD_JSON);
	assert_facts(form, "later", "not in the schema");
	set_field(form, "more", "[1]");
	assert_form_json(form, "{\"s\":\"v\",\"later\":{\"x\":1},\"more\":[1]}");
	assert_true(field_remove(field_of(form, "later")));
	assert_false(field_remove(field_of(form, "s")));
	assert_form_json(form, "{\"s\":\"v\",\"more\":[1]}");
	form_destroy(form);
}

static void
test_json_mode(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"n\":{\"type\":\"number\"},\"any\":{},\"o\":{\"type\":\"object\","
	    "\"properties\":{\"k\":{\"type\":\"string\"}}}}}");
	struct err err = { "" };
	type_text(form, "n", "1.10");
	set_field(form, "o.k", "word");
	assert_true(field_as_json(field_of(form, "n"), true, NULL));
	assert_true(field_as_json(field_of(form, "o"), true, NULL));
	assert_string_equal(field_view(field_of(form, "n")).text, "1.10");
	assert_string_equal(field_view(field_of(form, "o")).text, "{\"k\":\"word\"}");
	assert_null(form_find(form, "o.k"));
	type_text(form, "n", "[1,");
	assert_form_json(form, "{\"n\":\"[1,\",\"o\":{\"k\":\"word\"}}");
	assert_false(field_as_json(field_of(form, "n"), false, &err));
	assert_string_equal(field_view(field_of(form, "n")).text, "[1,");
	type_text(form, "n", "[1, 2]");
	assert_false(field_as_json(field_of(form, "n"), false, &err));
	assert_string_equal(field_view(field_of(form, "n")).text, "[1, 2]"); /* as typed */
	assert_form_json(form, "{\"n\":[1,2],\"o\":{\"k\":\"word\"}}");
	type_text(form, "n", " 2.50 ");
	assert_true(field_as_json(field_of(form, "n"), false, &err));
	assert_kind(form, "n", FIELD_NUMBER);
	type_text(form, "o", "{\"k\":\"w\", \"z\": 0}");
	assert_true(field_as_json(field_of(form, "o"), false, &err));
	assert_form_json(form, "{\"n\":2.50,\"o\":{\"k\":\"w\",\"z\":0}}");
	assert_false(field_as_json(field_of(form, "any"), false, &err));
	assert_true(field_as_json(field_of(form, "any"), true, &err));
	form_destroy(form);
}

static void
test_whole_as_text(void **state)
{
	struct form *form = new_form("{\"properties\":{\"n\":{\"type\":\"number\"}}}");
	struct json_error error;
	struct buf out = BUF_INIT;
	fill_form(form, "{\"n\":1}");
	assert_false(form_load_json(form, "{\n \"n\": }", 9, &error));
	assert_int_equal(error.line, 2);
	assert_form_json(form, "{\"n\":1}"); /* unchanged */
	form_load_raw(form, "{\n \"n\": }", 9);
	assert_false(form_to_json(form, &out));
	assert_string_equal(buf_text(&out), "{  \"n\": }"); /* one line */
	buf_clear(&out);
	assert_false(form_to_json_pretty(form, &out));
	assert_string_equal(buf_text(&out), "{\n \"n\": }");
	assert_int_equal(form_row_count(form), 1);
	buf_clear(&out);
	form_load_raw(form, "{\"n\":2.0}", 9);
	assert_true(form_to_json_pretty(form, &out));
	assert_string_equal(buf_text(&out), "{\n  \"n\": 2.0\n}");
	assert_kind(form, "n", FIELD_NUMBER);
	buf_finish(&out);
	form_destroy(form);
}

static void
test_set_by_path(void **state)
{
	struct form *form =
	    new_form("{\"properties\":{\"address\":{\"type\":\"object\",\"properties\":"
		     "{\"street\":{\"type\":\"string\"},"
		     "\"no\":{\"type\":\"integer\"}}},\"a.b\":{\"type\":\"integer\"},"
		     "\"e\":{\"oneOf\":[{\"const\":1,\"title\":\"One\"},"
		     "{\"const\":\"two\",\"title\":\"Two\"}]},\"l\":{\"type\":"
		     "\"array\",\"items\":{\"type\":\"integer\"}}}}");
	struct err err = { "" };
	set_field(form, "/address/street", "Main St"); /* a bare word for a string */
	set_field(form, "address.no", "12");
	set_field(form, "a.b", "3");
	set_field(form, "e", "One");
	assert_form_json(
	    form, "{\"address\":{\"street\":\"Main St\",\"no\":12},\"a.b\":3,\"e\":1}");
	set_field(form, "e", "two");
	set_field(form, "l[0]", "5");
	set_field(form, "/l/-", "6");
	set_field(form, "l.1", "7");
	set_field(form, "address.street", "\"\"");
	assert_form_json(
	    form, "{\"address\":{\"street\":\"\",\"no\":12},\"a.b\":3,\"e\":\"two\",\"l\":[5,7]}");
	assert_false(form_set(form, "l.9", "1", FORM_EXTRA_ADDED, &err));
	assert_false(form_set(form, "l.x", "1", FORM_EXTRA_ADDED, &err));
	assert_false(form_set(form, "nope.x", "1", FORM_EXTRA_ADDED, &err));
	assert_string_equal(err.text, "there is no field \"nope\"");
	assert_false(form_set(form, "a.b", "word", FORM_EXTRA_ADDED, &err));
	assert_false(form_set(form, "/a.b/x", "1", FORM_EXTRA_ADDED, &err));
	assert_false(form_set(form, "/bad~2", "1", FORM_EXTRA_ADDED, &err));
	assert_null(form_find(form, "/l/01"));
	assert_null(form_find(form, "/l/99999999999999999999"));
	set_field(form, "", "{\"l\":[1]}"); /* the whole */
	assert_form_json(form, "{\"l\":[1]}");
	form_destroy(form);
}

static void
test_facts(void **state)
{
	struct form *form = new_form(
	    "{\"required\":[\"s\"],\"properties\":{\"i\":{\"type\":\"integer\",\"minimum\":1,"
	    "\"maximum\":500,\"default\":50},"
	    "\"s\":{\"type\":\"string\",\"minLength\":3,\"format\":\"email\"},\"n\":{\"type\":["
	    "\"number\",\"null\"],"
	    "\"exclusiveMinimum\":0,\"multipleOf\":0.5},\"safe\":{\"type\":\"integer\",\"minimum\":"
	    "-9007199254740991,"
	    "\"maximum\":9007199254740991},\"four\":{\"type\":\"number\",\"minimum\":2,"
	    "\"exclusiveMinimum\":true},"
	    "\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"maxItems\":"
	    "3,\"uniqueItems\":true},"
	    "\"x\":{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"array\"}],\"examples\":[[1]]},"
	    "\"old\":{\"type\":\"boolean\",\"deprecated\":true,\"readOnly\":true}}}");
	assert_facts(form, "old", "boolean, read-only, deprecated");
	assert_facts(form, "i", "integer 1…500, default 50");
	assert_facts(form, "s", "string, at least 3 characters, format email, required");
	assert_facts(form, "n", "number > 0, multiple of 0.5 or null");
	assert_facts(form, "safe", "integer");
	assert_facts(form, "four", "number > 2");
	assert_facts(form, "l", "array of string, 1…3 items, unique items");
	assert_facts(form, "x", "one of 2 variants, for example [1]");
	form_destroy(form);
}

static void
test_rows(void **state)
{
	struct form *form = new_form(
	    "{\"required\":[\"o\",\"l\"],\"properties\":{\"a\":{\"type\":\"string\"},\"o\":{"
	    "\"type\":\"object\",\"properties\":"
	    "{\"x\":{\"type\":\"string\"}}},\"p\":{\"type\":\"object\",\"properties\":{\"y\":{}}},"
	    "\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}");
	/* a, o, x, p (omitted), l, add */
	assert_int_equal(form_row_count(form), 6);
	assert_int_equal(form_row_at(form, 2).depth, 1);
	assert_ptr_equal(form_row_at(form, 2).field, field_of(form, "o.x"));
	assert_int_equal(form_row_at(form, 5).kind, FORM_ROW_ADD);
	field_fold(field_of(form, "o"), true);
	assert_int_equal(form_row_count(form), 5);
	assert_int_equal(form_row_of(form, field_of(form, "o.x")), 1);
	field_fold(field_of(form, "o"), false);
	field_set_state(field_of(form, "p"), FIELD_SET);
	for (int i = 0; i < 10000; i++)
		assert_non_null(field_add_item(field_of(form, "l"), SIZE_MAX));
	assert_int_equal(form_row_count(form), 10007);
	assert_int_equal(form_row_of(form, field_of(form, "l.9999")), 10005);
	uint64_t version = form_view(form).version;
	assert_int_equal(form_row_at(form, 3).depth, 0);
	assert_int_equal(form_view(form).version, version);
	form_destroy(form);
}

/* ---- hostile ---- */

static void
test_hostile(void **state)
{
	struct buf text = BUF_INIT;
	buf_add_str(&text, "{\"properties\":{");
	for (int i = 0; i < 10000; i++)
		buf_addf(&text, "%s\"p%d\":{\"type\":\"integer\"}", i ? "," : "", i);
	buf_add_str(&text, "},\"required\":[");
	for (int i = 9999; i >= 0; i--)
		buf_addf(&text, "\"p%d\"%s", i, i ? "," : "]}");
	struct form *form = new_form(buf_text(&text));
	assert_int_equal(form_row_count(form), 10000);
	set_field(form, "p9999", "1");
	assert_form_json(form, "{\"p9999\":1}");
	form_destroy(form);

	buf_clear(&text); /* 2^40 fields, were they all made */
	buf_add_str(&text,
	    "{\"required\":[\"x\"],\"properties\":{\"x\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
	for (int i = 0; i < 40; i++)
		buf_addf(&text,
		    "%s\"d%d\":{\"type\":\"object\",\"required\":[\"a\",\"b\"],\"properties\":{"
		    "\"a\":"
		    "{\"$ref\":\"#/$defs/d%d\"},\"b\":{\"$ref\":\"#/$defs/d%d\"}}}",
		    i ? "," : "", i, i + 1, i + 1);
	buf_add_str(&text, "}}");
	form = new_form(buf_text(&text));
	assert_true(form_row_count(form) < 10000);
	form_destroy(form);

	static const char *const odd[] = { "null", "true", "[]", "{\"type\":\"array\"}",
		"{\"properties\":[1]}",
		"{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[1,null,\"a\"]}",
		"{\"$ref\":\"#\"}", "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#/allOf/0\"}]}",
		"{\"properties\":{\"l\":{\"type\":\"array\",\"minItems\":1e9,\"items\":{\"type\":"
		"\"array\",\"minItems\":1e9,"
		"\"items\":{\"type\":\"array\",\"minItems\":99,\"items\":{\"type\":\"string\"}}}}},"
		"\"required\":[\"l\"]}",
		"{\"properties\":{\"a\":{\"enum\":[]},\"b\":{\"enum\":[null]},\"c\":{\"enum\":5},"
		"\"d\":{\"type\":7},"
		"\"e\":{\"type\":[]},\"f\":{\"anyOf\":[]},\"g\":{\"oneOf\":{}},\"h\":{\"default\":{"
		"\"x\":1},\"type\":\"object\"},"
		"\"i\":{\"type\":\"array\",\"items\":false,\"default\":[1]}}}" };
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		form = new_form(odd[i]);
		assert_true(form_row_count(form) < 20000);
		fill_form(form, "{\"a\":{\"a\":{\"a\":1}},\"l\":[[[\"x\"]]],\"i\":[2]}");
		assert_non_null(form_find(form, "a"));
		form_destroy(form);
	}
	form = form_create(NULL, NULL, FORM_DEFAULTS_SHOWN);
	assert_form_json(form, "{}");
	form_destroy(form);
	buf_finish(&text);
}

static void
test_too_many_for_widgets(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}");
	struct buf text = BUF_INIT, out = BUF_INIT;
	buf_add_str(&text, "{\"l\":[0");
	for (int i = 1; i < FORM_MAX_FIELDS + 10; i++)
		buf_add_str(&text, ",1");
	buf_add_str(&text, "]}");
	fill_form(form, buf_text(&text));
	assert_kind(form, "l", FIELD_JSON); /* whole all the same */
	assert_true(form_to_json(form, &out));
	assert_int_equal(out.len, text.len);
	assert_memory_equal(buf_text(&out), buf_text(&text), text.len);
	buf_clear(&text);
	for (int i = 0; i < 200; i++)
		buf_add_str(&text, "{\"l\":");
	buf_add_str(&text, "1");
	for (int i = 0; i < 200; i++)
		buf_add_str(&text, "}");
	fill_form(form, buf_text(&text));
	assert_form_json(form, buf_text(&text));
	buf_finish(&text);
	buf_finish(&out);
	form_destroy(form);
}

static void
assert_brief(const struct field *field, const char *expected)
{
	struct buf out = BUF_INIT;

	field_brief(field, 100, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_lists_of_choices_are_ticked_off(void **state)
{
	struct form *form = new_form(
	    "{\"properties\":{\"days\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"anyOf\":["
	    "{\"const\":\"mo\",\"title\":\"Monday\"},{\"const\":\"tu\",\"title\":\"Tuesday\"}]}},"
	    "\"sizes\":{\"type\":\"array\",\"items\":{\"enum\":[\"S\",\"M\",7]},"
	    "\"default\":[\"M\",\"other\"]},"
	    "\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	    "\"pair\":{\"type\":\"array\",\"prefixItems\":[{}],\"items\":{\"enum\":[1,2]}}},"
	    "\"required\":[\"days\"]}");
	struct field *days = field_of(form, "days"), *sizes = field_of(form, "sizes");
	struct buf label = BUF_INIT;

	assert_int_equal(field_view(days).option_count, 2);
	assert_int_equal(field_view(sizes).option_count, 3);
	assert_int_equal(field_view(field_of(form, "names")).option_count, 0);
	assert_int_equal(field_view(field_of(form, "pair")).option_count, 0);
	field_choice_label(days, 1, &label);
	field_choice_label(days, 2, &label);
	assert_string_equal(buf_text(&label), "Tuesday");
	buf_finish(&label);
	assert_int_equal(field_view(days).child_count, 0); /* none that would only be a gap */
	assert_true(field_view(days).folded);
	assert_int_equal(form_row_count(form), 4);
	field_option_set(days, 1, true);
	field_option_set(days, 1, true); /* no item twice */
	field_option_set(days, 0, true); /* in the order of the ticks */
	field_option_set(days, 9, true);
	assert_brief(days, "Tuesday, Monday");
	field_set_state(sizes, FIELD_SET);
	assert_true(field_option_is_on(sizes, 1));
	field_option_set(sizes, 1, false);
	assert_brief(sizes, "\"other\"");
	assert_form_json(form, "{\"days\":[\"tu\",\"mo\"],\"sizes\":[\"other\"]}");
	field_set_state(sizes, FIELD_OMITTED);
	assert_false(field_option_is_on(sizes, 2));
	field_option_set(sizes, 2, true);
	field_option_set(days, 0, false);
	field_option_set(days, 1, false);
	assert_form_json(form, "{\"days\":[],\"sizes\":[7]}");
	assert_int_equal(form_check(form), 1);
	assert_non_null(field_view(days).problem);
	assert_facts(form, "days", "array of 2 choices, at least 1 item, required");
	form_destroy(form);
}

TEST_FILE(form)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_nullable),
		cmocka_unit_test(test_defaults_and_states),
		cmocka_unit_test(test_where_defaults_are_sent),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_undo_is_bounded),
		cmocka_unit_test(test_numbers_as_typed),
		cmocka_unit_test(test_refs),
		cmocka_unit_test(test_recursive),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_nothing_lost),
		cmocka_unit_test(test_extra_fields),
		cmocka_unit_test(test_json_mode),
		cmocka_unit_test(test_whole_as_text),
		cmocka_unit_test(test_set_by_path),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_too_many_for_widgets),
		cmocka_unit_test(test_lists_of_choices_are_ticked_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
