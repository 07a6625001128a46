/* SPDX-License-Identifier: MIT */
/* Programs in the terminal pane: the user's editor, pager and shell, hostile and endless ones. */
#include "base/mem.h"
#include "e2e.h"
#include "terminal_figures.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN "leave the keyboard"

static struct terminal *
start_with(void **state, const char *const *env)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"), .env = env });

	e2e_wait(t, "list_users");
	return t;
}

static void
test_editor(void **state)
{
	struct terminal *t =
	    start_with(state, ARGV("VISUAL", "EDITOR=sh tests/fixtures/editor.sh"));

	terminal_keys(t, "ctrl-e");
	e2e_wait(t, "editing:");
	e2e_see(t, OPEN);
	assert_true(terminal_mode(t, 1049, false)); /* the screen is still ours */
	terminal_type(t, "{\"limit\": 2}\r");
	terminal_wait_gone(t, OPEN);
	e2e_press(t, "f5");
	e2e_wait(t, "table · 2 × 3");
	terminal_keys(t, "ctrl-e");
	e2e_wait(t, "editing:");
	terminal_type(t, "fail\r");
	e2e_wait(t, "the editor failed; the arguments are as before");
	e2e_see_not(t, OPEN);
	e2e_leave(t);
}

/* The user continues while the editor is open, so the edited text belongs to a form that is no
 * longer shown. */
static void
test_editor_of_a_form_that_was_left(void **state)
{
	struct terminal *t =
	    start_with(state, ARGV("VISUAL", "EDITOR=sh tests/fixtures/editor.sh"));

	terminal_keys(t, "ctrl-e");
	e2e_wait(t, "editing:");
	e2e_press(t, "ctrl-] esc");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "terminal");
	e2e_see(t, "editing:");
	terminal_type(t, "{\"limit\": 2}\r");
	e2e_wait(t, "is no longer shown: the text is in the clipboard");
	e2e_leave(t);
}

static void
test_vi(void **state)
{
	if (access("/usr/bin/vi", X_OK) != 0)
		skip();
	struct terminal *t = start_with(state, ARGV("VISUAL", "EDITOR=vi"));

	terminal_keys(t, "ctrl-e");
	e2e_wait(t, "~");
	terminal_type(t, "ggdGi{\"limit\": 2}");
	terminal_keys(t, "esc");
	terminal_type(t, ":wq\r");
	terminal_wait_gone(t, OPEN);
	e2e_press(t, "f5");
	e2e_wait(t, "table · 2 × 3");
	e2e_leave(t);
}

static void
test_pager(void **state)
{
	if (access("/usr/bin/less", X_OK) != 0)
		skip();
	struct terminal *t = start_with(state, ARGV("PAGER=less", "LESS"));

	e2e_press(t, "f5");
	e2e_wait(t, "table · ");
	e2e_press(t, "alt-p");
	e2e_wait(t, "(END)");
	e2e_see(t, OPEN);
	terminal_type(t, "q");
	terminal_wait_gone(t, OPEN);
	e2e_see(t, "table · ");
	e2e_leave(t);
}

static void
test_missing_pager(void **state)
{
	struct terminal *t = start_with(state, ARGV("PAGER=no-such-pager"));

	e2e_press(t, "f5");
	e2e_wait(t, "table · ");
	e2e_press(t, "alt-p");
	e2e_wait(t, "cannot start the pager no-such-pager");
	e2e_leave(t);
}

static void
test_resize(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "terminal trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done");
	e2e_wait(t, "32 116");
	terminal_resize(t, 30, 100);
	e2e_wait(t, "26 96");
	terminal_keys(t, "ctrl-c");
	e2e_wait(t, "killed by SIGINT");
	e2e_press(t, "enter");
	e2e_see_not(t, "killed by SIGINT");
	e2e_leave(t);
}

/* Keys are heard and frames are drawn while a program writes without an end. */
static void
test_flood(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "terminal yes floo''ded");
	e2e_wait(t, "flooded");
	e2e_press(t, "ctrl-] g");
	e2e_see(t, "lines back");
	e2e_run(t, "end-program");
	e2e_see_not(t, "flooded");
	terminal_wait_processes(t, 1);
	terminal_assert_memory(t, 64);
	e2e_leave(t);
}

static void
test_exit_codes(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "terminal echo last words; exit 3");
	e2e_wait(t, "exit code 3 · Enter closes");
	e2e_see(t, "last words");
	e2e_press(t, "esc");
	e2e_see_not(t, "last words");
	e2e_run(t, "terminal exit 0");
	terminal_wait_gone(t, OPEN);
	e2e_leave(t);
}

/* The clipboard, titles, device strings, 8-bit controls, colors of the palette, mouse modes, the
 * alternate screen: none of them reaches the terminal that mcpane runs on. */
static void
test_attacks(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t,
	    "terminal printf '\\033]52;c;aGFja2Vk\\007\\033]2;ti\\033[31mtle\\007\\033]2;named\\007"
	    "\\033Pqabc\\033\\\\\\302\\23331m\\033]4;1;#ffffff\\007\\033[?1003h\\033[?1049h"
	    "\\033[?1049l\\033c\\033[?7l\\033[5;5r\\033_Gi=1\\033\\\\harm\\040done\\033[6n'; read "
	    "x");
	e2e_wait(t, "harm done");
	terminal_assert_never(t, "\033]52;");
	terminal_assert_never(t, "\033]2;");
	terminal_assert_never(t, "\033]4;");
	terminal_assert_never(t, "\033P");
	terminal_assert_never(t, "\033_Gi=1\033");
	terminal_assert_never(t, "\302\233");
	assert_false(terminal_mode(t, 1003, false));
	assert_true(terminal_mode(t, 1049, false));
	assert_true(terminal_mode(t, 7, true));
	terminal_keys(t, "enter");
	terminal_wait_gone(t, OPEN);
	e2e_leave(t);
}

/* The user's own processes end with mcpane, however it ends, even if they ignore the hang-up. */
static void
test_kill_leaves_nobody(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "terminal trap '' HUP TERM; sleep 1000 & echo ready; wait; sleep 1000");
	e2e_wait(t, "ready");
	kill(terminal_pid(t), SIGKILL);
	terminal_wait_exit(t);
	terminal_wait_processes(t, 0);
}

TEST_FILE(terminal)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_teardown(name, e2e_teardown)
		T(test_editor),
		T(test_editor_of_a_form_that_was_left),
		T(test_vi),
		T(test_pager),
		T(test_missing_pager),
		T(test_resize),
		T(test_flood),
		T(test_exit_codes),
		T(test_attacks),
		T(test_kill_leaves_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
