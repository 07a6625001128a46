/* SPDX-License-Identifier: MIT */
#include "base/secret.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
test_names(void **state)
{
	static const char *const secret[] = { "token", "access_token", "accessToken",
		"ACCESS-TOKEN", "id_token", "key", "apiKey", "api_key", "x-api-key",
		"client_secret", "pwd", "password", "X-Amz-Signature", "sig", "code",
		"code_verifier", "auth", "auth[token]", "%74oken", "to%6B%65n", "sessionId", "jwt",
		"a_very_long_name_that_goes_on_for_more_than_sixty_four_bytes_until_its_token" };
	static const char *const open[] = { "", "q", "city", "token_type", "token_endpoint",
		"keyword", "config", "barcode", "postcode", "code_challenge", "state", "author",
		"design", "%zz", "toke%", "passenger" };

	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		if (!secret_is_named(secret[i], strlen(secret[i])))
			fail_msg("%s is a secret", secret[i]);
	for (size_t i = 0; i < ARRAY_LEN(open); i++)
		if (secret_is_named(open[i], strlen(open[i])))
			fail_msg("%s is none", open[i]);
	assert_true(secret_is_named("token\0", 6)); /* a NUL does not make it another name */
}

static void
expect(const char *url, const char *shown)
{
	struct buf out = BUF_INIT;

	secret_hide_url(&out, url);
	assert_string_equal(buf_text(&out), shown);
	buf_finish(&out);
}

static void
test_urls(void **state)
{
	expect("", "");
	expect("https://h/token=1", "https://h/token=1");
	expect("https://h/mcp?city=Bonn", "https://h/mcp?city=Bonn");
	expect("https://h/?token=abc&city=Bonn&key=x=y#at",
	    "https://h/?token=(hidden)&city=Bonn&key=(hidden)#at");
	expect("https://h/?token", "https://h/?token");
	expect("https://h/?&&token=a&", "https://h/?&&token=(hidden)&");
	expect("https://h/#access_token=a", "https://h/#access_token=(hidden)");
	expect("https://h/?a=1?token=b", "https://h/?a=1?token=b");
	expect("https://h/?key=${input:key}&pw=${X}", "https://h/?key=${input:key}&pw=${X}");
	expect("https://h/?key=${X}b", "https://h/?key=(hidden)");
	expect("?sig=%41%42", "?sig=(hidden)");
}

static void
test_headers(void **state)
{
	static const char *const headers[][2] = {
		{ "Authorization: Bearer abc", "Authorization: (hidden)" },
		{ "proxy-authorization:Basic abc", "proxy-authorization: (hidden)" },
		{ "Set-Cookie: a=b", "Set-Cookie: (hidden)" },
		{ "Mcp-Session-Id: 123", "Mcp-Session-Id: (hidden)" },
		{ "X-API-Key:", "X-API-Key: (hidden)" },
		{ "WWW-Authenticate: Bearer realm=\"x\"", "WWW-Authenticate: Bearer realm=\"x\"" },
		{ "Location: https://u:p@h@host/x?code=1&a=2",
		    "Location: https://(hidden)@host/x?code=(hidden)&a=2" },
		{ "Link: <http://h/a@b>; rel=\"x\", <http://u@h>",
		    "Link: <http://h/a@b>; rel=\"x\", <http://(hidden)@h>" },
		{ "POST /mcp?token=abc HTTP/1.1", "POST /mcp?token=(hidden)" },
		{ "Content-Length: 12", "Content-Length: 12" },
		{ "", "" },
		{ "://", "://" },
		{ "a: ://@", "a: ://(hidden)@" },
	};

	for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
		struct buf out = BUF_INIT;
		secret_hide_header(&out, headers[i][0], strlen(headers[i][0]));
		assert_string_equal(buf_text(&out), headers[i][1]);
		buf_finish(&out);
	}
}

