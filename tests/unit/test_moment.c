/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "base/moment.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* "2026-01-3|1": the cursor is at the bar. */
static void
steps(enum moment_kind kind, const char *from, int by, const char *expected)
{
	const char *bar = strchr(from, '|');
	size_t cursor = (size_t)(bar - from);
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_add(&text, from, cursor);
	buf_add_str(&text, bar + 1);
	bool ok = moment_step(kind, buf_text(&text), &cursor, by, &out);
	assert_int_equal(ok, expected != NULL);
	assert_string_equal(buf_text(&out), expected ? expected : "");
	buf_finish(&text);
	buf_finish(&out);
}

static void
test_dates(void **state)
{
	steps(MOMENT_DATE, "202|6-07-28", 1, "2027-07-28");
	steps(MOMENT_DATE, "2026|-07-28", -1, "2025-07-28");
	steps(MOMENT_DATE, "2026-|12-28", 1, "2027-01-28");
	steps(MOMENT_DATE, "2026-01|-28", -1, "2025-12-28");
	steps(MOMENT_DATE, "2026-01-31|", 1, "2026-02-01");
	steps(MOMENT_DATE, "2026-03-|01", -1, "2026-02-28");
	steps(MOMENT_DATE, "2024-03-01|", -1, "2024-02-29");
	steps(MOMENT_DATE, "2000-02-28|", 1, "2000-02-29");
	steps(MOMENT_DATE, "1900-02-28|", 1, "1900-03-01");
	steps(MOMENT_DATE, "|2024-02-29", 1, "2025-02-28"); /* a day that is there */
	steps(MOMENT_DATE, "2026-0|1-31", 1, "2026-02-28");
	steps(MOMENT_DATE, "0000-01-02|", -1, "0000-01-01");
	steps(MOMENT_DATE, "0000-01-01|", -1, NULL);
	steps(MOMENT_DATE, "9999-12-31|", 1, NULL);
	steps(MOMENT_DATE, "9999|-12-31", 1, NULL);
	steps(MOMENT_DATE, "0000|-12-31", -1, NULL);
}

static void
test_times(void **state)
{
	steps(MOMENT_TIME, "12|:30:00Z", 1, "13:30:00Z");
	steps(MOMENT_TIME, "23:59|:00+01:00", 1, "00:00:00+01:00"); /* round the clock */
	steps(MOMENT_TIME, "00:00:|00.250Z", -1, "23:59:59.250Z");
	steps(MOMENT_TIME, "12:30:00.25|0Z", 1, "12:30:01.250Z");
	steps(MOMENT_TIME, "12:30:00.250Z|", 1, "12:31:00.250Z"); /* the offset stays */
	/* RFC 3339 appendix D: a leap second ends a day of UTC */
	steps(MOMENT_TIME, "23:59:60|Z", 1, "00:00:00Z");
	steps(MOMENT_TIME, "23:59:60|Z", -1, "23:59:59Z");
	steps(MOMENT_TIME, "23:59:60.5|Z", -2, "23:59:58.5Z");
	steps(MOMENT_TIME, "23:59:59|Z", 1, "00:00:00Z");
	steps(MOMENT_TIME, "00:00:00|Z", -1, "23:59:59Z");
	steps(MOMENT_TIME, "23:59|:60Z", 1, "00:00:59Z");
	steps(MOMENT_TIME, "23|:59:60Z", -1, "22:59:59Z");
	steps(MOMENT_TIME, "23:59:60Z|", 1, "00:00:59Z");
	steps(MOMENT_DATE_TIME, "2016-12-31T23:59:60|Z", 1, "2017-01-01T00:00:00Z");
	steps(MOMENT_DATE_TIME, "1990-12-31T15:59:60|-08:00", 1, "1990-12-31T16:00:00-08:00");
	steps(MOMENT_DATE_TIME, "2016-12-31|T23:59:60Z", 1, "2017-01-01T23:59:59Z");
	steps(MOMENT_DATE_TIME, "2026-12-31T23:|59:00-05:30", 1, "2027-01-01T00:00:00-05:30");
	steps(MOMENT_DATE_TIME, "2026-12-31|t23:59:00z", 1, "2027-01-01t23:59:00z");
	steps(MOMENT_DATE_TIME, "2026-12-31T|00:00:00Z", -1, "2026-12-30T23:00:00Z");
	steps(MOMENT_DATE_TIME, "2024-02-29T|00:00:00", -1, "2024-02-28T23:00:00");

	size_t cursor = 25;
	struct buf out = BUF_INIT;
	assert_true(moment_step(MOMENT_DATE_TIME, "2026-12-31T23:10:00+01:00", &cursor, 1, &out));
	assert_int_equal(cursor, 16); /* after the minute, which changed */
	buf_finish(&out);
}

