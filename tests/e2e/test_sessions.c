/* SPDX-License-Identifier: MIT */
/* Recording what passes between a client and a server, and the server that a recording makes. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "fixture.h"
#include "program.h"
#include "recorded.h"
#include "terminal.h"
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 24

static char folder[64];

static int
make_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/mcpane-sessions-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int status = system(command);

	free(command);
	return status;
}

static char *
in_folder(const char *name)
{
	return mem_printf("%s/%s", folder, name);
}

/* mcpane WORDS... up to a NULL. */
static void
start(struct program *p, const char *const *words)
{
	const char *argv[WORDS_MAX] = { terminal_program() };
	size_t n = 1;

	for (; *words; words++) {
		argv[n++] = *words;
		assert_true(n < WORDS_MAX);
	}
	char *program = mem_strdup(argv[0]);
	argv[0] = program;
	program_start(p, argv);
	free(program);
}

#define START(p, ...) start((p), (const char *const[]){ __VA_ARGS__, NULL })
#define SHELL(script) "sh", "-c", script

static void
expect_code(const struct program *p, int code)
{
	if (p->exit_code != code)
		fail_msg("exit %d, not %d\n%.1000s\n%.1000s", p->exit_code, code, buf_text(&p->out),
		    buf_text(&p->err));
}

static void
expect_bytes(const struct buf *got, const char *bytes, size_t len)
{
	assert_int_equal(got->len, len);
	assert_memory_equal(buf_text(got), bytes, len);
}

/* ---- every byte passes ---- */

/* Lines of every kind: 3 MiB in one, no JSON, no UTF-8, NULs, blank, and no line break at the end.
 */
static void
add_hostile(struct buf *out)
{
	static const char odd[] =
	    "{\"a\":1}\n\xff\xfe\x80 no text\nwith \0 NUL\n\r\n\n  {\"b\" : 2}\r\n"
	    "\x1b[2J\x1b]0;title\x07\n[1,2\n";

	buf_add(out, odd, sizeof(odd) - 1);
	buf_add_str(out, "{\"big\":\"");
	for (int i = 0; i < 3 << 20; i++)
		buf_add_char(out, (char)('a' + i % 26));
	buf_add_str(out, "\"}\nno break at the \xc3\xa4nd");
}

static void
test_every_byte(void **state)
{
	char *file = in_folder("bytes.jsonl");
	struct buf input = BUF_INIT;
	struct program p;
	struct recorded h;

	add_hostile(&input);
	START(&p, "record", file, "--with-secrets", "--",
	    SHELL("cat; printf 'stderr \\377 too' >&2; exit 7"));
	program_finish(&p, input.data, input.len);
	expect_code(&p, 7);
	expect_bytes(&p.out, input.data, input.len);
	expect_bytes(&p.err, "stderr \xff too", 12);
	/* both directions are in the file, without the blank lines */
	for (int kind = RECORDING_SENT; kind <= RECORDING_RECEIVED; kind++) {
		recorded_read(&h, file, (enum recording_kind)kind);
		const char *blank = memmem(input.data, input.len, "\r\n\n", 3);
		size_t before = (size_t)(blank - input.data);
		assert_int_equal(h.bytes.len, input.len - 3);
		assert_memory_equal(h.bytes.data, input.data, before);
		assert_memory_equal(h.bytes.data + before, blank + 3, input.len - before - 3);
		buf_finish(&h.bytes);
	}
	buf_finish(&input);
	program_free(&p);
	free(file);
}

/* Exits by exit code, by its own signal, and by one of ours. */
static void
test_same_end(void **state)
{
	struct program p;

	START(&p, "tap", "--", SHELL("exit 0"));
	program_finish(&p, "", 0);
	expect_code(&p, 0);
	program_free(&p);

	START(&p, "tap", "--", SHELL("printf last; kill -SEGV $$"));
	program_finish(&p, "", 0);
	expect_code(&p, 128 + SIGSEGV);
	assert_string_equal(buf_text(&p.out), "last");
	program_free(&p);

	START(&p, "tap", "--", "nosuch-command");
	program_finish(&p, "", 0);
	expect_code(&p, 4);
	assert_non_null(strstr(buf_text(&p.err), "nosuch-command: command not found"));
	program_free(&p);
}

