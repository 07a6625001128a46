/* One call for each of several values: how many at a time, what is kept, what is called again. */
#include "app/settings.h"
#include "base/mem.h"
#include "model/chain.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOLS                                                                               \
	"{'name':'get','annotations':{'readOnlyHint':true},'inputSchema':{'type':'object'," \
	"'properties':{'id':{'type':'integer'},'where':{'type':'object'}}},"                \
	"'outputSchema':{'type':'object','properties':{'n':{'type':'integer'}}}}"

static struct wire wire;
static struct batch *batch;

static int
set_up(void **state)
{
	const struct server_options options = { 0 };

	wire_open(&wire, &options);
	wire_connect(&wire, TOOLS);
	return 0;
}

static int
tear_down(void **state)
{
	batch_destroy(batch);
	batch = NULL;
	wire_close(&wire);
	return 0;
}

static void
begin(size_t count, const char *pointer, const char *arguments, size_t at_once)
{
	struct strings values = { 0 };
	char text[24];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%zu", i);
		strings_add(&values, text);
	}
	batch =
	    batch_create(&(struct batch_wish){ .server = wire.server,
			     .primitive = primitive_list_find(
				 &server_info(wire.server)->lists[PRIMITIVE_TOOL].list, "get", 0),
			     .pointer = pointer,
			     .arguments = arguments,
			     .at_once = at_once },
		&values);
	batch_step(batch, wire.now_us);
}

/* The nth message that was sent, from the last. */
static const char *
sent(size_t back)
{
	return wire.sent.items[wire.sent.len - 1 - back];
}

/* Answers the nth request of all that were sent last. */
static void
answer(size_t back, const char *member)
{
	const char *id = strstr(sent(back), "\"id\":");
	char *line =
	    mem_printf("{'jsonrpc':'2.0','id':%d,%s}", atoi(id + strlen("\"id\":")), member);

	wire_say(&wire, line);
	free(line);
}

static struct json_doc *
table(void)
{
	struct buf text = BUF_INIT;

	batch_add_json(batch, &text);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	assert_non_null(doc);
	buf_finish(&text);
	return doc;
}

static void
summary_is(const char *expected)
{
	struct buf text = BUF_INIT;

	batch_add_summary(batch, &text);
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
}

static void
row_is(size_t row, const char *member, const char *expected)
{
	struct json_doc *doc = table();
	const cJSON *at = json_first(json_root(doc));

	while (row-- > 0)
		at = at->next;
	assert_string_equal(json_get_string(at, member), expected);
	json_doc_destroy(doc);
}

#define GOOD "'result':{'content':[],'structuredContent':{'n':1}}"

static void
test_a_few_at_a_time(void **state)
{
	begin(10, "/id", "{\"id\":0,\"where\":{}}", 3);
	assert_int_equal(wire_count(&wire, "tools/call"), 3);
	assert_non_null(strstr(sent(0), "\"arguments\":{\"id\":2,\"where\":{}}"));
	answer(1, GOOD); /* the second of three: another one goes out */
	assert_true(batch_step(batch, wire.now_us));
	assert_int_equal(wire_count(&wire, "tools/call"), 4);
	assert_non_null(strstr(sent(0), "\"id\":3,\"where\""));
	summary_is("10 calls: 1 done, 3 running, 6 waiting");
	assert_false(batch_step(batch, wire.now_us));
	row_is(1, "state", "done");
	row_is(1, "verdict", "valid");
	row_is(0, "state", "running");
}

/* Inside an object, and by names that would be others in a pointer. */
static void
test_the_field_may_lie_deep(void **state)
{
	begin(2, "/where/a~1b", "{\"id\":7,\"where\":{\"a/b\":0,\"x\":1}}", 2);
	assert_non_null(strstr(sent(0), "\"arguments\":{\"id\":7,\"where\":{\"a/b\":1,\"x\":1}}"));
}

static void
test_failures_are_kept_and_called_again(void **state)
{
	begin(3, "/id", "{}", 8);
	answer(2, GOOD);
	answer(1, "'error':{'code':-32602,'message':'no such id'}");
	answer(0, "'result':{'isError':true,'content':[{'type':'text','text':'out of stock'}]}");
	batch_step(batch, wire.now_us);
	assert_true(batch_is_over(batch));
	summary_is("3 calls: 1 done, 2 failed");
	row_is(1, "error", "no such id");
	row_is(2, "error", "out of stock");
	assert_int_equal(batch_retry(batch), 2);
	batch_step(batch, wire.now_us);
	assert_int_equal(wire_count(&wire, "tools/call"), 5);
	answer(0, "'result':{'content':[{'type':'text','text':'[{\\\"a\\\":5}]'}]}");
	answer(1, GOOD);
	batch_step(batch, wire.now_us);
	summary_is("3 calls: 3 done");
	struct json_doc *doc = table(); /* JSON in a text is data too */
	const cJSON *last = json_first(json_root(doc))->next->next;
	assert_int_equal(json_type(json_get(last, "result")), JSON_ARRAY);
	json_doc_destroy(doc);
}

