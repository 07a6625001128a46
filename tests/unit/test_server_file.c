/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/server_file.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
parse(struct server_file *c, const char *text, struct err *err)
{
	char *json = quoted(text);
	bool ok = server_file_parse(c, json, strlen(json), "f.json", err);

	free(json);
	return ok;
}

/* "argv… env… | cwd | url headers | inputs | trouble" of a target. */
static void
describe(struct buf *out, const struct target *t)
{
	assert_non_null(t->label);
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		buf_addf(out, "[%s]", t->argv[i]);
	for (size_t i = 0; t->env && t->env[i]; i++)
		buf_addf(out, " %s", t->env[i]);
	if (t->cwd)
		buf_addf(out, " in %s", t->cwd);
	if (t->url)
		buf_addf(out, "%s<%s>", t->sse ? "sse" : "", t->url);
	for (size_t i = 0; t->headers && t->headers[i]; i++)
		buf_addf(out, " {%s}", t->headers[i]);
	for (size_t i = 0; i < t->inputs.len; i++)
		buf_addf(
		    out, " ?%s%s", t->inputs.items[i].id, t->inputs.items[i].password ? "*" : "");
	if (t->trouble)
		buf_addf(out, " ! %s", t->trouble);
}

/* One entry of a file with other content. */
static void
assert_entry_beside(const char *beside, const char *entry, const char *expected)
{
	struct server_file c;
	struct err err = { "" };
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_addf(&text, "{%s'mcpServers':{'s':%s}}", beside, entry);
	if (!parse(&c, buf_text(&text), &err))
		fail_msg("%s", err.text);
	assert_string_equal(c.items[0].name, "s");
	assert_string_equal(c.items[0].file, "f.json");
	describe(&out, &c.items[0]);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&text);
	buf_finish(&out);
	server_file_finish(&c);
	assert_null(c.items);
}

static void
assert_entry(const char *entry, const char *expected)
{
	assert_entry_beside("", entry, expected);
}

static void
assert_refused(const char *text, const char *why)
{
	struct server_file c;
	struct err err = { "" };

	assert_false(parse(&c, text, &err));
	assert_string_equal(err.text, why);
	server_file_finish(&c);
}

static void
test_commands(void **state)
{
	assert_entry("{'command':'node'}", "[node]");
	assert_entry("{'command':'node','args':['a b','','$X'],'env':{'A':'1','B':''},'cwd':'/tmp',"
		     "'type':'stdio','unknown':{'kept':true}}",
	    "[node][a b][][$X] A=1 B= in /tmp");
	assert_entry("{'command':'x','args':null,'env':null,'cwd':null}", "[x]");
	assert_entry("{'command':'x','args':[],'env':{}}", "[x]");
}

static void
test_wrong_types(void **state)
{
	assert_entry("{'command':'x','args':'y'}", "[x] ! args is of type string, not array");
	assert_entry("{'command':'x','args':['y',3,'z']}",
	    "[x][y][z] ! args contains a value that is not a string");
	assert_entry("{'command':'x','env':['A=1']}", "[x] ! env is of type array, not object");
	assert_entry(
	    "{'command':'x','env':{'A':1,'B':'2','C':true,'D':null}}", "[x] A=1 B=2 C=true");
	assert_entry("{'command':'x','env':{'A':[],'B':'2'}}", "[x] B=2 ! env: A is not a string");
	assert_entry("{'command':'x','cwd':7}", "[x] ! cwd is of type number, not string");
	assert_entry(
	    "{'command':'x','args':{},'cwd':7}", "[x] ! args is of type object, not array");
	assert_entry("{'command':''}", " ! it has no command");
	assert_entry("{'command':[]}", " ! it has no command");
	assert_entry("{'command':[1]}", "[] ! command contains a value that is not a string");
	assert_entry("{'command':{'args':[]}}", "[] ! its command is empty");
	assert_entry("{}", " ! it has no command");
	assert_entry("[]", " ! it is of type array, not object");
	assert_entry("null", " ! it is of type null, not object");
}

