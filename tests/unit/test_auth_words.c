/* SPDX-License-Identifier: MIT */
/* The message for each defect of an authorization server. No message contains a secret, even if the
 * server repeats one. */
#include "base/mem.h"
#include "base/vec.h"
#include "flow_world.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define OWN_AS_URL "https://m.example/.well-known/oauth-authorization-server"

static void
test_discovery(void **state)
{
	static const struct {
		struct row rows[5];
		const char *said[3];
	} cases[] = {
		{ { { PRM_URL, 200, "{\"resource\": 1,}" },
		      { OWN_AS_URL, 200, SERVER_DOC(AS, "") } },
		    { "RFC 8414, 3.3", "has no protected resource metadata (RFC 9728): " PRM_URL,
			"not JSON: line 1, column 16" } },
		{ { { PRM_URL, 200, "@text/html <html>" },
		      { OWN_AS_URL, 200, SERVER_DOC(AS, "") } },
		    { "200: text/html, not JSON", "its issuer is " AS, "" } },
		{ { { PRM_URL, 0, NULL }, { OWN_AS_URL, 200, SERVER_DOC(AS, "") } },
		    { "no such host", "", "" } },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 500, "@text/plain boom" } },
		    { "any of its 2", "RFC 8414, 3.1", "500: the server has an error" } },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 302, "" } },
		    { "302: a redirect, which is not followed", "", "" } },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 401, "" } },
		    { "401: metadata must be public", "", "" } },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 200, "" } },
		    { "200: an empty body", "", "" } },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 200, "[]" } },
		    { "200: not a JSON object", "", "" } },
		{ { { PRM_URL, 200, "{\"authorization_servers\":[\"" AS "\"]}" } },
		    { "no `resource`", "RFC 9728, 2", "" } },
		{ { { PRM_URL, 200,
		      "{\"resource\":\"" SERVER "\",\"authorization_servers\":\"" AS "\"}" } },
		    { "not an array of URLs", "RFC 9728, 2", "" } },
		{ { { PRM_URL, 200,
		      "{\"resource\":\"" SERVER "/x\",\"authorization_servers\":[\"" AS "\"]}" } },
		    { SERVER "/x, not " SERVER, "RFC 9728, 3.3", "" } },
		{ { { PRM_URL, 200, PRM("javascript:alert(1)") } },
		    { "server javascript:alert(1) must not be used", "", "" } },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200,
			  "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS "/t\","
			  "\"authorization_endpoint\":\"file:///etc/passwd\"}" } },
		    { "its authorization_endpoint must not be used: file:///etc/passwd: not an "
		      "http",
			"", "" } },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200,
			  "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS "/t\","
			  "\"code_challenge_methods_supported\":[\"plain\"],"
			  "\"authorization_endpoint\":\"" AS "/a\"}" } },
		    { "does not list S256", "MCP authorization", "" } },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200,
			  "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS "/t\","
			  "\"authorization_endpoint\":\"" AS "/a\"}" } },
		    { "code_challenge_methods_supported is missing", "", "" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_flow *f = start(&(struct auth_flow_options){ 0 });
		auth_flow_challenge(f, 401, NULL, 1000);
		feed(f, cases[i].rows);
		for (size_t k = 0; k < 3; k++)
			check_state(f, AUTH_FAILED, cases[i].said[k]);
		auth_flow_destroy(f);
	}
}

/* A server that uses its own token and no OAuth. */
static void
test_no_authorization_server(void **state)
{
	static const struct row nothing[] = { { NULL, 0, NULL } };
	struct auth_flow *f = start(&(struct auth_flow_options){ 0 });

	auth_flow_challenge(f, 401, "Bearer", 1000);
	feed(f, nothing);
	auth_flow_go(f, BACK, 1000);
	feed(f, nothing);
	check_state(f, AUTH_FAILED, "no authorization server was found");
	check_state(f, AUTH_FAILED, "by --header \"Authorization: Bearer TOKEN\"");
	auth_flow_destroy(f);
}

