/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Computes the statistics of one column, in a job if the table is long. */

/* Up to this many rows need no job: they take a fraction of a millisecond. */
#define ROWS_AT_ONCE ((size_t)1024)
/* Different values are counted up to this many. */
#define DISTINCT_MAX ((size_t)100000)
/* Numbers sampled for the histogram. */
#define SAMPLE_MAX ((size_t)4096)

struct stats_job {
	struct job job; /* first */
	struct table *owner;
	struct table made;
	struct column_counter counter;
	struct number_sample sample;
};

/* ---- different values ---- */

static bool
add_hash(uint64_t *seen, size_t size, uint64_t hash)
{
	size_t at = hash & (size - 1);

	while (seen[at] && seen[at] != hash)
		at = (at + 1) & (size - 1);
	bool is_new = seen[at] == 0;
	seen[at] = hash;
	return is_new;
}

static void
count_distinct(struct column_counter *k, enum json_type type, const char *bytes, size_t len)
{
	uint64_t hash = hash_bytes((uint64_t)type + 1, bytes, len);

	if (k->stats.distinct >= DISTINCT_MAX) {
		k->stats.more_distinct = true;
		return;
	}
	if (2 * k->stats.distinct >= k->size) {
		size_t size = k->size ? 4 * k->size : 256;
		uint64_t *seen = mem_zalloc(size * sizeof(*seen));

		for (size_t i = 0; i < k->size; i++)
			if (k->seen[i])
				add_hash(seen, size, k->seen[i]);
		free(k->seen);
		k->seen = seen;
		k->size = size;
	}
	k->stats.distinct += add_hash(k->seen, k->size, hash ? hash : 1);
}

/* ---- the values ---- */

/* Read a decimal without exponent as integer and billionths; false: not exact. */
static bool
read_decimal(const char *text, int64_t *whole, int64_t *billionths)
{
	bool is_negative = *text == '-';
	int64_t unit = 1000000000, part = 0;
	int digits = 0;

	*whole = 0;
	for (text += is_negative; *text >= '0' && *text <= '9' && digits < 18; text++, digits++)
		*whole = 10 * *whole + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
			unit /= 10;
			part += unit * (*text - '0');
		}
	*billionths = is_negative ? -part : part;
	*whole = is_negative ? -*whole : *whole;
	return *text == '\0';
}

/* Split a double into integer and billionths; false: it has more than nine decimals. The quotient
 * of two integral doubles is rounded like the text of the decimal. */
static bool
split_double(double value, int64_t *whole, int64_t *billionths)
{
	if (fabs(value) >= 4e6) {
		*whole = fabs(value) < 9e15 ? (int64_t)value : 0;
		return fabs(value) < 9e15 && (double)*whole == value;
	}
	int64_t all = llround(value * 1e9);
	*whole = all / 1000000000;
	*billionths = all % 1000000000;
	return (double)all / 1e9 == value;
}

void
number_stats_add(struct number_stats *s, const cJSON *number)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	double value = number->valuedouble + 0.0;
	int64_t whole = 0, billionths = 0;

	if (s->count == 0 || value < s->least) {
		s->least = value;
		snprintf(s->min, sizeof(s->min), "%s", json_number_text(number, buffer));
	}
	if (s->count == 0 || value > s->most) {
		s->most = value;
		snprintf(s->max, sizeof(s->max), "%s", json_number_text(number, buffer));
	}
	s->count++;
	s->integers += value == floor(value) &&
		       (json_number_is_double(number) || json_number_is_integer(number));
	s->mean += (value - s->mean) / (double)s->count;
	if (s->is_rough)
		return;
	if (!json_number_is_double(number) ||
	    !split_double(number->valuedouble, &whole, &billionths)) {
		billionths = 0;
		s->is_rough = !read_decimal(json_number_text(number, buffer), &whole, &billionths);
	}
	s->billionths += billionths;
	s->is_rough |= __builtin_add_overflow(s->whole, whole, &s->whole);
}

/* ---- a sample ---- */

void
number_sample_add(struct number_sample *s, double value, size_t max)
{
	s->step += s->step == 0;
	if (!isfinite(value) || s->seen++ % s->step != 0)
		return;
	if (s->len == max) {
		for (size_t i = 0; 2 * i < max; i++)
			s->items[i] = s->items[2 * i];
		s->len /= 2;
		s->step *= 2;
	}
	*VEC_PUSH(s) = value;
}

