/* SPDX-License-Identifier: MIT */
/* Apps that mean harm (tests/apps/evil), with the real engine: none of them reaches anything, hangs
 * anything or writes to the terminal, and the keys of the program are answered meanwhile. */
#include "base/clock.h"
#include "base/vec.h"
#include "e2e.h"
#include "host/app_house.h"
#include "listeners.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGES "tests/apps/evil"

static struct listeners outside;

static int
setup(void **state)
{
	listeners_open(&outside);
	return 0;
}

static int
teardown(void **state)
{
	listeners_close(&outside);
	return e2e_teardown(state);
}

/* Opens the app of a tool and waits for a text in it, or about it. */
static struct terminal *
open_with(void **state, const char *memory, const char *log, const char *tool, const char *text)
{
	char command[64], values[3][256];

	snprintf(values[0], sizeof(values[0]), "TCP=%d", outside.tcp_port);
	snprintf(values[1], sizeof(values[1]), "UDP=%d", outside.udp_port);
	snprintf(values[2], sizeof(values[2]), "LOG=%s", log ? log : "/dev/null");
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .rows = 40,
		       .cols = 120,
		       .argv = ARGV("--apps-memory", memory, "--", terminal_fixture("appserver"),
			   PAGES, values[0], values[1], values[2]) });
	terminal_wait_text(t, "escapes");
	snprintf(command, sizeof(command), "app %s", tool);
	e2e_run(t, command);
	e2e_wait(t, text);
	return t;
}

static struct terminal *
open_app(void **state, const char *tool, const char *text)
{
	return open_with(state, "700M", NULL, tool, text);
}

/* Every key gets its frame meanwhile: a press waits until it was drawn, or fails at its deadline.
 */
static void
assert_keys_are_answered(struct terminal *t, const char *while_it)
{
	enum { KEYS = 40 };
	int64_t longest_us = 0, sum_us = 0;

	for (int i = 0; i < KEYS; i++) {
		int64_t start_us = clock_now_us();
		e2e_press(t, i % 2 ? "tab" : "shift-tab");
		int64_t took_us = clock_now_us() - start_us;
		sum_us += took_us;
		longest_us = took_us > longest_us ? took_us : longest_us;
		terminal_watch(t, 10);
	}
	print_message("%d keys while it %s: %.1f ms each, %.1f ms at most\n", KEYS, while_it,
	    (double)sum_us / KEYS / 1000, (double)longest_us / 1000);
}

static void
test_nothing_is_reached(void **state)
{
	struct terminal *t = open_app(state, "network", "ways tried");

	e2e_see(t, "ways tried, open: none");
	assert_keys_are_answered(t, "tries the network");
	listeners_assert_quiet(&outside);
	e2e_leave(t);
	listeners_assert_quiet(&outside);
}

static void
test_leaving_its_page(void **state)
{
	struct terminal *t = open_app(state, "away", "the app has left its page for http://127.0.");

	listeners_assert_quiet(&outside);
	e2e_leave(t);
}

static void
test_endless_loop(void **state)
{
	struct terminal *t = open_app(state, "loop", "about to loop");

	e2e_wait(t, "does not answer");
	assert_keys_are_answered(t, "loops");
	e2e_run(t, "stop-script");
	terminal_wait_gone(t, "does not answer");
	e2e_run(t, "app close");
	e2e_leave(t);
}

static void
test_memory(void **state)
{
	struct terminal *t = open_app(state, "bomb", "about to eat");

	assert_keys_are_answered(t, "eats memory");
	e2e_wait(t, "the app used too much memory (700 MiB are allowed), and was ended");
	e2e_leave(t);
}

static void
test_flood(void **state)
{
	struct terminal *t = open_app(state, "flood", "flood 1");

	assert_keys_are_answered(t, "floods");
	e2e_run(t, "app close");
	e2e_see(t, "content · for the model");
	e2e_leave(t);
}

static void
test_torrent(void **state)
{
	struct terminal *t = open_app(state, "torrent", "messages in a second, and was ended");

	assert_keys_are_answered(t, "has poured");
	e2e_leave(t);
}

static void
test_huge_messages(void **state)
{
	struct terminal *t = open_with(state, "4G", NULL, "huge", "heard small after 100 MiB");

	assert_keys_are_answered(t, "has said 100 MiB");
	e2e_leave(t);
}

static size_t
count_lines(const char *path, const char *text)
{
	char line[256];
	size_t count = 0;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		count += strstr(line, text) != NULL;
	if (f)
		fclose(f);
	return count;
}

/* A message posted by a frame inside the app is not the app's, and calls no tool. */
static void
test_nested_frames(void **state)
{
	char path[] = "/tmp/evil-app-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	struct terminal *t = open_with(state, "700M", path, "nested", "frames were tried");
	assert_true(count_lines(path, "from the app") > 0);
	assert_int_equal(count_lines(path, "from inside"), 0);
	e2e_leave(t);
	close(fd);
	unlink(path);
}

static void
test_alerts(void **state)
{
	struct terminal *t = open_app(state, "alerts", "20 alerts");

	assert_keys_are_answered(t, "alerts");
	e2e_run(t, "app close");
	e2e_see(t, "content · for the model");
	e2e_leave(t);
}

/* Every text of it is looked at, and none of its bytes is obeyed. */
static void
test_escapes(void **state)
{
	static const char *const obeyed[] = { "\033]0;PWNED", "\033[31mPWNED", "\xc2\x9b",
		"\033P+q", "\033]52;", "\033[6n", "\033_Gi=1", "\xe2\x80\xae" };
	static const char *const panes[] = { "journal", "app full", "app" };
	struct terminal *t = open_app(state, "escapes", "all was said");

	e2e_see(t, "before");
	for (size_t i = 0; i < ARRAY_LEN(panes); i++)
		e2e_run(t, panes[i]);
	e2e_answer(t, "X");
	e2e_leave(t);
	for (size_t i = 0; i < ARRAY_LEN(obeyed); i++)
		terminal_assert_never(t, obeyed[i]);
	assert_null(strstr(terminal_title(t), "\033"));
}

/* Cells show every letter; with the app's own fonts the title reports text without space. */
static void
test_hidden_text(void **state)
{
	struct terminal *t = open_app(state, "crowded", "line 2 of many");

	e2e_see_not(t, " hidden");
	e2e_run(t, "app-look fit");
	e2e_wait(t, " letters hidden");
	e2e_run(t, "app-look cell");
	terminal_wait_gone(t, " letters hidden");
	e2e_wait(t, "line 2 of many");
	e2e_leave(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

TEST_FILE(evil_app)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_reached),
		TEST(leaving_its_page),
		TEST(endless_loop),
		TEST(memory),
		TEST(flood),
		TEST(torrent),
		TEST(huge_messages),
		TEST(nested_frames),
		TEST(alerts),
		TEST(escapes),
		TEST(hidden_text),
	};

	if (!app_house_can_run(NULL)) {
		print_message("SKIPPED: chromium-headless-shell is not installed\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
