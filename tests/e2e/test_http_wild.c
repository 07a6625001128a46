/* SPDX-License-Identifier: MIT */
/* Invalid HTTP answers: the program reports the defect, handles keys meanwhile, and limits its
 * memory. */
#include "base/clock.h"
#include "base/vec.h"
#include "e2e.h"
#include "interop.h"
#include "terminal_figures.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRESSES 40
#define MOST_MIB 250

static struct web_server server;

static const struct answer {
	const char *path;
	const char *expected;
} answers[] = {
	{ "/good", "all done" },
	{ "/bomb", "decompresses to" },
	{ "/bomb-events", "decompresses to" },
	{ "/big-header", "the head of the response of 127.0.0.1 port" },
	{ "/many-headers", "the head of the response of 127.0.0.1 port" },
	{ "/1xx", "keeps sending interim responses (HTTP 103" },
	{ "/br", "(Content-Encoding: br)" },
	{ "/snappy", "uses an unknown compression" },
	{ "/short", "all done" }, /* it all came; only its length was wrong */
	{ "/long", "not JSON" },
	{ "/negative", "Content-Length" },
	{ "/both", "all done" },
	{ "/bad-chunk", "chunk" },
	{ "/0.9", "did not answer with HTTP, but with \"<html>ou\"" },
	{ "/2", "speaks only HTTP/2" },
};

struct times {
	double mean, slowest; /* ms until all was drawn */
};

static struct times
press_keys(struct terminal *t)
{
	static const char *const keys[] = { "tab", "down", "shift-tab", "up" };
	struct times times = { 0 };

	for (int i = 0; i < PRESSES; i++) {
		int64_t began = clock_now_us();
		terminal_keys(t, keys[i % 4]);
		terminal_barrier(t);
		double took = (double)(clock_now_us() - began) / 1000;
		times.slowest = took > times.slowest ? took : times.slowest;
		times.mean += took / PRESSES;
	}
	return times;
}

static void
look_at(void **state, const struct answer *a)
{
	char url[300];

	snprintf(url, sizeof(url), "%s%s", server.url, a->path);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV(url), .rows = 36, .cols = 120 });
	e2e_wait(t, "does what the path says");
	e2e_press(t, "f5");
	struct times times = press_keys(t);
	e2e_wait(t, a->expected);
	uint64_t mib = terminal_figures(t).peak_kib / 1024;
	print_message("%-14s slowest key %5.1f ms, mean %4.1f ms, memory %3u MiB\n", a->path,
	    times.slowest, times.mean, (unsigned)mib);
	terminal_assert_memory(t, MOST_MIB);
	terminal_keys(t, "ctrl-q");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
	e2e_teardown(state);
	*state = NULL;
}

static void
test_answers(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		look_at(state, &answers[i]);
}

static int
set_up(void **state)
{
	web_server_start(&server, (const char *[]){ terminal_fixture("wildserver"), NULL });
	return 0;
}

static int
tear_down(void **state)
{
	web_server_stop(&server);
	return *state ? e2e_teardown(state) : 0;
}

TEST_FILE(http_wild)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
	};

	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
