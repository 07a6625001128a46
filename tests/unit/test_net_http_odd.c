/* SPDX-License-Identifier: MIT */
/* HTTP as a transport: unusual bodies, and the message for a body that is not an answer. */
#include "carrier.h"
#include "base/vec.h"
#include "test.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* RESULT(1), and RESULT(2) as an event, by gzip. */
static const char packed[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\x2a\xce\xcf\x2b\x2a\x48\x56"
    "\xb2\x52\x32\xd2\x33\x50\xd2\x51\xca\x4c\x51\xb2\x32\xd4\x51\x2a\x4a\x2d\x2e\xcd"
    "\x29\x51\xb2\xaa\xae\xad\x05\x00\x6c\xbd\x59\xc0\x24\x00\x00\x00";
static const char packed_event[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x49\x2c\x49\xb4\x52\xa8\x56\xca\x2a"
    "\xce\xcf\x2b\x2a\x48\x56\xb2\x52\x32\xd2\x33\x50\xd2\x51\xca\x4c\x51\xb2\x32\xd2"
    "\x51\x2a\x4a\x2d\x2e\xcd\x29\x51\xb2\xaa\xae\xad\xe5\xe2\x02\x00\xa7\xa8\x90\x5c"
    "\x2c\x00\x00\x00";

#define GZIP "\r\nContent-Encoding: gzip"

/* It is understood without a request. */
/* Too large to be looked into, and cut off: it is not taken for the answer. */
static void
test_big_and_broken(void **state)
{
	static char big[300000];
	static const struct canned_answer answers[] = {
		{ .body = big, .close = true },
	};
	size_t len = (size_t)snprintf(big, sizeof(big),
	    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	    "Content-Length: 1000000\r\n\r\n{\"result\":\"");

	memset(big + len, 'x', sizeof(big) - 1 - len);
	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect_part("broke in the middle of the response");
	assert_int_equal(carrier.losts, 1);
}

static void
test_packed(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = JSON GZIP,
		    .body = packed,
		    .len = sizeof(packed) - 1 },
		{ .has = "\"id\":2,",
		    .head = EVENTS GZIP,
		    .stream = true,
		    .piece = 1,
		    .body = packed_event,
		    .len = sizeof(packed_event) - 1 },
		{ .has = "\"id\":3,", .head = JSON GZIP, .body = RESULT(3) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	assert_false(carrier_has(0, "Accept-Encoding"));
	carrier_ask_modern(2, "x");
	carrier_expect("line " RESULT(2) "|");
	carrier_ask_modern(3, "x");
	carrier_expect_part("is not compressed as declared (Content-Encoding: gzip)");
}

/* Twelve MiB of zeros by gzip that arrive while nothing may be read: libcurl keeps the unpacked
 * bytes and hands them over all at once later. */
static void
test_bomb_while_held(void **state)
{
	enum { BLOCKS = 12, BLOCK = 1037 };
	static const unsigned char begin[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
	static const unsigned char block_begin[] = { 0xec, 0xc1, 0x31, 0x01, 0, 0, 0, 0xc2, 0xa0,
		0xf5, 0x4f, 0x6d, 0x08, 0x5f, 0xa0 };
	static const unsigned char block_end[] = { 0x3e, 0x03, 0, 0, 0xff, 0xff };
	static char body[sizeof(begin) + BLOCKS * BLOCK];
	static const struct canned_answer answers[] = {
		{ .head = JSON GZIP,
		    .stream = true,
		    .open = true,
		    .body = body,
		    .len = sizeof(body) },
	};

	memcpy(body, begin, sizeof(begin));
	for (char *at = body + sizeof(begin); at < body + sizeof(body); at += BLOCK) {
		memcpy(at, block_begin, sizeof(block_begin));
		memcpy(at + BLOCK - sizeof(block_end), block_end, sizeof(block_end));
	}
	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier.http->ops->hold(carrier.http, true);
	UNTIL(canned_count(carrier.canned) == 1);
	for (int i = 0; i < 50; i++)
		loop_turn(carrier.loop, 1);
	carrier.http->ops->hold(carrier.http, false);
	carrier_expect_part("decompresses to too much at once");
	assert_int_equal(carrier.losts, 1);
}

/* Content-Type values as servers write them, and missing ones. */
static void
test_types(void **state)
{
	static const char *const types[] = { "\r\nContent-Type: application/json; charset=utf-8",
		"\r\ncontent-TYPE: APPLICATION/JSON;CHARSET=UTF-8", "",
		"\r\nContent-Type: text/plain", "\r\nContent-Type:" };
	static char head[80];
	static const struct canned_answer answers[] = {
		{ .head = head, .body = RESULT(1), .again = true },
	};

	OPEN(answers);
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		snprintf(head, sizeof(head), "200 OK%s", types[i]);
		carrier_ask_modern(1, "x");
		carrier_expect("line " RESULT(1) "|");
	}
	assert_int_equal(carrier.losts, 0);
}

static void
test_event_types(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = "200 OK\r\nContent-Type: Text/Event-Stream; charset=UTF-8",
		    .stream = true,
		    .body = "event:message\rdata:" RESULT(1) "\r\r" },
		{ .has = "\"id\":2,",
		    .body = "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" EVENT(
			RESULT(2)),
		    .close = true },
		{ .has = "\"id\":3,",
		    .body =
			"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.0 200 OK\r\n\r\n" RESULT(3),
		    .close = true },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	carrier_ask_modern(2, "x");
	carrier_expect("line " RESULT(2) "|");
	carrier_ask_modern(3, "x");
	carrier_expect("line " RESULT(3) "|");
	assert_int_equal(carrier.losts, 0);
}

static void
test_byte_order_mark(void **state)
{
	static const struct canned_answer answers[] = {
		{ .head = JSON, .body = "\xef\xbb\xbf" RESULT(1) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	carrier_expect_note("the body begins with a byte order mark, which JSON must not have");
}

/* Whole, and yet no answer: it is said why. */
static void
test_no_answers(void **state)
{
	static const struct {
		const char *head, *body, *why;
	} cases[] = {
		{ "200 OK\r\nContent-Type: text/html", "<html>log in",
		    "200 OK, text/html: the body is not a response: not JSON: expected a value, "
		    "found "
		    "'<' (byte 0)|" },
		{ "200 OK", "oops",
		    "200 OK, no Content-Type: the body is not a response: not JSON" },
		{ JSON, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}",
		    "not a response: its id is \"1\", not 1|" },
		{ JSON,
		    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"I "
		    "broke\"}}",
		    "not a response: an error without an id: I broke|" },
		{ JSON, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1}",
		    "not a response: request|" },
		{ JSON, "{}", "not a response: neither a method nor a result nor an error|" },
		{ JSON, "[]", "not a response: an empty batch|" },
		{ JSON, "", "HTTP 200 OK without a body, although a response was due|" },
	};
	static struct canned_answer answer = { .again = true };

	carrier_open(&answer, 1, (struct http_options){ 0 });
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		answer.head = cases[i].head;
		answer.body = cases[i].body;
		carrier_ask_modern(1, "x");
		UNTIL(carrier.losts == i + 1);
		carrier_expect_part("lost status 1 200 HTTP 200 OK");
		carrier_expect_part(cases[i].why);
		buf_clear(&carrier.seen);
	}
}

