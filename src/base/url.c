/* SPDX-License-Identifier: MIT */
#include "base/url.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <string.h>
#include <strings.h>

/* Return the part from *at up to one of the characters or the end, and move *at there. */
static struct url_part
take_part(const char **at, const char *end, const char *stops)
{
	struct url_part part = { *at, 0 };

	while (*at < end && !strchr(stops, **at))
		++*at;
	part.len = (size_t)(*at - part.at);
	return part;
}

void
url_split(struct url *u, const char *text, size_t len)
{
	const char *at = text, *end = text + strnlen(text, len);
	const char *slashes = memmem(text, (size_t)(end - text), "://", 3);

	*u = (struct url){ 0 };
	if (slashes) {
		u->scheme = (struct url_part){ text, (size_t)(slashes - text) };
		at = slashes + 3;
	}
	u->authority = take_part(&at, end, "/?#");
	const char *login = memrchr(u->authority.at, '@', u->authority.len);
	if (login) {
		u->user = (struct url_part){ u->authority.at, (size_t)(login - u->authority.at) };
		u->authority.at = login + 1;
		u->authority.len -= u->user.len + 1;
	}
	const char *host = u->authority.at, *host_end = at;
	const char *bracket =
	    *host == '[' && u->authority.len ? memchr(host, ']', u->authority.len) : NULL;
	const char *colon = bracket ? bracket + 1 : memchr(host, ':', u->authority.len);
	if (colon && colon < host_end && *colon == ':') {
		u->port = (struct url_part){ colon + 1, (size_t)(host_end - colon - 1) };
		host_end = colon;
	}
	u->host = (struct url_part){ host, (size_t)(host_end - host) };
	u->path = take_part(&at, end, "?#");
	if (at < end && *at == '?') {
		at++;
		u->query = take_part(&at, end, "#");
	}
	if (at < end)
		u->fragment = (struct url_part){ at + 1, (size_t)(end - at - 1) };
}

bool
url_part_is(const struct url_part *part, const char *word)
{
	return part->at && part->len == strlen(word) && strncasecmp(part->at, word, part->len) == 0;
}

int
url_port(const struct url_part *port)
{
	int number = 0;

	for (size_t i = 0; i < port->len; i++) {
		if (!ascii_is_digit((unsigned char)port->at[i]) || number > 65535)
			return -1;
		number = number * 10 + (port->at[i] - '0');
	}
	return port->len > 0 && number <= 65535 ? number : -1;
}

bool
url_is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~' || strchr("\"<>\\^`{|}", *text))
			return false;
	return true;
}

bool
is_plain_web_url(const char *text)
{
	return strncasecmp(text, "http://", 7) == 0;
}

bool
is_web_url(const char *text)
{
	return is_plain_web_url(text) || strncasecmp(text, "https://", 8) == 0;
}

const char *
web_url_host(const char *url, size_t *len)
{
	struct url u;

	url_split(&u, url, strlen(url));
	*len = u.host.len ? u.authority.len : 0;
	return u.authority.at;
}

void
percent_encode(struct buf *out, const char *text, const char *plain)
{
	for (; *text; text++) {
		if (ascii_is_alnum(*text) || strchr(plain, *text))
			buf_add_char(out, *text);
		else
			buf_addf(out, "%%%02X", (unsigned char)*text);
	}
}

bool
percent_decode(struct buf *out, const char *text, size_t len)
{
	bool ok = true;

	for (size_t i = 0; i < len; i++) {
		int byte = text[i] == '%' && len - i > 2 ? hex_number(text + i + 1, 2) : -1;
		ok = ok && (byte >= 0 || text[i] != '%');
		buf_add_char(out, byte < 0 ? text[i] : (char)byte);
		i += byte < 0 ? 0 : 2;
	}
	return ok;
}

/* Networks that are not on the Internet (RFC 6890). */
static const struct network {
	uint32_t address;
	int bits;
	enum ip_range range;
} networks[] = {
	{ 0x7f000000, 8, IP_LOOPBACK },
	{ 0x00000000, 8, IP_PRIVATE },
	{ 0x0a000000, 8, IP_PRIVATE },
	{ 0x64400000, 10, IP_PRIVATE },
	{ 0xa9fe0000, 16, IP_PRIVATE },
	{ 0xac100000, 12, IP_PRIVATE },
	{ 0xc0000000, 24, IP_PRIVATE },
	{ 0xc0a80000, 16, IP_PRIVATE },
	{ 0xc6120000, 15, IP_PRIVATE },
	{ 0xe0000000, 3, IP_PRIVATE },
};

enum ip_range
ip_v4_range(const uint8_t b[4])
{
	uint32_t address = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];

	for (size_t i = 0; i < ARRAY_LEN(networks); i++)
		if ((address ^ networks[i].address) >> (32 - networks[i].bits) == 0)
			return networks[i].range;
	return IP_PUBLIC;
}

enum ip_range
ip_v6_range(const uint8_t b[16])
{
	static const uint8_t zero[16], mapped[12] = { [10] = 0xff, [11] = 0xff },
				       nat64[12] = { 0x00, 0x64, 0xff, 0x9b };

	if (memcmp(b, mapped, 12) == 0 || memcmp(b, nat64, 12) == 0)
		return ip_v4_range(b + 12);
	if (memcmp(b, zero, 15) == 0)
		return b[15] == 1 ? IP_LOOPBACK : IP_PRIVATE;
	/* only 2000::/3 is allocated; within it 2001:0000::/23 and 2002::/16 are special */
	bool special = (b[0] == 0x20 && b[1] == 0x01 && b[2] < 2) || (b[0] == 0x20 && b[1] == 0x02);
	return (b[0] & 0xe0) != 0x20 || special ? IP_PRIVATE : IP_PUBLIC;
}
