/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Monotonic time. The sans-IO layers never call these: they get times as arguments. */
int64_t clock_now_us(void);
int64_t clock_now_ms(void);
/* Wall clock, since 1970 UTC. */
int64_t clock_wall_us(void);
int64_t clock_wall_ms(void);
int clock_zone_s(void); /* by which local time is ahead of UTC, now */

#endif
