/* SPDX-License-Identifier: MIT */
/* A bundle (.mcpb) opened by its path: shown, approved, asked for, unpacked, run. */
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "e2e.h"
#include "program.h"
#include "test.h"

static char folder[] = "/tmp/mcpane-bundle-XXXXXX";

/* Its program leaves its arguments and its key in a file of its folder, then is the demo. */
static const char script[] =
    "import json, os, sys, zipfile\n"
    "m = {'manifest_version': '0.3', 'name': 'hello', 'server': {'type': 'binary',\n"
    "    'entry_point': 'run', 'mcp_config': {'command': '${__dirname}/run',\n"
    "    'args': ['${user_config.dirs}', '${user_config.port}'], 'env': {'KEY': "
    "'${user_config.key}'}}},\n"
    "    'user_config': {'key': {'type': 'string', 'title': 'API key', 'sensitive': True,\n"
    "    'required': True}, 'dirs': {'type': 'directory', 'title': 'Folders',\n"
    "    'multiple': True, 'default': ['/a b', '/c']}, 'port': {'type': 'number',\n"
    "    'title': 'Port', 'default': 80, 'min': 1, 'max': 99}}}\n"
    "run = zipfile.ZipInfo('run')\n"
    "run.create_system, run.external_attr = 3, 0o100755 << 16\n"
    "with zipfile.ZipFile('hello.mcpb', 'w', zipfile.ZIP_DEFLATED) as z:\n"
    "    z.writestr('manifest.json', json.dumps(m))\n"
    "    z.writestr(run, '#!/bin/sh\\necho \"$#:$1:$2:$3:$KEY\" >ran\\nexec ' + sys.argv[1] + "
    "' --serve-demo\\n')\n";

static int
set_up(void **state)
{
	struct err err;

	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	if (!mkdtemp(folder) || chdir(folder) != 0 ||
	    !path_write_file("make.py", script, sizeof(script) - 1, &err))
		return 1;
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", folder, 1);
	char *command = mem_printf("python3 make.py '%s'", terminal_program());
	int failed = system(command);
	free(command);
	return failed;
}

static int
remove_one(const char *path, const struct stat *is, int kind, struct FTW *walk)
{
	return remove(path);
}

static int
tear_down(void **state)
{
	if (*state)
		e2e_teardown(state);
	return chdir("/") != 0 || nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
}

static void
assert_list(int exit_code, const char *option, const char *says)
{
	const char *const argv[] = { terminal_program(), "list", "tools", "hello.mcpb",
		"--input=key=s3", option, NULL };
	struct program p;

	program_run(&p, argv);
	if (p.exit_code != exit_code || !strstr(buf_text(exit_code ? &p.err : &p.out), says))
		fail_msg("%d: %s%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
}

static void
assert_ran(const char *expected)
{
	assert_int_equal(system("cat mcpane/bundles/*/ran >ran"), 0);
	struct buf text = BUF_INIT;
	struct err err;

	assert_true(path_read_file("ran", &text, &err));
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
}

static void
assert_refused(const char *option, const char *says)
{
	const char *const argv[] = { terminal_program(), "list", "tools", "hello.mcpb",
		"--input=key=s3", "--trust", option, NULL };
	struct program p;

	program_run(&p, argv);
	assert_int_equal(p.exit_code, 1);
	assert_non_null(strstr(buf_text(&p.err), says));
	program_free(&p);
}

static void
test_scripts(void **state)
{
	assert_list(1, NULL, "hello of hello.mcpb is not approved");
	assert_int_not_equal(access("mcpane/bundles", F_OK), 0);
	assert_list(0, "--trust", "list_users");
	assert_ran("3:/a b:/c:80:s3\n");
	assert_list(1, "--input=port=100", "not approved");
	assert_refused("--input=port=100", "the input port: 100 is not from 1 to 99");
	assert_refused("--input=port=x", "the input port: x is not a number");
	assert_list(0, "--trust", "list_users"); /* unpacked once */
	assert_list(1, NULL, "not approved");
}

/* A manifest that cannot be used is refused before anything of the bundle is on the disk. */
static void
test_broken_manifest(void **state)
{
	assert_int_equal(system("sed -i 's/user_config.port/user_config.none/' make.py && "
				"python3 make.py /bin/false"),
	    0);
	assert_list(1, NULL, "no input with id none");
	assert_list(1, "--trust", "no input with id none");
	assert_int_not_equal(access("mcpane/bundles", F_OK), 0);
}

static void
test_full_screen(void **state)
{
	char *state_home = mem_printf("XDG_STATE_HOME=%s", folder);
	char *cache_home = mem_printf("XDG_CACHE_HOME=%s", folder);
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.argv = ARGV("hello.mcpb"), .env = ARGV(state_home, cache_home), .cwd = folder });

	e2e_wait(t, "Run this program?");
	e2e_see(t, "/run");
	e2e_see(t, "KEY=(hidden)");
	e2e_answer(t, "y");
	e2e_see(t, "Folders (directory, or several with a comma between)");
	e2e_see(t, "/a b,/c");
	assert_int_not_equal(access("mcpane/bundles", F_OK), 0);
	e2e_answer(t, "enter");
	e2e_see(t, "Port (number from 1 to 99)");
	terminal_type(t, "800"); /* replaces the default */
	e2e_answer(t, "enter");
	e2e_see(t, "800 is not from 1 to 99");
	e2e_press(t, "backspace enter");
	e2e_see(t, "API key");
	terminal_type(t, "s3cret");
	terminal_barrier(t);
	e2e_see_not(t, "s3cret");
	e2e_answer(t, "enter");
	e2e_wait(t, "list_users");
	e2e_see(t, "hello");
	assert_ran("3:/a b:/c:80:s3cret\n");
	e2e_leave(t);
	assert_list(0, NULL, "list_users"); /* approved */
	free(state_home);
	free(cache_home);
}

