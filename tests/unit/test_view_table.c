/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "json/rows.h"
#include "quoted.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <string.h>

static struct viewer view;

static void
open_view(const char *value, const char *schema, int width, int height)
{
	viewer_open(&view, VIEW_table, value, schema, width, height);
}

static void
assert_shown(const char *value, const char *schema, int width, int height, const char *expected)
{
	open_view(value, schema, width, height);
	assert_string_equal(viewer_text(&view), expected);
	viewer_close(&view);
}

static void
test_users(void **state)
{
	assert_shown("{'users':[{'id':1,'name':'Alice','role':'admin'},"
		     "{'id':20,'name':'Bob','role':'editor'}],'total':2}",
	    NULL, 40, 6,
	    "    id  name   role\n"
	    "▌    1  Alice  admin\n"
	    "    20  Bob    editor\n"
	    "\n"
	    "   total  2");
	open_view("{'users':[{'id':1}],'total':2}", NULL, 40, 6);
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), "users | table · 1 × 1");
	viewer_close(&view);
}

/* Members outside the rows stay visible: each on a line if there is space, otherwise on a few lines
 * that say how many more there are and how to show them. */
static void
test_members_beside(void **state)
{
	static const char value[] =
	    "{'cpu':{'cores':[{'id':0},{'id':1}],'model':'x86'},'memory':{'used':1,'free':[2]},"
	    "'up':12,'none':{},'':null}";

	assert_shown(value, NULL, 40, 9,
	    "    id\n"
	    "▌    0\n"
	    "     1\n"
	    "\n"
	    "   cpu.model  x86\n"
	    "   memory     {\"used\": 1, \"free\": [2]}\n"
	    "   up         12\n"
	    "   none       {}\n"
	    "   \"\"         null");
	assert_shown(value, NULL, 60, 4,
	    "    id\n"
	    "▌    0\n"
	    "     1\n"
	    "   cpu.model x86    memory {2}    up 12      +2 more · v tree");
	assert_shown(value, NULL, 90, 3,
	    "    id\n"
	    "▌    0\n"
	    "   cpu.model x86    memory {2}    up 12    none {}    \"\" null                       "
	    " v tree");
	assert_shown(value, NULL, 30, 3,
	    "    id\n"
	    "▌    0\n"
	    "   cpu.model   +4 more · v tree");
	assert_shown("{'a':[{'b':1}],'n':1}", NULL, 30, 2, "     b\n▌    1");
}

static void
test_member_beside_is_wrong(void **state)
{
	open_view("{'a':[{'b':1}],'o':{'x':[1]},'n':2}",
	    "{'properties':{'o':{'properties':{'x':{'items':{'type':'string'}}}}}}", 40, 6);
	viewer_text(&view);
	assert_int_equal(viewer_cell(&view, 6, 3)->style.ground, ROLE_ERROR_CELL);
	assert_int_not_equal(viewer_cell(&view, 6, 4)->style.ground, ROLE_ERROR_CELL);
	viewer_close(&view);
}

/* An absent value, null, "" and "null" are four things, and so are 3 and "3". */
static void
test_states(void **state)
{
	open_view(
	    "[{'a':'x','n':1},{'n':null},{'a':null,'n':'3'},{'a':'','n':3},{'a':'null'},{'a':'·'},"
	    "{'a':'⟨missing⟩','n':4}]",
	    NULL, 40, 9);
	assert_string_equal(viewer_text(&view), "   a               n\n"
						"▌  x               1\n"
						"   ·            null\n"
						"   null         \"3\"\n"
						"   \"\"              3\n"
						"   \"null\"          ·\n"
						"   \"·\"             ·\n"
						"   \"⟨missing⟩\"     4");
	assert_int_equal(viewer_cell(&view, 3, 2)->style.ink, ROLE_ABSENT);
	assert_int_equal(viewer_cell(&view, 3, 3)->style.ink, ROLE_NULL_VALUE);
	assert_int_equal(viewer_cell(&view, 3, 4)->style.ink, ROLE_TEXT);
	assert_int_equal(viewer_cell(&view, 3, 5)->style.ink, ROLE_TEXT);
	assert_int_equal(viewer_cell(&view, 19, 1)->style.ink, ROLE_NUMBER);
	assert_int_equal(viewer_cell(&view, 17, 3)->style.ink, ROLE_TEXT);
	viewer_close(&view);
}

static void
test_numbers(void **state)
{
	assert_shown(
	    "[{'n':1.5,'m':12345678901234567890},{'n':10,'m':-1},{'n':-0.25,'m':1e5},{'n':1.50}]",
	    NULL, 40, 6,
	    "       n                     m\n"
	    "▌   1.5   12345678901234567890\n"
	    "   10                       -1\n"
	    "   -0.25                   1e5\n"
	    "    1.50                     ·");
}

/* Spare width goes to cut columns; a narrower pane takes it back. */
static void
test_long_text(void **state)
{
	const char *value = "[{'a':'0123456789 0123456789 0123456789 0123456789 0123456789',"
			    "'b':'abcdefghij abcdefghij abcdefghij abcdefghij abcd','n':1}]";
	assert_shown(value, NULL, 130, 3,
	    "   a                                                       b                     "
	    "                              n\n"
	    "▌  0123456789 0123456789 0123456789 0123456789 0123456789  abcdefghij abcdefghij "
	    "abcdefghij abcdefghij abcd    1");
	assert_shown(value, NULL, 100, 3,
	    "   a                                               b                                  "
	    "              n\n"
	    "▌  0123456789 0123456789 0123456789 0123456789 0…  abcdefghij abcdefghij abcdefghij "
	    "abcdefghij …    1");
	assert_shown(value, NULL, 60, 3,
	    "   a                                         b              ›\n"
	    "▌  0123456789 0123456789 0123456789 012345…  abcdefghij abcd…");
}

