#include "net/http.h"

#include "base/mem.h"
#include "canned.h"
#include "fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JSON "200 OK\r\nContent-Type: application/json"
#define EVENTS "200 OK\r\nContent-Type: text/event-stream"
#define RESULT(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{}}"
#define EVENT(json) "data: " json "\n\n"
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* All that was told, in order: "line JSON|", "lost HOW ID STATUS TEXT|", "closed HOW|". */
static struct {
	struct loop *loop;
	struct http *http;
	struct canned *canned;
	struct buf seen, notes;
	size_t lines, losts;
	bool closed;
	const char *token;
	int challenges;
	bool will, resume_at_once;
	char *challenge;
	bool destroy_on_line;
} t;

static const char *const hows[] = {
	[LOST_UNREACHABLE] = "unreachable",
	[LOST_STATUS] = "status",
	[LOST_BROKEN] = "broken",
	[LOST_SESSION] = "session",
	[LOST_FORBIDDEN] = "forbidden",
};

static void
on_line(void *user, struct frame_line line)
{
	(void)user;
	t.lines++;
	buf_addf(&t.seen, "line %.*s", (int)line.bytes->len, line.bytes->data);
	if (line.dropped)
		buf_addf(&t.seen, "+%zu", line.dropped);
	buf_add_char(&t.seen, '|');
	blob_unref(line.bytes);
	if (!t.destroy_on_line)
		return;
	http_destroy(t.http);
	t.http = NULL;
}

static void
on_lost(void *user, const struct lost *lost)
{
	(void)user;
	t.losts++;
	buf_addf(&t.seen, "lost %s %" PRIu64 " %d %s|", hows[lost->how], lost->id, lost->status,
	    lost->text);
}

static void
on_note(void *user, const char *text)
{
	(void)user;
	buf_addf(&t.notes, "%s\n", text);
}

static void
on_closed(void *user, const char *how)
{
	(void)user;
	assert_false(t.closed);
	t.closed = true;
	buf_addf(&t.seen, "closed %s|", how);
}

static const char *
token(void *user)
{
	(void)user;
	return t.token;
}

static bool
challenge(void *user, int status, const char *www_authenticate)
{
	(void)user;
	t.challenges++;
	free(t.challenge);
	t.challenge = mem_printf("%d %s", status, www_authenticate ? www_authenticate : "-");
	if (t.resume_at_once) {
		t.token = "fresh";
		http_resume(t.http);
	}
	return t.will;
}

static const struct http_events events = {
	.on_line = on_line,
	.on_lost = on_lost,
	.on_note = on_note,
	.on_closed = on_closed,
};

static void
open_with(const struct canned_answer *answers, size_t count, struct http_options options)
{
	struct err err = { "" };

	t.canned = canned_start(answers, count);
	options.url = canned_url(t.canned, "/mcp");
	t.http = http_create(t.loop, &options, &events, NULL, &err);
	assert_non_null(t.http);
}

#define OPEN(answers) open_with((answers), COUNT(answers), (struct http_options){ 0 })

static int
set_up(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	t.loop = loop_create(NULL, NULL, NULL);
	return t.loop ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	http_destroy(t.http);
	if (t.canned)
		canned_stop(t.canned);
	loop_destroy(t.loop);
	buf_finish(&t.seen);
	buf_finish(&t.notes);
	free(t.challenge);
	return 0;
}

static void
send_message(struct outbound m)
{
	struct buf line = BUF_INIT;

	if (m.id)
		buf_addf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64 ",\"method\":\"%s\"}", m.id,
		    m.method);
	else
		buf_addf(&line, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}", m.method);
	m.line = buf_text(&line);
	m.len = line.len;
	size_t before = t.seen.len;
	http_send(t.http, &m);
	assert_int_equal(before, t.seen.len); /* nothing comes from within */
	buf_finish(&line);
}

static void
ask(uint64_t id, const char *method)
{
	send_message((struct outbound){
	    .kind = MESSAGE_REQUEST, .id = id, .method = method, .version = "2025-11-25" });
}

static void
ask_modern(uint64_t id, const char *method)
{
	send_message((struct outbound){ .kind = MESSAGE_REQUEST,
	    .id = id,
	    .method = method,
	    .version = "2026-07-28",
	    .modern = true });
}

