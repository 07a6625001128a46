/* SPDX-License-Identifier: MIT */
/* Recipes on real servers, as a script runs them: output and exit code. */
#include "base/path.h"
#include "base/vec.h"
#include "json/doc.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *
write_file(const char *name, const char *text)
{
	static char paths[4][128];
	static size_t next;
	struct err err;
	char *path = paths[next++ % ARRAY_LEN(paths)];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	assert_true(path_write_file(path, text, strlen(text), &err));
	return path;
}

/* Runs `mcpane WORDS...`, and compares the exit code. */
static void
run(struct program *p, int exit_code, const char *const *words)
{
	const char *argv[20] = { terminal_program() };
	size_t n = 1;

	while (*words)
		argv[n++] = *words++;
	*p = (struct program){ 0 };
	program_run(p, argv);
	if (p->exit_code != exit_code)
		fail_msg("exit %d, not %d\n%.3000s\n%.2000s", p->exit_code, exit_code,
		    buf_text(&p->out), buf_text(&p->err));
}

#define RUN(p, exit_code, ...) run((p), (exit_code), (const char *const[]){ __VA_ARGS__, NULL })

static void
expect(const struct buf *text, const char *part)
{
	if (!strstr(buf_text(text), part))
		fail_msg("not said: %s\n%.3000s", part, buf_text(text));
}

static const char pay[] =
    "{\"name\":\"pay\",\"variables\":{\"wanted\":\"open\"},\"environments\":{\"shop\":{\"wanted\":"
    "\"paid\"}},\"steps\":[{\"call\":\"search_orders\",\"expect\":{\"verdict\":\"valid\"}},{"
    "\"each\":"
    "\".orders[]\",\"as\":\"order\",\"steps\":[{\"when\":\".status == $wanted\",\"call\":"
    "\"update_order\",\"arguments\":{\"order_id\":\"${order.order_id}\",\"status\":\"shipped\"}}]},"
    "{\"call\":\"search_orders\",\"arguments\":{\"status\":\"${wanted}\"}},{\"assert\":\".orders "
    "== "
    "[]\"}]}";

static void
test_run(void **state)
{
	const char *file = write_file("pay.json", pay);
	struct program p;

	RUN(&p, 0, "run", file, "--demo");
	expect(&p.out, "for     each .orders[]: 8 rounds\n");
	expect(&p.out, "skipped   [1/8] update_order: not when .status == $wanted\n");
	expect(&p.out,
	    "ok        [7/8] update_order {\"order_id\": \"ORD-1007\", \"status\": \"shipped\"}");
	expect(&p.out, "5 passed, 0 failed, 6 skipped in ");
	assert_int_equal(p.err.len, 0);
	program_free(&p);
	RUN(&p, 0, "run", file, "--demo", "--env", "shop", "--era", "legacy");
	expect(&p.out, "ok        [5/8] update_order {\"order_id\": \"ORD-1005\"");
	program_free(&p);
	RUN(&p, 0, "run", file, "--demo", "--var", "wanted=cancelled", "--json");
	struct json_doc *doc = json_parse(p.out.data, p.out.len, NULL, NULL);
	assert_int_equal(json_get(json_root(doc), "passed")->valueint, 4);
	json_doc_destroy(doc);
	program_free(&p);
}

static void
expect_end(int exit_code, const char *text, const char *out, const char *err)
{
	const char *file = write_file("one.json", text);
	struct program p;

	RUN(&p, exit_code, "run", file, "--demo");
	if (out)
		expect(&p.out, out);
	if (err)
		expect(&p.err, err);
	program_wait_processes(&p, 0);
	program_free(&p);
}

