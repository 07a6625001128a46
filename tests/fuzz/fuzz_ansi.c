/* SPDX-License-Identifier: MIT */
/* Any bytes as text for a terminal: rows of pieces within the width and in order, or a reason. */
#include "rich_text.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	demand_laid_out(text_is_ansi, ansi_lay_out, data, size);
	return 0;
}
