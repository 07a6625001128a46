/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "test.h"

#include <string.h>

static void
test_bytes_are_copied(void **state)
{
	char bytes[] = "a\0b";
	struct blob *blob = blob_from_bytes(bytes, 3);

	bytes[0] = 'x';
	assert_int_equal(blob->len, 3);
	assert_memory_equal(blob->data, "a\0b", 4);
	blob_unref(blob);
	blob = blob_from_bytes(NULL, 0);
	assert_int_equal(blob->len, 0);
	assert_string_equal(blob->data, "");
	blob_unref(blob);
	blob_unref(NULL);
}

static void
test_references(void **state)
{
	struct blob *blob = blob_from_bytes("x", 1);

	assert_ptr_equal(blob_ref(blob), blob);
	assert_int_equal(blob->refs, 2);
	blob_unref(blob);
	assert_string_equal(blob->data, "x"); /* still there */
	blob_unref(blob);
}

static void
test_takes_a_buffer(void **state)
{
	struct buf b;

	buf_init(&b, 100);
	buf_add(&b,
	    "12\0"
	    "4",
	    4);
	struct blob *blob = blob_take_buf(&b);
	assert_int_equal(blob->len, 4);
	assert_memory_equal(blob->data,
	    "12\0"
	    "4",
	    5);
	assert_int_equal(b.len, 0);
	assert_null(b.data);
	assert_int_equal(b.max, 100);
	blob_unref(blob);
	blob = blob_take_buf(&b);
	assert_int_equal(blob->len, 0);
	assert_string_equal(blob->data, "");
	blob_unref(blob);
}

TEST_FILE(blob)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_are_copied),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_takes_a_buffer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
