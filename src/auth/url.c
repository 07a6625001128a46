#include "auth/url.h"

#include "base/mem.h"
#include "host_priv.h"

#include <stdlib.h>
#include <string.h>

void
auth_url_finish(struct auth_url *u)
{
	free(u->scheme);
	free(u->host);
	free(u->path);
	free(u->query);
	*u = (struct auth_url){ 0 };
}

static char *
lower(const char *text, size_t len)
{
	char *copy = mem_strndup(text, len);

	for (char *c = copy; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return copy;
}

/* Plain characters of RFC 3986, so that every program reads the same thing. */
static bool
is_plain(const char *text, struct err *err)
{
	size_t len = strlen(text);

	if (len > AUTH_URL_MAX)
		return err_set(err, "longer than %zu bytes", AUTH_URL_MAX);
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~' || strchr("\\\"<>^`{|}", text[i]))
			return err_set(err, "a character that no URL has");
	return true;
}

static bool
take_scheme(struct auth_url *u, const char **at, struct err *err)
{
	const char *sep = strstr(*at, "://");

	if (!sep)
		return err_set(err, "not an http or https URL");
	u->scheme = lower(*at, (size_t)(sep - *at));
	if (strcmp(u->scheme, "http") != 0 && strcmp(u->scheme, "https") != 0)
		return err_set(err, "not an http or https URL");
	*at = sep + 3;
	return true;
}

/* port: what follows the host, with its colon. */
static bool
take_port(struct auth_url *u, const char *port, size_t len, struct err *err)
{
	int value = 0;

	if (len == 0 || (len == 1 && port[0] == ':'))
		return true;
	for (size_t i = 1; i < len; i++) {
		if (port[i] < '0' || port[i] > '9' || value > 65535)
			return err_set(err, "no such port");
		value = value * 10 + (port[i] - '0');
	}
	if (port[0] != ':' || value == 0 || value > 65535)
		return err_set(err, "no such port");
	u->port = value == (strcmp(u->scheme, "https") == 0 ? 443 : 80) ? 0 : value;
	return true;
}

static bool
take_authority(struct auth_url *u, const char **at, struct err *err)
{
	size_t len = strcspn(*at, "/?#"), host_len;

	if (memchr(*at, '@', len))
		return err_set(err, "a user name in it");
	if ((*at)[0] == '[') {
		const char *close = memchr(*at, ']', len);
		host_len = close ? (size_t)(close - *at) + 1 : 0;
	} else {
		const char *colon = memchr(*at, ':', len);
		host_len = colon ? (size_t)(colon - *at) : len;
	}
	u->host = lower(*at, host_len);
	if (!host_classify(u->host, &u->kind))
		return err_set(err, "no such host name");
	if (!take_port(u, *at + host_len, len - host_len, err))
		return false;
	*at += len;
	return true;
}

bool
auth_url_parse(struct auth_url *u, const char *text, struct err *err)
{
	const char *at = text;

	*u = (struct auth_url){ 0 };
	if (!is_plain(text, err) || !take_scheme(u, &at, err) || !take_authority(u, &at, err)) {
		auth_url_finish(u);
		return false;
	}
	size_t path = strcspn(at, "?#");
	u->path = mem_strndup(at, path);
	at += path;
	if (*at == '?') {
		size_t query = strcspn(at, "#");
		u->query = mem_strndup(at + 1, query - 1);
		at += query;
	}
	u->has_fragment = *at == '#';
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

static bool
is_safe(const struct auth_url *u, struct err *err)
{
	if (strcmp(u->scheme, "https") == 0 || u->kind == AUTH_HOST_LOOPBACK)
		return true;
	return err_set(err, "http without TLS is for this host only");
}

bool
auth_url_is_safe(const char *text, struct err *err)
{
	struct auth_url u;

	if (!auth_url_parse(&u, text, err))
		return false;
	bool ok = is_safe(&u, err);
	auth_url_finish(&u);
	return ok;
}

bool
auth_url_may_fetch(const char *text, enum auth_host server, struct err *err)
{
	struct auth_url u;

	if (!auth_url_parse(&u, text, err))
		return false;
	bool ok = is_safe(&u, err);
	if (ok && u.kind > server)
		ok = err_set(err, u.kind == AUTH_HOST_LOOPBACK
				      ? "it points to this host, which the MCP server is not on"
				      : "it points into a private network, where the MCP server is "
					"not");
	auth_url_finish(&u);
	return ok;
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

/* "/a" covers "/a", "/a/" and "/a/b", not "/ab". */
static bool
path_covers(const char *parent, const char *path)
{
	size_t len = strlen(parent);

	while (len > 0 && parent[len - 1] == '/')
		len--;
	return strncmp(parent, path, len) == 0 && (path[len] == '/' || path[len] == '\0') &&
	       !strstr(path, "/..");
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
	bool ok = !parent.has_fragment && query && auth_url_same_origin(&parent, &server) &&
		  path_covers(parent.path, server.path);
	auth_url_finish(&parent);
	auth_url_finish(&server);
	return ok;
}
