/* SPDX-License-Identifier: MIT */
/* The row of a table as a record, and the tables in its fields. */
#include "base/buf.h"
#include "json/rows.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <string.h>

static struct viewer view;

static const char people[] =
    "{'people':[{'id':1,'name':'Ada','jobs':[{'at':'Acme','from':2019},{'at':'Init'}]},"
    "{'id':2,'name':7,'jobs':[]},{'id':3,'name':'Eve'}]}";

static const char schema[] =
    "{'properties':{'people':{'items':{'properties':{'id':{'type':'integer'},"
    "'name':{'type':'string','description':'what she is called'},"
    "'jobs':{'type':'array','items':{'properties':{'at':{'type':'string'}}}}},"
    "'required':['id','jobs']}}}}";

static void
assert_text(const char *expected)
{
	assert_string_equal(viewer_text(&view), expected);
}

static void
test_fields(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 44, 10);
	viewer_text(&view);
	assert_true(viewer_enter(&view));
	assert_text("▌  id    1\n"
		    "   name  Ada\n"
		    "   jobs  [2] [{\"at\": \"Acme\", \"from\": 2019}, …\n"
		    "\n"
		    "   integer");
	assert_string_equal(viewer_facts(&view), "people | record · row 1 of 3 ←→");
	viewer_keys(&view, "down right");
	assert_string_equal(viewer_selected(&view), "/people/1/name 7");
	assert_text("   id    2\n"
		    "▌  name  7\n"
		    "         ✗ expected a string\n"
		    "   jobs  []\n"
		    "\n"
		    "   string · what she is called");
	viewer_keys(&view, "right right end");
	assert_string_equal(viewer_facts(&view), "people | record · row 3 of 3 ←→");
	assert_string_equal(viewer_selected(&view), "/people/2/jobs -");
	assert_true(viewer_keys(&view, "esc"));
	assert_false(viewer_keys(&view, "esc"));
	assert_string_equal(viewer_selected(&view), "/people/2/jobs -");
	viewer_close(&view);
}

/* The report's missing member is on the line of the member. */
static void
test_missing_field(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 44, 10);
	viewer_keys(&view, "end");
	viewer_enter(&view);
	assert_non_null(strstr(viewer_text(&view), "   jobs  ⟨missing⟩\n"));
	viewer_close(&view);
}

/* Short values leave their space to the schema's description. */
static void
test_room_for_words(void **state)
{
	viewer_open(&view, VIEW_table, "[{'at':1,'n':2},{'at':22}]",
	    "{'items':{'properties':{'at':{'type':'integer','description':"
	    "'the hour of the day, from 0 to 23, in the zone of the city'}}}}",
	    90, 4);
	viewer_text(&view);
	viewer_enter(&view);
	assert_text(
	    "▌  at  1             integer · the hour of the day, from 0 to 23, in the zone of "
	    "the city\n"
	    "   n   2             number");
	viewer_close(&view);
}

/* A wide view has the types too, a very wide one the table at the left. */
static void
test_wide(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 72, 10);
	viewer_enter(&view);
	assert_non_null(strstr(viewer_text(&view), "string · what she"));
	viewer_resize(&view, 140, 10);
	const char *text = viewer_text(&view);
	assert_non_null(strstr(text, " ✗   2        7  []"));
	assert_non_null(strstr(text, "│▌  id "));
	viewer_resize(&view, 60, 40);
	assert_non_null(strstr(viewer_text(&view), "────"));
	viewer_close(&view);
}

static void
test_table_in_a_row(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 44, 8);
	viewer_keys(&view, "right right");
	assert_true(viewer_enter(&view));
	assert_text("   at    from\n▌  Acme  2019\n   Init     ·");
	assert_string_equal(viewer_facts(&view), "/people/0/jobs | table · 2 × 2");
	viewer_keys(&view, "down");
	assert_string_equal(viewer_selected(&view), "/people/0/jobs/1/at \"Init\"");
	assert_true(viewer_command(&view, "sort", "at desc"));
	assert_true(viewer_enter(&view)); /* a record in it */
	assert_string_equal(viewer_facts(&view), "/people/0/jobs | record · row 1 of 2 ←→");
	viewer_keys(&view, "esc esc");
	viewer_text(&view);
	assert_string_equal(viewer_selected(&view),
	    "/people/0/jobs [{\"at\":\"Acme\",\"from\":2019},{\"at\":\"Init\"}]");
	assert_string_equal(viewer_facts(&view), "people | table · 3 × 3 · column 3 of 3");
	viewer_keys(&view, "down");
	assert_true(viewer_enter(&view)); /* an empty array is not a table */
	assert_string_equal(viewer_facts(&view), "people | record · row 2 of 3 ←→");
	assert_false(viewer_enter(&view));
	viewer_close(&view);
}

