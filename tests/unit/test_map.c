/* SPDX-License-Identifier: MIT */
/* Hash tables and lists of strings. */
#include "base/map.h"

#include "base/strings.h"
#include "test.h"

#define COUNT 5000

static int numbers[COUNT];

static size_t
count_of(const struct map *m, uint64_t hash)
{
	const int *number;
	size_t count = 0;

	MAP_EACH(m, hash, number)
		count++;
	return count;
}

static void
test_values_are_found_by_hash(void **state)
{
	struct map m = { 0 };
	const int *number;
	size_t all = 0;

	assert_int_equal(count_of(&m, 0), 0);
	for (int i = 0; i < COUNT; i++) {
		numbers[i] = i;
		map_add(&m, hash_word(1, (uint64_t)i), &numbers[i]);
	}
	assert_int_equal(m.len, COUNT);
	for (int i = 0; i < COUNT; i++) {
		size_t at = 0;
		number = map_next(&m, hash_word(1, (uint64_t)i), &at);
		assert_ptr_equal(number, &numbers[i]);
		assert_null(map_next(&m, hash_word(1, (uint64_t)i), &at));
		assert_int_equal(count_of(&m, hash_word(1, (uint64_t)i + COUNT)), 0);
	}
	MAP_ALL(&m, number)
		all += (size_t)*number;
	assert_int_equal(all, (size_t)COUNT * (COUNT - 1) / 2);
	map_clear(&m);
	assert_int_equal(count_of(&m, hash_word(1, 0)), 0);
	map_add(&m, 7, numbers);
	assert_int_equal(count_of(&m, 7), 1);
	map_finish(&m);
	assert_int_equal(m.len, 0);
	map_finish(&m);
}

/* Hashes that share the last slots of the table, so that probing wraps around. */
static void
test_equal_hashes_keep_their_order(void **state)
{
	struct map m = { 0 };

	for (int i = 0; i < COUNT / 10; i++) {
		const int *number;
		int next = 0;
		numbers[i] = i;
		map_add(&m, (uint64_t)-1 - (uint64_t)(i % 3), &numbers[i]);
		MAP_EACH(&m, (uint64_t)-1, number) {
			assert_int_equal(*number, next);
			next += 3;
		}
		assert_true(next > i - 3 && next <= i + 3);
	}
	map_finish(&m);
}

static void
test_strings(void **state)
{
	struct strings s = { 0 };
	struct buf out = BUF_INIT;

	strings_join(&s, ", ", &out);
	assert_string_equal(buf_text(&out), "");
	strings_add(&s, "b");
	strings_add(&s, "a");
	strings_add(&s, "c");
	assert_true(strings_have(&s, "a"));
	assert_false(strings_have(&s, ""));
	assert_int_equal(strings_index(&s, "c"), 2);
	assert_int_equal(strings_index(&s, "d"), 3);
	strings_remove(&s, 1);
	strings_join(&s, ", ", &out);
	assert_string_equal(buf_text(&out), "b, c");
	assert_null(strings_argv(&s)[2]);
	assert_int_equal(s.len, 2);
	strings_finish(&s);
	assert_null(strings_argv(&s)[0]);
	strings_finish(&s);
	buf_finish(&out);
}

TEST_FILE(map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_found_by_hash),
		cmocka_unit_test(test_equal_hashes_keep_their_order),
		cmocka_unit_test(test_strings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
