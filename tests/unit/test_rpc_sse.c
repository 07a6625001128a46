/* SPDX-License-Identifier: MIT */
#include "mcp/frame.h"

#include "base/mem.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Delivered events as text: "type:data|type:data+dropped|". */
static struct buf seen;

static void
on_event(void *user, struct sse_event event)
{
	if (strcmp(event.type, "message") != 0)
		buf_addf(&seen, "%s:", event.type);
	buf_add(&seen, event.data.bytes->data, event.data.bytes->len);
	if (event.data.dropped)
		buf_addf(&seen, "+%zu", event.data.dropped);
	buf_add_char(&seen, '|');
	blob_unref(event.data.bytes);
}

/* Feeds the text in pieces of `step` bytes; the caller finishes the stream. */
static const char *
run(struct sse *s, const char *text, size_t len, size_t step, size_t max_data)
{
	buf_clear(&seen);
	sse_init(s, max_data, on_event, NULL);
	for (size_t at = 0; at < len; at += step)
		sse_feed(s, text + at, len - at < step ? len - at : step);
	return buf_text(&seen);
}

/* The same events wherever the pieces end, id and retry too. */
static void
assert_stream(const char *text, size_t len, const char *events, const char *id, int64_t retry_ms)
{
	struct sse s;

	for (size_t step = 1; step <= len; step++) {
		assert_string_equal(run(&s, text, len, step, 1000), events);
		assert_string_equal(s.last_id, id);
		assert_int_equal(s.retry_ms, retry_ms);
		sse_finish(&s);
	}
}

#define STREAM(text, events, id, retry_ms) \
	assert_stream((text), sizeof(text) - 1, (events), (id), (retry_ms))
#define EVENTS(text, events) STREAM(text, events, "", -1)

static void
test_fields(void **state)
{
	EVENTS("data: one\n\ndata:two\n\n", "one|two|");
	EVENTS("data:  two blanks\n\n", " two blanks|");
	EVENTS("event: endpoint\ndata: /message?id=1\n\ndata: x\n\n", "endpoint:/message?id=1|x|");
	EVENTS("event\ndata: no type\n\n", "no type|");
	EVENTS("event: a\nevent: b\ndata: last counts\n\n", "b:last counts|");
	EVENTS("event: lonely\n\ndata: x\n\n", "x|");
	EVENTS("Data: x\ndatas: x\ndat: x\nfoo\ndata: y\n\n", "y|");
	EVENTS("data: a:b: c\n\n", "a:b: c|");
}

static void
test_lines_of_data_join(void **state)
{
	EVENTS("data: {\ndata: \"a\": 1\ndata: }\n\n", "{ \"a\": 1 }|");
	EVENTS("data\ndata\n\n", " |");
	EVENTS("data: x\ndata\n\n", "x |");
}

static void
test_line_ends(void **state)
{
	EVENTS("data: a\r\rdata: b\r\n\r\ndata: c\n\n", "a|b|c|");
	EVENTS("data: a\r\ndata: b\rdata: c\n\r\n", "a b c|");
	EVENTS("data: a\n\r", "a|");
	EVENTS("\r\n\r\n\n\rdata: a\r\n\r\n", "a|");
}

static void
test_comments(void **state)
{
	EVENTS(": keep-alive\n\n:\n\ndata: a\n: in between\ndata: b\n\n", "a b|");
	EVENTS(":data: no\n\n", "");
}

static void
test_no_data_no_event(void **state)
{
	STREAM("id: 7\n\n", "", "7", -1);
	STREAM("id: 7\nretry: 500\ndata:\n\n", "", "7", 500);
	EVENTS("\n\n\n", "");
}

static void
test_ids(void **state)
{
	STREAM("id: 1\ndata: a\n\ndata: b\n\n", "a|b|", "1", -1);
	STREAM("id: 1\ndata: a\n\nid\ndata: b\n\n", "a|b|", "", -1);
	STREAM("id: 1\ndata: a\n\nid: 2\ndata: not whole\n", "a|", "1", -1);
	STREAM("id: 1\ndata: a\n\nid: 2\0x\ndata: b\n\n", "a|b|", "1", -1);
}

