/* SPDX-License-Identifier: MIT */
/* The program against servers that other people published with npm. */
#include "base/vec.h"
#include "interop.h"
#include "json/pointer.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR "build/interop"
#define PACKAGES DIR "/node_modules/@modelcontextprotocol/"

#define NODE DIR "/run-node"
#define MODERN NODE, DIR "/modern-server.mjs"
#define EVERYTHING NODE, PACKAGES "server-everything/dist/index.js", "stdio"
#define FILES NODE, PACKAGES "server-filesystem/dist/index.js", "build/interop/files"
#define MEMORY NODE, PACKAGES "server-memory/dist/index.js"

/* ---- a modern server on the official TypeScript package ---- */

static const char *const eras[] = { "auto", "modern", "legacy" };
#define ERA_COUNT ARRAY_LEN(eras)

static void
test_modern_list(void **state)
{
	struct run r = { 0 };

	for (size_t i = 0; i < ERA_COUNT; i++) {
		run(&r, 0, "list", "--json", "--era", eras[i], "--", MODERN, NULL);
		expect_text(&r, "/server/name", "modern");
		expect_text(&r, "/server/protocolVersion",
		    strcmp(eras[i], "legacy") == 0 ? "2025-11-25" : "2026-07-28");
		assert_string_equal(json_get_string(run_tool(&r, "cities"), "title"), "Cities");
		const cJSON *input = json_get(run_tool(&r, "cities"), "inputSchema");
		assert_int_equal(
		    json_type(json_pointer_find(input, "/properties/limit")), JSON_OBJECT);
		assert_non_null(json_get(run_tool(&r, "broken_cities"), "outputSchema"));
		assert_null(json_get(run_tool(&r, "count"), "outputSchema"));
	}
	run_finish(&r);
}

static void
test_modern_tables(void **state)
{
	struct run r = { 0 };

	for (size_t i = 0; i < ERA_COUNT; i++) {
		run(&r, 0, "call", "--json", "--era", eras[i], "cities", "limit:=2", "--", MODERN,
		    NULL);
		expect_text(&r, "/result/content/0/text", "2 cities");
		expect_text(&r, "/result/structuredContent/cities/1/city", "Madrid");
		expect_type(&r, "/result/structuredContent/cities/1/river", JSON_NULL);
		expect_type(&r, "/result/structuredContent/cities/2", JSON_ABSENT);
		expect_text(&r, "/validation/status", "valid");
		run(&r, 7, "call", "--json", "--era", eras[i], "broken_cities", "--", MODERN, NULL);
		expect_text(&r, "/validation/status", "invalid");
		assert_int_equal(json_count(run_at(&r, "/validation/errors")), 2);
		expect_text(&r, "/validation/errors/0/instancePath", "/cities/0/id");
		expect_text(&r, "/validation/errors/0/keyword", "type");
		expect_text(&r, "/validation/errors/1/instancePath", "/cities/1");
		expect_text(&r, "/validation/errors/1/keyword", "required");
		expect_text(&r, "/result/structuredContent/cities/0/id", "1");
	}
	run_finish(&r);
}

static void
test_modern_shapes(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "call", "--json", "numbers", "--", MODERN, NULL);
	expect_number(&r, "/result/structuredContent/2", "3");
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "nothing", "--", MODERN, NULL);
	expect_type(&r, "/result/structuredContent", JSON_NULL);
	expect_text(&r, "/validation/status", "valid");
	/* To a legacy client the package wraps what is not an object, and its schema too. */
	run(&r, 0, "call", "--json", "--era", "legacy", "numbers", "--", MODERN, NULL);
	expect_number(&r, "/result/structuredContent/result/2", "3");
	expect_text(&r, "/validation/status", "valid");
	run_finish(&r);
}

static void
test_modern_runs(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "call", "--json", "count", "to:=5", "--", MODERN, NULL);
	expect_text(&r, "/result/content/0/text", "counted to 5");
	run(&r, 5, "call", "--json", "fails", "--", MODERN, NULL);
	expect_text(&r, "/result/content/0/text", "the map is out of print");
	assert_true(cJSON_IsTrue(run_at(&r, "/result/isError")));
	expect_text(&r, "/validation/status", "not-applied");
	run(&r, 5, "call", "--json", "cities", "limit:=99", "--", MODERN, NULL);
	expect_within(&r, "/result/content/0/text", "Input validation error");
	/* It asks back, is declined each time, and asks again until one side has enough. */
	run(&r, 5, "call", "--json", "deploy", "--", MODERN, NULL);
	expect_within(&r, "/error/message", "keeps asking for input");
	run(&r, 5, "call", "--json", "--era", "legacy", "deploy", "--", MODERN, NULL);
	expect_within(&r, "/result/content/0/text", "still required input");
	run_finish(&r);
}

