/* SPDX-License-Identifier: MIT */
/* Time: the clocks, and dates and times as text. */
#include "base/moment.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- clocks ---- */

static int64_t
read_us(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t
clock_now_us(void)
{
	return read_us(CLOCK_MONOTONIC);
}

int64_t
clock_now_ms(void)
{
	return read_us(CLOCK_MONOTONIC) / 1000;
}

int64_t
clock_wall_us(void)
{
	return read_us(CLOCK_REALTIME);
}

int64_t
clock_wall_ms(void)
{
	return read_us(CLOCK_REALTIME) / 1000;
}

int
clock_zone_s(void)
{
	time_t now = time(NULL);
	struct tm local = { 0 };

	localtime_r(&now, &local);
	return (int)local.tm_gmtoff;
}

/* ---- dates and times ---- */

#define DAY_S 86400

struct moment {
	int64_t year, month, day; /* from 1 */
	int64_t seconds;          /* of the day; of second 60, those of second 59 */
	bool leap;                /* it is second 60 */
	const char *rest;         /* after the seconds */
	char between;             /* the T */
};

enum moment_kind
moment_kind_of(const char *format)
{
	static const char *const formats[] = {
		[MOMENT_DATE] = "date",
		[MOMENT_TIME] = "time",
		[MOMENT_DATE_TIME] = "date-time",
	};

	for (size_t i = MOMENT_DATE; format && i < ARRAY_LEN(formats); i++)
		if (strcmp(formats[i], format) == 0)
			return (enum moment_kind)i;
	return MOMENT_NONE;
}

/* ---- days since 1970-01-01, in years that begin in March, so that a leap day is the last ---- */

enum { ERA_DAYS = 146097, EPOCH = 719468 /* days since 0000-03-01 */ };

static void
set_date(struct moment *m, int64_t days)
{
	int64_t from = days + EPOCH + ERA_DAYS; /* an era more, since 0000-01-01 is before March */
	int64_t era = from / ERA_DAYS - 1, day = from % ERA_DAYS;
	int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;

	day -= 365 * year + year / 4 - year / 100;
	int64_t month = (5 * day + 2) / 153;
	m->year = era * 400 + year + (month >= 10);
	m->month = month < 10 ? month + 3 : month - 9;
	m->day = day - (153 * month + 2) / 5 + 1;
}

static int64_t
days_of(const struct moment *m)
{
	int64_t year = m->year + 400 - (m->month <= 2);
	int64_t month = (m->month + 9) % 12;

	return year / 400 * ERA_DAYS + year % 400 * 365 + year % 400 / 4 - year % 400 / 100 +
	       (153 * month + 2) / 5 + m->day - 1 - EPOCH - ERA_DAYS;
}

int
moment_days_in(int64_t year, int64_t month)
{
	static const signed char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

/* ---- text ---- */

static void
moment_add(struct buf *out, enum moment_kind kind, const struct moment *m)
{
	if (kind != MOMENT_TIME)
		buf_addf(out, "%04d-%02d-%02d", (int)m->year, (int)m->month, (int)m->day);
	if (kind == MOMENT_DATE_TIME)
		buf_add_char(out, m->between);
	if (kind != MOMENT_DATE)
		buf_addf(out, "%02d:%02d:%02d", (int)(m->seconds / 3600),
		    (int)(m->seconds / 60 % 60), (int)(m->seconds % 60));
}

static int64_t
floor_of(int64_t value, int64_t unit)
{
	return value / unit - (value % unit < 0);
}

void
moment_add_now(struct buf *out, enum moment_kind kind, int64_t wall_us, int zone_s)
{
	int64_t now_s = floor_of(wall_us, 1000000) + zone_s, day = floor_of(now_s, DAY_S);
	struct moment m = { .between = 'T', .seconds = now_s - day * DAY_S };
	int zone = zone_s < 0 ? -zone_s / 60 : zone_s / 60;

	set_date(&m, day);
	moment_add(out, kind, &m);
	if (kind != MOMENT_DATE && zone == 0)
		buf_add_char(out, 'Z');
	else if (kind != MOMENT_DATE)
		buf_addf(out, "%c%02d:%02d", zone_s < 0 ? '-' : '+', zone / 60, zone % 60);
}

static bool
take(const char **at, size_t digits, int64_t most, int64_t *value)
{
	*value = 0;
	for (; digits > 0; digits--, (*at)++) {
		if (!ascii_is_digit((unsigned char)**at))
			return false;
		*value = *value * 10 + (**at - '0');
	}
	return *value <= most;
}

static bool
take_char(const char **at, char c)
{
	return *(*at)++ == c;
}

static bool
read_moment(struct moment *m, enum moment_kind kind, const char *at)
{
	int64_t hour, minute, second;

	*m = (struct moment){ .year = 1970, .month = 1, .day = 1, .rest = "" };
	if (kind != MOMENT_TIME && (!take(&at, 4, 9999, &m->year) || !take_char(&at, '-') ||
				       !take(&at, 2, 12, &m->month) || !take_char(&at, '-') ||
				       !take(&at, 2, 31, &m->day) || m->month < 1 || m->day < 1 ||
				       m->day > moment_days_in(m->year, m->month)))
		return false;
	if (kind == MOMENT_DATE)
		return *at == '\0';
	m->between = *at;
	if (kind == MOMENT_DATE_TIME && *at != 't' && !take_char(&at, 'T'))
		return false;
	at += kind == MOMENT_DATE_TIME && m->between == 't';
	if (!take(&at, 2, 23, &hour) || !take_char(&at, ':') || !take(&at, 2, 59, &minute) ||
	    !take_char(&at, ':') || !take(&at, 2, 60, &second))
		return false;
	m->leap = second == 60;
	m->seconds = (hour * 60 + minute) * 60 + second - m->leap;
	m->rest = at;
	return true;
}

/* ---- seconds ---- */

/* "Z", "+01:00", or nothing, which is UTC. */
static bool
read_offset(const char *at, int64_t *seconds)
{
	int64_t hours, minutes;
	char sign = *at;

	*seconds = 0;
	if (*at == '\0' || ((*at == 'Z' || *at == 'z') && at[1] == '\0'))
		return true;
	at++;
	if ((sign != '+' && sign != '-') || !take(&at, 2, 23, &hours))
		return false;
	at += *at == ':';
	if (!take(&at, 2, 59, &minutes) || *at)
		return false;
	*seconds = (hours * 60 + minutes) * 60 * (sign == '-' ? -1 : 1);
	return true;
}

bool
moment_to_seconds(const char *text, double *seconds)
{
	enum { MONTH = 7, DATE = 10, MINUTE = 16, LONGEST = 48 };
	size_t len = strnlen(text, LONGEST);
	char whole[LONGEST + 4];
	struct moment m;
	int64_t offset;

	if (len >= LONGEST || len < MONTH)
		return false;
	bool no_seconds = len >= MINUTE && text[MINUTE] != ':';
	snprintf(whole, sizeof(whole), "%.*s%s%s", no_seconds ? MINUTE : (int)len, text,
	    len == MONTH ? "-01"
	    : no_seconds ? ":00"
			 : "",
	    no_seconds ? text + MINUTE : "");
	enum moment_kind kind = len <= DATE ? MOMENT_DATE : MOMENT_DATE_TIME;
	if (kind == MOMENT_DATE_TIME && whole[DATE] == ' ')
		whole[DATE] = 'T';
	if (!read_moment(&m, kind, whole))
		return false;
	size_t digits = *m.rest == '.' ? strspn(m.rest + 1, "0123456789") : 0;
	double fraction = 0;
	for (size_t i = digits; i > 0; i--)
		fraction = (fraction + (m.rest[i] - '0')) / 10;
	if (!read_offset(m.rest + (digits > 0 ? digits + 1 : 0), &offset))
		return false;
	*seconds = (double)(days_of(&m) * DAY_S + m.seconds + m.leap - offset) + fraction;
	return true;
}

struct moment_parts
moment_parts_of(double seconds)
{
	struct moment m = { .year = 9999, .month = 12, .day = 31 },
		      first = { .month = 1, .day = 1 };
	int64_t least = days_of(&first) * DAY_S, most = (days_of(&m) + 1) * DAY_S - 1;
	double bounded = fmin(fmax(seconds, (double)least), (double)most);
	int64_t at = (int64_t)floor(bounded);

	int64_t day = floor_of(at, DAY_S);
	int second = (int)(at - day * DAY_S);
	set_date(&m, day);
	return (struct moment_parts){ (int)m.year, (int)m.month, (int)m.day, second / 3600,
		second / 60 % 60, second % 60 };
}

double
moment_of_month(int64_t month)
{
	int64_t year = floor_of(month, 12);
	struct moment m = { .year = year, .month = month - year * 12 + 1, .day = 1 };

	return (double)days_of(&m) * DAY_S;
}

/* ---- ranges ---- */

static bool
read_ago(const char *text, double now, struct moment_range *range)
{
	static const struct {
		char letter;
		int seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', DAY_S }, { 'w', 7 * DAY_S } };
	enum { DIGITS_MAX = 9 };
	size_t digits = strspn(text, "0123456789");

	for (size_t i = 0; i < ARRAY_LEN(units) && digits > 0 && digits <= DIGITS_MAX; i++) {
		if ((char)ascii_lower((unsigned char)text[digits]) != units[i].letter ||
		    text[digits + 1])
			continue;
		range->from = now - strtod(text, NULL) * units[i].seconds;
		range->to = INFINITY; /* a call may begin while this is read */
		return true;
	}
	return false;
}

/* "2026-07-28T12:30" and its beginnings, and an offset after a time. */
static bool
read_written(const char *text, int zone_s, struct moment_range *range)
{
	static const char least[] = "0000-01-01T00:00:00";
	enum { YEAR = 4, MONTH = 7, SECOND = sizeof(least) - 1, LONGEST = 40 };
	static const struct {
		size_t len;
		int seconds;
	} units[] = { { YEAR, 0 }, { MONTH, 0 }, { 10, DAY_S }, { 13, 3600 }, { 16, 60 },
		{ SECOND, 1 } };
	size_t len = strlen(text), head = strnlen(text, 11), unit = 0;
	char whole[SECOND + LONGEST + 1];
	struct moment_range r;

	head += strcspn(text + head, "Zz+-");
	size_t known = head < SECOND ? head : SECOND;
	while (unit < ARRAY_LEN(units) && units[unit].len != known)
		unit++;
	if (len > LONGEST || unit == ARRAY_LEN(units) || (head > SECOND && text[SECOND] != '.'))
		return false;
	snprintf(whole, sizeof(whole), "%.*s%s%s", (int)known, text, least + known, text + known);
	if (!moment_to_seconds(whole, &r.from))
		return false;
	r.to = r.from + units[unit].seconds;
	if (known <= MONTH) {
		int64_t month = strtol(text, NULL, 10) * 12;
		r.to = moment_of_month(
		    known == YEAR ? month + 12 : month + strtol(text + YEAR + 1, NULL, 10));
	}
	int ahead_s = head == len ? zone_s : 0;
	*range = (struct moment_range){ r.from - ahead_s, r.to - ahead_s };
	return true;
}

bool
moment_read_range(const char *text, double now, int zone_s, struct moment_range *range)
{
	bool yesterday = strcasecmp(text, "yesterday") == 0;
	struct moment_parts p = moment_parts_of(now + zone_s - (yesterday ? DAY_S : 0));
	bool today = strcasecmp(text, "today") == 0;
	bool is_clock = text[0] && text[1] && (text[1] == ':' || text[2] == ':');
	char whole[64];

	if (read_ago(text, now, range))
		return true;
	if (!yesterday && !today && !is_clock)
		return read_written(text, zone_s, range);
	snprintf(whole, sizeof(whole), "%04d-%02d-%02d%s%s%.40s", p.year, p.month, p.day,
	    is_clock ? "T" : "", is_clock && text[1] == ':' ? "0" : "", is_clock ? text : "");
	return read_written(whole, zone_s, range);
}

/* ---- steps ---- */

bool
moment_step(enum moment_kind kind, const char *text, size_t *cursor, int by, struct buf *out)
{
	enum { YEAR_END = 4, MONTH_END = 7, DATE_END = 10, MINUTE_END = 5 };
	struct moment m;

	if (kind == MOMENT_NONE || !read_moment(&m, kind, text))
		return false;
	size_t start = kind == MOMENT_DATE_TIME ? DATE_END + 1 : 0;
	bool in_date = kind == MOMENT_DATE || *cursor < start;
	size_t fraction = *m.rest == '.' ? 1 + strspn(m.rest + 1, "0123456789") : 0;
	size_t at = in_date ? *cursor : *cursor - start;
	int64_t unit = at <= 2 ? 3600 : at <= MINUTE_END || at > 8 + fraction ? 60 : 1;
	if (m.leap && !in_date && unit == 1 && by < 0)
		by++; /* second 59 comes before second 60, and other steps return it too
		       */
	if (in_date && at <= MONTH_END) {
		int64_t month = m.year * 12 + m.month - 1 + (at <= YEAR_END ? by * 12 : by);
		if (month < 0 || month >= 10000 * 12)
			return false;
		m.year = month / 12;
		m.month = month % 12 + 1;
		int64_t last = moment_days_in(m.year, m.month);
		m.day = m.day < last ? m.day : last;
	} else {
		m.seconds += by * (in_date ? DAY_S : unit);
		int64_t days = floor_of(m.seconds, DAY_S);
		m.seconds -= days * DAY_S;
		if (kind != MOMENT_TIME)
			set_date(&m, days_of(&m) + days);
		if (m.year < 0 || m.year > 9999)
			return false;
	}
	if (!in_date && at > 8 + fraction)
		*cursor = start + MINUTE_END;
	moment_add(out, kind, &m);
	buf_add_str(out, m.rest);
	return true;
}
