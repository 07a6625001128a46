/* SPDX-License-Identifier: MIT */
/* Calls that a project has saved: from the screen to the command line. */
#include "e2e.h"
#include "program.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs mcpane in the terminal's home; its output and its exit code. */
static void
run(struct program *p, struct terminal *t, const char *const *argv)
{
	assert_int_equal(chdir(terminal_home(t)), 0);
	program_run(p, argv);
	assert_int_equal(chdir("/"), 0);
}

static void
assert_output(struct terminal *t, int code, const char *text, const char *const *argv)
{
	struct program p;

	run(&p, t, argv);
	if (p.exit_code != code || !strstr(buf_text(code == 0 ? &p.out : &p.err), text))
		fail_msg("%d: %s%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
}

#define CALL terminal_program(), "call", "--demo", "--json", "--saved"
#define READ terminal_program(), "read", "--demo", "--json", "--saved"

/* Another program in the same project has the environment that was chosen in this one; :env - is
 * kept as well. */
static void
starts_with_the_environment(struct terminal *t)
{
	char *settings = mem_printf("XDG_STATE_HOME=%s", terminal_home(t));
	struct terminal_options options = { .argv = ARGV(terminal_program(), "--demo"),
		.env = ARGV(settings),
		.cwd = terminal_home(t) };
	struct terminal *other = terminal_start(&options);

	e2e_wait(other, "env one");
	e2e_run(other, "environment -");
	e2e_wait(other, "of no environment");
	e2e_leave(other);
	terminal_close(other);
	other = terminal_start(&options);
	e2e_wait(other, "list_users");
	e2e_see_not(other, "env one");
	e2e_leave(other);
	terminal_close(other);
	free(settings);
}

static void
test_saved(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"), .cwd = "~" });
	char *folder = mem_printf("%s/.mcpane", terminal_home(t));
	assert_int_equal(mkdir(folder, 0700), 0);
	free(folder);
	char *path = e2e_file(t, ".mcpane/environments.json",
	    "{\"variables\":{\"most\":2},\"environments\":{\"one\":{\"most\":1}}}");

	free(path);
	setenv("HOME", terminal_home(t), 1);
	e2e_wait(t, "list_users");
	e2e_run(t, "tool list_users");
	e2e_run(t, "set limit \"${most}\"");
	e2e_press(t, "ctrl-s");
	e2e_wait(t, ":save-call list_users");
	e2e_press(t, "end"); /* typing would replace the proposed name */
	terminal_type(t, "/few");
	e2e_press(t, "enter");
	e2e_wait(t, "saved to ");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 2 × 3");
	e2e_run(t, "environment one");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 1 × 3");
	e2e_see(t, "env one");
	assert_output(t, 0, "\"call\":\"list_users\"", ARGV(terminal_program(), "saved", "--json"));
	assert_output(t, 0, "Found 3 users", ARGV(CALL, "list_users/few"));
	struct program p;
	run(&p, t, ARGV(CALL, "list_users/few", "--env", "one"));
	assert_int_equal(p.exit_code, 0);
	assert_non_null(strstr(buf_text(&p.out), "Alice"));
	assert_null(strstr(buf_text(&p.out), "Bob"));
	program_free(&p);
	assert_output(
	    t, 0, "Bob", ARGV(CALL, "list_users/few", "--env", "one", "--var", "most:=2"));
	assert_output(t, 0, "viewer", ARGV(CALL, "list_users/few", "role=viewer"));
	assert_output(t, 1, "did you mean list_users/few?", ARGV(CALL, "list_users/fw"));
	assert_output(t, 1, "--saved already names the call", ARGV(CALL, "list_users/few", "x"));
	assert_output(t, 1, "there is no environment", ARGV(CALL, "list_users/few", "--env", "z"));
	char *read = e2e_file(t, ".mcpane/calls/welcome.json", "{\"read\":\"demo://welcome\"}");
	free(read);
	read = e2e_file(t, ".mcpane/calls/report.json",
	    "{\"template\":\"demo://reports/{month}\",\"arguments\":{\"month\":\"may\"}}");
	free(read);
	assert_output(t, 0, "Welcome", ARGV(READ, "welcome"));
	assert_output(t, 0, "demo://reports/may", ARGV(READ, "report"));
	assert_output(t, 1, "not of a resource", ARGV(READ, "list_users/few"));
	assert_output(t, 1, "--saved already names the call", ARGV(READ, "welcome", "demo://x"));
	starts_with_the_environment(t);
	e2e_leave(t);
}

/* Arguments that the server received, or the error; with a project that names one of our
 * secrets. */
static void
assert_sent(int code, const char *says, const char *const *argv)
{
	struct program p;

	program_run(&p, argv);
	if (p.exit_code != code || !strstr(buf_text(&p.err), says))
		fail_msg("%d: %s%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	assert_null(strstr(buf_text(&p.err), "k3y-of-mine"));
	program_free(&p);
}

static void
put(const char *path, const char *text)
{
	assert_true(path_write_file(path, text, strlen(text), &(struct err){ "" }));
}

/* On a terminal; line: the typed answer, NULL: no question. */
static void
answer(const char *folder, const char *line, int code, const char *says)
{
	char *state_home = mem_printf("XDG_STATE_HOME=%s", folder);
	char *home = mem_printf("HOME=%s", folder);
	struct terminal *t = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_program(), "call", "--demo", "--saved", "steal"),
	    .env = ARGV("CLOUD_SECRET=k3y-of-mine", state_home, home),
	    .cwd = folder });

	if (line) {
		terminal_wait_text(t, "y sends it, now and later; everything else does not");
		terminal_type(t, line);
	}
	terminal_wait_text(t, says);
	assert_int_equal(terminal_wait_exit(t), code);
	terminal_close(t);
	free(home);
	free(state_home);
}

