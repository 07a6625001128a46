/* SPDX-License-Identifier: MIT */
/* Each pane, in each size and in many states of the interface, draws on its own rectangle only. */
#include "base/vec.h"
#include "fence.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>

/* As workbench_draw() does, without other panes. */
static void
draw_alone(enum pane_id id, int width, int height)
{
	const struct view_ops *ops = pane_table[id].ops;
	void *pane = stage.wb->panes[id].state;
	struct view_env env = workbench_env(stage.wb, id);
	struct grid grid;

	grid_init(&grid, width + 10, height + 6);
	struct surface all = surface_whole(&grid), inside = surface_sub(all, 5, 3, width, height);
	if (ops->want)
		ops->want(pane, &env, width);
	fence_raise(inside);
	ops->draw(pane, &env, inside);
	fence_assert(inside);
	if (ops->draw_title) {
		struct surface row = surface_sub(all, 5, 3, width, 1);
		fence_raise(row);
		ops->draw_title(pane, &env, row);
		fence_assert(row);
	}
	if (ops->pop_up) {
		struct surface screen = surface_sub(all, 2, 1, width + 6, height + 4);
		fence_raise(screen);
		ops->pop_up(pane, &env, screen, inside);
		fence_assert(screen);
	}
	grid_finish(&grid);
}

static void
draw_all(void)
{
	workbench_sync(stage.wb);
	for (int id = 0; id < PANE_COUNT; id++) {
		for (int width = 0; width < 130; width += width < 24 ? 1 : 15)
			for (int height = 0; height < 40; height += height < 8 ? 1 : 7)
				draw_alone((enum pane_id)id, width, height);
	}
}

/* Commands and keys in order; what they open stays open. */
static const struct {
	const char *command, *keys;
} STATES[] = {
	{ "pane tools", "" },
	{ "tool hostile", "f5" },
	{ "tool bad_rows", "f5" },
	{ "pane structured", "down down right" },
	{ "pane validation", "down enter" },
	{ "view tree", "down space" },
	{ "view json", "pgdn" },
	{ "tool mixed_content", "f5" },
	{ "tool nested", "f5 enter" },
	{ "tool draw_shape", "enter" },
	{ "pane form", "down space down x esc" },
	{ "tool list_users", "enter" }, /* a menu */
	{ "prompt plan_trip", "x" },    /* suggestions */
	{ "tool plan_trip", "" },
	{ "next-problem", "" },
	{ "set back 日本日本日本日本日本日本日本日本日本日本日本日本", "down down enter" },
	{ "json", "" },
	{ "tool big_numbers", "f5" },
	{ "tool ask_form", "f5" },
	{ "tool slow", "f5" },
	{ "schema", "down" },
	{ "wire", "down enter" },
	{ "logs", "" },
	{ "tasks", "" },
	{ "overview", "pgdn" },
	{ "authorization", "" },
	{ "resource demo://users.json", "" },
};

static void
test_every_pane_in_every_size(void **state)
{
	stage_stderr(&stage, "an error of the server \x1b[31m日本日本\u202e that is long");
	stage_add_choices(&stage);
	for (size_t i = 0; i < ARRAY_LEN(STATES); i++) {
		assert_true(stage_run(&stage, STATES[i].command));
		stage_keys(&stage, STATES[i].keys);
		stage_settle(&stage, 20);
		draw_all();
	}
}

TEST_FILE(pane_sizes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_every_pane_in_every_size, stage_set_up, stage_tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