/* A long array shows its shape; a short one and one with texts show their values. */
static void
test_sparklines(void **state)
{
	static const char value[] = "[{'k':1,'n':[10,20,30,40,50,60,70,80],'few':[1,2]},"
				    "{'k':2,'n':[80,null,1e999,70,60,50,40,10],'few':[3,4]},"
				    "{'k':3,'n':[10,20,30,40,'x',60,70,80],'few':[5,6]},"
				    "{'k':4,'n':[7,7,7,7,7,7,7,7,7,7,7,7,7,7],'few':[7,8]}]";
	struct buf many = BUF_INIT;

	open_view(value, NULL, 80, 6);
	assert_non_null(strstr(viewer_text(&view), "[10, 20, 30, 40, 50, 60, 70, 80]"));
	for (int i = 0; i < 6; i++)
		assert_true(viewer_command(&view, "narrower", "n"));
	assert_string_equal(viewer_text(&view), "     k  n                   few\n"
						"▌    1  ▁▂▃▄▅▆▇█            [1, 2]\n"
						"     2  █  ▇▆▅▄▁            [3, 4]\n"
						"     3  [10, 20, 30, 40, …  [5, 6]\n"
						"     4  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄      [7, 8]");
	viewer_close(&view);
	buf_add_str(&many, "[{'n':[0");
	for (int i = 1; i < 100000; i++)
		buf_addf(&many, ",%d", i == 300 ? 9 : 0);
	buf_add_str(&many, "]}]");
	open_view(buf_text(&many), NULL, 20, 3);
	assert_non_null(strstr(viewer_text(&view), "█"));
	assert_non_null(strstr(viewer_text(&view), "▁…"));
	buf_finish(&many);
	viewer_close(&view);
}

/* The sample did not see it: the column grows when it comes into sight. */
static void
test_long_number_out_of_sample(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_char(&value, '[');
	for (int i = 0; i < 3000; i++)
		buf_addf(&value, "%s{'n':%s,'z':'z'}", i ? "," : "",
		    i == 1501 ? "12345678901234567890.123456789" : "7");
	buf_add_char(&value, ']');
	open_view(buf_text(&value), NULL, 50, 4);
	assert_string_equal(viewer_text(&view), "     n  z\n▌    7  z\n     7  z\n     7  z");
	assert_true(viewer_reveal(&view, "/1501"));
	assert_non_null(strstr(viewer_text(&view), "12345678901234567890.123456789  z"));
	viewer_close(&view);
	/* but not past the edge */
	open_view(buf_text(&value), NULL, 20, 4);
	viewer_text(&view);
	viewer_reveal(&view, "/1501");
	assert_non_null(strstr(viewer_text(&view), "12345678901234567…"));
	viewer_close(&view);
	buf_finish(&value);
}

static void
test_violations(void **state)
{
	open_view("[{'id':1,'name':'A'},{'id':'2','name':'B'},{'id':3},{'id':4,'name':{'x':[1]}}]",
	    "{'items':{'properties':{'id':{'type':'integer'},'name':{'type':'string'}},"
	    "'required':['id','name']}}",
	    40, 6);
	assert_string_equal(viewer_text(&view), "   id ✗1  name ✗2    name.x ✗2\n"
						"▌      1  A          ·\n"
						" ✗ \"2\"    B          ·\n"
						" ✗     3  ⟨missing⟩  ⟨missing⟩\n"
						" ✗     4  {…}        [1]");
	assert_int_equal(viewer_cell(&view, 3, 2)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 7, 2)->style.ground, ROLE_ERROR_CELL);
	assert_int_not_equal(viewer_cell(&view, 10, 2)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 10, 3)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 18, 3)->style.ground, ROLE_ERROR_CELL);
	/* the object that should be a text, and its member */
	assert_int_equal(viewer_cell(&view, 10, 4)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 21, 4)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 1, 2)->style.ink, ROLE_ERROR);
	viewer_close(&view);
}

/* A required object that is missing is missing in all its columns. */
static void
test_missing_object(void **state)
{
	static const char schema[] =
	    "{'items':{'required':['at','k'],'properties':{'at':{'required':['x'],"
	    "'properties':{'x':{},'y':{}}}}}}";

	open_view("[{'at':{'x':1,'y':2},'k':0},{'k':0},{'at':{'y':5},'k':0},{'at':null,'k':0}]",
	    schema, 60, 6);
	assert_string_equal(viewer_text(&view), "     at.x ✗2    at.y ✗1    k\n"
						"▌          1          2    0\n"
						" ✗ ⟨missing⟩  ⟨missing⟩    0\n"
						" ✗ ⟨missing⟩          5    0\n"
						"        null               0");
	viewer_close(&view);
	/* required, though neither declared nor in any row */
	open_view("[{'k':0}]", schema, 60, 3);
	assert_string_equal(viewer_text(&view), "   at ✗1        k\n"
						"▌✗ ⟨missing⟩    0");
	viewer_close(&view);
}

static void
test_warnings(void **state)
{
	open_view("[{'d':'2026-01-01'},{'d':'March 12'}]",
	    "{'items':{'properties':{'d':{'type':'string','format':'date'}}}}", 40, 4);
	assert_string_equal(viewer_text(&view), "   d\n▌  2026-01-01\n   March 12");
	assert_int_equal(viewer_cell(&view, 3, 2)->style.ground, ROLE_WARNING_CELL);
	viewer_close(&view);
	/* an error next to the warning counts as an error */
	open_view("[{'d':'March 12'},{'d':1}]",
	    "{'items':{'properties':{'d':{'type':'string','format':'date','maxLength':3}}}}", 40,
	    4);
	view.unfocused = true;
	viewer_text(&view);
	assert_int_equal(viewer_cell(&view, 3, 1)->style.ground, ROLE_ERROR_CELL);
	viewer_close(&view);
}

static const char numbers[] = "[{'k':0},{'k':1},{'k':2},{'k':3},{'k':4},{'k':5},{'k':6},{'k':7}]";

static void
test_scrolling(void **state)
{
	open_view(numbers, NULL, 20, 4);
	assert_string_equal(viewer_text(&view), "     k\n▌    0\n     1\n     2");
	viewer_keys(&view, "down down down");
	assert_memory_equal(viewer_text(&view), "     k\n     1", 13);
	assert_string_equal(viewer_selected(&view), "/3/k 3");
	viewer_keys(&view, "end");
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), " | table · 8 × 1 · row 8");
	viewer_mouse(&view, MOUSE_WHEEL_UP, 0, 0);
	assert_memory_equal(viewer_text(&view), "     k\n     2", 13);
	viewer_keys(&view, "home");
	assert_string_equal(viewer_selected(&view), "/0/k 0");
	viewer_close(&view);
}

