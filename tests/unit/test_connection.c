/* SPDX-License-Identifier: MIT */
#include "base/secret.h"
#include "fixture.h"
#include "host/connection.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct loop *loop;
static size_t changes;

static int
set_up(void **state)
{
	loop = loop_create(NULL, NULL, NULL);
	changes = 0;
	return 0;
}

static int
tear_down(void **state)
{
	child_end_all(loop);
	loop_destroy(loop);
	return 0;
}

static void
on_change(void *user)
{
	changes++;
}

static struct connection *
connect(const struct target *target)
{
	struct connection_options options = {
		.server = { .session = { .client_name = "t", .client_version = "1" } },
		.ladder = { .grace_ms = 20, .kill_ms = 40 },
	};

	return connection_create(loop, target, &options, on_change, NULL);
}

static enum server_phase
phase(const struct connection *c)
{
	return server_info(connection_info(c).server)->phase;
}

static void
test_entry_with_trouble(void **state)
{
	struct target target = { .name = (char *)"s",
		.label = (char *)"",
		.trouble = (char *)"it is of another world" };
	struct connection *c = connect(&target);
	struct err err;

	assert_int_equal(phase(c), SERVER_IDLE);
	assert_false(connection_start(c, &err));
	assert_string_equal(err.text, "s: it is of another world");
	assert_int_equal(phase(c), SERVER_FAILED);
	assert_string_equal(
	    server_info(connection_info(c).server)->trouble, "it is of another world");
	assert_true(changes > 0);
	assert_ptr_equal(connection_info(c).target, &target);
	connection_destroy(c);
	connection_destroy(NULL);
}

static void
test_command_not_found(void **state)
{
	struct target target;
	struct err err = { "" };

	target_from_command(&target, (char *[]){ (char *)"/nowhere/at/all", NULL });
	struct connection *c = connect(&target);
	assert_false(connection_start(c, &err));
	assert_non_null(strstr(err.text, "/nowhere/at/all"));
	assert_int_equal(phase(c), SERVER_FAILED);
	assert_string_equal(server_info(connection_info(c).server)->trouble, err.text);
	connection_destroy(c);
	target_finish(&target);
}

static void
test_dies_at_start(void **state)
{
	struct target target;

	target_from_command(&target, (char *[]){ (char *)"/bin/sh", (char *)"-c",
					 (char *)"echo no luck >&2; exit 3", NULL });
	struct connection *c = connect(&target);
	assert_true(connection_start(c, NULL));
	assert_int_equal(phase(c), SERVER_STARTING);
	TURN_UNTIL(loop, phase(c) == SERVER_EXITED);
	assert_non_null(strstr(server_info(connection_info(c).server)->trouble, "3"));
	assert_string_equal(server_stderr_tail(connection_info(c).server, NULL), "no luck\n");
	/* and can be started again */
	assert_true(connection_start(c, NULL));
	assert_int_equal(phase(c), SERVER_STARTING);
	TURN_UNTIL(loop, phase(c) == SERVER_EXITED);
	connection_destroy(c);
	target_finish(&target);
}

/* A whole session with a real process, and a restart in the middle of it. */
static void
test_real_server(void **state)
{
	struct target target;

	target_from_command(
	    &target, (char *[]){ (char *)fixture("badserver"), (char *)"good", NULL });
	struct connection *c = connect(&target);
	assert_true(connection_start(c, NULL));
	TURN_UNTIL(loop, phase(c) == SERVER_READY);
	assert_true(server_info(connection_info(c).server)->lists[PRIMITIVE_TOOL].list.len > 0);
	assert_true(server_info(connection_info(c).server)->connect_us >= 0);
	assert_true(connection_start(c, NULL));
	assert_int_equal(phase(c), SERVER_STARTING);
	TURN_UNTIL(loop, phase(c) == SERVER_READY);
	connection_destroy(c);
	target_finish(&target);
}

