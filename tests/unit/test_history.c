/* SPDX-License-Identifier: MIT */
/* Calls in the history file, and how a damaged file is handled. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/history.h"
#include "test.h"
#include "wire.h"

#include <malloc.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOOLS                                                          \
	"{'name':'rows','inputSchema':{'type':'object','properties':{" \
	"'pin':{'type':'string','format':'password'}}},"               \
	"'outputSchema':{'type':'object',"                             \
	"'properties':{'n':{'type':'integer'}}}}"

static char folder[] = "/tmp/mcpane-history-XXXXXX", *path;
static struct history *history;
static struct wire wire;
static char told[400];

static void
tell(void *user, const char *text)
{
	snprintf(told, sizeof(told), "%s", text);
}

static struct history *
open_history(void)
{
	return history_create(&(struct history_options){ .path = path, .tell = tell });
}

static void
connect(struct history *h)
{
	const struct server_options options = { .keep = history_keep, .keep_user = h };

	wire_open(&wire, &options);
	server_set_clock(wire.server, INT64_C(1785240000000000), 0); /* 2026-07-28 12:00 */
	wire_connect(&wire, TOOLS);
}

static int
set_up(void **state)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	path = mem_printf("%s/history.db", folder);
	told[0] = '\0';
	history = open_history();
	connect(history);
	return 0;
}

static int
tear_down(void **state)
{
	char command[100];

	wire_close(&wire);
	history_destroy(history);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	free(path);
	return 0;
}

static uint64_t
call(const char *arguments, const char *answer)
{
	char *json = mem_strdup(arguments);

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	uint64_t id = wire_call(&wire, "rows", json);
	free(json);
	wire_answer(&wire, "tools/call", answer);
	return server_find_call(wire.server, id)->kept;
}

static const struct filter_clock noon = { INT64_C(1785240000000000), 0 }; /* 2026-07-28 12:00 */

static size_t
count(struct history *h, const char *words)
{
	struct filter filter = { 0 };
	struct history_ids ids = { 0 };

	filter_set(&filter, history_words, words, &noon);
	history_host.list(h, &filter, NULL, &ids);
	filter_finish(&filter);
	free(ids.items);
	return ids.len;
}

static struct history_call
find(uint64_t id)
{
	struct history_call row;

	assert_true(history_host.find(history, id, true, &row));
	return row;
}

#define GOOD \
	"'result':{'content':[{'type':'text','text':'three rows'}],'structuredContent':{'n':3}}"
#define BAD "'result':{'content':[],'structuredContent':{'n':'x'}}"

static void
test_row_has_all_of_the_call(void **state)
{
	uint64_t id = call("{'limit':12345678901234567890.50}", GOOD);
	struct history_call row = find(id);
	struct buf time = BUF_INIT;

	assert_string_equal(row.server, "test");
	assert_string_equal(row.label, "a test");
	assert_string_equal(row.key, "rows");
	assert_string_equal(row.arguments, "{\"limit\":12345678901234567890.50}");
	assert_string_equal(row.text, "three rows {\"n\":3}");
	assert_int_equal(row.state, CALL_DONE);
	assert_int_equal(row.verdict, VERDICT_VALID);
	assert_int_equal(strlen(row.hash), 64);
	assert_non_null(strstr(row.definition, "\"outputSchema\""));
	assert_non_null(strstr(row.reply, "\"structuredContent\":{\"n\":3}"));
	assert_int_equal(row.bytes, row.reply_len);
	assert_true(row.took_us > 0);
	row.zone_s = 3600;
	history_add_time(&row, &time);
	assert_memory_equal(buf_text(&time), "2026-07-28 13:00:0", 18);
	buf_finish(&time);
	history_finish(&row);
}

