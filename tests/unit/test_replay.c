/* SPDX-License-Identifier: MIT */
/* A server that replays a recording: its answers, their order and their ids. */
#include "base/buf.h"
#include "base/vec.h"
#include "mcp/replay.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT INT64_C(1785240221000000)

struct scene {
	struct buf file, out;
	struct replay *replay;
	int64_t wall_us;
	uint64_t exchange; /* of the next lines */
	int exit_code;
};

static void
on_send(void *user, const char *line, size_t len)
{
	struct scene *s = user;

	buf_add(&s->out, line, len);
	buf_add_char(&s->out, '\n');
}

static void
on_stderr(void *user, const char *line, size_t len)
{
	buf_addf(&((struct scene *)user)->out, "stderr: %.*s\n", (int)len, line);
}

static void
on_tell(void *user, const char *text)
{
	buf_addf(&((struct scene *)user)->out, "told: %s\n", text);
}

static bool
on_load(void *user, uint64_t offset, size_t len, struct buf *out)
{
	struct scene *s = user;

	assert_true(offset + len <= s->file.len);
	return buf_add(out, s->file.data + offset, len);
}

static void
on_exit_code(void *user, int exit_code, int signal_number)
{
	((struct scene *)user)->exit_code = exit_code;
}

static const struct replay_events events = {
	.on_send = on_send,
	.on_stderr = on_stderr,
	.load = on_load,
	.tell = on_tell,
	.on_exit = on_exit_code,
};

static void
open_scene(struct scene *s, bool strict, double speed)
{
	*s = (struct scene){ .wall_us = AT, .exit_code = -2 };
	s->replay =
	    replay_create(&(struct replay_options){ .strict = strict, .speed = speed }, &events, s);
}

static void
close_scene(struct scene *s)
{
	replay_destroy(s->replay);
	buf_finish(&s->file);
	buf_finish(&s->out);
}

/* One more line of the recording, a millisecond after the last. */
static void
was(struct scene *s, enum recording_kind kind, const char *text)
{
	struct err err = { "" };
	size_t start = s->file.len;

	recording_add(&s->file,
	    &(struct recording_entry){ .kind = kind,
		.wall_us = s->wall_us += 1000,
		.bytes = text,
		.len = strlen(text),
		.exchange = s->exchange,
		.exit_code = 3 },
	    false);
	if (!replay_add(s->replay, s->file.data + start, s->file.len - start - 1, start, &err))
		fail_msg("%s: %s", text, err.text);
}

#define sent(s, text) was((s), RECORDING_SENT, "{\"jsonrpc\":\"2.0\"," text "}")
#define received(s, text) was((s), RECORDING_RECEIVED, "{\"jsonrpc\":\"2.0\"," text "}")
#define MESSAGE(text) "{\"jsonrpc\":\"2.0\"," text "}\n"

#define say(s, now, text) say_line((s), (now), "{\"jsonrpc\":\"2.0\"," text "}")
static void
say_line(struct scene *s, int64_t now_us, const char *line)
{
	replay_on_line(s->replay, line, strlen(line), now_us);
}

static void
expect(struct scene *s, const char *lines)
{
	assert_string_equal(buf_text(&s->out), lines);
	buf_clear(&s->out);
}

static void
test_match(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":"
		 "{\"a\":1,\"b\":2},\"_meta\":{\"progressToken\":1}}");
	received(&s, "\"id\":1,\"result\":{\"sum\": 3.0}");
	sent(&s, "\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":"
		 "{\"a\":5,\"b\":5}}");
	received(&s, "\"id\" : 2 ,\"error\":{\"code\":-1,\"message\":\"no\"}");
	replay_start(s.replay, 0);
	/* another order of members, another number for the same value, another id */
	say(&s, 1,
	    "\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"arguments\":"
	    "{\"b\":5,\"a\":5.0},\"name\":\"add\"}");
	expect(&s, MESSAGE("\"id\" : \"x\" ,\"error\":{\"code\":-1,\"message\":\"no\"}"));
	say(&s, 2,
	    "\"method\":\"tools/call\",\"id\":77,\"params\":{\"arguments\":"
	    "{\"b\":2,\"a\":1},\"name\":\"add\"}");
	expect(&s, MESSAGE("\"id\":77,\"result\":{\"sum\": 3.0}"));
	/* the last one again */
	say(&s, 3,
	    "\"method\":\"tools/call\",\"id\":78,\"params\":{\"arguments\":"
	    "{\"b\":2,\"a\":1},\"name\":\"add\"}");
	expect(&s, MESSAGE("\"id\":78,\"result\":{\"sum\": 3.0}"));
	assert_int_equal(replay_info(s.replay).answered, 3);
	close_scene(&s);
}