static void
test_what_is_too_large_is_said(void **state)
{
	char *text = mem_zalloc(BATCH_RESULT_MAX + 2);

	memset(text, 'x', BATCH_RESULT_MAX + 1);
	char *member = mem_printf("'result':{'content':[{'type':'text','text':'%s'}]}", text);
	begin(1, "/id", "{}", 1);
	answer(0, member);
	batch_step(batch, wire.now_us);
	row_is(0, "result", "(too large to keep here)");
	free(member);
	free(text);
}

/* What runs is cancelled, what waits is not called; both can be called later. */
static void
test_stop(void **state)
{
	begin(5, "/id", "{}", 2);
	answer(1, GOOD);
	batch_step(batch, wire.now_us);
	batch_stop(batch, wire.now_us);
	assert_true(batch_is_over(batch));
	summary_is("5 calls: 1 done, 2 failed, 2 not called");
	assert_int_equal(wire_count(&wire, "notifications/cancelled"), 2);
	batch_step(batch, wire.now_us);
	assert_int_equal(wire_count(&wire, "tools/call"), 3);
	assert_int_equal(batch_retry(batch), 4);
	batch_step(batch, wire.now_us);
	assert_int_equal(wire_count(&wire, "tools/call"), 5);
}

/* A server that is gone fails what ran; the rest waits for the user. */
static void
test_server_ends(void **state)
{
	begin(5, "/id", "{}", 2);
	wire_end(&wire, "exited with code 1");
	batch_step(batch, wire.now_us);
	assert_true(batch_is_over(batch));
	summary_is("5 calls: 2 failed, 3 not called");
	assert_string_equal(batch->trouble, "the server is not connected");
}

/* A result that is too large is left out, with all that would be too much together. */
static void
test_memory_is_bounded(void **state)
{
	char *big = mem_alloc(BATCH_RESULT_MAX + 100);
	char *member;

	memset(big, 'x', BATCH_RESULT_MAX + 99);
	big[BATCH_RESULT_MAX + 99] = '\0';
	member = mem_printf("'result':{'content':[],'structuredContent':{'n':1,'t':'%s'}}", big);
	begin(2, "/id", "{}", 1);
	answer(0, member);
	batch_step(batch, wire.now_us);
	row_is(0, "state", "done");
	row_is(0, "result", "(too large to keep here)");
	free(member);
	big[BATCH_RESULT_MAX - 200] = '\0';
	member = mem_printf("'result':{'content':[],'structuredContent':{'n':1,'t':'%s'}}", big);
	batch->bytes += BATCH_BYTES_MAX - BATCH_RESULT_MAX / 2; /* as by many others */
	answer(0, member);
	batch_step(batch, wire.now_us);
	row_is(1, "result", "(too large to keep here)");
	free(member);
	free(big);
}

/* Ten thousand rows: each step looks only at what is open. */
static void
test_many_rows(void **state)
{
	begin(10000, "/id", "{}", 4);
	while (!batch_is_over(batch)) {
		size_t running = batch->in_state[BATCH_RUNNING];
		assert_true(running <= 4);
		for (size_t i = 0; i < running; i++)
			answer(i, GOOD);
		batch_step(batch, wire.now_us);
	}
	summary_is("10 000 calls: 10 000 done");
	assert_true(batch->bytes < (size_t)1 << 20);
	assert_true(server_info(wire.server)->calls <= 1004); /* older ones have gone */
}

/* The line of the user's file. */
static void
test_setting(void **state)
{
	static const struct workbench_host host;
	static const char good[] = "parallel 7\n", none[] = "parallel 0\n",
			  many[] = "parallel 33\n";
	struct workbench *wb = workbench_create(&host, NULL);
	struct settings settings = { 0 };
	struct err err = { "" };

	assert_true(settings_parse(wb, &settings, good, strlen(good), "f", &err));
	assert_int_equal(settings.parallel, 7);
	assert_false(settings_parse(wb, &settings, none, strlen(none), "f", &err));
	assert_false(settings_parse(wb, &settings, many, strlen(many), "f", &err));
	assert_string_equal(err.text, "f:1: parallel wants 1 to 32 calls, not 33");
	settings_finish(&settings);
	workbench_destroy(wb);
}

TEST_FILE(batch)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_few_at_a_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_field_may_lie_deep, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_failures_are_kept_and_called_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_too_large_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_server_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_rows, set_up, tear_down),
		cmocka_unit_test(test_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
