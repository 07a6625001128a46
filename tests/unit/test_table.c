/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/clock.h"
#include "base/vec.h"
#include "json/print.h"
#include "data/table.h"
#include "quoted.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* A value, perhaps its schema, and the first table of it. */
struct fixture {
	struct json_doc *value, *schema;
	struct table_spots spots;
	struct table table;
};

static struct fixture
open_table(const char *value, const char *schema)
{
	struct fixture f = { .value = parse_quoted(value),
		.schema = schema ? parse_quoted(schema) : NULL };
	const cJSON *root = f.schema ? json_root(f.schema) : NULL;

	shape_find(&f.spots, json_root(f.value), root);
	assert_true(f.spots.len > 0);
	table_init(&f.table, &f.spots.items[shape_best(&f.spots)], root);
	return f;
}

static void
close_table(struct fixture *f)
{
	table_finish(&f->table);
	shape_finish(&f->spots);
	json_doc_destroy(f->value);
	json_doc_destroy(f->schema);
}

/* Columns, then rows as shown: "id name; 1 "Ann"; 2 -" */
static void
print_table(const struct table *t, struct buf *out)
{
	for (size_t c = 0; c < t->columns.len; c++)
		buf_addf(out, "%s%s", c ? " " : "", t->columns.items[c].name);
	for (size_t i = 0; i < t->shown; i++) {
		const char *key = table_row_key(t, t->order[i]);
		buf_addf(out, ";%s%s", key ? " " : "", key ? key : "");
		for (size_t c = 0; c < t->columns.len; c++) {
			const cJSON *cell = table_cell(t, t->order[i], c);
			buf_add_char(out, ' ');
			if (cell)
				json_print(out, cell);
			else
				buf_add_char(out, '-');
		}
	}
}

static void
assert_table(const char *value, const char *schema, const char *expected)
{
	struct fixture f = open_table(value, schema);
	struct buf out = BUF_INIT;
	char *text = quoted(expected);

	print_table(&f.table, &out);
	assert_string_equal(buf_text(&out), text);
	free(text);
	buf_finish(&out);
	close_table(&f);
}

static void
test_first_seen(void **state)
{
	assert_table("[{'b':1,'a':2},{'a':3,'c':4}]", NULL, "b a c; 1 2 -; - 3 4");
	assert_table("[{},{'a':null}]", NULL, "a; -; null");
	assert_table("[{}]", NULL, "value; {}");
	assert_table("[]", NULL, "value");
}

static void
test_schema_order(void **state)
{
	assert_table("[{'c':3,'x':9,'a':1},{'b':2}]",
	    "{'items':{'properties':{'a':{},'b':{},'c':{}}}}", "a b c x; 1 - 3 9; - 2 - -");
	assert_table("{'u':[{'b':1}]}",
	    "{'properties':{'u':{'anyOf':[{'type':'null'},{'type':'array','items':{'$ref':'#/$defs/"
	    "u'}}]}},"
	    "'$defs':{'u':{'allOf':[{'properties':{'a':{}}},{'properties':{'b':{},'a':{}}}]}}}",
	    "b; 1");
	assert_table("[]", "{'items':{'properties':{'a':{},'b':{}}}}", "a b");
	assert_table(
	    "[{'a':1}]", "{'items':{'required':['z','a',3],'properties':{'a':{}}}}", "a z; 1 -");
}

/* Declared, and in no row: counted, unless the schema requires it. An object that no row has is one
 * column, not one for each of its members. */
static void
test_empty_columns(void **state)
{
	static const char schema[] =
	    "{'items':{'required':['work','must'],'properties':{'id':{},'refs':{},'must':{},"
	    "'home':{'properties':{'city':{},'zip':{}}},'work':{'properties':{'city':{},'zip':{}}},"
	    "'at':{'properties':{'x':{},'y':{}}}}}}";
	struct fixture f = open_table(
	    "[{'id':1,'work':null,'at':{'x':1}},{'id':2,'work':null,'at':null}]", schema);
	struct buf out = BUF_INIT;

	print_table(&f.table, &out);
	assert_string_equal(buf_text(&out), "id must work at.x; 1 - null 1; 2 - null null");
	assert_string_equal(f.table.empty, "refs, home, at.y");
	assert_int_equal(f.table.empty_count, 3);
	buf_finish(&out);
	close_table(&f);
	f = open_table("[]", schema);
	assert_int_equal(f.table.columns.len, 9);
	assert_int_equal(f.table.empty_count, 0);
	close_table(&f);
	assert_table("[{},{}]", schema, "must work; - -; - -");
}

