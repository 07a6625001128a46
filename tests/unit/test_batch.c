/* SPDX-License-Identifier: MIT */
/* One call for each of several values: how many run at a time, what is stored, which are called
 * again. */
#include "app/settings.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "client/chain.h"
#include "client/recipe_player.h"
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

/* In an array, and inside an item. */
static void
test_the_field_may_be_an_item(void **state)
{
	begin(2, "/ids/1", "{\"ids\":[7,0],\"id\":7}", 2);
	assert_non_null(strstr(sent(0), "\"arguments\":{\"ids\":[7,1],\"id\":7}"));
	batch_destroy(batch);
	begin(2, "/orders/0/id", "{\"orders\":[{\"id\":0,\"n\":1}]}", 2);
	assert_non_null(strstr(sent(0), "\"arguments\":{\"orders\":[{\"id\":1,\"n\":1}]}"));
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

/* ---- the data of a result ---- */

#define TEXT(quoted) "{'type':'text','text':" quoted "}"
#define CONTENT(...) "'result':{'content':[" __VA_ARGS__ "]}"

static const struct {
	const char *answer, *data;
} results[] = {
	{ "'result':{'content':[" TEXT("'[1]'") "],'structuredContent':{'n':1}}", "{\"n\":1}" },
	{ CONTENT(TEXT("'Two users:'") "," TEXT("' [1, 2]'")), "[1,2]" },
	{ CONTENT(TEXT("'```json\\n{\\\"a\\\":1}\\n```'")), "{\"a\":1}" },
	{ CONTENT(TEXT("'[1]\\n[2]'")), "[[1],[2]]" },
	{ CONTENT(TEXT("'k,v\\n1,one\\n2,two'")),
	    "[{\"k\":1,\"v\":\"one\"},{\"k\":2,\"v\":\"two\"}]" },
	/* tables next to other text are the last choice */
	{ CONTENT(TEXT("'See:\\n\\n|c|\\n|---|\\n|7|\\n'") "," TEXT("'{\\\"a\\\":1}'")),
	    "{\"a\":1}" },
	{ CONTENT(TEXT("'See:\\n\\n|c|\\n|---|\\n|7|\\n'") "," TEXT("'ok'")), "[{\"c\":7}]" },
	{ CONTENT(TEXT("'a [1] b'") "," TEXT("''") "," TEXT("'42'")), "\"a [1] b\\n\\n42\"" },
};

static void
is_data(const cJSON *value, const char *expected)
{
	struct buf text = BUF_INIT;

	assert_non_null(value);
	json_print(&text, value);
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
}

static bool
take_snapshot(void *user, const char *file, const struct buf *value, struct buf *out, bool *written,
    struct err *err)
{
	struct buf *taken = user;

	buf_clear(taken);
	buf_add(taken, value->data, value->len);
	*written = true;
	return true;
}

/* The current value of a recipe after this answer. */
static struct json_doc *
recipe_value(const char *answered)
{
	static const char text[] = "{\"steps\":[{\"call\":\"get\",\"expect\":{\"snapshot\":\"a."
				   "json\",\"verdict\":[\"valid\",\"missing\",\"invalid\"]}}]}";
	struct buf taken = BUF_INIT;
	const struct recipe_player_host host = { .snapshot = take_snapshot, .user = &taken };
	struct recipe_problem problem = { .text = "" };
	struct recipe *recipe = recipe_parse(text, strlen(text), &problem);
	struct variables given = { 0 };
	struct err err = { "" };

	if (!recipe)
		fail_msg("%s", problem.text);
	struct recipe_player *p = recipe_player_create(recipe, NULL, &given, &host, &err);
	assert_non_null(p);
	recipe_player_advance(p, wire.server, wire.now_us);
	answer(0, answered);
	recipe_player_advance(p, wire.server, wire.now_us);
	struct json_doc *doc = json_parse(buf_text(&taken), taken.len, NULL, NULL);
	recipe_player_destroy(p);
	recipe_destroy(recipe);
	buf_finish(&taken);
	return doc;
}

/* A row of the table, the current value of a recipe, and what > and @ pass on. */
static void
test_all_agree_on_the_data(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(results); i++) {
		struct call_data data;
		begin(1, "/id", "{}", 1);
		answer(0, results[i].answer);
		batch_step(batch, wire.now_us);
		call_data_read(&data, server_find_call(wire.server, batch->rows[0].call), SIZE_MAX);
		is_data(data.value, results[i].data);
		struct json_doc *rows = table(), *value = recipe_value(results[i].answer);
		is_data(json_get(json_first(json_root(rows)), "result"), results[i].data);
		is_data(json_root(value), results[i].data);
		json_doc_destroy(rows);
		json_doc_destroy(value);
		call_data_finish(&data);
		batch_destroy(batch);
		batch = NULL;
	}
}

static void
test_the_texts_may_be_too_large(void **state)
{
	struct call_data data;

	begin(1, "/id", "{}", 1);
	answer(0, CONTENT(TEXT("'[1]'") "," TEXT("'[1,2,3,4]'")));
	batch_step(batch, wire.now_us);
	const struct call *c = server_find_call(wire.server, batch->rows[0].call);
	call_data_read(&data, c, 4);
	is_data(data.value, "[1]");
	call_data_finish(&data);
	call_data_read(&data, c, 2); /* the second would not be the data without a bound */
	assert_null(data.value);
	assert_int_equal(data.kind, TEXT_DATA_NONE);
	assert_true(data.too_large);
	call_data_finish(&data);
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

/* Running calls are cancelled and waiting ones are not sent; both can be called later. */
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

/* Ten thousand rows: each step examines only open calls. */
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
	static const struct effects effects;
	static const char good[] = "parallel 7\n", none[] = "parallel 0\n",
			  many[] = "parallel 33\n";
	struct workbench *wb = workbench_create(&effects, NULL);
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
		cmocka_unit_test_setup_teardown(test_the_field_may_be_an_item, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_failures_are_kept_and_called_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_agree_on_the_data, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_texts_may_be_too_large, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_too_large_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_server_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_memory_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_rows, set_up, tear_down),
		cmocka_unit_test(test_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
