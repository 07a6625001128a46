/* SPDX-License-Identifier: MIT */
/* The user's settings of any bytes are taken, or refused with the line that is wrong. */
#include "fuzz.h"

#include "../../src/app/settings.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct effects effects;
	struct workbench *wb = workbench_create(&effects, NULL);
	struct err err = { "" };
	struct settings settings = { 0 };

	bool ok = settings_parse(wb, &settings, (const char *)data, size, "f", &err);
	demand(ok == (err.text[0] == '\0'));
	demand(ok || strncmp(err.text, "f:", 2) == 0);
	demand(!strchr(err.text, '\n') && (!settings.theme || !strpbrk(settings.theme, " \t\n#")));
	workbench_destroy(wb);
	settings_finish(&settings);
	return 0;
}
