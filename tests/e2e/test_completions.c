/* SPDX-License-Identifier: MIT */
/* Completion in a shell, and `mcpane servers`: the real program in a separate home folder. */
#include "base/mem.h"
#include "base/path.h"
#include "host/server_list.h"
#include "host/trust.h"
#include "base/vec.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-words-XXXXXX";
static char *before;

static void
put(const char *path, const char *text)
{
	struct err err;

	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

/* A project's server that leaves a file if it runs, and one of the user's own. */
static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	before = getcwd(NULL, 0);
	if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("mcpane", 0700) != 0 ||
	    mkdir("bin", 0700) != 0 || symlink(terminal_program(), "bin/mcpane") != 0)
		return 1;
	setenv("HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", folder, 1);
	setenv("XDG_STATE_HOME", folder, 1);
	put(".mcp.json",
	    "{\"mcpServers\":{\"others\":{\"command\":\"touch\",\"args\":[\"ran\"]}}}");
	char *own = mem_printf("{\"mcpServers\":{\"mine\":{\"command\":\"%s\",\"args\":["
			       "\"--serve-demo\"]}}}",
	    terminal_program());
	put("mcpane/servers.json", own);
	free(own);
	return 0;
}

static int
tear_down(void **state)
{
	static const char *const files[] = { ".mcp.json", "mcpane/servers.json", "ran", "a file",
		"mcpane/approved", "mcpane/approved.lock", "bin/mcpane" };

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		unlink(files[i]);
	rmdir("mcpane");
	rmdir("bin");
	int failed = chdir(before);
	free(before);
	return failed ? failed : rmdir(folder);
}

/* The words that are offered behind these, which are split at blanks. */
static void
assert_offered(const char *typed, const char *expected)
{
	const char *argv[16] = { terminal_program(), "__words" };
	char *copy = mem_strdup(typed), *rest = copy;
	struct program p;
	struct buf words = BUF_INIT;
	size_t n = 2;

	for (char *w; (w = strsep(&rest, " "));)
		argv[n++] = w;
	program_run(&p, argv);
	assert_int_equal(p.exit_code, 0);
	for (const char *line = buf_text(&p.out); *line; line = strchr(line, '\n') + 1)
		buf_addf(&words, "%.*s ", (int)strcspn(line, "\t\n"), line);
	assert_string_equal(buf_text(&words), expected);
	buf_finish(&words);
	program_free(&p);
	free(copy);
}

static void
test_words(void **state)
{
	assert_offered("comp", "complete completions ");
	assert_offered("completions ", "bash zsh fish ");
	assert_offered("list ", "tools resources templates prompts skills ");
	assert_offered("--era m", "modern ");
	assert_offered("check --ass", "--assert-format --assert-content ");
	assert_offered("check --format ", "text json flag basic ");
	assert_offered("call --format ", "json csv tsv markdown jsonl ");
	assert_offered("call --view ", "table tree json chart cards content ");
	assert_offered("call --lens ",
	    "conversational programmatic strict old both apps claude-code "
	    "gemini-cli vscode chatgpt typescript python go all ");
	assert_offered("ping --ass", "");
	assert_offered("--server ", "others mine ");
	assert_offered("-- list --de", "");
	put("a file", "");
	assert_offered("check a", "a file ");
	assert_offered("--config mcpane/", "mcpane/servers.json ");
	assert_offered("--config=mcpane/", "--config=mcpane/servers.json ");
	assert_offered("--era=m", "--era=modern ");
	assert_offered("--config=.mcp.json --server ", "others ");
	assert_offered("--config .mcp.json --config=mcpane/servers.json --server=",
	    "--server=others --server=mine ");
}

/* As the full screen stores it. */
static void
approve(const char *name, enum choice_origin origin)
{
	struct server_list list = { 0 };
	char mark[SHA256_HEX];
	struct err err;

	server_list_add_found(&list);
	const struct server_list_entry *e = &list.items[server_list_find(&list, name)];
	trust_mark_of(&e->target, origin, mark);
	if (!trust_give(&e->target, mark, &err))
		fail_msg("%s", err.text);
	server_list_finish(&list);
}

static void
test_tools(void **state)
{
	assert_offered("call --demo list_users_b", "list_users_before ");
	assert_offered("call --demo list_users ", "role= limit= ");
	assert_offered("call --demo list_users role=a", "role=admin ");
	assert_offered("call --server mine list_users_b", "");
	approve("mine", CHOICE_OWN);
	assert_offered("call --server mine list_users_b", "list_users_before ");
	assert_offered("call --server others ", "");
	assert_offered("call --config .mcp.json ", "");
	assert_offered("call --config .mcp.json --server others ", "");
	assert_int_not_equal(access("ran", F_OK), 0); /* it was not approved, so it did not run */
	assert_offered("call --config mcpane/servers.json list_users_b", "");
	approve("mine", CHOICE_PROJECT); /* as it would be in a file that is named */
	assert_offered("call --config mcpane/servers.json list_users_b", "list_users_before ");
}

