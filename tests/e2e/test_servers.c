/* SPDX-License-Identifier: MIT */
/* Servers of a configuration file, and text that attacks the terminal it is shown on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2e.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "program.h"
#include "test.h"

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

	e2e_wait(t, "Servers start only when you ask");
	e2e_see(t, "demo server");
	e2e_see(t, "web");
	e2e_see(t, "unknown transport ws");
	e2e_see(t, "args is of type string, not array");
	e2e_see_not(t, "hunter2");
	terminal_wait_processes(t, 0);
	e2e_press(t, "esc f5 esc");
	terminal_wait_processes(t, 0);
	e2e_leave(t);
}

static void
test_choosing_servers(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", several()) });

	e2e_wait(t, "Servers start only when you ask");
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
	e2e_see(t, "Charlie"); /* unchanged */
	e2e_see_not(t, "Cyd");
	e2e_run(t, "server web");
	e2e_see(t, "unknown transport ws");
	e2e_run(t, "server nosuch");
	e2e_see(t, "no server is named nosuch");
	e2e_run(t, "server gone");
	e2e_wait(t, "/nonexistent/server: no such file");
	e2e_run(t, "server");
	e2e_see(t, "Servers start only when you ask");
	e2e_press(t, "home down enter");
	e2e_see(t, "Cyd");
	e2e_leave(t);
}

static void
test_quit_asks_for_calls_of_other_servers(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", several()) });

	e2e_wait(t, "Servers start only when you ask");
	e2e_run(t, "server 1");
	e2e_wait(t, "list_users");
	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 600");
	e2e_press(t, "f5");
	e2e_run(t, "server bad");
	e2e_wait(t, "echo");
	e2e_press(t, "esc esc q");
	e2e_see(t, "╭ Quit? ─");
	e2e_see(t, "1 call is still running.");
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
	e2e_see(t, "no server is named x");
	terminal_assert_never(t, "\033"); /* no question whose answer the shell would get */
	terminal_assert_restored(t);
}