static void
test_stands_in(void **state)
{
	for (int strict = 0; strict < 2; strict++) {
		struct scene s;
		open_scene(&s, strict, 0);
		sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\"}");
		received(&s, "\"id\":1,\"result\":{}");
		replay_start(s.replay, 0);
		say(&s, 1,
		    "\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"add\","
		    "\"arguments\":{\"a\":1}}");
		if (strict)
			expect(&s,
			    "told: tools/call add: the recording has no answer to this\n" MESSAGE(
				"\"id\":5,\"error\":{\"code\":-32602,\"message\":\"the "
				"recording has no answer to this request\"}"));
		else
			expect(&s, "told: tools/call add: recorded with other params only; "
				   "replaying that answer\n" MESSAGE("\"id\":5,\"result\":{}"));
		assert_int_equal(replay_info(s.replay).unknown, strict);
		/* another tool is never answered */
		say(&s, 2, "\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"sub\"}");
		assert_non_null(strstr(buf_text(&s.out), "-32602"));
		close_scene(&s);
	}
}

static void
test_strict_once(void **state)
{
	struct scene s;

	open_scene(&s, true, 0);
	sent(&s, "\"id\":1,\"method\":\"tools/list\"");
	received(&s, "\"id\":1,\"result\":{\"n\":1}");
	sent(&s, "\"id\":2,\"method\":\"tools/list\"");
	received(&s, "\"id\":2,\"result\":{\"n\":2}");
	replay_start(s.replay, 0);
	say(&s, 1, "\"id\":1,\"method\":\"tools/list\"");
	say(&s, 1, "\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"x\":1}}");
	expect(
	    &s, MESSAGE("\"id\":1,\"result\":{\"n\":1}") MESSAGE("\"id\":2,\"result\":{\"n\":2}"));
	say(&s, 1, "\"id\":3,\"method\":\"tools/list\"");
	assert_non_null(strstr(buf_text(&s.out), "-32601"));
	close_scene(&s);
}

/* Progress has the token of the new request, a subscription its id. */
static void
test_tokens(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	sent(&s, "\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{}");
	sent(&s, "\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\",\"_meta\":"
		 "{\"progressToken\":\"t\"}}");
	received(&s, "\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":"
		     "{\"io.modelcontextprotocol/subscriptionId\":1}}");
	received(&s, "\"method\":\"notifications/progress\",\"params\":{\"progress\":1,"
		     "\"progressToken\":\"t\"}");
	received(&s, "\"id\":2,\"result\":{}");
	replay_start(s.replay, 0);
	say(&s, 1,
	    "\"id\":\"call\",\"method\":\"tools/call\",\"params\":{\"name\":\"slow\","
	    "\"_meta\":{\"progressToken\":9}}");
	expect(&s, MESSAGE("\"method\":\"notifications/progress\",\"params\":{\"progress\":1,"
			   "\"progressToken\":9}") MESSAGE("\"id\":\"call\",\"result\":{}"));
	/* a client that does not request progress gets none */
	say(&s, 1, "\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}");
	expect(&s, MESSAGE("\"id\":3,\"result\":{}"));
	say(&s, 2, "\"id\":\"sub\",\"method\":\"subscriptions/listen\",\"params\":{}");
	expect(&s, MESSAGE("\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":"
			   "{\"io.modelcontextprotocol/subscriptionId\":\"sub\"}}"));
	close_scene(&s);
}

/* Messages that followed an answer of the client wait for that answer. */
static void
test_server_request(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}");
	received(&s, "\"id\":40,\"method\":\"elicitation/create\",\"params\":{}");
	sent(&s, "\"id\":40,\"result\":{\"action\":\"accept\"}");
	received(&s, "\"id\":1,\"result\":{\"ok\":true}");
	replay_start(s.replay, 0);
	for (int round = 0; round < 2; round++) {
		say(&s, 1, "\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}");
		expect(&s, round ? MESSAGE("\"id\":\"again-1\",\"method\":\"elicitation/create\","
					   "\"params\":{}")
				 : MESSAGE("\"id\":40,\"method\":\"elicitation/create\","
					   "\"params\":{}"));
		assert_int_equal(replay_next_time(s.replay), INT64_MAX);
		if (round)
			say(&s, 2, "\"id\":\"again-1\",\"result\":{\"action\":\"decline\"}");
		else
			say(&s, 2, "\"id\":40,\"error\":{\"code\":-1,\"message\":\"no\"}");
		expect(&s, MESSAGE("\"id\":8,\"result\":{\"ok\":true}"));
	}
	close_scene(&s);
}

