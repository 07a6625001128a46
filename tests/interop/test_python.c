/* SPDX-License-Identifier: MIT */
/* The program against servers on the official Python package: 1.x (FastMCP) and 2.x, which speaks
 * both eras. */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "interop.h"
#include "json/pointer.h"
#include "client/call_code.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR "build/interop-python"
#define SERVER "tests/interop/python/server.py"

static struct web_server web1, web2;

/* A server and a way to speak with it. */
struct way {
	const char *protocol;
	const char *server[6];
};

static const struct way ways[] = {
	{ "2025-11-25", { "--", DIR "/1/bin/python", SERVER } },
	{ "2025-11-25", { "--era", "legacy", "--", DIR "/2/bin/python", SERVER } },
	{ "2026-07-28", { "--era", "modern", "--", DIR "/2/bin/python", SERVER } },
	{ "2025-11-25", { web1.url } },
	{ "2025-11-25", { "--era", "legacy", web2.url } },
	{ "2026-07-28", { web2.url } },
};

#define FOR_EACH_WAY(w) for (const struct way *w = ways; w < ways + ARRAY_LEN(ways); w++)

/* Cases that can share one Python process. */
#define FOR_EACH_WEB_WAY(w) for (const struct way *w = ways + 3; w < ways + ARRAY_LEN(ways); w++)

static int
start_web(void **state)
{
	web_server_start(&web1, (const char *[]){ DIR "/1/bin/python", SERVER, "http", NULL });
	web_server_start(&web2, (const char *[]){ DIR "/2/bin/python", SERVER, "http", NULL });
	return 0;
}

static int
stop_web(void **state)
{
	web_server_stop(&web1);
	web_server_stop(&web2);
	return 0;
}

static void
test_list(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "list", "--json", NULL);
		expect_text(&r, "/server/name", "python");
		expect_text(&r, "/server/protocolVersion", w->protocol);
		expect_text(&r, "/server/instructions", "Ask for cities.");
		assert_string_equal(json_get_string(run_tool(&r, "cities"), "title"), "Cities");
		const cJSON *city = run_tool(&r, "city");
		assert_non_null(json_pointer_find(city, "/inputSchema/properties/name"));
		assert_non_null(json_pointer_find(city, "/outputSchema/properties/population"));
		assert_null(json_get(run_tool(&r, "count"), "outputSchema"));
	}
	run_finish(&r);
}

static void
test_structured(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "call", "--json", "cities", "limit:=2", NULL);
		expect_text(&r, "/result/structuredContent/result/1/name", "Madrid");
		expect_type(&r, "/result/structuredContent/result/1/river", JSON_NULL);
		expect_type(&r, "/result/structuredContent/result/2", JSON_ABSENT);
		expect_text(&r, "/validation/status", "valid");
	}
	FOR_EACH_WEB_WAY(w)
	{
		run_to(&r, w->server, 0, "call", "--json", "city", "name=Porto", NULL);
		expect_number(&r, "/result/structuredContent/population", "231800");
		expect_within(&r, "/result/content/0/text", "Douro");
		expect_text(&r, "/validation/status", "valid");
	}
	run_finish(&r);
}

static void
test_progress_and_errors(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WEB_WAY(w)
	{
		run_to(&r, w->server, 0, "call", "--json", "count", "to:=5", NULL);
		expect_text(&r, "/result/content/0/text", "counted to 5");
		run_to(&r, w->server, 5, "call", "--json", "fails", NULL);
		expect_within(&r, "/result/content/0/text", "rror executing tool fails");
		expect_text(&r, "/validation/status", "no-schema");
		run_to(&r, w->server, 5, "call", "--json", "cities", "limit:=99", NULL);
		expect_within(&r, "/result/content/0/text", "less than or equal to 3");
	}
	run_finish(&r);
}

