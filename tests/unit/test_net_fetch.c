/* SPDX-License-Identifier: MIT */
#include "net/fetch.h"

#include "base/mem.h"
#include "base/vec.h"
#include "canned.h"
#include "fixture.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outcome of the last fetch. */
static struct {
	bool done;
	int status;
	char *error, *body, *url, *seen;
	size_t len;
} got;

static struct loop *loop;

static void
forget(void)
{
	free(got.error);
	free(got.body);
	free(got.url);
	free(got.seen);
	memset(&got, 0, sizeof(got));
}

static void
on_done(void *user, const struct fetch_answer *answer)
{
	assert_false(got.done);
	got.done = true;
	got.status = answer->status;
	got.error = mem_strdup(answer->error);
	got.body = mem_dup(answer->body, answer->body_len + 1);
	got.len = answer->body_len;
	got.url = mem_strdup(answer->url);
	got.seen = header_find(answer->headers, "x-seen", 1);
}

static void
fetch(const struct fetch_request *request)
{
	struct err err = { "" };

	forget();
	assert_non_null(fetch_start(loop, request, on_done, NULL, &err));
	assert_false(got.done);
	TURN_UNTIL(loop, got.done);
}

static void
expect_error(const char *part)
{
	assert_int_equal(got.status, 0);
	if (!got.error || !strstr(got.error, part))
		fail_msg("\"%s\" is not in: %s", part, got.error ? got.error : "(no error)");
}

static void
test_get(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /a",
		    .head = "200 OK\r\nX-Seen: one\r\nx-seen:  two\r\nContent-Type: text/plain",
		    .body = "hello" },
		{ .request = "GET /none", .head = "204 No Content", .body = "" },
	};
	struct canned *c = canned_start(answers, 2);

	fetch(&(struct fetch_request){ .url = canned_url(c, "/a"),
	    .headers = (const char *const[]){ "X-Empty:", "Accept: text/plain", NULL } });
	assert_int_equal(got.status, 200);
	assert_null(got.error);
	assert_string_equal(got.body, "hello");
	assert_string_equal(got.seen, "two");
	assert_non_null(strstr(canned_request(c, 0), "\r\nX-Empty:\r\n"));
	assert_non_null(strstr(canned_request(c, 0), "\r\nAccept: text/plain\r\n"));
	fetch(&(struct fetch_request){ .url = canned_url(c, "/none") });
	assert_int_equal(got.status, 204);
	assert_int_equal(got.len, 0);
	fetch(&(struct fetch_request){ .url = canned_url(c, "/other") });
	assert_int_equal(got.status, 404);
	assert_string_equal(got.body, "nothing");
	canned_stop(c);
}

static void
test_post(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "POST /token", .head = "200 OK", .body = "{}" },
	};
	struct canned *c = canned_start(answers, 1);

	fetch(&(struct fetch_request){ .url = canned_url(c, "/token"),
	    .body = "a=1&b=2",
	    .body_len = 7,
	    .headers =
		(const char *const[]){ "Content-Type: application/x-www-form-urlencoded", NULL } });
	assert_int_equal(got.status, 200);
	const char *request = canned_request(c, 0);
	assert_non_null(strstr(request, "\r\nContent-Length: 7\r\n"));
	assert_non_null(strstr(request, "\r\n\r\na=1&b=2"));
	assert_null(strstr(request, "Expect"));
	canned_stop(c);
}

static void
test_redirects(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /a",
		    .head = "302 Found\r\nLocation: b?x=1",
		    .body = "",
		    .again = true },
		{ .request = "GET /b?x=1", .head = "200 OK", .body = "there" },
		{ .request = "GET /loop",
		    .head = "301 Moved\r\nLocation: /loop",
		    .body = "",
		    .again = true },
		{ .request = "GET /out",
		    .head = "302 Found\r\nLocation: http://localhost:1/",
		    .body = "" },
	};
	struct canned *c = canned_start(answers, 4);

	fetch(&(struct fetch_request){ .url = canned_url(c, "/a") });
	assert_int_equal(got.status, 302);
	fetch(&(struct fetch_request){ .url = canned_url(c, "/a"), .max_redirects = 1 });
	assert_int_equal(got.status, 200);
	assert_string_equal(got.body, "there");
	assert_string_equal(got.url, canned_url(c, "/b?x=1"));
	fetch(&(struct fetch_request){ .url = canned_url(c, "/loop"), .max_redirects = 5 });
	assert_int_equal(got.status, 301);
	assert_int_equal(canned_asked(c, "GET /loop"), 6);
	fetch(&(struct fetch_request){ .url = canned_url(c, "/out"), .max_redirects = 5 });
	assert_int_equal(got.status, 302);
	canned_stop(c);
}

