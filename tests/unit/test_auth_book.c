/* SPDX-License-Identifier: MIT */
/* Stored tokens and registrations, and reading malformed files of any kind. */
#include "auth/book.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AS "https://as.example"
#define M "https://m.example/mcp"
#define N "https://n.example/mcp"

static struct auth_book book;

static int
tear_down(void **state)
{
	auth_book_finish(&book);
	return 0;
}

static void
keep(const char *server, const char *issuer, const char *resource, const char *access,
    const char *client)
{
	struct auth_kept kept = { .issuer = (char *)issuer,
		.resource = (char *)resource,
		.token = { .access = (char *)access,
		    .refresh = (char *)"r",
		    .scope = (char *)"a b",
		    .client_id = (char *)client,
		    .expires_s = 1234567890123 } };

	auth_book_change(&book, server, &(struct auth_change){ .keep = &kept });
}

static void
keep_client(const char *issuer, const char *uri, const char *id)
{
	struct auth_kept kept = { .client = { .source = AUTH_CLIENT_REGISTERED,
				      .issuer = (char *)issuer,
				      .id = (char *)id,
				      .secret = (char *)"s3cret",
				      .redirect_uri = (char *)uri,
				      .method = AUTH_METHOD_BASIC,
				      .secret_expires_s = 99 } };

	auth_book_change(&book, M, &(struct auth_change){ .keep = &kept });
}

/* Return "ACCESS by CLIENT" for the entry found, or "-". */
static void
check(const char *server, const char *issuer, const char *resource, const char *expected)
{
	struct auth_kept kept;
	char got[200] = "-";

	if (auth_book_find(&book, server, issuer, resource, &kept))
		snprintf(got, sizeof(got), "%s by %s", kept.token.access,
		    kept.client.id ? kept.client.id : "?");
	auth_kept_finish(&kept);
	assert_string_equal(got, expected);
}

/* "id id", the newest first. */
static void
check_clients(const char *issuer, const char *expected)
{
	struct auth_clients found = { 0 };
	struct buf got = BUF_INIT;

	auth_book_find_clients(&book, issuer, &found);
	for (size_t i = 0; i < found.len; i++)
		buf_addf(&got, "%s%s", i ? " " : "", found.items[i].id);
	assert_string_equal(buf_text(&got), expected);
	auth_clients_finish(&found);
	buf_finish(&got);
}

static char *
print(void)
{
	struct buf text = BUF_INIT;

	auth_book_print(&book, &text);
	return buf_detach(&text);
}

