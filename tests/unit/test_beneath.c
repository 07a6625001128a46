/* SPDX-License-Identifier: MIT */
/* Files that a project names: no link is followed, and nothing outside of the folder is reached. */
#include "base/beneath.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-beneath-XXXXXX";

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return mkdtemp(folder) && chdir(folder) == 0 && mkdir("project", 0755) == 0 &&
		       mkdir("outside", 0755) == 0 &&
		       path_write_file("outside/file", "secret", 6, NULL) &&
		       path_write_file("project/plain", "plain", 5, NULL) &&
		       symlink("../outside/file", "project/link") == 0 &&
		       symlink("../outside", "project/folder") == 0 &&
		       symlink("nowhere", "project/dangling") == 0 &&
		       mkfifo("project/pipe", 0600) == 0
		   ? 0
		   : 1;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int failed = chdir("/") + system(command);

	free(command);
	return failed;
}

static void
assert_file(const char *path, const char *expected)
{
	struct buf text = BUF_INIT;

	assert_true(path_read_regular(path, &text, NULL, NULL));
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
}

static void
assert_refused(const char *name, const char *why)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };
	bool there;

	if (beneath_read("project", name, &text, &there, &err) || !strstr(err.text, why))
		fail_msg("read %s: %s", name, err.text);
	assert_true(there);
	assert_int_equal(text.len, 0);
	if (beneath_write("project", name, "new", 3, &err) || !strstr(err.text, why))
		fail_msg("write %s: %s", name, err.text);
}

static void
test_refused(void **state)
{
	assert_refused("link", "project/link is a symbolic link, which is not followed");
	assert_refused("folder/file", "project/folder is a symbolic link");
	assert_refused("./folder//file", "project/./folder is a symbolic link");
	assert_refused("dangling", "project/dangling is a symbolic link");
	assert_refused("dangling/x/y", "project/dangling is a symbolic link");
	assert_refused("../outside/file", "leads out of its folder");
	assert_int_equal(mkdir("project/new", 0755), 0);
	assert_refused("new/../../outside/file", "leads out of its folder");
	assert_refused("pipe", "project/pipe is not a regular file");
	assert_file("outside/file", "secret");
	assert_int_not_equal(access("project/nowhere", F_OK), 0);
}

static void
test_missing(void **state)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };
	bool there = true;

	assert_true(beneath_read("project", "none", &text, &there, &err));
	assert_false(there);
	assert_true(beneath_read("project", "none/at/all", &text, &there, &err));
	assert_false(there);
	assert_true(beneath_read("project", "plain/file", &text, &there, &err));
	assert_false(there);
	assert_false(beneath_read("project", "none", &text, NULL, &err));
	assert_string_equal(err.text, "cannot open project/none: No such file or directory");
	assert_int_equal(beneath_open("project", "a/b", false, &(const char *){ NULL }, &err), -1);
	assert_int_not_equal(access("project/a", F_OK), 0);
}

/* The folder itself is the user's word, and may be a link. */
static void
test_written(void **state)
{
	struct buf text = { .max = 5 };
	struct stat st;
	struct err err = { "" };
	bool there;

	assert_int_equal(chmod("project/plain", 0640), 0);
	assert_int_equal(symlink("project", "named"), 0);
	assert_true(beneath_write("named", "plain", "12345", 5, &err));
	assert_file("project/plain", "12345");
	assert_int_equal(stat("project/plain", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_true(beneath_write("project/", "a/b/../c", "new", 3, &err));
	assert_file("project/a/c", "new");
	assert_int_equal(chdir("project"), 0);
	assert_true(beneath_read("", "plain", &text, &there, &err));
	assert_string_equal(buf_text(&text), "12345");
	assert_true(beneath_write("", "plain", "123456", 6, &err));
	buf_clear(&text);
	assert_false(beneath_read("", "plain", &text, &there, &err));
	assert_non_null(strstr(err.text, "is longer than 5 bytes"));
	buf_finish(&text);
}

/* With a reader that wants to keep it. */
static void
test_read_only(void **state)
{
	struct err err = { "" };

	assert_int_equal(chmod("project/plain", 0444), 0);
	assert_false(beneath_write("project", "plain", "new", 3, &err));
	assert_string_equal(err.text, "cannot write plain: Permission denied");
	assert_file("project/plain", "plain");
}

TEST_FILE(beneath)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_only, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