/* The last message of a stream that ends without the answer is delivered. */
static void
test_streams_without_an_answer(void **state)
{
	static const struct canned_answer answers[] = {
		{ .head = EVENTS,
		    .stream = true,
		    .body = EVENT("{\"method\":\"a\"}") EVENT(RESULT(9)) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect_part("lost broken 1 200 the stream ended before the response; the last "
			    "message: its id is 9, not 1|");
}

/* The text of a refusal is in the journal in every case. */
static void
test_bodies_are_seen(void **state)
{
	static char page[100001];
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = "500 Oops", .body = page },
		{ .has = "\"id\":2,",
		    .head = "429 Slow\r\nRetry-After: 0",
		    .body =
			"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1,\"message\":\"m\"}}" },
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
		{ .has = "three",
		    .head = "200 OK\r\nContent-Type: text/plain",
		    .body = "tha\0nks\x1b[31m",
		    .len = 12 },
	};

	memset(page, 'x', sizeof(page) - 1);
	OPEN(answers);
	carrier_ask_modern(1, "x");
	UNTIL(carrier.losts == 1);
	carrier_expect_note("xxx ... and 34464 bytes more\n");
	buf_clear(&carrier.seen);
	carrier_ask_modern(2, "x");
	carrier_expect("line " RESULT(2) "|");
	carrier_expect_note("POST x #2, body: {\"jsonrpc\":\"2.0\",\"id\":2,\"error\"");
	carrier_tell("notifications/three");
	UNTIL(strstr(buf_text(&carrier.notes), "POST notifications/three, body: tha nks [31m\n"));
}