static void
test_broken_configurations(void **state)
{
	static const struct {
		const char *text, *says;
	} files[] = {
		{ "{\"mcpServers\":\n  {,}}", ":2:" },
		{ "{}", "no object mcpServers, servers or context_servers" },
		{ "{\"mcpServers\":{}}", "contains no server" },
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
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

/* A server from a file gets a short list of our variables, and more by name; a typed one gets
 * all. */
static void
test_what_of_our_environment(void **state)
{
	static const char says[] =
	    "echo home=${HOME:+is} all=$LC_ALL token=$MY_TOKEN given=$GIVEN. >&2";
	const char *const *env = ARGV("MY_TOKEN=hunter2", "LC_ALL=C.UTF-8");
	char *text =
	    mem_printf("{\"mcpServers\":{\"sh\":{\"command\":\"sh\",\"args\":[\"-c\",\"%s\"],"
		       "\"env\":{\"GIVEN\":\"${MY_TOKEN}\"}}}}",
		says);
	const char *path = config(text);

	free(text);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--config", path), .env = env });
	e2e_wait(t, "home=is all=C.UTF-8 token= given=hunter2.");
	e2e_leave(t);
	e2e_teardown(state);
	t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--", "sh", "-c", says), .env = env });
	e2e_wait(t, "home=is all=C.UTF-8 token=hunter2 given=.");
	e2e_leave(t);
}

static void
test_tab_has_the_servers_name(void **state)
{
	char *says = mem_printf("exec '%s' good", terminal_fixture("badserver"));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--", "sh", "-c", says) });

	e2e_wait(t, "badserver ●");
	e2e_see_not(t, "sh ●");
	e2e_leave(t);
	free(says);
}

/* ---- without a server on the command line ---- */

static void
test_first_screen(void **state)
{
	char folder[] = "/tmp/mcpane-empty-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .cwd = folder });

	e2e_wait(t, "No server is configured yet");
	e2e_see(t, "mcpane -- node server.js");
	e2e_see(t, "the built-in demo server");
	terminal_wait_processes(t, 0);
	e2e_press(t, "enter");
	e2e_wait(t, "list_users");
	e2e_leave(t);
	rmdir(folder);
}

static char project[] = "/tmp/mcpane-project-XXXXXX";

static int
make_project(void **state)
{
	char *path, *text;
	struct err err;

	memcpy(project + strlen(project) - 6, "XXXXXX", 6);
	if (!mkdtemp(project))
		return 1;
	path = mem_printf("%s/.mcp.json", project);
	text = mem_printf(
	    "{ // of the "
	    "project\n\"mcpServers\":{\"shop\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"],"
	    "\"env\":{\"API_KEY\":\"hunter2\",\"NODE_OPTIONS\":\"x\"},},"
	    "\"asks\":{\"command\":\"%s\",\"args\":[\"--serve-demo\",\"${input:none}\"]},},}",
	    terminal_program(), terminal_program());
	bool ok = path_write_file(path, text, strlen(text), &err);
	free(text);
	free(path);
	return ok ? 0 : 1;
}

static int
remove_project(void **state)
{
	char *path = mem_printf("%s/.mcp.json", project);

	unlink(path);
	free(path);
	rmdir(project);
	return e2e_teardown(state);
}

static void
test_a_project_is_asked_for(void **state)
{
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .cwd = project });

	e2e_wait(t, "Servers start only when you ask");
	e2e_see(t, "asks first");
	e2e_see(t, "no input with id none");
	e2e_press(t, "enter");
	e2e_see(t, "Run this program?");
	e2e_see(t, "--serve-demo");
	e2e_see(t, "API_KEY=(hidden)");
	e2e_see(t, "NODE_OPTIONS=x");
	e2e_see(t, "changes what programs load and run");
	e2e_see_not(t, "hunter2");
	e2e_answer(t, "v");
	e2e_see(t, "API_KEY=hunter2");
	e2e_press(t, "v");
	e2e_see_not(t, "hunter2");
	terminal_wait_processes(t, 0);
	e2e_press(t, "tab"); /* says neither */
	e2e_see(t, "Run this program?");
	e2e_press(t, "enter"); /* the safe button is the one in focus */
	e2e_see(t, "shop was not started");
	e2e_press(t, "1");
	e2e_answer(t, "n");
	e2e_see(t, "shop was not started");
	terminal_wait_processes(t, 0);
	e2e_press(t, "1");
	e2e_see(t, "Run this program?");
	e2e_answer(t, "y");
	e2e_wait(t, "list_users");
	terminal_wait_processes(t, 1);
	e2e_run(t, "disconnect");
	terminal_wait_processes(t, 0);
	e2e_press(t, "R"); /* asked once */
	e2e_wait(t, "● ");
	terminal_wait_processes(t, 1);
	e2e_leave(t);
}

/* The era is chosen on the screen, for this server, until it is chosen again. */
static void
test_another_era(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_see(t, "2026-07-28");
	e2e_run(t, "era old");
	e2e_see(t, "usage: era auto, modern (2026-07-28) or legacy");
	e2e_run(t, "era legacy");
	e2e_wait(t, "2025-11-25");
	e2e_run(t, "restart");
	e2e_wait(t, "2025-11-25");
	e2e_run(t, "era auto");
	e2e_wait(t, "2026-07-28");
	e2e_leave(t);
}

/* An unreadable file is a row of the list with the position of its error, and E opens it. */
static void
test_a_broken_project(void **state)
{
	static const char text[] = "{ // mine\n\"mcpServers\": }";
	char *path = mem_printf("%s/.mcp.json", project);
	struct err err;

	assert_true(path_write_file(path, text, strlen(text), &err));
	free(path);
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .cwd = project });
	e2e_wait(t, "Servers start only when you ask");
	e2e_see(t, "line 2, column 15: ");
	e2e_see(t, "E edit file");
	e2e_press(t, "enter");
	e2e_see(t, ".mcp.json: line 2, column 15: ");
	terminal_wait_processes(t, 0);
	e2e_leave(t);
}

