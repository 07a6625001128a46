/* SPDX-License-Identifier: MIT */
/* Which requests of an app may leave the machine. Every domain, URL and header is hostile. */
#include "apps/policy.h"
#include "base/vec.h"
#include "quoted.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *domain, *url;
	bool fits;
} ROWS[] = {
	{ "https://api.example.com", "https://api.example.com/x?y#z", true },
	{ "https://api.example.com", "https://api.example.com:443", true },
	{ "https://API.example.com", "https://api.EXAMPLE.com/", true },
	{ "https://api.example.com", "https://api.example.com:8443/", false },
	{ "https://api.example.com", "http://api.example.com/", false },
	{ "https://api.example.com", "https://api.example.com.evil.test/", false },
	{ "https://api.example.com", "https://xapi.example.com/", false },
	{ "https://api.example.com", "https://api.example.com@evil.test/", false },
	{ "https://api.example.com", "https://u:p@api.example.com/", false },
	{ "https://api.example.com", "https://evil.test/https://api.example.com", false },
	{ "https://api.example.com", "https://api.example.com\\@evil.test/", false },
	{ "https://api.example.com", "https://api.example.com%2e/", false },
	{ "https://api.example.com", "https://api.example.com /", false },
	{ "https://api.example.com", "https://api.ex\xc3\xa4mple.com/", false },
	{ "https://api.example.com", "file://api.example.com/", false },
	{ "https://api.example.com", "//api.example.com/", false },
	{ "https://api.example.com", "", false },
	{ "http://api.example.com", "https://api.example.com/", true },
	{ "http://api.example.com", "http://api.example.com/", true },
	{ "http://api.example.com", "http://api.example.com:443/", false },
	{ "api.example.com", "https://api.example.com/", true },
	{ "api.example.com", "http://api.example.com/", false },
	{ "wss://api.example.com", "https://api.example.com/", false },
	{ "*.example.com", "https://a.b.example.com/", true },
	{ "*.example.com", "https://example.com/", false },
	{ "*.example.com", "https://badexample.com/", false },
	{ "*.example.com", "https://*.example.com/", false },
	{ "*", "https://example.com/", false },
	{ "https://example.com:*", "https://example.com:8443/", true },
	{ "https://example.com:8443", "https://example.com:8443/", true },
	{ "https://example.com:8443", "https://example.com:84430/", false },
	{ "https://example.com:8443", "https://example.com/", false },
	{ "https://example.com", "https://example.com:999999/", false },
	{ "https://example.com/v1/", "https://example.com/v1/x", true },
	{ "https://example.com/v1/", "https://example.com/v2/x", false },
	{ "https://example.com/v1/", "https://example.com/?/v1/", false },
	{ "https://example.com/v1", "https://example.com/v1?q", true },
	{ "https://example.com/v1", "https://example.com/v1/x", false },
	{ "http://[::1]:80", "http://[::1]/", true },
	{ "http://[::1]", "http://[::2]/", false },
	{ "http://127.0.0.1:9", "http://127.0.0.1:9/", true },
};

static struct app_policy
policy_of(const char *member, const char *domain)
{
	char *text = NULL;
	struct app_policy p;
	struct app_resource r;

	assert_true(asprintf(&text, "{\"_meta\":{\"ui\":{\"csp\":{\"%s\":[\"%s\"]}}}}", member,
			domain) > 0);
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
	app_resource_read(&r, json_root(doc), NULL);
	app_policy_init(&p, &r, APP_CSP_STRICT);
	json_doc_destroy(doc);
	free(text);
	return p;
}

static bool
goes(const struct app_policy *p, const char *type, const char *url)
{
	const struct app_request r = { .url = url, .method = "GET", .type = type };

	return !app_request_refusal(&r) && app_request_domain(&r, p, NULL);
}

static void
test_domains(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++) {
		struct app_policy p = policy_of("connectDomains", ROWS[i].domain);
		if (goes(&p, "Fetch", ROWS[i].url) != ROWS[i].fits)
			fail_msg("%s, %s", ROWS[i].domain, ROWS[i].url);
		app_policy_finish(&p);
	}
}

