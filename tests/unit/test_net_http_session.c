/* SPDX-License-Identifier: MIT */
/* HTTP as a transport, before 2026-07-28: sessions, the GET stream, resumption, HTTP+SSE. */
#include "carrier.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sessions of a legacy server ---- */

static void
test_session(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "405 Method Not Allowed", .body = "" },
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
		{ .request = "DELETE /mcp", .head = "200 OK", .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	carrier_ask(2, "tools/list");
	carrier_expect("line " RESULT(2) "|");
	UNTIL(canned_asked(carrier.canned, "GET /mcp") == 1);
	UNTIL(strstr(buf_text(&carrier.notes), "the server has none"));
	assert_true(carrier_has(0, "\"initialize\""));
	assert_false(carrier_has(0, "Mcp-Session-Id") || carrier_has(0, "MCP-Protocol-Version"));
	for (size_t i = 1; i < 4; i++)
		assert_true(carrier_has(i, "\r\nMcp-Session-Id: s-1\r\n") &&
			    carrier_has(i, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	assert_false(carrier_has(1, "Mcp-Method"));
	carrier.http->ops->close(carrier.http, 1000);
	carrier_expect("closed closed|");
	carrier_expect_note("DELETE: 200 OK");
	assert_true(carrier_has(4, "DELETE /mcp") && carrier_has(4, "\r\nMcp-Session-Id: s-1\r\n"));
}

static void
test_close_does_not_hang(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "405 No", .body = "" },
		{ .request = "DELETE" },
	};

	OPEN(answers);
	carrier_open_session();
	UNTIL(canned_asked(carrier.canned, "GET /mcp") == 1);
	carrier.http->ops->close(carrier.http, 100);
	carrier_expect("closed closed|");
	carrier_expect_note("DELETE: 127.0.0.1 port");
}

/* A message that is not a request arrives before the next one. */
static void
test_order(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
		{ .has = "\"id\":3,", .head = JSON, .body = RESULT(3) },
	};

	OPEN(answers);
	carrier_open_session();
	carrier_ask(2, "a");
	carrier_ask(3, "b");
	UNTIL(carrier.lines == 3);
	assert_true(carrier_has(1, "notifications/initialized"));
}

static void
test_lost_sessions(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "405 No", .body = "" },
		{ .has = "\"id\":2,",
		    .head = "404 Not Found",
		    .body = "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32001,\"message\":"
			    "\"Session not found\"}}" },
		{ .has = "\"id\":3,",
		    .head = "400 Bad Request",
		    .body = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"Bad "
			    "Request: No valid session ID provided\"},\"id\":null}" },
		{ .has = "\"id\":4,", .head = "400 Bad Request", .body = "what is this?" },
		{ .has = "\"id\":5,", .head = "404 Not Found", .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	carrier_ask(2, "x");
	carrier_expect("lost session 2 404 HTTP 404 Not Found|");
	carrier_ask(3, "x");
	carrier_expect_part("\"id\":null}|lost session 3 400 HTTP 400 Bad Request|");
	buf_clear(&carrier.seen);
	carrier_ask(4, "x");
	carrier_expect("lost status 4 400 HTTP 400 Bad Request|");
	carrier_ask_modern(5, "x");
	carrier_expect("lost status 5 404 HTTP 404 Not Found|");
}

static void
test_get_stream(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp",
		    .head = EVENTS,
		    .stream = true,
		    .body = "retry: 20\nid: e1\n" EVENT("{\"method\":\"a\"}") "id: e2\n" EVENT(
			"{\"method\":\"b\"}") },
		{ .request = "GET /mcp",
		    .has = "Last-Event-ID: e2\r\n",
		    .head = EVENTS,
		    .stream = true,
		    .body = "id: e3\n" EVENT("{\"method\":\"c\"}") },
		{ .request = "GET /mcp",
		    .has = "Last-Event-ID: e3\r\n",
		    .head = "404 Not Found",
		    .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	carrier_expect("line {\"method\":\"a\"}|line {\"method\":\"b\"}|line {\"method\":\"c\"}|"
		       "lost session 0 404 HTTP 404 Not Found|");
	assert_int_equal(carrier.stream, 0);
	assert_false(carrier_has(2, "Last-Event-ID"));
	assert_true(carrier_has(2, "\r\nAccept: text/event-stream\r\n"));
	carrier_expect_note("the server ended the event stream; again in 0.02 s");
}