/* A type that contains itself is not spread in itself. */
static void
test_recursive_type(void **state)
{
	static const char schema[] =
	    "{'items':{'$ref':'#/$defs/n'},'$defs':{'n':{'properties':{'child':{'anyOf':[{'$ref':"
	    "'#/$defs/n'},{'type':'null'}]},'id':{},'pos':{'$ref':'#/$defs/p'},'end':{'$ref':"
	    "'#/$defs/p'}}},'p':{'properties':{'x':{},'y':{}}}}}";

	assert_table("[{'id':1,'child':null,'pos':{'x':1,'y':2}}]", schema,
	    "child id pos.x pos.y; null 1 1 2");
	assert_table("[{'id':1,'child':{'id':2,'child':null}},{'id':3}]", schema,
	    "child id; {\"id\":2,\"child\":null} 1; - 3");
	/* neither in itself nor in another type */
	assert_table("[{'in':{'to':{'in':{'to':{'x':1}},'x':2},'y':3}}]",
	    "{'items':{'$ref':'#/$defs/a'},'$defs':{'a':{'properties':{'in':{'$ref':'#/$defs/b'}}},"
	    "'b':{'properties':{'to':{'$ref':'#/$defs/a'},'y':{}}}}}",
	    "in.to in.y; {\"in\":{\"to\":{\"x\":1}},\"x\":2} 3");
	struct fixture f = open_table("[]", schema);
	assert_int_equal(f.table.columns.len, 6);
	close_table(&f);
}

/* A null instead of an object is in the first of its columns. */
static void
test_told_once(void **state)
{
	struct fixture f = open_table("[{'id':1,'at':{'x':1,'geo':{'lat':1,'lon':2}},'n':1},"
				      "{'id':2,'at':null,'n':null},{'at':{'x':null,'geo':null}}]",
	    NULL);

	for (size_t column = 0; column < 5; column++) { /* id at.x at.geo.lat at.geo.lon n */
		assert_false(table_cell_is_told(&f.table, 0, column));
		assert_true(
		    table_cell_is_told(&f.table, 1, column) == (column == 2 || column == 3));
		assert_true(table_cell_is_told(&f.table, 2, column) == (column == 3));
	}
	close_table(&f);
}

static void
test_dotted(void **state)
{
	assert_table(
	    "[{'id':1,'at':{'city':'X','geo':{'lat':2}}}]", NULL, "id at.city at.geo.lat; 1 'X' 2");
	assert_table("[{'at':{'zip':1,'city':2}}]",
	    "{'items':{'properties':{'at':{'anyOf':[{'properties':{'city':{},'zip':{}}},{'type':"
	    "'null'}]}}}}",
	    "at.city at.zip; 2 1");
	/* past the bound the object stays in its cell */
	assert_table("[{'a':{'b':{'c':{'d':{'e':1}}}}}]", NULL, "a.b.c.d; {'e':1}");
	assert_table("[{'a':{}},{'a':[{'b':1}]}]", NULL, "a; {}; [{'b':1}]");
}

/* A null instead of an object is the value of all its columns; another value is not. */
static void
test_spread(void **state)
{
	size_t row, column;
	struct fixture f = open_table("[{'at':{'x':1}},{'at':null},null]", NULL);

	assert_int_equal(f.table.columns.len, 2);
	assert_string_equal(f.table.columns.items[0].name, "at.x");
	assert_int_equal(json_type(table_cell(&f.table, 1, 0)), JSON_NULL);
	assert_null(table_cell(&f.table, 2, 0));
	assert_int_equal(json_type(table_cell(&f.table, 2, 1)), JSON_NULL);
	assert_true(table_find_pointer(&f.table, "/1/at", &row, &column));
	assert_int_equal(column, 0);
	close_table(&f);
	f = open_table("[{'at':{'x':1}},{'at':7}]", NULL);
	assert_int_equal(f.table.columns.len, 2);
	assert_true(f.table.columns.items[1].spread);
	assert_int_equal(f.table.columns.items[1].width, 3);
	assert_null(table_cell(&f.table, 1, 0));
	assert_int_equal(table_cell(&f.table, 1, 1)->valuedouble, 7);
	assert_true(table_find_pointer(&f.table, "/1/at", &row, &column));
	assert_int_equal(column, 1);
	close_table(&f);
}

