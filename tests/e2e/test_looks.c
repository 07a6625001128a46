/* SPDX-License-Identifier: MIT */
/* Sizes, mouse, themes, colors and alphabets; the cost of idling. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "e2e.h"
#include "terminal_figures.h"
#include "test.h"

static struct terminal *
start(void **state, const char *const *argv, const char *const *env)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = argv, .env = env });

	e2e_wait(t, "list_users");
	return t;
}

/* ---- size ---- */

static void
resize(struct terminal *t, int rows, int cols)
{
	terminal_resize(t, rows, cols);
	terminal_barrier(t);
}

/* The next run has the sizes that the user set. */
static void
test_sizes_are_kept(void **state)
{
	char folder[] = "/tmp/mcpane-sizes-XXXXXX";

	assert_non_null(mkdtemp(folder));
	char *home = mem_printf("XDG_STATE_HOME=%s", folder);
	char *remove_it = mem_printf("rm -r %s", folder);
	const char *const *argv = ARGV("--demo");
	struct terminal *t = start(state, argv, ARGV(home));
	e2e_run(t, "pane tools");
	e2e_run(t, "grow 10");
	e2e_see(t, "Prompts 3 ────────────╮╭²list_users");
	e2e_leave(t);
	e2e_teardown(state);
	t = start(state, argv, ARGV(home));
	e2e_see(t, "Prompts 3 ────────────╮╭²list_users");
	e2e_run(t, "fit");
	e2e_see_not(t, "Prompts 3 ────────────╮╭²list_users");
	e2e_leave(t);
	assert_int_equal(system(remove_it), 0);
	free(home);
	free(remove_it);
}

/* The settings of the file, one by one, while it runs. */
static void
test_settings(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "set pictures");
	e2e_see(t, "pictures: auto");
	e2e_run(t, "set editor screen");
	e2e_see(t, "editor: screen");
	e2e_run(t, "set editor window");
	e2e_see(t, "editor is pane or screen, not window");
	e2e_run(t, "set theme light");
	e2e_see(t, "theme: light");
	e2e_run(t, "theme dark");
	e2e_see(t, "theme: dark");
	e2e_run(t, "set role \"admin\""); /* a field of the form */
	e2e_see(t, "admin");
	e2e_see(t, "role is set");
	e2e_run(t, "set histroy off"); /* not sent to any program */
	e2e_see(t, "no argument or setting is called histroy; did you mean history?");
	e2e_see(t, "(:argument adds one that the schema lacks)");
	e2e_run(t, "set limt 1");
	e2e_see(t, "did you mean limit?");
	e2e_see_not(t, "not in the schema");
	e2e_run(t, "argument nothing 1");
	e2e_see(t, "nothing is sent with the call");
	e2e_see(t, "not in the schema");
	e2e_run(t, "bind nopane ctrl-n help");
	e2e_see(t, "no pane or view is named nopane");
	e2e_run(t, "bind tools x nosuchcmd");
	e2e_see(t, "no command is named nosuchcmd");
	e2e_run(t, "bind global ctrl-n set history-days");
	e2e_see(t, "ctrl-n in global runs: set history-days");
	e2e_press(t, "ctrl-n");
	e2e_see(t, "history-days: 365");
	e2e_press(t, "ctrl-p");
	terminal_type(t, "history-size");
	terminal_barrier(t);
	e2e_see(t, "setting  history-size");
	e2e_press(t, "enter");
	e2e_see(t, ":set history-size");
	e2e_press(t, "esc");
	e2e_leave(t);
}

static void
test_resize_down_and_up(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "6 violations");
	e2e_run(t, "pane structured");
	resize(t, 24, 80);
	e2e_see(t, "¹Tools  ²form  ³content  ⁴structuredContent  ⁵validation");
	e2e_see(t, "⟨missing⟩");
	assert_true(terminal_find_in_row(t, 23, "view", NULL));
	e2e_press(t, "tab");
	e2e_see(t, "/products/2/id");
	e2e_press(t, "tab");
	e2e_see(t, "▌bad_rows");
	e2e_press(t, "tab");
	e2e_see(t, "takes no arguments");
	e2e_press(t, "tab");
	e2e_see(t, "Found 8 products");
	resize(t, 60, 200);
	e2e_see_not(t, "²form");
	e2e_see(t, "Found 8 products");
	e2e_see(t, "⟨missing⟩");
	e2e_see(t, "/products/6/added");
	assert_true(terminal_find_in_row(t, 59, "call", NULL));
	resize(t, 36, 120);
	e2e_see(t, "╭¹Tools 31  Resources 7  Prompts 3");
	e2e_leave(t);
}

static void
test_tiny_and_huge(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 2, 30 }, { 6, 20 }, { 7, 21 }, { 10, 40 },
		{ 24, 20 }, { 6, 300 }, { 200, 20 }, { 250, 500 }, { 36, 120 } };
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "6 violations");
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		resize(t, sizes[i][0], sizes[i][1]);
		e2e_press(t, "tab ? esc : esc w enter esc w f2 f2");
	}
	e2e_wait(t, "6 violations");
	e2e_leave(t);
}

