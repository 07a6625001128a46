/* SPDX-License-Identifier: MIT */
/* Calls that outlive the program. */
#include "e2e.h"
#include "program.h"
#include "terminal_figures.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char home[] = "/tmp/mcpane-past-XXXXXX";

static int
set_up(void **state)
{
	strcpy(home + strlen(home) - 6, "XXXXXX");
	assert_non_null(mkdtemp(home));
	return 0;
}

static int
tear_down(void **state)
{
	char command[80];

	e2e_teardown(state);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command);
}

/* The same state folder for one start after another, as a user has it. */
static struct terminal *
start(void **state, const char *const *argv)
{
	char *setting = mem_printf("XDG_STATE_HOME=%s", home);
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = argv, .env = ARGV(setting) });

	free(setting);
	return t;
}

static struct terminal *
start_demo(void **state)
{
	struct terminal *t = start(state, ARGV("--demo"));

	e2e_wait(t, "list_users");
	return t;
}

static void
stop(void **state, struct terminal *t)
{
	e2e_leave(t);
	e2e_teardown(state);
	*state = NULL;
}

static void
call_limited(struct terminal *t, const char *limit)
{
	char line[40];

	snprintf(line, sizeof(line), "set limit %s", limit);
	e2e_run(t, "tool list_users");
	e2e_run(t, line);
	e2e_run(t, "call");
	e2e_wait(t, "structuredContent ▸ users");
}

/* The output of `mcpane history --json`. */
static void
print_history(struct program *p)
{
	setenv("XDG_STATE_HOME", home, 1);
	program_run(p, ARGV(terminal_program(), "history", "--json"));
	unsetenv("XDG_STATE_HOME");
}

static size_t
count(const char *text, const char *part)
{
	size_t found = 0;

	for (; (text = strstr(text, part)); text++)
		found++;
	return found;
}

/* SQLite costs the start nothing: it is loaded when the first call has ended. */
static void
test_library_is_loaded_late(void **state)
{
	struct terminal *t = start_demo(state);
	struct buf maps = BUF_INIT;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)terminal_pid(t));
	e2e_run(t, "tool list_users");
	assert_true(path_read_file(path, &maps, NULL));
	assert_non_null(strstr(buf_text(&maps), "libncursesw"));
	assert_null(strstr(buf_text(&maps), "libsqlite3"));
	buf_clear(&maps);
	call_limited(t, "2");
	assert_true(path_read_file(path, &maps, NULL));
	assert_non_null(strstr(buf_text(&maps), "libsqlite3"));
	buf_finish(&maps);
	terminal_keys(t, "q"); /* its result is stored, so no question is asked */
	assert_int_equal(terminal_wait_exit(t), 0);
}

static void
test_past_result_after_a_restart(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "2");
	stop(state, t);
	t = start_demo(state);
	e2e_press(t, "H");
	e2e_wait(t, "history · calls, newest first");
	e2e_wait(t, "{\"limit\":2}");
	e2e_press(t, "enter");
	e2e_wait(t, "past call, ");
	e2e_see(t, "Found 3 users");
	e2e_see(t, "structuredContent ▸ users");
	e2e_see(t, "conforms to outputSchema");
	e2e_press(t, "H b"); /* its arguments in the form, to change them */
	e2e_run(t, "set limit 1");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 1 × 3");
	e2e_see_not(t, "past call, ");
	e2e_press(t, "H");
	e2e_wait(t, "2 calls");
	e2e_press(t, "G r"); /* the older one once more */
	e2e_wait(t, "table · 2 × 3");
	e2e_see_not(t, "past call, ");
	stop(state, t);
}

/* Results of a server that no longer exists are still available. */
static void
test_past_result_of_another_server(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "2");
	stop(state, t);
	t = start(state, ARGV("--", terminal_fixture("streamserver"), "good"));
	e2e_wait(t, "●");
	e2e_press(t, "H");
	e2e_wait(t, "{\"limit\":2}");
	e2e_press(t, "enter");
	e2e_wait(t, "past call, ");
	e2e_see(t, "conforms to outputSchema");
	e2e_see(t, "not connected");
	e2e_press(t, "f5");
	e2e_wait(t, "only past calls of this server are here: S starts a server");
	e2e_run(t, "server #1");
	e2e_wait(t, "●");
	stop(state, t);
}

