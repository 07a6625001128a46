/* SPDX-License-Identifier: MIT */
/* A request of an app and the app's declaration, as JSON {"url", "method", "type", "headers",
 * "_meta"}: an accepted request goes to a declared host, and has no forged header. */
#include "fuzz.h"

#include "apps/policy.h"
#include "base/url.h"

#include <string.h>
#include <strings.h>

static void
check_host(const char *url, const char *domain)
{
	const char *slashes = strstr(domain, "://"), *from = slashes ? slashes + 3 : domain;
	size_t len, wanted = strcspn(from, "/");
	const char *host = web_url_host(url, &len);

	len = strcspn(host, ":/?#") < len && *host != '[' ? strcspn(host, ":/?#") : len;
	if (*from == '[')
		return;
	wanted = strcspn(from, ":/") < wanted ? strcspn(from, ":/") : wanted;
	demand(is_web_url(url) && !memchr(url, '@', (size_t)(host - url)));
	if (*from == '*')
		demand(len > wanted - 1 &&
		       strncasecmp(host + len - (wanted - 1), from + 1, wanted - 1) == 0);
	else
		demand(len == wanted && strncasecmp(host, from, len) == 0);
}

static const char *
or_empty(const cJSON *value, const char *key)
{
	const char *text = json_get_string(value, key);

	return text ? text : "";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = json_parse((const char *)data, size, NULL, NULL);
	const cJSON *root = json_root(doc);
	struct strings headers = { 0 };
	struct app_resource resource;
	struct app_policy policy;

	if (!doc)
		return 0;
	const struct app_request r = { .url = or_empty(root, "url"),
		.method = or_empty(root, "method"),
		.type = or_empty(root, "type"),
		.headers = json_get(root, "headers") };
	app_resource_read(&resource, root, NULL);
	app_policy_init(&policy, &resource, APP_CSP_STRICT);
	const struct app_domain *domain = app_request_domain(&r, &policy, NULL);
	if (domain && !app_request_refusal(&r)) {
		demand(!domain->refusal);
		check_host(r.url, domain->text);
		app_domain_is_address(domain->text);
	}
	app_request_headers(&r, "https://a.invalid", &headers);
	for (size_t i = 0; i < headers.len; i++) {
		demand(!strpbrk(headers.items[i], "\r\n"));
		demand(strncasecmp(headers.items[i], "cookie:", 7) != 0);
		demand(strncasecmp(headers.items[i], "host:", 5) != 0);
	}
	strings_finish(&headers);
	app_policy_finish(&policy);
	json_doc_destroy(doc);
	return 0;
}
