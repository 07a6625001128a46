/* SPDX-License-Identifier: MIT */
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* The mouse on the whole interface: the effect of a click, a double click and a drag in each
 * pane. */

/* Find the position of a text on the screen, from 0. No wide character may precede it. */
static bool
find(const char *text, int *x, int *y)
{
	const char *screen = stage_text(&stage), *found = strstr(screen, text);

	*x = *y = 0;
	for (const char *at = screen; found && at < found; at++) {
		*x += (*at & 0xc0) != 0x80;
		if (*at == '\n') {
			*x = 0;
			(*y)++;
		}
	}
	return found != NULL;
}

static void
click_on(const char *text)
{
	int x, y;

	assert_true(find(text, &x, &y));
	stage_click(&stage, x, y);
}

static bool
sees(const char *text)
{
	return strstr(stage_text(&stage), text) != NULL;
}

static void
test_list(void **state)
{
	click_on("get_weather_data");
	assert_true(sees("▌get_weather_data"));
	assert_true(sees("╭²get_weather_data "));
	assert_true(sees("Enter form"));
	click_on("get_weather_data"); /* once more: its form */
	assert_true(sees("▌location"));
	assert_true(sees("Enter edit"));
	stage_click(&stage, 5, 5); /* back in the list: only that */
	assert_true(sees("Enter form"));
	click_on("Prompts 3");
	assert_true(sees("▌introduce"));
	click_on("Resources 7");
	assert_true(sees("demo://"));
}

static void
test_table(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	click_on("Bob");
	assert_true(sees("▌    2  Bob"));
	assert_false(sees("▸ /users/1/name"));
	click_on("Bob"); /* the row as a record, then a field of it */
	assert_true(sees("record · row 2 of 3"));
	click_on("editor");
	assert_true(sees("▌  role"));
	assert_false(sees("▸ /users/1/role"));
	click_on("editor");
	assert_true(sees("▸ /users/1/role"));
	stage_keys(&stage, "esc esc");
	click_on("name     role"); /* the head sorts, however often */
	assert_true(sees("name▲"));
	click_on("name▲");
	assert_true(sees("name▼"));
}

static void
test_tree(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_run(&stage, "view tree");
	click_on("total  3");
	assert_true(sees("▌    total  3"));
	click_on("total  3");
	assert_true(sees("structuredContent ▸ /total"));
	stage_keys(&stage, "esc");
	click_on("▾ users");
	assert_true(sees("▸ users  [3]"));
	click_on("▸ users");
	assert_true(sees("▾ users  [3]"));
}

static void
test_validation(void **state)
{
	stage_run(&stage, "tool bad_rows");
	stage_run(&stage, "call");
	click_on("/products/4/name");
	assert_true(sees("▌/products/4/name"));
	assert_true(sees("Enter go there"));
	click_on("/products/4/name");
	assert_true(sees("Enter open"));
}

static uint32_t
ink_of(const char *text)
{
	int x, y;

	assert_true(find(text, &x, &y));
	return stage.grid.cells[y * stage.grid.width + x].style.ink;
}

/* The box of a menu lies over all panes, which step back; the mouse is its own until it closes. */
static void
test_menu_above_all_panes(void **state)
{
	int x, y, border_x, border_y;

	stage_run(&stage, "tool list_users");
	assert_true(find("╭³content", &border_x, &border_y));
	stage_keys(&stage, "enter");
	assert_true(find("│ viewer", &x, &y));
	assert_true(y >= border_y); /* beyond its pane, which has not grown */
	assert_true(find("╭³content", &x, &y));
	assert_int_equal(y, border_y);
	assert_int_equal(ink_of("list_users_before"), ROLE_HINT);
	assert_int_not_equal(ink_of("viewer"), ROLE_HINT);
	assert_true(find("omitted", &x, &y)); /* the field has no background now */
	assert_int_equal(stage.grid.cells[y * stage.grid.width + x].under, ROLE_NONE);
	click_on("viewer");
	assert_true(sees("▌role       viewer"));
	assert_int_not_equal(ink_of("list_users_before"), ROLE_HINT);

	stage_keys(&stage, "enter");
	click_on("list_users_before"); /* closes the menu and does nothing else */
	assert_false(sees("╭────────────────────╮ "));
	assert_true(sees("╭²list_users "));
	click_on("list_users_before");
	assert_true(sees("╭²list_users_before "));
}

