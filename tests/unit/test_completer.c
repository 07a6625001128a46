/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

static const struct server_options options = {
	.session = { .era = ERA_LEGACY, .client_name = "t", .client_version = "1" }
};
static const struct primitive prompt = { .kind = PRIMITIVE_PROMPT, .key = "p", .has_key = true };
static struct wire wire;

static int
set_up(void **state)
{
	wire_open(&wire, &options);
	wire_connect(&wire, "[]");
	return 0;
}

static int
tear_down(void **state)
{
	wire_close(&wire);
	return 0;
}

static void
type(const char *value, const char *context)
{
	struct completion_question q = { &prompt, "a", value, context };

	server_complete(wire.server, &q, 100, wire.now_us);
}

static void
pass(int64_t ms)
{
	wire.now_us += ms * 1000;
	server_on_time(wire.server, wire.now_us);
}

static size_t
asked(void)
{
	return wire_count(&wire, "completion/complete");
}

static const struct completion *
answer(void)
{
	return completer_answer(server_info(wire.server)->completer);
}

static void
test_pause(void **state)
{
	type("x", NULL);
	assert_true(completer_is_busy(server_info(wire.server)->completer));
	pass(90);
	type("xy", "{\"b\":\"c\"}");
	pass(90);
	assert_int_equal(asked(), 0);
	pass(10);
	assert_int_equal(asked(), 1);
	assert_non_null(strstr(wire_last(&wire), "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},"
						 "\"argument\":{\"name\":\"a\",\"value\":\"xy\"},"
						 "\"context\":{\"arguments\":{\"b\":\"c\"}}"));
	assert_null(answer());
	wire_answer(&wire, "completion/complete",
	    "'result':{'completion':{'values':['xyz',7,'xya'],'total':12,'hasMore':true}}");
	assert_non_null(answer());
	assert_int_equal(answer()->len, 2);
	assert_string_equal(answer()->values[1], "xya");
	assert_int_equal(answer()->total, 12);
	assert_true(answer()->has_more);
	assert_false(completer_is_busy(server_info(wire.server)->completer));
}

static void
test_remembered(void **state)
{
	static const char none[] = "'result':{'completion':{'values':[]}}";

	type("x", NULL);
	pass(100);
	wire_answer(&wire, "completion/complete", none);
	type("y", NULL);
	assert_null(answer());
	pass(100);
	wire_answer(&wire, "completion/complete", none);
	type("x", NULL);
	assert_non_null(answer());
	assert_int_equal(answer()->total, SIZE_MAX);
	pass(1000);
	assert_int_equal(asked(), 2);
	server_relist(wire.server, wire.now_us); /* forgets */
	type("x", NULL);
	pass(100);
	assert_int_equal(asked(), 3);
}

static const struct completion *
nearest(void)
{
	return completer_nearest(server_info(wire.server)->completer);
}

static void
test_nearest(void **state)
{
	assert_null(nearest());
	type("", NULL);
	pass(100);
	wire_answer(&wire, "completion/complete", "'result':{'completion':{'values':['xa','y']}}");
	type("x", NULL);
	assert_int_equal(nearest()->len, 2);
	pass(100);
	wire_answer(&wire, "completion/complete", "'result':{'completion':{'values':['xa']}}");
	type("xb", NULL);
	assert_string_equal(nearest()->typed, "x");
	type("z", NULL);
	assert_string_equal(nearest()->typed, "");
	type("x", "{\"b\":\"c\"}"); /* other arguments make it a different request */
	assert_null(nearest());
}

static void
test_overtaken(void **state)
{
	type("x", NULL);
	pass(100);
	type("xy", NULL);
	pass(100);
	assert_int_equal(wire_count(&wire, "notifications/cancelled"), 1);
	assert_int_equal(asked(), 2);
	type("x", NULL); /* an abandoned request is sent again */
	pass(100);
	assert_int_equal(asked(), 3);
	server_complete(wire.server, NULL, 0, wire.now_us);
	assert_null(answer());
	assert_false(completer_is_busy(server_info(wire.server)->completer));
}

static const struct {
	const char *answer, *error;
	size_t len;
	bool has_more;
} odd[] = {
	{ "'error':{'code':-32602,'message':'no such prompt'}", "no such prompt", 0, false },
	{ "'result':{}", "the answer has no completion.values array", 0, false },
	{ "'result':{'completion':{'values':'x'}}", "the answer has no completion.values array", 0,
	    false },
	{ "'result':{'completion':{'values':[],'total':-1,'hasMore':'yes'}}", "", 0, false },
};

static void
test_odd_answers(void **state)
{
	char value[8];

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		snprintf(value, sizeof(value), "%zu", i);
		type(value, NULL);
		pass(100);
		wire_answer(&wire, "completion/complete", odd[i].answer);
		assert_string_equal(answer()->error, odd[i].error);
		assert_int_equal(answer()->len, odd[i].len);
		assert_int_equal(answer()->has_more, odd[i].has_more);
		assert_int_equal(answer()->total, SIZE_MAX);
	}
}

static void
test_too_many(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "'result':{'completion':{'values':['0'");
	for (int i = 1; i < 150; i++)
		buf_addf(&text, ",'%d'", i);
	buf_add_str(&text, "]}}");
	type("", NULL);
	pass(100);
	wire_answer(&wire, "completion/complete", buf_text(&text));
	assert_int_equal(answer()->len, 100);
	assert_true(answer()->has_more);
	for (int i = 0; i < 100; i++) { /* more questions than are remembered */
		char value[16];
		snprintf(value, sizeof(value), "q%d", i);
		type(value, NULL);
		pass(100);
		wire_answer(&wire, "completion/complete", "'result':{'completion':{'values':[]}}");
		assert_non_null(answer());
	}
	assert_true(server_info(wire.server)->completer->known.len <= 64);
	buf_finish(&text);
}

static void
test_server_ends(void **state)
{
	type("x", NULL);
	pass(100);
	wire_end(&wire, "exited with code 1");
	assert_non_null(answer());
	assert_true(answer()->error[0]);
	type("y", NULL);
	pass(100);
	assert_false(completer_is_busy(server_info(wire.server)->completer));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

TEST_FILE(completer)
{
	const struct CMUnitTest tests[] = {
		TEST(pause),
		TEST(remembered),
		TEST(nearest),
		TEST(overtaken),
		TEST(odd_answers),
		TEST(too_many),
		TEST(server_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