/* A large bundle is unpacked in a job, and the screen says so. */
static void
test_unpacking(void **state)
{
	static const char big[] =
	    "import os, zipfile\n"
	    "with zipfile.ZipFile('hello.mcpb', 'a') as z: z.writestr('x', os.urandom(64 << 20))\n";
	struct err err;

	size_t len;

	assert_true(path_write_file("big.py", big, sizeof(big) - 1, &err));
	assert_int_equal(system("python3 big.py"), 0);
	char *state_home = mem_printf("XDG_STATE_HOME=%s", folder);
	char *cache_home = mem_printf("XDG_CACHE_HOME=%s", folder);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("hello.mcpb", "--input", "key=k",
						   "--input", "port=2", "--input", "dirs=/x"),
		       .env = ARGV(state_home, cache_home),
		       .cwd = folder });
	e2e_wait(t, "Run this program?");
	assert_non_null(strstr(terminal_log(t, &len), "being read")); /* the first frame */
	e2e_answer(t, "y");
	e2e_see(t, "unpacking the bundle");
	e2e_press(t, "?");
	e2e_see_not(t, "list_users");
	e2e_press(t, "esc");
	e2e_wait(t, "list_users");
	assert_ran("2:/x:2::k\n");
	e2e_leave(t);
	free(state_home);
	free(cache_home);
}

/* An error in a large bundle appears after the first frame, in the pane that opened it. */
static void
test_big_and_broken(void **state)
{
	char *zeros = mem_zalloc(2 << 20);
	struct err err;
	size_t len;

	memset(zeros, '0', (2 << 20) - 1);
	assert_true(path_write_file("zeros.mcpb", zeros, 2 << 20, &err));
	free(zeros);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("zeros.mcpb"), .cwd = folder });
	assert_int_equal(terminal_wait_exit(t), 1);
	assert_non_null(strstr(terminal_log(t, &len), "being read"));
	e2e_see(t, "mcpane: zeros.mcpb: not a zip");
	terminal_assert_restored(t);
	unlink("zeros.mcpb");
}

/* Without libzip the bundle is a row that says what to install. */
static void
test_no_library(void **state)
{
	struct err err;
	char *path = mem_printf("LD_LIBRARY_PATH=%s", folder);

	assert_true(path_write_file("libzip.so.4", "", 0, &err));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){
				 .argv = ARGV("hello.mcpb"), .env = ARGV(path), .cwd = folder });
	e2e_wait(t, "hello.mcpb");
	e2e_see(t, "install it (apt install libzip4)");
	e2e_leave(t);
	free(path);
}

TEST_FILE(bundle)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_broken_manifest, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_scripts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_screen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unpacking, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_big_and_broken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_library, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