static void
test_other_text(void **state)
{
	static const char *const texts[] = { "|", "2|026", "2026-0|1", "2026-13-01|", "2026-02-29|",
		"2026-01-00|", "2026-00-01|", " 2026-01-0|1", "2026-01-01 |", "|x", "12:30|",
		"24:00:00|Z", "2026-01-01|T", "2026-01-01|T1", "2026-01-01x10:00:00|Z" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		steps(MOMENT_DATE, texts[i], 1, NULL);
		steps(MOMENT_TIME, texts[i], 1, NULL);
		steps(MOMENT_DATE_TIME, texts[i], 1, NULL);
		steps(MOMENT_NONE, texts[i], 1, NULL);
	}
}

/* There and back through four centuries. */
static void
test_all_days(void **state)
{
	struct buf text = BUF_INIT, next = BUF_INIT, back = BUF_INIT;

	for (int64_t day = -719528; day < -719528 + 146097 + 400; day++) {
		size_t cursor = 10;
		buf_clear(&text);
		buf_clear(&next);
		moment_add_now(&text, MOMENT_DATE, day * 86400000000, 0);
		moment_add_now(&next, MOMENT_DATE, (day + 1) * 86400000000, 0);
		buf_clear(&back);
		assert_true(moment_step(MOMENT_DATE, buf_text(&text), &cursor, 1, &back));
		assert_string_equal(buf_text(&back), buf_text(&next));
		buf_clear(&back);
		assert_true(moment_step(MOMENT_DATE, buf_text(&next), &cursor, -1, &back));
		assert_string_equal(buf_text(&back), buf_text(&text));
	}
	buf_finish(&text);
	buf_finish(&next);
	buf_finish(&back);
}

static void
now(enum moment_kind kind, int64_t wall_s, int zone_s, const char *expected)
{
	struct buf out = BUF_INIT;

	moment_add_now(&out, kind, wall_s * 1000000, zone_s);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

/* Seconds since midnight of 2026-07-28 in UTC; it is 12:00 there, and 14:00 for the user. */
static void
test_ranges(void **state)
{
	const double midnight = 1785196800, hour = 3600, day = 86400, forever = 1e300;
	static const struct {
		const char *text;
		double from, to;
	} rows[] = {
		{ "2026-07-28", -2, 22 },
		{ "2026-07-28T13:30", 11.5, 11.5 + 1 / 60.0 },
		{ "2026-07-28 13:30:36", 11.51, 11.51 + 1 / 3600.0 },
		{ "2026-07-28t13:30:36.5z", 13.51 + 0.5 / 3600, 13.51 + 1.5 / 3600.0 },
		{ "2026-07-28T13:30:00Z", 13.5, 13.5 + 1 / 3600.0 },
		{ "2026-07-28T13:30+02:00", 11.5, 11.5 + 1 / 60.0 },
		{ "2026-07-28T13", 11, 12 },
		{ "2026-07", -27 * 24 - 2, 4 * 24 - 2 },
		{ "2026", -208 * 24 - 2, 157 * 24 - 2 },
		{ "2026-12", 126 * 24 - 2, 157 * 24 - 2 },
		{ "today", -2, 22 },
		{ "YESTERDAY", -26, -2 },
		{ "9:15", 7.25, 7.25 + 1 / 60.0 },
		{ "13:30:00", 11.5, 11.5 + 1 / 3600.0 },
		{ "90s", 12 - 0.025, forever },
		{ "2h", 10, forever },
		{ "3D", -60, forever },
		{ "1w", -156, forever },
	};
	static const char *const wrong[] = { "", "2", "h", "2x", "2hh", "-2h", "20261", "2026-13",
		"2026-02-30", "2026-7-28", "2026-07-28T25:00", "2026-07-28T13:30:00+9", "bogus",
		"todays", "1234567890d", "13:60", ":", "1:", "2026-07-28T13:30:00 and more of this",
		"2026-07-28T13:30:00.000000000000000000000000000000000000Z" };
	struct moment_range range;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!moment_read_range(rows[i].text, midnight + 12 * hour, 7200, &range))
			fail_msg("%s: refused", rows[i].text);
		double from = (range.from - midnight) / hour, to = (range.to - midnight) / hour;
		if (fabs(from - rows[i].from) > 1e-5 ||
		    (rows[i].to < forever ? fabs(to - rows[i].to) > 1e-5 : to < day * day))
			fail_msg("%s: %f to %f", rows[i].text, from, to);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (moment_read_range(wrong[i], midnight, 0, &range))
			fail_msg("%s: not refused", wrong[i]);
}

