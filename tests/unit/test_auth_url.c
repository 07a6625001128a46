/* SPDX-License-Identifier: MIT */
#include "auth/metadata.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
test_parts(void **state)
{
	struct auth_url u;

	assert_true(auth_url_parse(&u, "HTTPS://Ex-Ample.COM:8443/a/b?x=1#f", NULL));
	assert_string_equal(u.scheme, "https");
	assert_string_equal(u.host, "ex-ample.com");
	assert_int_equal(u.port, 8443);
	assert_string_equal(u.path, "/a/b");
	assert_string_equal(u.query, "x=1");
	assert_true(u.has_fragment);
	auth_url_finish(&u);
	assert_true(auth_url_parse(&u, "http://[::1]", NULL));
	assert_string_equal(u.host, "[::1]");
	assert_string_equal(u.path, "");
	assert_null(u.query);
	assert_int_equal(u.kind, AUTH_HOST_LOOPBACK);
	auth_url_finish(&u);
	assert_true(auth_url_parse(&u, "https://a.example:443", NULL));
	assert_int_equal(u.port, 0);
	auth_url_finish(&u);
}

static void
test_what_is_no_url(void **state)
{
	static const char *const bad[] = {
		"",
		"example.com",
		"/path",
		"javascript:alert(1)",
		"javascript://example.com/%0aalert(1)",
		"data:text/html,x",
		"file:///etc/passwd",
		"vbscript:x",
		"ftp://example.com/",
		"ht\ttp://example.com",
		"http:/example.com",
		"http://",
		"http:///path",
		"http://:80/",
		"https://user@example.com/",
		"https://user:pw@example.com/",
		"https://good.example\\@evil.example/",
		"https://example.com/a b",
		"https://example.com/\n",
		"https://ex\xc3\xa4mple.com/",
		"https://example.com:0/",
		"https://example.com:65536/",
		"https://example.com:99999999999999999999/",
		"https://example.com:8a/",
		"https://example..com/",
		"https://.example.com/",
		"https://example.com./",
		"https://[::1",
		"https://[::1]x/",
		"https://[zz]/",
		"https://[]/",
		/* addresses in disguise */
		"http://2130706433/",
		"http://0x7f000001/",
		"http://0x7f.1/",
		"http://127.1/",
		"http://0177.0.0.1/",
		"http://127.0.0.1.1/",
		"http://256.1.1.1/",
		"https://1/",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct auth_url u;
		struct err err = { "" };
		if (auth_url_parse(&u, bad[i], &err))
			fail_msg("taken: %s", bad[i]);
		assert_string_not_equal(err.text, "");
		assert_null(u.scheme);
	}
	char *longer = malloc(AUTH_URL_MAX + 32);
	struct auth_url u;
	memcpy(longer, "https://a.example/", 18);
	memset(longer + 18, 'a', AUTH_URL_MAX);
	longer[18 + AUTH_URL_MAX] = '\0';
	assert_false(auth_url_parse(&u, longer, NULL));
	free(longer);
}

