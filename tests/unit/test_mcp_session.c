/* SPDX-License-Identifier: MIT */
/* Cases that a transcript cannot express: bytes that are not text, very long and very deep lines,
 * many calls. */
#include "mcp/session.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "probe.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hello[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";

static void
say(struct probe *p, const char *line)
{
	probe_say(p, line, strlen(line));
}

static void
open_session(struct probe *p)
{
	probe_init(p, &(struct session_options){ .era = ERA_AUTO });
	probe_do(p, "start");
	say(p, hello);
	assert_int_equal(session_info(p->session)->state, SESSION_READY);
}

static void
assert_snapshot(struct probe *p, const char *pointer, const char *text)
{
	struct json_doc *doc = probe_snapshot(p);
	const char *found = cJSON_GetStringValue(json_pointer_find(json_root(doc), pointer));

	assert_non_null(found);
	assert_string_equal(found, text);
	json_doc_destroy(doc);
}

static void
test_nul_in_a_line(void **state)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\0\"id\":2,\"result\":{}}";
	struct probe p;

	open_session(&p);
	probe_say(&p, line, sizeof(line) - 1);
	assert_snapshot(&p, "/lines/3/kind", "not JSON");
	probe_finish(&p);
}

static void
test_deep_nesting(void **state)
{
	const size_t depth = 100000;
	char *line = mem_alloc(depth);
	struct probe p;

	memset(line, '[', depth);
	open_session(&p);
	probe_say(&p, line, depth);
	assert_snapshot(&p, "/lines/3/kind", "not JSON");
	assert_snapshot(&p, "/lines/3/flaw", "not JSON: nested deeper than 1000 (byte 1000)");
	free(line);
	probe_finish(&p);
}

static void
test_line_past_the_bound(void **state)
{
	struct probe p;

	open_session(&p);
	session_on_line(p.session, blob_from_bytes("{\"jsonrpc\"", 10), 12345, 0);
	assert_snapshot(&p, "/lines/3/kind", "not JSON");
	assert_snapshot(&p, "/lines/3/flaw", "too long: 12345 bytes after these were dropped");
	probe_finish(&p);
}

static void
test_invalid_utf8_is_still_read(void **state)
{
	struct probe p;

	open_session(&p);
	probe_do(&p, "call echo {}");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\","
		"\"text\":\"\xff\"}]}}");
	assert_snapshot(&p, "/replies/0/kind", "result");
	assert_snapshot(&p, "/replies/0/value/content/0/text", "\xef\xbf\xbd");
	assert_snapshot(&p, "/lines/4/flaw", "invalid UTF-8 (byte 68)");
	probe_finish(&p);
}

static void
test_huge_id(void **state)
{
	struct buf line = BUF_INIT;
	struct probe p;

	open_session(&p);
	buf_add_str(&line, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"");
	for (int i = 0; i < 100000; i++)
		buf_add_str(&line, "id");
	buf_add_str(&line, "\"}");
	probe_say(&p, buf_text(&line), line.len);
	probe_next_sent(&p);
	probe_next_sent(&p);
	assert_true(strlen(probe_next_sent(&p)) > 200000);
	buf_finish(&line);
	probe_finish(&p);
}

/* Line breaks in the arguments would end the message: they become spaces. */
static void
test_arguments_stay_on_one_line(void **state)
{
	static const char arguments[] = "{\n\t\"a\": 1,\r\n\t\"b\": 2\n}";
	struct probe p;

	open_session(&p);
	session_call(p.session,
	    &(struct session_call){
		.name = "t\n", .arguments = arguments, .len = strlen(arguments) },
	    0);
	probe_next_sent(&p);
	probe_next_sent(&p);
	assert_string_equal(probe_next_sent(&p),
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\\n\","
	    "\"arguments\":{ \t\"a\": 1,  \t\"b\": 2 },\"_meta\":{\"progressToken\":2}}}");
	probe_finish(&p);
}

static void
test_params_of_any_shape(void **state)
{
	static const struct {
		const char *params, *sent;
	} rows[] = {
		{ NULL, "{}" },
		{ "", "{}" },
		{ "  ", "{}" },
		{ " { } ", "{}" },
		{ "{\"a\":1}\n", "{\"a\":1}" },
		{ "[1]", "[1]" },
		{ "{", "{" },
		{ "nonsense", "nonsense" },
	};
	struct probe p;

	open_session(&p);
	probe_next_sent(&p);
	probe_next_sent(&p);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *params = rows[i].params;
		char expected[200];
		uint64_t id =
		    session_request(p.session, "x/y", params, params ? strlen(params) : 0, 0);
		snprintf(expected, sizeof(expected),
		    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"x/y\",\"params\":%s}", (int)id,
		    rows[i].sent);
		assert_string_equal(probe_next_sent(&p), expected);
	}
	/* a line that is not JSON goes out, and is known not to be JSON */
	struct json_doc *doc = probe_snapshot(&p);
	const cJSON *line = json_first(json_pointer_find(json_root(doc), "/lines"));
	while (line->next)
		line = line->next;
	assert_string_equal(
	    json_get_string(line, "flaw"), "not JSON: expected a value, found nonsense (byte 48)");
	json_doc_destroy(doc);
	probe_finish(&p);
}

