#include "format_priv.h"

#include "base/hex.h"
#include "base/utf8.h"

#include <string.h>

void
charset_add(struct charset *set, const char *members)
{
	for (; *members; members++)
		set->bits[*members >> 6 & 1] |= UINT64_C(1) << (*members & 63);
}

struct charset
charset_of(const char *members)
{
	struct charset set = { { 0, 0 } };

	charset_add(&set, members);
	return set;
}

bool
charset_has(const struct charset *set, char c)
{
	unsigned char byte = (unsigned char)c;

	return byte < 128 && set->bits[byte >> 6] >> (byte & 63) & 1;
}

/* The formatting characters of RFC 3987 section 4.1. */
static bool
is_directing(uint32_t point)
{
	return point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e);
}

/* RFC 3987 section 2.2. */
static bool
is_ucs(uint32_t point)
{
	if (point < 0x10000)
		return (point >= 0xa0 && point < 0xd800) || (point >= 0xf900 && point <= 0xfdcf) ||
		       (point >= 0xfdf0 && point <= 0xffef);
	return point < 0xf0000 && (point & 0xffff) <= 0xfffd &&
	       (point < 0xe0000 || point >= 0xe1000);
}

static bool
is_private(uint32_t point)
{
	return (point >= 0xe000 && point <= 0xf8ff) ||
	       (point >= 0xf0000 && (point & 0xffff) <= 0xfffd);
}

size_t
charset_take(const struct charset *set, unsigned also, const char *text, const char *end)
{
	uint32_t point;

	if (charset_has(set, *text))
		return 1;
	if (*text == '%' && also & ALSO_PERCENT)
		return end - text >= 3 && hex_number(text + 1, 2) >= 0 ? 3 : 0;
	if (!((unsigned char)*text & 0x80) || !(also & (ALSO_UCS | ALSO_PRIVATE)))
		return 0;
	size_t n = utf8_decode(text, (size_t)(end - text), &point);
	if (n == 0 || (is_directing(point) && !(also & ALSO_DIRECTING)))
		return 0;
	bool may = (also & ALSO_UCS && is_ucs(point)) || (also & ALSO_PRIVATE && is_private(point));
	return may ? n : 0;
}

const char *
charset_fault(unsigned also, char c)
{
	if (c == '%')
		return "% is not followed by two hexadecimal digits";
	if (c == ' ')
		return "a space must be written as %20";
	if ((unsigned char)c & 0x80 && !(also & ALSO_UCS))
		return "a character outside ASCII must be written as %XX";
	return strchr("\\^`{|}<>\"", c) ? "one of \\ ^ ` { | } < > \" stands in it"
					: "a character is not allowed in that place";
}