static void
test_hosts(void **state)
{
	static const struct {
		const char *url;
		enum auth_host kind;
	} cases[] = {
		{ "http://localhost/", AUTH_HOST_LOOPBACK },
		{ "http://a.localhost/", AUTH_HOST_LOOPBACK },
		{ "http://LOCALHOST:1/", AUTH_HOST_LOOPBACK },
		{ "http://127.0.0.1/", AUTH_HOST_LOOPBACK },
		{ "http://127.255.1.2/", AUTH_HOST_LOOPBACK },
		{ "http://[::1]/", AUTH_HOST_LOOPBACK },
		{ "http://[0:0:0:0:0:0:0:1]/", AUTH_HOST_LOOPBACK },
		{ "http://[::ffff:127.0.0.1]/", AUTH_HOST_LOOPBACK },
		{ "http://[::ffff:7f00:1]/", AUTH_HOST_LOOPBACK },
		{ "http://localhost.example/", AUTH_HOST_PUBLIC },
		{ "http://notlocalhost/", AUTH_HOST_PUBLIC },
		{ "http://10.0.0.1/", AUTH_HOST_PRIVATE },
		{ "http://172.16.0.1/", AUTH_HOST_PRIVATE },
		{ "http://172.31.255.255/", AUTH_HOST_PRIVATE },
		{ "http://172.32.0.1/", AUTH_HOST_PUBLIC },
		{ "http://192.168.1.1/", AUTH_HOST_PRIVATE },
		{ "http://169.254.169.254/", AUTH_HOST_PRIVATE },
		{ "http://100.64.0.1/", AUTH_HOST_PRIVATE },
		{ "http://100.128.0.1/", AUTH_HOST_PUBLIC },
		{ "http://0.0.0.0/", AUTH_HOST_PRIVATE },
		{ "http://255.255.255.255/", AUTH_HOST_PRIVATE },
		{ "http://224.0.0.1/", AUTH_HOST_PRIVATE },
		{ "http://8.8.8.8/", AUTH_HOST_PUBLIC },
		{ "http://[::]/", AUTH_HOST_PRIVATE },
		{ "http://[fc00::1]/", AUTH_HOST_PRIVATE },
		{ "http://[fe80::1]/", AUTH_HOST_PRIVATE },
		{ "http://[ff02::1]/", AUTH_HOST_PRIVATE },
		{ "http://[::ffff:10.0.0.1]/", AUTH_HOST_PRIVATE },
		{ "http://[64:ff9b::a00:1]/", AUTH_HOST_PRIVATE },
		{ "http://[2002:a00:1::]/", AUTH_HOST_PRIVATE },
		{ "http://[2606:4700::1111]/", AUTH_HOST_PUBLIC },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_url u;
		if (!auth_url_parse(&u, cases[i].url, NULL))
			fail_msg("refused: %s", cases[i].url);
		if (u.kind != cases[i].kind)
			fail_msg("%s: kind %d", cases[i].url, u.kind);
		auth_url_finish(&u);
	}
}

