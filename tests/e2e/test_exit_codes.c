/* SPDX-License-Identifier: MIT */
/* How each command without a screen ends for each way in which a server may fail it. */
#include "base/mem.h"
#include "base/vec.h"
#include "interop.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct web_server server;

static const struct command {
	const char *name;
	const char *operands[6]; /* after the server */
	const char *method;
} commands[] = {
	{ "list", { NULL }, "tools/list" },
	{ "call", { "go", NULL }, "tools/call" },
	{ "read", { "x://y", NULL }, "resources/read" },
	{ "get", { "go", NULL }, "prompts/get" },
	{ "complete", { "prompt", "go", "argument", "value", NULL }, "completion/complete" },
	{ "ping", { NULL }, "ping" },
};

#define FOR_EACH_COMMAND(c) \
	for (const struct command *c = (commands); c < (commands) + ARRAY_LEN(commands); c++)

/* %d: port of the fixture; its path selects the fault, in the command's own request. */
static const struct fault {
	const char *url;
	int exit_code;
	const char *expected;
} faults[] = {
	/* it is not to be reached */
	{ "http://127.0.0.1:1/mcp", 4, "127.0.0.1 port 1: Connection refused" },
	{ "http://nowhere.invalid/mcp", 4, "nowhere.invalid" },
	{ "https://127.0.0.1:%d/ok", 4, "does not speak TLS" },
	{ "http://127.0.0.1:%d/nothing", 4, "neither Streamable HTTP nor HTTP+SSE" },
	{ "http://127.0.0.1:%d/private", 3, "not authorized" },
	/* it does not answer */
	{ "http://127.0.0.1:%d/list/drop", 4, "127.0.0.1 port" },
	{ "http://127.0.0.1:%d/list/reset", 4, "in the middle of the response" },
	{ "http://127.0.0.1:%d/list/mute", 4, "timed out after 400 ms (first byte" },
	{ "http://127.0.0.1:%d/list/loris", 4, "timed out after 400 ms (head of the response" },
	{ "http://127.0.0.1:%d/list/gone", 4, "session" },
	{ "http://127.0.0.1:%d/list/failing", 4, "HTTP 500 Internal Server Error: out of order" },
	{ "http://127.0.0.1:%d/list/locked", 3, "not authorized" },
	{ "http://127.0.0.1:%d/list/busy", 4, "HTTP 503" },
	{ "http://127.0.0.1:%d/list/redirect", 4, "to another origin" },
	{ "http://127.0.0.1:%d/sse/list/reset", 4, "in the middle of the response" },
	{ "http://127.0.0.1:%d/sse/list/drop", 4, "the connection" },
	{ "http://127.0.0.1:%d/sse/list/mute", 4, "timed out after 400 ms (event stream" },
	{ "http://127.0.0.1:%d/sse/list/failing", 4, "HTTP 500 Internal Server Error" },
	/* it does */
	{ "http://127.0.0.1:%d/list/refused", 5, "out of order" },
	{ "http://127.0.0.1:%d/sse/list/refused", 5, "out of order" },
};

/* mcpane COMMAND SERVER OPERAND... -- SERVER_COMMAND... */
static void
expect(const struct command *c, const char *url, const char *const *process, int exit_code,
    const char *expected)
{
	/* a short wait only for the servers that never answer: a busy machine makes the others late
	 */
	const char *wait = strstr(expected, "timed out") ? "--timeout=400ms" : "--timeout=20s";
	const char *argv[20] = { terminal_program(), c->name, wait };
	struct program p = { 0 };
	size_t n = 3;

	if (url)
		argv[n++] = url;
	for (const char *const *o = c->operands; *o; o++)
		argv[n++] = *o;
	if (process)
		argv[n++] = "--";
	for (const char *const *o = process; o && *o; o++)
		argv[n++] = *o;
	program_run(&p, argv);
	if (p.exit_code != exit_code ||
	    (!strstr(buf_text(&p.err), expected) && !strstr(buf_text(&p.out), expected)))
		fail_msg("%s %s: exit %d, not %d, or no \"%s\":\n%.2000s\n%.2000s", c->name,
		    url ? url : process[1], p.exit_code, exit_code, expected, buf_text(&p.out),
		    buf_text(&p.err));
	program_free(&p);
}

static void
test_http(void **state)
{
	int port = (int)strtol(strrchr(server.url, ':') + 1, NULL, 10);
	char url[120];

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		const char *gap = strstr(faults[i].url, "%d");
		if (gap)
			snprintf(url, sizeof(url), "%.*s%d%s", (int)(gap - faults[i].url),
			    faults[i].url, port, gap + 2);
		else
			snprintf(url, sizeof(url), "%s", faults[i].url);
		FOR_EACH_COMMAND(c)
		expect(c, url, NULL, faults[i].exit_code, faults[i].expected);
	}
}

static void
test_stdio(void **state)
{
	const char *stream = terminal_fixture("streamserver");

	FOR_EACH_COMMAND(c)
	{
		expect(
		    c, NULL, (const char *[]){ "/nowhere/at/all", "", NULL }, 4, "/nowhere/at/all");
		expect(c, NULL, (const char *[]){ "/bin/sh", "-c", "exit 3", NULL }, 4,
		    "it ended before it was ready: exit code 3");
		expect(c, NULL, (const char *[]){ stream, "dies-on", "initialize", NULL }, 4,
		    "exit code 6");
		expect(c, NULL, (const char *[]){ stream, "never-reads", NULL }, 4,
		    "timed out after 400 ms");
		if (strcmp(c->name, "call") != 0) /* its tool has another name */
			expect(c, NULL, (const char *[]){ stream, "dies-on", c->method, NULL }, 4,
			    "exit code 6");
	}
}

static void
test_stdio_mid_call(void **state)
{
	static const struct command call = { "call", { "echo", NULL }, "tools/call" };
	const char *stream = terminal_fixture("streamserver");

	expect(&call, NULL, (const char *[]){ stream, "dies-mid-line", NULL }, 4, "exit code 6");
	expect(&call, NULL, (const char *[]){ stream, "killed-mid-line", NULL }, 4, "SIGKILL");
	expect(&call, NULL, (const char *[]){ stream, "stops-reading", NULL }, 4,
	    "timed out after 400 ms");
	expect(&call, NULL, (const char *[]){ stream, "good", NULL }, 0, "here I am");
}

static int
set_up(void **state)
{
	web_server_start(&server, (const char *[]){ terminal_fixture("httpfault"), NULL });
	return 0;
}

static int
tear_down(void **state)
{
	web_server_stop(&server);
	return 0;
}

TEST_FILE(exit_codes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_http, set_up, tear_down),
		cmocka_unit_test(test_stdio),
		cmocka_unit_test(test_stdio_mid_call),
	};

	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
