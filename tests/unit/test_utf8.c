/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "base/buf.h"
#include "base/vec.h"
#include "test.h"

#include <stdbool.h>
#include <string.h>

static size_t
decode(const char *s, uint32_t *cp)
{
	return utf8_decode(s, strlen(s), cp);
}

static void
test_every_code_point_survives(void **state)
{
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		char bytes[4];
		size_t len = utf8_encode(cp, bytes);
		uint32_t back = 0;
		assert_int_equal(utf8_decode(bytes, len, &back), len);
		bool surrogate = cp >= 0xd800 && cp <= 0xdfff;
		assert_int_equal(back, surrogate ? 0xfffd : cp);
		assert_int_equal(len, cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4);
		for (size_t cut = 0; cut < len; cut++)
			assert_int_equal(utf8_decode(bytes, cut, &back), 0);
	}
	char bytes[4];
	assert_int_equal(utf8_encode(0x110000, bytes), 3);
	assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
	assert_int_equal(utf8_encode(0xffffffff, bytes), 3);
}

static void
test_what_is_not_utf8(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc2",
		"\xc2\x20",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xe2\x82",
		"\xe2\x28\xa1",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xf0\x80\x80\x80",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xf8\x88\x80\x80\x80",
		"\xff",
		"\xfe",
		"\xf0\x9f\x8e",
		"\xf0\x9f\x8e\x20",
	};
	uint32_t cp;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(decode(bad[i], &cp), 0);
		assert_int_equal(utf8_first_invalid(bad[i], strlen(bad[i])), 0);
	}
	assert_int_equal(decode("", &cp), 0);
}

static void
test_first_invalid(void **state)
{
	assert_int_equal(utf8_first_invalid("", 0), 0);
	assert_int_equal(utf8_first_invalid("aé€🎉", 10), 10);
	assert_int_equal(utf8_first_invalid("aé€🎉", 9), 6);
	assert_int_equal(utf8_first_invalid("ab\xff"
					    "c",
			     4),
	    2);
}

static void
test_cuts(void **state)
{
	static const struct {
		const char *text;
		size_t max;
		const char *cut;
	} rows[] = {
		{ "", 0, "" },
		{ "abc", 3, "abc" },
		{ "abc", 2, "ab…" },
		{ "abc", 0, "…" },
		{ "aé€🎉", 10, "aé€🎉" },
		{ "aé€🎉", 9, "aé€…" },
		{ "aé€🎉", 6, "aé€…" },
		{ "aé€🎉", 5, "aé…" },
		{ "aé€🎉", 2, "a…" },
		{ "\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80…" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		utf8_add_cut(&out, rows[i].text, strlen(rows[i].text), rows[i].max);
		assert_string_equal(buf_text(&out), rows[i].cut);
		buf_finish(&out);
	}
	char copy[4];
	utf8_copy(copy, sizeof(copy), "a€b");
	assert_string_equal(copy, "a");
	utf8_copy(copy, sizeof(copy), "€");
	assert_string_equal(copy, "€");
}

TEST_FILE(utf8)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_code_point_survives),
		cmocka_unit_test(test_what_is_not_utf8),
		cmocka_unit_test(test_first_invalid),
		cmocka_unit_test(test_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
