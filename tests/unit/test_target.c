/* SPDX-License-Identifier: MIT */
/* Where a server is, and which parts are never shown. */
#include "host/target.h"

#include "base/mem.h"
#include "test.h"

#include <stdlib.h>

/* header NULL: none. */
static void
expect(const char *typed, const char *url, const char *name, const char *header)
{
	struct target t;

	target_from_url(&t, typed, NULL);
	assert_string_equal(t.url, url);
	assert_string_equal(t.label, url);
	assert_string_equal(t.name, name);
	if (header)
		assert_string_equal(t.headers[0], header);
	else
		assert_null(t.headers);
	target_finish(&t);
}

static void
test_logins(void **state)
{
	expect("http://h:1/a@b?c@d#e@f", "http://h:1/a@b?c@d#e@f", "h:1", NULL);
	expect("https://joe:pw@h/x", "https://h/x", "h", "Authorization: Basic am9lOnB3");
	expect("https://joe@h", "https://h", "h", "Authorization: Basic am9lOg==");
	expect(
	    "https://a:b%3a%40%zz%@h?x", "https://h?x", "h", "Authorization: Basic YTpiOkAlenol");
	expect("https://a@b:c@[::1]:8/", "https://[::1]:8/", "[::1]:8",
	    "Authorization: Basic YUBiOmM=");
	expect("https://@h/", "https://h/", "h", NULL);
	expect("joe:pw@h", "h", "h", "Authorization: Basic am9lOnB3");
	expect("", "", "", NULL);
}

static void
test_secret_query(void **state)
{
	static const char url[] = "https://h/mcp?token=abc&city=Bonn";
	struct target t;

	target_from_url(&t, url, NULL);
	assert_string_equal(t.url, url);
	assert_string_equal(t.label, "https://h/mcp?token=(hidden)&city=Bonn");
	target_finish(&t);
}

static void
test_typed_header_wins(void **state)
{
	char **headers = mem_zalloc(2 * sizeof(*headers));
	struct target t;

	headers[0] = mem_strdup("authorization: Bearer x");
	target_from_url(&t, "https://joe:pw@h/", headers);
	assert_string_equal(t.headers[0], "authorization: Bearer x");
	assert_null(t.headers[1]);
	target_finish(&t);
}

static const char *
value_of(void *user, const struct target_input *input)
{
	return user;
}

/* With inputs in it, it waits for their values. */
static void
test_inputs(void **state)
{
	struct target t = { .name = mem_strdup("n"),
		.label = target_url_without_login("https://joe:${input:pw}@h/"),
		.url = mem_strdup("https://joe:${input:pw}@h/") };
	char *argv[] = { (char *)"x", (char *)"--key=${input:pw", NULL };
	struct target_input input = { .id = mem_strdup("pw") };
	struct target filled;

	t.inputs.items = mem_dup(&input, sizeof(input));
	t.inputs.len = t.inputs.cap = 1;
	target_hide_login(&t);
	assert_null(t.headers);
	assert_string_equal(t.label, "https://h/");
	assert_true(target_fill(&filled, &t, value_of, (char[]){ "pw" }, NULL));
	assert_string_equal(filled.url, "https://h/");
	assert_string_equal(filled.headers[0], "Authorization: Basic am9lOnB3");
	target_finish(&filled);
	t.argv = argv;
	assert_true(target_fill(&filled, &t, value_of, (char[]){ "pw" }, NULL));
	assert_string_equal(filled.argv[1], "--key=${input:pw"); /* not one */
	target_finish(&filled);
	t.argv = NULL;
	target_finish(&t);
}

/* Each line: the value, and why it is not taken. */
static void
test_numbers(void **state)
{
	struct target_input number = {
		.number = true, .least = (char *)"1", .most = (char *)"65535"
	};
	struct target_input free_one = { .number = true, .otherwise = (char *)"" };
	struct target_input several = { .number = true, .multiple = true, .most = (char *)"1e1" };
	struct target_input low = { .number = true, .least = (char *)"-0.5" };
	char *options[] = { (char *)"a", NULL };
	struct target_input choice = { .options = options };
	const struct {
		const struct target_input *input;
		const char *value, *flaw;
	} rows[] = {
		{ &number, "1", NULL },
		{ &number, "65535", NULL },
		{ &number, "65535.5", "65535.5 is not from 1 to 65535" },
		{ &number, "0", "0 is not from 1 to 65535" },
		{ &number, "1e999", "1e999 is not from 1 to 65535" },
		{ &number, "0x10", "0x10 is not a number" },
		{ &number, "nan", "nan is not a number" },
		{ &number, "", "a number is needed" },
		{ &free_one, "", NULL },
		{ &free_one, "-3", NULL },
		{ &free_one, " ", "  is not a number" },
		{ &several, "1,2,10", NULL },
		{ &several, "1,11", "11 is more than 1e1" },
		{ &several, "1,", "a number is needed" },
		{ &low, "-1", "-1 is less than -0.5" },
		{ &choice, "a", NULL },
		{ &choice, "b", "b is not one of the choices" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct err err = { "" };
		assert_int_equal(inputs_take(rows[i].input, rows[i].value, &err), !rows[i].flaw);
		assert_string_equal(err.text, rows[i].flaw ? rows[i].flaw : "");
	}
}

TEST_FILE(target)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_logins),
		cmocka_unit_test(test_secret_query),
		cmocka_unit_test(test_typed_header_wins),
		cmocka_unit_test(test_inputs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
