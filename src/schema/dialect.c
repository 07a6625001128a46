#include "compile_priv.h"

#include <string.h>

static const struct dialect {
	enum schema_draft draft;
	const char *name;
	const char *uri; /* without scheme and trailing # */
} DIALECTS[] = {
	{ SCHEMA_DRAFT_04, "draft-04", "json-schema.org/draft-04/schema" },
	{ SCHEMA_DRAFT_06, "draft-06", "json-schema.org/draft-06/schema" },
	{ SCHEMA_DRAFT_07, "draft-07", "json-schema.org/draft-07/schema" },
	{ SCHEMA_DRAFT_2019_09, "2019-09", "json-schema.org/draft/2019-09/schema" },
	{ SCHEMA_DRAFT_2020_12, "2020-12", "json-schema.org/draft/2020-12/schema" },
};
#define DIALECT_COUNT (sizeof(DIALECTS) / sizeof(*DIALECTS))

const char *
schema_draft_name(enum schema_draft draft)
{
	for (size_t i = 0; i < DIALECT_COUNT; i++)
		if (DIALECTS[i].draft == draft)
			return DIALECTS[i].name;
	return "unknown";
}

enum schema_draft
dialect_from_uri(const char *uri)
{
	if (strncmp(uri, "http://", 7) == 0)
		uri += 7;
	else if (strncmp(uri, "https://", 8) == 0)
		uri += 8;
	else
		return SCHEMA_DRAFT_UNKNOWN;
	size_t len = strlen(uri);
	if (len > 0 && uri[len - 1] == '#')
		len--;
	for (size_t i = 0; i < DIALECT_COUNT; i++)
		if (strlen(DIALECTS[i].uri) == len && memcmp(DIALECTS[i].uri, uri, len) == 0)
			return DIALECTS[i].draft;
	return SCHEMA_DRAFT_UNKNOWN;
}
