/* SPDX-License-Identifier: MIT */
/* Where a proxy listens, and which Host names it accepts. */
#include "net/proxy/proxy.h"

#include "base/vec.h"
#include "test.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static void
test_hosts(void **state)
{
	static const struct {
		const char *host;
		bool ours;
	} rows[] = {
		{ "localhost", true },
		{ "LocalHost:80", true },
		{ "127.0.0.1:8080", true },
		{ "127.0.0.2", true },
		{ "192.168.1.5:8080", true }, /* not a name, so DNS rebinding is impossible */
		{ "[::1]", true },
		{ "[::1]:8080", true },
		{ "", false },
		{ ":80", false },
		{ "evil.example", false },
		{ "evil.example:8080", false },
		{ "localhost.", false },
		{ "localhost.evil.example", false },
		{ "127.0.0.1.evil.example", false },
		{ "127.1", false },
		{ "2130706433", false },
		{ "127.0.0.1,evil.example", false },
		{ "127.0.0.1:80 ", false },
		{ "127.0.0.1:", false },
		{ "127.0.0.1:99999", false },
		{ "127.0.0.1:80x", false },
		{ "user@localhost", false },
		{ "[::1", false },
		{ "[::1]x", false },
		{ "[evil.example]", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (proxy_host_is_ours(rows[i].host) != rows[i].ours)
			fail_msg("%s", rows[i].host);
}

static void
test_origins(void **state)
{
	static const struct {
		const char *origin, *host;
		bool ours;
	} rows[] = {
		{ "http://127.0.0.1:8080", "127.0.0.1:8080", true },
		{ "HTTP://LocalHost:8080", "localhost:8080", true },
		{ "http://[::1]:1", "[::1]:1", true },
		{ "http://localhost:6274", "127.0.0.1:8080", false },
		{ "http://localhost:8081", "localhost:8080", false },
		{ "http://localhost:8080", "127.0.0.1:8080", false },
		{ "https://localhost", "localhost", false },
		{ "http://localhost,http://localhost", "localhost", false },
		{ "http://evil.example", "evil.example", false },
		{ "http://192.168.1.5:8080", "192.168.1.5:8080", true },
		{ "http://192.168.1.5:8081", "192.168.1.5:8080", false },
		{ "http://192.168.1.6", "192.168.1.5", false },
		{ "null", "localhost", false },
		{ "", "localhost", false },
		{ "localhost", "localhost", false },
		{ "file://localhost", "localhost", false },
		{ "http://", "localhost", false },
		{ "http://localhost/", "localhost", false },
		{ "https://evil.example", "localhost", false },
		{ "http://localhost.evil.example", "localhost", false },
		{ "http://evil.example#localhost", "localhost", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (proxy_origin_is_ours(rows[i].origin, rows[i].host) != rows[i].ours)
			fail_msg("%s", rows[i].origin);
}

static void
test_listening(void **state)
{
	static const char *const good[] = { "127.0.0.1:0", "localhost:0", "0" };
	static const char *const bad[] = { "", ":0", "localhost", "evil.example:0",
		"127.0.0.1:", "127.0.0.1:-1", "65536", "123456789", "[::1", "1.2.3.4.5:0" };
	struct proxy_address a, again;
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		assert_true(proxy_address_listen(&a, good[i], &err));
		assert_true(a.is_local);
		assert_memory_equal(a.text, "127.0.0.1:", 10);
		assert_string_not_equal(a.text, "127.0.0.1:0");
		if (proxy_address_listen(&again, a.text, &err)) /* it is taken */
			fail_msg("%s twice", a.text);
		assert_non_null(strstr(err.text, "cannot listen at 127.0.0.1:"));
		close(a.fd);
	}
	assert_true(proxy_address_listen(&a, "0.0.0.0:0", &err));
	assert_false(a.is_local);
	close(a.fd);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_false(proxy_address_listen(&a, bad[i], &err));
		assert_non_null(strstr(err.text, "not an address and a port"));
	}
}

TEST_FILE(proxy_address)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_listening),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
