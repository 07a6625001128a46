/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/moment.h"
#include "base/vec.h"
#include "data/chart.h"
#include "data/table/table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Return half of the span, because the span can exceed the largest double. */
static double
half_span(struct chart_range r)
{
	return r.high / 2 - r.low / 2;
}

double
chart_place(struct chart_range r, double value)
{
	return (value / 2 - r.low / 2) / half_span(r);
}

struct chart_range
chart_settled(struct chart_range r)
{
	double largest = fmax(fabs(r.low), fabs(r.high));

	if (!(r.low <= r.high)) /* nothing was seen */
		return (struct chart_range){ 0, 1 };
	if (half_span(r) > largest * 1e-12)
		return r;
	double air = largest > DBL_MIN * 1e16 ? largest / 10 : 1;
	return (struct chart_range){ fmax(r.low - air, -DBL_MAX), fmin(r.high + air, DBL_MAX) };
}

static double
chart_step(struct chart_range range, size_t most)
{
	static const double steps[] = { 1, 2, 5, 10, 20 };
	double least = half_span(range) / (double)(most > 0 ? most : 1);
	double power = pow(10, floor(log10(least)));

	if (power == 0 || !isfinite(least)) /* subnormal */
		return least > 0 ? 2 * least : 1;
	size_t i = 0;
	while (i + 1 < ARRAY_LEN(steps) && steps[i] * power < 2 * least * (1 - 1e-9))
		i++;
	return fmin(steps[i] * power, DBL_MAX);
}

struct chart_range
chart_rounded(struct chart_range r, size_t ticks)
{
	double step = chart_step(r, ticks);
	double low = floor(r.low / step) * step, high = ceil(r.high / step) * step;

	r.low = isfinite(low) ? low : r.low;
	r.high = isfinite(high) ? high : r.high;
	return r;
}

/* ---- ticks ---- */

static void
add_tick(struct chart_ticks *t, struct chart_range r, double at)
{
	if (t->len < CHART_TICKS_MAX && at >= r.low && at <= r.high &&
	    (t->len == 0 || at > t->at[t->len - 1]))
		t->at[t->len++] = at;
}

static void
find_even(struct chart_ticks *t, struct chart_range r, double step, double from)
{
	double first = ceil((r.low - from) / step);

	t->step = step;
	for (int i = 0; i < CHART_TICKS_MAX; i++) {
		double at = (first + i) * step + from;
		add_tick(t, r, fabs(at) < step / 1e6 ? 0 : at);
	}
}

#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define MONTH (30.5 * DAY)

static void
find_months(struct chart_ticks *t, struct chart_range r, size_t wanted)
{
	static const int64_t steps[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000,
		12000, 24000, 60000 };
	size_t i = 0;
	struct moment_parts from = moment_parts_of(r.low);

	while (i + 1 < ARRAY_LEN(steps) &&
	       2 * half_span(r) > MONTH * (double)steps[i] * (double)wanted)
		i++;
	t->months = steps[i];
	int64_t month = ((int64_t)from.year * 12 + from.month - 1) / steps[i] * steps[i];
	for (int n = 0; n <= CHART_TICKS_MAX; n++, month += steps[i])
		add_tick(t, r, moment_of_month(month));
}

