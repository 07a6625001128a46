/* SPDX-License-Identifier: MIT */
/* The program against a server on the official Go package, which speaks both eras. */
#include "base/vec.h"
#include "interop.h"
#include "json/pointer.h"
#include "test.h"

#include <string.h>

#define DIR "build/interop-go"
#define SERVER DIR "/server"

static struct web_server web, sessions;

/* A way to speak with it. */
struct way {
	const char *protocol;
	const char *server[5];
	bool deaf; /* without a session no answer to a question of the server finds its way back */
};

static const struct way ways[] = {
	{ .protocol = "2026-07-28", .server = { "--", SERVER } },
	{ .protocol = "2026-07-28", .server = { "--era", "modern", "--", SERVER } },
	{ .protocol = "2025-11-25", .server = { "--era", "legacy", "--", SERVER } },
	{ .protocol = "2026-07-28", .server = { web.url } },
	{ .protocol = "2025-11-25", .server = { "--era", "legacy", web.url }, .deaf = true },
	{ .protocol = "2025-11-25", .server = { sessions.url } },
};

#define FOR_EACH_WAY(w) for (const struct way *w = ways; w < ways + ARRAY_LEN(ways); w++)

static int
start_web(void **state)
{
	web_server_start(&web, (const char *[]){ SERVER, "-http", NULL });
	web_server_start(&sessions, (const char *[]){ SERVER, "-http", "-sessions", NULL });
	return 0;
}

static int
stop_web(void **state)
{
	web_server_stop(&web);
	web_server_stop(&sessions);
	return 0;
}

static void
test_list(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "list", "--json", NULL);
		expect_text(&r, "/server/name", "go");
		expect_text(&r, "/server/protocolVersion", w->protocol);
		expect_type(&r, "/server/capabilities/completions", JSON_OBJECT);
		const cJSON *cities = run_tool(&r, "cities");
		assert_string_equal(json_get_string(cities, "title"), "Cities");
		assert_non_null(json_pointer_find(cities, "/outputSchema/properties/cities/items"));
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
		expect_text(&r, "/result/structuredContent/cities/1/name", "Madrid");
		expect_number(&r, "/result/structuredContent/cities/0/population", "545796");
		expect_type(&r, "/result/structuredContent/cities/1/river", JSON_ABSENT);
		expect_within(&r, "/result/content/0/text", "Tagus");
		expect_text(&r, "/validation/status", "valid");
	}
	run_finish(&r);
}

static void
test_progress_and_errors(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "call", "--json", "count", "to:=5", NULL);
		expect_text(&r, "/result/content/0/text", "counted to 5");
		run_to(&r, w->server, 5, "call", "--json", "fails", NULL);
		expect_text(&r, "/result/content/0/text", "the map is out of print");
		run_to(&r, w->server, 5, "call", "--json", "cities", "limit:=99", NULL);
		expect_within(&r, "/result/content/0/text", "99 is not between 1 and 3");
		expect_text(&r, "/validation/status", "not-applied");
		run_to(&r, w->server, 5, "call", "--json", "cities", "limit=two", NULL);
	}
	run_finish(&r);
}

static void
test_resources_and_prompts(void **state)
{
	struct run r = { 0 };

	FOR_EACH_WAY(w)
	{
		run_to(&r, w->server, 0, "list", "--json", "resources", NULL);
		expect_text(&r, "/resources/0/uri", "notes://today");
		run_to(&r, w->server, 0, "read", "--json", "notes://today", NULL);
		expect_text(&r, "/result/contents/0/text", "Pack the bags.");
		run_to(&r, w->server, 0, "list", "--json", "templates", NULL);
		expect_text(&r, "/templates/0/uriTemplate", "notes://{day}");
		run_to(&r, w->server, 0, "read", "--json", "notes://tomorrow", NULL);
		expect_text(&r, "/result/contents/0/text", "Pack the bags.");
		run_to(&r, w->server, 0, "list", "--json", "prompts", NULL);
		expect_text(&r, "/prompts/0/title", "Plan a trip");
		run_to(&r, w->server, 0, "get", "--json", "plan", "destination=Porto", NULL);
		expect_within(&r, "/result/messages/0/content/text", "Porto");
		run_to(&r, w->server, 0, "complete", "--json", "prompt", "plan", "destination",
		    "Po", NULL);
		expect_text(&r, "/values/0", "Porto");
		run_to(&r, w->server, 0, "ping", "--json", NULL);
		expect_text(&r, "/protocolVersion", w->protocol);
	}
	run_finish(&r);
}

static void
test_questions(void **state)
{
	FOR_EACH_WAY(w)
	{
		if (!w->deaf)
			expect_travel(w->server);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_list),
	cmocka_unit_test(test_structured),
	cmocka_unit_test(test_progress_and_errors),
	cmocka_unit_test(test_resources_and_prompts),
	cmocka_unit_test(test_questions),
};

TEST_FILE(go)
{
	if (!interop_ready("sh tests/interop/install-go.sh " DIR, ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, start_web, stop_web);
}