static void
test_ends(void **state)
{
	struct program p;

	expect_end(
	    1, "{\"steps\":[{\"cal\":1}]}", "", "one.json:1:11: /steps/0: a step has one of");
	expect_end(1, "{\"call\":\"${x}\"}", "", "${x} has no value: --var x=VALUE gives it one");
	expect_end(1, "{\"call\":\"list_user\"}",
	    "there is no tool list_user; did you mean list_users?", NULL);
	expect_end(1, "{\"steps\":[{\"pick\":\"foo\"}]}",
	    "one.json:1:19: /steps/0/pick: jq foo: foo/0 is not defined (at character 1)", NULL);
	expect_end(1, "{\"steps\":[{\"call\":\"list_users\"},\n{\"assert\":\".users |\"}]}",
	    "one.json:2:11: /steps/1/assert: jq .users |: the expression ends too early", NULL);
	expect_end(1, "{\"steps\":[{\"call\":\"list_users\"},\n{\"assert\":\".users |\"}]}",
	    "skipped list_users: not run, because the recipe ended before", NULL);
	expect_end(1, "{\"steps\":[{\"call\":\"list_users\"},{\"pick\":\".\",\"from\":\"user\"}]}",
	    "", "one.json:1:52: /steps/1/from: there is no variable \"user\"");
	expect_end(0,
	    "{\"call\":\"list_users\",\"retry\":{\"attempts\":2,\"delay\":\"20ms\",\"until\":\"."
	    "users\"}}",
	    "1 passed, 0 failed", NULL);
	expect_end(6,
	    "{\"call\":\"list_users\",\"retry\":{\"attempts\":3,\"delay\":\"20ms\",\"until\":"
	    "\".users == []\"}}",
	    "0 passed, 1 failed", NULL);
	expect_end(
	    1, "{\"steps\":[{\"pick\":\"[range(1e9)]\"}]}", "FAILED  pick [range(1e9)]\n", NULL);
	expect_end(5,
	    "{\"call\":\"update_order\",\"arguments\":{\"order_id\":\"ORD-9999\",\"status\":"
	    "\"paid\"}}",
	    "the tool reported an error: There is no order ORD-9999", NULL);
	expect_end(0,
	    "{\"call\":\"update_order\",\"arguments\":{\"order_id\":\"ORD-9999\",\"status\":"
	    "\"paid\"},\"expect\":"
	    "{\"error\":\"no order\",\"verdict\":\"not-applied\"}}",
	    "ok      update_order", NULL);
	expect_end(6, "{\"call\":\"list_users\",\"expect\":{\"jq\":\".users == []\"}}",
	    "jq: .users == []: false, for {", NULL);
	expect_end(
	    7, "{\"call\":\"bad_rows\"}", "> verdict: invalid: /products/2/id: string ", NULL);
	expect_end(0, "{\"call\":\"bad_rows\",\"expect\":{\"verdict\":\"invalid\"}}", "ok ", NULL);
	expect_end(6, "{\"call\":\"contradiction\",\"expect\":{\"findings\":\"notes\"}}",
	    "> finding: content-contradicts: ", NULL);
	expect_end(0,
	    "{\"steps\":[{\"read\":\"demo://users.json\"},{\"assert\":\"type == \\\"array\\\" or "
	    "type == \\\"object\\\"\"},"
	    "{\"get\":\"review_order\",\"arguments\":{\"order_id\":\"1001\"}},{\"assert\":\"."
	    "messages\",\"from\":\"reply\"}]}",
	    "ok      get review_order", NULL);
	RUN(&p, 4, "run", write_file("one.json", "{\"call\":\"x\"}"), "--format", "tap", "--",
	    "false");
	expect(&p.out, "not ok 1 - ");
	program_free(&p);
	RUN(&p, 1, "run", write_file("one.json", "{\"call\":\"x\"}"), "other.json", "--demo");
	expect(&p.err, "run: takes one recipe");
	program_free(&p);
}

/* A server that ends in the middle, that never answers, that answers a lot, or with anything. */
static void
test_bad_servers(void **state)
{
	const char *file = write_file("bad.json",
	    "{\"steps\":[{\"call\":\"echo\",\"onFailure\":\"continue\"},{\"call\":\"echo\"}]}");
	const char *rows =
	    write_file("rows.json", "{\"steps\":[{\"call\":\"echo\",\"save\":\"all\",\"expect\":{"
				    "\"verdict\":[\"valid\",\"no-schema\"]}},{\"each\":"
				    "\"first(.. | arrays) | "
				    "range(length)\",\"as\":\"i\",\"steps\":[{\"steps\":[{"
				    "\"steps\":[{\"call\":\"nothing\",\"onFailure\":"
				    "\"continue\"}]}]}]}]}");
	const char *server = terminal_fixture("badserver");
	struct program p;

	RUN(&p, 4, "run", file, "--", server, "dies-mid-call");
	expect(&p.out, "\n        > the server ended before it answered: ");
	expect(&p.out, "skipped echo: not run, because the recipe ended before");
	program_free(&p);
	RUN(&p, 4, "run", file, "--timeout", "300ms", "--", server, "never-answers");
	expect(&p.out, "\n        > timed out after 300 ms\n");
	expect(&p.out, "0 passed, 2 failed, 0 skipped");
	program_free(&p);
	RUN(&p, 1, "run", rows, "--", server, "rows", "100000", "80");
	expect(&p.out, "[100000/100000] nothing\n");
	expect(&p.out, "1 passed, 100000 failed, 0 skipped");
	program_free(&p);
	RUN(&p, 0, "run", file, "--", server, "invalid-utf8");
	assert_int_equal(p.err.len, 0);
	program_free(&p);
	RUN(&p, 5, "run", file, "--max-message", "100K", "--", server, "huge-line", "200000");
	expect(&p.out, "> invalid answer: the answer is too long");
	program_free(&p);
	program_start(&p, (const char *const[]){
			      terminal_program(), "run", rows, "--", server, "evil-text", NULL });
	program_finish(&p, "", 0);
	for (size_t i = 0; i < p.out.len; i++)
		assert_true((unsigned char)p.out.data[i] >= ' ' || p.out.data[i] == '\n');
	program_free(&p);
}