static void
tell(const char *method)
{
	send_message((struct outbound){
	    .kind = MESSAGE_NOTIFICATION, .method = method, .version = "2025-11-25" });
}

#define UNTIL(condition) TURN_UNTIL(t.loop, condition)

static void
expect(const char *seen)
{
	UNTIL(t.seen.len >= strlen(seen));
	assert_string_equal(buf_text(&t.seen), seen);
	buf_clear(&t.seen);
}

static void
expect_part(const char *part)
{
	UNTIL(strstr(buf_text(&t.seen), part));
}

static bool
has(size_t nth, const char *part)
{
	const char *request = canned_request(t.canned, nth);

	return request && strstr(request, part);
}

static void
expect_note(const char *part)
{
	if (!strstr(buf_text(&t.notes), part))
		fail_msg("\"%s\" is not in:\n%s", part, buf_text(&t.notes));
}

/* initialize with a session, and initialized. */
#define SESSION                                                             \
	{ .request = "POST /mcp",                                           \
		.has = "\"initialize\"",                                    \
		.head = JSON "\r\nMcp-Session-Id: s-1",                     \
		.body = RESULT(1) },                                        \
	{                                                                   \
		.request = "POST /mcp", .has = "notifications/initialized", \
		.head = "202 Accepted", .body = ""                          \
	}

static void
open_session(void)
{
	send_message((struct outbound){ .kind = MESSAGE_REQUEST, .id = 1, .method = "initialize" });
	expect("line " RESULT(1) "|");
	tell("notifications/initialized");
}

/* ---- what is sent, what comes ---- */

static void
test_json(void **state)
{
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,",
		    .head = JSON,
		    .body = "{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1, \"result\": {} }\n" },
		{ .has = "\"id\":2,", .head = "200 OK", .body = RESULT(2) },
	};

	(void)state;
	OPEN(answers);
	ask_modern(1, "tools/list");
	expect("line {   \"jsonrpc\": \"2.0\",    \"id\": 1, \"result\": {} } |");
	const char *request = canned_request(t.canned, 0);
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
	ask_modern(2, "tools/list");
	expect("line " RESULT(2) "|");
	expect_note("POST tools/list #1: 200 OK, application/json\n");
	assert_int_equal(t.losts, 0);
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

	(void)state;
	open_with(answers, 1,
	    (struct http_options){ .headers = (const char *const[]){
				       "X-One: 1", "X-None:", "accept: text/x", NULL } });
	send_message((struct outbound){ .kind = MESSAGE_REQUEST,
	    .id = 1,
	    .method = "tools/call",
	    .modern = true,
	    .version = "2026-07-28",
	    .name = "caf\xc3\xa9",
	    .params = params,
	    .param_count = 3 });
	expect("line " RESULT(1) "|");
	const char *request = canned_request(t.canned, 0);
	assert_non_null(strstr(request, "\r\nMcp-Name: =?base64?Y2Fmw6k=?=\r\n"));
	assert_non_null(strstr(request, "\r\nMcp-Param-City: Oslo\r\n"));
	assert_non_null(strstr(request, "\r\nMcp-Param-Empty:\r\n"));
	assert_null(strstr(request, "Mcp-Param-None"));
	assert_non_null(strstr(request, "\r\nX-One: 1\r\n"));
	assert_non_null(strstr(request, "\r\nX-None:\r\n"));
	assert_non_null(strstr(request, "\r\naccept: text/x\r\n"));
	assert_null(strstr(request, "\r\nAccept:"));
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

	(void)state;
	OPEN(answers);
	ask_modern(1, "tools/call");
	expect("line {\"method\":\"a\"}|line {\"method\":\"b\"}|line " RESULT(
	    1) "|line {\"method\":\"late\"}|");
	expect_note("an event of type \"other\": ignored");
	assert_int_equal(t.losts, 0);
}

