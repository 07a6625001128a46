/* SPDX-License-Identifier: MIT */
/* read, get, complete, ping and the lists of every kind, as scripts use them, on the demo server.
 */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words are split at blanks. out, err: expected text; NULL: empty. */
static const struct {
	const char *line;
	int exit_code;
	const char *out, *err;
} rows[] = {
	{ "list resources --demo", 0, "\"resources\":[{\"uri\":\"demo://welcome\"", NULL },
	{ "list templates --demo", 0, "\"templates\":[{\"uriTemplate\":\"demo://reports/{month}\"",
	    NULL },
	{ "list prompts --demo", 0, "\"prompts\":[{\"name\":\"introduce\"", NULL },
	{ "read --demo demo://welcome", 0, "# Welcome\n\nThe demo", NULL },
	{ "read --demo demo://folder", 0,
	    "[resource text/markdown demo://notes/1]\n# Note\n\nThe first of two.\n"
	    "[resource application/octet-stream demo://files/hello.bin 17 bytes]\n",
	    NULL },
	{ "read --demo demo://notes/1", 0, "that no list has", NULL },
	{ "read --demo demo://counter --json", 0,
	    "{\"result\":{\"contents\":[{\"uri\":\"demo://counter\"", NULL },
	{ "read --demo demo://nowhere", 5, NULL, "the server has no such resource" },
	{ "read --demo demo://nowhere --era legacy", 5, NULL, "protocol error -32002" },
	{ "read --demo --json demo://nowhere", 5, "{\"error\":{\"code\":-32602", NULL },
	{ "read --demo demo://welcome --output /nonexistent/file", 1, NULL, "/nonexistent/file" },
	{ "get --demo introduce", 0, "[user]\nIntroduce yourself in two", NULL },
	{ "get --demo review_order order_id=7 tone=frank", 0, "Review order 7. Keep a frank tone.",
	    NULL },
	{ "get --demo plan_trip", 5, NULL, "The argument country is missing" },
	{ "get --demo nothing", 5, NULL, "there is no prompt nothing; there are: introduce" },
	{ "apps --demo", 0,
	    "{\"apps\":[{\"tool\":\"edit_orders\",\"resource\":\"ui://demo/edit_orders\",\"title\":"
	    "\"Edit "
	    "orders\",\"visibility\":[\"model\",\"app\"],\"listed\":false,\"mimeType\":\"text/"
	    "html;profile=mcp-app\",",
	    NULL },
	{ "apps --demo --era legacy --json", 0, "\"appOnlyTools\":[\"machine_stats\"]", NULL },
	{ "apps --demo --apps sometimes", 1, NULL, "--apps: unknown value \"sometimes\"" },
	{ "render --demo list_users", 5, NULL, "list_users has no app" },
	{ "render --demo plan_budgets --json", 5,
	    "{\"error\":{\"message\":", "did you mean plan_budget?" },
	{ "complete --demo prompt plan_trip city w country=Austria", 0, "Wien\n", NULL },
	{ "complete --demo template weather city l country=France --json", 0,
	    "{\"values\":[\"Lille\",\"Lyon\"],\"total\":2,\"hasMore\":false}", NULL },
	{ "complete --demo template demo://reports/{month} month ju", 0, "june\njuly\n", NULL },
	{ "complete --demo prompt review_order order_id 1", 0, "1001\n1002\n", "100 of 420" },
	{ "complete --demo prompt nothing x y", 0, NULL, NULL },
	{ "ping --demo", 0, "protocol 2026-07-28: server/discover in", NULL },
	{ "ping --demo --era legacy --json", 0, "{\"method\":\"ping\",\"ms\":", NULL },
	{ "call --demo list_users --trace --meta a=b --meta c:=[1]", 0, "Alice",
	    "mcpane: traceparent 00-" },
	{ "call --demo plan_trip by=train email=a@b.example class:=1 notes.a.b.c=1 notes.a.b.d=x "
	  "notes.a.l[0].k:=null --json",
	    0, "\"notes\":{\"a\":{\"b\":{\"c\":1,\"d\":\"x\"},\"l\":[{\"k\":null}]}}", NULL },
	{ "call --demo list_users --meta x", 1, NULL, "--meta: \"x\" is neither KEY=VALUE nor" },
	{ "read --demo demo://welcome --meta progressToken=1", 1, NULL,
	    "--meta: _meta: the protocol itself sets progressToken" },
	{ "get --demo introduce --meta {\"a\":1} --meta a=2", 1, NULL, "_meta: duplicate key" },
	{ "list skills --demo", 0, "\"skills\":[{\"uri\":\"skill://explain-verdict/SKILL.md\"",
	    NULL },
	{ "skill --demo explain-verdict", 1, NULL,
	    "content withheld: this skill is not approved; --approve approves it" },
	{ "skill --demo explain-verdict --approve", 0, "---\nname: explain-verdict\n",
	    "size and digest are those of the entry" },
	{ "skill --demo explain-verdict references/deep/steps.md --approve --json", 0,
	    "\"status\":\"verified\",\"reason\":\"size and digest are those of the entry\","
	    "\"approved\":true,\"result\":{\"contents\":[{\"uri\":\"skill://explain-verdict/"
	    "references/",
	    NULL },
	{ "skill --demo tampered-notes --approve", 7, NULL,
	    "its frontmatter differs from the entry: description" },
	{ "skill --demo odd/tampered-notes template.md --approve", 7, NULL,
	    "its digest is sha256:" },
	{ "skill --demo tampered-notes footer.md --approve --json", 7,
	    "\"status\":\"failed\",\"reason\":\"it has 28 bytes, the entry announces 18\","
	    "\"approved\":false}",
	    NULL },
	{ "skill --demo daily --approve", 1, NULL,
	    "it is dynamic: without digests there is nothing" },
	{ "skill --demo skill://unlisted/SKILL.md --approve", 0, "skills/get found me", NULL },
	{ "skill --demo skill://nowhere/SKILL.md", 5, NULL, "No skill is served at" },
	{ "skill --demo nowhere", 5, NULL, "no skill nowhere is listed" },
	{ "skill --demo explain-verdict ../../x", 5, NULL, "../../x leads out of the skill" },
	{ "skill --demo explain-verdict other.md", 5, NULL, "the skill does not list other.md" },
	{ "skill --demo explain-verdict references/", 0,
	    "\"uri\":\"skill://explain-verdict/references/deep\",\"name\":\"deep\","
	    "\"mimeType\":\"inode/directory\"",
	    NULL },
	{ "skill --demo explain-verdict nothing/", 5, NULL, "is not a directory resource" },
	{ "read --demo https://example.com/", 5, NULL, "the server has no such resource" },
};

