#include "format_priv.h"

#include <string.h>

/* RFC 6570 section 2.1, with the apostrophe that erratum 6937 lets in. */
#define LITERALS LETTERS DIGITS "!#$&'()*+,-./:;=?@[]_~"
#define OPERATORS "+#./;?&=,!@|"

/* ":3" or "*" or nothing. */
static bool
take_modifier(const char **at)
{
	if (**at == '*') {
		(*at)++;
		return true;
	}
	if (**at != ':')
		return true;
	size_t digits = strspn(++*at, DIGITS);
	if (digits == 0 || digits > 4 || **at == '0')
		return false;
	*at += digits;
	return true;
}

/* A name: letters, digits, _ and %41, with single dots between them. */
static bool
take_name(const struct charset *set, const char **at, const char *end)
{
	for (;;) {
		size_t n = charset_take(set, ALSO_PERCENT, *at, end);
		if (n == 0)
			return false;
		do
			*at += n;
		while (*at < end && (n = charset_take(set, ALSO_PERCENT, *at, end)) > 0);
		if (**at != '.')
			return true;
		(*at)++;
	}
}

/* What follows "{", with its "}". */
static const char *
take_expression(const struct charset *names, const char **at, const char *end)
{
	if (**at && strchr(OPERATORS, **at))
		(*at)++;
	for (;;) {
		if (!take_name(names, at, end))
			return **at == '}' || **at == ',' ? "a name is missing in braces"
							  : "a name in braces is not one";
		if (!take_modifier(at))
			return "the length after : is not between 1 and 9999";
		if (**at == '}') {
			(*at)++;
			return NULL;
		}
		if (**at != ',')
			return **at ? "names in braces stand apart by commas alone"
				    : "a brace is not closed";
		(*at)++;
	}
}

const char *
uri_template_fault(const char *text)
{
	struct charset literals = charset_of(LITERALS), names = charset_of(LETTERS DIGITS "_");
	unsigned also = ALSO_PERCENT | ALSO_UCS | ALSO_PRIVATE | ALSO_DIRECTING;
	const char *end = text + strlen(text);

	while (text < end) {
		if (*text == '{') {
			text++;
			const char *fault = take_expression(&names, &text, end);
			if (fault)
				return fault;
			continue;
		}
		size_t n = charset_take(&literals, also, text, end);
		if (n == 0)
			return *text == '}' ? "a brace closes that was not opened"
					    : charset_fault(also, *text);
		text += n;
	}
	return NULL;
}