/* The column that identifies a row stays: the first one, or one named id or name. */
static void
test_sideways(void **state)
{
	static const char value[] =
	    "[{'first':'aaaaa','second':'bbbbbb','third':'ccccc','fourth':'dd'}]";

	open_view(value, NULL, 24, 3);
	assert_string_equal(
	    viewer_text(&view), "   first  second  third ›\n▌  aaaaa  bbbbbb  ccccc");
	viewer_facts(&view);
	assert_string_equal(viewer_facts(&view), " | table · 1 × 4 · columns 1–3 of 4");
	viewer_keys(&view, "right right right");
	assert_string_equal(viewer_selected(&view), "/0/fourth \"dd\"");
	assert_string_equal(viewer_text(&view), " ‹ first │ third  fourth\n▌  aaaaa │ ccccc  dd");
	assert_string_equal(viewer_facts(&view), " | table · 1 × 4 · columns 3–4 of 4");
	viewer_keys(&view, "right right");
	assert_string_equal(viewer_selected(&view), "/0/fourth \"dd\"");
	viewer_keys(&view, "0");
	assert_string_equal(
	    viewer_text(&view), "   first  second  third ›\n▌  aaaaa  bbbbbb  ccccc");
	viewer_mouse(&view, MOUSE_WHEEL_RIGHT, 0, 0);
	assert_string_equal(viewer_selected(&view), "/0/second \"bbbbbb\"");
	viewer_keys(&view, "$");
	viewer_text(&view);
	viewer_mouse(&view, MOUSE_PRESS, 3, 1);
	assert_string_equal(viewer_selected(&view), "/0/first \"aaaaa\"");
	viewer_close(&view);
	open_view("[{'aaaaaaaa':1,'Id':7,'bbbbbbbb':2,'cccccccc':3}]", NULL, 24, 3);
	viewer_keys(&view, "$");
	assert_string_equal(viewer_text(&view), " ‹  Id │ cccccccc\n▌    7 │        3");
	viewer_close(&view);
}

static const char four[] = "[{'id':1,'b':'bbbbbbbb','c':'cc','d':true},{'id':2}]";

static void
assert_head(const char *expected)
{
	const char *text = viewer_text(&view);

	if (strncmp(text, expected, strlen(expected)) != 0 || text[strlen(expected)] != '\n')
		fail_msg("%s is not the head of:\n%s", expected, text);
}

static void
test_columns_as_the_user_wants(void **state)
{
	open_view(four, NULL, 40, 4);
	assert_head("    id  b         c    d");
	assert_true(viewer_command(&view, "hide-column", "b"));
	assert_head("    id  c    d");
	assert_string_equal(viewer_facts(&view), " | table · 2 × 3 +1 hidden");
	assert_string_equal(viewer_selected(&view), "/0/c \"cc\"");
	assert_true(viewer_command(&view, "column-right", ""));
	assert_head("    id  d      c");
	viewer_replace(&view, four); /* kept for the next result */
	assert_head("    id  d      c");
	assert_string_equal(viewer_selected(&view), "/0/c \"cc\"");
	assert_false(viewer_command(&view, "column-right", ""));
	assert_true(viewer_command(&view, "show-columns", ""));
	assert_head("    id  b         d      c");
	assert_false(viewer_command(&view, "show-columns", ""));
	assert_true(viewer_command(&view, "freeze-column", "d"));
	assert_head("    id  d      b         c");
	assert_true(viewer_command(&view, "reset-columns", ""));
	assert_head("    id  b         c    d");
	assert_true(viewer_command(&view, "narrower", "b"));
	assert_head("    id  b     c    d");
	assert_true(viewer_command(&view, "wider", "c"));
	assert_head("    id  b     c        d");
	assert_true(viewer_command(&view, "fit-column", "b"));
	assert_head("    id  b         c        d");
	for (int i = 0; i < 3; i++)
		assert_true(viewer_command(&view, "hide-column", ""));
	assert_false(viewer_command(&view, "hide-column", ""));
	viewer_close(&view);
}

/* A violation in a hidden column is shown by e like any other. */
static void
open_notes(int width, int height)
{
	static const char *const notes[] = {
		"one", "two words here", "three", "four\\nlines\\nare\\nhere", "five",
		"six is a long one with many words that go on and on and on and on to no end at all"
	};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(notes); i++)
		buf_addf(
		    &text, "%s{'id':%zu,'note':'%s','n':[1,2,3,4000]}", i ? "," : "[", i, notes[i]);
	buf_add_char(&text, ']');
	open_view(buf_text(&text), NULL, width, height);
	buf_finish(&text);
	viewer_text(&view);
	for (int i = 0; i < 3; i++)
		viewer_command(&view, "narrower", "note");
	viewer_command(&view, "wrap-column", "note");
}

static void
test_wrapped_columns(void **state)
{
	open_notes(40, 11);
	assert_string_equal(viewer_text(&view), "    id  note                            ›\n"
						"▌    0  one\n"
						"     1  two words here\n"
						"     2  three\n"
						"     3  four\n"
						"        lines\n"
						"        are\n"
						"        here\n"
						"     4  five\n"
						"     5  six is a long one with many\n"
						"        words that go on and on and");
	viewer_mouse(&view, MOUSE_PRESS, 8, 6);
	assert_string_equal(viewer_selected(&view), "/3/note \"four\\nlines\\nare\\nhere\"");
	assert_non_null(strstr(viewer_text(&view), "▌    3  four\n▌       lines\n"));
	viewer_mouse(&view, MOUSE_PRESS, 8, 10); /* of the last row only a part is in sight */
	assert_string_equal(viewer_text(&view), "    id  note                            ›\n"
						"     1  two words here\n"
						"     2  three\n"
						"     3  four\n"
						"        lines\n"
						"        are\n"
						"        here\n"
						"     4  five\n"
						"▌    5  six is a long one with many\n"
						"▌       words that go on and on and\n"
						"▌       on and on to no end at all");
	viewer_mouse(&view, MOUSE_WHEEL_UP, 8, 3);
	assert_memory_equal(
	    viewer_text(&view) + strlen("    id  note                            ›\n"),
	    "     0  one\n", 12);
	viewer_replace(&view, "[{'id':7,'note':'a note about a line too long for it'}]");
	assert_string_equal(viewer_text(&view), "    id  note\n"
						"▌    7  a note about a line too long\n"
						"▌       for it");
	viewer_command(&view, "wrap-column", "note");
	assert_string_equal(
	    viewer_text(&view), "    id  note\n▌    7  a note about a line too lon…");
	viewer_close(&view);
}

/* Not the whole screen for one value; the column that stays is drawn on the first line. */
static void
test_wrapped_lines_are_bounded(void **state)
{
	open_notes(40, 9);
	viewer_command(&view, "narrower", "note");
	viewer_command(&view, "narrower", "note");
	viewer_command(&view, "wrap-column", "n");
	viewer_command(&view, "narrower", "n");
	viewer_keys(&view, "end $");
	assert_string_equal(viewer_text(&view), "    id  note                  n\n"
						"     4  five                  [1, 2, 3,\n"
						"                              4000]\n"
						"▌    5  six is a long one     [1, 2, 3,\n"
						"▌       with many words that  4000]\n"
						"▌       go on and on and on\n"
						"▌       and on to no end at…");
	viewer_close(&view);
	open_view("[{'a':'1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0'}]", NULL, 6, 40);
	viewer_command(&view, "wrap-column", "a");
	assert_string_equal(viewer_text(&view),
	    "   a  ›\n▌  1 2\n▌  3 4\n▌  5 6\n▌  7 8\n▌  9 0\n▌  1 2\n▌  3 4\n▌  5 6…");
	viewer_close(&view);
}