void
number_sample_add_bars(const struct number_sample *s, int bars, struct buf *out)
{
	enum { BARS_MAX = 16 };
	static const char *const levels[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	size_t counts[BARS_MAX] = { 0 }, most = 0;
	double least = s->len > 0 ? s->items[0] : 0, end = least;

	for (size_t i = 0; i < s->len; i++) {
		least = s->items[i] < least ? s->items[i] : least;
		end = s->items[i] > end ? s->items[i] : end;
	}
	if (!(end > least) || !isfinite(end - least) || bars > BARS_MAX)
		return;
	for (size_t i = 0; i < s->len; i++) {
		double place = (s->items[i] - least) / (end - least) * bars;
		size_t *bar = &counts[place < bars - 1 ? (int)place : bars - 1];
		most = ++*bar > most ? *bar : most;
	}
	for (int i = 0; i < bars; i++)
		buf_add_str(out, counts[i] > 0 ? levels[(8 * counts[i] - 1) / most] : " ");
}

/* ---- a column ---- */

void
column_counter_add(struct column_counter *k, const cJSON *cell)
{
	struct column_stats *s = &k->stats;
	enum json_type type = json_type(cell);
	double value;

	s->rows++;
	switch (type) {
	case JSON_ABSENT:
		s->absent++;
		break;
	case JSON_NULL:
		s->nulls++;
		break;
	case JSON_NUMBER:
		value = cell->valuedouble + 0.0;
		number_stats_add(&k->stats.numbers, cell);
		count_distinct(k, JSON_NUMBER, (const char *)&value, sizeof(value));
		break;
	case JSON_STRING:
		s->strings++;
		s->empty += *cell->valuestring == '\0';
		count_distinct(k, type, cell->valuestring, strlen(cell->valuestring));
		break;
	case JSON_BOOLEAN:
		s->booleans++;
		s->trues += cJSON_IsTrue(cell);
		count_distinct(k, type, cJSON_IsTrue(cell) ? "t" : "f", 1);
		break;
	default:
		s->containers++;
		break;
	}
}

/* ---- the job ---- */

static void
stats_job_run(struct job *job)
{
	struct stats_job *k = (struct stats_job *)job;
	struct table *t = &k->made;
	struct buf bars = BUF_INIT;

	table_copy_begin(t);
	table_copy_unsort(t);
	for (size_t i = 0; i < t->shown; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && job_is_stopped(job))
			return;
		const cJSON *cell =
		    table_scan_cell(t, table_copy_index(t, i), k->counter.stats.column);
		column_counter_add(&k->counter, cell);
		if (json_type(cell) == JSON_NUMBER)
			number_sample_add(&k->sample, cell->valuedouble, SAMPLE_MAX);
	}
	if (k->sample.len >= STATS_BARS) /* a few numbers have no distribution */
		number_sample_add_bars(&k->sample, STATS_BARS, &bars);
	snprintf(k->counter.stats.bars, sizeof(k->counter.stats.bars), "%s", buf_text(&bars));
	buf_finish(&bars);
	k->counter.stats.done = true;
}

static void
stats_job_done(struct job *job)
{
	struct stats_job *k = (struct stats_job *)job;
	bool taken = !job_is_stopped(job);

	if (taken)
		k->owner->stats = k->counter.stats;
	table_copy_finish(&k->made);
	free(k->counter.seen);
	free(k->sample.items);
	if (taken && k->owner->stats_in_job && k->owner->changed)
		k->owner->changed(k->owner->user);
	free(k);
}

void
table_count(struct table *t, size_t column)
{
	bool busy = t->job || !t->has_columns || !t->is_ordered;

	if (busy || column >= t->columns.len || t->stats.column == column)
		return;
	job_drop(&t->stats_job);
	t->stats = (struct column_stats){ .column = column };
	t->stats_in_job = t->jobs && t->row_count > ROWS_AT_ONCE;
	struct stats_job *k = mem_zalloc(sizeof(*k));
	*k = (struct stats_job){ .job = { .run = stats_job_run, .done = stats_job_done },
		.owner = t,
		.counter = { .stats = t->stats } };
	table_copy(t, &k->made);
	job_start(t->stats_in_job ? t->jobs : NULL, &k->job, &t->stats_job);
}
