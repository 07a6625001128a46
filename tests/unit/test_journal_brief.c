/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "client/journal.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line that a person reads of a message. */

static struct journal *
said(enum message_kind kind, const char *method, const char *json)
{
	struct journal *j = journal_create(0);
	struct blob *bytes = blob_from_bytes(json, strlen(json));
	struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);

	assert_non_null(doc);
	journal_add(j, &(struct journal_args){ .kind = JOURNAL_SENT,
			   .message = kind,
			   .bytes = bytes,
			   .method = method,
			   .doc = doc });
	json_doc_destroy(doc);
	blob_unref(bytes);
	return j;
}

static void
assert_brief(enum message_kind kind, const char *method, const char *json, const char *brief)
{
	struct journal *j = said(kind, method, json);

	assert_string_equal(journal_at(j, 0)->brief ? journal_at(j, 0)->brief : "", brief);
	journal_destroy(j);
}

static void
assert_result(const char *result, const char *brief)
{
	char *json = mem_printf("{\"id\":1,\"result\":%s}", result);

	assert_brief(MESSAGE_RESULT, NULL, json, brief);
	free(json);
}

static void
test_requests(void **state)
{
	static const char call[] =
	    "{\"params\":{\"name\":\"list users\",\"_meta\":{\"x\":1},\"arguments\":"
	    "{\"role\":\"admin\",\"n\":1.50,\"who\":\"a "
	    "b\",\"in\":[1,2],\"deep\":{\"a\":{\"b\":1}}}}}";
	struct journal *j = said(MESSAGE_REQUEST, "tools/call", call);

	assert_string_equal(journal_at(j, 0)->tool, "list users");
	assert_string_equal(
	    journal_at(j, 0)->brief, "role=admin n=1.50 who=\"a b\" in=[1, 2] deep={1}");
	journal_destroy(j);
	assert_brief(MESSAGE_REQUEST, "prompts/get",
	    "{\"params\":{\"name\":\"greet\",\"arguments\":{\"to\":\"Eve\"}}}", "greet to=Eve");
	assert_brief(
	    MESSAGE_REQUEST, "resources/read", "{\"params\":{\"uri\":\"file:///a\"}}", "file:///a");
	assert_brief(MESSAGE_REQUEST, "tools/list", "{\"params\":{\"_meta\":{}}}", "");
	assert_brief(MESSAGE_REQUEST, "ping", "{}", "");
	assert_brief(MESSAGE_NOTIFICATION, "notifications/progress",
	    "{\"params\":{\"progressToken\":7,\"progress\":0.5}}", "progressToken=7 progress=0.5");
	assert_brief(MESSAGE_REQUEST, "elicitation/create",
	    "{\"params\":{\"message\":\"\\n Your name?\\nPlease\"}}", "Your name?");
	assert_brief(MESSAGE_REQUEST, "tools/call", "{\"params\":[1,2]}", "");
	assert_brief(
	    MESSAGE_REQUEST, "tools/call", "{\"params\":{\"name\":7,\"arguments\":3}}", "");
}

static void
test_replies(void **state)
{
	assert_result("{\"tools\":[1,2,3]}", "3 tools");
	assert_result("{\"tools\":[1],\"nextCursor\":\"x\"}", "1 tools, more follow");
	assert_result("{\"content\":[{\"type\":\"text\",\"text\":\"Found\\n3\"}]}", "Found");
	assert_result("{\"content\":[{\"type\":\"text\",\"text\":\"Found\"}],"
		      "\"structuredContent\":{\"total\":9,\"users\":[1,2]}}",
	    "2 users");
	assert_result("{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}],"
		      "\"structuredContent\":{\"total\":9}}",
	    "total=9");
	assert_result("{\"content\":[{\"type\":\"text\",\"text\":\"No such user\"}],"
		      "\"structuredContent\":{\"users\":[]},\"isError\":true}",
	    "No such user");
	assert_result(
	    "{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\"}]}", "image/png");
	assert_result("{\"contents\":[{\"uri\":\"x\",\"text\":\"# Read me\"}]}", "# Read me");
	assert_result("{\"serverInfo\":{\"name\":\"s\",\"version\":\"2\"},\"capabilities\":{},"
		      "\"protocolVersion\":\"2025-06-18\"}",
	    "s 2 2025-06-18");
	assert_result("{\"resultType\":\"task\",\"taskId\":\"7\"}", "task taskId=7");
	assert_result("{\"action\":\"accept\",\"content\":{}}", "action=accept content={}");
	assert_result("{}", "empty");
	assert_result("7", "empty");
	assert_brief(MESSAGE_ERROR, NULL,
	    "{\"error\":{\"code\":-32602,\"message\":\"Bad\\nline\"}}", "Bad (-32602)");
	assert_brief(MESSAGE_ERROR, NULL, "{\"error\":{}}", "");
}

/* However long the parts are, the line is short, and cut between characters. */
static void
test_is_short(void **state)
{
	struct buf json = BUF_INIT;

	buf_add_str(&json, "{\"params\":{\"name\":\"t\",\"arguments\":{");
	for (int i = 0; i < 1000; i++) {
		buf_addf(&json, "%s\"k%d", i ? "," : "", i);
		for (int n = 0; n < 100; n++)
			buf_add_str(&json, "é");
		buf_add_str(&json, "\":\"");
		for (int n = 0; n < 100; n++)
			buf_add_str(&json, "€");
		buf_add_char(&json, '"');
	}
	buf_add_str(&json, "}}}");
	struct journal *j = said(MESSAGE_REQUEST, "tools/call", buf_text(&json));
	const char *brief = journal_at(j, 0)->brief;
	assert_in_range(strlen(brief), 200, 400);
	assert_string_equal(brief + strlen(brief) - strlen(" …"), " …");
	journal_destroy(j);
	buf_finish(&json);
}

TEST_FILE(journal_brief)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_is_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