/* The same wherever the bytes are cut. */
static void
test_every_chunk(void **state)
{
	static struct canned_answer answers[24];

	(void)state;
	for (size_t i = 0; i < COUNT(answers); i++)
		answers[i] = (struct canned_answer){ .head = EVENTS "\r\nConnection: close",
			.stream = true,
			.piece = i + 1,
			.body = "\xef\xbb\xbf: x\r\n\r\nevent: message\r\ndata: "
				"{\"method\":\r\ndata: \"m\"}\r\n\r\n" EVENT(RESULT(7)) };
	OPEN(answers);
	for (size_t i = 0; i < COUNT(answers); i++) {
		ask_modern(7, "tools/call");
		expect("line {\"method\": \"m\"}|line " RESULT(7) "|");
	}
	assert_int_equal(t.losts, 0);
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

	(void)state;
	OPEN(answers);
	ask_modern(1, "x");
	expect("lost status 1 202 HTTP 202 Accepted without a body, where an answer was due|");
	ask_modern(2, "x");
	expect("lost status 2 500 HTTP 500 Oops|");
	ask_modern(3, "x");
	expect(
	    "line {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32022,\"message\":\"v\"}}|");
	ask_modern(4, "x");
	expect(
	    "line {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\"}}|"
	    "lost status 4 400 HTTP 400 Bad Request|");
	ask_modern(5, "x");
	expect("line " RESULT(
	    99) "|lost broken 5 200 the body of the answer does not answer the request|");
	ask_modern(6, "x");
	expect(
	    "line {\"method\":\"a\"}|lost broken 6 200 the stream of the answer ended without it|");
	expect_note("ended within an event: 5 bytes of it dropped");
	ask_modern(7, "x");
	expect_part("lost broken 7 200 the connection to 127.0.0.1 port");
	buf_clear(&t.seen);
	ask_modern(8, "x");
	expect_part("lost unreachable 8 0 127.0.0.1 port");
}

/* What nobody asked for is told all the same. */
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

	(void)state;
	OPEN(answers);
	tell("notifications/one");
	tell("notifications/two");
	tell("notifications/three");
	tell("notifications/four");
	UNTIL(t.losts == 1);
	expect_part("line {\"method\":\"a\"}|");
	expect_part("line {\"method\":\"b\"}|");
	expect_part("lost status 0 500 HTTP 500 Oops|");
	assert_int_equal(t.lines, 2);
}

static void
test_big_head(void **state)
{
	static char head[90000];
	static const struct canned_answer answers[] = { { .body = head, .close = true } };
	size_t len = (size_t)snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\n");

	(void)state;
	while (len < sizeof(head) - 100)
		len += (size_t)snprintf(
		    head + len, 100, "X-%zu: 0123456789012345678901234567890\r\n", len);
	snprintf(head + len, 100, "\r\n{}");
	OPEN(answers);
	ask_modern(1, "x");
	expect_part("is larger than 65536 bytes|");
	assert_int_equal(t.lines, 0);
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

	(void)state;
	t.canned = canned_start(answers, 1);
	setenv("http_proxy", canned_url(t.canned, ""), 1);
	t.http = http_create(t.loop, &options, &events, NULL, NULL);
	ask_modern(1, "x");
	expect("line " RESULT(1) "|");
	unsetenv("http_proxy");
}

static void
test_bound(void **state)
{
	static char big[200001];
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = JSON, .body = big },
	};

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	open_with(answers, 1, (struct http_options){ .max_message = 1000 });
	ask_modern(1, "x");
	expect_part("xxx+199000|");
	assert_int_equal(t.losts, 0);
	assert_int_equal(t.lines, 1);
}

