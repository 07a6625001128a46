#include "mcp/media.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *type;
	size_t at; /* of the second mark; the first is at the beginning */
	const char *first, *second;
} marks[] = {
	{ "image/png", 4, "\x89PNG", "\r\n\x1a\n" },
	{ "image/jpeg", 2, "\xff\xd8", "\xff" },
	{ "image/gif", 4, "GIF8", "" },
	{ "image/webp", 8, "RIFF", "WEBP" },
	{ "audio/wav", 8, "RIFF", "WAVE" },
	{ "audio/mpeg", 3, "ID3", "" },
	{ "audio/ogg", 4, "OggS", "" },
	{ "audio/flac", 4, "fLaC", "" },
	{ "application/pdf", 5, "%PDF-", "" },
};
#define MARKS (sizeof(marks) / sizeof(*marks))

const char *
media_type_of(const void *bytes, size_t len)
{
	const char *text = bytes;

	for (size_t i = 0; i < MARKS; i++) {
		size_t first = strlen(marks[i].first), second = strlen(marks[i].second);
		if (len >= marks[i].at + second && memcmp(text, marks[i].first, first) == 0 &&
		    memcmp(text + marks[i].at, marks[i].second, second) == 0)
			return marks[i].type;
	}
	return NULL;
}

/* Names that mean the same; "image/jpg" is wrong, and common. */
static const char *const aliases[][2] = {
	{ "image/jpg", "image/jpeg" },
	{ "audio/wave", "audio/wav" },
	{ "audio/x-wav", "audio/wav" },
	{ "audio/vnd.wave", "audio/wav" },
	{ "audio/mp3", "audio/mpeg" },
	{ "audio/x-flac", "audio/flac" },
};

/* The type as marks[] has it; NULL: of no kind that could be told by its bytes. */
static const char *
known(const char *said)
{
	size_t len = strcspn(said, "; ");

	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strlen(aliases[i][0]) == len && strncasecmp(said, aliases[i][0], len) == 0)
			return aliases[i][1];
	for (size_t i = 0; i < MARKS; i++)
		if (strlen(marks[i].type) == len && strncasecmp(said, marks[i].type, len) == 0)
			return marks[i].type;
	return NULL;
}

bool
media_type_differs(const char *said, const char *found)
{
	const char *type = said ? known(said) : NULL;

	if (!type)
		return false;
	return found ? strcmp(type, found) != 0 : strcmp(type, "audio/mpeg") != 0;
}
