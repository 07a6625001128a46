/* SPDX-License-Identifier: MIT */
/* HTTP as a transport: messages and their answers. */
#include "carrier.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- requests and answers ---- */

static void
test_json(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = JSON,
		    .body = "{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1, \"result\": {} }\n" },
		{ .has = "\"id\":2,", .head = "200 OK", .body = RESULT(2) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "tools/list");
	carrier_expect("line {   \"jsonrpc\": \"2.0\",    \"id\": 1, \"result\": {} } |");
	const char *request = canned_request(carrier.canned, 0);
	assert_non_null(strstr(request, "POST /mcp HTTP/1.1\r\n"));
	assert_non_null(strstr(request, "\r\nAccept: application/json, text/event-stream\r\n"));
	assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
	assert_non_null(strstr(request, "\r\nMCP-Protocol-Version: 2026-07-28\r\n"));
	assert_non_null(strstr(request, "\r\nMcp-Method: tools/list\r\n"));
	assert_null(strstr(request, "Mcp-Name"));
	assert_null(strstr(request, "Mcp-Session-Id"));
	assert_null(strstr(request, "Authorization"));
	assert_non_null(
	    strstr(request, "\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"));
	carrier_ask_modern(2, "tools/list");
	carrier_expect("line " RESULT(2) "|");
	carrier_expect_note("POST tools/list #1: 200 OK, application/json\n"
			    "> POST /mcp HTTP/1.1\n> Host: 127.0.0.1:");
	carrier_expect_note("\n> Mcp-Method: tools/list\n");
	carrier_expect_note("\n< HTTP 200 OK\n< Content-Type: application/json");
	assert_int_equal(carrier.losts, 0);
}

static void
test_headers(void **state)
{
	static const struct canned_answer answers[] = { { .head = JSON, .body = RESULT(1) } };
	static struct outbound_param params[] = {
		{ .name = "City", .value = (char *)"Oslo" },
		{ .name = "Empty", .value = (char *)"" },
		{ .name = "None", .value = NULL },
	};

	carrier_open(answers, 1,
	    (struct http_options){ .headers = (const char *const[]){
				       "X-One: 1", "X-None:", "accept: text/x", NULL } });
	carrier_send((struct outbound){ .kind = MESSAGE_REQUEST,
	    .id = 1,
	    .method = "tools/call",
	    .modern = true,
	    .version = "2026-07-28",
	    .name = "caf\xc3\xa9",
	    .params = params,
	    .param_count = 3 });
	carrier_expect("line " RESULT(1) "|");
	const char *request = canned_request(carrier.canned, 0);
	assert_non_null(strstr(request, "\r\nMcp-Name: =?base64?Y2Fmw6k=?=\r\n"));
	assert_non_null(strstr(request, "\r\nMcp-Param-City: Oslo\r\n"));
	assert_non_null(strstr(request, "\r\nMcp-Param-Empty:\r\n"));
	assert_null(strstr(request, "Mcp-Param-None"));
	assert_non_null(strstr(request, "\r\nX-One: 1\r\n"));
	assert_non_null(strstr(request, "\r\nX-None:\r\n"));
	assert_non_null(strstr(request, "\r\naccept: text/x\r\n"));
	assert_null(strstr(request, "\r\nAccept:"));
	carrier_expect_note("\n> X-One: (hidden)\n");
	carrier_expect_note("\n> Mcp-Param-City: Oslo\n");
}

static void
test_events(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = EVENTS,
		    .stream = true,
		    .body = ": hello\n\nid: 1\ndata:\n\n" EVENT("{\"method\":\"a\"}")
			EVENT("{\"method\":\"b\"}") "event: other\ndata: x\n\n" EVENT(RESULT(1))
			    EVENT("{\"method\":\"late\"}") },
	};

	OPEN(answers);
	carrier_ask_modern(1, "tools/call");
	carrier_expect("line {\"method\":\"a\"}|line {\"method\":\"b\"}|line " RESULT(
	    1) "|line {\"method\":\"late\"}|");
	carrier_expect_note("an event of type \"other\": ignored");
	assert_int_equal(carrier.losts, 0);
}

