/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole number and a unit, as people type them. False: not in that form, or too large. */
bool units_parse_time_ms(const char *text, int64_t *ms); /* ms (also without a unit), s, m */
bool units_parse_size(const char *text, size_t *bytes);  /* bytes, K, M, G: powers of 1024 */

/* The end of a noun: "" or "s". */
static inline const char *
plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* A count in groups of three digits: "999", "10 000". */
struct buf;
void units_add_count(struct buf *out, size_t count);
/* The same for a format: units_count(n).text. */
struct units_text {
	char text[28];
};
struct units_text units_count(size_t count);
/* The same with its noun, whose plural is made by an s: "1 row", "10 000 rows". */
void units_add_counted(struct buf *out, size_t count, const char *one);

#endif
