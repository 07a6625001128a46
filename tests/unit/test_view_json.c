/* SPDX-License-Identifier: MIT */
#include "job_queue.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <string.h>

static struct viewer view;

static void
test_laid_out(void **state)
{
	viewer_open(&view, VIEW_json,
	    "{'n':12345678901234567890.10,'s':'a \\\"b\\\"','e':{},'l':[true,null],'日':'語'}",
	    NULL, 40, 20);
	assert_string_equal(viewer_text(&view), "▌{\n"
						"   \"n\": 12345678901234567890.10,\n"
						"   \"s\": \"a \\\"b\\\"\",\n"
						"   \"e\": {},\n"
						"   \"l\": [\n"
						"     true,\n"
						"     null\n"
						"   ],\n"
						"   \"日\": \"語\"\n"
						" }");
	assert_int_equal(viewer_cell(&view, 3, 1)->style.ink, ROLE_KEY_NAME);
	assert_int_equal(viewer_cell(&view, 8, 1)->style.ink, ROLE_NUMBER);
	assert_int_equal(viewer_cell(&view, 8, 2)->style.ink, ROLE_STRING);
	assert_int_equal(viewer_cell(&view, 5, 5)->style.ink, ROLE_BOOLEAN);
	assert_int_equal(viewer_cell(&view, 5, 6)->style.ink, ROLE_NULL_VALUE);
	assert_string_equal(viewer_facts(&view), " | json");
	viewer_close(&view);
}

/* The window follows the cursor. */
static void
test_moving(void **state)
{
	viewer_open(&view, VIEW_json, "[0,1,2,3,4,5,6,7,8,9]", NULL, 10, 3);
	assert_string_equal(viewer_text(&view), "▌[\n   0,\n   1,");
	assert_true(viewer_keys(&view, "down"));
	assert_string_equal(viewer_text(&view), " [\n▌  0,\n   1,");
	assert_string_equal(viewer_facts(&view), "/0 | json");
	assert_string_equal(viewer_selected(&view), "/0 0");
	viewer_keys(&view, "down down");
	assert_string_equal(viewer_text(&view), "   0,\n   1,\n▌  2,");
	viewer_keys(&view, "end");
	assert_string_equal(viewer_text(&view), "   8,\n   9\n▌]");
	viewer_keys(&view, "down pgdn");
	assert_string_equal(viewer_text(&view), "   8,\n   9\n▌]");
	assert_string_equal(viewer_facts(&view), " | json");
	viewer_keys(&view, "pgup");
	assert_string_equal(viewer_text(&view), "▌  8,\n   9\n ]");
	viewer_keys(&view, "home up pgup");
	assert_string_equal(viewer_text(&view), "▌[\n   0,\n   1,");
	viewer_mouse(&view, MOUSE_WHEEL_DOWN, 0, 0);
	assert_string_equal(viewer_text(&view), "▌  2,\n   3,\n   4,");
	assert_true(viewer_mouse(&view, MOUSE_PRESS, 0, 1));
	assert_string_equal(viewer_facts(&view), "/3 | json");
	assert_false(viewer_mouse(&view, MOUSE_PRESS, 0, 1));
	viewer_replace(&view, "7");
	assert_string_equal(viewer_text(&view), "▌7");
	viewer_close(&view);
}

/* The rest of a long line keeps its color. */
static void
test_wrapped(void **state)
{
	viewer_open(&view, VIEW_json, "{'k':'one two 3 true null four'}", NULL, 12, 6);
	viewer_text(&view);
	for (int y = 2; y < 4; y++)
		assert_int_equal(viewer_cell(&view, 1, y)->style.ink, ROLE_STRING);
	viewer_close(&view);
}

static void
test_hostile(void **state)
{
	viewer_open(&view, VIEW_json, "['\\u001b[31m','\\u202e','\\u0000','\\ud800']", NULL, 30, 6);
	const char *text = viewer_text(&view);
	assert_null(strchr(text, '\x1b'));
	assert_null(strstr(text, "\u202e"));
	viewer_close(&view);
}

/* A huge value is formatted to its end in a job, when its end comes into view; it may go meanwhile.
 */
