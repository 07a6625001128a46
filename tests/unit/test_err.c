/* SPDX-License-Identifier: MIT */
/* Run-time errors are texts; programming errors end the program. */
#include "base/err.h"
#include "test.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_set(void **state)
{
	struct err err;

	assert_false(err_set(&err, "%s: %d", "a", 1));
	assert_string_equal(err.text, "a: 1");
	assert_false(err_set(&err, "%5000d", 1));
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_false(err_set(NULL, "nobody asks"));
}

/* The output of a SIGABRT handler. */
static void
on_abort(int number)
{
	static const char end[] = ": 1 > 0";
	size_t len = strlen(bug_text);

	_exit(len > sizeof(end) && strcmp(bug_text + len - sizeof(end) + 1, end) == 0 ? 7 : 8);
}

static int
end_of(void (*handler)(int))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
		signal(SIGABRT, handler);
		BUG_IF(1 < 0);
		BUG_IF(1 > 0);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void
test_bug(void **state)
{
	assert_string_equal(bug_text, "");
	assert_int_equal(end_of(SIG_DFL), 128 + SIGABRT);
	assert_int_equal(end_of(on_abort), 7);
}

TEST_FILE(err)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_bug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
