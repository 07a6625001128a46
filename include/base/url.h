/* SPDX-License-Identifier: MIT */
#ifndef BASE_URL_H
#define BASE_URL_H

#include "base/buf.h"

#include <stdint.h>

/* Part of a URL: a pointer into its text; NULL if the part is absent. */
struct url_part {
	const char *at;
	size_t len;
};

/* The parts of a URL (RFC 3986 section 3), without their delimiters. */
struct url {
	struct url_part scheme; /* the text before the first "://" */
	struct url_part user;   /* and password: up to the last @ of the authority */
	struct url_part host;   /* never absent; an IPv6 address with its brackets */
	struct url_part port;
	struct url_part authority; /* host and port */
	struct url_part path;      /* never absent; begins with '/' unless it is empty */
	struct url_part query, fragment;
};

/* Split text[0..len). A text without "://" begins with its user or host. Each byte belongs to a
 * part or is a delimiter; no part is checked. */
void url_split(struct url *u, const char *text, size_t len);
/* Return whether the part is present and equals the word, ignoring case. */
bool url_part_is(const struct url_part *part, const char *word);
/* Return the number of a port, 0 to 65535, or -1 if the part is anything else. */
int url_port(const struct url_part *port);
/* Return whether the text has only characters that RFC 3986 allows in URLs. */
bool url_is_plain(const char *text);

/* Return whether the text begins with http:// or https://, in any case (RFC 3986 section 3.1). */
bool is_web_url(const char *text);
bool is_plain_web_url(const char *text); /* http:// */
/* The host and port of a URL, without user and password; *len is 0 if it has no host. */
const char *web_url_host(const char *url, size_t *len);

/* Percent-encoding (RFC 3986 section 2.1) of all but ASCII letters, digits and the characters in
 * `plain`. */
void percent_encode(struct buf *out, const char *text, const char *plain);
/* The reverse. False: a % without two hex digits was copied unchanged. */
bool percent_decode(struct buf *out, const char *text, size_t len);

/* The range of an IP address (RFC 6890), in network order. IPv4 addresses in IPv6 ones are in their
 * own range. */
enum ip_range { IP_PUBLIC, IP_PRIVATE, IP_LOOPBACK };
enum ip_range ip_v4_range(const uint8_t address[4]);
enum ip_range ip_v6_range(const uint8_t address[16]);

#endif