/* From the record and back to it; a new result shows the outer table. */
static void
test_way_back(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 44, 8);
	viewer_command(&view, "sort", "id desc");
	viewer_keys(&view, "end");
	viewer_enter(&view);
	viewer_keys(&view, "down down");
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "/people/0/jobs | table · 2 × 2");
	viewer_keys(&view, "esc");
	assert_string_equal(viewer_facts(&view), "people | record · row 3 of 3 ←→");
	assert_string_equal(viewer_selected(&view),
	    "/people/0/jobs [{\"at\":\"Acme\",\"from\":2019},{\"at\":\"Init\"}]");
	viewer_enter(&view);
	viewer_replace(&view, people);
	assert_string_equal(viewer_facts(&view), "people | record · row 3 of 3 ←→");
	viewer_keys(&view, "esc");
	viewer_text(&view);
	viewer_command(&view, "column", "jobs");
	viewer_enter(&view);
	assert_true(viewer_reveal(&view, "/people/0/jobs/1/at"));
	assert_string_equal(viewer_selected(&view), "/people/0/jobs/1/at \"Init\"");
	assert_true(viewer_reveal(&view, "/people/1/name"));
	assert_string_equal(viewer_selected(&view), "/people/1/name 7");
	viewer_enter(&view); /* an open record goes along */
	assert_true(viewer_reveal(&view, "/people/2/jobs"));
	assert_string_equal(viewer_selected(&view), "/people/2/jobs -");
	assert_string_equal(viewer_facts(&view), "people | record · row 1 of 3 ←→");
	viewer_replace(&view, "3");
	viewer_text(&view);
	assert_false(viewer_enter(&view));
	viewer_close(&view);
}

/* The rows of a lazy array are read again; an opened row stays open. */
static void
test_lazy_rows(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "[");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%s{'id':%d,'cells':[{'n':%d},{'n':2}]}", i ? "," : "", i, i);
	buf_add_str(&text, "]");
	viewer_open(&view, VIEW_table, "[]", NULL, 44, 8);
	view.lazy_bytes = 1;
	viewer_replace(&view, buf_text(&text));
	assert_true(json_is_lazy(json_root(view.value)));
	viewer_command(&view, "row", "12345");
	viewer_command(&view, "column", "cells");
	assert_true(viewer_enter(&view));
	assert_text("       n\n▌  12344\n       2");
	assert_string_equal(viewer_facts(&view), "/12344/cells | table · 2 × 1");
	viewer_keys(&view, "esc");
	assert_string_equal(viewer_selected(&view), "/12344/cells [{\"n\":12344},{\"n\":2}]");
	viewer_close(&view);
	buf_finish(&text);
}

/* The selected field is in sight, and no line is wasted. */
static void
test_scrolling(void **state)
{
	viewer_open(&view, VIEW_table, "[{'a':1,'b':2,'c':3,'d':4,'e':5}]", NULL, 30, 3);
	viewer_enter(&view);
	assert_text("▌  a  1\n   b  2\n   c  3");
	viewer_keys(&view, "down down down");
	assert_text("   b  2\n   c  3\n▌  d  4");
	viewer_keys(&view, "up up");
	assert_text("▌  b  2\n   c  3\n   d  4");
	viewer_keys(&view, "end");
	assert_text("   c  3\n   d  4\n▌  e  5");
	viewer_resize(&view, 30, 4);
	assert_text("   b  2\n   c  3\n   d  4\n▌  e  5");
	viewer_mouse(&view, MOUSE_PRESS, 5, 1);
	assert_string_equal(viewer_selected(&view), "/0/c 3");
	viewer_close(&view);
}

static void
test_every_size(void **state)
{
	viewer_open(&view, VIEW_table, people, schema, 40, 10);
	viewer_enter(&view);
	for (int width = 0; width < 130; width += width < 20 ? 1 : 11)
		for (int height = 0; height < 30; height += height < 12 ? 1 : 6) {
			viewer_resize(&view, width, height);
			viewer_keys(&view, "down");
			viewer_text(&view);
		}
	viewer_close(&view);
}

/* ---- cards ---- */

static const char order[] = "{'id':7,'customer':{'name':'Ann','address':{'city':'Lisbon'}},"
			    "'note':'a long note that does not fit on one line','tags':['x','y']}";
static const char order_schema[] =
    "{'properties':{'id':{'type':'string','description':'of the order'},'paid':{}},"
    "'required':['paid']}";

/* One object: nested objects are sections, long strings are wrapped, and problems are shown in
 * place. */