/* ---- mouse ---- */

static void
test_mouse(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	int row, col;

	assert_true(terminal_find(t, "get_weather_data", &row, &col));
	terminal_click(t, row, col);
	terminal_barrier(t);
	e2e_see(t, "▌get_weather_data");
	assert_true(terminal_find(t, "Call F5", &row, &col));
	terminal_click(t, row, col);
	e2e_wait(t, "Partly cloudy");
	e2e_see(t, "1 call");
	e2e_run(t, "tool rows");
	e2e_run(t, "set count 1000");
	e2e_press(t, "f5");
	e2e_wait(t, "1 000 × ");
	assert_true(terminal_find(t, "structuredContent", &row, &col));
	terminal_wheel(t, row + 5, col + 5, 10);
	terminal_barrier(t);
	e2e_see_not(t, "▌    1 ");
	terminal_wheel(t, row + 5, col + 5, -20);
	terminal_barrier(t);
	e2e_leave(t);
}

static void
test_mouse_in_tabs(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 24, 80);
	int row, col;

	assert_true(terminal_find(t, "⁵validation", &row, &col));
	terminal_click(t, row, col + 2);
	terminal_barrier(t);
	e2e_see(t, "checks structuredContent");
	assert_true(terminal_find(t, "²form", &row, &col));
	terminal_click(t, row, col + 2);
	terminal_barrier(t);
	e2e_see(t, "Returns a list of users");
}

static void
test_no_mouse(void **state)
{
	struct terminal *t = e2e_demo(state, ARGV("--no-mouse"));

	assert_false(terminal_mode(t, 1000, false));
	assert_false(terminal_mode(t, 1002, false));
	assert_false(terminal_mode(t, 1006, false));
	e2e_leave(t);
}

/* ---- color ---- */

static uint32_t
ground(struct terminal *t)
{
	return e2e_cell(t, "Returns a list").bg;
}

static void
test_themes(void **state)
{
	struct terminal *t =
	    start(state, ARGV("--theme", "light", "--demo"), ARGV("COLORTERM=truecolor"));
	uint32_t light = ground(t);

	e2e_run(t, "theme dark");
	assert_int_equal(ground(t), TERMINAL_RGB | 0x101216);
	assert_int_not_equal(ground(t), light);
	e2e_run(t, "theme mono");
	assert_int_equal(ground(t), TERMINAL_DEFAULT);
	e2e_run(t, "theme light");
	assert_int_equal(ground(t), light);
	e2e_run(t, "theme nosuch");
	e2e_see(t, "unknown theme nosuch");
	assert_int_equal(ground(t), light);
	e2e_leave(t);
}

static void
test_light_by_the_terminals_answer(void **state)
{
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
						  .env = ARGV("COLORTERM=truecolor"),
						  .background = "rgb:ffff/ffff/ffff" });

	e2e_wait(t, "list_users");
	uint32_t bg = ground(t);
	assert_true((bg & 0xff) > 0xc0);
	e2e_leave(t);
}

static void
test_theme_that_is_not_there(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--theme", "nosuch", "--demo") });

	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "unknown theme nosuch");
	terminal_assert_restored(t);
}

struct sgr {
	bool rgb, indexed, basic;
};

static void
look_at_sgr(struct sgr *seen, const char *parameters)
{
	for (const char *at = parameters; *at && *at != 'm';) {
		long n = strtol(at, NULL, 10);
		bool extended = n == 38 || n == 48;
		if (extended) {
			seen->rgb |= at[2] && at[3] == '2' && (at[4] == ';' || at[4] == ':');
			seen->indexed |= at[2] && at[3] == '5';
			return;
		}
		seen->basic |= (n >= 30 && n <= 37) || (n >= 40 && n <= 47) ||
			       (n >= 90 && n <= 97) || (n >= 100 && n <= 107);
		at += strcspn(at, ";m");
		at += *at == ';';
	}
}

/* The kinds of color the program has ever asked for. */
static struct sgr
colors(struct terminal *t)
{
	struct sgr seen = { 0 };
	size_t len;
	const char *log = terminal_log(t, &len);

	for (const char *at = log; (at = strstr(at, "\033[")); at += 2) {
		size_t n = strspn(at + 2, "0123456789;:");
		if (at[2 + n] == 'm')
			look_at_sgr(&seen, at + 2);
	}
	return seen;
}

static struct sgr
colors_with(void **state, const char *const *argv, const char *const *env)
{
	struct terminal *t = start(state, argv, env);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "6 violations");
	e2e_leave(t);
	struct sgr seen = colors(t);
	e2e_teardown(state);
	return seen;
}

