/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "mcp/message.h"
#include "test.h"

#include <string.h>

/* A reply with an array of about this many bytes, in structuredContent and in content. */
static struct blob *
reply(size_t bytes)
{
	struct buf rows = BUF_INIT, text = BUF_INIT;

	for (unsigned i = 0; rows.len < bytes; i++)
		buf_addf(&rows, "%s{\"id\":%u,\"name\":\"row %u\"}", i ? "," : "", i, i);
	buf_addf(
	    &text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[%s],", buf_text(&rows));
	buf_addf(&text, "\"structuredContent\":{\"rows\":[%s]}}}", buf_text(&rows));
	buf_finish(&rows);
	return blob_take_buf(&text);
}

static void
assert_read(size_t bytes, bool by_job, bool lazy)
{
	struct job job = { 0 };
	struct raw_message line;

	raw_message_init(&line, (struct frame_line){ .bytes = reply(bytes) });
	raw_message_read(&line, by_job ? &job : NULL);
	assert_non_null(line.doc);
	const cJSON *root = json_root(line.doc);
	const cJSON *rows = json_pointer_find(root, "/result/structuredContent/rows");
	assert_int_equal(json_is_lazy(rows), lazy);
	assert_false(json_is_lazy(json_pointer_find(root, "/result/content")));
	assert_int_equal(json_count(rows), json_count(json_pointer_find(root, "/result/content")));
	/* the doc sees to it that the text stays */
	struct json_doc *doc = line.doc;
	line.doc = NULL;
	raw_message_finish(&line);
	struct json_items it;
	size_t count = 0;
	for (json_items_init(&it, rows, NULL); it.item; json_items_next(&it), count++)
		assert_int_equal(json_get(it.item, "id")->valueint, (int)count);
	json_items_finish(&it);
	assert_int_equal(count, json_count(rows));
	json_doc_destroy(doc);
}

static void
test_only_what_is_huge_and_read_for_the_screen_is_lazy(void **state)
{
	assert_read(3 << 20, true, true);
	assert_read(3 << 20, false, false);
	assert_read(256 << 10, true, false);
	assert_read(1 << 20, true, true);
}

static void
test_a_stopped_job_reads_nothing(void **state)
{
	struct job job = { 0 };
	struct raw_message line;

	job_stop(&job);
	raw_message_init(&line, (struct frame_line){ .bytes = reply(3 << 20) });
	raw_message_read(&line, &job);
	assert_null(line.doc);
	raw_message_finish(&line);
}

TEST_FILE(raw_message)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_what_is_huge_and_read_for_the_screen_is_lazy),
		cmocka_unit_test(test_a_stopped_job_reads_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
