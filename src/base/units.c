/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

struct unit {
	const char *text;
	int64_t factor;
};

static const struct unit times[] = { { "", 1 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 },
	{ NULL, 0 } };
static const struct unit sizes[] = {
	{ "", 1 },
	{ "K", 1 << 10 },
	{ "M", 1 << 20 },
	{ "G", 1 << 30 },
	{ NULL, 0 },
};

static bool
read(const char *text, const struct unit *units, int64_t max, int64_t *out)
{
	const char *at = text;
	int64_t n = 0;

	for (; *at >= '0' && *at <= '9'; at++) {
		if (n > max / 10 - 1)
			return false;
		n = n * 10 + (*at - '0');
	}
	if (at == text)
		return false;
	for (const struct unit *u = units; u->text; u++) {
		if (strcmp(u->text, at) == 0 && n <= max / u->factor) {
			*out = n * u->factor;
			return true;
		}
	}
	return false;
}

/* A month: anything longer is a typing error. */
#define TIME_MAX_MS ((int64_t)31 * 24 * 3600 * 1000)
#define SIZE_MAX_BYTES ((int64_t)1 << 40)

bool
units_parse_time_ms(const char *text, int64_t *ms)
{
	return read(text, times, TIME_MAX_MS, ms);
}

bool
units_parse_size(const char *text, size_t *bytes)
{
	int64_t n;

	if (!read(text, sizes, SIZE_MAX_BYTES, &n))
		return false;
	*bytes = (size_t)n;
	return true;
}

void
units_add_count(struct buf *out, size_t count)
{
	if (count >= 1000) {
		units_add_count(out, count / 1000);
		buf_addf(out, " %03zu", count % 1000);
	} else {
		buf_addf(out, "%zu", count);
	}
}

struct units_text
units_count(size_t count)
{
	struct units_text out;
	struct buf text = BUF_INIT;

	units_add_count(&text, count);
	snprintf(out.text, sizeof(out.text), "%s", buf_text(&text));
	buf_finish(&text);
	return out;
}

void
units_add_counted(struct buf *out, size_t count, const char *one)
{
	units_add_count(out, count);
	buf_addf(out, " %s%s", one, plural(count));
}
