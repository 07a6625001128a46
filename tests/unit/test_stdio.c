/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "fixture.h"
#include "net/transport.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALL                                                                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"," \
	"\"arguments\":{\"text\":\"hello\"}}}"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define ANSWER                                                                                \
	"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":" \
	"\"hello\"}]}}"

static const struct child_ladder quick = { .grace_ms = 40, .kill_ms = 80 };

struct peer {
	struct loop *loop;
	struct transport *stdio;
	pid_t pid;
	struct buf first, last; /* line */
	struct buf errors;      /* all of stderr */
	size_t lines, answers, dropped;
	bool unterminated, closed;
	char how[128]; /* it ended */
	size_t destroy_at_line;
};

static void
on_message(void *user, struct raw_message *m)
{
	struct peer *p = user;

	assert_false(p->closed);
	assert_non_null(p->stdio);
	buf_clear(&p->last);
	buf_add(&p->last, m->bytes->data, m->bytes->len);
	if (p->lines == 0)
		buf_add(&p->first, m->bytes->data, m->bytes->len);
	p->answers += strcmp(m->bytes->data, ANSWER) == 0;
	p->dropped = m->dropped;
	p->unterminated = m->cut;
	assert_false(m->is_read);
	raw_message_finish(m);
	if (++p->lines == p->destroy_at_line) {
		transport_destroy(p->stdio);
		p->stdio = NULL;
	}
}

static void
on_stderr(void *user, const char *bytes, size_t len)
{
	struct peer *p = user;

	assert_false(p->closed);
	assert_true(len > 0 && bytes);
	buf_add(&p->errors, bytes, len);
}

static void
on_closed(void *user, struct transport *transport, const char *how)
{
	struct peer *p = user;

	assert_false(p->closed);
	assert_ptr_equal(transport, p->stdio);
	p->closed = true;
	snprintf(p->how, sizeof(p->how), "%s", how);
}

static const struct transport_events events = {
	.on_message = on_message, .on_stderr = on_stderr, .on_closed = on_closed
};

static void
start(struct peer *p, struct stdio_options options)
{
	struct err err = { "" };

	*p = (struct peer){ .loop = loop_create(NULL, NULL, NULL) };
	options.child.ladder = &quick;
	p->stdio = stdio_create(p->loop, &options, &events, p, &err);
	if (!p->stdio)
		fail_msg("%s", err.text);
	p->pid = (pid_t)p->stdio->pid;
}

static void
start_bad(struct peer *p, const char *mode, const char *arg)
{
	const char *argv[] = { fixture("badserver"), mode, arg, NULL };

	start(p, (struct stdio_options){ .child = { .argv = argv } });
}

static void
finish(struct peer *p)
{
	transport_destroy(p->stdio);
	TURN_UNTIL(p->loop, group_is_gone(p->pid));
	child_end_all(p->loop);
	loop_destroy(p->loop);
	buf_finish(&p->first);
	buf_finish(&p->last);
	buf_finish(&p->errors);
}

static bool
send_bytes(struct peer *p, const char *line, size_t len, struct err *err)
{
	const struct outbound message = { .line = line, .len = len };

	return p->stdio->ops->send(p->stdio, &message, err);
}

static void
send_text(struct peer *p, const char *line)
{
	struct err err = { "" };

	if (!send_bytes(p, line, strlen(line), &err))
		fail_msg("%s", err.text);
}

/* ---- ordinary ---- */

static void
test_lines_go_both_ways(void **state)
{
	static const char *const modes[] = { "good", "split-bytes" };
	struct peer p;

	for (size_t i = 0; i < 2; i++) {
		start_bad(&p, modes[i], NULL);
		send_text(&p, CALL);
		TURN_UNTIL(p.loop, p.lines == 1);
		assert_string_equal(buf_text(&p.last), ANSWER);
		send_text(&p, PING);
		TURN_UNTIL(p.loop, p.lines == 2);
		assert_string_equal(buf_text(&p.last), PONG);
		assert_int_equal(stdio_waiting(p.stdio), 0);
		assert_false(send_bytes(&p, "a\nb", 3, NULL));
		finish(&p);
	}
}

static void
test_a_big_message_passes_a_slow_reader(void **state)
{
	enum { SIZE = 3 * 1024 * 1024 };
	struct peer p;
	char *line = malloc(SIZE + 1);

	memset(line, 'x', SIZE);
	line[SIZE] = '\0';
	const char *argv[] = { "sh", "-c", "sleep 0.05; cat", NULL };
	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	send_text(&p, line);
	send_text(&p, "end");
	assert_true(stdio_waiting(p.stdio) > 0);
	TURN_UNTIL(p.loop, p.lines == 2);
	assert_int_equal(p.first.len, SIZE);
	assert_memory_equal(p.first.data, line, SIZE);
	assert_string_equal(buf_text(&p.last), "end");
	finish(&p);
	free(line);
}

