#include "format_priv.h"

#include "base/hex.h"

#include <string.h>

bool
ipv4_is(const char *text, size_t len)
{
	const char *end = text + len;

	for (unsigned parts = 1;; parts++) {
		const char *first = text;
		unsigned value = 0;
		while (text < end && *text >= '0' && *text <= '9' && text - first < 4)
			value = value * 10 + (unsigned)(*text++ - '0');
		if (text == first || text - first > 3 || value > 255 ||
		    (text - first > 1 && *first == '0'))
			return false;
		if (text == end)
			return parts == 4;
		if (*text++ != '.' || parts == 4)
			return false;
	}
}

/* A group of one to four digits; its length, 0 without one. */
static size_t
group_length(const char *text, const char *end)
{
	size_t n = 0;

	while (text + n < end && n < 5 && hex_digit(text[n]) >= 0)
		n++;
	return n < 5 ? n : 0;
}

bool
ipv6_is(const char *text, size_t len, unsigned least_gap)
{
	const char *end = text + len;
	unsigned groups = 0;
	bool gap = false, more = true;

	if (len >= 2 && memcmp(text, "::", 2) == 0) {
		gap = true;
		text += 2;
		more = text < end;
	}
	while (more && groups < 8) {
		size_t n = group_length(text, end);
		if (n == 0)
			return false;
		if (text + n < end && text[n] == '.') {
			groups += 2;
			if (!ipv4_is(text, (size_t)(end - text)))
				return false;
			more = false;
			break;
		}
		groups++;
		text += n;
		more = text < end;
		if (more && *text++ != ':')
			return false;
		if (more && text < end && *text == ':') {
			if (gap)
				return false;
			gap = true;
			more = ++text < end;
		}
	}
	return !more && (gap ? groups + least_gap <= 8 : groups == 8);
}

const char *
ipv4_fault(const char *text)
{
	if (ipv4_is(text, strlen(text)))
		return NULL;
	if (*text == '\0' || strspn(text, DIGITS ".") < strlen(text))
		return "";
	return "it must be four numbers up to 255 without leading zeros";
}

const char *
ipv6_fault(const char *text)
{
	size_t len = strlen(text);

	if (ipv6_is(text, len, 1))
		return NULL;
	if (strchr(text, '%'))
		return "a zone (after %) is not part of it";
	if (strchr(text, '/'))
		return "a prefix length (after /) is not part of it";
	return *text == '[' ? "brackets are not part of it" : "";
}
