/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "client/filter.h"
#include "client/journal.h"
#include "test.h"

#include <string.h>

static bool
matches(const char *filter, struct journal_entry e, const char *bytes)
{
	struct filter f = { 0 };

	e.bytes = blob_from_bytes(bytes, strlen(bytes));
	filter_set(&f, journal_words, filter, NULL);
	bool match = filter_matches(&f, &e);
	blob_unref(e.bytes);
	filter_finish(&f);
	return match;
}

static struct journal_entry
request(void)
{
	return (struct journal_entry){ .kind = JOURNAL_SENT,
		.message = MESSAGE_REQUEST,
		.method = (char *)"tools/call",
		.rpc_id = (char *)"7" };
}

static const char call[] = "{\"method\":\"tools/call\",\"name\":\"List_Users\"}";

static void
test_text(void **state)
{
	assert_true(matches("", request(), call));
	assert_true(matches("  \t ", request(), call));
	assert_true(matches("list_users", request(), call));
	assert_true(matches("TOOLS name", request(), call));
	assert_false(matches("tools nothing", request(), call));
	assert_true(matches("-nothing", request(), call));
	assert_false(matches("-users", request(), call));
	assert_false(matches("-", request(), call));
	assert_true(matches("-", request(), "a-b"));
	assert_true(matches("\"name\":", request(), call));
}

/* Words that only the list shows: "level=error", and why there is no reply. */
static void
test_what_is_displayed(void **state)
{
	struct journal_entry log = { .kind = JOURNAL_RECEIVED,
		.message = MESSAGE_NOTIFICATION,
		.brief = (char *)"level=error logger=db data=4999" };

	assert_true(matches("level=error 4999", log, "{\"level\":\"error\",\"data\":4999}"));
	assert_false(matches("level=info", log, "{\"level\":\"error\",\"data\":4999}"));
	struct journal_entry lost = request();
	lost.ended = (char *)"timed out after 60 s";
	assert_true(matches("timed 60", lost, call));
	lost.ended = NULL;
	lost.flaw = (char *)"not JSON: expected a value";
	assert_true(matches("expected", lost, call));
}

static void
test_method(void **state)
{
	assert_true(matches("method:tools/call", request(), call));
	assert_true(matches("METHOD:Call", request(), call));
	assert_false(matches("method:list", request(), call));
	assert_true(matches("-method:list", request(), call));
	struct journal_entry nameless = { .kind = JOURNAL_STDERR };
	assert_false(matches("method:x", nameless, "method:x"));
	assert_true(matches("method:", nameless, "what is typed is not over yet"));
}

static void
test_direction(void **state)
{
	struct journal_entry e = request();

	assert_true(matches("dir:out", e, call));
	assert_true(matches("dir:o", e, call));
	assert_true(matches("dir:sent", e, call));
	assert_false(matches("dir:in", e, call));
	assert_false(matches("dir:outer", e, call));
	assert_true(matches("dir:", e, call));
	e.kind = JOURNAL_RECEIVED;
	assert_true(matches("dir:in", e, call));
	assert_true(matches("dir:rec", e, call));
	assert_false(matches("dir:out", e, call));
	e.kind = JOURNAL_NOTE;
	assert_false(matches("dir:in", e, call));
	assert_false(matches("dir:out", e, call));
}

static void
test_id(void **state)
{
	struct journal_entry e = request();

	assert_true(matches("id:7", e, call));
	assert_false(matches("id:77", e, call));
	assert_true(matches("id:", e, call));
	e.rpc_id = (char *)"\"Abc\"";
	assert_true(matches("id:abc", e, call));
	assert_true(matches("id:\"Abc\"", e, call));
	assert_false(matches("id:ab", e, call));
	e.rpc_id = NULL;
	assert_false(matches("id:7", e, call));
	assert_true(matches("-id:7", e, call));
}

static void
test_status(void **state)
{
	struct journal_entry e = request();

	assert_true(matches("status:ok", e, call));
	assert_false(matches("status:error", e, call));
	assert_true(matches("status:", e, call));
	assert_false(matches("status:maybe", e, call));
	e.is_error = true;
	assert_true(matches("status:err", e, call));
	assert_false(matches("status:ok", e, call));
	e.is_error = false;
	e.flaw = (char *)"not JSON";
	assert_true(matches("status:error", e, call));
}

static void
test_kind(void **state)
{
	static const struct {
		struct journal_entry entry;
		const char *kind;
	} rows[] = {
		{ { .kind = JOURNAL_SENT, .message = MESSAGE_REQUEST }, "kind:request" },
		{ { .kind = JOURNAL_RECEIVED, .message = MESSAGE_RESULT }, "kind:reply" },
		{ { .kind = JOURNAL_RECEIVED, .message = MESSAGE_ERROR }, "kind:rep" },
		{ { .kind = JOURNAL_SENT, .message = MESSAGE_NOTIFICATION }, "KIND:Notification" },
		{ { .kind = JOURNAL_STDERR }, "kind:stderr" },
		{ { .kind = JOURNAL_NOTE }, "kind:note" },
		{ { .kind = JOURNAL_RECEIVED, .message = MESSAGE_BATCH }, "kind:bad" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(matches(rows[i].kind, rows[i].entry, ""));
		assert_false(matches("kind:unheard", rows[i].entry, ""));
		assert_int_equal(matches("kind:stderr", rows[i].entry, ""), i == 4);
	}
}

static void
test_all_words_hold(void **state)
{
	assert_true(matches("method:tools dir:out id:7 -status:error users", request(), call));
	assert_false(matches("method:tools dir:in id:7", request(), call));
	/* a word that is not one of ours is text */
	assert_true(matches("color:red", request(), "{\"color:red\":1}"));
}

static void
test_any_bytes(void **state)
{
	static const char bytes[] = "a\0needle\xff";
	struct filter f = { 0 };
	struct journal_entry e = { .bytes = blob_from_bytes(bytes, sizeof(bytes) - 1) };

	filter_set(&f, journal_words, "NEEDLE", NULL);
	assert_true(filter_matches(&f, &e));
	blob_unref(e.bytes);
	filter_finish(&f);
}

TEST_FILE(journal_filter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_what_is_displayed),
		cmocka_unit_test(test_method),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_id),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_kind),
		cmocka_unit_test(test_all_words_hold),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
