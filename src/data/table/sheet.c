/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"
#include "json/write.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Computes figures from the rows of a table: the statistics of a column, and sheets. Long tables
 * take a job. */

/* Up to this many rows need no job: they take a fraction of a millisecond. */
#define ROWS_AT_ONCE ((size_t)1024)
/* Different values are counted up to this many. */
#define DISTINCT_MAX ((size_t)100000)
/* Numbers sampled for the histogram. */
#define SAMPLE_MAX ((size_t)4096)

/* The statistics of a column, being computed; zeroed at first. */
struct column_counter {
	struct column_stats stats;
	uint64_t *seen; /* hashes of the values; 0 is free */
	size_t size;    /* of seen, a power of 2 */
};

/* A sample of many numbers, at even steps: all of them, then every second, every fourth and so on.
 */
struct number_sample {
	double *items;
	size_t len, cap;
	size_t seen, step; /* numbers added, and the distance of those kept; 0 at first */
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

static void
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

static void
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

/* Append a histogram, a bar for each part of the range; nothing if all numbers are equal. */
static void
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

static void
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

/* ---- the statistics of one column, for its line in the table ---- */

struct stats_job {
	struct job job; /* first */
	struct table *owner;
	struct table made;
	struct column_counter counter;
	struct number_sample sample;
};

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

/* ---- sheets ---- */

/* Rows that become columns, and bytes of their text. */
#define TRANSPOSED_MAX ((size_t)200)
#define TRANSPOSED_BYTES ((size_t)16 << 20)
/* Arrays that are joined, and items of each. */
#define JOINED_MAX 64
#define JOINED_ROWS_MAX ((size_t)1000000)
/* No rows are added after this many bytes: each row repeats the names of the arrays. */
#define JOINED_BYTES ((size_t)256 << 20)
#define LAZY_BYTES ((size_t)2 << 20)

/* The job that makes a sheet. */
struct sheet_job {
	struct job job; /* first */
	struct table *owner;
	struct table made;
	char **names; /* of its columns */
	struct sheet_wish wish;
	struct sheet *sheet;
	struct buf text; /* of its value */
	struct json_writer out;
};

/* ---- numbers and progress ---- */

static bool
sheet_goes_on(struct sheet_job *k, size_t done, size_t all)
{
	return done % TABLE_ROWS_A_LOOK != 0 ||
	       job_goes_on(&k->job, (size_t)(100.0 * (double)done / (double)(all > 0 ? all : 1)));
}

/* Write a number with twelve digits, without rounding errors. */
static void
sheet_write_number(struct json_writer *w, const char *key, double value)
{
	char text[40];

	if (!isfinite(value))
		return;
	snprintf(text, sizeof(text), "%.12g", value);
	json_write_member_json(w, key, text);
}

static void
sheet_write_extreme(struct json_writer *w, const char *key, const char *text, double value)
{
	size_t len = strlen(text);

	if (len + 1 < STATS_TEXT && json_is_number_text(text, len))
		json_write_member_json(w, key, text);
	else /* it was cut */
		sheet_write_number(w, key, value);
}

/* Write the sum, exactly if possible, and the mean with four decimals. */
static void
sheet_write_sum(struct json_writer *w, const struct number_stats *s)
{
	int64_t whole, part = s->billionths % 1000000000;
	bool is_exact = !s->is_rough &&
			!__builtin_add_overflow(s->whole, s->billionths / 1000000000, &whole) &&
			whole > INT64_MIN; /* its absolute value overflows */
	double mean = s->mean;
	char text[48];

	if (is_exact) {
		if (whole > 0 && part < 0) {
			whole--;
			part += 1000000000;
		} else if (whole < 0 && part > 0) {
			whole++;
			part -= 1000000000;
		}
		int len = snprintf(text, sizeof(text), "%s%lld.%09lld",
		    whole < 0 || part < 0 ? "-" : "", llabs(whole), llabs(part));
		while (text[len - 1] == '0')
			text[--len] = '\0';
		if (text[len - 1] == '.')
			text[--len] = '\0';
		json_write_member_json(w, "sum", text);
		mean = ((double)whole + (double)part / 1e9) / (double)s->count;
	} else {
		sheet_write_number(w, "sum", s->mean * (double)s->count);
	}
	bool rounds = fabs(mean) >= 1 && fabs(mean) < 1e9;
	sheet_write_number(w, "mean", rounds ? round(mean * 1e4) / 1e4 : mean);
}

/* ---- statistics: a row for each column ---- */

#define BARS 12
/* Numbers of a column that are kept for its median and histogram. */
#define KEPT_MAX ((size_t)1 << 22)
/* Bytes of the first and the last string. */
#define STATISTICS_TEXT_MAX ((size_t)60)

struct column_summary {
	struct column_counter counter;
	struct number_sample kept;
	struct buf first, last; /* of the strings, cut */
};

/* Add a cell. Keep the first and the last string in the order of their bytes. */
static void
summarize(struct column_summary *s, const cJSON *cell)
{
	column_counter_add(&s->counter, cell);
	if (json_type(cell) == JSON_NUMBER)
		number_sample_add(&s->kept, cell->valuedouble, KEPT_MAX);
	for (int last = 0; last < 2 && json_type(cell) == JSON_STRING; last++) {
		const char *text = cell->valuestring;
		struct buf *kept = last ? &s->last : &s->first;
		int order = strncmp(text, buf_text(kept), STATISTICS_TEXT_MAX);
		if (s->counter.stats.strings > 1 && (last ? order <= 0 : order >= 0))
			continue;
		buf_clear(kept);
		utf8_add_cut(
		    kept, text, strnlen(text, STATISTICS_TEXT_MAX + 1), STATISTICS_TEXT_MAX);
	}
}

static void
write_type(struct json_writer *w, const struct column_stats *s)
{
	const struct {
		size_t count;
		const char *name;
	} kinds[] = {
		{ s->numbers.count,
		    s->numbers.integers == s->numbers.count ? "integer" : "number" },
		{ s->strings, "string" },
		{ s->booleans, "boolean" },
		{ s->containers, "array or object" },
	};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].count > 0)
			buf_addf(&text, "%s%s", text.len > 0 ? " or " : "", kinds[i].name);
	if (text.len > 0)
		json_write_member_string(w, "type", buf_text(&text));
	else
		json_write_member_string(w, "type", s->nulls > 0 ? "null" : "absent");
	buf_finish(&text);
}

