/* SPDX-License-Identifier: MIT */
/* The DevTools connection against a peer that says anything. */
#include "base/mem.h"
#include "engine/devtools.h"
#include "fixture.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct scene {
	struct loop *loop;
	struct devtools d;
	int peer;           /* -1: closed */
	struct buf events;  /* "session method params\n" */
	struct buf answers; /* "id result or problem\n" */
	char end[128];
	size_t dropped;
	bool finishes; /* in its first callback */
};

static void
on_event(void *user, const char *session, const char *method, const cJSON *params)
{
	struct scene *s = user;

	buf_addf(&s->events, "%s %s %s\n", session, method,
	    json_get_string(params, "text") ? json_get_string(params, "text") : "-");
	if (s->finishes)
		devtools_finish(&s->d);
}

static void
on_dropped(void *user, size_t bytes)
{
	((struct scene *)user)->dropped += bytes;
}

static void
on_end(void *user, const char *why)
{
	struct scene *s = user;

	assert_string_equal(s->end, "");
	snprintf(s->end, sizeof(s->end), "%s", why);
}

static void
on_answer(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct scene *s = user;

	assert_true((result != NULL) != (problem != NULL));
	buf_addf(&s->answers, "%d %s\n", (int)id, problem ? problem : json_get_string(result, "a"));
}

static void
scene_init(struct scene *s)
{
	int ends[2];
	struct devtools_events events = { s, on_event, on_dropped, on_end };

	*s = (struct scene){ .loop = loop_create(NULL, NULL, NULL) };
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
	devtools_init(&s->d, s->loop, ends[0], &events);
	s->peer = ends[1];
}

static void
scene_finish(struct scene *s)
{
	devtools_finish(&s->d);
	devtools_finish(&s->d);
	if (s->peer >= 0)
		close(s->peer);
	buf_finish(&s->events);
	buf_finish(&s->answers);
	loop_destroy(s->loop);
}

/* Each string with its NUL. */
#define SAY(s, text) assert_int_equal(write((s)->peer, (text), sizeof(text)), sizeof(text))

static void
hang_up(struct scene *s)
{
	close(s->peer);
	s->peer = -1;
	TURN_UNTIL(s->loop, s->end[0]);
}

static void
test_commands_and_answers(void **unused)
{
	struct scene s;
	char sent[512];

	scene_init(&s);
	struct json_writer *w = devtools_begin(&s.d, "S1", "A.b");
	json_write_member_string(w, "x", "\"\n");
	assert_int_equal(devtools_send(&s.d, 0, on_answer, &s), 1);
	assert_int_equal(devtools_call(&s.d, NULL, "C.d", "\"y\":[1]", on_answer, &s), 2);
	assert_int_equal(devtools_call(&s.d, "", "E.f", NULL, NULL, NULL), 3);
	static const char expected[] =
	    "{\"id\":1,\"method\":\"A.b\",\"sessionId\":\"S1\",\"params\":{\"x\":\"\\\"\\n\"}}\0"
	    "{\"id\":2,\"method\":\"C.d\",\"params\":{\"y\":[1]}}\0"
	    "{\"id\":3,\"method\":\"E.f\",\"params\":{}}";
	assert_int_equal(read(s.peer, sent, sizeof(sent)), sizeof(expected));
	assert_memory_equal(sent, expected, sizeof(expected));
	/* in any order; an unsolicited one; a duplicate */
	SAY(&s, "{\"id\":3,\"result\":{}}");
	SAY(&s, "{\"id\":2,\"error\":{\"code\":-1,\"message\":\"no such thing\"}}");
	SAY(&s, "{\"id\":77,\"result\":{\"a\":\"x\"}}");
	SAY(&s, "{\"id\":1.5,\"result\":{\"a\":\"x\"}}");
	SAY(&s, "{\"id\":1,\"result\":{\"a\":\"yes\"},\"sessionId\":\"S1\"}");
	SAY(&s, "{\"id\":1,\"result\":{\"a\":\"again\"}}");
	SAY(&s, "{\"method\":\"G.h\",\"params\":{\"text\":\"t\"},\"sessionId\":\"S1\"}");
	TURN_UNTIL(s.loop, s.events.len > 0);
	assert_string_equal(buf_text(&s.answers), "2 no such thing\n1 yes\n");
	assert_string_equal(buf_text(&s.events), "S1 G.h t\n");
	scene_finish(&s);
}

static void
test_answers_that_are_none(void **unused)
{
	struct scene s;

	scene_init(&s);
	for (int i = 0; i < 3; i++)
		devtools_call(&s.d, NULL, "A.b", NULL, on_answer, &s);
	SAY(&s, "{\"id\":1}");
	SAY(&s, "{\"id\":2,\"result\":[]}");
	SAY(&s, "{\"id\":3,\"error\":7}");
	TURN_UNTIL(s.loop, strstr(buf_text(&s.answers), "3 "));
	assert_string_equal(buf_text(&s.answers),
	    "1 an answer without a result\n2 an answer without a result\n"
	    "3 an answer without a result\n");
	scene_finish(&s);
}

