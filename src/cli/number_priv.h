#ifndef CLI_NUMBER_PRIV_H
#define CLI_NUMBER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of the command line: a whole number and a unit. False: it is not that, or too large. */
bool number_time_ms(const char *text, int64_t *ms); /* ms (also without a unit), s, m */
bool number_size(const char *text, size_t *bytes);  /* bytes, K, M, G: powers of 1024 */

#endif
