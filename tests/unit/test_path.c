/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A separate directory for each test, in *state. */
static int
set_up(void **state)
{
	char *dir = mem_strdup("/tmp/mcpane-path-XXXXXX");

	*state = mkdtemp(dir);
	return *state ? 0 : -1;
}

static int
tear_down(void **state)
{
	char *dir = *state;
	DIR *d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));) {
		char *path = mem_printf("%s/%s", dir, e->d_name);
		if (e->d_name[0] != '.')
			remove(path);
		free(path);
	}
	if (d)
		closedir(d);
	rmdir(dir);
	free(dir);
	return 0;
}

static size_t
count_files(const char *dir)
{
	size_t count = 0;
	DIR *d = opendir(dir);

	for (struct dirent *e; (e = readdir(d));)
		count += e->d_name[0] != '.';
	closedir(d);
	return count;
}

static void
assert_content(const char *path, const char *bytes, size_t len)
{
	struct buf b = BUF_INIT;
	struct err err;

	assert_true(path_read_file(path, &b, &err));
	assert_int_equal(b.len, len);
	assert_memory_equal(buf_text(&b), bytes, len);
	buf_finish(&b);
}

static void
test_write_and_read(void **state)
{
	char *path = mem_printf("%s/file", (char *)*state);
	struct err err;

	assert_true(path_write_file(path, "one\0two", 7, &err));
	assert_content(path, "one\0two", 7);
	assert_true(path_write_file(path, "", 0, &err));
	assert_content(path, "", 0);
	assert_true(path_write_file("/dev/null", "gone", 4, &err)); /* written to, not replaced */
	assert_int_equal(count_files(*state), 1);                   /* no temporary stays behind */
	free(path);
}

static void
test_reading_appends_and_is_bounded(void **state)
{
	char *path = mem_printf("%s/file", (char *)*state);
	struct err err;
	struct buf b;
	char *large = mem_zalloc(300000);

	assert_true(path_write_file(path, large, 300000, &err));
	buf_init(&b, 300001);
	buf_add_char(&b, 'x');
	assert_true(path_read_file(path, &b, &err));
	assert_int_equal(b.len, 300001);
	buf_clear(&b);
	buf_add_str(&b, "xy");
	assert_false(path_read_file(path, &b, &err));
	assert_non_null(strstr(err.text, "longer than 300001 bytes"));
	buf_finish(&b);
	buf_init(&b, 0);
	assert_true(path_read_file(path, &b, &err));
	assert_int_equal(b.len, 300000);
	buf_finish(&b);
	free(large);
	free(path);
}

static void
test_clear_errors(void **state)
{
	char *missing = mem_printf("%s/missing", (char *)*state);
	char *below = mem_printf("%s/missing/file", (char *)*state);
	struct buf b = BUF_INIT;
	struct err err;

	assert_false(path_read_file(missing, &b, &err));
	assert_non_null(strstr(err.text, "No such file"));
	assert_false(path_read_file(*state, &b, &err));
	assert_non_null(strstr(err.text, "Is a directory"));
	assert_false(path_write_file(*state, "x", 1, &err));
	assert_non_null(strstr(err.text, "Is a directory"));
	assert_false(path_write_file(below, "x", 1, &err));
	assert_non_null(strstr(err.text, "No such file"));
	assert_false(path_read_file(missing, &b, NULL));
	assert_int_equal(b.len, 0);
	buf_finish(&b);
	free(missing);
	free(below);
}

static void
test_mode_and_links_are_kept(void **state)
{
	char *path = mem_printf("%s/file", (char *)*state),
	     *link = mem_printf("%s/link", (char *)*state);
	struct err err;
	struct stat st;

	assert_true(path_write_file(path, "1", 1, &err));
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_mode & S_IRUSR && st.st_mode & S_IWUSR && !(st.st_mode & S_IXUSR));
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_true(path_write_file(link, "22", 2, &err));
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_content(path, "22", 2);
	assert_int_equal(chmod(path, 0440), 0);
	assert_false(
	    path_write_file(link, "333", 3, &err)); /* also where the folder would let it */
	assert_non_null(strstr(err.text, "Permission denied"));
	assert_content(path, "22", 2);
	free(path);
	free(link);
}

static void
test_standard_input(void **state)
{
	int ends[2], old = dup(STDIN_FILENO);
	struct buf b = BUF_INIT;
	struct err err;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "typed", 5), 5);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	bool ok = path_read_file("-", &b, &err);
	if (old >= 0) {
		dup2(old, STDIN_FILENO);
		close(old);
	}
	assert_true(ok);
	assert_string_equal(buf_text(&b), "typed");
	buf_finish(&b);
}

static void
assert_config(const char *xdg, const char *home, const char *expected)
{
	if (xdg)
		setenv("XDG_CONFIG_HOME", xdg, 1);
	else
		unsetenv("XDG_CONFIG_HOME");
	if (home)
		setenv("HOME", home, 1);
	else
		unsetenv("HOME");
	char *path = path_of(PATH_CONFIG, "mcpanerc");
	if (expected)
		assert_string_equal(path, expected);
	else
		assert_null(path);
	free(path);
}

