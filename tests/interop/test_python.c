/* The program against servers on the official Python package: 1.x (FastMCP) and 2.x, which speaks
 * both eras. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "interop.h"
#include "json/pointer.h"

#include <string.h>

#define DIR "build/interop-python"
#define SERVER "tests/interop/python/server.py"

/* A server and a way to speak with it. */
struct way {
	const char *python, *era, *protocol;
};

static const struct way ways[] = {
	{ DIR "/1/bin/python", "auto", "2025-11-25" },
	{ DIR "/2/bin/python", "legacy", "2025-11-25" },
	{ DIR "/2/bin/python", "modern", "2026-07-28" },
};

#define FOR_EACH_WAY(w) for (const struct way *w = ways; w < ways + 3; w++)
#define TO(w) "--era", (w)->era, "--", (w)->python, SERVER, NULL

static void
test_list(void **state)
{
	struct run r = { 0 };

	(void)state;
	FOR_EACH_WAY(w)
	{
		run(&r, 0, "list", "--json", TO(w));
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

	(void)state;
	FOR_EACH_WAY(w)
	{
		run(&r, 0, "call", "--json", "cities", "limit:=2", TO(w));
		expect_text(&r, "/result/structuredContent/result/1/name", "Madrid");
		expect_type(&r, "/result/structuredContent/result/1/river", JSON_NULL);
		expect_type(&r, "/result/structuredContent/result/2", JSON_ABSENT);
		expect_text(&r, "/validation/status", "valid");
		run(&r, 0, "call", "--json", "city", "name=Porto", TO(w));
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

	(void)state;
	FOR_EACH_WAY(w)
	{
		run(&r, 0, "call", "--json", "count", "to:=5", TO(w));
		expect_text(&r, "/result/content/0/text", "counted to 5");
		run(&r, 5, "call", "--json", "fails", TO(w));
		expect_within(&r, "/result/content/0/text", "rror executing tool fails");
		expect_text(&r, "/validation/status", "no-schema");
		run(&r, 5, "call", "--json", "cities", "limit:=99", TO(w));
		expect_within(&r, "/result/content/0/text", "less than or equal to 3");
	}
	run_finish(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_list),
	cmocka_unit_test(test_structured),
	cmocka_unit_test(test_progress_and_errors),
};

int
main(void)
{
	struct buf why = BUF_INIT;

	if (!interop_install("sh tests/interop/install-python.sh " DIR, &why))
		return interop_skip(sizeof(tests) / sizeof(*tests), &why);
	buf_finish(&why);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
