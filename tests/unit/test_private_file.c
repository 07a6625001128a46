/* SPDX-License-Identifier: MIT */
/* A file with secrets: its owner, its permissions, and its content after a crash. */
#include "base/private_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "at_once.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[32], folder[48], path[64];

/* A name in the folder. */
static const char *
beside(const char *end)
{
	static char name[96];

	snprintf(name, sizeof(name), "%s%s", path, end);
	return name;
}

static int
set_up(void **state)
{
	snprintf(top, sizeof(top), "/tmp/mcpane-private-XXXXXX");
	if (!mkdtemp(top))
		return 1;
	snprintf(folder, sizeof(folder), "%s/in", top);
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

static int
tear_down(void **state)
{
	static const char *const ends[] = { "", ".new", ".lock", ".broken", ".other" };

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		unlink(beside(ends[i]));
	rmdir(folder);
	return rmdir(top);
}

static bool
put(const char *text, struct err *err)
{
	struct private_file f;

	if (!private_file_open(&f, path, false, err))
		return false;
	bool ok = private_file_write(&f, text, strlen(text), err);
	private_file_close(&f);
	return ok;
}

static void
check_content(const char *expected)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };
	bool there;

	if (!private_file_look(path, &text, &there, &err))
		fail_msg("%s", err.text);
	assert_string_equal(there ? buf_text(&text) : "(none)", expected);
	buf_finish(&text);
}

static int
mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	return (int)(st.st_mode & 07777);
}

static void
test_modes(void **state)
{
	mode_t before = umask(0);

	check_content("(none)");
	assert_true(put("one", NULL));
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(mode_of(folder), 0700);
	assert_int_equal(mode_of(beside(".lock")), 0600);
	/* permissions that were widened are narrowed again */
	assert_int_equal(chmod(path, 0644) | chmod(folder, 0755), 0);
	check_content("one");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(mode_of(folder), 0700);
	assert_true(put("two", NULL));
	check_content("two");
	umask(0777);
	assert_true(put("three", NULL));
	assert_int_equal(mode_of(path), 0600);
	umask(before);
}

/* A file put in its place is neither read nor written through. */
static void
test_links(void **state)
{
	struct err err = { "" };
	struct buf text = BUF_INIT;
	bool there;

	assert_true(put("one", NULL));
	assert_int_equal(rename(path, beside(".other")), 0);
	assert_int_equal(symlink("file.other", path), 0);
	assert_false(private_file_look(path, &text, &there, &err));
	assert_non_null(strstr(err.text, "is a symbolic link, which is not followed"));
	/* a file that was left there by a crash, or put there */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("file.other", beside(".new")), 0);
	assert_true(put("two", NULL));
	check_content("two");
	assert_true(path_read_file(beside(".other"), &text, NULL));
	assert_string_equal(buf_text(&text), "one");
	/* no link is a lock */
	assert_int_equal(unlink(beside(".lock")) | symlink("file.other", beside(".lock")), 0);
	assert_false(put("three", &err));
	assert_non_null(strstr(err.text, "cannot be locked"));
	check_content("two");
	buf_finish(&text);
}

static void
test_what_is_no_file(void **state)
{
	struct err err = { "" };
	struct buf text = BUF_INIT;
	bool there;

	assert_true(put("one", NULL));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(private_file_look(path, &text, &there, &err)); /* and does not hang */
	assert_non_null(strstr(err.text, "not a regular file"));
	unlink(path);
	if (geteuid() != 0)
		return;
	assert_true(put("one", NULL));
	assert_int_equal(chown(path, 1, 1), 0);
	assert_false(private_file_look(path, &text, &there, &err));
	assert_non_null(strstr(err.text, "belongs to another user"));
	assert_int_equal(chown(path, 0, 0) | chown(folder, 1, 1), 0);
	assert_false(private_file_look(path, &text, &there, &err));
	assert_false(put("two", &err));
	assert_non_null(strstr(err.text, "belongs to another user"));
	assert_int_equal(chown(folder, 0, 0), 0);
	check_content("one");
	buf_finish(&text);
}

/* Several programs count in one file: no count is lost, even if some die. */
static bool
add_one(bool shared)
{
	struct private_file f;
	struct buf text = BUF_INIT;
	char next[24];
	bool there;

	while (!private_file_open(&f, path, shared, NULL)) {
	}
	bool ok = private_file_read(&f, &text, &there, NULL);
	snprintf(next, sizeof(next), "%ld", strtol(buf_text(&text), NULL, 10) + 1);
	ok = ok && private_file_write(&f, next, strlen(next), NULL);
	private_file_close(&f);
	buf_finish(&text);
	return ok;
}