static void
test_urls(void **state)
{
	struct server_file c;

	assert_entry("{'url':'https://x/mcp'}", "<https://x/mcp>");
	assert_entry("{'type':'http','url':'http://x/mcp','headers':{'A':'b c','X-N':1}}",
	    "<http://x/mcp> {A: b c} {X-N: 1}");
	assert_entry("{'type':'streamable-http','url':'http://x'}", "<http://x>");
	assert_entry("{'type':'streamableHttp','url':'http://x'}", "<http://x>");
	assert_entry("{'type':'sse','url':'http://x/sse'}", "sse<http://x/sse>");
	assert_entry("{'httpUrl':'http://x/','url':'http://y/'}", "<http://x/>");
	assert_entry("{'serverUrl':'http://x/'}", "<http://x/>");
	assert_entry("{'type':'http','command':'x','url':'http://x'}", "<http://x>");
	assert_entry("{'type':'stdio','command':'x','url':'http://x'}", "[x]");
	assert_entry(
	    "{'command':'x','url':'http://x'}", "[x] ! it has both command and url, and no type");
	assert_entry("{'type':'sse','command':'x'}", " ! it has no url");
	assert_entry("{'type':'ws','url':'http://x'}", "<http://x> ! unknown transport ws");
	assert_entry(
	    "{'url':'file:///etc'}", "<file:///etc> ! its url is neither http:// nor https://");
	assert_entry("{'url':'http://x','headers':{'a b':'c'}}",
	    "<http://x> {a b: c} ! headers: number 1 is not a valid header");
	assert_entry("{'url':'http://x','headers':{'A':'1','B':'c\\r\\nEvil: 1'}}",
	    "<http://x> {A: 1} {B: c\r\nEvil: 1} ! headers: number 2 is not a valid header");
	assert_true(parse(&c, "{'mcpServers':{'s':{'url':'https://x/mcp'}}}", NULL));
	assert_string_equal(c.items[0].label, "https://x/mcp");
	server_file_finish(&c);
}

static void
test_variables(void **state)
{
	char here[4096];

	setenv("MCPANE_TEST_A", "alpha", 1);
	setenv("MCPANE_TEST_EMPTY", "", 1);
	setenv("HOME", "/home/u", 1);
	unsetenv("MCPANE_TEST_NONE");
	assert_entry(
	    "{'command':'${MCPANE_TEST_A}','args':['${env:MCPANE_TEST_A}/x${MCPANE_TEST_A}'],"
	    "'env':{'K':'${MCPANE_TEST_NONE:-other}'},'cwd':'${userHome}/w'}",
	    "[alpha][alpha/xalpha] K=other in /home/u/w");
	assert_entry("{'command':'x','args':['${MCPANE_TEST_EMPTY}','${MCPANE_TEST_EMPTY:-d}',"
		     "'${MCPANE_TEST_NONE:-}','${MCPANE_TEST_A:-d}','a${/}b${pathSeparator}c']}",
	    "[x][][d][][alpha][a/b/c]");
	assert_entry("{'command':'x','args':['${MCPANE_TEST_NONE}']}",
	    "[x][] ! the environment has no MCPANE_TEST_NONE");
	assert_entry("{'url':'https://${MCPANE_TEST_A}/','headers':{'Authorization':"
		     "'Bearer ${env:MCPANE_TEST_NONE}'}}",
	    "<https://alpha/> {Authorization: Bearer } ! the environment has no MCPANE_TEST_NONE");
	struct server_file c;
	assert_true(parse(&c,
	    "{'servers':{'s':{'url':'https://${MCPANE_TEST_A}/"
	    "${MCPANE_TEST_NONE:-x}','headers':{'K':"
	    "'${env:MCPANE_TEST_EMPTY}${MCPANE_TEST_A}'}}}}",
	    NULL));
	assert_string_equal(c.items[0].passed[0], "MCPANE_TEST_A");
	assert_string_equal(c.items[0].passed[1], "MCPANE_TEST_EMPTY");
	assert_null(c.items[0].passed[2]);
	server_file_finish(&c);
	/* a shell's own are left to it */
	assert_entry("{'command':'sh','args':['-c','echo $HOME ${x%y} ${#a} ${} ${open ${']}",
	    "[sh][-c][echo $HOME ${x%y} ${#a} ${} ${open ${]");
	assert_non_null(getcwd(here, sizeof(here)));
	struct buf expected = BUF_INIT;
	buf_addf(&expected, "[x][%s][%s]", here, strrchr(here, '/') + 1);
	assert_entry("{'command':'x','args':['${workspaceFolder}','${workspaceFolderBasename}']}",
	    buf_text(&expected));
	buf_finish(&expected);
}