static void
test_test(void **state)
{
	const char *all = write_file("all.json",
	    "{\"name\":\"users & "
	    "<orders>\",\"tests\":[{\"call\":\"list_users\",\"expect\":{\"error\":true}},{\"call\":"
	    "\"search_orders\",\"expect\":{\"snapshot\":\"snap/"
	    "orders.json\",\"of\":\".orders[0]\",\"contains\":{\"status\":"
	    "\"delivered\"}}}]}");
	const char *call =
	    write_file("call.json", "{\"name\":\"limit\",\"call\":\"list_users\",\"arguments\":{"
				    "\"limit\":1},\"expect\":{\"contains\":{\"users\":[{\"id\":"
				    "1}]}}}");
	struct program p;
	struct buf snapshot = BUF_INIT;
	char path[128];

	RUN(&p, 6, "test", all, call, "--demo");
	expect(&p.out, "> error: expected one, and the call succeeded");
	expect(&p.out, "snap/orders.json does not exist: --update writes it");
	expect(&p.out, "1 passed, 2 failed, 0 skipped");
	program_free(&p);
	RUN(&p, 6, "test", all, call, "--demo", "--update");
	expect(&p.out, "2 passed, 1 failed, 0 skipped");
	program_free(&p);
	snprintf(path, sizeof(path), "%s/snap/orders.json", folder);
	assert_true(path_read_regular(path, &snapshot, NULL, &(struct err){ "" }));
	expect(&snapshot, "  \"order_id\": \"ORD-1001\",\n");
	buf_finish(&snapshot);
	RUN(&p, 6, "test", all, call, "/nowhere.json", "--demo", "--format", "junit");
	expect(&p.out, "<testsuites tests=\"4\" failures=\"1\" errors=\"1\" time=");
	expect(&p.out, " timestamp=\"2");
	expect(&p.out, "name=\"users &amp; &lt;orders&gt;\"");
	program_free(&p);
	RUN(&p, 0, "test", call, "--demo", "--format", "github");
	expect(&p.out, "## 1 passed, 0 failed, 0 skipped");
	program_free(&p);
	write_file("snap/orders.json", "{\"order_id\":\"ORD-1\"}");
	RUN(&p, 6, "test", all, "--demo");
	expect(&p.out, "> snapshot: /order_id: expected \"ORD-1\", found \"ORD-1001\"");
	program_free(&p);
}

