#include "apps/policy.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const app_csp_names[APP_CSP_KINDS] = { "strict", "lax" };

/* ---- one domain ---- */

#define LABEL_SET ASCII_ALNUM "-_"

static const char *
refuse_scheme(const char *text, const char *colon)
{
	static const char *const schemes[] = { "https", "http", "wss", "ws" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
		if ((size_t)(colon - text) == strlen(schemes[i]) &&
		    strncasecmp(text, schemes[i], strlen(schemes[i])) == 0)
			return NULL;
	return "its scheme is none of https, http, wss and ws";
}

/* Read labels between dots, or an IPv6 address in brackets; *end is after it. */
static const char *
refuse_host(const char *host, const char **end)
{
	size_t labels = 0;

	*end = host;
	if (*host == '[') {
		*end += 1 + strspn(host + 1, "0123456789abcdefABCDEF:.");
		return **end == ']' && *end > host + 1 ? (++*end, NULL)
						       : "its IPv6 address is not valid";
	}
	if (*host == '*' && host[1] != '.')
		return "it names every host";
	bool wild = *host == '*';
	for (const char *at = wild ? host + 2 : host;; at = *end + 1) {
		size_t len = strspn(at, LABEL_SET);
		if (len == 0)
			return "its host is not valid";
		labels++;
		*end = at + len;
		if (**end != '.')
			break;
	}
	return wild && labels < 2 ? "it names every host below a top-level domain" : NULL;
}

const char *
app_domain_refusal(const char *text)
{
	const char *slashes = strstr(text, "://"), *end;
	const char *refusal = slashes ? refuse_scheme(text, slashes) : NULL;

	if (text[strcspn(text, ";,'\" \t\r\n\\")])
		return "it has a character that would end the directive";
	if (strlen(text) > 300)
		return "it is longer than 300 bytes";
	if (refusal)
		return refusal;
	refusal = refuse_host(slashes ? slashes + 3 : text, &end);
	if (refusal)
		return !slashes && *end == ':' ? "it is a scheme, not a domain" : refusal;
	if (*end == ':') {
		size_t digits = strspn(end + 1, "0123456789");
		if (digits == 0 && end[1] == '*')
			digits = 1;
		if (digits == 0)
			return slashes ? "its port is not a number"
				       : "it is a scheme, not a domain";
		end += 1 + digits;
	}
	if (*end == '/')
		end += strspn(end, ASCII_ALNUM "-._~/%+@:=&!$");
	return *end ? "it has a character that no domain has" : NULL;
}

/* ---- the policy ---- */

struct directive {
	const char *name;
	const char *sources[APP_CSP_KINDS]; /* NULL: not a directive */
	int kind;         /* enum app_domains of the domains to append; -1: none */
	const char *none; /* sources of the lax policy; NULL: the same */
};

#define INLINE "'self' 'unsafe-inline' blob: data:"
#define DATA "'self' data: blob:"

static const struct directive DIRECTIVES[] = {
	{ "default-src", { "'none'", "'self' 'unsafe-inline'" }, -1, NULL },
	{ "script-src", { INLINE, INLINE " 'unsafe-eval'" }, APP_RESOURCE, NULL },
	{ "style-src", { INLINE, INLINE }, APP_RESOURCE, NULL },
	{ "img-src", { DATA, DATA }, APP_RESOURCE, NULL },
	{ "font-src", { DATA, DATA }, APP_RESOURCE, NULL },
	{ "media-src", { DATA, DATA }, APP_RESOURCE, NULL },
	{ "connect-src", { "'self'", "'self'" }, APP_CONNECT, "'none'" },
	{ "worker-src", { "'self' blob:", "'self' blob:" }, APP_RESOURCE, NULL },
	{ "frame-src", { "", "" }, APP_FRAME, "'none'" },
	{ "object-src", { "'none'", "'none'" }, -1, NULL },
	{ "base-uri", { "", "" }, APP_BASE_URI, "'self'" },
	{ "form-action", { "'none'", "'none'" }, -1, NULL },
};

static void
take_domains(struct app_policy *p, enum app_domains kind, const cJSON *array)
{
	size_t index = 0;

	for (const cJSON *item = json_first(array); item; item = item->next, index++) {
		const char *text = json_string(item);
		if (index >= APP_DOMAINS_MAX) {
			p->rest += json_count(array) - index;
			return;
		}
		*VEC_PUSH(&p->domains) = (struct app_domain){
			.kind = kind,
			.index = index,
			.text = label_dup(text ? text : ""),
			.refusal = text ? app_domain_refusal(text) : "it is not a string",
		};
	}
}

static void
add_directive(struct app_policy *p, const struct directive *d, enum app_csp csp)
{
	struct buf domains = BUF_INIT;

	for (size_t i = 0; i < p->domains.len; i++)
		if ((int)p->domains.items[i].kind == d->kind && !p->domains.items[i].refusal)
			buf_addf(&domains, " %s", p->domains.items[i].text);
	buf_addf(&p->header, "%s%s", p->header.len ? "; " : "", d->name);
	if (domains.len == 0 && d->none)
		buf_addf(&p->header, " %s", d->none);
	else if (d->sources[csp][0])
		buf_addf(&p->header, " %s", d->sources[csp]);
	buf_add(&p->header, buf_text(&domains), domains.len);
	buf_finish(&domains);
}

void
app_policy_init(struct app_policy *p, const struct app_resource *r, enum app_csp csp)
{
	*p = (struct app_policy){ .rest = 0 };
	for (int kind = 0; kind < APP_DOMAIN_KINDS; kind++)
		take_domains(p, (enum app_domains)kind, r->domains[kind]);
	for (size_t i = 0; i < ARRAY_LEN(DIRECTIVES); i++)
		add_directive(p, &DIRECTIVES[i], csp);
}

void
app_policy_finish(struct app_policy *p)
{
	for (size_t i = 0; i < p->domains.len; i++)
		free(p->domains.items[i].text);
	free(p->domains.items);
	buf_finish(&p->header);
	*p = (struct app_policy){ .rest = 0 };
}

/* ---- violations ---- */

/* Find the directive: "script-src-elem" is a part of script-src, frame-src of child-src. */
static const struct directive *
find_directive(const char *name)
{
	if (strcmp(name, "child-src") == 0)
		name = "frame-src";
	for (size_t i = 0; i < ARRAY_LEN(DIRECTIVES); i++) {
		size_t len = strlen(DIRECTIVES[i].name);
		if (strncmp(name, DIRECTIVES[i].name, len) == 0 &&
		    (name[len] == '\0' || name[len] == '-'))
			return &DIRECTIVES[i];
	}
	return NULL;
}

/* Append the origin of a URL; false: it has no host. */
static bool
add_origin(const char *url, struct buf *out)
{
	const char *slashes = strstr(url, "://");
	size_t len = slashes ? (size_t)(slashes - url) + 3 : 0;

	if (!slashes || len > 10)
		return false;
	len += strcspn(slashes + 3, "/?#");
	char *origin = strndup(url, len);
	bool ok = origin && !app_domain_refusal(origin);
	if (ok)
		buf_add_str(out, origin);
	free(origin);
	return ok;
}

void
app_policy_advise(const char *directive, const char *blocked, struct buf *out)
{
	const struct directive *d = find_directive(directive);
	struct buf origin = BUF_INIT;

	if (strcmp(blocked, "eval") == 0 || strcmp(blocked, "wasm-eval") == 0)
		buf_add_str(out, "the specification's policy has no 'unsafe-eval': hosts that keep "
				 "to it stop this code; the lax policy allows it");
	else if (!d || d->kind < 0)
		buf_add_str(out, "no declaration allows this");
	else if (add_origin(blocked, &origin))
		buf_addf(out, "declare \"%s\" in _meta.ui.csp.%s of the resource",
		    buf_text(&origin), app_domain_members[d->kind]);
	else
		buf_addf(out, "only domains in _meta.ui.csp.%s of the resource are allowed",
		    app_domain_members[d->kind]);
	buf_finish(&origin);
}

#define HOST_SET ASCII_ALNUM "-_."

/* ---- addresses ---- */

/* Parts of a URL; the pointers are into its text. */
struct address {
	const char *scheme, *host, *port, *path;
	size_t scheme_len, host_len, port_len, path_len; /* 0: absent */
};

/* Parse the part after the scheme of a URL, or of a declared domain, which may have wildcards.
 * False: other parsers could find another host. */
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
	return strchr("/?#", *at) != NULL; /* also at the end */
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

/* Match as for the sources of a policy (CSP 3, section 6.7.2.8), except that paths are compared
 * after redirects too. Pages of apps use https, so a domain without a scheme means https. */
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
	size_t rest = declared->host_len - 1; /* after the asterisk: ".example.com" */

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
		[APP_BASE_URI] = "a base URI is not requested; declare what is below it as "
				 "resources or connections",
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
	bool has_origin; /* needs the agreement of the server (CORS) */
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

/* A name that ends with a dash is a prefix. */
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
