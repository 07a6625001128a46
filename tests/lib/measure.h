/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Benchmark figures: samples of one quantity, and one report line for each quantity. */
struct samples {
	double values[64];
	size_t count;
};

double measure_now_ms(void);
/* Return the number of repetitions: BENCH_RUNS from 5 to 64, 7 by default. */
size_t measure_runs(void);
void samples_add(struct samples *s, double value); /* drops samples after the 64th */
double samples_median(const struct samples *s);    /* 0 when empty */
double samples_min(const struct samples *s);

void measure_title(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* floor is a lower bound of the quantity, measured in the same run, or NULL. aim and peers are
 * texts and may be NULL. */
void measure_print(const char *what, const struct samples *s, const char *unit,
    const struct samples *floor, const char *aim, const char *peers);
void measure_print_one(
    const char *what, double value, const char *unit, const char *aim, const char *peers);

#endif