static void
test_setting_without_value(void **state)
{
	char *folder = mem_printf("%s/mcpane", project), *path = mem_printf("%s/config", folder);
	char *config = mem_printf("XDG_CONFIG_HOME=%s", project);
	struct err err;

	assert_int_equal(mkdir(folder, 0700), 0);
	assert_true(path_write_file(path, "pager # less\n", 13, &err));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = project, .env = ARGV(config) });
	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "mcpane/config:1: pager wants a command");
	assert_int_equal(unlink(path) | rmdir(folder), 0);
	free(folder);
	free(path);
	free(config);
}

/* A pipe where a file of the user's is expected: it is said, and nothing waits for it. */
static void
test_pipes_for_files(void **state)
{
	char *folder = mem_printf("%s/mcpane", project), *path = mem_printf("%s/config", folder);
	const char *const env[] = { mem_printf("XDG_CONFIG_HOME=%s", project), NULL };

	assert_int_equal(mkdir(folder, 0700) | mkfifo(path, 0600), 0);
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = project, .env = env });
	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "mcpane/config is not a regular file");
	e2e_teardown(state);
	assert_int_equal(unlink(path), 0);
	free(path);
	path = mem_printf("%s/servers.json", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	t = e2e_start(state, &(struct terminal_options){ .cwd = project, .env = env });
	e2e_wait(t, "Servers start only when you ask");
	e2e_see(t, "servers.json is not a regular file");
	e2e_leave(t);
	assert_int_equal(unlink(path) | rmdir(folder), 0);
	free((char *)env[0]);
	free(path);
	free(folder);
}

static void
read_to_the_end(struct terminal *t)
{
	for (int i = 0; i < 20 && terminal_find(t, "PgDn: there is more", NULL, NULL); i++)
		e2e_press(t, "pgdn");
	e2e_see_not(t, "PgDn: there is more");
}

/* All that decides is on the screen before y counts: values of the environment, of the envFile and
 * of headers. A name draws no rows, a screen without a cell for a row shows none, and no key jumps
 * over one. */
static void
test_all_is_shown(void **state)
{
	static const char text[] =
	    "{\"mcpServers\":{\"git\\ncommand    true\":{\"command\":\"git\",\"args\":[\"status\"],"
	    "\"env\":{\"GIT_CONFIG_COUNT\":\"1\",\"GIT_CONFIG_KEY_0\":\"core.fsmonitor\","
	    "\"GIT_CONFIG_VALUE_0\":\"touch ran\\nfolder     /safe\",\"MINE\":\"${PLACE}\"},"
	    "\"envFile\":\"settings.env\"}}}";
	char *path = mem_printf("%s/.mcp.json", project),
	     *env = mem_printf("%s/settings.env", project);
	struct err err;

	assert_true(path_write_file(path, text, strlen(text), &err));
	assert_true(path_write_file(env, "LATE=from a file\nSOME_TOKEN=hunter2\n", 36, &err));
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .cwd = project, .env = ARGV("PLACE=of the user") });
	e2e_wait(t, "Servers start only when you ask");
	e2e_press(t, "enter");
	e2e_see(t, "GIT_CONFIG_KEY_0=core.fsmonitor");
	e2e_see(t, "GIT_CONFIG_VALUE_0=touch ran↵folder     /safe");
	e2e_see(t, "! changes what programs load and run");
	e2e_see(t, "git↵command");
	e2e_see(t, "MINE=${PLACE}");
	e2e_see(t, "envFile    settings.env");
	e2e_see(t, "LATE=from a file");
	e2e_see(t, "SOME_TOKEN=(hidden)");
	e2e_see_not(t, "of the user");
	e2e_press(t, "enter");
	terminal_resize(t, 1, 1);
	e2e_press(t, "enter G G y");
	terminal_resize(t, 36, 120);
	terminal_barrier(t);
	terminal_wait_processes(t, 0);
	e2e_see(t, "Run this program?");
	terminal_resize(t, 12, 50);
	e2e_answer(t, "enter enter"); /* not run; opened again */
	e2e_answer(t, "");
	e2e_press(t, "G");
	e2e_see(t, "PgDn: there is more"); /* a page at a time */
	e2e_answer(t, "y");
	e2e_see(t, "Run this program?");
	e2e_press(t, "enter");
	e2e_see(t, "was not started");
	terminal_wait_processes(t, 0);
	e2e_leave(t);
	char *ran = mem_printf("%s/ran", project);
	assert_int_not_equal(access(ran, F_OK), 0);
	unlink(env);
	free(ran);
	free(env);
	free(path);
}