static const char *
give(void *user, const struct target_input *input)
{
	return strcmp(input->id, user) == 0 ? "given" : input->otherwise;
}

static void
test_inputs(void **state)
{
	struct server_file c;
	struct target t;
	struct err err;
	const char *inputs =
	    "'inputs':[{'type':'promptString','id':'key','description':'A key',"
	    "'password':true},{'type':'pickString','id':'size','options':['s','l'],"
	    "'default':'l'},{'type':'command','id':'cmd','command':'x'}],";

	assert_entry_beside(inputs, "{'command':'x','env':{'K':'${input:key}','L':'${input:key}'}}",
	    "[x] K=${input:key} L=${input:key} ?key*");
	assert_entry_beside(
	    inputs, "{'url':'http://x/${input:size}'}", "<http://x/${input:size}> ?size");
	assert_entry_beside(inputs, "{'command':'x','args':['${input:cmd}']}",
	    "[x][] ! input cmd has the unknown type command");
	assert_entry("{'command':'x','args':['${input:none}']}", "[x][] ! no input with id none");

	assert_true(parse(&c,
	    "{'inputs':[{'type':'promptString','id':'key'},{'type':'pickString','id':'size','"
	    "default':"
	    "'l','options':['s','l']}],'servers':{'a':{'command':'x','args':['-k','${input:key}',"
	    "'${input:size}+${input:size}'],'env':{'E':'${input:key}'}},'b':{'url':'http://x/"
	    "${input:key}',"
	    "'headers':{'K':'${input:key}'}}}}",
	    NULL));
	assert_string_equal(c.items[0].inputs.items[1].options[0], "s");
	assert_false(target_fill(&t, &c.items[0], give, (char *)"other", &err));
	assert_string_equal(err.text, "a: the input key has no value");
	assert_null(t.argv);
	assert_true(target_fill(&t, &c.items[0], give, (char *)"key", &err));
	struct buf out = BUF_INIT;
	describe(&out, &t);
	assert_string_equal(buf_text(&out), "[x][-k][given][l+l] E=given");
	assert_string_equal(t.label, "x -k ${input:key} ${input:size}+${input:size}");
	target_finish(&t);
	buf_clear(&out);
	assert_true(target_fill(&t, &c.items[1], give, (char *)"key", &err));
	describe(&out, &t);
	assert_string_equal(buf_text(&out), "<http://x/given> {K: given}");
	target_finish(&t);
	buf_finish(&out);
	server_file_finish(&c);
}

static void
test_disabled(void **state)
{
	struct server_file c;

	assert_entry("{'command':'x','disabled':true}", "[x] ! disabled in its file");
	assert_entry("{'command':'x','disabled':false}", "[x]");
	assert_true(parse(&c, "{'mcpServers':{'s':{'command':'x','disabled':true}}}", NULL));
	assert_true(c.items[0].disabled);
	server_file_finish(&c);
}

