/* SPDX-License-Identifier: MIT */
/* Calls exported as command lines and programs reproduce the call, with any bytes in its
 * arguments. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "client/call_code.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct buf code;
static struct err err;

static bool
write_as(const char *name, const struct call_code *c)
{
	const struct call_code_format *f = call_code_formats;

	while (strcmp(f->name, name) != 0)
		f++;
	buf_finish(&code);
	err = (struct err){ "" };
	return f->add(c, &code, &err);
}

static void
has(const char *part)
{
	if (!strstr(buf_text(&code), part))
		fail_msg("no %s in\n%s", part, buf_text(&code));
}

static void
has_not(const char *part)
{
	if (strstr(buf_text(&code), part))
		fail_msg("%s in\n%s", part, buf_text(&code));
}

/* Run the text as a script of this program and return its output. */
static void
run(const char *program, const char *script, struct buf *out)
{
	char path[] = "/tmp/mcpane-code-XXXXXX", bytes[4096];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	fwrite(script, 1, strlen(script), file);
	fclose(file);
	char *command = mem_printf("%s %s", program, path);
	FILE *pipe = popen(command, "r");
	for (size_t n; (n = fread(bytes, 1, sizeof(bytes), pipe)) > 0;)
		buf_add(out, bytes, n);
	assert_int_equal(pclose(pipe), 0);
	remove(path);
	free(command);
}

static char *argv_of[] = { (char *)"python3", (char *)"-m", (char *)"it's a $HOME `id`\n\"server\"",
	(char *)"--api-key", (char *)"S3CRET", (char *)"--token=T0KEN", NULL };
static char *env_of[] = { (char *)"API_TOKEN=S3CRET", (char *)"MODE=a b", NULL };
static char *headers_of[] = { (char *)"Authorization: Bearer S3CRET", (char *)"X-Mode: it's",
	NULL };
static char name_of_server[] = "odd";

static struct call_code
stdio_call(struct target *t)
{
	*t = (struct target){ .name = name_of_server, .argv = argv_of, .env = env_of };
	return (struct call_code){ .target = t,
		.kind = PRIMITIVE_TOOL,
		.key = "it's \"$(touch /tmp/x)\"\n\033]0;x",
		.arguments =
		    "{\"a'b\":\"$HOME `id` \\\\ \\\"' \\u0007 \u202e\",\"n\":12345678901234567890,"
		    "\"t\":[true,null,1.50]}",
		.protocol = "2025-06-18" };
}

/* A shell splits the command line into the original words. */
static void
test_shell_words_survive(void **state)
{
	struct target t;
	struct call_code c = stdio_call(&t);
	struct buf out = BUF_INIT, script = BUF_INIT;

	assert_true(write_as("command", &c));
	has("# set first: API_KEY, TOKEN\n");
	has_not("S3CRET");
	has_not("T0KEN");
	buf_add_str(&script,
	    "API_KEY=k1 TOKEN='t 2'\nmcpane() { for w; do printf '<%s>' \"$w\"; done; }\n");
	buf_add_str(&script, buf_text(&code));
	run("sh", buf_text(&script), &out);
	assert_string_equal(buf_text(&out),
	    "<call><it's \"$(touch /tmp/x)\"\n\033]0;x><--args>"
	    "<{\"a'b\":\"$HOME `id` \\\\ \\\"' \\u0007 \\u202e\",\"n\":12345678901234567890,"
	    "\"t\":[true,null,1.50]}><--><python3><-m><it's a $HOME `id`\n\"server\">"
	    "<--api-key><k1><--token=t 2>");
	buf_finish(&out);
	buf_finish(&script);
}

/* Shells that users paste into, including those that expand interactive input. None of them finds
 * code in a name. tcsh cannot quote some bytes, so it gets an error instead of a line. */
