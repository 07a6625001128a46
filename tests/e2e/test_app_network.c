/* SPDX-License-Identifier: MIT */
/* An app that declares domains, with the real engine: it reaches none until the user allows one,
 * and then that one alone, without cookies. */
#include "base/vec.h"
#include "canned.h"
#include "e2e.h"
#include "host/app_house.h"
#include "program.h"
#include "test.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN "Content-Type: text/plain\r\nAccess-Control-Allow-Origin: *"
#define AGREES                                                             \
	"Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: " \
	"content-type, x-key\r\nAccess-Control-Allow-Methods: POST"

static struct canned *host, *other;

static int
setup(void **state)
{
	static const struct canned_answer elsewhere[] = {
		{ "GET ", NULL, "200 OK\r\n" OPEN, "reached-it", .again = true },
	};
	static char away[200];
	static struct canned_answer answers[] = {
		{ "GET /plain", NULL, "200 OK\r\nSet-Cookie: a=b\r\n" OPEN, "hello",
		    .again = true },
		{ "GET /closed", NULL, "200 OK", "secret", .again = true },
		{ "OPTIONS /post", NULL, "204 No Content\r\n" AGREES, "", .again = true },
		{ "POST /post", "k1", "200 OK\r\n" OPEN, "posted", .again = true },
		{ "GET /moved", NULL, "302 Found\r\nLocation: /plain\r\n" OPEN, "", .again = true },
		{ "GET /away", NULL, away, "", .again = true },
		{ "GET /dot.svg", NULL, "200 OK\r\nContent-Type: image/svg+xml",
		    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
		    .again = true },
	};

	other = canned_start(elsewhere, ARRAY_LEN(elsewhere));
	snprintf(away, sizeof(away), "302 Found\r\nLocation: http://127.0.0.1:%d/away\r\n" OPEN,
	    canned_port(other));
	host = canned_start(answers, ARRAY_LEN(answers));
	return 0;
}

static int
teardown(void **state)
{
	int result = e2e_teardown(state);

	canned_stop(host);
	canned_stop(other);
	return result;
}

static struct terminal *
open_page(void **state, const char *tool, const char *text)
{
	char values[2][64], name[64] = "NAME=", *host_name = name + strlen(name);

	gethostname(host_name, sizeof(name) - strlen(name) - 1);
	snprintf(values[0], sizeof(values[0]), "PORT=%d", canned_port(host));
	snprintf(values[1], sizeof(values[1]), "OTHER=%d", canned_port(other));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .rows = 44,
				 .cols = 140,
				 .argv = ARGV("--", terminal_fixture("appserver"),
				     "tests/apps/reach", values[0], values[1], name) });
	terminal_wait_text(t, "reach");
	snprintf(values[0], sizeof(values[0]), "app %s", tool);
	e2e_run(t, values[0]);
	e2e_wait(t, text);
	return t;
}

static struct terminal *
open_app(void **state)
{
	return open_page(state, "reach", " end");
}

static void
allow(struct terminal *t)
{
	e2e_run(t, "app-allow");
	e2e_wait(t, "Let apps reach this domain?");
	e2e_see(t, "It is an address, perhaps of this computer");
	e2e_answer(t, "y");
	e2e_wait(t, "reaches 1 domain");
	e2e_run(t, "reload-app");
}

#define NOTHING "plain=- closed=- post=- moved=- away=- other=- named=- picture=- events=- end"

static void
test_nothing_is_reached_before(void **state)
{
	struct terminal *t = open_app(state);

	e2e_see(t, NOTHING);
	e2e_see_not(t, "reaches");
	e2e_run(t, "app-allow");
	e2e_answer(t, "n");
	e2e_run(t, "reload-app");
	terminal_wait_gone(t, NOTHING);
	e2e_wait(t, NOTHING);
	e2e_run(t, "app-allow https://example.com");
	e2e_see(t, "the app declares no domain https://example.com");
	e2e_run(t, "app-allow camera");
	e2e_see(t, "a terminal has no camera");
	e2e_leave(t);
	assert_int_equal(canned_count(host), 0);
	assert_int_equal(canned_count(other), 0);
}

/* The engine checks as it does for its own requests: the server has to agree, and so has the policy
 * with each target of a redirect. */
static void
test_an_allowed_domain_is_reached(void **state)
{
	struct terminal *t = open_app(state);

	allow(t);
	e2e_wait(t,
	    "plain=hello closed=- post=posted moved=hello away=- other=- named=- picture=seen "
	    "events=- end");
	e2e_run(t, "console");
	e2e_see(t, "/plain: 200, 5 bytes");
	e2e_see(t, "a stream of events has no end");
	e2e_run(t, "back");
	e2e_run(t, "inspector");
	e2e_see(t, "allowed for the apps of this server");
	e2e_see(t, "pages from elsewhere are never shown");
	e2e_see(t, "camera: never");
	e2e_leave(t);
	assert_int_equal(canned_count(other), 0);
	assert_int_equal(canned_asked(host, "OPTIONS /post"), 1);
	for (size_t i = 0; i < canned_count(host); i++) {
		assert_null(strcasestr(canned_request(host, i), "\nCookie:"));
		assert_null(strcasestr(canned_request(host, i), "Chrome"));
		if (strstr(canned_request(host, i), "POST /post"))
			assert_non_null(strstr(canned_request(host, i), "gr\xc3\xbc\xc3\x9f"
									"e"));
	}
}