/* The file format of each client, as its documentation shows it. */
static void
test_samples(void **state)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		/* Claude Desktop and Claude Code */
		{ "{'mcpServers':{'filesystem':{'command':'npx','args':['-y',"
		  "'@modelcontextprotocol/server-filesystem','/Users/u/Desktop']}}}",
		    "[npx][-y][@modelcontextprotocol/server-filesystem][/Users/u/Desktop]" },
		{ "{'mcpServers':{'api':{'type':'http','url':'${API_BASE_URL:-https://"
		  "api.example.com}"
		  "/mcp','headers':{'Authorization':'Bearer ${API_KEY:-none}'}}}}",
		    "<https://api.example.com/mcp> {Authorization: Bearer none}" },
		/* Cursor */
		{ "{'mcpServers':{'server-name':{'url':'http://localhost:3000/mcp','headers':"
		  "{'API_KEY':'value'}}}}",
		    "<http://localhost:3000/mcp> {API_KEY: value}" },
		/* Gemini */
		{ "{'theme':'x','mcpServers':{'h':{'httpUrl':'http://localhost:3000/"
		  "mcp','timeout':5000,"
		  "'trust':true,'includeTools':[]}}}",
		    "<http://localhost:3000/mcp>" },
		/* Inspector */
		{ "{'mcpServers':{'default-server':{'type':'stdio','command':'node','args':["
		  "'build/index.js'],'env':{'k':'v'},'note':'x'}}}",
		    "[node][build/index.js] k=v" },
		/* Cline */
		{ "{'mcpServers':{'r':{'type':'streamableHttp','url':'https://x/"
		  "mcp','disabled':false,"
		  "'alwaysAllow':['a']}}}",
		    "<https://x/mcp>" },
		/* VS Code: comments, trailing commas, inputs */
		{ "\xef\xbb\xbf{\n  // one\n  'inputs': [ "
		  "{'type':'promptString','id':'perplexity-key',"
		  "'description':'Perplexity API Key','password':true,}, ],\n  'servers': {\n"
		  "    /* two */ 'Perplexity': {'type':'stdio','command':'npx','args':['-y',"
		  "'server-perplexity-ask'],'env':{'PERPLEXITY_API_KEY':'${input:perplexity-key}'},"
		  "},\n"
		  "  }, // three\n}\n",
		    "[npx][-y][server-perplexity-ask] PERPLEXITY_API_KEY=${input:perplexity-key} "
		    "?perplexity-key*" },
		{ "{'editor.tabSize':4,'mcp':{'inputs':[],'servers':{'fetch':{'command':'uvx','"
		  "args':["
		  "'mcp-server-fetch']}}}}",
		    "[uvx][mcp-server-fetch]" },
	};

	unsetenv("API_BASE_URL");
	unsetenv("API_KEY");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct server_file c;
		struct err err = { "" };
		struct buf out = BUF_INIT;
		if (!parse(&c, rows[i].text, &err))
			fail_msg("row %zu: %s", i, err.text);
		assert_int_equal(c.len, 1);
		describe(&out, &c.items[0]);
		assert_string_equal(buf_text(&out), rows[i].expected);
		buf_finish(&out);
		server_file_finish(&c);
	}
}

static char folder[] = "/tmp/mcpane-config-XXXXXX";

static char *
put(const char *name, const char *text)
{
	char *path = mem_printf("%s/%s", folder, name);
	struct err err;

	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	return path;
}

static void
assert_env(const char *env_text, const char *expected)
{
	struct buf out = BUF_INIT, entry = BUF_INIT;
	struct server_file c;
	struct err err = { "" };
	char *env = put(".env", env_text);

	buf_addf(&entry, "{\"servers\":{\"s\":{\"command\":\"x\",\"env\":{\"OWN\":\"1\"},"
			 "\"envFile\":\"${workspaceFolder}/.env\"}}}");
	char *path = put(".vscode/mcp.json", buf_text(&entry));
	if (!server_file_load(&c, path, false, NULL, &err))
		fail_msg("%s", err.text);
	if (c.items[0].trouble && strstr(c.items[0].trouble, folder))
		*strstr(c.items[0].trouble, folder) = '\0';
	describe(&out, &c.items[0]);
	assert_string_equal(buf_text(&out), expected);
	server_file_finish(&c);
	unlink(env);
	free(env);
	unlink(path);
	free(path);
	buf_finish(&out);
	buf_finish(&entry);
}

static void
test_env_files(void **state)
{
	char *vscode;
	struct server_file c;

	assert_non_null(mkdtemp(folder));
	vscode = mem_printf("%s/.vscode", folder);
	assert_int_equal(mkdir(vscode, 0700), 0);
	assert_env("", "[x] OWN=1");
	assert_env(
	    "A=1\n# no\n\nexport B = two words # said\nC='q # \\n'\nD=\"a\\nb\\\"\"  # x\nE=\n"
	    "OWN=2\nA=3\nF=a#b\r\n",
	    "[x] OWN=1 A=3 B=two words C=q # \\n D=a\nb\" E= F=a#b");
	assert_env("A=1\nnonsense\n", "[x] OWN=1 A=1 ! line 2 of envFile ");
	assert_env("A='x\n", "[x] OWN=1 ! line 1 of envFile ");
	assert_env("=x\n", "[x] OWN=1 ! line 1 of envFile ");
	char *path =
	    put("a.json", "{\"servers\":{\"s\":{\"command\":\"x\",\"envFile\":\"/dev/zero\"}}}");
	assert_true(server_file_load(&c, path, false, NULL, NULL));
	assert_string_equal(c.items[0].trouble, "envFile: /dev/zero is not a regular file");
	server_file_finish(&c);
	unlink(path);
	free(path);
	rmdir(vscode);
	free(vscode);
	rmdir(folder);
}

