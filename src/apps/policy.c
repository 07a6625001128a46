/* SPDX-License-Identifier: MIT */
#include "apps/policy.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const app_domain_members[APP_DOMAIN_KINDS] = { "connectDomains", "resourceDomains",
	"frameDomains", "baseUriDomains" };
const char *const app_permission_names[APP_PERMISSIONS] = { "camera", "microphone", "geolocation",
	"clipboardWrite" };
const char *const app_permission_answers[APP_PERMISSIONS] = {
	[APP_CAMERA] = "never: a terminal has no camera",
	[APP_MICROPHONE] = "never: a terminal has no microphone",
	[APP_GEOLOCATION] = "never: mcpane does not know where you are",
	[APP_CLIPBOARD_WRITE] = "each copy is asked about",
};

/* ---- metadata ---- */

static const cJSON *
find_ui(const cJSON *holder, const char **from)
{
	static const char *const members[] = { "_meta", "meta" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const cJSON *ui = json_get(json_get(holder, members[i]), "ui");
		if (ui) {
			*from = members[i];
			return ui;
		}
	}
	return NULL;
}

static const cJSON *
get_of(const cJSON *object, const char *key, enum json_type type)
{
	const cJSON *value = json_get(object, key);

	return json_type(value) == type ? value : NULL;
}

void
app_resource_read(struct app_resource *r, const cJSON *item, const cJSON *entry)
{
	*r = (struct app_resource){ .ui = NULL };
	r->ui = find_ui(item, &r->from);
	if (!r->ui)
		r->ui = find_ui(entry, &r->from);
	r->csp = get_of(r->ui, "csp", JSON_OBJECT);
	for (int kind = 0; kind < APP_DOMAIN_KINDS; kind++)
		r->domains[kind] = get_of(r->csp, app_domain_members[kind], JSON_ARRAY);
	const cJSON *wanted = json_get(r->ui, "permissions");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (get_of(wanted, app_permission_names[i], JSON_OBJECT))
			r->permissions |= 1u << i;
	r->domain = json_get_string(r->ui, "domain");
	const cJSON *border = get_of(r->ui, "prefersBorder", JSON_BOOLEAN);
	if (border)
		r->border = cJSON_IsTrue(border) ? APP_BORDER_YES : APP_BORDER_NO;
}

/* ---- the page ---- */

bool
app_is_mime(const char *mime)
{
	char plain[sizeof(APPS_MIME) + 1];
	size_t len = 0;

	for (; mime && *mime; mime++) {
		if (*mime == ' ' || *mime == '\t' || *mime == '"')
			continue;
		if (len == sizeof(plain) - 1)
			return false;
		plain[len++] = *mime;
	}
	plain[len] = '\0';
	return strcasecmp(plain, APPS_MIME) == 0;
}

bool
app_html_read(struct app_html *page, const cJSON *result, const char *uri, const cJSON *entry,
    struct err *err)
{
	*page = (struct app_html){ .html = { .max = APP_HTML_MAX } };
	/* Take the item with the URI, else the only one. */
	const cJSON *contents = json_get(result, "contents");
	const cJSON *item = json_find_by(contents, "uri", uri);
	if (!item && json_count(contents) == 1)
		item = json_first(contents);
	page->item = cJSON_IsObject(item) ? item : NULL;
	app_resource_read(&page->resource, page->item, entry);
	if (!page->item)
		return err_set(err, "resources/read returned no contents for %.120s", uri);
	page->mime = json_get_string(page->item, "mimeType");
	const char *text = json_get_string(page->item, "text");
	const char *blob = json_get_string(page->item, "blob");
	if (!text && !blob)
		return err_set(err, "the contents have neither text nor blob");
	bool ok = text ? buf_add(&page->html, text, strlen(text))
		       : base64_decode(&page->html, blob, strlen(blob));
	if (page->html.overflowed)
		return err_set(err, "the page has more than %zu MiB", APP_HTML_MAX >> 20);
	if (!ok)
		return err_set(err, "its blob is not Base64");
	if (page->html.len == 0)
		return err_set(err, "the page is empty");
	if (!app_is_mime(page->mime))
		return err_set(err, "its MIME type is %.80s, not " APPS_MIME,
		    page->mime ? page->mime : "absent");
	return true;
}

void
app_html_finish(struct app_html *page)
{
	buf_finish(&page->html);
	*page = (struct app_html){ .html = { .max = APP_HTML_MAX } };
}

/* ---- addresses in the page ---- */

