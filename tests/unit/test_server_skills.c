/* SPDX-License-Identifier: MIT */
/* Skills of a server: entries asked for, names that two have, consent and what revokes it. */
#include "base/mem.h"
#include "client/skills.h"
#include "pane/pane.h"
#include "quoted.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define D1 "sha256:1111111111111111111111111111111111111111111111111111111111111111"
#define D2 "sha256:2222222222222222222222222222222222222222222222222222222222222222"
#define ENTRY(path, digest)                                                                  \
	"{'uri':'skill://" path "/n/SKILL.md','frontmatter':{'name':'n','description':'d'}," \
	"'resources':[{'uri':'skill://" path "/n/SKILL.md','digest':'" digest "','size':3}]}"

static const struct server_options options = { .session = { .era = ERA_LEGACY } };

static void
open_with(struct wire *w, const char *settings, const char *skills)
{
	char line[4000];

	wire_open(w, &options);
	wire_start(w);
	snprintf(line, sizeof(line),
	    "'result':{'protocolVersion':'2025-11-25','capabilities':{'resources':{},'extensions':{"
	    "'io.modelcontextprotocol/skills':%s}},'serverInfo':{'name':'s','version':'1'}}",
	    settings);
	wire_answer(w, "initialize", line);
	snprintf(line, sizeof(line), "'result':{'skills':[%s]}", skills);
	wire_answer(w, "skills/list", line);
}

static void
test_names(void **state)
{
	struct wire w;
	bool several;

	open_with(&w, "{}", ENTRY("a", D1) "," ENTRY("b", D1));
	assert_int_equal(server_skill_count(w.server), 2);
	assert_null(server_skill_find(w.server, "n", &several));
	assert_true(several);
	assert_string_equal(
	    server_skill_find(w.server, "b/n", &several)->key, "skill://b/n/SKILL.md");
	assert_string_equal(server_skill_find(w.server, "skill://a/n/SKILL.md", &several)->key,
	    "skill://a/n/SKILL.md");
	assert_null(server_skill_find(w.server, "c", &several));
	assert_false(several);
	assert_int_equal(wire_count(&w, "resources/read"), 0);
	wire_close(&w);
}

/* An entry that was asked for takes the place of the listed one, until the list is renewed. */
static void
test_consent(void **state)
{
	struct wire w;
	struct err err;
	bool several;

	open_with(&w, "{}", ENTRY("a", D1));
	const struct primitive *p = server_skill_at(w.server, 0);
	assert_false(server_skill_is_approved(w.server, p));
	assert_true(server_skill_approve(w.server, p, &err));
	assert_true(server_skill_is_approved(w.server, p));
	assert_true(server_skill_get(w.server, p->key, w.now_us, &err));
	assert_true(server_skills(w.server).asking);
	wire_answer(&w, "skills/get", "'result':{'skill':" ENTRY("a", D2) "}");
	assert_int_equal(server_skill_count(w.server), 1);
	p = server_skill_at(w.server, 0);
	assert_false(server_skill_is_approved(w.server, p));
	assert_true(server_skill_approve(w.server, p, &err));
	server_relist(w.server, w.now_us);
	wire_answer(&w, "skills/list", "'result':{'skills':[" ENTRY("a", D1) "]}");
	p = server_skill_find(w.server, "n", &several);
	assert_false(server_skill_is_approved(w.server, p));
	server_skill_approve(w.server, p, &err);
	server_skill_revoke(w.server, p);
	assert_false(server_skill_is_approved(w.server, p));
	wire_close(&w);
}

