/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "job_queue.h"
#include "data/table_export.h"
#include "view/views.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Tables made of tables: statistics, frequencies, groups, columns as rows. */

static struct viewer view;

static const char people[] =
    "{'people':[{'name':'Ann','role':'dev','pay':10.10,'at':{'city':'Rome'}},"
    "{'name':'Bob','role':'dev','pay':20.20,'at':{'city':'Oslo'}},"
    "{'name':'Cid','role':null,'pay':30},{'name':'Dora','role':'ops','pay':0.3}]}";

static void
open_view(const char *value, int width, int height)
{
	viewer_open(&view, VIEW_table, value, NULL, width, height);
	view.unfocused = true;
}

static void
assert_text(const char *facts, const char *text)
{
	assert_string_equal(viewer_facts(&view), facts);
	assert_string_equal(viewer_text(&view), text);
}

static void
run(const char *command, const char *arg)
{
	assert_true(viewer_command(&view, command, arg));
}

static void
test_statistics(void **state)
{
	open_view(people, 120, 7);
	run("statistics", "");
	assert_text("people ▸ statistics | table · 4 × 12",
	    "   column   type    count  missing  null  distinct  min   max    sum   mean  median  "
	    "histogram\n"
	    "▌  name     string      4        0     0         4  Ann   Dora     ·      ·       ·  "
	    "·\n"
	    "   role     string      3        0     1         2  dev   ops      ·      ·       ·  "
	    "·\n"
	    "   pay      number      4        0     0         4   0.3    30  60.6  15.15   15.15  "
	    "█  █    █  █\n"
	    "   at.city  string      2        2     0         2  Oslo  Rome     ·      ·       ·  "
	    "·");
	viewer_keys(&view, "j j");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_selected(&view), "/people/0/pay 10.10");
	assert_string_equal(viewer_facts(&view), "people | table · 4 × 4");
	viewer_close(&view);
}

/* The sum is exact while possible; a number that a double cannot hold becomes a string. */
static void
test_numbers_are_exact(void **state)
{
	open_view("[{'a':9007199254740993,'b':0.1,'c':-1.5},{'a':2,'b':0.2,'c':1}]", 120, 8);
	run("statistics", "");
	assert_non_null(strstr(viewer_text(&view), " 9007199254740995 "));
	assert_non_null(strstr(viewer_text(&view), " 0.3 "));
	assert_non_null(strstr(viewer_text(&view), " -0.5 "));
	viewer_close(&view);
	open_view("[{'a':1e400},{'a':-0.0},{'a':5}]", 120, 8);
	run("statistics", "");
	assert_non_null(strstr(viewer_text(&view), "1e400"));
	assert_null(strstr(viewer_text(&view), "inf"));
	viewer_close(&view);
}

/* Fractions may take a sum that still fits beyond the largest integer. */
static void
test_huge_sums(void **state)
{
	struct buf value = BUF_INIT;

	for (int i = 0; i < 10; i++)
		buf_addf(&value, "%s{'a':922337203685477580.999999999,'b':-922337203685477580.9}",
		    i > 0 ? "," : "[");
	buf_add_char(&value, ']');
	open_view(buf_text(&value), 160, 8);
	run("statistics", "");
	assert_non_null(strstr(viewer_text(&view), " 9.22337203685e+18 "));
	assert_non_null(strstr(viewer_text(&view), " -9.22337203685e+18 "));
	viewer_close(&view);
	buf_finish(&value);
}

