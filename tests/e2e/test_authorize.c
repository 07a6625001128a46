/* SPDX-License-Identifier: MIT */
/* From a refusal to a token, with a script as the browser; errors are reported, and no secret is
 * shown. */
#include "auth_scene.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "terminal.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_login_once(void **state)
{
	struct stat st;

	open_scene("");
	run_once(3, "list URL", "--login opens the browser");
	assert_int_equal(logged("/register"), 0);
	run_once(0, "call --login URL whoami", "by client-of-as1-1 for read offline_access");
	assert_int_equal(logged("POST /as1/register -> 201"), 1);
	assert_int_equal(logged("authorization_code -> 200"), 1);
	/* kept: neither browser nor registration any more */
	run_once(0, "call URL whoami", "by client-of-as1-1");
	assert_int_equal(logged("/authorize"), 1);
	assert_int_equal(
	    logged("GET /.well-known/"), 4); /* nor discovery: as in the first two runs */
	char *path = tokens_file();
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	free(path);
	run_once(0, "logout URL", "tokens were deleted");
	run_once(3, "list URL", "must authorize this");
	run_once(0, "logout URL", "no tokens were stored");
}

/* Two servers behind one authorization server: registered once, a token for each. */
static void
test_two_servers(void **state)
{
	open_scene("");
	run_once(0, "call --login URL whoami", "call 1 by client-of-as1-1");
	run_once(3, "list SECOND", "must authorize this"); /* the token is not for it */
	run_once(0, "call --login SECOND whoami", "call 2 by client-of-as1-1");
	assert_int_equal(logged("/register"), 1);
	assert_int_equal(logged("/authorize"), 2);
	size_t looked = logged("GET /.well-known/");
	run_once(0, "call URL whoami", "call 3");
	run_once(0, "call SECOND whoami", "call 4");
	assert_int_equal(logged("GET /.well-known/"), looked);
	assert_int_equal(logged("/token"), 2);
	/* one is left: the other still is in, and is still the client */
	run_once(0, "logout SECOND", "tokens were deleted");
	run_once(0, "call URL whoami", "call 5");
	run_once(0, "call --login SECOND whoami", "call 6 by client-of-as1-1");
	assert_int_equal(logged("/register"), 1);
}

/* One resource, two addresses: one token, which the second gets without the user. */
static void
test_two_addresses(void **state)
{
	open_scene("whole");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(0, "call SECOND whoami", "call 2");
	assert_int_equal(logged("/token"), 1);
	run_once(0, "logout URL", "tokens were deleted");
	run_once(3, "list SECOND", "must authorize this");
}

static void
test_refresh(void **state)
{
	open_scene("onecall");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(0, "call URL whoami", "call 2");
	assert_int_equal(logged("refresh_token -> 200"), 1);
	assert_int_equal(logged("/authorize"), 1);
}

static void
test_no_refresh_token(void **state)
{
	open_scene("onecall norefresh");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(3, "call URL whoami", "must authorize this");
}

static void
test_step_up(void **state)
{
	open_scene("stepup");
	run_once(0, "call --login URL whoami", "for read offline_access write");
	assert_int_equal(logged("/register"), 1);
	assert_int_equal(logged("/authorize"), 2);
}

static void
test_step_up_has_a_limit(void **state)
{
	open_scene("always403");
	run_once(3, "call --login URL whoami", "after 3 authorizations");
	assert_int_equal(logged("/authorize"), 3);
}

static void
test_migration(void **state)
{
	open_scene("migrate");
	run_once(0, "call --login URL whoami", "client-of-as1");
	run_once(0, "call --login URL whoami", "client-of-as2");
	assert_int_equal(logged("POST /as2/register"), 1);
	assert_int_equal(logged("POST /as2/token refresh_token"), 0);
}

static void
test_confidential_client(void **state)
{
	open_scene("secret");
	run_once(0, "call --login URL whoami", "call 1");
}

static void
test_old_servers(void **state)
{
	open_scene("noprm");
	run_once(0, "call --login URL whoami", "call 1");
	assert_int_equal(logged("GET /.well-known/oauth-authorization-server -> 200"), 1);
	close_scene(NULL);
	open_scene("nodocs");
	run_once(0, "call --login URL whoami", "call 1");
	assert_int_equal(logged("POST /token authorization_code -> 200"), 1);
}

