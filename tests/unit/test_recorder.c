/* SPDX-License-Identifier: MIT */
/* Recorded calls become a recipe that makes the same calls. */
#include "recipe/recorder.h"

#include "recipe_stage.h"
#include "test.h"

#include <string.h>

static void
add(struct recorder *r, uint64_t id, const char *name, const char *arguments)
{
	recorder_add_call(r, id, RECIPE_CALL, name, arguments, NULL);
}

static void
test_recipe(void **state)
{
	struct recorder *r = recorder_create();
	struct recipe_stage s = { .recipe = NULL };
	struct buf text = BUF_INIT;

	add(r, 7, "orders", "{}");
	recorder_link(r, 7, "/orders/1/id", RECIPE_CALL, "echo", "/a/0");
	recorder_link(r, 7, "/orders/0/total", RECIPE_CALL, "echo", "/gone");
	recorder_link(r, 7, "/orders/0/id", RECIPE_CALL, "other", "/a");
	recorder_link(r, 9, "/x", RECIPE_CALL, "echo", "/a");
	add(r, 8, "echo", "{\"a\":[\"A2\",1.50],\"b\":\"${x} $${y}\",\"api_key\":\"k\"}");
	add(r, 8, "echo", "{}");               /* the same call */
	add(r, 9, "echo", "{\"a\":[\"A2\"]}"); /* the link is spent */
	assert_int_equal(recorder_add_call(r, 9, RECIPE_CALL, "x", "{}", NULL), 3);
	recorder_add_recipe(r, "mine", &text);
	assert_non_null(strstr(buf_text(&text), "\"save\": \"orders\""));
	assert_non_null(strstr(buf_text(&text), "\"${orders.orders.1.id}\""));
	assert_null(strstr(buf_text(&text), "\"k\""));
	assert_true(variables_set_given(&s.given, "api_key=k", &s.err));
	if (!recipe_stage_play(&s, buf_text(&text)))
		fail_msg("%s\n%s", s.err.text, buf_text(&text));
	assert_string_equal(buf_text(&s.calls),
	    "orders {}\n"
	    "echo {\"a\":[\"A2\",1.50],\"b\":\"${x} $${y}\",\"api_key\":\"k\"}\n"
	    "echo {\"a\":[\"A2\"]}\n");
	recipe_stage_finish(&s);
	recorder_destroy(r);
	buf_finish(&text);
}

/* Names of tools and keys are anything. */
static void
test_odd_names(void **state)
{
	struct recorder *r = recorder_create();
	struct recipe_problem problem;
	struct buf text = BUF_INIT;

	add(r, 1, "1-if ${a}", "{}");
	add(r, 2, "reply", "[not json");
	recorder_link(r, 1, "/a.b", RECIPE_CALL, "t", "/a"); /* no reference can say it */
	recorder_link(r, 1, "/a", RECIPE_CALL, "t", "/b");
	recorder_link(r, 2, "/a", RECIPE_CALL, "t", "/c");
	add(r, 3, "t", "{\"a\":1,\"b\":1,\"c\":1,\"0 secret token\":\"x\",\"key\":7}");
	recorder_add_recipe(r, "odd \"name\"", &text);
	struct recipe *recipe = recipe_parse(text.data, text.len, &problem);
	if (!recipe)
		fail_msg("%s\n%s", problem.text, buf_text(&text));
	assert_non_null(strstr(buf_text(&text), "\"0 secret token\": \"${_0_secret_token}\""));
	assert_non_null(strstr(buf_text(&text), "\"key\": 7"));
	recipe_destroy(recipe);
	recorder_destroy(r);
	buf_finish(&text);
}

/* Hidden in texts under any name, and according to the tool's definition. */
static void
test_secrets(void **state)
{
	static const char tool[] = "{\"inputSchema\":{\"properties\":{\"pin\":{\"format\":"
				   "\"password\"}}}}";
	static const char arguments[] = "{\"header\":\"Authorization: Bearer abc123def\","
					"\"pin\":\"1234\",\"in\":{\"pin\":\"open\"},"
					"\"text\":\"${a} password=hunter22, api_key=hunter22\"}";
	struct recorder *r = recorder_create();
	struct json_doc *definition = json_parse(tool, strlen(tool), NULL, NULL);
	struct recipe_stage s = { .recipe = NULL };
	struct buf text = BUF_INIT;

	recorder_add_call(r, 1, RECIPE_CALL, "echo", arguments, definition);
	json_doc_destroy(definition);
	add(r, 2, "echo", "{\"pin\":\"9\",\"a_token\":\"x1\",\"o\":{\"a_token\":\"x2\"}}");
	add(r, 3, "echo", "{\"a_token\":\"x1\",\"text\":\"abc123def password=hunter22\"}");
	assert_int_equal(recorder_add_recipe(r, "mine", &text), 7);
	assert_null(strstr(buf_text(&text), "1234"));
	assert_null(strstr(buf_text(&text), "hunter"));
	assert_true(variables_set_given(&s.given, "secret=s", &s.err));
	assert_true(variables_set_given(&s.given, "secret_2=s2", &s.err));
	assert_true(variables_set_given(&s.given, "a_token=t1", &s.err));
	assert_true(variables_set_given(&s.given, "a_token_2=t2", &s.err));
	assert_true(variables_set_given(&s.given, "pin=p", &s.err));
	if (!recipe_stage_play(&s, buf_text(&text)))
		fail_msg("%s\n%s", s.err.text, buf_text(&text));
	assert_string_equal(buf_text(&s.calls),
	    "echo {\"header\":\"Authorization: s\",\"pin\":\"p\",\"in\":{\"pin\":\"open\"},"
	    "\"text\":\"${a} password=s2, api_key=s2\"}\n"
	    "echo {\"pin\":\"9\",\"a_token\":\"t1\",\"o\":{\"a_token\":\"t2\"}}\n"
	    "echo {\"a_token\":\"t1\",\"text\":\"abc123def password=s2\"}\n");
	recipe_stage_finish(&s);
	recorder_destroy(r);
	buf_finish(&text);
}

TEST_FILE(recorder)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recipe),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_secrets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
