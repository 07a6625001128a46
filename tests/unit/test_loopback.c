/* SPDX-License-Identifier: MIT */
#include "net/loopback.h"

#include "base/mem.h"
#include "base/vec.h"
#include "fixture.h"
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct loop *loop;
static int64_t now_ms;
static char target[256];
static int visits;
static struct loopback *to_close;

static int64_t
clock_of_test(void *user)
{
	return now_ms;
}

static enum loopback_visit
on_visit(void *user, const char *asked)
{
	visits++;
	snprintf(target, sizeof(target), "%s", asked);
	bool right = strstr(asked, "state=right") != NULL;
	if (right && to_close) {
		loopback_destroy(to_close);
		to_close = NULL;
	}
	if (strstr(asked, "error="))
		return LOOPBACK_REFUSED;
	return right ? LOOPBACK_TAKEN : LOOPBACK_STRAY;
}

static int
dial(const struct loopback *l)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)loopback_port(l)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	connect(fd, (struct sockaddr *)&at, sizeof(at));
	return fd;
}

/* True: the other end has closed. */
static bool
pull(int fd, char *text, size_t size, size_t *len)
{
	ssize_t got = read(fd, text + *len, size - 1 - *len);

	*len += got > 0 ? (size_t)got : 0;
	return got == 0 || (got < 0 && errno == ECONNRESET);
}

/* Return the answer, or "" without one, and close fd. */
static const char *
hear(int fd)
{
	static char text[4096];
	size_t len = 0;

	TURN_UNTIL(loop, pull(fd, text, sizeof(text), &len));
	text[len] = '\0';
	close(fd);
	return text;
}

/* '@' in the request means the port. */
static const char *
ask(const struct loopback *l, const char *request)
{
	const char *at = strchr(request, '@');
	char *whole =
	    at ? mem_printf("%.*s%d%s", (int)(at - request), request, loopback_port(l), at + 1)
	       : mem_strdup(request);
	int fd = dial(l);
	size_t len = strlen(whole);

	TURN_UNTIL(loop, send(fd, whole, len, MSG_NOSIGNAL) == (ssize_t)len);
	free(whole);
	return hear(fd);
}

static int
set_up(void **state)
{
	loop = loop_create(clock_of_test, NULL, NULL);
	visits = 0;
	target[0] = '\0';
	return loop ? 0 : 1;
}

static int
tear_down(void **state)
{
	loop_destroy(loop);
	return 0;
}

#define HEAD " HTTP/1.1\r\nHost: 127.0.0.1:@\r\n\r\n"

static void
test_one_visit(void **state)
{
	struct err err;
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, &err);

	assert_non_null(l);
	assert_true(loopback_port(l) > 0);
	const char *page = ask(l, "GET /callback?code=1&state=right" HEAD);
	assert_non_null(strstr(page, "HTTP/1.1 200 OK\r\n"));
	assert_non_null(strstr(page, "Content-Security-Policy: default-src 'none'"));
	assert_non_null(strstr(page, "You can close this page"));
	assert_string_equal(target, "/callback?code=1&state=right");
	assert_null(strstr(page, "code=1"));
	page = ask(l, "GET /callback?error=access_denied" HEAD);
	assert_non_null(strstr(page, "<h1>Not authorized</h1>"));
	assert_null(strstr(page, "access_denied"));
	loopback_destroy(l);
	loopback_destroy(NULL);
}

static void
test_strangers(void **state)
{
	static const char *const cases[][2] = {
		{ "GET /callback?code=1&state=wrong" HEAD, "400 Bad Request" },
		{ "GET /favicon.ico" HEAD, "404 Not Found" },
		{ "GET /callbackx?state=right" HEAD, "404 Not Found" },
		{ "POST /callback?state=right" HEAD, "405 Method Not Allowed" },
		{ "\r\n\r\n", "405 Method Not Allowed" },
		{ "GET\r\n\r\n", "405 Method Not Allowed" },
		{ "GET " HEAD, "404 Not Found" },
		{ "GET <script>alert(1)</script>" HEAD, "404 Not Found" },
	};
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, NULL);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *page = ask(l, cases[i][0]);
		if (!strstr(page, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], page);
		assert_null(strstr(page, "<script>"));
	}
	assert_int_equal(visits, 1);
	/* still there for the right one */
	assert_non_null(strstr(ask(l, "GET /callback?state=right" HEAD), "200 OK"));
	loopback_destroy(l);
}

