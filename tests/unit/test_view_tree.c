/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <string.h>

static struct viewer view;

static void
open_view(const char *value, const char *schema, int width, int height)
{
	viewer_open(&view, VIEW_tree, value, schema, width, height);
}

static void
test_values(void **state)
{
	open_view("{'s':'text','e':'','n':'null','z':null,'i':12345678901234567890,'b':true,'a':[],"
		  "'o':{},"
		  "'l':[1,{'x':2}]}",
	    NULL, 40, 20);
	assert_string_equal(viewer_text(&view), "▌▾ {9}\n"
						"     s  text\n"
						"     e  \"\"\n"
						"     n  \"null\"\n"
						"     z  null\n"
						"     i  12345678901234567890\n"
						"     b  true\n"
						"     a  [] empty\n"
						"     o  {} empty\n"
						"   ▾ l  [2]\n"
						"       0  1\n"
						"     ▾ 1  {1}\n"
						"         x  2");
	assert_int_equal(viewer_cell(&view, 8, 4)->style.ink, ROLE_NULL_VALUE);
	assert_int_equal(viewer_cell(&view, 8, 3)->style.ink, ROLE_TEXT);
	assert_int_equal(viewer_cell(&view, 8, 6)->style.ink, ROLE_BOOLEAN);
	assert_int_equal(viewer_cell(&view, 5, 1)->style.ink, ROLE_KEY_NAME);
	assert_string_equal(viewer_facts(&view), " | tree · object of 9");
	viewer_close(&view);
}

static void
test_scalars(void **state)
{
	static const char *const values[][2] = { { "3", "▌  3" }, { "null", "▌  null" },
		{ "''", "▌  \"\"" }, { "[]", "▌  [] empty" } };

	for (size_t i = 0; i < 4; i++) {
		open_view(values[i][0], NULL, 20, 2);
		assert_string_equal(viewer_text(&view), values[i][1]);
		assert_true(viewer_reveal(&view, ""));
		assert_false(viewer_reveal(&view, "/0"));
		assert_true(viewer_keys(&view, "left right space end"));
		viewer_close(&view);
	}
}

static void
test_folding(void **state)
{
	open_view("{'a':{'b':{'c':1}},'d':2}", NULL, 40, 9);
	viewer_text(&view);
	viewer_keys(&view, "down left");
	assert_string_equal(
	    viewer_text(&view), " ▾ {2}\n▌  ▸ a  {1} {\"b\": {\"c\": 1}}\n     d  2");
	viewer_keys(&view, "right down down");
	assert_string_equal(viewer_selected(&view), "/a/b/c 1");
	viewer_keys(&view, "left");
	assert_string_equal(viewer_selected(&view), "/a/b {\"c\":1}");
	viewer_keys(&view, "left left left left left");
	assert_string_equal(viewer_selected(&view), " {\"a\":{\"b\":{\"c\":1}},\"d\":2}");
	assert_string_equal(viewer_text(&view), "▌▸ {2} {\"a\": {\"b\": {\"c\": 1}}, \"d\": 2}");
	viewer_keys(&view, "space down");
	assert_string_equal(
	    viewer_text(&view), " ▾ {2}\n▌  ▸ a  {1} {\"b\": {\"c\": 1}}\n     d  2");
	viewer_close(&view);
}

static void
test_mouse(void **state)
{
	open_view("{'a':[1,2],'b':[3]}", NULL, 20, 4);
	viewer_text(&view);
	viewer_mouse(&view, MOUSE_PRESS, 2, 1); /* the mark of a */
	assert_string_equal(
	    viewer_text(&view), " ▾ {2}\n▌  ▸ a  [2] [1, 2]\n   ▾ b  [1]\n       0  3");
	viewer_mouse(&view, MOUSE_PRESS, 9, 3);
	assert_string_equal(viewer_selected(&view), "/b/0 3");
	viewer_mouse(&view, MOUSE_PRESS, 2, 1);
	viewer_mouse(&view, MOUSE_WHEEL_DOWN, 0, 0);
	assert_memory_equal(viewer_text(&view), "▌      0  1\n       1  2", 25);
	assert_false(viewer_mouse(&view, MOUSE_RELEASE, 0, 0));
	viewer_mouse(&view, MOUSE_WHEEL_UP, 0, 0);
	viewer_mouse(&view, MOUSE_PRESS, 0, 77);
	viewer_close(&view);
}