static void
test_frequency(void **state)
{
	open_view(people, 60, 6);
	run("frequency", "role");
	assert_text("people ▸ frequency of role | table · 3 × 4",
	    "   role  count  percent  share\n"
	    "▌  dev       2    50.00  ████████████████████\n"
	    "   null      1    25.00  ██████████\n"
	    "   ops       1    25.00  ██████████");
	assert_true(viewer_enter(&view));
	assert_text("people ▸ frequency of role ▸ group | 2 of 4 × 4",
	    "   name  role    pay  at.city\n"
	    "▌  Ann   dev   10.10  Rome\n"
	    "   Bob   dev   20.20  Oslo");
	assert_string_equal(view.ops->filtered(view.state), "role = \"dev\"");
	assert_string_equal(viewer_selected(&view), "/people/0/role \"dev\"");
	assert_true(viewer_keys(&view, "esc"));
	viewer_keys(&view, "j");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "people ▸ frequency of role ▸ group | 1 of 4 × 4");
	assert_true(viewer_keys(&view, "esc esc"));
	assert_string_equal(viewer_facts(&view), "people | table · 4 × 4");
	assert_string_equal(viewer_selected(&view), "/people/0/role \"dev\"");
	assert_false(viewer_keys(&view, "esc"));
	viewer_close(&view);
}

/* Equal numbers are one value, and absent is not null. */
static void
test_values_are_told_apart(void **state)
{
	open_view(
	    "[{'v':1},{'v':1.0},{'v':'1'},{'v':null},{},{'v':true},{'v':[1]},{'v':10e-1}]", 60, 9);
	run("frequency", "v");
	assert_text("frequency of v | table · 6 × 4",
	    "   v      count  percent  share\n"
	    "▌      1      3    37.50  ████████████████████\n"
	    "   \"1\"        1    12.50  ██████▋\n"
	    "   null       1    12.50  ██████▋\n"
	    "   ·          1    12.50  ██████▋\n"
	    "   true       1    12.50  ██████▋\n"
	    "   [1]        1    12.50  ██████▋");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "frequency of v ▸ group | 3 of 8 × 1");
	viewer_keys(&view, "esc j j j");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "frequency of v ▸ group | 1 of 8 × 1");
	viewer_close(&view);
}

/* The rows of a group come from the rows of its sheet; another filter is undone first. */
static void
test_filters_of_groups(void **state)
{
	open_view(people, 60, 6);
	view.ops->filter(view.state, &(struct view_env){ .in = &view.in }, "pay > 0.5");
	run("frequency", "role");
	assert_string_equal(viewer_facts(&view), "people ▸ frequency of role | table · 2 × 4");
	assert_true(viewer_enter(&view));
	assert_string_equal(view.ops->filtered(view.state), "pay > 0.5 and role = \"dev\"");
	run("filter-cell", "");
	view.ops->filter(view.state, &(struct view_env){ .in = &view.in }, "Bob");
	assert_true(viewer_keys(&view, "esc"));
	assert_string_equal(view.ops->filtered(view.state), "pay > 0.5 and role = \"dev\"");
	viewer_keys(&view, "esc esc");
	assert_string_equal(viewer_facts(&view), "people | 3 of 4 × 4");
	viewer_close(&view);
}

static void
test_groups(void **state)
{
	open_view(
	    "[{'kind':'a','count':1,'x':0.1},{'kind':'a','count':2,'x':0.2},{'kind':'b'}]", 120, 5);
	run("group", "kind");
	assert_text("groups of kind | table · 2 × 10",
	    "   kind  rows counted  count.sum  count.mean  count.min  count.max  x.sum  x.mean  "
	    "x.min  "
	    "x.max\n"
	    "▌  a                2          3         1.5          1          2    0.3    0.15    "
	    "0.1    "
	    "0.2\n"
	    "   b                1          ·           ·          ·          ·      ·       ·     "
	    " ·      "
	    "·");
	viewer_keys(&view, "esc");
	run("group", "kind, count");
	assert_string_equal(viewer_facts(&view), "groups of kind, count | table · 3 × 7");
	viewer_keys(&view, "j");
	assert_true(viewer_enter(&view));
	assert_string_equal(view.ops->filtered(view.state), "kind = \"a\" and count = 2");
	assert_false(viewer_command(&view, "group", "nobody"));
	viewer_close(&view);
}