static void
test_mixed_rows(void **state)
{
	assert_table(
	    "[{'a':1},7,null,[2],{'a':'x'}]", NULL, "a value; 1 -; - 7; - null; - [2]; 'x' -");
	assert_table("['a',1,{'k':2}]", NULL, "k value; - 'a'; - 1; 2 -");
	assert_table("['a',null]", NULL, "value; 'a'; null");
}

static void
test_arrays(void **state)
{
	assert_table(
	    "[[1,2],[3],[],[4,[5],{'a':6}]]", NULL, "0 1 2; 1 2 -; 3 - -; - - -; 4 [5] {'a':6}");
	assert_table("[[1],{'a':1,'b':2,'c':3}]", NULL, "a b c value; - - - [1]; 1 2 3 -");
	assert_table(
	    "[[1],[2],{'a':1,'b':2,'c':3}]", NULL, "0 value; 1 -; 2 -; - {'a':1,'b':2,'c':3}");
	assert_table("[[],[]]", NULL, "value; []; []");
}

static void
test_map(void **state)
{
	assert_table("{'ann':{'age':1},'bob':{'age':2,'x':3}}", NULL, "age x; ann 1 -; bob 2 3");
	assert_table("{'ann':{'age':1},'bob':{'age':2}}",
	    "{'additionalProperties':{'properties':{'name':{},'age':{}}}}", "age; ann 1; bob 2");
}

/* The first of equal keys counts. */
static void
test_duplicate_keys(void **state)
{
	assert_table("[{'a':1,'a':2,'b':3}]", NULL, "a b; 1 3");
	assert_table("{'k':{'a':1},'k':{'a':2}}", NULL, "a; k 1; k 2");
}

static void
test_awkward_keys(void **state)
{
	struct fixture f = open_table("[{'':1,'a.b':2,'a':{'b':3},'~/':4,'\\u0000':5}]", NULL);
	size_t row, column;

	assert_int_equal(f.table.columns.len, 5);
	assert_int_equal(table_find_column(&f.table, ""), 0);
	assert_int_equal(table_find_column(&f.table, "a.b"), 1);
	assert_int_equal(table_find_column(&f.table, "nothing"), SIZE_MAX);
	/* equal names, different places */
	assert_true(table_find_pointer(&f.table, "/0/a.b", &row, &column));
	assert_int_equal(column, 1);
	assert_true(table_find_pointer(&f.table, "/0/a/b", &row, &column));
	assert_int_equal(column, 2);
	assert_true(table_find_pointer(&f.table, "/0/~0~1", &row, &column));
	assert_int_equal(column, 3);
	assert_true(table_find_pointer(&f.table, "/0/", &row, &column));
	assert_int_equal(column, 0);
	close_table(&f);
}

static void
test_find_pointer(void **state)
{
	static const char *const nowhere[] = { "", "/", "/3", "/-1", "/01", "/+1", "/ 1", "/1x",
		"/99999999999999999999", "/~2", "x" };
	struct fixture f = open_table("[{'a':1,'b':{'c':[1,2]}},{'a':2},{'a':3}]", NULL);
	size_t row, column;

	assert_true(table_find_pointer(&f.table, "/2", &row, &column));
	assert_int_equal(row, 2);
	assert_int_equal(column, SIZE_MAX);
	assert_true(table_find_pointer(&f.table, "/0/b/c/1", &row, &column));
	assert_string_equal(f.table.columns.items[column].name, "b.c");
	assert_true(table_find_pointer(&f.table, "/1/unheard", &row, &column));
	assert_int_equal(row, 1);
	assert_int_equal(column, SIZE_MAX);
	for (size_t i = 0; i < ARRAY_LEN(nowhere); i++)
		assert_false(table_find_pointer(&f.table, nowhere[i], &row, &column));
	close_table(&f);
	f = open_table("[[1,2],[3,4]]", NULL);
	assert_true(table_find_pointer(&f.table, "/1/1/x", &row, &column));
	assert_int_equal(row, 1);
	assert_int_equal(column, 1);
	assert_true(table_find_pointer(&f.table, "/1/7", &row, &column));
	assert_int_equal(column, SIZE_MAX);
	close_table(&f);
	f = open_table("{'a/b':{'x':1},'c':{'x':2}}", NULL);
	assert_true(table_find_pointer(&f.table, "/a~1b/x", &row, &column));
	assert_int_equal(row, 0);
	assert_int_equal(column, 0);
	assert_false(table_find_pointer(&f.table, "/0/x", &row, &column));
	close_table(&f);
}

