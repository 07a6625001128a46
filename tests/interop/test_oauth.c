/* SPDX-License-Identifier: MIT */
/* Authorization at the server that the official Python package has built in: python/auth.py. A
 * fixture visits the addresses that a browser is sent to. */
#include "base/vec.h"
#include "interop.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR "build/interop-python"

static struct web_server web;
static char state_home[4200]; /* absolute, or it would not count */

static int
start_web(void **state)
{
	char browser[4096], here[4096];

	snprintf(browser, sizeof(browser), "%s/visitor", getenv("FIXTURES"));
	setenv("BROWSER", browser, 1);
	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(state_home, sizeof(state_home), "%s/" DIR "/state", here);
	setenv("XDG_STATE_HOME", state_home, 1);
	setenv("HEADER_SECRET", "s3cret of header", 1);
	setenv("BODY_SECRET", "s3cret of body", 1);
	web_server_start(
	    &web, (const char *[]){ DIR "/2/bin/python", "tests/interop/python/auth.py", NULL });
	return 0;
}

static int
stop_web(void **state)
{
	web_server_stop(&web);
	return 0;
}

/* Nothing is kept of the login before. */
static void
forget(void)
{
	assert_int_equal(system("rm -rf \"$XDG_STATE_HOME\""), 0);
}

/* The way of each client, and what it would be without it. */
static const struct {
	const char *name;
	const char *server[8];
} ways[] = {
	{ "registered automatically", { web.url, "--login" } },
	{ "public", { web.url, "--login", "--client-id", "public" } },
	{ "secret in the header", { web.url, "--login", "--client-id", "header", "--client-secret",
				      "env:HEADER_SECRET" } },
	{ "secret in the body",
	    { web.url, "--login", "--client-id", "body", "--client-secret", "env:BODY_SECRET" } },
	{ "credentials in the header", { web.url, "--client-credentials", "--client-id", "header",
					   "--client-secret", "env:HEADER_SECRET" } },
	{ "credentials in the body", { web.url, "--client-credentials", "--client-id", "body",
					 "--client-secret", "env:BODY_SECRET" } },
};

static void
test_login(void **state)
{
	struct run r = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		forget();
		print_message("%s\n", ways[i].name);
		run_to(&r, ways[i].server, 0, "call", "--json", "cities", NULL);
		expect_text(&r, "/result/structuredContent/result/0/name", "Lisbon");
		expect_text(&r, "/validation/status", "valid");
		assert_null(strstr(buf_text(&r.err), "s3cret"));
	}
	run_finish(&r);
}

/* The token is kept: another run needs no browser. */
static void
test_kept(void **state)
{
	const char *const login[] = { web.url, "--login", NULL };
	const char *const again[] = { web.url, NULL };
	struct run r = { 0 };

	forget();
	run_to(&r, again, 3, "list", "--json", NULL);
	expect_within(&r, "/error/message", "not authorized");
	run_to(&r, login, 0, "list", "--json", NULL);
	expect_text(&r, "/tools/0/name", "cities");
	run_to(&r, again, 0, "list", "--json", NULL);
	expect_text(&r, "/tools/0/name", "cities");
	run_finish(&r);
}

static void
test_wrong_secret(void **state)
{
	const char *const server[] = { web.url, "--client-credentials", "--client-id", "body",
		"--client-secret", "env:HEADER_SECRET", NULL };
	struct run r = { 0 };

	forget();
	run_to(&r, server, 3, "list", "--json", NULL);
	if (!strstr(buf_text(&r.err), "invalid_client: Invalid client_secret"))
		fail_msg("%s", buf_text(&r.err));
	run_finish(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_login),
	cmocka_unit_test(test_kept),
	cmocka_unit_test(test_wrong_secret),
};

TEST_FILE(oauth)
{
	if (!interop_ready("sh tests/interop/install-python.sh " DIR " 2", ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, start_web, stop_web);
}