/* A sheet is a table like any other: of it, too, there are sheets. */
static void
test_sheets_of_sheets(void **state)
{
	struct buf out = BUF_INIT;

	open_view(people, 100, 8);
	run("statistics", "");
	run("sort", "count desc");
	run("frequency", "type");
	assert_text("people ▸ statistics ▸ frequency of type | table · 2 × 4",
	    "   type    count  percent  share\n"
	    "▌  string      3    75.00  ████████████████████\n"
	    "   number      1    25.00  ██████▋");
	size_t column;
	struct table *t = view.ops->table(view.state, &column);
	assert_false(export_is_whole(t));
	assert_true(export_table(t, "csv", NULL, &out, NULL));
	assert_memory_equal(buf_text(&out), "type,count,percent,share\r\nstring,3,75.00,", 40);
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view),
	    "people ▸ statistics ▸ frequency of type ▸ group | "
	    "3 of 4 × 12");
	viewer_keys(&view, "esc esc");
	viewer_keys(&view, "esc");
	assert_string_equal(viewer_facts(&view), "people | table · 4 × 4");
	run("statistics", "");
	assert_true(viewer_reveal(&view, "/people/1/pay"));
	assert_string_equal(viewer_facts(&view), "people | table · 4 × 4");
	buf_finish(&out);
	viewer_close(&view);
}

static void
test_transposed(void **state)
{
	open_view(people, 60, 6);
	run("sort", "name desc");
	run("transpose", "");
	assert_text("people ▸ transposed | table · 4 × 4", "            1     2     3      4\n"
							   "▌  name     Dora  Cid   Bob    Ann\n"
							   "   role     ops   null  dev    dev\n"
							   "   pay       0.3    30  20.20  10.10\n"
							   "   at.city  ·     ·     Oslo   Rome");
	viewer_close(&view);
	open_view("{'x':{'a':1,'b':2},'y':{'a':3}}", 60, 6);
	run("transpose", "");
	assert_text("transposed | table · 2 × 2", "        x    y\n"
						  "▌  a    1    3\n"
						  "   b    2    ·");
	viewer_close(&view);
}

static const char weather[] =
    "{'hourly':{'time':['01:00','02:00'],'unit':'C','temp':[20.5,21],'odd':[1],'wind':[null,3],"
    "'at':[{'x':1,'y':[7,8]},{'x':2}]}}";

/* Columns that came as arrays. The pointers are those of the arrays. */
static void
test_joined(void **state)
{
	open_view(weather, 90, 6);
	assert_true(viewer_reveal(&view, "/hourly/time/0"));
	run("join", "");
	assert_text("/hourly/time ▸ joined /hourly | table · 2 × 5 · 4 of 5 arrays",
	    "   time   temp  wind  at.x  at.y\n"
	    "▌  01:00  20.5  null     1  [7, 8]\n"
	    "   02:00  21       3     2  ·");
	assert_string_equal(viewer_selected(&view), "/hourly/time/0 \"01:00\"");
	viewer_keys(&view, "j l");
	assert_string_equal(viewer_selected(&view), "/hourly/temp/1 21");
	viewer_keys(&view, "l l");
	assert_string_equal(viewer_selected(&view), "/hourly/at/1/x 2");
	assert_false(viewer_command(&view, "join", ""));
	/* sorted, grouped and opened like any other table */
	run("sort", "temp desc");
	viewer_keys(&view, "G l $");
	assert_string_equal(viewer_selected(&view), "/hourly/at/0/y [7,8]");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_selected(&view), "/hourly/at/0/y/0 7");
	viewer_keys(&view, "esc");
	run("frequency", "wind");
	viewer_keys(&view, "j");
	assert_true(viewer_enter(&view));
	assert_non_null(strstr(viewer_facts(&view), "joined /hourly ▸ frequency of wind ▸ group"));
	assert_non_null(strstr(viewer_selected(&view), "/hourly/"));
	assert_true(viewer_keys(&view, "esc esc esc"));
	assert_string_equal(viewer_selected(&view), "/hourly/time/0 \"01:00\"");
	viewer_close(&view);
}