static void
test_huge(void **state)
{
	struct job_queue queue;
	struct buf value = BUF_INIT;

	for (unsigned i = 0; i < 60000; i++)
		buf_addf(&value, "%s%u", i ? "," : "[", i);
	buf_add_char(&value, ']');
	job_queue_init(&queue);
	viewer_open(&view, VIEW_json, "0", NULL, 20, 3);
	view.jobs = &queue.jobs;
	viewer_replace(&view, buf_text(&value));
	assert_string_equal(viewer_text(&view), "▌[\n   0,\n   1,");
	viewer_keys(&view, "pgdn");
	assert_int_equal(queue.waiting.len, 0);
	viewer_keys(&view, "end");
	assert_int_equal(queue.waiting.len, 1);
	assert_non_null(strstr(viewer_facts(&view), " | json · to the end: 0 MB"));
	job_queue_run(&queue, NULL, NULL);
	assert_string_equal(viewer_text(&view), "   59998,\n   59999\n▌]");
	assert_string_equal(viewer_facts(&view), " | json");
	viewer_resize(&view, 5, 3); /* the rows are others */
	viewer_text(&view);
	viewer_keys(&view, "end");
	job_queue_run(&queue, NULL, NULL);
	assert_string_equal(viewer_text(&view), "   599\n 99\n▌]");
	viewer_replace(&view, buf_text(&value));
	viewer_keys(&view, "end");
	viewer_close(&view);
	job_queue_finish(&queue);
	buf_finish(&value);
}

static void
test_every_size(void **state)
{
	viewer_open(
	    &view, VIEW_json, "{'日本日本':['語語語語語語',{'x':[1,2,{}]}],'n':1e400}", NULL, 1, 1);
	for (int width = 0; width < 30; width++) {
		for (int height = 0; height < 14; height++) {
			viewer_resize(&view, width, height);
			viewer_text(&view);
			viewer_keys(&view, "pgdn");
			viewer_text(&view);
			viewer_keys(&view, "end");
			viewer_text(&view);
			viewer_keys(&view, "home");
		}
	}
	viewer_close(&view);
}

/* Containers below a level are one token; the rest is unchanged. */
static void
test_level(void **state)
{
	viewer_open(&view, VIEW_json, "{'a':[1,{'b':[2,3]}],'c':{},'d':{'e':1.50}}", NULL, 40, 20);
	assert_true(viewer_command(&view, "level", "1"));
	assert_string_equal(viewer_text(&view), "▌{\n"
						"   \"a\": [… 2 items],\n"
						"   \"c\": {},\n"
						"   \"d\": {… 1 member}\n"
						" }");
	assert_string_equal(viewer_facts(&view), " | json · level 1");
	assert_true(viewer_command(&view, "unfold-level", ""));
	assert_non_null(strstr(viewer_text(&view), "\n     {… 1 member}\n"));
	assert_non_null(strstr(viewer_text(&view), "\n     \"e\": 1.50\n"));
	assert_true(viewer_command(&view, "level", ""));
	assert_non_null(strstr(viewer_text(&view), "\n         3\n"));
	assert_true(viewer_command(&view, "fold-level", ""));
	assert_string_equal(viewer_facts(&view), " | json · level 3");
	assert_non_null(strstr(viewer_text(&view), "\"b\": [… 2 items]"));
	viewer_replace(&view, "[[[[]]]]"); /* the next result is folded, too */
	assert_non_null(strstr(viewer_text(&view), "\n       []\n"));
	assert_false(viewer_command(&view, "level", "1001"));
	viewer_close(&view);
}

