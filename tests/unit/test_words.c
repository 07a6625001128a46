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

TEST_FILE(words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
