/* SPDX-License-Identifier: MIT */
#include "one_stage.h"
#include "test.h"

#include <string.h>

struct stage stage;

int
stage_set_up(void **state)
{
	stage_open(&stage, 120, 36);
	return 0;
}

int
stage_tear_down(void **state)
{
	stage_close(&stage);
	return 0;
}

void
see(const char *text)
{
	if (!strstr(stage_text(&stage), text))
		fail_msg("\"%s\" is not on the screen:\n%s", text, stage_text(&stage));
}

void
see_not(const char *text)
{
	if (strstr(stage_text(&stage), text))
		fail_msg("\"%s\" is on the screen:\n%s", text, stage_text(&stage));
}