/* In an object's card and in a table row, the selected value is the array. */
static void
test_joined_from_a_record(void **state)
{
	viewer_open(&view, VIEW_cards, "{'t':[1,2],'unit':'C','u':['a','b']}", NULL, 60, 6);
	assert_string_equal(viewer_facts(&view), " | card · 3 fields · Alt-J joins 2 arrays");
	viewer_keys(&view, "j");
	run("join", ""); /* from a string: those of which there are most */
	assert_string_equal(viewer_facts(&view), "joined | table · 2 × 2");
	viewer_keys(&view, "esc j");
	run("join", "");
	assert_string_equal(viewer_facts(&view), "joined | table · 2 × 2");
	viewer_keys(&view, "j");
	assert_string_equal(viewer_selected(&view), "/t/1 2");
	assert_true(viewer_keys(&view, "esc"));
	assert_string_equal(viewer_selected(&view), "/u [\"a\",\"b\"]");
	assert_true(viewer_enter(&view));
	run("join", "");
	assert_string_equal(viewer_facts(&view), "u ▸ joined | table · 2 × 2");
	viewer_close(&view);
	open_view("[{'n':1,'x':[1,2],'y':[3,4]},{'n':2,'x':[5],'y':[6]}]", 60, 6);
	viewer_keys(&view, "j l");
	run("join", "");
	assert_text("joined /1 | table · 1 × 2", "     x    y\n▌    5    6");
	assert_string_equal(viewer_selected(&view), "/1/x/0 5");
	viewer_close(&view);
}

/* They are marked, counted and filtered as in the arrays; those of other arrays are not here. */
static void
test_violations_in_joined(void **state)
{
	static const char schema[] =
	    "{'properties':{'t':{'items':{'type':'number'}},'w':{'minItems':9,'items':{'minimum':0}"
	    "},"
	    "'o':{'items':{'required':['x'],'properties':{'x':{'type':'integer'},"
	    "'in':{'items':{'type':'string'}}}}},'short':{'items':{'type':'null'}}}}";
	static const char value[] = "{'t':[1,'x',3,4],'w':[1,2,-3,4],'short':[1,2],"
				    "'o':[{'x':1},{'x':2},{'x':'y'},{'in':[7,8]}]}";

	viewer_open(&view, VIEW_table, value, schema, 60, 9);
	run("join", "");
	assert_text("o ▸ joined | table · 4 × 4 · 3 of 4 arrays",
	    "   t ✗1  w ✗1     o.x ✗2  o.in ✗2\n"
	    "▌     1     1          1  ·\n"
	    " ✗ x        2          2  ·\n"
	    " ✗    3    -3  y          ·\n"
	    " ✗    4     4  ⟨missing⟩  [7, 8]");
	assert_int_equal(viewer_cell(&view, 3, 2)->style.ground, ROLE_ERROR_CELL);
	assert_int_not_equal(viewer_cell(&view, 8, 2)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 26, 4)->style.ground, ROLE_ERROR_CELL); /* inside it */
	run("filter-invalid", "");
	assert_text("o ▸ joined | 3 of 4 × 4 · 3 of 4 arrays",
	    "   t ✗1  w ✗1     o.x ✗2  o.in ✗2\n"
	    "▌✗ x        2          2  ·\n"
	    " ✗    3    -3  y          ·\n"
	    " ✗    4     4  ⟨missing⟩  [7, 8]\n\n\n\n\n"
	    "   t  expected a number");
	run("column", "o.in");
	viewer_keys(&view, "G");
	viewer_command(&view, "filter", "w > 3");
	assert_string_equal(viewer_selected(&view), "/o/3/in [7,8]");
	viewer_keys(&view, "left");
	assert_non_null(strstr(viewer_text(&view), "o.x  missing"));
	viewer_close(&view);
	/* a value of several lines in a record is one of them */
	viewer_open(&view, VIEW_table, "{'t':['one\\ntwo','one\\ntwo'],'u':['one\\ntwo','b']}",
	    "{'properties':{'t':{'items':{'maxLength':3}}}}", 40, 9);
	run("join", "");
	assert_true(viewer_enter(&view));
	assert_non_null(strstr(viewer_text(&view), "▌  t  one\n      two\n      ✗"));
	assert_int_equal(viewer_cell(&view, 6, 0)->style.ground, ROLE_ERROR_CELL);
	assert_int_equal(viewer_cell(&view, 6, 1)->style.ground, ROLE_ERROR_CELL);
	assert_int_not_equal(viewer_cell(&view, 6, 3)->style.ground, ROLE_ERROR_CELL);
	viewer_close(&view);
}

