/* SPDX-License-Identifier: MIT */
/* The tail is an end of the text, and the line that says why lies before it. */
#include "fuzz.h"

#include "base/last_words.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	const char *end = text + strlen(text);

	for (size_t lines = 0; lines < 4; lines++) {
		struct last_words w = last_words_of(text, lines);
		demand(w.tail >= text && w.tail <= end);
		demand(w.tail == text || w.tail[-1] == '\n');
		demand(!w.why || (w.why >= text && w.why < w.tail));
		demand(!w.why || w.why + w.why_len <= end);
	}
	free(text);
	return 0;
}