int
compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void
write_numbers(struct json_writer *w, struct column_summary *s)
{
	const struct number_stats *stats = &s->counter.stats.numbers;
	size_t n = s->kept.len;
	double *x = s->kept.items;
	struct buf text = BUF_INIT;

	sheet_write_extreme(w, "min", stats->min, stats->least);
	sheet_write_extreme(w, "max", stats->max, stats->most);
	sheet_write_sum(w, stats);
	if (n == 0)
		return;
	qsort(x, n, sizeof(*x), compare_doubles);
	double median = n % 2 ? x[n / 2] : x[n / 2 - 1] / 2 + x[n / 2] / 2;
	if (s->kept.step == 1) {
		sheet_write_number(w, "median", median);
	} else {
		buf_addf(&text, "≈ %.6g", median);
		json_write_member_string(w, "median", buf_text(&text));
		buf_clear(&text);
	}
	number_sample_add_bars(&s->kept, BARS, &text);
	if (text.len > 0)
		json_write_member_string(w, "histogram", buf_text(&text));
	buf_finish(&text);
}

static void
write_column(struct json_writer *w, const char *name, struct column_summary *s)
{
	const struct column_stats *c = &s->counter.stats;
	size_t scalars = c->numbers.count + c->strings + c->booleans;

	json_write_object(w);
	json_write_member_string(w, "column", name);
	write_type(w, c);
	json_write_member_int(w, "count", (int64_t)(c->rows - c->absent - c->nulls));
	json_write_member_int(w, "missing", (int64_t)c->absent);
	json_write_member_int(w, "null", (int64_t)c->nulls);
	if (c->more_distinct) {
		char text[40];
		snprintf(text, sizeof(text), "more than %zu", c->distinct);
		json_write_member_string(w, "distinct", text);
	} else if (scalars > 0) {
		json_write_member_int(w, "distinct", (int64_t)c->distinct);
	}
	if (c->numbers.count > 0) {
		write_numbers(w, s);
	} else if (c->strings > 0) {
		json_write_member_string(w, "min", buf_text(&s->first));
		json_write_member_string(w, "max", buf_text(&s->last));
	}
	json_write_object_end(w);
}