static void
test_violations(void **state)
{
	open_view("{'id':'x','name':{},'tags':[1,'a'],'d':'no date'}",
	    "{'required':['missing','id'],'properties':{'id':{'type':'integer'},"
	    "'name':{'required':['first']},'tags':{'items':{'type':'string'}},"
	    "'d':{'format':'date'}}}",
	    40, 12);
	assert_string_equal(viewer_text(&view), "▌▾ {4} ✗4\n"
						"     id  x\n"
						"     name  {} empty\n"
						"       first  ⟨missing⟩\n"
						"   ▾ tags  [2] ✗1\n"
						"       0  1\n"
						"       1  a\n"
						"     d  no date\n"
						"     missing  ⟨missing⟩");
	assert_int_equal(viewer_cell(&view, 9, 1)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 14, 3)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 10, 5)->style.ground, ROLE_ERROR_CELL);
	assert_int_not_equal(viewer_cell(&view, 10, 6)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 8, 7)->style.ground, ROLE_WARNING_CELL);
	/* the count of a folded one is shown */
	assert_true(viewer_reveal(&view, "/tags"));
	viewer_keys(&view, "left");
	assert_non_null(strstr(viewer_text(&view), "▌  ▸ tags  [2] ✗1 [1, \"a\"]"));
	viewer_keys(&view, "home left");
	assert_memory_equal(viewer_text(&view), "▌▸ {4} ✗4 ", 15);
	viewer_close(&view);
}

static void
test_reveal(void **state)
{
	open_view("{'a':{'b':[{'c':{'d':{'e':{'f':{'g':1}}}}}]},'x~/':{'':2}}",
	    "{'properties':{'a':{'properties':{'b':{'items':{'required':['z']}}}}}}", 40, 20);
	viewer_keys(&view, "left");
	assert_true(viewer_reveal(&view, "/a/b/0/c/d/e/f/g"));
	assert_string_equal(viewer_selected(&view), "/a/b/0/c/d/e/f/g 1");
	viewer_keys(&view, "home left");
	assert_true(viewer_reveal(&view, "/a/b/0/z"));
	assert_string_equal(viewer_selected(&view), "/a/b/0/z -");
	assert_true(viewer_reveal(&view, "/x~0~1/"));
	assert_string_equal(viewer_selected(&view), "/x~0~1/ 2");
	static const char *const nowhere[] = { "/y", "/a/b/1", "/a/b/00", "x", "/a/b/0/y", "/x~2" };
	for (size_t i = 0; i < ARRAY_LEN(nowhere); i++) {
		assert_false(viewer_reveal(&view, nowhere[i]));
		viewer_text(&view);
	}
	viewer_close(&view);
}

static void
test_place_is_kept(void **state)
{
	open_view("{'a':[1,2,3]}", NULL, 20, 9);
	viewer_keys(&view, "end");
	viewer_replace(&view, "{'new':0,'a':[4,5,6,7]}");
	assert_string_equal(viewer_selected(&view), "/a/2 6");
	viewer_replace(&view, "{'a':[4]}");
	assert_string_equal(viewer_selected(&view), " {\"a\":[4]}");
	viewer_close(&view);
	/* a missing member is a place, too */
	open_view("{'a':1}", "{'required':['b']}", 20, 9);
	viewer_keys(&view, "end");
	viewer_replace(&view, "{'a':2,'c':3}");
	assert_string_equal(viewer_selected(&view), "/b -");
	viewer_close(&view);
}

/* Long containers start folded; unfolded they have all rows. */
static void
test_long(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_str(&value, "{'rows':[");
	for (int i = 0; i < 100000; i++)
		buf_addf(&value, "%s%d", i ? "," : "", i);
	buf_add_str(&value, "]}");
	open_view(buf_text(&value), NULL, 30, 4);
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), " | tree · object of 1");
	viewer_keys(&view, "down right end");
	viewer_text(&view);
	assert_string_equal(
	    viewer_facts(&view), "/rows/99999 | tree · object of 1 · line 100 002 of 100 002");
	assert_string_equal(viewer_selected(&view), "/rows/99999 99999");
	assert_true(viewer_reveal(&view, "/rows/50000"));
	viewer_keys(&view, "left");
	assert_string_equal(strchr(viewer_selected(&view), '/') ? "/rows" : "", "/rows");
	viewer_close(&view);
	buf_finish(&value);
}

static void
test_deep(void **state)
{
	struct buf value = BUF_INIT, pointer = BUF_INIT;

	for (int i = 0; i < 999; i++) {
		buf_add_char(&value, '[');
		buf_add_str(&pointer, "/0");
	}
	for (int i = 0; i < 999; i++)
		buf_add_char(&value, ']');
	pointer.data[pointer.len - 2] = '\0'; /* 998 steps */
	open_view(buf_text(&value), NULL, 30, 5);
	assert_true(viewer_reveal(&view, buf_text(&pointer)));
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), " | tree · array of 1 · line 999 of 999");
	viewer_close(&view);
	buf_finish(&value);
	buf_finish(&pointer);
}