static void
test_texts(void **state)
{
	static const char *const texts[][2] = {
		{ "token: abc", "token: (hidden)" },
		{ "INFO api_key=abc, user=bob", "INFO api_key=(hidden), user=bob" },
		{ "> Authorization: Bearer x y", "> Authorization: (hidden)" },
		{ "curl -H 'Authorization: Basic eA==' http://h/",
		    "curl -H 'Authorization: (hidden)' http://h/" },
		{ "Cookie: a=b; c=d\nnext", "Cookie: (hidden)\nnext" },
		{ "got Bearer eyJh.1-x_~/+= from x", "got Bearer (hidden) from x" },
		{ "missing bearer token: abc", "missing bearer token: (hidden)" },
		{ "{\"apiKey\": \"a \\\"b\", \"n\": 1}", "{\"apiKey\": \"(hidden)\", \"n\": 1}" },
		{ "body \"{\\\"token\\\":\\\"a\\\",\\\"n\\\":1}\"",
		    "body \"{\\\"token\\\":\\\"(hidden)\\\",\\\"n\\\":1}\"" },
		{ "{'password': 'it', 'n': 2}", "{'password': '(hidden)', 'n': 2}" },
		{ "password = \"open", "password = \"(hidden)" },
		{ "run --token abc --port 1", "run --token (hidden) --port 1" },
		{ "['--api-key', 'abc', '-v']", "['--api-key', '(hidden)', '-v']" },
		{ "\x1b[32mtoken\x1b[0m=\x1b[1mabc\x1b[0m ok",
		    "\x1b[32mtoken\x1b[0m=\x1b[1m(hidden)\x1b[0m ok" },
		{ "at HTTPS://me:pw@a/?token=abc&b=c and pg://u:p@h/db",
		    "at HTTPS://(hidden)@a/?token=(hidden)&b=c and pg://(hidden)@h/db" },
		{ "a=1&key=b&c=2", "a=1&key=(hidden)&c=2" },
		{ "TOKEN=${TOKEN} key=${a}b", "TOKEN=${TOKEN} key=(hidden)" },
		{ "exit code: 1, JSON-RPC code -32601", "exit code: 1, JSON-RPC code -32601" },
		{ "the token expired; keyword: x", "the token expired; keyword: x" },
		{ "token:", "token:" },
		{ "Authorization: Bearer ${x}\nauthorization: Token ${x}",
		    "Authorization: Bearer ${x}\nauthorization: (hidden)" },
		{ "token: (hidden)", "token: (hidden)" },
		{ "", "" },
		{ "\\", "\\" },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct buf out = BUF_INIT;
		secret_hide_text(&out, texts[i][0], strlen(texts[i][0]));
		assert_string_equal(buf_text(&out), texts[i][1]);
		buf_finish(&out);
	}
}

