#include "model/link.h"

#include "auth/url.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void
warn(struct link *l, const char *text)
{
	if (l->warning_count < LINK_WARNINGS)
		l->warnings[l->warning_count++] = text;
}

/* The authority without user name and port: RFC 3986 section 3.2. */
static void
find_host(struct link *l, const char *url)
{
	const char *start = strstr(url, "://");

	if (!start)
		return;
	start += 3;
	const char *end = start + strcspn(start, "/?#");
	for (const char *at = start; at < end; at++)
		if (*at == '@') {
			start = at + 1;
			if (l->warning_count == 0)
				warn(l, "what stands before the @ is a user name, not the host");
		}
	const char *stop = *start == '[' ? strchr(start, ']') : NULL;
	if (stop && stop < end)
		stop++;
	else
		stop = memchr(start, ':', (size_t)(end - start));
	l->host = (size_t)(start - url);
	l->host_len = (size_t)((stop ? stop : end) - start);
}

enum script { SCRIPT_LATIN = 1, SCRIPT_GREEK = 2, SCRIPT_CYRILLIC = 4, SCRIPT_OTHER = 8 };

static unsigned
script_of(uint32_t c)
{
	if (c < 0x80)
		return (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? SCRIPT_LATIN : 0;
	if (c < 0x250)
		return SCRIPT_LATIN;
	if (c >= 0x370 && c < 0x400)
		return SCRIPT_GREEK;
	return c >= 0x400 && c < 0x530 ? SCRIPT_CYRILLIC : SCRIPT_OTHER;
}

static bool
has_label(const char *host, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	for (size_t i = 0; i + n <= len; i++)
		if ((i == 0 || host[i - 1] == '.') && strncasecmp(host + i, prefix, n) == 0)
			return true;
	return false;
}

static void
inspect_host(struct link *l, const char *host, size_t len)
{
	unsigned scripts = 0;
	bool foreign = false;
	uint32_t c;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(host + i, len - i, &c);
		if (n > 0)
			scripts |= script_of(c);
		foreign = foreign || (unsigned char)host[i] >= 0x80;
		i += n > 0 ? n : 1;
	}
	if (scripts & (scripts - 1))
		warn(l, "the host mixes scripts: letters may only look like others");
	else if (foreign)
		warn(l, "the host is not plain ASCII: letters may only look like others");
	if (has_label(host, len, "xn--"))
		warn(l, "the host is punycode (xn--): browsers may show other letters");
}

void
link_inspect(struct link *l, const char *url)
{
	struct err err = { "" };

	*l = (struct link){ 0 };
	find_host(l, url);
	inspect_host(l, url + l->host, l->host_len);
	if (strchr(url, '\\'))
		warn(l, "a backslash is in it: programs disagree on where the host ends");
	for (const char *c = url; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f) {
			warn(l, "white space or a control character is in it");
			break;
		}
	l->openable = auth_url_is_safe(url, &err);
	if (!l->openable)
		snprintf(l->refusal, sizeof(l->refusal), "%.150s", err.text);
}
