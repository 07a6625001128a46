/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"

#include <string.h>

/* ---- references ---- */

/* The parts of a URI reference, RFC 3986 section 3. A missing part has a NULL start. */
struct part {
	const char *at;
	size_t len;
};

struct uri {
	struct part scheme, authority, path, query, fragment;
};

static void
uri_split(const char *text, struct uri *uri)
{
	*uri = (struct uri){ 0 };
	size_t n = strcspn(text, ":/?#");
	if (text[n] == ':' && n > 0) {
		uri->scheme = (struct part){ text, n };
		text += n + 1;
	}
	if (text[0] == '/' && text[1] == '/') {
		text += 2;
		n = strcspn(text, "/?#");
		uri->authority = (struct part){ text, n };
		text += n;
	}
	n = strcspn(text, "?#");
	uri->path = (struct part){ text, n };
	text += n;
	if (*text == '?') {
		text++;
		n = strcspn(text, "#");
		uri->query = (struct part){ text, n };
		text += n;
	}
	if (*text == '#')
		uri->fragment = (struct part){ text + 1, strlen(text + 1) };
}

/* RFC 3986 section 5.2.4, on path[from..). */
static void
remove_dots(struct buf *path)
{
	struct buf out = BUF_INIT;
	const char *at = buf_text(path);

	while (*at) {
		size_t n = strcspn(at + 1, "/") + 1;
		bool last = at[n] == '\0';
		if (n == 2 && memcmp(at, "/.", 2) == 0) {
			if (last)
				buf_add_char(&out, '/');
		} else if (n == 3 && memcmp(at, "/..", 3) == 0) {
			while (out.len > 0 && out.data[out.len - 1] != '/')
				buf_truncate(&out, out.len - 1);
			if (out.len > 0)
				buf_truncate(&out, out.len - 1);
			if (last)
				buf_add_char(&out, '/');
		} else {
			buf_add(&out, at, n);
		}
		at += n;
	}
	buf_clear(path);
	buf_add(path, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
add_part(struct buf *out, const char *before, const struct part *part, const char *after)
{
	if (!part->at)
		return;
	buf_add_str(out, before);
	buf_add(out, part->at, part->len);
	buf_add_str(out, after);
}

void
uri_resolve(const char *base_text, const char *reference, struct buf *out)
{
	struct uri base, ref;
	struct buf path = BUF_INIT;

	uri_split(base_text, &base);
	uri_split(reference, &ref);
	if (!ref.scheme.at) {
		ref.scheme = base.scheme;
		if (!ref.authority.at) {
			ref.authority = base.authority;
			if (ref.path.len == 0) {
				if (!ref.query.at)
					ref.query = base.query;
				buf_add(&path, base.path.at, base.path.len);
			} else if (ref.path.at[0] != '/') {
				/* RFC 3986 section 5.2.3. */
				size_t keep = base.path.len;
				while (keep > 0 && base.path.at[keep - 1] != '/')
					keep--;
				buf_add(&path, base.path.at, keep);
				if (base.authority.at && base.path.len == 0)
					buf_add_char(&path, '/');
				buf_add(&path, ref.path.at, ref.path.len);
			}
		}
	}
	if (path.len == 0)
		buf_add(&path, ref.path.at, ref.path.len);
	if (path.len > 0 && path.data[0] == '/')
		remove_dots(&path);
	add_part(out, "", &ref.scheme, ":");
	add_part(out, "//", &ref.authority, "");
	buf_add(out, buf_text(&path), path.len);
	add_part(out, "?", &ref.query, "");
	add_part(out, "#", &ref.fragment, "");
	buf_finish(&path);
}

/* ---- formats ---- */

#define SUB_DELIMS "!$&'()*+,;="
#define UNRESERVED LETTERS DIGITS "-._~"

enum { NEEDS_SCHEME = 1 << 0, IS_IRI = 1 << 1 };

struct syntax {
	struct charset text; /* unreserved, sub-delims */
	unsigned also;
};

/* All of text[0..len) consists of allowed characters or of these. */
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
	/* Any other colon belongs to the host only within brackets. */
	if (text < end && *text != '[' && memchr(text, ':', (size_t)(end - text)))
		return "the host's colon is not followed by a port";
	len = (size_t)(end - text);
	if (len == 0 || *text != '[')
		return part_fault(syntax, "", 0, text, len);
	if (len > 2 && text[len - 1] == ']' &&
	    (ipv6_is(text + 1, len - 2, 1) || is_future_address(text + 1, len - 2)))
		return NULL;
	return "the brackets do not contain an IPv6 address";
}

/* The end of the scheme and its colon; NULL without a scheme. */
static const char *
after_scheme(const char *text)
{
	size_t n = strspn(text, LETTERS DIGITS "+-.");

	return n > 0 && text[n] == ':' && strchr(LETTERS, *text) ? text + n + 1 : NULL;
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
	/* a colon in the first segment would be read as the end of a scheme */
	if (!fault && !scheme && !authority && memchr(text, ':', strcspn(text, "/?#")))
		fault = "the part before its colon is not a scheme";
	fault = fault ? fault : part_fault(&syntax, ":@/", 0, text, path);
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

/* ---- templates ---- */

/* RFC 6570 section 2.1, plus the apostrophe, which erratum 6937 allows. */
#define LITERALS LETTERS DIGITS "!#$&'()*+,-./:;=?@[]_~"
#define OPERATORS "+#./;?&=,!@|"

/* ":3", "*" or nothing. */
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

/* A name: letters, digits, _ and %41, separated by single dots. */
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

/* The rest of an expression after "{", with its "}". */
static const char *
take_expression(const struct charset *names, const char **at, const char *end)
{
	if (**at && strchr(OPERATORS, **at))
		(*at)++;
	for (;;) {
		if (!take_name(names, at, end))
			return **at == '}' || **at == ',' ? "a name is missing in braces"
							  : "a name in braces is invalid";
		if (!take_modifier(at))
			return "the length after : is not between 1 and 9999";
		if (**at == '}') {
			(*at)++;
			return NULL;
		}
		if (**at != ',')
			return **at ? "names in braces must be separated by commas"
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
			return *text == '}' ? "a closing brace has no opening brace"
					    : charset_fault(also, *text);
		text += n;
	}
	return NULL;
}