/* How strings are shown: the user's own values stand as ${NAME}, unless they say where it runs. */
static void
test_shown(void **state)
{
	struct server_file c;
	struct err err;

	setenv("SECRET_KEY", "hunter2", 1);
	setenv("PLACE", "elsewhere", 1);
	assert_true(parse(&c,
	    "{'mcpServers':{"
	    "'run':{'command':'/opt/${PLACE}/x','args':['--key','${SECRET_KEY}','in ${PLACE}',"
	    "'${NONE:-default}','${input:none}'],'cwd':'/${PLACE}/${SECRET_KEY}',"
	    "'env':{'A':'b','C':'d ${PLACE}'}},"
	    "'web':{'url':'https://${PLACE}/${SECRET_KEY}?k=${SECRET_KEY}&p=${PLACE}&token=t',"
	    "'headers':{'Authorization':'Bearer ${SECRET_KEY}'}}}}",
	    &err));
	const struct target *t = &c.items[0];
	assert_string_equal(t->argv[0], "/opt/elsewhere/x");
	assert_string_equal(t->argv[2], "hunter2");
	assert_string_equal(target_shown(t, t->argv[2]), "${SECRET_KEY}");
	assert_string_equal(target_shown(t, t->argv[3]), "in ${PLACE}");
	assert_string_equal(target_shown(t, t->argv[4]), "default");
	assert_string_equal(target_shown(t, t->cwd), "/elsewhere/${SECRET_KEY}");
	assert_string_equal(target_shown(t, t->env[0]), "A=b");
	assert_string_equal(t->env[1], "C=d elsewhere");
	assert_string_equal(target_shown(t, t->env[1]), "C=d ${PLACE}");
	assert_memory_equal(
	    t->label, "/opt/elsewhere/x --key ${SECRET_KEY} in ${PLACE} default ", 57);
	t = &c.items[1];
	assert_string_equal(t->url, "https://elsewhere/hunter2?k=hunter2&p=elsewhere&token=t");
	assert_string_equal(
	    t->label, "https://elsewhere/${SECRET_KEY}?k=${SECRET_KEY}&p=${PLACE}&token=(hidden)");
	assert_string_equal(target_shown(t, t->headers[0]), "Authorization: Bearer ${SECRET_KEY}");
	server_file_finish(&c);
	unsetenv("SECRET_KEY");
	unsetenv("PLACE");
}

static void
test_label(void **state)
{
	struct server_file c;

	assert_true(parse(&c, "{'mcpServers':{'s':{'command':'npx','args':['-y','@x/y']}}}", NULL));
	assert_string_equal(c.items[0].label, "npx -y @x/y");
	server_file_finish(&c);
}

static void
test_refused(void **state)
{
	assert_refused("{}", "f.json: no object mcpServers, servers or context_servers");
	assert_refused(
	    "{'mcpServers':[]}", "f.json: no object mcpServers, servers or context_servers");
	assert_refused("[1]", "f.json: no object mcpServers, servers or context_servers");
	assert_refused(
	    "{'MCPSERVERS':{'a':{}}}", "f.json: no object mcpServers, servers or context_servers");
}

static void
test_not_json(void **state)
{
	static const struct {
		const char *text, *where;
	} rows[] = {
		{ "", "f.json:1:1: " },
		{ "{\n  'mcpServers': {\n    'a': {,\n", "f.json:3:11: " },
		{ "{'mcpServers':{'a':{'command':'x',,}}}", "f.json:1:35: " },
		{ "{ // c\n'mcpServers':{}, /* x\n*", "f.json:2:18: " },
		{ "{} x", "f.json:1:4: " },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct server_file c;
		struct err err = { "" };
		assert_false(parse(&c, rows[i].text, &err));
		assert_memory_equal(err.text, rows[i].where, strlen(rows[i].where));
		assert_int_equal(c.len, 0);
		server_file_finish(&c);
	}
}

static void
test_load(void **state)
{
	struct server_file c;
	struct err err = { "" };

	assert_false(server_file_load(&c, "/nowhere/at/all.json", false, NULL, &err));
	assert_non_null(strstr(err.text, "/nowhere/at/all.json"));
	server_file_finish(&c);
}

