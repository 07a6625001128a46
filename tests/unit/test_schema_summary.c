/* SPDX-License-Identifier: MIT */
#include "schema/schema.h"

#include "base/buf.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "quoted.h"
#include "test.h"

#include <string.h>

struct trial {
	struct json_doc *text, *value;
	struct schema *schema;
	struct report *report;
};

static void
trial_init(struct trial *t, const char *schema, const char *value, size_t kept)
{
	const struct check_options options = { .max_violations = kept };
	struct schema_problem problem;

	t->text = parse_quoted(schema);
	t->value = parse_quoted(value);
	t->schema = schema_compile(json_root(t->text), NULL, &problem);
	if (!t->schema)
		fail_msg("%s: %s", problem.pointer, problem.text);
	t->report = schema_check(t->schema, json_root(t->value), &options);
}

static void
trial_finish(struct trial *t)
{
	report_destroy(t->report);
	schema_destroy(t->schema);
	json_doc_destroy(t->text);
	json_doc_destroy(t->value);
}

static void
expect_of(const struct trial *t, const char *list, size_t most, const char *line)
{
	struct summary s;
	struct buf out = BUF_INIT;

	if (!summary_init(&s, t->report)) {
		assert_null(line);
		return;
	}
	summary_line(&s, most, &out);
	if (!line || strcmp(buf_text(&out), line) != 0)
		fail_msg("%s\nnot %s", buf_text(&out), line ? line : "(nothing)");
	assert_ptr_equal(s.list, json_pointer_find(json_root(t->value), list));
	buf_finish(&out);
	summary_finish(&s);
}

static void
expect(const char *schema, const char *value, const char *list, const char *line)
{
	struct trial t;

	trial_init(&t, schema, value, 0);
	expect_of(&t, list, 4, line);
	trial_finish(&t);
}

static const char USERS[] =
    "{'properties':{'users':{'items':{'type':'object','required':['role','id'],'properties':{'id':{"
    "'type':'integer'},'name':{'type':'string'},'role':{'enum':['admin','editor']},'tags':{'items':"
    "{'type':'string'}},'home':{'properties':{'city':{'type':'string'}}}},'additionalProperties':"
    "false}}}}";

static void
test_rows_are_grouped(void **state)
{
	expect(USERS,
	    "{'users':[{'id':'1','role':'admin'},{'id':'2','role':'x'},{'id':3},{'id':4,'role':"
	    "'admin'},{'id':'5','role':'y'},{'id':2.5,'role':'admin'}]}",
	    "/users",
	    "5 of 6 rows fail: id is a string (3), role not one of admin, editor (2), role missing "
	    "(1), "
	    "id not an integer (1)");
	expect(USERS,
	    "{'users':[{'id':1,'role':'admin','name':null,'tags':[1,2,3],'home':{'city':[]}},{'id':"
	    "1,"
	    "'role':'admin','rol':1,'name':null,'tags':[4]},3]}",
	    "/users",
	    "3 of 3 rows fail: name is null (2), tags[] is a number (2), home.city is an array "
	    "(1), "
	    "rol not declared (1)…");
}

static void
test_one_row_needs_no_summary(void **state)
{
	expect(USERS, "{'users':[{'id':'1','role':'x'},{'id':2,'role':'admin'}]}", "", NULL);
	expect(USERS, "{'users':[]}", "", NULL);
	expect("{'type':'object'}", "[]", "", NULL);
	expect("{'items':{'format':'email'}}", "['x','y']", "", NULL);
}

static void
test_the_list_with_most_failing_rows_is_chosen(void **state)
{
	const char *schema = "{'properties':{'a':{'items':{'type':'null'}},'b':{'items':{'items':{"
			     "'maximum':1}}}}}";

	expect(
	    schema, "{'a':[1,2],'b':[[1],[2,2,2]]}", "/b/1", "3 of 3 rows fail: not at most 1 (3)");
	expect(schema, "{'a':[1,2],'b':[[2],[2]]}", "/a", "2 of 2 rows fail: is a number (2)");
	expect(
	    schema, "{'a':[1],'b':[[2,2],[2,2]]}", "/b", "2 of 2 rows fail: [] not at most 1 (2)");
}

