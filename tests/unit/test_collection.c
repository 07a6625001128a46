/* SPDX-License-Identifier: MIT */
/* Project files: saved calls, variables and environments. */
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/vec.h"
#include "host/project.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-kept-XXXXXX";

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return mkdtemp(folder) && chdir(folder) == 0 && setenv("HOME", folder, 1) == 0 ? 0 : 1;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int code = chdir("/") + system(command);

	free(command);
	return code;
}

static void
put(const char *name, const char *text)
{
	char *path = mem_printf("%s/%s", folder, name), *json = quoted(text);
	struct err err = { "" };

	path_make_folders(path);
	if (!path_write_file(path, json, strlen(json), &err))
		fail_msg("%s", err.text);
	free(json);
	free(path);
}

/* ---- saved calls ---- */

static void
test_saved_call(void **state)
{
	static const char text[] = "{'retry':{'attempts':2},'expect':{'error':false},'server':'"
				   "shop','arguments':{'b':1.50,"
				   "'a':'${x}'},'description':'d','call':'search'}";
	static const char file[] =
	    "{\n  \"description\": \"d\",\n  \"call\": \"search\",\n"
	    "  \"server\": \"shop\",\n  \"arguments\": {\n    \"b\": 1.50,\n"
	    "    \"a\": \"${x}\"\n  },\n  \"expect\": {\n    \"error\": false\n"
	    "  },\n  \"retry\": {\n    \"attempts\": 2\n  }\n}\n";
	struct saved_call call;
	struct buf out = BUF_INIT, again = BUF_INIT;
	struct err err = { "" };
	char *json = quoted(text);

	assert_true(saved_call_parse(&call, json, strlen(json), &err));
	assert_int_equal(call.kind, PRIMITIVE_TOOL);
	assert_string_equal(call.key, "search");
	assert_string_equal(call.server, "shop");
	assert_string_equal(call.arguments, "{\"b\":1.50,\"a\":\"${x}\"}");
	saved_call_add(&call, &out);
	assert_string_equal(buf_text(&out), file);
	saved_call_finish(&call);
	assert_true(saved_call_parse(&call, buf_text(&out), out.len, &err));
	saved_call_add(&call, &again);
	assert_string_equal(buf_text(&again), file);
	saved_call_finish(&call);
	buf_finish(&out);
	buf_finish(&again);
	free(json);
}

static void
test_strict(void **state)
{
	static const struct {
		const char *text, *why;
	} calls[] = {
		{ "{'call':'t',}", "1:13: " },
		{ "[]", "1:1: expected an object" },
		{ "{}", "\"call\", \"get\", \"read\" or \"template\" is missing" },
		{ "{'call':'t','get':'p'}", "1:19: /get: there is \"call\" already" },
		{ "{'call':7}", "1:9: /call: expected a name" },
		{ "{'call':'t',\n 'arguments':[]}", "2:14: /arguments: expected an object" },
		{ "{'call':'t','argments':{}}",
		    "1:24: /argments: unknown member \"argments\"; did you mean arguments?" },
		{ "{'call':'t','call':'u'}", "1:13: duplicate key" },
	};
	static const struct {
		const char *text, *why;
	} environments[] = {
		{ "{'variables':{'1a':1}}", "1:20: /variables/1a: " },
		{ "{'variables':{'a':{'b':1}}}", "1:19: /variables/a: an object can only be" },
		{ "{'variables':{'a':{'env':'a b'}}}", "1:19: /variables/a: an object" },
		{ "{'variables':{'api_key':'x'}}", "1:25: /variables/api_key: by its name it is" },
		{ "{'variables':{'api_key':7}}", "1:25: /variables/api_key: by its name it is" },
		{ "{'variables':{'api_key':['x']}}", "1:25: /variables/api_key: by its name it" },
		{ "{'environments':{'a b':{}}}", "1:24: /environments/a b: that cannot be" },
		{ "{'environments':{'a':{'pass':'x'}}}", "1:30: /environments/a/pass: by its" },
		{ "{'variable':{}}", "1:13: /variable: unknown member" },
	};
	struct err err = { "" };

	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		char *json = quoted(calls[i].text);
		struct saved_call call;
		assert_false(saved_call_parse(&call, json, strlen(json), &err));
		if (strncmp(err.text, calls[i].why, strlen(calls[i].why)) != 0)
			fail_msg("%s: %s", calls[i].text, err.text);
		free(json);
	}
	for (size_t i = 0; i < ARRAY_LEN(environments); i++) {
		char *json = quoted(environments[i].text);
		struct environments all;
		assert_false(environments_parse(&all, json, strlen(json), &err));
		if (strncmp(err.text, environments[i].why, strlen(environments[i].why)) != 0)
			fail_msg("%s: %s", environments[i].text, err.text);
		free(json);
	}
}