/* ---- server-everything ---- */

static void
test_everything_list(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "list", "--json", "--", EVERYTHING, NULL);
	assert_non_null(json_get(run_tool(&r, "get-structured-content"), "outputSchema"));
	assert_non_null(json_get_string(run_tool(&r, "echo"), "description"));
	run(&r, 0, "list", "--json", "--era", "legacy", "--", EVERYTHING, NULL);
	run_tool(&r, "get-sum");
	run_finish(&r);
}

/* A tool that has to be called as a task (2025-11-25), and asks for something on its way. */
static void
test_everything_task(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "call", "--json", "simulate-research-query", "topic=bread", "ambiguous=true",
	    "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "Research Report: bread (User declined");
	run_finish(&r);
}

/* What it asks for, answered by the options. */
static void
test_everything_asks(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "call", "--json", "trigger-elicitation-request", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "declined");
	run(&r, 0, "call", "--json", "--elicit", "cancel", "trigger-elicitation-request", "--",
	    EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "cancelled");
	run(&r, 0, "call", "--json", "--elicit", "guess", "trigger-elicitation-request", "--",
	    EVERYTHING, NULL);
	expect_within(&r, "/result/content/1/text", "- Favorite Integer: 42");
	run(&r, 0, "call", "--json", "--elicit", "{\"name\":\"Ada\"}",
	    "trigger-elicitation-request", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/1/text", "- Name: Ada");
	run(&r, 0, "call", "--json", "trigger-url-elicitation", "url=https://a.example/x", "--",
	    EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "declined");
	run(&r, 0, "call", "--json", "--sampling-reply", "It rains.", "trigger-sampling-request",
	    "prompt=Hi", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "\"text\": \"It rains.\"");
	run(&r, 0, "call", "--json", "--root", "/usr", "get-roots-list", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "URI: file:///usr");
	run_finish(&r);
}

static void
test_everything_calls(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "call", "--json", "echo", "message=caf\xc3\xa9 \"x\"\n", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "caf\xc3\xa9 \"x\"\n");
	expect_text(&r, "/validation/status", "no-schema");
	run(&r, 0, "call", "--json", "get-sum", "a:=2", "b:=40", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "42");
	run(&r, 0, "call", "--json", "get-sum", "--args", "{\"a\":1,\"b\":2}", "--", EVERYTHING,
	    NULL);
	expect_within(&r, "/result/content/0/text", "3");
	run(&r, 0, "call", "--json", "get-structured-content", "location=New York", "--",
	    EVERYTHING, NULL);
	expect_type(&r, "/result/structuredContent/temperature", JSON_NUMBER);
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "get-tiny-image", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/content/1/type", "image");
	run(&r, 0, "call", "--json", "get-resource-links", "count:=2", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/content/1/type", "resource_link");
	run(&r, 0, "call", "--json", "trigger-long-running-operation", "duration:=1", "steps:=3",
	    "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "completed");
	run(&r, 5, "call", "--json", "get-sum", "a=two", "b:=40", "--", EVERYTHING, NULL);
	assert_true(cJSON_IsTrue(run_at(&r, "/result/isError")));
	run_finish(&r);
}

/* ---- server-filesystem ---- */

static void
test_files(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "list", "--json", "--", FILES, NULL);
	assert_non_null(json_get(run_tool(&r, "read_text_file"), "outputSchema"));
	run(&r, 0, "call", "--json", "write_file", "path=a.txt", "content=one\ntwo\n", "--", FILES,
	    NULL);
	run(&r, 0, "call", "--json", "read_text_file", "path=a.txt", "--", FILES, NULL);
	expect_text(&r, "/result/content/0/text", "one\ntwo\n");
	expect_text(&r, "/result/structuredContent/content", "one\ntwo\n");
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "list_directory", "path=.", "--", FILES, NULL);
	expect_within(&r, "/result/content/0/text", "a.txt");
	run(&r, 5, "call", "--json", "read_text_file", "path=/etc/passwd", "--", FILES, NULL);
	assert_true(cJSON_IsTrue(run_at(&r, "/result/isError")));
	run_finish(&r);
}

/* ---- server-memory ---- */

