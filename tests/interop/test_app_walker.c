/* SPDX-License-Identifier: MIT */
/*
 * The walker, the style sheet and the font in a real browser: of tests/apps/page.html they say the
 * same as in tests/apps/golden, each text in the same cells.
 */
#include "base/path.h"
#include "base/vec.h"
#include "json/doc.h"
#include "program.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT "build/app_walker"
#define GOLDEN "tests/apps/golden/page-100x44.json"

static struct json_doc *
read_json(const char *path)
{
	struct buf text = BUF_INIT;
	struct json_error error;
	struct err err;

	if (!path_read_file(path, &text, &err))
		fail_msg("%s", err.text);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, &error);
	assert_non_null(doc);
	buf_finish(&text);
	return doc;
}

static double
number(const cJSON *row, int index)
{
	const cJSON *at = json_first(row);

	while (index-- > 0)
		at = at->next;
	return at->valuedouble;
}

static void
assert_same_cell(const cJSON *row, const cJSON *expected)
{
	assert_int_equal(floor(number(row, 0) / 8 + 0.5), floor(number(expected, 0) / 8 + 0.5));
	assert_int_equal(floor((number(row, 1) + number(row, 3) / 2) / 16),
	    floor((number(expected, 1) + number(expected, 3) / 2) / 16));
}

static const char *
text_of(const cJSON *row)
{
	return cJSON_GetStringValue(json_first(row)->next->next->next->next);
}

/* What the walker says once the script has run in the page. */
static struct json_doc *
record(const char *script)
{
	const char *const argv[] = { "/usr/bin/env", "node", "tests/apps/record.mjs", "--wait", "0",
		"--size", "100x44", "--out", OUT, "--eval", script, "tests/apps/page.html", NULL };
	struct program p = { 0 };

	program_run(&p, argv);
	if (p.exit_code != 0)
		fail_msg("%s", buf_text(&p.err));
	program_free(&p);
	return read_json(OUT ".json");
}

static void
test_a_real_page(void **state)
{
	struct json_doc *doc = record("0"), *golden = read_json(GOLDEN);
	const cJSON *texts = json_get(json_root(doc), "text");
	const cJSON *expected = json_first(json_get(json_root(golden), "text"));
	for (const cJSON *row = json_first(texts); row;
	     row = row->next, expected = expected->next) {
		assert_non_null(expected);
		assert_string_equal(text_of(row), text_of(expected));
		assert_same_cell(row, expected);
	}
	assert_null(expected);
	assert_int_equal(json_count(json_get(json_root(doc), "targets")),
	    json_count(json_get(json_root(golden), "targets")));
	const cJSON *caret = json_get(json_root(doc), "caret");
	assert_true(number(caret, 0) == number(json_get(json_root(golden), "caret"), 0));
	json_doc_destroy(doc);
	json_doc_destroy(golden);
}

static bool
has_text(const struct json_doc *doc, const char *part)
{
	const cJSON *row = json_first(json_get(json_root(doc), "text"));

	while (row && strcmp(text_of(row), part) != 0)
		row = row->next;
	return row;
}

/* The list of a select is a part of the page, and covers what is below it. */
static void
test_an_open_list_covers_text(void **state)
{
	struct json_doc *doc = record("document.querySelector('select').showPicker()");

	assert_true(has_text(doc, "Second"));
	assert_false(has_text(doc, "A very long text that is…"));
	assert_true(has_text(doc, "SHOUTED LIGATURE FI"));
	json_doc_destroy(doc);
}

/* What a script changes unseen by any observer is in the next answer all the same. */
static void
test_a_field_that_a_script_fills(void **state)
{
	struct json_doc *doc = record("document.querySelector('input').value = 'filled'");

	assert_true(has_text(doc, "filled"));
	assert_false(has_text(doc, "hello wörld 日本"));
	json_doc_destroy(doc);
}

TEST_FILE(app_walker)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_a_real_page),
		cmocka_unit_test(test_an_open_list_covers_text),
		cmocka_unit_test(test_a_field_that_a_script_fills) };
	const char *const argv[] = { "/bin/sh", "-c",
		"command -v node && command -v chromium-headless-shell", NULL };
	struct program p = { 0 };

	program_run(&p, argv);
	int missing = p.exit_code;
	program_free(&p);
	if (missing) {
		fputs("SKIPPED: needs node and chromium-headless-shell\n", stderr);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