static void
test_stream_that_stays_open(void **state)
{
	static const struct canned_answer answers[] = {
		{ .head = EVENTS, .stream = true, .open = true, .body = EVENT(RESULT(1)) },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	UNTIL(strstr(
	    buf_text(&carrier.notes), "x #1 was answered, but its stream stays open: closed"));
	assert_int_equal(carrier.losts, 0);
}

/* The same wherever the bytes are cut. */
static void
test_every_chunk(void **state)
{
	static struct canned_answer answers[24];

	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		answers[i] = (struct canned_answer){ .head = EVENTS "\r\nConnection: close",
			.stream = true,
			.piece = i + 1,
			.body = "\xef\xbb\xbf: x\r\n\r\nevent: message\r\ndata: "
				"{\"method\":\r\ndata: \"m\"}\r\n\r\n" EVENT(RESULT(7)) };
	OPEN(answers);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		carrier_ask_modern(7, "tools/call");
		carrier_expect("line {\"method\": \"m\"}|line " RESULT(7) "|");
		assert_int_equal(carrier.stream, 7);
		assert_true(carrier.is_read);
	}
	assert_int_equal(carrier.losts, 0);
}

static void
test_answers_that_are_none(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = "202 Accepted", .body = "" },
		{ .has = "\"id\":2,",
		    .head = "500 Oops\r\nContent-Type: text/plain",
		    .body = "it is\nbroken" },
		{ .has = "\"id\":3,",
		    .head = "400 Bad Request\r\nContent-Type: application/json",
		    .body = "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32022,\"message\":"
			    "\"v\"}}" },
		{ .has = "\"id\":4,",
		    .head = "400 Bad Request\r\nContent-Type: application/json",
		    .body = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
			    "\"message\":\"no\"}}" },
		{ .has = "\"id\":5,", .head = JSON, .body = RESULT(99) },
		{ .has = "\"id\":6,",
		    .head = EVENTS,
		    .stream = true,
		    .body = EVENT("{\"method\":\"a\"}") "data: {\"cut" },
		{ .has = "\"id\":7,",
		    .body = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
			    "99\r\n\r\n{",
		    .close = true },
		{ .has = "\"id\":8,", .body = "", .close = true },
	};

	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect(
	    "lost status 1 202 HTTP 202 Accepted without a body, although a response was due|");
	carrier_ask_modern(2, "x");
	carrier_expect("lost status 2 500 HTTP 500 Oops|");
	carrier_ask_modern(3, "x");
	carrier_expect(
	    "line {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32022,\"message\":\"v\"}}|");
	carrier_ask_modern(4, "x");
	carrier_expect(
	    "line {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\"}}|"
	    "lost status 4 400 HTTP 400 Bad Request|");
	carrier_ask_modern(5, "x");
	carrier_expect("line " RESULT(99) "|lost status 5 200 HTTP 200 OK, application/json: the "
					  "body is not a response: its id is "
					  "99, not 5|");
	carrier_ask_modern(6, "x");
	carrier_expect(
	    "line {\"method\":\"a\"}|lost broken 6 200 the stream ended before the response; "
	    "the last message: an event that no empty line ends|");
	carrier_expect_note(
	    "the stream ended within an event (no empty line ends it), 5 bytes: {\"cut\n");
	carrier_expect_note("POST x #2, body: it is broken\n");
	carrier_ask_modern(7, "x");
	carrier_expect_part("lost broken 7 200 the connection to 127.0.0.1 port");
	buf_clear(&carrier.seen);
	carrier_ask_modern(8, "x");
	carrier_expect_part("lost unreachable 8 0 127.0.0.1 port");
}

