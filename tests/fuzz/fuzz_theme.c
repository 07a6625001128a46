/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "ui/paint.h"
#include "ui/theme.h"

#include <stdlib.h>
#include <string.h>

static bool
is_color(int32_t color)
{
	return color >= COLOR_DEFAULT && color <= 0xffffff;
}

/* A theme that is accepted is complete: every role comes out as colors, in every mode. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int modes[] = { PAINT_MONO, PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };
	struct theme theme;
	struct err err = { "" };

	if (!theme_parse(&theme, (const char *)data, size, &err)) {
		if (strncmp(err.text, "line ", 5) != 0)
			abort();
		return 0;
	}
	for (int role = 0; role < ROLE_COUNT; role++) {
		if (!is_color(theme.roles[role].fg) || !is_color(theme.roles[role].bg))
			abort();
		for (int m = 0; m < 5; m++) {
			struct paint p = paint_of(
			    &theme, style_on((enum role)role, ROLE_SELECTION), ROLE_BAR, modes[m]);
			if (!is_color(p.fg) || !is_color(p.bg) || p.fg >= (modes[m] ? modes[m] : 1))
				abort();
		}
	}
	return 0;
}
