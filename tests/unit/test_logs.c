/* SPDX-License-Identifier: MIT */
/* The server's log, its filter and pane, and watched resources. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/filter.h"
#include "client/notices.h"
#include "pane_alone.h"
#include "test.h"
#include "wire.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void
add(struct logs *l, const char *params)
{
	struct json_doc *doc = json_parse(params, strlen(params), NULL, NULL);

	assert_non_null(doc);
	logs_add(l, json_root(doc), 7);
	json_doc_destroy(doc);
}

static void
test_entries(void **state)
{
	struct logs l = { 0 };

	add(&l, "{\"level\":\"error\",\"logger\":\"db\",\"data\":{\"a\": [1, 2.50]}}");
	add(&l, "{\"level\":\"loud\",\"data\":null}");
	add(&l, "{}");
	add(&l, "[]");
	add(&l, "{\"level\":7,\"logger\":[],\"data\":\"\\u0000\"}");
	assert_int_equal(l.len, 5);
	assert_int_equal(l.unseen, 1);
	const struct log_entry *e = logs_find(&l, 1);
	assert_int_equal(e->level, LOG_LEVEL_ERROR);
	assert_string_equal(e->logger, "db");
	assert_string_equal(e->data, "{\"a\":[1,2.50]}");
	assert_false(e->is_text);
	assert_string_equal(logs_find(&l, 2)->level_name, "loud");
	assert_int_equal(logs_find(&l, 2)->level, LOG_LEVEL_NONE);
	assert_string_equal(logs_find(&l, 2)->data, "null");
	assert_string_equal(logs_find(&l, 3)->data, "");
	assert_null(logs_find(&l, 4)->logger);
	add(&l, "{\"data\":\"a \\\"word\\\"\"}");
	assert_string_equal(logs_find(&l, 6)->data, "a \"word\"");
	assert_true(logs_find(&l, 6)->is_text);
	assert_null(logs_find(&l, 7));
	assert_null(logs_find(&l, 0));
	logs_clear(&l);
	assert_null(logs_find(&l, 5));
	add(&l, "{}");
	assert_non_null(logs_find(&l, 7));
	logs_finish(&l);
}

/* However much a server logs, memory is bounded, and the newest is there. */
static void
test_bounds(void **state)
{
	struct logs l = { 0 };
	struct buf big = BUF_INIT;

	for (int i = 0; i < 3 * LOGS_MAX; i++)
		add(&l, "{\"level\":\"info\",\"data\":1}");
	assert_true(l.len <= LOGS_MAX);
	assert_int_equal(l.len + l.evicted, 3 * LOGS_MAX);
	assert_non_null(logs_find(&l, l.last_id));
	assert_null(logs_find(&l, 1));
	buf_add_str(&big, "{\"data\":\"");
	for (size_t i = 0; i < LOGS_MAX_BYTES / 4; i++)
		buf_add_char(&big, 'x');
	buf_add_str(&big, "\"}");
	for (int i = 0; i < 8; i++)
		add(&l, buf_text(&big));
	assert_true(l.bytes <= LOGS_MAX_BYTES + LOGS_MAX_BYTES / 3);
	assert_non_null(logs_find(&l, l.last_id));
	buf_finish(&big);
	logs_finish(&l);
}

static void
test_filter(void **state)
{
	static const struct {
		const char *filter;
		bool first, second; /* of the messages below */
	} rows[] = {
		{ "", true, true },
		{ "  ", true, true },
		{ "level:warning", true, false },
		{ "level:warn", true, false },
		{ "level:debug", true, true },
		{ "-level:error", false, true },
		{ "level:nonsense", false, false },
		{ "logger:DB", true, false },
		{ "-logger:db", false, true },
		{ "HELLO", true, true },
		{ "hello -db", false, true },
		{ "info", false, true },
		{ "absent", false, false },
		{ "-", false, false },
	};
	struct logs l = { 0 };

	add(&l, "{\"level\":\"error\",\"logger\":\"db\",\"data\":\"hello\"}");
	add(&l, "{\"level\":\"info\",\"data\":{\"k\":\"Hello\"}}");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct filter f = { 0 };
		filter_set(&f, log_words, rows[i].filter, NULL);
		if (filter_matches(&f, &l.items[0]) != rows[i].first ||
		    filter_matches(&f, &l.items[1]) != rows[i].second)
			fail_msg("filter \"%s\"", rows[i].filter);
		filter_finish(&f);
	}
	logs_finish(&l);
}

/* ---- a server that logs ---- */

static const char hello[] = "'result':{'protocolVersion':'2025-11-25','capabilities':{'logging':{},"
			    "'resources':{'subscribe':true}},'serverInfo':{'name':'s','version':"
			    "'1'}}";

static void
start(struct wire *w)
{
	wire_start(w);
	wire_answer(w, "initialize", hello);
}

static const struct server_options legacy = { .session = { .era = ERA_LEGACY } };

