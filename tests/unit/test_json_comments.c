/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "json/splice.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Input left to the strict parser. */
static void
assert_blanked(const char *text, const char *expected)
{
	char *copy = mem_strdup(text);

	assert_true(json_blank_comments(copy, strlen(copy), NULL));
	json_blank_commas(copy, strlen(copy));
	assert_string_equal(copy, expected);
	free(copy);
}

static void
test_comments(void **state)
{
	assert_blanked("{} // end", "{}       ");
	assert_blanked("//a\r\n{}//", "   \r\n{}  ");
	assert_blanked("{/* a\n b */}", "{    \n     }");
	assert_blanked("/**/1", "    1");
	assert_blanked("/*/*/1", "     1");
	assert_blanked("\xef\xbb\xbf{}", "   {}");
	assert_blanked("[1, // one, two\n 2]", "[1,            \n 2]");
}

static void
test_strings_stay(void **state)
{
	assert_blanked("\"http://x/*y*/,]\"", "\"http://x/*y*/,]\"");
	assert_blanked("\"\\\"//\" //", "\"\\\"//\"   ");
	assert_blanked("\"\\\\\"//", "\"\\\\\"  ");
	assert_blanked("\"open //", "\"open //");
	assert_blanked("\"open \\", "\"open \\");
}

static void
test_commas(void **state)
{
	assert_blanked("[1,]", "[1 ]");
	assert_blanked("{\"a\":[1, 2 ,\n],\n}", "{\"a\":[1, 2  \n] \n}");
	assert_blanked("{\"a\":1, // x\n}", "{\"a\":1      \n}");
	/* what stays wrong */
	assert_blanked("[,]", "[,]");
	assert_blanked("[1,,]", "[1,,]");
	assert_blanked("{\"a\":,}", "{\"a\":,}");
	assert_blanked(",]", ",]");
	assert_blanked("", "");
	assert_blanked("/", "/");
}

static void
test_open_comment(void **state)
{
	char text[] = "{\n  \"a\": 1, /* never\n}";
	struct json_error error;

	assert_false(json_blank_comments(text, strlen(text), &error));
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 11);
	assert_int_equal(error.offset, 12);
	assert_string_equal(error.text, "this comment does not end");
	char shortest[] = "/*/";
	assert_false(json_blank_comments(shortest, 3, NULL));
}

/* A NUL is not a blank, and not an end either. */
static void
test_any_byte(void **state)
{
	char text[] = "[1,\0]";

	assert_true(json_blank_comments(text, 5, NULL));
	json_blank_commas(text, 5);
	assert_memory_equal(text, "[1,\0]", 5);
}

TEST_FILE(json_comments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_strings_stay),
		cmocka_unit_test(test_commas),
		cmocka_unit_test(test_open_comment),
		cmocka_unit_test(test_any_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
