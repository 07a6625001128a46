/* SPDX-License-Identifier: MIT */
/* A recording of the wire: writing, reading, and malformed files. */
#include "base/buf.h"
#include "base/vec.h"
#include "mcp/recording.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define AT INT64_C(1785240221006123) /* 2026-07-28T12:03:41.006123Z */

static void
write_one(struct buf *out, enum recording_kind kind, const char *bytes, size_t len, bool secrets)
{
	recording_add(out,
	    &(struct recording_entry){ .kind = kind, .wall_us = AT, .bytes = bytes, .len = len },
	    secrets);
}

/* Writes it and reads it back. */
static void
go_round(const char *bytes, size_t len, bool secrets, struct recording_entry *e, struct buf *read)
{
	struct buf line = BUF_INIT;
	struct err err = { "" };

	write_one(&line, RECORDING_RECEIVED, bytes, len, secrets);
	assert_int_equal(line.data[line.len - 1], '\n');
	assert_null(memchr(line.data, '\n', line.len - 1));
	if (!recording_read(line.data, line.len - 1, e, read, &err))
		fail_msg("%s: %s", line.data, err.text);
	assert_int_equal(e->kind, RECORDING_RECEIVED);
	assert_int_equal(e->wall_us, AT);
	buf_finish(&line);
}

static void
test_line(void **state)
{
	struct buf out = BUF_INIT;

	write_one(&out, RECORDING_SENT, "{\"id\":1}", 8, false);
	assert_string_equal(buf_text(&out),
	    "{\"time\":\"2026-07-28T12:03:41.006123Z\",\"direction\":\"sent\","
	    "\"message\":{\"id\":1}}\n");
	buf_finish(&out);
}

static void
test_exact_bytes(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} lines[] = {
#define LINE(text) { text, sizeof(text) - 1 }
		LINE("{\"a\" : 1.50e3,\"a\":2 ,\t\"b\":[ ]}"),
		LINE("{\"jsonrpc\":\"2.0\"}\r"),
		LINE("  {\"blank\":\"before\"}"),
		LINE("[]"),
		LINE("17 "),
		LINE("not JSON at all"),
		LINE("{\"broken\":"),
		LINE("a NUL \0 within"),
		LINE("\xff\xfe no UTF-8"),
		LINE("{\"latin\":\"\xe9\"}"),
		LINE("{\"lone\":\"\\ud800\",\"nul\":\"\\u0000\"}"),
		LINE("caf\xc3\xa9 \"quoted\" \\ \x1b[31m"),
	};
	struct recording_entry e;
	struct buf read = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		for (int secrets = 0; secrets < 2; secrets++) {
			go_round(lines[i].bytes, lines[i].len, secrets, &e, &read);
			if (e.len != lines[i].len || memcmp(e.bytes, lines[i].bytes, e.len) != 0)
				fail_msg("%s became %s", lines[i].bytes, e.bytes);
		}
	buf_finish(&read);
}

static void
test_secrets(void **state)
{
	static const char *const lines[] = {
		"{\"params\":{\"arguments\":{\"password\":\"hunter2\",\"n\":1.0}}}",
		"listening, token=hunter2",
		"{\"text\":\"see https://h/?api_key=hunter2\"}",
		"\xff token=hunter2",
		"{\"token\":\"hunter2\",\"bad\":\"\xff\"}",
	};
	struct recording_entry e;
	struct buf read = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		go_round(lines[i], strlen(lines[i]), false, &e, &read);
		assert_null(strstr(e.bytes, "hunter2"));
		assert_non_null(strstr(e.bytes, "(hidden)"));
		go_round(lines[i], strlen(lines[i]), true, &e, &read);
		assert_string_equal(e.bytes, lines[i]);
	}
	go_round(lines[0], strlen(lines[0]), false, &e, &read);
	assert_string_equal(
	    e.bytes, "{\"params\":{\"arguments\":{\"password\":\"(hidden)\",\"n\":1.0}}}");
	buf_finish(&read);
}

static void
test_heading(void **state)
{
	static const char server[] = "node s.js --token hunter2";
	struct buf line = BUF_INIT, read = BUF_INIT;
	struct recording_entry e;

	write_one(&line, RECORDING_HEADING, server, strlen(server), false);
	assert_true(recording_read(line.data, line.len - 1, &e, &read, NULL));
	assert_int_equal(e.kind, RECORDING_HEADING);
	assert_false(e.with_secrets);
	assert_string_equal(e.bytes, "node s.js --token (hidden)");
	buf_clear(&line);
	write_one(&line, RECORDING_HEADING, server, strlen(server), true);
	assert_true(recording_read(line.data, line.len - 1, &e, &read, NULL));
	assert_true(e.with_secrets);
	assert_string_equal(e.bytes, server);
	buf_finish(&line);
	buf_finish(&read);
}

