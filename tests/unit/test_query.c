/* SPDX-License-Identifier: MIT */
/* jq expressions: results, errors with their positions, and limits. */
#include "base/mem.h"
#include "base/vec.h"
#include "host/confined.h"
#include "loop/child.h"
#include "pane/structured/structured.h"

#include "fixture.h"
#include "json/rows.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const char value[] = "{\"users\":[{\"name\":\"Ada\",\"age\":36,\"tags\":[\"a\"]},"
			    "{\"name\":\"Bo\",\"odd key\":1}],\"n\":1}";

static const struct {
	const char *expression, *text, *trouble;
	size_t at;
} rows[] = {
	{ ".n", "[1]", "", QUERY_NOWHERE },
	{ ".users[].name", "[\"Ada\",\"Bo\"]", "", QUERY_NOWHERE },
	{ "empty", "[]", "", QUERY_NOWHERE },
	{ ".n | foo", "[]", "foo/0 is not defined", 5 },
	{ ".n |\n  bar(1)", "[]", "bar/1 is not defined", 7 },
	{ ".n | (", "[]", "the expression ends too early", 6 },
	{ ".n )", "[]", "syntax error, unexpected character", 3 },
	{ "\"x", "[]", "the string does not end", 1 },
	{ ". as $x | $y", "[]", "$y is not defined", 10 },
	{ ".n[]", "[]", "Cannot iterate over number (1)", QUERY_NOWHERE },
	{ ".users[] | .age + 1, error(\"no\")", "[37]", "no", QUERY_NOWHERE },
	{ "error({a: 1})", "[]", "{\"a\":1}", QUERY_NOWHERE },
	{ "input", "[]", "there is no more input", QUERY_NOWHERE },
	{ "1 | debug", "[1]", "", QUERY_NOWHERE },
};

static void
test_results(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct query_answer a;
		assert_true(query_run(rows[i].expression, value, strlen(value), &a));
		assert_string_equal(buf_text(&a.text), rows[i].text);
		assert_string_equal(a.trouble.text, rows[i].trouble);
		assert_int_equal(a.at, rows[i].at);
		query_answer_finish(&a);
	}
}

static void
test_bounds(void **state)
{
	struct query_answer a;

	assert_true(query_run("range(1e12)", "1", 1, &a));
	assert_int_equal(a.count, QUERY_MAX_RESULTS);
	assert_true(a.more);
	query_answer_finish(&a);
	assert_true(query_run("repeat(\"x\" * 1000000)", "1", 1, &a));
	assert_int_equal(a.count, 8);
	assert_true(a.more);
	query_answer_finish(&a);
}

/* As worded by jq 1.6 and by jq 1.7. */
static void
test_places(void **state)
{
	struct query_answer a = { .at = 0 };

	query_read_error(".a | foo",
	    "jq: error: foo/0 is not defined at <top-level>, line 1:\n"
	    ".a | foo     ",
	    &a);
	assert_int_equal(a.at, 5);
	query_read_error(".a |\nfoo",
	    "jq: error: foo/0 is not defined at <top-level>, line 2, "
	    "column 1:\n    foo\n    ^^^",
	    &a);
	assert_int_equal(a.at, 5);
	query_read_error(".", "jq: error: x at <top-level>, line 99:\n", &a);
	assert_int_equal(a.at, 0);
	query_read_error(".", "jq: error: x at <top-level>, line 1, column 0:\n", &a);
	assert_int_equal(a.at, 1);
	query_read_error(".", "", &a);
	assert_int_equal(a.at, QUERY_NOWHERE);
	query_read_error(".", "jq: error: one\ntwo at <top-level>, line 1:\n.", &a);
	assert_string_equal(a.trouble.text, "one");
}

/* ---- in a separate process ---- */

static size_t done_count;

static void
on_done(struct query_job *job)
{
	done_count++;
}

static struct query_job
job_of(const char *expression)
{
	struct query_job job = { .expression = expression, .done = on_done };

	buf_add_str(&job.value, value);
	return job;
}

static struct query_answer
answer_of(const char *expression)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct confined *confined = confined_create(loop, fixture("decoder"), 0);
	struct query_job job = job_of(expression);

	done_count = 0;
	assert_true(query_submit(confined, &job));
	TURN_UNTIL(loop, done_count == 1);
	confined_destroy(confined);
	child_hand_over(loop);
	loop_destroy(loop);
	return job.answer;
}