static void
test_unlisted(void **state)
{
	struct wire w;
	struct err err;

	open_with(&w, "{}", "");
	assert_true(server_skill_get(w.server, "skill://x/n/SKILL.md", w.now_us, &err));
	wire_answer(&w, "skills/get", "'error':{'code':-32602,'message':'none'}");
	assert_string_equal(server_skills(w.server).trouble, "skills/get: none");
	assert_true(server_skill_get(w.server, "skill://x/n/SKILL.md", w.now_us, &err));
	assert_string_equal(server_skills(w.server).trouble, "");
	wire_answer(&w, "skills/get", "'result':{'skill':3}");
	assert_string_equal(server_skills(w.server).trouble, "skills/get: the result has no skill");
	assert_true(server_skill_get(w.server, "skill://x/n/SKILL.md", w.now_us, &err));
	wire_answer(&w, "skills/get", "'result':{'skill':" ENTRY("y", D1) "}");
	assert_string_equal(
	    server_skills(w.server).trouble, "skills/get: the result is another skill");
	assert_int_equal(server_skill_count(w.server), 0);
	assert_true(server_skill_get(w.server, "skill://x/n/SKILL.md", w.now_us, &err));
	wire_answer(&w, "skills/get", "'result':{'skill':" ENTRY("x", D1) "}");
	assert_int_equal(server_skill_count(w.server), 1);
	wire_close(&w);
}

static void
test_folders(void **state)
{
	struct wire w;
	struct err err;

	open_with(&w, "{}", ENTRY("a", D1));
	assert_false(
	    server_skill_browse(w.server, server_skill_at(w.server, 0), "./", w.now_us, &err));
	assert_string_equal(err.text, "the server cannot list a folder: no directoryRead");
	wire_close(&w);
	open_with(&w, "{'directoryRead':true}", ENTRY("a", D1));
	assert_true(
	    server_skill_browse(w.server, server_skill_at(w.server, 0), "./", w.now_us, &err));
	assert_non_null(strstr(wire_last(&w), "\"uri\":\"skill://a/n\""));
	wire_answer(&w, "resources/directory/read",
	    "'result':{'resources':[{'uri':'skill://a/n/x','name':'x'}],'nextCursor':'2'}");
	assert_non_null(strstr(wire_last(&w), "\"uri\":\"skill://a/n\",\"cursor\":\"2\""));
	wire_answer(&w, "resources/directory/read",
	    "'result':{'resources':[{'uri':'skill://a/n/y','name':'y'}]}");
	assert_int_equal(server_skills(w.server).files->list.len, 2);
	wire_close(&w);
}

/* Content is used only if it is verified and its skill approved. */
static void
test_use(void **state)
{
	struct wire w;
	struct err err;

	open_with(&w, "{}", ENTRY("a", D1));
	const struct primitive *p = server_skill_at(w.server, 0);
	uint64_t id = server_ask(w.server, p, "{}", 2, w.now_us, NULL);
	assert_false(server_skill_may_use(w.server, server_find_call(w.server, id), &err));
	wire_answer(&w, "resources/read",
	    "'result':{'contents':[{'uri':'skill://a/n/SKILL.md','text':'abc'}]}");
	server_skill_approve(w.server, p, &err);
	const struct call *c = server_skill_call(w.server, p, p->key);
	assert_int_equal(c->id, id);
	assert_int_equal(c->skill.state, SKILL_FAILED);
	assert_false(server_skill_may_use(w.server, c, &err));
	assert_non_null(strstr(err.text, "its digest is sha256:"));
	assert_null(server_skill_call(w.server, p, "skill://a/n/other"));
	wire_close(&w);
}

/* ---- a file with a digest that is right ---- */

static char *
entry_of(const char *text, const char *description)
{
	char hex[SHA256_HEX];
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, text, strlen(text));
	sha256_end_hex(&h, hex);
	return mem_printf("{'uri':'skill://a/n/SKILL.md','frontmatter':{'name':'n','description':"
			  "'%s'},'resources':[{'uri':'skill://a/n/SKILL.md','digest':'" D1
			  "','size':3},{'uri':'skill://a/n/x','digest':'sha256:%s','size':%zu}]}",
	    description, hex, strlen(text));
}

static const struct call *
read_x(struct wire *w, const char *text)
{
	static const char file[] = "{\"file\":\"x\"}";
	const struct primitive *p = server_skill_at(w->server, 0);
	uint64_t id = server_ask(w->server, p, file, strlen(file), w->now_us, NULL);
	char *answer =
	    mem_printf("'result':{'contents':[{'uri':'skill://a/n/x','text':'%s'}]}", text);

	wire_answer(w, "resources/read", answer);
	free(answer);
	return server_find_call(w->server, id);
}