static void
test_card(void **state)
{
	viewer_open(&view, VIEW_cards, order, order_schema, 40, 14);
	assert_text("▌  id        7\n"
		    "             ✗ expected a string\n"
		    "   paid      ⟨missing⟩\n"
		    "             ✗ missing\n"
		    "   customer\n"
		    "     name    Ann\n"
		    "     address\n"
		    "       city  Lisbon\n"
		    "   note      a long note that does not\n"
		    "             fit on one line\n"
		    "   tags      [2] [\"x\", \"y\"]\n"
		    "\n"
		    "   string · of the order");
	assert_string_equal(viewer_facts(&view), " | card · 6 fields");
	assert_string_equal(viewer_selected(&view), "/id 7");
	viewer_keys(&view, "down");
	assert_string_equal(viewer_selected(&view), "/paid -");
	viewer_keys(&view, "down down");
	assert_string_equal(viewer_selected(&view), "/customer/address/city \"Lisbon\"");
	assert_false(viewer_keys(&view, "esc"));
	assert_true(viewer_reveal(&view, "/tags"));
	assert_true(viewer_enter(&view));
	assert_string_equal(viewer_facts(&view), "tags | table · 2 × 1");
	viewer_keys(&view, "down");
	assert_string_equal(viewer_selected(&view), "/tags/1 \"y\"");
	assert_true(viewer_keys(&view, "esc"));
	assert_string_equal(viewer_facts(&view), " | card · 6 fields");
	assert_true(viewer_reveal(&view, "/paid"));
	assert_string_equal(viewer_selected(&view), "/paid -");
	viewer_close(&view);
}

/* Rows, one a page. */
/* They stay visible below a card, and below a record that replaces its table. */
static void
test_members_beside_cards(void **state)
{
	static const char value[] =
	    "{'next':'page2','rows':[{'id':1,'name':'a'},{'id':2,'name':'b'}],'total':2}";

	for (int i = 0; i < 2; i++) {
		viewer_open(&view, i ? VIEW_table : VIEW_cards, value, NULL, 40, 9);
		if (i)
			assert_true(viewer_enter(&view));
		assert_string_equal(viewer_text(&view), "▌  id    1\n   name  a\n\n\n\n\n\n"
							"   next   page2\n   total  2");
		viewer_mouse(&view, MOUSE_PRESS, 3, 8); /* no field */
		viewer_resize(&view, 40, 4);
		assert_string_equal(viewer_text(&view),
		    "▌  id    1\n   name  a\n\n"
		    "   next page2            +1 more · v tree");
		viewer_close(&view);
	}
	viewer_open(&view, VIEW_cards, value, NULL, 40, 12);
	view.printed = true;
	assert_int_equal(viewer_want(&view, 40), 8);
	assert_string_equal(viewer_text(&view),
	    "▌  id    1\n   name  a\n\n▌  id    2\n   name  b\n\n"
	    "   next   page2\n   total  2");
	viewer_close(&view);
}

static void
test_cards_of_rows(void **state)
{
	viewer_open(&view, VIEW_cards, people, schema, 44, 10);
	assert_string_equal(viewer_facts(&view), "people | card · 1 of 3 ←→");
	viewer_keys(&view, "pgdn right");
	assert_string_equal(viewer_facts(&view), "people | card · 3 of 3 ←→");
	assert_text("▌  id    3\n"
		    "   name  Eve\n"
		    "   jobs  ⟨missing⟩\n"
		    "         ✗ missing\n"
		    "\n"
		    "   integer");
	viewer_keys(&view, "pgup");
	assert_string_equal(viewer_selected(&view), "/people/1/id 2");
	assert_true(viewer_reveal(&view, "/people/2/name"));
	assert_string_equal(viewer_selected(&view), "/people/2/name \"Eve\"");
	assert_true(viewer_command(&view, "previous-table", "")); /* the value around the rows */
	assert_string_equal(viewer_facts(&view), " | card · 1 field");
	assert_true(viewer_command(&view, "next-table", ""));
	assert_string_equal(viewer_facts(&view), "people | card · 1 of 3 ←→");
	viewer_replace(&view, "{'people':[{'id':1}]}"); /* fewer rows and fields */
	viewer_text(&view);
	assert_string_equal(viewer_facts(&view), "people | card · 1 of 1 ←→");
	viewer_close(&view);
}

/* Every size and unusual values: nothing is drawn outside, and a long string takes a few lines. */
static void
test_card_sizes(void **state)
{
	static const char *const values[] = { "{}", "[]", "3", "{'':{'':''}}", "[[1,2],[3]]",
		"{'日本日本日本':'語語語語語語語語語語語語\\n\\n\\nx','n':-"
		"123456789012345678901234567890.5}",
		order, people };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (int width = 0; width < 90; width += width < 20 ? 1 : 17)
			for (int height = 0; height < 14; height++) {
				viewer_open(&view, VIEW_cards, values[i],
				    i == 6 ? order_schema : NULL, width, height);
				viewer_text(&view);
				viewer_keys(&view, "down down end");
				viewer_text(&view);
				viewer_close(&view);
			}
}

TEST_FILE(view_record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_card),
		cmocka_unit_test(test_cards_of_rows),
		cmocka_unit_test(test_members_beside_cards),
		cmocka_unit_test(test_card_sizes),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_missing_field),
		cmocka_unit_test(test_room_for_words),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_table_in_a_row),
		cmocka_unit_test(test_way_back),
		cmocka_unit_test(test_lazy_rows),
		cmocka_unit_test(test_scrolling),
		cmocka_unit_test(test_every_size),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
