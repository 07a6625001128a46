/* SPDX-License-Identifier: MIT */
/* The effect of each kind of step, how it fails, and the consequence. */
#include "base/vec.h"
#include "json/print.h"

#include "recipe_stage.h"
#include "test.h"

#include <locale.h>
#include <string.h>

/* The steps, their report and the calls made; NULL is not compared. */
static const struct row {
	const char *steps, *said, *calls;
	enum recipe_failure failure;
} rows[] = {
	/* the recipe of the manual */
	{ "[{\"call\":\"orders\"},{\"each\":\".orders[]\",\"as\":\"order\",\"steps\":[{\"when\":"
	  "\".status == \\\"failed\\\"\",\"call\":\"update\",\"arguments\":{\"id\":\"${order.id}\","
	  "\"total\":\"${order.total}\",\"note\":\"was ${order.status}, ${order.total}\"}}]}]",
	    "ok      orders\n"
	    "for     each .orders[]: 3 rounds\n"
	    "skipped   [1/3] update: not when .status == \"failed\"\n"
	    "ok        [2/3] update {\"id\": \"A2\", \"total\": 12345678901234567000, \"note\": "
	    "\"was failed, "
	    "12345678901234567000\"}\n"
	    "ok        [3/3] update {\"id\": \"A3\", \"total\": 7.5, \"note\": \"was failed, "
	    "7.5\"}\n",
	    "orders {}\n"
	    "update {\"id\":\"A2\",\"total\":12345678901234567000,\"note\":\"was failed, "
	    "12345678901234567000\"}\n"
	    "update {\"id\":\"A3\",\"total\":7.5,\"note\":\"was failed, 7.5\"}\n",
	    RECIPE_NO_FAILURE },
	/* a path without jq keeps every digit */
	{ "[{\"call\":\"orders\",\"save\":\"all\"},{\"call\":\"echo\",\"arguments\":{\"n\":"
	  "\"${all.orders.1.total}\",\"o\":\"${all.orders.0}\",\"plain\":\"$${x} $ {\"}}]",
	    NULL,
	    "orders {}\n"
	    "echo "
	    "{\"n\":12345678901234567890,\"o\":{\"id\":\"A1\",\"status\":\"pending\",\"total\":5},"
	    "\"plain\":\"${x} $ {\"}\n",
	    RECIPE_NO_FAILURE },
	/* pick, from, all, save, and variables in jq */
	{ "[{\"call\":\"orders\",\"save\":\"all\"},{\"pick\":\".orders[0].id\",\"save\":\"first\"},"
	  "{\"pick\":\".orders[] | select(.id != $first) | .id # not the "
	  "first\",\"from\":\"all\",\"all\":true},"
	  "{\"assert\":[\". == [\\\"A2\\\",\\\"A3\\\"]\",\"$first == \\\"A1\\\" and ($all.orders | "
	  "length) "
	  "== 3\"]},{\"assert\":\".orders\",\"from\":\"reply\"}]",
	    "ok      orders\n"
	    "ok      pick .orders[0].id \"A1\"\n"
	    "ok      pick .orders[] | select(.id != $first) | .id # not the first [\"A2\", "
	    "\"A3\"]\n"
	    "ok      assert 2 conditions\n"
	    "ok      assert .orders\n",
	    NULL, RECIPE_NO_FAILURE },
	{ "[{\"call\":\"orders\"},{\"pick\":\".orders[]\"},{\"call\":\"x\"}]",
	    "ok      orders\n"
	    "FAILED  pick .orders[]\n"
	    "        > jq gave 3 results: \"all\": true keeps them as an array\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "orders {}\n", RECIPE_WRONG },
	{ "[{\"call\":\"orders\"},{\"pick\":\".orders |\"}]",
	    "skipped orders: not run, because the recipe ended before\n"
	    "FAILED  pick .orders |\n"
	    "        > 1:37: /steps/1/pick: jq .orders |: the expression ends too early (at "
	    "character 10)\n",
	    "", RECIPE_WRONG },
	{ "[{\"call\":\"orders\",\"save\":\"all\"},{\"pick\":\"$all | foo\"}]",
	    "skipped orders: not run, because the recipe ended before\n"
	    "FAILED  pick $all | foo\n"
	    "        > 1:50: /steps/1/pick: jq $all | foo: foo/0 is not defined (at character "
	    "8)\n",
	    "", RECIPE_WRONG },
	/* each place of an expression, however deep; an expression that never had its turn, too */
	{ "[{\"call\":\"a\"},{\"when\":\"false\",\"steps\":[{\"each\":\"1\",\"steps\":[{\"call\":"
	  "\"b\",\"expect\":{\"jq\":[\"1 # c \\\\\",\"$none\"]}}]}]}]",
	    "skipped a: not run, because the recipe ended before\n"
	    "FAILED  1 step\n"
	    "        > 1:109: /steps/1/steps/0/steps/0/expect/jq/1: jq $none: $none is not defined "
	    "(at character 1)\n",
	    "", RECIPE_WRONG },
	{ "[{\"call\":\"a\"},{\"call\":\"b\",\"expect\":{\"of\":\"(\"}}]", NULL, "", RECIPE_WRONG },
	{ "[{\"call\":\"a\"},{\"call\":\"b\",\"when\":\"]\"}]", NULL, "", RECIPE_WRONG },
	{ "[{\"call\":\"a\"},{\"each\":\"x\",\"steps\":[{\"call\":\"b\"}]}]", NULL, "",
	    RECIPE_WRONG },
	{ "[{\"call\":\"a\"},{\"assert\":[\"true\",\"tru\"]}]", NULL, "", RECIPE_WRONG },
	{ "[{\"call\":\"a\"},{\"call\":\"b\",\"retry\":{\"attempts\":2,\"until\":\"x\"}}]", NULL,
	    "", RECIPE_WRONG },
	/* attempts: one case each, which ends well if the last attempt does */
	{ "[{\"call\":\"flaky\",\"retry\":{\"attempts\":3}},{\"call\":\"x\"}]",
	    "again   flaky\n"
	    "        > the tool reported an error: no such \xe2\x90\x9b[31morder\n"
	    "        > A9\n"
	    "again   flaky (attempt 2)\n"
	    "        > the tool reported an error: no such \xe2\x90\x9b[31morder\n"
	    "        > A9\n"
	    "ok      flaky (attempt 3)\n"
	    "ok      x\n",
	    "flaky {}\nflaky {}\nflaky {}\nx {}\n", RECIPE_NO_FAILURE },
	{ "[{\"call\":\"silent\",\"retry\":{\"attempts\":2}},{\"call\":\"x\"}]",
	    "again   silent\n"
	    "        > no answer in 60 s\n"
	    "FAILED  silent (attempt 2)\n"
	    "        > no answer in 60 s\n"
	    "        > after 2 attempts\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "silent {}\nsilent {}\n", RECIPE_NO_ANSWER },
	{ "[{\"call\":\"flaky\",\"expect\":{\"error\":true},\"retry\":{\"attempts\":3}}]",
	    "ok      flaky\n", "flaky {}\n", RECIPE_NO_FAILURE },
	{ "[{\"call\":\"go\",\"retry\":{\"attempts\":2,\"until\":\".did == \\\"gone\\\"\"},"
	  "\"onFailure\":\"continue\"},{\"call\":\"x\"}]",
	    "again   go\n"
	    "        > until: .did == \"gone\": false, for {\"did\": \"go\"}\n"
	    "FAILED  go (attempt 2)\n"
	    "        > until: .did == \"gone\": false, for {\"did\": \"go\"}\n"
	    "        > after 2 attempts\n"
	    "ok      x\n",
	    NULL, RECIPE_FAILED_EXPECTATION },
	/* a mistake of the recipe is the same the next time; the end of the server is the end */
	{ "[{\"call\":\"go\",\"retry\":{\"attempts\":9,\"until\":\".did[0]\"}}]", NULL, "go {}\n",
	    RECIPE_WRONG },
	{ "[{\"call\":\"ends\",\"retry\":{\"attempts\":9}}]", NULL, "ends {}\n", RECIPE_NO_ANSWER },
	{ "[{\"call\":\"flaky\",\"when\":\"false\",\"retry\":{\"attempts\":9}}]",
	    "skipped flaky: not when false\n", "", RECIPE_NO_FAILURE },
	/* attempts at a group: as many pages as there are */
	{ "[{\"pick\":\"[]\",\"save\":\"all\"},{\"name\":\"pages\",\"retry\":{\"attempts\":9,"
	  "\"until\":"
	  "\"length == 2\"},\"steps\":[{\"call\":\"go\"},{\"pick\":\"$all + "
	  "[.did]\",\"save\":\"all\"}]},{\"assert\":\"$all == [\\\"go\\\",\\\"go\\\"]\"}]",
	    "ok      pick [] []\n"
	    "do      pages\n"
	    "ok        [1/9] go\n"
	    "ok        [1/9] pick $all + [.did] [\"go\"]\n"
	    "ok        [2/9] go\n"
	    "ok        [2/9] pick $all + [.did] [\"go\", \"go\"]\n"
	    "ok      assert $all == [\"go\",\"go\"]\n",
	    "go {}\ngo {}\n", RECIPE_NO_FAILURE },
	/* a failing step inside, and one that continues */
	{ "[{\"retry\":{\"attempts\":9},\"steps\":[{\"call\":\"a\"},{\"call\":\"flaky\","
	  "\"onFailure\":\"continue\"},{\"call\":\"b\"}]},{\"call\":\"x\"}]",
	    NULL, "a {}\nflaky {}\nb {}\na {}\nflaky {}\nb {}\na {}\nflaky {}\nb {}\nx {}\n",
	    RECIPE_NO_FAILURE },
	{ "[{\"retry\":{\"attempts\":2},\"steps\":[{\"call\":\"fails\"},{\"call\":\"b\"}]},"
	  "{\"call\":\"x\"}]",
	    "do      2 steps\n"
	    "again     [1/2] fails\n"
	    "          > the tool reported an error: no such \xe2\x90\x9b[31morder\n"
	    "          > A9\n"
	    "FAILED    [2/2] fails\n"
	    "          > the tool reported an error: no such \xe2\x90\x9b[31morder\n"
	    "          > A9\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "fails {}\nfails {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"name\":\"never\",\"retry\":{\"attempts\":2,\"until\":\"false\"},\"steps\":[{"
	  "\"call\":"
	  "\"a\"}]},{\"call\":\"x\"}]",
	    "do      never\n"
	    "ok        [1/2] a\n"
	    "ok        [2/2] a\n"
	    "FAILED  never\n"
	    "        > until: false: false, for {\"did\": \"a\"}\n"
	    "        > after 2 attempts\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "a {}\na {}\n", RECIPE_FAILED_EXPECTATION },
	/* attempts in attempts, in a round */
	{ "[{\"each\":\"1,2\",\"steps\":[{\"retry\":{\"attempts\":2},\"steps\":[{\"call\":"
	  "\"flaky\","
	  "\"retry\":{\"attempts\":2}},{\"call\":\"b\"}]}]}]",
	    NULL, "flaky {}\nflaky {}\nflaky {}\nb {}\nflaky {}\nb {}\n", RECIPE_NO_FAILURE },
	/* a missing value is null; zero rounds are not a failure */
	{ "[{\"assert\":\". == "
	  "null\"},{\"each\":\"empty\",\"save\":\"none\",\"steps\":[{\"call\":\"x\"}]},"
	  "{\"assert\":\". == []\",\"from\":\"none\"}]",
	    "ok      assert . == null\n"
	    "skipped each empty: jq gave nothing to do it for\n"
	    "ok      assert . == []\n",
	    "", RECIPE_NO_FAILURE },
	/* each collects the values of its rounds, and restores the surrounding value */
	{ "[{\"call\":\"orders\"},{\"each\":\".orders[]\",\"save\":\"ids\",\"steps\":[{\"pick\":\"."
	  "id\"}]},"
	  "{\"assert\":\". == [\\\"A1\\\",\\\"A2\\\",\\\"A3\\\"] and $ids == .\"},"
	  "{\"steps\":[{\"pick\":\"length\"}]},{\"assert\":\". == 3\"}]",
	    NULL, NULL, RECIPE_NO_FAILURE },
	/* each in each */
	{ "[{\"pick\":\"[[1,2],[3]]\"},{\"each\":\".[]\",\"as\":\"row\",\"steps\":[{\"each\":\".[]"
	  "\",\"as\":"
	  "\"cell\",\"steps\":[{\"call\":\"go\",\"name\":\"cell ${cell} of ${row}\"}]}]}]",
	    "ok      pick [[1,2],[3]] [[1, 2], [3]]\n"
	    "for     each .[]: 2 rounds\n"
	    "for       each .[]: 2 rounds\n"
	    "ok          [1/2] cell 1 of [1,2]\n"
	    "ok          [2/2] cell 2 of [1,2]\n"
	    "for       each .[]: 1 round\n"
	    "ok          [1/1] cell 3 of [3]\n",
	    NULL, RECIPE_NO_FAILURE },
	/* groups under a condition */
	{ "[{\"call\":\"orders\"},{\"when\":\".orders == "
	  "[]\",\"steps\":[{\"call\":\"x\"}]},{\"when\":\".orders\","
	  "\"name\":\"both\",\"steps\":[{\"call\":\"a\"},{\"call\":\"b\"}]}]",
	    "ok      orders\n"
	    "skipped 1 step: not when .orders == []\n"
	    "do      both\n"
	    "ok        a\n"
	    "ok        b\n",
	    "orders {}\na {}\nb {}\n", RECIPE_NO_FAILURE },
	/* failures */
	{ "[{\"call\":\"fails\"},{\"call\":\"x\"}]",
	    "FAILED  fails\n"
	    "        > the tool reported an error: no such \xe2\x90\x9b[31morder\n"
	    "        > A9\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "fails {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"call\":\"fails\",\"onFailure\":\"continue\"},{\"call\":\"x\"}]", NULL,
	    "fails {}\nx {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"call\":\"invalid\"}]",
	    "FAILED  invalid\n"
	    "        > verdict: invalid: /did: found a string, expected an integer\n",
	    NULL, RECIPE_BROKEN_RESULT },
	{ "[{\"call\":\"silent\",\"onFailure\":\"continue\"},{\"call\":\"x\"}]", NULL,
	    "silent {}\nx {}\n", RECIPE_NO_ANSWER },
	/* the end of the server is the end */
	{ "[{\"call\":\"ends\",\"onFailure\":\"continue\"},{\"call\":\"x\"}]",
	    "FAILED  ends\n"
	    "        > no answer in 60 s\n"
	    "skipped x: not run, because the recipe ended before\n",
	    "ends {}\n", RECIPE_NO_ANSWER },
	{ "[{\"assert\":[\"false\",\"1\",\"empty\"],\"message\":\"it is ${reply}\"}]",
	    "FAILED  assert 3 conditions\n"
	    "        > it is ${reply}\n"
	    "        > false: false, for nothing\n"
	    "        > empty: no result, for nothing\n",
	    NULL, RECIPE_FAILED_EXPECTATION },
	{ "[{\"pick\":\"[1,2]\"},{\"each\":\".[]\",\"steps\":[{\"call\":\"fails\"},{\"call\":\"x\"}"
	  "]},{\"call\":"
	  "\"y\"}]",
	    NULL, "fails {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"pick\":\"[1,2]\"},{\"each\":\".[]\",\"onFailure\":\"continue\",\"steps\":[{\"call\":"
	  "\"fails\"},"
	  "{\"call\":\"x\"}]},{\"call\":\"y\"}]",
	    NULL, "fails {}\nfails {}\ny {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"pick\":\"[1,2]\"},{\"each\":\".[]\",\"steps\":[{\"call\":\"fails\",\"onFailure\":"
	  "\"continue\"},"
	  "{\"call\":\"x\"}]},{\"call\":\"y\"}]",
	    NULL, "fails {}\nx {}\nfails {}\nx {}\ny {}\n", RECIPE_ERROR_ANSWER },
	{ "[{\"call\":\"echo\",\"arguments\":{\"a\":\"${reply.b}\"}}]",
	    "FAILED  echo\n"
	    "        > ${reply}: there is no such variable\n",
	    "", RECIPE_WRONG },
	{ "[{\"call\":\"orders\"},{\"call\":\"echo\",\"arguments\":{\"a\":\"x${reply.orders.3.id}"
	  "\"}}]",
	    NULL, "orders {}\n", RECIPE_WRONG },
};

/* The driver knows the time: a run only says how long it wants to wait. */
static void
test_delays(void **state)
{
	static const char text[] = "{\"steps\":[{\"retry\":{\"attempts\":2,\"delay\":\"10s\"},"
				   "\"steps\":[{\"call\":\"flaky\","
				   "\"retry\":{\"attempts\":2,\"delay\":250}}]}]}";
	struct recipe_stage s = { .recipe = NULL };

	assert_true(recipe_stage_play(&s, text));
	assert_int_equal(s.delayed_us, 10250000);
	assert_int_equal(recipe_run_view(s.run).failure, RECIPE_NO_FAILURE);
	assert_int_equal(recipe_run_view(s.run).counts.passed, 1);
	recipe_stage_finish(&s);
	for (size_t most = 1; most < 5; most++) { /* stopped while it waits, or calls */
		s.most = most;
		assert_true(recipe_stage_play(&s, text));
		assert_true(recipe_run_view(s.run).is_over);
		assert_int_equal(recipe_run_view(s.run).failure, RECIPE_NO_ANSWER);
		assert_int_equal(recipe_run_view(s.run).counts.failed, 1);
		recipe_stage_finish(&s);
	}
}

static void
test_steps(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct recipe_stage s = { .recipe = NULL };
		struct buf text = BUF_INIT;
		buf_addf(&text, "{\"steps\":%s}", rows[i].steps);
		if (!recipe_stage_play(&s, buf_text(&text)))
			fail_msg("%s: %s", rows[i].steps, s.err.text);
		if (rows[i].said)
			assert_string_equal(buf_text(&s.said), rows[i].said);
		if (rows[i].calls)
			assert_string_equal(buf_text(&s.calls), rows[i].calls);
		if (recipe_run_view(s.run).failure != rows[i].failure)
			fail_msg("%s\n%s", rows[i].steps, buf_text(&s.said));
		assert_true(recipe_run_view(s.run).is_over);
		recipe_stage_finish(&s);
		buf_finish(&text);
	}
}

/* Expectations of a call, and the lines if they fail; NULL: they hold. */
static const struct {
	const char *tool, *expect, *lines;
} expectations[] = {
	{ "orders",
	    "{\"verdict\":\"valid\",\"findings\":\"none\",\"within\":\"1s\",\"jq\":\".orders\"}",
	    NULL },
	{ "orders", "{\"verdict\":[\"missing\",\"no-schema\"]}",
	    "> verdict: valid, expected [\"missing\", \"no-schema\"]\n" },
	{ "invalid", "{\"verdict\":\"invalid\"}", NULL },
	{ "orders", "{\"error\":true}", "> error: expected one, and the call succeeded\n" },
	{ "fails", "{\"error\":true}", NULL },
	{ "fails", "{\"error\":\"no such\"}", NULL },
	{ "fails", "{\"error\":true,\"jq\":\".did == \\\"fails\\\"\"}", NULL },
	{ "fails", "{\"error\":false}",
	    "> the tool reported an error: no such \xe2\x90\x9b[31morder\n        > A9\n" },
	{ "fails", "{\"error\":\"denied\"}",
	    "> error: expected \"denied\", found \"the tool reported an error: no such "
	    "\xe2\x90\x9b[31morder\n        > A9\"\n" },
	{ "silent", "{\"error\":true}", "> no answer in 60 s\n" },
	{ "found", "{\"findings\":\"warnings\"}", NULL },
	{ "found", "{\"findings\":\"notes\"}", "> finding: lost-text: a text is lost\n" },
	{ "found", "{\"findings\":\"none\"}",
	    "> finding: odd-name: its name is odd\n        > finding: lost-text: a text is "
	    "lost\n" },
	{ "found", "{\"findings\":[\"odd-name\",\"lost-text\"]}", NULL },
	{ "found", "{\"findings\":[\"lost-text\"]}", "> finding: odd-name: its name is odd\n" },
	{ "slow", "{\"within\":500}", "> within: expected at most 500 ms, took 2000.0 ms\n" },
	{ "slow", "{\"within\":\"2s\"}", NULL },
	{ "go", "{\"equals\":{\"did\":\"go\"}}", NULL },
	{ "go", "{\"equals\":{}}", "> equals: /did: expected nothing, found \"go\"\n" },
	{ "go", "{\"equals\":{\"did\":\"go\",\"more\":1}}",
	    "> equals: /more: expected 1, found nothing\n" },
	{ "go", "{\"contains\":{}}", NULL },
	{ "go", "{\"contains\":{\"did\":\"stay\"}}",
	    "> contains: /did: expected \"stay\", found \"go\"\n" },
	{ "orders", "{\"contains\":{\"orders\":[{},{\"id\":\"A2\"},{\"total\":7.5e0}]}}", NULL },
	{ "orders", "{\"contains\":{\"orders\":[{}]}}",
	    "> contains: /orders: expected 1 item, found 3\n" },
	{ "orders", "{\"contains\":{\"orders\":[{},{\"total\":12345678901234567891},{}]}}",
	    "> contains: /orders/1/total: expected 12345678901234567891, found "
	    "12345678901234567890\n" },
	{ "orders", "{\"of\":\"[.orders[].id]\",\"equals\":[\"A1\",\"A2\",\"A3\"]}", NULL },
	{ "orders", "{\"of\":\".orders[]\",\"equals\":1}", "> \"of\" has to give one result\n" },
	{ "orders", "{\"jq\":[\".orders | length > 3\",\".orders[] | .total > 5\"],\"within\":1}",
	    "> within: expected at most 1 ms, took 3.0 ms\n"
	    "        > jq: .orders | length > 3: false, for {\"orders\": [{\"id\": \"A1\", "
	    "\"status\": "
	    "\"pending\", \"total\": 5}, {\"id\": \"A2\", \"status\": \"failed\", \"total\": "
	    "1234567890123456789…\n"
	    "        > jq: .orders[] | .total > 5: false, for {\"orders\": [{\"id\": \"A1\", "
	    "\"status\": "
	    "\"pending\", \"total\": 5}, {\"id\": \"A2\", \"status\": \"failed\", \"total\": "
	    "1234567890123456789…\n" },
	{ "orders", "{\"snapshot\":\"a.json\"}", "> snapshot: no snapshot\n" },
};

static void
test_expectations(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(expectations); i++) {
		struct recipe_stage s = { .recipe = NULL };
		struct buf text = BUF_INIT, lines = BUF_INIT;
		buf_addf(&text, "{\"call\":\"%s\",\"expect\":%s}", expectations[i].tool,
		    expectations[i].expect);
		if (!recipe_stage_play(&s, buf_text(&text)))
			fail_msg("%s: %s", buf_text(&text), s.err.text);
		const char *why = expectations[i].lines;
		buf_addf(&lines, why ? "FAILED  %s\n        %s" : "ok      %s\n",
		    expectations[i].tool, why ? why : "");
		assert_string_equal(buf_text(&s.said), buf_text(&lines));
		recipe_stage_finish(&s);
		buf_finish(&text);
		buf_finish(&lines);
	}
}

static void
test_snapshot(void **state)
{
	static const char recipe[] =
	    "{\"steps\":[{\"call\":\"echo\",\"arguments\":{\"token\":\"s3cret\",\"n\":1},"
	    "\"expect\":{\"snapshot\":\"echo.json\"}}]}";
	struct recipe_stage s = { .update = true }, again = { .update = false };

	assert_true(recipe_stage_play(&s, recipe));
	assert_string_equal(buf_text(&s.snapshot), "{\"token\":\"(hidden)\",\"n\":1}");
	assert_null(strstr(buf_text(&s.said), "s3cret"));
	buf_add_str(&again.snapshot, "{\"n\": 1.0, \"token\": \"(hidden)\"}");
	assert_true(recipe_stage_play(&again, recipe));
	assert_int_equal(recipe_run_view(again.run).failure, RECIPE_NO_FAILURE);
	recipe_stage_finish(&again);
	buf_add_str(&again.snapshot, "{\"n\": 2}");
	assert_true(recipe_stage_play(&again, recipe));
	assert_non_null(strstr(buf_text(&again.said), "> snapshot: /n: expected 2, found 1\n"));
	recipe_stage_finish(&again);
	recipe_stage_finish(&s);
}

/* Tests do not depend on each other. */
static void
test_independent(void **state)
{
	struct recipe_stage s = { .recipe = NULL };

	assert_true(recipe_stage_play(&s,
	    "{\"tests\":[{\"call\":\"fails\"},{\"call\":\"a\"},{\"call\":\"ends\"},"
	    "{\"call\":\"b\"}]}"));
	assert_string_equal(buf_text(&s.calls), "fails {}\na {}\nends {}\n");
	const struct recipe_counts counts = recipe_run_view(s.run).counts;
	assert_int_equal(counts.passed, 1);
	assert_int_equal(counts.failed, 2);
	assert_int_equal(counts.skipped, 1);
	recipe_stage_finish(&s);
}

static void
expect_start(const char *given, const char *environment, const char *text, const char *wanted)
{
	struct recipe_stage s = { .environment = environment };

	if (given)
		assert_true(variables_set_given(&s.given, given, &s.err));
	bool ok = recipe_stage_play(&s, text);
	assert_string_equal(ok ? buf_text(&s.calls) : s.err.text, wanted);
	if (!ok)
		assert_int_equal(s.calls.len, 0);
	recipe_stage_finish(&s);
}

static void
test_variables(void **state)
{
	static const char text[] =
	    "{\"variables\":{\"a\":1,\"b\":{\"c\":[true]}},\"environments\":{\"test\":{\"a\":2,"
	    "\"d\":\"x\"}},\"steps\":[{\"call\":\"go\",\"arguments\":{\"v\":\"${a}\",\"w\":"
	    "\"${b.c.0} ${b}\"}}]}";

	expect_start(NULL, NULL, text, "go {\"v\":1,\"w\":\"true {\\\"c\\\":[true]}\"}\n");
	expect_start(NULL, "test", text, "go {\"v\":2,\"w\":\"true {\\\"c\\\":[true]}\"}\n");
	expect_start("a=3", "test", text, "go {\"v\":\"3\",\"w\":\"true {\\\"c\\\":[true]}\"}\n");
	expect_start("a:=3", NULL, text, "go {\"v\":3,\"w\":\"true {\\\"c\\\":[true]}\"}\n");
	expect_start(NULL, "tset", text, "there is no environment \"tset\"; did you mean test?");
	expect_start(NULL, NULL, "{\"steps\":[{\"call\":\"a\"},{\"call\":\"${tool}\"}]}",
	    "1:32: /steps/1/call: ${tool} has no value: --var tool=VALUE gives it one");
	expect_start("tool=b", NULL, "{\"steps\":[{\"call\":\"a\"},{\"call\":\"${tool}\"}]}",
	    "a {}\nb {}\n");
	/* a value cannot become syntax */
	expect_start("x=\",\"y\":\"${a}", NULL,
	    "{\"steps\":[{\"call\":\"a\",\"arguments\":{\"x\":\"-${x}-\"}}]}",
	    "a {\"x\":\"-\\\",\\\"y\\\":\\\"${a}-\"}\n");
	expect_start("x=\" or true or \"", NULL,
	    "{\"steps\":[{\"when\":\"$x == \\\"1\\\"\",\"call\":\"a\"}]}", "");
}

static void
test_given(void **state)
{
	struct variables v = { 0 };
	struct err err;

	assert_false(variables_set_given(&v, "a", &err));
	assert_string_equal(err.text, "\"a\" is neither NAME=VALUE nor NAME:=JSON");
	assert_false(variables_set_given(&v, "a:={", &err));
	assert_string_equal(err.text, "a: not JSON, 1:2: ends inside an object");
	assert_false(variables_set_given(&v, "=1", &err));
	assert_false(variables_set_given(&v, "1a=1", &err));
	assert_true(variables_set_given(&v, "a=b=c", &err));
	assert_string_equal(cJSON_GetStringValue(variables_find(&v, "a", 1)->value), "b=c");
	variables_finish(&v);
}

/* The number of rounds has no limit, but a run has one. */
static void
test_bounds(void **state)
{
	struct recipe_stage s = { .recipe = NULL };

	assert_true(recipe_stage_play(
	    &s, "{\"steps\":[{\"each\":\"range(100000)\",\"steps\":[{\"call\":\"go\"}]}]}"));
	assert_int_equal(recipe_run_view(s.run).counts.passed, 100000);
	assert_int_equal(s.report.suites.items[0].cases.len, 10000);
	assert_int_equal(s.report.suites.items[0].left_out, 90001);
	recipe_stage_finish(&s);
	assert_true(recipe_stage_play(
	    &s, "{\"steps\":[{\"each\":\"range(1000000)\",\"steps\":[{\"call\":\"go\"}]}]}"));
	assert_non_null(strstr(buf_text(&s.said), "there are more than 100000 results"));
	recipe_stage_finish(&s);
}

static void
test_stop(void **state)
{
	struct recipe_stage s = { .most = 3 };

	assert_true(recipe_stage_play(&s, "{\"steps\":[{\"each\":\"range(3)\",\"steps\":[{\"call\":"
					  "\"a\"},{\"call\":\"b\"}]},{\"call\":\"c\"}]}"));
	assert_string_equal(buf_text(&s.said),
	    "for     each range(3): 3 rounds\n"
	    "ok        [1/3] a\n"
	    "FAILED    [1/3] b\n"
	    "          > stopped\n"
	    "skipped c: not run, because the recipe ended before\n");
	recipe_stage_finish(&s);
}

static void
test_stop_while_expressions_are_compiled(void **state)
{
	static const char text[] = "{\"steps\":[{\"assert\":\"1\"},{\"call\":\"a\"}]}";
	struct recipe_problem problem;
	struct err err;
	struct recipe_run_options options = { .recipe =
						  recipe_parse(text, strlen(text), &problem) };
	struct recipe_run *r = recipe_run_create(&options, &err);

	assert_int_equal(recipe_run_next(r)->kind, RECIPE_WANTS_JQ);
	recipe_run_stop(r, "stopped");
	assert_true(recipe_run_view(r).is_over);
	assert_int_equal(recipe_run_view(r).counts.failed, 1);
	assert_int_equal(recipe_run_view(r).counts.skipped, 1);
	recipe_run_destroy(r);
	recipe_destroy((struct recipe *)options.recipe);
}

TEST_FILE(recipe_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_expectations),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_independent),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_stop_while_expressions_are_compiled),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