static void
test_name_pin_filter_delete(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "1");
	call_limited(t, "2");
	e2e_press(t, "H");
	e2e_wait(t, "2 calls");
	e2e_run(t, "name-call the good one");
	e2e_wait(t, "the good one {\"limit\":2}");
	e2e_press(t, "!");
	e2e_wait(t, " * ");
	e2e_run(t, "filter-calls pinned:yes");
	e2e_wait(t, "1 call ");
	e2e_see_not(t, "{\"limit\":1}");
	e2e_run(t, "filter-calls");
	e2e_wait(t, "2 calls");
	e2e_press(t, "G ctrl-k");
	e2e_wait(t, "Delete the call?");
	e2e_answer(t, "y");
	e2e_wait(t, "1 call ");
	e2e_see_not(t, "{\"limit\":1}");
	stop(state, t);
}

/* The output of `mcpane history` with these words. */
static void
expect_search(const char *const *argv, int code, size_t calls, const char *told)
{
	struct program p;

	setenv("XDG_STATE_HOME", home, 1);
	program_run(&p, argv);
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(p.exit_code, code);
	assert_int_equal(count(buf_text(&p.out), "\"id\":"), calls);
	assert_non_null(strstr(buf_text(&p.err), told));
	program_free(&p);
}

#define SEARCH(...) ARGV(terminal_program(), "history", __VA_ARGS__)

/* An unknown word is an error, never a search that finds nothing or everything. */
static void
test_search_says_what_is_wrong(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "1");
	call_limited(t, "2");
	e2e_press(t, "H");
	e2e_wait(t, "2 calls");
	e2e_run(t, "filter-calls since:bogus limit\":2");
	e2e_wait(t, "since: wants a time: 2026-07-28, 2026-07-28T13:30, 13:30, today or 2h");
	e2e_wait(t, "1 call ");
	e2e_run(t, "filter-calls since:1h");
	e2e_wait(t, "2 calls");
	e2e_see_not(t, "wants a time");
	e2e_run(t, "filter-calls tol:list");
	e2e_wait(t, "unknown word tol: did you mean tool:?");
	e2e_run(t, "filter-calls before:1h");
	e2e_wait(t, "nothing matches");
	stop(state, t);
	expect_search(SEARCH("since:bogus"), 1, 0, "mcpane: since: wants a time:");
	expect_search(SEARCH("verdict:invald", "--json"), 1, 0, "did you mean invalid?");
	expect_search(SEARCH("-tool:list"), 0, 0, "");
	expect_search(SEARCH("-tool:search", "-limit\":1", "--json"), 0, 1, "");
	expect_search(SEARCH("since:1h tool:list"), 0, 2, "");
	expect_search(SEARCH("before:today"), 0, 0, "");
}

/* New calls come above the selected one; a key's command line waits for its argument. */
static void
test_selection_stays(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "1");
	call_limited(t, "2");
	call_limited(t, "3");
	e2e_press(t, "H");
	e2e_wait(t, "3 calls");
	e2e_press(t, "j j r"); /* the oldest once more: now there is one above */
	e2e_wait(t, "table · 1 × 3");
	e2e_press(t, "H");
	e2e_wait(t, "4 calls");
	e2e_press(t, "c");
	terminal_type(t, "oldest");
	e2e_press(t, "enter");
	e2e_wait(t, "oldest {\"limit\":1}");
	e2e_press(t, "G c");
	terminal_type(t, "-");
	e2e_press(t, "enter");
	e2e_see_not(t, "oldest");
	stop(state, t);
}

