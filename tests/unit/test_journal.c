#include "base/mem.h"
#include "model/journal.h"
#include "test.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
add(struct journal *j, enum journal_kind kind, enum message_kind message, const char *id,
    const char *method, int64_t at_us)
{
	struct blob *bytes = blob_from_bytes("{}", 2);
	uint64_t entry = journal_add(j, &(struct journal_args){ .kind = kind,
					    .message = message,
					    .at_us = at_us,
					    .bytes = bytes,
					    .rpc_id = id,
					    .method = method });

	blob_unref(bytes);
	return entry;
}

static uint64_t
add_bytes(struct journal *j, size_t len)
{
	char *text = mem_zalloc(len);
	struct blob *bytes = blob_from_bytes(text, len);
	uint64_t entry =
	    journal_add(j, &(struct journal_args){ .kind = JOURNAL_STDERR, .bytes = bytes });

	blob_unref(bytes);
	free(text);
	return entry;
}

static void
assert_pair(const struct journal *j, uint64_t request, uint64_t reply, int64_t latency_us)
{
	assert_int_equal(journal_find(j, request)->pair, reply);
	assert_int_equal(journal_find(j, reply)->pair, request);
	assert_int_equal(journal_find(j, reply)->latency_us, latency_us);
	assert_int_equal(journal_find(j, request)->latency_us, -1);
}

static void
test_copies(void **state)
{
	struct journal *j = journal_create(0);
	char method[] = "ping", id[] = "1", flaw[] = "odd";
	struct blob *bytes = blob_from_bytes("\0x\xff", 3);

	assert_int_equal(journal_info(j)->max_bytes, 64 << 20);
	assert_int_equal(journal_info(j)->start_us, 0);
	uint64_t entry = journal_add(j, &(struct journal_args){ .kind = JOURNAL_RECEIVED,
					    .message = MESSAGE_REQUEST,
					    .at_us = 5,
					    .bytes = bytes,
					    .method = method,
					    .rpc_id = id,
					    .flaw = flaw,
					    .dropped = 9 });
	assert_int_equal(bytes->refs, 2);
	blob_unref(bytes);
	method[0] = id[0] = flaw[0] = '!';
	const struct journal_entry *e = journal_find(j, entry);
	assert_int_equal(e->id, 1);
	assert_string_equal(e->method, "ping");
	assert_string_equal(e->rpc_id, "1");
	assert_string_equal(e->flaw, "odd");
	assert_memory_equal(e->bytes->data, "\0x\xff", 3);
	assert_int_equal(e->dropped, 9);
	assert_int_equal(e->pair, 0);
	assert_int_equal(e->latency_us, -1);
	assert_int_equal(journal_info(j)->start_us, 5);
	journal_destroy(j);
	journal_destroy(NULL);
}

static void
test_pairs_both_ways(void **state)
{
	struct journal *j = journal_create(0);

	uint64_t ours = add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "tools/list", 100);
	uint64_t theirs = add(j, JOURNAL_RECEIVED, MESSAGE_REQUEST, "1", "roots/list", 150);
	uint64_t answer = add(j, JOURNAL_SENT, MESSAGE_ERROR, "1", NULL, 160);
	uint64_t result = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 300);
	assert_pair(j, ours, result, 200);
	assert_pair(j, theirs, answer, 10);
	assert_string_equal(journal_find(j, result)->method, "tools/list");
	assert_string_equal(journal_find(j, answer)->method, "roots/list");
	journal_destroy(j);
}

static void
test_pairs_by_id_text(void **state)
{
	struct journal *j = journal_create(0);

	uint64_t one = add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "a", 0);
	uint64_t text = add(j, JOURNAL_SENT, MESSAGE_REQUEST, "\"1\"", "b", 0);
	uint64_t reply = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "\"1\"", NULL, 7);
	assert_pair(j, text, reply, 7);
	assert_int_equal(journal_find(j, one)->pair, 0);
	/* nobody asked, or it was answered already */
	uint64_t stray = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "2", NULL, 8);
	uint64_t again = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "\"1\"", NULL, 9);
	uint64_t nameless = add(j, JOURNAL_RECEIVED, MESSAGE_ERROR, NULL, NULL, 9);
	assert_int_equal(journal_find(j, stray)->pair, 0);
	assert_int_equal(journal_find(j, again)->pair, 0);
	assert_int_equal(journal_find(j, nameless)->pair, 0);
	assert_int_equal(journal_find(j, text)->pair, reply);
	journal_destroy(j);
}

