/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "schema/regex/regex.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* A pattern in the first line, a text in the rest. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memchr(data, '\n', size);

	if (!cut)
		return 0;
	char *pattern = mem_strndup((const char *)data, (size_t)(cut - data));
	char *text = mem_strndup((const char *)cut + 1, size - (size_t)(cut - data) - 1);
	enum regex_syntax syntax;
	struct regex_run run = { 0 };
	struct regex_room room = { 0 };
	struct regex *regex = regex_create(pattern, &room, &syntax);

	if ((regex != NULL) != (syntax == REGEX_FINE))
		abort();
	if (regex) {
		enum regex_answer quick = regex_match(regex, text, &run);
		enum regex_answer full = regex_match_by_trying(regex, text, &run);
		bool told = quick != REGEX_UNKNOWN && full != REGEX_UNKNOWN;
		/* PCRE2 gets U+FFFD for bytes that are not UTF-8 */
		if (told && quick != full && utf8_first_invalid(text, strlen(text)) == strlen(text))
			abort();
	}
	regex_fault(pattern);
	regex_run_finish(&run);
	regex_destroy(regex);
	free(pattern);
	free(text);
	return 0;
}
