/* SPDX-License-Identifier: MIT */
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Dates and times as RFC 3339 writes them: "2026-07-28", "12:30:00Z", and both around a T. */
enum moment_kind { MOMENT_NONE, MOMENT_DATE, MOMENT_TIME, MOMENT_DATE_TIME };

/* Return the kind of a `format` of JSON Schema; NULL: none. */
enum moment_kind moment_kind_of(const char *format);
/* Append the time of a clock that is zone_s seconds ahead of UTC. */
void moment_add_now(struct buf *out, enum moment_kind kind, int64_t wall_us, int zone_s);
/* Read a date, or a date and a time separated by a T or a blank, as seconds since 1970-01-01 in UTC
 * with their fraction. The day, the seconds and the offset are optional. False: other text. */
bool moment_to_seconds(const char *text, double *seconds);
/*
 * A time as people search for one, in seconds since 1970 in UTC: a year, month, day, hour, minute
 * or second ("2026", "2026-07-28T12:30+02:00"), "12:30" of today, "today", "yesterday", or how long
 * ago: "30m", "2h", "3d", "1w", until now. Without an offset it is that of the user's clock,
 * zone_s.
 */
struct moment_range {
	double from, to;
};
bool moment_read_range(const char *text, double now, int zone_s, struct moment_range *range);
/* The same day and time in UTC; of seconds beyond the years 0 to 9999 those at their end. */
struct moment_parts {
	int year, month, day, hour, minute, second; /* month and day from 1 */
};
struct moment_parts moment_parts_of(double seconds);
/* Return the number of days of a month, which counts from 1. */
int moment_days_in(int64_t year, int64_t month);
/* Return when a month begins; months are counted from January of year 0. */
double moment_of_month(int64_t month);
/*
 * Adds `by` to the part of text at *cursor: year, month, day, hour, minute or second. Days and
 * hours carry over; a day that the month does not have becomes its last day. The fraction of the
 * second and the offset do not change. Second 60 is between 59 and the next minute; no step
 * leads to it, because few days have one. If the cursor is after the seconds, the minute changes
 * and *cursor moves to it. False, and nothing is appended: the text has no such part, or the year
 * would have five digits.
 */
bool moment_step(enum moment_kind kind, const char *text, size_t *cursor, int by, struct buf *out);

#endif