static void
test_given_client(void **state)
{
	open_scene("noregister");
	run_once(3, "call --login URL whoami", "has no registration endpoint");
	setenv("AUTH_TEST_SECRET", "pw-shh", 1);
	run_once(0,
	    "call --login --client-id mine --client-secret env:AUTH_TEST_SECRET --scope read URL "
	    "whoami",
	    "by mine for read");
	unsetenv("AUTH_TEST_SECRET");
	run_once(1, "call --client-secret env:AUTH_TEST_NONE URL whoami", "has no AUTH_TEST_NONE");
	run_once(1, "call --client-key /nonexistent URL whoami", "cannot open");
	run_once(1, "list --client-key /dev/null URL", "the client key");
	run_once(1, "list --redirect-uri http://example.com/cb URL", "the redirect URI");
	run_once(1, "list --client-metadata-url http://c.example/c URL",
	    "must use https and have a path");
}

/* Made for tests: it opens nothing. */
static const char key_pem[] = "-----BEGIN PRIVATE KEY-----\n"
			      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW8QWluaN++Y08zLS\n"
			      "h6WLRG53Fh5ozbGebv0Vo/+ih0ihRANCAATocUUuef48QOAv+0VhoG3KwZ8l52vz\n"
			      "iVEVhXjCNJs0W8Z0ITr7HBI32r3NaIT8svaDNAWPIWOUFYLhAVK1WkOh\n"
			      "-----END PRIVATE KEY-----\n";

/* The tokens end at the authorization server, too, if it offers that; here they end in any case. */
static void
test_logout_revokes(void **state)
{
	static const char refresh[] = "/as1/revoke refresh_token of client-of-as1-1 -> 200";
	static const char access[] = "/as1/revoke access_token of client-of-as1-1 -> 200";

	for (int secret = 0; secret < 2; secret++) {
		open_scene(secret ? "revokes secret" : "revokes");
		run_once(0, "call --login URL whoami", "call 1");
		run_once(0, "logout URL", "the tokens were revoked at http://127.0.0.1:");
		assert_int_equal(logged(refresh), 1);
		assert_int_equal(logged(access), 1);
		assert_true(strstr(log_text(), refresh) < strstr(log_text(), access));
		run_once(3, "list URL", "must authorize this");
		close_scene(state);
	}
	open_scene("");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(0, "logout URL", "it has no revocation endpoint");
	close_scene(state);
	open_scene("revokes failing");
	run_once(0, "call --login URL whoami", "call 1");
	run_once(0, "logout URL", ": HTTP 500\n");
	close_scene(state);
	open_scene("");
	run_once(0, "call --login URL whoami", "call 1");
	end_server();
	run_once(0, "logout URL", "could not be revoked");
	run_once(0, "logout URL", "no tokens were stored");
}

/* Servers built on pydantic name the issuer without a path: refused, unless the user accepts
 * exactly that one, which is stored with the login. */
static void
test_issuer_slash(void **state)
{
	open_scene("slash onecall");
	run_once(
	    3, "call --login URL whoami", "they differ by the `/` at the end (RFC 8414, 3.3)\n");
	run_once(
	    3, "call --login URL whoami", "\nmcpane: --accept-issuer-slash accepts this issuer");
	assert_int_equal(logged("/register"), 0);
	run_once(0, "call --login --accept-issuer-slash URL whoami", "call 1");
	run_once(0, "call URL whoami", "call 2"); /* renewed, which reads the metadata again */
	assert_int_equal(logged("refresh_token -> 200"), 1);
	run_once(0, "logout URL", "tokens were deleted");
	run_once(3, "call --login URL whoami", "they differ by the `/` at the end");
}

/* The other difference stays an error. */
static void
test_issuer_not_only_slash(void **state)
{
	open_scene("badissuer");
	run_once(3, "call --login --accept-issuer-slash URL whoami", "its issuer is");
}

/* A stored token with less scope than the user wants is not used with --login. */
static void
test_wider_scope(void **state)
{
	open_scene("");
	run_once(0, "call --login --scope read URL whoami", "call 1 by client-of-as1-1 for read");
	run_once(0, "call --login --scope read URL whoami", "call 2");
	assert_int_equal(logged("/authorize"), 1);
	run_once(0, "call --scope read+write URL whoami",
	    "the stored token has scope read, less than --scope: --login asks");
	run_once(0, "call --login --scope read+write URL whoami", "for read write");
	assert_int_equal(logged("/authorize"), 2);
	run_once(0, "call --login --scope read+write URL whoami", "call 5");
	run_once(0, "call URL whoami", "for read write");
	assert_int_equal(logged("/authorize"), 2);
}

