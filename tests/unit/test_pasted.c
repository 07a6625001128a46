/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "host/user_config.h"
#include "host/server_file.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ' means " in both; expected NULL: not recognized. */
static void
assert_pasted(const char *text, const char *expected)
{
	bool is_json = expected && *expected == '{';
	char *full = is_json && !strstr(expected, "mcpServers")
			 ? mem_printf("{'mcpServers':%s}", expected)
			 : mem_strdup(expected);
	char *typed = quoted(text), *json = full ? quoted(full) : NULL;
	struct buf out = BUF_INIT;
	struct err err = { "" };
	enum pasted found = pasted_to_file(typed, &out, &err);

	if (found == PASTED_ELSE)
		assert_null(json);
	else
		assert_string_equal(found == PASTED_SERVERS ? buf_text(&out) : err.text, json);
	buf_finish(&out);
	free(typed);
	free(json);
	free(full);
}

static void
test_json(void **state)
{
	static const char one[] = "{'a':{'command':'x'}}";

	assert_pasted("{'mcpServers': {'a': {'command':'x'}}} ", one);
	assert_pasted("\n { // of VS Code\n 'servers': {'a': {'command':'x',},},}", one);
	assert_pasted("{'context_servers': {'a': {'command':'x'}}}", one);
	assert_pasted("{'mcp': {'a': {'command':['x','y']}}}", "{'a':{'command':['x','y']}}");
	assert_pasted("{'a': {'command':'x'}}", one);
	assert_pasted("'a': {'command':'x'}", one);
	assert_pasted("'mcpServers': {'a': {'command':'x'}},", one);
	assert_pasted(
	    "{'command':'/bin/x','args':['y']}", "{'x':{'command':'/bin/x','args':['y']}}");
	assert_pasted("{'name':'n','url':'https://h/m'}", "{'n':{'name':'n','url':'https://h/m'}}");
	assert_pasted("{'url':'https://h:1/m'}", "{'h:1':{'url':'https://h:1/m'}}");
}

/* Inputs that VS Code asks for are kept. */
static void
test_inputs(void **state)
{
	static const char with[] =
	    "{'mcpServers':{'a':{'command':'${input:k}'}},'inputs':[{'id':'k'}]}";

	assert_pasted("{'inputs':[{'id':'k'}],'servers':{'a':{'command':'${input:k}'}}}", with);
	assert_pasted(
	    "{'mcp':{'servers':{'a':{'command':'${input:k}'}},'inputs':[{'id':'k'}]}}", with);
	assert_pasted("{'servers':{'a':{'command':'x'}},'inputs':{}}", "{'a':{'command':'x'}}");
}

static void
test_commands(void **state)
{
	assert_pasted("claude mcp add air -e KEY=v=w --env B=2 -s user -- npx -y air --flag",
	    "{'air':{'command':'npx','args':['-y','air','--flag'],'env':{'KEY':'v=w','B':'2'}}}");
	assert_pasted("claude mcp add --transport http n https://h/m --header 'X: Bearer y'",
	    "{'n':{'type':'http','url':'https://h/m','headers':{'X':'Bearer y'}}}");
	assert_pasted("claude mcp add --transport http -H X:y n https://h/m",
	    "{'n':{'type':'http','url':'https://h/m','headers':{'X':'y'}}}");
	assert_pasted("claude mcp add --env A=1 B=2 --transport stdio n -- x --env C=3",
	    "{'n':{'type':'stdio','command':'x','args':['--env','C=3'],'env':{'A':'1','B':'2'}}}");
	assert_pasted("codex mcp add n --url=https://h/m", "{'n':{'url':'https://h/m'}}");
	assert_pasted("codex mcp add n --url https://h/m --bearer-token-env-var TOKEN",
	    "{'n':{'url':'https://h/m','bearer_token_env_var':'TOKEN'}}");
	assert_pasted("codex mcp add n --env A=b -- npx -y x",
	    "{'n':{'command':'npx','args':['-y','x'],'env':{'A':'b'}}}");
	assert_pasted(
	    "gemini mcp add --timeout 500 --trust --description 'a b' -t sse n https://h/s",
	    "{'n':{'type':'sse','url':'https://h/s'}}");
	assert_pasted("gemini mcp add -e K=v n python server.py --port 80",
	    "{'n':{'command':'python','args':['server.py','--port','80'],'env':{'K':'v'}}}");
	assert_pasted("gemini mcp add n python server.py -- --flag v",
	    "{'n':{'command':'python','args':['server.py','--flag','v']}}");
	assert_pasted("claude mcp add n x", "{'n':{'command':'x'}}");
	assert_pasted("claude mcp add-json n {\\'command\\':\\'x\\'}", "{'n':{'command':'x'}}");
	assert_pasted(
	    "claude mcp add-json n {\\'command\\':\\'x\\'} --scope user", "{'n':{'command':'x'}}");
	assert_pasted("claude mcp add-json -s user n {\\'url\\':\\'https://h\\'} --client-secret",
	    "{'n':{'url':'https://h'}}");
	assert_pasted("claude mcp add-json n", "mcp add-json: a name and the JSON of one server");
	assert_pasted(
	    "claude mcp add-json a b c", "mcp add-json: a name and the JSON of one server");
	assert_pasted("code --add-mcp {\\'name\\':\\'n\\',\\'command\\':\\'x\\'}",
	    "{'n':{'name':'n','command':'x'}}");
}

/* As after `mcpane --`; a name before the command stays a name. */
static void
test_command_lines(void **state)
{
	setenv("PATH", "/nowhere:/bin", 1);
	assert_pasted("npx -y @foo/server-bar@1.2 .",
	    "{'server-bar':{'command':'npx','args':['-y','@foo/server-bar@1.2','.']}}");
	assert_pasted("npx -y @foo", "{'@foo':{'command':'npx','args':['-y','@foo']}}");
	assert_pasted("python3 server.py", "{'server':{'command':'python3','args':['server.py']}}");
	assert_pasted("docker run -i --rm mcp/fetch:1",
	    "{'fetch':{'command':'docker','args':['run','-i','--rm','mcp/fetch:1']}}");
	assert_pasted("uv tool run x", "{'x':{'command':'uv','args':['tool','run','x']}}");
	assert_pasted(
	    "./my-server --fast", "{'my-server':{'command':'./my-server','args':['--fast']}}");
	assert_pasted("-- files a", "{'files':{'command':'files','args':['a']}}");
	assert_pasted("KEY=v npx x", "{'x':{'command':'npx','args':['x'],'env':{'KEY':'v'}}}");
	assert_pasted("-- KEY=v", "a command is missing");
	assert_pasted("sh -c x", "{'sh':{'command':'sh','args':['-c','x']}}");
	assert_pasted("sh npx x", NULL); /* a name before a command */
	assert_pasted("sh ls", NULL);
	assert_pasted("sh https://h/m", NULL);
	assert_pasted("nowhere -c x", NULL);
}

static void
test_refused(void **state)
{
	assert_pasted("", NULL);
	assert_pasted("files npx -y x", NULL);
	assert_pasted("https://h/m", NULL);
	assert_pasted("claude mcp list", NULL);
	assert_pasted("claude mcp add -- x", "mcp add: a name and a command or a URL are needed");
	assert_pasted("{'a':", "column 6 of the JSON: ends where a value is expected");
	assert_pasted("{}", "this JSON has no server: neither mcpServers nor a command nor a url");
	assert_pasted(
	    "{'a':1}", "this JSON has no server: neither mcpServers nor a command nor a url");
}

TEST_FILE(pasted)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_command_lines),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
