/* SPDX-License-Identifier: MIT */
/* Saved calls and environments of a project, on the screen. */
#include "base/mem.h"
#include "base/path.h"
#include "host/project.h"
#include "one_stage.h"
#include "quoted.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-open-XXXXXX";

static void
put(const char *name, const char *text)
{
	char *path = mem_printf("%s/.mcpane/%s", folder, name), *json = quoted(text);

	path_make_folders(path);
	assert_true(path_write_file(path, json, strlen(json), NULL));
	free(json);
	free(path);
}

static void
assert_file(const char *name, const char *expected)
{
	char *path = mem_printf("%s/.mcpane/%s", folder, name);
	struct buf text = BUF_INIT;

	if (!path_read_file(path, &text, NULL))
		fail_msg("there is no %s", path);
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
	free(path);
}

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("HOME", folder, 1) != 0)
		return 1;
	put("environments.json", "{'variables':{'who':'Ali','most':2,'token':{'env':'OPEN_TOKEN'}},"
				 "'environments':{'staging':{'who':'Bob'}}}");
	setenv("OPEN_TOKEN", "hunter22", 1);
	stage_set_up(state);
	workbench_workspace(stage.wb)->collection.host = &project_host;
	return 0;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int code = stage_tear_down(state) + chdir("/") + system(command);

	free(command);
	return code;
}

static void
call(void)
{
	stage_keys(&stage, "f5");
	stage_settle(&stage, 1000);
}

static const char *
last_arguments(void)
{
	const struct call *c = workspace_call(workbench_workspace(stage.wb));

	return c ? c->arguments : "";
}

static void
test_save_and_open(void **state)
{
	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "set customer Bob");
	stage_keys(&stage, "ctrl-s");
	see(":save-call search_orders");
	stage_keys(&stage, "end"); /* typing would replace the name */
	stage_type(&stage, "/bob");
	stage_keys(&stage, "enter");
	see("saved to ");
	see("search_orders · search_orders/bob");
	assert_file("calls/search_orders/bob.json",
	    "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n  \"arguments\": {\n"
	    "    \"customer\": \"Bob\"\n  }\n}\n");
	stage_run(&stage, "set limit 7");
	stage_keys(&stage, "ctrl-s enter"); /* its own name: no question */
	see("saved to ");
	stage_run(&stage, "set limit 8");
	stage_run(&stage, "save-call other");
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "save-call other");
	see("other is saved already, for search_orders.");
	stage_keys(&stage, "enter");
	stage_keys(&stage, "ctrl-o");
	see("Saved calls");
	see("search_orders/bob");
	stage_keys(&stage, "end enter");
	see("search_orders · search_orders/bob");
	call();
	assert_string_equal(last_arguments(), "{\"customer\":\"Bob\",\"limit\":7}");
	put("calls/bad.json", "{'cal':'t'}");
	stage_keys(&stage, "ctrl-o");
	see("1:8: /cal: unknown member \"cal\"; did you mean call?");
	stage_keys(&stage, "home enter");
	see("bad.json: 1:8: /cal: unknown member");
	assert_false(stage_run(&stage, "saved none"));
	see("no call is saved as none");
	assert_false(stage_run(&stage, "save-call ../x"));
	see("\"../x\" cannot be a name");
}

static void
test_rename_and_delete(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "save-call two words");
	stage_keys(&stage, "ctrl-o c");
	see(":rename-saved \"two words\"");
	stage_type(&stage, "three");
	stage_keys(&stage, "enter");
	see("list_users · three");
	stage_keys(&stage, "ctrl-o d");
	see("The file of the saved call three is removed");
	stage_settle(&stage, 1000);
	stage_keys(&stage, "y");
	see("deleted three");
	see_not("list_users · three");
	assert_false(stage_run(&stage, "saved"));
	see("no call is saved in this project");
}

/* Variables are filled in at the call, and their values are shown before. */
static void
test_variables(void **state)
{
	put("calls/o.json",
	    "{'call':'search_orders','arguments':{'customer':'${who}','limit':'${most}'}}");
	stage_run(&stage, "saved o");
	see("= \"Ali\" · string");
	see("= 2 · integer");
	see_not("problem");
	call();
	assert_string_equal(last_arguments(), "{\"customer\":\"Ali\",\"limit\":2}");
	stage_keys(&stage, "ctrl-p");
	stage_type(&stage, "staging");
	stage_keys(&stage, "enter");
	see("env staging");
	see("= \"Bob\" · string");
	call();
	assert_string_equal(last_arguments(), "{\"customer\":\"Bob\",\"limit\":2}");
	stage_run(&stage, "preview");
	see("\"customer\": \"Bob\"");
	stage_run(&stage, "preview");
	put("environments.json",
	    "{'variables':{'who':'New','most':400},'environments':{'staging':{}}}");
	call(); /* the file as it is now */
	see("Call it anyway?");
	see("limit");
	stage_keys(&stage, "esc");
	stage_run(&stage, "environment -");
	see_not("env staging");
	put("environments.json", "{'variables':{'who':}}");
	stage_run(&stage, "call!");
	see("environments.json: 1:21: ");
	put("environments.json", "{}");
	stage_run(&stage, "call!");
	see("${who}: there is no such variable");
}

