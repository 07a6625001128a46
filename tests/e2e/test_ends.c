/* SPDX-License-Identifier: MIT */
/* However the program ends, the terminal is restored and no process is left. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "e2e.h"
#include "fixture.h"
#include "interop.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

static int
no_cores(void **state)
{
	return setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

/* The program ends with this code, and its children do. */
static void
assert_ends(struct terminal *t, int code)
{
	assert_int_equal(terminal_wait_exit(t), code);
	terminal_assert_restored(t);
	terminal_wait_processes(t, 0);
}

static struct terminal *
start_slow_call(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 600");
	e2e_press(t, "f5");
	e2e_see(t, "running");
	return t;
}

static void
test_keys_that_leave(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	terminal_keys(t, "q");
	assert_ends(t, 0);
	e2e_teardown(state);

	static const char *const modes[] = { "f5", "?", ":", "q", "J", "w / a", "f2" };
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		t = start_slow_call(state);
		e2e_press(t, modes[i]);
		terminal_keys(t, "ctrl-q");
		assert_ends(t, 0);
		e2e_teardown(state);
	}

	t = e2e_demo(state, NULL);
	terminal_keys(t, "alt-x");
	terminal_type(t, "quit\r");
	assert_ends(t, 0);
}

static void
test_signals_that_end(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct terminal *t = start_slow_call(state);
		kill(terminal_pid(t), signals[i]);
		assert_ends(t, 128 + signals[i]);
		e2e_teardown(state);
	}
}

static void
test_crashes(void **state)
{
	static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct terminal *t = start_slow_call(state);
		kill(terminal_pid(t), signals[i]);
		assert_ends(t, -signals[i]);
		e2e_see(t, "mcpane: crashed");
		e2e_teardown(state);
	}
}

/* With a server that heeds nothing but SIGKILL, and a child of it that does not either. */
static struct terminal *
start_stubborn(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){
		       .argv = ARGV("--", "sh", "-c", "trap '' HUP TERM INT; sleep 1000; :") });

	e2e_wait(t, "waiting for the first response, ");
	terminal_wait_processes(t, 2);
	return t;
}

/* Nothing can be done against this one, but another process does it. */
static void
test_killed(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	kill(terminal_pid(t), SIGKILL);
	assert_int_equal(terminal_wait_exit(t), -SIGKILL);
	terminal_wait_processes(t, 0);
	e2e_teardown(state);

	t = start_stubborn(state);
	kill(terminal_pid(t), SIGKILL);
	assert_int_equal(terminal_wait_exit(t), -SIGKILL);
	terminal_wait_processes(t, 0);
}

/* Signals that mean nothing to it and whose default is to end it. */
static void
test_signals_that_nobody_expects(void **state)
{
	const int signals[] = { SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
		SIGXCPU, SIGSYS, SIGTRAP, SIGSTKFLT, SIGRTMIN, SIGRTMAX };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct terminal *t = start_stubborn(state);
		kill(terminal_pid(t), signals[i]);
		assert_ends(t, -signals[i]);
		e2e_see(t, "; the terminal was restored");
		e2e_teardown(state);
	}
}

/* The limit of a file's size: the write fails, and that is said. */
static void
test_no_more_room_in_a_file(void **state)
{
	char command[4200];

	snprintf(command, sizeof(command),
	    "ulimit -f 0; exec '%s' read --demo demo://welcome --output \"$HOME/out\"",
	    terminal_program());
	struct terminal *t = *state =
	    terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", command) });
	assert_int_equal(terminal_wait_exit(t), 1);
	e2e_see(t, "File too large");
}

static bool
shows_main_screen(struct terminal *t, void *ctx)
{
	return !terminal_mode(t, 1049, true);
}

/* It has left the screen, and a server that is reached by HTTP lets it wait. */
static void
test_signals_during_the_farewell(void **state)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCHLD, SIGTERM };
	struct web_server server;
	char url[300];

	web_server_start(&server, (const char *[]){ terminal_fixture("httpfault"), NULL });
	snprintf(url, sizeof(url), "%s/held", server.url);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct terminal *t =
		    e2e_start(state, &(struct terminal_options){ .argv = ARGV(url) });
		e2e_wait(t, "does what the path says");
		terminal_keys(t, "q");
		terminal_wait_until(t, shows_main_screen, NULL);
		kill(terminal_pid(t), signals[i]);
		kill(terminal_pid(t), SIGCONT);
		assert_ends(t, signals[i] == SIGTERM ? 128 + SIGTERM : 0);
		e2e_teardown(state);
	}
	web_server_stop(&server);
}

