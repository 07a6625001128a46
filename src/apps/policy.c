#include "apps/policy.h"

#include "base/ascii.h"
#include "base/glyph.h"
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

/* Labels between dots, or an IPv6 address in brackets; *end is behind it. */
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
	const char *sources[APP_CSP_KINDS]; /* NULL: there is no such directive */
	int kind;         /* enum app_domains, whose domains follow; -1: none do */
	const char *none; /* in place of the sources without domains; NULL: the sources stand */
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

/* "script-src-elem" is a part of script-src, frame-src of child-src. */
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

/* The origin of a URL with a host; false: it has none. */
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
