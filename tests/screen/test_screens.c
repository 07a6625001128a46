/* SPDX-License-Identifier: MIT */
/*
 * Plays every tests/screen/NAME.screen on the demo server and compares the screen. A file is a
 * script, a line `---`, and the expected screen. Script lines:
 *   size COLUMNS ROWS    must be first; 120 36 by default
 *   run COMMAND          as typed after ":"
 *   keys NAME...         type TEXT            click X Y
 *   stderr LINE          the server writes it to standard error
 *   file TEXT            content of /file
 *   answer MEMBERS       members of the next reply: "result":{...}
 *   program TEXT         the program in the terminal pane writes it; \\e is ESC, \\n a new line
 *   end CODE             that program exits
 *   wait MS              advance the clock
 *   look MS              the same, drawing frames as for a user who only looks
 *   apps                 apps run, with simulated pages
 *   no apps REASON       apps cannot run for this reason
 *   shake CAPABILITIES   the page is ready, with these appCapabilities
 *   frame TEXT           the engine draws a picture with the text in the first row
 *   broken REASON        the engine fails
 *   says JSON            the page of the open app sends it
 *   note KIND WORD URL TEXT   an event in that page; "-" for an empty word
 *   choices              more servers to choose from
 *   only the demo        as without any configuration
 *   resize COLUMNS ROWS
 *   picture NAME         with PICTURES=FOLDER, as in `make pictures`: draws FOLDER/NAME.png
 * # starts a comment. GOLDEN=write rewrites the expected screens; review the diff.
 */
#include "screenshot.h"
#include "stage_app.h"

#include "base/mem.h"
#include "base/path.h"
#include "test.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY "tests/screen"

static void
look(struct stage *s, int ms)
{
	stage_text(s);
	s->now_us += (int64_t)ms * 1000;
}

static void
write_as_program(struct stage *s, const char *text)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, text);
	buf_replace(&out, "\\e", "\033");
	buf_replace(&out, "\\n", "\r\n");
	stage_program(s, buf_text(&out));
	buf_finish(&out);
}

static bool
play_app_line(struct stage *s, const char *line)
{
	if (strcmp(line, "apps") == 0)
		stage_use_apps(s);
	else if (strncmp(line, "no apps ", 8) == 0)
		stage_lack_engine(s, line + 8);
	else if (strncmp(line, "says ", 5) == 0)
		stage_app_says(s, line + 5);
	else if (strncmp(line, "note ", 5) == 0)
		stage_app_note(s, line + 5);
	else if (strncmp(line, "shake", 5) == 0)
		fake_apps_shake(stage_app(s), line[5] ? line + 6 : "", s->now_us);
	else if (strncmp(line, "frame ", 6) == 0)
		fake_apps_frame(stage_app(s), line + 6, s->now_us);
	else if (strncmp(line, "broken ", 7) == 0)
		fake_apps_fail(&s->apps, stage_app(s), line + 7, s->now_us);
	else
		return false;
	return true;
}

static void
draw_picture(struct stage *s, const char *name)
{
	const char *folder = getenv("PICTURES");
	char *path = mem_printf("%s/%s.png", folder ? folder : "", name);
	struct theme dark;
	struct err err;

	assert_true(theme_builtin(&dark, "dark"));
	stage_text(s);
	if (folder && !screenshot_write(&s->grid, &dark, path, &err))
		fail_msg("%s", err.text);
	free(path);
}

static void
play_line(struct stage *s, const char *line)
{
	int a, b;

	if (strncmp(line, "run ", 4) == 0)
		stage_run(s, line + 4);
	else if (strncmp(line, "keys ", 5) == 0)
		stage_keys(s, line + 5);
	else if (strncmp(line, "type ", 5) == 0)
		stage_type(s, line + 5);
	else if (strncmp(line, "stderr ", 7) == 0)
		stage_stderr(s, line + 7);
	else if (strncmp(line, "answer ", 7) == 0)
		stage_answer(s, line + 7);
	else if (strncmp(line, "file ", 5) == 0)
		buf_add_str(&s->file, line + 5);
	else if (strncmp(line, "program ", 8) == 0)
		write_as_program(s, line + 8);
	else if (strncmp(line, "picture ", 8) == 0)
		draw_picture(s, line + 8);
	else if (play_app_line(s, line))
		return;
	else if (strcmp(line, "choices") == 0)
		stage_add_choices(s);
	else if (strcmp(line, "only the demo") == 0)
		s->choices[0].origin = CHOICE_DEMO;
	else if (sscanf(line, "click %d %d", &a, &b) == 2)
		stage_click(s, a, b);
	else if (sscanf(line, "resize %d %d", &a, &b) == 2)
		stage_resize(s, a, b);
	else if (sscanf(line, "end %d", &a) == 1)
		stage_program_ends(s, a);
	else if (sscanf(line, "wait %d", &a) == 1)
		stage_settle(s, a);
	else if (sscanf(line, "look %d", &a) == 1)
		look(s, a);
	else if (*line && *line != '#' && strncmp(line, "size ", 5) != 0)
		fail_msg("not understood: %s", line);
}

static void
play(struct stage *s, const char *script)
{
	int width = 120, height = 36;
	char *copy = mem_strdup(script), *save = NULL;

	sscanf(script, "size %d %d", &width, &height);
	stage_open(s, width, height);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		play_line(s, line);
	free(copy);
}

static void
rewrite(const char *path, const char *script, const char *screen)
{
	char *text = mem_printf("%s---\n%s", script, screen);
	struct err err;

	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	free(text);
}

/* Prints both pictures, with a mark before each line that differs. */
static void
show_difference(const char *path, const char *expected, const char *got)
{
	print_error("%s: expected, then got:\n", path);
	while (*expected || *got) {
		size_t e = strcspn(expected, "\n"), g = strcspn(got, "\n");
		bool same = e == g && memcmp(expected, got, e) == 0;
		print_error("%s %.*s\n", same ? " " : "-", (int)e, expected);
		if (!same)
			print_error("+ %.*s\n", (int)g, got);
		expected += e + (expected[e] == '\n');
		got += g + (got[g] == '\n');
	}
}

static bool
play_file(const char *path)
{
	struct buf file = BUF_INIT;
	struct err err;
	struct stage stage;

	if (!path_read_file(path, &file, &err))
		fail_msg("%s", err.text);
	char *cut = strstr(buf_text(&file), "\n---\n");
	const char *expected = cut ? cut + 5 : "";
	char *script = mem_strndup(buf_text(&file), cut ? (size_t)(cut + 1 - file.data) : file.len);
	play(&stage, script);
	const char *got = stage_text(&stage);
	bool same = strcmp(expected, got) == 0;
	const char *golden = getenv("GOLDEN");
	if (!same && golden && strcmp(golden, "write") == 0) {
		rewrite(path, script, got);
		same = true;
	}
	if (!same)
		show_difference(path, expected, got);
	stage_close(&stage);
	free(script);
	buf_finish(&file);
	return same;
}

static void
test_every_screen(void **state)
{
	struct dirent **names;
	int count = scandir(DIRECTORY, &names, NULL, alphasort), played = 0, bad = 0;

	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		const char *dot = strrchr(names[i]->d_name, '.');
		if (dot && strcmp(dot, ".screen") == 0) {
			char *path = mem_printf("%s/%s", DIRECTORY, names[i]->d_name);
			bad += !play_file(path);
			played++;
			free(path);
		}
		free(names[i]);
	}
	free(names);
	assert_true(played > 0);
	assert_int_equal(bad, 0);
}

TEST_FILE(screens)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_screen) };

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