static void
test_speed(void **state)
{
	struct scene s;

	open_scene(&s, false, 2);
	sent(&s, "\"id\":1,\"method\":\"tools/list\"");
	received(&s, "\"method\":\"notifications/message\",\"params\":{}");
	s.wall_us += 9000;
	received(&s, "\"id\":1,\"result\":{}");
	replay_start(s.replay, 0);
	say(&s, 100000, "\"id\":1,\"method\":\"tools/list\"");
	expect(&s, "");
	assert_int_equal(replay_next_time(s.replay), 100500);
	replay_on_time(s.replay, 100500);
	expect(&s, MESSAGE("\"method\":\"notifications/message\",\"params\":{}"));
	assert_int_equal(replay_next_time(s.replay), 105500);
	replay_on_time(s.replay, 105499);
	expect(&s, "");
	replay_on_time(s.replay, 105500);
	expect(&s, MESSAGE("\"id\":1,\"result\":{}"));
	assert_int_equal(replay_next_time(s.replay), INT64_MAX);
	close_scene(&s);
}

static void
test_cancelled(void **state)
{
	struct scene s;

	open_scene(&s, false, 1);
	sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}");
	received(&s, "\"id\":1,\"result\":{}");
	replay_start(s.replay, 0);
	say(&s, 0, "\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}");
	say(&s, 0, "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}");
	replay_on_time(s.replay, 1000000);
	expect(&s, "");
	/* the end of the input does not: a script waits for the answer */
	say(&s, 1000000, "\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}");
	replay_on_closed(s.replay, 1000000);
	expect(&s, MESSAGE("\"id\":6,\"result\":{}"));
	close_scene(&s);
}

#define SUBSCRIPTION "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"

/* A subscription that ended with the client ends with this one; another answer does not wait for
 * that. */
static void
test_end_of_subscription(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	sent(&s, "\"id\":1,\"method\":\"subscriptions/listen\"");
	received(&s,
	    "\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{" SUBSCRIPTION
	    "1}}");
	sent(&s, "\"id\":2,\"method\":\"tools/list\"");
	was(&s, RECORDING_CLOSED, "");
	received(&s, "\"id\":2,\"result\":{}");
	received(&s, "\"id\":1,\"error\":{\"code\":-32000,\"message\":\"closed\"}");
	replay_start(s.replay, 0);
	say(&s, 1, "\"id\":5,\"method\":\"subscriptions/listen\"");
	expect(&s,
	    MESSAGE(
		"\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{" SUBSCRIPTION
		"5}}"));
	say(&s, 2, "\"id\":6,\"method\":\"tools/list\"");
	expect(&s, MESSAGE("\"id\":6,\"result\":{}"));
	replay_on_closed(s.replay, 3);
	expect(&s, MESSAGE("\"id\":5,\"error\":{\"code\":-32000,\"message\":\"closed\"}"));
	close_scene(&s);
}

/* Large arrays have no nodes; the id after them is found nevertheless. */
static void
test_large(void **state)
{
	struct scene s;
	struct buf result = BUF_INIT;

	buf_add_str(&result, "{\"result\":{\"rows\":[\"a]\"");
	while (result.len < 2 << 20)
		buf_add_str(&result, ",[1,{\"b\":2}]");
	buf_add_str(&result, "],\"n\":1},\"id\":");
	size_t len = result.len;
	open_scene(&s, false, 0);
	sent(&s, "\"id\":1,\"method\":\"tools/list\"");
	buf_add_str(&result, "1}");
	was(&s, RECORDING_RECEIVED, buf_text(&result));
	replay_start(s.replay, 0);
	say(&s, 1, "\"id\":\"five\",\"method\":\"tools/list\"");
	assert_int_equal(s.out.len, len + strlen("\"five\"}\n"));
	assert_memory_equal(s.out.data, result.data, len);
	assert_memory_equal(s.out.data + len, "\"five\"}\n", 8);
	buf_finish(&result);
	close_scene(&s);
}

/* A call that ended the recorded server ends this one too; the end of the client's input is not a
 * crash. */
static void
test_crash(void **state)
{
	for (int closed = 0; closed < 2; closed++) {
		struct scene s;
		open_scene(&s, false, 0);
		sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"crash\"}");
		was(&s, RECORDING_STDERR, "panic: x");
		if (closed)
			was(&s, RECORDING_CLOSED, "");
		was(&s, RECORDING_EXIT, "exit code 3");
		replay_start(s.replay, 0);
		say(&s, 1, "\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"crash\"}");
		expect(&s, "stderr: panic: x\n");
		assert_int_equal(s.exit_code, closed ? -2 : 3);
		close_scene(&s);
	}
}

/* If the recording hides a secret, any value matches. */
static void
test_hidden_params(void **state)
{
	struct scene s;

	open_scene(&s, true, 0);
	sent(&s, "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"in\",\"arguments\":"
		 "{\"password\":\"hunter2\",\"n\":1}}");
	received(&s, "\"id\":1,\"result\":{}");
	replay_start(s.replay, 0);
	assert_null(strstr(buf_text(&s.file), "hunter2"));
	say(&s, 1,
	    "\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"in\",\"arguments\":"
	    "{\"password\":\"other\",\"n\":1}}");
	expect(&s, MESSAGE("\"id\":2,\"result\":{}"));
	close_scene(&s);
}

