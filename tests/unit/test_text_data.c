/* SPDX-License-Identifier: MIT */
/* Which texts are data, and what becomes of them. */
#include "base/buf.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/rows.h"
#include "data/text_data.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
read_text(const char *text, enum text_data_kind kind, const char *json)
{
	struct json_doc *doc;
	struct buf out = BUF_INIT;
	enum text_data_kind got = text_data_read(text, strlen(text), NULL, &doc, NULL);

	if (doc)
		json_print(&out, json_root(doc));
	if (got != kind || strcmp(buf_text(&out), json) != 0)
		fail_msg("%s\nis read as %s: %s\nnot as %s: %s", text, text_data_names[got],
		    buf_text(&out), text_data_names[kind], json);
	assert_int_equal(doc != NULL, kind != TEXT_DATA_NONE);
	json_doc_destroy(doc);
	buf_finish(&out);
}

static const struct {
	const char *text;
	enum text_data_kind kind;
	const char *json;
} data[] = {
	{ "{}", TEXT_DATA_JSON, "{}" },
	{ " \n[1, 2]\n", TEXT_DATA_JSON, "[1,2]" },
	{ "\xef\xbb\xbf{\"a\":1}", TEXT_DATA_JSON, "{\"a\":1}" },
	{ "```json\n{\"a\":[1]}\n```", TEXT_DATA_JSON, "{\"a\":[1]}" },
	{ "```\n{\"a\":1}\n{\"a\":2}\n```\n", TEXT_DATA_JSON_LINES, "[{\"a\":1},{\"a\":2}]" },
	{ "{\"a\":1.10}\r\n\r\n{\"b\":12345678901234567890}\r\n", TEXT_DATA_JSON_LINES,
	    "[{\"a\":1.10},{\"b\":12345678901234567890}]" },
	{ "[1]\n[2,\"x\"]", TEXT_DATA_JSON_LINES, "[[1],[2,\"x\"]]" },
	{ "id,name\n1,Ada\n2,Bob\n", TEXT_DATA_CSV,
	    "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"}]" },
	{ "\nid,name,email\r\n1,Ada,\r\n", TEXT_DATA_CSV, "[{\"id\":1,\"name\":\"Ada\"}]" },
	{ "a,b,c\n\"x, \"\"y\"\"\n\",\"\",-0.50", TEXT_DATA_CSV,
	    "[{\"a\":\"x, \\\"y\\\"\\n\",\"b\":\"\",\"c\":-0.50}]" },
	{ "zip;ok;n\n00123;true;98765432109876543210", TEXT_DATA_CSV,
	    "[{\"zip\":\"00123\",\"ok\":true,\"n\":98765432109876543210}]" },
	{ ",x,y\n0,1,2\n", TEXT_DATA_CSV, "[{\"column 1\":0,\"x\":1,\"y\":2}]" },
	{ "Größe (cm),price/unit\n1,2\n3,4", TEXT_DATA_CSV,
	    "[{\"Größe (cm)\":1,\"price/unit\":2},{\"Größe (cm)\":3,\"price/unit\":4}]" },
	{ "k\tv\nsay \"hi\"\t a, b\n\t2\n", TEXT_DATA_TSV,
	    "[{\"k\":\"say \\\"hi\\\"\",\"v\":\" a, b\"},{\"v\":2}]" },
	{ "k\tv\tw\n1\t\t\n", TEXT_DATA_TSV, "[{\"k\":1}]" },
	{ "| a | b |\n|---|---|\n| 1 | x\\|y |\n", TEXT_DATA_MARKDOWN,
	    "[{\"a\":1,\"b\":\"x|y\"}]" },
	{ "Found two:\n\n a | b\n :-: | --:\n 1 |\n || 3\n\nThat is all.", TEXT_DATA_TABLES,
	    "[{\"a\":1},{\"b\":3}]" },
	{ "| a | a | |\n|---|---|---|\n| 1 | 2 | 3 |", TEXT_DATA_MARKDOWN,
	    "[{\"a\":1,\"column 2\":2,\"column 3\":3}]" },
	{ "# T\n## One\n|a|\n|-|\n|1|\n## Two ##\n|b|\n|-|\n|2|\n\n|c|\n|-|\n|3|\n",
	    TEXT_DATA_MARKDOWN,
	    "{\"One\":[{\"a\":1}],\"Two ##\":[{\"b\":2}],\"table 3\":[{\"c\":3}]}" },
	{ "|none|\n|-|\n\ntext\n\n|a|\n|-|\n|1|", TEXT_DATA_TABLES, "[{\"a\":1}]" },
};

static void
test_data(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(data); i++)
		read_text(data[i].text, data[i].kind, data[i].json);
}

