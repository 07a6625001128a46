/* SPDX-License-Identifier: MIT */
#include "host/line_reader.h"

#include "base/buf.h"
#include "base/mem.h"
#include "fixture.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define BIG ((size_t)1 << 20)

struct desk {
	struct loop *loop;
	struct worker *worker;
	struct line_reader reader;
	struct buf read; /* a letter for each line: its first */
	size_t calls;    /* of on_busy */
	bool drop_at_line;
	struct raw_message last;
};

static void
on_line(void *user, struct raw_message *line)
{
	struct desk *d = user;

	buf_add_char(&d->read, line->bytes->data[1]);
	raw_message_finish(&d->last);
	d->last = *line;
	if (d->drop_at_line)
		line_reader_drop(&d->reader);
}

static void
on_busy(void *user)
{
	((struct desk *)user)->calls++;
}

static void
open(struct desk *d)
{
	*d = (struct desk){ .loop = loop_create(NULL, NULL, NULL) };
	d->worker = worker_create(d->loop);
	d->reader = (struct line_reader){
		.worker = d->worker, .on_line = on_line, .on_busy = on_busy, .user = d
	};
}

static void
close(struct desk *d)
{
	line_reader_drop(&d->reader);
	assert_true(worker_destroy(d->worker, 600000));
	loop_destroy(d->loop);
	raw_message_finish(&d->last);
	buf_finish(&d->read);
}

/* A string that begins with this letter; without its last quote it is no JSON. */
static void
add(struct desk *d, char letter, size_t len, bool whole)
{
	char *text = mem_alloc(len + 2);

	memset(text, letter, len + 2);
	text[0] = '"';
	if (whole)
		text[len + 1] = '"';
	struct raw_message message;
	raw_message_init(&message, (struct frame_line){ .bytes = blob_from_bytes(text, len + 2) });
	line_reader_add(&d->reader, &message);
	free(text);
}

static void
test_lines_keep_their_order(void **state)
{
	struct desk d;

	open(&d);
	add(&d, 'a', 1, true);
	assert_string_equal(buf_text(&d.read), "a");
	assert_int_equal(d.calls, 0);
	add(&d, 'b', BIG, true);
	assert_int_equal(line_reader_busy(&d.reader), BIG + 2);
	assert_int_equal(d.calls, 1);
	add(&d, 'c', 1, true);
	add(&d, 'd', BIG, false);
	add(&d, 'e', BIG, true);
	add(&d, 'f', 1, true);
	assert_string_equal(buf_text(&d.read), "a");
	TURN_UNTIL(d.loop, line_reader_busy(&d.reader) == 0);
	assert_string_equal(buf_text(&d.read), "abcdef");
	add(&d, 'g', 1, true);
	assert_string_equal(buf_text(&d.read), "abcdefg");
	close(&d);
}

static void
test_a_big_line_reads_like_a_small_one(void **state)
{
	struct desk d;

	for (int whole = 0; whole < 2; whole++) {
		for (int later = 0; later < 2; later++) {
			open(&d);
			d.reader.worker = later ? d.worker : NULL;
			add(&d, 'x', BIG, whole);
			assert_int_equal(line_reader_busy(&d.reader) > 0, later);
			TURN_UNTIL(d.loop, d.read.len == 1);
			assert_int_equal(d.last.doc != NULL, whole);
			assert_int_equal(d.last.flaw[0] != '\0', !whole);
			close(&d);
		}
	}
}

static void
test_what_is_dropped_never_comes(void **state)
{
	struct desk d;

	open(&d);
	add(&d, 'a', BIG, true);
	add(&d, 'b', 1, true);
	line_reader_drop(&d.reader);
	assert_int_equal(line_reader_busy(&d.reader), 0);
	add(&d, 'c', BIG, true); /* of the next process */
	TURN_UNTIL(d.loop, line_reader_busy(&d.reader) == 0);
	assert_string_equal(buf_text(&d.read), "c");
	add(&d, 'd', BIG, true); /* and the end finds one under way */
	close(&d);
}

static void
test_the_owner_may_drop_from_a_line(void **state)
{
	struct desk d;

	open(&d);
	d.drop_at_line = true;
	add(&d, 'a', BIG, true);
	add(&d, 'b', 1, true);
	TURN_UNTIL(d.loop, d.read.len > 0);
	assert_string_equal(buf_text(&d.read), "a");
	assert_int_equal(line_reader_busy(&d.reader), 0);
	close(&d);
}

TEST_FILE(reader)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_keep_their_order),
		cmocka_unit_test(test_a_big_line_reads_like_a_small_one),
		cmocka_unit_test(test_what_is_dropped_never_comes),
		cmocka_unit_test(test_the_owner_may_drop_from_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