/* b goes back through past calls, and a field completes from its past values. */
static void
test_form_recalls(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "11");
	call_limited(t, "12");
	stop(state, t);
	t = start_demo(state);
	e2e_run(t, "tool list_users");
	e2e_run(t, "last");
	e2e_wait(t, "earlier call 1 of 2");
	e2e_see(t, "limit      12 ");
	e2e_run(t, "last");
	e2e_wait(t, "earlier call 2 of 2");
	e2e_see(t, "limit      11 ");
	e2e_run(t, "undo");
	e2e_wait(t, "limit      12 ");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "set customer \"Dora\"");
	e2e_run(t, "call");
	e2e_wait(t, "structuredContent ▸ orders");
	stop(state, t);
	t = start_demo(state);
	e2e_run(t, "tool search_orders");
	e2e_run(t, "pane form");
	e2e_press(t, "down enter D");
	e2e_wait(t, "Dora");
	e2e_press(t, "tab");
	e2e_run(t, "call");
	e2e_press(t, "H");
	e2e_wait(t, "4 calls");
	stop(state, t);
}

static void
test_no_history(void **state)
{
	struct terminal *t = start(state, ARGV("--demo", "--no-history"));
	char path[100];

	e2e_wait(t, "list_users");
	e2e_run(t, "set parallel 2"); /* another setting does not switch it on */
	e2e_wait(t, "parallel: 2");
	call_limited(t, "2");
	e2e_press(t, "H");
	e2e_wait(t, "the history is switched off");
	e2e_see(t, "{\"limit\":2}"); /* the calls of this run are there all the same */
	e2e_press(t, "esc q");
	e2e_wait(t, "The results of 1 call will be lost.");
	e2e_press(t, "esc");
	stop(state, t);
	snprintf(path, sizeof(path), "%s/mcpane/history.db", home);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* The settings say so for every run; bounds that are none are refused. */
static void
test_switched_off_by_the_settings(void **state)
{
	char *config = mem_printf("XDG_CONFIG_HOME=%s", home);
	char *file = mem_printf("%s/mcpane/config", home);
	const struct terminal_options options = { .argv = ARGV("--demo"), .env = ARGV(config) };
	static const char off[] = "history off\nhistory-size 64M\nhistory-days 30\n";
	static const char bad[] = "history-days never\n";

	path_make_folders(file);
	assert_true(path_write_file(file, off, strlen(off), NULL));
	struct terminal *t = e2e_start(state, &options);
	e2e_wait(t, "list_users");
	e2e_press(t, "H");
	e2e_wait(t, "the history is switched off");
	stop(state, t);
	assert_true(path_write_file(file, bad, strlen(bad), NULL));
	t = e2e_start(state, &options);
	terminal_wait_text(t, "config:1: history-days: expected a number of days, not never");
	assert_int_equal(terminal_wait_exit(t), 1);
	free(file);
	free(config);
}

/* The result is on the screen, so the call is in the file. */
static void
test_kill_loses_nothing(void **state)
{
	struct program p;
	struct terminal *t = start_demo(state);

	call_limited(t, "2");
	call_limited(t, "3");
	e2e_wait(t, "call 2 of 2");
	kill(terminal_pid(t), SIGKILL);
	e2e_teardown(state);
	*state = NULL;
	print_history(&p);
	assert_int_equal(p.exit_code, 0);
	assert_int_equal(count(buf_text(&p.out), "\"verdict\":\"valid\""), 2);
	assert_non_null(strstr(buf_text(&p.out), "\"arguments\":{\"limit\":3}"));
	program_free(&p);
}

/* `mcpane call` with these words; the calls that the history has afterwards. */
static size_t
calls_after(const char *const *argv, const char *expected)
{
	struct program p;

	setenv("XDG_STATE_HOME", home, 1);
	program_run(&p, argv);
	unsetenv("XDG_STATE_HOME");
	assert_non_null(strstr(buf_text(&p.out), expected));
	assert_string_equal(buf_text(&p.err), "");
	program_free(&p);
	print_history(&p);
	size_t found = count(buf_text(&p.out), "\"id\":");
	program_free(&p);
	return found;
}

#define COMMAND(name) terminal_program(), name, "--demo", "--json"

/* They are in the history of the screen, too. */
static void
test_calls_of_the_command_line(void **state)
{
	char *file = mem_printf("%s/mcpane/config", home);
	static const char off[] = "theme dark\nset history off # of no run\n";

	assert_int_equal(
	    calls_after(ARGV(COMMAND("call"), "list_users", "limit=2"), "Found 3 users"), 1);
	assert_int_equal(
	    calls_after(ARGV(COMMAND("call"), "list_users", "--no-history"), "Found"), 1);
	assert_int_equal(calls_after(ARGV(COMMAND("get"), "introduce"), "messages"), 2);
	assert_int_equal(calls_after(ARGV(COMMAND("read"), "demo://welcome"), "contents"), 3);
	struct terminal *t = start_demo(state);
	e2e_press(t, "H");
	e2e_wait(t, "3 calls");
	e2e_see(t, "{\"limit\":2}");
	stop(state, t);
	path_make_folders(file);
	assert_true(path_write_file(file, off, strlen(off), NULL));
	setenv("XDG_CONFIG_HOME", home, 1);
	assert_int_equal(calls_after(ARGV(COMMAND("call"), "list_users"), "Found"), 3);
	unsetenv("XDG_CONFIG_HOME");
	free(file);
}

/* The pane shows calls of other programs, without a key while it is open, and when it is opened
 * again. */
static void
test_calls_of_other_programs(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "1");
	e2e_press(t, "H");
	e2e_wait(t, "1 call ");
	calls_after(ARGV(COMMAND("call"), "list_users", "limit=2"), "Bob");
	e2e_wait(t, "2 calls");
	e2e_see(t, "{\"limit\":2}");
	expect_search(SEARCH("pin", "last"), 0, 0, "");
	e2e_wait(t, " * ");
	e2e_press(t, "esc");
	e2e_see_not(t, "calls, newest first");
	calls_after(ARGV(COMMAND("call"), "list_users", "limit=3"), "Charlie");
	e2e_press(t, "H");
	e2e_wait(t, "3 calls");
	expect_search(SEARCH("delete", "last"), 0, 0, "");
	e2e_wait(t, "2 calls");
	e2e_see_not(t, "{\"limit\":3}");
	stop(state, t);
}

