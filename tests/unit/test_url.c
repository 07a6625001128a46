/* SPDX-License-Identifier: MIT */
/* The parts of URLs. */
#include "base/url.h"

#include "base/vec.h"
#include "test.h"

#include <string.h>

static void
add_part(struct buf *out, const struct url_part *part)
{
	if (part->at)
		buf_addf(out, "%.*s", (int)part->len, part->at);
	buf_add_char(out, '|');
}

static void
test_parts(void **state)
{
	static const struct {
		const char *url, *parts; /* scheme, user, host, port, path, query, fragment */
	} rows[] = {
		{ "https://a.example/x", "https||a.example||/x|||" },
		{ "HTTP://u:p@a.example:80/x/y?q=1#f", "HTTP|u:p|a.example|80|/x/y|q=1|f|" },
		{ "https://u@p@a.example?@/b", "https|u@p|a.example|||@/b||" },
		{ "https://a#b?c", "https||a||||b?c|" },
		{ "https://[::1]:9/", "https||[::1]|9|/|||" },
		{ "https://[::1]x:9/", "https||[::1]x:9||/|||" },
		{ "https://[::1/", "https||[|:1|/|||" },
		{ "https://a:b:c", "https||a|b:c||||" },
		{ "https://a\\@b/", "https|a\\|b||/|||" },
		{ "a.example:80/x", "||a.example|80|/x|||" },
		{ "/x?u=http://h", "/x?u=http||h|||||" },
		{ "https://", "https|||||||" },
		{ "", "|||||||" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		struct url u;
		url_split(&u, rows[i].url, strlen(rows[i].url));
		add_part(&out, &u.scheme);
		add_part(&out, &u.user);
		add_part(&out, &u.host);
		add_part(&out, &u.port);
		add_part(&out, &u.path);
		add_part(&out, &u.query);
		add_part(&out, &u.fragment);
		assert_string_equal(buf_text(&out), rows[i].parts);
		buf_finish(&out);
	}
}

static void
test_ports(void **state)
{
	static const struct {
		const char *text;
		int number;
	} rows[] = {
		{ "0", 0 },
		{ "80", 80 },
		{ "65535", 65535 },
		{ "00443", 443 },
		{ "", -1 },
		{ "65536", -1 },
		{ "99999999999999999999", -1 },
		{ "8a", -1 },
		{ "+8", -1 },
		{ " 8", -1 },
		{ "*", -1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct url_part port = { rows[i].text, strlen(rows[i].text) };
		assert_int_equal(url_port(&port), rows[i].number);
	}
	assert_int_equal(url_port(&(struct url_part){ 0 }), -1);
}

static void
test_hosts(void **state)
{
	static const struct {
		const char *url, *host;
	} rows[] = {
		{ "https://a.example/x", "a.example" },
		{ "HTTP://a.example:80?x", "a.example:80" },
		{ "https://u:p@q@a.example#x", "a.example" },
		{ "https://[::1]:9", "[::1]:9" },
		{ "https://", "" },
		{ "https:///x", "" },
		{ "https://?x", "" },
		{ "https://:80/", "" },
		{ "https://u@/", "" },
		{ "https://u@:80", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t len;
		const char *host = web_url_host(rows[i].url, &len);
		assert_int_equal(len, strlen(rows[i].host));
		assert_memory_equal(host, rows[i].host, len);
	}
}

TEST_FILE(url)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_hosts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
