#include "base/mem.h"
#include "base/vec.h"
#include "config/pasted.h"
#include "config/server_file.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ' stands for " in both; expected NULL: it is something else. */
static void
assert_pasted(const char *text, const char *expected)
{
	char *typed = quoted(text), *json = expected ? quoted(expected) : NULL;
	struct buf out = BUF_INIT;
	struct err err = { "" };
	enum pasted found = pasted_to_entries(typed, &out, &err);

	if (found == PASTED_ELSE)
		assert_null(json);
	else
		assert_string_equal(found == PASTED_SERVERS ? buf_text(&out) : err.text, json);
	buf_finish(&out);
	free(typed);
	free(json);
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

static void
test_commands(void **state)
{
	assert_pasted("claude mcp add air -e KEY=v=w --env B=2 -s user -- npx -y air --flag",
	    "{'air':{'command':'npx','args':['-y','air','--flag'],'env':{'KEY':'v=w','B':'2'}}}");
	assert_pasted("claude mcp add --transport http n https://h/m --header 'X: Bearer y'",
	    "{'n':{'type':'http','url':'https://h/m','headers':{'X':'Bearer y'}}}");
	assert_pasted("claude mcp add --transport http -H X:y n https://h/m",
	    "{'n':{'type':'http','url':'https://h/m','headers':{'X':'y'}}}");
	assert_pasted("codex mcp add n --url=https://h/m", "{'n':{'url':'https://h/m'}}");
	assert_pasted("claude mcp add n x", "{'n':{'command':'x'}}");
	assert_pasted("claude mcp add-json n {\\'command\\':\\'x\\'}", "{'n':{'command':'x'}}");
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
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