static void
find_times(struct chart_ticks *t, struct chart_range r, size_t wanted)
{
	static const double steps[] = { 1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE,
		10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR,
		12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY };
	const double monday = 4 * DAY; /* 1970-01-05 */
	double span = 2 * half_span(r);

	if (span < (double)wanted) {
		find_even(t, r, chart_step(r, wanted), 0);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (span <= steps[i] * (double)wanted) {
			find_even(t, r, steps[i], steps[i] >= 7 * DAY ? monday : 0);
			return;
		}
	find_months(t, r, wanted);
}

void
chart_ticks_find(
    struct chart_ticks *ticks, enum chart_values values, struct chart_range range, size_t wanted)
{
	*ticks = (struct chart_ticks){ .times = values == CHART_TIMES,
		.largest = fmax(fabs(range.low), fabs(range.high)) };
	wanted = wanted < 1 ? 1 : wanted > CHART_TICKS_MAX / 2 ? CHART_TICKS_MAX / 2 : wanted;
	if (ticks->times)
		find_times(ticks, range, wanted);
	else
		find_even(ticks, range, chart_step(range, wanted), 0);
}

/* ---- labels ---- */

static int
digits_behind(double step)
{
	double digits = ceil(-log10(step) - 1e-9);

	return digits > 0 && digits < 20 ? (int)digits : 0;
}

static void
add_time(const struct chart_ticks *t, double value, struct buf *out)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec" };
	struct moment_parts m = moment_parts_of(value);
	const char *month = months[m.month - 1];
	bool midnight = m.hour == 0 && m.minute == 0 && m.second == 0;

	if (t->months > 0 && (t->months % 12 == 0 || m.month == 1))
		buf_addf(out, "%04d", m.year);
	else if (t->months > 0)
		buf_add_str(out, month);
	else if (t->step >= DAY || (midnight && t->step >= 1))
		buf_addf(out, "%d %s", m.day, month);
	else if (t->step >= MINUTE)
		buf_addf(out, "%02d:%02d", m.hour, m.minute);
	else
		buf_addf(out, "%02d:%02d:%0*.*f", m.hour, m.minute,
		    t->step < 1 ? 3 + digits_behind(t->step) : 2, digits_behind(t->step),
		    m.second + (value - floor(value)));
}

void
chart_ticks_add(const struct chart_ticks *t, size_t index, struct buf *out)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" },
		{ 1, "" } };
	double value = t->at[index] == 0 ? 0 : t->at[index]; /* not -0 */
	size_t i = 0;

	if (t->times) {
		add_time(t, value, out);
		return;
	}
	if (t->largest >= 1e18 || t->largest < 1e-4) {
		buf_addf(out, "%.3g", value);
		return;
	}
	while (i + 1 < ARRAY_LEN(units) && t->largest < 10 * units[i].unit)
		i++;
	buf_addf(out, "%.*f%s", digits_behind(t->step / units[i].unit), value / units[i].unit,
	    value == 0 ? "" : units[i].name);
}

/* ---- reading: the rows once for the ranges, and again for the points ---- */

/* Up to this many rows need no job: a millisecond or two. */
#define ROWS_AT_ONCE ((size_t)4096)
/* A series of more rows is reduced to the least and the most of BUCKETS intervals, which are more
 * than the columns of a terminal. */
#define POINTS_MAX ((size_t)4096)
#define BUCKETS (POINTS_MAX / 2)
/* A scatter of more rows has one point in each cell of a grid finer than a screen. */
#define GRID_WIDTH 512
#define GRID_HEIGHT 256
#define BINS_MOST 60
/* Numbers kept for quartiles; of more rows, each nth is kept. */
#define QUARTILES_OF ((size_t)1000000)

struct chart_job {
	struct job job; /* first */
	struct chart_reading *owner;
	struct table made;
	struct chart chart;
	enum chart_values x_values;
	uint32_t *order;    /* the nth row read */
	uint8_t *grid;      /* of a scatter: bits, for each series */
	double *values;     /* for quartiles */
	size_t value_count; /* of the current series */
};

static bool
read_x(const struct chart_job *k, const cJSON *row, size_t nth, double *x)
{
	const struct chart_choice *choice = &k->chart.choice;
	bool too_large;

	if (choice->x == SIZE_MAX) {
		*x = (double)(nth + 1);
		return true;
	}
	const cJSON *cell = table_cell_of(&k->made, row, choice->x);
	if (k->x_values == CHART_TIMES)
		return json_type(cell) == JSON_STRING && moment_to_seconds(cell->valuestring, x);
	return chart_number(cell, x, &too_large);
}