static void
test_every_shell(void **state)
{
	static const struct {
		const char *program, *as;
	} shells[] = {
		{ "/bin/sh", "" },
		{ "/bin/bash", "" },
		{ "/bin/bash", "-i" },
		{ "/bin/dash", "" },
		{ "/usr/bin/zsh", "" },
		{ "/usr/bin/zsh", "-i" },
		{ "/usr/bin/fish", "" },
		{ "/bin/tcsh", "-f" },
	};
	static const char *const names[] = { "\\'; touch PWN #", "=ls", "%self", "a!b", "!!",
		"!touch", "~root", "{a,b}", "$HOME", "`touch PWN`", "#x", "a\\", "\\\\n", "日本 é😀",
		"*", "^a^b", "a\\!b", "\\", "'", "!", "$(touch PWN)", "(touch PWN)", "|touch PWN",
		"x;touch PWN", "\"", "$'a'", "a\\'b!'\\", "\\\\'", "a&b", "a>PWN", "?", "[a]",
		"a\\$b", "\\\"", "",
		/* with bytes that tcsh cannot read */
		"a\nb", "a\ntouch PWN #", "'\n;touch PWN\n'x", "\n\n%d\\", "a\tb", "\033]0;x",
		"\377\\", "\\\001'", "\342\200\256'\\", "\r" };
	struct target t;
	struct call_code c = stdio_call(&t);
	char folder[] = "/tmp/mcpane-shells-XXXXXX";
	const char *missing = NULL;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(
	    system("printf '%s\\n' '#!/bin/sh' 'shift; printf \"<%s>\" \"$@\"' >mcpane; "
		   "chmod +x mcpane"),
	    0);
	t = (struct target){ .name = name_of_server };
	c.origin = CHOICE_DEMO;
	c.arguments = NULL;
	for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
		struct buf script = BUF_INIT, out = BUF_INIT, expected = BUF_INIT;
		if (access(shells[i].program, X_OK) != 0) {
			missing = shells[i].program;
			print_message("%s is not installed\n", missing);
			continue;
		}
		for (size_t n = 0; n < ARRAY_LEN(names); n++) {
			c.key = names[n];
			assert_true(write_as("command", &c));
			bool odd = strstr(buf_text(&code), "$(printf");
			buf_add_str(&script, buf_text(&code));
			if (!odd || !strstr(shells[i].program, "tcsh"))
				buf_addf(&expected, "<--demo><%s>", names[n]);
		}
		assert_true(path_write_file("script", script.data, script.len, NULL));
		char *command =
		    mem_printf("HOME=%s PATH=%s:$PATH LC_ALL=C.UTF-8 TERM=dumb setsid -w "
			       "%s %s <script 2>/dev/null",
			folder, folder, shells[i].program, shells[i].as);
		FILE *pipe = popen(command, "r");
		char bytes[4096];
		for (size_t n; (n = fread(bytes, 1, sizeof(bytes), pipe)) > 0;)
			buf_add(&out, bytes, n);
		pclose(pipe);
		if (access("PWN", F_OK) == 0)
			fail_msg("%s %s ran a name", shells[i].program, shells[i].as);
		if (strcmp(buf_text(&out), buf_text(&expected)) != 0)
			fail_msg("%s %s:\n%s\nnot\n%s", shells[i].program, shells[i].as,
			    buf_text(&out), buf_text(&expected));
		free(command);
		buf_finish(&script);
		buf_finish(&out);
		buf_finish(&expected);
	}
	char *clean = mem_printf("rm -rf %s", folder);
	assert_int_equal(chdir("/") | system(clean), 0);
	free(clean);
	if (missing)
		skip();
}

/* Bytes that a shell drops are rejected. */
static void
test_last_line_break(void **state)
{
	struct target t;
	struct call_code c = stdio_call(&t);

	c.key = "a\n";
	assert_false(write_as("command", &c));
	assert_string_equal(
	    err.text, "a word that ends in a line break cannot be written for a shell");
	c.key = "a";
	assert_true(write_as("command", &c));
}

/* Stubs of the SDK that print their arguments. */
static const char fake_sdk[] =
    "import sys, types, os, json, asyncio\n"
    "os.environ.update(API_KEY='k', API_TOKEN='t', TOKEN='u', MCP_AUTHORIZATION='a')\n"
    "class Context:\n"
    "    def __init__(self, *a, **k): self.given = k\n"
    "    async def __aenter__(self): return self\n"
    "    async def __aexit__(self, *a): pass\n"
    "class Result:\n"
    "    def model_dump_json(self, by_alias, indent): return 'end'\n"
    "class Client(Context):\n"
    "    def __init__(self, server): print(json.dumps(server))\n"
    "    async def call_tool(self, name, arguments):\n"
    "        print(json.dumps([name, arguments])); return Result()\n"
    "for m in ('mcp', 'mcp.client', 'mcp.client.streamable_http', 'httpx2'): sys.modules[m] = "
    "types.ModuleType(m)\n"
    "sys.modules['mcp'].Client = Client\n"
    "sys.modules['mcp'].StdioServerParameters = lambda command, args, env: [command, args, env]\n"
    "sys.modules['mcp.client.streamable_http'].streamable_http_client = lambda url, http_client: "
    "[url, http_client.given]\n"
    "sys.modules['httpx2'].AsyncClient = Context\n"
    "sys.modules['httpx2'].Timeout = lambda *a, **k: [a, k]\n";

