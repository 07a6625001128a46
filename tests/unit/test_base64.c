/* SPDX-License-Identifier: MIT */
#include "base/base64.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

/* RFC 4648, section 10, and bytes of all kinds. */
static const struct {
	const char *bytes;
	size_t len;
	const char *text;
} rows[] = {
	{ "", 0, "" },
	{ "f", 1, "Zg==" },
	{ "fo", 2, "Zm8=" },
	{ "foo", 3, "Zm9v" },
	{ "foob", 4, "Zm9vYg==" },
	{ "fooba", 5, "Zm9vYmE=" },
	{ "foobar", 6, "Zm9vYmFy" },
	{ "\0\377\376", 3, "AP/+" },
};

static const char *const broken[] = { "Z", "Zg", "Zg=", "Z===", "=", "====", "Zg==Zg==", "Zm9\n",
	"Zm 9", "Zm9v=", "Zm9vYm=y", "Zm-_" };

static void
test_both_ways(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		base64_add(&out, rows[i].bytes, rows[i].len, BASE64_PLAIN);
		assert_string_equal(buf_text(&out), rows[i].text);
		buf_clear(&out);
		assert_true(base64_decode(&out, rows[i].text, strlen(rows[i].text)));
		assert_int_equal(out.len, rows[i].len);
		assert_memory_equal(buf_text(&out), rows[i].bytes, rows[i].len);
		buf_finish(&out);
	}
}

static void
test_broken(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		struct buf out = BUF_INIT;
		if (base64_decode(&out, broken[i], strlen(broken[i])))
			fail_msg("taken: %s", broken[i]);
		buf_finish(&out);
	}
}

TEST_FILE(base64)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
