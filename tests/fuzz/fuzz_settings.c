/* The user's settings of any bytes are taken, or refused with the line that is wrong. */
#include "fuzz.h"

#include "../../src/app/settings.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct workbench_host host;
	struct workbench *wb = workbench_create(&host, NULL);
	struct err err = { "" };
	char *theme = NULL;

	bool ok = settings_parse(wb, &theme, (const char *)data, size, "f", &err);
	demand(ok == (err.text[0] == '\0'));
	demand(ok || strncmp(err.text, "f:", 2) == 0);
	demand(!strchr(err.text, '\n') && (!theme || !strpbrk(theme, " \t\n#")));
	workbench_destroy(wb);
	free(theme);
	return 0;
}