/* Unsolicited messages are delivered. */
static void
test_answers_to_a_notification(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "one",
		    .head = EVENTS,
		    .stream = true,
		    .body = EVENT("{\"method\":\"a\"}") },
		{ .has = "two", .head = JSON, .body = "{\"method\":\"b\"}" },
		{ .has = "three", .head = "200 OK\r\nContent-Type: text/plain", .body = "thanks" },
		{ .has = "four", .head = "500 Oops", .body = "no" },
	};

	OPEN(answers);
	carrier_tell("notifications/one");
	carrier_tell("notifications/two");
	carrier_tell("notifications/three");
	carrier_tell("notifications/four");
	UNTIL(carrier.losts == 1);
	carrier_expect_part("line {\"method\":\"a\"}|");
	carrier_expect_part("line {\"method\":\"b\"}|");
	carrier_expect_part("lost status 0 500 HTTP 500 Oops|");
	assert_int_equal(carrier.lines, 2);
}

static void
test_big_head(void **state)
{
	static char head[90000];
	static const struct canned_answer answers[] = { { .body = head, .close = true } };
	size_t len = (size_t)snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\n");

	while (len < sizeof(head) - 100)
		len += (size_t)snprintf(
		    head + len, 100, "X-%zu: 0123456789012345678901234567890\r\n", len);
	snprintf(head + len, sizeof(head) - len, "\r\n{}");
	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier_expect_part("is larger than 65536 bytes|");
	assert_int_equal(carrier.lines, 0);
}

static void
test_proxy(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "POST http://far.example/mcp HTTP/1.1\r\nHost: far.example\r\n",
		    .head = JSON,
		    .body = RESULT(1) },
	};
	struct http_options options = { .url = "http://far.example/mcp" };

	carrier.canned = canned_start(answers, 1);
	setenv("http_proxy", canned_url(carrier.canned, ""), 1);
	carrier.http = http_create(carrier.loop, &options, &carrier_events, NULL, NULL);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	setenv("no_proxy", "far.example", 1);
	setenv("http_proxy", "http://joe:hunter2@127.0.0.1:1", 1);
	carrier_ask_modern(2, "x");
	carrier_expect_part("lost unreachable 2 0 no address is known for far.example");
	buf_clear(&carrier.seen);
	unsetenv("no_proxy");
	carrier_ask_modern(3, "x");
	carrier_expect("lost unreachable 3 0 connection to far.example port 80 through the proxy "
		       "http://127.0.0.1:1 of the environment: Connection refused|");
	setenv("http_proxy", "junk://joe:hunter2@127.0.0.1:1", 1);
	carrier_ask_modern(4, "x");
	UNTIL(carrier.losts == 3);
	assert_null(strstr(buf_text(&carrier.seen), "hunter2"));
	unsetenv("http_proxy");
}

static void
test_bound(void **state)
{
	static char big[200001];
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = JSON, .body = big },
		{ .has = "\"id\":2,", .head = JSON, .body = big + 1 },
	};

	memset(big, 'x', sizeof(big) - 1);
	big[0] = '{';
	carrier_open(answers, 2, (struct http_options){ .max_message = 1000 });
	carrier_ask_modern(1, "x");
	carrier_expect_part("xxx+199000|");
	assert_int_equal(carrier.losts, 0);
	assert_int_equal(carrier.lines, 1);
	carrier_ask_modern(2, "x"); /* no answer begins so */
	carrier_expect_part("the body is not a response: not JSON: it begins with \"xxx");
	assert_int_equal(carrier.losts, 1);
}