static void
test_bounds(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /long", .head = "200 OK", .body = "12345678" },
		{ .request = "GET /mute" },
	};
	struct canned *c = canned_start(answers, 2);

	fetch(&(struct fetch_request){ .url = canned_url(c, "/long"), .max_body = 7 });
	expect_error("longer than 7 bytes");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/mute"), .timeout_ms = 50 });
	expect_error("not done within 0.05 s (first byte)");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/x"), .public_only = true });
	expect_error("private network");
	assert_int_equal(canned_asked(c, "GET /x"), 0);
	canned_stop(c);
}

static void
test_troubles(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /junk", .body = "SSH-2.0-Open\r\n", .close = true },
		{ .request = "GET /tls",
		    .body = "\x15\x03\x01\x00\x02\x02\x16",
		    .len = 7,
		    .close = true },
		{ .request = "GET /close", .body = "", .close = true },
		{ .request = "GET /half",
		    .body = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
		    .close = true },
		{ .request = "GET /reset",
		    .body = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
		    .reset = true },
	};
	struct canned *c = canned_start(answers, 5);
	char https[64];

	fetch(&(struct fetch_request){ .url = canned_url(c, "/junk") });
	expect_error("did not answer with HTTP, but with \"SSH-2.0-\"");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/tls") });
	expect_error("speaks TLS: perhaps the URL begins with https://");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/close") });
	expect_error("closed the connection without a response");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/half") });
	expect_error("in the middle of the response");
	fetch(&(struct fetch_request){ .url = canned_url(c, "/reset") });
	expect_error("in the middle of the response");
	snprintf(https, sizeof(https), "https://127.0.0.1:%d/", canned_port(c));
	fetch(&(struct fetch_request){ .url = https });
	expect_error("does not speak TLS: perhaps the URL begins with http://");
	int port = canned_port(c);
	canned_stop(c);
	snprintf(https, sizeof(https), "http://127.0.0.1:%d/", port);
	fetch(&(struct fetch_request){ .url = https });
	expect_error("Connection refused");
	fetch(&(struct fetch_request){ .url = "http://nosuch.invalid/", .timeout_ms = 2000 });
	expect_error("nosuch.invalid");
}

static void
test_what_cannot_begin(void **state)
{
	static const char *const urls[] = { "", "nonsense://x", "file:///etc/passwd", "http://",
		"ftp://x/" };
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		struct fetch_request request = { .url = urls[i] };
		assert_null(fetch_start(loop, &request, on_done, NULL, &err));
		assert_non_null(strstr(err.text, "not an http or https URL"));
	}
	struct fetch_request request = { .url = "http://127.0.0.1:1/",
		.headers = (const char *const[]){ "X: a\r\nHost: evil", NULL } };
	assert_null(fetch_start(loop, &request, on_done, NULL, &err));
	assert_non_null(strstr(err.text, "not a valid header"));
}

static void
test_cancel(void **state)
{
	static const struct canned_answer answers[] = { { .request = "GET /mute" } };
	struct canned *c = canned_start(answers, 1);
	struct fetch_request request = { .url = canned_url(c, "/mute") };

	forget();
	fetch_cancel(NULL);
	fetch_cancel(fetch_start(loop, &request, on_done, NULL, NULL));
	struct fetch *f = fetch_start(loop, &request, on_done, NULL, NULL);
	TURN_UNTIL(loop, canned_count(c) == 1);
	fetch_cancel(f);
	loop_turn(loop, 0);
	assert_false(got.done);
	canned_stop(c);
}

static int
set_up(void **state)
{
	loop = loop_create(NULL, NULL, NULL);
	return loop ? 0 : -1;
}

static int
tear_down(void **state)
{
	forget();
	loop_destroy(loop);
	return 0;
}

TEST_FILE(net_fetch)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_get, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_post, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_redirects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_troubles, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_cannot_begin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cancel, set_up, tear_down),
	};

	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
