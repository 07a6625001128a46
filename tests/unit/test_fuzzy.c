/* SPDX-License-Identifier: MIT */
#include "base/text_match.h"
#include "base/vec.h"
#include "test.h"

#include <stdbool.h>
#include <string.h>

static int
points(const char *word, const char *name)
{
	struct fuzzy f;

	fuzzy_init(&f, word, strlen(word));
	return fuzzy_match(&f, name, strlen(name), NULL);
}

static void
test_letters_in_their_order(void **state)
{
	static const struct {
		const char *word, *name;
		bool matches;
	} rows[] = {
		{ "jrn", "journal", true },
		{ "lu", "list_users", true },
		{ "LU", "list_users", true },
		{ "list_users", "list_users", true },
		{ "ul", "lu", false },
		{ "listt", "list", false },
		{ "x", "list_users", false },
		{ "", "list_users", false },
		{ "a", "", false },
		{ "ab", "xaab", true },
		{ "aab", "abab", true }, /* not by the nearest start */
		{ "\xc3\xa9", "caf\xc3\xa9", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if ((points(rows[i].word, rows[i].name) > 0) != rows[i].matches)
			fail_msg("%s in %s", rows[i].word, rows[i].name);
}

/* Each name is better than the next. */
static void
test_order_of_matches(void **state)
{
	static const struct {
		const char *word, *names[5];
	} rows[] = {
		{ "call", { "call", "calls", "copy_all_local_lists", "recall", "cxaxlxlx" } },
		{ "lu", { "lu", "lung", "list_users", "allure", "oil-cure" } },
		{ "user", { "user", "users", "list_users", "superuser", "bunsexr" } },
		{ "gi", { "git", "fetch_git", "getItem", "magic" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int before = 1000;
		for (size_t k = 0; k < ARRAY_LEN(rows[i].names) && rows[i].names[k]; k++) {
			int now = points(rows[i].word, rows[i].names[k]);
			if (now <= 0 || now >= before)
				fail_msg("%s in %s: %d after %d", rows[i].word, rows[i].names[k],
				    now, before);
			before = now;
		}
	}
}

static void
test_matched_letters(void **state)
{
	struct fuzzy f;
	uint16_t at[FUZZY_LETTERS];

	fuzzy_init(&f, "lus", 3);
	assert_true(fuzzy_match(&f, "full_list_users", 15, at));
	assert_int_equal(at[0], 5);
	assert_int_equal(at[1], 10);
	assert_int_equal(at[2], 11);
}

/* Long words and names count as far as the bounds go. */
static void
test_bounds(void **state)
{
	static char name[5000], word[500];

	memset(name, 'a', sizeof(name) - 1);
	memset(word, 'a', sizeof(word) - 1);
	assert_true(points(word, name));
	name[4000] = 'b';
	assert_false(points("ab", name));
	name[200] = 'b';
	assert_true(points("ab", name));
}

static void
test_letters(void **state)
{
	uint64_t name = fuzzy_letters("List_Users", 10);

	assert_true((name & fuzzy_letters("us", 2)) == fuzzy_letters("us", 2));
	assert_false((name & fuzzy_letters("ux", 2)) == fuzzy_letters("ux", 2));
}

TEST_FILE(fuzzy)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters_in_their_order),
		cmocka_unit_test(test_order_of_matches),
		cmocka_unit_test(test_matched_letters),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