/* The user folds a container with the keys of the tree; copying still copies everything. */
static void
test_fold(void **state)
{
	viewer_open(&view, VIEW_json, "{'a':[1,{'b~/c':[2,3]}],'d':{'e':1.50}}", NULL, 40, 20);
	viewer_text(&view);
	viewer_keys(&view, "down left");
	assert_string_equal(viewer_text(&view), " {\n"
						"▌  \"a\": [… 2 items],\n"
						"   \"d\": {\n"
						"     \"e\": 1.50\n"
						"   }\n"
						" }");
	assert_string_equal(viewer_selected(&view), "/a [1,{\"b~/c\":[2,3]}]");
	viewer_keys(&view, "down space");
	assert_non_null(strstr(viewer_text(&view), "\n▌  \"d\": {… 1 member}\n }"));
	assert_string_equal(viewer_selected(&view), "/d {\"e\":1.50}");
	viewer_keys(&view, "up right down down down down");
	assert_string_equal(viewer_selected(&view), "/a/1/b~0~1c/0 2");
	viewer_keys(&view, "left"); /* to the container, which then folds */
	assert_string_equal(viewer_facts(&view), "/a/1/b~0~1c | json");
	viewer_keys(&view, "left");
	assert_non_null(strstr(viewer_text(&view), "\n▌      \"b~/c\": [… 2 items]\n     }\n"));
	viewer_keys(&view, "home left");
	assert_string_equal(viewer_text(&view), "▌{… 2 members}");
	assert_false(viewer_keys(&view, "left"));
	viewer_keys(&view, "l"); /* inner folds are kept */
	assert_non_null(strstr(viewer_text(&view), "[… 2 items]"));
	assert_non_null(strstr(viewer_text(&view), "{… 1 member}"));
	viewer_replace(&view, "[[1]]");
	assert_string_equal(viewer_text(&view), "▌[\n   [\n     1\n   ]\n ]");
	viewer_close(&view);
}

/* The bracket at the end of a line, and the text after it, form a button. */
static void
test_fold_by_mouse(void **state)
{
	viewer_open(&view, VIEW_json, "{'a':[1,2],'b':7}", NULL, 40, 20);
	viewer_text(&view);
	assert_true(viewer_mouse(&view, MOUSE_PRESS, 7, 1));
	assert_non_null(strstr(viewer_text(&view), "\n▌  \"a\": [… 2 items],\n   \"b\": 7"));
	assert_true(viewer_mouse(&view, MOUSE_PRESS, 12, 1));
	assert_non_null(strstr(viewer_text(&view), "\n▌  \"a\": [\n     1,"));
	assert_true(viewer_mouse(&view, MOUSE_PRESS, 2, 4));
	assert_string_equal(viewer_facts(&view), "/a | json"); /* the bracket that closes it */
	viewer_close(&view);
}

/* A match unfolds its containers, and nothing else. */
static void
test_fold_and_search(void **state)
{
	struct seekable s = { 0 };
	struct substring needle;
	size_t at = 0;

	viewer_open(&view, VIEW_json, "{'a':[1,{'x':'needle'}],'b':[2]}", NULL, 40, 20);
	viewer_text(&view);
	viewer_keys(
	    &view, "down down down left up up left"); /* the object, then the array around */
	viewer_keys(&view, "down left");
	assert_string_equal(
	    viewer_text(&view), " {\n   \"a\": [… 2 items],\n▌  \"b\": [… 1 item]\n }");
	view.ops->seek(view.state, NULL, &s);
	substring_init(&needle, "needle", 6);
	assert_int_equal(s.seek(&s, &needle, &at), SEEK_FOUND);
	s.show(&s, at);
	assert_non_null(strstr(viewer_text(&view), "\n▌      \"x\": \"needle\"\n     }\n   ],\n"
						   "   \"b\": [… 1 item]\n"));
	assert_int_equal(s.row(&s, at), 4);
	assert_int_equal(s.place(&s), strstr(s.whole->data, "      \"x\"") - s.whole->data);
	substring_finish(&needle);
	viewer_close(&view);
}

/* In a long text the brackets mark a fold, whatever it contains. A fold without a known end hides
 * the rest until the job found it. */