/* The title offers it, also for arrays in a member. */
static void
test_join_is_offered(void **state)
{
	static const char value[] = "{'place':{'lat':1,'lon':2},'units':{'t':'C'},'one':[1,2],"
				    "'hourly':{'time':['a','b','c'],'t':[1,2,3],'wind':[4,5,6]}}";

	viewer_open(&view, VIEW_cards, value, NULL, 60, 6);
	assert_non_null(strstr(viewer_facts(&view), " · Alt-J joins 3 arrays"));
	run("join", "");
	assert_string_equal(viewer_facts(&view), "joined /hourly | table · 3 × 3");
	viewer_close(&view);
	open_view(value, 60, 6);
	assert_non_null(strstr(viewer_facts(&view), " · Alt-J joins 3 arrays"));
	viewer_close(&view);
	viewer_open(
	    &view, VIEW_cards, "{'a':[{'x':1},{'x':2}],'b':[1],'c':[[1],[2]]}", NULL, 60, 6);
	assert_null(strstr(viewer_facts(&view), "joins"));
	viewer_close(&view);
}

/* A table in a card has all commands of a table; a card itself refuses those of columns. */
static void
test_commands_in_cards(void **state)
{
	static const char *const values[] = { "{'a':1,'b':'x','l':[{'n':1},{'n':2}]}",
		"{'a':[1,2],'b':[3,4]}", "{'a':1}", "{'a':null,'o':{'p':[]}}" };

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		for (const struct view_action *a = view_cards.actions; a->name; a++) {
			viewer_open(&view, VIEW_cards, values[i], NULL, 60, 12);
			for (int twice = 0; twice < 2; twice++) {
				viewer_command(&view, a->name, "");
				viewer_text(&view);
				viewer_facts(&view);
				viewer_keys(&view, "down");
			}
			viewer_close(&view);
		}
	viewer_open(&view, VIEW_cards, values[1], NULL, 60, 12);
	assert_false(viewer_command(&view, "wrap-column", ""));
	assert_false(viewer_command(&view, "hide-column", ""));
	run("join", "");
	run("hide-column", "");
	assert_non_null(strstr(viewer_facts(&view), "+1 hidden"));
	run("frequency", "");
	viewer_close(&view);
}

static void
test_joins_only_arrays_of_its_length(void **state)
{
	static const char *const alone[] = { "[1,2]", "{'a':[1,2],'b':[1]}", "[[1,2],[3,4]]",
		"{'a':{'x':{'n':1},'y':{'n':2}},'b':[1],'c':[1,2]}" };

	for (size_t i = 0; i < ARRAY_LEN(alone); i++) {
		open_view(alone[i], 60, 6);
		assert_false(viewer_command(&view, "join", ""));
		viewer_close(&view);
	}
}

static void
nothing(void *user)
{
}

/* In a job; a row is parsed when it is read. */
static void
test_joined_in_a_job(void **state)
{
	struct buf value = BUF_INIT;
	struct job_queue queue;

	for (int c = 0; c < 3; c++) {
		buf_addf(&value, "%s'column %d':[", c > 0 ? "," : "{", c);
		for (int i = 0; i < 50000; i++)
			buf_addf(&value, "%s%d", i > 0 ? "," : "", i * (c + 1));
		buf_add_char(&value, ']');
	}
	buf_add_char(&value, '}');
	job_queue_init(&queue);
	open_view("[{'a':1}]", 100, 6);
	view.jobs = &queue.jobs;
	viewer_replace(&view, buf_text(&value));
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	run("join", "");
	assert_non_null(strstr(viewer_facts(&view), "joining arrays 0 %"));
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	assert_non_null(strstr(viewer_facts(&view), "joined | table · 50 000 × 3"));
	viewer_keys(&view, "G l l");
	assert_string_equal(viewer_selected(&view), "/column 2/49999 149997");
	/* stopped, and another value while it is made */
	viewer_keys(&view, "esc");
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	run("join", "");
	assert_true(viewer_keys(&view, "esc"));
	run("join", "");
	viewer_replace(&view, "[{'a':1}]");
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	assert_string_equal(viewer_facts(&view), " | table · 1 × 1");
	viewer_close(&view);
	job_queue_finish(&queue);
	buf_finish(&value);
}

