#include "format_idna_priv.h"
#include "format_priv.h"

#include "base/utf8.h"

#include <string.h>

#define HOST_MAX 253 /* octets as sent, with the dots */

struct host {
	unsigned flags;
	size_t octets;
	bool rtl, disordered;
};

static const char BAD_TEXT[] = "only letters, digits and hyphens are allowed";

/* RFC 3490 section 3.1. */
static bool
is_idn_dot(uint32_t point)
{
	return point == 0x3002 || point == 0xff0e || point == 0xff61;
}

/* The label at *at, without the dot after it, which *dot says. False: longer than any can be. */
static bool
take_label(
    const char **at, const char *end, const struct host *host, struct label *label, bool *dot)
{
	bool idn = host->flags & HOST_IDN;

	label->count = 0;
	*dot = false;
	while (*at < end && !*dot) {
		uint32_t point;
		size_t n = utf8_decode(*at, (size_t)(end - *at), &point);
		*at += n ? n : 1;
		*dot = n && (point == '.' || (idn && is_idn_dot(point)));
		if (*dot)
			break;
		if (label->count == LABEL_MAX)
			return false;
		label->points[label->count++] = n ? point : UINT32_MAX;
	}
	return true;
}

static bool
is_ascii(const struct label *label)
{
	for (size_t i = 0; i < label->count; i++)
		if (label->points[i] >= 0x80)
			return false;
	return true;
}

/* RFC 5891 section 5.4; becomes the U-label that it stands for. */
static const char *
a_label_fault(struct label *label)
{
	char text[LABEL_MAX], again[PUNYCODE_MAX];
	size_t len = label->count - 4;

	for (size_t i = 0; i < len; i++)
		text[i] = (char)label->points[i + 4];
	if (len == 0 || !punycode_decode(text, len, label) || is_ascii(label) ||
	    punycode_encode(label, again) != len || memcmp(text, again, len) != 0)
		return "a label that begins with xn-- is not Punycode";
	return label_fault(label, true);
}

/* RFC 1123 section 2.1. */
static const char *
ascii_fault(struct label *label)
{
	static const char PREFIX[] = "xn--";
	uint32_t *points = label->points;
	size_t same = 0;

	for (size_t i = 0; i < label->count; i++) {
		if (points[i] >= 'A' && points[i] <= 'Z')
			points[i] |= 0x20;
		bool letter = points[i] >= 'a' && points[i] <= 'z';
		if (!letter && points[i] != '-' && (points[i] < '0' || points[i] > '9'))
			return BAD_TEXT;
	}
	if (points[0] == '-' || points[label->count - 1] == '-')
		return "a label begins or ends with a hyphen";
	while (same < label->count && PREFIX[same] && points[same] == (uint32_t)PREFIX[same])
		same++;
	return PREFIX[same] ? NULL : a_label_fault(label);
}

static const char *
idn_fault(const struct host *host, const struct label *label, size_t *octets)
{
	char encoded[PUNYCODE_MAX];

	if (!(host->flags & HOST_IDN))
		return BAD_TEXT;
	const char *fault = label_fault(label, !(host->flags & HOST_NOT_NORMAL));
	if (fault)
		return fault;
	*octets = punycode_encode(label, encoded) + 4;
	return *octets == 4 ? "a label is longer than 63 characters in Punycode" : NULL;
}

static const char *
add_label(struct host *host, struct label *label)
{
	size_t octets = label->count;

	if (octets == 0)
		return host->octets == 0 ? "it begins with a dot"
					 : "a dot is followed by another or by nothing";
	const char *fault = is_ascii(label) ? ascii_fault(label) : idn_fault(host, label, &octets);
	if (fault)
		return fault;
	host->octets += octets;
	if (is_ascii(label)) {
		host->disordered |= label->points[0] <= '9'; /* a digit begins it */
	} else {
		host->rtl |= label_is_rtl(label);
		host->disordered |= !label_is_ordered(label);
	}
	return NULL;
}

const char *
host_fault(const char *text, size_t len, unsigned flags)
{
	struct host host = { .flags = flags };
	const char *end = text + len;
	bool dot;

	if (len == 0)
		return "it is empty";
	do {
		struct label label;
		if (!take_label(&text, end, &host, &label, &dot))
			return "a label is longer than 63 characters";
		const char *fault = add_label(&host, &label);
		if (fault)
			return fault;
		host.octets += dot;
		if (host.octets > HOST_MAX)
			return "it is longer than 253 characters";
	} while (dot);
	if (host.rtl && host.disordered)
		return "it mixes writing directions (RFC 5893)";
	return NULL;
}

const char *
hostname_fault(const char *text)
{
	return host_fault(text, strlen(text), 0);
}

const char *
idn_hostname_fault(const char *text)
{
	return host_fault(text, strlen(text), HOST_IDN);
}
