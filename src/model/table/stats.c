#include "base/hash.h"
#include "base/mem.h"
#include "json/number.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The statistics of one column, of a long table in a job. */

/* Rows that are counted at once: a fraction of a millisecond. */
#define ROWS_AT_ONCE ((size_t)1024)
/* Different values are counted up to this many. */
#define DISTINCT_MAX ((size_t)100000)

struct stats_job {
	struct job job; /* first */
	struct table *owner;
	struct table made; /* of the same source */
	struct column_stats stats;
	uint64_t *seen; /* hashes of values; 0 is free */
	size_t size;    /* of seen, a power of 2 */
};

/* ---- different values ---- */

static bool
put(uint64_t *seen, size_t size, uint64_t hash)
{
	size_t at = hash & (size - 1);

	while (seen[at] && seen[at] != hash)
		at = (at + 1) & (size - 1);
	bool is_new = seen[at] == 0;
	seen[at] = hash;
	return is_new;
}

static void
grow(struct stats_job *k)
{
	size_t size = k->size ? 4 * k->size : 256;
	uint64_t *seen = mem_zalloc(size * sizeof(*seen));

	for (size_t i = 0; i < k->size; i++)
		if (k->seen[i])
			put(seen, size, k->seen[i]);
	free(k->seen);
	k->seen = seen;
	k->size = size;
}

static void
count_distinct(struct stats_job *k, enum json_type type, const char *bytes, size_t len)
{
	uint64_t hash = hash_bytes((uint64_t)type + 1, bytes, len);

	if (k->stats.distinct >= DISTINCT_MAX) {
		k->stats.more_distinct = true;
		return;
	}
	if (2 * k->stats.distinct >= k->size)
		grow(k);
	k->stats.distinct += put(k->seen, k->size, hash ? hash : 1);
}

/* ---- the values ---- */

static void
keep(char to[STATS_TEXT], const char *text)
{
	snprintf(to, STATS_TEXT, "%s", text);
}

static void
add_number(struct stats_job *k, const cJSON *cell)
{
	struct column_stats *s = &k->stats;
	char buffer[JSON_NUMBER_TEXT_MAX];
	double value = cell->valuedouble + 0.0;

	if (s->numbers == 0 || value < s->least) {
		s->least = value;
		keep(s->min, json_number_text(cell, buffer));
	}
	if (s->numbers == 0 || value > s->most) {
		s->most = value;
		keep(s->max, json_number_text(cell, buffer));
	}
	s->numbers++;
	s->mean += (value - s->mean) / (double)s->numbers;
	count_distinct(k, JSON_NUMBER, (const char *)&value, sizeof(value));
}

static void
add_cell(struct stats_job *k, const cJSON *cell)
{
	struct column_stats *s = &k->stats;
	enum json_type type = json_type(cell);

	s->rows++;
	switch (type) {
	case JSON_ABSENT:
		s->absent++;
		break;
	case JSON_NULL:
		s->nulls++;
		break;
	case JSON_NUMBER:
		add_number(k, cell);
		break;
	case JSON_STRING:
		s->strings++;
		s->empty += *cell->valuestring == '\0';
		count_distinct(k, type, cell->valuestring, strlen(cell->valuestring));
		break;
	case JSON_BOOLEAN:
		s->booleans++;
		s->trues += json_is_true(cell);
		count_distinct(k, type, json_is_true(cell) ? "t" : "f", 1);
		break;
	default:
		s->containers++;
		break;
	}
}

/* ---- the job ---- */

static void
run(struct job *job)
{
	struct stats_job *k = (struct stats_job *)job;
	struct table *t = &k->made;

	table_copy_begin(t);
	for (size_t i = 0; i < t->shown; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && job_is_stopped(job))
			return;
		add_cell(k, table_scan_cell(t, t->order ? t->order[i] : i, k->stats.column));
	}
	k->stats.done = true;
}

static void
done(struct job *job)
{
	struct stats_job *k = (struct stats_job *)job;
	bool taken = !job_is_stopped(job);

	if (taken)
		k->owner->stats = k->stats;
	table_copy_finish(&k->made);
	free(k->seen);
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
	*k = (struct stats_job){
		.job = { .run = run, .done = done }, .owner = t, .stats = t->stats
	};
	table_copy(t, &k->made);
	job_start(t->stats_in_job ? t->jobs : NULL, &k->job, &t->stats_job);
}