static void
test_config(void **state)
{
	assert_config("/x", "/home/u", "/x/mcpane/mcpanerc");
	assert_config(NULL, "/home/u", "/home/u/.config/mcpane/mcpanerc");
	assert_config("", "/home/u", "/home/u/.config/mcpane/mcpanerc");
	assert_config("relative", "/home/u", "/home/u/.config/mcpane/mcpanerc");
	assert_config(NULL, "", NULL);
	assert_config(NULL, NULL, NULL);
}

static void
test_state(void **state)
{
	setenv("XDG_STATE_HOME", "/s", 1);
	char *path = path_of(PATH_STATE, "x");
	assert_string_equal(path, "/s/mcpane/x");
	free(path);
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "/home/u", 1);
	path = path_of(PATH_STATE, "x");
	assert_string_equal(path, "/home/u/.local/state/mcpane/x");
	free(path);
}

static void
test_private(void **state)
{
	char folder[] = "/tmp/mcpane-private-XXXXXX";
	struct stat status;
	struct err err;

	assert_non_null(mkdtemp(folder));
	char *above = mem_printf("%s/a", folder), *below = mem_printf("%s/a/b", folder);
	char *path = mem_printf("%s/a/b/file", folder);
	assert_true(path_write_private(path, "one", 3, &err));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(stat(below, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	assert_int_equal(chmod(path, 0644), 0); /* wrong permissions are corrected */
	assert_true(path_write_private(path, "two", 3, &err));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(status.st_size, 3);
	assert_false(path_write_private("/proc/none/x", "", 0, &err));
	assert_memory_equal(err.text, "cannot write /proc/none/x: ", 27);
	unlink(path);
	rmdir(below);
	rmdir(above);
	rmdir(folder);
	free(path);
	free(below);
	free(above);
}

/* A special file is refused at once, even if reading it would never end. */
static void
test_regular(void **state)
{
	const char *path = *state;
	char *pipe_path = mem_printf("%s/pipe", path);
	struct buf b = BUF_INIT;
	struct err err = { "" };
	bool there;

	char *file = mem_printf("%s/file", path);
	assert_true(path_read_regular(file, &b, &there, &err));
	assert_false(there);
	assert_false(path_read_regular(file, &b, NULL, &err));
	assert_non_null(strstr(err.text, "No such file"));
	assert_true(path_write_file(file, "text", 4, &err));
	assert_true(path_read_regular(file, &b, &there, &err));
	assert_true(there);
	assert_string_equal(buf_text(&b), "text");
	b.max = 6;
	assert_false(path_read_regular(file, &b, &there, &err));
	assert_non_null(strstr(err.text, "is longer than 6 bytes"));
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	const char *const others[] = { pipe_path, path, "/dev/zero", "/dev/tty" };
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		assert_false(path_read_regular(others[i], &b, &there, &err));
		assert_true(there);
	}
	unlink(pipe_path);
	unlink(file);
	free(pipe_path);
	free(file);
	buf_finish(&b);
}

static void
test_clocks(void **state)
{
	int64_t us = clock_now_us(), ms = clock_now_ms();

	assert_true(us > 0 && ms >= us / 1000 && ms - us / 1000 < 60000);
	assert_true(clock_now_us() >= us);
	assert_true(clock_wall_ms() > INT64_C(1600000000000));
}

/* An existing file is left unchanged, even a dangling link. */
static void
test_new(void **state)
{
	static const char *const names[] = { "a.csv", "a-2.csv", "a-3.csv" };
	char *path = mem_printf("%s/a.csv", (char *)*state);
	char *link = mem_printf("%s/a-2.csv", (char *)*state);
	struct buf bytes = BUF_INIT;
	struct err err;

	for (int i = 0; i < 3; i += 2) {
		char *written = path_write_new(path, names[i], 5, &err);
		assert_non_null(written);
		assert_string_equal(path_file_name(written), names[i]);
		free(written);
		assert_int_equal(symlink("/nonexistent/x", link), i == 0 ? 0 : -1);
	}
	assert_true(path_read_regular(path, &bytes, NULL, &err));
	assert_string_equal(buf_text(&bytes), "a.csv");
	assert_null(path_write_new("/nonexistent/a.csv", "x", 1, &err));
	assert_non_null(strstr(err.text, "cannot write /nonexistent/a.csv"));
	buf_finish(&bytes);
	free(path);
	free(link);
}

/* What was written before the disk was full is removed. */
static void
test_new_on_a_full_disk(void **state)
{
	char *path = mem_printf("%s/full.csv", (char *)*state), *written;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	struct rlimit old, small;
	struct err err;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ 4, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	written = path_write_new(path, "a,b,c\n", 6, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, handler);
	assert_null(written);
	assert_non_null(strstr(err.text, "full.csv"));
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

TEST_FILE(path)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_write_and_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reading_appends_and_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clear_errors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mode_and_links_are_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_regular, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_new, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_new_on_a_full_disk, set_up, tear_down),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_private),
		cmocka_unit_test(test_clocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
