/* SPDX-License-Identifier: MIT */
/* Any bytes as audio: an envelope within its bounds, or a word why not; drawn in any width. */
#include "fuzz.h"

#include "host/media_decoder.h"
#include "pane/content/content.h"

#include <stdlib.h>

/* libsndfile forgets what libvorbis has begun; the process that decodes ends soon. */
const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
	return "leak:libvorbis\nleak:libsndfile\nleak:libmpg123\nleak:libogg\n";
}

static void
draw(struct audio *a)
{
	struct pane_audio p = { .audio = *a };

	for (int width = 0; width < 30; width += 7) {
		struct grid grid;
		grid_init(&grid, width, 5);
		pane_audio_draw(&p, surface_whole(&grid), 1);
		grid_finish(&grid);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct audio a;
	struct err err = { "" };

	if (!audio_decode(data, size, 1 << 16, &a, &err)) {
		if (!err.text[0])
			abort();
		audio_finish(&a);
		return 0;
	}
	if (a.columns < 0 || a.columns > AUDIO_MAX_COLUMNS || a.lanes > AUDIO_MAX_LANES ||
	    a.frames < a.columns || a.frames * a.channels > 1 << 16)
		abort();
	draw(&a);
	audio_finish(&a);
	return 0;
}