static void
test_names(void **state)
{
	static const char *const good[] = { "a", "open orders", "orders/open", "größe", "a.b-c" };
	static const char *const bad[] = { "", "/", "a/", "/a", "a/b/c", "..", "a/..", "../a",
		".git", "-x", " a", "a ", "a\nb", "a:b", "a\\b", "\xff" };

	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(saved_call_is_name(good[i], NULL));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(saved_call_is_name(bad[i], NULL));
}

/* ---- the files ---- */

static void
save(const char *name, const char *arguments)
{
	struct saved_call call = { .name = (char *)name,
		.kind = PRIMITIVE_TOOL,
		.key = (char *)"t",
		.arguments = (char *)arguments };
	struct err err = { "" };
	char *path;

	if (!project_host.save(NULL, &call, &path, &err))
		fail_msg("%s", err.text);
	free(path);
}

/* "name name ..." of the calls that are there; those that cannot be used have a ! behind. */
static char *
list(void)
{
	struct saved_calls all;
	struct buf out = BUF_INIT;
	struct err err = { "" };

	assert_true(project_host.calls(NULL, &all, &err));
	for (size_t i = 0; i < all.len; i++)
		buf_addf(&out, "%s%s%s", i ? ", " : "", all.items[i].name,
		    all.items[i].trouble ? "!" : "");
	saved_calls_finish(&all);
	return out.len > 0 ? buf_detach(&out) : mem_strdup("");
}

static void
assert_list(const char *expected)
{
	char *found = list();

	assert_string_equal(found, expected);
	free(found);
}

/* From below the project, never from above it or from another's. */
static void
test_is_found(void **state)
{
	put("repo/.git/HEAD", "");
	put("repo/a/b/c", "");
	put(".mcpane/calls/of_home.json", "{'call':'t'}");
	assert_int_equal(chdir("repo/a/b"), 0);
	assert_list("");
	save("x", "{}");
	assert_list("x");
	char *made = mem_printf("%s/repo/.mcpane/calls/x.json", folder);
	assert_int_equal(access(made, R_OK), 0);
	free(made);
	assert_int_equal(chdir("../../.."), 0);
	assert_list("of_home");
	put("plain/d/e", "");
	assert_int_equal(chdir("plain/d"), 0);
	assert_list("of_home");
	assert_int_equal(setenv("HOME", "/nowhere", 1), 0);
	put("plain/.git", "");
	assert_list("");
}

static void
test_life(void **state)
{
	struct err err = { "" };

	save("b", "{\"n\":1}");
	save("orders/open", "{}");
	save("a", "{}");
	assert_list("a, b, orders/open");
	save("b", "{\"n\":2}");
	assert_list("a, b, orders/open");
	assert_false(project_host.rename(NULL, "a", "b", &err));
	assert_non_null(strstr(err.text, "there is one already"));
	assert_false(project_host.rename(NULL, "none", "c", &err));
	assert_string_equal(err.text, "no call is saved as none");
	assert_false(project_host.rename(NULL, "a", "../c", &err));
	assert_true(project_host.rename(NULL, "a", "orders/a", &err));
	assert_list("b, orders/a, orders/open");
	assert_true(project_host.remove(NULL, "b", &err));
	assert_false(project_host.remove(NULL, "b", &err));
	assert_false(project_host.remove(NULL, "../environments", &err));
	assert_list("orders/a, orders/open");
	put(".mcpane/calls/bad.json", "{'call':1}");
	put(".mcpane/calls/.hidden.json", "{'call':'t'}");
	put(".mcpane/calls/orders/deep/x.json", "{'call':'t'}");
	assert_list("bad!, orders/a, orders/open");
}

/* Nothing outside of the folder is read or written through a link. */
static void
test_links(void **state)
{
	struct saved_call call = { .name = (char *)"x",
		.kind = PRIMITIVE_TOOL,
		.key = (char *)"t",
		.arguments = (char *)"{}" };
	struct environments all;
	struct err err = { "" };
	char *path;

	put("out/secret.json", "{'call':'t'}");
	put("out/environments.json", "{'variables':{'a':1}}");
	put(".mcpane/calls/real.json", "{'call':'t'}");
	assert_int_equal(symlink("../../out/secret.json", ".mcpane/calls/x.json"), 0);
	assert_int_equal(symlink("../../out", ".mcpane/calls/group"), 0);
	assert_int_equal(symlink("../out/environments.json", ".mcpane/environments.json"), 0);
	assert_list("real, x!");
	assert_false(project_host.environments(NULL, &all, &err));
	assert_non_null(strstr(err.text, "/.mcpane/environments.json is a symbolic link"));
	assert_false(project_host.save(NULL, &call, &path, &err));
	assert_non_null(strstr(err.text, "/calls/x.json is a symbolic link"));
	call.name = (char *)"group/x";
	assert_false(project_host.save(NULL, &call, &path, &err));
	assert_non_null(strstr(err.text, "/calls/group is a symbolic link"));
	assert_false(project_host.rename(NULL, "real", "group/y", &err));
	assert_non_null(strstr(err.text, "/calls/group is a symbolic link"));
	assert_false(project_host.remove(NULL, "group/secret", &err));
	assert_int_equal(access("out/secret.json", F_OK), 0);
	assert_int_equal(rename(".mcpane", "elsewhere"), 0);
	assert_int_equal(symlink("elsewhere", ".mcpane"), 0);
	assert_list("");
	assert_false(project_host.save(NULL, &call, &path, &err));
	assert_non_null(strstr(err.text, "is not a folder of yours"));
}

