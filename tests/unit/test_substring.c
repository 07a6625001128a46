/* SPDX-License-Identifier: MIT */
#include "base/text_match.h"
#include "test.h"

#include <string.h>

static bool
found(const char *text, const char *in)
{
	struct substring n;

	substring_init(&n, text, strlen(text));
	bool is_in = substring_is_in(&n, in, strlen(in));
	substring_finish(&n);
	return is_in;
}

static void
test_found(void **state)
{
	assert_true(found("", ""));
	assert_true(found("", "abc"));
	assert_true(found("a", "a"));
	assert_true(found("BC", "abcd"));
	assert_true(found("cd", "ABCD"));
	assert_true(found("aab", "aaaab"));
	assert_true(found("é", "caf\xc3\xa9"));
	assert_true(found("[@`{", "x[@`{y"));
}

static void
test_not_found(void **state)
{
	assert_false(found("a", ""));
	assert_false(found("abc", "ab"));
	assert_false(found("ac", "abc"));
	assert_false(found("É", "é")); /* ASCII only */
	assert_false(found("@", "`"));
	assert_false(found("[", "{"));
}

static void
test_any_bytes(void **state)
{
	static const char bytes[] = "a\0B\xff"
				    "c";
	struct substring n;

	substring_init(&n, "b\xff", 2);
	assert_true(substring_is_in(&n, bytes, sizeof(bytes) - 1));
	assert_false(substring_is_in(&n, bytes, 3));
	substring_finish(&n);
	substring_init(&n, "a\0b", 3);
	assert_true(substring_is_in(&n, bytes, sizeof(bytes) - 1));
	assert_false(substring_is_in(&n, "ab", 2));
	substring_finish(&n);
	assert_null(n.text);
}

TEST_FILE(substring)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_not_found),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
