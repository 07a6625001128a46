#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Figures of a benchmark: samples of one quantity, and one line of report for each quantity. */
struct samples {
	double values[64];
	size_t count;
};

double measure_now_ms(void);
/* How often to repeat: BENCH_RUNS, 5 at least, 7 where it is not set, 64 at most. */
size_t measure_runs(void);
void samples_add(struct samples *s, double value); /* what passes 64 is dropped */
double samples_median(const struct samples *s);    /* 0 when empty */
double samples_min(const struct samples *s);

void measure_title(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* floor: the quantity's lower bound, measured in the same run; NULL when it has none. aim and
 * peers are words, may be NULL. */
void measure_print(const char *what, const struct samples *s, const char *unit,
    const struct samples *floor, const char *aim, const char *peers);
void measure_print_one(
    const char *what, double value, const char *unit, const char *aim, const char *peers);

#endif