static void
test_fold_huge(void **state)
{
	struct job_queue queue;
	struct buf value = BUF_INIT;

	buf_add_str(&value, "{'list':[");
	for (unsigned i = 0; i < 60000; i++)
		buf_addf(&value, "%s{'n':%u}", i ? "," : "", i);
	buf_add_str(&value, "],'last':[7]}");
	for (int lazy = 0; lazy < 2; lazy++) {
		job_queue_init(&queue);
		viewer_open(&view, VIEW_json, "0", NULL, 30, 5);
		view.jobs = &queue.jobs;
		view.lazy_bytes = lazy ? 1000 : 0;
		viewer_replace(&view, buf_text(&value));
		viewer_text(&view);
		viewer_keys(&view, "down left");
		assert_string_equal(viewer_text(&view), " {\n▌  \"list\": […");
		assert_int_equal(queue.waiting.len, 1);
		job_queue_run(&queue, NULL, NULL);
		assert_string_equal(viewer_text(&view), " {\n▌  \"list\": [… 60 000 items],\n"
							"   \"last\": [\n     7\n   ]");
		viewer_keys(&view, "down down");
		assert_string_equal(viewer_selected(&view), "/last/0 7");
		viewer_keys(&view, "up up right end");
		job_queue_run(&queue, NULL, NULL); /* the rows that were hidden */
		viewer_keys(&view, "up up up up up up");
		assert_string_equal(viewer_selected(&view), "/list/59999/n 59999");
		viewer_keys(&view, "left left");
		assert_non_null(strstr(viewer_text(&view), "\n▌    {… 1 member}"));
		assert_string_equal(viewer_selected(&view), "/list/59999 {\"n\":59999}");
		viewer_command(&view, "level", "2");
		assert_string_equal(viewer_text(&view),
		    "▌{\n   \"list\": [\n     {… 1 member},\n    "
		    " {… 1 member},\n     {… 1 member},");
		viewer_close(&view);
		job_queue_finish(&queue);
	}
	buf_finish(&value);
}

/* A node from another view, a finding or a command: what hides it is opened. Its line stays
 * selected at another width. */
static void
test_reveal(void **state)
{
	struct job_queue queue;
	struct buf value = BUF_INIT;

	viewer_open(
	    &view, VIEW_json, "{'a':[{'a':1},[],[2,{'b~/c':'x','c':3}]],'':{'a':4}}", NULL, 40, 20);
	assert_true(viewer_reveal(&view, "/a/2/1/b~0~1c"));
	assert_string_equal(viewer_selected(&view), "/a/2/1/b~0~1c \"x\"");
	viewer_keys(&view, "home left");
	assert_true(viewer_reveal(&view, "/a/2/1/c"));
	assert_string_equal(viewer_selected(&view), "/a/2/1/c 3");
	assert_true(viewer_reveal(&view, "//a"));
	assert_string_equal(viewer_selected(&view), "//a 4");
	assert_true(viewer_reveal(&view, "/a/1"));
	assert_string_equal(viewer_selected(&view), "/a/1 []");
	assert_true(viewer_reveal(&view, ""));
	assert_string_equal(viewer_facts(&view), " | json");
	assert_false(viewer_reveal(&view, "/a/3"));
	assert_false(viewer_reveal(&view, "/a/01"));
	assert_false(viewer_reveal(&view, "/a/1/0"));
	assert_false(viewer_reveal(&view, "/a/0/b"));
	assert_false(viewer_reveal(&view, "a"));
	viewer_close(&view);

	buf_add_str(
	    &value, "{'text':'many words that wrap in a narrow view, line by line','list':[");
	for (unsigned i = 0; i < 60000; i++)
		buf_addf(&value, "%s{'n':%u}", i ? "," : "", i);
	buf_add_str(&value, "]}");
	job_queue_init(&queue);
	viewer_open(&view, VIEW_json, "0", NULL, 80, 5);
	view.jobs = &queue.jobs;
	viewer_replace(&view, buf_text(&value));
	viewer_text(&view);
	assert_true(viewer_reveal(&view, "/list/7/n"));
	assert_string_equal(viewer_selected(&view), "/list/7/n 7");
	viewer_resize(&view, 20, 5);
	viewer_text(&view);
	assert_string_equal(viewer_selected(&view), "/list/7/n 7");
	/* after the part that was laid out at once */
	assert_true(viewer_reveal(&view, "/list/59999/n"));
	job_queue_run(&queue, NULL, NULL);
	assert_string_equal(viewer_selected(&view), "/list/59999/n 59999");
	assert_non_null(strstr(viewer_text(&view), "59999"));
	viewer_close(&view);
	job_queue_finish(&queue);
	buf_finish(&value);
}

TEST_FILE(view_json)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reveal),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_fold_by_mouse),
		cmocka_unit_test(test_fold_and_search),
		cmocka_unit_test(test_fold_huge),
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_laid_out),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_every_size),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