static void
test_registration(void **state)
{
	static const struct {
		struct row answer;
		const char *said;
	} cases[] = {
		{ { AS "/r", 400,
		      "{\"error\":\"invalid_redirect_uri\",\"error_description\":\"https\\u001b["
		      "31m,"
		      " "
		      "please\"}" },
		    "refused (400 invalid_redirect_uri: https [31m, please)" },
		{ { AS "/r", 500, "@text/plain Error:\n  no database" },
		    "refused (500: Error: no database)" },
		{ { AS "/r", 403, "@text/html <html>forbidden" }, "refused (403, an HTML page)" },
		{ { AS "/r", 404, "" }, "refused (404)" },
		{ { AS "/r", 302, "" }, "refused (302 a redirect, which is not followed)" },
		{ { AS "/r", 422, "{\"detail\":\"no scope\"}" },
		    "refused (422: {\"detail\":\"no scope\"})" },
		{ { AS "/r", 201, "{\"clientId\":\"c\",\"clientSecret\":\"S-shh\"}" },
		    "no client_id (RFC 7591, 3.2.1)" },
		{ { AS "/r", 201, "S-shh" }, "not JSON" },
		{ { AS "/r", 0, NULL }, "no registration: no such host" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct row rows[] = { usual[0], usual[1], cases[i].answer,
			{ NULL, 0, NULL } };
		struct auth_flow *f = agreed(&(struct auth_flow_options){ 0 }, rows);
		check_state(f, AUTH_NEEDS_CLIENT, cases[i].said);
		check_state(f, AUTH_NEEDS_CLIENT, "register a client at " AS);
		check_secrets(f);
		auth_flow_destroy(f);
	}
}

/* Answers of the token endpoint. The test's verifier is one repeated letter. */
static void
test_tokens(void **state)
{
	static const struct {
		struct row answer;
		const char *said, *shown; /* in the sentence, in the step */
	} cases[] = {
		{ { AS "/t", 400,
		      "{\"error\":\"invalid_grant\",\"error_description\":\"code C-shh-long is "
		      "used\"}" },
		    "refuses (400 invalid_grant: code (hidden) is used)", "code (hidden) is used" },
		{ { AS "/t", 400, "@text/plain bad body: code=C-shh-long&x=1" },
		    "refuses (400: bad body: code=(hidden)&x=1)", "code=(hidden)" },
		{ { AS "/t", 200, "{\"error\":\"bad_code\",\"error_description\":\"C-shh-long\"}" },
		    "answers 200 bad_code: (hidden) (RFC 6749, 5.2", "bad_code" },
		{ { AS "/t", 200,
		      "@application/x-www-form-urlencoded access_token=T-shh&token_type=bearer" },
		    "answers 200: application/x-www-form-urlencoded, not JSON (RFC 6749, 5.1)",
		    "access_token=(hidden)" },
		{ { AS "/t", 200, "@text/plain T-shh" }, "text/plain, not JSON", "5 bytes" },
		{ { AS "/t", 200, "\"T-shh\"" }, "not a JSON object", "(hidden)" },
		{ { AS "/t", 200,
		      "{\"accessToken\":\"T-shh\",\"jwt\":\"T-shh\",\"data\":[\"T-shh\"]}" },
		    "no access_token (RFC 6749, 5.1)", "\"jwt\": \"(hidden)\"" },
		{ { AS "/t", 200,
		      "{\"access_token\":{\"v\":\"T-shh\"},\"token_type\":\"Bearer\"}" },
		    "no access_token", "\"access_token\": \"(hidden)\"" },
		{ { AS "/t", 200, "{\"access_token\":\"T shh\",\"token_type\":\"Bearer\"}" },
		    "characters that no header may have (RFC 6750, 2.1)", "" },
		{ { AS "/t", 200, "{\"access_token\":\"T-shh\"}" }, "token_type is missing", "" },
		{ { AS "/t", 200, "{\"access_token\":\"T-shh\",\"token_type\":\"mac\"}" },
		    "token_type is mac, not Bearer", "\"token_type\": \"mac\"" },
		{ { AS "/t", 303, "" }, "303 a redirect, which is not followed", "" },
		{ { AS "/t", 415, "{\"detail\":\"JSON, please\"}" },
		    "415: {\"detail\":\"JSON, please\"}", "" },
		{ { AS "/t", 0, NULL }, "no such host", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct row rows[] = { usual[0], usual[1], usual[2], cases[i].answer,
			{ NULL, 0, NULL } };
		struct auth_flow *f = agreed(&(struct auth_flow_options){ 0 }, rows);
		come_back(f, "&code=C-shh-long");
		feed(f, rows);
		check_state(f, AUTH_FAILED, cases[i].said);
		check_secrets(f);
		const struct auth_steps *steps = auth_flow_info(f).steps;
		const char *answer = steps->items[steps->len - 1].answer;
		if (!strstr(answer, cases[i].shown))
			fail_msg("%s: %s", cases[i].said, answer);
		auth_flow_destroy(f);
	}
}

/* A registration that the server forgot is not used again. */
static void
test_forgotten_registration(void **state)
{
	const struct row forgot[] = { usual[0], usual[1],
		{ AS "/r", 201, "{\"client_id\":\"c2\"}" },
		{ AS "/t", 401, "{\"error\":\"invalid_client\"}" }, { NULL, 0, NULL } };
	struct auth_flow *f = authorized(usual);

	auth_flow_challenge(f, 401, NULL, 2000);
	feed(f, forgot);
	check_state(f, AUTH_NEEDED, "");
	auth_flow_go(f, BACK, 2000);
	feed(f, forgot);
	check_state(f, AUTH_READY, "");
	assert_non_null(strstr(auth_flow_info(f).browser_url, "client_id=c2&"));
	/* if only its page reports it, the user starts again */
	auth_flow_unregister(f);
	auth_flow_fail(f, "begun again");
	auth_flow_go(f, BACK, 2000);
	buf_clear(&asked);
	feed(f, forgot);
	assert_non_null(strstr(buf_text(&asked), "POST " AS "/r "));
	auth_flow_destroy(f);
}

/* A server that is down has not refused the refresh token. */
static void
test_outage(void **state)
{
	static const int outages[] = { 0, 429, 500, 503 };

	for (size_t i = 0; i < ARRAY_LEN(outages); i++) {
		const struct row down[] = { usual[0], usual[1], { AS "/t", outages[i], "later" },
			{ NULL, 0, NULL } };
		struct auth_flow *f = authorized(usual);
		assert_true(auth_flow_renew(f, 1050));
		feed(f, down);
		check_state(f, AUTH_AUTHORIZED, "could not be renewed");
		auth_flow_challenge(f, 401, NULL, 2000);
		feed(f, down);
		check_state(f, AUTH_FAILED, "is kept for later");
		auth_flow_go(f, BACK, 2000);
		feed(f, usual);
		check_state(f, AUTH_AUTHORIZED, "authorized by");
		assert_non_null(strstr(buf_text(&asked), "refresh_token=R1-shh"));
		check_secrets(f);
		auth_flow_destroy(f);
	}
}

/* After a restart: the way to the token endpoint is broken, the token still good. */
static void
test_renewal_without_discovery(void **state)
{
	static const struct row nobody[] = { { PRM_URL, 200, PRM(AS) }, { AS_URL, 0, NULL },
		{ NULL, 0, NULL } };
	struct auth_flow *f = start(&(struct auth_flow_options){ 0 });
	struct auth_kept kept = { .token = { .access = (char *)"T0-shh-long",
				      .refresh = (char *)"R0-shh-long",
				      .expires_s = 1100 },
		.issuer = (char *)AS,
		.resource = (char *)SERVER };

	auth_book_change(&book, SERVER, &(struct auth_change){ .keep = &kept });
	assert_true(auth_flow_recall(f));
	assert_true(auth_flow_renew(f, 1050));
	feed(f, nobody);
	check_state(f, AUTH_AUTHORIZED, "could not be renewed");
	assert_string_equal(auth_flow_info(f).access_token, "T0-shh-long");
	auth_flow_destroy(f);
}

/* The document is who we are, after a restart too. */
static void
test_document_refreshes(void **state)
{
	const struct row rows[] = { usual[0],
		{ AS_URL, 200,
		    SERVER_DOC(AS, ",\"client_id_metadata_document_supported\":true" REGISTERS) },
		usual[3], { NULL, 0, NULL } };
	struct auth_flow *f =
	    start(&(struct auth_flow_options){ .client_metadata_url = "https://c.example/c" });
	struct auth_kept kept = { .token = { .access = (char *)"T0-shh-long",
				      .refresh = (char *)"R0-shh-long" },
		.issuer = (char *)AS,
		.resource = (char *)SERVER };

	auth_book_change(&book, SERVER, &(struct auth_change){ .keep = &kept });
	assert_true(auth_flow_recall(f));
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, rows);
	check_state(f, AUTH_AUTHORIZED, "authorized by");
	assert_non_null(strstr(buf_text(&asked), "client_id=https%3A%2F%2Fc.example%2Fc"));
	auth_flow_destroy(f);
}

static const struct auth_step *
last_step(const struct auth_flow *f)
{
	return &auth_flow_info(f).steps->items[auth_flow_info(f).steps->len - 1];
}

/* The words of the refusal go where the user looks, the token they repeat does not. */
static void
test_refused_token(void **state)
{
	struct auth_flow *f = authorized((const struct row[]){ usual[0], usual[1], usual[2],
	    { AS "/t", 200, "{\"access_token\":\"T-shh-long\",\"token_type\":\"Bearer\"}" },
	    { NULL, 0, NULL } });

	auth_flow_challenge(f, 401,
	    "Bearer error=\"invalid_token\", error_description=\"T-shh-long has the wrong "
	    "audience\"",
	    1000);
	assert_string_equal(auth_flow_info(f).steps->items[auth_flow_info(f).steps->len - 2].title,
	    "the server refuses the token: 401");
	feed(f, usual);
	check_state(f, AUTH_NEEDED,
	    "the previous token is refused: invalid_token: (hidden) has the wrong audience");
	check_secrets(f);
	auth_flow_destroy(f);
}

/* Nor after it is released. */
static void
test_words_outlive_the_token(void **state)
{
	const struct row refused[] = { usual[0], usual[1],
		{ AS "/t", 400, "{\"error\":\"invalid_grant\"}" }, { NULL, 0, NULL } };
	struct auth_flow *f = authorized((const struct row[]){ usual[0], usual[1], usual[2],
	    { AS "/t", 200,
		"{\"access_token\":\"T-shh-long\",\"token_type\":\"Bearer\","
		"\"refresh_token\":\"R-shh-long\"}" },
	    { NULL, 0, NULL } });

	auth_flow_challenge(
	    f, 401, "Bearer error=\"invalid_token\", error_description=\"T-shh-long\"", 5000);
	feed(f, refused);
	check_state(f, AUTH_NEEDED, "invalid_token: (hidden); it cannot be renewed");
	assert_null(auth_flow_info(f).access_token);
	check_secrets(f);
	auth_flow_destroy(f);
}

/* An unrelated request to the listener is shown once. */
static void
test_strays(void **state)
{
	static const char *const strays[][2] = {
		{ "/callback?code=C-shh&state=guessed",
		    "differs from the one that was sent (RFC 6749, 4.1.2)" },
		{ "/callback?code=C-shh", "it has no `state` (RFC" },
		{ "/callback", "after # reaches no program" },
	};
	struct auth_flow *f = agreed(&(struct auth_flow_options){ 0 }, usual);
	struct err err = { "" };

	for (size_t i = 0; i < ARRAY_LEN(strays); i++) {
		assert_false(auth_flow_on_redirect(f, strays[i][0], 1000, &err));
		assert_non_null(strstr(err.text, strays[i][1]));
		size_t steps = auth_flow_info(f).steps->len;
		assert_non_null(strstr(last_step(f)->outcome, strays[i][1]));
		assert_true(last_step(f)->failed);
		assert_false(auth_flow_on_redirect(f, strays[i][0], 1000, &err));
		assert_int_equal(auth_flow_info(f).steps->len, steps);
	}
	check_state(f, AUTH_READY, "unexpected visit: not the response");
	auth_flow_on_opened(f, false, "xdg-open ended with exit code 3");
	check_state(f, AUTH_WAITING,
	    "xdg-open ended with exit code 3: open the address in a browser elsewhere");
	assert_true(last_step(f)->failed);
	check_secrets(f);
	come_back(f, "&code=C-shh");
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "");
	auth_flow_destroy(f);
	buf_finish(&asked);
}

TEST_FILE(auth_words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_discovery),
		cmocka_unit_test(test_no_authorization_server),
		cmocka_unit_test(test_registration),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_forgotten_registration),
		cmocka_unit_test(test_outage),
		cmocka_unit_test(test_renewal_without_discovery),
		cmocka_unit_test(test_document_refreshes),
		cmocka_unit_test(test_refused_token),
		cmocka_unit_test(test_words_outlive_the_token),
		cmocka_unit_test(test_strays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