static void
test_one_key_ends_it(void **state)
{
	struct terminal *t = open_app(state);

	allow(t);
	e2e_wait(t, "plain=hello");
	e2e_wait(t, " end");
	size_t count = canned_count(host);
	e2e_press(t, "alt-n");
	e2e_see(t, "apps of this server can no longer reach any domain");
	e2e_see_not(t, "reaches 1 domain");
	e2e_run(t, "reload-app");
	e2e_wait(t, NOTHING);
	e2e_leave(t);
	assert_int_equal(canned_count(host), count);
}

/* A name must not resolve to the user's network, whichever DNS server answers. */
static void
test_names_reach_no_private_address(void **state)
{
	struct terminal *t = open_app(state);
	char name[64] = "", line[128];

	gethostname(name, sizeof(name) - 1);
	snprintf(line, sizeof(line), "app-allow! https://%s:%d", name, canned_port(other));
	e2e_run(t, line);
	e2e_wait(t, "reaches 1 domain");
	e2e_run(t, "reload-app");
	terminal_wait_gone(t, NOTHING);
	e2e_wait(t, " end");
	e2e_see(t, "named=-");
	e2e_run(t, "console");
	e2e_see(t, "network");
	struct addrinfo *found = NULL;
	if (getaddrinfo(name, "1", NULL, &found) == 0)
		e2e_see(t, "a private network: not contacted");
	if (found)
		freeaddrinfo(found);
	e2e_leave(t);
	assert_int_equal(canned_count(other), 0);
	assert_int_equal(canned_open(other), 0);
}

/* Copying needs a confirmation, and the answer matches that of the browser's function. */
static void
test_copies_are_asked_about(void **state)
{
	static const char copied[] = "\033]52;c;Z3LDvMOfZQpmcm9tIHRoZSBwYWdl";
	struct terminal *t = open_page(state, "copy", "The app wants to copy");

	e2e_see(t, "copy 21 bytes in 2 lines to the clipboard: gr\xc3\xbc\xc3\x9f"
		   "e");
	e2e_answer(t, "O");
	e2e_wait(t, "first=done heard=0");
	size_t len;
	const char *log = terminal_log(t, &len);
	assert_non_null(memmem(log, len, copied, strlen(copied)));
	e2e_wait(t, "copy 5 bytes to the clipboard: again");
	e2e_answer(t, "X");
	e2e_wait(t, "second=NotAllowedError the user refused");
	e2e_wait(t, "third=NotAllowedError more than 1 MiB");
	e2e_run(t, "inspector");
	e2e_see(t, "clipboardWrite: each copy is asked about");
	e2e_leave(t);
}

/* Without a screen: only permissions given on the command line are granted. */
static void
run_render(struct program *p, const char *domain, const char *wait)
{
	char port[32], other_port[32];

	snprintf(port, sizeof(port), "PORT=%d", canned_port(host));
	snprintf(other_port, sizeof(other_port), "OTHER=%d", canned_port(other));
	program_run(p, ARGV(terminal_program(), "render", "--allow", domain, "--yes", "--wait",
			   wait, "reach", "--", terminal_fixture("appserver"), "tests/apps/reach",
			   port, other_port, "NAME=localhost"));
}

static void
test_render_takes_domains(void **state)
{
	static const char *const refused[] = { "https://example.com", "", "camera" };
	char domain[64];
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		char text[128];
		snprintf(text, sizeof(text),
		    "--allow: the app declares no domain \"%s\" that it could reach", refused[i]);
		run_render(&p, refused[i], " end");
		assert_int_equal(p.exit_code, 1);
		assert_int_equal(p.out.len, 0);
		assert_non_null(strstr(buf_text(&p.err), text));
		program_free(&p);
	}
	assert_int_equal(canned_count(host), 0);
	snprintf(domain, sizeof(domain), "http://127.0.0.1:%d", canned_port(host));
	run_render(&p, domain, " end");
	if (p.exit_code != 0)
		fail_msg("exit code %d: %s", p.exit_code, buf_text(&p.err));
	assert_non_null(strstr(buf_text(&p.out), "plain=hello closed=- post=posted moved=hello"));
	assert_non_null(strstr(buf_text(&p.out), "away=- other=- named=-"));
	assert_non_null(strstr(buf_text(&p.err), "/plain: 200, 5 bytes"));
	program_free(&p);
	assert_int_equal(canned_asked(host, "OPTIONS /post"), 1);
	assert_int_equal(canned_count(other), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

TEST_FILE(app_network)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_reached_before),
		TEST(an_allowed_domain_is_reached),
		TEST(one_key_ends_it),
		TEST(names_reach_no_private_address),
		TEST(copies_are_asked_about),
		TEST(render_takes_domains),
	};

	if (!app_house_can_run(NULL)) {
		print_message("SKIPPED: chromium-headless-shell is not installed\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
