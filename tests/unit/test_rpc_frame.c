/* SPDX-License-Identifier: MIT */
#include "mcp/frame.h"

#include "base/mem.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Delivered lines as text: "line|line+dropped|~unterminated|". */
static struct buf seen;

static void
on_line(void *user, struct frame_line line)
{
	if (line.unterminated)
		buf_add_char(&seen, '~');
	buf_add(&seen, line.bytes->data, line.bytes->len);
	if (line.dropped)
		buf_addf(&seen, "+%zu", line.dropped);
	buf_add_char(&seen, '|');
	blob_unref(line.bytes);
}

/* Feeds text in pieces of `step` bytes and ends the stream. */
static const char *
run(const char *text, size_t len, size_t step, size_t max_line)
{
	struct frame f;

	buf_clear(&seen);
	frame_init(&f, max_line, on_line, NULL);
	for (size_t at = 0; at < len; at += step)
		frame_feed(&f, text + at, len - at < step ? len - at : step);
	frame_end(&f);
	frame_finish(&f);
	return buf_text(&seen);
}

static void
assert_lines(const char *text, size_t max_line, const char *expected)
{
	size_t len = strlen(text);

	for (size_t step = 1; step <= len; step++)
		assert_string_equal(run(text, len, step, max_line), expected);
}

static void
test_splits_at_every_byte(void **state)
{
	assert_lines("one\ntwo\r\nthree\n", 100, "one|two\r|three|");
	assert_lines("\n\r\n\none\n\n", 100, "one|");
	assert_lines("a\rb\r\r\n", 100, "a\rb\r\r|");
	assert_lines(" \n", 100, " |");
}

static void
test_delivers_the_unterminated_rest(void **state)
{
	assert_lines("one\ntwo", 100, "one|~two|");
	assert_lines("one\ntwo\r", 100, "one|~two\r|");
}

static void
test_keeps_the_bound(void **state)
{
	assert_lines("12345678\n123456789\nx\n", 8, "12345678|12345678+1|x|");
	assert_lines("123456789abcdef\nx\n", 4, "1234+11|x|");
	assert_lines("123456789", 4, "~1234+5|");
	assert_lines("ab\n", 0, "+2|");
}

static void
test_keeps_nul(void **state)
{
	run("a\0b\n\0\n", 6, 2, 100);
	assert_int_equal(seen.len, 6);
	assert_memory_equal(seen.data, "a\0b|\0|", 6);
}

static size_t lines, kept, dropped;

static void
count_line(void *user, struct frame_line line)
{
	lines++;
	kept = line.bytes->len;
	dropped = line.dropped;
	blob_unref(line.bytes);
}

/* 64 MiB in one line: memory stays near the size of the kept head. */
static void
test_long_line_is_not_buffered(void **state)
{
	const size_t max = 1024 * 1024, chunk = 65536;
	char *bytes = mem_alloc(chunk);
	struct frame f;

	memset(bytes, 'x', chunk);
	frame_init(&f, max, count_line, NULL);
	for (size_t i = 0; i < 1024; i++) {
		frame_feed(&f, bytes, chunk);
		assert_true(f.pending.cap <= 2 * max);
	}
	assert_true(f.pending.cap <= 2 * FRAME_KEPT_HEAD);
	assert_int_equal(lines, 0);
	frame_feed(&f, "\nok\n", 4);
	assert_int_equal(lines, 2);
	assert_int_equal(kept, 2);
	assert_int_equal(dropped, 0);
	frame_finish(&f);
	free(bytes);
}

static void
test_long_line_is_counted(void **state)
{
	const size_t max = 100000, len = 250000;
	char *bytes = mem_alloc(len);
	struct frame f;

	memset(bytes, 'x', len);
	frame_init(&f, max, count_line, NULL);
	frame_feed(&f, bytes, 90000); /* past the head, within the bound */
	frame_feed(&f, bytes + 90000, len - 90000);
	frame_feed(&f, "\n", 1);
	assert_int_equal(kept, FRAME_KEPT_HEAD);
	assert_int_equal(kept + dropped, len);
	frame_finish(&f);
	free(bytes);
}

TEST_FILE(rpc_frame)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splits_at_every_byte),
		cmocka_unit_test(test_delivers_the_unterminated_rest),
		cmocka_unit_test(test_keeps_the_bound),
		cmocka_unit_test(test_keeps_nul),
		cmocka_unit_test(test_long_line_is_not_buffered),
		cmocka_unit_test(test_long_line_is_counted),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buf_finish(&seen);
	return failed;
}