/* An id used twice: the reply is to the newer one. Notes and stderr never pair. */
static void
test_pairs_with_the_newest(void **state)
{
	struct journal *j = journal_create(0);

	uint64_t older = add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "a", 0);
	uint64_t newer = add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "b", 5);
	add(j, JOURNAL_NOTE, MESSAGE_RESULT, "1", NULL, 6);
	add(j, JOURNAL_STDERR, MESSAGE_RESULT, "1", NULL, 6);
	uint64_t reply = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 7);
	uint64_t second = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 8);
	assert_pair(j, newer, reply, 2);
	assert_pair(j, older, second, 8);
	journal_destroy(j);
}

static void
test_eviction(void **state)
{
	struct journal *j = journal_create(10000);

	for (int i = 0; i < 1000; i++) {
		add_bytes(j, 500);
		assert_true(journal_info(j)->bytes <= 10000);
	}
	size_t kept = journal_info(j)->count;
	assert_in_range(kept, 5, 19);
	assert_int_equal(journal_info(j)->evicted, 1000 - kept);
	assert_null(journal_find(j, 0));
	assert_null(journal_find(j, 1));
	assert_null(journal_find(j, 1001));
	assert_null(journal_find(j, UINT64_MAX));
	assert_int_equal(journal_index(j, 1), kept);
	for (size_t i = 0; i < kept; i++) {
		uint64_t id = 1000 - kept + 1 + i;
		assert_int_equal(journal_at(j, i)->id, id);
		assert_ptr_equal(journal_find(j, id), journal_at(j, i));
		assert_int_equal(journal_index(j, id), i);
	}
	assert_null(journal_at(j, kept));
	journal_destroy(j);
}

static void
test_big_entry_is_kept_alone(void **state)
{
	struct journal *j = journal_create(1000);

	add_bytes(j, 10);
	uint64_t big = add_bytes(j, 100000);
	assert_int_equal(journal_info(j)->count, 1);
	assert_non_null(journal_find(j, big));
	assert_true(journal_info(j)->bytes > 100000);
	uint64_t next = add_bytes(j, 10);
	assert_int_equal(journal_info(j)->count, 1);
	assert_non_null(journal_find(j, next));
	assert_true(journal_info(j)->bytes < 1000);
	assert_int_equal(journal_info(j)->evicted, 2);
	journal_destroy(j);
}

/* The request has gone when its reply comes. */
static void
test_reply_to_an_evicted_request(void **state)
{
	struct journal *j = journal_create(1000);

	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "a", 0);
	add_bytes(j, 2000);
	uint64_t reply = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 7);
	assert_int_equal(journal_find(j, reply)->pair, 0);
	assert_int_equal(journal_find(j, reply)->latency_us, -1);
	assert_null(journal_find(j, reply)->method);
	journal_destroy(j);
}

/* More unanswered requests than are remembered: the newest still pair. */
static void
test_many_open_requests(void **state)
{
	struct journal *j = journal_create(0);
	char id[16];

	for (int i = 1; i <= 5000; i++) {
		snprintf(id, sizeof(id), "%d", i);
		add(j, JOURNAL_RECEIVED, MESSAGE_REQUEST, id, "x", i);
	}
	uint64_t late = add(j, JOURNAL_SENT, MESSAGE_RESULT, "1", NULL, 9000);
	uint64_t reply = add(j, JOURNAL_SENT, MESSAGE_RESULT, "5000", NULL, 9000);
	assert_int_equal(journal_find(j, late)->pair, 0);
	assert_pair(j, 5000, reply, 4000);
	journal_destroy(j);
}

/* The bound is on memory, of which small messages take more than their bytes. */
static void
test_bound_is_real(void **state)
{
	enum { MAX = 4 << 20 };
	struct mallinfo2 before = mallinfo2();
	struct journal *j = journal_create(MAX);

	for (int i = 0; i < 100000; i++)
		add(j, JOURNAL_RECEIVED, MESSAGE_NOTIFICATION, NULL, "notifications/message", i);
	assert_true(journal_info(j)->evicted > 50000);
	assert_in_range(journal_info(j)->bytes, MAX / 2, MAX);
	struct mallinfo2 now = mallinfo2(); /* zeros where a sanitizer has its own heap */
	assert_in_range(
	    now.uordblks - before.uordblks + now.hblkhd - before.hblkhd, 0, MAX + MAX / 8);
	journal_destroy(j);
}

TEST_FILE(journal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_pairs_both_ways),
		cmocka_unit_test(test_pairs_by_id_text),
		cmocka_unit_test(test_pairs_with_the_newest),
		cmocka_unit_test(test_eviction),
		cmocka_unit_test(test_bound_is_real),
		cmocka_unit_test(test_big_entry_is_kept_alone),
		cmocka_unit_test(test_reply_to_an_evicted_request),
		cmocka_unit_test(test_many_open_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
