#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What people type: a whole number and a unit. False: it is not that, or too large. */
bool quantity_time_ms(const char *text, int64_t *ms); /* ms (also without a unit), s, m */
bool quantity_size(const char *text, size_t *bytes);  /* bytes, K, M, G: powers of 1024 */

/* How a count is shown, in groups of three digits: "999", "10 000". */
struct buf;
void quantity_add_count(struct buf *out, size_t count);
/* The same and what is counted: "1 row", "10 000 rows". The plural is made by an s. */
void quantity_add_counted(struct buf *out, size_t count, const char *one);

#endif