enum { PROGRAMS = 4, TIMES = 25 };

static bool
count(int number)
{
	bool ok = true;

	for (int i = 0; ok && i < TIMES; i++)
		ok = add_one(number % 2 == 0);
	return ok;
}

static void
test_turns(void **state)
{
	char all[16];

	at_once(PROGRAMS, count);
	snprintf(all, sizeof(all), "%d", PROGRAMS * TIMES);
	check_content(all);
}

/* A file that the user edits too: a link to it is followed, and its modes are the user's. */
static void
test_shared(void **state)
{
	struct private_file f;
	struct buf text = BUF_INIT;
	struct err err = { "" };
	bool there;

	assert_true(private_file_open(&f, path, true, &err));
	assert_true(private_file_read(&f, &text, &there, &err));
	assert_false(there);
	assert_true(private_file_write(&f, "one", 3, &err));
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(rename(path, beside(".other")) | symlink("file.other", path), 0);
	assert_int_equal(chmod(beside(".other"), 0644) | chmod(folder, 0755), 0);
	assert_true(private_file_write(&f, "two", 3, &err));
	assert_true(private_file_read(&f, &text, &there, &err));
	assert_true(there);
	assert_string_equal(buf_text(&text), "two");
	private_file_close(&f);
	assert_int_equal(mode_of(beside(".other")), 0644);
	assert_int_equal(mode_of(folder), 0755);
	assert_int_equal(mode_of(path), 0777); /* a link still */
	assert_int_equal(unlink(path) | mkfifo(path, 0600), 0);
	assert_true(private_file_open(&f, path, true, &err));
	assert_false(private_file_read(&f, &text, &there, &err));
	assert_non_null(strstr(err.text, "is not a regular file"));
	private_file_close(&f);
	buf_finish(&text);
}

/* A process that dies while it holds the lock leaves the file unchanged and the lock free. */
static void
test_death(void **state)
{
	int status;

	assert_true(put("good", NULL));
	pid_t pid = fork();
	if (pid == 0) {
		struct private_file f;
		if (private_file_open(&f, path, false, NULL) &&
		    path_write_file(beside(".new"), "half", 4, NULL))
			raise(SIGKILL);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	check_content("good");
	assert_true(put("better", NULL));
	check_content("better");
	assert_int_not_equal(access(beside(".new"), F_OK), 0);
}

/* Two in one program are two as well; who does not let go is not waited for without end. */
static void
test_held(void **state)
{
	struct private_file f;
	struct err err = { "" };

	assert_true(private_file_open(&f, path, false, NULL));
	int64_t from_ms = clock_now_ms();
	assert_false(put("x", &err));
	assert_true(clock_now_ms() - from_ms >= PRIVATE_FILE_WAIT_MS);
	assert_non_null(strstr(err.text, "held by another program: nothing is written"));
	check_content("(none)");
	private_file_close(&f);
	assert_true(put("x", NULL));
}

static void
test_claims(void **state)
{
	int one, two, three;

	assert_true(private_file_claim("/nonexistent/in/file", 7, &one)); /* nothing to lock */
	assert_int_equal(one, -1);
	assert_true(put("x", NULL));
	assert_true(private_file_claim(path, 7, &one));
	assert_false(private_file_claim(path, 7, &two));
	assert_true(private_file_claim(path, UINT32_MAX, &three));
	assert_true(put("y", NULL)); /* a claim does not lock the file */
	close(one);
	assert_true(private_file_claim(path, 7, &two));
	close(two);
	close(three);
}

static void
test_set_aside(void **state)
{
	struct private_file f;
	struct buf text = BUF_INIT;

	assert_true(put("broken", NULL));
	assert_true(private_file_open(&f, path, false, NULL));
	assert_true(private_file_set_aside(&f, NULL));
	assert_false(private_file_set_aside(&f, NULL));
	private_file_close(&f);
	check_content("(none)");
	assert_true(path_read_file(beside(".broken"), &text, NULL));
	assert_string_equal(buf_text(&text), "broken");
	buf_finish(&text);
}

TEST_FILE(private_file)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_modes),
		TEST(test_links),
		TEST(test_what_is_no_file),
		TEST(test_turns),
		TEST(test_shared),
		TEST(test_death),
		TEST(test_held),
		TEST(test_claims),
		TEST(test_set_aside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