/* Without project variables, text is sent as typed. */
static void
test_other_references(void **state)
{
	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "set customer ${x}");
	call();
	assert_string_equal(last_arguments(), "{\"customer\":\"${x}\"}");
	stage_run(&stage, "environment");
	see("environment staging");
	stage_keys(&stage, "tab enter");
	see("env staging");
	stage_run(&stage, "call!");
	see("${x}: there is no such variable");
	assert_false(stage_run(&stage, "environment stagin"));
	see("there is no environment stagin; did you mean staging?");
}

static void
test_secrets(void **state)
{
	put("calls/s.json", "{'call':'search_orders','arguments':{'customer':'x${token}'}}");
	stage_run(&stage, "saved s");
	see("= \"x(hidden)\"");
	call();
	see("Send a secret?");
	see("The project fills in ${token} with a secret");
	stage_settle(&stage, 1000);
	stage_keys(&stage, "y");
	stage_settle(&stage, 1000);
	assert_string_equal(last_arguments(), "{\"customer\":\"x(hidden)\"}");
	call(); /* asked once */
	see_not("Send a secret?");
	stage_keys(&stage, "w");
	see("(hidden)");
	see_not("hunter22");
	const struct server_info *info = server_info(stage.server);
	for (size_t i = 0; i < journal_info(info->journal)->count; i++)
		assert_null(strstr(journal_at(info->journal, i)->bytes->data, "hunter22"));
}

/* Replaced in texts under any name; an existing reference stays. */
static void
test_secrets_in_texts(void **state)
{
	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "set customer Bearer abc123def and hunter22");
	stage_run(&stage, "environment staging"); /* reads the secret hunter22 */
	stage_run(&stage, "save-call s");
	see("its secrets are ${...}");
	assert_file("calls/s.json",
	    "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n  \"arguments\": {\n"
	    "    \"customer\": \"Bearer ${secret} and ${secret_2}\"\n  }\n}\n");
	stage_run(&stage, "set customer Authorization: Bearer ${token}");
	stage_run(&stage, "save-call s");
	see("saved to ");
	see_not("its secrets are ${...}");
	assert_file("calls/s.json",
	    "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n  \"arguments\": {\n"
	    "    \"customer\": \"Authorization: Bearer ${token}\"\n  }\n}\n");
	stage_run(&stage, "resource https://h/?token=abc");
	assert_false(stage_run(&stage, "save-call t"));
	see("its URI has a secret");
}

/* A server cannot have a secret by a value that looks like a reference and is passed on. */
static void
test_values_are_no_references(void **state)
{
	const struct server_info *info = server_info(stage.server);

	stage_run(&stage, "tool search_orders");
	stage_answer(&stage, "\"result\":{\"content\":[],\"structuredContent\":{\"orders\":["
			     "{\"order_id\":\"${token}\"},{\"order_id\":\"x$${who}\"}]}}");
	call();
	stage_run(&stage, "pane structured");
	stage_run(&stage, "column order_id");
	assert_true(stage_run(&stage, "pass update_order order_id"));
	stage_run(&stage, "set status shipped");
	stage_run(&stage, "set note ${who}");
	stage_run(&stage, "call!");
	stage_settle(&stage, 1000);
	assert_non_null(strstr(last_arguments(), "\"order_id\":\"${token}\""));
	assert_non_null(strstr(last_arguments(), "\"note\":\"Ali\""));
	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "pass column update_order order_id");
	assert_true(stage_run(&stage, "call-each!"));
	stage_settle(&stage, 1000);
	see("2 calls: ");
	const struct call *last = server_call_at(stage.server, info->calls - 1);
	assert_non_null(strstr(last->arguments, "\"order_id\":\"x$${who}\""));
	assert_non_null(strstr(last->arguments, "\"note\":\"Ali\""));
	for (size_t i = 0; i < journal_info(info->journal)->count; i++)
		assert_null(strstr(journal_at(info->journal, i)->bytes->data, "hunter22"));
}

/* The user's edits of the file are kept, and existing data is not overwritten without a
 * question. */