static void
test_hold(void **state)
{
	static char big[3000000];
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = EVENTS, .stream = true, .body = big },
	};

	for (size_t i = 0; i < sizeof(big) - 100; i += 11)
		memcpy(big + i, "data: 123\n\n", 11);
	OPEN(answers);
	carrier_ask_modern(1, "x");
	carrier.http->ops->hold(carrier.http, true);
	UNTIL(canned_count(carrier.canned) == 1);
	for (int i = 0; i < 50; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(carrier.lines, 0);
	carrier.http->ops->hold(carrier.http, false);
	UNTIL(carrier.lines > 10);
	carrier.http->ops->hold(carrier.http, true);
	loop_turn(carrier.loop, 1);
	size_t lines = carrier.lines;
	for (int i = 0; i < 20; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(carrier.lines, lines);
	carrier.http->ops->hold(carrier.http, false);
	UNTIL(carrier.losts == 1);
	assert_int_equal(carrier.lines, (sizeof(big) - 100 + 10) / 11);
}

static void
test_destroyed_from_within(void **state)
{
	static const struct canned_answer answers[] = {
		{ .head = EVENTS,
		    .stream = true,
		    .again = true,
		    .body = EVENT("{\"method\":\"a\"}") EVENT("{\"method\":\"b\"}") },
	};

	OPEN(answers);
	carrier.destroy_on_line = true;
	carrier_ask_modern(1, "x");
	carrier_ask_modern(2, "x");
	UNTIL(!carrier.http);
	for (int i = 0; i < 20; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(carrier.lines, 1);
	assert_int_equal(carrier.losts, 0);
}

/* ---- redirects, come again later ---- */

static char to_login[120];

static void
test_redirects(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .request = "POST /mcp ",
		    .head = "307 Temporary Redirect\r\nLocation: /mcp/",
		    .body = "" },
		{ .has = "\"id\":1,", .request = "POST /mcp/ ", .head = JSON, .body = RESULT(1) },
		{ .has = "\"id\":2,",
		    .head = "308 Permanent Redirect\r\nLocation: http://localhost:9/steal",
		    .body = "" },
		{ .has = "\"id\":3,", .head = "302 Found\r\nLocation: /login", .body = "" },
		{ .has = "\"id\":4,",
		    .head = "307 Temporary Redirect\r\nLocation: /mcp",
		    .body = "",
		    .again = true },
		{ .has = "\"id\":5,", .head = "307 Temporary Redirect", .body = "" },
		{ .has = "\"id\":6,",
		    .head = "307 Temporary Redirect\r\nLocation: file:///etc/passwd",
		    .body = "" },
		{ .has = "\"id\":7,", .request = "POST /mcp/ ", .head = to_login, .body = "" },
		{ .has = "\"id\":7,", .request = "POST /in ", .head = JSON, .body = RESULT(7) },
	};

	carrier_open(answers, ARRAY_LEN(answers),
	    (struct http_options){
		.headers = (const char *const[]){ "Authorization: Bearer secret", NULL } });
	snprintf(to_login, sizeof(to_login),
	    "307 Temporary Redirect\r\nLocation: //joe:hunter2@127.0.0.1:%d/in",
	    canned_port(carrier.canned));
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	assert_true(carrier_has(1, "POST /mcp/ ") && carrier_has(1, "Bearer secret"));
	carrier_ask_modern(2, "x");
	carrier_expect("lost status 2 308 HTTP 308 Permanent Redirect: redirected to "
		       "http://localhost:9/steal, to another origin: not followed; if the server "
		       "is there, give that URL|");
	carrier_ask_modern(3, "x");
	carrier_expect_part("which a POST does not follow; if the server is there, give that URL|");
	buf_clear(&carrier.seen);
	carrier_ask_modern(4, "x");
	carrier_expect_part("which is one redirect too many|");
	assert_int_equal(canned_count(carrier.canned), 2 + 1 + 1 + 6);
	buf_clear(&carrier.seen);
	carrier_ask_modern(5, "x");
	carrier_expect("lost status 5 307 HTTP 307 Temporary Redirect without a Location: "
		       "redirected to nowhere|");
	carrier_ask_modern(6, "x");
	carrier_expect_part("to \"file:///etc/passwd\", which is not an http or https URL|");
	buf_clear(&carrier.seen);
	carrier_ask_modern(7, "x");
	carrier_expect("line " RESULT(7) "|");
	assert_null(strstr(buf_text(&carrier.notes), "hunter2"));
	assert_false(carrier_has(canned_count(carrier.canned) - 1, "Basic"));
}