/* It waits for the kernel, and looks at nothing meanwhile. */
static void
test_open_pane_sleeps(void **state)
{
	struct terminal *t = start_demo(state);

	call_limited(t, "1");
	e2e_press(t, "H");
	e2e_wait(t, "1 call ");
	poll(NULL, 0, 400); /* waits to show that nothing happens */
	terminal_barrier(t);
	poll(NULL, 0, 100);
	struct terminal_figures before = terminal_figures(t);
	poll(NULL, 0, 700);
	assert_int_equal(terminal_figures(t).wakeups - before.wakeups, 0);
	stop(state, t);
}

/* Another program locks the file: the answer is printed, and the call is stored or the failure
 * reported. */
static void
test_locked_history_keeps_no_answer_back(void **state)
{
	char *path = mem_printf("%s/mcpane/history.db", home);
	struct program p;
	sqlite3 *db;

	calls_after(ARGV(COMMAND("call"), "list_users"), "Alice");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	setenv("XDG_STATE_HOME", home, 1);
	program_run(&p, ARGV(COMMAND("call"), "list_users"));
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(p.exit_code, 0);
	assert_non_null(strstr(buf_text(&p.out), "Alice"));
	assert_string_equal(buf_text(&p.err),
	    "mcpane: the history is locked by another program; the call is not kept\n");
	program_free(&p);
	sqlite3_close(db);
	expect_search(SEARCH("--json"), 0, 1, "");
	free(path);
}

/* Its output; the exit code is the expected one. The caller frees it. */
static void
run_here(struct program *p, const char *const *argv, int code)
{
	setenv("XDG_STATE_HOME", home, 1);
	program_run(p, argv);
	unsetenv("XDG_STATE_HOME");
	if (p->exit_code != code)
		fail_msg("%d: %s%s", p->exit_code, buf_text(&p->out), buf_text(&p->err));
}