static void
test_resources_and_prompts(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WEB_WAY(w)
	{
		run_to(&r, w->server, 0, "list", "--json", "resources", NULL);
		expect_text(&r, "/resources/0/uri", "notes://today");
		run_to(&r, w->server, 0, "read", "--json", "notes://today", NULL);
		expect_text(&r, "/result/contents/0/text", "Pack the bags.");
		run_to(&r, w->server, 0, "list", "--json", "templates", NULL);
		expect_text(&r, "/templates/0/uriTemplate", "city://{name}/river");
		run_to(&r, w->server, 0, "read", "--json", "city://Lisbon/river", NULL);
		expect_text(&r, "/result/contents/0/text", "Tagus");
		run_to(&r, w->server, 0, "list", "--json", "prompts", NULL);
		expect_text(&r, "/prompts/0/title", "Plan a trip");
		run_to(&r, w->server, 0, "ping", "--json", NULL);
		expect_text(&r, "/protocolVersion", w->protocol);
	}
	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "get", "--json", "plan", "destination=Porto", NULL);
		expect_within(&r, "/result/messages/0/content/text", "Porto");
	}
	run_finish(&r);
}

static void
test_questions(void **state)
{
	FOR_EACH_WEB_WAY(w)
	{
		expect_travel(w->server);
	}
}

/* ---- copied calls ---- */

/* Runs what is copied, as the user who pastes it, and expects that in its output. */
static void
run_copied(
    const char *format, const struct call_code *c, const char *interpreter, const char *expected)
{
	const struct call_code_format *f = call_code_formats;
	char path[] = "/tmp/mcpane-copied-XXXXXX", bytes[4096];
	struct buf code = BUF_INIT, out = BUF_INIT;
	int fd = mkstemp(path);

	while (strcmp(f->name, format) != 0)
		f++;
	assert_true(f->add(c, &code, NULL));
	assert_true(path_write_fd(fd, buf_text(&code), code.len));
	close(fd);
	char *command = mem_printf("MCP_AUTHORIZATION=x %s %s 2>&1", interpreter, path);
	FILE *pipe = popen(command, "r");
	for (size_t n; (n = fread(bytes, 1, sizeof(bytes), pipe)) > 0;)
		buf_add(&out, bytes, n);
	if (pclose(pipe) != 0 || !strstr(buf_text(&out), expected))
		fail_msg("%s\n%s", buf_text(&code), buf_text(&out));
	unlink(path);
	free(command);
	buf_finish(&code);
	buf_finish(&out);
}

static void
run_copied_calls(const char *format, const char *interpreter, struct target *t, bool modern)
{
	static char name[] = "python";
	struct call_code c = { .target = t,
		.protocol = modern ? "2026-07-28" : "2025-11-25",
		.modern = modern,
		.key = "cities",
		.arguments = "{\"limit\":2}" };

	t->name = name;
	run_copied(format, &c, interpreter, "Madrid");
	c.kind = PRIMITIVE_PROMPT;
	c.key = "plan";
	c.arguments = "{\"destination\":\"Porto\"}";
	run_copied(format, &c, interpreter, "Porto");
	c.kind = PRIMITIVE_RESOURCE;
	c.key = c.uri = "notes://today";
	c.arguments = NULL;
	run_copied(format, &c, interpreter, "Pack the bags.");
}

/* With the SDK that the first line of the program says, and with curl, at both generations of
 * servers. */
static void
test_copied(void **state)
{
	static const char python[] = DIR "/2/bin/python";
	static char *argv[] = { (char *)DIR "/1/bin/python", (char *)SERVER, NULL };
	static char *headers[] = { (char *)"Authorization: Bearer x", (char *)"X-Mode: it's",
		NULL };
	struct target t = { .argv = argv };

	run_copied_calls("python", python, &t, false);
	for (int i = 0; i < 2; i++) {
		char *url = mem_strdup(i ? web2.url : web1.url);
		t = (struct target){ .url = url };
		run_copied_calls("python", python, &t, i == 1);
		t.headers = headers;
		run_copied_calls("python", python, &t, i == 1);
		run_copied_calls("curl", "sh", &t, i == 1);
		char *redirected =
		    mem_printf("%s/", url); /* the SDK's server has it without the slash */
		t.url = redirected;
		run_copied_calls("curl", "sh", &t, i == 1);
		run_copied_calls("python", python, &t, i == 1);
		free(redirected);
		free(url);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_copied),
	cmocka_unit_test(test_list),
	cmocka_unit_test(test_structured),
	cmocka_unit_test(test_progress_and_errors),
	cmocka_unit_test(test_resources_and_prompts),
	cmocka_unit_test(test_questions),
};

TEST_FILE(python)
{
	if (!interop_ready("sh tests/interop/install-python.sh " DIR " 1 2", ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, start_web, stop_web);
}
