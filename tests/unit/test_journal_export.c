/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "job_queue.h"
#include "client/journal.h"
#include "pane_alone.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
add(struct journal *j, enum journal_kind kind, enum message_kind message, const char *id,
    const char *text, int64_t at_us)
{
	struct blob *bytes = blob_from_bytes(text, strlen(text));
	uint64_t entry =
	    journal_add(j, &(struct journal_args){ .kind = kind,
			       .message = message,
			       .at_us = at_us,
			       .bytes = bytes,
			       .rpc_id = kind == JOURNAL_NOTE ? NULL : id,
			       .carried = id ? 7 : 0,
			       .method = id && message == MESSAGE_REQUEST ? "tools/call" : NULL });

	blob_unref(bytes);
	return entry;
}

static const char request[] =
    "{\"id\":7,\"params\":{\"n\":1.50,\"password\":\"it's me\",\"progressToken\":\"t\"}}";
static const char head[] =
    "POST tools/call #7: 200 OK, application/json\n"
    "> POST /mcp HTTP/1.1\n> Host: a.example\n> Accept: application/json\n"
    "> Authorization: (hidden)\n< HTTP 200 OK\n< Content-Type: text/x\n< odd";

/* A request with its HTTP note and its reply, then a line of stderr. */
static struct journal *
exchange(void)
{
	struct journal *j = journal_create(0);

	journal_set_clock(j, INT64_C(1784548800000000), 3600);
	add(j, JOURNAL_SENT, MESSAGE_REQUEST, "7", request, 1006000);
	add(j, JOURNAL_NOTE, MESSAGE_INVALID, "7", head, 1007000);
	add(j, JOURNAL_RECEIVED, MESSAGE_RESULT, "7", "{\"id\":7,\n\"result\":{\"n\":2.00}}",
	    1008500);
	add(j, JOURNAL_STDERR, MESSAGE_INVALID, NULL,
	    "API_KEY=abc at HTTPS://me:pw@a/?token=abc \xff", 1009000);
	assert_int_equal(journal_at(j, 0)->http, 2);
	assert_true(journal_at(j, 0)->pair == 3);
	return j;
}

static const uint64_t all[] = { 1, 2, 4 };

