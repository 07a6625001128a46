/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
test_append(void **state)
{
	struct buf b = BUF_INIT;

	assert_string_equal(buf_text(&b), "");
	assert_true(buf_add(&b, "ab\0c", 4));
	assert_true(buf_add_str(&b, "de"));
	assert_true(buf_add_char(&b, '!'));
	assert_true(buf_addf(&b, "%d-%s", 42, "x"));
	assert_int_equal(b.len, 11);
	assert_memory_equal(b.data, "ab\0cde!42-x", 12); /* and a NUL behind */
	assert_true(buf_add(&b, NULL, 0));
	buf_finish(&b);
	assert_null(b.data);
	assert_true(buf_add_str(&b, "again"));
	assert_string_equal(buf_text(&b), "again");
	buf_finish(&b);
	buf_finish(NULL);
}

static void
test_long_format(void **state)
{
	struct buf b = BUF_INIT;

	assert_true(buf_addf(&b, "%01000d", 7));
	assert_int_equal(b.len, 1000);
	assert_int_equal(b.data[999], '7');
	buf_finish(&b);
}

static void
test_bound(void **state)
{
	struct buf b;

	buf_init(&b, 5);
	assert_true(buf_add_str(&b, "12345"));
	assert_false(b.overflowed);
	assert_false(buf_add_char(&b, '6'));
	assert_true(b.overflowed);
	assert_string_equal(buf_text(&b), "12345");
	assert_false(buf_addf(&b, "%d", 7));
	assert_null(buf_reserve(&b, 1));
	buf_clear(&b);
	assert_false(b.overflowed);
	assert_int_equal(b.len, 0);
	assert_false(buf_add_str(&b, "123456"));
	assert_int_equal(b.len, 0);
	assert_null(buf_reserve(&b, SIZE_MAX));
	buf_finish(&b);
	assert_int_equal(b.max, 5);
}

static void
test_no_bound_is_no_wrap(void **state)
{
	struct buf b = BUF_INIT;

	assert_true(buf_add_str(&b, "x"));
	assert_null(buf_reserve(&b, SIZE_MAX - 1));
	assert_true(b.overflowed);
	buf_finish(&b);
}

static void
test_reserve(void **state)
{
	struct buf b = BUF_INIT;
	char *room = buf_reserve(&b, 3);

	memcpy(room, "abc", 3);
	buf_commit(&b, 2);
	assert_string_equal(buf_text(&b), "ab");
	buf_finish(&b);
}

static void
test_shorten(void **state)
{
	struct buf b = BUF_INIT;

	buf_consume(&b, 0);
	buf_truncate(&b, 0);
	buf_add_str(&b, "abcdef");
	buf_consume(&b, 2);
	assert_string_equal(buf_text(&b), "cdef");
	buf_truncate(&b, 9);
	assert_string_equal(buf_text(&b), "cdef");
	buf_truncate(&b, 1);
	assert_string_equal(buf_text(&b), "c");
	buf_consume(&b, 1);
	assert_string_equal(buf_text(&b), "");
	buf_finish(&b);
}

static void
test_detach(void **state)
{
	struct buf b;

	buf_init(&b, 10);
	char *empty = buf_detach(&b);
	assert_string_equal(empty, "");
	free(empty);
	buf_add_str(&b, "mine");
	char *mine = buf_detach(&b);
	assert_string_equal(mine, "mine");
	free(mine);
	assert_null(b.data);
	assert_int_equal(b.len, 0);
	assert_int_equal(b.max, 10);
}

static void
test_growth_is_cheap(void **state)
{
	struct buf b = BUF_INIT;

	for (int i = 0; i < 1000000; i++)
		buf_add_char(&b, (char)('a' + i % 26));
	assert_int_equal(b.len, 1000000);
	assert_int_equal(strlen(b.data), 1000000);
	assert_true(b.cap < 2000000);
	buf_finish(&b);
}

static void
test_replace(void **state)
{
	struct buf b = BUF_INIT;

	buf_add(&b, "a\0key=1, key=1", 14);
	buf_replace(&b, "key=1", "(hidden)");
	assert_int_equal(b.len, 20);
	assert_memory_equal(b.data, "a\0(hidden), (hidden)", 20);
	buf_replace(&b, "key", "x");
	assert_int_equal(b.len, 20);
	buf_finish(&b);
	buf_replace(&b, "a", "b");
	assert_int_equal(b.len, 0);
	buf_finish(&b);
}

TEST_FILE(buf)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_append),
		cmocka_unit_test(test_long_format),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_no_bound_is_no_wrap),
		cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_shorten),
		cmocka_unit_test(test_detach),
		cmocka_unit_test(test_growth_is_cheap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
