/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"
#include "test.h"

#include <string.h>

/* Adds a request and puts it on the wire. */
static struct request *
send(struct requests *t, const char *method, int64_t deadline_ms, int64_t limit_ms)
{
	struct request *r = requests_add(t, method);

	requests_send(t, r, deadline_ms, limit_ms);
	return r;
}

static void
test_ids_are_never_reused(void **state)
{
	struct requests t = { 0 };

	struct request *a = send(&t, "a", 10, 100);
	assert_int_equal(a->id, 1);
	assert_int_equal(a->rpc_id, 1);
	requests_end(&t, a, REQUEST_ANSWERED);
	assert_int_equal(send(&t, "b", 10, 100)->id, 2);
	assert_null(requests_find(&t, 1));
	assert_null(requests_find_message(&t, 1));
	assert_string_equal(requests_find_message(&t, 2)->method, "b");
	assert_int_equal(t.last_id, 2);
	requests_finish(&t);
}

static void
test_a_request_keeps_its_id_when_it_is_sent_again(void **state)
{
	struct requests t = { 0 };

	struct request *r = send(&t, "a", 10, 100);
	requests_send(&t, r, 20, 100);
	assert_int_equal(requests_find(&t, 1)->rpc_id, 2);
	assert_null(requests_find_message(&t, 1));
	assert_int_equal(requests_find_ended(&t, 1)->request, 1);
	assert_int_equal(requests_find_ended(&t, 1)->how, REQUEST_RESENT);
	requests_end(&t, r, REQUEST_CANCELLED);
	assert_null(requests_find(&t, 1));
	assert_int_equal(requests_find_ended(&t, 2)->request, 1);
	requests_finish(&t);
}

static void
test_a_request_leaves_the_wire_and_returns(void **state)
{
	struct session s = { 0 };
	struct requests *t = &s.requests;

	struct request *r = send(t, "a", 10, 100);
	requests_leave_wire(t, r, REQUEST_ANSWERED);
	assert_int_equal(requests_find(t, 1)->rpc_id, 0);
	assert_null(requests_find_message(t, 0));
	assert_int_equal(session_next_time(&s), INT64_MAX);
	assert_int_equal(requests_find_ended(t, 1)->how, REQUEST_ANSWERED);
	requests_send(t, r, 10, 100);
	assert_ptr_equal(requests_find_message(t, 2), r);
	requests_finish(t);
}

static void
test_what_ended_is_remembered_for_a_while(void **state)
{
	struct requests t = { 0 };

	assert_null(requests_find_ended(&t, 0));
	for (uint64_t i = 1; i <= REQUESTS_REMEMBERED + 1; i++) {
		struct request *r = send(&t, "tools/call", 10, 100);
		requests_end(&t, r, i % 2 ? REQUEST_TIMED_OUT : REQUEST_CANCELLED);
	}
	assert_null(requests_find_ended(&t, 1));
	assert_int_equal(requests_find_ended(&t, 2)->how, REQUEST_CANCELLED);
	assert_int_equal(requests_find_ended(&t, 3)->how, REQUEST_TIMED_OUT);
	assert_string_equal(requests_find_ended(&t, 3)->method, "tools/call");
	requests_finish(&t);
}

static void
test_times(void **state)
{
	struct session s = { 0 };
	struct requests *t = &s.requests;

	assert_int_equal(session_next_time(&s), INT64_MAX);
	struct request *a = send(t, "a", 50, 100);
	send(t, "b", 70, 60); /* the limit is nearer */
	assert_int_equal(session_next_time(&s), 50);
	assert_null(requests_expired(t, 49));
	assert_int_equal(requests_expired(t, 50)->id, 1);
	request_restart(a, 40, 50);
	assert_int_equal(a->deadline_ms, 90);
	assert_int_equal(session_next_time(&s), 60);
	request_restart(a, 80, 50);
	assert_int_equal(a->deadline_ms, 100);
	assert_int_equal(time_add(INT64_MAX - 1, 5), INT64_MAX);
	requests_finish(t);
	assert_int_equal(t->len, 0);
}

static void
test_requests_expire_in_the_order_they_were_sent(void **state)
{
	struct requests t = { 0 };

	struct request *a = send(&t, "a", 10, 100);
	send(&t, "b", 10, 100);
	requests_send(&t, a, 10, 100);
	assert_string_equal(requests_expired(&t, 10)->method, "b");
	requests_end(&t, requests_expired(&t, 10), REQUEST_TIMED_OUT);
	assert_string_equal(requests_expired(&t, 10)->method, "a");
	requests_finish(&t);
}

static void
test_what_could_not_be_answered_is_excused(void **state)
{
	struct session s = { 0 };
	struct requests *t = &s.requests;

	session_extend_deadlines(&s, 1000);
	struct request *a = send(t, "a", 10, 100), *b = send(t, "b", INT64_MAX, INT64_MAX);
	session_extend_deadlines(&s, 1000);
	assert_int_equal(session_next_time(&s), 1010);
	assert_null(requests_expired(t, 1009));
	request_restart(a, 1050, 500);
	assert_int_equal(a->deadline_ms, 1100); /* its limit moved too */
	assert_int_equal(b->deadline_ms, INT64_MAX);
	requests_finish(t);
}

TEST_FILE(mcp_requests)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ids_are_never_reused),
		cmocka_unit_test(test_a_request_keeps_its_id_when_it_is_sent_again),
		cmocka_unit_test(test_a_request_leaves_the_wire_and_returns),
		cmocka_unit_test(test_what_ended_is_remembered_for_a_while),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_requests_expire_in_the_order_they_were_sent),
		cmocka_unit_test(test_what_could_not_be_answered_is_excused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