static void
test_drag_list(void **state)
{
	int x, y;

	assert_true(find("╭²list_users", &x, &y));
	assert_int_equal(x, 38);
	stage_drag(&stage, x, 10, 49, 12);
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 50);
	stage_drag(&stage, x - 1, 10, 3, 10); /* not narrower than it can be */
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 20);
	stage_drag(&stage, x, 10, 119, 10);
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 120 - 44);
	stage_run(&stage, "fit");
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 38);
}

static void
test_sizes_are_kept(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	int x, y;

	workbench_add_sizes(stage.wb, &before);
	assert_int_equal(before.len, 0);
	find("╭²list_users", &x, &y);
	stage_drag(&stage, x, 10, 49, 12);
	stage_run(&stage, "strip");
	workbench_add_sizes(stage.wb, &before);
	assert_string_equal(buf_text(&before), "tools 50\nstrip 0\n");
	stage_run(&stage, "fit");
	workbench_load_sizes(stage.wb, "what 7\ntools 50\ncontent 0\nform -3\nstrip 0\nrest");
	workbench_add_sizes(stage.wb, &after);
	assert_string_equal(buf_text(&after), buf_text(&before));
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 50);
	buf_finish(&before);
	buf_finish(&after);
}

/* Names that are cut keep their ends. */
static void
test_narrow_list(void **state)
{
	workbench_load_sizes(stage.wb, "tools 34");
	assert_true(sees("hostile␛[31;…an␛]0;owned␇"));
	workbench_load_sizes(stage.wb, "tools 20");
	assert_true(sees("list_users…"));
}

static void
test_drag_stack(void **state)
{
	int x, y, before, below;

	stage_run(&stage, "tool bad_rows");
	stage_run(&stage, "call");
	find("╭³content", &x, &before);
	stage_drag(&stage, x + 20, before, x + 20, before + 4);
	assert_true(find("╭³content", &x, &y));
	assert_int_equal(y, before + 5); /* the row above it is where the mouse is */
	find("╭⁵validation", &x, &before);
	stage_drag(&stage, x + 20, before, x + 20, before - 3);
	find("╭⁵validation", &x, &y);
	assert_int_equal(y, before - 3);
	stage_run(&stage, "call"); /* it stays */
	find("╭⁵validation", &x, &below);
	assert_int_equal(below, y);
	stage_drag(&stage, x + 20, 20, x + 20, 25); /* no border */
	find("╭⁵validation", &x, &below);
	assert_int_equal(below, y);
}

static void
test_sizes_by_keys(void **state)
{
	int x, y;

	stage_keys(&stage, "ctrl-right ctrl-right ctrl-right");
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 44);
	stage_keys(&stage, "ctrl-left");
	find("╭²list_users", &x, &y);
	assert_int_equal(x, 42);
	stage_run(&stage, "pane content");
	find("╭⁴structured", &x, &y);
	int before = y;
	stage_run(&stage, "grow 5");
	find("╭⁴structured", &x, &y);
	assert_int_equal(y, before + 5);
	assert_false(stage_run(&stage, "grow much"));
	char shrink[32]; /* to nothing: that must not be the automatic size */
	snprintf(
	    shrink, sizeof(shrink), "shrink %d", stage.wb->frame.layout.panes[PANE_form].height);
	stage_run(&stage, "pane form");
	stage_run(&stage, shrink);
	assert_int_equal(stage.wb->frame.sizes.height[PANE_form], 1);
	stage_run(&stage, "zoom");
	stage_run(&stage, "grow");
	assert_string_equal(workbench_message(stage.wb), "one pane fills the screen: z ends that");
}

/* The panes below the box of an overlay are only drawn: they get no clicks. */
static void
test_pick_in_a_box(void **state)
{
	const struct workbench *wb = stage.wb;

	stage_run(&stage, "questions");
	stage_text(&stage);
	assert_int_equal(wb->frame.layout.shape, LAYOUT_BOX);
	assert_true(stage_run(&stage, "pick"));
	for (int i = 0; i < wb->pick.len; i++) {
		const struct spot *at = &wb->pick.spots[i];
		bool on_bar = at->y == 0 || at->y == wb->frame.height - 1;
		assert_true(
		    on_bar || rect_has(&wb->frame.layout.panes[PANE_questions], at->x, at->y));
	}
}

TEST_FILE(mouse)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_list),
		TEST(test_table),
		TEST(test_tree),
		TEST(test_validation),
		TEST(test_menu_above_all_panes),
		TEST(test_drag_list),
		TEST(test_sizes_are_kept),
		TEST(test_narrow_list),
		TEST(test_drag_stack),
		TEST(test_sizes_by_keys),
		TEST(test_pick_in_a_box),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
