/* SPDX-License-Identifier: MIT */
#include "base/text_match.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

static const char *
meant(const char *word)
{
	static const char *const names[] = { "list", "call", "read", "get", "complete", "ping",
		"check", "conformance", "logout", "help" };
	struct did_you_mean l;

	did_you_mean_init(&l, word, strlen(word));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		did_you_mean_try(&l, names[i]);
	return l.name;
}

static void
test_meant(void **state)
{
	assert_string_equal(meant("lst"), "list");
	assert_string_equal(meant("lsit"), "list");
	assert_string_equal(meant("lists"), "list");
	assert_string_equal(meant("hlep"), "help");
	assert_string_equal(meant("complet"), "complete");
	assert_string_equal(meant("conformence"), "conformance");
	assert_string_equal(meant("cehck"), "check");
}

static void
test_not_meant(void **state)
{
	static const char long_word[] = "listlistlistlistlistlistlistlistlistlist";

	assert_null(meant(""));
	assert_null(meant("x"));
	assert_null(meant("node"));
	assert_null(meant("server.js"));
	assert_null(meant("zzzzzzzz"));
	assert_null(meant(long_word));
}

/* Only a limited number of the word's bytes count. */
static void
test_length(void **state)
{
	struct did_you_mean l;

	did_you_mean_init(&l, "lst=3", 3);
	did_you_mean_try(&l, "list");
	assert_string_equal(l.name, "list");
	assert_int_equal(l.changes, 1);
}

TEST_FILE(did_you_mean)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meant),
		cmocka_unit_test(test_not_meant),
		cmocka_unit_test(test_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
