#ifndef APPS_REACH_H
#define APPS_REACH_H

#include "apps/policy.h"
#include "base/strings.h"

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