static void
test_target_from_command(void **state)
{
	char *argv[] = { (char *)"/usr/bin/env", (char *)"a b", (char *)"", NULL };
	struct target t;

	target_from_command(&t, argv);
	assert_string_equal(t.name, "env");
	assert_string_equal(t.label, "/usr/bin/env a b ");
	assert_string_equal(t.argv[1], "a b");
	assert_string_equal(t.argv[2], "");
	assert_null(t.argv[3]);
	assert_null(t.env);
	assert_null(t.trouble);
	target_finish(&t);
	assert_null(t.argv);
	struct err err;
	assert_true(target_from_demo(&t, &err));
	assert_string_equal(t.name, "demo");
	assert_string_equal(t.argv[1], "--serve-demo");
	target_finish(&t);
}

/* "NAME of CLIENT: ARGV ..." of each entry of a file of that name. */
static void
assert_file(const char *path, const char *text, const char *expected)
{
	struct server_file c;
	struct err err = { "" };
	struct buf out = BUF_INIT;

	if (server_file_parse(&c, text, strlen(text), path, &err))
		for (size_t i = 0; i < c.len; i++) {
			buf_addf(&out, "%s%s%s%s: ", i ? "; " : "", c.items[i].name,
			    c.items[i].client ? " of " : "",
			    c.items[i].client ? c.items[i].client : "");
			describe(&out, &c.items[i]);
		}
	assert_string_equal(err.text[0] ? err.text : buf_text(&out), expected);
	buf_finish(&out);
	server_file_finish(&c);
}

static void
test_clients(void **state)
{
	setenv("A_NAME", "a value", 1);
	assert_file("/h/.config/opencode/opencode.jsonc",
	    "{ \"mcp\": { \"l\": { \"type\": \"local\", \"command\": [\"npx\", \"-y\"], // x\n"
	    "\"environment\": { \"A\": \"{env:A_NAME}\" }, \"enabled\": false },"
	    "\"r\": { \"type\": \"remote\", \"url\": \"https://h/m\" }, } }",
	    "l of opencode: [npx][-y] A=a value ! disabled in its file; r of opencode: "
	    "<https://h/m>");
	assert_file("/h/.gemini/settings.json",
	    "{\"mcp\":{\"allowed\":[]},\"mcpServers\":{\"g\":{\"httpUrl\":\"https://h/$A_NAME\","
	    "\"headers\":{\"A\":\"$A_NAME-x $ $1\"}}}}",
	    "g of Gemini CLI: <https://h/a value> {A: a value-x $ $1}");
	assert_file("/h/.config/zed/settings.json",
	    "{\"context_servers\":{\"old\":{\"command\":{\"path\":\"p\",\"args\":[\"q\"]}},"
	    "\"new\":{\"source\":\"custom\",\"command\":\"n\",\"args\":[]}}}",
	    "old of Zed: [p][q]; new of Zed: [n]");
	assert_file("/h/.codeium/windsurf/mcp_config.json",
	    "{\"mcpServers\":{\"w\":{\"serverUrl\":\"https://h/m\"}}}",
	    "w of Windsurf: <https://h/m>");
	assert_file("any.json", "{\"mcp\":{\"a\":{\"command\":[\"x\"]}}}", "a: [x]");
	assert_file("any.json", "{\"mcp\":{\"a\":1}}",
	    "any.json: no object mcpServers, servers or context_servers");
}

