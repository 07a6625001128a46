/* SPDX-License-Identifier: MIT */
/* Resources, templates and prompts through the whole interface, on the demo server. */
#include "base/vec.h"
#include "one_stage.h"
#include "pane/tools/tools.h"
#include "test.h"

#include <limits.h>
#include <locale.h>
#include <string.h>

static void
keys(const char *names)
{
	stage_keys(&stage, names);
	stage_settle(&stage, 300);
}

static void
type(const char *text)
{
	stage_type(&stage, text);
	stage_settle(&stage, 300);
}

static bool
run(const char *command)
{
	bool ok = stage_run(&stage, command);

	stage_settle(&stage, 300);
	return ok;
}

static struct workspace *
ws(void)
{
	return workbench_workspace(stage.wb);
}

static void
expect_arguments(const char *json)
{
	struct buf out = BUF_INIT;

	form_to_json(ws()->desk->form, &out);
	assert_string_equal(buf_text(&out), json);
	buf_finish(&out);
}

/* ---- the list by kind ---- */

static void
test_kinds(void **state)
{
	see("▌list_users ");
	keys("]");
	see("▌welcome  demo://welcome");
	see("weather  demo://weather/");
	keys("end");
	assert_int_equal(ws()->desk->kind, PRIMITIVE_TEMPLATE);
	keys("]");
	see("▌introduce ");
	keys("]");
	see("▌list_users ");
	keys("[ [");
	see("▌weather "); /* as the user left it */
	stage_click(&stage, 3, 1);
	see("▌list_users ");
	stage_click(&stage, 28, 1);
	see("▌introduce ");
}

static void
test_filter(void **state)
{
	keys("] /");
	type("demo://fold");
	see("Resources 1 of 7");
	see("▌folder ");
	keys("enter ]");
	see("Prompts 3");
}

/* A match in the name comes before other matches, and a whole word before a part. */
static void
test_ranks(void **state)
{
	static const struct primitive best_first[] = {
		{ .name = "Die" },
		{ .name = "die_hard" },
		{ .name = "diet" },
		{ .name = "to_die" },
		{ .name = "letDie" },
		{ .name = "soldier" },
		{ .name = "delete_issue" },
		{ .name = "x", .title = "May die" },
		{ .name = "x", .description = "The die is cast" },
		{ .name = "x" },
	};
	unsigned before = UINT_MAX;

	for (size_t i = 0; i < ARRAY_LEN(best_first); i++) {
		unsigned rank = primitive_rank(&best_first[i], "die");
		assert_true(rank <= before);
		assert_int_equal(rank == 0, i == ARRAY_LEN(best_first) - 1);
		before = rank;
	}
	assert_true(primitive_rank(&(struct primitive){ .name = "list_all_users" }, "lus") > 0);
}

/* The list shows why: the matched letters are lit. */
static void
test_filter_lights_letters(void **state)
{
	keys("/");
	type("lus");
	see("▌list_users ");
	const struct cell *name = &stage.grid.cells[3 * stage.grid.width + 2];
	assert_int_equal(name[0].ch, 'l');
	assert_int_equal(name[0].style.ink, ROLE_MATCH);
	assert_int_not_equal(name[1].style.ink, ROLE_MATCH);
	assert_int_equal(name[5].style.ink, ROLE_MATCH);
}

static void
test_tools_hidden_panes(void **state)
{
	run("pane validation");
	keys("esc ]");
	see_not("╭⁵validation ");
	see_not("╭⁴structuredContent ");
	keys("enter"); /* reads */
	see("│▌resource   text/markdown");
	see("│            Welcome");
	keys("tab");
	see("╭³contents ▸ demo://welcome");
	run("resource demo://users.json");
	see("╭⁴the resource as JSON ");
	see("Alice    admin");
	run("tool list_users");
	see("╭⁵validation ");
}

/* ---- reading ---- */

static void
test_unlisted(void **state)
{
	run("resource demo://notes/1");
	see("not listed");
	see("A resource that no list has.");
	run("resource demo://counter");
	see("tools were called 0 times");
	run("tool list_users");
	keys("f5");
	run("resource demo://counter");
	see("tools were called 1 times");
	assert_false(run("resource"));
	run("resource demo://nowhere");
	see("✗ protocol error -32602");
	see("the server has no such resource");
}

static void
test_links(void **state)
{
	run("prompt review_order");
	run("set order_id \"1001\"");
	keys("f5");
	run("pane content");
	keys("n enter"); /* the second link */
	see("Report of july");
	run("prompt review_order");
	run("pane content");
	keys("N enter"); /* from the first to the last: the web */
	see("Open in the browser?");
	keys("esc");
	see("╭³messages");
	keys("y");
	see("copied https://example.com/style-guide.html");
	run("tool list_users");
	keys("f5");
	run("pane content");
	keys("enter");
	see("this content has no link");
}

