#ifndef APPS_POLICY_H
#define APPS_POLICY_H

#include "apps/resource.h"
#include "base/buf.h"

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
/* Why this text is no domain for a policy; NULL if it is one. */
const char *app_domain_refusal(const char *text);

/* What the author can do about a violation that the engine reported: appends one sentence.
 * directive: "connect-src"; blocked: the URL, or "eval", "inline", "data"... */
void app_policy_advise(const char *directive, const char *blocked, struct buf *out);

#endif