static void
assert_export(const struct journal_export *x, const char *format, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err err = { "" };

	assert_true(journal_export(x, format, &out, &err));
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
assert_refused(const struct journal_export *x, const char *format, const char *why)
{
	struct buf out = BUF_INIT;
	struct err err = { "" };

	assert_false(journal_export(x, format, &out, &err));
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
	buf_finish(&out);
}

static void
test_jsonl(void **state)
{
	struct journal *j = exchange();
	struct journal_export x = { .journal = j, .ids = all, .count = 1 };

	journal_judge(j, 3, VERDICT_VALID);
	assert_export(&x, "jsonl",
	    "{\"time\":\"2026-07-20T12:00:01.006Z\",\"direction\":\"sent\",\"kind\":\"request\","
	    "\"method\":\"tools/call\",\"message\":{\"id\":7,\"params\":{\"n\":1.50,"
	    "\"password\":\"(hidden)\",\"progressToken\":\"t\"}}}\n"
	    "{\"time\":\"2026-07-20T12:00:01.008Z\",\"direction\":\"received\","
	    "\"kind\":\"result\",\"method\":\"tools/call\",\"ms\":2.500,\"verdict\":\"valid\","
	    "\"message\":{\"id\":7,\"result\":{\"n\":2.00}}}\n");
	x.ids = all + 2;
	assert_export(&x, "jsonl",
	    "{\"time\":\"2026-07-20T12:00:01.009Z\",\"direction\":\"stderr\","
	    "\"text\":\"API_KEY=(hidden) at HTTPS://(hidden)@a/?token=(hidden) \xef\xbf\xbd\"}\n");
	x.with_secrets = true;
	assert_export(&x, "jsonl",
	    "{\"time\":\"2026-07-20T12:00:01.009Z\",\"direction\":\"stderr\","
	    "\"text\":\"API_KEY=abc at HTTPS://me:pw@a/?token=abc \xef\xbf\xbd\"}\n");
	x.count = 0;
	assert_refused(&x, "jsonl", "no line");
	assert_refused(&x, "xml", "not xml");
	journal_destroy(j);
}

static void
test_dates(void **state)
{
	static const struct {
		int64_t days;
		const char *date;
	} rows[] = { { 0, "1970-01-01" }, { 58, "1970-02-28" }, { 59, "1970-03-01" },
		{ 11016, "2000-02-29" }, { 11017, "2000-03-01" }, { 20818, "2026-12-31" },
		{ 47540, "2100-02-28" }, { 47541, "2100-03-01" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct journal *j = journal_create(0);
		struct journal_export x = { .journal = j, .ids = all, .count = 1 };
		char expected[100];
		journal_set_clock(j, rows[i].days * INT64_C(86400000000), 0);
		add(j, JOURNAL_NOTE, MESSAGE_INVALID, NULL, "x", 1000);
		snprintf(expected, sizeof(expected),
		    "{\"time\":\"%sT00:00:00.001Z\",\"direction\":\"note\",\"text\":\"x\"}\n",
		    rows[i].date);
		assert_export(&x, "jsonl", expected);
		journal_destroy(j);
	}
}

static void
test_har(void **state)
{
	struct journal *j = exchange();
	struct journal_export x = { .journal = j, .ids = all, .count = 3, .url = "https://a/mcp" };
	struct buf out = BUF_INIT;

	assert_true(journal_export(&x, "har", &out, NULL));
	struct json_doc *doc = json_parse(out.data, out.len, NULL, NULL);
	const cJSON *log = json_get(json_root(doc), "log");
	const cJSON *entries = json_get(log, "entries"), *entry = json_first(entries);
	assert_string_equal(json_get_string(log, "version"), "1.2");
	assert_int_equal(json_count(entries), 1);
	assert_string_equal(json_get_string(entry, "startedDateTime"), "2026-07-20T12:00:01.006Z");
	const cJSON *asked = json_get(entry, "request"), *said = json_get(entry, "response");
	assert_string_equal(json_get_string(asked, "url"), "https://a/mcp");
	assert_int_equal(json_count(json_get(asked, "headers")), 3);
	assert_non_null(strstr(
	    json_get_string(json_get(asked, "postData"), "text"), "\"password\":\"(hidden)\""));
	assert_int_equal(json_get(said, "status")->valueint, 200);
	assert_string_equal(json_get_string(said, "statusText"), "OK");
	assert_int_equal(json_count(json_get(said, "headers")), 1);
	assert_string_equal(
	    json_get_string(json_first(json_get(said, "headers")), "value"), "text/x");
	json_doc_destroy(doc);
	buf_finish(&out);
	x.url = NULL;
	assert_refused(&x, "har", "jsonl");
	x.url = "https://a/mcp";
	x.ids = all + 2;
	x.count = 1;
	assert_refused(&x, "har", "no HTTP exchange");
	journal_destroy(j);
}

static void
test_curl(void **state)
{
	struct journal *j = exchange();
	struct journal_export x = {
		.journal = j, .selected = 1, .url = "https://a/m'cp", .with_secrets = true
	};

	assert_export(&x, "curl",
	    "curl -sS --fail-with-body -w '%{stderr}%{redirect_url}' 'https://a/m'\\''cp' \\\n  -H "
	    "'Accept: application/json' \\\n"
	    "  -H 'Authorization: (hidden)' \\\n  --data-raw '{\"id\":7,\"params\":{\"n\":1.50,"
	    "\"password\":\"it'\\''s me\",\"progressToken\":\"t\"}}'\n");
	x.selected = 4;
	assert_refused(&x, "curl", "only messages that we sent");
	x.selected = 99;
	assert_refused(&x, "curl", "only messages that we sent");
	x.selected = add(j, JOURNAL_SENT, MESSAGE_NOTIFICATION, NULL, "{}", 0);
	assert_export(&x, "curl",
	    "curl -sS --fail-with-body -w '%{stderr}%{redirect_url}' 'https://a/m'\\''cp' \\\n  -H "
	    "'Content-Type: application/json' \\\n"
	    "  -H 'Accept: application/json, text/event-stream' \\\n  --data-raw '{}'\n");
	x.url = NULL;
	assert_refused(&x, "curl", "HTTP");
	journal_destroy(j);
}

/* ---- a large journal, from its pane ---- */

static struct {
	struct pane_work *work;
	char said[200];
	size_t lines, bytes;
} seen;

static bool
on_work(struct workbench *wb, struct pane_work *work)
{
	if (seen.work)
		snprintf(seen.said, sizeof(seen.said), "under way");
	else
		seen.work = work;
	return seen.work == work;
}

static void
on_work_is_over(struct workbench *wb, struct pane_work *work)
{
	seen.work = seen.work == work ? NULL : seen.work;
}

static void
on_say(struct workbench *wb, enum role role, const char *text)
{
	snprintf(seen.said, sizeof(seen.said), "%s", text);
}

static bool
write_file(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	seen.bytes = len;
	for (size_t i = 0; i < len; i++)
		seen.lines += bytes[i] == '\n';
	return strcmp(path, "/no") != 0 || err_set(err, "no room");
}

static const struct effects effects = { .write_file = write_file };
static const struct pane_host host = {
	.work = on_work, .work_is_over = on_work_is_over, .say = on_say, .effects = &effects
};

struct scene {
	struct wire wire;
	struct workspace ws;
	struct job_queue queue;
	struct view_env env;
	struct view pane;
};

enum { LINES = 20000 };

static void
open_scene(struct scene *s)
{
	static const struct server_options options = { .session = { .era = ERA_LEGACY } };
	char line[200];

	memset(&seen, 0, sizeof(seen));
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	wire_open(&s->wire, &options);
	for (int i = 0; i < LINES; i++) {
		wire_stderr(&s->wire, line);
		wire_stderr(&s->wire, "\n");
	}
	workspace_init(&s->ws);
	workspace_set_server(&s->ws, s->wire.server);
	job_queue_init(&s->queue);
	s->env = (struct view_env){ .ws = &s->ws, .host = &host, .jobs = &s->queue.jobs };
	view_init(&s->pane, &pane_journal);
	pane_journal.sync(s->pane.state, &s->env);
}

static void
close_scene(struct scene *s)
{
	view_finish(&s->pane);
	job_queue_finish(&s->queue);
	workspace_finish(&s->ws);
	wire_close(&s->wire);
}

/* The journal grows while a thread writes a slice. */
static void
more_comes(void *user)
{
	wire_stderr(user, "one more line\n");
}

static void
test_a_large_one_is_a_job(void **state)
{
	struct scene s;
	unsigned last = 0, percent;
	int slices = 0;

	open_scene(&s);
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /file");
	assert_int_equal(seen.bytes, 0); /* not yet */
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /other");
	assert_non_null(strstr(seen.said, "under way"));
	for (; s.queue.waiting.len > 0; slices++) {
		assert_non_null(seen.work);
		percent = seen.work->percent(seen.work);
		assert_true(percent >= last);
		last = percent;
		job_queue_run(&s.queue, more_comes, &s.wire);
	}
	assert_true(slices > LINES / 300);
	assert_int_equal(last, 100);
	assert_null(seen.work);
	assert_int_equal(seen.lines, LINES);
	assert_non_null(strstr(seen.said, "wrote /file, "));
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /no");
	while (s.queue.waiting.len > 0)
		job_queue_run(&s.queue, NULL, NULL);
	assert_string_equal(seen.said, "no room");
	close_scene(&s);
}

static void
test_a_job_is_stopped(void **state)
{
	struct scene s;

	open_scene(&s);
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /file");
	job_queue_run(&s.queue, NULL, NULL);
	seen.work->stop(seen.work);
	assert_null(seen.work);
	assert_non_null(strstr(seen.said, "no file was written"));
	job_queue_run(&s.queue, NULL, NULL);
	assert_int_equal(s.queue.waiting.len, 0);
	/* the server is removed, and the pane ends */
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /file");
	workspace_set_server(&s.ws, NULL);
	job_queue_run(&s.queue, NULL, NULL);
	assert_non_null(strstr(seen.said, "removed"));
	workspace_set_server(&s.ws, s.wire.server);
	pane_journal.sync(s.pane.state, &s.env);
	pane_alone_act(&s.pane, &s.env, "export-journal", "jsonl /file");
	close_scene(&s);
	assert_int_equal(seen.bytes, 0);
}

TEST_FILE(journal_export)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jsonl),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_har),
		cmocka_unit_test(test_curl),
		cmocka_unit_test(test_a_large_one_is_a_job),
		cmocka_unit_test(test_a_job_is_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