static void
test_an_endless_id_is_none(void **state)
{
	struct buf text = BUF_INIT;
	struct sse s;

	buf_add_str(&text, "id: 1\ndata: a\n\nid: ");
	for (int i = 0; i < 5000; i++)
		buf_add_char(&text, 'x');
	buf_add_str(&text, "\nevent: ");
	for (int i = 0; i < 5000; i++)
		buf_add_char(&text, 'y');
	buf_add_str(&text, "\ndata: b\n\n");
	run(&s, text.data, text.len, 97, 1000);
	assert_string_equal(s.last_id, "1");
	assert_int_equal(s.events, 2);
	assert_true(seen.len < 200); /* the type was cut */
	sse_finish(&s);
	buf_finish(&text);
}

static void
test_retry(void **state)
{
	STREAM("retry: 1500\n", "", "", 1500);
	STREAM("retry: 0\n", "", "", 0);
	STREAM("retry: 1500\nretry: soon\nretry: -1\nretry\nretry: 1.5\n", "", "", 1500);
	STREAM("retry: 99999999999999999999999\n", "", "", SSE_MAX_RETRY_MS);
	STREAM("retry: 999999999999999999999999999999999\n", "", "", -1);
}

static void
test_byte_order_mark(void **state)
{
	EVENTS("\xef\xbb\xbf"
	       "data: a\n\n",
	    "a|");
	EVENTS("\xef\xbb\xbf\xef\xbb\xbf"
	       "data: a\n\ndata: b\n\n",
	    "b|");
	EVENTS("\xef\xbb"
	       "data: a\n\ndata: b\n\n",
	    "b|");
	EVENTS("data: a\n\n\xef\xbb\xbf"
	       "data: b\n\n",
	    "a|");
}

static void
test_bound(void **state)
{
	struct sse s;
	const char text[] =
	    "data: 12345678\n\ndata: 123456789\n\ndata: 1234\ndata: 56789\n\ndata: x\n\n";

	for (size_t step = 1; step < sizeof(text); step++) {
		run(&s, text, sizeof(text) - 1, step, 8);
		assert_string_equal(buf_text(&seen), "12345678|12345678+1|1234 567+2|x|");
		sse_finish(&s);
	}
}

static void
test_end_drops_what_is_not_whole(void **state)
{
	struct sse s;

	run(&s, "retry: 5\nid: 1\ndata: a\n\nid: 2\nevent: e\ndata: 1234\nda", 51, 51, 100);
	assert_int_equal(sse_end(&s), 4);
	assert_string_equal(buf_text(&seen), "a|");
	sse_feed(&s,
	    "\xef\xbb\xbf"
	    "data: b\n\n",
	    12);
	assert_string_equal(buf_text(&seen), "a|b|");
	assert_int_equal(s.ids, 1);
	assert_string_equal(s.last_id, "1");
	assert_int_equal(s.retry_ms, 5);
	assert_int_equal(sse_end(&s), 0);
	sse_finish(&s);
}

/* An endless line is not buffered, and many short lines take no longer than others. */
static void
test_hostile_streams(void **state)
{
	const size_t chunk = 65536;
	char *bytes = mem_alloc(chunk);
	struct sse s;

	buf_clear(&seen);
	sse_init(&s, 1 << 20, on_event, NULL);
	memset(bytes, '\r', chunk);
	for (int i = 0; i < 64; i++)
		sse_feed(&s, bytes, chunk);
	assert_int_equal(s.events, 0);
	sse_feed(&s, "data:", 5);
	memset(bytes, 'x', chunk);
	for (int i = 0; i < 1024; i++)
		sse_feed(&s, bytes, chunk);
	assert_true(s.data.pending.cap <= 2 * FRAME_KEPT_HEAD);
	assert_int_equal(sse_end(&s), 1024 * chunk);
	sse_finish(&s);
	free(bytes);
}

TEST_FILE(rpc_sse)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_lines_of_data_join),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_no_data_no_event),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_an_endless_id_is_none),
		cmocka_unit_test(test_retry),
		cmocka_unit_test(test_byte_order_mark),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_end_drops_what_is_not_whole),
		cmocka_unit_test(test_hostile_streams),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buf_finish(&seen);
	return failed;
}
