/* SPDX-License-Identifier: MIT */
/* Programs started instead of Chromium: how they are started, how their end is reported, and that
 * neither they nor their folders remain. */
#include "base/mem.h"
#include "engine/parts.h"
#include "fixture.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct scene {
	char folder[40]; /* anybody may write to it */
	char *program;
	struct loop *loop;
	struct engine *engine;
};

static char *
in_folder(const struct scene *s, const char *name)
{
	return mem_printf("%s/%s", s->folder, name);
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f, "%s", text);
	fclose(f);
}

/* The file's content, which the caller frees; waits for its last character. */
static char *
read_file(struct scene *s, const char *name, char last)
{
	char *path = in_folder(s, name), *text = mem_zalloc(8192);

	TURN_UNTIL(s->loop, access(path, F_OK) == 0);
	for (size_t len = 0; len == 0 || text[len - 1] != last;) {
		FILE *f = fopen(path, "r");
		assert_non_null(f);
		len = fread(text, 1, 8191, f);
		fclose(f);
		loop_turn(s->loop, 5);
	}
	free(path);
	return text;
}

/* Install a shell script as the program; $D is the folder. */
static void
scene_init(struct scene *s, const char *script, struct engine_options options)
{
	*s = (struct scene){ .folder = "/tmp/engine-start-XXXXXX" };
	assert_non_null(mkdtemp(s->folder));
	assert_int_equal(chmod(s->folder, 0777), 0);
	setenv("TMPDIR", s->folder, 1);
	s->program = in_folder(s, "chromium");
	char *text = mem_printf("#!/bin/sh\nD=%s\n%s\n", s->folder, script);
	write_file(s->program, text);
	free(text);
	chmod(s->program, 0755);
	s->loop = loop_create(NULL, NULL, NULL);
	options.program = s->program;
	s->engine = engine_create(s->loop, &options, NULL);
	engine_start(s->engine);
}

static int
folders(const struct scene *s)
{
	char *command = mem_printf("ls %s | grep -c mcpane-engine", s->folder);
	FILE *f = popen(command, "r");
	int count = -1;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &count), 1);
	pclose(f);
	free(command);
	return count;
}

static void
scene_finish(struct scene *s)
{
	pid_t pid = engine_status(s->engine)->pid;

	engine_destroy(s->engine);
	if (pid)
		TURN_UNTIL(s->loop, group_is_gone(pid));
	assert_int_equal(folders(s), 0);
	child_end_all(s->loop);
	loop_destroy(s->loop);
	char *command = mem_printf("rm -r %s", s->folder);
	assert_int_equal(system(command), 0);
	free(command);
	free(s->program);
}

#define status(s) engine_status((s)->engine)
#define ANSWER "printf '{\"id\":1,\"result\":{\"product\":\"HeadlessChrome/156.0\"}}\\0' >&4; "

static void
test_it_gets_nothing_of_ours(void **unused)
{
	struct scene s;
	int other = fcntl(STDERR_FILENO, F_DUPFD, 40); /* without FD_CLOEXEC */

	assert_int_equal(other, 40);
	setenv("MCPANE_TEST_SECRET", "treasure", 1);
	scene_init(&s,
	    "F=; for n in 0 1 2 3 4 5 6 7 8 9 40; do [ -e /proc/$$/fd/$n ] && F=\"$F $n\"; done; "
	    "{ env; echo fds$F.; echo uid $(id -u) $(id -G); echo net "
	    "$(sed 1,2d /proc/net/dev | cut -d: -f1); echo shm $(ls -a /dev/shm | wc -l); echo "
	    "args "
	    "\"$*\"; ulimit -c; echo done; } >$D/facts; " ANSWER "cat <&3 >/dev/null",
	    (struct engine_options){ 0 });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_READY);
	char *facts = read_file(&s, "facts", '\n');
	assert_null(strstr(facts, "treasure"));
	assert_non_null(strstr(facts, "HOME=/dev/shm\n"));
	if (getuid() == 0)
		assert_non_null(strstr(facts, "uid 65534 65534\n"));
	assert_non_null(strstr(facts, "net lo\n"));
	assert_non_null(strstr(facts, "shm 2\n"));
	assert_non_null(strstr(facts, "--remote-debugging-pipe "));
	assert_null(strstr(facts, "--no-sandbox"));
	assert_non_null(strstr(facts, "\n0\ndone\n"));
	assert_non_null(strstr(facts, "fds 0 1 2 3 4.\n"));
	assert_non_null(strstr(facts, "PWD=/\n"));
	assert_int_equal(folders(&s), 0);
	free(facts);
	close(other);
	scene_finish(&s);
}