static void
read_until(int fd, const char *text)
{
	struct buf got = BUF_INIT;
	int64_t until_ms = clock_now_ms() + fixture_deadline_ms();
	char bytes[4096];

	while (!strstr(buf_text(&got), text)) {
		struct pollfd in = { .fd = fd, .events = POLLIN };
		if (clock_now_ms() > until_ms)
			fail_msg("never came: %s; but: %s", text, buf_text(&got));
		if (poll(&in, 1, 100) < 1)
			continue;
		ssize_t n = read(fd, bytes, sizeof(bytes));
		assert_true(n > 0);
		buf_add(&got, bytes, (size_t)n);
	}
	buf_finish(&got);
}

static void
test_signals(void **state)
{
	static const struct {
		int number;
		const char *name;
	} all[] = { { SIGTERM, "TERM" }, { SIGINT, "INT" }, { SIGHUP, "HUP" },
		{ SIGUSR1, "USR1" } };

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		struct program p;
		char *script = mem_printf("trap 'echo caught %s; exit 9' %s; echo ready; "
					  "while read -r line; do :; done; exit 1",
		    all[i].name, all[i].name);
		START(&p, "tap", "--", SHELL(script));
		read_until(p.out_fd, "ready\n");
		kill(p.pid, all[i].number);
		read_until(p.out_fd, "caught");
		program_finish(&p, "", 0);
		expect_code(&p, 9);
		program_free(&p);
		free(script);
	}
}

/* One stream ends, the others continue. */
static void
test_half_closed(void **state)
{
	static const char typed[] = "still there\n";
	struct program p;
	char byte;

	START(&p, "tap", "--", SHELL("exec >&-; cat >&2; exit 5"));
	assert_int_equal(read(p.out_fd, &byte, 1), 0); /* its output has ended, but not it */
	program_finish(&p, typed, strlen(typed));
	expect_code(&p, 5);
	assert_string_equal(buf_text(&p.err), typed);
	program_free(&p);

	/* without a reader the server gets SIGPIPE, as without the tap */
	START(&p, "tap", "--", SHELL("exec yes"));
	read_until(p.out_fd, "y\n");
	close(p.out_fd);
	p.out_fd = -1;
	program_finish(&p, "", 0);
	expect_code(&p, 128 + SIGPIPE);
	program_free(&p);

	/* the client has said all; the server answers later */
	START(&p, "tap", "--", SHELL("cat >/dev/null; echo done"));
	program_finish(&p, typed, strlen(typed));
	expect_code(&p, 0);
	assert_string_equal(buf_text(&p.out), "done\n");
	program_free(&p);
}

