/* SPDX-License-Identifier: MIT */
#ifndef APPS_POLICY_H
#define APPS_POLICY_H

#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"
#include "base/url.h"
#include "json/doc.h"
#include "mcp/app_metadata.h"

/*
 * The resource of an app (specification 2026-01-26): its page, and the domains and permissions that
 * the page needs. Pointers are into the given trees. Ignored members are reported as flaws.
 */
enum app_domains { APP_CONNECT, APP_RESOURCE, APP_FRAME, APP_BASE_URI, APP_DOMAIN_KINDS };
extern const char *const app_domain_members[APP_DOMAIN_KINDS]; /* "connectDomains"... */

enum app_permission {
	APP_CAMERA,
	APP_MICROPHONE,
	APP_GEOLOCATION,
	APP_CLIPBOARD_WRITE,
	APP_PERMISSIONS
};
extern const char *const app_permission_names[APP_PERMISSIONS];   /* "camera"... */
extern const char *const app_permission_answers[APP_PERMISSIONS]; /* the consequence */

enum app_border { APP_BORDER_ABSENT, APP_BORDER_NO, APP_BORDER_YES };

struct app_resource {
	const cJSON *ui;                        /* _meta.ui; NULL: absent */
	const char *from;                       /* the member it was found in: "_meta"; NULL */
	const cJSON *csp;                       /* an object; NULL: absent */
	const cJSON *domains[APP_DOMAIN_KINDS]; /* arrays; NULL: absent */
	unsigned permissions;                   /* requested, as bits of enum app_permission */
	const char *domain; /* for hosts with stable origins: shown, never used */
	enum app_border border;
};

/* The content item of resources/read comes first, then the entry of resources/list; either may be
 * NULL. */
void app_resource_read(struct app_resource *r, const cJSON *item, const cJSON *entry);

/* The page in the result of resources/read. */
#define APP_HTML_MAX ((size_t)32 << 20)

struct app_html {
	const cJSON *item; /* of `contents`; NULL: none */
	const char *mime;  /* NULL: absent */
	struct buf html;
	struct app_resource resource;
};

/* Read the page; its MIME type must be that of apps. False with err: it cannot be shown; item and
 * mime are set if known. Finish it in both cases. */
bool app_html_read(struct app_html *page, const cJSON *result, const char *uri, const cJSON *entry,
    struct err *err);
void app_html_finish(struct app_html *page);
/* Return whether it is text/html;profile=mcp-app, regardless of blanks, case and quotes (RFC 9110
 * section 8.3.1). */
bool app_is_mime(const char *mime);
/* Return the next address of another host (http, https, ws, wss, or without a scheme) from *at that
 * the page certainly fetches: in src=, the href= of a link element, url(), import, fetch() and
 * similar. *len is its length. NULL: no more. */
const char *app_html_next_address(const struct buf *html, size_t *at, size_t *len);

void app_resource_flaws(const struct app_resource *r, app_flaw_fn *on_flaw, void *user);

/*
 * The Content-Security-Policy of an app, from the domains that its resource declares. A domain is
 * one origin or host, possibly with a wildcard for subdomains; texts that could be more, such as a
 * second directive, a keyword or all hosts, are refused and stored with the reason. The policy
 * contains only declared domains; the engine decides whether there is a network.
 */
enum app_csp {
	APP_CSP_STRICT, /* that of the specification, with blob: and data:, which need no network */
	APP_CSP_LAX,    /* that of the basic host of the specification's repository: with eval */
	APP_CSP_KINDS
};
extern const char *const app_csp_names[APP_CSP_KINDS]; /* "strict", "lax" */

#define APP_DOMAINS_MAX 100 /* of each kind */

struct app_domain {
	enum app_domains kind;
	size_t index;        /* in its array */
	char *text;          /* as declared; not safe for a terminal */
	const char *refusal; /* NULL: it is in the policy */
};

struct app_policy {
	struct buf header; /* the value of Content-Security-Policy */
	struct {
		struct app_domain *items; /* in the order of their kinds */
		size_t len, cap;
	} domains;
	size_t rest; /* number of further domains that were dropped */
};

void app_policy_init(struct app_policy *p, const struct app_resource *r, enum app_csp csp);
void app_policy_finish(struct app_policy *p);
/* Return why this text is not a domain of a policy; NULL if it is one. */
const char *app_domain_refusal(const char *text);

/* Append a sentence that tells the author how to fix a violation. directive: "connect-src";
 * blocked: the URL, or "eval", "inline", "data"... */
void app_policy_advise(const char *directive, const char *blocked, struct buf *out);

/*
 * A request of an app to a domain that its resource declares. The engine has no network: the host
 * carries requests after the user has allowed the domain. This layer decides which requests and
 * headers may be carried. All members are untrusted.
 */
struct app_request {
	uint64_t id;                     /* for the answer */
	const char *url, *method, *type; /* type: ResourceType of DevTools, "Fetch" */
	const cJSON *headers;            /* an object of strings, or anything */
	const void *body;
	size_t body_len;
	bool lacks_body; /* it has a body that is too long */
};

/* A redirect is a response too: the engine then requests its target. */
struct app_response {
	int status;          /* 100 to 599 */
	const char *reason;  /* "OK"; "" */
	const char *headers; /* "Name: value\n" each, as received */
	const void *body;
	size_t body_len;
};

#define APP_REQUEST_BODY_MAX ((size_t)4 << 20)
#define APP_RESPONSE_BODY_MAX ((size_t)16 << 20)

/* Return why the request is never carried; NULL: a declared domain may permit it. */
const char *app_request_refusal(const struct app_request *r);
/* Return the first domain of the policy that permits the request, or NULL. among: only these
 * domains; NULL: all. */
const struct app_domain *app_request_domain(
    const struct app_request *r, const struct app_policy *policy, const struct strings *among);
/* Add "Name: value" for each header to send, without headers that identify the user or that belong
 * to the connection. origin: of the app, for CORS requests. */
void app_request_headers(const struct app_request *r, const char *origin, struct strings *out);
/* Return whether the app gets this header of a response. */
bool app_response_has(const char *name, size_t len);
/* Return why requests to a declared domain are never carried; NULL: the user may allow it. */
const char *app_domain_stays_offline(const struct app_domain *d);
/* Return whether the domain is an address or a name of this computer; other names must not resolve
 * to private addresses. */
bool app_domain_is_address(const char *domain);
/* Return whether the host of a declared domain, which may begin with "*.", includes this host. */
bool app_domain_has_host(const struct url_part *declared, const struct url_part *host);

#endif
