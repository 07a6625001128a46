/* SPDX-License-Identifier: MIT */
/* Servers that misbehave, seen through the whole program. */
#include <stdio.h>
#include <string.h>

#include "e2e.h"
#include "terminal_figures.h"

#include "base/clock.h"
#include "test.h"

/* badserver in a mode, its tools listed, the tool `users` in the form. */
static struct terminal *
start(void **state, const char *const *extra, const char *const *mode)
{
	struct terminal *t = e2e_bad(state, extra, mode);

	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	return t;
}

static void
call(struct terminal *t, const char *outcome)
{
	e2e_press(t, "f5");
	e2e_wait(t, outcome);
}

/* A good call after the bad one: the session continues. */
static void
assert_lives(struct terminal *t)
{
	e2e_wait(t, "badserver ●");
	e2e_leave(t);
}

/* ---- starting ---- */

static void
test_command_not_found(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--", "/nonexistent/server", "x") });

	e2e_wait(t, "/nonexistent/server");
	e2e_see(t, "no such file");
	e2e_see(t, "failed");
	e2e_press(t, "f5");
	e2e_press(t, "R w w ? esc");
	e2e_leave(t);
}

static void
test_dies_at_start(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("dies-at-start"));

	e2e_wait(t, "exit code 3");
	e2e_see(t, "badserver: cannot open the database");
	e2e_see(t, "badserver: giving up");
	e2e_see(t, "R restarts it");
	e2e_press(t, "R");
	e2e_wait(t, "exit code 3");
	e2e_press(t, "w");
	e2e_see(t, "started again");
	e2e_leave(t);
}

static void
test_garbage_before_json(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("garbage-first"));

	call(t, "Found 3 users");
	e2e_press(t, "w");
	e2e_see(t, "found Loading");
	e2e_see(t, "{\"not\":\"json-rpc\"}");
	e2e_see(t, "✗");
	terminal_assert_never(t, "\033[31mready");
	assert_lives(t);
}

static void
test_answers_no_discover(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("exits-on-discover"));

	call(t, "Found 3 users");
	assert_lives(t);
}

static void
test_slow_start(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("slow-start", "400"));

	e2e_wait(t, "connecting");
	e2e_press(t, "? esc w");
	e2e_see(t, "initialize");
	e2e_press(t, "w");
	e2e_wait(t, "echo");
	assert_lives(t);
}

static void
test_never_answers_initialize(void **state)
{
	struct terminal *t =
	    e2e_bad(state, ARGV("--timeout", "200ms"), ARGV("never-answers", "initialize"));

	e2e_wait(t, "failed");
	e2e_leave(t);
}

/* ---- bytes ---- */

static void
test_every_byte_on_its_own(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("split-bytes"));

	call(t, "Found 3 users");
	e2e_see(t, "Cyd");
	assert_lives(t);
}

static void
test_64_mib_in_one_line(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("huge-line"));

	call(t, "too long");

	terminal_assert_memory(t, 100);
	e2e_press(t, "w");
	e2e_see(t, "67.1 MB");
	assert_lives(t);
}

static void
test_a_big_line_within_the_bound(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("huge-line", "8000000"));

	call(t, "8.0 MB");
	e2e_run(t, "pane content");
	e2e_press(t, "pgdn end home");
	e2e_run(t, "tool echo");
	e2e_run(t, "tool users");
	assert_lives(t);
}

static void
test_invalid_utf8(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("invalid-utf8"));
	size_t len;

	call(t, "end");
	e2e_leave(t);
	const char *log = terminal_log(t, &len);
	assert_null(memchr(log, 0xff, len));
	assert_null(memchr(log, 0xfe, len));
	assert_null(memchr(log, 0xc0, len));
}

static void
test_deep_nesting(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("deep-nesting"));

	call(t, "invalid answer");
	e2e_press(t, "w end enter v v");
	assert_lives(t);
}

/* ---- messages ---- */

static void
test_never_answers(void **state)
{
	struct terminal *t = start(state, ARGV("--timeout", "1s"), ARGV("never-answers"));

	e2e_press(t, "f5");
	e2e_see(t, "running");
	e2e_wait(t, "timed out");
	assert_lives(t);
}

static void
test_answers_twice(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("answers-twice"));

	call(t, "Found 3 users");
	call(t, "2 calls");
	e2e_press(t, "w");
	e2e_see(t, "✗");
	assert_lives(t);
}

static void
test_unknown_ids(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("unknown-ids"));

	call(t, "Found 3 users");
	e2e_press(t, "w");
	e2e_see(t, "#99999");
	e2e_see(t, "#\"nope\"");
	assert_lives(t);
}

static void
test_batch(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("batch"));

	e2e_press(t, "f5");
	e2e_press(t, "w");
	e2e_wait(t, "batch");
	assert_lives(t);
}

static void
test_late_reply(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("late-reply", "300"));

	e2e_press(t, "f5 ctrl-c");
	e2e_wait(t, "cancelled");
	e2e_press(t, "w");
	e2e_wait(t, "← result");
	e2e_press(t, "w");
	e2e_see(t, "cancelled");
	call(t, "Found 3 users");
	assert_lives(t);
}

/* ---- floods ---- */

