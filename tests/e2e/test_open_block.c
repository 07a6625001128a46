/* SPDX-License-Identifier: MIT */
/* A content block in a program of the user: which, with what file, and that none is left. */
#include "base/mem.h"
#include "e2e.h"
#include "fixture.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_by_type(void **state)
{
	char folder[] = "/tmp/mcpane-open-XXXXXX";

	assert_non_null(mkdtemp(folder));
	char *settings = mem_printf("%s/mcpane", folder);
	char *config = mem_printf("XDG_CONFIG_HOME=%s", folder);
	char *temporary = mem_printf("TMPDIR=%s/tmp", folder);
	char *file = mem_printf("%s/config", settings), *log = mem_printf("%s/log", folder);
	assert_int_equal(mkdir(settings, 0700) || mkdir(temporary + strlen("TMPDIR="), 0700), 0);
	FILE *f = fopen(file, "w");
	fprintf(f,
	    "open image/gif false\nopen image/* pane sh -c 'stat -c \"mode %%a\" $0; read x' %%s\n"
	    "open AUDIO/wav sh tests/fixtures/player.sh %s end\n",
	    log);
	fclose(f);
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("--demo"), .env = ARGV(config, temporary) });
	e2e_wait(t, "list_users");
	e2e_run(t, "tool mixed_content");
	e2e_press(t, "f5");
	e2e_wait(t, "audio/wav");
	e2e_run(t, "open-block 3");
	e2e_see(t, "Open in a program?");
	e2e_answer(t, "y");
	e2e_wait(t, "mode 600");
	terminal_keys(t, "enter");
	terminal_wait_gone(t, "mode 600");
	e2e_run(t, "open-block 4");
	e2e_answer(t, "y");
	e2e_wait(t, "opened by sh");
	e2e_file_has(log, "600 444\nRIFF");
	e2e_leave(t);
	assert_int_equal(rmdir(temporary + strlen("TMPDIR=")), 0); /* empty */
	char *remove = mem_printf("rm -r %s", folder);
	assert_int_equal(system(remove), 0);
	free(remove);
	free(settings);
	free(config);
	free(temporary);
	free(file);
	free(log);
}

TEST_FILE(open_block)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_by_type, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