static void
test_hold(void **state)
{
	static char big[3000000];
	static const struct canned_answer answers[] = {
		{ .has = "\"id\":1,", .head = EVENTS, .stream = true, .body = big },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(big) - 100; i += 11)
		memcpy(big + i, "data: 123\n\n", 11);
	OPEN(answers);
	ask_modern(1, "x");
	http_hold(t.http, true);
	UNTIL(canned_count(t.canned) == 1);
	for (int i = 0; i < 50; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.lines, 0);
	http_hold(t.http, false);
	UNTIL(t.lines > 10);
	http_hold(t.http, true);
	loop_turn(t.loop, 1);
	size_t lines = t.lines;
	for (int i = 0; i < 20; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.lines, lines);
	http_hold(t.http, false);
	UNTIL(t.losts == 1);
	assert_int_equal(t.lines, (sizeof(big) - 100 + 10) / 11);
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

	(void)state;
	OPEN(answers);
	t.destroy_on_line = true;
	ask_modern(1, "x");
	ask_modern(2, "x");
	UNTIL(!t.http);
	for (int i = 0; i < 20; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.lines, 1);
	assert_int_equal(t.losts, 0);
}

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

	(void)state;
	OPEN(answers);
	open_session();
	ask(2, "tools/list");
	expect("line " RESULT(2) "|");
	UNTIL(canned_asked(t.canned, "GET /mcp") == 1);
	UNTIL(strstr(buf_text(&t.notes), "it has none"));
	assert_true(has(0, "\"initialize\""));
	assert_false(has(0, "Mcp-Session-Id") || has(0, "MCP-Protocol-Version"));
	for (size_t i = 1; i < 4; i++)
		assert_true(has(i, "\r\nMcp-Session-Id: s-1\r\n") &&
			    has(i, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	assert_false(has(1, "Mcp-Method"));
	http_close(t.http, 1000);
	expect("closed closed|");
	expect_note("DELETE: 200 OK");
	assert_true(has(4, "DELETE /mcp") && has(4, "\r\nMcp-Session-Id: s-1\r\n"));
}

static void
test_close_does_not_hang(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "405 No", .body = "" },
		{ .request = "DELETE" },
	};

	(void)state;
	OPEN(answers);
	open_session();
	UNTIL(canned_asked(t.canned, "GET /mcp") == 1);
	int64_t before = loop_now_ms(t.loop);
	http_close(t.http, 100);
	expect("closed closed|");
	assert_true(loop_now_ms(t.loop) - before < 2000);
	expect_note("DELETE: 127.0.0.1 port");
}

/* What is no request arrives before what follows it. */
static void
test_order(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
		{ .has = "\"id\":3,", .head = JSON, .body = RESULT(3) },
	};

	(void)state;
	OPEN(answers);
	open_session();
	ask(2, "a");
	ask(3, "b");
	UNTIL(t.lines == 3);
	assert_true(has(1, "notifications/initialized"));
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

	(void)state;
	OPEN(answers);
	open_session();
	ask(2, "x");
	expect("lost session 2 404 HTTP 404 Not Found|");
	ask(3, "x");
	expect_part("\"id\":null}|lost session 3 400 HTTP 400 Bad Request|");
	buf_clear(&t.seen);
	ask(4, "x");
	expect("lost status 4 400 HTTP 400 Bad Request|");
	ask_modern(5, "x");
	expect("lost status 5 404 HTTP 404 Not Found|");
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

	(void)state;
	OPEN(answers);
	open_session();
	expect("line {\"method\":\"a\"}|line {\"method\":\"b\"}|line {\"method\":\"c\"}|"
	       "lost session 0 404 HTTP 404 Not Found|");
	assert_false(has(2, "Last-Event-ID"));
	assert_true(has(2, "\r\nAccept: text/event-stream\r\n"));
	expect_note("the server ended the event stream; again in 0.02 s");
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

	(void)state;
	OPEN(answers);
	open_session();
	UNTIL(strstr(buf_text(&t.notes), "no GET stream: HTTP 200 OK, but no event stream"));
}

/* 404 to the first one: there is none, not no session. */
static void
test_no_get_stream(void **state)
{
	static const struct canned_answer answers[] = {
		SESSION,
		{ .request = "GET /mcp", .head = "404 Not Found", .body = "Cannot GET /mcp" },
		{ .has = "\"id\":2,", .head = JSON, .body = RESULT(2) },
	};

	(void)state;
	OPEN(answers);
	open_session();
	UNTIL(strstr(buf_text(&t.notes), "no GET stream: HTTP 404 Not Found"));
	ask(2, "x");
	expect("line " RESULT(2) "|");
	assert_int_equal(t.losts, 0);
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

	(void)state;
	OPEN(answers);
	open_session();
	int64_t before = loop_now_ms(t.loop);
	ask(2, "x");
	expect("line {\"method\":\"a\"}|line " RESULT(2) "|");
	assert_true(loop_now_ms(t.loop) - before >= 60);
	assert_true(loop_now_ms(t.loop) - before < 900);
	ask(3, "x");
	expect("lost broken 3 400 the stream of the answer broke, and cannot be resumed: HTTP 400 "
	       "Bad Request|");
	ask_modern(4, "x"); /* 404: there is no more */
	UNTIL(t.losts == 2);
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

	(void)state;
	OPEN(answers);
	open_session();
	ask_modern(5, "x");
	UNTIL(canned_count(t.canned) == 4);
	send_message((struct outbound){ .kind = MESSAGE_NOTIFICATION,
	    .method = "notifications/cancelled",
	    .modern = true,
	    .cancels = 5 });
	expect_note("x #5 is cancelled; it waited for: first byte");
	ask(6, "x");
	UNTIL(canned_count(t.canned) == 5);
	send_message((struct outbound){
	    .kind = MESSAGE_NOTIFICATION, .method = "notifications/cancelled", .cancels = 6 });
	UNTIL(canned_count(t.canned) == 6);
	assert_true(has(5, "notifications/cancelled"));
	for (int i = 0; i < 10; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.losts, 0);
}

