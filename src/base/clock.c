/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

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
