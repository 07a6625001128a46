#include "apps/reach.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOST_SET ASCII_ALNUM "-_."

/* ---- addresses ---- */

/* Parts of the text that they point into. */
struct address {
	const char *scheme, *host, *port, *path;
	size_t scheme_len, host_len, port_len, path_len; /* 0: absent */
};

/* What follows the scheme: of a URL, or of a declared domain, which may have wildcards. False: it
 * could mean another host to somebody else who reads it. */
static bool
read_host(struct address *a, const char *at)
{
	a->host = at;
	if (*at == '[')
		a->host_len = 1 + strspn(at + 1, "0123456789abcdefABCDEF:.") + 1;
	else
		a->host_len = (*at == '*') + strspn(at + (*at == '*'), HOST_SET);
	if (a->host_len == 0 || (*at == '[' && at[a->host_len - 1] != ']'))
		return false;
	at += a->host_len;
	if (*at == ':') {
		a->port = at + 1;
		a->port_len = strspn(a->port, "0123456789");
		if (a->port_len == 0 && *a->port == '*')
			a->port_len = 1;
		if (a->port_len == 0 || a->port_len > 5)
			return false;
		at = a->port + a->port_len;
	}
	a->path = at;
	a->path_len = strcspn(at, "?#");
	return strchr("/?#", *at) != NULL; /* also at its end */
}

static bool
read_address(struct address *a, const char *text)
{
	const char *slashes = strstr(text, "://");

	*a = (struct address){ .scheme = text };
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '\\')
			return false;
	if (slashes)
		a->scheme_len = (size_t)(slashes - text);
	return read_host(a, slashes ? slashes + 3 : text);
}

static bool
is_part(const char *part, size_t len, const char *word)
{
	return len == strlen(word) && strncasecmp(part, word, len) == 0;
}

static const char *
usual_port(const struct address *a)
{
	return is_part(a->scheme, a->scheme_len, "https") ? "443" : "80";
}

/* As sources of a policy match (CSP 3, section 6.7.2.8), but for one thing: paths count after
 * redirects too. A page of an app is https, so a domain without a scheme is. */
static bool
fits_scheme(const struct address *declared, const struct address *url)
{
	bool safe = is_part(url->scheme, url->scheme_len, "https");

	if (declared->scheme_len == 0 || is_part(declared->scheme, declared->scheme_len, "https"))
		return safe;
	return is_part(declared->scheme, declared->scheme_len, "http");
}

static bool
fits_host(const struct address *declared, const struct address *url)
{
	size_t rest = declared->host_len - 1; /* behind the asterisk: ".example.com" */

	if (*declared->host != '*')
		return declared->host_len == url->host_len &&
		       strncasecmp(declared->host, url->host, url->host_len) == 0;
	return rest > 1 && url->host_len > rest &&
	       strncasecmp(declared->host + 1, url->host + url->host_len - rest, rest) == 0;
}

static bool
fits_port(const struct address *declared, const struct address *url)
{
	const char *port = url->port_len ? url->port : usual_port(url);
	size_t len = url->port_len ? url->port_len : strlen(port);

	if (declared->port_len == 0)
		return is_part(port, len, usual_port(url));
	return *declared->port == '*' ||
	       (declared->port_len == len && memcmp(declared->port, port, len) == 0);
}

static bool
fits_path(const struct address *declared, const struct address *url)
{
	if (declared->path_len <= 1)
		return true;
	bool is_folder = declared->path[declared->path_len - 1] == '/';
	return (is_folder ? url->path_len >= declared->path_len
			  : url->path_len == declared->path_len) &&
	       memcmp(declared->path, url->path, declared->path_len) == 0;
}

static bool
fits(const char *domain, const struct address *url)
{
	struct address declared;

	return read_address(&declared, domain) && fits_scheme(&declared, url) &&
	       fits_host(&declared, url) && fits_port(&declared, url) && fits_path(&declared, url);
}

bool
app_domain_is_address(const char *domain)
{
	static const char local[] = "localhost";
	struct address a;

	if (!read_address(&a, domain))
		return false;
	const char *end = a.host + a.host_len;
	size_t digits = strspn(a.host, "0123456789.");
	bool is_local = a.host_len >= strlen(local) &&
			strncasecmp(end - strlen(local), local, strlen(local)) == 0 &&
			(a.host_len == strlen(local) || end[-(int)sizeof(local)] == '.');
	return *a.host == '[' || digits >= a.host_len || is_local;
}

const char *
app_domain_stays_offline(const struct app_domain *d)
{
	static const char *const kinds[APP_DOMAIN_KINDS] = {
		[APP_FRAME] = "pages from elsewhere are never shown",
		[APP_BASE_URI] = "a base URI is not requested; declare what is below it as resources or connections",
	};
	struct address a;

	if (d->refusal || kinds[d->kind])
		return d->refusal ? d->refusal : kinds[d->kind];
	if (read_address(&a, d->text) &&
	    (is_part(a.scheme, a.scheme_len, "ws") || is_part(a.scheme, a.scheme_len, "wss")))
		return "WebSockets are never carried";
	return NULL;
}

