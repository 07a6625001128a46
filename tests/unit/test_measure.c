/* SPDX-License-Identifier: MIT */
/* Tools of the benchmarks: samples, the bare exchange, the tap. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "exchange.h"
#include "measure.h"
#include "terminal.h"
#include "test.h"

#define SERVER                                                                        \
	"read a; echo '{\"id\":1}'; read b; read c; echo '{\"method\":\"x\"}'; echo " \
	"'{\"id\":2}'; "                                                              \
	"sleep 1000"

static void
test_samples(void **state)
{
	struct samples s = { 0 };

	assert_true(samples_median(&s) == 0);
	samples_add(&s, 5);
	assert_true(samples_median(&s) == 5);
	samples_add(&s, 1);
	assert_true(samples_median(&s) == 3);
	samples_add(&s, 100);
	assert_true(samples_median(&s) == 5);
	assert_true(samples_min(&s) == 1);
	for (int i = 0; i < 100; i++)
		samples_add(&s, 7);
	assert_int_equal(s.count, 64);
}

static void
test_runs(void **state)
{
	setenv("BENCH_RUNS", "1", 1);
	assert_int_equal(measure_runs(), 5);
	setenv("BENCH_RUNS", "20", 1);
	assert_int_equal(measure_runs(), 20);
	setenv("BENCH_RUNS", "1000", 1);
	assert_int_equal(measure_runs(), 64);
}

static void
test_exchange(void **state)
{
	assert_true(exchange_run(ARGV("sh", "-c", SERVER)));
	assert_false(exchange_run(ARGV("sh", "-c", "read a; echo '{\"id\":1}'")));
	assert_false(exchange_run(ARGV("/nonexistent/server")));
	assert_int_equal(exchange_run_to_end(ARGV("sh", "-c", "seq 1 100000; exit 4")), 4);
	assert_int_equal(exchange_run_to_end(ARGV("sh", "-c", "kill -9 $$")), -9);
	int code = exchange_run_to_end(ARGV("/nonexistent/program"));
	assert_true(code == -1 || code == 127);
}

static void
test_tap(void **state)
{
	char note[] = "/tmp/test-tap-XXXXXX", script[] = SERVER;
	uint64_t seen[2] = { 0 };
	int file = mkstemp(note);
	int64_t before = clock_now_us();

	assert_true(file >= 0);
	assert_true(exchange_run(ARGV(terminal_fixture("tap"), note, "sh", "-c", script)));
	assert_int_equal(pread(file, seen, sizeof(seen), 0), sizeof(seen));
	assert_in_range(seen[0], before, clock_now_us());
	assert_int_equal(seen[1], 9 + 15 + 9);
	close(file);
	unlink(note);
}

TEST_FILE(measure)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_tap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