static void
widen(struct chart_range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

/* ---- ranges ---- */

static bool
has_axis(enum chart_kind kind)
{
	return kind == CHART_LINE || kind == CHART_AREA || kind == CHART_SCATTER;
}

static void
range_row(struct chart_job *k, const cJSON *row, size_t nth)
{
	struct chart *c = &k->chart;
	struct chart_range stack = { 0, 0 };
	double x = 0, value;
	bool any = false, has_x = !has_axis(c->choice.kind) || read_x(k, row, nth, &x);

	for (size_t i = 0; i < c->choice.y_count; i++) {
		struct chart_series *s = &k->chart.series[i];
		bool too_large = false;
		bool has =
		    chart_number(table_cell_of(&k->made, row, s->column), &value, &too_large);
		c->too_large += too_large;
		if (!has || !has_x) {
			s->others++;
			continue;
		}
		uint32_t index = k->order ? k->order[nth] : (uint32_t)nth;
		any = true;
		if (s->numbers == 0 || value < s->range.low)
			s->least_row = index;
		if (s->numbers == 0 || value > s->range.high)
			s->most_row = index;
		s->whole = (s->numbers == 0 || s->whole) && value == floor(value);
		widen(&s->range, value);
		s->numbers++;
		*(value < 0 ? &stack.low : &stack.high) += value;
	}
	c->left_out += !any;
	if (any && has_axis(c->choice.kind))
		widen(&c->x, x);
	if (any && c->choice.kind == CHART_STACKED && isfinite(stack.high) && isfinite(stack.low)) {
		widen(&c->y, stack.low);
		widen(&c->y, stack.high);
	}
}

static const struct chart_range empty_range = { DBL_MAX, -DBL_MAX };

static void
settle_ranges(struct chart *c)
{
	enum chart_kind kind = c->choice.kind;
	bool from_zero = kind == CHART_AREA || kind == CHART_BAR || kind == CHART_STACKED;

	for (size_t i = 0; i < c->choice.y_count && kind != CHART_STACKED; i++)
		if (c->series[i].numbers > 0) {
			widen(&c->y, c->series[i].range.low);
			widen(&c->y, c->series[i].range.high);
		}
	if (from_zero)
		widen(&c->y, 0);
	if (kind == CHART_LINE && c->y.low > 0 && c->y.low < c->y.high / 3)
		c->y.low = 0; /* zero is so near that an axis without it would mislead */
	c->y = chart_settled(c->y);
	c->x = chart_settled(c->x);
}

/* ---- points ---- */

static struct chart_point *
add_point(struct chart_series *s, double x, double high, uint32_t row)
{
	struct chart_point *p = VEC_PUSH(s);

	*p = (struct chart_point){ x, high, row, 1 };
	return p;
}

/* Return which of `count` equal parts of the range has the value. */
static size_t
bucket_of(struct chart_range r, double value, size_t count)
{
	double at = chart_place(r, value) * (double)count;

	return at < 0 ? 0 : at >= (double)count ? count - 1 : (size_t)at;
}

/* Add a point; if reduced, keep the least and the most of interval n in the items 2n and 2n + 1. */
static void
add_to_line(struct chart_job *k, size_t i, double x, double value, uint32_t row)
{
	struct chart_series *s = &k->chart.series[i];

	if (!k->chart.reduced) {
		add_point(s, x, value, row);
		return;
	}
	if (isnan(value))
		return;
	struct chart_point *p = &s->items[2 * bucket_of(k->chart.x, x, BUCKETS)];
	if (p->count == 0 || value < p->high)
		p[0] = (struct chart_point){ x, value, row, p->count };
	if (p->count == 0 || value > p[1].high)
		p[1] = (struct chart_point){ x, value, row, 1 };
	p->count++;
}

static void
add_to_scatter(struct chart_job *k, size_t i, double x, double value, uint32_t row)
{
	if (isnan(value))
		return;
	if (k->chart.reduced) {
		size_t bit =
		    (i * GRID_HEIGHT + bucket_of(k->chart.y, value, GRID_HEIGHT)) * GRID_WIDTH +
		    bucket_of(k->chart.x, x, GRID_WIDTH);
		if (k->grid[bit / 8] >> bit % 8 & 1)
			return;
		k->grid[bit / 8] |= (uint8_t)(1 << bit % 8);
	}
	add_point(&k->chart.series[i], x, value, row);
}

static void
add_to_bins(struct chart_job *k, size_t i, double x, double value, uint32_t row)
{
	struct chart_series *s = &k->chart.series[i];

	if (isnan(value) || s->len == 0)
		return;
	struct chart_point *p = &s->items[bucket_of(k->chart.x, value, s->len)];
	p->row = p->high == 0 ? row : p->row;
	p->high++;
	p->count = (uint32_t)p->high;
}

static void
add_to_box(struct chart_job *k, size_t i, double x, double value, uint32_t row)
{
	size_t room = k->chart.rows / k->chart.sampled + 1;
	struct chart_series *s = &k->chart.series[i];

	if (!isnan(value) && s->len < room)
		k->values[i * room + s->len++] = value;
}

/* Add an empty item for each of `parts` equal parts of c->x. */
static void
split_axis(struct chart_job *k, size_t parts, double high)
{
	struct chart *c = &k->chart;

	c->interval = (c->x.high / 2 - c->x.low / 2) / (double)parts * 2;
	for (size_t i = 0; i < c->choice.y_count; i++)
		for (size_t n = 0; n < parts; n++)
			add_point(&k->chart.series[i], c->x.low + c->interval * (double)n, high, 0)
			    ->count = 0;
}

static void
begin_line(struct chart_job *k)
{
	k->chart.reduced = k->chart.rows > POINTS_MAX;
	if (k->chart.reduced)
		split_axis(k, POINTS_MAX, NAN);
}

static void
begin_scatter(struct chart_job *k)
{
	k->chart.reduced = k->chart.rows > 4 * POINTS_MAX;
	if (k->chart.reduced)
		k->grid = mem_zalloc(k->chart.choice.y_count * GRID_WIDTH * GRID_HEIGHT / 8);
}

/* Divide the range into intervals of a round width at round numbers; for integers at least 1 wide.
 */
static void
begin_bins(struct chart_job *k)
{
	struct chart *c = &k->chart;
	size_t numbers = c->series[0].numbers, wanted = (size_t)ceil(2 * cbrt((double)numbers));
	bool whole = true;

	for (size_t i = 0; i < c->choice.y_count; i++)
		whole &= c->series[i].whole;
	wanted = wanted < 8 ? 8 : wanted > BINS_MOST / 2 ? BINS_MOST / 2 : wanted;
	double step = chart_step(c->y, wanted);
	step = whole && step < 1 ? 1 : step;
	c->x.low = floor(c->y.low / step) * step;
	double parts = ceil((c->y.high - c->x.low) / step);
	if (c->x.low + parts * step <= c->y.high) /* the last interval ends after the most */
		parts++;
	c->x.high = c->x.low + parts * step;
	bool sane = parts >= 1 && parts <= 2 * BINS_MOST && isfinite(c->x.high);
	if (!sane) /* near the largest double: two halves */
		c->x = c->y;
	c->y = (struct chart_range){ 0, 1 };
	split_axis(k, sane ? (size_t)parts : 2, 0);
}

static void
begin_box(struct chart_job *k)
{
	struct chart *c = &k->chart;

	c->sampled = (c->rows * c->choice.y_count + QUARTILES_OF - 1) / QUARTILES_OF;
	c->sampled = c->sampled ? c->sampled : 1;
	k->values = mem_alloc((c->rows / c->sampled + 1) * c->choice.y_count * sizeof(*k->values));
}

/* ---- finishing ---- */

static int
by_x(const void *a, const void *b)
{
	const struct chart_point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->row < q->row ? -1 : p->row > q->row;
}

static void
sort_points(struct chart_job *k)
{
	for (size_t i = 0; i < k->chart.choice.y_count; i++) {
		struct chart_series *s = &k->chart.series[i];
		size_t kept = 0;
		for (size_t n = 0; n < s->len; n++) {
			bool second =
			    k->chart.reduced && n % 2 == 1 && k->chart.choice.kind != CHART_SCATTER;
			if (second && s->items[n].row == s->items[n - 1].row)
				continue;
			if (!k->chart.reduced || !isnan(s->items[n].high))
				s->items[kept++] = s->items[n];
		}
		s->len = kept;
		if (s->len > 0)
			qsort(s->items, s->len, sizeof(*s->items), by_x);
	}
}

static void
end_bins(struct chart_job *k)
{
	struct chart *c = &k->chart;

	for (size_t i = 0; i < c->choice.y_count; i++)
		for (size_t n = 0; n < k->chart.series[i].len; n++)
			widen(&c->y, k->chart.series[i].items[n].high);
}

static void
end_box(struct chart_job *k)
{
	size_t room = k->chart.rows / k->chart.sampled + 1;

	for (size_t i = 0; i < k->chart.choice.y_count; i++) {
		struct chart_series *s = &k->chart.series[i];
		double *values = k->values + i * room;
		if (s->len == 0)
			continue;
		qsort(values, s->len, sizeof(*values), compare_doubles);
		for (int n = 0; n < CHART_FIVE; n++) { /* interpolate between two values */
			double at = (double)(s->len - 1) * n / 4, part = at - floor(at);
			const double *low = values + (size_t)at;
			s->five[n] = part == 0 ? low[0] : low[0] * (1 - part) + low[1] * part;
		}
		s->five[CHART_LEAST] = s->range.low;
		s->five[CHART_MOST] = s->range.high;
		s->len = 0;
	}
}

/* How each kind processes rows. Bars and heat maps read the table when they are drawn. */
static const struct {
	void (*begin)(struct chart_job *k);
	void (*add)(struct chart_job *k, size_t series, double x, double value, uint32_t row);
	void (*end)(struct chart_job *k);
} makers[CHART_KIND_COUNT] = {
	[CHART_LINE] = { begin_line, add_to_line, sort_points },
	[CHART_AREA] = { begin_line, add_to_line, sort_points },
	[CHART_SCATTER] = { begin_scatter, add_to_scatter, sort_points },
	[CHART_HISTOGRAM] = { begin_bins, add_to_bins, end_bins },
	[CHART_BOX] = { begin_box, add_to_box, end_box },
};

static void
make_row(struct chart_job *k, const cJSON *row, size_t nth)
{
	struct chart *c = &k->chart;
	double x = (double)(nth + 1), value;
	bool too_large;

	if (c->sampled > 1 && nth % c->sampled > 0)
		return;
	if (has_axis(c->choice.kind) && !read_x(k, row, nth, &x))
		return;
	for (size_t i = 0; i < c->choice.y_count; i++) {
		bool has = chart_number(
		    table_cell_of(&k->made, row, k->chart.series[i].column), &value, &too_large);
		makers[c->choice.kind].add(
		    k, i, x, has ? value : NAN, k->order ? k->order[nth] : (uint32_t)nth);
	}
}

static bool
read_all(struct chart_job *k, size_t before,
    void (*each)(struct chart_job *k, const cJSON *row, size_t nth))
{
	for (size_t i = 0; i < k->made.shown; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && !job_goes_on(&k->job, before + i))
			return false;
		each(k, table_scan(&k->made, table_copy_index(&k->made, i)), i);
	}
	return true;
}