/* On a connection that was kept, libcurl would. */
static void
test_not_sent_again(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = JSON, .body = RESULT(1) },
		{ .has = "\"id\":2,", .body = "", .close = true },
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
		{ .has = "\"id\":3,", .head = JSON, .body = RESULT(3), .close = true },
		{ .has = "\"id\":4,", .head = JSON, .body = RESULT(4) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	carrier_ask_modern(2, "x");
	carrier_expect_part("lost unreachable 2 0 127.0.0.1 port ");
	carrier_expect_part("it may have arrived, so it is not sent again|");
	assert_int_equal(canned_count(carrier.canned), 2);
	buf_clear(&carrier.seen);
	carrier_ask_modern(3, "x");
	carrier_expect("line " RESULT(3) "|");
	UNTIL(canned_open(carrier.canned) == 0);
	carrier_ask_modern(4, "x");
	carrier_expect("line " RESULT(4) "|");
}

/* Values from the server become headers: its version, its session. */
static void
test_nothing_is_injected(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"initialize\"",
		    .head = JSON "\r\nMcp-Session-Id: a b",
		    .body = RESULT(1) },
		{ .head = JSON, .body = RESULT(2) },
	};

	OPEN(answers);
	carrier_ask(1, "initialize");
	carrier_expect("line " RESULT(1) "|");
	carrier_expect_note("the session id breaks the rules of the specification: not used");
	carrier_send((struct outbound){ .kind = MESSAGE_REQUEST,
	    .id = 2,
	    .method = "tools/list",
	    .version = "2025-11-25\r\nEvil: 1" });
	carrier_expect("line " RESULT(2) "|");
	carrier_expect_note("left out a header that cannot be sent: MCP-Protocol-Version");
	assert_false(carrier_has(1, "Evil"));
	assert_false(carrier_has(1, "Mcp-Session-Id"));
}

/* One that accepts and says nothing, where TLS is wanted. */
static void
test_tls_without_an_answer(void **state)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	/* insecure: or reading the authorities would be among what takes long */
	struct http_options options = { .insecure = true };
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char url[60], told[120];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&address, &len);
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/", ntohs(address.sin_port));
	options.url = url;
	/* under valgrind, to start TLS takes a second alone */
	options.connect_ms = fixture_deadline_ms() / 60;
	snprintf(told, sizeof(told),
	    "but the TLS handshake took more than %g s; if it does not speak TLS, the URL must "
	    "begin with http://|",
	    (double)options.connect_ms / 1000);
	carrier.http = http_create(carrier.loop, &options, &carrier_events, NULL, NULL);
	carrier_ask_modern(1, "x");
	carrier_expect_part(told);
	close(listener);
}

static void
expect_wait(uint64_t id, const char *words)
{
	char wait[100] = "";

	assert_true(carrier.http->ops->describe_wait(carrier.http, id, wait, sizeof(wait)));
	if (strncmp(wait, words, strlen(words)) != 0)
		fail_msg("it waits for \"%s\", not \"%s\"", wait, words);
}

static void
test_waits(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = "503 Busy\r\nRetry-After: 20", .body = "" },
		{ .has = "one", .body = NULL },
		{ .has = "GET", .body = NULL },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	UNTIL(strstr(buf_text(&carrier.notes), "sent again in 20 s"));
	expect_wait(1, "the time when the server asked to come again");
	carrier_tell("notifications/one");
	carrier_ask_modern(2, "x");
	expect_wait(2, "its turn to be sent");
	assert_false(carrier.http->ops->describe_wait(carrier.http, 3, NULL, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, carrier_set_up, carrier_tear_down)

TEST_FILE(net_http_odd)
{
	const struct CMUnitTest tests[] = {
		TEST(test_big_and_broken),
		TEST(test_packed),
		TEST(test_bomb_while_held),
		TEST(test_types),
		TEST(test_event_types),
		TEST(test_byte_order_mark),
		TEST(test_no_answers),
		TEST(test_streams_without_an_answer),
		TEST(test_bodies_are_seen),
		TEST(test_not_sent_again),
		TEST(test_nothing_is_injected),
		TEST(test_tls_without_an_answer),
		TEST(test_waits),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