/* A recipe of another person's project names files, and the project may have links. */
static void
test_snapshot_links(void **state)
{
	const char *recipe = write_file("links.json",
	    "{\"tests\":[{\"call\":\"list_users\",\"expect\":{\"snapshot\":\"linked.json\"}},"
	    "{\"call\":\"list_users\",\"expect\":{\"snapshot\":\"links/own.json\"}}]}");
	struct buf kept = BUF_INIT;
	struct program p;
	char path[128];

	snprintf(path, sizeof(path), "%s/victim", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	const char *victim = write_file("victim/own.json", "{\"mine\":1}");
	snprintf(path, sizeof(path), "%s/linked.json", folder);
	assert_int_equal(symlink(victim, path), 0);
	snprintf(path, sizeof(path), "%s/links", folder);
	assert_int_equal(symlink("victim", path), 0);
	for (int update = 0; update < 2; update++) {
		RUN(&p, 6, "test", recipe, "--demo", update ? "--update" : NULL);
		expect(&p.out, "/linked.json is a symbolic link, which is not followed");
		expect(&p.out, "/links is a symbolic link, which is not followed");
		expect(&p.out, "0 passed, 2 failed, 0 skipped");
		assert_null(strstr(buf_text(&p.out), "mine"));
		program_free(&p);
	}
	assert_true(path_read_regular(victim, &kept, NULL, &(struct err){ "" }));
	assert_string_equal(buf_text(&kept), "{\"mine\":1}");
	buf_finish(&kept);
}

/* Definitions that are not those of a file are failed cases. */
static void
test_lock(void **state)
{
	const char *call = write_file("lock_call.json", "{\"call\":\"list_users\"}");
	const char *server = terminal_fixture("badserver");
	char lock[128];
	struct program p;
	struct buf text = BUF_INIT;

	snprintf(lock, sizeof(lock), "%s/lock.json", folder);
	RUN(&p, 0, "snapshot", lock, "--demo");
	program_free(&p);
	RUN(&p, 0, "test", call, "--demo", "--lock", lock);
	expect(&p.out, "ok      the definitions are those of the lock");
	expect(&p.out, "2 passed, 0 failed");
	program_free(&p);
	assert_true(path_read_regular(lock, &text, NULL, &(struct err){ "" }));
	buf_replace(&text, "\"maximum\": 500", "\"maximum\": 700");
	buf_replace(&text, "\"title\": \"List users\"", "\"title\": \"Users\"");
	write_file("lock.json", buf_text(&text));
	RUN(&p, 6, "test", call, "--demo", "--lock", lock, "--format", "tap");
	expect(&p.out, "not ok 1 - breaking: tool list_users\n");
	expect(&p.out, "limit: maximum 700 → 500");
	expect(&p.out, "- routing: tool list_users\n");
	expect(&p.out, " - list_users\n"); /* the call is made all the same */
	program_free(&p);
	RUN(&p, 6, "test", call, "--demo", "--lock", lock, "--breaking");
	expect(&p.out, "skipped routing: tool list_users: title \"Users\" → \"List users\"\n");
	expect(&p.out, "1 passed, 2 failed, 1 skipped");
	program_free(&p);
	buf_replace(&text, "\"maximum\": 700", "\"maximum\": 500");
	write_file("lock.json", buf_text(&text));
	RUN(&p, 0, "test", "--demo", "--lock", lock, "--breaking"); /* it needs no recipe */
	expect(&p.out, "ok      no change of the lock breaks callers\n");
	expect(&p.out, "1 passed, 0 failed, 1 skipped");
	program_free(&p);
	RUN(&p, 6, "test", "--demo", "--lock", lock);
	program_free(&p);
	RUN(&p, 1, "test", call, "--demo", "--breaking");
	expect(&p.err, "--breaking goes with --lock");
	program_free(&p);
	RUN(&p, 1, "test", "--demo");
	expect(&p.err, "test: the file of a recipe is missing; --lock alone needs none");
	program_free(&p);
	RUN(&p, 1, "run", "--demo", "--lock", lock);
	expect(&p.err, "run: the file of a recipe is missing");
	program_free(&p);
	RUN(&p, 1, "test", call, "--demo", "--lock", call);
	expect(&p.err, "lock_call.json is not a snapshot");
	program_free(&p);
	RUN(&p, 0, "snapshot", lock, "--", server, "good"); /* which has only tools */
	assert_int_equal(p.err.len, 0);                     /* without a message */
	program_free(&p);
	RUN(&p, 0, "test", write_file("echo.json", "{\"call\":\"echo\"}"), "--lock", lock, "--",
	    server, "good");
	program_free(&p);
	buf_finish(&text);
}

/* Runs prove, which every Perl has, on a report. */
static void
prove(struct program *p, int exit_code, const char *const *words)
{
	char tap[128];
	const char *argv[] = { "/usr/bin/prove", "-e", "cat", tap, NULL };
	struct program report;
	struct err err;

	snprintf(tap, sizeof(tap), "%s/report.tap", folder);
	run(&report, exit_code, words);
	assert_true(path_write_file(tap, report.out.data, report.out.len, &err));
	program_free(&report);
	*p = (struct program){ 0 };
	program_run(p, argv);
	if (strstr(buf_text(&p->out), "Parse errors"))
		fail_msg("%s", buf_text(&p->out));
}

static void
test_prove_reads_tap(void **state)
{
	const char *ok = write_file("ok.json",
	    "{\"name\":\"a # b \\\\ c\",\"steps\":[{\"call\":\"list_users\",\"name\":\"1 # TODO "
	    "\\\\ "
	    "x\"},{\"when\":\"false # \\\"y\\\"\",\"call\":\"list_users\"}]}");
	const char *wrong = write_file("wrong.json",
	    "{\"tests\":[{\"call\":\"list_users\",\"arguments\":{\"limit\":1},\"expect\":{"
	    "\"equals\":"
	    "{\"a\\n\\tb\\u0001\":\"'\\\"\"}}},{\"call\":\"list_users\"}]}");
	struct program p;

	if (access("/usr/bin/prove", X_OK) != 0) {
		print_message("SKIPPED: there is no /usr/bin/prove (Debian: perl)\n");
		skip();
	}
	prove(&p, 0, (const char *const[]){ "test", ok, ok, "--demo", "--format", "tap", NULL });
	assert_int_equal(p.exit_code, 0);
	expect(&p.out, "Files=1, Tests=4, ");
	program_free(&p);
	prove(&p, 6, (const char *const[]){ "test", wrong, "--demo", "--format", "tap", NULL });
	assert_int_equal(p.exit_code, 1);
	expect(&p.out, "Failed 1/2 subtests");
	program_free(&p);
}

static int
make_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/mcpane-recipes-%d", (int)getpid());
	return mkdir(folder, 0700);
}

static int
remove_folder(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

TEST_FILE(recipes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_bad_servers),
		cmocka_unit_test(test_test),
		cmocka_unit_test(test_snapshot_links),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_prove_reads_tap),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
