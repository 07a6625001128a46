/* SPDX-License-Identifier: MIT */
/* The pane that compares two results. */
#include "base/mem.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <string.h>

#define FIRST                                                            \
	"\"result\":{\"content\":[],\"structuredContent\":{\"orders\":[" \
	"{\"id\":1,\"who\":\"Ada\",\"s\":\"open\",\"n\":1},"             \
	"{\"id\":2,\"who\":\"Grace\",\"s\":\"open\",\"n\":2},"           \
	"{\"id\":3,\"who\":\"Alan\",\"s\":\"paid\",\"n\":3},"            \
	"{\"id\":4,\"who\":\"Tony\",\"s\":\"paid\",\"n\":4}],\"page\":1}}"
#define SECOND                                                           \
	"\"result\":{\"content\":[],\"structuredContent\":{\"orders\":[" \
	"{\"id\":2,\"who\":\"Grace\",\"s\":\"shipped\",\"n\":2},"        \
	"{\"id\":3,\"who\":\"Alan\",\"s\":\"paid\",\"n\":30},"           \
	"{\"id\":4,\"who\":\"Tony\",\"s\":\"paid\",\"n\":4.0},"          \
	"{\"id\":5,\"who\":\"Edsger\",\"s\":\"new\",\"n\":5}],\"page\":2}}"

static void
call_with(const char *members)
{
	stage_answer(&stage, members);
	stage_run(&stage, "call");
	stage_settle(&stage, 100);
}

static void
compare(const char *first, const char *second)
{
	stage_run(&stage, "tool list_users");
	stage_settle(&stage, 100);
	call_with(first);
	call_with(second);
	stage_keys(&stage, "d");
}

static void
test_rows_and_cells_are_marked(void **state)
{
	compare(FIRST, SECOND);
	see("diff · list_users ▸ orders");
	see("1 added, 1 removed, 3 changed · table by id, 1 elsewhere");
	see("-  1  Ada ");
	see("~  2  Grace   open → shipped       2");
	see("~  3  Alan    paid            3 → 30");
	see("+  5  Edsger  new                  5");
	stage_resize(&stage, 90, 36); /* without the panes around it */
	see_not("Tony");              /* 4 is 4.0 */
	stage_keys(&stage, "alt-q");
	see("4  Tony    paid");
}

static void
test_next_and_previous_change(void **state)
{
	compare(FIRST, SECOND);
	stage_keys(&stage, "n");
	see("orders[id=2].s  open → shipped");
	stage_keys(&stage, "n");
	see("orders[id=3].n  3 → 30");
	stage_keys(&stage, "n");
	see("orders[id=5]");
	stage_keys(&stage, "n");
	see("no change below");
	stage_keys(&stage, "N N");
	see("orders[id=2].s  open → shipped");
}

/* / searches the visible text; n and N go to the matches while there are any, and to changes
 * afterwards. */
static void
test_search(void **state)
{
	compare(FIRST, SECOND);
	stage_keys(&stage, "/");
	stage_type(&stage, "a");
	see("1 of 4"); /* the cells `who` of rows 1 to 3, and `paid`, on both sides */
	stage_keys(&stage, "enter n");
	see("orders[id=2]");
	see("n next   N previous   Esc end   Enter "); /* their other meaning is not offered */
	stage_keys(&stage, "n n");
	see("orders[id=3]");
	stage_keys(&stage, "esc n");
	see("orders[id=3].n  3 → 30");
	stage_keys(&stage, "/");
	stage_type(&stage, "Tony");
	see("nothing found");
	stage_keys(&stage, "esc alt-q /");
	stage_type(&stage, "tony");
	stage_keys(&stage, "enter");
	see("orders[id=4]");
	stage_keys(&stage, "esc v /");
	stage_type(&stage, "edsger");
	stage_keys(&stage, "enter");
	see("orders[id=5]");
	stage_keys(&stage, "esc home enter /"); /* all of it as text */
	stage_type(&stage, "shipped");
	see("1 of 1");
	stage_keys(&stage, "enter esc alt-z");
	stage_keys(&stage, "/");
	stage_type(&stage, "\"s\": \"paid");
	stage_keys(&stage, "enter");
	see("1 of 2"); /* the lines of one side only */
}

static void
test_the_tree_has_all_of_it(void **state)
{
	compare(FIRST, SECOND);
	stage_keys(&stage, "v");
	see("orders  [4]  4 changes, rows by id");
	see("… 1 the same");
	see("~   page  1 → 2");
	see("-     id 1  {\"id\": 1, \"who\": \"Ada\"");
	/* and back into the table from its line */
	stage_keys(&stage, "home down enter");
	see("table by id");
}

static void
test_the_key_is_changed(void **state)
{
	compare(FIRST, SECOND);
	stage_run(&stage, "diff-key who");
	see("table by who");
	stage_run(&stage, "diff-key -");
	see("table in order");
	see("Ada → Grace");
	stage_keys(&stage, "alt-k");
	see("table by id");
}

static void
test_a_value_line_by_line(void **state)
{
	compare("\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"one\\ntwo\\nthree\"}]}",
	    "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"one\\n2\\nthree\\nfour\"}]}");
	see("diff · list_users · content ▸ [0].text");
	see("2 - two ");
	see("2 + 2");
	see("4 + four");
	stage_keys(&stage, "alt-z"); /* below each other */
	see("2   - two");
	see("  2 + 2");
	stage_keys(&stage, "enter");
	see("· tree");
	stage_keys(&stage, "esc");
	see_not("diff · list_users");
}

