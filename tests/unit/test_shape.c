/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/vec.h"
#include "data/shape.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* "/users objects, /tags scalars; best 0" */
static void
describe(const char *value, const char *schema, struct buf *out)
{
	static const char *const kinds[] = { "objects", "arrays", "map", "scalars" };
	struct json_doc *v = parse_quoted(value), *s = schema ? parse_quoted(schema) : NULL;
	struct table_spots spots;

	shape_find(&spots, json_root(v), s ? json_root(s) : NULL);
	for (size_t i = 0; i < spots.len; i++)
		buf_addf(out, "%s%s%s", spots.items[i].pointer, *spots.items[i].pointer ? " " : "",
		    kinds[spots.items[i].kind]),
		    buf_add_str(out, ", ");
	buf_addf(out, "best %zu", shape_best(&spots));
	shape_finish(&spots);
	assert_null(spots.items);
	json_doc_destroy(v);
	json_doc_destroy(s);
}

static void
assert_spots(const char *value, const char *schema, const char *expected)
{
	struct buf out = BUF_INIT;

	describe(value, schema, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_root_array(void **state)
{
	assert_spots("[{'a':1},{'b':2}]", NULL, "objects, best 0");
	assert_spots("[[1,2],[3]]", NULL, "arrays, best 0");
	assert_spots("[1,'a',null]", NULL, "scalars, best 0");
	assert_spots("[{},1]", NULL, "objects, best 0");
	assert_spots("[1,2,{}]", NULL, "scalars, best 0");
	assert_spots("[]", NULL, "scalars, best 0");
}

static void
test_no_table(void **state)
{
	assert_spots("{'a':1}", NULL, "best 0");
	assert_spots("{}", NULL, "best 0");
	assert_spots("3", NULL, "best 0");
	assert_spots("null", NULL, "best 0");
	assert_spots("'[]'", NULL, "best 0");
}

static void
test_absent(void **state)
{
	struct table_spots spots;

	shape_find(&spots, NULL, NULL);
	assert_int_equal(spots.len, 0);
	shape_finish(&spots);
}

static void
test_under_keys(void **state)
{
	assert_spots("{'users':[{'id':1}],'total':1}", NULL, "/users objects, best 0");
	assert_spots("{'tags':['a'],'users':[{'id':1}],'grid':[[1]]}", NULL,
	    "/tags scalars, /users objects, /grid arrays, best 1");
	assert_spots(
	    "{'page':{'deep':{'rows':[{'a':1}]}}}", NULL, "/page/deep/rows objects, best 0");
	/* of its kind the least deep */
	assert_spots("{'page':{'rows':[{'a':1}]},'users':[{'a':1}],'more':[{'a':1}]}", NULL,
	    "/page/rows objects, /users objects, /more objects, best 1");
	assert_spots("{'a/b':{'~':[1]}}", NULL, "/a~1b/~0 scalars, best 0");
	assert_spots("{'':[1]}", NULL, "/ scalars, best 0");
	/* rows are not looked into */
	assert_spots("{'users':[{'tags':[1,2]}]}", NULL, "/users objects, best 0");
}

static void
test_map(void **state)
{
	assert_spots("{'ann':{'age':1},'bob':{'age':2}}", NULL, "map, best 0");
	assert_spots("{'ann':{'age':1}}", NULL, "best 0");
	assert_spots("{'ann':{'age':1},'bob':{'size':2}}", NULL, "best 0");
	assert_spots("{'ann':{'age':1},'bob':3}", NULL, "best 0");
	assert_spots("{'ann':{},'bob':{}}", NULL, "best 0");
	/* it may as well be an object of two parts */
	assert_spots("{'users':{'items':[{'a':1}],'n':1},'orders':{'items':[],'n':0}}", NULL,
	    "map, /users/items objects, /orders/items scalars, best 1");
}

static void
test_big_map_is_not_looked_into(void **state)
{
	struct buf value = BUF_INIT;

	for (int i = 0; i < 50; i++)
		buf_addf(&value, "%s'k%d':{'tags':[]}", i ? "," : "{", i);
	buf_add_char(&value, '}');
	assert_spots(buf_text(&value), NULL, "map, best 0");
	buf_finish(&value);
}

static void
test_empty_array_with_schema(void **state)
{
	static const char *const objects[] = {
		"{'properties':{'a':{'items':{'properties':{'x':{}}}}}}",
		"{'properties':{'a':{'$ref':'#/$defs/list'}},"
		"'$defs':{'list':{'items':{'$ref':'#/$defs/x'}},'x':{'properties':{'x':{}}}}}",
		"{'properties':{'a':{'anyOf':[{'type':'null'},{'items':{'allOf':[{},"
		"{'properties':{'x':{}}}]}}]}}}",
		"{'allOf':[{'properties':{'b':{}}},"
		"{'properties':{'a':{'items':{'properties':{'x':{}}}}}}]}",
		"{'$ref':'#/$defs/r','$defs':{'r':{'additionalProperties':{'items':{'oneOf':["
		"{'properties':{'x':{}}}]}}}}}",
	};
	static const char *const scalars[] = {
		"{}",
		"true",
		"{'properties':{'a':{'items':{'type':'string'}}}}",
		"{'properties':{'a':{'items':[{'properties':{'x':{}}}]}}}",
		"{'properties':{'a':{'$ref':'http://example.com/#/x'}}}",
		"{'properties':{'a':{'$ref':'#/nowhere'}}}",
		"{'properties':{'a':{'items':{'properties':3}}}}",
	};

	for (size_t i = 0; i < ARRAY_LEN(objects); i++)
		assert_spots("{'a':[]}", objects[i], "/a objects, best 0");
	for (size_t i = 0; i < ARRAY_LEN(scalars); i++)
		assert_spots("{'a':[]}", scalars[i], "/a scalars, best 0");
}

/* Schemas that lead back to themselves end. */
static void
test_circular_schemas(void **state)
{
	struct buf schema = BUF_INIT;

	assert_spots("{'a':[]}", "{'$ref':'#'}", "/a scalars, best 0");
	assert_spots("{'a':{'b':[]}}",
	    "{'properties':{'a':{'$ref':'#'},'b':{'$ref':'#/properties/b'}}}",
	    "/a/b scalars, best 0");
	buf_add_str(&schema, "{'allOf':[");
	for (int i = 0; i < 500; i++)
		buf_addf(
		    &schema, "%s{'allOf':[{'$ref':'#'},{'$ref':'#/allOf/%d'}]}", i ? "," : "", i);
	buf_add_str(&schema, "]}");
	assert_spots("{'a':{'b':{'c':{'d':[]}}}}", buf_text(&schema), "/a/b/c/d scalars, best 0");
	buf_finish(&schema);
}

static void
test_branches(void **state)
{
	struct json_doc *doc =
	    parse_quoted("{'$ref':'#/$defs/a','anyOf':[{'title':'x'},true,3],"
			 "'$defs':{'a':{'title':'a','allOf':[{'title':'y'},{'$ref':'#'}]}}}");
	const cJSON *root = json_root(doc), *a = json_get(json_get(root, "$defs"), "a");
	struct schema_branches b;

	schema_branches(&b, root, root);
	assert_int_equal(b.len, 5);
	assert_ptr_equal(b.items[0], root);
	assert_ptr_equal(b.items[1], a);
	assert_string_equal(json_get_string(b.items[2], "title"), "x");
	assert_string_equal(json_get_string(b.items[3], "title"), "y");
	schema_branches(&b, NULL, NULL);
	assert_int_equal(b.len, 0);
	json_doc_destroy(doc);
}

/* Nothing is looked through without end. */
static void
test_bounds(void **state)
{
	struct buf value = BUF_INIT;
	struct table_spots spots;

	for (int i = 0; i < 100000; i++)
		buf_addf(&value, "%s'k%d':%s", i ? "," : "{", i, i % 2 ? "{'x':{'y':1}}" : "[1]");
	buf_add_char(&value, '}');
	struct json_doc *doc = parse_quoted(buf_text(&value));
	shape_find(&spots, json_root(doc), NULL);
	assert_int_equal(spots.len, 200);
	shape_finish(&spots);
	json_doc_destroy(doc);
	buf_clear(&value);
	for (int i = 0; i < 900; i++)
		buf_add_str(&value, "{'a':");
	buf_add_str(&value, "[1]");
	for (int i = 0; i < 900; i++)
		buf_add_char(&value, '}');
	assert_spots(buf_text(&value), NULL, "best 0");
	buf_finish(&value);
}

static void
test_types_in_words(void **state)
{
	static const char *const cases[][2] = {
		{ "{'type':'array','items':{'type':'integer'}}", "array of integer" },
		{ "{'type':['integer','null']}", "integer or null" },
		{ "{'anyOf':[{'type':'string'},{'type':'integer'},{'type':'array','items':{'type':"
		  "'integer'}},{'type':'null'}]}",
		    "string or integer or array of integer or null" },
		{ "{'oneOf':[{'$ref':'#/$defs/a'},{'$ref':'#/$defs/a'}],'$defs':{'a':{'properties':"
		  "{'x':{}}}}}",
		    "object" },
		{ "{'description':'?'}", "any value" },
		/* of themselves */
		{ "{'type':'array','items':{'$ref':'#'}}",
		    "array of array of array of array of array of array of …" },
		{ "{'$ref':'#'}", "…" },
		{ "{'anyOf':[{'$ref':'#'},{'type':'null'}]}", "…" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_doc *schema = parse_quoted(cases[i][0]);
		struct buf out = BUF_INIT;
		shape_add_type(json_root(schema), json_root(schema), &out);
		assert_string_equal(buf_text(&out), cases[i][1]);
		buf_finish(&out);
		json_doc_destroy(schema);
	}
}

TEST_FILE(shape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_root_array),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_under_keys),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_big_map_is_not_looked_into),
		cmocka_unit_test(test_empty_array_with_schema),
		cmocka_unit_test(test_circular_schemas),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_types_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
