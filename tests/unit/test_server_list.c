/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/target.h"
#include "host/server_list.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-roster-XXXXXX";
static char *before;

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	before = getcwd(NULL, 0);
	return mkdtemp(folder) && chdir(folder) == 0 && setenv("XDG_CONFIG_HOME", folder, 1) == 0 &&
		       setenv("HOME", folder, 1) == 0 && mkdir(".cursor", 0700) == 0 &&
		       mkdir(".codex", 0700) == 0 && mkdir(".vscode", 0700) == 0 &&
		       mkdir("mcpane", 0700) == 0
		   ? 0
		   : 1;
}

static int
tear_down(void **state)
{
	unlink(".mcp.json");
	unlink(".vscode/mcp.json");
	unlink("mcpane/servers.json");
	unlink(".claude.json");
	unlink(".cursor/mcp.json");
	unlink(".codex/config.toml");
	rmdir(".cursor");
	rmdir(".codex");
	rmdir(".vscode");
	rmdir("mcpane");
	int failed = chdir(before);
	free(before);
	return failed ? failed : rmdir(folder);
}

static void
put(const char *path, const char *text)
{
	struct err err;

	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

/* "NAME/ORIGIN", followed by the problems of files. */
static void
assert_found(const char *expected)
{
	struct server_list r = { 0 };
	struct buf out = BUF_INIT;

	server_list_add_found(&r);
	for (size_t i = 0; i < r.len; i++)
		buf_addf(
		    &out, "%s%s/%d", i ? " " : "", r.items[i].target.name, (int)r.items[i].origin);
	for (size_t i = 0; i < r.troubles.len; i++)
		buf_addf(&out, " ! %s", r.troubles.items[i].why);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	server_list_finish(&r);
}

static void
test_found(void **state)
{
	assert_found("");
	put(".mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
	put(".vscode/mcp.json", "{\"servers\":{\"b\":{\"command\":\"x\"}}} // mine");
	put("mcpane/servers.json",
	    "{\"mcpServers\":{\"a\":{\"command\":\"y\"},\"c\":{\"command\":\"z\"}}}");
	assert_found("a/2 b/2 a/1 c/1");
	put(".mcp.json", "{");
	assert_found("b/2 a/1 c/1 ! .mcp.json:1:2: ends inside an object");
	struct options o = { .server = "d" };
	struct target run;
	struct err err;
	assert_false(target_choose(&run, &o, &err));
	assert_string_equal(err.text, "no server is called d, but a file cannot be read: "
				      ".mcp.json:1:2: ends inside an object");
	unlink(".mcp.json");
	assert_int_equal(mkfifo(".mcp.json", 0600), 0);
	assert_found("b/2 a/1 c/1 ! .mcp.json is not a regular file");
	unlink(".mcp.json");
	assert_int_equal(symlink(".mcp.json", ".mcp.json"), 0);
	assert_found("b/2 a/1 c/1 ! .mcp.json is a symbolic link, which is not followed");
}

/* The home folder is the current one here: .cursor/mcp.json is found once. */
static void
test_found_of_clients(void **state)
{
	struct server_list r = { 0 };
	char *here = getcwd(NULL, 0);
	char *claude = mem_printf("{\"numStartups\":1,\"projects\":{\"%s\":{\"mcpServers\":{\"p\":"
				  "{\"command\":\"x\"}}},\"/other\":{\"mcpServers\":{\"q\":{}}}}}",
	    here);

	put(".claude.json", claude);
	put(".cursor/mcp.json", "{\"mcpServers\":{\"same\":{\"command\":\"x\"}}}");
	put(".codex/config.toml", "model = \"x\"\n");
	assert_found("p/4 same/4");
	put(".mcp.json", "{\"mcpServers\":{\"same\":{\"command\":\"x\"}}}");
	assert_found("same/2 p/4");
	server_list_add_found(&r);
	assert_string_equal(r.items[0].target.client, "Claude Code");
	assert_string_equal(r.items[0].target.also, "Cursor, ~/.cursor/mcp.json");
	assert_string_equal(r.items[1].target.client, "Claude Code");
	assert_string_equal(r.items[1].target.place, "~/.claude.json");
	server_list_finish(&r);
	put(".codex/config.toml", "\n[mcp_servers.same]\ncommand = 'y'\n[mcp_servers.same]");
	unlink(".claude.json");
	char *expected =
	    mem_printf("same/2 ! %s/.codex/config.toml:4:18: this table is there already", folder);
	assert_found(expected);
	free(expected);
	free(claude);
	free(here);
}

/* A link in a project leads where its author likes; a file that the user names may be one. */
static void
test_links(void **state)
{
	struct server_list r = { 0 };
	struct err err;

	put("mcpane/servers.json", "{\"mcpServers\":{\"own\":{\"command\":\"x\"}}}");
	assert_int_equal(symlink("mcpane/servers.json", ".mcp.json"), 0);
	put(".claude.json", "SECRET=1");
	put(".vscode/mcp.json",
	    "{\"servers\":{\"a\":{\"command\":\"x\",\"envFile\":\"env\"},"
	    "\"b\":{\"command\":\"x\",\"envFile\":\"${workspaceFolder}/env\"}}}");
	assert_int_equal(symlink(".claude.json", "env"), 0);
	server_list_add_found(&r);
	assert_int_equal(r.troubles.len, 2);
	assert_string_equal(
	    r.troubles.items[0].why, ".mcp.json is a symbolic link, which is not followed");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(r.items[i].origin, CHOICE_PROJECT);
		assert_null(r.items[i].target.env[0]);
		assert_non_null(strstr(
		    r.items[i].target.trouble, "env is a symbolic link, which is not followed"));
	}
	server_list_finish(&r);
	assert_true(server_list_add_file(&r, ".mcp.json", CHOICE_TYPED, &err));
	server_list_finish(&r);
	unlink("env");
}

static void
test_files_and_names(void **state)
{
	struct server_list r = { 0 };
	struct err err;

	put(".mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"1\":{\"command\":\"y\"}}}");
	put(".vscode/mcp.json", "{\"servers\":{}}");
	assert_true(server_list_add_file(&r, ".mcp.json", CHOICE_TYPED, &err));
	assert_false(server_list_add_file(&r, ".vscode/mcp.json", CHOICE_TYPED, &err));
	assert_string_equal(err.text, ".vscode/mcp.json: contains no server");
	assert_false(server_list_add_file(&r, "none.json", CHOICE_TYPED, &err));
	assert_int_equal(r.items[0].origin, CHOICE_TYPED);
	put(".vscode/mcp.json", "{\"name\":\"w\",\"packages\":[{\"registryType\":\"pypi\","
				"\"identifier\":\"w\"}]}"); /* a server.json: approved first */
	assert_true(server_list_add_file(&r, ".vscode/mcp.json", CHOICE_TYPED, &err));
	assert_int_equal(r.items[--r.len].origin, CHOICE_PROJECT);
	target_finish(&r.items[r.len].target);
	assert_int_equal(server_list_find(&r, "a"), 0);
	assert_int_equal(server_list_find(&r, "1"), 1); /* a name counts before a number */
	assert_int_equal(server_list_find(&r, "2"), 1);
	static const char *const none[] = { "", "0", "3", "-1", "+1", " 1", "1x", "A",
		"18446744073709551617", "99999999999999999999999" };
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_int_equal(server_list_find(&r, none[i]), SIZE_MAX);
	server_list_finish(&r);
}

/* A value typed for one file does not serve another. */
static void
test_inputs(void **state)
{
	struct inputs in = { 0 };

	unsetenv("MCPANE_INPUT_A_KEY");
	assert_null(inputs_find(&in, "f", "a-key"));
	setenv("MCPANE_INPUT_A_KEY", "env", 1);
	assert_string_equal(inputs_find(&in, "f", "a-key"), "env");
	inputs_set(&in, "f", "a-key", "typed");
	assert_string_equal(inputs_find(&in, "f", "a-key"), "typed");
	assert_string_equal(inputs_find(&in, "g", "a-key"), "env");
	inputs_set(&in, NULL, "a-key", "given");
	assert_string_equal(inputs_find(&in, "g", "a-key"), "given");
	inputs_finish(&in);
	unsetenv("MCPANE_INPUT_A_KEY");
}

TEST_FILE(server_list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_found_of_clients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_files_and_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_inputs, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