static void
test_data_in_texts_is_compared(void **state)
{
	compare("\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"[{\\\"id\\\":1,\\\"a\\\":1}"
		"]\"}]}",
	    "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"[{\\\"id\\\":1,\\\"a\\\":2}]\"}"
	    "]}");
	see("the data of the text");
	see("~  1  1 → 2");
	stage_keys(&stage, "B");
	see("· content");
}

static void
test_nothing_differs(void **state)
{
	compare(FIRST, FIRST);
	see("no difference");
	see("No difference in structuredContent.");
	stage_keys(&stage, "n");
	see("no change below");
}

static void
test_what_cannot_be_compared(void **state)
{
	stage_run(&stage, "diff");
	see("no result is shown");
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 100);
	stage_run(&stage, "diff");
	see("there is no earlier call of list_users to compare with");
	stage_run(&stage, "diff #1 #1");
	see("that is one call: choose two");
	stage_run(&stage, "diff x");
	see("usage: diff");
	stage_run(&stage, "diff-view table");
	see("nothing is compared");
}

static void
test_two_calls_of_the_history_pane(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_settle(&stage, 100);
	call_with(FIRST);
	call_with(SECOND);
	stage_run(&stage, "tool bad_rows");
	stage_settle(&stage, 100);
	call_with(FIRST);
	stage_keys(&stage, "H space");
	see("◆");
	stage_keys(&stage, "down down d");
	see("diff · list_users → bad_rows");
	see("no difference");
}

/* The definition shows its changes since the last call. */
static void
test_a_definition_that_changed(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 100);
	stage_keys(&stage, "D");
	see_not("changed since the call");
	stage_keys(&stage, "D");
	stage_answer(&stage, "\"result\":{\"tools\":[{\"name\":\"list_users\",\"inputSchema\":"
			     "{\"type\":\"object\",\"required\":[\"team\"]}}]}");
	stage_run(&stage, "relist");
	stage_settle(&stage, 200);
	stage_keys(&stage, "D");
	see("changed since the call of 1970-01-01 12:03:41: ");
	see("required gained \"team\"");
	see("breaking for callers: yes");
}

static bool
last_call(void *user, const char *server, enum primitive_kind kind, const char *key,
    uint64_t before, struct history_call *out)
{
	*out = (struct history_call){ .id = HISTORY_ID(1, 1) };
	if (kind != PRIMITIVE_TOOL || strcmp(key, "list_users") != 0 || before < out->id)
		return false;
	out->hash = mem_strdup("0");
	out->definition = mem_strdup(user);
	return true;
}

static uint64_t
no_changes(void *user)
{
	return 0;
}

/* The list marks a tool whose definition changed after its last call, until the user has seen the
 * change. */
static void
test_a_changed_tool_is_marked(void **state)
{
	static const struct history_host host = { .last = last_call, .changes = no_changes };
	struct workspace *ws = workbench_workspace(stage.wb);
	struct buf kept = BUF_INIT;

	ws->history.host = &host;
	ws->history.user = (char *)"{\"name\":\"list_users\",\"inputSchema\":{\"type\":"
				   "\"object\",\"required\":[\"team\"]}}";
	stage_run(&stage, "relist");
	stage_settle(&stage, 200);
	stage_run(&stage, "tool search_orders");
	stage_settle(&stage, 200);
	see("List users     ▦◆");
	see_not("Search orders  ▦◆");
	stage_run(&stage, "tool list_users");
	stage_keys(&stage, "f2");
	see("changed since the call of 1970-01-01");
	see("required lost \"team\"");
	stage_keys(&stage, "f2");
	stage_settle(&stage, 200);
	see_not("◆");
	workbench_add_looked(stage.wb, &kept); /* and from run to run */
	assert_int_equal(kept.len, SHA256_HEX - 1);
	strings_finish(&ws->looked);
	ws->looks++;
	ws->generation++;
	stage_settle(&stage, 200);
	see("List users     ▦◆");
	workbench_load_looked(stage.wb, "x\n");
	assert_int_equal(ws->looked.len, 0);
	workbench_load_looked(stage.wb, buf_text(&kept));
	assert_int_equal(ws->looked.len, 1);
	stage_run(&stage, "relist");
	stage_settle(&stage, 200);
	see_not("◆");
	buf_finish(&kept);
	ws->history.host = NULL;
}

/* Escapes of a server do not reach the screen, and a large number of columns is bounded. */
static void
test_hostile_values(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };

	for (int side = 0; side < 2; side++) {
		buf_add_str(&texts[side],
		    "\"result\":{\"content\":[],\"structuredContent\":[{\"id\":\"\\u001b[31m\"");
		for (int i = 0; i < 3000; i++)
			buf_addf(&texts[side], ",\"c%d\":%d", i, i + (side && i == 1));
		buf_add_str(&texts[side], "},{\"id\":\"b\"}]}");
	}
	compare(buf_text(&texts[0]), buf_text(&texts[1]));
	see("1 changed");
	see("␛[31m");
	stage_keys(&stage, "$ n left right home end v v v");
	for (int side = 0; side < 2; side++)
		buf_finish(&texts[side]);
}

TEST_FILE(diff_pane)
{
#define T(f) cmocka_unit_test_setup_teardown(f, stage_set_up, stage_tear_down)
	static const struct CMUnitTest tests[] = {
		T(test_rows_and_cells_are_marked),
		T(test_next_and_previous_change),
		T(test_search),
		T(test_the_tree_has_all_of_it),
		T(test_the_key_is_changed),
		T(test_a_value_line_by_line),
		T(test_data_in_texts_is_compared),
		T(test_nothing_differs),
		T(test_what_cannot_be_compared),
		T(test_two_calls_of_the_history_pane),
		T(test_a_definition_that_changed),
		T(test_a_changed_tool_is_marked),
		T(test_hostile_values),
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