static void
test_file_is_private(void **state)
{
	struct stat st;
	char *beside = mem_printf("%s-wal", path);

	call("{}", GOOD);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(beside, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	free(beside);
}

static bool
file_has(const char *name, const char *text)
{
	struct buf bytes = BUF_INIT;
	char *file = mem_printf("%s/%s", folder, name);
	bool there = false;

	assert_true(path_read_regular(file, &bytes, &there, NULL));
	there = there && memmem(buf_text(&bytes), bytes.len, text, strlen(text));
	buf_finish(&bytes);
	free(file);
	return there;
}

static void
test_secrets_never_reach_the_file(void **state)
{
	uint64_t id = call("{'pin':'hunter2','user':'bob','password':'hunter2','note':'"
			   "Authorization: Bearer hunter2'}",
	    "'result':{'content':[{'type':'text','text':'api_key=hunter2 ok'}],"
	    "'structuredContent':{'n':1,'access_token':'hunter2'}}");
	struct history_call row = find(id);

	assert_non_null(strstr(
	    row.arguments, "\"pin\":\"(hidden)\",\"user\":\"bob\",\"password\":\"(hidden)\""));
	assert_non_null(strstr(row.reply, "\"n\":1,\"access_token\":\"(hidden)\""));
	assert_int_equal(row.verdict, VERDICT_VALID);
	history_finish(&row);
	call("{}", "'error':{'code':-32000,'message':'password=hunter2 is wrong'}");
	assert_true(file_has("history.db-wal", "bob"));
	assert_false(file_has("history.db-wal", "hunter2"));
	assert_false(file_has("history.db", "hunter2"));
}

/* A long array gets no tree; secrets in its rows are hidden all the same. */
static void
test_secret_deep_in_a_long_array(void **state)
{
	struct buf rows = BUF_INIT;

	for (int i = 0; i < 4000; i++)
		buf_addf(&rows, "%s{'n':%d,'note':'%s'}", i ? "," : "", i,
		    i == 3999 ? "password=hunter2" : "a row like the others");
	char *reply = mem_printf(
	    "'result':{'content':[],'structuredContent':{'rows':[%s]}}", buf_text(&rows));
	struct history_call row = find(call("{}", reply));

	assert_null(strstr(row.reply, "hunter2"));
	assert_non_null(strstr(row.reply, "\"n\":0,\"note\":\"a row like the others\""));
	assert_non_null(strstr(row.reply, "\"n\":3999,\"note\":\"password=(hidden)\"}]}}"));
	history_finish(&row);
	free(reply);
	buf_finish(&rows);
}

static void
test_past_call_is_as_it_was(void **state)
{
	uint64_t ids[] = { call("{'a':1}", BAD),
		call("{}", "'error':{'code':-32602,'message':'no a'}") };
	struct history_call rows[] = { find(ids[0]), find(ids[1]) };

	wire_close(&wire);
	connect(history);
	const struct call *c =
	    server_find_call(wire.server, server_recall(wire.server, &rows[0], wire.now_us));
	assert_true(c->is_past);
	assert_int_equal(c->state, CALL_DONE);
	assert_int_equal(c->verdict.kind, VERDICT_INVALID);
	assert_string_equal(c->arguments, "{\"a\":1}");
	assert_int_equal(c->ended_us - c->started_us, rows[0].took_us);
	assert_null(server_last_call(wire.server, PRIMITIVE_TOOL, "rows"));
	/* once more: the same one, and it is not kept again */
	assert_int_equal(server_recall(wire.server, &rows[0], wire.now_us), c->id);
	assert_int_equal(count(history, ""), 2);
	c = server_find_call(wire.server, server_recall(wire.server, &rows[1], wire.now_us));
	assert_int_equal(c->state, CALL_REFUSED);
	assert_int_equal(c->error_code, -32602);
	assert_string_equal(c->error_text, "no a");
	history_finish(&rows[0]);
	history_finish(&rows[1]);
}

static void
test_filter(void **state)
{
	call("{'name':'Alice'}", GOOD);
	call("{'name':'Bob'}", BAD);
	call("{'name':'Carol'}", "'error':{'code':1,'message':'disk is full'}");
	static const struct {
		const char *words;
		size_t count;
	} cases[] = { { "", 3 }, { "alice", 1 }, { "-alice", 2 }, { "three", 1 }, { "FULL", 1 },
		{ "verdict:invalid", 1 }, { "status:error", 1 }, { "tool:row", 3 }, { "tool:x", 0 },
		{ "server:test", 3 }, { "date:2026-07-28", 3 }, { "date:2026-08", 0 },
		{ "since:2026", 3 }, { "before:2026", 0 }, { "before:2027", 3 },
		{ "pinned:yes", 0 }, { "since:2h", 3 }, { "date:today", 3 }, { "before:1h", 0 },
		{ "date:yesterday", 0 }, { "since:2026-07-28T12:00", 3 },
		{ "since:2026-07-28T13:59:00+02:00", 3 }, { "since:\"2026-07-28 12:01\"", 0 },
		{ "before:2026-07-28T12:00:30Z -since:12:01", 3 }, { "name:a", 0 },
		{ "\"disk is full\"", 1 }, { "\"is disk\"", 0 }, { "-\"disk is\"", 2 },
		{ "tool:\"rows\"", 3 }, { "\"name\":\"Alice\"", 1 }, { "\"x:y\"", 0 },
		{ "file:///x", 0 }, { "std::x", 0 }, { "12:30", 0 }, { "tool:", 3 },
		{ "\"\"", 3 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (count(history, cases[i].words) != cases[i].count)
			fail_msg("%s: %zu", cases[i].words, count(history, cases[i].words));
}

/* A word without a meaning has no effect, and the message lists the possible words. */
static void
test_wrong_words(void **state)
{
	static const struct {
		const char *words, *why;
	} cases[] = {
		{ "since:bogus", "since: wants a time: 2026-07-28, " },
		{ "alice before:2026-13-01", "before: wants a time" },
		{ "verdict:invald", "verdict: unknown value \"invald\": did you mean invalid?" },
		{ "verdict:working", "the values are none, valid, invalid, missing, " },
		{ "status:fine", "status: unknown value \"fine\": the values are error, ok" },
		{ "-pinned:perhaps", "pinned: unknown value" },
		{ "bogus:x", "unknown word bogus: the words are tool: name: server: " },
		{ "tol:x bogus:x", "unknown word tol: did you mean tool:?" },
		{ "mailto:me", "quotes search for a text" },
	};

	call("{'name':'Alice'}", GOOD);
	call("{'name':'Bob'}", GOOD);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct filter filter = { 0 };
		filter_set(&filter, history_words, cases[i].words, &noon);
		if (!strstr(filter.wrong.text, cases[i].why))
			fail_msg("%s: %s", cases[i].words, filter.wrong.text);
		filter_finish(&filter);
		assert_int_equal(count(history, cases[i].words), i == 1 ? 1 : 2);
	}
}

/* Only 1 KiB is kept as the beginning; text after it is found, too, however a server escapes it. */
static void
test_whole_texts_are_searched(void **state)
{
	char *filler = mem_zalloc(3001), *first, *second;

	memset(filler, '.', 3000);
	first = mem_printf("'result':{'content':[{'type':'text','text':'%s needle'}]}", filler);
	second = mem_printf("'result':{'content':[{'type':'text','text':'short'}],"
			    "'structuredContent':{'a':'%s','b':'Gr\\u00f6\\u00dfe \\ud83d\\ude00 "
			    "\\u0022end'}}",
	    filler);
	call("{}", first);
	call("{}", second);
	call("{'name':'x'}", GOOD);
	char *arguments = mem_printf("{'a':'%s','z':'behind'}", filler);
	call(arguments, GOOD);
	static const struct {
		const char *words;
		size_t count;
	} cases[] = { { "needle", 1 }, { "NEEDLE", 1 }, { "-needle", 3 }, { "Größe", 1 },
		{ "😀", 1 }, { "\"end", 1 }, { "needle tool:rows", 1 }, { "needle tool:x", 0 },
		{ "behind", 1 }, { "-behind -needle", 2 }, { "needle behind", 0 }, { "short", 1 },
		{ "nowhere", 0 }, { "-nowhere", 4 } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (count(history, cases[i].words) != cases[i].count)
			fail_msg("%s: %zu", cases[i].words, count(history, cases[i].words));
	free(filler);
	free(first);
	free(second);
	free(arguments);
}

struct seen {
	size_t count, most;
	size_t longest; /* arguments */
	bool replies;
};

static bool
see(void *user, const struct history_call *h)
{
	struct seen *seen = user;
	size_t len = strlen(h->arguments);

	seen->count++;
	seen->longest = len > seen->longest ? len : seen->longest;
	seen->replies |= h->reply != NULL;
	assert_string_equal(h->key, "rows");
	assert_string_equal(h->server, "test");
	assert_true(h->took_us > 0 && h->bytes > 0);
	assert_true(!h->reply || strstr(h->reply, "three rows"));
	return seen->count < seen->most;
}

static struct seen
see_each(const char *words, enum history_part part, size_t most)
{
	struct seen seen = { .most = most };
	struct filter filter = { 0 };
	struct err err;

	filter_set(&filter, history_words, words, &noon);
	assert_true(history_each(history, &filter, part, see, &seen, &err));
	filter_finish(&filter);
	return seen;
}

/* All in one go, with their whole arguments, also after a search beyond the beginning. */
static void
test_each_call(void **state)
{
	char *filler = mem_zalloc(3001);

	memset(filler, '.', 3000);
	char *arguments = mem_printf("{'a':'%s','z':'behind'}", filler);
	for (int i = 0; i < 5; i++) {
		uint64_t id = call(i == 2 ? arguments : "{'b':1}", GOOD);
		assert_true(
		    i != 2 || history_host.change(history, id, HISTORY_NAME, "the long one", NULL));
	}
	assert_int_equal(see_each("name:long behind", HISTORY_ROWS, 100).count, 1);
	assert_int_equal(see_each("name:short behind", HISTORY_ROWS, 100).count, 0);
	assert_int_equal(see_each("-name:long behind", HISTORY_ROWS, 100).count, 0);
	assert_int_equal(see_each("", HISTORY_ROWS, 100).count, 5);
	assert_int_equal(see_each("", HISTORY_ROWS, 100).longest, strlen(arguments));
	assert_false(see_each("", HISTORY_ROWS, 100).replies);
	assert_true(see_each("", HISTORY_WHOLE, 100).replies);
	assert_int_equal(see_each("", HISTORY_WHOLE, 2).count, 2);
	assert_int_equal(see_each("behind", HISTORY_ROWS, 100).count, 1);
	assert_int_equal(see_each("behind", HISTORY_ROWS, 100).longest, strlen(arguments));
	assert_int_equal(see_each("-behind", HISTORY_WHOLE, 100).count, 4);
	free(arguments);
	free(filler);
}

static void
test_name_pin_and_remove(void **state)
{
	uint64_t id = call("{}", GOOD), other = call("{'b':2}", GOOD);
	struct strings sets = { 0 };

	assert_true(history_host.change(history, id, HISTORY_NAME, "the good one", NULL));
	assert_true(history_host.change(history, id, HISTORY_PIN, NULL, NULL));
	assert_int_equal(count(history, "good pinned:yes"), 1);
	assert_int_equal(count(history, "name:\"GOOD one\""), 1);
	history_host.arguments(history, "test", PRIMITIVE_TOOL, "rows", 10, &sets);
	assert_int_equal(sets.len, 2);
	assert_string_equal(sets.items[0], "{}"); /* pinned, though older */
	strings_finish(&sets);
	assert_true(history_host.change(history, id, HISTORY_REMOVE, NULL, NULL));
	assert_int_equal(count(history, ""), 1);
	struct history_call row = find(other);
	history_finish(&row);
}

/*
 * Another program that looks after the last event sees the commit. A write to the log is not the
 * last one: the commit is published in shared memory after it, without an event.
 */
static void
test_last_event_of_a_commit_is_its_time(void **state)
{
	uint64_t id = call("{}", GOOD);
	union {
		struct inotify_event event;
		char bytes[4096];
	} events;
	const struct inotify_event *last = NULL;

	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	assert_true(inotify_add_watch(fd, folder, IN_MODIFY | IN_ATTRIB) >= 0);
	assert_true(history_host.change(history, id, HISTORY_PIN, NULL, NULL));
	for (ssize_t len; (len = read(fd, &events, sizeof(events))) > 0;)
		for (ssize_t at = 0; at < len; at += (ssize_t)(sizeof(*last) + last->len))
			last = (const struct inotify_event *)(events.bytes + at);
	assert_non_null(last);
	assert_int_equal(last->mask, IN_ATTRIB);
	assert_string_equal(last->name, "history.db");
	close(fd);
}

/* The call answered last, before another one, with its definition. */
static void
test_last_call(void **state)
{
	struct history_call row;
	uint64_t first = call("{}", GOOD), second = call("{'b':2}", BAD);

	assert_true(history_host.last(history, "test", PRIMITIVE_TOOL, "rows", INT64_MAX, &row));
	assert_int_equal(row.id, second);
	assert_int_equal(strlen(row.hash), SHA256_HEX - 1);
	assert_non_null(strstr(row.definition, "\"outputSchema\""));
	history_finish(&row);
	assert_true(history_host.last(history, "test", PRIMITIVE_TOOL, "rows", second, &row));
	assert_int_equal(row.id, first);
	history_finish(&row);
	assert_false(history_host.last(history, "test", PRIMITIVE_TOOL, "rows", first, &row));
	assert_false(history_host.last(history, "test", PRIMITIVE_PROMPT, "rows", INT64_MAX, &row));
	assert_false(history_host.last(history, "other", PRIMITIVE_TOOL, "rows", INT64_MAX, &row));
	/* looking makes no file */
	char *none = mem_printf("%s/none.db", folder);
	struct history *empty = history_create(&(struct history_options){ .path = none });
	assert_false(history_host.last(empty, "test", PRIMITIVE_TOOL, "rows", INT64_MAX, &row));
	assert_int_not_equal(access(none, F_OK), 0);
	history_destroy(empty);
	free(none);
}

static void
test_bounds_spare_what_is_pinned(void **state)
{
	struct err err;
	uint64_t first = call("{'n':0}", GOOD);

	assert_true(history_host.change(history, first, HISTORY_PIN, NULL, NULL));
	for (int i = 0; i < 50; i++)
		call("{}", GOOD);
	history_destroy(history);
	history = history_create(&(struct history_options){
	    .path = path, .max_bytes = 10000, .max_days = 36500, .tell = tell });
	assert_true(history_prune(history, &err));
	assert_in_range(count(history, ""), 5, 20);
	assert_int_equal(count(history, "pinned:yes"), 1);
	history_destroy(history);
	history =
	    history_create(&(struct history_options){ .path = path, .max_days = 1, .tell = tell });
	struct history_call row = find(first);
	row.id = HISTORY_ID(INT64_C(1000000) * 86400 * 365, 7); /* 1971 */
	row.pinned = false;
	assert_true(history_add(history, &row, &err));
	assert_true(history_prune(history, &err));
	assert_false(history_host.find(history, HISTORY_ID(INT64_C(1000000) * 86400 * 365, 7),
	    false, &(struct history_call){ 0 }));
	history_finish(&row);
}

static void
run_sql(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static int64_t fake_us;

static int64_t
fake_clock(void)
{
	return fake_us;
}

static void
add_rows(int days, size_t rows)
{
	struct err err;
	struct history_call row = {
		.state = CALL_DONE, .server = (char *)"s", .label = (char *)"l"
	};

	row.key = row.arguments = row.text = row.server;
	for (size_t i = 0; i < rows; i++) {
		row.id = HISTORY_ID(noon.now_us + days * INT64_C(86400000000) + (int64_t)i, 1);
		assert_true(history_add(history, &row, &err));
	}
}

/* Calls of the clock's day are made, and then the bounds are applied. */
static void
pass_day(int day, size_t calls, size_t left, const char *text)
{
	struct err err;

	fake_us = noon.now_us + day * INT64_C(86400000000) + 3600 * INT64_C(1000000);
	add_rows(day, calls);
	assert_true(history_prune(history, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(count(history, ""), left);
}

/* The age counts from calls of an earlier day, so one call under a wrong clock makes none old. */
static void
test_wrong_clock_drops_nothing(void **state)
{
	history_destroy(history);
	history = history_create(&(struct history_options){ .path = path, .wall_us = fake_clock });
	pass_day(0, 5, 5, "");
	pass_day(500, 1, 6, "");
	pass_day(500, 3, 9, "");
	pass_day(-9000, 1, 10, "");
	pass_day(1, 5, 14, "");
	pass_day(501, 6, 10, "the history dropped 10 of 20 calls: they were over 365 days old");
}

/* A few at a time are what one expects. */
static void
test_few_old_calls_go_quietly(void **state)
{
	history_destroy(history);
	history = history_create(&(struct history_options){ .path = path, .wall_us = fake_clock });
	pass_day(0, 2, 2, "");
	pass_day(300, 18, 20, "");
	pass_day(366, 1, 21, "");
	pass_day(367, 1, 20, "");
}

/* As `mcpane call` does it, once. */
static void
call_briefly(void)
{
	wire_close(&wire);
	struct history *brief = history_create(&(struct history_options){
	    .path = path, .wall_us = fake_clock, .brief = true, .tell = tell });
	connect(brief);
	assert_int_not_equal(call("{}", GOOD), 0);
	history_destroy(brief);
}

static void
test_brief_program_drops_old_calls(void **state)
{
	add_rows(-500, 3);
	add_rows(-400, 1200);
	fake_us = noon.now_us + 3600 * INT64_C(1000000);
	call_briefly();
	assert_int_equal(
	    count(history, ""), 1204); /* the newest call of an earlier day is one of them */
	fake_us += INT64_C(86400000000);
	call_briefly();
	assert_int_equal(count(history, ""), 205);
	assert_int_equal(count(history, "before:2025-04"), 0); /* the oldest went first */
	assert_string_equal(
	    told, "the history dropped 1000 of 1205 calls: they were over 365 days old");
	call_briefly();
	call_briefly();
	assert_int_equal(count(history, ""), 4);
	run_sql("CREATE TEMP TABLE t(x CHECK(x=4)); INSERT INTO t SELECT count(*) FROM body");
}

/* The last program to close empties the log; otherwise every later program reads and copies all of
 * it. */
static void
test_brief_programs_keep_the_log_short(void **state)
{
	char *log = mem_printf("%s-wal", path);
	struct stat st;
	off_t most = 0;

	wire_close(&wire);
	history_destroy(history);
	history = NULL;
	connect(NULL);
	for (int i = 0; i < 400; i++) {
		call_briefly();
		assert_int_equal(stat(log, &st), 0);
		most = st.st_size > most ? st.st_size : most;
	}
	assert_in_range(most, 500000, 1100000);
	free(log);
}

/* ---- files that are not as they should be ---- */

static void
close_all(void)
{
	wire_close(&wire);
	history_destroy(history);
}

static void
open_all(void)
{
	history = open_history();
	connect(history);
}

static void
test_damaged_file_is_put_aside(void **state)
{
	static const char junk[] = "this is no database, but it is the user's";

	for (int i = 0; i < 2; i++) {
		close_all();
		assert_true(path_write_file(path, junk, sizeof(junk), NULL));
		open_all();
		call("{}", GOOD);
		assert_int_equal(count(history, ""), 1);
		assert_true(file_has(i == 0 ? "history.db.broken" : "history.db.broken2", junk));
		assert_non_null(strstr(told, "was damaged: it is now "));
	}
}

static void
fill_and_damage(long page, long end)
{
	for (int i = 0; i < 300; i++)
		call("{'text':'a call among others, to fill pages'}", GOOD);
	close_all();
	FILE *f = fopen(path, "r+");
	assert_non_null(f);
	for (; page < end; page++) {
		assert_int_equal(fseek(f, page * 4096, SEEK_SET), 0);
		for (int i = 0; i < 4096; i++)
			fputc(0xa5, f);
	}
	fclose(f);
	open_all();
}

/* The header is intact, so the file opens, but a later page is damaged. */
static void
test_damage_found_later(void **state)
{
	fill_and_damage(2, 20);
	uint64_t id = call("{}", GOOD);
	struct history_call row = find(id);
	history_finish(&row);
	assert_int_equal(count(history, ""), 1);
	assert_true(file_has("history.db.broken", "SQLite format 3"));
}

/* Old rows are damaged, so the call is kept, and the job that looks for the oldest finds it. */
static void
test_damage_found_by_a_job_is_told(void **state)
{
	fill_and_damage(20, 28);
	told[0] = '\0';
	assert_int_not_equal(call("{}", GOOD), 0);
	assert_true(file_has("history.db.broken", "SQLite format 3"));
	assert_non_null(strstr(told, "was damaged: it is now "));
}

static void
test_newer_and_foreign_files_are_left_alone(void **state)
{
	static const struct {
		const char *sql, *why;
	} cases[] = { { "PRAGMA user_version=1000", "it was written by a newer mcpane" },
		{ "PRAGMA application_id=1", "it is a database of another program" } };

	call("{}", GOOD);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		close_all();
		run_sql(cases[i].sql);
		open_all();
		told[0] = '\0';
		assert_int_equal(call("{}", GOOD), 0); /* not kept */
		assert_non_null(strstr(told, cases[i].why));
		assert_non_null(strstr(history_host.off(history), cases[i].why));
		assert_int_equal(count(history, ""), 0);
		run_sql("SELECT count(*) FROM call"); /* still there */
	}
	assert_false(file_has("history.db.broken", ""));
}

/* A view may never end, and a trigger is a program: neither runs. */
static void
test_views_and_triggers_never_run(void **state)
{
	static const char endless[] =
	    "DROP TABLE call; CREATE VIEW call AS WITH RECURSIVE x(id) AS (SELECT 1 UNION ALL "
	    "SELECT 1 FROM x) SELECT id, id AS server, id AS key FROM x WHERE id=2";
	static const char *const planted[] = {
		endless,
		"CREATE TRIGGER t AFTER INSERT ON call BEGIN DELETE FROM body; END",
		"CREATE TABLE other(x)",
		"CREATE VIRTUAL TABLE other USING fts5(x)",
	};

	for (size_t i = 0; i < ARRAY_LEN(planted); i++) {
		assert_int_not_equal(call("{}", GOOD), 0);
		close_all();
		run_sql(planted[i]);
		open_all();
		told[0] = '\0';
		assert_int_equal(call("{}", GOOD), 0);
		assert_non_null(strstr(told, "it has views, triggers or tables that mcpane does "));
		assert_int_equal(count(history, ""), 0);
		close_all();
		assert_int_equal(unlink(path), 0);
		open_all();
	}
}

/* No program of ours writes them; a damaged file may have them. */
static void
test_ids_that_are_none(void **state)
{
	call("{}", GOOD);
	run_sql("INSERT INTO call(id, state, kind, verdict) VALUES(0,1,0,1),(-1,1,0,1);"
		"INSERT INTO body(id) VALUES(0),(-1)");
	assert_int_equal(count(history, ""), 1);
	assert_int_equal(count(history, "-nothing"), 1);
	assert_false(history_host.find(history, 0, true, &(struct history_call){ 0 }));
	run_sql("DELETE FROM call WHERE id>0");
	close_all();
	open_all();
	assert_int_equal(count(history, ""), 0);
	assert_int_not_equal(call("{}", GOOD), 0);
	assert_int_equal(count(history, ""), 1);
	assert_string_equal(told, "");
}

/* A file as the first version made it, with one call. */
static const char version_1[] =
    "PRAGMA journal_mode=WAL;"
    "CREATE TABLE call(id INTEGER PRIMARY KEY, server TEXT, kind INTEGER, key TEXT, uri TEXT,"
    " state INTEGER, verdict INTEGER, is_error INTEGER, pinned INTEGER, took_us INTEGER,"
    " bytes INTEGER, held INTEGER, name TEXT, arguments TEXT, text TEXT, error TEXT);"
    "CREATE INDEX call_of ON call(server, kind, key, id);"
    "CREATE TABLE body(id INTEGER PRIMARY KEY, label TEXT, error_code INTEGER, hash TEXT,"
    " arguments TEXT, reply BLOB);"
    "CREATE TABLE definition(hash TEXT PRIMARY KEY, json TEXT) WITHOUT ROWID;"
    "PRAGMA application_id=1835233384;PRAGMA user_version=1;"
    "INSERT INTO call VALUES(1828085760000001,'test',0,'rows',NULL,1,1,0,1,2500,99,500,'old one',"
    "'{\"limit\":1}','three rows',NULL);"
    "INSERT INTO body VALUES(1828085760000001,'old label',0,NULL,'{\"limit\":1}',"
    "'{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"three rows, far behind\"}]}}');";

static void
test_older_file_is_upgraded(void **state)
{
	struct history_call row;

	close_all();
	run_sql(version_1);
	open_all();
	assert_int_equal(count(history, ""), 1);
	assert_int_equal(count(history, "far"), 1); /* not in the beginning of the text */
	assert_int_equal(count(history, "pinned:yes old"), 1);
	row = find(UINT64_C(1828085760000001));
	assert_string_equal(row.label, "old label");
	assert_string_equal(row.name, "old one");
	assert_int_equal(row.took_us, 2500);
	history_finish(&row);
	assert_int_not_equal(call("{}", GOOD), 0);
	assert_int_equal(count(history, ""), 2);
	assert_string_equal(told, "");
	run_sql("SELECT more FROM call");
}

/* The second one finds it upgraded, or waits. */
static void
test_two_programs_upgrade_one_file(void **state)
{
	pid_t children[2];

	for (int round = 0; round < 10; round++) {
		close_all();
		unlink(path);
		run_sql(version_1);
		for (int i = 0; i < 2; i++) {
			children[i] = fork();
			if (children[i] != 0)
				continue;
			open_all();
			bool kept = call("{}", GOOD) != 0;
			close_all();
			_exit(!kept || told[0]);
		}
		for (int i = 0; i < 2; i++) {
			int status;
			assert_int_equal(waitpid(children[i], &status, 0), children[i]);
			assert_int_equal(status, 0);
		}
		open_all();
		assert_int_equal(count(history, ""), 3);
	}
}

/* Existing calls can be read, and new ones are stored when there is space again. */
static void
test_full_disk(void **state)
{
	struct rlimit none, old;

	signal(SIGXFSZ, SIG_IGN);
	call("{}", GOOD);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none = old;
	none.rlim_cur = 1;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	call("{'lost':1}", GOOD);
	call("{'lost':2}", GOOD);
	size_t kept = count(history, "");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_non_null(strstr(told, "the history cannot be written: "));
	assert_int_equal(kept, 1);
	assert_null(history_host.off(history));
	assert_int_not_equal(call("{}", GOOD), 0);
	assert_int_equal(count(history, ""), 2);
	assert_false(file_has("history.db.broken", ""));
}

/* Everything may be forbidden to root, so another user tries. */
static void
test_read_only_file(void **state)
{
	call("{}", GOOD);
	call("{}", GOOD);
	close_all();
	if (geteuid() == 0) {
		assert_int_equal(chown(folder, 65534, 65534), 0);
		assert_int_equal(chown(path, 65534, 65534), 0);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(chmod(path, 0400), 0);
		assert_int_equal(chmod(folder, i == 0 ? 0700 : 0500), 0);
		pid_t child = fork();
		if (child == 0) {
			if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0))
				_exit(9);
			open_all();
			told[0] = '\0';
			bool read = count(history, "") == 2;
			call("{}", GOOD);
			_exit(i == 0 && !read ? 1 : told[0] ? 0 : 2);
		}
		int status;
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	assert_int_equal(chmod(folder, 0700), 0);
	assert_int_equal(chmod(path, 0600), 0);
	if (geteuid() == 0)
		assert_int_equal(chown(path, 0, 0), 0);
	open_all();
	assert_int_equal(count(history, ""), 2);
}

static void
test_symbolic_link_is_refused(void **state)
{
	char *target = mem_printf("%s/elsewhere", folder);

	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(call("{}", GOOD), 0);
	assert_string_equal(
	    told, "no history: history.db: it is a symbolic link, which is not followed");
	assert_int_not_equal(access(target, F_OK), 0);
	free(target);
	close_all();
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	open_all();
	assert_int_equal(call("{}", GOOD), 0);
	assert_string_equal(told, "no history: history.db: it is not a regular file");
}

/* Another program holds the file: the call waits for it. */
static void
test_locked_file(void **state)
{
	sqlite3 *db;
	int pipe_fds[2];
	char byte;

	call("{}", GOOD);
	assert_int_equal(pipe(pipe_fds), 0);
	pid_t child = fork();
	if (child == 0) {
		sqlite3_open(path, &db);
		sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
		(void)!write(pipe_fds[1], "x", 1);
		usleep(200000);
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
		_exit(0);
	}
	assert_int_equal(read(pipe_fds[0], &byte, 1), 1);
	assert_int_not_equal(call("{}", GOOD), 0);
	assert_int_equal(count(history, ""), 2);
	assert_string_equal(told, "");
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void
test_calls_of_one_moment(void **state)
{
	struct err err;
	struct history_call row = find(call("{}", GOOD));

	assert_true(history_add(history, &row, &err));
	assert_true(history_add(history, &row, &err));
	assert_int_equal(count(history, ""), 3);
	history_finish(&row);
}

static void
test_two_programs_write_one_file(void **state)
{
	pid_t children[2];

	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (children[i] != 0)
			continue;
		close_all();
		open_all();
		for (int k = 0; k < 200; k++)
			call("{}", GOOD);
		close_all();
		_exit(told[0] != '\0');
	}
	for (int i = 0; i < 2; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count(history, ""), 400);
}

static void
add_big(struct buf *answer, size_t len)
{
	buf_add_str(answer, "'result':{'content':[{'type':'text','text':'");
	while (answer->len < len)
		buf_add_str(answer, "xxxxxxxx");
	buf_add_str(answer, "'}],'structuredContent':{'n':3}}");
}

/* The call is there at once, its reply when the jobs have run: here at the end. */
static void
test_big_reply_follows(void **state)
{
	struct buf answer = BUF_INIT;

	wire_close(&wire);
	struct history *brief =
	    history_create(&(struct history_options){ .path = path, .brief = true });
	connect(brief);
	add_big(&answer, 100000);
	uint64_t id = call("{}", buf_text(&answer));
	struct history_call row = find(id);
	assert_null(row.reply);
	assert_in_range(row.bytes, 100000, 110000);
	assert_int_equal(row.verdict, VERDICT_VALID);
	history_finish(&row);
	assert_true(history_host.change(history, id, HISTORY_NAME, "mine", &(struct err){ "" }));
	history_destroy(brief);
	row = find(id);
	assert_int_equal(row.reply_len, row.bytes);
	assert_string_equal(row.name, "mine");
	assert_int_equal(count(history, ""), 1);
	history_finish(&row);
	buf_finish(&answer);
}

static void
hold(void *user, struct job *job)
{
	*(struct job **)user = job;
}

static void
on_checked(void *user)
{
}

/* It ended, so it is there, while a job checks its result; the verdict comes later. */
static void
test_verdict_follows(void **state)
{
	struct buf answer = BUF_INIT;
	struct job *check = NULL;

	server_use_jobs(wire.server, hold, on_checked, &check);
	add_big(&answer, 300000);
	struct history_call row = find(call("{}", buf_text(&answer)));
	assert_non_null(check);
	assert_int_equal(row.verdict, VERDICT_UNDECIDED);
	assert_int_equal(row.reply_len, row.bytes);
	check->run(check);
	check->done(check);
	uint64_t id = row.id;
	history_finish(&row);
	row = find(id);
	assert_int_equal(row.verdict, VERDICT_VALID);
	assert_int_equal(row.reply_len, row.bytes);
	assert_int_equal(count(history, ""), 1);
	history_finish(&row);
	buf_finish(&answer);
}

/* A child writes the number of each call that has ended, until it is killed at any moment. */
static void
test_kill_loses_no_finished_call(void **state)
{
	size_t finished = 0, seed = 1;

	for (int round = 0; round < 200; round++) {
		int pipe_fds[2];
		char byte;
		assert_int_equal(pipe(pipe_fds), 0);
		pid_t child = fork();
		if (child == 0) {
			close_all();
			open_all();
			while (call("{}", GOOD) != 0)
				if (write(pipe_fds[1], "x", 1) != 1)
					break;
			_exit(0);
		}
		close(pipe_fds[1]);
		assert_int_equal(read(pipe_fds[0], &byte, 1), 1);
		finished++;
		seed = seed * 1103515245 + 12345;
		usleep((useconds_t)(seed / 65536 % 5000));
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		while (read(pipe_fds[0], &byte, 1) == 1)
			finished++;
		close(pipe_fds[0]);
	}
	assert_in_range(count(history, ""), finished, finished + 200);
	assert_string_equal(told, "");
}

static void
test_off_touches_nothing(void **state)
{
	wire_close(&wire);
	history_destroy(history);
	history = history_create(&(struct history_options){ .path = path, .off = true });
	connect(history);
	assert_int_equal(call("{}", GOOD), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_string_equal(history_host.off(history), "the history is switched off");
}

/* Each refused call costs nothing that stays. */
static void
test_refused_rows_leave_nothing(void **state)
{
	struct history_call row;
	struct err err;
	sqlite3 *db = NULL;

	row = (struct history_call){ .id = 1 << 10 };
	char text[] = "x";
	row.server = row.label = row.key = row.text = text;
	row.arguments = mem_printf("{\"a\":\"%01000d\"}", 7);
	assert_true(history_add(history, &row, &err));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "ALTER TABLE call RENAME COLUMN uri TO u", NULL, NULL, NULL),
	    SQLITE_OK);
	size_t before = 0;
	for (int i = 0; i < 1100; i++) {
		before = i == 100 ? mallinfo2().uordblks : before;
		assert_false(history_add(history, &row, &err));
	}
	assert_in_range(mallinfo2().uordblks, 0, before + 100000);
	free(row.arguments);
	sqlite3_close(db);
}

TEST_FILE(history)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(test_row_has_all_of_the_call),
		T(test_file_is_private),
		T(test_secrets_never_reach_the_file),
		T(test_secret_deep_in_a_long_array),
		T(test_past_call_is_as_it_was),
		T(test_filter),
		T(test_wrong_words),
		T(test_whole_texts_are_searched),
		T(test_each_call),
		T(test_name_pin_and_remove),
		T(test_last_event_of_a_commit_is_its_time),
		T(test_last_call),
		T(test_bounds_spare_what_is_pinned),
		T(test_wrong_clock_drops_nothing),
		T(test_few_old_calls_go_quietly),
		T(test_brief_program_drops_old_calls),
		T(test_brief_programs_keep_the_log_short),
		T(test_damaged_file_is_put_aside),
		T(test_damage_found_later),
		T(test_damage_found_by_a_job_is_told),
		T(test_newer_and_foreign_files_are_left_alone),
		T(test_views_and_triggers_never_run),
		T(test_ids_that_are_none),
		T(test_older_file_is_upgraded),
		T(test_two_programs_upgrade_one_file),
		T(test_full_disk),
		T(test_read_only_file),
		T(test_symbolic_link_is_refused),
		T(test_locked_file),
		T(test_calls_of_one_moment),
		T(test_two_programs_write_one_file),
		T(test_big_reply_follows),
		T(test_verdict_follows),
		T(test_kill_loses_no_finished_call),
		T(test_off_touches_nothing),
		T(test_refused_rows_leave_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