static bool
sheet_statistics(struct sheet_job *k)
{
	struct table *t = &k->made;
	size_t rows = t->shown;
	bool goes_on = true;

	table_copy_unsort(t);
	json_write_array(&k->out);
	for (size_t c = 0; c < t->columns.len && goes_on; c++) {
		struct column_summary s = { .kept = { .len = 0 } };
		for (size_t i = 0; i < rows && goes_on; i++) {
			goes_on = sheet_goes_on(k, c * rows + i, t->columns.len * rows);
			if (goes_on)
				summarize(&s, table_scan_cell(t, table_copy_index(t, i), c));
		}
		if (goes_on)
			write_column(&k->out, k->names[c], &s);
		free(s.counter.seen);
		free(s.kept.items);
		buf_finish(&s.first);
		buf_finish(&s.last);
	}
	json_write_array_end(&k->out);
	return goes_on;
}

/* ---- groups: a row for each value of a column, or for each combination of values of several
 * columns with sums of the numeric columns ---- */

/* Groups and sums kept; rows of further groups are only counted. */
#define GROUPS_MAX ((size_t)50000)
#define SUMS_MAX ((size_t)200000)
/* Bytes of values. */
#define GROUPS_TEXT_MAX ((size_t)32 << 20)
/* Columns that are summed. */
#define SUMMED_MAX 16
#define BAR_COLUMNS 20

struct row_group {
	uint64_t hash; /* of its values */
	size_t count;
	size_t at, end; /* in `values`: its members as JSON */
};

struct row_groups {
	struct sheet_job *k;
	struct {
		struct row_group *items;
		size_t len, cap;
	} groups;
	uint32_t *table; /* indexes into groups, plus 1, by hash; 0 is free */
	size_t size;
	struct buf values;
	size_t summed[SUMMED_MAX], summed_count;
	struct {
		struct number_stats *items; /* summed_count of each group */
		size_t len, cap;
	} sums;
	size_t others; /* rows of groups that are not kept */
};

/* Hash a value; numbers by value: 1 and 1.0 are equal. */
static uint64_t
hash_cell(uint64_t hash, const cJSON *cell)
{
	enum json_type type = json_type(cell);
	struct buf text = BUF_INIT;

	hash = hash_mix(hash, (uint64_t)type + 1);
	if (type == JSON_NUMBER)
		return hash_mix(hash, json_number_hash(cell));
	if (type == JSON_STRING)
		return hash_bytes(hash, cell->valuestring, strlen(cell->valuestring));
	if (type == JSON_BOOLEAN)
		return hash_mix(hash, cJSON_IsTrue(cell));
	if (type != JSON_ARRAY && type != JSON_OBJECT)
		return hash;
	json_print(&text, cell);
	hash = hash_bytes(hash, buf_text(&text), text.len);
	buf_finish(&text);
	return hash;
}

/* Return a cell. Parses the whole row of a lazy array if several cells are needed. */
static const cJSON *
cell_of(const struct row_groups *g, size_t row, size_t column)
{
	const struct table *t = &g->k->made;
	bool is_alone = g->k->sheet->column_count + g->summed_count == 1;

	return is_alone ? table_scan_cell(t, row, column)
			: table_cell_of(t, table_scan(t, row), column);
}

static size_t
add_group(struct row_groups *g, uint64_t hash, size_t row)
{
	struct json_writer w;
	struct row_group *group = VEC_PUSH(&g->groups);

	*group = (struct row_group){ .hash = hash, .at = g->values.len };
	json_write_init(&w, &g->values);
	for (size_t i = 0; i < g->k->sheet->column_count; i++) {
		size_t column = g->k->wish.columns[i];
		/* Long strings and containers are cut. */
		const cJSON *cell = cell_of(g, row, column);
		enum json_type type = json_type(cell);
		struct buf text = BUF_INIT;
		if (type == JSON_ARRAY || type == JSON_OBJECT)
			json_print(&text, cell);
		else if (type == JSON_STRING)
			buf_add_str(&text, cell->valuestring);
		bool is_long = text.len > LABEL_BYTES;
		char *label = is_long ? label_dup(buf_text(&text)) : NULL;
		if (is_long)
			json_write_member_string(&w, g->k->names[column], label);
		else if (cell)
			json_write_member_value(&w, g->k->names[column], cell);
		free(label);
		buf_finish(&text);
	}
	group->end = g->values.len;
	for (size_t i = 0; i < g->summed_count; i++)
		*VEC_PUSH(&g->sums) = (struct number_stats){ .count = 0 };
	return g->groups.len - 1;
}