/* Strings above other values name the columns; the pointers stay those of the rows. */
static void
test_heading(void **state)
{
	static const char matrix[] =
	    "[['city','temp'],['Oslo',-3],['Lima',19.5],['Rome',null],['Bonn',7]]";

	open_view(matrix, NULL, 40, 7);
	assert_string_equal(viewer_text(&view),
	    "   city  temp\n▌  Oslo  -3\n   Lima  19.5\n   Rome  null\n   Bonn   7");
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2 below a heading");
	assert_string_equal(viewer_selected(&view), "/1/0 \"Oslo\"");
	viewer_command(&view, "sort", "temp desc");
	assert_string_equal(viewer_selected(&view), "/2/1 19.5");
	viewer_command(&view, "filter-cell", "");
	assert_string_equal(viewer_text(&view), "   city  temp▼\n▌  Lima  19.5");
	assert_string_equal(viewer_facts(&view), " | 1 of 4 × 2 below a heading");
	assert_false(viewer_reveal(&view, "/0/1"));
	assert_true(viewer_reveal(&view, "/4/1"));
	assert_string_equal(viewer_selected(&view), "/4/1 7");
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2 below a heading");
	assert_true(viewer_command(&view, "heading", ""));
	assert_memory_equal(viewer_text(&view), "   0        1\n   city  temp\n", 26);
	viewer_replace(&view, matrix); /* kept */
	assert_string_equal(viewer_facts(&view), " | table · 5 × 2");
	assert_true(viewer_command(&view, "heading", ""));
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2 below a heading");
	viewer_close(&view);
	/* asked for: of any values */
	open_view("[['a',1,null,''],['x','y']]", NULL, 40, 7);
	assert_string_equal(viewer_facts(&view), " | table · 2 × 4");
	assert_true(viewer_command(&view, "heading", ""));
	assert_string_equal(viewer_text(&view), "   a    1    2    3\n▌  x    y    ·    ·");
	viewer_close(&view);
	/* rows without nodes */
	open_view("[{'a':1}]", NULL, 40, 7);
	view.lazy_bytes = 1;
	viewer_replace(&view, matrix);
	assert_true(json_is_lazy(view.in.value));
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2 below a heading");
	viewer_command(&view, "sort", "temp");
	assert_memory_equal(viewer_text(&view), "   city  temp▲\n▌  Oslo  -3\n", 30);
	viewer_close(&view);
	view.lazy_bytes = 0;
	open_view("[{'a':1}]", NULL, 40, 7);
	assert_false(viewer_command(&view, "heading", ""));
	viewer_close(&view);
}

static void
assert_no_heading(const char *value)
{
	open_view(value, NULL, 40, 7);
	assert_null(strstr(viewer_facts(&view), "heading"));
	viewer_close(&view);
}

static void
test_no_heading(void **state)
{
	assert_no_heading("[['a','b'],['c','d']]");         /* all alike */
	assert_no_heading("[['a','a'],[1,2]]");             /* twice the same */
	assert_no_heading("[['a',''],[1,2]]");              /* no name */
	assert_no_heading("[['a',1],['b',2]]");             /* a value */
	assert_no_heading("[['a','b'],[1,2],[1,2,3]]");     /* no name for all */
	assert_no_heading("[['a','b'],['c',1],['d','e']]"); /* a string below */
	assert_no_heading("[['a','b'],[null,null]]");
	assert_no_heading("[['a','b'],[1,2],7]");
	assert_no_heading("[['a','b']]");
	assert_no_heading("[[]]");
}

static void
test_reveal_shows_a_hidden_column(void **state)
{
	open_view(four, NULL, 40, 4);
	viewer_command(&view, "hide-column", "b");
	assert_true(viewer_reveal(&view, "/1/b"));
	assert_head("    id  b         c    d");
	viewer_close(&view);
}

static void
test_go_to_column_and_row(void **state)
{
	open_view(four, NULL, 40, 4);
	assert_true(viewer_command(&view, "column", "C"));
	assert_string_equal(viewer_selected(&view), "/0/c \"cc\"");
	assert_true(viewer_command(&view, "column", "4"));
	assert_true(viewer_command(&view, "row", "2"));
	assert_string_equal(viewer_selected(&view), "/1/d -");
	assert_false(viewer_command(&view, "row", "3"));
	assert_false(viewer_command(&view, "row", "0"));
	assert_false(viewer_command(&view, "row", ""));
	assert_false(viewer_command(&view, "column", "5"));
	assert_false(viewer_command(&view, "column", "x"));
	assert_false(viewer_command(&view, "column", ""));
	viewer_close(&view);
	open_view("{'x':{'n':1},'y':{'n':2}}", NULL, 40, 4);
	assert_true(viewer_command(&view, "row", "y"));
	assert_string_equal(viewer_selected(&view), "/y/n 2");
	viewer_close(&view);
}

static void
test_empty_columns_open(void **state)
{
	open_view("[{'b':1}]", "{'items':{'properties':{'a':{},'b':{},'c':{}}}}", 40, 4);
	assert_head("     b  +2 empty: a, c");
	assert_true(viewer_command(&view, "show-columns", ""));
	assert_head("   a      b  c");
	assert_string_equal(viewer_selected(&view), "/0/b 1");
	assert_true(viewer_command(&view, "show-columns", ""));
	assert_head("     b  +2 empty: a, c");
	viewer_close(&view);
}

/* However the columns are cut, hidden and moved, the view draws inside of its rectangle. */
static void
test_every_size_when_arranged(void **state)
{
	static const char *const commands[] = { "column-right", "hide-column", "wider",
		"freeze-column", "column-left", "narrower", "fit-column", "show-columns" };

	for (int width = 0; width < 40; width++) {
		open_view(four, NULL, width, 3);
		for (size_t i = 0; i < 40; i++) {
			viewer_command(
			    &view, commands[(i * 5 + (size_t)width) % ARRAY_LEN(commands)], "");
			viewer_keys(&view, i % 3 ? "right" : "left");
			if (i % 4 == 0)
				viewer_command(&view, "wrap-column", "");
			viewer_text(&view);
			viewer_facts(&view);
		}
		viewer_close(&view);
	}
}

