/* SPDX-License-Identifier: MIT */
#include "client/question.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
test_links(void **state)
{
	static const struct {
		const char *url, *host;
		bool openable;
		const char *warning; /* part of one; NULL: none at all */
	} rows[] = {
		{ "https://a.example/x?y#z", "a.example", true, NULL },
		{ "https://a.example:8443/", "a.example", true, NULL },
		{ "http://127.0.0.1:80/", "127.0.0.1", true, NULL },
		{ "http://localhost/", "localhost", true, NULL },
		{ "http://[::1]:9/", "[::1]", true, NULL },
		{ "http://a.example/", "a.example", false, NULL },
		{ "https://bank.example@evil.example/", "evil.example", false, "user name" },
		{ "https://bank.example:443@evil.example:1/", "evil.example", false, "user name" },
		{ "https://xn--pple-43d.com/", "xn--pple-43d.com", true, "punycode" },
		{ "https://a.XN--b/", "a.XN--b", true, "punycode" },
		{ "https://\xd0\xb0pple.com/", "\xd0\xb0pple.com", false, "mixes scripts" },
		{ "https://m\xc3\xbcnchen.de/", "m\xc3\xbcnchen.de", false, "plain ASCII" },
		{ "https://a.example\\@b.example/", "b.example", false, "backslash" },
		{ "https://a.example/ b", "a.example", false, "white space" },
		{ "javascript:alert(1)", "", false, NULL },
		{ "file:///etc/passwd", "", false, NULL },
		{ "", "", false, NULL },
		{ "https://", "", false, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct link l;
		bool found = rows[i].warning == NULL;
		link_inspect(&l, rows[i].url);
		char *host = mem_strndup(rows[i].url + l.host, l.host_len);
		if (strcmp(host, rows[i].host) != 0 || l.openable != rows[i].openable)
			fail_msg("%s: host %s, %d %s", rows[i].url, host, l.openable, l.refusal);
		free(host);
		assert_int_equal(l.refusal[0] == '\0', l.openable);
		for (size_t k = 0; k < l.warning_count; k++)
			found =
			    found || (rows[i].warning && strstr(l.warnings[k], rows[i].warning));
		if (!found || (!rows[i].warning && l.warning_count > 0))
			fail_msg("%s: %zu warnings", rows[i].url, l.warning_count);
	}
}

static void
test_roots(void **state)
{
	static const char *const good[] = { "/", "/a b/\xc3\xa4", "file:///a%20b", "/a/..b/c.." };
	static const char *const bad[] = { "", "a", "file://host/a", "file:///a/../b",
		"file:///a/%2e%2E/b", "file:///..", "file:///a/.", "file:///a%0ab", "file:///a%zz",
		"file:///a%", "file:///a?b", "file:///a#b", "http://a/", "/a/../b", "FILE:///a" };
	struct strings r = { 0 };
	struct buf out = BUF_INIT;
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(roots_add(&r, good[i], &err));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (roots_add(&r, bad[i], &err))
			fail_msg("%s was taken", bad[i]);
	assert_int_equal(r.len, 4);
	assert_true(roots_add(&r, "/a b/\xc3\xa4/", &err)); /* the same */
	assert_int_equal(r.len, 4);
	assert_string_equal(r.items[1], "file:///a%20b/%C3%A4");
	assert_true(roots_remove(&r, "file:///a%20b"));
	assert_false(roots_remove(&r, "file:///a%20b"));
	assert_true(roots_remove(&r, "/a/..b/c.."));
	assert_true(roots_remove(&r, "/a b/\xc3\xa4"));
	roots_result(&r, &out);
	assert_string_equal(buf_text(&out), "{\"roots\":[{\"uri\":\"file:///\"}]}");
	buf_finish(&out);
	strings_finish(&r);
}

TEST_FILE(link)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_roots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