/* Hidden values, and values that only look like secrets by name. "" means unchanged. */
static void
test_table(void **state)
{
	static const char *const texts[][2] = {
		/* arrays and objects */
		{ "{\"client_secret\": [\"X1\", \"X2\"], \"n\": 1}",
		    "{\"client_secret\": (hidden), \"n\": 1}" },
		{ "\"{\\\"client_secret\\\":[\\\"X\\\",[\\\"]\\\"]],\\\"n\\\":1}\"",
		    "\"{\\\"client_secret\\\":(hidden),\\\"n\\\":1}\"" },
		{ "{\"client_secret\":[\"cut of", "{\"client_secret\":(hidden)" },
		{ "\"secrets\": [\n  \"a\",\n  \"b\"\n], \"n\": 1",
		    "\"secrets\": (hidden), \"n\": 1" },
		{ "password: [a, b] c", "password: (hidden) c" },
		{ "{\"secret\":{\"value\":\"X\",\"n\":1},\"value\":\"open\"}",
		    "{\"secret\":{\"value\":\"(hidden)\",\"n\":1},\"value\":\"open\"}" },
		{ "Unexpected token: [ at 3", "Unexpected token: (hidden) at 3" },
		/* pairs */
		{ "{\"name\":\"Authorization\",\"value\":\"Digest X\"}",
		    "{\"name\":\"Authorization\",\"value\":\"(hidden)\"}" },
		{ "{\\\"key\\\":\\\"api_key\\\",\\\"value\\\":\\\"X\\\"}, {\\\"value\\\":1}",
		    "{\\\"key\\\":\\\"api_key\\\",\\\"value\\\":\\\"(hidden)\\\"}, "
		    "{\\\"value\\\":1}" },
		{ "- name: DB_PASSWORD\n  value: X\n- name: CITY\n  value: Bonn",
		    "- name: DB_PASSWORD\n  value: (hidden)\n- name: CITY\n  value: Bonn" },
		{ "{\"name\":\"city\",\"value\":\"Bonn\"}", "" },
		/* options */
		{ "[\"--password\", \"X\", \"-v\"]", "[\"--password\", \"(hidden)\", \"-v\"]" },
		{ "run --password=X -v", "run --password=(hidden) -v" },
		/* plurals, and counts */
		{ "passwords: X", "passwords: (hidden)" },
		{ "access_tokens=X", "access_tokens=(hidden)" },
		{ "\"api_keys\":[\"X\"]", "\"api_keys\":(hidden)" },
		{ "tokens: 120", "" },
		{ "max_tokens: 4096, \"input_tokens\":[12, 3], total_tokens=1_000", "" },
		{ "pass: 12, fail: 3", "" },
		{ "keys: id, name", "" },
		/* pages, tables, and other words */
		{ "{\"progressToken\":5,\"_meta\":{\"progressToken\":\"a1\"}}", "" },
		{ "nextPageToken: abc, next_token=abc, pageToken=abc, continuationToken: x", "" },
		{ "\"key\": \"name\", primary_key: id, foreignKey=x, publicKey: abc, monkey: x",
		    "" },
		{ "space_key: DOCS, lookupKey=gold, \"feature_key\":\"dark\", rule_key: java:S1",
		    "" },
		{ "workspaceKey: X, encryption_key: X",
		    "workspaceKey: (hidden), encryption_key: (hidden)" },
		{ "key: user-2024-settings-page-1", "" },
		{ "\"key\": \"550e8400-e29b-41d4-a716-446655440000\"", "" },
		{ "\"key\": \"4f1a09bbce2217d3a0b1\"", "\"key\": \"(hidden)\"" },
		{ "signature: int f(int)", "" },
		{ "code: 1, \"code\":\"E_X\", postcode: 53111", "" },
		{ "PWD=/home/me OLDPWD=/", "" },
		{ "token: null, password: None, \"secret\":false", "" },
		{ "author: me, tokenizer: bpe, secretary: Eve, keyboard: de", "" },
		/* XML */
		{ "<password>X y</password><n>1</n>", "<password>(hidden)</password><n>1</n>" },
		{ "<a:apiKey type=\"s\">X</a:apiKey>", "<a:apiKey type=\"s\">(hidden)</a:apiKey>" },
		{ "<Key>photos/a.png</Key><password/>x<token> a",
		    "<Key>photos/a.png</Key><password/>x"
		    "<token>(hidden)" },
		{ "<token = abc>", "<token = (hidden)>" },
		/* lines */
		{ "Password:\n  hunter22\nok", "Password:\n  (hidden)\nok" },
		{ "\"password\":\r\n    \"X\"", "\"password\":\r\n    \"(hidden)\"" },
		{ "passwords:\n  - hunter22\n  - hunter23\nnext: 1",
		    "passwords:\n  - (hidden)\n  - (hidden)\nnext: 1" },
		{ "secret:\n  name: x", "" },
		{ "Enter password:\nLogin failed", "" },
		{ "Your token:\n\nx", "" },
		/* blanks and signs */
		{ "password\xc2\xa0= X y", "password\xc2\xa0= (hidden) y" },
		{ "password\xef\xbc\x9aX y", "password\xef\xbc\x9a(hidden) y" },
		{ "'password' => 'X', token := X", "'password' => '(hidden)', token := (hidden)" },
		{ "if (password == null || token === undefined)", "" },
		{ "password == \"X\" && token=== 'X'",
		    "password == \"(hidden)\" && token=== '(hidden)'" },
		{ "Basic dXNlcjpwYXNz, basic training", "Basic (hidden), basic training" },
		/* shapes */
		{ "x ghp_0123456789abcdefghijABCDEFGHIJ012345 y", "x (hidden) y" },
		{ "SG.AbCdEfGhIjKlMnOpQrStUv.0123456789abcdefghijABCDEFGHIJ0123456789abc",
		    "(hidden)" },
		{ "MSG.AbCdEfGhIjKlMnOpQrStUv.0123456789abcdefghijABCDEFGHIJ0123456789abc", "" },
		{ "curl https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXX x",
		    "curl https://(hidden) x" },
		{ "xapp-1-A0123-456-abc", "(hidden)" },
		{ "github_pat_11ABCDEFG0abcdefghijkl_x", "(hidden)" },
		{ "glpat-abcdefghij0123456789", "(hidden)" },
		{ "(AKIAIOSFODNN7EXAMPLE)", "((hidden))" },
		{ "AKIAIOSFODNN7EXAMPLEX AKIA", "" },
		{ "xoxb-1234567890-abc", "(hidden)" },
		{ "sk-ant-api03-abcdefghijklmnop", "(hidden)" },
		{ "sk-proj-Abcdefghijklmnop0123", "(hidden)" },
		{ "sk-circle-fade-dot-animation", "" },
		{ "sk_live_abcdefghij0123456789", "(hidden)" },
		{ "AIzaSyA-1234567890abcdefghijklmnopqrstu", "(hidden)" },
		{ "https://h/eyJhbGciOiJI.eyJzdWIiOiIx.c2ln-x/", "https://h/(hidden)/" },
		{ "eyJhbGciOiJI.eyJzdWIiOiIx", "" },
		{ "npm_0123456789abcdefghijABCDEFGHIJ012345", "(hidden)" },
		{ "pypi-AgEIcHlwaS5vcmcCJDk", "(hidden)" },
		{ "-----BEGIN RSA PRIVATE KEY-----\nMIIE/x+=\n-----END RSA PRIVATE KEY-----\n",
		    "-----BEGIN RSA PRIVATE KEY-----(hidden)-----END RSA PRIVATE KEY-----\n" },
		{ "\"-----BEGIN PRIVATE KEY-----\\nMIIE\\n",
		    "\"-----BEGIN PRIVATE KEY-----(hidden)" },
		{ "-----BEGIN CERTIFICATE-----\nMIIE\n", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const char *shown = texts[i][1][0] ? texts[i][1] : texts[i][0];
		struct buf out = BUF_INIT;
		bool hides = secret_hide_text(&out, texts[i][0], strlen(texts[i][0]));
		assert_string_equal(buf_text(&out), shown);
		assert_int_equal(hides, texts[i][1][0] != '\0');
		buf_finish(&out);
	}
}

/* ---- noted values ---- */

static void
expect_values(const char *text, const char *shown)
{
	struct buf out = BUF_INIT;

	assert_int_equal(secret_hide_values(&out, text, strlen(text), SECRET_VALUES_NOTED),
	    strcmp(text, shown) != 0);
	if (out.len > 0)
		assert_string_equal(buf_text(&out), shown);
	buf_finish(&out);
}

static void
test_values(void **state)
{
	struct buf out = BUF_INIT;

	expect_values("nothing is noted", "nothing is noted");
	assert_false(secret_note_value("abc"));
	assert_true(secret_note_value("long one: \"x\""));
	assert_true(secret_note_value("long one"));
	assert_true(secret_note_value("long one"));
	assert_true(secret_note_value("ne: \"x\"yz"));
	assert_true(secret_note_value("pin7"));
	expect_values("a long one, long onelong one.", "a (hidden), (hidden)(hidden).");
	expect_values("a long one: \"x\"yz b", "a (hidden) b"); /* they overlap */
	expect_values(
	    "{\"a\":\"long one: \\\"x\\\"\"} ?a=long%20one%3A%20%22x%22", /* other forms */
	    "{\"a\":\"(hidden)\"} ?a=(hidden)");
	expect_values("pin7 pin77 xpin7 (pin7)", "(hidden) pin77 xpin7 ((hidden))");

	secret_note_typed("token", "typed-token-1");
	secret_note_typed("token", "string"); /* too common */
	secret_note_typed("token", "12345");
	secret_note_typed("city", "Constantinople");
	secret_note_typed("max_tokens", "123456789");
	secret_note_typed("key", "some/column/of/a/table");
	expect_values("typed-token-1", "(hidden)");
	assert_false(secret_hide_values(&out, "typed-token-1", 13, SECRET_VALUES_GIVEN));
	assert_true(secret_hide_values(&out, "long one", 8, SECRET_VALUES_GIVEN));
	expect_values("string 12345 Constantinople 123456789 some/column/of/a/table",
	    "string 12345 Constantinople 123456789 some/column/of/a/table");
	buf_finish(&out);
}

/* Thousands of them, and then no more. */
static void
test_many_values(void **state)
{
	char value[64];
	size_t count = 0, bytes = 0;

	for (;; count++) {
		bytes += (size_t)snprintf(value, sizeof(value), "%zu-of-many-values", count);
		if (!secret_note_value(value))
			break;
	}
	assert_true(bytes >= SECRET_VALUES_MAX && count > 5000);
	expect_values("4711-of-many-values, 0-of-many-values", "(hidden), (hidden)");
	assert_true(secret_note_value("4711-of-many-values")); /* it is there */
}

TEST_FILE(secret)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_urls),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_many_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