static void
test_links_of_a_tool(void **state)
{
	run("tool mixed_content");
	keys("f5");
	run("pane content");
	keys("n n enter");
	see("demo://files/hello.bin");
	assert_int_equal(ws()->desk->kind, PRIMITIVE_RESOURCE);
	see("application/octet-stream · 17 B");
}

/* Pictures and icons are cells; an icon with an address is only listed. */
static void
test_pictures(void **state)
{
	run("resource demo://picture.png");
	see("image/png · 124 B");
	see("▒░░░░░░░░░░░░░░░░░░░░░░▒");
	keys("f2");
	see("icon https://example.com/picture.svg  image/svg+xml  any");
	see("icon data: URI of 190 bytes  24x24  dark");
	see("     ▒░▒░ ░▒░ ░▓░ ░▒▒ ");
}

static void
test_watching(void **state)
{
	run("resource demo://counter");
	keys("W");
	see("◉ ✓");
	run("tool list_users");
	keys("f5");
	run("pane tools");
	see("Resources 7 ◆"); /* it is seen from the other lists */
	keys("]");
	see("◆ ✓");
	see("changed on the server · F5 reads it again");
	keys("enter");
	see("tools were called 1 times");
	see_not("changed on the server");
	run("watch demo://counter");
	see_not("◉");
	run("tool list_users");
	keys("f5");
	run("pane tools");
	keys("]");
	see_not("◆");
}

/* ---- templates and prompts ---- */

static void
test_template(void **state)
{
	assert_false(run("template nothing"));
	run("template demo://weather/{country}/{city}{?units}");
	keys("f5");
	see("2 arguments are missing: country, city.");
	keys("esc");
	run("set country \"United States\"");
	run("set city \"New York\"");
	run("set units \"fahrenheit\"");
	keys("f5");
	see("demo://weather/United%20States/New%20York?units=fahrenheit");
	see("\"units\": \"fahrenheit\"");
}

static void
test_prompt(void **state)
{
	assert_false(run("prompt nothing"));
	keys("[ enter f5"); /* introduce: no arguments */
	see("user   Introduce yourself in two sentences");
	run("prompt plan_trip");
	run("call!");
	see("The argument country is missing");
	see("the server has no such prompt, or does not accept its arguments");
}

/* ---- completion ---- */

static void
test_completion(void **state)
{
	run("prompt plan_trip");
	keys("enter");
	see("│ Austria");
	type("f");
	see_not("│ Austria");
	see("│ France");
	keys("tab");
	expect_arguments("{\"country\":\"France\"}");
	keys("tab"); /* on to the city, whose list depends on the country */
	see("│ Marseille");
	see_not("│ Wien");
	keys("down down enter");
	see_not("│ Marseille");
	expect_arguments("{\"country\":\"France\",\"city\":\"Lyon\"}");
	keys("f5");
	see("Plan a weekend in Lyon, France");
}

static void
test_completion_is_left(void **state)
{
	run("prompt review_order");
	keys("enter");
	see("100 of 420");
	keys("up"); /* without a selection the arrow has its usual effect */
	run("pane form");
	keys("esc up enter");
	see("│ 1001");
	keys("esc");
	see_not("│ 1001");
	type("14");
	see("│ 1400");
	keys("esc esc enter");
	type("!");
	expect_arguments("{\"order_id\":\"14!\"}");
}

static void
test_completion_by_mouse(void **state)
{
	run("template reports");
	keys("enter");
	const char *text = stage_text(&stage), *at = strstr(text, "│ march");
	int row = 0, column = 0;

	assert_non_null(at);
	for (const char *c = text; c < at; c++)
		row += *c == '\n';
	column = 60;
	stage_click(&stage, column, row);
	stage_settle(&stage, 300);
	expect_arguments("{\"month\":\"march\"}");
}

static void
test_no_completion_for_tools(void **state)
{
	run("tool get_weather_data");
	keys("enter");
	type("x");
	for (size_t i = 0; i < journal_info(server_info(stage.server)->journal)->count; i++) {
		const struct journal_entry *e = journal_at(server_info(stage.server)->journal, i);
		assert_true(!e->method || strcmp(e->method, "completion/complete") != 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, stage_set_up, stage_tear_down)

TEST_FILE(primitives)
{
	const struct CMUnitTest tests[] = {
		TEST(kinds),
		TEST(filter),
		TEST(ranks),
		TEST(filter_lights_letters),
		TEST(tools_hidden_panes),
		TEST(unlisted),
		TEST(links),
		TEST(links_of_a_tool),
		TEST(pictures),
		TEST(watching),
		TEST(template),
		TEST(prompt),
		TEST(completion),
		TEST(completion_is_left),
		TEST(completion_by_mouse),
		TEST(no_completion_for_tools),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
