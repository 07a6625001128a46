#include "base/secret.h"
#include "base/vec.h"
#include "steps.h"
#include "test.h"

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
		{ "missing bearer token: none", "missing bearer token: (hidden)" },
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

/* What repeats, so that each word could look at all that follows. */
static const char *const patterns[] = { "a", "a/", "a+", "iVBORw0KGgo/AAAANSUhEUg+", "path/to/",
	"\x1b[32m", "\x1b[0;1mtoken", "token ", "token\t \x1b[m", "token:\"", "token:'\\", "token \\",
	"\\", "token\\\\", "\"", "'", "//@", "//", "a://", "a://b@", "://", "--key ", "--key,", "\x1b[",
	"bearer ", "bearer/", "bearer\t", "bearer x/", "key:${", "key=", "=", ":", "%", "%41", "_", "-",
	"[", "code:", "cookie:", "cookie:a\x1b", "authorization:\"", "&key=", "?key&", "#?", "eyJ.", "\n",
	"ghp_", "{\"token\":[", "token: [[", "token:{", "<key>", "<password", "-----BEGIN ", "${" };

static void
hide(const char *text, size_t len)
{
	struct buf out = BUF_INIT;

	secret_hide_text(&out, text, len);
	assert_true(out.len <= 10 * len);
	buf_finish(&out);
}

static void
test_linear(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		steps_expect_linear(hide, patterns[i], 1 << 14, 200);
}

TEST_FILE(secret)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_urls),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