/* ---- variables ---- */

static void
assert_filled(const char *name, const char *json, const char *expected)
{
	struct option_strings given = { 0 };
	struct environments all;
	struct environment e = { 0 };
	struct buf out = BUF_INIT;
	struct err err = { "" };
	char *text = quoted(json), *wanted = quoted(expected);

	*VEC_PUSH(&given) = "given=by hand";
	*VEC_PUSH(&given) = "list:=[1,2]";
	bool ok = project_host.environments(NULL, &all, &err) &&
		  project_environment(&all, name, &given, &e, &err) &&
		  environment_fill(&e, text, strlen(text), &out, &err);
	assert_string_equal(ok ? buf_text(&out) : err.text, wanted);
	environment_finish(&e);
	environments_finish(&all);
	free(given.items);
	buf_finish(&out);
	free(text);
	free(wanted);
}

static void
test_variables(void **state)
{
	put(".mcpane/environments.json",
	    "{'variables':{'base':'http://x','limit':20,'flag':true,'token':{'env':'KEPT_TOKEN'},"
	    "'other_x':'',"
	    "'other':{'env':'KEPT_OTHER'}},"
	    "'environments':{'staging':{'base':'http://s','other':'plain'},'prod':{}}}");
	setenv("KEPT_TOKEN", "hunter\"2", 1);
	unsetenv("KEPT_OTHER");
	assert_filled(NULL, "{'a':'${base}/v1','n':'${limit}','f':'on: ${flag}'}",
	    "{'a':'http://x/v1','n':20,'f':'on: true'}");
	assert_filled("staging", "['${base}','${other}','${list}','${list.1}','${given}']",
	    "['http://s','plain',[1,2],2,'by hand']");
	assert_filled("prod", "{'n': 1.50}", "{'n': 1.50}");
	assert_filled(NULL, "['$${base}']", "['${base}']");
	assert_filled(NULL, "{'t':'${nope}'}", "${nope}: there is no such variable");
	assert_filled(NULL, "{'t':'${other_x}${other}'}",
	    "${other} needs KEPT_OTHER, which is not set in the environment, has fewer than 4 "
	    "bytes, or brings all secrets to over 256 KiB");
	assert_filled("stagin", "{}", "there is no environment stagin; did you mean staging?");
	assert_filled("x", "{}", "there is no environment x; there are: staging, prod");
	put(".mcpane/environments.json", "{}");
	assert_filled("x", "{}", "there is no environment x, nor any other");
}

/* Wherever text is shown or stored, both raw and escaped as JSON. */
static void
test_secrets_are_hidden(void **state)
{
	struct option_strings none = { 0 };
	struct environments all;
	struct environment e;
	struct buf out = BUF_INIT;
	struct err err = { "" };
	static const char text[] = "{\"q\":\"x ${token}\"}";

	put(".mcpane/environments.json", "{'variables':{'token':{'env':'KEPT_TOKEN'},'a':'b'}}");
	setenv("KEPT_TOKEN", "hunter\"2", 1);
	assert_true(project_host.environments(NULL, &all, &err));
	assert_true(project_environment(&all, NULL, &none, &e, &err));
	environments_finish(&all);
	assert_string_equal(environment_secret_in(&e, text, strlen(text)), "token");
	assert_null(environment_secret_in(&e, "[\"${a}\"]", 8));
	assert_true(environment_fill(&e, text, strlen(text), &out, &err));
	assert_string_equal(buf_text(&out), "{\"q\":\"x hunter\\\"2\"}");
	struct buf hidden = BUF_INIT;
	assert_true(secret_hide_values(&hidden, buf_text(&out), out.len, SECRET_VALUES_NOTED));
	assert_string_equal(buf_text(&hidden), "{\"q\":\"x " SECRET_HIDDEN "\"}");
	buf_clear(&hidden);
	secret_hide_text(&hidden, "says hunter\"2!", 14);
	assert_string_equal(buf_text(&hidden), "says " SECRET_HIDDEN "!");
	assert_false(secret_hide_values(&hidden, "nothing", 7, SECRET_VALUES_NOTED));
	buf_finish(&hidden);
	buf_finish(&out);
	environment_finish(&e);
}

TEST_FILE(collection)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved_call),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_names),
		cmocka_unit_test_setup_teardown(test_is_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_life, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_variables, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_secrets_are_hidden, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