static void
test_toml(void **state)
{
	static const char path[] = "/h/.codex/config.toml";

	setenv("A_NAME", "a value", 1);
	unsetenv("NO_NAME");
	assert_file(path,
	    "# Codex\nmodel = 'x' # y\r\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", # "
	    "one\n"
	    " '''\nt''wo\\''', \"\"\"a\\\n   \\u00e9\"\"\"\",]\nenv = { A = \"1\", \"b c\" = 1_0, "
	    "d.e = 0x1F }\n"
	    "env_vars = ['A_NAME', 'NO_NAME']\n[mcp_servers.'re mote']\nurl = \"https://h/m\"\n"
	    "bearer_token_env_var = \"A_NAME\"\nenabled = false\nat = 2026-01-02 03:04:05Z\n"
	    "[mcp_servers.docs.tools.x]\n[[list]]\na = -inf\n[[list]]\na = +1.5e3\n",
	    "docs of Codex: [npx][-y][t''wo\\][aé\"] A=1 b c=10 A_NAME=a value ! env: d is not a "
	    "string; re mote of Codex: <https://h/m> {Authorization: Bearer a value} ! disabled in "
	    "its file");
	static const char *const broken[][2] = {
		{ "a = ", "1:5: expected a value" },
		{ "a = 1\nb", "2:2: expected =" },
		{ "a = 1 2", "1:7: expected the end of the line" },
		{ "a = 'x\n'", "1:7: the string does not end" },
		{ "a = \"\\q\"", "1:7: unknown escape" },
		{ "a = \"\\ud800\"", "1:12: not a character" },
		{ "a = 1\na = 2", "2:3: this key has a value already" },
		{ "[a]\n[a]", "2:3: this table is there already" },
		{ "a = {}\na.b = 1", "2:3: this key has a value already" },
		{ "a = [1]\n[[a]]", "2:4: this table is there already" },
		{ "a = [1 2]", "1:8: expected , or ]" },
		{ "a = 01", "1:5: expected a value" },
		{ "a = 0x", "1:5: expected a value" },
		{ "[a", "1:3: expected ]" },
		{ "= 1", "1:1: expected a key" },
	};
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		char *why = mem_printf("%s:%s", path, broken[i][1]);
		assert_file(path, broken[i][0], why);
		free(why);
	}
	char *deep = mem_zalloc(20000);
	memset(deep, '[', 15000);
	memcpy(deep, "a=", 2);
	assert_file(path, deep, "/h/.codex/config.toml:1:67: nested too deeply");
	free(deep);
}

/* A project's file may be of any size: nothing is searched once more for each of many items. */
static void
test_many(void **state)
{
	enum { MANY = 300000 };
	struct server_file c;
	struct buf text = BUF_INIT;
	struct err err;

	buf_add_str(&text, "{\"name\":\"w\",\"remotes\":[{\"url\":\"https://h/");
	for (size_t i = 0; i < 3 * MANY; i++)
		buf_add_char(&text, '{');
	buf_add_str(&text, "\"}]}");
	assert_true(server_file_parse(&c, buf_text(&text), text.len, ".mcp.json", &err));
	assert_int_equal(strlen(c.items[0].url), strlen("https://h/") + 3 * MANY);
	server_file_finish(&c);
	buf_clear(&text);
	buf_add_str(&text, "a = [");
	for (size_t i = 0; i < MANY; i++)
		buf_add_str(&text, "1,");
	buf_add_str(&text, "]");
	assert_false(server_file_parse(&c, buf_text(&text), text.len, "x.toml", &err));
	assert_string_equal(err.text, "x.toml:1:200004: too many values");
	server_file_finish(&c);
	buf_finish(&text);
}

static void
test_yaml(void **state)
{
	static const char path[] = "/h/.config/goose/config.yaml";

	assert_file(path,
	    "# Goose\nextensions:\n  developer: { type: builtin, enabled: true }\n  gh:\n    type: "
	    "stdio\n"
	    "    cmd: npx\n    args: [-y, \"12\"]\n    envs:\n      A: 1.50\n      B: \"no\"\n     "
	    " C: ~\n"
	    "  web: {type: streamable_http, uri: 'https://h/m', enabled: false}\n",
	    "gh of Goose: [npx][-y][12] A=1.50 B=no; web of Goose: <https://h/m> ! disabled in its "
	    "file");
	assert_file(path, "a: [1\nb: 2",
	    "/h/.config/goose/config.yaml:2:2: did not find expected ',' or ']'");
	assert_file(path, "", "/h/.config/goose/config.yaml: no object extensions");
	assert_file(
	    path, "a: &a [*a]", "/h/.config/goose/config.yaml:1:8: an alias in its own value");
	assert_file(path, "? [1]\n: 2", "/h/.config/goose/config.yaml:1:3: a key is not a string");
	struct buf bomb = BUF_INIT;
	buf_add_str(&bomb, "a0: &a0 [aaaaaaaaaaaaaaa]\n");
	for (int i = 1; i < 30; i++)
		buf_addf(&bomb, "a%d: &a%d [*a%d,*a%d,*a%d]\n", i, i, i - 1, i - 1, i - 1);
	struct server_file c;
	struct err err = { "" };
	assert_false(server_file_parse(&c, buf_text(&bomb), bomb.len, path, &err));
	assert_non_null(strstr(err.text, "its aliases are too long"));
	server_file_finish(&c);
	buf_finish(&bomb);
}