/* Keys typed before the question is on the screen do not answer it. */
static void
test_keys_typed_ahead_approve_nothing(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .cwd = project, .argv = ARGV("--server", "shop") });

	terminal_type(t, "y\r\x1b[6~y\tyY");
	e2e_wait(t, "Run this program?");
	terminal_type(t, "y\r");
	e2e_wait(t, "press it again");
	e2e_see(t, "Run this program?");
	terminal_wait_processes(t, 0);
	e2e_answer(t, "y");
	e2e_wait(t, "list_users");
	e2e_leave(t);
}

/* A text longer than the screen must be read before it can be approved. */
static void
test_approval_is_read_first(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = project, .rows = 12, .cols = 50 });

	e2e_wait(t, "Servers start");
	e2e_press(t, "enter");
	e2e_see(t, "PgDn: there is more");
	e2e_answer(t, "y");
	terminal_wait_processes(t, 0);
	read_to_the_end(t);
	e2e_answer(t, "y");
	terminal_wait_processes(t, 1);
	e2e_leave(t);
}

static int
list_in_project(void **state, const char *const *argv, const char *says)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = project, .argv = argv });

	int code = terminal_wait_exit(t);
	e2e_see(t, says);
	e2e_teardown(state);
	*state = NULL;
	return code;
}

static void
test_scripts_ask_nobody(void **state)
{
	assert_int_equal(list_in_project(state, ARGV("list", "--server", "shop"),
			     "shop of .mcp.json is not approved"),
	    1);
	assert_int_equal(
	    list_in_project(state, ARGV("list", "--server", "shop", "--trust"), "list_users"), 0);
	assert_int_equal(
	    list_in_project(state, ARGV("list", "--server", "nosuch"),
		"no server is called nosuch in the files that are found; there are: shop, asks"),
	    1);
}

static void
write_own(const char *folder, const char *more)
{
	char *path = mem_printf("%s/mcpane/servers.json", folder);
	char *text = mem_printf(
	    "{\"mcpServers\":{\"x\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"]%s}}}",
	    terminal_program(), more);
	struct err err;

	path_make_folders(path);
	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	free(text);
	free(path);
}

