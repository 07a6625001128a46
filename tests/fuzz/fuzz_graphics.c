/* SPDX-License-Identifier: MIT */
/* For any answers of a terminal about its graphics, sizes stay within limits and the picture it
 * receives is complete. */
#include "fuzz.h"

#include "ui/graphics/graphics.h"

#include <string.h>

static void
check(const struct graphics_abilities *a)
{
	demand((a->cell_width == 0) == (a->cell_height == 0));
	demand(a->cell_width >= 0 && a->cell_width <= 128 && a->cell_height <= 128);
	demand(a->colors == 0 || (a->colors >= 2 && a->colors <= 65536));
	demand(a->most_width >= 0 && a->most_width <= 65536);
	demand(a->most_height >= 0 && a->most_height <= 65536);
}

/* Answers, one a line; then a picture of the last bytes as sixels, in the colors of the terminal.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct graphics_abilities heard = { 0 };
	const char *text = (const char *)data, *end = text + size;
	struct buf out = BUF_INIT;
	struct sixel s;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		graphics_hear(&heard, text, len);
		check(&heard);
		text += len + 1;
	}
	if (size < 4)
		return 0;
	struct picture p = { .width = 1 + data[0] % 32 };
	p.height = (int)(size / 4) / p.width;
	p.rgba = (uint8_t *)data;
	if (p.height == 0)
		return 0;
	sixel_make(&s, &p, heard.colors > 0 ? heard.colors : SIXEL_COLORS);
	demand(s.count <= SIXEL_COLORS);
	sixel_add(&s, 0, 0, p.width, p.height, &out);
	for (size_t i = 2; i + 2 < out.len; i++)
		demand(out.data[i] >= ' ' && out.data[i] < 0x7f);
	sixel_finish(&s);
	buf_finish(&out);
	return 0;
}