static void
test_no_sandbox_is_refused(void **unused)
{
	static const char script[] =
	    "case \"$*\" in *--no-sandbox*) echo ran >$D/unsandboxed; " ANSWER
	    "exec cat <&3 >/dev/null;; esac\n"
	    "echo '[1:1:0101/1.2:FATAL:x.cc(1)] No usable sandbox! ... use --no-sandbox.' >&2; "
	    "exit 1";
	struct scene s;

	scene_init(&s, script, (struct engine_options){ 0 });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_FAILED);
	assert_string_equal(status(&s)->reason,
	    "Chromium cannot sandbox what apps run here: it needs user namespaces, or type: apt "
	    "install chromium-sandbox");
	char *ran = in_folder(&s, "unsandboxed");
	assert_int_not_equal(access(ran, F_OK), 0);
	free(ran);
	scene_finish(&s);

	scene_init(&s, script, (struct engine_options){ .allow_unsandboxed = true });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_READY);
	assert_true(status(&s)->unsandboxed);
	assert_string_equal(status(&s)->network, "none by Chromium's options only");
	assert_int_equal(folders(&s), 1); /* its files, because it has no private file system */
	scene_finish(&s);
}

static void
test_one_more_start(void **unused)
{
	struct scene s;

	scene_init(&s,
	    "if [ ! -e $D/once ]; then : >$D/once; exit 7; fi; " ANSWER "cat <&3 >/dev/null",
	    (struct engine_options){ 0 });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_READY);
	scene_finish(&s);

	scene_init(&s, "echo x >>$D/starts; echo '[1:ERROR:y.cc] it hurts' >&2; exit 7",
	    (struct engine_options){ 0 });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_FAILED);
	assert_string_equal(status(&s)->reason, "Chromium has ended: exit code 7: it hurts");
	char *starts = read_file(&s, "starts", '\n');
	assert_string_equal(starts, "x\nx\n");
	free(starts);
	scene_finish(&s);
}

static void
test_silent_program_is_ended(void **unused)
{
	struct scene s;

	scene_init(&s, "echo $$ >>$D/pids; sleep 1000", (struct engine_options){ .start_ms = 300 });
	TURN_UNTIL(s.loop, status(&s)->state == ENGINE_FAILED);
	assert_string_equal(status(&s)->reason, "Chromium does not answer");
	char *pids = read_file(&s, "pids", '\n');
	for (char *at = pids; *at; at++) {
		pid_t pid = (pid_t)strtol(at, &at, 10);
		TURN_UNTIL(s.loop, group_is_gone(pid));
	}
	free(pids);
	scene_finish(&s);
}

static void
test_what_is_found(void **unused)
{
	struct err err;

	assert_null(engine_find("/nonexistent/chromium", &err));
	assert_string_equal(err.text, "/nonexistent/chromium: no such program");
	char *found = engine_find("sh", &err);
	assert_non_null(found);
	assert_int_equal(found[0], '/');
	free(found);
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct engine_options options = { .program = "no-such-chromium" };
	struct engine *engine = engine_create(loop, &options, NULL);
	engine_start(engine);
	assert_int_equal(engine_status(engine)->state, ENGINE_FAILED);
	assert_string_equal(engine_status(engine)->reason, "no-such-chromium: no such program");
	engine_destroy(engine);
	loop_destroy(loop);
}

/* A stale folder of another mcpane is removed, but not the targets of its links. A folder in use
 * stays. */
static void
test_sweep(void **unused)
{
	char parent[] = "/tmp/engine-sweep-XXXXXX";
	struct engine_folder used;
	struct err err;

	assert_non_null(mkdtemp(parent));
	char *left = mem_printf("%s/mcpane-engine-left", parent);
	char *make =
	    mem_printf("set -e; mkdir -p %s/files/a/b %s/kept; echo x >%s/kept/x; echo x "
		       ">%s/files/a/b/y; ln -s ../../../../kept %s/files/a/link; ln -s kept "
		       "%s/mcpane-engine-link; : >%s/lock",
		left, parent, parent, left, left, parent, left);
	assert_int_equal(system(make), 0);
	assert_true(engine_folder_create(&used, parent, 0, 0, &err));
	engine_folders_sweep(parent);
	assert_int_not_equal(access(left, F_OK), 0);
	char *kept = mem_printf("%s/kept/x", parent);
	assert_int_equal(access(kept, F_OK), 0);
	assert_int_equal(access(used.path, F_OK), 0);
	char *path = mem_strdup(used.path);
	engine_folder_remove(&used);
	assert_int_not_equal(access(path, F_OK), 0);
	char *clean = mem_printf("rm -r %s", parent);
	assert_int_equal(system(clean), 0);
	free(clean);
	free(path);
	free(kept);
	free(make);
	free(left);
}

TEST_FILE(engine_start)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_gets_nothing_of_ours),
		cmocka_unit_test(test_no_sandbox_is_refused),
		cmocka_unit_test(test_one_more_start),
		cmocka_unit_test(test_silent_program_is_ended),
		cmocka_unit_test(test_what_is_found),
		cmocka_unit_test(test_sweep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