static void
test_ends(void **state)
{
	struct recording_entry e = {
		.kind = RECORDING_EXIT, .exit_code = 3, .bytes = "", .wall_us = AT
	};
	struct buf line = BUF_INIT, read = BUF_INIT;

	recording_add(&line, &e, false);
	assert_true(recording_read(line.data, line.len - 1, &e, &read, NULL));
	assert_int_equal(e.kind, RECORDING_EXIT);
	assert_int_equal(e.exit_code, 3);
	e.signal_number = 11;
	buf_clear(&line);
	recording_add(&line, &e, false);
	assert_true(recording_read(line.data, line.len - 1, &e, &read, NULL));
	assert_int_equal(e.exit_code, -1);
	assert_int_equal(e.signal_number, 11);
	buf_finish(&line);
	buf_finish(&read);
}

/* As exported by the journal, and as written by other programs. */
static void
test_foreign(void **state)
{
	static const char journal[] =
	    "{\"time\":\"2026-07-28T12:03:41.006Z\",\"direction\":\"received\",\"kind\":\"result\","
	    "\"method\":\"ping\",\"ms\":1.000,\"message\":{\"id\": 1}}";
	static const char other[] = "{\"message\":{\"id\": 1.0},\"direction\":\"sent\"}";
	struct recording_entry e;
	struct buf read = BUF_INIT;

	assert_true(recording_read(journal, strlen(journal), &e, &read, NULL));
	assert_string_equal(e.bytes, "{\"id\": 1}");
	assert_int_equal(e.wall_us, AT / 1000 * 1000);
	assert_true(recording_read(other, strlen(other), &e, &read, NULL));
	assert_string_equal(e.bytes, "{\"id\":1.0}");
	assert_int_equal(e.wall_us, -1);
	buf_finish(&read);
}

static void
test_damaged(void **state)
{
	static const char *const lines[] = {
		"",
		"{\"time\":",
		"[]",
		"{}",
		"{\"direction\":\"up\"}",
		"{\"direction\":1}",
		"{\"direction\":\"sent\",\"bytes\":\"%%\"}",
		"{\"mcpane\":\"session\",\"version\":2}",
		"{\"mcpane\":\"theme\"}",
	};
	struct recording_entry e;
	struct buf read = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct err err = { "" };
		assert_false(recording_read(lines[i], strlen(lines[i]), &e, &read, &err));
		assert_true(err.text[0]);
	}
	buf_finish(&read);
}

/* ---- streams to lines, files to lines ---- */

static void
collect(void *user, const char *text, size_t len)
{
	buf_add(user, text, len);
}

static void
test_streams(void **state)
{
	struct buf out = BUF_INIT;
	struct recording_writer w = { .on_line = collect, .user = &out };

	recording_writer_init(&w);
	recording_writer_feed(&w, RECORDING_SENT, "{\"id\"", 5, AT);
	recording_writer_feed(&w, RECORDING_RECEIVED, "[1]\n[2", 6, AT);
	recording_writer_feed(&w, RECORDING_SENT, ":1}\n\n", 5, AT + 1);
	recording_writer_feed(&w, RECORDING_STDERR, "oops", 4, AT + 2);
	recording_writer_feed(&w, RECORDING_RECEIVED, NULL, 0, AT + 3);
	recording_writer_finish(&w, AT + 4);
	assert_string_equal(buf_text(&out),
	    "{\"time\":\"2026-07-28T12:03:41.006123Z\",\"direction\":\"received\",\"message\":[1]}"
	    "\n"
	    "{\"time\":\"2026-07-28T12:03:41.006124Z\",\"direction\":\"sent\","
	    "\"message\":{\"id\":1}}\n"
	    "{\"time\":\"2026-07-28T12:03:41.006126Z\",\"direction\":\"received\","
	    "\"unterminated\":true,\"text\":\"[2\"}\n"
	    "{\"time\":\"2026-07-28T12:03:41.006127Z\",\"direction\":\"stderr\","
	    "\"unterminated\":true,\"text\":\"oops\"}\n");
	buf_finish(&out);
}

static void
note_line(void *user, const char *text, size_t len, uint64_t offset)
{
	buf_addf(
	    user, "%d:%d:%.*s ", (int)offset, (int)len, text ? (int)len : 1, text ? text : "-");
}

static void
test_lines(void **state)
{
	static const char file[] = "one\n\nthree\ntoo long\nlast";
	for (size_t piece = 1; piece <= sizeof(file); piece++) {
		struct buf out = BUF_INIT;
		struct recording_lines l = { .on_line = note_line, .user = &out, .max_line = 6 };
		for (size_t at = 0; at < sizeof(file) - 1; at += piece) {
			size_t left = sizeof(file) - 1 - at;
			recording_feed(&l, file + at, left < piece ? left : piece);
		}
		recording_feed_end(&l);
		assert_string_equal(buf_text(&out), "0:3:one 5:5:three 11:8:- 20:4:last ");
		buf_finish(&out);
	}
}

TEST_FILE(recording)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_exact_bytes),
		cmocka_unit_test(test_secrets),
		cmocka_unit_test(test_heading),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