static void
list_own(const char *cwd, const char *option, int exit_code, const char *says)
{
	char *script = mem_printf("cd %s && exec \"$0\" \"$@\"", cwd);
	const char *const argv[] = { "/bin/sh", "-c", script, terminal_program(), "list",
		"--server", "x", option, NULL };
	struct program p;

	program_run(&p, argv);
	if (p.exit_code != exit_code || !strstr(buf_text(exit_code ? &p.err : &p.out), says))
		fail_msg("%d: %s%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
	free(script);
}

/* A server in the user's own file runs if exactly this entry was approved, whichever program wrote
 * it. */
static void
test_own_file_in_scripts(void **state)
{
	static const char refused[] = "x of ";
	char folder[] = "/tmp/mcpane-own-XXXXXX";

	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	setenv("XDG_STATE_HOME", folder, 1);
	write_own(folder, "");
	list_own(folder, NULL, 1, refused);
	list_own(folder, "--trust", 0, "list_users");
	list_own(folder, NULL, 1, refused);
	list_own(folder, "--approve-server", 0, "list_users");
	list_own(folder, NULL, 0, "list_users");
	list_own("/", NULL, 0, "list_users");
	write_own(folder, ",\"enabled\":true");
	list_own("/", NULL, 0, "list_users");
	write_own(folder, ",\"env\":{\"A\":\"1\"}");
	list_own("/", NULL, 1, "--approve-server approves this entry");
	write_own(folder, ",\"envFile\":\"variables\"");
	char *variables = mem_printf("%s/variables", folder);
	assert_true(path_write_file(variables, "A=1\n", 4, NULL));
	list_own(folder, "--approve-server", 0, "list_users");
	list_own(folder, NULL, 0, "list_users");
	assert_true(path_write_file(variables, "LD_PRELOAD=x\n", 13, NULL));
	list_own(folder, NULL, 1, refused);
	free(variables);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	char *command = mem_printf("rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	free(command);
}

/* An open value is asked for on a terminal. */
static void
test_inputs(void **state)
{
	char *text =
	    mem_printf("{\"inputs\":[{\"type\":\"promptString\",\"id\":\"which\",\"description\":"
		       "\"Which server?\",\"password\":true}],\"servers\":{\"s\":{\"command\":"
		       "\"%s\",\"args\":[\"--serve-${input:which}\"]}}}",
		terminal_program());
	const char *path = config(text);

	free(text);
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", path) });
	e2e_wait(t, "Which server?");
	terminal_wait_processes(t, 0);
	terminal_type(t, "demo");
	terminal_barrier(t);
	e2e_see(t, "••••");
	e2e_see_not(t, "demo");
	e2e_answer(t, "enter");
	e2e_wait(t, "list_users");
	e2e_press(t, "R"); /* not asked again */
	terminal_wait_processes(t, 1);
	e2e_see_not(t, "Which server?");
	e2e_leave(t);
	e2e_teardown(state);

	t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("list", "--config", path) });
	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "the input which has no value: --input which=VALUE");
	e2e_teardown(state);
	t = e2e_start(state, &(struct terminal_options){
				 .argv = ARGV("list", "--config", path, "--input", "which=demo") });
	assert_int_equal(terminal_wait_exit(t), 0);
	e2e_teardown(state);
	t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("list", "--config", path),
				 .env = ARGV("MCPANE_INPUT_WHICH=demo") });
	assert_int_equal(terminal_wait_exit(t), 0);
}

static void
test_several_at_once(void **state)
{
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.argv = ARGV("--config", several(), "-c", "server 1", "-c", "tool slow", "-c",
		    "set seconds 600", "-c", "server bad", "-c", "tool users", "-c", "call") });

	e2e_wait(t, "Cyd");
	terminal_wait_processes(t, 2);
	int row, col;
	assert_true(terminal_find(t, "demo server ●", &row, &col));
	assert_int_equal(row, 0);
	terminal_click(t, row, col);
	e2e_wait(t, "seconds");
	e2e_press(t, "f5");
	e2e_wait(t, "running");
	e2e_press(t, "tab tab 2");
	e2e_wait(t, "Cyd");
	e2e_see(t, "▸1");
	e2e_run(t, "disconnect 1");
	terminal_wait_processes(t, 1);
	e2e_run(t, "connect 1");
	terminal_wait_processes(t, 2);
	e2e_see(t, "Cyd");
	e2e_press(t, "f3");
	e2e_see(t, "overview ▸ bad");
	e2e_see(t, "process");
	e2e_see_not(t, "hunter2");
	e2e_leave(t);
}

/* The commands of a pasted configuration are on the screen before it is added. */
static void
test_pasted(void **state)
{
	char folder[] = "/tmp/mcpane-empty-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .cwd = folder });
	char *line =
	    mem_printf("add \"mine\": {\"command\": [\"%s\", \"--serve-demo\"], "
		       "\"environment\": {\"NODE_OPTIONS\": \"-r x\", \"API_KEY\": \"q7\"}}",
		terminal_program());

	e2e_wait(t, "No server is configured");
	e2e_run(t, line);
	free(line);
	e2e_see(t, "Add to your servers?");
	e2e_see(t, "--serve-demo");
	e2e_see(t, "NODE_OPTIONS=-r x");
	e2e_see(t, "API_KEY=(hidden)");
	e2e_see_not(t, "q7");
	e2e_answer(t, "enter");
	e2e_see(t, "No server is configured");
	e2e_run(t, "add {\"mcpServers\": {}}");
	e2e_see(t, "no server is in it");
	line = mem_printf("add claude mcp add mine -e A=1 -- %s --serve-demo", terminal_program());
	e2e_run(t, line);
	free(line);
	e2e_see(t, "A=1");
	e2e_answer(t, "y");
	e2e_see(t, "your own file");
	e2e_press(t, "enter");
	e2e_wait(t, "list_users");
	e2e_leave(t);
	rmdir(folder);
}

