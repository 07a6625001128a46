#include "ui/backend.h"

#include "base/hex.h"

#include <string.h>

/* One to four hex digits, scaled to 8 bits; -1 when there are none. */
static int
take_component(const char **p, const char *end)
{
	int value = 0, count = 0;

	for (; *p < end && count < 4 && hex_digit(**p) >= 0; (*p)++, count++)
		value = value * 16 + hex_digit(**p);
	return count == 0 ? -1 : value * 255 / ((1 << 4 * count) - 1);
}

bool
report_background_is_light(const char *text, size_t len, bool *is_light)
{
	static const char rgb[] = "]11;rgb:", rgba[] = "]11;rgba:";
	const char *end = text + len;
	int c[3];

	if (len >= strlen(rgb) && memcmp(text, rgb, strlen(rgb)) == 0)
		text += strlen(rgb);
	else if (len >= strlen(rgba) && memcmp(text, rgba, strlen(rgba)) == 0)
		text += strlen(rgba);
	else
		return false;
	for (int i = 0; i < 3; i++) {
		c[i] = take_component(&text, end);
		if (c[i] < 0 || (i < 2 && (text == end || *text++ != '/')))
			return false;
	}
	*is_light = c[0] * 299 + c[1] * 587 + c[2] * 114 > 127500;
	return true;
}