/* With the minimum of file descriptors, and with fewer: it starts and handles keys and signals, or
 * reports the reason. */
static void
test_few_descriptors(void **state)
{
	char command[4200];

	for (int limit = 4; limit < 12; limit++) {
		snprintf(command, sizeof(command), "ulimit -n %d; exec '%s' --demo", limit,
		    terminal_program());
		struct terminal *t = *state =
		    terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", command) });
		terminal_wait_text(t, "mcpane"); /* the screen, or the reason */
		kill(terminal_pid(t), SIGTERM);
		int code = terminal_wait_exit(t);
		assert_true(code == 1 || code == 127 || code == 128 + SIGTERM || code == -SIGTERM);
		terminal_assert_restored(t);
		terminal_wait_processes(t, 0);
		e2e_teardown(state);
	}
}

/* Its last message is readable, because it is on the main screen. */
static void
test_no_more_memory(void **state)
{
	char command[4200];

#ifdef __SANITIZE_ADDRESS__
	skip(); /* its shadow is larger than any limit */
#endif
	snprintf(command, sizeof(command),
	    "ulimit -S -v 60000; exec '%s' -c 'tool rows' -c 'set count 1000000' -c call -- "
	    "sh -c \"ulimit -S -v unlimited; exec '%s' --serve-demo\"",
	    terminal_program(), terminal_program());
	struct terminal *t = *state =
	    terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", command) });
	assert_ends(t, 1);
	e2e_see(t, "mcpane: out of memory");
}

/* A call whose text is being laid out by a job that heeds nothing and never ends. */
static struct terminal *
start_endless_job(void **state)
{
	char *libraries = mem_printf("LD_LIBRARY_PATH=%s", terminal_fixture("endless"));
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .env = ARGV(libraries),
		.argv = ARGV("--", terminal_fixture("badserver"), "repeats", "40000", "word ") });

	free(libraries);
	e2e_wait(t, "badserver ●");
	e2e_run(t, "set text x");
	terminal_keys(t, "f5");
	terminal_wait_text(t, "- **item**"); /* no barrier waits for the job */
	return t;
}

/* The exit does not wait for a job, however the program ends, and no process remains. */
static void
test_jobs_that_never_end(void **state)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };
	struct terminal *t = start_endless_job(state);

	terminal_keys(t, "ctrl-q");
	assert_ends(t, 0);
	e2e_teardown(state);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		t = start_endless_job(state);
		kill(terminal_pid(t), signals[i]);
		assert_ends(t, 128 + signals[i]);
		e2e_teardown(state);
	}
	t = start_endless_job(state);
	terminal_hang_up(t);
	assert_int_equal(terminal_wait_exit(t), 128 + SIGHUP);
	terminal_wait_processes(t, 0);
}

static void
test_terminal_goes_away(void **state)
{
	struct terminal *t = start_slow_call(state);

	terminal_hang_up(t);
	assert_int_equal(terminal_wait_exit(t), 128 + SIGHUP);
	terminal_wait_processes(t, 0);
}

static void
test_stubborn_servers(void **state)
{
	static const char *const modes[] = { "ignores-eof", "ignores-sigterm", "leaves-sleeper" };

	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct terminal *t = e2e_bad(state, NULL, ARGV(modes[i]));
		e2e_wait(t, "echo");
		terminal_keys(t, "q");
		assert_ends(t, 0);
		e2e_teardown(state);
	}
	struct terminal *t = e2e_bad(state, NULL, ARGV("ignores-sigterm"));
	e2e_wait(t, "echo");
	kill(terminal_pid(t), SIGSEGV);
	assert_ends(t, -SIGSEGV);
}

static void
test_ladder_is_configurable(void **state)
{
	struct terminal *t =
	    e2e_bad(state, ARGV("--grace", "10ms", "--kill", "10ms"), ARGV("ignores-sigterm"));

	e2e_wait(t, "echo");
	terminal_keys(t, "q");
	assert_ends(t, 0);
	e2e_teardown(state);

	t = e2e_bad(state, ARGV("--kill", "10m"), ARGV("ignores-eof"));
	e2e_wait(t, "echo");
	terminal_keys(t, "q");
	assert_ends(t, 0); /* SIGTERM was enough */
}

static void
test_restart_ends_the_old_server(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("ignores-sigterm"));

	e2e_wait(t, "echo");
	terminal_wait_processes(t, 2); /* it has started a child */
	for (int i = 0; i < 3; i++) {
		e2e_press(t, "R");
		e2e_wait(t, "badserver ●");
	}
	terminal_wait_processes(t, 2);
	terminal_keys(t, "q");
	assert_ends(t, 0);
}

