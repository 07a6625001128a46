#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Dates and times as RFC 3339 writes them: "2026-07-28", "12:30:00Z", and both around a T. */
enum moment_kind { MOMENT_NONE, MOMENT_DATE, MOMENT_TIME, MOMENT_DATE_TIME };

/* Of a format of JSON Schema; NULL: none. */
enum moment_kind moment_kind_of(const char *format);
/* The local date, counted from days since 1970-01-01 on. */
void moment_add_date(struct buf *out, int64_t days);
/* The time on a clock that is zone_s seconds ahead of UTC. */
void moment_add_now(struct buf *out, enum moment_kind kind, int64_t wall_us, int zone_s);
/* Seconds since 1970-01-01 in UTC, with their fraction, of a date or of both around a T or a blank;
 * the day, the seconds and the offset may be left out. False: something else. */
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
/* When a month begins, counted from January of year 0 on. */
double moment_of_month(int64_t month);
/*
 * Adds `by` to the part of text at *cursor: year, month, day, hour, minute or second. Days and
 * hours carry over; a day that the month does not have becomes its last one. A fraction of the
 * second and the offset stay as they are. Second 60 lies between 59 and the next minute; no step
 * leads to it, since only few days have one. Behind them the minute changes, and *cursor moves
 * there. False, and nothing is appended: the text has no such part, or the year would have five
 * digits.
 */
bool moment_step(enum moment_kind kind, const char *text, size_t *cursor, int by, struct buf *out);

#endif