static void
test_what_a_server_does_not_read_is_bounded(void **state)
{
	static char line[100 * 1000];
	const char *argv[] = { "sleep", "1000", NULL };
	struct peer p;
	struct err err = { "" };
	size_t sent = 0;

	memset(line, 'x', sizeof(line));
	start(&p, (struct stdio_options){ .child = { .argv = argv }, .max_outbox = 1000 * 1000 });
	while (sent < 100 && send_bytes(&p, line, sizeof(line), &err))
		sent++;
	assert_in_range(sent, 9, 12);
	assert_in_range(stdio_waiting(p.stdio), 1, 1000 * 1000);
	assert_non_null(strstr(err.text, "does not read"));
	finish(&p);
}

static void
test_a_closed_stdin_is_told(void **state)
{
	const char *argv[] = { "sh", "-c", "exec 0<&-; echo closed; exec sleep 1000", NULL };
	struct peer p;
	struct err err;

	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	TURN_UNTIL(p.loop, p.lines == 1);
	send_bytes(&p, PING, strlen(PING), NULL);
	assert_false(send_bytes(&p, PING, strlen(PING), &err));
	assert_string_equal(err.text, "the server has closed its input");
	finish(&p);
}

static void
test_a_missing_command_calls_nothing(void **state)
{
	const char *argv[] = { "nosuch-server", NULL };
	struct stdio_options options = { .child = { .argv = argv } };
	struct err err;

	struct loop *loop = loop_create(NULL, NULL, NULL);
	assert_null(stdio_create(loop, &options, &events, NULL, &err));
	assert_string_equal(err.text, "nosuch-server: command not found");
	loop_turn(loop, 0);
	loop_destroy(loop);
}

/* ---- ends ---- */

static void
test_an_end_says_why(void **state)
{
	static const struct {
		const char *mode;
		const char *text, *errors;
	} cases[] = {
		{ "dies-at-start", "exit code 3",
		    "badserver: cannot open the database\nbadserver: giving up\n" },
		{ "dies-mid-call", "exit code 4", "badserver: assertion failed: row != NULL\n" },
		{ "killed-by-signal", "killed by SIGSEGV", "" },
		{ "closes-output", "exit code 0", "" },
		{ "exits-on-discover", "exit code 1",
		    "badserver: \"tools/call\" before initialize\n" },
	};
	struct peer p;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		start_bad(&p, cases[i].mode, NULL);
		send_bytes(&p, CALL, strlen(CALL), NULL);
		TURN_UNTIL(p.loop, p.closed);
		assert_string_equal(p.how, cases[i].text);
		assert_string_equal(buf_text(&p.errors), cases[i].errors);
		assert_int_equal(p.lines, 0);
		finish(&p);
	}
}

static void
test_a_closed_output_ends_the_server(void **state)
{
	const char *argv[] = { "sh", "-c", "exec 1>&-; exec sleep 1000", NULL };
	struct peer p;

	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	TURN_UNTIL(p.loop, p.closed);
	assert_string_equal(p.how, "closed its output, then stopped: killed by SIGTERM");
	finish(&p);
}

static void
test_last_words_come_before_the_end(void **state)
{
	struct peer p;

	for (int i = 0; i < 20; i++) {
		start_bad(&p, "answers-and-dies", "60000");
		send_text(&p, CALL);
		TURN_UNTIL(p.loop, p.closed);
		assert_int_equal(p.lines, 1);
		assert_true(p.last.len > 60000);
		assert_string_equal(p.how, "exit code 5");
		finish(&p);
	}
	const char *argv[] = { "sh", "-c", "printf 'whole\\nhalf'; sleep 1000 & exit 6", NULL };
	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	TURN_UNTIL(p.loop, p.closed);
	assert_int_equal(p.lines, 2);
	assert_string_equal(buf_text(&p.last), "half");
	assert_true(p.unterminated);
	assert_string_equal(p.how, "exit code 6");
	finish(&p);
}

static void
test_an_owner_may_let_go_in_any_callback(void **state)
{
	struct peer p;

	start_bad(&p, "garbage-first", NULL);
	p.destroy_at_line = 2; /* further lines are in the same read */
	TURN_UNTIL(p.loop, !p.stdio);
	TURN_UNTIL(p.loop, group_is_gone(p.pid));
	assert_int_equal(p.lines, 2);
	assert_false(p.closed);
	finish(&p);
	const char *argv[] = { "sh", "-c", "printf 'half'", NULL };
	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	p.destroy_at_line = 1; /* by frame_end() */
	TURN_UNTIL(p.loop, !p.stdio);
	assert_false(p.closed);
	finish(&p);
}

/* ---- masses ---- */

static long
peak_kib(void)
{
	char line[128];
	long kib = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "VmHWM:", 6))
			kib = strtol(line + 6, NULL, 10);
	fclose(f);
	return kib;
}