static void
test_what_may_be_fetched(void **state)
{
	static const struct {
		const char *url;
		enum auth_host server;
		bool may;
	} cases[] = {
		{ "https://as.example/", AUTH_HOST_PUBLIC, true },
		{ "http://as.example/", AUTH_HOST_PUBLIC, false },
		{ "http://as.example/", AUTH_HOST_LOOPBACK, false },
		{ "https://as.example/", AUTH_HOST_LOOPBACK, true },
		{ "http://localhost:1/", AUTH_HOST_PUBLIC, false },
		{ "https://localhost:1/", AUTH_HOST_PUBLIC, false },
		{ "http://localhost:1/", AUTH_HOST_PRIVATE, false },
		{ "http://localhost:1/", AUTH_HOST_LOOPBACK, true },
		{ "https://10.0.0.1/", AUTH_HOST_PUBLIC, false },
		{ "https://10.0.0.1/", AUTH_HOST_PRIVATE, true },
		{ "http://10.0.0.1/", AUTH_HOST_PRIVATE, false },
		{ "https://169.254.169.254/latest", AUTH_HOST_PUBLIC, false },
		{ "file:///etc/passwd", AUTH_HOST_LOOPBACK, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = { "" };
		if (auth_url_may_fetch(cases[i].url, cases[i].server, &err) != cases[i].may)
			fail_msg("%s from %d: %s", cases[i].url, cases[i].server, err.text);
	}
	assert_true(auth_url_is_safe("http://127.0.0.1:1/callback", NULL));
	assert_true(auth_url_is_safe("https://10.0.0.1/", NULL));
	assert_false(auth_url_is_safe("http://as.example/", NULL));
}

static void
test_resources(void **state)
{
	static const char *const canonical[][2] = {
		{ "https://MCP.example.com", "https://mcp.example.com" },
		{ "https://mcp.example.com/", "https://mcp.example.com" },
		{ "HTTPS://mcp.example.com:443/mcp", "https://mcp.example.com/mcp" },
		{ "https://mcp.example.com:8443", "https://mcp.example.com:8443" },
		{ "https://mcp.example.com/server/mcp#x", "https://mcp.example.com/server/mcp" },
		{ "https://mcp.example.com/mcp/", "https://mcp.example.com/mcp/" },
		{ "http://localhost:1/mcp?a=b", "http://localhost:1/mcp?a=b" },
	};
	static const struct {
		const char *resource, *server;
		bool covers;
	} cases[] = {
		{ "https://a.example/mcp", "https://a.example/mcp", true },
		{ "https://a.example", "https://a.example/mcp", true },
		{ "https://a.example/", "https://a.example/mcp", true },
		{ "https://A.example:443/mcp", "https://a.example/mcp", true },
		{ "https://a.example/mcp/", "https://a.example/mcp", true },
		{ "https://a.example/mcp", "https://a.example/mcp/x", true },
		{ "https://a.example/mc", "https://a.example/mcp", false },
		{ "https://a.example/mcp/x", "https://a.example/mcp", false },
		{ "https://a.example/a", "https://a.example/a/../mcp", false },
		{ "https://evil.example/mcp", "https://a.example/mcp", false },
		{ "http://a.example/mcp", "https://a.example/mcp", false },
		{ "https://a.example:1/mcp", "https://a.example/mcp", false },
		{ "https://a.example/mcp#x", "https://a.example/mcp", false },
		{ "https://a.example/mcp?x=1", "https://a.example/mcp", false },
		{ "not a url", "https://a.example/mcp", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(canonical); i++) {
		char *got = auth_canonical_resource(canonical[i][0]);
		assert_string_equal(got, canonical[i][1]);
		free(got);
	}
	assert_null(auth_canonical_resource("mcp.example.com"));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (auth_resource_covers(cases[i].resource, cases[i].server) != cases[i].covers)
			fail_msg("%s and %s", cases[i].resource, cases[i].server);
}

static void
check_urls(const struct strings *urls, const char *expected)
{
	struct buf joined = BUF_INIT;

	strings_join(urls, " ", &joined);
	assert_string_equal(buf_text(&joined), expected);
	buf_finish(&joined);
}

static void
test_discovery_order(void **state)
{
	static const char *const resources[][3] = {
		{ "https://a.example/public/mcp", NULL,
		    "https://a.example/.well-known/oauth-protected-resource/public/mcp "
		    "https://a.example/.well-known/oauth-protected-resource" },
		{ "https://a.example", NULL,
		    "https://a.example/.well-known/oauth-protected-resource" },
		{ "https://a.example/mcp/", "https://a.example/x",
		    "https://a.example/x "
		    "https://a.example/.well-known/oauth-protected-resource/mcp "
		    "https://a.example/.well-known/oauth-protected-resource" },
	};
	static const char *const servers[][2] = {
		{ "https://as.example", "https://as.example/.well-known/oauth-authorization-server "
					"https://as.example/.well-known/openid-configuration" },
		{ "https://as.example/",
		    "https://as.example/.well-known/oauth-authorization-server "
		    "https://as.example/.well-known/openid-configuration" },
		{ "https://as.example:8443/tenant1",
		    "https://as.example:8443/.well-known/oauth-authorization-server/tenant1 "
		    "https://as.example:8443/.well-known/openid-configuration/tenant1 "
		    "https://as.example:8443/tenant1/.well-known/openid-configuration" },
		{ "not a url", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(resources); i++) {
		struct strings urls = { 0 };
		auth_resource_urls(resources[i][0], resources[i][1], &urls);
		check_urls(&urls, resources[i][2]);
		strings_finish(&urls);
	}
	for (size_t i = 0; i < ARRAY_LEN(servers); i++) {
		struct strings urls = { 0 };
		auth_server_urls(servers[i][0], &urls);
		check_urls(&urls, servers[i][1]);
		strings_finish(&urls);
	}
}

static void
test_forms(void **state)
{
	struct buf form = BUF_INIT;
	size_t count;

	auth_form_add(&form, "a", "1 &=+/~\xc3\xa4");
	auth_form_add(&form, "none", NULL);
	auth_form_add(&form, "b", "");
	assert_string_equal(buf_text(&form), "a=1%20%26%3D%2B%2F~%C3%A4&b=");
	char *a = auth_form_get(form.data, form.len, "a", &count);
	assert_string_equal(a, "1 &=+/~\xc3\xa4");
	assert_int_equal(count, 1);
	free(a);
	buf_finish(&form);
	static const char odd[] = "x=%4&y=%zz&z=%00q&+w=a+b&x=2&&=&v";
	char *x = auth_form_get(odd, strlen(odd), "x", &count);
	assert_string_equal(x, "%4");
	assert_int_equal(count, 2);
	free(x);
	assert_null(auth_form_get(odd, strlen(odd), "z", NULL));
	char *w = auth_form_get(odd, strlen(odd), " w", NULL);
	assert_string_equal(w, "a b");
	free(w);
	char *v = auth_form_get(odd, strlen(odd), "v", NULL);
	assert_string_equal(v, "");
	free(v);
	assert_null(auth_form_get("", 0, "a", &count));
	assert_int_equal(count, 0);
}

TEST_FILE(auth_url)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_what_is_no_url),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_what_may_be_fetched),
		cmocka_unit_test(test_resources),
		cmocka_unit_test(test_discovery_order),
		cmocka_unit_test(test_forms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
