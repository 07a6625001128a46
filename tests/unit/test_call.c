/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "client/call.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct call *
start(const char *definition)
{
	struct json_doc *doc = parse_quoted(definition);
	struct call *c = call_create(1, "t", doc, "{\"a\":1}x", 7, 1000);
	return c;
}

static void
progress(struct call *c, const char *value, const char *total, const char *message)
{
	struct json_doc *v = value ? parse_quoted(value) : NULL;
	struct json_doc *t = total ? parse_quoted(total) : NULL;

	call_on_progress(c, &(struct session_progress){ .value = v ? json_root(v) : NULL,
				.total = t ? json_root(t) : NULL,
				.message = message });
	json_doc_destroy(v);
	json_doc_destroy(t);
}

/* Replies with a result, or with an error of that kind. */
static void
reply(struct call *c, enum reply_kind kind, const char *value)
{
	struct session_reply r = { .kind = kind, .code = -7, .text = "what happened" };

	r.doc = value ? parse_quoted(value) : NULL;
	r.value = r.doc ? json_root(r.doc) : NULL;
	r.bytes = value ? blob_from_bytes(value, strlen(value)) : NULL;
	call_take_reply(c, &r, 5000);
	call_check(c);
	assert_null(r.doc);
	blob_unref(r.bytes);
}

static void
test_create(void **state)
{
	struct call *c = start("{'name':'t','outputSchema':{'type':'object'}}");

	assert_int_equal(c->state, CALL_RUNNING);
	assert_string_equal(c->arguments, "{\"a\":1}");
	assert_string_equal(c->key, "t");
	assert_string_equal(json_get_string(c->output_schema, "type"), "object");
	assert_int_equal(call_elapsed_us(c, 1500), 500);
	assert_true(c->progress_share < 0);
	assert_null(c->progress);
	assert_int_equal(c->verdict.kind, VERDICT_NONE);
	assert_false(call_is_error(c));
	call_destroy(c);
	call_destroy(NULL);
}

static void
test_progress(void **state)
{
	struct call *c = start("{}");

	progress(c, "3", NULL, NULL);
	assert_string_equal(c->progress, "3");
	assert_null(c->progress_total);
	assert_true(c->progress_share < 0);
	progress(c, "12345678901234567890", "24691357802469135780", "half");
	assert_string_equal(c->progress, "12345678901234567890");
	assert_true(c->progress_share == 0.5);
	progress(c, "7", NULL, NULL); /* omitted values are kept */
	assert_string_equal(c->progress, "7");
	assert_string_equal(c->progress_message, "half");
	progress(c, "9", "3", "");
	assert_true(c->progress_share == 1);
	progress(c, "-9", "3", NULL);
	assert_true(c->progress_share == 0);
	progress(c, NULL, NULL, NULL);
	assert_string_equal(c->progress, "-9");
	call_destroy(c);
}

/* Totals that say nothing leave nothing but a share that can be drawn. */
static void
test_odd_progress(void **state)
{
	static const char *const pairs[][2] = { { "1", "0" }, { "0", "0" }, { "1e400", "1e400" },
		{ "-1e400", "1e400" }, { "1e400", "1" }, { "1", "-5" }, { "1", "1e400" } };

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		struct call *c = start("{}");
		progress(c, pairs[i][0], pairs[i][1], NULL);
		assert_true(c->progress_share <= 1 && c->progress_share >= -1);
		assert_string_equal(c->progress, pairs[i][0]);
		assert_string_equal(c->progress_total, pairs[i][1]);
		call_destroy(c);
	}
}

static void
test_asked(void **state)
{
	struct call *c = start("{}");
	struct session_server_request asked = { .method = "roots/list", .answer = "refused" };

	call_on_server_request(c, &asked);
	asked.message = "Name?";
	for (int i = 0; i < 1000; i++)
		call_on_server_request(c, &asked);
	assert_int_equal(c->server_requests.len, 20);
	assert_string_equal(c->server_requests.items[0], "roots/list (refused)");
	assert_string_equal(c->server_requests.items[1], "roots/list: Name? (refused)");
	call_destroy(c);
}

static void
test_result(void **state)
{
	struct call *c = start("{'outputSchema':{'type':'object','required':['n']}}");

	reply(c, REPLY_RESULT, "{'content':[{'type':'text','text':'x'}],'structuredContent':{}}");
	assert_int_equal(c->state, CALL_DONE);
	assert_int_equal(c->verdict.kind, VERDICT_INVALID);
	assert_int_equal(c->result.len, 1);
	assert_ptr_equal(c->value, json_root(c->doc));
	assert_int_equal(call_elapsed_us(c, 99999), 4000);
	assert_false(call_is_error(c));
	assert_null(c->error_text);
	assert_true(call_memory(c) > c->raw->len + json_doc_memory(c->doc));
	call_destroy(c);
}

/* null is there, absent is not; a schema that is none is broken. */
static void
test_verdicts(void **state)
{
	static const struct {
		const char *definition, *result;
		enum verdict_kind kind;
	} rows[] = {
		{ "{'outputSchema':{}}", "{'structuredContent':null}", VERDICT_VALID },
		{ "{'outputSchema':{'type':'object'}}", "{'structuredContent':null}",
		    VERDICT_INVALID },
		{ "{'outputSchema':{}}", "{}", VERDICT_MISSING },
		{ "{}", "{'structuredContent':{}}", VERDICT_NO_SCHEMA },
		{ "{'outputSchema':null}", "{}", VERDICT_SCHEMA_BROKEN },
		{ "{'outputSchema':{'type':3}}", "{'structuredContent':{}}",
		    VERDICT_SCHEMA_BROKEN },
		{ "{'outputSchema':{}}", "{'isError':true}", VERDICT_NOT_APPLIED },
		{ "[]", "{}", VERDICT_NO_SCHEMA },
		{ "{'outputSchema':{}}", "[]", VERDICT_MISSING },
		{ "{'outputSchema':{}}", "3", VERDICT_MISSING },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct call *c = start(rows[i].definition);
		reply(c, REPLY_RESULT, rows[i].result);
		assert_int_equal(c->verdict.kind, rows[i].kind);
		call_destroy(c);
	}
}

static void
test_ends(void **state)
{
	static const struct {
		enum reply_kind reply;
		enum call_state state;
	} rows[] = {
		{ REPLY_ERROR, CALL_REFUSED },
		{ REPLY_INVALID, CALL_INVALID },
		{ REPLY_TIMED_OUT, CALL_TIMED_OUT },
		{ REPLY_CANCELLED, CALL_CANCELLED },
		{ REPLY_CLOSED, CALL_DIED },
		{ REPLY_TRANSPORT_ERROR, CALL_TRANSPORT_ERROR },
		{ REPLY_INPUT_REQUIRED, CALL_INPUT },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct call *c = start("{'outputSchema':{}}");
		reply(c, rows[i].reply, i < 2 ? "{'code':-7}" : NULL);
		assert_int_equal(c->state, rows[i].state);
		assert_true(call_is_error(c));
		assert_string_equal(c->error_text, "what happened");
		assert_int_equal(c->error_code, -7);
		assert_int_equal(c->value != NULL, i < 2); /* the payload is kept in any case */
		assert_int_equal(c->verdict.kind,
		    rows[i].state == CALL_CANCELLED ? VERDICT_CANCELLED : VERDICT_NO_RESULT);
		assert_true(call_state_names[c->state][0] != '\0');
		call_destroy(c);
	}
}

TEST_FILE(call)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_odd_progress),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
