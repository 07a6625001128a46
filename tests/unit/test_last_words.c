/* SPDX-License-Identifier: MIT */
#include "base/last_words.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

static void
assert_words(const char *text, size_t lines, const char *why, const char *tail)
{
	struct last_words w = last_words_of(text, lines);

	assert_string_equal(w.tail, tail);
	if (!why) {
		assert_null(w.why);
		return;
	}
	assert_non_null(w.why);
	assert_int_equal(w.why_len, strlen(why));
	assert_memory_equal(w.why, why, w.why_len);
}

static void
test_tail(void **state)
{
	assert_words("", 3, NULL, "");
	assert_words("\n\n", 3, NULL, "\n\n");
	assert_words("a", 1, NULL, "a");
	assert_words("a\nb\nc\n", 2, NULL, "b\nc\n");
	assert_words("a\nb\nc\n\n\n", 1, NULL, "c\n\n\n");
	assert_words("a\nb\nc", 3, NULL, "a\nb\nc");
	assert_words("a\nb\nc", 0, NULL, "c");
}

/* Crash reports of five languages: the message before the backtrace. */
static void
test_why(void **state)
{
	static const struct {
		const char *text, *why;
	} reports[] = {
		{ "thread 'main' panicked at src/main.rs:41:9:\nindex out of bounds\nstack "
		  "backtrace:\n   0: std::panicking\n   1: core",
		    "thread 'main' panicked at src/main.rs:41:9:\nindex out of bounds" },
		{ "panic: runtime error: no luck\n\ngoroutine 1 [running]:\nmain.main()\n\t/m.go:5",
		    "panic: runtime error: no luck" },
		{ "/x.js:3\n    throw new Error('no')\n    ^\n\nError: no\n    at f (/x.js:3:7)\n  "
		  "  "
		  "at g (/x.js:5:1)\n\nNode.js v22.1.0",
		    "Error: no" },
		{ "Exception in thread \"main\" java.lang.Error: a\n\tat A.b(A.java:1)\nCaused by: "
		  "java.io.IOException: b\n\tat C.d(C.java:2)\n\t... 3 more",
		    "Caused by: java.io.IOException: b" },
		{ "Traceback (most recent call last):\n  File \"x.py\", line 1\n    f()\n"
		  "sqlite3.OperationalError: no such table\nclosing\ndone",
		    "sqlite3.OperationalError: no such table" },
	};

	for (size_t i = 0; i < ARRAY_LEN(reports); i++) {
		struct last_words w = last_words_of(reports[i].text, 2);
		assert_non_null(w.why);
		assert_int_equal(w.why_len, strlen(reports[i].why));
		assert_memory_equal(w.why, reports[i].why, w.why_len);
		assert_null(last_words_of(reports[i].text, 100).why);
	}
	assert_words("Traceback:\n  File 1\nValueError: no", 1, NULL, "ValueError: no");
	assert_words("no error here\nFoo Error: x\n: Error\na\nb", 2, NULL, "a\nb");
	assert_words("panic: ", 0, NULL, "panic: ");
	assert_words("Caused by:\n", 1, NULL, "Caused by:\n");
}

static void
test_cause(void **state)
{
	static const struct {
		const char *text, *cause;
	} reports[] = {
		{ "npm warn old\nnpm error code E404\nnpm error 404 Not Found\nbye\n",
		    "npm error code E404\nnpm error 404 Not Found" },
		{ "error 1\nerror 2\nerror 3\nerror 4\n", "error 1\nerror 2\nerror 3" },
		{ "starting\nbash: line 1: pyhton3: command not found\nbye",
		    "bash: line 1: pyhton3: command not found" },
		{ "Traceback (most recent call last):\n  File 1\nImportError: x",
		    "ImportError: x" },
		{ "FATAL", "FATAL" },
	};

	for (size_t i = 0; i < ARRAY_LEN(reports); i++) {
		struct last_words w = last_words_of(reports[i].text, 1);
		assert_non_null(w.cause);
		assert_int_equal(w.cause_len, strlen(reports[i].cause));
		assert_memory_equal(w.cause, reports[i].cause, w.cause_len);
	}
	assert_null(last_words_of("listening on 3000\nbye", 5).cause);
	assert_null(last_words_of("", 5).cause);
}

TEST_FILE(last_words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