static void
test_faults_have_short_words(void **state)
{
	static const struct {
		const char *schema, *rows, *line;
	} FAULTS[] = {
		{ "false", "[1,2]", "2 of 2 rows fail: too many (2)" },
		{ "{'properties':{'a':false}}", "[{'a':1},{'a':2}]",
		    "2 of 2 rows fail: a not allowed (2)" },
		{ "{'not':{'type':'null'}}", "[null,null,1]", "2 of 3 rows fail: not allowed (2)" },
		{ "{'uniqueItems':true}", "[[1,1],[2,2]]",
		    "2 of 2 rows fail: repeats an item (2)" },
		{ "{'propertyNames':{'maxLength':1}}", "[{'ab':1},{'cd':1}]",
		    "2 of 2 rows fail: a name not at most 1 character (2)" },
		{ "{'anyOf':[{'type':'string'},{'type':'null'}]}", "[1,2]",
		    "2 of 2 rows fail: is a number (2)" },
		{ "{'unevaluatedProperties':false}", "[{'a':1},{'a':1,'b':2}]",
		    "2 of 2 rows fail: a not declared (2), b not declared (1)" },
		{ "{'pattern':'^a'}", "['b','c']", "2 of 2 rows fail: does not match ^a (2)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(FAULTS); i++) {
		struct buf schema = BUF_INIT;
		buf_addf(&schema, "{'items':%s}", FAULTS[i].schema);
		expect(buf_text(&schema), FAULTS[i].rows, "", FAULTS[i].line);
		buf_finish(&schema);
	}
}

static void
test_many_rows_and_groups_are_bounded(void **state)
{
	struct buf rows = BUF_INIT;
	struct trial t;
	struct summary s;

	for (int i = 0; i < 12000; i++)
		buf_addf(&rows, "%c{'n%d':'x','id':'y'}", i ? ',' : '[', i);
	buf_add_char(&rows, ']');
	trial_init(&t,
	    "{'items':{'properties':{'id':{'type':'null'}},'additionalProperties':false}}",
	    buf_text(&rows), 5000);
	expect_of(&t, "", 1, "at least 2 500 of 12 000 rows fail: id is a string (2 500)…");
	assert_true(summary_init(&s, t.report));
	assert_int_equal(s.groups.len, SUMMARY_MAX_GROUPS);
	assert_int_equal(s.rest, 2500 - (SUMMARY_MAX_GROUPS - 1));
	assert_int_equal(s.groups.items[0].first, 1);
	assert_string_equal(s.groups.items[1].text, "n0 not declared");
	summary_finish(&s);
	trial_finish(&t);
	buf_finish(&rows);
}

static void
test_a_list_may_be_asked_for(void **state)
{
	struct trial t;
	struct summary s;

	trial_init(&t, USERS, "{'users':[{'id':'1','role':'admin'}]}", 0);
	const cJSON *users = json_get(json_root(t.value), "users");
	assert_true(summary_init_list(&s, t.report, users));
	assert_int_equal(s.failed, 1);
	struct buf out = BUF_INIT;
	summary_line(&s, 4, &out);
	assert_string_equal(buf_text(&out), "1 of 1 row fails: id is a string (1)");
	buf_finish(&out);
	summary_finish(&s);
	assert_false(summary_init_list(&s, t.report, json_root(t.value)));
	trial_finish(&t);
}

TEST_FILE(schema_summary)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_grouped),
		cmocka_unit_test(test_one_row_needs_no_summary),
		cmocka_unit_test(test_the_list_with_most_failing_rows_is_chosen),
		cmocka_unit_test(test_faults_have_short_words),
		cmocka_unit_test(test_many_rows_and_groups_are_bounded),
		cmocka_unit_test(test_a_list_may_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