static void
test_process(void **state)
{
	static const char *const cases[][3] = {
		{ ".users | length", "[2]", "" },
		{ "env, $ENV", "[{},{}]", "" },
		{ "import \"/etc/hostname\" as $x; $x", "[]", "module not found: /etc/hostname" },
		{ "include \"a\"; .", "[]", "module not found: a" },
		{ "\"/etc/passwd\" | modulemeta", "[]", "module not found: /etc/passwd" },
		{ "now | localtime | length", "[8]", "" },
		{ "1 | debug | stderr", "[1]", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct query_answer a = answer_of(cases[i][0]);
		assert_string_equal(a.trouble.text, cases[i][2]);
		assert_string_equal(buf_text(&a.text), cases[i][1]);
		query_answer_finish(&a);
	}
}

static void
test_memory_and_time(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	skip(); /* no limit of memory then */
#endif
	if (under_valgrind())
		skip();
	struct query_answer a = answer_of("reduce range(40) as $i (\"x\"; . + .)");
	assert_string_equal(a.trouble.text, "jq crashed, or needs more than 512 MiB of memory");
	query_answer_finish(&a);
	a = answer_of("range(1e12) | select(. < 0)");
	assert_string_equal(a.trouble.text, "jq gave no result: it took too long");
	query_answer_finish(&a);
}

/* It ends at once, and the next one runs. */
static void
test_stop(void **state)
{
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct confined *confined = confined_create(loop, fixture("decoder"), 0);
	struct query_job jobs[4];

	done_count = 0;
	for (size_t i = 0; i < 4; i++) {
		jobs[i] = job_of(i == 3 ? ".n" : "[range(1e12)]");
		assert_true(query_submit(confined, &jobs[i]));
	}
	query_stop(confined, &jobs[2]); /* it waits */
	query_stop(confined, &jobs[0]); /* it runs */
	assert_int_equal(done_count, 2);
	assert_string_equal(jobs[0].answer.trouble.text, "jq gave no result: it was stopped");
	TURN_UNTIL(loop, done_count == 3);
	assert_string_equal(buf_text(&jobs[3].answer.text), "[1]");
	query_answer_finish(&jobs[3].answer);
	confined_destroy(confined);
	assert_int_equal(done_count, 4);
	child_hand_over(loop);
	loop_destroy(loop);
}

/* ---- completion ---- */

static void
check_words(const struct json_doc *doc, const char *text, const char *expected)
{
	struct query_words words = { .from = 0 };
	struct buf all = BUF_INIT;

	query_complete(text, strlen(text), json_root(doc), &words);
	strings_join(&words.words, " ", &all);
	if (strcmp(buf_text(&all), expected) != 0)
		fail_msg("%s: %s instead of %s", text, buf_text(&all), expected);
	buf_finish(&all);
	strings_finish(&words.words);
	strings_finish(&words.notes);
}

static void
test_completion(void **state)
{
	static const char *const cases[][2] = {
		{ ".", "users n" },
		{ ".u", "users" },
		{ ".users", "users[]" },
		{ ".users[].", "name age tags \"odd key\"" },
		{ ".users[].na", "name" },
		{ ".users[0].a", "age" },
		{ ".users[].\"o", "\"odd key\"" },
		{ ".users[]|.na", "name" },
		{ ".users[] | select(.a", "age" },
		{ ".users[] | select(.age > 3) | .na", "name" },
		{ ".users | map(.na", "name" },
		{ ".users | map(.name) | .", "" },
		{ ".users | map(select(.age > 1)) | .[] | .t", "tags" },
		{ ".users | sort_by(.age) | .[].t", "tags" },
		{ "[.users[] | .", "name age tags \"odd key\"" },
		{ "[.users[]] | .[].na", "name" },
		{ ".users[] as $u | .", "users n" },
		{ "{x: .u", "users" },
		{ "\"text .\" | .", "" },
		{ "\"text .u", "" },
		{ ".n, .u", "users" },
		{ ".nothing.", "" },
		{ "sel", "select(" },
		{ ".users | so", "sort sort_by(" },
		{ ")))].u", "users" },
	};
	struct json_doc *doc = json_parse(value, strlen(value), NULL, NULL);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_words(doc, cases[i][0], cases[i][1]);
	json_doc_destroy(doc);

	/* The same where the arrays are lazy, as they are in a large document. */
	doc = json_parse(value, strlen(value), &(struct json_options){ .lazy_bytes = 1 }, NULL);
	assert_true(json_is_lazy(json_get(json_root(doc), "users")));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_words(doc, cases[i][0], cases[i][1]);
	json_doc_destroy(doc);
}

TEST_FILE(query)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_memory_and_time),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_completion),
	};
	struct err err;

	if (!query_load(&err)) {
		fprintf(stderr, "SKIPPED, loudly: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
