/* SPDX-License-Identifier: MIT */
/* Any bytes as a frame of the browser: a picture within the bounds, drawn in cells of two sizes, or
 * a reason why not. */
#include "fuzz.h"

#include "apps/cells.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char page[] =
	    "{\"text\":[],\"boxes\":[[0,0,999,999,\"canvas\"]],\"frames\":[],\"targets\":[],"
	    "\"caret\":null,\"page\":[0,0,0,0],\"more\":false}";
	struct picture p;
	struct err err = { "" };

	if (!app_frame_decode(data, size, &p, &err)) {
		demand(err.text[0] != '\0' && !p.rgba);
		return 0;
	}
	demand((size_t)p.width * (size_t)p.height <= APP_FRAME_MAX_PIXELS);
	for (int cols = 7; cols <= 20; cols += 13) {
		struct app_cells c;
		app_cells_init(&c, cols, 6, 16, APP_CELL);
		demand(app_cells_take_frame(&c, data, size, &err));
		demand(app_cells_take_text(&c, page, sizeof(page) - 1, &err));
		app_cells_draw(&c);
		for (int i = 0; i < cols * 6; i++)
			demand(c.cells[i].ch >= 0x20 && c.cells[i].ink <= 0xffffff);
		app_cells_finish(&c);
	}
	picture_finish(&p);
	return 0;
}