static void
assert_answers_keys(struct terminal *t)
{
	for (int i = 0; i < 20; i++) {
		e2e_press(t, i % 2 ? "up" : "down"); /* waits for its frame */
	}
}

static void
test_flood_of_notifications(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("floods", "30"));

	assert_answers_keys(t);
	call(t, "Found 3 users");
	e2e_press(t, "w");
	assert_answers_keys(t);
	e2e_see(t, "notifications/message");
	e2e_press(t, "w");

	terminal_assert_memory(t, 130);
	e2e_leave(t);
}

static void
test_flood_of_stderr(void **state)
{
	struct terminal *t = start(state, ARGV("--journal", "1M"), ARGV("stderr-flood", "30"));

	assert_answers_keys(t);
	call(t, "Found 3 users");
	e2e_press(t, "w");
	assert_answers_keys(t);
	e2e_see(t, "│ stderr");
	e2e_see(t, "oldest dropped");

	terminal_assert_memory(t, 30);
	e2e_leave(t);
}

/* ---- lists ---- */

static void
test_broken_definitions_are_rows(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("bad-tools"));

	e2e_wait(t, "echo");
	e2e_see(t, "Tools 14");
	e2e_see(t, "no_schema");
	e2e_see(t, "bad_output");
	e2e_see(t, "!");
	e2e_run(t, "tool schema_is_text");
	e2e_see(t, "inputSchema must be an object");
	e2e_see(t, "J edits the arguments as JSON");
	e2e_press(t, "f5"); /* it can be called all the same */
	e2e_press(t, "f2 f2");
	e2e_run(t, "tool users");
	call(t, "Found 3 users");
	assert_lives(t);
}

/* A list that was never there can be filtered. */
static void
test_filter_without_tools(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("list-refused"));

	e2e_wait(t, "No tools today");
	e2e_run(t, "pane tools");
	e2e_run(t, "filter a");
	e2e_see(t, "No tools today");
	assert_lives(t);
}

static void
test_pages_are_followed(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("pagination"));

	e2e_wait(t, "Tools 3");
	call(t, "Found 3 users");
	assert_lives(t);
}

static void
test_endless_pages(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("endless-pages"));

	e2e_wait(t, "echo");
	e2e_wait(t, "stopped after page 2");
	e2e_leave(t);
}

static void
test_burst_of_list_changed(void **state)
{
	struct terminal *t = start(state, NULL, ARGV("list-changed-burst"));

	e2e_see(t, "listed_1");
	call(t, "Found 3 users");
	terminal_wait_gone(t, "listed_1 ");
	terminal_barrier(t);
	e2e_see(t, "▌users");
	e2e_see(t, "Found 3 users");
	for (int i = 5; i < 50; i++) {
		char name[24];
		snprintf(name, sizeof(name), "listed_%d", i);
		e2e_see_not(t, name);
	}
	assert_lives(t);
}

static void
test_many_tools(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("many-tools", "10000"));

	e2e_wait(t, "Tools 10 000");
	e2e_press(t, "end");
	e2e_see(t, "▌tool_9999");
	terminal_type(t, "/4242");
	terminal_barrier(t);
	e2e_see(t, "tool_4242");
	e2e_see(t, "Tools 1 of 10 000");
	assert_lives(t);
}

TEST_FILE(robust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_command_not_found, e2e_teardown),
		cmocka_unit_test_teardown(test_dies_at_start, e2e_teardown),
		cmocka_unit_test_teardown(test_garbage_before_json, e2e_teardown),
		cmocka_unit_test_teardown(test_answers_no_discover, e2e_teardown),
		cmocka_unit_test_teardown(test_slow_start, e2e_teardown),
		cmocka_unit_test_teardown(test_never_answers_initialize, e2e_teardown),
		cmocka_unit_test_teardown(test_every_byte_on_its_own, e2e_teardown),
		cmocka_unit_test_teardown(test_64_mib_in_one_line, e2e_teardown),
		cmocka_unit_test_teardown(test_a_big_line_within_the_bound, e2e_teardown),
		cmocka_unit_test_teardown(test_invalid_utf8, e2e_teardown),
		cmocka_unit_test_teardown(test_deep_nesting, e2e_teardown),
		cmocka_unit_test_teardown(test_never_answers, e2e_teardown),
		cmocka_unit_test_teardown(test_answers_twice, e2e_teardown),
		cmocka_unit_test_teardown(test_unknown_ids, e2e_teardown),
		cmocka_unit_test_teardown(test_batch, e2e_teardown),
		cmocka_unit_test_teardown(test_late_reply, e2e_teardown),
		cmocka_unit_test_teardown(test_flood_of_notifications, e2e_teardown),
		cmocka_unit_test_teardown(test_flood_of_stderr, e2e_teardown),
		cmocka_unit_test_teardown(test_broken_definitions_are_rows, e2e_teardown),
		cmocka_unit_test_teardown(test_filter_without_tools, e2e_teardown),
		cmocka_unit_test_teardown(test_pages_are_followed, e2e_teardown),
		cmocka_unit_test_teardown(test_endless_pages, e2e_teardown),
		cmocka_unit_test_teardown(test_burst_of_list_changed, e2e_teardown),
		cmocka_unit_test_teardown(test_many_tools, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
