#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What people type: a whole number and a unit. False: it is not that, or too large. */
bool quantity_time_ms(const char *text, int64_t *ms); /* ms (also without a unit), s, m */
bool quantity_size(const char *text, size_t *bytes);  /* bytes, K, M, G: powers of 1024 */

#endif