static void
test_get_stream_gives_up(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp",
		    .head = "200 OK\r\nContent-Type: text/html",
		    .body = "<p>" },
	};

	OPEN(answers);
	carrier_open_session();
	UNTIL(strstr(buf_text(&carrier.notes), "no GET stream: HTTP 200 OK, but no event stream"));
}

/* 404 to the first request means that the endpoint is missing, not that the session expired. */
static void
test_no_get_stream(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "404 Not Found", .body = "Cannot GET /mcp" },
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
	};

	OPEN(answers);
	carrier_open_session();
	UNTIL(strstr(buf_text(&carrier.notes), "no GET stream: HTTP 404 Not Found"));
	carrier_ask(2, "x");
	carrier_expect("line " RESULT(2) "|");
	assert_int_equal(carrier.losts, 0);
}

static void
test_resumption(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .has = "\"id\":2,",
		    .head = EVENTS,
		    .stream = true,
		    .body = "id: p1\nretry: 30\ndata:\n\n" },
		{ .request = "GET /mcp",
		    .has = "Last-Event-ID: p1\r\n",
		    .head = EVENTS,
		    .stream = true,
		    .body = "id: p2\n" EVENT("{\"method\":\"a\"}") },
		{ .request = "GET /mcp",
		    .has = "Last-Event-ID: p2\r\n",
		    .head = EVENTS,
		    .stream = true,
		    .body = "id: p3\n" EVENT(RESULT(2)) },
		{ .has = "\"id\":3,",
		    .head = EVENTS,
		    .stream = true,
		    .body = "id: q1\nretry: 0\ndata:\n\n" },
		{ .request = "GET /mcp",
		    .has = "Last-Event-ID: q1\r\n",
		    .head = "400 Bad Request",
		    .body = "no" },
		{ .request = "GET /mcp", .head = "405 No", .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	int64_t before = loop_now_ms(carrier.loop);
	carrier_ask(2, "x");
	carrier_expect("line {\"method\":\"a\"}|line " RESULT(2) "|");
	assert_true(loop_now_ms(carrier.loop) - before >= 60);
	carrier_ask(3, "x");
	carrier_expect(
	    "lost broken 3 400 the stream of the response broke and cannot be resumed: HTTP 400 "
	    "Bad Request|");
	carrier_ask_modern(4, "x"); /* 404: the session is gone */
	UNTIL(carrier.losts == 2);
}

static void
test_cancel(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "405 No", .body = "" },
		{ .has = "\"id\":5," },
		{ .has = "\"id\":6," },
		{ .has = "notifications/cancelled", .head = "202 Accepted", .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	carrier_ask_modern(5, "x");
	UNTIL(canned_count(carrier.canned) == 4);
	carrier_send((struct outbound){ .kind = MESSAGE_NOTIFICATION,
	    .method = "notifications/cancelled",
	    .modern = true,
	    .cancels = 5 });
	carrier_expect_note("x #5 is cancelled; it waited for: first byte");
	carrier_ask(6, "x");
	UNTIL(canned_count(carrier.canned) == 5);
	carrier_send((struct outbound){
	    .kind = MESSAGE_NOTIFICATION, .method = "notifications/cancelled", .cancels = 6 });
	UNTIL(canned_count(carrier.canned) == 6);
	assert_true(carrier_has(5, "notifications/cancelled"));
	for (int i = 0; i < 10; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(carrier.losts, 0);
}

/* A trailing slash that is missing costs one redirect, not one for each message. */
static void
test_redirect_is_remembered(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "POST /mcp ",
		    .head = "307 Temporary Redirect\r\nLocation: /mcp/",
		    .body = "" },
		{ .request = "POST /mcp/ ",
		    .has = "\"initialize\"",
		    .head = JSON "\r\nMcp-Session-Id: s",
		    .body = RESULT(1) },
		{ .request = "POST /mcp/ ", .head = "202 Accepted", .body = "" },
		{ .request = "GET /mcp/ ",
		    .head = EVENTS,
		    .stream = true,
		    .open = true,
		    .body = ": hi\n\n" },
		{ .request = "DELETE /mcp/ ", .head = "200 OK", .body = "" },
	};

	OPEN(answers);
	carrier_open_session();
	UNTIL(canned_asked(carrier.canned, "GET /mcp/ ") == 1);
	carrier.http->ops->close(carrier.http, 1000);
	carrier_expect("closed closed|");
	assert_int_equal(canned_count(carrier.canned), 5);
}

