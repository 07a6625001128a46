/* SPDX-License-Identifier: MIT */
/* The program over HTTP against servers that other people published with npm: Streamable HTTP with
 * a session, HTTP+SSE of 2024-11-05, and a modern one; and each through a tap. */
#include "base/vec.h"
#include "interop.h"
#include "json/pointer.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define DIR "build/interop"
#define NODE DIR "/run-node"

static struct web_server streamable, sse, modern;
static struct web_server tapped, tapped_sse, tapped_modern;

struct way {
	const char *protocol;
	const char *server[4];
};

static const struct way everything[] = {
	{ "2025-11-25", { streamable.url } },
	{ "2025-11-25", { "--era", "legacy", streamable.url } },
	{ "2025-11-25", { sse.url } },
	{ "2025-11-25", { tapped.url } },
	{ "2025-11-25", { "--era", "legacy", tapped.url } },
	{ "2025-11-25", { tapped_sse.url } },
};

static const struct way modern_ways[] = {
	{ "2026-07-28", { modern.url } },
	{ "2026-07-28", { "--era", "modern", modern.url } },
	{ "2025-11-25", { "--era", "legacy", modern.url } },
	{ "2026-07-28", { tapped_modern.url } },
	{ "2025-11-25", { "--era", "legacy", tapped_modern.url } },
};

#define FOR_EACH_WAY(w, ways) for (const struct way *w = (ways); w < (ways) + ARRAY_LEN(ways); w++)

static void
test_everything_list(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w, everything)
	{
		run_to(&r, w->server, 0, "list", "--json", NULL);
		expect_text(&r, "/server/name", "mcp-servers/everything");
		expect_text(&r, "/server/protocolVersion", w->protocol);
		assert_non_null(json_get(run_tool(&r, "get-structured-content"), "outputSchema"));
	}
	run_finish(&r);
}

static void
test_everything_calls(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w, everything)
	{
		run_to(&r, w->server, 0, "call", "--json", "echo", "message=caf\xc3\xa9 \"x\"\n",
		    NULL);
		expect_within(&r, "/result/content/0/text", "caf\xc3\xa9 \"x\"\n");
		run_to(&r, w->server, 0, "call", "--json", "get-structured-content",
		    "location=New York", NULL);
		expect_type(&r, "/result/structuredContent/temperature", JSON_NUMBER);
		expect_text(&r, "/validation/status", "valid");
		run_to(&r, w->server, 0, "call", "--json", "trigger-long-running-operation",
		    "duration:=1", "steps:=3", NULL);
		expect_within(&r, "/result/content/0/text", "completed");
		run_to(&r, w->server, 5, "call", "--json", "get-sum", "a=two", "b:=40", NULL);
		assert_true(cJSON_IsTrue(run_at(&r, "/result/isError")));
	}
	run_finish(&r);
}

static void
test_modern_list(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w, modern_ways)
	{
		run_to(&r, w->server, 0, "list", "--json", NULL);
		expect_text(&r, "/server/name", "modern");
		expect_text(&r, "/server/protocolVersion", w->protocol);
		assert_string_equal(json_get_string(run_tool(&r, "cities"), "title"), "Cities");
	}
	run_finish(&r);
}

static void
test_modern_calls(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w, modern_ways)
	{
		run_to(&r, w->server, 0, "call", "--json", "cities", "limit:=2", NULL);
		expect_text(&r, "/result/structuredContent/cities/1/city", "Madrid");
		expect_text(&r, "/validation/status", "valid");
		run_to(&r, w->server, 7, "call", "--json", "broken_cities", NULL);
		expect_text(&r, "/validation/errors/0/instancePath", "/cities/0/id");
		run_to(&r, w->server, 0, "call", "--json", "count", "to:=100", NULL);
		expect_text(&r, "/result/content/0/text", "counted to 100");
		run_to(&r, w->server, 5, "call", "--json", "fails", NULL);
		assert_true(cJSON_IsTrue(run_at(&r, "/result/isError")));
	}
	run_finish(&r);
}

/* The same bytes as without it. */
static void
test_tapped(void **state)
{
	static const char *const pairs[][2] = { { streamable.url, tapped.url },
		{ sse.url, tapped_sse.url }, { modern.url, tapped_modern.url } };
	static const char *const calls[][3] = { { "list", "tools" }, { "list", "resources" },
		{ "list", "prompts" } };

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		for (size_t c = 0; c < ARRAY_LEN(calls); c++) {
			struct run direct = { 0 }, through = { 0 };
			run_to(&direct, (const char *const[]){ pairs[i][0], NULL }, 0, calls[c][0],
			    calls[c][1], "--json", NULL);
			run_to(&through, (const char *const[]){ pairs[i][1], NULL }, 0, calls[c][0],
			    calls[c][1], "--json", NULL);
			assert_string_equal(buf_text(&through.out), buf_text(&direct.out));
			run_finish(&direct);
			run_finish(&through);
		}
	}
}

static void
start_tap(struct web_server *tap, const struct web_server *server)
{
	const char *program = getenv("MCPANE");

	web_server_start(tap, (const char *[]){ program ? program : "build/mcpane", "tap",
				  "--listen", "127.0.0.1:0", server->url, NULL });
}

static int
start_servers(void **state)
{
	web_server_start(&streamable,
	    (const char *[]){ NODE, DIR "/everything-http.mjs", "streamableHttp", NULL });
	web_server_start(&sse, (const char *[]){ NODE, DIR "/everything-http.mjs", "sse", NULL });
	web_server_start(&modern, (const char *[]){ NODE, DIR "/modern-server.mjs", "http", NULL });
	start_tap(&tapped, &streamable);
	start_tap(&tapped_sse, &sse);
	start_tap(&tapped_modern, &modern);
	return 0;
}

static int
stop_servers(void **state)
{
	web_server_stop(&tapped);
	web_server_stop(&tapped_sse);
	web_server_stop(&tapped_modern);
	web_server_stop(&streamable);
	web_server_stop(&sse);
	web_server_stop(&modern);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_everything_list),
	cmocka_unit_test(test_everything_calls),
	cmocka_unit_test(test_modern_list),
	cmocka_unit_test(test_modern_calls),
	cmocka_unit_test(test_tapped),
};

TEST_FILE(npm_http)
{
	if (!interop_ready("sh tests/interop/install.sh " DIR, ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, start_servers, stop_servers);
}
