/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>

struct numbers {
	int *items;
	size_t len, cap;
};

static void
test_push(void **state)
{
	struct numbers v = { 0 };

	for (int i = 0; i < 1000; i++)
		*VEC_PUSH(&v) = i;
	assert_int_equal(v.len, 1000);
	assert_true(v.cap >= v.len);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(v.items[i], i);
	free(v.items);
}

static void
test_remove(void **state)
{
	struct numbers v = { 0 };

	for (int i = 0; i < 5; i++)
		*VEC_PUSH(&v) = i;
	VEC_REMOVE(&v, 0);
	VEC_REMOVE(&v, 1);
	VEC_REMOVE(&v, 2);
	assert_int_equal(v.len, 2);
	assert_int_equal(v.items[0], 1);
	assert_int_equal(v.items[1], 3);
	VEC_REMOVE(&v, 1);
	VEC_REMOVE(&v, 0);
	assert_int_equal(v.len, 0);
	free(v.items);
}

TEST_FILE(vec)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_push),
		cmocka_unit_test(test_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