static void
test_clicks(void **state)
{
	open_view("[{'a':2,'b':1},{'a':1,'b':2},{'a':3,'b':0}]", NULL, 20, 5);
	viewer_text(&view);
	viewer_mouse(&view, MOUSE_PRESS, 8, 2);
	assert_string_equal(viewer_selected(&view), "/1/b 2");
	viewer_mouse(&view, MOUSE_PRESS, 8, 4); /* below the rows */
	assert_string_equal(viewer_selected(&view), "/1/b 2");
	viewer_mouse(&view, MOUSE_PRESS, 3, 0);
	assert_memory_equal(viewer_text(&view), "     a▲   b\n     1    2", 25);
	viewer_mouse(&view, MOUSE_PRESS, 3, 0);
	assert_memory_equal(viewer_text(&view), "     a▼   b\n     3    0", 25);
	assert_false(viewer_mouse(&view, MOUSE_DRAG, 3, 1));
	viewer_close(&view);
}

static void
test_sort(void **state)
{
	open_view("[{'x y':2,'b desc':1,'b':5},{'x y':1,'b desc':2,'b':6}]", NULL, 30, 4);
	assert_true(viewer_command(&view, "sort", "x y"));
	assert_string_equal(viewer_selected(&view), "/1/x y 1");
	assert_true(viewer_command(&view, "sort", "x y desc"));
	assert_string_equal(viewer_selected(&view), "/0/x y 2");
	assert_true(viewer_command(&view, "sort", "x y asc"));
	assert_string_equal(viewer_selected(&view), "/1/x y 1");
	assert_true(viewer_command(&view, "sort", "b desc")); /* a column of that name */
	assert_string_equal(viewer_selected(&view), "/0/b desc 1");
	assert_true(viewer_command(&view, "sort", "b desc desc"));
	assert_string_equal(viewer_selected(&view), "/1/b desc 2");
	assert_false(viewer_command(&view, "sort", "nothing"));
	assert_string_equal(buf_text(&view.text), "no column is named nothing");
	viewer_close(&view);
	/* by key: up, down, as it came */
	open_view("[{'a':2},{'a':3},{'a':1}]", NULL, 30, 4);
	viewer_command(&view, "sort", "");
	assert_string_equal(viewer_selected(&view), "/2/a 1");
	viewer_command(&view, "sort", "");
	assert_string_equal(viewer_selected(&view), "/1/a 3");
	viewer_command(&view, "sort", "");
	assert_string_equal(viewer_selected(&view), "/0/a 2");
	viewer_close(&view);
}

static void
test_filter(void **state)
{
	open_view(numbers, NULL, 40, 5);
	assert_true(viewer_command(&view, "filter", "5"));
	assert_string_equal(viewer_text(&view), "     k\n▌    5");
	assert_string_equal(viewer_facts(&view), " | 1 of 8 × 1");
	assert_true(viewer_reveal(&view, "/2/k")); /* filtered away: all are shown again */
	assert_string_equal(viewer_selected(&view), "/2/k 2");
	assert_true(viewer_command(&view, "filter", "nothing"));
	assert_string_equal(
	    viewer_text(&view), "     k\n   no row matches the filter: Esc shows …");
	assert_string_equal(viewer_selected(&view), " -");
	assert_true(viewer_keys(&view, "down"));
	viewer_close(&view);
}

static const char people[] = "[{'n':'b','k':1},{'n':'a','k':1},{'n':'b','k':0},{'n':'a','k':2}]";

static void
test_sort_by_several(void **state)
{
	open_view(people, NULL, 30, 5);
	assert_true(viewer_command(&view, "sort", ""));
	assert_true(viewer_keys(&view, "right"));
	assert_true(viewer_command(&view, "sort-also", ""));
	assert_string_equal(viewer_text(&view), "   n1▲   k2▲\n"
						"▌  a      1\n"
						"   a      2\n"
						"   b      0\n"
						"   b      1");
	viewer_close(&view);
}

/* A wrong expression leaves the rows, and says where it is wrong; a right one shows its rows. */
static void
test_expression(void **state)
{
	open_view(people, NULL, 40, 6);
	const struct filter_note *note = view.ops->filter_note(view.state);
	assert_true(viewer_command(&view, "filter", "k > 0"));
	assert_true(note->is_expression);
	assert_string_equal(viewer_facts(&view), " | 3 of 4 × 2");
	assert_true(viewer_command(&view, "filter", "k > 0 and n ="));
	assert_string_equal(viewer_facts(&view), " | 3 of 4 × 2");
	assert_string_equal(note->trouble, "a value is expected");
	assert_int_equal(note->at, strlen("k > 0 and n ="));
	viewer_replace(
	    &view, "[{'k':5},{'k':0}]"); /* has no n: the expression is wrong there, too */
	assert_string_equal(viewer_facts(&view), " | table · 2 × 1");
	assert_true(viewer_command(&view, "filter", "5"));
	assert_false(note->is_expression);
	viewer_close(&view);
}

static const char *
filter_now(void)
{
	return view.ops->filtered(view.state);
}

/* Each condition is added to the filter, which is one expression. */
static void
test_filter_by_cell(void **state)
{
	open_view(people, NULL, 40, 6);
	assert_true(viewer_command(&view, "filter", "a"));
	assert_true(viewer_keys(&view, "right"));
	assert_true(viewer_command(&view, "filter-cell", ""));
	assert_string_equal(filter_now(), "\"a\" and k = 1");
	assert_string_equal(viewer_selected(&view), "/1/k 1");
	assert_true(viewer_command(&view, "filter", "k = 1 or k = 0"));
	assert_true(viewer_keys(&view, "left"));
	assert_true(viewer_command(&view, "filter-out", ""));
	assert_string_equal(filter_now(), "(k = 1 or k = 0) and n != \"b\"");
	assert_string_equal(viewer_facts(&view), " | 1 of 4 × 2");
	assert_false(viewer_command(&view, "filter-invalid", ""));
	viewer_close(&view);
	open_view("[{'k':1},{'k':'x'},{}]",
	    "{'items':{'required':['k'],'properties':{'k':{'type':'integer'}}}}", 40, 6);
	assert_true(viewer_command(&view, "filter-invalid", ""));
	assert_string_equal(viewer_facts(&view), " | 2 of 3 × 1");
	assert_true(viewer_command(&view, "filter-invalid", "")); /* off again */
	assert_string_equal(filter_now(), "");
	viewer_close(&view);
}