static void
test_depths_of_color(void **state)
{
	struct sgr seen = colors_with(state, ARGV("--demo"), ARGV("COLORTERM=truecolor"));

	assert_true(seen.rgb);
	seen = colors_with(state, ARGV("--demo"), NULL);
	assert_false(seen.rgb);
	assert_true(seen.indexed);
	seen = colors_with(state, ARGV("--color", "16", "--demo"), NULL);
	assert_false(seen.rgb);
	seen = colors_with(state, ARGV("--demo"), ARGV("TERM=xterm"));
	assert_false(seen.rgb);
	assert_false(seen.indexed);
	assert_true(seen.basic);
}

static void
assert_no_color(struct sgr seen)
{
	assert_false(seen.rgb);
	assert_false(seen.indexed);
	assert_false(seen.basic);
}

static void
test_no_color(void **state)
{
	assert_no_color(
	    colors_with(state, ARGV("--demo"), ARGV("NO_COLOR=1", "COLORTERM=truecolor")));
	assert_no_color(
	    colors_with(state, ARGV("--color", "never", "--demo"), ARGV("COLORTERM=truecolor")));
	assert_no_color(colors_with(state, ARGV("--demo"), ARGV("TERM=vt100")));
}

static void
test_ascii_outside_utf8(void **state)
{
	struct terminal *t =
	    start(state, ARGV("--demo"), ARGV("LC_ALL=C", "LANG=C", "COLORTERM=truecolor"));
	size_t len;

	e2e_wait(t, "+1Tools 31  Resources 7  Prompts 3");
	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "6 violations");
	e2e_run(t, "tool hostile");
	e2e_press(t, "f5");
	e2e_wait(t, "still here");
	e2e_press(t, "w ? esc w f2 f2");
	e2e_leave(t);
	const char *log = terminal_log(t, &len);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)log[i] >= 0x80)
			terminal_fail(t, HERE, "byte %02x", (unsigned char)log[i]);
}

/* ---- idle ---- */

static struct terminal_figures
after(struct terminal *t, int ms)
{
	/* waits to show that nothing happens */
	poll(NULL, 0, ms);
	return terminal_figures(t);
}

static void
test_idle_does_nothing(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	after(t, 300);
	terminal_barrier(t);
	struct terminal_figures before = after(t, 100), now = after(t, 700);
	assert_int_equal(now.wakeups - before.wakeups, 0);
	assert_int_equal(now.bytes - before.bytes, 0);
	assert_int_equal(now.write_calls - before.write_calls, 0);
	e2e_leave(t);
}

/* Each key brings one frame, and nothing is written outside the brackets of a frame. */
static void
test_one_frame_for_a_key(void **state)
{
	static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
	struct terminal *t = e2e_demo(state, NULL);
	size_t start, len;

	e2e_wait(t, "Prompts 3"); /* the last list: no news brings a frame from here on */
	e2e_press(t, "down");
	unsigned frames = terminal_figures(t).frames;
	terminal_log(t, &start);
	for (unsigned i = 0; i < 10; i++) {
		terminal_keys(t, i % 2 ? "up" : "down");
		terminal_wait_frames(t, frames + i + 1);
	}
	assert_int_equal(terminal_figures(t).frames, frames + 10);
	const char *at = terminal_log(t, &len) + start;
	for (unsigned i = 0; i < 10; i++) {
		assert_memory_equal(at, begin, sizeof(begin) - 1);
		at = strstr(at, end);
		assert_non_null(at);
		at += sizeof(end) - 1;
	}
	assert_string_equal(at, "");
	e2e_leave(t);
}

/* Decoded by another process of the program, which ends. */
static void
test_picture(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool mixed_content");
	e2e_press(t, "f5");
	e2e_wait(t, "▀");
	terminal_wait_processes(t, 1); /* the server */
	e2e_leave(t);
}

TEST_FILE(looks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_sizes_are_kept, e2e_teardown),
		cmocka_unit_test_teardown(test_settings, e2e_teardown),
		cmocka_unit_test_teardown(test_resize_down_and_up, e2e_teardown),
		cmocka_unit_test_teardown(test_tiny_and_huge, e2e_teardown),
		cmocka_unit_test_teardown(test_mouse, e2e_teardown),
		cmocka_unit_test_teardown(test_mouse_in_tabs, e2e_teardown),
		cmocka_unit_test_teardown(test_no_mouse, e2e_teardown),
		cmocka_unit_test_teardown(test_themes, e2e_teardown),
		cmocka_unit_test_teardown(test_light_by_the_terminals_answer, e2e_teardown),
		cmocka_unit_test_teardown(test_theme_that_is_not_there, e2e_teardown),
		cmocka_unit_test_teardown(test_depths_of_color, e2e_teardown),
		cmocka_unit_test_teardown(test_no_color, e2e_teardown),
		cmocka_unit_test_teardown(test_ascii_outside_utf8, e2e_teardown),
		cmocka_unit_test_teardown(test_idle_does_nothing, e2e_teardown),
		cmocka_unit_test_teardown(test_one_frame_for_a_key, e2e_teardown),
		cmocka_unit_test_teardown(test_picture, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
