#ifndef APPS_POLICY_H
#define APPS_POLICY_H

#include "apps/resource.h"
#include "base/buf.h"
#include "base/strings.h"

/*
 * The Content-Security-Policy of an app, made of the domains that its resource declares. A domain
 * is one origin or host, possibly with a wildcard for subdomains; whatever could be more, such as
 * a second directive, a keyword or all hosts, is refused and kept with the reason. The policy names
 * declared domains alone; whether the network can be reached at all is for the engine.
 */
enum app_csp {
	APP_CSP_STRICT, /* the specification's, and blob: and data:, which reach no network */
	APP_CSP_LAX,    /* that of the basic host of the specification's repository: with eval */
	APP_CSP_KINDS
};
extern const char *const app_csp_names[APP_CSP_KINDS]; /* "strict", "lax" */

#define APP_DOMAINS_MAX 100 /* of each kind */

struct app_domain {
	enum app_domains kind;
	size_t index;        /* in its array */
	char *text;          /* as declared, a label; not safe for a terminal */
	const char *refusal; /* NULL: it is in the policy */
};

struct app_policy {
	struct buf header; /* the value of Content-Security-Policy */
	struct {
		struct app_domain *items; /* in the order of their kinds */
		size_t len, cap;
	} domains;
	size_t rest; /* declared, but too many to be kept */
};

void app_policy_init(struct app_policy *p, const struct app_resource *r, enum app_csp csp);
void app_policy_finish(struct app_policy *p);
/* Return why this text is not a domain of a policy; NULL if it is one. */
const char *app_domain_refusal(const char *text);

/* What the author can do about a violation that the engine reported: appends one sentence.
 * directive: "connect-src"; blocked: the URL, or "eval", "inline", "data"... */
void app_policy_advise(const char *directive, const char *blocked, struct buf *out);

/*
 * A request of an app to a domain that its resource declares. The engine has no network: whatever
 * goes out is carried by the host, once the user has allowed that domain. Here is what may be
 * carried and what of it; nothing is carried here. All of a request is untrusted.
 */
struct app_request {
	uint64_t id;                     /* for the answer */
	const char *url, *method, *type; /* type: ResourceType of DevTools, "Fetch" */
	const cJSON *headers;            /* an object of strings, or anything */
	const void *body;
	size_t body_len;
	bool lacks_body; /* it has one that is too long to be handed on */
};

/* A redirect is an answer too: the engine asks for its target in turn. */
struct app_response {
	int status;          /* 100 to 599 */
	const char *reason;  /* "OK"; "" */
	const char *headers; /* "Name: value\n" each, as received */
	const void *body;
	size_t body_len;
};

#define APP_REQUEST_BODY_MAX ((size_t)4 << 20)
#define APP_RESPONSE_BODY_MAX ((size_t)16 << 20)

/* Why it is never carried, whatever is declared; NULL: a declared domain may let it through. */
const char *app_request_refusal(const struct app_request *r);
/* The first domain of the policy that it is to, of those for such requests; NULL: none. among: of
 * these alone; NULL: of all. */
const struct app_domain *app_request_domain(
    const struct app_request *r, const struct app_policy *policy, const struct strings *among);
/* Adds "Name: value" for each header that is sent: none that tells who the user is, and none that
 * is for the connection. origin: of the app, for requests that the server has to agree to. */
void app_request_headers(const struct app_request *r, const char *origin, struct strings *out);
/* Does the app get the header of that name in a response? */
bool app_response_has(const char *name, size_t len);
/* Why nothing to a declared domain is ever carried; NULL: the user may allow it. */
const char *app_domain_stays_offline(const struct app_domain *d);
/* Is it an address, or a name of this computer? Others never lead to private addresses. */
bool app_domain_is_address(const char *domain);

#endif
