/* SPDX-License-Identifier: MIT */
/* Streams that break: the process at the other end dies, floods, or stops listening. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e.h"
#include "fixture.h"
#include "processes.h"
#include "terminal_figures.h"

#include "base/clock.h"
#include "test.h"

#define KEYS_MOST 4096

/* mcpane [EXTRA...] -- streamserver MODE [ARG...] */
static struct terminal *
start(void **state, const char *const *extra, const char *const *mode)
{
	const char *argv[16];
	size_t n = 0;

	while (extra && *extra)
		argv[n++] = *extra++;
	argv[n++] = "--";
	argv[n++] = terminal_fixture("streamserver");
	while (*mode)
		argv[n++] = *mode++;
	argv[n] = NULL;
	return e2e_start(state, &(struct terminal_options){ .argv = argv });
}

static struct terminal *
start_listed(void **state, const char *const *extra, const char *const *mode)
{
	struct terminal *t = start(state, extra, mode);

	e2e_wait(t, "streamserver ●");
	return t;
}

/* R starts it again, and the session is a good one. */
static void
assert_restarts(struct terminal *t)
{
	e2e_press(t, "R");
	e2e_wait(t, "streamserver ●");
	terminal_wait_processes(t, 1);
}

/* ---- the process ends ---- */

static void
test_dies_mid_line(void **state)
{
	struct terminal *t = start_listed(state, NULL, ARGV("dies-mid-line"));

	for (int i = 0; i < 2; i++) {
		e2e_press(t, "f5");
		e2e_wait(t, "the server ended before it answered: exit code 6");
		e2e_press(t, "w");
		e2e_see(t, "the server ended within this line");
		e2e_press(t, "w");
		assert_restarts(t);
	}
	e2e_leave(t);
}

static void
test_killed_mid_line(void **state)
{
	struct terminal *t = start_listed(state, NULL, ARGV("killed-mid-line"));

	e2e_press(t, "f5");
	e2e_wait(t, "SIGKILL");
	assert_restarts(t);
	e2e_leave(t);
}

static void
kill_server(struct terminal *t)
{
	struct processes server;
	pid_t pid;

	processes_init(&server, terminal_pid(t), "");
	assert_int_equal(processes_find(&server, &pid, 1), 1);
	kill(pid, SIGKILL);
}

/* The server dies in an idle session: the results stay, and one key starts it again. */
static void
test_server_goes_while_idle(void **state)
{
	struct terminal *t = start_listed(state, NULL, ARGV("good"));

	for (int i = 0; i < 3; i++) {
		e2e_press(t, "f5");
		e2e_wait(t, "here I am");
		kill_server(t);
		e2e_wait(t, "streamserver ✗");
		e2e_see(t, "here I am");
		assert_restarts(t);
	}
	e2e_leave(t);
}

/* ---- lines ---- */

static void
test_endless_line(void **state)
{
	struct terminal *t = start_listed(
	    state, ARGV("--timeout", "1s", "--max-message", "1M"), ARGV("endless-line"));

	e2e_press(t, "f5");
	for (int i = 0; i < 20; i++)
		e2e_press(t, i % 2 ? "?" : "esc");
	e2e_press(t, "esc");
	e2e_wait(t, "timed out");
	assert_in_range(terminal_figures(t).peak_kib, 0, (uint64_t)300 * 1024);
	assert_restarts(t);
	e2e_leave(t);
}

/* ---- no reader ---- */

static void
test_never_reads(void **state)
{
	struct terminal *t = start(state, ARGV("--timeout", "300ms"), ARGV("never-reads"));

	e2e_wait(t, "failed");
	e2e_press(t, "? esc w w");
	e2e_leave(t);
}

/* Calls that the pipe cannot hold wait in the outbox; each has its own time limit. */
static void
test_stops_reading(void **state)
{
	struct terminal *t = start_listed(state, ARGV("--timeout", "500ms"), ARGV("stops-reading"));
	char *set = malloc(100001);

	assert_non_null(set);
	memset(set, 'x', 100000);
	memcpy(set, ":set text ", 10);
	set[100000] = '\0';
	terminal_type(t, set);
	free(set);
	e2e_press(t, "enter");
	for (int i = 0; i < 3; i++) {
		e2e_press(t, "f5");
		e2e_wait(t, "timed out");
	}
	e2e_press(t, "w");
	e2e_see(t, "tools/call");
	e2e_press(t, "w");
	e2e_leave(t);
}

/* ---- a thousand notifications a second ---- */

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A key every 10 ms for that long. A press waits for its frame. */
static void
press_keys(struct terminal *t, int64_t for_ms)
{
	int64_t end = clock_now_ms() + for_ms;
	static double took[KEYS_MOST];
	size_t n = 0;

	while (n < 2 || (n < KEYS_MOST && clock_now_ms() < end)) {
		int64_t start = clock_now_us();
		e2e_press(t, n % 2 ? "up" : "down");
		took[n++] = (double)(clock_now_us() - start) / 1000;
		poll(NULL, 0, 10);
	}
	qsort(took, n, sizeof(*took), by_value);
	print_message("%zu keys: median %.1f ms, slowest %.1f ms\n", n, took[n / 2], took[n - 1]);
}

static void
test_notifications_are_all_kept(void **state)
{
	long count = fixture_flood_s() * 1000;
	char text[24], kept[48];

	snprintf(text, sizeof(text), "%ld", count);
	snprintf(kept, sizeof(kept), " %ld 000 lines of ", count / 1000);
	struct terminal *t = start_listed(state, ARGV("--timeout", "60s"), ARGV("notifies", text));
	e2e_press(t, "f5");
	e2e_see(t, "running");
	press_keys(t, count / 2);
	e2e_press(t, "w");
	press_keys(t, count / 4);
	e2e_press(t, "/");
	terminal_type(t, "method:notifications/message");
	terminal_wait_text(t, kept); /* shown, of all entries */
	e2e_see_not(t, "oldest dropped");
	e2e_press(t, "enter esc esc"); /* the filter, then the journal */
	e2e_wait(t, "here I am");
	e2e_leave(t);
}

TEST_FILE(stdio_faults)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_dies_mid_line, e2e_teardown),
		cmocka_unit_test_teardown(test_killed_mid_line, e2e_teardown),
		cmocka_unit_test_teardown(test_server_goes_while_idle, e2e_teardown),
		cmocka_unit_test_teardown(test_endless_line, e2e_teardown),
		cmocka_unit_test_teardown(test_never_reads, e2e_teardown),
		cmocka_unit_test_teardown(test_stops_reading, e2e_teardown),
		cmocka_unit_test_teardown(test_notifications_are_all_kept, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