/* Return the group of a row, adding it if new. SIZE_MAX: not kept. */
static size_t
group_of(struct row_groups *g, size_t row)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < g->k->sheet->column_count; i++)
		hash = hash_cell(hash, cell_of(g, row, g->k->wish.columns[i]));
	if (2 * g->groups.len >= g->size) {
		free(g->table);
		g->size = g->size ? 4 * g->size : 256;
		g->table = mem_zalloc(g->size * sizeof(*g->table));
		for (size_t i = 0; i < g->groups.len; i++) {
			size_t at = g->groups.items[i].hash & (g->size - 1);
			while (g->table[at])
				at = (at + 1) & (g->size - 1);
			g->table[at] = (uint32_t)(i + 1);
		}
	}
	size_t at = hash & (g->size - 1);
	for (; g->table[at]; at = (at + 1) & (g->size - 1))
		if (g->groups.items[g->table[at] - 1].hash == hash)
			return g->table[at] - 1;
	if (g->groups.len >= GROUPS_MAX || g->sums.len + g->summed_count > SUMS_MAX ||
	    g->values.len >= GROUPS_TEXT_MAX)
		return SIZE_MAX;
	size_t added = add_group(g, hash, row);
	g->table[at] = (uint32_t)(added + 1);
	return added;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct row_group *left = *(const struct row_group *const *)a;
	const struct row_group *right = *(const struct row_group *const *)b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return (left > right) - (left < right); /* in order of appearance */
}

/* Return the first name, or the second if a column has the first. */
static const char *
free_name(const struct row_groups *g, const char *const names[2])
{
	const struct sheet_job *k = g->k;
	bool has_all = k->sheet->kind == SHEET_GROUPS;
	size_t count = has_all ? k->made.columns.len : k->sheet->column_count;

	for (size_t i = 0; i < count; i++)
		if (strcmp(has_all ? k->names[i] : k->sheet->columns[i], names[0]) == 0)
			return names[1];
	return names[0];
}