/* A slow reader stops the server, and nothing piles up in between. */
static void
test_slow_reader(void **state)
{
	struct program p;
	char path[64], line[128];
	long kib = 0;

	START(&p, "tap", "--", SHELL("exec yes"));
	read_until(p.out_fd, "y\n");
	poll(NULL, 0, 300); /* it would have written hundreds of megabytes */
	snprintf(path, sizeof(path), "/proc/%d/status", (int)p.pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kib = strtol(line + 6, NULL, 10);
	fclose(f);
#ifdef __SANITIZE_ADDRESS__ /* needs more for everything */
	kib /= 8;
#endif
	assert_true(kib > 0 && kib < 32 << 10);
	kill(p.pid, SIGTERM);
	program_finish(&p, "", 0);
	expect_code(&p, 128 + SIGTERM);
	program_free(&p);
}

static int
by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Each message comes back before the next is sent. Returns the time there and back of the fastest
 * quarter. */
static int64_t
round_trip_us(struct program *p)
{
	static const char call[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"list_users\",\"arguments\":{\"a\":1}}}\n";
	enum { ROUNDS = 500 };
	int64_t took[ROUNDS];
	char bytes[4096];

	for (int i = 0; i < ROUNDS; i++) {
		int64_t since = clock_now_us();
		assert_int_equal(write(p->in, call, strlen(call)), strlen(call));
		assert_int_equal(read(p->out_fd, bytes, sizeof(bytes)), strlen(call));
		took[i] = clock_now_us() - since;
	}
	program_finish(p, "", 0);
	expect_code(p, 0);
	program_free(p);
	qsort(took, ROUNDS, sizeof(*took), by_value);
	return took[ROUNDS / 4];
}

static void
test_messages_pass_one_by_one(void **state)
{
	char *file = in_folder("latency.jsonl");
	struct program p;

	program_start(&p, (const char *const[]){ "/bin/cat", NULL });
	int64_t floor_us = round_trip_us(&p);
	START(&p, "tap", "--", "cat");
	int64_t tap_us = round_trip_us(&p);
	START(&p, "record", file, "--", "cat");
	int64_t record_us = round_trip_us(&p);
	print_message("a message there and back: %d us; through tap %d us, recorded %d us\n",
	    (int)floor_us, (int)tap_us, (int)record_us);
	free(file);
}

/* ---- the recording is a server ---- */

/* mcpane call TOOL ... to a recording server, then to the replay of it: the same bytes. */
static void
expect_replayed(const char *name, const char *era, const char *const *call, int code)
{
	char *file = in_folder(name), *demo = mem_strdup(terminal_program());
	const char *words[WORDS_MAX] = { "--era", era };
	struct program live, replayed;
	size_t n = 2, server;

	for (; *call; call++)
		words[n++] = *call;
	words[n++] = "--json";
	words[n++] = "--";
	words[n++] = demo;
	server = n;
	words[n++] = "record";
	words[n++] = file;
	words[n++] = "--";
	words[n++] = demo;
	words[n++] = "--serve-demo";
	start(&live, words);
	program_finish(&live, "", 0);
	expect_code(&live, code);
	program_wait_processes(&live, 0); /* the answer comes first, then its record */
	words[server] = "replay";
	words[server + 2] = "--speed";
	words[server + 3] = "max";
	words[server + 4] = "--strict";
	start(&replayed, words);
	program_finish(&replayed, "", 0);
	expect_code(&replayed, code);
	assert_true(live.out.len > 0);
	expect_bytes(&replayed.out, live.out.data, live.out.len);
	expect_bytes(&replayed.err, buf_text(&live.err), live.err.len);
	program_free(&live);
	program_free(&replayed);
	free(file);
	free(demo);
}

static void
test_replay(void **state)
{
	static const char *const eras[] = { "auto", "modern", "legacy" };

	for (size_t i = 0; i < ARRAY_LEN(eras); i++) {
		char name[32];
		snprintf(name, sizeof(name), "users-%s.jsonl", eras[i]);
		expect_replayed(
		    name, eras[i], (const char *const[]){ "call", "list_users", NULL }, 0);
		snprintf(name, sizeof(name), "progress-%s.jsonl", eras[i]);
		expect_replayed(name, eras[i],
		    (const char *const[]){ "call", "slow", "steps:=3", "seconds:=0.05", NULL }, 0);
		snprintf(name, sizeof(name), "list-%s.jsonl", eras[i]);
		expect_replayed(name, eras[i], (const char *const[]){ "list", NULL }, 0);
	}
}

static void
test_replay_refuses(void **state)
{
	char *file = in_folder("some.txt");
	struct program p;

	assert_true(path_write_file(file, "some\ntext\n", 10, NULL));
	START(&p, "replay", file);
	program_finish(&p, "", 0);
	expect_code(&p, 1);
	assert_non_null(
	    strstr(buf_text(&p.err), "this is not a recording: line 1: it is not JSON"));
	program_free(&p);
	START(&p, "replay", "/nonexistent/file");
	program_finish(&p, "", 0);
	expect_code(&p, 1);
	program_free(&p);
	START(&p, "replay", file, "--speed", "fast");
	program_finish(&p, "", 0);
	expect_code(&p, 1);
	assert_non_null(strstr(buf_text(&p.err), "neither a number such as 2 or 0.5 nor max"));
	program_free(&p);
	free(file);
}

/* A file may say that the server ended by any signal: one that stops is not raised. */
static void
test_replay_is_not_stopped(void **state)
{
	char *file = in_folder("stopped.jsonl");
	static const char *const exits[] = { "\"signal\":19", "\"signal\":17", "\"code\":3" };
	static const int codes[] = { 1, 1, 3 };

	for (size_t i = 0; i < ARRAY_LEN(exits); i++) {
		struct program p;
		char *text =
		    mem_printf("{\"time\":\"2026-01-01T00:00:00Z\",\"direction\":\"sent\","
			       "\"message\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n"
			       "{\"time\":\"2026-01-01T00:00:00Z\",\"direction\":\"exit\",%s}\n",
			exits[i]);
		assert_true(path_write_file(file, text, strlen(text), NULL));
		START(&p, "replay", file, "--speed", "max");
		static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n";
		program_finish(&p, ping, strlen(ping));
		expect_code(&p, codes[i]);
		program_free(&p);
		free(text);
	}
	free(file);
}

/* A file that is there already stays. */
static void
test_second_file(void **state)
{
	char *file = in_folder("twice.jsonl"), *second = in_folder("twice-2.jsonl");
	struct program p;
	struct recorded h;

	for (int i = 0; i < 2; i++) {
		START(&p, "record", file, "--", "cat");
		program_finish(&p, i ? "2\n" : "1\n", 2);
		expect_code(&p, 0);
		assert_int_equal(strstr(buf_text(&p.err), "twice-2.jsonl") != NULL, i);
		program_free(&p);
	}
	recorded_read(&h, file, RECORDING_SENT);
	assert_string_equal(buf_text(&h.bytes), "1\n");
	buf_finish(&h.bytes);
	recorded_read(&h, second, RECORDING_SENT);
	assert_string_equal(buf_text(&h.bytes), "2\n");
	buf_finish(&h.bytes);
	free(file);
	free(second);
}

/* After a kill at any moment, the file has all messages passed before. */
static void
test_killed(void **state)
{
	char *file = in_folder("killed.jsonl");
	struct program p;
	struct recorded h;

	START(&p, "record", file, "--", "cat");
	assert_int_equal(write(p.in, "{\"id\":1}\n", 9), 9);
	read_until(p.out_fd, "{\"id\":1}\n");
	assert_int_equal(write(p.in, "{\"id\":2}\n", 9), 9);
	read_until(p.out_fd, "{\"id\":2}\n");
	kill(p.pid, SIGKILL);
	program_finish(&p, "", 0);
	program_wait_processes(&p, 0); /* nor does the server stay */
	recorded_read(&h, file, RECORDING_RECEIVED);
	assert_true(strncmp(buf_text(&h.bytes), "{\"id\":1}\n", 9) == 0);
	buf_finish(&h.bytes);
	program_free(&p);
	free(file);
}

/* ---- recorded by the full-screen program ---- */

/* The replay sends the bytes that the screen recorded from the server. */
static void
expect_call_replayed(const char *file, const char *tool, const char *argument)
{
	char *demo = mem_strdup(terminal_program());
	struct program live, replayed;

	START(&live, "call", tool, argument, "--json", "--", demo, "--serve-demo");
	program_finish(&live, "", 0);
	expect_code(&live, 0);
	START(&replayed, "call", tool, argument, "--json", "--", demo, "replay", file, "--strict",
	    "--speed", "max");
	program_finish(&replayed, "", 0);
	expect_code(&replayed, 0);
	expect_bytes(&replayed.out, live.out.data, live.out.len);
	program_free(&live);
	program_free(&replayed);
	free(demo);
}

static void
run_line(struct terminal *t, const char *command, const char *file, const char *option)
{
	char *line = mem_printf("%s %s%s", command, file, option);

	e2e_run(t, line);
	free(line);
}

static void
test_screen_records(void **state)
{
	static const char send[] = "send! {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\","
				   "\"params\":{\"api_token\":\"sk-93ab27\"}}";
	char *file = in_folder("screen.jsonl"), *kept = in_folder("kept.jsonl");
	struct terminal *t = e2e_demo(state, NULL);
	struct recorded h;

	e2e_run(t, "record session stop");
	e2e_wait(t, "no session is recorded");
	e2e_run(t, "tool list_users"); /* before the recording: the journal has it */
	e2e_run(t, "set limit 2");
	e2e_press(t, "f5");
	e2e_wait(t, "Alice");
	e2e_see_not(t, "● rec");
	run_line(t, "record session", file, "");
	e2e_wait(t, "recording the session to");
	e2e_see(t, "● rec");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "set status \"open\"");
	e2e_press(t, "f5");
	e2e_wait(t, "ORD-1008");
	e2e_run(t, send);
	e2e_run(t, "record session stop");
	e2e_wait(t, "wrote ");
	e2e_see_not(t, "● rec");
	run_line(t, "record session", kept, " --with-secrets");
	e2e_wait(t, "with its secrets, recording");
	e2e_leave(t); /* its end ends the recording */
	expect_call_replayed(file, "list_users", "limit:=2");
	expect_call_replayed(file, "search_orders", "status=open");
	expect_call_replayed(kept, "search_orders", "status=open");
	recorded_read(&h, file, RECORDING_SENT);
	assert_non_null(strstr(buf_text(&h.bytes), "api_token"));
	assert_null(strstr(buf_text(&h.bytes), "sk-93ab27"));
	buf_finish(&h.bytes);
	recorded_read(&h, kept, RECORDING_SENT);
	assert_non_null(strstr(buf_text(&h.bytes), "sk-93ab27"));
	buf_finish(&h.bytes);
	free(file);
	free(kept);
}

/* A write error is reported, and ends the recording. */
static void
test_screen_cannot_record(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "record session /nonexistent/file.jsonl");
	e2e_wait(t, "No such file or directory");
	e2e_see_not(t, "● rec");
	e2e_leave(t);
}

