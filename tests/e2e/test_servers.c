/* Servers of a configuration file, and text that attacks the terminal it is shown on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2e.h"

#include "base/mem.h"
#include "base/path.h"

/* ---- configuration ---- */

static char config_path[64];

static int
remove_config(void **state)
{
	if (config_path[0])
		unlink(config_path);
	config_path[0] = '\0';
	return e2e_teardown(state);
}

static const char *
config(const char *text)
{
	struct err err;

	snprintf(config_path, sizeof(config_path), "/tmp/mcpane-config-%d.json", (int)getpid());
	if (!path_write_file(config_path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	return config_path;
}

static const char *
several(void)
{
	char *bad = mem_strdup(terminal_fixture("badserver"));
	char *text =
	    mem_printf("{\"mcpServers\":{"
		       "\"demo server\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"]},"
		       "\"bad\":{\"command\":\"%s\",\"args\":[\"good\"],\"env\":{\"SECRET\":"
		       "\"hunter2\"},\"x-unknown\":[1]},"
		       "\"web\":{\"type\":\"ws\",\"url\":\"https://example.org/mcp\"},"
		       "\"gone\":{\"command\":\"/nonexistent/server\"},"
		       "\"odd\":{\"command\":\"x\",\"args\":\"y\"}},\"other\":1}",
		terminal_program(), bad);
	const char *path = config(text);

	free(text);
	free(bad);
	return path;
}

static void
test_nothing_starts_by_itself(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", several()) });

	e2e_wait(t, "Nothing starts by itself");
	e2e_see(t, "demo server");
	e2e_see(t, "web");
	e2e_see(t, "transport ws is not known");
	e2e_see(t, "args is of type string, not array");
	e2e_see_not(t, "hunter2");
	terminal_wait_processes(t, 0);
	e2e_press(t, "esc f5 R");
	terminal_wait_processes(t, 0);
	e2e_leave(t);
}

static void
test_choosing_servers(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", several()) });

	e2e_wait(t, "Nothing starts by itself");
	e2e_press(t, "enter");
	e2e_wait(t, "list_users");
	terminal_wait_processes(t, 1);
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_run(t, "server bad");
	e2e_wait(t, "echo");
	terminal_wait_processes(t, 2);
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "Cyd");
	e2e_run(t, "server 1");
	e2e_see(t, "Charlie"); /* as it was left */
	e2e_see_not(t, "Cyd");
	e2e_run(t, "server web");
	e2e_see(t, "transport ws is not known");
	e2e_run(t, "server nosuch");
	e2e_see(t, "no server is called nosuch");
	e2e_run(t, "server gone");
	e2e_wait(t, "/nonexistent/server: no such file");
	e2e_run(t, "server");
	e2e_see(t, "Nothing starts by itself");
	e2e_press(t, "home down enter");
	e2e_see(t, "Cyd");
	e2e_leave(t);
}

static void
test_quit_asks_for_calls_of_other_servers(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", several()) });

	e2e_wait(t, "Nothing starts by itself");
	e2e_run(t, "server 1");
	e2e_wait(t, "list_users");
	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 600");
	e2e_press(t, "f5");
	e2e_run(t, "server bad");
	e2e_wait(t, "echo");
	e2e_press(t, "esc q");
	e2e_see(t, "1 call is still running. Quit?");
	e2e_press(t, "esc");
	e2e_leave(t);
}

static void
test_server_by_name(void **state)
{
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.argv = ARGV("--config", several(), "--server", "demo server", "-c", "call") });

	e2e_wait(t, "Charlie");
	terminal_wait_processes(t, 1);
	e2e_leave(t);
	e2e_teardown(state);

	t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("--config", config_path, "--server", "x") });
	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "no server is called x");
	terminal_assert_restored(t);
}

