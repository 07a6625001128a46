#include "host_priv.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>

/* Networks that are nobody's on the Internet (RFC 6890). */
static const struct network {
	uint32_t address;
	int bits;
	enum auth_host kind;
} networks[] = {
	{ 0x7f000000, 8, AUTH_HOST_LOOPBACK },
	{ 0x00000000, 8, AUTH_HOST_PRIVATE },
	{ 0x0a000000, 8, AUTH_HOST_PRIVATE },
	{ 0x64400000, 10, AUTH_HOST_PRIVATE },
	{ 0xa9fe0000, 16, AUTH_HOST_PRIVATE },
	{ 0xac100000, 12, AUTH_HOST_PRIVATE },
	{ 0xc0000000, 24, AUTH_HOST_PRIVATE },
	{ 0xc0a80000, 16, AUTH_HOST_PRIVATE },
	{ 0xc6120000, 15, AUTH_HOST_PRIVATE },
	{ 0xe0000000, 3, AUTH_HOST_PRIVATE },
};

static enum auth_host
classify_v4(const uint8_t b[4])
{
	uint32_t address = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];

	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		if ((address ^ networks[i].address) >> (32 - networks[i].bits) == 0)
			return networks[i].kind;
	return AUTH_HOST_PUBLIC;
}

static enum auth_host
classify_v6(const uint8_t b[16])
{
	static const uint8_t zero[16], mapped[12] = { [10] = 0xff, [11] = 0xff },
				       nat64[12] = { 0x00, 0x64, 0xff, 0x9b };

	if (memcmp(b, mapped, 12) == 0 || memcmp(b, nat64, 12) == 0)
		return classify_v4(b + 12);
	if (memcmp(b, zero, 15) == 0)
		return b[15] == 1 ? AUTH_HOST_LOOPBACK : AUTH_HOST_PRIVATE;
	/* only 2000::/3 is given out; of it 2001:0000::/23 and 2002::/16 are special */
	bool special = (b[0] == 0x20 && b[1] == 0x01 && b[2] < 2) || (b[0] == 0x20 && b[1] == 0x02);
	return (b[0] & 0xe0) != 0x20 || special ? AUTH_HOST_PRIVATE : AUTH_HOST_PUBLIC;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Letters, digits, '-', '_' in labels of at least one. */
static bool
is_name(const char *host)
{
	size_t label = 0;

	for (const char *c = host; *c; c++) {
		bool letter = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
		if (*c == '.' && label == 0)
			return false;
		if (!letter && *c != '-' && *c != '_' && *c != '.')
			return false;
		label = *c == '.' ? 0 : label + 1;
	}
	return host[0] != '\0' && label > 0 && strlen(host) <= 253;
}

/* The C library takes such a name for an address. */
static bool
ends_in_number(const char *host)
{
	const char *dot = strrchr(host, '.');
	const char *last = dot ? dot + 1 : host;

	return strspn(last, "0123456789") == strlen(last) ||
	       (strncmp(last, "0x", 2) == 0 &&
		   strspn(last + 2, "0123456789abcdef") == strlen(last + 2));
}

bool
host_classify(const char *host, enum auth_host *kind)
{
	uint8_t bytes[16];
	size_t len = strlen(host);
	char inner[64];

	if (host[0] == '[') {
		if (len < 3 || len - 2 >= sizeof(inner) || host[len - 1] != ']')
			return false;
		memcpy(inner, host + 1, len - 2);
		inner[len - 2] = '\0';
		if (inet_pton(AF_INET6, inner, bytes) != 1)
			return false;
		*kind = classify_v6(bytes);
		return true;
	}
	if (inet_pton(AF_INET, host, bytes) == 1) {
		*kind = classify_v4(bytes);
		return true;
	}
	if (!is_name(host) || ends_in_number(host))
		return false;
	bool here = strcmp(host, "localhost") == 0 || ends_with(host, ".localhost");
	*kind = here ? AUTH_HOST_LOOPBACK : AUTH_HOST_PUBLIC;
	return true;
}