static void
chart_job_run(struct job *job)
{
	struct chart_job *k = (struct chart_job *)job;
	enum chart_kind kind = k->chart.choice.kind;

	table_copy_begin(&k->made);
	if (!read_all(k, 0, range_row))
		return;
	settle_ranges(&k->chart);
	if (!makers[kind].begin)
		return;
	makers[kind].begin(k);
	if (read_all(k, k->made.shown, make_row) && makers[kind].end)
		makers[kind].end(k);
}

static void
chart_finish(struct chart *c)
{
	for (size_t i = 0; i < CHART_COLUMNS_MAX; i++)
		free(c->series[i].items);
	*c = (struct chart){ 0 };
}

static void
chart_job_done(struct job *job)
{
	struct chart_job *k = (struct chart_job *)job;
	struct chart_reading *r = k->owner;
	bool taken = !job_is_stopped(job);

	table_copy_finish(&k->made);
	free(k->grid);
	free(k->values);
	if (taken) {
		chart_finish(&r->chart);
		r->chart = k->chart;
		if (r->changed)
			r->changed(r->user);
	} else {
		chart_finish(&k->chart);
	}
	free(k);
}

void
chart_read(struct chart_reading *r, const struct table *t, const struct chart_columns *c,
    const struct chart_choice *choice, struct jobs *jobs)
{
	struct chart_job *k = mem_zalloc(sizeof(*k));

	*k = (struct chart_job){ .job = { .run = chart_job_run, .done = chart_job_done },
		.owner = r };
	table_copy(t, &k->made);
	k->order = k->made.order;
	k->x_values = choice->x < c->len ? c->items[choice->x].values : CHART_NUMBERS;
	k->chart = (struct chart){ .choice = *choice,
		.x_values = has_axis(choice->kind) && k->x_values == CHART_TIMES ? CHART_TIMES
										 : CHART_NUMBERS,
		.x = empty_range,
		.y = empty_range,
		.rows = k->made.shown };
	for (size_t i = 0; i < choice->y_count; i++) {
		k->chart.series[i].column = choice->ys[i];
		k->chart.series[i].range = empty_range;
	}
	r->rows = k->made.shown;
	job_start(r->rows > ROWS_AT_ONCE ? jobs : NULL, &k->job, &r->job);
}

void
chart_reading_finish(struct chart_reading *r)
{
	job_drop(&r->job);
	chart_finish(&r->chart);
}
