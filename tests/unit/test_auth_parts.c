/* SPDX-License-Identifier: MIT */
#include "auth/flow/state.h"
#include "auth/flow.h"
#include "base/base64.h"
#include "base/secret.h"
#include "base/sha256.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- WWW-Authenticate ---- */

/* "scheme(token68) name=value name=value; scheme ...", "!" at the end when flawed. */
static char *
spell(const char *header)
{
	struct auth_challenges c;
	struct buf out = BUF_INIT;

	auth_challenges_parse(&c, header, strlen(header));
	for (size_t i = 0; i < c.len; i++) {
		buf_addf(&out, "%s%s", i ? "; " : "", c.items[i].scheme);
		if (c.items[i].token68)
			buf_addf(&out, "(%s)", c.items[i].token68);
		for (size_t k = 0; k < c.items[i].len; k++)
			buf_addf(
			    &out, " %s=%s", c.items[i].items[k].name, c.items[i].items[k].value);
	}
	if (c.flawed)
		buf_add_char(&out, '!');
	auth_challenges_finish(&c);
	return buf_detach(&out);
}

static void
test_challenges(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "Bearer", "bearer" },
		{ "bearer realm=\"x\"", "bearer realm=x" },
		{ "Bearer resource_metadata=\"https://a/b\", scope=\"a b\"",
		    "bearer resource_metadata=https://a/b scope=a b" },
		{ "Bearer error=\"insufficient_scope\",scope=\"w\" , Basic realm=\"a, b\"",
		    "bearer error=insufficient_scope scope=w; basic realm=a, b" },
		{ "Negotiate", "negotiate" },
		{ "Negotiate TlRMTVNTUAAB==, Bearer realm=x",
		    "negotiate(TlRMTVNTUAAB==); bearer realm=x" },
		{ "Basic, Bearer realm=\"y\"", "basic; bearer realm=y" },
		{ "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic "
		  "realm=\"simple\"",
		    "newauth realm=apps type=1 title=Login to \"apps\"; basic realm=simple" },
		{ " , , Bearer  realm = \"x\" , scope = y ,", "bearer realm=x scope=y" },
		{ "BEARER REALM=X", "bearer realm=X" },
		/* in the wild, and worse */
		{ "Bearer resource_metadata=https://a.example/b?c",
		    "bearer resource_metadata=https://a.example/b?c!" },
		{ "Bearer realm=\"open", "bearer realm=open!" },
		{ "Bearer realm=\"a\"scope=\"b\"", "bearer realm=a!" },
		{ "realm=\"nobody\", Bearer scope=a", "bearer scope=a!" },
		{ "Bearer @@@, Basic realm=x", "bearer; basic realm=x!" },
		{ "\"quoted\", Bearer", "bearer!" },
		{ "Bearer realm=\"\\", "bearer realm=\\!" },
		{ "Bearer realm=", "bearer(realm=)" },
		{ "Bearer scope=a, realm=", "bearer scope=a realm=" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *got = spell(cases[i][0]);
		assert_string_equal(got, cases[i][1]);
		free(got);
	}
}

static void
test_challenges_are_bounded(void **state)
{
	struct buf many = BUF_INIT;
	struct auth_challenges c;

	for (int i = 0; i < 1000; i++)
		buf_addf(&many, "S%d a=1,", i);
	auth_challenges_parse(&c, many.data, many.len);
	assert_int_equal(c.len, AUTH_MAX_CHALLENGES);
	auth_challenges_finish(&c);
	buf_clear(&many);
	buf_add_str(&many, "Bearer ");
	for (int i = 0; i < 1000; i++)
		buf_addf(&many, "p%d=1,", i);
	auth_challenges_parse(&c, many.data, many.len);
	assert_int_equal(c.items[0].len, AUTH_MAX_PARAMS);
	assert_string_equal(auth_challenge_get(auth_challenges_find(&c, "bearer"), "p3"), "1");
	assert_null(auth_challenge_get(auth_challenges_find(&c, "bearer"), "p999"));
	assert_null(auth_challenges_find(&c, "basic"));
	auth_challenges_finish(&c);
	buf_finish(&many);
}

/* ---- scopes ---- */

