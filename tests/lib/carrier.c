/* SPDX-License-Identifier: MIT */
#include "carrier.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct carrier carrier;

static const char *const hows[] = {
	[TRANSPORT_UNREACHABLE] = "unreachable",
	[TRANSPORT_STATUS] = "status",
	[TRANSPORT_BROKEN] = "broken",
	[TRANSPORT_SESSION] = "session",
	[TRANSPORT_FORBIDDEN] = "forbidden",
};

static void
on_message(void *user, struct raw_message *m)
{
	carrier.lines++;
	carrier.stream = m->stream;
	carrier.is_read = m->is_read;
	buf_addf(&carrier.seen, "line %.*s", (int)m->bytes->len, m->bytes->data);
	if (m->dropped)
		buf_addf(&carrier.seen, "+%zu", m->dropped);
	buf_add_char(&carrier.seen, '|');
	raw_message_finish(m);
	if (!carrier.destroy_on_line)
		return;
	transport_destroy(carrier.http);
	carrier.http = NULL;
}

static void
on_lost(void *user, const struct transport_error *lost)
{
	carrier.losts++;
	buf_addf(&carrier.seen, "lost %s %" PRIu64 " %d %s|", hows[lost->kind], lost->id,
	    lost->status, lost->text);
}

static void
on_note(void *user, const char *text, uint64_t id)
{
	buf_addf(&carrier.notes, "%s\n", text);
}

static void
on_closed(void *user, struct transport *transport, const char *how)
{
	assert_ptr_equal(transport, carrier.http);
	assert_false(carrier.closed);
	carrier.closed = true;
	buf_addf(&carrier.seen, "closed %s|", how);
}

const struct transport_events carrier_events = {
	.on_message = on_message,
	.on_error = on_lost,
	.on_note = on_note,
	.on_closed = on_closed,
};

void
carrier_open(const struct canned_answer *answers, size_t count, struct http_options options)
{
	struct err err = { "" };

	carrier.canned = canned_start(answers, count);
	options.url = canned_url(carrier.canned, "/mcp");
	carrier.http = http_create(carrier.loop, &options, &carrier_events, NULL, &err);
	assert_non_null(carrier.http);
}

int
carrier_set_up(void **state)
{
	memset(&carrier, 0, sizeof(carrier));
	carrier.loop = loop_create(NULL, NULL, NULL);
	return carrier.loop ? 0 : -1;
}

int
carrier_tear_down(void **state)
{
	transport_destroy(carrier.http);
	if (carrier.canned)
		canned_stop(carrier.canned);
	loop_destroy(carrier.loop);
	buf_finish(&carrier.seen);
	buf_finish(&carrier.notes);
	return 0;
}

void
carrier_send(struct outbound m)
{
	struct buf line = BUF_INIT;

	if (m.id)
		buf_addf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64 ",\"method\":\"%s\"}", m.id,
		    m.method);
	else
		buf_addf(&line, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}", m.method);
	m.line = buf_text(&line);
	m.len = line.len;
	size_t before = carrier.seen.len;
	carrier.http->ops->send(carrier.http, &m, NULL);
	assert_int_equal(before, carrier.seen.len); /* no synchronous event */
	buf_finish(&line);
}

void
carrier_ask(uint64_t id, const char *method)
{
	carrier_send((struct outbound){
	    .kind = MESSAGE_REQUEST, .id = id, .method = method, .version = "2025-11-25" });
}

void
carrier_ask_modern(uint64_t id, const char *method)
{
	carrier_send((struct outbound){ .kind = MESSAGE_REQUEST,
	    .id = id,
	    .method = method,
	    .version = "2026-07-28",
	    .modern = true });
}

void
carrier_tell(const char *method)
{
	carrier_send((struct outbound){
	    .kind = MESSAGE_NOTIFICATION, .method = method, .version = "2025-11-25" });
}

void
carrier_expect(const char *seen)
{
	UNTIL(carrier.seen.len >= strlen(seen));
	assert_string_equal(buf_text(&carrier.seen), seen);
	buf_clear(&carrier.seen);
}

void
carrier_expect_part(const char *part)
{
	UNTIL(strstr(buf_text(&carrier.seen), part));
}

bool
carrier_has(size_t nth, const char *part)
{
	const char *request = canned_request(carrier.canned, nth);

	return request && strstr(request, part);
}

void
carrier_expect_note(const char *part)
{
	if (!strstr(buf_text(&carrier.notes), part))
		fail_msg("\"%s\" is not in:\n%s", part, buf_text(&carrier.notes));
}

void
carrier_open_session(void)
{
	carrier_send((struct outbound){ .kind = MESSAGE_REQUEST, .id = 1, .method = "initialize" });
	carrier_expect("line " RESULT(1) "|");
	carrier_tell("notifications/initialized");
}
