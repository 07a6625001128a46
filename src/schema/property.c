#include "property_priv.h"

#include "backtrack_priv.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PAGES (0x110000 / 64)

struct property {
	char *text;
	struct backtrack *asked;
	_Atomic uint64_t *pages; /* a bit for each character; racing threads write the same */
	_Atomic uint64_t *known; /* bits: pages that are filled in */
};

struct property *
property_create(const char *text, size_t len)
{
	char *pattern = mem_printf("\\p%.*s", (int)len, text);
	struct backtrack *asked = backtrack_create(pattern, strlen(pattern));
	struct property *property = NULL;

	free(pattern);
	if (asked) {
		property = mem_zalloc(sizeof(*property));
		property->text = mem_strndup(text, len);
		property->asked = asked;
		property->pages = mem_zalloc(PAGES * sizeof(*property->pages));
		property->known = mem_zalloc(PAGES / 64 * sizeof(*property->known));
	}
	return property;
}

void
property_destroy(struct property *property)
{
	if (!property)
		return;
	backtrack_destroy(property->asked);
	free(property->text);
	free((void *)property->pages);
	free((void *)property->known);
	free(property);
}

bool
property_is(const struct property *property, const char *text, size_t len)
{
	return strlen(property->text) == len && memcmp(property->text, text, len) == 0;
}

/* No text for PCRE2 has a surrogate. */
static bool
surrogates_have(const char *text)
{
	return strcmp(text, "{Cs}") == 0 || strcmp(text, "{C}") == 0 || strcmp(text, "{Any}") == 0;
}

static uint64_t
ask_page(const struct property *property, uint32_t page)
{
	struct backtrack_run run = { 0 };
	uint64_t bits = 0;

	for (uint32_t ch = page * 64; ch < page * 64 + 64; ch++) {
		char text[5] = "\xc0\x80"; /* a NUL */
		if (ch > 0)
			text[utf8_encode(ch, text)] = '\0';
		bool has = ch >= 0xd800 && ch < 0xe000
			       ? surrogates_have(property->text)
			       : backtrack_match(property->asked, text, &run) > 0;
		bits |= (uint64_t)has << (ch % 64);
	}
	backtrack_run_finish(&run);
	return bits;
}

bool
property_holds(const struct property *property, uint32_t ch)
{
	uint32_t page = ch / 64;
	uint64_t bit = (uint64_t)1 << (page % 64);

	if (!(atomic_load(&property->known[page / 64]) & bit)) {
		atomic_store(&property->pages[page], ask_page(property, page));
		atomic_fetch_or(&property->known[page / 64], bit);
	}
	return atomic_load(&property->pages[page]) >> (ch % 64) & 1;
}
