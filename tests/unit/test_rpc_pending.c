#include "rpc/pending.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void
test_ids_are_never_reused(void **state)
{
	struct pending p = { 0 };

	(void)state;
	assert_int_equal(pending_add(&p, "a", 0, 10, 100)->id, 1);
	pending_end(&p, 1, PENDING_ANSWERED);
	assert_int_equal(pending_add(&p, "b", 0, 10, 100)->id, 2);
	assert_null(pending_find(&p, 1));
	assert_string_equal(pending_find(&p, 2)->method, "b");
	assert_true(pending_was_used(&p, 1));
	assert_true(pending_was_used(&p, 2));
	assert_false(pending_was_used(&p, 3));
	assert_false(pending_was_used(&p, 0));
	pending_finish(&p);
}

static void
test_owner(void **state)
{
	struct pending p = { 0 };

	(void)state;
	assert_int_equal(pending_add(&p, "a", 0, 10, 100)->owner, 1);
	pending_end(&p, 1, PENDING_ANSWERED);
	pending_add(&p, "a", 1, 10, 100);
	assert_int_equal(pending_find_owner(&p, 1)->id, 2);
	pending_end(&p, 2, PENDING_CANCELLED);
	assert_null(pending_find_owner(&p, 1));
	assert_int_equal(pending_find_ended(&p, 2)->owner, 1);
	pending_finish(&p);
}

static void
test_what_ended_is_remembered_for_a_while(void **state)
{
	struct pending p = { 0 };

	(void)state;
	assert_null(pending_find_ended(&p, 0));
	for (uint64_t i = 1; i <= PENDING_REMEMBERED + 1; i++) {
		pending_add(&p, "tools/call", 0, 10, 100);
		pending_end(&p, i, i % 2 ? PENDING_TIMED_OUT : PENDING_CANCELLED);
		pending_end(&p, i, PENDING_ANSWERED); /* not open: ignored */
	}
	assert_null(pending_find_ended(&p, 1));
	assert_int_equal(pending_find_ended(&p, 2)->how, PENDING_CANCELLED);
	assert_int_equal(pending_find_ended(&p, 3)->how, PENDING_TIMED_OUT);
	assert_string_equal(pending_find_ended(&p, 3)->method, "tools/call");
	assert_true(pending_was_used(&p, 1));
	pending_finish(&p);
}

static void
test_times(void **state)
{
	struct pending p = { 0 };

	(void)state;
	assert_int_equal(pending_next_time(&p), INT64_MAX);
	pending_add(&p, "a", 0, 50, 100);
	pending_add(&p, "b", 0, 70, 60); /* the limit is nearer */
	assert_int_equal(pending_next_time(&p), 50);
	assert_null(pending_expired(&p, 49));
	assert_int_equal(pending_expired(&p, 50)->id, 1);
	pending_restart(pending_find(&p, 1), 40, 50);
	assert_int_equal(pending_find(&p, 1)->deadline_ms, 90);
	assert_int_equal(pending_next_time(&p), 60);
	pending_restart(pending_find(&p, 1), 80, 50);
	assert_int_equal(pending_find(&p, 1)->deadline_ms, 100);
	assert_int_equal(pending_time_add(INT64_MAX - 1, 5), INT64_MAX);
	pending_finish(&p);
	assert_int_equal(p.len, 0);
}

static void
test_what_could_not_be_answered_is_excused(void **state)
{
	struct pending p = { 0 };

	(void)state;
	pending_extend_deadlines(&p, 1000);
	pending_add(&p, "a", 0, 10, 100);
	pending_add(&p, "b", 0, INT64_MAX, INT64_MAX);
	pending_extend_deadlines(&p, 1000);
	assert_int_equal(pending_next_time(&p), 1010);
	assert_null(pending_expired(&p, 1009));
	pending_restart(pending_find(&p, 1), 1050, 500);
	assert_int_equal(pending_find(&p, 1)->deadline_ms, 1100); /* its limit moved too */
	assert_int_equal(pending_find(&p, 2)->deadline_ms, INT64_MAX);
	pending_finish(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ids_are_never_reused),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_what_ended_is_remembered_for_a_while),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_what_could_not_be_answered_is_excused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