/* Python's own parser reads the literals back unchanged. */
static void
test_python_literals_survive(void **state)
{
	struct target t;
	struct call_code c = stdio_call(&t);
	struct buf out = BUF_INIT, script = BUF_INIT;

	assert_true(write_as("python", &c));
	has("# pip install 'mcp>=2.3'\n");
	has("import os\n");
	has_not("S3CRET");
	has_not("\u202e");
	buf_add_str(&script, fake_sdk);
	buf_add_str(&script, buf_text(&code));
	run("python3", buf_text(&script), &out);
	assert_string_equal(buf_text(&out),
	    "[\"python3\", [\"-m\", \"it's a $HOME `id`\\n\\\"server\\\"\", \"--api-key\", \"k\", "
	    "\"--token=u\"], {\"API_TOKEN\": \"t\", \"MODE\": \"a b\"}]\n"
	    "[\"it's \\\"$(touch /tmp/x)\\\"\\n\\u001b]0;x\", {\"a'b\": \"$HOME `id` \\\\ \\\"' "
	    "\\u0007 \\u202e\", \"n\": 12345678901234567890, \"t\": [true, null, 1.5]}]\nend\n");
	buf_finish(&out);
	buf_finish(&script);
}

static struct call_code
http_call(struct target *t)
{
	static char url[] = "https://example.com/mcp?token=S3CRET&x=1";

	*t = (struct target){ .name = name_of_server, .url = url, .headers = headers_of };
	return (struct call_code){ .target = t,
		.kind = PRIMITIVE_TOOL,
		.key = "list",
		.arguments = "{\"q\":\"it's\"}",
		.protocol = "2026-07-28",
		.modern = true };
}