/* Return whether one of the words is shortly before the end of the text. */
static bool
has_lately(const char *text, size_t len, const char *word)
{
	for (size_t back = strlen(word); back <= len && back < 300; back++)
		if (strncasecmp(text + len - back, word, strlen(word)) == 0)
			return true;
	return false;
}

/* Return whether the text before an address makes a browser fetch it. Most addresses in a page are
 * links, namespaces and parts of error messages. */
static bool
is_fetched(const char *text, size_t len)
{
	static const char *const words[] = { "src=", "url(", "fetch(", "import(", "import",
		"WebSocket(", "EventSource(", "importScripts(" };

	if (len > 0 && strchr("\"'`", text[len - 1]))
		len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (text_ends(text, len, words[i]))
			return true;
	return (text_ends(text, len, "from") && has_lately(text, len, "import")) ||
	       (text_ends(text, len, "href=") && has_lately(text, len, "<link ") &&
		   !has_lately(text, len, "<a "));
}

static bool
begins_address(const char *text, size_t len)
{
	static const char *const schemes[] = { "http:", "https:", "ws:", "wss:", "" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t scheme = strlen(schemes[i]);
		if (len > scheme + 2 && strncasecmp(text, schemes[i], scheme) == 0 &&
		    text[scheme] == '/' && text[scheme + 1] == '/')
			return ascii_is_alnum((unsigned char)text[scheme + 2]);
	}
	return false;
}

const char *
app_html_next_address(const struct buf *html, size_t *at, size_t *len)
{
	const char *text = buf_text(html);

	for (size_t i = *at; i < html->len; i++) {
		char c = (char)(text[i] | 0x20);
		if ((c != 'h' && c != 'w' && text[i] != '/') ||
		    !begins_address(text + i, html->len - i) || !is_fetched(text, i))
			continue;
		*len = 0;
		while (i + *len < html->len && !strchr("\"'`()<>\\ \t\r\n", text[i + *len]))
			++*len;
		*at = i + *len;
		return text + i;
	}
	*at = html->len;
	return NULL;
}

/* ---- flaws ---- */

static void
check_type(const struct app_flaws *f, const cJSON *holder, const char *member, enum json_type type)
{
	const cJSON *value = json_get(holder, member);

	if (value && json_type(value) != type)
		app_flaw_tell(f, APP_FLAW_META, "/_meta/ui", "%s is %s, not %s: it is ignored",
		    member, json_type_name(json_type(value)), json_type_name(type));
}

static void
check_domains(const struct app_flaws *f, const struct app_resource *r)
{
	struct app_policy policy;
	char pointer[64];

	app_policy_init(&policy, r, APP_CSP_STRICT);
	for (size_t i = 0; i < policy.domains.len; i++) {
		const struct app_domain *d = &policy.domains.items[i];
		if (!d->refusal)
			continue;
		snprintf(pointer, sizeof(pointer), "/_meta/ui/csp/%s/%zu",
		    app_domain_members[d->kind], d->index);
		app_flaw_tell(f, APP_FLAW_DOMAIN, pointer, "\"%.80s\" is not in the policy: %s",
		    d->text, d->refusal);
	}
	if (policy.rest > 0)
		app_flaw_tell(f, APP_FLAW_DOMAIN, "/_meta/ui/csp",
		    "%zu more domains are not in the policy: at most %d of each kind are",
		    policy.rest, APP_DOMAINS_MAX);
	app_policy_finish(&policy);
}

void
app_resource_flaws(const struct app_resource *r, app_flaw_fn *on_flaw, void *user)
{
	const struct app_flaws f = { on_flaw, user };

	if (r->ui && strcmp(r->from, "_meta") != 0)
		app_flaw_tell(&f, APP_FLAW_META, "/meta", "the metadata is in meta, not in _meta");
	if (r->ui && !cJSON_IsObject(r->ui))
		app_flaw_tell(&f, APP_FLAW_META, "/_meta/ui", "_meta.ui is %s, not an object",
		    json_type_name(json_type(r->ui)));
	check_type(&f, r->ui, "csp", JSON_OBJECT);
	check_type(&f, r->ui, "permissions", JSON_OBJECT);
	check_type(&f, r->ui, "domain", JSON_STRING);
	check_type(&f, r->ui, "prefersBorder", JSON_BOOLEAN);
	for (const cJSON *m = json_first(r->csp); m; m = m->next) {
		bool is_known = false;
		for (int kind = 0; kind < APP_DOMAIN_KINDS; kind++)
			is_known |= strcmp(m->string, app_domain_members[kind]) == 0;
		if (is_known)
			check_type(&f, r->csp, m->string, JSON_ARRAY);
		else
			app_flaw_tell(&f, APP_FLAW_META, "/_meta/ui/csp",
			    "csp has no member %.60s: it is ignored", m->string);
	}
	check_domains(&f, r);
}