static void
test_scopes(void **state)
{
	char *one[] = { (char *)"s1", (char *)"s2" }, *two[] = { (char *)"offline_access" };
	struct strings supported = { one, 2, 2 }, offline = { two, 1, 1 };
	const struct {
		struct auth_scope_input in;
		const char *scope;
	} cases[] = {
		{ { 0 }, NULL },
		{ { .challenge = "a b" }, "a b" },
		{ { .challenge = "a", .resource_supported = &supported }, "a" },
		{ { .resource_supported = &supported }, "s1 s2" },
		{ { .resource_supported = &supported, .server_supported = &offline }, "s1 s2" },
		{ { .resource_supported = &supported,
		      .server_supported = &offline,
		      .offline = true },
		    "s1 s2 offline_access" },
		{ { .challenge = "a", .server_supported = &supported, .offline = true }, "a" },
		{ { .server_supported = &offline, .offline = true }, "offline_access" },
		{ { .challenge = "write", .before = "read extra" }, "read extra write" },
		{ { .challenge = "read", .before = "read" }, "read" },
		{ { .wanted = "w",
		      .challenge = "a",
		      .server_supported = &offline,
		      .offline = true },
		    "w" },
		{ { .wanted = "w", .challenge = "a", .before = "b" }, "b w a" },
		{ { .challenge = "a  a\tb \"c\" d" }, "a d" },
		{ { .challenge = "" }, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *got = auth_scope_choose(&cases[i].in);
		if (cases[i].scope)
			assert_string_equal(got, cases[i].scope);
		else
			assert_null(got);
		free(got);
	}
	assert_true(auth_scope_covers("a b c", "c a"));
	assert_true(auth_scope_covers("a", ""));
	assert_false(auth_scope_covers("ab", "a"));
}

/* ---- PKCE and assertions ---- */

static bool
count_up(void *user, void *out, size_t len, struct err *err)
{
	uint8_t *bytes = out;

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)i;
	return true;
}

static bool
sign_with_ones(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err)
{
	memset(out, 1, 64);
	return true;
}