static void
test_now(void **state)
{
	now(MOMENT_DATE, 1784548800, 0, "2026-07-20");
	now(MOMENT_DATE, 1784548800, -43200 - 3600, "2026-07-19"); /* the user's day */
	now(MOMENT_TIME, 1784548800, 0, "12:00:00Z");
	now(MOMENT_DATE_TIME, 1784548800, 7200, "2026-07-20T14:00:00+02:00");
	now(MOMENT_DATE_TIME, 1784548800, -12600, "2026-07-20T08:30:00-03:30");
	now(MOMENT_DATE_TIME, -1, 0, "1969-12-31T23:59:59Z");
	assert_int_equal(moment_kind_of("date-time"), MOMENT_DATE_TIME);
	assert_int_equal(moment_kind_of("time"), MOMENT_TIME);
	assert_int_equal(moment_kind_of("email"), MOMENT_NONE);
	assert_int_equal(moment_kind_of(NULL), MOMENT_NONE);
}

static double
seconds_of(const char *text)
{
	double seconds = -1e9;

	return moment_to_seconds(text, &seconds) ? seconds : -1e9;
}

static void
test_seconds(void **state)
{
	static const char *const others[] = { "", "2026", "2026-13", "2026-02-30", "12:00:00",
		"2026-07-01X10:00", "2026-07-01T10:00:00+1", "2026-07-01T10:00:00Zz",
		"2026-07-01T25:00", "2026-07-01T10:00:00.", "yesterday",
		"2026-07-01T10:00:00.000000000000000000000000000000000000" };

	assert_true(seconds_of("1970-01-01") == 0);
	assert_true(seconds_of("2026-07-01") == 20635 * 86400.0);
	assert_true(seconds_of("2026-07") == 20635 * 86400.0);
	assert_true(seconds_of("2026-07-01 10:00") == 20635 * 86400.0 + 36000);
	assert_true(seconds_of("2026-07-01T10:00:00Z") == 20635 * 86400.0 + 36000);
	assert_true(seconds_of("2026-07-01T10:00+02:00") == 20635 * 86400.0 + 28800);
	assert_true(seconds_of("2026-07-01T10:00:00.5-0130") == 20635 * 86400.0 + 41400.5);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_true(seconds_of(others[i]) == -1e9);
	struct moment_parts p = moment_parts_of(20635 * 86400.0 + 41400.5);
	assert_true(p.year == 2026 && p.month == 7 && p.day == 1);
	assert_true(p.hour == 11 && p.minute == 30 && p.second == 0);
	p = moment_parts_of(-1);
	assert_true(p.year == 1969 && p.month == 12 && p.day == 31 && p.second == 59);
	assert_int_equal(moment_parts_of(1e300).year, 9999);
	assert_int_equal(moment_parts_of(-1e300).year, 0);
	assert_true(moment_of_month(2026 * 12 + 6) == 20635 * 86400.0);
}

TEST_FILE(moment)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_other_text),
		cmocka_unit_test(test_all_days),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