static void
test_a_huge_line_is_cut_and_bounded(void **state)
{
	enum { BOUND = 4 * 1024 * 1024 };
	const char *argv[] = { fixture("badserver"), "huge-line", NULL };
	struct peer p;

	long before = peak_kib();
	start(&p, (struct stdio_options){ .child = { .argv = argv }, .max_line = BOUND });
	send_text(&p, CALL);
	send_text(&p, PING);
	TURN_UNTIL(p.loop, p.lines == 2);
	assert_string_equal(buf_text(&p.last), PONG);
	assert_int_equal(p.dropped, 0);
	print_message(
	    "peak grew by %ld KiB for a line of 64 MiB bounded to 4\n", peak_kib() - before);
#ifndef __SANITIZE_ADDRESS__
	assert_true(peak_kib() - before < 3L * BOUND / 1024);
#endif
	finish(&p);
	start(&p, (struct stdio_options){ .child = { .argv = argv }, .max_line = BOUND });
	send_text(&p, CALL);
	TURN_UNTIL(p.loop, p.lines == 1);
	assert_int_equal(p.last.len, FRAME_KEPT_HEAD);
	assert_true(p.dropped + p.last.len > 64 * 1024 * 1024);
	finish(&p);
}

struct ticker {
	struct loop_timer timer;
	struct loop *loop;
	int ticks;
	int64_t due_ms, worst_ms;
};

static void
on_tick(void *user)
{
	struct ticker *t = user;
	int64_t now = clock_now_ms();

	if (t->ticks++ > 0 && now - t->due_ms > t->worst_ms)
		t->worst_ms = now - t->due_ms;
	t->due_ms = now + 5;
	loop_timer_set(t->loop, &t->timer, t->due_ms);
}

static void
test_a_flood_starves_nobody(void **state)
{
	static const char *const modes[] = { "floods", "stderr-flood" };
	struct peer p;

	for (size_t i = 0; i < 2; i++) {
		start_bad(&p, modes[i], "60");
		struct ticker ticker = { .timer = { .fn = on_tick, .user = &ticker },
			.loop = p.loop };
		loop_timer_set(p.loop, &ticker.timer, 0);
		TURN_UNTIL(p.loop, p.lines + p.errors.len > 2000);
		send_text(&p, CALL);
		TURN_UNTIL(p.loop, p.answers == 1);
		TURN_UNTIL(p.loop, ticker.ticks >= 20);
		print_message("%s: %zu lines, %zu bytes of stderr, a timer at most %d ms late\n",
		    modes[i], p.lines, p.errors.len, (int)ticker.worst_ms);
		loop_timer_cancel(&ticker.timer);
		finish(&p);
	}
}

static void
test_all_of_stderr_comes_before_the_end(void **state)
{
	const char *argv[] = { "sh", "-c",
		"i=0; while [ $i -lt 2000 ]; do echo \"line $i\"; i=$((i+1)); done >&2", NULL };
	struct peer p;

	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	TURN_UNTIL(p.loop, p.closed);
	assert_int_equal(p.errors.len, 10 * 7 + 90 * 8 + 900 * 9 + 1000 * 10);
	assert_string_equal(p.errors.data + p.errors.len - 10, "line 1999\n");
	finish(&p);
}

/* Events that occur meanwhile are reported afterwards. */
static void
test_a_held_server_ends_later(void **state)
{
	const char *argv[] = { "sh", "-c", "read -r line; printf '%s\\n' \"$line\"", NULL };
	struct peer p;

	start(&p, (struct stdio_options){ .child = { .argv = argv } });
	p.stdio->ops->hold(p.stdio, true);
	send_text(&p, CALL);
	TURN_UNTIL(p.loop, group_is_gone(p.pid));
	loop_turn(p.loop, 0);
	assert_false(p.closed);
	assert_int_equal(p.lines, 0);
	p.stdio->ops->hold(p.stdio, false);
	assert_false(p.closed);
	TURN_UNTIL(p.loop, p.closed);
	assert_int_equal(p.lines, 1);
	assert_string_equal(buf_text(&p.last), CALL);
	finish(&p);
}

TEST_FILE(stdio)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_a_huge_line_is_cut_and_bounded), /* first: it measures the peak */
		cmocka_unit_test(test_lines_go_both_ways),
		cmocka_unit_test(test_a_big_message_passes_a_slow_reader),
		cmocka_unit_test(test_what_a_server_does_not_read_is_bounded),
		cmocka_unit_test(test_a_closed_stdin_is_told),
		cmocka_unit_test(test_a_missing_command_calls_nothing),
		cmocka_unit_test(test_an_end_says_why),
		cmocka_unit_test(test_a_closed_output_ends_the_server),
		cmocka_unit_test(test_last_words_come_before_the_end),
		cmocka_unit_test(test_an_owner_may_let_go_in_any_callback),
		cmocka_unit_test(test_a_held_server_ends_later),
		cmocka_unit_test(test_a_flood_starves_nobody),
		cmocka_unit_test(test_all_of_stderr_comes_before_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