static void
test_select_rows(void **state)
{
	open_view(people, NULL, 40, 6);
	assert_true(viewer_command(&view, "select-row", ""));
	assert_true(viewer_keys(&view, "shift-down"));
	assert_string_equal(viewer_text(&view), "   n      k\n"
						" ● b      1\n"
						" ● a      1\n"
						"▌  b      0\n"
						"   a      2");
	assert_string_equal(viewer_facts(&view), " | 2 selected · table · 4 × 2");
	assert_true(viewer_command(&view, "filter-selected", ""));
	assert_string_equal(viewer_facts(&view), " | 2 selected · 2 of 4 × 2");
	assert_true(viewer_command(&view, "filter-selected", ""));
	assert_true(viewer_command(&view, "unselect", ""));
	assert_false(viewer_command(&view, "unselect", ""));
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2");
	/* a range, in the order shown: all become what its first row is */
	assert_true(viewer_command(&view, "sort", "k desc"));
	assert_true(viewer_command(&view, "select-row", ""));
	assert_true(viewer_keys(&view, "down"));
	assert_true(viewer_command(&view, "select-range", ""));
	assert_string_equal(viewer_text(&view), "   n      k▼\n"
						" ● a      2\n"
						" ● b      1\n"
						"▌● a      1\n"
						"   b      0");
	assert_true(viewer_command(&view, "select-others", ""));
	assert_string_equal(viewer_facts(&view), " | 1 selected · table · 4 × 2");
	assert_true(viewer_command(&view, "select-equal", "")); /* k = 1 */
	assert_string_equal(viewer_facts(&view), " | 3 selected · table · 4 × 2");
	assert_true(viewer_command(&view, "select", "k = 2 and n = 'a'"));
	assert_string_equal(viewer_facts(&view), " | 4 selected · table · 4 × 2");
	assert_false(viewer_command(&view, "select", "k ="));
	assert_true(viewer_command(&view, "unselect", ""));
	assert_true(viewer_command(&view, "select-shown", ""));
	assert_string_equal(viewer_facts(&view), " | 4 selected · table · 4 × 2");
	assert_true(viewer_command(&view, "reset-columns", "")); /* the same rows */
	assert_string_equal(viewer_facts(&view), " | 4 selected · table · 4 × 2");
	assert_true(viewer_command(&view, "filter", "@selected"));
	viewer_replace(&view, people); /* another result */
	assert_string_equal(viewer_facts(&view), " | table · 4 × 2");
	viewer_close(&view);
}

/* The rows that are selected stay so while a table in one of them is shown. */
static void
test_selected_outside(void **state)
{
	open_view("[{'a':1,'b':[{'c':1}]},{'a':2,'b':[]}]", NULL, 40, 6);
	assert_true(viewer_command(&view, "select-row", ""));
	assert_true(viewer_keys(&view, "up right"));
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "/0/b | table · 1 × 1");
	assert_true(viewer_command(&view, "select-row", ""));
	assert_true(viewer_keys(&view, "esc"));
	assert_string_equal(viewer_facts(&view), " | 1 selected · table · 2 × 2");
	viewer_close(&view);
}

/* Another table is shown only for a row that it has. */
static void
test_reveal_looks_first(void **state)
{
	open_view("{'a':[1],'b':[{'x':1}],'c':[{'y':2}]}", NULL, 40, 5);
	assert_string_equal(viewer_facts(&view), "b | table · 1 × 1 · 2 of 3 tables");
	assert_false(viewer_reveal(&view, "/c/1/y"));
	assert_false(viewer_reveal(&view, "/c/y"));
	assert_false(viewer_reveal(&view, "/nope"));
	assert_string_equal(viewer_facts(&view), "b | table · 1 × 1 · 2 of 3 tables");
	assert_true(viewer_reveal(&view, "/c/0/y"));
	assert_string_equal(viewer_facts(&view), "c | table · 1 × 1 · 3 of 3 tables");
	viewer_close(&view);
}

static void
test_several_tables(void **state)
{
	open_view("{'a':[1],'b':[{'x':1}],'c':[{'y':2}]}", NULL, 40, 5);
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), "b | table · 1 × 1 · 2 of 3 tables");
	assert_true(viewer_command(&view, "next-table", ""));
	assert_string_equal(viewer_selected(&view), "/c/0/y 2");
	assert_true(viewer_command(&view, "next-table", ""));
	assert_string_equal(viewer_selected(&view), "/a/0 1");
	/* the same again in the next result */
	viewer_replace(&view, "{'b':[{'x':1}],'a':[5,6]}");
	assert_string_equal(viewer_selected(&view), "/a/0 5");
	viewer_replace(&view, "{'b':[{'x':1}]}");
	assert_string_equal(viewer_selected(&view), "/b/0/x 1");
	assert_false(viewer_command(&view, "next-table", ""));
	viewer_close(&view);
}

static void
test_place_is_kept(void **state)
{
	open_view(numbers, NULL, 20, 4);
	viewer_text(&view);
	viewer_keys(&view, "end");
	viewer_replace(&view, numbers);
	assert_string_equal(viewer_selected(&view), "/7/k 7");
	viewer_replace(&view, "[{'k':1}]");
	assert_string_equal(viewer_selected(&view), "/0/k 1");
	viewer_replace(&view, "[]");
	assert_string_equal(viewer_selected(&view), " -");
	assert_string_equal(viewer_text(&view), "   value\n   no rows: the arra…");
	viewer_replace(&view, "3");
	assert_string_equal(viewer_text(&view), " this value contains…");
	assert_false(viewer_keys(&view, "down"));
	assert_false(viewer_reveal(&view, "/0"));
	assert_false(viewer_command(&view, "sort", ""));
	viewer_close(&view);
}

static void
test_map(void **state)
{
	open_view("{'ann':{'x':1},'日本/~':{'x':2}}", NULL, 30, 4);
	assert_string_equal(viewer_text(&view), "             x\n▌  ann       1\n   日本/~    2");
	assert_true(viewer_reveal(&view, "/日本~1~0/x"));
	assert_string_equal(viewer_selected(&view), "/日本~1~0/x 2");
	viewer_close(&view);
}