/* The user is not asked about requests that are blocked in any case. */
static void
test_what_stays_offline(void **state)
{
	static const struct {
		const char *member, *domain, *why;
	} rows[] = {
		{ "connectDomains", "https://a.example", NULL },
		{ "connectDomains", "a.example", NULL },
		{ "resourceDomains", "http://a.example:8080", NULL },
		{ "connectDomains", "wss://a.example", "WebSockets are never carried" },
		{ "connectDomains", "ws://a.example:1", "WebSockets are never carried" },
		{ "frameDomains", "https://a.example", "pages from elsewhere are never shown" },
		{ "baseUriDomains", "https://a.example", "a base URI is not requested" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct app_policy p = policy_of(rows[i].member, rows[i].domain);
		const char *why = app_domain_stays_offline(&p.domains.items[0]);
		assert_int_equal(p.domains.len, 1);
		if (rows[i].why ? !why || !strstr(why, rows[i].why) : why != NULL)
			fail_msg("%s: %s", rows[i].domain, why ? why : "NULL");
		app_policy_finish(&p);
	}
}

/* The purpose of each declared domain, and requests that are never allowed. */
static void
test_types(void **state)
{
	static const char url[] = "https://a.example/";
	static const struct {
		const char *type;
		bool connect, resource;
	} rows[] = {
		{ "Fetch", true, false },
		{ "XHR", true, false },
		{ "Preflight", true, false },
		{ "Image", false, true },
		{ "Script", false, true },
		{ "Font", false, true },
		{ "Document", false, false },
		{ "EventSource", false, false },
		{ "WebSocket", false, false },
		{ "Other", false, false },
	};
	struct app_policy c = policy_of("connectDomains", url),
			  r = policy_of("resourceDomains", url), f = policy_of("frameDomains", url);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(goes(&c, rows[i].type, url), rows[i].connect);
		assert_int_equal(goes(&r, rows[i].type, url), rows[i].resource);
		assert_false(goes(&f, rows[i].type, url));
	}
	struct strings none = { 0 };
	const struct app_request asked = { .url = url, .method = "GET", .type = "Fetch" };
	assert_null(app_request_domain(&asked, &c, &none));
	strings_add(&none, url);
	assert_non_null(app_request_domain(&asked, &c, &none));
	strings_finish(&none);
	app_policy_finish(&c);
	app_policy_finish(&r);
	app_policy_finish(&f);
}

static void
test_refused(void **state)
{
	const struct app_request trace = { .url = "https://a/", .method = "TRACE", .type = "XHR" },
				 lower = { .url = "https://a/", .method = "get", .type = "XHR" },
				 big = { .url = "https://a/",
					 .method = "POST",
					 .type = "XHR",
					 .lacks_body = true };

	assert_non_null(app_request_refusal(&trace));
	assert_non_null(app_request_refusal(&lower));
	assert_non_null(app_request_refusal(&big));
}

static void
test_headers(void **state)
{
	struct json_doc *doc = parse_quoted(
	    "{'Accept':'a/b','Cookie':'c','cookie2':'d','Host':'evil','Content-Length':'7',"
	    "'Sec-Fetch-Mode':'cors','Proxy-Authorization':'p','X-Forwarded-For':'x',"
	    "'Authorization':'Bearer t','X-Key':'k','Referer':'r','User-Agent':'Chrome',"
	    "'Transfer-Encoding':'chunked','Bad Name':'x','X-Line':'a\\r\\nCookie: b','Origin':'o',"
	    "'':'x','X-Number':7}");
	const struct app_request r = {
		.url = "https://a/", .method = "GET", .type = "Fetch", .headers = json_root(doc)
	};
	struct strings out = { 0 };
	struct buf all = BUF_INIT;

	app_request_headers(&r, "https://a1.invalid", &out);
	strings_join(&out, "|", &all);
	assert_string_equal(buf_text(&all),
	    "Accept: a/b|Authorization: Bearer t|X-Key: k|Origin: https://a1.invalid");
	assert_true(app_response_has("Content-Type", 12));
	assert_true(app_response_has("access-control-allow-origin", 27));
	assert_false(app_response_has("set-cookie", 10));
	assert_false(app_response_has("Clear-Site-Data", 15));
	assert_false(app_response_has("Content-Encoding", 16));
	strings_finish(&out);
	buf_finish(&all);
	json_doc_destroy(doc);
}

static void
test_addresses(void **state)
{
	static const char *const near[] = { "http://localhost:3000", "localhost", "a.localhost",
		"http://127.0.0.1", "https://10.0.0.1:8443/x", "http://[::1]", "[fe80::1]:80" };
	static const char *const far[] = { "https://example.com", "notlocalhost",
		"localhost.example.com", "*.example.com", "1.example.com" };

	for (size_t i = 0; i < ARRAY_LEN(near); i++)
		assert_true(app_domain_is_address(near[i]));
	for (size_t i = 0; i < ARRAY_LEN(far); i++)
		assert_false(app_domain_is_address(far[i]));
}

TEST_FILE(app_reach)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_what_stays_offline),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
