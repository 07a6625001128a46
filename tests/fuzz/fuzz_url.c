/* SPDX-License-Identifier: MIT */
/* Any text as a URL: its parts and their delimiters are the whole text, in order. */
#include "fuzz.h"

#include "base/url.h"

#include <string.h>

static const char *
pass(const char *at, const struct url_part *part, const char *delimiter)
{
	if (!part->at)
		return at;
	demand(part->at == at + strlen(delimiter));
	demand(memcmp(at, delimiter, strlen(delimiter)) == 0);
	return part->at + part->len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *at = text;
	struct url u;

	url_split(&u, text, size);
	if (u.scheme.at) {
		at = pass(at, &u.scheme, "");
		demand(memcmp(at, "://", 3) == 0);
		at += 3;
	}
	if (u.user.at) {
		at = pass(at, &u.user, "");
		demand(*at++ == '@');
	}
	demand(u.host.at && u.path.at && u.authority.at == u.host.at);
	demand(!memchr(u.authority.at, '@', u.authority.len));
	at = pass(at, &u.host, "");
	at = pass(at, &u.port, ":");
	demand(at == u.authority.at + u.authority.len);
	at = pass(at, &u.path, "");
	at = pass(at, &u.query, "?");
	at = pass(at, &u.fragment, "#");
	demand(at == text + strnlen(text, size));
	demand(url_port(&u.port) <= 65535);
	return 0;
}
