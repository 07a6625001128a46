/* SPDX-License-Identifier: MIT */
#include "base/ascii.h"
#include "test.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* No other byte matches, even if it shares bits with these. */
static void
test_digits(void **state)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	for (int c = CHAR_MIN; c <= CHAR_MAX; c++) {
		const char *at = c ? memchr(digits, c, strlen(digits)) : NULL;
		int value = at ? (int)(at - digits) : -1;
		assert_int_equal(hex_digit((char)c), value > 15 ? value - 6 : value);
	}
}

static void
test_numbers(void **state)
{
	static const char cut[] = { '2' }; /* the byte after it is out of bounds */

	assert_int_equal(hex_number("2F", 2), 0x2f);
	assert_int_equal(hex_number("00e9", 4), 0xe9);
	assert_int_equal(hex_number("Ffffff9", 6), 0xffffff);
	assert_int_equal(hex_number("2", 2), -1);
	assert_int_equal(hex_number("", 2), -1);
	assert_int_equal(hex_number("g0", 2), -1);
	assert_int_equal(hex_number("\x12\x13", 2), -1);
	assert_int_equal(hex_number(cut, sizeof(cut)), 2);
}

/* Every byte, as a char and as a code point, and code points beyond. */
static void
test_classes(void **state)
{
	for (int c = CHAR_MIN; c <= 0x20000; c++) {
		bool ascii = c >= 0 && c < 0x80;
		uint32_t ch = (uint32_t)c;
		assert_int_equal(ascii_is_digit(ch), ascii && c && strchr("0123456789", c));
		assert_int_equal(ascii_is_letter(ch), ascii && isalpha(c));
		assert_int_equal(ascii_is_alnum(ch), ascii && isalnum(c));
		assert_int_equal(ascii_lower(ch), ascii ? (uint32_t)tolower(c) : ch);
		assert_int_equal(ascii_upper(ch), ascii ? (uint32_t)toupper(c) : ch);
	}
}

TEST_FILE(ascii)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
