/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "client/journal.h"
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
	/* an unsolicited reply, or a second one */
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

static uint64_t
ask(struct journal *j, uint64_t request, const char *id, const char *tool, int64_t at_us)
{
	char *json = mem_printf("{\"params\":{\"name\":\"%s\"}}", tool);
	struct blob *bytes = blob_from_bytes(json, strlen(json));
	struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);
	uint64_t entry = journal_add(j, &(struct journal_args){ .kind = JOURNAL_SENT,
					    .message = MESSAGE_REQUEST,
					    .at_us = at_us,
					    .bytes = bytes,
					    .rpc_id = id,
					    .method = "tools/call",
					    .request = request,
					    .doc = doc });

	json_doc_destroy(doc);
	blob_unref(bytes);
	free(json);
	return entry;
}

/* A request waits until its reply comes, or until it is known that none will. */
static void
test_ends(void **state)
{
	struct journal *j = journal_create(0);

	uint64_t one = ask(j, 1, "1", "a", 0), two = ask(j, 2, "2", "a", 0);
	uint64_t reply = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 5);
	assert_false(journal_find(j, one)->waits);
	assert_ptr_equal(journal_reply(journal_find(j, one)), journal_find(j, reply));
	assert_null(journal_reply(journal_find(j, reply)));
	assert_true(journal_is_second(journal_find(j, reply)));
	assert_string_equal(journal_find(j, reply)->tool, "a");
	assert_true(journal_find(j, two)->waits);
	uint64_t again = ask(j, 2, "3", "a", 1);
	assert_string_equal(journal_find(j, two)->ended, "sent again");
	journal_end(j, 1, "answered before");
	assert_null(journal_find(j, one)->ended);
	journal_end(j, 2, "timed out");
	assert_string_equal(journal_find(j, again)->ended, "timed out");
	uint64_t last = ask(j, 9, "9", "b", 2);
	journal_end(j, 0, "exited");
	assert_string_equal(journal_find(j, last)->ended, "exited");
	assert_false(journal_find(j, last)->waits);
	assert_string_equal(journal_find(j, again)->ended, "timed out");
	journal_destroy(j);
}

/* A reader of the changes learns of each exchange that changed, or that there were too many. */
static void
test_changes(void **state)
{
	struct journal *j = journal_create(0);
	uint64_t seen = 0;

	uint64_t one = ask(j, 1, "1", "a", 0);
	ask(j, 2, "2", "a", 0);
	assert_int_equal(journal_changed(j, &seen), 0);
	uint64_t reply = add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "1", NULL, 5);
	journal_judge(j, reply, VERDICT_INVALID);
	assert_int_equal(journal_find(j, reply)->verdict, VERDICT_INVALID);
	assert_int_equal(journal_changed(j, &seen), one);
	assert_int_equal(journal_changed(j, &seen), 0);
	for (int i = 0; i < 1000; i++)
		ask(j, (uint64_t)i + 10, "x", "a", 0);
	journal_end(j, 0, "exited");
	int changes = 0;
	while (journal_changed(j, &seen) != 0)
		changes++;
	assert_int_equal(changes, 1001);
	for (int i = 0; i < 3000; i++)
		ask(j, (uint64_t)i + 5000, "x", "a", 0);
	assert_true(journal_changed(j, &seen) == UINT64_MAX);
	assert_int_equal(journal_changed(j, &seen), 0);
	journal_judge(j, 0, VERDICT_VALID);
	journal_judge(j, UINT64_MAX, VERDICT_VALID);
	journal_destroy(j);
}

static const struct timing *
timing_of(const struct journal *j, const char *name)
{
	const struct timings *t = journal_info(j)->timings;

	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->name && strcmp(t->items[i]->name, name) == 0)
			return t->items[i];
	fail_msg("no row: %s", name);
	return NULL;
}

static void
test_timings(void **state)
{
	struct journal *j = journal_create(20000);
	char id[16], tool[16];

	for (int i = 1; i <= 1000; i++) { /* the last 256 take 745 to 1000 us */
		snprintf(id, sizeof(id), "%d", i);
		ask(j, (uint64_t)i, id, "slow", i * 10000);
		add(j, JOURNAL_RECEIVED, i % 10 ? MESSAGE_RESULT : MESSAGE_ERROR, id, NULL,
		    i * 10000 + i);
	}
	const struct timing *t = timing_of(j, "slow");
	assert_true(t->is_tool);
	assert_int_equal(t->count, 1000);
	assert_int_equal(t->errors, 0); /* the reply says it, not its kind */
	assert_int_equal(timing_quantile(t, 50), 872);
	assert_int_equal(timing_quantile(t, 95), 988);
	assert_int_equal(timing_quantile(t, 100), 1000);
	assert_int_equal(t->max_us, 1000);
	assert_int_equal(timing_of(j, "tools/call")->count, 1000);
	ask(j, 5000, "5000", "never", 0);
	journal_end(j, 5000, "timed out");
	assert_int_equal(timing_of(j, "never")->errors, 1);
	assert_int_equal(timing_quantile(timing_of(j, "never"), 50), -1);
	for (int i = 0; i < 400; i++) {
		snprintf(tool, sizeof(tool), "tool%d", i);
		ask(j, 0, "x", tool, 0);
	}
	const struct timings *all = journal_info(j)->timings;
	assert_int_equal(all->len, 257);
	assert_string_equal(all->items[0]->name, "tools/call");
	assert_string_equal(all->items[1]->name, "slow");
	assert_null(all->items[256]->name);
	assert_int_equal(all->items[256]->count, 400 - 253);
	journal_destroy(j);
}

static void
test_activity(void **state)
{
	struct journal *j = journal_create(0);
	size_t slots[ACTIVITY_SLOTS];

	assert_int_equal(journal_activity(j, 0, slots), 0);
	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "1", "a", 100000000);
	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "2", "a", 104000000);
	add(j, JOURNAL_STDERR, MESSAGE_REQUEST, NULL, NULL, 104000000);
	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "3", "a", 120000000);
	assert_int_equal(journal_activity(j, 121000000, slots), 3);
	assert_int_equal(slots[ACTIVITY_SLOTS - 1], 1);
	assert_int_equal(slots[ACTIVITY_SLOTS - 5], 2);
	assert_int_equal(journal_activity(j, 156000000, slots), 3);
	assert_int_equal(slots[0], 2);
	assert_int_equal(journal_activity(j, 161000000, slots), 1);
	assert_int_equal(journal_activity(j, 900000000, slots), 0);
	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "4", "a", 900000000);
	assert_int_equal(journal_activity(j, 900000000, slots), 1);
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
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_timings),
		cmocka_unit_test(test_activity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