static void
test_memory(void **state)
{
	struct run r = { 0 };
	char path[4096];

	assert_non_null(getcwd(path, sizeof(path) - 64));
	strncat(path, "/build/interop/memory.jsonl", 64);
	remove(path);
	setenv("MEMORY_FILE_PATH", path, 1);
	run(&r, 0, "list", "--json", "--", MEMORY, NULL);
	run_tool(&r, "create_entities");
	run(&r, 0, "call", "--json", "create_entities", "--args",
	    "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":["
	    "\"counts\"]}]}",
	    "--", MEMORY, NULL);
	expect_text(&r, "/result/structuredContent/entities/0/name", "Ada");
	run(&r, 0, "call", "--json", "read_graph", "--", MEMORY, NULL);
	expect_text(&r, "/result/structuredContent/entities/0/observations/0", "counts");
	expect_type(&r, "/result/structuredContent/relations", JSON_ARRAY);
	expect_text(&r, "/validation/status", "valid");
	remove(path);
	run_finish(&r);
}

/* ---- servers with apps ---- */

#define WITH_APP(name) NODE, PACKAGES "server-" name "/dist/index.js", "--stdio"

static void
expect_app(struct run *r, const char *tool, const char *resource)
{
	expect_text(r, "/apps/0/tool", tool);
	expect_text(r, "/apps/0/resource", resource);
	expect_text(r, "/apps/0/mimeType", "text/html;profile=mcp-app");
	expect_text(r, "/apps/0/visibility/1", "app");
	expect_within(r, "/apps/0/policy", "connect-src 'none'");
	expect_type(r, "/apps/0/error", JSON_ABSENT);
	assert_true(run_at(r, "/apps/0/bytes")->valuedouble > 200000);
	assert_int_equal(json_count(run_at(r, "/apps/0/findings")), 0);
}

static void
test_apps(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "apps", "--json", "--", WITH_APP("basic-vanillajs"), NULL);
	expect_app(&r, "get-time", "ui://get-time/mcp-app.html");
	assert_int_equal(json_count(run_at(&r, "/appOnlyTools")), 0);
	run(&r, 0, "apps", "--json", "--", WITH_APP("system-monitor"), NULL);
	expect_app(&r, "get-system-info", "ui://system-monitor/mcp-app.html");
	expect_text(&r, "/appOnlyTools/0", "poll-system-stats");
	run(&r, 0, "apps", "--json", "--", WITH_APP("debug"), NULL);
	expect_app(&r, "debug-tool", "ui://debug-tool/mcp-app.html");
	expect_text(&r, "/apps/1/tool", "debug-refresh");
	expect_text(&r, "/apps/1/visibility/0", "app");
	expect_text(&r, "/apps/1/findings/0/id", "app-only");
	run_finish(&r);
}

/* ---- a recording of the official client, and the server that it makes ---- */

#define OFFICIAL_CLIENT "cd " DIR " && exec ./run-node sdk-client.mjs \"$MCPANE\" "
#define OFFICIAL_SERVER \
	"./run-node node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio"

/* Through a tap, too, so it is a command of ours whose output is checked. */
static void
test_recorded(void **state)
{
	struct run live = { 0 }, replayed = { 0 };

	run(&live, 0, "tap", "--", "sh", "-c",
	    "rm -f " DIR "/recorded*.jsonl; " OFFICIAL_CLIENT
	    "record recorded.jsonl -- " OFFICIAL_SERVER,
	    NULL);
	/* the last line comes after the client's end */
	run(&replayed, 0, "tap", "--", "sh", "-c",
	    "until grep -q '\"exit\"' " DIR "/recorded.jsonl; do sleep 0.05; done; " OFFICIAL_CLIENT
	    "replay recorded.jsonl --strict",
	    NULL);
	expect_text(&live, "/server/name", "mcp-servers/everything");
	expect_text(&live, "/sum/content/0/text", "The sum of 2 and 40 is 42.");
	expect_type(&live, "/heard", JSON_OBJECT);
	assert_string_equal(buf_text(&replayed.out), buf_text(&live.out));
	run_finish(&live);
	run_finish(&replayed);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_modern_list),
	cmocka_unit_test(test_modern_tables),
	cmocka_unit_test(test_modern_shapes),
	cmocka_unit_test(test_modern_runs),
	cmocka_unit_test(test_everything_list),
	cmocka_unit_test(test_everything_calls),
	cmocka_unit_test(test_everything_asks),
	cmocka_unit_test(test_everything_task),
	cmocka_unit_test(test_files),
	cmocka_unit_test(test_memory),
	cmocka_unit_test(test_apps),
	cmocka_unit_test(test_recorded),
};

TEST_FILE(npm)
{
	if (!interop_ready(
		"sh tests/interop/install.sh " DIR " && mkdir -p " DIR "/files", ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