/* ---- requests ---- */

static const struct {
	const char *type; /* ResourceType of DevTools */
	enum app_domains kind;
	bool has_origin; /* the server has to agree */
} types[] = {
	{ "Fetch", APP_CONNECT, true },
	{ "XHR", APP_CONNECT, true },
	{ "Preflight", APP_CONNECT, true },
	{ "Ping", APP_CONNECT, true },
	{ "Script", APP_RESOURCE, true },
	{ "Stylesheet", APP_RESOURCE, false },
	{ "Image", APP_RESOURCE, false },
	{ "Font", APP_RESOURCE, true },
	{ "Media", APP_RESOURCE, false },
};

static int
find_type(const char *type)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].type, type) == 0)
			return (int)i;
	return -1;
}

const char *
app_request_refusal(const struct app_request *r)
{
	static const char *const methods[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
		"OPTIONS" };
	struct address a;
	bool known = false;

	if (!read_address(&a, r->url) || *a.host == '*' ||
	    !(is_part(a.scheme, a.scheme_len, "https") || is_part(a.scheme, a.scheme_len, "http")))
		return "its address is not one of a web server";
	if (strcmp(r->type, "EventSource") == 0)
		return "a stream of events has no end, and only whole responses are carried";
	if (strcmp(r->type, "Document") == 0)
		return "a page from elsewhere is never shown";
	if (find_type(r->type) < 0)
		return "requests of this type are never carried";
	for (size_t i = 0; i < ARRAY_LEN(methods); i++)
		known |= strcmp(methods[i], r->method) == 0;
	if (!known)
		return "its method is none that is carried";
	if (r->lacks_body || r->body_len > APP_REQUEST_BODY_MAX)
		return "what it sends is too long";
	return NULL;
}

const struct app_domain *
app_request_domain(
    const struct app_request *r, const struct app_policy *policy, const struct strings *among)
{
	int type = find_type(r->type);
	struct address url;

	if (type < 0 || !read_address(&url, r->url))
		return NULL;
	for (size_t i = 0; i < policy->domains.len; i++) {
		const struct app_domain *d = &policy->domains.items[i];
		if (!d->refusal && d->kind == types[type].kind &&
		    (!among || strings_have(among, d->text)) && fits(d->text, &url))
			return d;
	}
	return NULL;
}

/* ---- headers ---- */

static bool
has_name(const char *const *names, const char *name, size_t len)
{
	for (; *names; names++) {
		size_t n = strlen(*names);
		bool is_prefix = (*names)[n - 1] == '-';
		if ((is_prefix ? len >= n : len == n) && strncasecmp(*names, name, n) == 0)
			return true;
	}
	return false;
}

/* Those that end with a dash stand for all that begin so. */
static bool
is_sent(const char *name)
{
	static const char *const never[] = { "Accept-Encoding", "Connection", "Content-Length",
		"Cookie", "Cookie2", "Expect", "Forwarded", "Host", "Keep-Alive", "Origin",
		"Referer", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Via",
		"Proxy-", "Sec-", "X-Forwarded-", NULL };

	return *name && !has_name(never, name, strlen(name)) &&
	       name[strspn(name, HTTP_TOKEN)] == '\0';
}

static bool
is_value(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value < ' ' || *value == 0x7f)
			return false;
	return true;
}

void
app_request_headers(const struct app_request *r, const char *origin, struct strings *out)
{
	enum { HEADERS_MAX = 64, BYTES_MAX = 16384 };
	int type = find_type(r->type);
	size_t bytes = 0;

	for (const cJSON *h = json_first(r->headers); h && out->len < HEADERS_MAX; h = h->next) {
		const char *value = json_string(h);
		if (!h->string || !value || !is_sent(h->string) || !is_value(value))
			continue;
		bytes += strlen(h->string) + strlen(value) + 2;
		if (bytes > BYTES_MAX)
			break;
		strings_take(out, mem_printf("%s: %s", h->string, value));
	}
	if (type >= 0 && types[type].has_origin)
		strings_take(out, mem_printf("Origin: %s", origin));
}

bool
app_response_has(const char *name, size_t len)
{
	static const char *const never[] = { "Alt-Svc", "Clear-Site-Data", "Connection",
		"Content-Encoding", "Content-Length", "Keep-Alive", "NEL", "Report-To",
		"Reporting-Endpoints", "Service-Worker-Allowed", "Set-Cookie", "Set-Cookie2",
		"Strict-Transport-Security", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-",
		NULL };

	return len > 0 && !has_name(never, name, len);
}