/* ---- long and hostile ---- */

static char *
long_table(size_t rows)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < rows; i++)
		buf_addf(&out, "%s{'n':%zu,'k':'k%zu'}", i ? "," : "[", i, i % 3);
	buf_add_str(&out, "]");
	return buf_detach(&out);
}

static void
test_jobs(void **state)
{
	char *text = long_table(20000);
	struct job_queue queue;

	job_queue_init(&queue);
	open_view("[{'a':1}]", 100, 6);
	view.jobs = &queue.jobs;
	viewer_replace(&view, text);
	assert_false(viewer_command(&view, "statistics", ""));
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	run("statistics", "");
	assert_string_equal(
	    viewer_facts(&view), " | table · 20 000 × 2 · computing statistics 0 %");
	assert_true(viewer_keys(&view, "esc")); /* stops it */
	assert_string_equal(viewer_facts(&view), " | table · 20 000 × 2");
	static const char *const works[][2] = { { "group", "grouping" },
		{ "transpose", "transposing" }, { "frequency", "counting values" } };
	for (size_t i = 0; i < ARRAY_LEN(works); i++) {
		if (i > 0)
			viewer_keys(&view, "esc");
		run(works[i][0], i == 1 ? "" : "k");
		assert_non_null(strstr(viewer_facts(&view), works[i][1]));
	}
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	assert_string_equal(viewer_facts(&view), "frequency of k | table · 3 × 4");
	viewer_keys(&view, "esc");
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	run("statistics", "");
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	assert_non_null(strstr(viewer_text(&view), "9999.5"));
	assert_non_null(strstr(viewer_text(&view), "199990000"));
	viewer_keys(&view, "esc");
	/* another value while it is made */
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	run("statistics", "");
	viewer_replace(&view, "[{'a':1}]");
	while (queue.waiting.len > 0)
		job_queue_run(&queue, nothing, NULL);
	assert_string_equal(viewer_facts(&view), " | table · 1 × 1");
	viewer_close(&view);
	job_queue_finish(&queue);
	free(text);
}

/* Sorting few rows needs no job, but counting all their columns does. */
static void
test_job_for_a_few_thousand(void **state)
{
	char *text = long_table(2000);
	struct job_queue queue;

	job_queue_init(&queue);
	open_view("[{'a':1}]", 100, 6);
	view.jobs = &queue.jobs;
	viewer_replace(&view, text);
	run("sort", "k desc");
	assert_int_equal(queue.waiting.len, 0);
	run("statistics", "");
	assert_int_equal(queue.waiting.len, 1);
	job_queue_run(&queue, nothing, NULL);
	assert_non_null(strstr(viewer_text(&view), "1999000"));
	viewer_close(&view);
	job_queue_finish(&queue);
	free(text);
}

static void
test_bounds(void **state)
{
	char *text = long_table(60000);

	open_view(text, 100, 6);
	run("frequency", "n");
	assert_string_equal(viewer_facts(&view),
	    "frequency of n | table · 50 000 × 4 · 10 000 rows of other values");
	viewer_keys(&view, "esc");
	run("transpose", "");
	assert_non_null(strstr(viewer_facts(&view), "first 200 of 60 000 rows"));
	viewer_close(&view);
	free(text);
}