/* A screenshot passes a tap and a recorder, whose deadline is that of a program. */
static void
test_picture_passes(void **state)
{
	char *file = in_folder("picture.jsonl");
	struct program p;

	START(&p, "call", "echo", "text=x", "--json", "--no-history", "--", terminal_program(),
	    "record", file, "--", terminal_fixture("badserver"), "picture", "4000000");
	program_finish(&p, "", 0);
	expect_code(&p, 0);
	assert_true(p.out.len > 4000000);
	program_free(&p);
	free(file);
}

/* Keys are heard and the end comes while a picture of megabytes is recorded and kept. */
static void
test_screen_records_a_picture(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("picture", "8000000"));
	char *file = in_folder("screenshot.jsonl");

	e2e_wait(t, "badserver ●");
	e2e_run(t, "set text x");
	run_line(t, "record session", file, "");
	for (int i = 0; i < 3; i++) {
		terminal_keys(t, "f5");
		e2e_press(t, "?");
		e2e_wait(t, "Esc");
		e2e_press(t, "esc");
	}
	e2e_wait(t, "3 calls");
	e2e_leave(t);
	free(file);
}

TEST_FILE(sessions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_same_end),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_replay_is_not_stopped),
		cmocka_unit_test(test_half_closed),
		cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_messages_pass_one_by_one),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_replay_refuses),
		cmocka_unit_test(test_second_file),
		cmocka_unit_test(test_killed),
		cmocka_unit_test_teardown(test_screen_records, e2e_teardown),
		cmocka_unit_test(test_picture_passes),
		cmocka_unit_test_teardown(test_screen_records_a_picture, e2e_teardown),
		cmocka_unit_test_teardown(test_screen_cannot_record, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