static void
test_pkce(void **state)
{
	/* RFC 7636, appendix B */
	char *challenge = auth_pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
	assert_string_equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
	free(challenge);
	struct auth_crypto crypto = { .random = count_up };
	char *nonce = auth_nonce(&crypto, 32, NULL);
	assert_string_equal(nonce, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
	free(nonce);
}

static void
test_base64(void **state)
{
	static const char *const cases[][3] = {
		{ "", "", "" },
		{ "f", "Zg==", "Zg" },
		{ "fo", "Zm8=", "Zm8" },
		{ "foo", "Zm9v", "Zm9v" },
		{ "\xfb\xff", "+/8=", "-_8" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf out = BUF_INIT;
		base64_add(&out, cases[i][0], strlen(cases[i][0]), BASE64_PLAIN);
		assert_string_equal(buf_text(&out), cases[i][1]);
		buf_clear(&out);
		base64_add(&out, cases[i][0], strlen(cases[i][0]), BASE64_URL);
		assert_string_equal(buf_text(&out), cases[i][2]);
		buf_finish(&out);
	}
}

static void
test_assertion(void **state)
{
	struct auth_crypto crypto = { .random = count_up, .sign = sign_with_ones };
	struct err err = { "" };

	char *jwt = auth_assertion(&crypto, "me", "https://as.example", 1000, &err);
	/* {"alg":"ES256","typ":"JWT"}
	 * {"iss":"me","sub":"me","aud":"https://as.example","iat":1000,"exp":1300,"jti":"…"} */
	assert_string_equal(jwt,
	    "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9."
	    "eyJpc3MiOiJtZSIsInN1YiI6Im1lIiwiYXVkIjoiaHR0cHM6Ly9hcy5leGFtcGxlIiwiaWF0IjoxMDAwL"
	    "CJleHAiOjEzMDAsImp0aSI6IkFBRUNBd1FGQmdjSUNRb0xEQTBPRHcifQ."
	    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
	    "BAQ");
	free(jwt);
	crypto.sign = NULL;
	assert_null(auth_assertion(&crypto, "me", "https://as.example", 1000, &err));
	assert_string_not_equal(err.text, "");
}

/* ---- the way back ---- */

static void
test_redirects(void **state)
{
	static const struct auth_pending plain = { "st", "https://as.example",
		"http://127.0.0.1:9/callback", false };
	static const struct auth_pending named = { "st", "https://as.example",
		"http://127.0.0.1:9/callback", true };
	static const struct {
		const struct auth_pending *pending;
		const char *url;
		enum auth_redirect what;
		const char *code; /* or a part of the sentence */
	} cases[] = {
		{ &plain, "/callback?code=c1&state=st", AUTH_REDIRECT_CODE, "c1" },
		{ &plain, "code=c1&state=st", AUTH_REDIRECT_CODE, "c1" },
		{ &plain, "http://127.0.0.1:9/callback?state=st&code=a%2Fb#_", AUTH_REDIRECT_CODE,
		    "a/b" },
		{ &plain, "  http://127.0.0.1:9/callback?code=c1&state=st ", AUTH_REDIRECT_CODE,
		    "c1" },
		{ &plain, "http://evil.example/callback?code=c1&state=st", AUTH_REDIRECT_STRAY,
		    "not the address" },
		{ &plain, "http://127.0.0.1:99/callback?code=c1&state=st", AUTH_REDIRECT_STRAY,
		    "not the address" },
		{ &plain, "/callback?code=c1", AUTH_REDIRECT_STRAY, "state" },
		{ &plain, "/callback?code=c1&state=sT", AUTH_REDIRECT_STRAY, "state" },
		{ &plain, "/callback?code=c1&state=stt", AUTH_REDIRECT_STRAY, "state" },
		{ &plain, "", AUTH_REDIRECT_STRAY, "state" },
		{ &plain, "/callback?code=c1&code=c2&state=st", AUTH_REDIRECT_UNSAFE, "twice" },
		{ &plain, "/callback?state=st", AUTH_REDIRECT_UNSAFE, "no code" },
		{ &plain, "/callback?state=st&code=", AUTH_REDIRECT_UNSAFE, "no code" },
		{ &plain, "/callback?state=st&code=a%0ab", AUTH_REDIRECT_UNSAFE, "no code" },
		{ &plain, "/callback?error=access_denied&error_description=no+way&state=st",
		    AUTH_REDIRECT_REFUSED, "access_denied: no way" },
		{ &plain, "/callback?error=access_denied", AUTH_REDIRECT_STRAY, "state" },
		/* the table of RFC 9207: advertised or not, present or not */
		{ &plain, "/callback?code=c1&state=st&iss=https%3A%2F%2Fas.example",
		    AUTH_REDIRECT_CODE, "c1" },
		{ &plain, "/callback?code=c1&state=st&iss=https%3A%2F%2Fevil.example",
		    AUTH_REDIRECT_UNSAFE, "another issuer" },
		{ &named, "/callback?code=c1&state=st&iss=https%3A%2F%2Fas.example",
		    AUTH_REDIRECT_CODE, "c1" },
		{ &named, "/callback?code=c1&state=st", AUTH_REDIRECT_UNSAFE, "does not name" },
		{ &named, "/callback?code=c1&state=st&iss=https%3A%2F%2Fas.example%2F",
		    AUTH_REDIRECT_UNSAFE, "another issuer" },
		{ &named, "/callback?code=c1&state=st&iss=https%3A%2F%2FAS.example",
		    AUTH_REDIRECT_UNSAFE, "another issuer" },
		{ &named, "/callback?error=x&error_description=secret&state=st&iss=evil",
		    AUTH_REDIRECT_UNSAFE, "another issuer" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = { "" };
		char *code;
		enum auth_redirect what =
		    auth_redirect_parse(cases[i].url, cases[i].pending, &code, &err);
		if (what != cases[i].what)
			fail_msg("%s: %d, %s", cases[i].url, what, err.text);
		if (!strstr(what == AUTH_REDIRECT_CODE ? code : err.text, cases[i].code))
			fail_msg("%s: %s", cases[i].url, err.text);
		assert_null(strstr(err.text, "secret"));
		free(code);
	}
}

/* ---- secrets ---- */

static void
test_hiding(void **state)
{
	struct buf out = BUF_INIT;

	auth_hide_form(
	    &out, "grant_type=x&code=S1&code_verifier=S2&a=b&client_secret=S3&token", 64);
	assert_string_equal(buf_text(&out),
	    "grant_type=x\ncode=(hidden)\ncode_verifier=(hidden)\na=b\nclient_secret=(hidden)\n"
	    "token\n");
	buf_clear(&out);
	static const char json[] =
	    "{\"access_token\":\"S\",\"n\":{\"refresh_token\":\"S\",\"k\":[1,{\"id_token\":\"S\"}]}"
	    ","
	    "\"code_challenge_methods_supported\":[\"S256\"],\"client_secret\":12.50}";
	assert_true(auth_hide_json(&out, json, strlen(json), false));
	assert_null(strstr(buf_text(&out), "\"S\""));
	assert_null(strstr(buf_text(&out), "12.50"));
	assert_non_null(strstr(buf_text(&out), "S256"));
	buf_clear(&out);
	assert_false(auth_hide_json(&out, "S", 1, true));
	assert_int_equal(out.len, 0);
	auth_hide_form(&out, "code\0\0\0=S&Access-Token=S&codes=x", 33);
	assert_non_null(
	    strstr(buf_text(&out) + strlen("code") + 5, "Access-Token=(hidden)\ncodes=x"));
	buf_clear(&out);
	auth_hide_header(&out, "authorization: Basic S");
	auth_hide_header(&out, "|Accept: x");
	assert_string_equal(buf_text(&out), "Authorization: (hidden)|Accept: x");
	buf_clear(&out);
	secret_hide_url(&out, "http://127.0.0.1/cb?code=S&state=x#access_token=S");
	assert_string_equal(
	    buf_text(&out), "http://127.0.0.1/cb?code=(hidden)&state=x#access_token=(hidden)");
	buf_finish(&out);
}

/* ---- documents ---- */

#define AS "https://as.example"
#define ENDS ",\"authorization_endpoint\":\"" AS "/a\",\"token_endpoint\":\"" AS "/t\""

static void
test_resource_documents(void **state)
{
	static const struct {
		const char *json, *trouble;
	} cases[] = {
		{ "{\"resource\":\"https://m.example/mcp\",\"authorization_servers\":[\"" AS "\"]}",
		    NULL },
		{ "{\"resource\":\"https://m.example\",\"authorization_servers\":[\"" AS "\"]}",
		    NULL },
		{ "{\"resource\":\"https://m.example/mcp\",\"authorization_servers\":[3,\"" AS
		  "\",\"http://10.0.0.1\"]}",
		    NULL },
		{ "{\"resource\":\"https://evil.example/mcp\",\"authorization_servers\":[\"" AS
		  "\"]}",
		    "another resource" },
		{ "{\"authorization_servers\":[\"" AS "\"]}", "no `resource`" },
		{ "{\"resource\":\"https://m.example/mcp\"}", "no authorization_servers" },
		{ "{\"resource\":\"https://m.example/mcp\",\"authorization_servers\":[]}",
		    "no authorization_servers" },
		{ "{\"resource\":\"https://m.example/mcp\",\"authorization_servers\":["
		  "\"http://localhost:1\"]}",
		    "must not be used" },
		{ "[]", "not a JSON object" },
		{ "<html>", "not JSON" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_resource r;
		struct err err = { "" };
		bool ok = auth_resource_parse(&r, cases[i].json, strlen(cases[i].json),
		    "https://m.example/mcp", AUTH_HOST_PUBLIC, &err);
		if (ok != !cases[i].trouble || (!ok && !strstr(err.text, cases[i].trouble)))
			fail_msg("%s: %s", cases[i].json, err.text);
		if (ok)
			assert_string_equal(r.servers.items[0], AS);
		auth_resource_finish(&r);
	}
}

static void
test_server_documents(void **state)
{
	static const struct {
		const char *json, *trouble;
	} cases[] = {
		{ "{\"issuer\":\"" AS "\"" ENDS "}", NULL },
		{ "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS "/t\"}", NULL },
		{ "{\"issuer\":\"" AS "/\"" ENDS "}", "differ by the `/`" },
		{ "{\"issuer\":\"https://AS.example\"" ENDS "}", "its issuer is" },
		{ "{\"issuer\":\"https://evil.example\"" ENDS "}", "its issuer is" },
		{ "{\"x\":1" ENDS "}", "no `issuer`" },
		{ "{\"issuer\":\"" AS "\"}", "no token_endpoint" },
		{ "{\"issuer\":\"" AS "\",\"token_endpoint\":\"http://as.example/t\"}",
		    "token_endpoint must not be used" },
		{ "{\"issuer\":\"" AS "\",\"token_endpoint\":\"https://169.254.169.254/t\"}",
		    "token_endpoint must not be used" },
		{ "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS
		  "/t\",\"authorization_endpoint\":\"javascript:alert(1)\"}",
		    "authorization_endpoint must not be used" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_server s;
		struct err err = { "" };
		bool ok = auth_server_parse(
		    &s, cases[i].json, strlen(cases[i].json), AS, AUTH_HOST_PUBLIC, &err);
		if (ok != !cases[i].trouble || (!ok && !strstr(err.text, cases[i].trouble)))
			fail_msg("%s: %s", cases[i].json, err.text);
		auth_server_finish(&s);
	}
}

static void
test_server_abilities(void **state)
{
	static const char json[] =
	    "{\"issuer\":\"" AS "\"" ENDS ",\"code_challenge_methods_supported\":[\"plain\","
	    "\"S256\"],\"scopes_supported\":[\"x\"]"
	    ",\"token_endpoint_auth_methods_supported\":[\"none\",\"client_secret_post\",\"odd\"]"
	    ",\"client_id_metadata_document_supported\":true"
	    ",\"authorization_response_iss_parameter_supported\":true}";
	struct auth_server s;

	assert_true(auth_server_parse(&s, json, strlen(json), AS, AUTH_HOST_PUBLIC, NULL));
	assert_true(s.s256 && s.cimd && s.sends_iss && s.has_scopes && s.has_methods);
	assert_true(s.methods[AUTH_METHOD_NONE] && s.methods[AUTH_METHOD_POST]);
	assert_false(s.methods[AUTH_METHOD_BASIC]);
	auth_server_finish(&s);
	static const char bare[] = "{\"issuer\":\"" AS "\"" ENDS "}";
	assert_true(auth_server_parse(&s, bare, strlen(bare), AS, AUTH_HOST_PUBLIC, NULL));
	assert_false(s.s256 || s.cimd || s.sends_iss || s.has_scopes || s.has_methods);
	assert_true(s.methods[AUTH_METHOD_BASIC]); /* the default of RFC 8414 */
	auth_server_finish(&s);
}

static void
test_tokens(void **state)
{
	static const struct {
		const char *json;
		bool ok;
	} cases[] = {
		{ "{\"access_token\":\"t\",\"token_type\":\"bearer\"}", true },
		{ "{\"access_token\":\"t\",\"token_type\":\"Bearer\",\"expires_in\":\"x\"}", true },
		{ "{\"access_token\":\"t\"}", false },
		{ "{\"access_token\":\"t\",\"token_type\":\"DPoP\"}", false },
		{ "{\"access_token\":\"\",\"token_type\":\"Bearer\"}", false },
		{ "{\"access_token\":\"a b\",\"token_type\":\"Bearer\"}", false },
		{ "{\"access_token\":\"a\\r\\nX: y\",\"token_type\":\"Bearer\"}", false },
		{ "{\"access_token\":7,\"token_type\":\"Bearer\"}", false },
		{ "{}", false },
		{ "", false },
	};
	struct auth_token t;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = { "" };
		bool ok =
		    auth_token_parse(&t, cases[i].json, strlen(cases[i].json), "asked", 100, &err);
		if (ok != cases[i].ok)
			fail_msg("%s: %s", cases[i].json, err.text);
		if (ok)
			assert_string_equal(t.scope, "asked");
		auth_token_finish(&t);
	}
	static const char whole[] =
	    "{\"access_token\":\"t\",\"token_type\":\"Bearer\",\"expires_in\":"
	    "60,\"refresh_token\":\"r\",\"scope\":\"a b\"}";
	assert_true(auth_token_parse(&t, whole, strlen(whole), NULL, 100, NULL));
	assert_int_equal(t.expires_s, 160);
	assert_string_equal(t.refresh, "r");
	assert_string_equal(t.scope, "a b");
	auth_token_finish(&t);
}

static void
test_client_documents(void **state)
{
	assert_true(auth_client_is_document_url("https://c.example/client.json"));
	assert_false(auth_client_is_document_url("https://c.example"));
	assert_false(auth_client_is_document_url("https://c.example/"));
	assert_false(auth_client_is_document_url("http://localhost/client.json"));
	assert_false(auth_client_is_document_url("https://c.example/a/../client.json"));
	assert_false(auth_client_is_document_url("https://c.example/client.json#x"));
	assert_false(auth_client_is_document_url("https://u@c.example/client.json"));
}

TEST_FILE(auth_parts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_challenges),
		cmocka_unit_test(test_challenges_are_bounded),
		cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_pkce),
		cmocka_unit_test(test_base64),
		cmocka_unit_test(test_assertion),
		cmocka_unit_test(test_redirects),
		cmocka_unit_test(test_hiding),
		cmocka_unit_test(test_resource_documents),
		cmocka_unit_test(test_server_documents),
		cmocka_unit_test(test_server_abilities),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_client_documents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