/* With fewer rows, or the first columns of one row, the title says so. */
static void
test_bounds_of_bytes(void **state)
{
	enum { LONG = 3 << 20 };
	char *word = mem_alloc(LONG + 1);
	struct buf value = BUF_INIT;

	memset(word, 'x', LONG);
	word[LONG] = '\0';
	for (int i = 0; i < 4; i++)
		buf_addf(&value, "%s{'a':'%s','b':'%s'}", i > 0 ? "," : "[", word, word);
	buf_add_char(&value, ']');
	open_view(buf_text(&value), 100, 6);
	run("transpose", "");
	assert_string_equal(viewer_facts(&view),
	    "transposed | table · 2 × 2 · first 2 of 4 rows: the rest is too large");
	viewer_close(&view);
	buf_clear(&value);
	for (int i = 0; i < 7; i++)
		buf_addf(&value, "%s'c%d':'%s'", i > 0 ? "," : "[{", i, word);
	buf_add_str(&value, "},{'c0':1}]");
	open_view(buf_text(&value), 100, 6);
	run("transpose", "");
	assert_string_equal(viewer_facts(&view), "transposed | table · 6 × 1 · first 1 of 2 rows, "
						 "6 of 7 columns: the rest is too large");
	viewer_close(&view);
	buf_finish(&value);
	free(word);
}

/* The title says what a joined table leaves out. */
static void
test_bounds_of_joined(void **state)
{
	struct buf value = BUF_INIT;

	for (int c = 0; c < 70; c++)
		buf_addf(&value, "%s'c%d':[1,2]", c > 0 ? "," : "{", c);
	buf_add_char(&value, '}');
	open_view(buf_text(&value), 60, 6);
	run("join", "");
	assert_string_equal(viewer_facts(&view), "c0 ▸ joined | table · 2 × 64 · 64 of 70 arrays");
	viewer_close(&view);
	buf_clear(&value);
	for (int c = 0; c < 2; c++) {
		buf_addf(&value, "%s'c%d':[0", c > 0 ? "," : "{", c);
		for (int i = 0; i < 1000000; i++)
			buf_add_str(&value, ",1");
		buf_add_char(&value, ']');
	}
	buf_add_char(&value, '}');
	open_view(buf_text(&value), 60, 6);
	run("join", "");
	assert_non_null(strstr(
	    viewer_facts(&view), "table · 1 000 000 × 2 · first 1 000 000 of 1 000 001 rows"));
	viewer_close(&view);
	buf_finish(&value);
}

/* A long word is cut, and no filter is made from a cut word. */
static void
test_hostile(void **state)
{
	struct buf value = BUF_INIT;
	size_t megabyte = (size_t)1 << 20;

	buf_add_str(&value, "[{'w\\u001b[2J':'\\u202e\\u0007\\u0000','v':'");
	for (size_t i = 0; i < megabyte; i++)
		buf_add_char(&value, 'w');
	buf_add_str(&value, "'},{'w\\u001b[2J':'漢字漢字','v':'\\ud800'}]");
	open_view(buf_text(&value), 60, 8);
	for (size_t i = 0; i < 2; i++) {
		run("frequency", i == 0 ? "v" : "1");
		viewer_text(&view);
		bool enters = viewer_enter(&view);
		viewer_text(&view);
		assert_true((strstr(viewer_facts(&view), "group") != NULL) == (i == 1));
		viewer_keys(&view, enters ? "esc esc" : "esc");
		assert_true(enters);
	}
	run("statistics", "");
	viewer_text(&view);
	viewer_keys(&view, "esc");
	run("group", "v");
	viewer_text(&view);
	viewer_keys(&view, "esc");
	run("transpose", "");
	viewer_text(&view);
	viewer_close(&view);
	buf_finish(&value);
}

TEST_FILE(sheets)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_numbers_are_exact),
		cmocka_unit_test(test_huge_sums),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_values_are_told_apart),
		cmocka_unit_test(test_filters_of_groups),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_sheets_of_sheets),
		cmocka_unit_test(test_transposed),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_joined_from_a_record),
		cmocka_unit_test(test_violations_in_joined),
		cmocka_unit_test(test_join_is_offered),
		cmocka_unit_test(test_commands_in_cards),
		cmocka_unit_test(test_joins_only_arrays_of_its_length),
		cmocka_unit_test(test_joined_in_a_job),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_job_for_a_few_thousand),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_bounds_of_bytes),
		cmocka_unit_test(test_bounds_of_joined),
		cmocka_unit_test(test_hostile),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