/* One request in the modern era; before, a handshake and its session. */
static void
test_curl_by_era(void **state)
{
	struct target t;
	struct call_code c = http_call(&t);

	assert_true(write_as("curl", &c));
	has("# set first: MCP_AUTHORIZATION\n");
	has("-H 'Authorization: '\"$MCP_AUTHORIZATION\"");
	has("-H 'Mcp-Method: tools/call'");
	has("-H 'Mcp-Name: list'");
	has("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
	has_not("initialize");
	has_not("S3CRET");
	c.modern = false;
	c.protocol = "2025-06-18";
	c.is_authorized = true;
	assert_true(write_as("curl", &c));
	has("\"method\":\"initialize\"");
	has("\"protocolVersion\":\"2025-06-18\"");
	has("notifications/initialized");
	has("Mcp-Session-Id: $session");
	has("\"$MCP_TOKEN\"");
	has_not("Mcp-Method");
	has_not("S3CRET");
	t.url = NULL;
	t.argv = argv_of;
	assert_false(write_as("curl", &c));
	assert_string_equal(err.text, "curl speaks HTTP, which this server does not use");
}

/* A secret header is not carried to where the server points. */
static void
test_curl_redirects(void **state)
{
	static char *key_header[] = { (char *)"X-Api-Key: S3CRET", NULL };
	static char plain_url[] = "http://example.com/mcp";
	struct target t;
	struct call_code c = http_call(&t);

	assert_true(write_as("curl", &c));
	has("curl -sS --fail-with-body -L --post301 --post302 --post303 --proto-redir -all,https ");
	t.url = plain_url;
	assert_true(write_as("curl", &c));
	has("curl -sS --fail-with-body -L --post301 --post302 --post303 http:");
	t.headers = key_header;
	assert_true(write_as("curl", &c));
	has("curl -sS --fail-with-body -w '%{stderr}%{redirect_url}' http:");
	has_not("-L");
}

/* A server that redirects its first URL, with each redirect status, and one that fails. */
static const char moving_server[] =
    "import http.server, threading, sys, subprocess\n"
    "class H(http.server.BaseHTTPRequestHandler):\n"
    "    def do_POST(self):\n"
    "        self.rfile.read(int(self.headers['Content-Length']))\n"
    "        status = int(self.path[1:4])\n"
    "        self.send_response(status)\n"
    "        if status // 100 == 3: self.send_header('Location', '/200')\n"
    "        body = b'<' + self.path.encode() + b'>'\n"
    "        self.send_header('Content-Length', str(len(body)))\n"
    "        self.end_headers()\n"
    "        self.wfile.write(body)\n"
    "    def log_message(self, *a): pass\n"
    "s = http.server.HTTPServer(('127.0.0.1', 0), H)\n"
    "threading.Thread(target=s.serve_forever, daemon=True).start()\n"
    "for status in (200, 301, 302, 303, 307, 308, 500):\n"
    "    p = subprocess.run(['sh', '-c', CODE.replace('PLACE', '127.0.0.1:%d/%d' % (s.server_port, "
    "status))], capture_output=True, env={'PATH': '/usr/bin:/bin', 'MCP_AUTHORIZATION': 'a', "
    "'MCP_X_API_KEY': 'k'})\n"
    "    print(status, p.returncode, p.stdout.decode(), "
    "p.stderr.decode().split('/')[-1].split(':')[-1])\n";

static void
run_at_moving_server(const struct call_code *c, struct buf *out)
{
	struct buf script = BUF_INIT;

	assert_true(write_as("curl", c));
	buf_add_str(&script, "CODE = r\"\"\"");
	buf_add_str(&script, buf_text(&code));
	buf_addf(&script, "\"\"\"\n%s", moving_server);
	buf_clear(out);
	run("python3", buf_text(&script), out);
	buf_finish(&script);
}

/* curl alone would succeed with an empty body, and turn the POST into a GET. */
static void
test_curl_follows(void **state)
{
	static char url[] = "http://PLACE", *key_header[] = { (char *)"X-Api-Key: S3CRET", NULL };
	struct target t;
	struct call_code c = http_call(&t);
	struct buf out = BUF_INIT;

	t.url = url;
	run_at_moving_server(&c, &out);
	assert_string_equal(buf_text(&out),
	    "200 0 </200> \n301 0 </200> \n302 0 </200> \n303 0 </200> \n307 0 </200> \n"
	    "308 0 </200> \n500 22 </500>  500\n\n");
	t.headers = key_header;
	run_at_moving_server(&c, &out);
	assert_string_equal(buf_text(&out),
	    "200 0 </200> \n301 0 </301> 200\n302 0 </302> 200\n303 0 </303> 200\n"
	    "307 0 </307> 200\n308 0 </308> 200\n500 22 </500>  500\n\n");
	buf_finish(&out);
}

/* The headers are the HTTP client's, and the URL the transport's. */
static void
test_python_over_http(void **state)
{
	struct target t;
	struct call_code c = http_call(&t);
	struct buf out = BUF_INIT, script = BUF_INIT;

	assert_true(write_as("python", &c));
	has_not("S3CRET");
	buf_add_str(&script, fake_sdk);
	buf_add_str(&script, buf_text(&code));
	run("python3", buf_text(&script), &out);
	assert_string_equal(buf_text(&out),
	    "[\"https://example.com/mcp?token=(hidden)&x=1\", {\"headers\": {\"Authorization\": "
	    "\"a\", "
	    "\"X-Mode\": \"it's\"}, \"timeout\": [[30], {\"read\": 300}]}]\n"
	    "[\"list\", {\"q\": \"it's\"}]\nend\n");
	t.headers = NULL;
	assert_true(write_as("python", &c));
	has("    async with Client(\"https://example.com/mcp?token=(hidden)&x=1\") as client:\n");
	has_not("httpx2");
	buf_finish(&out);
	buf_finish(&script);
}

/* The session of the answer is in the requests that follow it, if there was one. */
static void
test_curl_runs_the_handshake(void **state)
{
	struct target t;
	struct call_code c = http_call(&t);
	struct buf out = BUF_INIT, script = BUF_INIT;

	c.modern = false;
	c.protocol = "2025-06-18";
	assert_true(write_as("curl", &c));
	buf_add_str(&script,
	    "MCP_AUTHORIZATION='Bearer x'\ncurl() {\n"
	    "  for w; do case $w in Mcp-S*|*jsonrpc*) printf '<%s>' \"$w\" >&2;; esac; done\n"
	    "  printf 'HTTP/1.1 200 OK\\r\\nMCP-session-id: s 1\\r\\n\\r\\n'\n}\n{\n");
	buf_add_str(&script, buf_text(&code));
	buf_add_str(&script, "} 2>&1 >/dev/null\n");
	run("sh", buf_text(&script), &out);
	const char *text = buf_text(&out);
	assert_non_null(strstr(text, "\"method\":\"initialize\""));
	assert_non_null(strstr(text, "<Mcp-Session-Id: s 1><{\"jsonrpc\":\"2.0\",\"method\":"
				     "\"notifications/initialized\"}>"));
	assert_non_null(strstr(text, "<Mcp-Session-Id: s 1><{\"jsonrpc\":\"2.0\",\"id\":2,"
				     "\"method\":\"tools/call\",\"params\":{\"name\":\"list\","
				     "\"arguments\":{\"q\":\"it's\"}}}>"));
	buf_finish(&out);
	buf_finish(&script);
}

static void
test_typescript(void **state)
{
	struct target t;
	struct call_code c = stdio_call(&t);

	c.arguments = "{\"__proto__\":{\"a\":1},\"n\":12345678901234567890}";
	assert_true(write_as("typescript", &c));
	has("[\"__proto__\"]: {\"a\": 1}");
	has("// JavaScript rounds");
	has("process.env[\"API_TOKEN\"]!");
	has("\"--token=\" + process.env[\"TOKEN\"]!");
	has("name: \"it's \\\"$(touch /tmp/x)\\\"\\n\\u001b]0;x\"");
	has_not("S3CRET");
	c = http_call(&t);
	assert_true(write_as("typescript", &c));
	has("{ requestInit: { headers: {\"Authorization\": "
	    "process.env[\"MCP_AUTHORIZATION\"]!, \"X-Mode\": \"it's\"} } }");
	has_not("S3CRET");
}

/* Bytes of a name never become a variable of the reader's shell. */
static void
test_names_are_no_variables(void **state)
{
	struct target t;
	struct call_code c = http_call(&t);
	static const char *const formats[] = { "command", "curl", "python", "typescript" };

	c.key = "a\001HOME\002b";
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		assert_true(write_as(formats[i], &c));
		has_not("$HOME");
		has_not("[\"HOME\"]");
	}
	c.key = "--evil";
	assert_false(write_as("command", &c));
}