static void
write_group(const struct row_groups *g, const struct row_group *group, size_t most)
{
	static const char *const counts[] = { "count", "rows counted" };
	static const char *const shares[] = { "percent", "percent of rows" };
	static const char *const bars[] = { "share", "share of rows" };
	struct json_writer *w = &g->k->out;
	char percent[40];

	json_write_object(w);
	if (group->end > group->at) {
		buf_add(w->out, buf_text(&g->values) + group->at, group->end - group->at);
		w->comma = true;
	}
	json_write_member_int(w, free_name(g, counts), (int64_t)group->count);
	if (g->k->sheet->kind == SHEET_FREQUENCY) {
		snprintf(percent, sizeof(percent), "%.2f",
		    100.0 * (double)group->count / (double)g->k->made.shown);
		json_write_member_json(w, free_name(g, shares), percent);
		static const char *const ends[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
		size_t eighths =
		    (size_t)(8.0 * BAR_COLUMNS * (double)group->count / (double)most + 0.5);
		struct buf bar = BUF_INIT;

		for (size_t i = 0; i < eighths / 8; i++)
			buf_add_str(&bar, "█");
		buf_add_str(&bar, eighths == 0 ? "▏" : ends[eighths % 8]);
		json_write_member_string(w, free_name(g, bars), buf_text(&bar));
		buf_finish(&bar);
	}
	size_t sums = (size_t)(group - g->groups.items) * g->summed_count;
	for (size_t i = 0; i < g->summed_count; i++) {
		const struct number_stats *s = &g->sums.items[sums + i];
		if (s->count == 0)
			continue;
		json_write_member_object(w, g->k->names[g->summed[i]]);
		sheet_write_sum(w, s);
		sheet_write_extreme(w, "min", s->min, s->least);
		sheet_write_extreme(w, "max", s->max, s->most);
		json_write_object_end(w);
	}
	json_write_object_end(w);
}

static bool
sheet_groups(struct sheet_job *k)
{
	struct row_groups g = { .k = k };
	size_t count = k->made.shown, done = 0;
	size_t columns = k->sheet->kind == SHEET_GROUPS ? k->made.columns.len : 0;

	/* sum the numeric columns that are not grouped by */
	for (size_t c = 0; c < columns && g.summed_count < SUMMED_MAX; c++) {
		bool sums = k->made.columns.items[c].numeric;
		for (size_t i = 0; i < k->sheet->column_count; i++)
			sums &= k->wish.columns[i] != c;
		if (sums)
			g.summed[g.summed_count++] = c;
	}
	for (; done < count && sheet_goes_on(k, done, count); done++) {
		size_t row = table_copy_index(&k->made, done), group = group_of(&g, row);
		if (group == SIZE_MAX) {
			g.others++;
			continue;
		}
		g.groups.items[group].count++;
		for (size_t i = 0; i < g.summed_count; i++) {
			const cJSON *cell = cell_of(&g, row, g.summed[i]);
			if (json_type(cell) == JSON_NUMBER)
				number_stats_add(&g.sums.items[group * g.summed_count + i], cell);
		}
	}
	size_t groups = done == count ? g.groups.len : 0;
	const struct row_group **order = mem_alloc(groups * sizeof(const struct row_group *));
	for (size_t i = 0; i < groups; i++)
		order[i] = &g.groups.items[i];
	if (groups > 0)
		qsort(order, groups, sizeof(*order), compare_groups);
	json_write_array(&k->out);
	for (size_t i = 0; i < groups; i++)
		write_group(&g, order[i], order[0]->count);
	json_write_array_end(&k->out);
	if (g.others > 0) {
		struct buf note = BUF_INIT;
		units_add_counted(&note, g.others, "row");
		buf_add_str(&note, " of other values");
		k->sheet->note = buf_detach(&note);
	}
	free(order);
	free(g.groups.items);
	free(g.table);
	free(g.sums.items);
	buf_finish(&g.values);
	return done == count;
}

/* ---- transposed ---- */

/* Write up to `rows` rows as columns. Return the number of complete columns; SIZE_MAX: stopped. */
static size_t
write_transposed(struct sheet_job *k, size_t rows)
{
	struct table *t = &k->made;
	size_t c = 0;
	char number[24];

	buf_clear(&k->text);
	json_write_init(&k->out, &k->text);
	json_write_object(&k->out);
	for (bool fits = true; c < t->columns.len && fits;) {
		size_t i = 0;
		json_write_member_object(&k->out, k->names[c]);
		for (; i < rows && fits; i++) {
			size_t row = table_copy_index(t, i);
			if (!sheet_goes_on(k, c * rows + i, t->columns.len * rows))
				return SIZE_MAX;
			const cJSON *cell = table_scan_cell(t, row, c);
			snprintf(number, sizeof(number), "%zu", i + 1);
			const char *key = table_row_key(t, row);
			if (cell)
				json_write_member_value(&k->out, key ? key : number, cell);
			fits = k->text.len < TRANSPOSED_BYTES;
		}
		json_write_object_end(&k->out);
		c += i == rows;
	}
	json_write_object_end(&k->out);
	return c;
}

/* Transpose. Halves the number of rows until they fit. */
static bool
transpose_table(struct sheet_job *k)
{
	size_t most = k->made.shown < TRANSPOSED_MAX ? k->made.shown : TRANSPOSED_MAX;
	size_t all = k->made.columns.len, rows = most, columns;

	k->sheet->shape = TABLE_MAP;
	while ((columns = write_transposed(k, rows)) < all && rows > 1)
		rows /= 2;
	if (columns == SIZE_MAX)
		return false;
	const struct table *t = &k->made;
	struct buf note = BUF_INIT;
	if (rows < t->shown) {
		buf_addf(&note, "first %zu of ", rows);
		units_add_counted(&note, t->shown, "row");
	}
	if (columns < t->columns.len)
		buf_addf(&note, "%s%zu of %zu columns", note.len > 0 ? ", " : "", columns,
		    t->columns.len);
	if (rows < most || columns < all)
		buf_add_str(&note, ": the rest is too large");
	k->sheet->note = note.len > 0 ? buf_detach(&note) : NULL;
	buf_finish(&note);
	return true;
}

/* ---- joined ---- */

/* Join arrays: row n has the items n. */
static bool
join_arrays(struct sheet_job *k)
{
	struct json_items items[JOINED_MAX];
	const char *names[JOINED_MAX];
	size_t arrays = 0, count = 0, row = 0; /* all arrays of the object, and those joined */
	size_t rows = k->wish.length < JOINED_ROWS_MAX ? k->wish.length : JOINED_ROWS_MAX;
	bool goes_on = true;

	for (const cJSON *m = json_first(k->wish.object); m; m = m->next) {
		bool is_array = json_type(m) == JSON_ARRAY;
		arrays += is_array;
		if (!is_array || json_count(m) != k->wish.length || count == JOINED_MAX)
			continue;
		json_items_init(&items[count], m, NULL);
		names[count++] = m->string;
	}
	json_write_array(&k->out);
	while (
	    row < rows && k->text.len < JOINED_BYTES && (goes_on = sheet_goes_on(k, row, rows))) {
		json_write_object(&k->out);
		for (size_t i = 0; i < count; i++) {
			json_write_member_value(&k->out, names[i], items[i].item);
			json_items_next(&items[i]);
		}
		json_write_object_end(&k->out);
		row++;
	}
	json_write_array_end(&k->out);
	for (size_t i = 0; i < count; i++)
		json_items_finish(&items[i]);
	struct buf note = BUF_INIT;
	if (count < arrays) {
		buf_addf(&note, "%zu of ", count);
		units_add_counted(&note, arrays, "array");
	}
	if (row < k->wish.length) {
		buf_add_str(&note, note.len > 0 ? " · first " : "first ");
		units_add_count(&note, row);
		buf_add_str(&note, " of ");
		units_add_counted(&note, k->wish.length, "row");
	}
	k->sheet->note = note.len > 0 ? buf_detach(&note) : NULL;
	buf_finish(&note);
	return goes_on;
}

/* ---- the job ---- */

static void
sheet_job_run(struct job *job)
{
	static bool (*const makes[])(struct sheet_job * k) = {
		[SHEET_STATISTICS] = sheet_statistics,
		[SHEET_FREQUENCY] = sheet_groups,
		[SHEET_GROUPS] = sheet_groups,
		[SHEET_TRANSPOSED] = transpose_table,
		[SHEET_JOINED] = join_arrays,
	};
	struct sheet_job *k = (struct sheet_job *)job;

	table_copy_begin(&k->made);
	json_write_init(&k->out, &k->text);
	if (!makes[k->sheet->kind](k))
		return;
	struct blob *blob = blob_take_buf(&k->text);
	struct json_options options = { .job = job, .blob = blob };
	options.lazy_bytes = k->sheet->kind == SHEET_JOINED ? LAZY_BYTES : 0;
	k->sheet->doc = json_parse(blob->data, blob->len, &options, NULL);
	blob_unref(blob);
}

static void
sheet_job_done(struct job *job)
{
	struct sheet_job *k = (struct sheet_job *)job;
	struct table *owner = job_is_stopped(job) ? NULL : k->owner;
	bool in_job = job->jobs != NULL;

	if (owner && k->sheet->doc) {
		sheet_destroy(owner->sheet);
		owner->sheet = k->sheet;
	} else {
		sheet_destroy(k->sheet);
	}
	for (size_t i = 0; i < k->made.columns.len; i++)
		free(k->names[i]);
	free(k->names);
	table_copy_finish(&k->made);
	buf_finish(&k->text);
	free(k);
	if (owner && in_job && owner->changed)
		owner->changed(owner->user);
}

const char *
sheet_work(const struct job *job)
{
	static const char *const names[] = {
		[SHEET_STATISTICS] = "computing statistics",
		[SHEET_FREQUENCY] = "counting values",
		[SHEET_GROUPS] = "grouping",
		[SHEET_TRANSPOSED] = "transposing",
		[SHEET_JOINED] = "joining arrays",
	};
	return names[((const struct sheet_job *)job)->wish.kind];
}

void
table_make_sheet(struct table *t, const struct sheet_wish *wish)
{
	struct sheet_job *k = mem_zalloc(sizeof(*k));

	*k = (struct sheet_job){ .job = { .run = sheet_job_run, .done = sheet_job_done },
		.owner = t,
		.wish = *wish,
		.sheet = mem_zalloc(sizeof(*k->sheet)) };
	table_copy(t, &k->made);
	k->names = mem_alloc(t->columns.len * sizeof(*k->names));
	for (size_t i = 0; i < t->columns.len; i++)
		k->names[i] = mem_strdup(t->columns.items[i].name);
	k->sheet->kind = wish->kind;
	k->sheet->shape = TABLE_OBJECTS;
	k->sheet->column_count = wish->column_count;
	for (size_t i = 0; i < wish->column_count; i++)
		k->sheet->columns[i] = mem_strdup(k->names[wish->columns[i]]);
	k->sheet->pointer = wish->pointer ? mem_strdup(wish->pointer) : NULL;
	k->wish.pointer = NULL;
	size_t rows = wish->object ? wish->length : t->row_count;
	job_start(rows > ROWS_AT_ONCE ? t->jobs : NULL, &k->job, &t->sheet_job);
}

void
sheet_destroy(struct sheet *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->column_count; i++)
		free(s->columns[i]);
	json_doc_destroy(s->doc);
	free(s->note);
	free(s->pointer);
	free(s);
}