/* A cloned project names a variable of the environment: no server gets it unless the user
 * agrees. */
static void
test_secrets_of_a_project(void **state)
{
	static const char refused[] =
	    "a file of this project sends CLOUD_SECRET, a variable of your environment, to the "
	    "built-in demo server: --send-env CLOUD_SECRET allows it";
	static const char sent[] = "CLOUD_SECRET of your environment goes to the built-in demo";
	const char *mcpane = terminal_program();
	char folder[] = "/tmp/mcpane-send-XXXXXX";

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	setenv("HOME", folder, 1);
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("CLOUD_SECRET", "k3y-of-mine", 1);
	assert_int_equal(system("mkdir -p .mcpane/calls"), 0);
	put(".mcpane/environments.json", "{\"variables\":{\"x\":{\"env\":\"CLOUD_SECRET\"},\"far\":"
					 "{\"env\":\"NOT_SET_AT_ALL\"}}}");
	put(".mcpane/calls/steal.json",
	    "{\"call\":\"list_users\",\"arguments\":{\"role\":\"${x}\"}}");
	put(".mcpane/calls/plain.json", "{\"call\":\"list_users\",\"arguments\":{\"limit\":1}}");
	put("steal.json", "{\"steps\":[{\"pick\":\"$x\",\"from\":\"x\",\"save\":\"y\"},{\"call\":"
			  "\"list_users\",\"arguments\":{\"role\":\"${y}\"}}]}");
	put("plain.json", "{\"call\":\"list_users\"}");
	assert_sent(1, refused, ARGV(mcpane, "call", "--demo", "--saved", "steal"));
	assert_sent(
	    1, refused, ARGV(mcpane, "call", "--demo", "--saved", "steal", "--send-env", "CLOUD"));
	assert_sent(0, "", ARGV(mcpane, "call", "--demo", "--saved", "plain"));
	assert_sent(0, "", ARGV(mcpane, "call", "--demo", "--saved", "steal", "--var", "x=admin"));
	assert_sent(1, refused, ARGV(mcpane, "test", "steal.json", "--demo"));
	assert_sent(1, refused, ARGV(mcpane, "test", "plain.json", "steal.json", "--demo"));
	assert_sent(0, "", ARGV(mcpane, "test", "plain.json", "--demo"));
	assert_sent(5, sent,
	    ARGV(mcpane, "call", "--demo", "--saved", "steal", "--send-env", "CLOUD_SECRET"));
	answer(folder, "n\r", 1, "CLOUD_SECRET is not sent");
	assert_sent(1, refused, ARGV(mcpane, "call", "--demo", "--saved", "steal"));
	answer(folder, "y\r", 5, "goes to the built-in demo");
	answer(folder, NULL, 5, "goes to the built-in demo");
	assert_sent(5, sent, ARGV(mcpane, "call", "--demo", "--saved", "steal"));
	assert_sent(1, "a file of this project sends CLOUD_SECRET", /* to another server */
	    ARGV(mcpane, "call", "--saved", "steal", "--", "env", mcpane, "--serve-demo"));
	unsetenv("CLOUD_SECRET");
	assert_sent(
	    1, "${x} needs CLOUD_SECRET", ARGV(mcpane, "call", "--demo", "--saved", "steal"));
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(chdir("/"), 0);
	char *command = mem_printf("rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	free(command);
}

TEST_FILE(saved)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_saved, e2e_teardown),
		cmocka_unit_test_teardown(test_secrets_of_a_project, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