/* Invisible characters are escaped in every language. */
static void
test_unseen_characters(void **state)
{
	struct target t;
	struct call_code c = http_call(&t);
	static const char *const formats[] = { "command", "curl", "python", "typescript" };
	static const char *const unseen[] = { "\u061c", "\u200b", "\u202e", "\ufe0f",
		"\U000e0041" };
	char key[16];

	for (size_t i = 0; i < ARRAY_LEN(unseen) * ARRAY_LEN(formats); i++) {
		const char *odd = unseen[i / ARRAY_LEN(formats)];
		snprintf(key, sizeof(key), "a%sb", odd);
		c.key = key;
		assert_true(write_as(formats[i % ARRAY_LEN(formats)], &c));
		has_not(odd);
	}
}

/* ---- the command ---- */

static char none[] = "", tool[] = "list_users";

static bool
find_long(void *user, uint64_t id, bool whole, struct history_call *out)
{
	*out = (struct history_call){ .id = id, .state = CALL_DONE };
	out->server = mem_strdup(stage.demo_target.name);
	out->key = mem_strdup(tool);
	out->label = mem_strdup(none);
	out->text = mem_strdup(none);
	out->arguments = mem_strdup(none);
	return true;
}

static bool
find_no_other(void *user, const char *server, enum primitive_kind kind, const char *key,
    uint64_t before, struct history_call *out)
{
	return false;
}

static uint64_t
no_changes(void *user)
{
	return 0;
}

/* The history keeps at most 1 MiB of arguments; a call with more cannot be repeated. */
static void
test_arguments_that_are_left_out(void **state)
{
	static const struct history_host host = {
		.find = find_long, .last = find_no_other, .changes = no_changes
	};
	static const char *const formats[] = { "command", "python", "typescript" };
	char line[40];

	stage.wb->ws.history.host = &host;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		snprintf(line, sizeof(line), "copy-as %s 7", formats[i]);
		assert_false(stage_run(&stage, line));
		see("its arguments are too long to copy: over 1 MiB");
	}
	assert_true(stage_run(&stage, "copy-as json 7"));
	see("its arguments are left out: over 1 MiB");
	stage.wb->ws.history.host = NULL;
}

static int
tear_down(void **state)
{
	buf_finish(&code);
	return 0;
}

TEST_FILE(call_code)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_shell_words_survive, tear_down),
		cmocka_unit_test_teardown(test_every_shell, tear_down),
		cmocka_unit_test_teardown(test_last_line_break, tear_down),
		cmocka_unit_test_teardown(test_python_literals_survive, tear_down),
		cmocka_unit_test_teardown(test_python_over_http, tear_down),
		cmocka_unit_test_teardown(test_curl_redirects, tear_down),
		cmocka_unit_test_teardown(test_curl_follows, tear_down),
		cmocka_unit_test_teardown(test_curl_by_era, tear_down),
		cmocka_unit_test_teardown(test_curl_runs_the_handshake, tear_down),
		cmocka_unit_test_teardown(test_typescript, tear_down),
		cmocka_unit_test_teardown(test_names_are_no_variables, tear_down),
		cmocka_unit_test_teardown(test_unseen_characters, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_arguments_that_are_left_out, stage_set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