/* Adding, disabling, editing and removing, in the user's own file. */
static void
test_own_file(void **state)
{
	char folder[] = "/tmp/mcpane-empty-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = folder,
				 .env = ARGV("EDITOR=sed -i s/--serve-nothing/--serve-demo/") });
	char *line = mem_printf("add \"my demo\" A=1 \"%s\" --serve-nothing", terminal_program());

	e2e_wait(t, "No server is configured");
	e2e_run(t, line);
	free(line);
	e2e_see(t, "added my demo");
	e2e_see(t, "your own file");
	e2e_see_not(t, "No server is configured");
	e2e_press(t, "ctrl-e");
	e2e_wait(t, "reloaded the servers");
	e2e_see(t, "--serve-demo");
	e2e_press(t, "x");
	e2e_see(t, "my demo is disabled");
	e2e_press(t, "enter");
	e2e_see(t, "disabled in its file");
	e2e_press(t, "x enter"); /* the user has just written it */
	e2e_wait(t, "list_users");
	e2e_run(t, "server");
	e2e_press(t, "K");
	e2e_wait(t, "disconnected");
	terminal_wait_processes(t, 0);
	line = mem_printf(
	    "sed -i 's/\"A\"/\"B\"/' %s/mcpane/servers.json", terminal_home(t)); /* by others */
	assert_int_equal(system(line), 0);
	free(line);
	e2e_press(t, "ctrl-e");
	e2e_wait(t, "reloaded the servers");
	e2e_press(t, "enter");
	e2e_see(t, "Your own file, changed without mcpane, configures a program to run");
	e2e_see(t, "B=1");
	e2e_answer(t, "y");
	e2e_wait(t, "Not called yet");
	e2e_run(t, "server");
	e2e_press(t, "ctrl-k");
	e2e_answer(t, "y");
	e2e_see(t, "removed from the file");
	e2e_see(t, "no longer in its file"); /* it runs on */
	terminal_wait_processes(t, 1);
	e2e_leave(t);
	rmdir(folder);
}

/* A command that does not start is corrected where its failure is shown. */
static void
test_a_command_is_corrected(void **state)
{
	char folder[] = "/tmp/mcpane-empty-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .cwd = folder,
				 .env = ARGV("EDITOR=sed -i s/--serve-nothing/--serve-demo/") });
	char *line = mem_printf("add demo \"%s\" --serve-nothing", terminal_program());

	e2e_wait(t, "No server is configured");
	e2e_run(t, line);
	free(line);
	e2e_press(t, "enter");
	e2e_wait(t, "the server ended: exit code 1");
	e2e_press(t, "ctrl-e");
	e2e_wait(t, "reloaded the servers");
	e2e_press(t, "R");
	e2e_wait(t, "list_users"); /* the user has just written it: nothing is asked */
	e2e_leave(t);
	rmdir(folder);
}

/* ---- hostile text ---- */

/* The demo's hostile texts have no effect. */
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
	e2e_see(t, "Tools 31");
	static const char *const tour[] = { "view tree", "view json", "pane content", "zoom",
		"zoom", "goto /rows/0/text", "detail", "back", "pane validation", "wire" };
	for (size_t i = 0; i < ARRAY_LEN(tour); i++) {
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

	e2e_wait(t, "Servers start only when you ask");
	e2e_press(t, "enter");
	e2e_wait(t, "no such file");
	e2e_press(t, "w end enter");
	e2e_leave(t);
	assert_harmless(t);
}

