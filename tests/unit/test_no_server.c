/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "stage.h"
#include "test.h"

#include <locale.h>
#include <string.h>

/* Every pane while no server is shown: it says so, offers no action that needs a server, and the
 * list of servers is below it. */

static struct stage stage;

static int
set_up(void **state)
{
	stage_open(&stage, 80, 24);
	stage_add_choices(&stage);
	stage_run(&stage, "pane servers");
	workspace_set_server(workbench_workspace(stage.wb), NULL);
	return 0;
}

static int
tear_down(void **state)
{
	stage_close(&stage);
	return 0;
}

static void
drop(void *user, const struct outbound *message)
{
}

static bool
sees(const char *text)
{
	return strstr(stage_text(&stage), text) != NULL;
}

static void
test_overlays(void **state)
{
	static const struct {
		const char *key, *title;
	} overlays[] = {
		{ "w", "╭⁶journal" },
		{ "L", "╭⁸logs" },
		{ "T", "╭⁹tasks" },
		{ "f2", "╭⁷definition" },
		{ "f3", "╭ overview" },
		{ "f4", "╭ questions" },
	};

	for (size_t i = 0; i < ARRAY_LEN(overlays); i++) {
		stage_keys(&stage, overlays[i].key);
		assert_true(sees(overlays[i].title));
		assert_true(sees("no server is connected: S lists them"));
		assert_true(sees(" Esc close  : command  ? help"));
		stage_keys(&stage, "enter v p / esc"); /* nothing of these does harm */
		stage_keys(&stage, "esc");
		assert_true(sees("╭ Servers"));
		stage_keys(&stage, overlays[i].key);
		stage_keys(&stage, overlays[i].key);
		assert_true(sees("╭ Servers"));
	}
}

static void
test_panes(void **state)
{
	static const char *const panes[] = { "tools", "form", "content", "structured",
		"validation" };

	for (size_t i = 0; i < ARRAY_LEN(panes); i++) {
		workbench_run(stage.wb, "pane servers", stage.now_us);
		stage_text(&stage);
		char line[32] = "pane ";
		strcat(line, panes[i]);
		workbench_run(stage.wb, line, stage.now_us);
		stage_text(&stage);
		stage_keys(&stage, "enter down f5 s e v z");
		stage_keys(&stage, "z S");
		assert_true(sees("╭ Servers"));
	}
}

/* A package that is downloaded before it runs keeps a new user waiting, and says nothing. */
static void
test_first_start(void **state)
{
	static const struct {
		const char *label;
		bool says;
	} rows[] = { { "npx -y x", true }, { "docker run x", true }, { "npxx", false },
		{ "python3 x", false } };
	const struct server_options options = { .session = { .era = ERA_LEGACY } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct server *s = server_create("x", rows[i].label, &options, drop, NULL);
		workspace_set_server(workbench_workspace(stage.wb), s);
		stage_run(&stage, "pane form");
		assert_false(sees("have to download"));
		server_start(s, stage.now_us);
		assert_int_equal(
		    sees("the first start may have to download the package"), rows[i].says);
		workspace_set_server(workbench_workspace(stage.wb), NULL);
		server_destroy(s);
	}
}

TEST_FILE(no_server)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_overlays),
		TEST(test_first_start),
		TEST(test_panes),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