static void
test_dies_mid_call(void **state)
{
	struct target target;

	target_from_command(
	    &target, (char *[]){ (char *)fixture("badserver"), (char *)"dies-mid-call", NULL });
	struct connection *c = connect(&target);
	assert_true(connection_start(c, NULL));
	TURN_UNTIL(loop, phase(c) == SERVER_READY);
	struct server *s = connection_info(c).server;
	uint64_t id = server_ask(
	    s, &server_info(s)->lists[PRIMITIVE_TOOL].list.items[0], "{}", 2, clock_now_us(), NULL);
	connection_touch(c);
	TURN_UNTIL(loop, server_find_call(s, id)->state != CALL_RUNNING);
	const struct call *call = server_find_call(s, id);
	assert_int_equal(call->state, CALL_DIED);
	assert_non_null(strstr(call->error_text, "4"));
	assert_true(strlen(call->stderr_tail) > 0);
	assert_int_equal(phase(c), SERVER_EXITED);
	connection_destroy(c);
	target_finish(&target);
}

/* No answer to the handshake: it fails when its time is up. */
static void
test_never_answers(void **state)
{
	struct connection_options options = {
		.server = { .session = { .timeout_ms = 50,
				.client_name = "t",
				.client_version = "1" } },
		.ladder = { .grace_ms = 20, .kill_ms = 40 },
	};
	struct target target;

	target_from_command(&target, (char *[]){ (char *)"/bin/sleep", (char *)"100", NULL });
	struct connection *c = connection_create(loop, &target, &options, on_change, NULL);
	assert_true(connection_start(c, NULL));
	TURN_UNTIL(loop, phase(c) == SERVER_FAILED);
	assert_non_null(strstr(server_info(connection_info(c).server)->trouble, "timed out"));
	connection_destroy(c);
	target_finish(&target);
}

/* Runs in a child process, because the change cannot be undone. */
static int
dumpable_with(const char *variable)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct target target = { .name = (char *)"s",
			.label = (char *)"",
			.argv = (char *[]){ (char *)"true", NULL },
			.env = (char *[]){ (char *)variable, NULL } };
		loop = loop_create(NULL, NULL, NULL);
		connection_start(connect(&target), NULL);
		child_end_all(loop);
		_exit(prctl(PR_GET_DUMPABLE));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

/* A server that is given a secret makes this process hold one. */
static void
test_shield(void **state)
{
	assert_int_equal(dumpable_with("COLOR=red"), 1);
	assert_int_equal(dumpable_with("API_KEY=abc"), 0);
}

/* A secret passed to a server is hidden where the server repeats it. */
static void
test_given_values(void **state)
{
	static const char text[] = "no envSecret11 headerSecret22 bearerSecret33 blue /tmp/of-mine";
	static const char shown[] = "no (hidden) (hidden) (hidden) blue /tmp/of-mine";
	char *argv[] = { (char *)"true", NULL };
	char *env[] = { (char *)"API_KEY=envSecret11", (char *)"COLOR=blue",
		(char *)"PWD=/tmp/of-mine", NULL };
	char *headers[] = { (char *)"X-Api-Key: headerSecret22",
		(char *)"Authorization: Bearer bearerSecret33", NULL };
	struct target target = { .name = (char *)"s",
		.label = (char *)"",
		.argv = argv,
		.env = env,
		.headers = headers };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct buf out = BUF_INIT;
		loop = loop_create(NULL, NULL, NULL);
		connection_start(connect(&target), NULL);
		child_end_all(loop);
		secret_hide_text(&out, text, strlen(text));
		_exit(strcmp(buf_text(&out), shown) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

TEST_FILE(connection)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_entry_with_trouble, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_command_not_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_dies_at_start, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_real_server, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_dies_mid_call, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_never_answers, set_up, tear_down),
		cmocka_unit_test(test_shield),
		cmocka_unit_test(test_given_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