/* ---- redirects, come again later ---- */

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
	};

	(void)state;
	open_with(answers, COUNT(answers),
	    (struct http_options){
		.headers = (const char *const[]){ "Authorization: Bearer secret", NULL } });
	ask_modern(1, "x");
	expect("line " RESULT(1) "|");
	assert_true(has(1, "POST /mcp/ ") && has(1, "Bearer secret"));
	ask_modern(2, "x");
	expect("lost status 2 308 HTTP 308 Permanent Redirect: redirected to "
	       "http://localhost:9/steal, to another origin: not followed|");
	ask_modern(3, "x");
	expect_part("which a POST does not follow|");
	buf_clear(&t.seen);
	ask_modern(4, "x");
	expect_part("once too often|");
	assert_int_equal(canned_count(t.canned), 2 + 1 + 1 + 6);
	buf_clear(&t.seen);
	ask_modern(5, "x");
	expect_part("redirected to nowhere");
	ask_modern(6, "x");
	UNTIL(t.losts == 5);
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

	(void)state;
	OPEN(answers);
	open_session();
	UNTIL(canned_asked(t.canned, "GET /mcp/ ") == 1);
	http_close(t.http, 1000);
	expect("closed closed|");
	assert_int_equal(canned_count(t.canned), 5);
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

	(void)state;
	open_with(answers, COUNT(answers), (struct http_options){ .kind = HTTP_EVENTS });
	ask(1, "initialize");
	UNTIL(canned_asked(t.canned, "POST /v1/mcp/m ") == 1);
	assert_int_equal(t.losts, 0);
}

static void
test_event_stream_redirected_away(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp ",
		    .head = "302 Found\r\nLocation: http://localhost:9/",
		    .body = "" },
	};

	(void)state;
	open_with(answers, COUNT(answers), (struct http_options){ .kind = HTTP_EVENTS });
	expect("closed HTTP 302 Found: redirected to http://localhost:9/, to another origin: not "
	       "followed|");
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
	};

	(void)state;
	OPEN(answers);
	int64_t before = loop_now_ms(t.loop);
	ask_modern(1, "x");
	expect("line " RESULT(1) "|");
	assert_true(loop_now_ms(t.loop) - before >= 1000);
	expect_note("x: sent again in 1 s (2 of 3)");
	ask_modern(2, "x");
	expect("lost status 2 429 HTTP 429 Too Many Requests: it asks to come again in 3600 s|");
	ask_modern(3, "x");
	expect("lost status 3 429 HTTP 429 Too Many Requests, 4 times|");
	ask_modern(4, "x");
	expect("lost status 4 503 HTTP 503 Busy|");
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

	(void)state;
	open_with(answers, COUNT(answers), (struct http_options){ .auth = auth });
	t.will = true;
	ask_modern(1, "x");
	UNTIL(t.challenges == 1);
	assert_string_equal(t.challenge, "401 Bearer realm=\"x\", Basic");
	ask_modern(2, "x");
	ask_modern(3, "x");
	for (int i = 0; i < 10; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.challenges, 1);
	assert_int_equal(t.lines + t.losts, 0);
	t.token = "fresh";
	http_resume(t.http);
	UNTIL(t.lines == 3);
	assert_int_equal(t.challenges, 1);
	t.token = "stale";
	t.resume_at_once = true;
	ask_modern(1, "x");
	UNTIL(t.lines == 4);
	assert_int_equal(t.challenges, 2);
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

	(void)state;
	open_with(answers, COUNT(answers), (struct http_options){ .auth = auth });
	ask_modern(1, "x");
	expect("lost forbidden 1 401 HTTP 401 Unauthorized|");
	t.will = true;
	ask_modern(2, "x");
	UNTIL(t.challenges == 2);
	assert_string_equal(t.challenge, "403 Bearer error=\"insufficient_scope\", scope=\"a\"");
	http_give_up(t.http, "the user said no");
	assert_int_equal(t.seen.len, 0);
	expect("lost forbidden 2 0 the user said no|");
	ask_modern(3, "x");
	expect("lost status 3 403 HTTP 403 Forbidden|");
}

