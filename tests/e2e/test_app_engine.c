/* SPDX-License-Identifier: MIT */
/* The app engine is missing, too old, killed or stopped while an app runs, or mcpane is killed: a
 * line reports it, R tries again, and no process remains. */
#include "base/mem.h"
#include "base/vec.h"
#include "e2e.h"
#include "fixture.h"
#include "host/app_house.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens an app of tests/apps/evil, which is never at rest, with that engine; NULL: the usual
 * one. */
static struct terminal *
open_app(void **state, const char *engine, const char *text)
{
	const char *argv[12] = { NULL }, **at = argv;

	if (engine) {
		*at++ = "--apps-engine";
		*at++ = engine;
	}
	*at++ = "--";
	*at++ = terminal_fixture("appserver");
	*at++ = "tests/apps/evil";
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .rows = 40, .cols = 120, .argv = argv });
	terminal_wait_text(t, "escapes");
	e2e_run(t, "app flood");
	if (engine && access(engine, X_OK) != 0)
		e2e_run(t, "app"); /* opens alone only where apps can run */
	e2e_wait(t, text);
	return t;
}

static pid_t
parent_of(const char *pid)
{
	char path[300], text[512] = "";
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	FILE *f = fopen(path, "r");
	size_t len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[len] = '\0';
	const char *end = strrchr(text, ')');
	return end && sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* The process of Chromium that mcpane started, the leader of its group; 0: none yet. */
static pid_t
running_engine(struct terminal *t)
{
	DIR *proc = opendir("/proc");
	pid_t found = 0;

	assert_non_null(proc);
	for (const struct dirent *e = readdir(proc); e && !found; e = readdir(proc)) {
		char path[300], line[4096] = "";
		if (parent_of(e->d_name) != terminal_pid(t))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/cmdline", e->d_name);
		FILE *f = fopen(path, "r");
		size_t len = f ? fread(line, 1, sizeof(line) - 1, f) : 0;
		if (f)
			fclose(f);
		static const char mark[] = "--remote-debugging-pipe";
		if (memmem(line, len, mark, sizeof(mark) - 1))
			found = (pid_t)strtol(e->d_name, NULL, 10);
	}
	closedir(proc);
	return found;
}

static bool
engine_runs(struct terminal *t, void *found)
{
	return (*(pid_t *)found = running_engine(t)) > 0;
}

/* A picture of the last engine may still be on the screen while the next one starts. */
static pid_t
find_engine(struct terminal *t)
{
	pid_t found = 0;

	terminal_wait_until(t, engine_runs, &found);
	return found;
}

static bool
group_has_gone(struct terminal *t, void *group)
{
	return group_is_gone(*(pid_t *)group);
}

static void
try_again(struct terminal *t)
{
	e2e_press(t, "R");
	terminal_wait_gone(t, "does not run");
	e2e_wait(t, "flood 1");
}

/* While frames and messages arrive. */
static void
test_killed(void **state)
{
	struct terminal *t = open_app(state, NULL, "flood 1");
	pid_t engine = find_engine(t);

	kill(engine, SIGKILL);
	e2e_wait(t, "Chromium has ended: killed by SIGKILL");
	e2e_see(t, "R try again");
	terminal_wait_until(t, group_has_gone, &engine);
	try_again(t);
	assert_int_not_equal(find_engine(t), engine);
	e2e_leave(t);
}

static void
test_stopped(void **state)
{
	struct terminal *t = open_app(state, NULL, "flood 1");
	pid_t engine = find_engine(t);

	kill(-engine, SIGSTOP);
	e2e_wait(t, "does not answer");
	e2e_wait(t, "Chromium stopped responding and was ended");
	terminal_wait_until(t, group_has_gone, &engine);
	try_again(t);
	e2e_leave(t);
}

/* It is installed while the app is open. */
static void
test_missing(void **state)
{
	char folder[] = "/tmp/app-engine-XXXXXX";

	assert_non_null(mkdtemp(folder));
	char *path = mem_printf("%s/chromium", folder);
	struct terminal *t = open_app(state, path, "chromium: no such program");

	e2e_see(t, "R try again");
	e2e_press(t, "R");
	e2e_wait(t, "chromium: no such program");
	assert_int_equal(symlink("/usr/lib/chromium/chromium-headless-shell", path), 0);
	try_again(t);
	e2e_leave(t);
	unlink(path);
	rmdir(folder);
	free(path);
}

/* A script instead of Chromium. */
static char *
make_engine(char *folder, const char *script)
{
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	char *path = mem_printf("%s/chromium", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(f) | chmod(path, 0755), 0);
	return path;
}

static void
refuse_engine(void **state, const char *script, const char *text)
{
	char folder[] = "/tmp/app-engine-XXXXXX";
	char *path = make_engine(folder, script);
	struct terminal *t = open_app(state, path, text);

	e2e_see(t, "R try again");
	e2e_leave(t);
	unlink(path);
	rmdir(folder);
	free(path);
}

static void
test_too_old(void **state)
{
	refuse_engine(state,
	    "printf '{\"id\":1,\"result\":{\"product\":\"HeadlessChrome/100.0.1\"}}\\0' >&4; sleep "
	    "60",
	    "HeadlessChrome/100.0.1 is too old: apps need version 121 or newer");
}

static void
test_not_chromium(void **state)
{
	refuse_engine(state, "echo 'cannot open shared object' >&2; exit 3",
	    "Chromium has ended: exit code 3: cannot open shared object");
}

static size_t
folders_in(const char *parent)
{
	DIR *list = opendir(parent);
	size_t count = 0;

	assert_non_null(list);
	for (const struct dirent *e = readdir(list); e; e = readdir(list))
		count += strncmp(e->d_name, "mcpane-", strlen("mcpane-")) == 0;
	closedir(list);
	return count;
}

static void
test_mcpane_is_killed(void **state)
{
	char folder[] = "/tmp/app-engine-XXXXXX";

	assert_non_null(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	struct terminal *t = open_app(state, NULL, "flood 1");
	unsetenv("TMPDIR");
	pid_t engine = find_engine(t);
	kill(terminal_pid(t), SIGKILL);
	assert_int_equal(terminal_wait_exit(t), -SIGKILL);
	terminal_wait_processes(t, 0); /* collects those that lost their parent, too */
	assert_true(group_is_gone(engine));
	assert_int_equal(folders_in(folder), 0);
	rmdir(folder);
}

#define TEST(name) cmocka_unit_test_teardown(test_##name, e2e_teardown)

TEST_FILE(app_engine)
{
	const struct CMUnitTest tests[] = {
		TEST(killed),
		TEST(stopped),
		TEST(missing),
		TEST(too_old),
		TEST(not_chromium),
		TEST(mcpane_is_killed),
	};

	if (!app_house_can_run(NULL)) {
		print_message("SKIPPED: chromium-headless-shell is not installed\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
