#include "host/tokens.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[32], path[64], broken[80];

static int
set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/mcpane-tokens-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/in/tokens.json", folder);
	snprintf(broken, sizeof(broken), "%s.broken", path);
	return 0;
}

static int
tear_down(void **state)
{
	char in[48];
	(void)state;

	unlink(path);
	unlink(broken);
	snprintf(in, sizeof(in), "%s/in", folder);
	rmdir(in);
	return rmdir(folder);
}

static void
save(const char *server, const char *access, const char *client)
{
	struct auth_kept kept = {
		.client = { .source = AUTH_CLIENT_REGISTERED,
		    .issuer = (char *)"https://as.example",
		    .id = (char *)client,
		    .secret = (char *)"s3cret",
		    .redirect_uri = (char *)"http://127.0.0.1:9/callback",
		    .method = AUTH_METHOD_BASIC,
		    .secret_expires_s = 99 },
		.token = { .access = (char *)access,
		    .refresh = (char *)"r",
		    .scope = (char *)"a b",
		    .expires_s = 1234567890123 },
		.issuer = (char *)"https://as.example",
		.resource = (char *)"https://m.example",
	};
	struct err err = { "" };

	if (!tokens_save(path, server, &kept, &err))
		fail_msg("%s", err.text);
}

static void
test_there_and_back(void **state)
{
	struct auth_kept kept;
	struct stat st;
	(void)state;

	save("https://m.example/mcp", "t1", "c1");
	save("https://n.example/mcp", "t2", "c2");
	save("https://m.example/mcp", "t3", "c3"); /* anew */
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_true(tokens_load(path, "https://m.example/mcp", &kept, NULL));
	assert_string_equal(kept.token.access, "t3");
	assert_string_equal(kept.token.refresh, "r");
	assert_string_equal(kept.token.scope, "a b");
	assert_int_equal(kept.token.expires_s, 1234567890123);
	assert_string_equal(kept.issuer, "https://as.example");
	assert_string_equal(kept.resource, "https://m.example");
	assert_string_equal(kept.client.id, "c3");
	assert_string_equal(kept.client.issuer, "https://as.example");
	assert_string_equal(kept.client.secret, "s3cret");
	assert_string_equal(kept.client.redirect_uri, "http://127.0.0.1:9/callback");
	assert_int_equal(kept.client.method, AUTH_METHOD_BASIC);
	assert_int_equal(kept.client.source, AUTH_CLIENT_REGISTERED);
	assert_int_equal(kept.client.secret_expires_s, 99);
	auth_kept_finish(&kept);
	assert_true(tokens_load(path, "https://m.example/", &kept, NULL));
	assert_null(kept.token.access); /* another server */
	assert_true(tokens_save(path, "https://m.example/mcp", NULL, NULL));
	assert_true(tokens_load(path, "https://m.example/mcp", &kept, NULL));
	assert_null(kept.issuer);
	assert_true(tokens_load(path, "https://n.example/mcp", &kept, NULL));
	assert_string_equal(kept.token.access, "t2");
	auth_kept_finish(&kept);
}

static void
test_no_file(void **state)
{
	struct auth_kept kept;
	(void)state;

	assert_true(tokens_load(path, "https://m.example/mcp", &kept, NULL));
	assert_null(kept.issuer);
	assert_true(tokens_save(path, "https://m.example/mcp", NULL, NULL));
	assert_int_not_equal(access(path, F_OK), 0);
}

/* What the user gives on each start is his: neither written nor asked for. */
static void
test_given_clients_are_not_kept(void **state)
{
	struct auth_kept kept = {
		.client = { .source = AUTH_CLIENT_GIVEN,
		    .issuer = (char *)"https://as.example",
		    .id = (char *)"mine",
		    .secret = (char *)"hush" },
		.token = { .access = (char *)"t" },
		.issuer = (char *)"https://as.example",
	};
	struct buf text = BUF_INIT;
	(void)state;

	assert_true(tokens_save(path, "https://m.example/mcp", &kept, NULL));
	assert_true(path_read_file(path, &text, NULL));
	assert_null(strstr(buf_text(&text), "hush"));
	assert_null(strstr(buf_text(&text), "mine"));
	buf_finish(&text);
}

static void
test_broken_files(void **state)
{
	static const char *const bad[] = { "", "{", "[]", "{\"servers\":{}}", "null", "\xff\xfe" };
	(void)state;

	save("https://m.example/mcp", "t", "c"); /* makes the folder */
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct auth_kept kept;
		struct err said = { "" };
		assert_true(path_write_private(path, bad[i], strlen(bad[i]), NULL));
		assert_false(tokens_load(path, "https://m.example/mcp", &kept, &said));
		assert_non_null(strstr(said.text, "moved to"));
		assert_null(kept.token.access);
		assert_int_equal(access(broken, F_OK), 0);
		assert_int_not_equal(access(path, F_OK), 0);
		save("https://m.example/mcp", "t", "c");
	}
}

/* Entries that make no sense, or would break out of a header, hold nothing. */
static void
test_odd_entries(void **state)
{
	static const char *const odd[] = {
		"7",
		"{}",
		"{\"server\":\"https://m.example/mcp\"}",
		"{\"server\":\"https://m.example/mcp\",\"token\":{\"access_token\":\"t\"}}",
		"{\"server\":\"https://m.example/"
		"mcp\",\"issuer\":\"i\",\"token\":{\"access_token\":\"a"
		"\\r\\nX: y\"}}",
		"{\"server\":\"https://m.example/mcp\",\"issuer\":\"i\",\"token\":7,\"client\":[]}",
	};
	(void)state;

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		struct auth_kept kept;
		char *text = mem_printf("{\"servers\":[%s]}", odd[i]);
		assert_true(path_write_private(path, text, strlen(text), NULL));
		assert_true(tokens_load(path, "https://m.example/mcp", &kept, NULL));
		assert_null(kept.token.access);
		assert_null(kept.client.id);
		auth_kept_finish(&kept);
		free(text);
	}
	struct auth_kept kept;
	save("https://n.example/mcp", "t", "c"); /* beside what is odd */
	assert_true(tokens_load(path, "https://n.example/mcp", &kept, NULL));
	assert_string_equal(kept.token.access, "t");
	auth_kept_finish(&kept);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_there_and_back),
		TEST(test_no_file),
		TEST(test_given_clients_are_not_kept),
		TEST(test_broken_files),
		TEST(test_odd_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