static void
test_reveal(void **state)
{
	open_view("{'n':3,'rows':[{'a':1,'b':{'c':2}},{'a':3,'b':{}}]}",
	    "{'properties':{'rows':{'items':{'properties':{'b':{'required':['c']}}}}}}", 40, 6);
	assert_true(viewer_reveal(&view, "/rows/1/b/c"));
	assert_string_equal(viewer_selected(&view), "/rows/1/b/c -");
	assert_true(viewer_reveal(&view, "/rows/0/b/c"));
	assert_string_equal(viewer_selected(&view), "/rows/0/b/c 2");
	assert_true(viewer_reveal(&view, "/rows/1"));
	assert_string_equal(viewer_selected(&view), "/rows/1/b {}");
	assert_false(viewer_reveal(&view, "/n"));
	assert_false(viewer_reveal(&view, "/rows"));
	assert_false(viewer_reveal(&view, "/rows/2"));
	assert_false(viewer_reveal(&view, "/rowsx/0"));
	assert_false(viewer_reveal(&view, ""));
	viewer_close(&view);
}

static void
test_null_object(void **state)
{
	open_view("[{'at':{'x':1}},{'at':null}]", NULL, 20, 4);
	viewer_keys(&view, "down");
	assert_string_equal(viewer_selected(&view), "/1/at null");
	assert_true(viewer_reveal(&view, "/1/at"));
	viewer_close(&view);
}

static void
test_wide_and_hostile(void **state)
{
	assert_shown("[{'日本':'語','k':'\\u001b[31mred'},{'日本':'a','k':'x\\u202ey'}]", NULL, 30,
	    4,
	    "   日本  k\n"
	    "▌  語    ␛[31mred\n"
	    "   a     x◌y");
	/* a wide character is never cut in half */
	assert_shown("[{'k':'日本語日本語'}]", NULL, 7, 2, "   k   ›\n▌  日本…");
}

static void
test_odd_rows(void **state)
{
	assert_shown("[{'a':1},7,'x',null]", NULL, 30, 6,
	    "     a  value\n"
	    "▌    1\n"
	    "     ·      7\n"
	    "     ·  x\n"
	    "     ·  null");
	assert_shown("[[1,'x'],[2],5]", NULL, 30, 6,
	    "     0  1    value\n"
	    "▌    1  x\n"
	    "     2  ·\n"
	    "     ·  ·        5");
}

static void
test_every_size(void **state)
{
	open_view("{'n':1,'users':[{'id':1,'name':'A','x':{'y':[1,2]}},{'id':'b'},3],'s':'日本'}",
	    "{'properties':{'users':{'items':{'type':'object','required':['name','z']}}}}", 1, 1);
	for (int width = 0; width < 60; width++) {
		for (int height = 0; height < 9; height++) {
			viewer_resize(&view, width, height);
			viewer_text(&view);
			viewer_keys(&view, "right down right");
			viewer_text(&view);
			viewer_keys(&view, "0 home");
		}
	}
	viewer_close(&view);
}

/* Every column shows its number of violations, including those inside nested objects; a violation
 * of the whole object counts in each of its columns. */
static void
test_counts(void **state)
{
	open_view("{'r':[{'id':'x','a':{'b':1}},{'id':2,'a':7},{'a':{'b':'y'}}]}",
	    "{'properties':{'r':{'items':{'required':['id'],'properties':{'id':{'type':'integer'},"
	    "'a':{'type':'object','properties':{'b':{'type':'integer'},'c':{}}}}}}}}",
	    60, 6);
	assert_string_equal(viewer_text(&view), "   id ✗2      a ✗2  a.b ✗2  +1 empty: a.c\n"
						"▌✗ x          {…}        1\n"
						" ✗         2     7  ·\n"
						" ✗ ⟨missing⟩  {…}   y");
	assert_int_equal(viewer_cell(&view, 6, 0)->style.ink, ROLE_ERROR);
	viewer_close(&view);
}

static void
test_what_the_schema_says_of_a_column(void **state)
{
	static const char schema[] =
	    "{'items':{'properties':{'id':{'type':'integer'},'r':{'$ref':'#/$defs/r'},"
	    "'old':{'deprecated':true}}},'$defs':{'r':{'title':'Role','description':'what for'}}}";

	open_view("[{'id':1,'r':'admin','old':2}]", schema, 40, 9);
	assert_string_equal(viewer_text(&view), "    id  r      old\n"
						"▌    1  admin    2");
	assert_int_equal(viewer_cell(&view, 15, 0)->style.ink, ROLE_WARNING);
	viewer_keys(&view, "right");
	assert_string_equal(viewer_text(&view), "    id  r      old\n"
						"▌    1  admin    2\n\n\n\n\n\n\n"
						"   r  Role  what for");
	viewer_keys(&view, "right");
	assert_string_equal(viewer_text(&view), "    id  r      old\n"
						"▌    1  admin    2\n\n\n\n\n\n\n"
						"   old  deprecated");
	view.unfocused = true;
	assert_string_equal(viewer_text(&view), "    id  r      old\n"
						"▌    1  admin    2");
	viewer_close(&view);
}

/* The last line of a table that is not small. */
static void
assert_stats(const char *rows, const char *expected)
{
	open_view(rows, NULL, 90, 12);
	const char *line = strrchr(viewer_text(&view), '\n');
	assert_non_null(line);
	line += 1 + strspn(line + 1, " ");
	assert_memory_equal(line, "p  ", 3);
	assert_string_equal(line + 1 + strspn(line + 1, " "), expected);
	viewer_close(&view);
}

static void
test_statistics(void **state)
{
	assert_stats("[{'p':1},{'p':2.50},{'p':null},{},{'p':1.0},{'p':''},{'p':[1]}]",
	    "3 numbers · 1 string · 1 empty · 1 array or object · 1 null · 1 absent · 3 distinct "
	    "…");
	assert_stats(
	    "[{'p':10},{'p':2.50},{'p':1e1}]", "3 numbers · 2 distinct · 2.50 to 10 · mean 7.5");
	assert_stats("[{'p':0},{'p':1},{'p':1},{'p':1},{'p':7},{'p':8},{'p':8},{'p':8}]",
	    "8 numbers · 4 distinct · 0 to 8 · mean 4.25  ▂▆     █"); /* how they are spread */
	assert_stats("[{'p':true},{'p':false},{'p':true}]", "2 true · 1 false");
	assert_stats("[{'p':'a'},{'p':'b'},{'p':'a'}]", "3 strings · 2 distinct");
	open_view("[{'p':1},{'p':5},{'p':9,'q':2}]", NULL, 60, 12);
	viewer_text(&view);
	view.ops->filter(view.state, &(struct view_env){ .in = &view.in }, "5");
	assert_null(strstr(viewer_text(&view), "numbers"));
	view.ops->filter(view.state, &(struct view_env){ .in = &view.in }, "");
	viewer_keys(&view, "right");
	assert_non_null(strstr(viewer_text(&view), "1 number · 2 absent"));
	viewer_close(&view);
}