static void
test_holder(void **state)
{
	struct fixture f = open_table(
	    "[{'a':{'b':{'c':1}}},{'a':{'b':{}}},{'a':{}},{},{'a':null},{'a':{'b':3}}]", NULL);
	size_t c = table_find_column(&f.table, "a.b.c");
	const char *key = NULL;

	assert_null(table_holder(&f.table, 0, c, &key));
	assert_ptr_equal(
	    table_holder(&f.table, 1, c, &key), json_get(json_get(f.table.rows[1], "a"), "b"));
	assert_string_equal(key, "c");
	assert_ptr_equal(table_holder(&f.table, 2, c, &key), json_get(f.table.rows[2], "a"));
	assert_string_equal(key, "b");
	assert_ptr_equal(table_holder(&f.table, 3, c, &key), f.table.rows[3]);
	assert_string_equal(key, "a");
	assert_null(table_holder(&f.table, 4, c, &key));
	assert_null(table_holder(&f.table, 5, c, &key));
	close_table(&f);
	f = open_table("[[1],[]]", NULL);
	assert_null(table_holder(&f.table, 1, 0, &key));
	close_table(&f);
}

static int
width_of(const char *value)
{
	struct fixture f = open_table(value, NULL);
	int width = f.table.columns.items[0].width;

	close_table(&f);
	return width;
}

static void
test_widths(void **state)
{
	assert_int_equal(width_of("[{'a':1,'z':0}]"), 3);
	assert_int_equal(width_of("[{'a':'four','z':0}]"), 4);
	assert_int_equal(width_of("[{'a long name':1,'z':0}]"), 11);
	assert_int_equal(width_of("[{'a':'null','z':0}]"), 6); /* with its quotes */
	assert_int_equal(width_of("[{'a':'日本','z':0}]"), 4);
	assert_int_equal(width_of("[{'a':1.25,'z':0},{'a':1000,'z':0}]"), 7);
	assert_int_equal(width_of("[{'a':12345678901234567890,'z':0}]"), 20);
	assert_int_equal(
	    width_of("[{'a':'0123456789012345678901234567890123456789012345678','z':0}]"), 40);
	/* the only column may be wide */
	assert_int_equal(width_of("['0123456789 123456789 123456789 123456789 12345678']"), 49);
	assert_int_equal(width_of("[{'a':[1,2,3],'z':0}]"), 9);
}

static void
test_numeric(void **state)
{
	struct fixture f = open_table(
	    "[{'n':1.5,'m':1,'s':'x','b':true},{'n':22,'m':'a','s':2,'b':null},{'n':null,'m':3}]",
	    NULL);
	const struct column *c = f.table.columns.items;

	assert_true(c[0].numeric);
	assert_int_equal(c[0].fraction, 2);
	assert_true(c[1].numeric);
	assert_int_equal(c[1].fraction, 0);
	assert_false(c[2].numeric);
	assert_false(c[3].numeric);
	close_table(&f);
}

/* Wide values far down count, too. */
static void
test_sparse_column(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_char(&value, '[');
	for (int i = 0; i < 5000; i++)
		buf_addf(&value, "%s{'a':%d%s}", i ? "," : "", i,
		    i == 4321 ? ",'rare':'a text of some width'" : "");
	buf_add_char(&value, ']');
	struct fixture f = open_table(buf_text(&value), NULL);
	assert_int_equal(f.table.columns.items[1].width, 20);
	close_table(&f);
	buf_finish(&value);
}