const char *const app_csp_names[APP_CSP_KINDS] = { "strict", "lax" };

/* ---- one domain ---- */

#define HOST_SET ASCII_ALNUM "-_."

/* The host is labels between dots, the first of which may be an asterisk, or an IPv6 address in
 * brackets. */
static const char *
refuse_host(const struct url_part *host)
{
	const char *at = host->at, *end = host->at + host->len;
	size_t labels = 0;

	if (host->len > 0 && *at == '[') {
		size_t len = strspn(at + 1, "0123456789abcdefABCDEF:.");
		return len > 0 && len + 2 == host->len && end[-1] == ']'
			   ? NULL
			   : "its IPv6 address is not valid";
	}
	bool wild = host->len > 0 && *at == '*';
	if (wild && (host->len == 1 || at[1] != '.'))
		return "it names every host";
	for (at += wild ? 2 : 0;; at++) {
		size_t len = strspn(at, ASCII_ALNUM "-_");
		if (len == 0)
			return "its host is not valid";
		labels++;
		at += len;
		if (*at != '.')
			break;
	}
	if (wild && labels < 2)
		return "it names every host below a top-level domain";
	return at < end ? "it has a character that no domain has" : NULL;
}

const char *
app_domain_refusal(const char *text)
{
	struct url u;

	url_split(&u, text, strlen(text));
	if (text[strcspn(text, ";,'\" \t\r\n\\")])
		return "it has a character that would end the directive";
	if (strlen(text) > 300)
		return "it is longer than 300 bytes";
	if (u.scheme.at && !url_part_is(&u.scheme, "https") && !url_part_is(&u.scheme, "http") &&
	    !url_part_is(&u.scheme, "wss") && !url_part_is(&u.scheme, "ws"))
		return "its scheme is none of https, http, wss and ws";
	const char *refusal = refuse_host(&u.host);
	bool any_port = url_part_is(&u.port, "*");
	if (u.port.at && (u.host.len == 0 || !refusal) && !any_port && url_port(&u.port) < 0)
		return u.scheme.at ? "its port is not a number" : "it is a scheme, not a domain";
	if (refusal)
		return refusal;
	if (u.user.at || u.query.at || u.fragment.at ||
	    strspn(u.path.at, ASCII_ALNUM "-._~/%+@:=&!$") < u.path.len)
		return "it has a character that no domain has";
	return NULL;
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
		const char *text = cJSON_GetStringValue(item);
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

/* Append the origin of a URL; false: it has no host. */
static bool
add_origin(const char *url, struct buf *out)
{
	struct url u;

	url_split(&u, url, strlen(url));
	if (!u.scheme.at)
		return false;
	char *origin = mem_strndup(url, (size_t)(u.path.at - url));
	bool ok = !app_domain_refusal(origin);
	if (ok)
		buf_add_str(out, origin);
	free(origin);
	return ok;
}

void
app_policy_advise(const char *directive, const char *blocked, struct buf *out)
{
	const struct directive *d = NULL;
	struct buf origin = BUF_INIT;

	/* "script-src-elem" is a part of script-src, frame-src of child-src. */
	if (strcmp(directive, "child-src") == 0)
		directive = "frame-src";
	for (size_t i = 0; !d && i < ARRAY_LEN(DIRECTIVES); i++) {
		size_t len = strlen(DIRECTIVES[i].name);
		if (strncmp(directive, DIRECTIVES[i].name, len) == 0 &&
		    (directive[len] == '\0' || directive[len] == '-'))
			d = &DIRECTIVES[i];
	}
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

/* ---- addresses ---- */

/* Split a URL, or a declared domain, which may have wildcards. False: other parsers could find
 * another host. */
static bool
read_address(struct url *a, const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '\\')
			return false;
	url_split(a, text, strlen(text));
	const char *host = a->host.at;
	size_t len = a->host.len, wild = len > 0 && *host == '*';
	bool ok =
	    len > 0 && *host == '['
		? strspn(host + 1, "0123456789abcdefABCDEF:.") + 2 == len && host[len - 1] == ']'
		: len > 0 && strspn(host + wild, HOST_SET) + wild == len;
	bool port = !a->port.at || url_part_is(&a->port, "*") ||
		    (a->port.len <= 5 && url_port(&a->port) >= 0);
	return ok && port && !a->user.at;
}

bool
app_domain_has_host(const struct url_part *declared, const struct url_part *host)
{
	size_t rest = declared->len - 1; /* after the asterisk: ".example.com" */

	if (*declared->at != '*')
		return declared->len == host->len &&
		       strncasecmp(declared->at, host->at, host->len) == 0;
	return rest > 1 && host->len > rest &&
	       strncasecmp(declared->at + 1, host->at + host->len - rest, rest) == 0;
}

/* Match as for the sources of a policy (CSP 3, section 6.7.2.8), except that paths are compared
 * after redirects too. Pages of apps use https, so a domain without a scheme means https. */
static bool
fits(const char *domain, const struct url *url)
{
	struct url own;

	if (!read_address(&own, domain) || !app_domain_has_host(&own.host, &url->host))
		return false;
	bool is_safe = url_part_is(&url->scheme, "https");
	if (!own.scheme.at || url_part_is(&own.scheme, "https") ? !is_safe
								: !url_part_is(&own.scheme, "http"))
		return false;
	const struct url_part usual = { is_safe ? "443" : "80", is_safe ? 3 : 2 };
	const struct url_part *port = url->port.at ? &url->port : &usual;
	const struct url_part *own_port = own.port.at ? &own.port : &usual;
	if (*own_port->at != '*' &&
	    (own_port->len != port->len || memcmp(own_port->at, port->at, port->len) != 0))
		return false;
	if (own.path.len <= 1)
		return true;
	bool is_folder = own.path.at[own.path.len - 1] == '/';
	return (is_folder ? url->path.len >= own.path.len : url->path.len == own.path.len) &&
	       memcmp(own.path.at, url->path.at, own.path.len) == 0;
}

bool
app_domain_is_address(const char *domain)
{
	static const struct url_part below_local = { "*.localhost", 11 };
	struct url a;

	if (!read_address(&a, domain))
		return false;
	return *a.host.at == '[' || strspn(a.host.at, "0123456789.") >= a.host.len ||
	       url_part_is(&a.host, "localhost") || app_domain_has_host(&below_local, &a.host);
}

const char *
app_domain_stays_offline(const struct app_domain *d)
{
	static const char *const kinds[APP_DOMAIN_KINDS] = {
		[APP_FRAME] = "pages from elsewhere are never shown",
		[APP_BASE_URI] = "a base URI is not requested; declare the URLs under it as "
				 "resources or connections",
	};
	struct url a;

	if (d->refusal || kinds[d->kind])
		return d->refusal ? d->refusal : kinds[d->kind];
	if (read_address(&a, d->text) &&
	    (url_part_is(&a.scheme, "ws") || url_part_is(&a.scheme, "wss")))
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
	struct url a;
	bool known = false;

	if (!read_address(&a, r->url) || *a.host.at == '*' ||
	    !(url_part_is(&a.scheme, "https") || url_part_is(&a.scheme, "http")))
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
		return "the request is too long";
	return NULL;
}

const struct app_domain *
app_request_domain(
    const struct app_request *r, const struct app_policy *policy, const struct strings *among)
{
	int type = find_type(r->type);
	struct url url;

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

/* A name that ends with a dash is a prefix. */
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

void
app_request_headers(const struct app_request *r, const char *origin, struct strings *out)
{
	enum { HEADERS_MAX = 64, BYTES_MAX = 16384 };
	static const char *const never[] = { "Accept-Encoding", "Connection", "Content-Length",
		"Cookie", "Cookie2", "Expect", "Forwarded", "Host", "Keep-Alive", "Origin",
		"Referer", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Via",
		"Proxy-", "Sec-", "X-Forwarded-", NULL };
	int type = find_type(r->type);
	size_t bytes = 0;

	for (const cJSON *h = json_first(r->headers); h && out->len < HEADERS_MAX; h = h->next) {
		const char *value = cJSON_GetStringValue(h);
		bool ok = h->string && value && *h->string &&
			  !has_name(never, h->string, strlen(h->string)) &&
			  h->string[strspn(h->string, HTTP_TOKEN)] == '\0';
		for (const char *c = value; ok && *c; c++)
			ok = (unsigned char)*c >= ' ' && *c != 0x7f;
		if (!ok)
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
