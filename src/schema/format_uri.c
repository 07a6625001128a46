#include "format_priv.h"

#include "base/hex.h"

#include <string.h>

#define SUB_DELIMS "!$&'()*+,;="
#define UNRESERVED LETTERS DIGITS "-._~"

enum { NEEDS_SCHEME = 1 << 0, IS_IRI = 1 << 1 };

struct syntax {
	struct charset text; /* unreserved, sub-delims */
	unsigned also;
};

/* All of text[0..len) is of the syntax or one of these. */
static const char *
part_fault(
    const struct syntax *syntax, const char *extra, unsigned also, const char *text, size_t len)
{
	const char *end = text + len;
	struct charset set = syntax->text;

	charset_add(&set, extra);
	also |= syntax->also;
	while (text < end) {
		size_t n = charset_take(&set, also, text, end);
		if (n == 0)
			return charset_fault(also, *text);
		text += n;
	}
	return NULL;
}

/* "v1.x", RFC 3986 section 3.2.2. */
static bool
is_future_address(const char *text, size_t len)
{
	struct charset set = charset_of(UNRESERVED SUB_DELIMS ":");
	size_t at = 1;

	if (len == 0 || (*text | 0x20) != 'v')
		return false;
	while (at < len && hex_digit(text[at]) >= 0)
		at++;
	if (at == 1 || at + 1 >= len || text[at] != '.')
		return false;
	for (at++; at < len && charset_has(&set, text[at]);)
		at++;
	return at == len;
}

static const char *
host_part_fault(const struct syntax *syntax, const char *text, size_t len)
{
	if (len == 0 || *text != '[')
		return part_fault(syntax, "", 0, text, len);
	if (len > 2 && text[len - 1] == ']' &&
	    (ipv6_is(text + 1, len - 2, 1) || is_future_address(text + 1, len - 2)))
		return NULL;
	return "the brackets hold no IPv6 address";
}

static const char *
authority_fault(const struct syntax *syntax, const char *text, size_t len)
{
	const char *at = memchr(text, '@', len), *end = text + len;

	if (at) {
		const char *fault = part_fault(syntax, ":", 0, text, (size_t)(at - text));
		if (fault)
			return fault;
		text = at + 1;
	}
	const char *port = end;
	while (port > text && port[-1] >= '0' && port[-1] <= '9')
		port--;
	if (port > text && port[-1] == ':')
		end = port - 1;
	/* Any other colon is not part of a host, but in brackets. */
	if (text < end && *text != '[' && memchr(text, ':', (size_t)(end - text)))
		return "what follows the host's colon is not a port";
	return host_part_fault(syntax, text, (size_t)(end - text));
}

/* The end of a scheme and its colon; NULL without one. */
static const char *
after_scheme(const char *text)
{
	size_t n = strspn(text, LETTERS DIGITS "+-.");

	return n > 0 && text[n] == ':' && strchr(LETTERS, *text) ? text + n + 1 : NULL;
}

static const char *
path_fault(const struct syntax *syntax, const char *text, size_t len, bool scheme)
{
	const char *slash = memchr(text, '/', len);

	/* A colon in the first segment would make a scheme of it. */
	if (!scheme && memchr(text, ':', slash ? (size_t)(slash - text) : len))
		return "what stands before its colon is not a scheme";
	return part_fault(syntax, ":@/", 0, text, len);
}

static const char *
reference_fault(const char *text, unsigned kind)
{
	struct syntax syntax = { charset_of(UNRESERVED SUB_DELIMS), ALSO_PERCENT };
	const char *rest = after_scheme(text), *fault = NULL;
	bool scheme = rest != NULL;
	unsigned private = kind & IS_IRI ? ALSO_PRIVATE : 0;

	if (kind & IS_IRI)
		syntax.also |= ALSO_UCS;
	if (!scheme && kind & NEEDS_SCHEME)
		return "it does not begin with a scheme, such as https:";
	text = scheme ? rest : text;
	bool authority = text[0] == '/' && text[1] == '/';
	if (authority) {
		size_t n = strcspn(text + 2, "/?#");
		fault = authority_fault(&syntax, text + 2, n);
		text += 2 + n;
	}
	size_t path = strcspn(text, "?#");
	fault = fault ? fault : path_fault(&syntax, text, path, scheme || authority);
	text += path;
	if (!fault && *text == '?') {
		size_t query = strcspn(++text, "#");
		fault = part_fault(&syntax, ":@/?", private, text, query);
		text += query;
	}
	if (!fault && *text == '#')
		fault = part_fault(&syntax, ":@/?", 0, text + 1, strlen(text + 1));
	return fault;
}

const char *
uri_fault(const char *text)
{
	return reference_fault(text, NEEDS_SCHEME);
}

const char *
uri_reference_fault(const char *text)
{
	return reference_fault(text, 0);
}

const char *
iri_fault(const char *text)
{
	return reference_fault(text, IS_IRI | NEEDS_SCHEME);
}

const char *
iri_reference_fault(const char *text)
{
	return reference_fault(text, IS_IRI);
}