static void
expect_run(const char *const *argv, int code, const char *out, const char *err)
{
	struct program p;

	run_here(&p, argv, code);
	if (!strstr(buf_text(&p.out), out) || !strstr(buf_text(&p.err), err))
		fail_msg("%s\n%s", buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
}

/* Newest first; the id is a string, because many programs round such numbers. */
static void
read_ids(char ids[][32], size_t count)
{
	struct program p;

	run_here(&p, ARGV(terminal_program(), "history"), 0);
	const char *at = buf_text(&p.out);
	for (size_t i = 0; i < count; i++) {
		at = strstr(at, "\"id\":\"");
		assert_non_null(at);
		at += strlen("\"id\":\"");
		snprintf(ids[i], sizeof(ids[i]), "%.*s", (int)strspn(at, "0123456789"), at);
	}
	program_free(&p);
}

static void
test_past_calls_on_the_command_line(void **state)
{
	char ids[2][32];

	calls_after(ARGV(COMMAND("call"), "list_users", "limit=1"), "Alice");
	calls_after(ARGV(COMMAND("call"), "list_users", "limit=2"), "Bob");
	read_ids(ids, 2);
	expect_run(SEARCH("show", "last", "--json"), 0, "{\"result\":{\"content\":", "");
	expect_run(SEARCH("show", ids[1], "--jq", ".users[0].name"), 0, "\"Alice\"\n", "");
	expect_run(SEARCH("show", ids[0], "--format", "csv"), 0, "2,Bob,", "");
	expect_run(SEARCH("--replies", "limit\":1"), 0, "\"reply\":{\"jsonrpc\":\"2.0\"", "");
	expect_run(SEARCH("--limit", "1"), 0, "\"limit\":2}}]}\n", "");
	expect_run(ARGV(terminal_program(), "diff", ids[1], ids[0]), 6, "users[id=2]", "");
	expect_run(SEARCH("pin", ids[0], ids[1]), 0, "", "");
	expect_run(SEARCH("unpin", "last"), 0, "", "");
	expect_run(SEARCH("pinned:yes"), 0, "\"limit\":1}}]}", "");
	expect_run(SEARCH("delete", ids[1]), 0, "", "");
	expect_run(SEARCH("show", ids[1]), 1, "", "the history has no call ");
	expect_run(ARGV(terminal_program(), "diff", ids[1], ids[0]), 1, "", "has no call ");
	expect_search(SEARCH("\"show\"", "--json"), 0, 0, "");
	expect_run(SEARCH("run", ids[0]), 0, "{\"calls\":[]}", "searched for: run ");
	expect_run(SEARCH("run", ids[0]), 0, "", "; mcpane history show ");
	expect_run(SEARCH("nosuch"), 0, "",
	    "mcpane: searched for: nosuch; mcpane history show ID prints one call\n");
	expect_search(SEARCH("--json"), 0, 1, "");
}

/* Once. */
static void
test_unusable_file_is_told(void **state)
{
	char *path = mem_printf("%s/mcpane/history.db", home);
	struct program p;

	path_make_folders(path);
	assert_int_equal(symlink("elsewhere", path), 0);
	run_here(&p, ARGV(terminal_program(), "history"), 1);
	assert_string_equal(buf_text(&p.err),
	    "mcpane: no history: history.db: it is a symbolic link, which is not followed\n");
	program_free(&p);
	free(path);
}

/* A failed call has the exit code that it had, and no reply to compare. */
static void
test_past_failure_on_the_command_line(void **state)
{
	struct program p;
	char ids[1][32];

	run_here(&p, ARGV(COMMAND("call"), "fail"), 5);
	program_free(&p);
	read_ids(ids, 1);
	expect_run(SEARCH("show", ids[0]), 5, "", "reported an error");
}

/* The time is not cut, and a line says that there are more calls. */
static void
test_table_of_80_columns(void **state)
{
	char *setting = mem_printf("XDG_STATE_HOME=%s", home);
	const struct terminal_options options = { .argv = ARGV("history", "--limit", "2"),
		.env = ARGV(setting),
		.cols = 80,
		.rows = 24 };

	for (int i = 0; i < 3; i++)
		calls_after(ARGV(COMMAND("call"), "get_weather_data",
				"location=A place with a very long name that takes the whole row"),
		    "temperature");
	struct terminal *t = e2e_start(state, &options);
	assert_int_equal(terminal_wait_exit(t), 0);
	e2e_see(t, "mcpane: the newest 2 of 3: --limit N, --limit all or a search");
	const char *row = terminal_row(t, 1);
	assert_int_equal(strspn(row, "0123456789-: "), strlen("11-23 13:35  "));
	assert_int_equal(row[2], '-');
	assert_int_equal(row[8], ':');
	assert_ptr_equal(strstr(row, "demo  "), row + strlen("11-23 13:35  "));
	free(setting);
}

/* A user who misspelled "history off" wants no history: the error is reported and the call is not
 * stored. */
static void
test_wrong_settings_keep_nothing(void **state)
{
	static const char *const wrong[][2] = {
		{ "theme dark\nhistory maybe\n", "config:2: history is on or off, not maybe; the" },
		{ "histroy off # mine\n",
		    "config:1: there is no setting histroy; did you mean history?" },
		{ "set history-size abc",
		    "config:1: history-size: expected a size such as 256M, not abc" },
		{ "history-days -1\n",
		    "config:1: history-days: expected a number of days, not -1" },
	};
	char *file = mem_printf("%s/mcpane/config", home);

	path_make_folders(file);
	setenv("XDG_CONFIG_HOME", home, 1);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct program p;
		assert_true(path_write_file(file, wrong[i][0], strlen(wrong[i][0]), NULL));
		setenv("XDG_STATE_HOME", home, 1);
		program_run(&p, ARGV(COMMAND("call"), "list_users"));
		unsetenv("XDG_STATE_HOME");
		assert_int_equal(p.exit_code, 0);
		assert_non_null(strstr(buf_text(&p.out), "Found"));
		if (!strstr(buf_text(&p.err), wrong[i][1]))
			fail_msg("%s", buf_text(&p.err));
		assert_int_equal(count(buf_text(&p.err), "\n"), 1);
		program_free(&p);
		print_history(&p);
		assert_int_equal(count(buf_text(&p.out), "\"id\":"), 0);
		assert_int_equal(count(buf_text(&p.err), "config:"), 1);
		program_free(&p);
	}
	unsetenv("XDG_CONFIG_HOME");
	free(file);
}