static void
run(struct program *p, const char *line)
{
	const char *argv[32] = { terminal_program() };
	char *words = mem_strdup(line), *rest = NULL;
	size_t n = 1;

	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[n++] = w;
	*p = (struct program){ 0 };
	program_run(p, argv);
	free(words);
}

static void
expect(const struct buf *got, const char *text, const char *line)
{
	bool right = text ? strstr(buf_text(got), text) != NULL : got->len == 0;

	if (!right)
		fail_msg("%s: not \"%s\", but \"%.2000s\"", line, text ? text : "", buf_text(got));
}

static void
test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct program p;
		run(&p, rows[i].line);
		if (p.exit_code != rows[i].exit_code)
			fail_msg(
			    "%s: exit %d: %.500s", rows[i].line, p.exit_code, buf_text(&p.err));
		expect(&p.out, rows[i].out, rows[i].line);
		if (rows[i].err)
			expect(&p.err, rows[i].err, rows[i].line);
		program_free(&p);
	}
}

static void
test_output(void **state)
{
	static const unsigned char hello[] = { 0, 1, 2, 3, 'H', 'e' };
	char path[] = "/tmp/mcpane-read-XXXXXX", line[200];
	struct buf bytes = BUF_INIT;
	struct program p;
	struct err err;

	close(mkstemp(path));
	snprintf(line, sizeof(line), "read --demo demo://files/hello.bin --output %s", path);
	run(&p, line);
	assert_int_equal(p.exit_code, 0);
	assert_int_equal(p.out.len, 0);
	assert_true(path_read_file(path, &bytes, &err));
	assert_int_equal(bytes.len, 17);
	assert_memory_equal(bytes.data, hello, sizeof(hello));
	program_free(&p);
	run(&p, "read --demo demo://files/hello.bin --output -");
	assert_int_equal(p.out.len, 17);
	assert_memory_equal(p.out.data, bytes.data, 17);
	program_free(&p);
	buf_finish(&bytes);
	unlink(path);
}

static void
test_nothing_there(void **state)
{
	const char *argv[] = { terminal_program(), "complete", "prompt", "p", "a", "", "--",
		terminal_fixture("badserver"), "good", NULL };
	struct program p = { 0 };

	program_run(&p, argv);
	assert_int_equal(p.exit_code, 5);
	expect(&p.err, "the server declares no completions", "complete");
	program_free(&p);
	argv[1] = "list", argv[2] = "prompts", argv[3] = "--";
	argv[4] = argv[7], argv[5] = "good", argv[6] = NULL;
	p = (struct program){ 0 };
	program_run(&p, argv);
	assert_int_equal(p.exit_code, 0);
	expect(&p.out, "\"prompts\":[]", "list");
	expect(&p.err, "the server declares no prompts", "list");
	program_free(&p);
}

TEST_FILE(cli_primitives)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_nothing_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