static void
test_no_authorizer(void **state)
{
	static const struct canned_answer answers[] = { { .head = NEEDS_AUTH, .body = "" } };

	(void)state;
	OPEN(answers);
	ask_modern(1, "x");
	expect("lost forbidden 1 401 HTTP 401 Unauthorized|");
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

	(void)state;
	open_with(answers, COUNT(answers), by_events);
	ask(1, "initialize");
	expect("line " RESULT(1) "|");
	tell("notifications/initialized");
	UNTIL(canned_asked(t.canned, "POST /message?id=7") == 2);
	for (int i = 0; i < 10; i++)
		loop_turn(t.loop, 1);
	assert_int_equal(t.losts, 0);
	assert_int_equal(canned_asked(t.canned, "GET"), 1);
	http_close(t.http, 1000);
	expect("closed closed|");
	assert_int_equal(canned_asked(t.canned, "DELETE"), 0);
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

	(void)state;
	open_with(answers, COUNT(answers), by_events);
	ask(1, "initialize");
	expect("closed it wants messages sent to another origin, http://localhost:9/message: "
	       "refused|");
	assert_int_equal(canned_asked(t.canned, "POST"), 0);
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

	(void)state;
	open_with(answers, COUNT(answers), by_events);
	expect("closed the server ended the event stream|");
}

static void
test_no_events(void **state)
{
	static const struct canned_answer answers[] = {
		{ .request = "GET /mcp",
		    .head = "200 OK\r\nContent-Type: text/html",
		    .body = "<p>" },
	};

	(void)state;
	open_with(answers, COUNT(answers), by_events);
	expect("closed HTTP 200 OK, but no event stream|");
}

static void
test_what_cannot_begin(void **state)
{
	struct http_options options = { .url = "file:///etc/passwd" };
	struct err err;

	(void)state;
	assert_null(http_create(t.loop, &options, &events, NULL, &err));
	assert_non_null(strstr(err.text, "not an http or https URL"));
	options.url = "http://127.0.0.1:1/";
	options.headers = (const char *const[]){ "no colon", NULL };
	assert_null(http_create(t.loop, &options, &events, NULL, &err));
	assert_non_null(strstr(err.text, "\"no colon\" is not a header"));
	options.headers = NULL;
	t.http = http_create(t.loop, &options, &events, NULL, &err);
	ask_modern(1, "x");
	expect("lost unreachable 1 0 connection to 127.0.0.1 port 1: Connection refused|");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_json),
		TEST(test_headers),
		TEST(test_events),
		TEST(test_every_chunk),
		TEST(test_answers_that_are_none),
		TEST(test_answers_to_a_notification),
		TEST(test_big_head),
		TEST(test_proxy),
		TEST(test_bound),
		TEST(test_hold),
		TEST(test_destroyed_from_within),
		TEST(test_session),
		TEST(test_close_does_not_hang),
		TEST(test_order),
		TEST(test_lost_sessions),
		TEST(test_get_stream),
		TEST(test_get_stream_gives_up),
		TEST(test_no_get_stream),
		TEST(test_resumption),
		TEST(test_cancel),
		TEST(test_redirects),
		TEST(test_redirect_is_remembered),
		TEST(test_event_stream_redirected),
		TEST(test_event_stream_redirected_away),
		TEST(test_come_again),
		TEST(test_authorization),
		TEST(test_authorization_refused),
		TEST(test_no_authorizer),
		TEST(test_endpoint),
		TEST(test_endpoint_elsewhere),
		TEST(test_events_that_end),
		TEST(test_no_events),
		TEST(test_what_cannot_begin),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