/* ---- HTTP+SSE of 2024-11-05 ---- */

static const struct http_options by_events = { .kind = HTTP_EVENTS };

static void
test_endpoint(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp",
		    .head = EVENTS,
		    .stream = true,
		    .open = true,
		    .body = "event: endpoint\ndata: /message?id=7\n\nevent: message\n" EVENT(
			RESULT(1)) },
		{ .request = "POST /message?id=7",
		    .head = "202 Accepted",
		    .body = "Accepted",
		    .again = true },
	};

	carrier_open(answers, ARRAY_LEN(answers), by_events);
	carrier_ask(1, "initialize");
	carrier_expect("line " RESULT(1) "|");
	carrier_tell("notifications/initialized");
	UNTIL(canned_asked(carrier.canned, "POST /message?id=7") == 2);
	for (int i = 0; i < 10; i++)
		loop_turn(carrier.loop, 1);
	assert_int_equal(carrier.losts, 0);
	assert_int_equal(canned_asked(carrier.canned, "GET"), 1);
	carrier.http->ops->close(carrier.http, 1000);
	carrier_expect("closed closed|");
	assert_int_equal(canned_asked(carrier.canned, "DELETE"), 0);
}

static void
test_endpoint_elsewhere(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp",
		    .head = EVENTS,
		    .stream = true,
		    .open = true,
		    .body = "event: endpoint\ndata: http://localhost:9/message\n\n" },
	};

	carrier_open(answers, ARRAY_LEN(answers), by_events);
	carrier_ask(1, "initialize");
	carrier_expect(
	    "closed it wants messages sent to another origin, http://localhost:9/message: "
	    "refused|");
	assert_int_equal(canned_asked(carrier.canned, "POST"), 0);
}

static void
test_events_that_end(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp",
		    .head = EVENTS,
		    .stream = true,
		    .body = "event: endpoint\ndata: /m\n\n" },
	};

	carrier_open(answers, ARRAY_LEN(answers), by_events);
	carrier_expect("closed the server ended the event stream|");
}

static void
test_no_events(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp",
		    .head = "200 OK\r\nContent-Type: text/html",
		    .body = "<p>" },
	};

	carrier_open(answers, ARRAY_LEN(answers), by_events);
	carrier_expect("closed HTTP 200 OK, but no event stream|");
}

static void
test_event_stream_redirected(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp ",
		    .head = "307 Temporary Redirect\r\nLocation: /v1/mcp/",
		    .body = "" },
		{ .request = "GET /v1/mcp/ ",
		    .head = EVENTS,
		    .stream = true,
		    .open = true,
		    .body = "event: endpoint\ndata: m\n\n" },
		{ .request = "POST /v1/mcp/m ", .head = "202 Accepted", .body = "" },
	};

	carrier_open(answers, ARRAY_LEN(answers), (struct http_options){ .kind = HTTP_EVENTS });
	carrier_ask(1, "initialize");
	UNTIL(canned_asked(carrier.canned, "POST /v1/mcp/m ") == 1);
	assert_int_equal(carrier.losts, 0);
}

static void
test_event_stream_redirected_away(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp ",
		    .head = "302 Found\r\nLocation: http://localhost:9/",
		    .body = "" },
	};

	carrier_open(answers, ARRAY_LEN(answers), (struct http_options){ .kind = HTTP_EVENTS });
	carrier_expect(
	    "closed HTTP 302 Found: redirected to http://localhost:9/, to another origin: not "
	    "followed; if the server is there, give that URL|");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, carrier_set_up, carrier_tear_down)

TEST_FILE(net_http_session)
{
	const struct CMUnitTest tests[] = {
		TEST(test_session),
		TEST(test_close_does_not_hang),
		TEST(test_order),
		TEST(test_lost_sessions),
		TEST(test_get_stream),
		TEST(test_get_stream_gives_up),
		TEST(test_no_get_stream),
		TEST(test_resumption),
		TEST(test_cancel),
		TEST(test_redirect_is_remembered),
		TEST(test_endpoint),
		TEST(test_endpoint_elsewhere),
		TEST(test_events_that_end),
		TEST(test_no_events),
		TEST(test_event_stream_redirected),
		TEST(test_event_stream_redirected_away),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