/* bash passes a line and inserts the result of the function. */
static void
test_bash(void **state)
{
	static const char script[] =
	    "source <(\"$0\" completions bash); "
	    "COMP_LINE=\"$0 call --demo list_users role=a\"; COMP_POINT=${#COMP_LINE}; "
	    "_mcpane; echo \"${COMPREPLY[*]}\"";
	const char *const argv[] = { "/bin/bash", "-c", script, terminal_program(), NULL };
	struct program p;

	if (access(argv[0], X_OK) != 0)
		skip();
	program_run(&p, argv);
	assert_string_equal(buf_text(&p.err), "");
	assert_string_equal(buf_text(&p.out), "admin\n");
	program_free(&p);
}

/* An interactive shell: Tab completes a typed word. */
static void
complete_in(const char *file, const char *const *argv, const char *load)
{
	static const struct {
		const char *typed, *completed;
	} rows[] = {
		{ "mcpane conf", "mcpane conformance" },
		{ "mcpane call --demo list_users_b", "mcpane call --demo list_users_before" },
		{ "mcpane call --demo list_users role=a", "list_users role=admin" },
		{ "mcpane --config=.mc", "mcpane --config=.mcp.json" },
		{ "mcpane --config=.mcp.json --server o", "--server others" },
		{ "mcpane --theme=colorb", "mcpane --theme=colorblind" },
	};
	char *path = mem_printf("PATH=%s/bin:/usr/bin:/bin", folder);

	if (access(file, X_OK) != 0) {
		free(path);
		print_message("%s is not installed\n", file);
		skip();
	}
	struct terminal *t = terminal_start(
	    &(struct terminal_options){ .argv = argv, .env = ARGV(path, "PS1=$ "), .cwd = folder });
	free(path);
	terminal_type(t, load);
	terminal_type(t, "; echo it is'' loaded\r");
	terminal_wait_text(t, "it is loaded");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		terminal_type(t, rows[i].typed);
		terminal_wait_text(t, rows[i].typed);
		terminal_type(t, "\t");
		terminal_wait_text(t, rows[i].completed);
		terminal_type(t, "\x15"); /* Ctrl-U */
		terminal_wait_gone(t, rows[i].completed);
	}
	terminal_close(t);
}

static void
test_in_bash(void **state)
{
	complete_in("/bin/bash", ARGV("bash", "--norc", "--noprofile", "-i"),
	    "source <(mcpane completions bash)");
}

static void
test_in_zsh(void **state)
{
	complete_in("/bin/zsh", ARGV("zsh", "-f", "-i"),
	    "autoload -Uz compinit; compinit -D -u; source <(mcpane completions zsh)");
}

static void
test_in_fish(void **state)
{
	complete_in(
	    "/usr/bin/fish", ARGV("fish", "--no-config", "-i"), "mcpane completions fish | source");
}

static void
test_scripts(void **state)
{
	static const char *const shells[] = { "zsh", "fish", "tcsh" };

	for (size_t i = 0; i < 3; i++) {
		const char *const argv[] = { terminal_program(), "completions", shells[i], NULL };
		struct program p;
		program_run(&p, argv);
		assert_int_equal(p.exit_code, i == 2);
		assert_int_equal(strstr(buf_text(&p.out), "__words") != NULL, i < 2);
		program_free(&p);
	}
}

static void
test_servers(void **state)
{
	const char *const argv[] = { terminal_program(), "servers", NULL };
	struct program p;

	program_run(&p, argv);
	char *expected = mem_printf(
	    "{\"servers\":[{\"name\":\"others\",\"state\":\"asks first\",\"from\":\"Claude Code\","
	    "\"file\":\".mcp.json\",\"runs\":\"touch ran\"},{\"name\":\"mine\",\"state\":\"asks "
	    "first\","
	    "\"from\":\"mcpane\",\"file\":\"~/mcpane/servers.json\",\"runs\":\"%s "
	    "--serve-demo\"}]}\n",
	    terminal_program());
	assert_string_equal(buf_text(&p.out), expected);
	free(expected);
	program_free(&p);
}

TEST_FILE(completions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tools, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bash, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_bash, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_zsh, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_fish, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_scripts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_servers, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
