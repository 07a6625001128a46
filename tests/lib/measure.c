/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"

double
measure_now_ms(void)
{
	return (double)clock_now_us() / 1000;
}

size_t
measure_runs(void)
{
	const char *text = getenv("BENCH_RUNS");
	long runs = text ? strtol(text, NULL, 10) : 7;

	return runs < 5 ? 5 : runs > 64 ? 64 : (size_t)runs;
}

void
samples_add(struct samples *s, double value)
{
	if (s->count < ARRAY_LEN(s->values))
		s->values[s->count++] = value;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
samples_median(const struct samples *s)
{
	struct samples sorted = *s;

	if (s->count == 0)
		return 0;
	qsort(sorted.values, sorted.count, sizeof(sorted.values[0]), compare);
	return (sorted.values[(s->count - 1) / 2] + sorted.values[s->count / 2]) / 2;
}

double
samples_min(const struct samples *s)
{
	double least = s->count ? s->values[0] : 0;

	for (size_t i = 1; i < s->count; i++)
		least = s->values[i] < least ? s->values[i] : least;
	return least;
}

void
measure_title(const char *format, ...)
{
	va_list args;

	putchar('\n');
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static void
print_words(const char *aim, const char *peers)
{
	printf("   %-14s", aim ? aim : "");
	if (peers)
		printf("   quoted: %s", peers);
	putchar('\n');
	fflush(stdout);
}

void
measure_print(const char *what, const struct samples *s, const char *unit,
    const struct samples *floor, const char *aim, const char *peers)
{
	char ratio[32] = "";
	double median = samples_median(s);

	if (floor && samples_median(floor) > 0)
		snprintf(ratio, sizeof(ratio), "%.2f x floor", median / samples_median(floor));
	printf("  %-44s %9.2f %-4s min %8.2f  n %2zu  %-13s", what, median, unit, samples_min(s),
	    s->count, ratio);
	print_words(aim, peers);
}

void
measure_print_one(
    const char *what, double value, const char *unit, const char *aim, const char *peers)
{
	printf("  %-44s %9.2f %-4s %33s", what, value, unit, "");
	print_words(aim, peers);
}
