#include "base/moment.h"
#include "base/vec.h"
#include "data/chart.h"

#include <float.h>
#include <math.h>

/* Ranges of doubles may be wider than the largest double, so spans are reckoned in halves. */
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

double
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
add_number(const struct chart_ticks *t, double value, struct buf *out)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" },
		{ 1, "" } };
	size_t i = 0;

	value = value == 0 ? 0 : value; /* not -0 */
	if (t->largest >= 1e18 || t->largest < 1e-4) {
		buf_addf(out, "%.3g", value);
		return;
	}
	while (i + 1 < ARRAY_LEN(units) && t->largest < 10 * units[i].unit)
		i++;
	buf_addf(out, "%.*f%s", digits_behind(t->step / units[i].unit), value / units[i].unit,
	    value == 0 ? "" : units[i].name);
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
chart_ticks_add(const struct chart_ticks *ticks, size_t index, struct buf *out)
{
	if (ticks->times)
		add_time(ticks, ticks->at[index], out);
	else
		add_number(ticks, ticks->at[index], out);
}