static void
on_checked(void *user)
{
	++*(int *)user;
}

static struct job *waiting;

static void
submit(void *user, struct job *job)
{
	assert_null(waiting);
	waiting = job;
}

/* A big file is compared in a job; until then it cannot be used. */
static void
test_big(void **state)
{
	enum { BIG = 300000 };
	struct wire w;
	struct err err;
	int checked = 0;
	char *text = mem_zalloc(BIG + 1);

	memset(text, 'x', BIG);
	char *entry = entry_of(text, "d");
	open_with(&w, "{}", entry);
	server_use_jobs(w.server, submit, on_checked, &checked);
	for (int i = 0; i < 2; i++) {
		const struct call *c = read_x(&w, text);
		assert_int_equal(c->state, CALL_DONE);
		assert_int_equal(c->skill.state, SKILL_CHECKING);
		server_skill_approve(w.server, server_skill_at(w.server, 0), &err);
		assert_false(server_skill_may_use(w.server, c, &err));
		assert_non_null(strstr(err.text, "its digest is being made"));
		assert_null(server_skill_read_before(
		    w.server, server_skill_at(w.server, 0), "skill://a/n/x"));
		struct job *job = waiting;
		waiting = NULL;
		job->run(job);
		job_end(job);
		assert_int_equal(checked, i + 1);
		assert_int_equal(c->skill.state, i == 0 ? SKILL_VERIFIED : SKILL_FAILED);
		text[BIG / 2] = 'y';
	}
	read_x(&w, text);
	wire_close(&w); /* while it is being compared */
	assert_true(job_is_stopped(waiting));
	job_end(waiting);
	free(entry);
	free(text);
}

/* A file that was read is not read again, unless a list or an entry may have changed. */
static void
test_read_before(void **state)
{
	struct wire w;
	struct err err;
	char *entry = entry_of("abc", "d"), *other = entry_of("abc", "e");

	open_with(&w, "{}", entry);
	const struct primitive *p = server_skill_at(w.server, 0);
	assert_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	const struct call *c = read_x(&w, "abc");
	assert_ptr_equal(server_skill_read_before(w.server, p, "skill://a/n/x"), c);
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/resources/list_changed'}");
	assert_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	read_x(&w, "abc");
	assert_non_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	assert_true(server_skill_get(w.server, p->key, w.now_us, &err));
	char *answer = mem_printf("'result':{'skill':%s}", other);
	wire_answer(&w, "skills/get", answer);
	p = server_skill_at(w.server, 0);
	assert_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	read_x(&w, "abc");
	assert_non_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	server_relist(w.server, w.now_us);
	assert_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	read_x(&w, "abd"); /* differs from its entry: it is read again */
	assert_null(server_skill_read_before(w.server, p, "skill://a/n/x"));
	free(answer);
	free(entry);
	free(other);
	wire_close(&w);
}

/* An entry of any shape is listed with its problem. */
static void
test_odd_entries(void **state)
{
	struct wire w;
	struct workspace ws;
	struct grid grid;
	struct buf text = BUF_INIT;
	struct view pane;

	open_with(
	    &w, "{}", "{'uri':'skill://a/n/SKILL.md','frontmatter':['x',5],'resources':[3,{}]}");
	workspace_init(&ws);
	ws.server = w.server;
	const struct view_env env = { .ws = &ws, .now_us = w.now_us };
	grid_init(&grid, 100, 30);
	view_init(&pane, &pane_skills);
	pane_skills.sync(pane.state, &env);
	pane_skills.draw(pane.state, &env, surface_whole(&grid));
	grid_to_text(&grid, &text);
	assert_non_null(strstr(buf_text(&text), "frontmatter must be an object"));
	buf_finish(&text);
	grid_finish(&grid);
	view_finish(&pane);
	ws.server = NULL;
	workspace_finish(&ws);
	wire_close(&w);
}

TEST_FILE(server_skills)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_consent),
		cmocka_unit_test(test_unlisted),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_use),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_read_before),
		cmocka_unit_test(test_odd_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