/* A dotted column folds into the object that it is a member of, and back. */
static void
test_fold_columns(void **state)
{
	open_view(
	    "[{'id':1,'at':{'city':'Rome','geo':{'lat':1,'lon':2}}},{'id':2,'at':{'city':'Oslo'}}]",
	    NULL, 100, 4);
	assert_true(viewer_command(&view, "fold-column", "at.geo.lon"));
	assert_string_equal(viewer_text(&view), "    id  at.city  at.geo\n"
						"▌    1  Rome     {\"lat\": 1, \"lon\": 2}\n"
						"     2  Oslo     ·");
	assert_string_equal(viewer_selected(&view), "/0/at/geo {\"lat\":1,\"lon\":2}");
	assert_true(viewer_command(&view, "fold-column", "at.city"));
	assert_string_equal(viewer_text(&view),
	    "    id  at\n"
	    "▌    1  {\"city\": \"Rome\", \"geo\": {\"lat\": 1, \"lon\": 2}}\n"
	    "     2  {\"city\": \"Oslo\"}");
	assert_false(viewer_command(&view, "fold-column", ""));
	viewer_replace(&view, "[{'id':3,'at':{'city':'Bonn'}}]"); /* the next result, too */
	assert_string_equal(viewer_text(&view), "    id  at\n"
						"▌    3  {\"city\": \"Bonn\"}");
	assert_true(viewer_command(&view, "unfold-column", "at"));
	assert_string_equal(viewer_text(&view), "    id  at.city\n"
						"▌    3  Bonn");
	assert_false(viewer_command(&view, "unfold-column", ""));
	viewer_close(&view);
}

/* A search goes from cell to cell, in the order that is shown. */
static void
test_search(void **state)
{
	struct seekable s;
	struct substring n;
	size_t at = 0;

	open_view(
	    "{'x':{'a':'bar','n':15},'y':{'a':null,'n':51},'bar':{'a':'Bar','n':1}}", NULL, 60, 6);
	assert_true(viewer_command(&view, "sort", "n"));
	viewer_text(&view);
	assert_true(view.ops->seek(view.state, NULL, &s));
	substring_init(&n, "ba", 2);
	assert_int_equal(s.seek(&s, &n, &at), SEEK_FOUND);
	s.show(&s, at++);
	assert_string_equal(viewer_selected(&view), "/bar/a \"Bar\"");
	assert_int_equal(s.row(&s, at), 1);
	assert_int_equal(s.seek(&s, &n, &at), SEEK_FOUND);
	s.show(&s, at++);
	assert_string_equal(viewer_selected(&view), "/x/a \"bar\"");
	assert_int_equal(s.seek(&s, &n, &at), SEEK_DONE);
	substring_finish(&n);
	substring_init(&n, "51", 2);
	at = s.place(&s);
	assert_int_equal(s.seek(&s, &n, &at), SEEK_FOUND);
	s.show(&s, at);
	assert_string_equal(viewer_selected(&view), "/y/n 51");
	substring_finish(&n);
	viewer_close(&view);
}

static void
test_strings_are_told_apart(void **state)
{
	static const struct {
		const char *text;
		enum role role;
	} strings[] = {
		{ "'2026-07-28'", ROLE_DATE },
		{ "'2026-07-28T10:00:00.5+02:00'", ROLE_DATE },
		{ "'2026-07-28 was a day'", ROLE_TEXT },
		{ "'2026-07-2'", ROLE_TEXT },
		{ "'https://example.com/a?b'", ROLE_URI },
		{ "'see https://example.com'", ROLE_TEXT },
		{ "'https://a b'", ROLE_TEXT },
		{ "'://'", ROLE_TEXT },
		{ "'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'", ROLE_BYTES },
		{ "'da39a3ee5e6b4b0d3255bfef95601890afd80709'", ROLE_BYTES },
		{ "'Donaudampfschifffahrtsgesellschaftskapitaen'", ROLE_TEXT },
		{ "''", ROLE_TEXT },
		{ "'████▋'", ROLE_SERIES_1 },
		{ "'█ or not'", ROLE_TEXT },
	};

	for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
		struct json_doc *doc = parse_quoted(strings[i].text);
		if (view_value_role(json_root(doc)) != strings[i].role)
			fail_msg("%s is %d", strings[i].text, (int)view_value_role(json_root(doc)));
		json_doc_destroy(doc);
	}
}

static void
test_unfocused(void **state)
{
	open_view("[{'a':1},{'a':2}]", NULL, 10, 3);
	viewer_text(&view);
	assert_int_equal(viewer_cell(&view, 5, 1)->style.ground, ROLE_CURSOR);
	view.unfocused = true;
	viewer_text(&view);
	assert_int_not_equal(viewer_cell(&view, 5, 1)->style.ground, ROLE_CURSOR);
	viewer_close(&view);
}

TEST_FILE(view_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_users),
		cmocka_unit_test(test_members_beside),
		cmocka_unit_test(test_member_beside_is_wrong),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_long_text),
		cmocka_unit_test(test_sparklines),
		cmocka_unit_test(test_long_number_out_of_sample),
		cmocka_unit_test(test_violations),
		cmocka_unit_test(test_missing_object),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_scrolling),
		cmocka_unit_test(test_sideways),
		cmocka_unit_test(test_columns_as_the_user_wants),
		cmocka_unit_test(test_wrapped_columns),
		cmocka_unit_test(test_wrapped_lines_are_bounded),
		cmocka_unit_test(test_heading),
		cmocka_unit_test(test_no_heading),
		cmocka_unit_test(test_reveal_shows_a_hidden_column),
		cmocka_unit_test(test_go_to_column_and_row),
		cmocka_unit_test(test_empty_columns_open),
		cmocka_unit_test(test_every_size_when_arranged),
		cmocka_unit_test(test_clicks),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_sort_by_several),
		cmocka_unit_test(test_expression),
		cmocka_unit_test(test_filter_by_cell),
		cmocka_unit_test(test_select_rows),
		cmocka_unit_test(test_selected_outside),
		cmocka_unit_test(test_reveal_looks_first),
		cmocka_unit_test(test_several_tables),
		cmocka_unit_test(test_place_is_kept),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_reveal),
		cmocka_unit_test(test_null_object),
		cmocka_unit_test(test_wide_and_hostile),
		cmocka_unit_test(test_odd_rows),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_what_the_schema_says_of_a_column),
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_fold_columns),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_strings_are_told_apart),
		cmocka_unit_test(test_unfocused),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
