/* SPDX-License-Identifier: MIT */
/* HTTP as a transport: who may come in. */
#include "carrier.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *token;
	int challenges;
	bool will, resume_at_once;
	char *challenge;
} asked;

static const char *
token(void *user)
{
	return asked.token;
}

static bool
challenge(void *user, int status, const char *www_authenticate)
{
	asked.challenges++;
	free(asked.challenge);
	asked.challenge = mem_printf("%d %s", status, www_authenticate ? www_authenticate : "-");
	if (asked.resume_at_once) {
		asked.token = "fresh";
		carrier.http->ops->settle(carrier.http, NULL);
	}
	return asked.will;
}

/* ---- authorization ---- */

#define NEEDS_AUTH \
	"401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"x\"\r\nWWW-Authenticate: Basic"

static const struct http_auth auth = { .token = token, .challenge = challenge };

static void
test_authorization(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "Bearer fresh", .head = JSON, .body = RESULT(1), .again = true },
		{ .head = NEEDS_AUTH, .body = "no", .again = true },
	};

	carrier_open(answers, ARRAY_LEN(answers), (struct http_options){ .auth = auth });
	asked.will = true;
	carrier_ask_modern(1, "x");
	UNTIL(asked.challenges == 1);
	assert_string_equal(asked.challenge, "401 Bearer realm=\"x\", Basic");
	carrier_ask_modern(2, "x");
	carrier_ask_modern(3, "x");
	for (int i = 0; i < 10; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(asked.challenges, 1);
	assert_int_equal(carrier.lines + carrier.losts, 0);
	asked.token = "fresh";
	carrier.http->ops->settle(carrier.http, NULL);
	UNTIL(carrier.lines == 3);
	assert_int_equal(asked.challenges, 1);
	asked.token = "stale";
	asked.resume_at_once = true;
	carrier_ask_modern(1, "x");
	UNTIL(carrier.lines == 4);
	assert_int_equal(asked.challenges, 2);
}

static void
test_authorization_refused(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = NEEDS_AUTH, .body = "no", .again = true },
		{ .has = "\"id\":2,",
		    .head = "403 Forbidden\r\nWWW-Authenticate: Bearer "
			    "error=\"insufficient_scope\", scope=\"a\"",
		    .body = "" },
		{ .has = "\"id\":3,", .head = "403 Forbidden", .body = "bad origin" },
	};

	carrier_open(answers, ARRAY_LEN(answers), (struct http_options){ .auth = auth });
	carrier_ask_modern(1, "x");
	carrier_expect("lost forbidden 1 401 HTTP 401 Unauthorized|");
	asked.will = true;
	carrier_ask_modern(2, "x");
	UNTIL(asked.challenges == 2);
	assert_string_equal(
	    asked.challenge, "403 Bearer error=\"insufficient_scope\", scope=\"a\"");
	carrier.http->ops->settle(carrier.http, "the user said no");
	assert_int_equal(carrier.seen.len, 0);
	carrier_expect("lost forbidden 2 0 the user said no|");
	carrier_ask_modern(3, "x");
	carrier_expect("lost status 3 403 HTTP 403 Forbidden|");
}

static void
test_no_authorizer(void **state)
{
	static const struct canned_answer answers[] = { { .head = NEEDS_AUTH, .body = "" } };

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("lost forbidden 1 401 HTTP 401 Unauthorized|");
}

static int
tear_down(void **state)
{
	free(asked.challenge);
	memset(&asked, 0, sizeof(asked));
	return carrier_tear_down(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, carrier_set_up, tear_down)

TEST_FILE(net_http_auth)
{
	const struct CMUnitTest tests[] = {
		TEST(test_authorization),
		TEST(test_authorization_refused),
		TEST(test_no_authorizer),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