static void
test_broken_configurations(void **state)
{
	static const struct {
		const char *text, *says;
	} files[] = {
		{ "{\"mcpServers\":\n  {,}}", ":2:" },
		{ "{}", "no object mcpServers or servers" },
		{ "{\"mcpServers\":{}}", "no server is in it" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct terminal *t = e2e_start(state,
		    &(struct terminal_options){ .argv = ARGV("--config", config(files[i].text)) });
		assert_int_equal(terminal_wait_exit(t), 1);
		e2e_see(t, files[i].says);
		terminal_assert_restored(t);
		e2e_teardown(state);
	}
}

/* The environment and folder of an entry are the server's; ours are not touched. */
static void
test_environment_and_folder(void **state)
{
	const char *path = config("{\"mcpServers\":{\"sh\":{\"command\":\"sh\",\"args\":[\"-c\","
				  "\"echo in $PWD with $GREETING and $NOSUCH >&2; exit 9\"],"
				  "\"cwd\":\"/usr\",\"env\":{\"GREETING\":\"good morning\"}}}}");
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", path) });

	e2e_wait(t, "in /usr with good morning and");
	e2e_see(t, "exit code 9");
	e2e_leave(t);
}

/* ---- hostile text ---- */

/* What the demo's hostile texts would do, were they let through. */
static void
assert_harmless(struct terminal *t)
{
	terminal_assert_never(t, "\033]0;owned");
	terminal_assert_never(t, "\033]52;");
	terminal_assert_never(t, "\033[31;7m");
	terminal_assert_never(t, "\033[999;999H");
	terminal_assert_never(t, "\302\233");
	terminal_assert_never(t, "\342\200\256");     /* right-to-left override */
	terminal_assert_never(t, "\342\201\246");     /* isolate */
	terminal_assert_never(t, "\342\200\213");     /* zero-width space */
	terminal_assert_never(t, "\363\240\201\201"); /* an invisible letter */
	terminal_assert_never(t, "\a");
	assert_string_equal(terminal_title(t), "");
}

static void
test_hostile_text_shows_as_marks(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool hostile");
	e2e_press(t, "f5");
	e2e_wait(t, "Your screen is still here.");
	e2e_see(t, "␛[2J");
	e2e_see(t, "Tools 21");
	static const char *const tour[] = { "view tree", "view json", "pane content", "zoom",
		"zoom", "goto /rows/0/text", "detail", "back", "pane validation", "wire" };
	for (size_t i = 0; i < sizeof(tour) / sizeof(tour[0]); i++) {
		e2e_run(t, tour[i]);
		e2e_press(t, "end");
	}
	e2e_press(t, "enter v end v esc w f2 end v end f2");
	e2e_press(t, "/");
	terminal_type(t, "hostile");
	e2e_press(t, "down enter");
	e2e_press(t, "f5");
	terminal_type(t, ":tool host");
	e2e_press(t, "tab tab");
	e2e_press(t, "enter");
	for (int rows = 10; rows < 60; rows += 13) {
		terminal_resize(t, rows, rows * 2);
		terminal_barrier(t);
	}
	e2e_leave(t);
	assert_harmless(t);
}

/* Names of servers and of their files are not ours either. */
static void
test_hostile_configuration(void **state)
{
	const char *path = config("{\"mcpServers\":{\"a\\u001b]0;owned\\u0007\":{\"command\":"
				  "\"/no\\u001b[31;7m\\u202ewhere\"},"
				  "\"b\\u009b2J\":{\"url\":\"http://\\u001b[31;7m/\"}}}");
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", path) });

	e2e_wait(t, "Nothing starts by itself");
	e2e_press(t, "enter");
	e2e_wait(t, "no such file");
	e2e_press(t, "w end enter");
	e2e_leave(t);
	assert_harmless(t);
}

static void
test_hostile_stderr_and_garbage(void **state)
{
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.argv = ARGV("--", "sh", "-c",
		    "printf '\\033]0;owned\\007\\033[31;7mout\\302\\2332J\\n'; "
		    "printf '\\033]0;owned\\007\\033[31;7merr\\r\\033[2J\\n' >&2; exit 1") });

	e2e_wait(t, "exit code 1");
	e2e_see(t, "err");
	e2e_press(t, "w end enter v up v");
	e2e_leave(t);
	assert_harmless(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_nothing_starts_by_itself, remove_config),
		cmocka_unit_test_teardown(test_choosing_servers, remove_config),
		cmocka_unit_test_teardown(test_quit_asks_for_calls_of_other_servers, remove_config),
		cmocka_unit_test_teardown(test_server_by_name, remove_config),
		cmocka_unit_test_teardown(test_broken_configurations, remove_config),
		cmocka_unit_test_teardown(test_environment_and_folder, remove_config),
		cmocka_unit_test_teardown(test_hostile_text_shows_as_marks, e2e_teardown),
		cmocka_unit_test_teardown(test_hostile_configuration, remove_config),
		cmocka_unit_test_teardown(test_hostile_stderr_and_garbage, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