/* A stopped process cannot be waited for here, so poll every few milliseconds. */
static void
wait_stopped(struct terminal *t)
{
	int64_t end = clock_now_ms() + fixture_deadline_ms();
	siginfo_t info = { 0 };

	while (info.si_pid == 0 && clock_now_ms() < end) {
		assert_int_equal(
		    waitid(P_PID, (id_t)terminal_pid(t), &info, WSTOPPED | WNOHANG), 0);
		if (info.si_pid == 0)
			poll(NULL, 0, 2);
	}
	assert_int_not_equal(info.si_pid, 0);
}

static void
test_suspend_and_resume(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	for (int i = 0; i < 2; i++) {
		kill(terminal_pid(t), SIGTSTP);
		wait_stopped(t);
		terminal_wait_until(t, shows_main_screen, NULL);
		assert_true(terminal_mode(t, 25, true));
		terminal_assert_restored(t);
		terminal_resize(t, 30, 100);
		kill(terminal_pid(t), SIGCONT);
		e2e_wait(t, "list_users");
		assert_true(terminal_mode(t, 1049, false));
		e2e_see(t, "called yet");
	}
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	terminal_keys(t, "ctrl-q");
	assert_ends(t, 0);
}

static void
test_suspend_by_key(void **state)
{
	char command[4200];

	snprintf(command, sizeof(command),
	    "set -m; '%s' --demo; echo stopped; read x; fg; echo ended $?", terminal_program());
	*state = terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", command) });
	struct terminal *t = *state;
	e2e_wait(t, "list_users");
	terminal_keys(t, "ctrl-z");
	terminal_wait_text(t, "stopped");
	terminal_assert_restored(t);
	terminal_keys(t, "enter");
	e2e_wait(t, "list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	terminal_keys(t, "ctrl-q");
	terminal_wait_text(t, "ended 0");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_wait_processes(t, 0);
	e2e_teardown(state);

	t = e2e_demo(state, NULL); /* the leader of its session */
	e2e_press(t, "ctrl-z");
	e2e_see(t, "no shell to return to");
	e2e_leave(t);
}

/* Reports a missing terminal, also with a wrong option. */
static void
test_usage(void **state)
{
	const struct {
		const char *const *argv;
		const char *says;
	} runs[] = {
		{ ARGV("--nosuch"), "--nosuch" },
		{ ARGV("--config", "/nonexistent.json"), "/nonexistent.json" },
		{ ARGV("--era", "ancient", "--demo"), "unknown value \"ancient\"" },
		{ ARGV("-c"), "-c" },
	};

	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		struct terminal *t =
		    e2e_start(state, &(struct terminal_options){ .argv = runs[i].argv });
		assert_int_equal(terminal_wait_exit(t), 1);
		e2e_see(t, runs[i].says);
		terminal_assert_restored(t);
		e2e_teardown(state);
	}
	char command[4200];
	snprintf(command, sizeof(command), "'%s' --demo </dev/null", terminal_program());
	*state = terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", command) });
	assert_int_equal(terminal_wait_exit(*state), 1);
	e2e_see(*state, "this needs a terminal");
	terminal_assert_restored(*state);
}

TEST_FILE(ends)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_keys_that_leave, e2e_teardown),
		cmocka_unit_test_teardown(test_signals_that_end, e2e_teardown),
		cmocka_unit_test_teardown(test_crashes, e2e_teardown),
		cmocka_unit_test_teardown(test_killed, e2e_teardown),
		cmocka_unit_test_teardown(test_signals_that_nobody_expects, e2e_teardown),
		cmocka_unit_test_teardown(test_no_more_room_in_a_file, e2e_teardown),
		cmocka_unit_test_teardown(test_signals_during_the_farewell, e2e_teardown),
		cmocka_unit_test_teardown(test_few_descriptors, e2e_teardown),
		cmocka_unit_test_teardown(test_no_more_memory, e2e_teardown),
		cmocka_unit_test_teardown(test_jobs_that_never_end, e2e_teardown),
		cmocka_unit_test_teardown(test_terminal_goes_away, e2e_teardown),
		cmocka_unit_test_teardown(test_stubborn_servers, e2e_teardown),
		cmocka_unit_test_teardown(test_ladder_is_configurable, e2e_teardown),
		cmocka_unit_test_teardown(test_restart_ends_the_old_server, e2e_teardown),
		cmocka_unit_test_teardown(test_suspend_and_resume, e2e_teardown),
		cmocka_unit_test_teardown(test_suspend_by_key, e2e_teardown),
		cmocka_unit_test_teardown(test_usage, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, no_cores, NULL);
}