static void
test_come_again(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = "429 Too Many Requests\r\nRetry-After: 0",
		    .body = "" },
		{ .has = "\"id\":1,", .head = "503 Busy\r\nRetry-After: 1", .body = "" },
		{ .has = "\"id\":1,", .head = JSON, .body = RESULT(1) },
		{ .has = "\"id\":2,",
		    .head = "429 Too Many Requests\r\nRetry-After: 3600",
		    .body = "" },
		{ .has = "\"id\":3,",
		    .head = "429 Too Many Requests\r\nRetry-After: 0",
		    .body = "",
		    .again = true },
		{ .has = "\"id\":4,", .head = "503 Busy", .body = "" },
		{ .has = "\"id\":5,",
		    .head = "503 Busy\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT",
		    .body = "" },
		{ .has = "\"id\":5,", .head = JSON, .body = RESULT(5) },
		{ .has = "\"id\":6,", .head = "503 Busy\r\nRetry-After: soon", .body = "" },
		{ .has = "\"id\":7,",
		    .head = "503 Busy\r\nRetry-After: Fri, 01 Jan 2100 00:00:00 GMT",
		    .body = "" },
	};

	OPEN(answers);
	int64_t before = loop_now_ms(carrier.loop);
	carrier_ask_modern(1, "x");
	carrier_expect("line " RESULT(1) "|");
	assert_true(loop_now_ms(carrier.loop) - before >= 1000);
	carrier_expect_note("x: sent again in 1 s (2 of 3)");
	carrier_ask_modern(2, "x");
	carrier_expect(
	    "lost status 2 429 HTTP 429 Too Many Requests: the server asks to retry in 3600 s|");
	carrier_ask_modern(3, "x");
	carrier_expect("lost status 3 429 HTTP 429 Too Many Requests, 4 times|");
	carrier_ask_modern(4, "x");
	carrier_expect("lost status 4 503 HTTP 503 Busy|");
	carrier_ask_modern(5, "x");
	carrier_expect("line " RESULT(5) "|");
	carrier_ask_modern(6, "x");
	carrier_expect("lost status 6 503 HTTP 503 Busy|");
	carrier_ask_modern(7, "x");
	carrier_expect_part("lost status 7 503 HTTP 503 Busy: the server asks to retry in ");
}

static void
test_what_cannot_begin(void **state)
{
	struct http_options options = { .url = "file:///etc/passwd" };
	struct err err;

	assert_null(http_create(carrier.loop, &options, &carrier_events, NULL, &err));
	assert_non_null(strstr(err.text, "not an http or https URL"));
	options.url = "http://127.0.0.1:99999/";
	assert_null(http_create(carrier.loop, &options, &carrier_events, NULL, &err));
	assert_non_null(strstr(err.text, "not an http or https URL (Port number"));
	options.url = "http://127.0.0.1:1/";
	options.headers = (const char *const[]){ "no colon", NULL };
	assert_null(http_create(carrier.loop, &options, &carrier_events, NULL, &err));
	assert_non_null(strstr(err.text, "\"no colon\" is not a header"));
	options.headers = NULL;
	carrier.http = http_create(carrier.loop, &options, &carrier_events, NULL, &err);
	carrier_ask_modern(1, "x");
	carrier_expect("lost unreachable 1 0 connection to 127.0.0.1 port 1: Connection refused|");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, carrier_set_up, carrier_tear_down)

TEST_FILE(net_http)
{
	const struct CMUnitTest tests[] = {
		TEST(test_json),
		TEST(test_headers),
		TEST(test_events),
		TEST(test_stream_that_stays_open),
		TEST(test_every_chunk),
		TEST(test_answers_that_are_none),
		TEST(test_answers_to_a_notification),
		TEST(test_big_head),
		TEST(test_proxy),
		TEST(test_bound),
		TEST(test_hold),
		TEST(test_destroyed_from_within),
		TEST(test_redirects),
		TEST(test_come_again),
		TEST(test_what_cannot_begin),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
