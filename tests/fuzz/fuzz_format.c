/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "schema/format/format.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static bool
is(const char *format, const char *text)
{
	return !format_fault(format_find(format), text);
}

/* Checks the text with every format; a text that matches one format of a pair also matches the
 * other. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const WIDER[][2] = {
		{ "uri", "uri-reference" },
		{ "uri", "iri" },
		{ "uri-reference", "iri-reference" },
		{ "iri", "iri-reference" },
		{ "email", "idn-email" },
		{ "hostname", "idn-hostname" },
		{ "ipv4", "hostname" },
		{ "uuid", "hostname" },
		{ "date", "hostname" },
		{ "ipv4", "uri-reference" },
		{ "hostname", "uri-reference" },
	};
	char *text = mem_strndup((const char *)data, size);

	for (const struct format *format = formats; format->name; format++) {
		const char *fault = format_fault(format, text);
		if (fault && strlen(fault) > 60)
			abort();
	}
	for (size_t i = 0; i < ARRAY_LEN(WIDER); i++)
		if (is(WIDER[i][0], text) && !is(WIDER[i][1], text))
			abort();
	free(text);
	return 0;
}