/* The commonest mistake of a new server, told while it still waits. */
static void
test_a_server_that_prints(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--", "sh", "-c",
						   "echo Server listening on 3000; echo second; "
						   "echo connecting >&2; sleep 600") });

	e2e_wait(t, "2 lines on stdout are not JSON-RPC; the first:");
	e2e_see(t, "  Server listening on 3000");
	e2e_wait(t, "stderr:");
	e2e_see(t, "connecting");
	e2e_see(t, "waiting for the first response, ");
	e2e_wait(t, "waiting for the first response, 2."); /* the clock runs */
	e2e_leave(t);
}

/* The cause is far above the last lines; it is shown instead of them, with two related lines if
 * there is space. */
static void
test_a_server_that_does_not_start(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){
		       .argv = ARGV("--", "sh", "-c",
			   "echo npm error code E404 >&2; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "
			   "echo npm error line $i >&2; done; exit 1") });

	e2e_wait(t, "exit code 1");
	e2e_wait(t, "npm error code E404");
	e2e_see(t, "npm error line 1 ");
	e2e_see(t, "npm error line 12");
	struct terminal_cell cause = e2e_cell(t, "npm error code"),
			     other = e2e_cell(t, "npm error line 12");
	assert_int_not_equal(cause.fg, other.fg);
	e2e_see(t, "Ctrl-E edit command");
	e2e_press(t, "ctrl-e");
	e2e_see(t, "done; exit 1'"); /* the typed command, quoted, after add */
	e2e_press(t, "esc");
	terminal_resize(t, 24, 80); /* no room for all: the cause, then the end */
	terminal_barrier(t);
	e2e_see(t, "npm error code E404");
	e2e_see(t, "npm error line 12");
	e2e_leave(t);
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

TEST_FILE(servers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_nothing_starts_by_itself, remove_config),
		cmocka_unit_test_teardown(test_choosing_servers, remove_config),
		cmocka_unit_test_teardown(test_quit_asks_for_calls_of_other_servers, remove_config),
		cmocka_unit_test_teardown(test_server_by_name, remove_config),
		cmocka_unit_test_teardown(test_broken_configurations, remove_config),
		cmocka_unit_test_teardown(test_environment_and_folder, remove_config),
		cmocka_unit_test_teardown(test_what_of_our_environment, remove_config),
		cmocka_unit_test_teardown(test_tab_has_the_servers_name, e2e_teardown),
		cmocka_unit_test_teardown(test_first_screen, e2e_teardown),
		cmocka_unit_test_teardown(test_another_era, e2e_teardown),
		cmocka_unit_test_setup_teardown(
		    test_a_project_is_asked_for, make_project, remove_project),
		cmocka_unit_test_setup_teardown(
		    test_a_broken_project, make_project, remove_project),
		cmocka_unit_test_setup_teardown(
		    test_approval_is_read_first, make_project, remove_project),
		cmocka_unit_test_setup_teardown(
		    test_keys_typed_ahead_approve_nothing, make_project, remove_project),
		cmocka_unit_test_setup_teardown(test_all_is_shown, make_project, remove_project),
		cmocka_unit_test_setup_teardown(
		    test_setting_without_value, make_project, remove_project),
		cmocka_unit_test_setup_teardown(test_pipes_for_files, make_project, remove_project),
		cmocka_unit_test_setup_teardown(
		    test_scripts_ask_nobody, make_project, remove_project),
		cmocka_unit_test(test_own_file_in_scripts),
		cmocka_unit_test_teardown(test_inputs, remove_config),
		cmocka_unit_test_teardown(test_several_at_once, remove_config),
		cmocka_unit_test_teardown(test_pasted, e2e_teardown),
		cmocka_unit_test_teardown(test_own_file, e2e_teardown),
		cmocka_unit_test_teardown(test_a_command_is_corrected, e2e_teardown),
		cmocka_unit_test_teardown(test_hostile_text_shows_as_marks, e2e_teardown),
		cmocka_unit_test_teardown(test_hostile_configuration, remove_config),
		cmocka_unit_test_teardown(test_a_server_that_prints, e2e_teardown),
		cmocka_unit_test_teardown(test_a_server_that_does_not_start, e2e_teardown),
		cmocka_unit_test_teardown(test_hostile_stderr_and_garbage, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
