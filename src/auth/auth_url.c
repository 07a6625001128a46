/* SPDX-License-Identifier: MIT */
#include "auth/auth_url.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/url.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Labels of letters, digits, '-' and '_'. */
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

/* host: lower case; a name, an IPv4 address or an IPv6 address in brackets. False: none of these,
 * or a form that programs read differently (0x7f.1, 127.1, 017700000001). */
static bool
classify_host(const char *host, enum auth_host *kind)
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
		*kind = (enum auth_host)ip_v6_range(bytes);
		return true;
	}
	if (inet_pton(AF_INET, host, bytes) == 1) {
		*kind = (enum auth_host)ip_v4_range(bytes);
		return true;
	}
	/* The C library parses a name that ends in a number as an address. */
	const char *dot = strrchr(host, '.');
	const char *last = dot ? dot + 1 : host;
	const char *digits = strncmp(last, "0x", 2) == 0 ? last + 2 : last;
	if (!is_name(host) ||
	    strspn(digits, digits == last ? "0123456789" : "0123456789abcdef") == strlen(digits))
		return false;
	bool here = strcmp(host, "localhost") == 0 || text_ends(host, len, ".localhost");
	*kind = here ? AUTH_HOST_LOOPBACK : AUTH_HOST_PUBLIC;
	return true;
}

void
auth_url_finish(struct auth_url *u)
{
	free(u->scheme);
	free(u->host);
	free(u->path);
	free(u->query);
	*u = (struct auth_url){ 0 };
}

bool
auth_url_parse(struct auth_url *u, const char *text, struct err *err)
{
	struct url parts;
	enum auth_host kind;

	*u = (struct auth_url){ 0 };
	url_split(&parts, text, AUTH_URL_MAX + 1);
	bool is_tls = url_part_is(&parts.scheme, "https");
	int port = parts.port.len ? url_port(&parts.port) : is_tls ? 443 : 80;

	if (strnlen(text, AUTH_URL_MAX + 1) > AUTH_URL_MAX)
		return err_set(err, "longer than %zu bytes", AUTH_URL_MAX);
	if (!url_is_plain(text)) /* so that every program parses it the same way */
		return err_set(err, "a character that no URL may have");
	if (!is_tls && !url_part_is(&parts.scheme, "http"))
		return err_set(err, "not an http or https URL");
	if (parts.user.at)
		return err_set(err, "it has a user name");
	char *host = mem_strndup(parts.host.at, parts.host.len);
	for (char *c = host; *c; c++)
		*c = (char)ascii_lower(*c);
	if (!classify_host(host, &kind) || port <= 0) {
		free(host);
		return err_set(err, port <= 0 ? "not a valid port" : "not a valid host name");
	}
	u->scheme = mem_strdup(is_tls ? "https" : "http");
	u->host = host;
	u->port = port == (is_tls ? 443 : 80) ? 0 : port;
	u->path = mem_strndup(parts.path.at, parts.path.len);
	u->query = parts.query.at ? mem_strndup(parts.query.at, parts.query.len) : NULL;
	u->has_fragment = parts.fragment.at;
	u->kind = kind;
	return true;
}

void
auth_url_add_origin(const struct auth_url *u, struct buf *out)
{
	buf_addf(out, "%s://%s", u->scheme, u->host);
	if (u->port)
		buf_addf(out, ":%d", u->port);
}

bool
auth_url_same_origin(const struct auth_url *a, const struct auth_url *b)
{
	return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->host, b->host) == 0 &&
	       a->port == b->port;
}

bool
auth_url_is_safe(const char *text, struct err *err)
{
	return auth_url_may_fetch(text, AUTH_HOST_LOOPBACK, err);
}

bool
auth_url_may_fetch(const char *text, enum auth_host server, struct err *err)
{
	struct auth_url u;

	if (!auth_url_parse(&u, text, err))
		return false;
	const char *refusal = NULL;
	if (strcmp(u.scheme, "https") != 0 && u.kind != AUTH_HOST_LOOPBACK)
		refusal = "http without TLS is for this host only";
	else if (u.kind > server)
		refusal = u.kind == AUTH_HOST_LOOPBACK
			      ? "it points to this host, but the MCP server is elsewhere"
			      : "it points into a private network, but the MCP server is outside";
	auth_url_finish(&u);
	return !refusal || err_set(err, "%s", refusal);
}

char *
auth_canonical_resource(const char *server_url)
{
	struct buf out = BUF_INIT;
	struct auth_url u;

	if (!auth_url_parse(&u, server_url, NULL))
		return NULL;
	auth_url_add_origin(&u, &out);
	if (strcmp(u.path, "/") != 0 || u.query)
		buf_add_str(&out, u.path);
	if (u.query)
		buf_addf(&out, "?%s", u.query);
	auth_url_finish(&u);
	return buf_detach(&out);
}

bool
auth_resource_covers(const char *resource, const char *server_url)
{
	struct auth_url parent, server;

	if (!auth_url_parse(&parent, resource, NULL))
		return false;
	if (!auth_url_parse(&server, server_url, NULL)) {
		auth_url_finish(&parent);
		return false;
	}
	bool query = !parent.query || (server.query && strcmp(parent.query, server.query) == 0);
	/* "/a" covers "/a", "/a/" and "/a/b", not "/ab" */
	size_t len = strlen(parent.path);
	while (len > 0 && parent.path[len - 1] == '/')
		len--;
	bool ok = !parent.has_fragment && query && auth_url_same_origin(&parent, &server) &&
		  strncmp(parent.path, server.path, len) == 0 &&
		  (server.path[len] == '/' || server.path[len] == '\0') &&
		  !strstr(server.path, "/..");
	auth_url_finish(&parent);
	auth_url_finish(&server);
	return ok;
}

void
auth_form_add(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	if (out->len > 0)
		buf_add_char(out, '&');
	percent_encode(out, name, "-._~");
	buf_add_char(out, '=');
	percent_encode(out, value, "-._~");
}

/* NULL: it has a NUL, which would end it early. */
static char *
decode(const char *text, size_t len)
{
	struct buf out = BUF_INIT;
	char *copy = mem_strndup(text, len);

	for (char *plus = copy; (plus = strchr(plus, '+'));)
		*plus = ' ';
	percent_decode(&out, copy, len);
	free(copy);
	bool ends_early = memchr(buf_text(&out), '\0', out.len);
	if (!ends_early)
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}

char *
auth_form_get(const char *form, size_t len, const char *name, size_t *count)
{
	char *value = NULL;
	size_t found = 0;

	for (size_t at = 0; at < len;) {
		const char *member = form + at;
		const char *end = memchr(member, '&', len - at);
		size_t member_len = end ? (size_t)(end - member) : len - at;
		const char *equals = memchr(member, '=', member_len);
		size_t name_len = equals ? (size_t)(equals - member) : member_len;
		char *decoded = decode(member, name_len);
		if (decoded && strcmp(decoded, name) == 0 && found++ == 0)
			value =
			    equals ? decode(equals + 1, member_len - name_len - 1) : mem_strdup("");
		free(decoded);
		at += member_len + 1;
	}
	if (count)
		*count = found;
	return value;
}