static void
test_too_many_columns(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_str(&value, "[{'first':0");
	for (int i = 0; i < 3000; i++)
		buf_addf(&value, ",'k%d':{'v':%d}", i, i);
	buf_add_str(&value, "}]");
	struct fixture f = open_table(buf_text(&value), NULL);
	assert_int_equal(f.table.columns.len, COLUMNS_MAX);
	assert_true(f.table.more_columns);
	assert_string_equal(f.table.columns.items[999].name, "k998.v");
	close_table(&f);
	buf_clear(&value);
	buf_add_str(&value, "[[0");
	for (int i = 1; i < COLUMNS_MAX; i++)
		buf_add_str(&value, ",0");
	buf_add_str(&value, "]]");
	f = open_table(buf_text(&value), NULL);
	assert_int_equal(f.table.columns.len, COLUMNS_MAX);
	assert_false(f.table.more_columns);
	close_table(&f);
	buf_truncate(&value, value.len - 2);
	buf_add_str(&value, ",1],7]");
	f = open_table(buf_text(&value), NULL);
	assert_int_equal(f.table.columns.len, COLUMNS_MAX + 1); /* the last is for the 7 */
	assert_true(f.table.more_columns);
	assert_int_equal(table_cell(&f.table, 1, COLUMNS_MAX)->valuedouble, 7);
	close_table(&f);
	buf_finish(&value);
}

/* Every row has a unique key, far beyond the limit: the time is still linear. */
static void
test_no_two_rows_alike(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_char(&value, '[');
	for (int i = 0; i < 200000; i++)
		buf_addf(&value, "%s{'%x':%d,'same':1}", i ? "," : "", i * 7919, i);
	buf_add_char(&value, ']');
	int64_t start_ms = clock_now_ms();
	struct fixture f = open_table(buf_text(&value), NULL);
	assert_true(
	    clock_now_ms() - start_ms < 20000); /* a tenth of a second; quadratic: minutes */
	assert_true(f.table.more_columns);
	assert_int_equal(f.table.shown, 200000);
	close_table(&f);
	buf_finish(&value);
}

/* Properties that refer back to their own object, each level twice as many. */
static void
test_circular_schema(void **state)
{
	struct buf schema = BUF_INIT;

	/* four types, each with members of the next one */
	buf_add_str(&schema, "{'items':{'$ref':'#/$defs/n0'},'$defs':{");
	for (int type = 0; type < 4; type++) {
		buf_addf(&schema, "%s'n%d':{'properties':{", type ? "," : "", type);
		for (int i = 0; i < 100; i++)
			buf_addf(&schema, "%s'p%d':{'$ref':'#/$defs/n%d'}", i ? "," : "", i,
			    (type + 1) % 4);
		buf_add_str(&schema, "}}");
	}
	buf_add_str(&schema, "}}");
	struct fixture f = open_table("[]", buf_text(&schema));
	assert_in_range(f.table.columns.len, COLUMNS_MAX - 100, COLUMNS_MAX);
	assert_true(f.table.more_columns);
	close_table(&f);
	buf_finish(&schema);
}

static void
test_ambiguous(void **state)
{
	static const char *const odd[] = { "", " ", " a", "a ", "null", "true", "false", "0",
		"-1.5e9", "\"", "\"a\"", "{}", "[1]", "{…}", "·", "⟨missing⟩" };
	static const char *const plain[] = { "a", "Null", "nullable", "01", "1.", "+1", "a b",
		"a\"", "··", "x[1]", "-", "½" };

	for (size_t i = 0; i < ARRAY_LEN(odd); i++)
		assert_true(text_is_ambiguous(odd[i]));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(text_is_ambiguous(plain[i]));
}

TEST_FILE(table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_seen),
		cmocka_unit_test(test_schema_order),
		cmocka_unit_test(test_empty_columns),
		cmocka_unit_test(test_recursive_type),
		cmocka_unit_test(test_told_once),
		cmocka_unit_test(test_dotted),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_mixed_rows),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_duplicate_keys),
		cmocka_unit_test(test_awkward_keys),
		cmocka_unit_test(test_find_pointer),
		cmocka_unit_test(test_holder),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_numeric),
		cmocka_unit_test(test_sparse_column),
		cmocka_unit_test(test_too_many_columns),
		cmocka_unit_test(test_no_two_rows_alike),
		cmocka_unit_test(test_circular_schema),
		cmocka_unit_test(test_ambiguous),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