static void
test_late_and_forgotten_answers(void **unused)
{
	struct scene s;
	int other;

	scene_init(&s);
	devtools_begin(&s.d, NULL, "A.b");
	devtools_send(&s.d, 30, on_answer, &s);
	devtools_call(&s.d, NULL, "C.d", NULL, on_answer, &other);
	devtools_forget(&s.d, &other);
	TURN_UNTIL(s.loop, s.answers.len > 0);
	assert_string_equal(buf_text(&s.answers), "1 no answer in time\n");
	SAY(&s, "{\"id\":1,\"result\":{\"a\":\"late\"}}");
	SAY(&s, "{\"id\":2,\"result\":{\"a\":\"to nobody\"}}");
	SAY(&s, "{\"method\":\"G.h\"}");
	TURN_UNTIL(s.loop, s.events.len > 0);
	assert_string_equal(buf_text(&s.answers), "1 no answer in time\n");
	scene_finish(&s);
}

static void
test_nonsense_ends_it(void **unused)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "hello", "it sent something that is not JSON" },
		{ "{\"id\":1,", "it sent something that is not JSON" },
		{ "", "it sent something that is not JSON" },
		{ "[]", "it sent JSON that is no DevTools message" },
		{ "{\"id\":\"1\"}", "it sent JSON that is no DevTools message" },
		{ "{\"method\":1}", "it sent JSON that is no DevTools message" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene s;
		scene_init(&s);
		devtools_call(&s.d, NULL, "A.b", NULL, on_answer, &s);
		size_t len = strlen(cases[i].text) + 1;
		assert_int_equal(write(s.peer, cases[i].text, len), len);
		TURN_UNTIL(s.loop, s.end[0]);
		assert_string_equal(s.end, cases[i].why);
		assert_string_equal(buf_text(&s.answers), "1 Chromium has ended\n");
		scene_finish(&s);
	}
}

static void
test_end_of_the_stream(void **unused)
{
	struct scene s;

	scene_init(&s);
	hang_up(&s);
	assert_string_equal(s.end, "it has closed the connection");
	scene_finish(&s);
	scene_init(&s);
	SAY(&s, "{\"method\":\"G.h\"}");
	assert_int_equal(write(s.peer, "{\"meth", 6), 6);
	hang_up(&s);
	assert_string_equal(buf_text(&s.events), " G.h -\n");
	assert_string_equal(s.end, "it ended within a message");
	scene_finish(&s);
}

/* An oversized message is reported and skipped; the messages after it are handled. */
static void
test_long_message_is_dropped(void **unused)
{
	struct scene s;
	char *text = mem_alloc(3000);

	scene_init(&s);
	s.d.in_max = s.d.message.max = 1000;
	memset(text, 'x', 3000);
	text[2999] = '\0';
	for (size_t at = 0; at < 3000; at += 300)
		devtools_feed(&s.d, text + at, 300);
	assert_int_equal(s.dropped, 2999);
	devtools_feed(&s.d, "{\"method\":\"G.h\"}", sizeof("{\"method\":\"G.h\"}"));
	assert_string_equal(buf_text(&s.events), " G.h -\n");
	assert_string_equal(s.end, "");
	free(text);
	scene_finish(&s);
}

/* The owner may close the connection in a callback. */
static void
test_finish_in_a_callback(void **unused)
{
	struct scene s;

	scene_init(&s);
	s.finishes = true;
	static const char two[] = "{\"method\":\"A.b\"}\0{\"method\":\"C.d\"}";
	devtools_feed(&s.d, two, sizeof(two));
	assert_string_equal(buf_text(&s.events), " A.b -\n");
	assert_int_equal(devtools_call(&s.d, NULL, "E.f", NULL, on_answer, &s), 1);
	assert_string_equal(buf_text(&s.answers), "");
	scene_finish(&s);
}

/* A peer that does not read fills the outbox to its limit and no further. */
static void
test_peer_that_does_not_read(void **unused)
{
	struct scene s;
	size_t len = 8 << 20;
	char *text = mem_zalloc(len + 1);

	scene_init(&s);
	memset(text, 'x', len);
	for (int i = 0; i < 16; i++) {
		struct json_writer *w = devtools_begin(&s.d, NULL, "A.b");
		json_write_member_string(w, "x", text);
		devtools_send(&s.d, 60000, on_answer, &s);
	}
	assert_true(stream_out_waiting(&s.d.out) <= DEVTOOLS_OUT_MAX);
	TURN_UNTIL(s.loop, strstr(buf_text(&s.answers), "16 no answer in time"));
	assert_null(strstr(buf_text(&s.answers), "\n1 "));
	free(text);
	scene_finish(&s);
}

TEST_FILE(devtools)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands_and_answers),
		cmocka_unit_test(test_answers_that_are_none),
		cmocka_unit_test(test_late_and_forgotten_answers),
		cmocka_unit_test(test_nonsense_ends_it),
		cmocka_unit_test(test_end_of_the_stream),
		cmocka_unit_test(test_long_message_is_dropped),
		cmocka_unit_test(test_finish_in_a_callback),
		cmocka_unit_test(test_peer_that_does_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