static void
test_client_credentials(void **state)
{
	char path[80], words[200];

	open_scene("norefresh");
	setenv("AUTH_TEST_SECRET", "pw-shh", 1);
	run_once(0,
	    "call --client-credentials --client-id svc --client-secret env:AUTH_TEST_SECRET URL "
	    "whoami",
	    "call 1 by basic for read");
	unsetenv("AUTH_TEST_SECRET");
	assert_int_equal(logged("/authorize"), 0);
	run_once(0, "call URL whoami", "authorized as the client svc, not as a user");
	run_once(0, "logout URL", "tokens were deleted");
	snprintf(path, sizeof(path), "%s/key", scene.home);
	assert_true(path_write_private(path, key_pem, strlen(key_pem), NULL));
	snprintf(words, sizeof(words), "call --client-id svc --client-key %s URL whoami", path);
	run_once(0, words, "call 3 by assertion for read");
	unlink(path);
	run_once(0, "logout URL", "tokens were deleted");
	run_once(3, "call --client-credentials URL whoami", "--client-id names the client");
}

static void
test_what_goes_wrong_is_said(void **state)
{
	static const char *const cases[][2] = {
		{ "denied", "access_denied: not today" },
		{ "mismatch", "is for another resource" },
		{ "nopkce", "code_challenge_methods_supported is missing" },
		{ "badissuer", "its issuer is" },
		{ "wrongiss", "comes from another issuer" },
		{ "html", "no authorization server metadata" },
		{ "private", "token_endpoint must not be used" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		open_scene(cases[i][0]);
		run_once(3, "call --login URL whoami", cases[i][1]);
		assert_int_equal(logged("/token"), 0);
		close_scene(NULL);
	}
	open_scene("");
}

/* Secrets that a refusal repeats are hidden. */
static void
test_echo(void **state)
{
	open_scene("echo");
	run_once(4, "call --login URL whoami", "trace: Authorization: Bearer (hidden)");
}

static void
test_broken_file(void **state)
{
	char *path;

	open_scene("");
	path = tokens_file();
	assert_true(path_write_private(path, "{\"servers\":[", 12, NULL));
	run_once(0, "call --login URL whoami", "call 1");
	char *broken = mem_printf("%s.broken", path);
	assert_int_equal(access(broken, F_OK), 0);
	free(broken);
	free(path);
	run_once(0, "call URL whoami", "call 2");
}

/* The message gives the failure; its steps are listed, too. */
static void
test_failure_step_by_step(void **state)
{
	static const char *const lines[] = {
		"the steps so far:\n  - the server refuses: 401: Bearer scope=",
		"\n  - protected resource metadata: GET http://127.0.0.1:",
		"\n  - failed: authorization server metadata: GET http://127.0.0.1:",
		"S256 it must not be used",
	};

	open_scene("nopkce");
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		run_once(3, "list --login URL", lines[i]);
	run_once(3, "list URL", "the steps so far");
	close_scene(NULL);
	open_scene("");
	run_once(3, "list URL", "must authorize this");
	run_once(0, "call --login URL whoami", "the browser is sent to\n  http://127.0.0.1:");
}

TEST_FILE(authorize)
{
#define SCRIPT(test) cmocka_unit_test_setup_teardown(test, NULL, close_scene)
	const struct CMUnitTest tests[] = {
		SCRIPT(test_login_once),
		SCRIPT(test_two_servers),
		SCRIPT(test_two_addresses),
		SCRIPT(test_refresh),
		SCRIPT(test_no_refresh_token),
		SCRIPT(test_step_up),
		SCRIPT(test_step_up_has_a_limit),
		SCRIPT(test_migration),
		SCRIPT(test_confidential_client),
		SCRIPT(test_old_servers),
		SCRIPT(test_given_client),
		SCRIPT(test_logout_revokes),
		SCRIPT(test_issuer_slash),
		SCRIPT(test_issuer_not_only_slash),
		SCRIPT(test_wider_scope),
		SCRIPT(test_client_credentials),
		SCRIPT(test_what_goes_wrong_is_said),
		SCRIPT(test_echo),
		SCRIPT(test_broken_file),
		SCRIPT(test_failure_step_by_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