static void
test_damaged_file_is_told(void **state)
{
	char path[100], text[] = "no database";
	struct terminal *t = start_demo(state);

	call_limited(t, "2");
	stop(state, t);
	snprintf(path, sizeof(path), "%s/mcpane/history.db", home);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	t = start_demo(state);
	e2e_wait(t, "the history was damaged: it is now "); /* by the look for changed tools */
	call_limited(t, "2");
	e2e_press(t, "H");
	e2e_wait(t, "1 call ");
	stop(state, t);
	strcat(path, ".broken");
	e2e_file_has(path, text);
}

/* Another program never unlocks the file: the exit waits for no call, and reports which are
 * missing. */
static void
test_the_end_waits_for_no_database(void **state)
{
	struct terminal *t = start_demo(state);
	char *path = mem_printf("%s/mcpane/history.db", home);
	sqlite3 *db = NULL;

	call_limited(t, "1");
	stop(state, t);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	t = start_demo(state);
	for (int i = 0; i < 20; i++) /* each would wait 5 seconds */
		call_limited(t, "2");
	terminal_keys(t, "ctrl-q");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
	e2e_see(t, " calls are not in the history");
	sqlite3_close(db);
	free(path);
}

TEST_FILE(history)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(test_library_is_loaded_late),
		T(test_past_result_after_a_restart),
		T(test_past_result_of_another_server),
		T(test_name_pin_filter_delete),
		T(test_search_says_what_is_wrong),
		T(test_form_recalls),
		T(test_selection_stays),
		T(test_no_history),
		T(test_switched_off_by_the_settings),
		T(test_wrong_settings_keep_nothing),
		T(test_kill_loses_nothing),
		T(test_calls_of_the_command_line),
		T(test_calls_of_other_programs),
		T(test_open_pane_sleeps),
		T(test_locked_history_keeps_no_answer_back),
		T(test_past_calls_on_the_command_line),
		T(test_past_failure_on_the_command_line),
		T(test_unusable_file_is_told),
		T(test_table_of_80_columns),
		T(test_damaged_file_is_told),
		T(test_the_end_waits_for_no_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