static void
test_server_log(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	assert_false(server_set_log_level(w.server, LOG_LEVEL_INFO, w.now_us));
	start(&w);
	assert_int_equal(wire_count(&w, "logging/setLevel"), 1);
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'alert',"
		     "'data':1}}");
	assert_int_equal(server_info(w.server)->logs->len, 1);
	assert_int_equal(server_info(w.server)->logs->unseen, 1);
	uint64_t before = server_generation(w.server);
	server_logs_seen(w.server);
	assert_true(server_generation(w.server) > before);
	before = server_generation(w.server);
	server_logs_seen(w.server);
	assert_int_equal(server_generation(w.server), before);
	assert_true(server_set_log_level(w.server, LOG_LEVEL_ERROR, w.now_us));
	assert_int_equal(wire_count(&w, "logging/setLevel"), 2);
	assert_non_null(strstr(wire_last(&w), "\"error\""));
	/* also of the session after this one */
	wire_end(&w, "gone");
	start(&w);
	assert_int_equal(wire_count(&w, "logging/setLevel"), 3);
	assert_int_equal(server_info(w.server)->logs->len, 1);
	server_logs_clear(w.server);
	assert_int_equal(server_info(w.server)->logs->len, 0);
	wire_close(&w);
}

static void
test_watched(void **state)
{
	static const char updated[] = "{'jsonrpc':'2.0','method':'notifications/resources/updated',"
				      "'params':{'uri':'x:a'}}";
	struct wire w;

	wire_open(&w, &legacy);
	assert_false(server_watch(w.server, "x:a", true, w.now_us));
	start(&w);
	assert_true(server_watch(w.server, "x:a", true, w.now_us));
	assert_int_equal(server_watch_state(w.server, "x:a"), WATCH_ASKED);
	wire_answer(&w, "resources/subscribe", "'result':{}");
	assert_int_equal(server_watch_state(w.server, "x:a"), WATCH_ON);
	assert_false(server_watch_changed(w.server, "x:a"));
	wire_say(&w, updated);
	wire_say(&w, updated);
	assert_true(server_watch_changed(w.server, "x:a"));
	assert_false(server_watch_changed(w.server, "x:b"));
	wire_end(&w, "gone");
	start(&w);
	assert_int_equal(wire_count(&w, "resources/subscribe"), 2);
	assert_true(server_watch(w.server, "x:a", false, w.now_us));
	assert_int_equal(wire_count(&w, "resources/unsubscribe"), 1);
	assert_int_equal(server_watch_state(w.server, "x:a"), WATCH_NONE);
	wire_close(&w);
}

/* ---- the pane ---- */

static char ran[64];

static bool
on_run(struct workbench *wb, const char *line)
{
	strncpy(ran, line, sizeof(ran) - 1);
	return true;
}

static void
press(struct view_env *env, struct view *pane, enum key_kind kind, uint32_t ch)
{
	const struct key key = { .kind = kind, .ch = ch };

	view_key(pane, env, &key);
}

static void
test_pane(void **state)
{
	struct pane_host host = { .run = on_run };
	struct workspace ws;
	struct wire w;
	struct view_env env = { .ws = &ws, .host = &host, .focused = true };
	struct view pane;

	wire_open(&w, &legacy);
	workspace_init(&ws);
	view_init(&pane, &pane_logs);
	assert_true(pane_alone_shows(&pane, &env, "no server is connected"));
	workspace_set_server(&ws, w.server);
	assert_true(pane_alone_shows(&pane, &env, "This server does not declare logging."));
	start(&w);
	assert_true(pane_alone_shows(&pane, &env, "No log messages yet."));
	for (int i = 0; i < 30; i++)
		wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':"
			     "'info','logger':'net','data':'early'}}");
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'error',"
		     "'logger':'db\\u001b[31m','data':{'key':'late'}}}");
	assert_true(pane_alone_shows(&pane, &env, "{\"key\":\"late\"}"));
	assert_int_equal(server_info(w.server)->logs->unseen, 0);
	press(&env, &pane, KEY_ENTER, 0);
	pane_alone_act(&pane, &env, "open-log", "");
	assert_true(pane_alone_shows(&pane, &env, "  \"key\": \"late\""));
	press(&env, &pane, KEY_UP, 0);
	assert_false(pane_alone_shows(&pane, &env, "  \"key\": \"late\""));
	press(&env, &pane, KEY_ESCAPE, 0);
	pane_alone_act(&pane, &env, "filter-logs", "level:error");
	assert_false(pane_alone_shows(&pane, &env, "early"));
	pane_alone_act(&pane, &env, "filter-logs", "zzz");
	assert_true(pane_alone_shows(&pane, &env, "nothing matches"));
	env.focused = false; /* there it would open the line to type in */
	pane_alone_act(&pane, &env, "filter-logs", "");
	pane_alone_act(&pane, &env, "log-more", "");
	assert_string_equal(ran, "log info");
	server_set_log_level(w.server, LOG_LEVEL_INFO, w.now_us);
	pane_alone_act(&pane, &env, "log-more", "");
	assert_string_equal(ran, "log debug");
	pane_alone_act(&pane, &env, "log-less", "");
	assert_string_equal(ran, "log notice");
	server_set_log_level(w.server, LOG_LEVEL_EMERGENCY, w.now_us);
	pane_alone_act(&pane, &env, "log-less", "");
	assert_string_equal(ran, "log none");
	pane_alone_act(&pane, &env, "clear-logs", "");
	assert_true(pane_alone_shows(&pane, &env, "No log messages yet."));
	view_finish(&pane);
	workspace_finish(&ws);
	wire_close(&w);
}

TEST_FILE(logs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_server_log),
		cmocka_unit_test(test_watched),
		cmocka_unit_test(test_pane),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