/* An error text is cut at a character and stays on one line. */
static void
test_long_error_text(void **state)
{
	struct buf line = BUF_INIT;
	struct probe p;

	open_session(&p);
	probe_do(&p, "call echo {}");
	buf_add_str(
	    &line, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1e300,\"message\":\"");
	for (int i = 0; i < 1000; i++)
		buf_add_str(&line, "\u20ac");
	buf_add_str(&line, "\"}}");
	probe_say(&p, buf_text(&line), line.len);
	struct json_doc *doc = probe_snapshot(&p);
	const char *text =
	    cJSON_GetStringValue(json_pointer_find(json_root(doc), "/replies/0/text"));
	assert_int_equal(strlen(text), 198);
	assert_string_equal(text + 195, "\u20ac");
	json_doc_destroy(doc);
	buf_finish(&line);
	probe_finish(&p);
}

static void
test_many_open_calls(void **state)
{
	struct probe p;

	open_session(&p);
	for (int i = 0; i < 1000; i++)
		probe_do(&p, "call echo {}");
	assert_int_equal(session_open_requests(p.session), 1000);
	for (int i = 1001; i >= 2; i--) {
		char line[100];
		snprintf(line, sizeof(line), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}", i);
		say(&p, line);
	}
	assert_int_equal(session_open_requests(p.session), 0);
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1001,\"result\":{}}");
	assert_snapshot(&p, "/lines/2003/flaw", "an answer to a request that ended long ago");
	probe_finish(&p);
}

static void
test_timeouts_are_for_new_requests(void **state)
{
	struct probe p;

	open_session(&p);
	probe_do(&p, "call a {}");
	assert_int_equal(session_next_time(p.session), 60000);
	session_set_timeouts(p.session, 100, 0);
	assert_int_equal(session_next_time(p.session), 60000);
	probe_do(&p, "call b {}");
	assert_int_equal(session_next_time(p.session), 100);
	session_set_timeouts(p.session, INT64_MAX, INT64_MAX);
	probe_wait(&p, 100);
	probe_do(&p, "call c {}");
	assert_int_equal(session_next_time(p.session), 60000);
	probe_finish(&p);
}

static void
test_not_ready(void **state)
{
	struct probe p;

	probe_init(&p, &(struct session_options){ .era = ERA_AUTO });
	assert_int_equal(session_info(p.session)->state, SESSION_NEW);
	assert_int_equal(session_request(p.session, "tools/list", NULL, 0, 0), 0);
	assert_int_equal(session_call(p.session, &(struct session_call){ .name = "x" }, 0), 0);
	assert_false(session_cancel(p.session, 1, NULL, 0));
	say(&p, hello); /* an answer to a request that was never sent */
	assert_int_equal(session_info(p.session)->state, SESSION_NEW);
	probe_do(&p, "start");
	probe_do(&p, "start");
	assert_int_equal(p.sent.len, 1);
	assert_false(session_cancel(p.session, 1, NULL, 0)); /* the handshake cannot be */
	probe_finish(&p);
	session_destroy(NULL);
}

/* A session thrown away in the middle of everything leaks nothing. */
static void
test_destroy_with_open_calls(void **state)
{
	struct probe p;

	probe_init(&p, &(struct session_options){ .era = ERA_MODERN });
	probe_do(&p, "start");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\","
		"\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	probe_do(&p, "call a {}");
	probe_do(&p, "list");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"a\"}],"
		"\"nextCursor\":\"1\"}}");
	probe_finish(&p);
}

TEST_FILE(mcp_session)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nul_in_a_line),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_line_past_the_bound),
		cmocka_unit_test(test_invalid_utf8_is_still_read),
		cmocka_unit_test(test_huge_id),
		cmocka_unit_test(test_arguments_stay_on_one_line),
		cmocka_unit_test(test_params_of_any_shape),
		cmocka_unit_test(test_long_error_text),
		cmocka_unit_test(test_many_open_calls),
		cmocka_unit_test(test_timeouts_are_for_new_requests),
		cmocka_unit_test(test_not_ready),
		cmocka_unit_test(test_destroy_with_open_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
