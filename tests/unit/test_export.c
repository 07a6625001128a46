/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "base/mem.h"
#include "data/table_export.h"
#include "quoted.h"

#include <stdlib.h>
#include <string.h>

static void
assert_export(const char *value, const char *format, const char *expected)
{
	struct json_doc *doc = parse_quoted(value);
	struct buf out = BUF_INIT;
	struct err err = { "" };

	if (!export_write(json_root(doc), NULL, format, NULL, &out, &err))
		fail_msg("%s", err.text);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_csv(void **state)
{
	assert_export("{'users':[{'id':1,'name':'Ann'},{'id':2,'name':'Bob'}],'total':2}", "csv",
	    "id,name\r\n1,Ann\r\n2,Bob\r\n");
	assert_export("[{'a,b':'x,y','c':'say \\\"hi\\\"','d':'two\\nlines\\rmore'}]", "csv",
	    "\"a,b\",c,d\r\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\rmore\"\r\n");
	assert_export(
	    "[{'n':12345678901234567890.10,'b':true,'l':[1,'x'],'o':{'p':{'q':{'r':{'s':1}}}}}]",
	    "csv",
	    "n,b,l,o.p.q.r\r\n12345678901234567890.10,true,\"[1,\"\"x\"\"]\",\"{\"\"s\"\":1}"
	    "\"\r\n");
}

/* An absent value, null and "" are three things. */
static void
test_absent(void **state)
{
	static const char rows[] = "[{'a':1,'b':null},{'b':''},{'a':'null','b':' '}]";

	assert_export(rows, "csv", "a,b\r\n1,null\r\n,\"\"\r\nnull, \r\n");
	assert_export(rows, "tsv", "a\tb\n1\tnull\n\t\nnull\t \n");
	assert_export(
	    rows, "jsonl", "{\"a\":1,\"b\":null}\n{\"b\":\"\"}\n{\"a\":\"null\",\"b\":\" \"}\n");
}

/* Names once, in front, also of a part of the rows. */
static void
test_heading(void **state)
{
	static const char matrix[] = "[['a','b'],['x',1],['y',2]]";
	struct json_doc *doc = parse_quoted(matrix);
	struct table_spot spot = { .node = json_root(doc), .kind = TABLE_ARRAYS };
	struct table t;
	struct buf out = BUF_INIT;

	assert_export(matrix, "csv", "a,b\r\nx,1\r\ny,2\r\n");
	assert_export(matrix, "jsonl", "[\"a\",\"b\"]\n[\"x\",1]\n[\"y\",2]\n");
	table_init(&t, &spot, NULL);
	assert_true(export_is_whole(&t));
	table_filter(&t, "b > 1");
	assert_true(export_table(&t, "json", NULL, &out, NULL));
	assert_string_equal(buf_text(&out), "[\n  [\"a\",\"b\"],\n  [\"y\",2]\n]\n");
	buf_finish(&out);
	table_finish(&t);
	json_doc_destroy(doc);
}

static void
test_tsv(void **state)
{
	assert_export("[{'k\\tey':'a\\tb','x':'c\\nd\\\\e\\rf'}]", "tsv",
	    "k\\tey\tx\na\\tb\tc\\nd\\\\e\\rf\n");
}

/* A spreadsheet must not compute what a server sent. */
static void
test_formulas(void **state)
{
	static const char rows[] =
	    "[{'=k':'=1+1','@':-5,'n':'-5'},{'=k':'+cmd|x','@':'@A1','n':'-5x'},"
	    "{'=k':'\\t=1','@':'\xef\xbc\x9d"
	    "1','n':'a=1'}]";

	assert_export(rows, "csv",
	    "'=k,'@,n\r\n'=1+1,-5,-5\r\n'+cmd|x,'@A1,'-5x\r\n'\t=1,'\xef\xbc\x9d"
	    "1,a=1\r\n");
	assert_export(rows, "tsv",
	    "'=k\t'@\tn\n'=1+1\t-5\t-5\n'+cmd|x\t'@A1\t'-5x\n'\\t=1\t'\xef\xbc\x9d"
	    "1\ta=1\n");
}

static void
test_markdown(void **state)
{
	assert_export("[{'a|b':1,'c':'x|y\\nz\\r\\n\\\\'},{'c':null}]", "md",
	    "| a\\|b | c |\n| --- | --- |\n| 1 | x\\|y<br>z<br>\\\\ |\n|  | null |\n");
	assert_export("[{'a':1}]", "markdown", "| a |\n| --- |\n| 1 |\n");
}

static void
test_json(void **state)
{
	assert_export("{'b':1.10,'a':[1,{}]}", "json",
	    "{\n  \"b\": 1.10,\n  \"a\": [\n    1,\n    {}\n  ]\n}\n");
	assert_export("{'a':1,'o':{'b':2,'c':'x'}}", "csv", "a,o.b,o.c\r\n1,2,x\r\n");
	assert_export("{'a':1}", "jsonl", "{\"a\":1}\n");
	assert_export("null", "json", "null\n");
	assert_export("[1,'x',null,[2]]", "jsonl", "1\n\"x\"\nnull\n[2]\n");
}

static void
test_map(void **state)
{
	static const char map[] = "{'a,b':{'x':1},'c':{'x':2}}";

	assert_export(map, "csv", "key,x\r\n\"a,b\",1\r\nc,2\r\n");
	assert_export(map, "md", "| key | x |\n| --- | --- |\n| a,b | 1 |\n| c | 2 |\n");
	assert_export(map, "jsonl", "{\"a,b\":{\"x\":1}}\n{\"c\":{\"x\":2}}\n");
}

static void
test_other_tables(void **state)
{
	assert_export("['a','',3]", "csv", "value\r\na\r\n\"\"\r\n3\r\n");
	assert_export("[[1,2],[3]]", "csv", "0,1\r\n1,2\r\n3,\r\n");
	assert_export("{'rows':[]}", "csv", "value\r\n");
}

/* Values that are not strings become strings. */
static void
test_not_utf8(void **state)
{
	assert_export("['a\\u0000b','\\ud800x','\\udc00']", "csv",
	    "value\r\na\xef\xbf\xbd"
	    "b\r\n\xef\xbf\xbdx\r\n\xef\xbf\xbd\r\n");
	assert_export("[{'\\u0000':1}]", "tsv", "\xef\xbf\xbd\n1\n");
}

static void
assert_refused(const char *value, const char *format, const char *why)
{
	struct json_doc *doc = parse_quoted(value);
	struct buf out = BUF_INIT;
	struct err err = { "" };

	assert_false(export_write(json_root(doc), NULL, format, NULL, &out, &err));
	assert_string_equal(err.text, why);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_refused(void **state)
{
	static const char why[] = "this value is neither array nor object: export json writes it";

	assert_refused("'a'", "csv", why);
	assert_refused("3", "jsonl", why);
	assert_refused("[1]", "xml", "formats: json, jsonl, csv, tsv, md; not xml");
	assert_refused("[1]", "", "formats: json, jsonl, csv, tsv, md; not ");
}

/* The columns at these places, in this order. */
static void
assert_arranged(const char *value, const size_t *places, size_t count, const char *expected)
{
	struct json_doc *doc = parse_quoted(value);
	struct buf out = BUF_INIT;
	struct table_spots spots;
	struct table table;
	struct err err;

	shape_find(&spots, json_root(doc), NULL);
	table_init(&table, &spots.items[0], NULL);
	assert_true(export_is_whole(&table));
	size_t *own = mem_alloc(count * sizeof(*own));
	table_arrange(&table, memcpy(own, places, count * sizeof(*own)), count);
	assert_false(export_is_whole(&table));
	assert_true(export_table(&table, "jsonl", NULL, &out, &err));
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	table_finish(&table);
	shape_finish(&spots);
	json_doc_destroy(doc);
}

/* A row has the members that its columns are made of, each once, an absent one not. */
static void
test_shown_members(void **state)
{
	static const char rows[] = "[{'id':1,'o':{'a':2,'b':{'c':3,'d':4}},'s':5},{'id':2,'o':null,"
				   "'s':[6]},{'o':{'a':7}}]";

	/* id, o.a, o.b.c, o.b.d, s */
	assert_arranged(
	    rows, (const size_t[]){ 0, 4 }, 2, "{\"id\":1,\"s\":5}\n{\"id\":2,\"s\":[6]}\n{}\n");
	assert_arranged(rows, (const size_t[]){ 3, 0, 1 }, 3,
	    "{\"o\":{\"b\":{\"d\":4},\"a\":2},\"id\":1}\n{\"o\":null,\"id\":2}\n{\"o\":{\"a\":7}}"
	    "\n");
	assert_arranged("[[1,2,3],[4]]", (const size_t[]){ 2, 0 }, 2, "[3,1]\n[null,4]\n");
	assert_arranged("{'x':{'a':1,'b':2},'y':{'a':3}}", (const size_t[]){ 1 }, 1,
	    "{\"x\":{\"b\":2}}\n{\"y\":{}}\n");
}

/* A snapshot keeps the shown rows. A stopped job writes no more rows. */
static void
test_snapshot(void **state)
{
	struct json_doc *doc = parse_quoted("[{'id':1,'a':'x'},{'id':2,'a':'y'},{'id':3,'a':'z'}]");
	struct buf out = BUF_INIT;
	struct job job = { .progress = 7 };
	struct table_spots spots;
	struct table table;
	struct err err;

	shape_find(&spots, json_root(doc), NULL);
	table_init(&table, &spots.items[0], NULL);
	table_sort(&table, &(struct sort_key){ .column = 0, .descending = true }, 1);
	table_filter(&table, "id > 1");
	size_t *places = mem_zalloc(sizeof(*places));
	table_arrange(&table, places, 1);
	table_select(&table, 1, 2, true);
	struct table *snapshot = table_snapshot(&table);
	assert_false(export_is_whole(snapshot));
	table_select_none(&table);
	table_filter(&table, "");
	table_finish(&table);
	assert_true(export_table(snapshot, "csv", &job, &out, &err));
	assert_string_equal(buf_text(&out), "id\r\n2\r\n");
	assert_int_equal(job_progress(&job), 0);
	buf_clear(&out);
	job_stop(&job);
	assert_true(export_table(snapshot, "csv", &job, &out, &err));
	assert_string_equal(buf_text(&out), "id\r\n");
	table_snapshot_destroy(snapshot);
	table_snapshot_destroy(NULL);
	buf_finish(&out);
	shape_finish(&spots);
	json_doc_destroy(doc);
}

static void
test_formats(void **state)
{
	static const char *const names[] = { "json", "jsonl", "csv", "tsv", "md" };

	for (size_t i = 0; i < 5; i++)
		assert_string_equal(export_format(i), names[i]);
	assert_null(export_format(5));
	assert_null(export_format(SIZE_MAX));
}

TEST_FILE(export)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_heading),
		cmocka_unit_test(test_tsv),
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_other_tables),
		cmocka_unit_test(test_not_utf8),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_shown_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