/* ' means " */
static void
test_published(void **state)
{
	char *text = quoted(
	    "{'name':'io.github.me/weather','packages':["
	    "{'registryType':'npm','identifier':'@me/"
	    "weather','version':'1.2.0','transport':{'type':"
	    "'stdio'},'packageArguments':[{'type':'positional','value':'serve'},{'type':'named',"
	    "'name':'--units','default':'metric'},{'type':'named','name':'--city','isRequired':"
	    "true,"
	    "'valueHint':'city'},{'type':'positional','valueHint':'more'}],'environmentVariables':["
	    "{'name':'API_KEY','isRequired':true,'isSecret':true},{'name':'NO_NAME'},{'name':'A_"
	    "NAME'},"
	    "{'name':'M','value':'x-{region}-{other}','variables':{'region':{'choices':['eu','us']}"
	    "}}"
	    "]},"
	    "{'registryType':'pypi','identifier':'w','version':'2','transport':{'type':'stdio'}},"
	    "{'registryType':'oci','identifier':'me/w','version':'3','runtimeArguments':[{'type':"
	    "'named','name':'--net','value':'none'}],'environmentVariables':[{'name':'K',"
	    "'isRequired':true}]},"
	    "{'registryType':'mcpb','identifier':'https://h/w.mcpb'},"
	    "{'registryType':'npm','identifier':'w','transport':{'type':'sse'}}],"
	    "'remotes':[{'type':'streamable-http','url':'https://{tenant}.h/mcp','variables':{"
	    "'tenant':{}},'headers':[{'name':'X-Key','isRequired':true,'isSecret':true}]}]}");

	setenv("A_NAME", "a value", 1);
	unsetenv("NO_NAME");
	assert_file("server.json", text,
	    "weather (npm): [npx][-y][@me/weather@1.2.0][serve][--units][metric][--city]"
	    "[${input:city}] API_KEY=${input:API_KEY} M=x-${input:region}-{other} A_NAME=a value "
	    "?city ?API_KEY* ?region; weather (pypi): [uvx][w@2]; weather (oci): "
	    "[docker][run][-i][--rm][-e][K][--net][none][me/w:3] K=${input:K} ?K; "
	    "weather (mcpb):  ! a bundle: download it, then open the file; weather (npm):  ! it "
	    "serves HTTP: "
	    "start it, then open its URL; weather (streamable-http): "
	    "<https://${input:tenant}.h/mcp> "
	    "{X-Key: ${input:X-Key}} ?tenant ?X-Key*");
	free(text);
	assert_file("server.json",
	    "{\"name\":\"w\",\"remotes\":[{\"type\":\"sse\",\"url\":\"https://h/s\"}]}",
	    "w: sse<https://h/s>");
}

/* As nuget.org shows them for VS Code. */
static void
test_published_nuget(void **state)
{
	char *text = quoted(
	    "{'name':'io.github.me/n','packages':[{'registryType':'nuget','registryBaseUrl':"
	    "'https://api.nuget.org/v3/index.json','identifier':'Me.Server','version':'0.5.0',"
	    "'transport':{'type':'stdio'},'packageArguments':[{'type':'positional','value':'mcp'},"
	    "{'type':'named','name':'--root','isRequired':true,'valueHint':'root'}],"
	    "'environmentVariables':[{'name':'W','value':'x'}]}]}");

	assert_file("server.json", text,
	    "n: [dnx][Me.Server@0.5.0][--yes][--][mcp][--root][${input:root}] W=x ?root");
	free(text);
	text =
	    quoted("{'name':'n','packages':[{'registryType':'nuget','identifier':'Me.Server'}]}");
	assert_file("server.json", text, "n: [dnx][Me.Server][--yes]");
	free(text);
}

TEST_FILE(server_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_urls),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_disabled),
		cmocka_unit_test(test_clients),
		cmocka_unit_test(test_toml),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_yaml),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_published_nuget),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_env_files),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_target_from_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
