/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CARRIER_H
#define TESTS_CARRIER_H

#include "canned.h"
#include "fixture.h"
#include "net/transport.h"

#include "base/buf.h"
#include "base/vec.h"

/*
 * An HTTP transport connected to a scripted server, for cmocka tests. Its events are recorded as
 * text. Only one can be open at a time.
 */
#define JSON "200 OK\r\nContent-Type: application/json"
#define EVENTS "200 OK\r\nContent-Type: text/event-stream"
#define RESULT(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{}}"
#define EVENT(json) "data: " json "\n\n"

struct carrier {
	struct loop *loop;
	struct transport *http;
	struct canned *canned;
	struct buf seen;  /* events: "line JSON|", "lost HOW ID STATUS TEXT|", "closed HOW|" */
	struct buf notes; /* notes of the transport, one per line */
	size_t lines, losts;
	uint64_t stream; /* stream of the last line */
	bool is_read;    /* whether HTTP parsed the last line */
	bool closed;
	bool destroy_on_line; /* set by the test */
};
extern struct carrier carrier;
extern const struct transport_events carrier_events;

int carrier_set_up(void **state);
int carrier_tear_down(void **state);
/* Fills in options.url. */
void carrier_open(const struct canned_answer *answers, size_t count, struct http_options options);
#define OPEN(answers) carrier_open((answers), ARRAY_LEN(answers), (struct http_options){ 0 })

/* Fills in line. Fails if sending delivers an event synchronously. */
void carrier_send(struct outbound m);
void carrier_ask(uint64_t id, const char *method); /* a request before 2026-07-28 */
void carrier_ask_modern(uint64_t id, const char *method);
void carrier_tell(const char *method); /* a notification before 2026-07-28 */

#define UNTIL(condition) TURN_UNTIL(carrier.loop, condition)
void carrier_expect(const char *seen); /* waits until the events equal seen, then clears them */
void carrier_expect_part(const char *part);
void carrier_expect_note(const char *part);     /* checks without waiting */
bool carrier_has(size_t nth, const char *part); /* whether request nth contains part */

/* The first two answers: initialize with a session ID, and notifications/initialized. */
#define SESSION                                                             \
	{ .request = "POST /mcp",                                           \
		.has = "\"initialize\"",                                    \
		.head = JSON "\r\nMcp-Session-Id: s-1",                     \
		.body = RESULT(1) },                                        \
	{                                                                   \
		.request = "POST /mcp", .has = "notifications/initialized", \
		.head = "202 Accepted", .body = ""                          \
	}
void carrier_open_session(void);

#endif
