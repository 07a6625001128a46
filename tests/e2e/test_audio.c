/* SPDX-License-Identifier: MIT */
/* Audio is drawn, and played by a program of the user: its input, and how it ends. */
#include "base/mem.h"
#include "e2e.h"
#include "fixture.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct scene {
	char folder[40]; /* settings, the player's log, and temporary files */
	char *temporary;
	struct terminal *t;
};

/* how: the player ends. */
static struct scene
open_scene(void **state, const char *how)
{
	struct scene s = { .folder = "/tmp/mcpane-audio-XXXXXX" };

	assert_non_null(mkdtemp(s.folder));
	char *settings = mem_printf("%s/mcpane", s.folder);
	char *file = mem_printf("%s/config", settings);
	char *config = mem_printf("XDG_CONFIG_HOME=%s", s.folder);
	s.temporary = mem_printf("TMPDIR=%s/tmp", s.folder);
	assert_int_equal(mkdir(settings, 0700) || mkdir(s.temporary + strlen("TMPDIR="), 0700), 0);
	FILE *f = fopen(file, "w");
	fprintf(f, "player sh tests/fixtures/player.sh %s/log %s \"%%s\"\n", s.folder, how);
	fclose(f);
	s.t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("--demo"), .env = ARGV(config, s.temporary) });
	e2e_wait(s.t, "list_users");
	e2e_run(s.t, "tool mixed_content");
	e2e_press(s.t, "f5");
	e2e_wait(s.t, "audio/wav");
	e2e_run(s.t, "pane content");
	free(settings);
	free(file);
	free(config);
	return s;
}

static int
temporary_files(const struct scene *s)
{
	DIR *folder = opendir(s->temporary + strlen("TMPDIR="));
	int count = 0;

	assert_non_null(folder);
	for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
		count += e->d_name[0] != '.';
	closedir(folder);
	return count;
}

static void
close_scene(struct scene *s)
{
	char *remove = mem_printf("rm -r %s", s->folder);

	assert_int_equal(temporary_files(s), 0);
	assert_int_equal(system(remove), 0);
	free(remove);
	free(s->temporary);
}

static void
test_played_to_its_end(void **state)
{
	struct scene s = open_scene(state, "end");
	char *log = mem_printf("%s/log", s.folder);

	terminal_keys(s.t, "p");
	e2e_wait(s.t, "the sound has ended");
	e2e_file_has(log, "600 444\nRIFF");
	assert_int_equal(temporary_files(&s), 0);
	e2e_leave(s.t);
	close_scene(&s);
	free(log);
}

static void
test_stopped(void **state)
{
	struct scene s = open_scene(state, "hang");

	for (int i = 0; i < 2; i++) {
		e2e_press(s.t, "p");
		e2e_see(s.t, "playing the sound");
		terminal_wait_processes(s.t, 2);
		assert_int_equal(temporary_files(&s), 1);
		e2e_press(s.t, "p");
		e2e_see(s.t, "stopped playing");
		terminal_wait_processes(s.t, 1);
		assert_int_equal(temporary_files(&s), 0);
	}
	e2e_run(s.t, "play 4");
	e2e_run(s.t, "play 4"); /* stops the other one */
	terminal_wait_processes(s.t, 2);
	assert_int_equal(temporary_files(&s), 1);
	e2e_run(s.t, "play 1");
	e2e_see(s.t, "the block is not audio");
	e2e_leave(s.t); /* no process remains */
	close_scene(&s);
}

static void
test_player_that_fails(void **state)
{
	struct scene s = open_scene(state, "fail");

	terminal_keys(s.t, "p");
	e2e_wait(s.t, "sh ended with exit code 4: no device");
	assert_int_equal(temporary_files(&s), 0);
	e2e_leave(s.t);
	close_scene(&s);
}

/* A missing player is named, and so are the players that were searched. */
static void
test_no_player(void **state)
{
	struct scene s = open_scene(state, "end");
	char *settings = mem_printf("%s/mcpane/config", s.folder);

	e2e_leave(s.t);
	e2e_teardown(state);
	assert_int_equal(unlink(settings), 0);
	s.t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
				   .env = ARGV("PATH=/nowhere", s.temporary) });
	e2e_wait(s.t, "list_users");
	e2e_run(s.t, "tool mixed_content");
	e2e_press(s.t, "f5");
	e2e_wait(s.t, "audio/wav");
	e2e_run(s.t, "play 4");
	e2e_see(s.t, "no player of sounds is installed (paplay, pw-play, aplay");
	e2e_leave(s.t);
	close_scene(&s);
	free(settings);
}

TEST_FILE(audio)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_teardown(name, e2e_teardown)
		T(test_played_to_its_end),
		T(test_stopped),
		T(test_player_that_fails),
		T(test_no_player),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