static void
test_save_over(void **state)
{
	static const char others[] =
	    "'expect':{'jq':'.orders'},'variables':{'a':1},'description':'d'";
	char *file = mem_printf("{'call':'search_orders','arguments':{'limit':1},%s}", others);
	char *changed = mem_printf("{'call':'search_orders','arguments':{'limit':2},%s}", others);

	put("calls/o.json", file);
	stage_run(&stage, "saved o");
	stage_run(&stage, "set limit 7");
	stage_run(&stage, "save-call o");
	see("saved to ");
	assert_file("calls/o.json",
	    "{\n  \"description\": \"d\",\n  \"variables\": {\n    \"a\": 1\n  },\n"
	    "  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n  \"arguments\": {\n"
	    "    \"limit\": 7\n  },\n  \"expect\": {\n    \"jq\": \".orders\"\n  }\n}\n");
	put("calls/o.json", changed);
	stage_run(&stage, "save-call o");
	see("Its arguments have changed since o was opened here.");
	stage_keys(&stage, "esc");
	stage_run(&stage, "set limit 2"); /* the variables of the file */
	stage_run(&stage, "save-call o");
	see("saved to ");
	put("calls/o.json", "{'call':'search_orders','expct':{}}");
	stage_run(&stage, "save-call o");
	see("The content of o.json will be lost");
	stage_settle(&stage, 1000);
	stage_keys(&stage, "y");
	see("saved to ");
	put("calls/p.json", file);
	stage_run(&stage, "save-call p");
	see("p is saved already, with other arguments.");
	stage_keys(&stage, "esc");
	free(changed);
	free(file);
}

/* From the form by the mouse, and from the list. */
static void
test_button(void **state)
{
	stage_run(&stage, "tool search_orders");
	stage_keys(&stage, "end right right right right");
	see(" $EDITOR    Saved ");
	stage_keys(&stage, "enter");
	see("no call is saved in this project: Ctrl-S");
	stage_run(&stage, "save-call o");
	stage_keys(&stage, "enter");
	see("Saved calls");
	stage_keys(&stage, "s");
	see(":save-call o");
}

static void
test_environment_is_kept(void **state)
{
	char *path = mem_printf("%s/.local/state/mcpane/environments", folder);
	char *expected = mem_printf("{\"%s/.mcpane\":\"staging\"}", folder);
	struct buf text = BUF_INIT;
	struct err err = { "" };

	unsetenv("XDG_STATE_HOME");
	assert_null(project_host.kept_environment(NULL));
	stage_run(&stage, "environment staging");
	char *kept = project_host.kept_environment(NULL);
	assert_string_equal(kept, "staging");
	free(kept);
	assert_true(path_read_file(path, &text, NULL));
	assert_string_equal(buf_text(&text), expected);
	stage_run(&stage, "environment -");
	assert_null(project_host.kept_environment(NULL));
	buf_clear(&text);
	assert_true(path_read_file(path, &text, NULL));
	assert_string_equal(buf_text(&text), "{}");
	/* damaged entries and deleted projects are dropped */
	assert_true(path_write_file(path, "{\"/none\":\"a\",\"b\":", 17, &err));
	assert_null(project_host.kept_environment(NULL));
	assert_true(path_write_file(path, "{\"/none\":\"a\",\"/tmp\":\"b\"}", 24, &err));
	assert_true(project_host.keep_environment(NULL, "x", &err));
	buf_clear(&text);
	assert_true(path_read_file(path, &text, NULL));
	assert_null(strstr(buf_text(&text), "/none"));
	assert_non_null(strstr(buf_text(&text), "{\"/tmp\":\"b\","));
	buf_finish(&text);
	free(expected);
	free(path);
}

/* A secret that is typed is not written into a file. */
static void
test_saved_without_secrets(void **state)
{
	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "argument token hunter33");
	stage_run(&stage, "save-call s");
	see("its secrets are ${...}");
	assert_file("calls/s.json", "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n"
				    "  \"arguments\": {\n    \"token\": \"${token}\"\n  }\n}\n");
	stage_run(&stage, "argument password [\"hunter34\",\"${a}\"]");
	stage_run(&stage, "save-call s");
	assert_file("calls/s.json", "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n"
				    "  \"arguments\": {\n    \"token\": \"${token}\",\n"
				    "    \"password\": [\n      \"${password}\",\n"
				    "      \"${a}\"\n    ]\n  }\n}\n");
	stage_run(&stage, "argument token 1234");
	stage_run(&stage, "argument password {\"old\":5,\"on\":true,\"api_key\":\"k\"}");
	stage_run(&stage, "save-call s");
	assert_file("calls/s.json", "{\n  \"call\": \"search_orders\",\n  \"server\": \"demo\",\n"
				    "  \"arguments\": {\n    \"token\": \"${token}\",\n"
				    "    \"password\": {\n      \"old\": \"${password}\",\n"
				    "      \"on\": true,\n      \"api_key\": \"${api_key}\"\n"
				    "    }\n  }\n}\n");
}

TEST_FILE(saved_calls)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_save_and_open, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rename_and_delete, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_variables, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_references, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_secrets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_secrets_in_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_values_are_no_references, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_saved_without_secrets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_save_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_button, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_environment_is_kept, set_up, tear_down),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
