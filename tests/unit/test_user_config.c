/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "at_once.h"
#include "host/user_config.h"
#include "host/server_list.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-own-XXXXXX";

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return mkdtemp(folder) && setenv("XDG_CONFIG_HOME", folder, 1) == 0 ? 0 : 1;
}

static int
tear_down(void **state)
{
	char *below = mem_printf("%s/mcpane", folder);
	char *path = user_config_path(), *lock = mem_printf("%s.lock", path);

	unlink(path);
	unlink(lock);
	rmdir(below);
	free(below);
	free(lock);
	free(path);
	return rmdir(folder);
}

static void
put(const char *text)
{
	char *path = user_config_path();
	struct err err;

	if (!path_write_private(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	free(path);
}

static void
assert_file(const char *expected)
{
	char *path = user_config_path();
	struct buf text = BUF_INIT;
	struct err err;

	if (!path_read_file(path, &text, &err))
		fail_msg("%s", err.text);
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
	free(path);
}

#define WORDS(...) ((char *const[]){ __VA_ARGS__, NULL })

static void
test_new_file(void **state)
{
	struct stat status;
	struct err err = { "" };

	assert_true(user_config_add(
	    "a", WORDS((char *)"K=v", (char *)"npx", (char *)"-y", (char *)"x y"), &err));
	assert_file(
	    "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"npx\",\n"
	    "      \"args\": [\"-y\",\"x y\"],\n      \"env\": {\"K\":\"v\"}\n    }\n  }\n}\n");
	char *path = user_config_path();
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	free(path);
	assert_true(user_config_add("b", WORDS((char *)"https://x/mcp"), &err));
	struct server_list r = { 0 };
	server_list_add_own(&r);
	assert_int_equal(r.len, 2);
	assert_string_equal(r.items[0].target.argv[2], "x y");
	assert_string_equal(r.items[0].target.env[0], "K=v");
	assert_string_equal(r.items[1].target.url, "https://x/mcp");
	server_list_finish(&r);
	assert_true(user_config_add_file("{\"mcpServers\":{\"c\":{\"httpUrl\":\"https://y/m\"},"
					 "\"d\":{\"command\":[\"p\",\"q\"]}}}",
	    &err));
	server_list_add_own(&r);
	assert_int_equal(r.len, 4);
	assert_string_equal(r.items[2].target.url, "https://y/m");
	assert_string_equal(r.items[3].target.argv[1], "q");
	server_list_finish(&r);
	assert_false(user_config_add_file("{\"mcpServers\":{\"c\":{\"command\":\"z\"}}}", &err));
	assert_non_null(strstr(err.text, "already has a server c"));
}

/* Inputs are copied too; existing ones stay unchanged. */
static void
test_inputs(void **state)
{
	struct err err = { "" };
	struct server_list r = { 0 };

	put("{ // mine\n\t\"inputs\": [{\"id\":\"a\",\"description\":\"first\"}],\n\t\"servers\": "
	    "{}\n}\n");
	assert_true(user_config_add_file(
	    "{\"mcpServers\":{\"s\":{\"command\":\"${input:a}\",\"args\":[\"${input:b}\"]}},"
	    "\"inputs\":[{\"id\":\"a\",\"description\":\"other\"},{\"id\":\"b\",\"password\":true},"
	    "7]}",
	    &err));
	server_list_add_own(&r);
	assert_int_equal(r.len, 1);
	assert_null(r.items[0].target.trouble);
	assert_int_equal(r.items[0].target.inputs.len, 2);
	assert_string_equal(r.items[0].target.inputs.items[0].description, "first");
	assert_true(r.items[0].target.inputs.items[1].password);
	server_list_finish(&r);
	assert_true(user_config_change("s", NULL, NULL, &err));
	assert_file("{ // mine\n\t\"inputs\": "
		    "[{\"id\":\"a\",\"description\":\"first\"},{\"id\":\"b\",\"password\":true}],"
		    "\n\t\"servers\": {\n\t}\n}\n");
}

static void
test_nothing_is_lost(void **state)
{
	struct err err = { "" };

	put("{\n\t// mine\n\t\"other\": 1e400,\n\t\"servers\": {\n\t\t\"a\": { \"command\": \"x\" "
	    "}, // why\n"
	    "\t},\n}\n");
	assert_true(user_config_add("b", WORDS((char *)"y"), &err));
	assert_file("{\n\t// mine\n\t\"other\": 1e400,\n\t\"servers\": {\n\t\t\"a\": { "
		    "\"command\": \"x\" }, // "
		    "why\n\t\t\"b\": {\n\t\t  \"command\": \"y\"\n\t\t},\n\t},\n}\n");
	assert_true(user_config_change("a", "disabled", "true", &err));
	assert_true(user_config_change("b", NULL, NULL, &err));
	assert_file(
	    "{\n\t// mine\n\t\"other\": 1e400,\n\t\"servers\": {\n\t\t\"a\": { \"command\": \"x\", "
	    "\"disabled\": true }, // why\n\t},\n}\n");
	assert_true(user_config_change("a", "disabled", NULL, &err));
	assert_file("{\n\t// mine\n\t\"other\": 1e400,\n\t\"servers\": {\n\t\t\"a\": { "
		    "\"command\": \"x\" }, // "
		    "why\n\t},\n}\n");
}

static void
assert_refused(bool ok, const struct err *err, const char *why)
{
	assert_false(ok);
	if (!strstr(err->text, why))
		fail_msg("%s", err->text);
}

static void
test_refused(void **state)
{
	static const char text[] = "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}";
	struct err err = { "" };

	put(text); /* not whole */
	assert_refused(user_config_add("b", WORDS((char *)"y"), &err), &err, "line 1 column 36");
	assert_file(text);
	put("{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
	assert_refused(
	    user_config_add("a", WORDS((char *)"y"), &err), &err, "already has a server a");
	assert_refused(user_config_add("b", WORDS((char *)"A=1"), &err), &err, "command or a URL");
	assert_refused(user_config_add("b", WORDS((char *)"http://x", (char *)"y"), &err), &err,
	    "a URL takes no arguments");
	assert_refused(
	    user_config_add("b", WORDS((char *)"https://"), &err), &err, "https:// names no host");
	assert_refused(
	    user_config_add("b", WORDS((char *)"http://:80/x"), &err), &err, "names no host");
	assert_refused(user_config_add("", WORDS((char *)"x"), &err), &err, "the name is empty");
	assert_refused(user_config_add("b", WORDS((char *)""), &err), &err, "the command is empty");
	assert_refused(user_config_change("c", NULL, NULL, &err), &err, "there is no c in it");
	assert_refused(
	    user_config_change("c", "disabled", "true", &err), &err, "there is no server c");
	assert_refused(
	    user_config_change("a", "disabled", NULL, &err), &err, "there is no disabled in it");
	assert_file("{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
}

enum { PROGRAMS = 8 };

static bool
add_numbered(int number)
{
	char name[] = { (char)('a' + number), '\0' };
	struct err err = { "" };

	return user_config_add(name, WORDS(name), &err);
}

/* Programs that add a server at the same moment lose none. */
static void
test_at_once(void **state)
{
	struct server_list r = { 0 };

	at_once(PROGRAMS, add_numbered);
	server_list_add_own(&r);
	assert_int_equal(r.len, PROGRAMS);
	server_list_finish(&r);
}

TEST_FILE(user_config)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_is_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_inputs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_at_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