/* Even with the right state, only a browser window at the right address gets an answer. */
static void
test_who_may_come(void **state)
{
	static const struct {
		const char *headers;
		bool taken;
	} cases[] = {
		{ "Host: 127.0.0.1:@\r\n", true },
		{ "host:  LOCALHOST:@ \r\n", true },
		{ "Host: [::1]:@\r\n", true },
		{ "Host: localhost:@\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
		  "Sec-Fetch-Dest: document\r\n",
		    true },
		{ "", false },
		{ "Host: evil.example:@\r\n", false },
		{ "Host: 127.0.0.1\r\n", false },
		{ "Host: 127.0.0.1:1\r\n", false },
		{ "Host: 127.0.0.1.evil.example:@\r\n", false },
		{ "Host: 127.0.0.1:@\r\nHost: evil.example\r\n", false },
		{ "Host: evil.example\r\nHost: 127.0.0.1:@\r\n", false },
		{ "Host: 127.0.0.1:@\r\nOrigin: https://evil.example\r\n", false },
		{ "Host: 127.0.0.1:@\r\nOrigin: null\r\n", false },
		{ "Host: 127.0.0.1:@\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n",
		    false },
		{ "Host: 127.0.0.1:@\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
		    false },
	};
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, NULL);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *request =
		    mem_printf("GET /callback?state=right HTTP/1.1\r\n%s\r\n", cases[i].headers);
		int before = visits;
		const char *page = ask(l, request);
		if (!strstr(page, cases[i].taken ? " 200 OK" : " 403 Forbidden"))
			fail_msg("%s: %s", cases[i].headers, page);
		assert_int_equal(visits - before, cases[i].taken);
		free(request);
	}
	loopback_destroy(l);
}

/* Return whether all of it was sent or the peer closed. */
static bool
push(int fd, const char *bytes, size_t len, size_t *sent)
{
	ssize_t put = send(fd, bytes + *sent, len - *sent, MSG_NOSIGNAL);

	*sent += put > 0 ? (size_t)put : 0;
	return *sent == len || (put < 0 && errno != EAGAIN);
}

static void
test_too_long(void **state)
{
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, NULL);
	char *request = mem_alloc(LOOPBACK_MAX_HEAD + 4096);

	memset(request, 'a', LOOPBACK_MAX_HEAD + 4095);
	request[LOOPBACK_MAX_HEAD + 4095] = '\0';
	memcpy(request, "GET /callback?", 14);
	int fd = dial(l);
	size_t sent = 0;
	TURN_UNTIL(loop, push(fd, request, LOOPBACK_MAX_HEAD + 4095, &sent));
	hear(fd); /* unread input may discard the page */
	assert_int_equal(visits, 0);
	free(request);
	loopback_destroy(l);
}

static void
test_those_who_say_nothing(void **state)
{
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, NULL);
	int fds[LOOPBACK_MAX_VISITS];

	for (size_t i = 0; i < LOOPBACK_MAX_VISITS; i++) {
		fds[i] = dial(l);
		loop_turn(loop, 100);
	}
	assert_string_equal(hear(dial(l)), ""); /* one too many */
	now_ms += LOOPBACK_VISIT_MS;
	for (size_t i = 0; i < LOOPBACK_MAX_VISITS; i++)
		assert_string_equal(hear(fds[i]), "");
	assert_non_null(strstr(ask(l, "GET /callback?state=right" HEAD), "200 OK"));
	/* a request that is half sent when the listener goes */
	int half = dial(l);
	TURN_UNTIL(loop, send(half, "GET /", 5, MSG_NOSIGNAL) == 5);
	loop_turn(loop, 100);
	loopback_destroy(l);
	assert_string_equal(hear(half), "");
}

static void
test_closed_from_within(void **state)
{
	to_close = loopback_create(loop, 0, "/callback", on_visit, NULL, NULL);
	int port = loopback_port(to_close);
	assert_non_null(strstr(ask(to_close, "GET /callback?state=right" HEAD), "200 OK"));
	assert_null(to_close);
	/* the port is free again, and can be had by number */
	struct err err = { "" };
	struct loopback *l = loopback_create(loop, port, "/callback", on_visit, NULL, &err);
	assert_non_null(l);
	assert_int_equal(loopback_port(l), port);
	assert_null(loopback_create(loop, port, "/callback", on_visit, NULL, &err));
	assert_non_null(strstr(err.text, "cannot listen"));
	loopback_destroy(l);
}

TEST_FILE(loopback)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_one_visit),
		TEST(test_strangers),
		TEST(test_who_may_come),
		TEST(test_too_long),
		TEST(test_those_who_say_nothing),
		TEST(test_closed_from_within),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