static const char *const prose[] = {
	"",
	" ",
	"42",
	"\"text\"",
	"null",
	"hello",
	"{not json}",
	"[INFO] started [ok]",
	"Found 3 users: [{\"id\":1}]",
	"{\"a\":1} and more",
	"{\"a\":1}\nand more",
	"1\n2\n3",
	"{\"a\":1}\n[2]",
	"{\"a\":[{}\n{}]}",
	"{\"a\":[{}\n{}]},{\"b\":1}",
	"Hello, world\nGoodbye, moon\nAgain, nothing",
	"Dear Ada,\nthe table is ready,\nyours,\nBob",
	"yes,no\nmaybe,so",
	"a,b",
	"a,b,c",
	"1,5\n2,5\n3,5",
	"a,a,b\n1,2,3",
	"a,,b\n1,2,3",
	"a,b,c\n1,2",
	"a,b,c\n1,2,3,4",
	"a,b,c\n1,2,3\n\n4,5,6",
	"a,b,c\n\"1,2,3\n",
	"a,b,c\n\"1\"x,2,3\n",
	"f(a,b)\ng(c,d)\nh(e,f)",
	"x = 1; y = 2;\nz = 3; w = 4;\n",
	"int a;\nint b;\nint c;\n",
	"\treturn 1;\n\treturn 2;\n",
	"2026-01-01 10:00:00,123 INFO up\n2026-01-01 10:00:01,456 INFO up\n",
	"a | b\nc | d\n",
	"one | two\n---\nthree | four\n",
	"| a | b |\n|---|\n| 1 | 2 |",
	"| a |\n|---|\n",
	"```\n| a |\n|---|\n| 1 |\n```\ntext",
	"cat x | grep y\n--- | ---",
};

static void
test_prose(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(prose); i++)
		read_text(prose[i], TEXT_DATA_NONE, "");
}

static struct json_doc *
read_buf(const struct buf *text, struct job *job, enum text_data_kind kind)
{
	struct json_doc *doc;

	assert_int_equal(text_data_read(buf_text(text), text->len, job, &doc, NULL), kind);
	return doc;
}

/* Long arrays are lazy in every format. */
static void
test_long_texts(void **state)
{
	static const struct {
		const char *head, *row;
		enum text_data_kind kind;
	} kinds[] = {
		{ "", "{\"a\":1,\"b\":\"some text\"}\n", TEXT_DATA_JSON_LINES },
		{ "a,b\n", "1,some text\n", TEXT_DATA_CSV },
		{ "a\tb\n", "1\tsome text\n", TEXT_DATA_TSV },
		{ "|a|b|\n|-|-|\n", "|1|some text|\n", TEXT_DATA_MARKDOWN },
	};

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		struct buf text = BUF_INIT;
		buf_add_str(&text, kinds[k].head);
		for (int i = 0; i < 200000; i++)
			buf_add_str(&text, kinds[k].row);
		struct json_doc *doc = read_buf(&text, NULL, kinds[k].kind);
		assert_true(json_is_lazy(json_root(doc)));
		assert_int_equal(json_count(json_root(doc)), 200000);
		json_doc_destroy(doc);
		struct job stopped = { 0 };
		job_stop(&stopped);
		assert_null(read_buf(&text, &stopped, TEXT_DATA_NONE));
		buf_finish(&text);
	}
}

/* A few long names and many short rows would be a hundred times as much JSON. */
static void
test_it_does_not_explode(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%sname %d %0*d", i ? "," : "", i, 150, 0);
	for (int row = 0; row < 4000; row++) {
		buf_add_str(&text, "\n1");
		for (int i = 1; i < 1000; i++)
			buf_add_str(&text, ",1");
	}
	assert_null(read_buf(&text, NULL, TEXT_DATA_NONE));
	buf_finish(&text);
}

/* An error position is reported only if the text is almost certainly JSON. */
static void
test_broken_json(void **state)
{
	static const struct {
		const char *text, *why;
	} texts[] = {
		{ "{\"a\":1,}", "a comma before" },
		{ " [ {\"a\": 1}, {\"b", "without a closing quote" },
		{ "[\"a\" \"b\"]", "expected" },
		{ "{'a': 1}", "" },
		{ "[1] See there", "" },
		{ "[INFO] up", "" },
		{ "{", "" },
		{ "{\"a\":1}", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct json_error error = { 0 };
		struct json_doc *doc;
		text_data_read(texts[i].text, strlen(texts[i].text), NULL, &doc, &error);
		if (texts[i].why[0] ? !strstr(error.text, texts[i].why) : error.text[0] != 0)
			fail_msg("%s: %s", texts[i].text, error.text);
		json_doc_destroy(doc);
	}
}

static void
test_begins_json(void **state)
{
	assert_true(text_data_begins_json(" \n{", 3));
	assert_true(text_data_begins_json("\xef\xbb\xbf[", 4));
	assert_true(text_data_begins_json("```json", 7));
	assert_false(text_data_begins_json("ok {", 4));
	assert_false(text_data_begins_json("", 0));
}

TEST_FILE(text_data)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_it_does_not_explode),
		cmocka_unit_test(test_broken_json),
		cmocka_unit_test(test_begins_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
