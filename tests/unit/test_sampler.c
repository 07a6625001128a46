/* SPDX-License-Identifier: MIT */
/* Samplings answered by a command: the real program, the model on a wire without a server. */
#include "host/user_programs.h"

#include "base/clock.h"
#include "base/vec.h"
#include "loop/child.h"
#include "client/question.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct loop *loop;
static struct wire wire;
static size_t changes;

static void
on_change(void *user)
{
	changes++;
}

static int
set_up(void **state)
{
	static const struct server_options options = { .session = { .era = ERA_LEGACY,
							   .can = { .sampling = true } } };

	loop = loop_create(NULL, NULL, NULL);
	wire_open(&wire, &options);
	wire_connect(&wire, "{'name':'echo','inputSchema':{'type':'object'}}");
	wire_say(&wire, "{'jsonrpc':'2.0','id':'s','method':'sampling/createMessage','params':{"
			"'messages':[],'maxTokens':9}}");
	changes = 0;
	return 0;
}

static int
tear_down(void **state)
{
	wire_close(&wire);
	child_end_all(loop);
	loop_destroy(loop);
	return 0;
}

static void
wait_for_change(void)
{
	int64_t end_us = clock_now_us() + 20 * 1000000;

	while (changes == 0 && clock_now_us() < end_us)
		loop_turn(loop, 1000);
	assert_int_equal(changes, 1);
}

/* Output of the command for the waiting question. */
static struct question *
draft(const char *command)
{
	struct sampler *s = sampler_create(loop, command, on_change, NULL);
	struct question *q = server_info(wire.server)->questions.items[0];
	struct err err = { "" };

	changes = 0;
	assert_true(sampler_draft(s, wire.server, q->id, &err));
	assert_true(q->working);
	assert_false(sampler_draft(s, wire.server, q->id, &err)); /* it is at work */
	wait_for_change();
	assert_false(q->working);
	sampler_destroy(s);
	return q;
}

static void
test_draft(void **state)
{
	assert_string_equal(draft("printf 'It \"rains\".\\n'")->draft, "It \"rains\".");
	assert_string_equal(draft("sh -c 'head -c 2'")->draft, "{");
	assert_string_equal(draft("sh -c \"grep maxTokens\"")->draft, "  \"maxTokens\": 9");
	struct question *q = server_info(wire.server)->questions.items[0];
	question_set(&q->request, "{\"edited\":1}", 12);
	assert_string_equal(draft("cat")->draft, "{\"edited\":1}");
	assert_null(q->trouble);
}

static void
test_trouble(void **state)
{
	static const struct {
		const char *command, *trouble;
	} rows[] = {
		{ "false", "exit code 1" },
		{ "sh -c 'echo no model >&2; exit 3'", "exit code 3: no model" },
		{ "true", "printed nothing" },
		{ "sh -c 'head -c 3000000 /dev/zero'", "more than a mebibyte" },
		{ "sh -c 'kill -9 $$'", "SIGKILL" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct question *q = draft(rows[i].command);
		if (!q->trouble || !strstr(q->trouble, rows[i].trouble))
			fail_msg("%s: %s", rows[i].command, q->trouble ? q->trouble : "(none)");
		assert_null(q->draft);
	}
}

static void
test_cannot_start(void **state)
{
	static const char *const bad[] = { "nosuchcommand-anywhere", "", "'open", NULL };
	struct question *q = server_info(wire.server)->questions.items[0];

	for (size_t i = 0; i < 4; i++) {
		struct sampler *s = sampler_create(loop, bad[i], on_change, NULL);
		struct err err = { "" };
		assert_false(sampler_draft(s, wire.server, q->id, &err));
		assert_true(err.text[0] != '\0');
		assert_false(q->working);
		sampler_destroy(s);
	}
}

static void
test_answers_by_itself(void **state)
{
	struct sampler *s = sampler_create(loop, "echo sun", on_change, NULL);

	sampler_answer_all(s, wire.server);
	sampler_answer_all(s, wire.server); /* once is enough */
	wait_for_change();
	assert_int_equal(server_info(wire.server)->questions.len, 0);
	assert_non_null(strstr(wire_last(&wire), "\"text\":\"sun\""));
	sampler_destroy(s);
	s = sampler_create(loop, "false", on_change, NULL);
	wire_say(&wire, "{'jsonrpc':'2.0','id':'t','method':'sampling/createMessage','params':{"
			"'messages':[],'maxTokens':9}}");
	changes = 0;
	sampler_answer_all(s, wire.server);
	wait_for_change();
	assert_non_null(strstr(wire_last(&wire), "\"code\":-1"));
	sampler_destroy(s);
}

static void
test_question_goes_meanwhile(void **state)
{
	struct sampler *s =
	    sampler_create(loop, "sh -c 'cat >/dev/null; echo late'", on_change, NULL);
	struct question *q = server_info(wire.server)->questions.items[0];
	struct err err;

	assert_true(sampler_draft(s, wire.server, q->id, &err));
	server_decline(wire.server, q->id, false, wire.now_us);
	wait_for_change();
	sampler_destroy(s);
	/* a command that would keep running is ended */
	wire_say(&wire, "{'jsonrpc':'2.0','id':'v','method':'sampling/createMessage','params':{"
			"'messages':[],'maxTokens':9}}");
	s = sampler_create(loop, "sleep 100", on_change, NULL);
	q = server_info(wire.server)->questions.items[0];
	assert_true(sampler_draft(s, wire.server, q->id, &err));
	server_answer(wire.server, q->id, "{}", 2, wire.now_us);
	changes = 0;
	wait_for_change();
	sampler_destroy(s);
	/* and a sampler that goes while its command runs */
	wire_say(&wire, "{'jsonrpc':'2.0','id':'u','method':'sampling/createMessage','params':{"
			"'messages':[],'maxTokens':9}}");
	s = sampler_create(loop, "sleep 100", on_change, NULL);
	assert_true(
	    sampler_draft(s, wire.server, server_info(wire.server)->questions.items[0]->id, &err));
	sampler_destroy(s);
}

TEST_FILE(sampler)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_draft, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trouble, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cannot_start, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_answers_by_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_question_goes_meanwhile, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
