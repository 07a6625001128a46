/* SPDX-License-Identifier: MIT */
/* Command lines as words, without a shell. */
#include "base/strings.h"

#include "base/buf.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

static void
test_split(void **state)
{
	static const struct {
		const char *line, *words; /* each in brackets; "!" and why not */
	} rows[] = {
		{ "a", "[a]" },
		{ "  a 'b c'\td\"e f\"g\n", "[a][b c][de fg]" },
		{ "\\\"h '' \"\" x\\ y", "[\"h][][][x y]" },
		{ "'a\\b' \"c\\\"d\\\\e\\nf\"", "[a\\b][c\"d\\e\\nf]" },
		{ "$HOME `x` ~ * ; # a=b", "[$HOME][`x`][~][*][;][#][a=b]" },
		{ "a\\", "[a\\]" },
		{ "a 'b", "!a quote does not end" },
		{ "a \"b\\\"", "!a quote does not end" },
		{ " \t\n", "!it has no words" },
		{ "", "!it has no words" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		struct err err = { "" };
		struct strings words = { 0 };
		bool ok = strings_split_command(&words, rows[i].line, &err);
		for (size_t w = 0; w < words.len; w++)
			buf_addf(&out, "[%s]", words.items[w]);
		if (!ok)
			buf_addf(&out, "!%s", err.text);
		assert_string_equal(buf_text(&out), rows[i].words);
		strings_finish(&words);
		buf_finish(&out);
	}
}

/* A server's command is edited in a line and read again: any bytes come back. */
static void
test_words_come_back(void **state)
{
	static const char *const rows[] = { "plain", "", "two words", "cd x\nexec node y", "a\tb",
		"say \"hi\" \\ 'you'", "\xff\x01", "heart \xef\xb8\x8f", "$HOME !1 #", "\n" };
	struct buf line = BUF_INIT;
	struct strings words = { 0 };
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_add_str(&line, i ? " " : "");
		strings_add_word(&line, rows[i]);
	}
	assert_true(strings_split_command(&words, buf_text(&line), &err));
	assert_int_equal(words.len, ARRAY_LEN(rows));
	for (size_t i = 0; i < words.len; i++)
		assert_string_equal(words.items[i], rows[i]);
	strings_finish(&words);
	buf_finish(&line);
}

TEST_FILE(words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_words_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