static void
test_hostile(void **state)
{
	open_view("{'\\u001b[2J':'\\u0007','k':'k','日本':'語','k':'twice'}", NULL, 20, 6);
	assert_string_equal(viewer_text(&view), "▌▾ {4}\n"
						"     ␛[2J  ␇\n"
						"     k  k\n"
						"     日本  語\n"
						"     k  twice");
	viewer_close(&view);
}

static void
test_every_size(void **state)
{
	open_view("{'a':{'日本日本日本':['語語語',{'x':null}]},'n':1}",
	    "{'required':['missing'],'properties':{'n':{'type':'string'}}}", 1, 1);
	for (int width = 0; width < 40; width++) {
		for (int height = 0; height < 10; height++) {
			viewer_resize(&view, width, height);
			viewer_text(&view);
			viewer_keys(&view, "down space");
			viewer_text(&view);
		}
	}
	assert_false(viewer_command(&view, "sort", "x"));
	assert_string_equal(buf_text(&view.text), "sort works on tables: v shows another view");
	viewer_close(&view);
}

/* The first items of a huge array have rows, and one row represents the rest. */
static void
test_lazy(void **state)
{
	struct buf text = BUF_INIT;
	struct view_env env = { .in = &view.in, .focused = true };

	buf_add_str(&text, "{\"a\":[");
	for (int i = 0; i < 10003; i++)
		buf_addf(&text, "%s{\"n\":%d}", i ? "," : "", i);
	buf_add_str(&text, "]}");
	struct json_doc *doc =
	    json_parse(buf_text(&text), text.len, &(struct json_options){ .lazy_bytes = 1 }, NULL);
	open_view("1", NULL, 40, 4);
	view.in.value = json_root(doc);
	view.ops->sync(view.state, &env);
	assert_non_null(strstr(viewer_text(&view), "▸ a  [10003]"));
	viewer_keys(&view, "down space");
	assert_string_equal(viewer_text(&view), " ▾ {1}\n"
						"▌  ▾ a  [10003]\n"
						"     ▾ 0  {1}\n"
						"         n  0");
	assert_true(viewer_reveal(&view, "/a/9999/n"));
	assert_string_equal(viewer_selected(&view), "/a/9999/n 9999");
	assert_false(viewer_reveal(&view, "/a/10000/n"));
	viewer_keys(&view, "end");
	assert_non_null(strstr(viewer_text(&view), "▌      … 3 more: the table shows all"));
	viewer_close(&view);
	json_doc_destroy(doc);
	buf_finish(&text);
}

/* To a level, one more, one fewer; the selection stays at its node or the one around it. */
static void
test_level(void **state)
{
	viewer_open(&view, VIEW_tree, "{'a':{'b':{'c':[1,2]}},'d':3}", NULL, 40, 9);
	viewer_keys(&view, "end up");
	assert_string_equal(viewer_selected(&view), "/a/b/c/1 2");
	assert_true(viewer_command(&view, "level", "2"));
	assert_string_equal(viewer_facts(&view), "/a/b | tree · object of 2 · level 2");
	assert_string_equal(viewer_text(&view), " ▾ {2}\n"
						"   ▾ a  {1}\n"
						"▌    ▸ b  {1} {\"c\": [1, 2]}\n"
						"     d  3");
	assert_true(viewer_command(&view, "unfold-level", ""));
	assert_string_equal(viewer_facts(&view), "/a/b | tree · object of 2 · level 3");
	assert_non_null(strstr(viewer_text(&view), "▸ c  [2] [1, 2]"));
	assert_true(viewer_command(&view, "fold-level", ""));
	assert_true(viewer_command(&view, "fold-level", ""));
	assert_true(viewer_command(&view, "fold-level", ""));
	assert_string_equal(viewer_facts(&view), "/a | tree · object of 2 · level 1");
	assert_true(viewer_command(&view, "level", ""));
	assert_non_null(strstr(viewer_text(&view), "1  2"));
	assert_false(viewer_command(&view, "level", "0"));
	assert_false(viewer_command(&view, "level", "x"));
	viewer_close(&view);
}

TEST_FILE(view_tree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_violations),
		cmocka_unit_test(test_reveal),
		cmocka_unit_test(test_place_is_kept),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_lazy),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