static void
test_odd_lines(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	was(&s, RECORDING_RECEIVED, "banner: not JSON");
	sent(&s, "\"id\":1,\"method\":\"tools/list\"");
	was(&s, RECORDING_RECEIVED, "{broken");
	received(&s, "\"id\":99,\"result\":{}"); /* to nothing that was asked */
	received(&s, "\"id\":1,\"result\":{}");
	replay_start(s.replay, 0);
	expect(&s, "banner: not JSON\n");
	say(&s, 1, "\"id\":4,\"method\":\"tools/list\"");
	expect(&s, "{broken\n" MESSAGE("\"id\":4,\"result\":{}"));
	say_line(&s, 1, "{oops");
	assert_non_null(strstr(buf_text(&s.out), "-32700"));
	buf_clear(&s.out);
	say(&s, 1, "\"id\":5,\"method\":\"ping\"");
	expect(&s, "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n");
	close_scene(&s);
}

#define CALL(id, name)                                                         \
	"\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name \
	"\",\"_meta\":{\"progressToken\":" id "}}"
#define PROGRESS(id, text)                                                        \
	"\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" id \
	",\"message\":\"" text "\"}"

/* Two clients of HTTP with the same ids and tokens at once: the exchange says whose line it is. */
static void
test_two_clients(void **state)
{
	struct scene s;

	open_scene(&s, true, 0);
	s.exchange = 1;
	sent(&s, CALL("1", "a"));
	s.exchange = 2;
	sent(&s, CALL("1", "b"));
	s.exchange = 1;
	received(&s, PROGRESS("1", "of a"));
	received(&s, "\"method\":\"notifications/message\",\"params\":\"of a\"");
	received(&s, "\"id\":1,\"result\":{\"of\":\"a\"}");
	s.exchange = 2;
	received(&s, PROGRESS("1", "of b"));
	s.exchange = 4; /* an error that has no id */
	sent(&s, "\"id\":1,\"method\":\"server/discover\"");
	received(&s, "\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\"}");
	s.exchange = 3; /* the GET stream */
	received(&s, "\"id\":1,\"result\":{\"of\":\"b\"}");
	replay_start(s.replay, 0);
	say(&s, 1, CALL("8", "b"));
	expect(&s, MESSAGE(PROGRESS("8", "of b")) MESSAGE("\"id\":8,\"result\":{\"of\":\"b\"}"));
	say(&s, 2, CALL("9", "a"));
	expect(&s, MESSAGE(PROGRESS("9", "of a"))
		       MESSAGE("\"method\":\"notifications/message\",\"params\":\"of a\"")
			   MESSAGE("\"id\":9,\"result\":{\"of\":\"a\"}"));
	say(&s, 3, "\"id\":10,\"method\":\"server/discover\"");
	expect(&s, MESSAGE("\"id\":10,\"error\":{\"code\":-32000,\"message\":\"no\"}"));
	close_scene(&s);
}

/* A recording of 2026-07-28 also serves a client that sends initialize, because server/discover has
 * the data. A recording of both eras answers as recorded. */
static void
test_legacy_client(void **state)
{
	struct scene s;

	open_scene(&s, false, 0);
	sent(&s,
	    "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}");
	received(&s, "\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}");
	sent(&s, "\"id\":2,\"method\":\"server/discover\",\"params\":{}");
	received(&s, "\"id\":2,\"result\":{\"resultType\":\"complete\",\"_meta\":{"
		     "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"m\",\"version\":\"1\"}},"
		     "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},"
		     "\"instructions\":\"Hi\"}");
	replay_start(s.replay, 0);
	say(&s, 1,
	    "\"id\":9,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}");
	expect(&s,
	    "told: initialize: recorded in 2026-07-28; answered out of server/discover\n" MESSAGE(
		"\"id\":9,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{"
		"\"tools\":{}},\"serverInfo\":{\"name\":\"m\",\"version\":\"1\"},\"instructions\":"
		"\"Hi\"}"));
	say(&s, 2,
	    "\"id\":10,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
	    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}");
	expect(&s, MESSAGE("\"id\":10,\"error\":{\"code\":-32601,\"message\":\"no\"}"));
	close_scene(&s);
}

TEST_FILE(replay)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_legacy_client),
		cmocka_unit_test(test_stands_in),
		cmocka_unit_test(test_strict_once),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_server_request),
		cmocka_unit_test(test_speed),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_end_of_subscription),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_crash),
		cmocka_unit_test(test_hidden_params),
		cmocka_unit_test(test_odd_lines),
		cmocka_unit_test(test_two_clients),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
