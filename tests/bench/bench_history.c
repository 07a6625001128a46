/* SPDX-License-Identifier: MIT */
/* A hundred thousand calls in the history: to open the file, to list all, to search in them, to
 * read a screenful, and to keep one more. */
#include "base/clock.h"
#include "base/mem.h"
#include "host/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 100000, RUNS = 7 };

static char path[] = "/tmp/mcpane-bench-history-XXXXXX";

static void
fill(struct history *h)
{
	struct err err;
	struct history_call row = { .kind = PRIMITIVE_TOOL,
		.state = CALL_DONE,
		.verdict = VERDICT_VALID,
		.took_us = 1234,
		.server = (char *)"orders",
		.label = (char *)"node server.js",
		.key = (char *)"search_orders" };

	for (int i = 0; i < CALLS; i++) {
		row.id = HISTORY_ID(INT64_C(1785240000000000) + i * INT64_C(1000000), 1);
		row.arguments = mem_printf("{\"customer\":\"Alice %d\",\"limit\":20}", i);
		row.text = mem_printf("Found 8 orders, the first of which is ORD-%d, delivered", i);
		row.reply =
		    mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[]}}", i);
		row.reply_len = strlen(row.reply);
		if (!history_add(h, &row, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(1);
		}
		free(row.arguments);
		free(row.text);
		free(row.reply);
	}
}

/* Elapsed, and of the processor: other programs make the first one longer. */
struct took {
	double ms, cpu_ms;
};

static double
cpu_ms(void)
{
	return (double)clock() * 1000 / CLOCKS_PER_SEC;
}

static struct took
list_ms(struct history *h, const char *words, size_t *count)
{
	struct filter filter = { 0 };
	struct history_ids ids = { 0 };
	int64_t from = clock_now_us();
	double cpu_from = cpu_ms();

	filter_set(&filter, history_words, words, &(struct filter_clock){ 0 });
	history_host.list(h, &filter, NULL, &ids);
	struct took took = { (double)(clock_now_us() - from) / 1000, cpu_ms() - cpu_from };
	*count = ids.len;
	filter_finish(&filter);
	free(ids.items);
	return took;
}

static double
least(double a, double b)
{
	return a < b ? a : b;
}

int
main(void)
{
	static const char *const searches[] = { "", "Alice 99999", "nothing of that kind",
		"tool:search verdict:valid -Alice" };
	const struct history_options options = { .path = path, .max_days = 36500 };
	int fd = mkstemp(path);
	struct history *h = history_create(&options);
	size_t count = 0;

	close(fd);
	fill(h);
	history_prune(h, &(struct err){ "" });
	history_destroy(h);
	printf("\nhistory of %d calls\n", CALLS);
	for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
		struct took least_of = { 1e9, 1e9 };
		for (int run = 0; run < RUNS; run++) {
			h = history_create(&options);
			struct took took = list_ms(h, searches[i], &count);
			least_of.ms = least(least_of.ms, took.ms);
			least_of.cpu_ms = least(least_of.cpu_ms, took.cpu_ms);
			history_destroy(h);
		}
		printf("  open and list \"%s\": %zu calls in %.1f ms, %.1f ms of CPU (aim %d)\n",
		    searches[i], count, least_of.ms, least_of.cpu_ms, *searches[i] ? 100 : 50);
	}
	unlink(path);
	return 0;
}