static void
read_anew(const char *text)
{
	struct err err = { "" };

	auth_book_finish(&book);
	if (!auth_book_parse(&book, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

static void
test_keys(void **state)
{
	keep_client(AS, "http://127.0.0.1:1/callback", "c1");
	keep(M, AS, "https://m.example", "t1", "c1");
	keep(N, AS, N, "t2", "c1");
	keep(NULL, "https://as2.example", N, "t3", "c1");
	check(M, NULL, NULL, "t1 by c1");
	check(N, NULL, NULL, "t2 by c1");
	check("https://m.example/", NULL, NULL, "-");
	check(NULL, AS, "https://m.example", "t1 by c1");
	check(NULL, AS, M, "-");                          /* to the letter */
	check(NULL, "https://as2.example", N, "t3 by ?"); /* a client there is another's here */
	check(M, "https://as2.example", "https://m.example", "-");
	/* one entry a key; who shares it has the new one */
	keep("https://m.example/other", AS, "https://m.example", "t4", "c1");
	check(M, NULL, NULL, "t4 by c1");
	assert_int_equal(book.tokens.len, 3);
	/* a resource that does not cover the server leads nowhere */
	keep("https://evil.example/", AS, "https://m.example", "t5", "c1");
	check("https://evil.example/", NULL, NULL, "-");
}

static void
test_there_and_back(void **state)
{
	struct auth_kept kept;

	test_keys(NULL);
	char *text = print();
	read_anew(text);
	char *again = print();
	assert_string_equal(text, again);
	assert_true(auth_book_find(&book, M, NULL, NULL, &kept));
	assert_string_equal(kept.issuer, AS);
	assert_string_equal(kept.resource, "https://m.example");
	assert_string_equal(kept.token.refresh, "r");
	assert_string_equal(kept.token.scope, "a b");
	assert_string_equal(kept.token.client_id, "c1");
	assert_int_equal(kept.token.expires_s, 1234567890123);
	assert_string_equal(kept.client.issuer, AS);
	assert_string_equal(kept.client.secret, "s3cret");
	assert_string_equal(kept.client.redirect_uri, "http://127.0.0.1:1/callback");
	assert_int_equal(kept.client.method, AUTH_METHOD_BASIC);
	assert_int_equal(kept.client.source, AUTH_CLIENT_REGISTERED);
	assert_int_equal(kept.client.secret_expires_s, 99);
	auth_kept_finish(&kept);
	free(text);
	free(again);
}

static void
test_clients(void **state)
{
	keep_client(AS, "http://127.0.0.1:1/callback", "c1");
	keep_client(AS, "http://127.0.0.1:2/callback", "c2");
	keep_client("https://as2.example", "http://127.0.0.1:1/callback", "x1");
	check_clients(AS, "c2 c1");
	check_clients("https://as3.example", "");
	/* registered again: the one before goes, unless a token was given to it */
	keep_client(AS, "http://127.0.0.1:1/callback", "c3");
	check_clients(AS, "c3 c2");
	keep(M, AS, M, "t", "c3");
	keep_client(AS, "http://127.0.0.1:1/callback", "c4");
	check_clients(AS, "c4 c3 c2");
	check(M, NULL, NULL, "t by c3");
	/* not without end */
	for (int i = 0; i < 100; i++) {
		char id[20], uri[60];
		snprintf(id, sizeof(id), "n%d", i);
		snprintf(uri, sizeof(uri), "http://127.0.0.1:%d/callback", 100 + i);
		keep_client(AS, uri, id);
	}
	check_clients(AS, "n99 n98 n97 n96 n95 n94 n93 n92");
	check_clients("https://as2.example", "x1");
}

static void
test_drop(void **state)
{
	struct auth_kept drop = {
		.issuer = (char *)AS, .resource = (char *)M, .token = { .access = (char *)"t1" }
	};

	keep_client(AS, "http://127.0.0.1:1/callback", "c1");
	keep(M, AS, M, "t2", "c1");
	auth_book_change(
	    &book, NULL, &(struct auth_change){ .drop = &drop }); /* another run has a newer one */
	check(M, NULL, NULL, "t2 by c1");
	drop.token.access = (char *)"t2";
	auth_book_change(&book, NULL, &(struct auth_change){ .drop = &drop });
	check(M, NULL, NULL, "-");
	assert_int_equal(book.servers.len, 0);
	check_clients(AS, "c1");
	auth_book_change(&book, NULL,
	    &(struct auth_change){
		.drop = &(struct auth_kept){ .client = book.clients.items[0] } });
	check_clients(AS, "");
}

static void
test_forget(void **state)
{
	keep_client(AS, "http://127.0.0.1:1/callback", "c1");
	keep_client(AS, "http://127.0.0.1:2/callback", "c2");
	keep(M, AS, M, "t1", "c1");
	keep(N, AS, N, "t2", "c1");
	assert_false(
	    auth_book_change(&book, "https://m.example/", &(struct auth_change){ .forget = true }));
	assert_true(auth_book_change(&book, M, &(struct auth_change){ .forget = true }));
	check(M, NULL, NULL, "-");
	check(N, NULL, NULL, "t2 by c1"); /* can still be renewed */
	check_clients(AS, "c1");
	assert_true(auth_book_change(&book, N, &(struct auth_change){ .forget = true }));
	check_clients(AS, "");
	char *text = print();
	assert_string_equal(text, "{\"version\":2,\"servers\":[],\"clients\":[],\"tokens\":[]}\n");
	free(text);
}

/* Settings given at each start take precedence. */
static void
test_given_clients_are_not_kept(void **state)
{
	struct auth_kept kept = { .issuer = (char *)AS,
		.resource = (char *)M,
		.token = { .access = (char *)"t", .client_id = (char *)"mine" },
		.client = { .source = AUTH_CLIENT_GIVEN,
		    .issuer = (char *)AS,
		    .id = (char *)"mine",
		    .secret = (char *)"hush" } };

	auth_book_change(&book, M, &(struct auth_change){ .keep = &kept });
	char *text = print();
	assert_null(strstr(text, "hush"));
	free(text);
	check(M, NULL, NULL, "t by ?");
}

#define OLD(server, resource, access, client)                                       \
	"{\"server\":\"" server "\",\"issuer\":\"" AS "\",\"resource\":\"" resource \
	"\",\"client\":{\"client_id\":\"" client                                    \
	"\",\"redirect_uri\":\"http://127.0.0.1:9/callback\",\"registered\":true}," \
	"\"token\":{\"access_token\":\"" access "\",\"refresh_token\":\"r\",\"expires_at\":9}}"

/* Files of an older version are still valid. */
static void
test_file_of_before(void **state)
{
	read_anew("{\"servers\":[" OLD(M, M, "t1", "c1") "," OLD(N, N, "t2", "c2") "]}");
	check(M, NULL, NULL, "t1 by c1");
	check(N, NULL, NULL, "t2 by c2");
	check_clients(AS, "c2 c1"); /* each of them with its token */
	keep_client(AS, "http://127.0.0.1:9/callback", "c3");
	check_clients(AS, "c3 c2 c1");
}

/* Entries that make no sense, or would break out of a header, hold nothing. */
static void
test_odd_entries(void **state)
{
	static const char *const odd[] = {
		"{\"servers\":[7,null,{},{\"server\":\"" M "\"}]}",
		"{\"servers\":[{\"server\":\"" M "\",\"token\":{\"access_token\":\"t\"}}]}",
		"{\"servers\":[{\"server\":\"" M "\",\"issuer\":\"i\",\"resource\":\"" M
		"\",\"token\":{\"access_token\":\"a\\r\\nX: y\"}}]}",
		"{\"servers\":[{\"server\":\"" M "\",\"issuer\":\"i\",\"token\":7,\"client\":[]}]}",
		"{\"version\":2,\"servers\":[{\"server\":\"" M
		"\",\"issuer\":\"i\",\"resource\":\"" M "\"}],\"tokens\":{},\"clients\":3}",
		"{\"version\":2,\"servers\":[],\"tokens\":[{\"access_token\":\"t\"}],\"clients\":[{"
		"\"client_id\":\"c\"}]}",
		"{\"version\":2,\"servers\":[],\"tokens\":[{\"access_token\":\"a\\u0000b\","
		"\"issuer\":\"i\",\"resource\":\"r\"}]}",
	};

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		read_anew(odd[i]);
		check(M, NULL, NULL, "-");
		assert_int_equal(book.servers.len + book.clients.len + book.tokens.len, 0);
	}
}

static void
test_no_books(void **state)
{
	static const char *const bad[][2] = {
		{ "", "not JSON (line 1" },
		{ "{", "not JSON" },
		{ "[]", "no array `servers`" },
		{ "{\"servers\":{}}", "no array" },
		{ "null", "no array" },
		{ "\xff\xfe", "not JSON" },
		{ "{\"version\":3,\"servers\":[]}", "another version" },
		{ "{\"version\":\"2\",\"servers\":[]}", "another version" },
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err err = { "" };
		assert_false(auth_book_parse(&book, bad[i][0], strlen(bad[i][0]), &err));
		assert_non_null(strstr(err.text, bad[i][1]));
	}
}

static void
test_not_without_end(void **state)
{
	for (int i = 0; i < AUTH_BOOK_MAX + 20; i++) {
		char server[60];
		snprintf(server, sizeof(server), "https://h%d.example/", i);
		keep(server, AS, server, "t", "c");
	}
	assert_int_equal(book.tokens.len, AUTH_BOOK_MAX);
	assert_int_equal(book.servers.len, AUTH_BOOK_MAX);
	check("https://h19.example/", NULL, NULL, "-");
	check("https://h20.example/", NULL, NULL, "t by ?");
}

TEST_FILE(auth_book)
{
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_keys),
		TEST(test_there_and_back),
		TEST(test_clients),
		TEST(test_drop),
		TEST(test_forget),
		TEST(test_given_clients_are_not_kept),
		TEST(test_file_of_before),
		TEST(test_odd_entries),
		TEST(test_no_books),
		TEST(test_not_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
