/* SPDX-License-Identifier: MIT */
/* `mcpane render`: apps of the demo server, and broken ones, without a screen; with the real
 * engine. */
#include "apps/cells.h"
#include "apps/page.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "fixture.h"
#include "host/app_house.h"
#include "json/doc.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
need_engine(void)
{
	if (app_house_can_run(NULL))
		return;
	print_message("SKIPPED: chromium-headless-shell is not installed\n");
	skip();
}

enum { WORDS_MOST = 24 };

/* Words are split at blanks; "+" within a word is a blank. */
static void
start(struct program *p, const char *line)
{
	const char *argv[WORDS_MOST + 3] = { terminal_program(), "render" };
	char *words = mem_strdup(line), *rest = words;
	int argc = 2;

	for (char *word; (word = strsep(&rest, " ")) && argc <= WORDS_MOST;) {
		for (char *c = word; *c; c++)
			*c = *c == '+' ? ' ' : *c;
		argv[argc++] = word;
	}
	*p = (struct program){ 0 };
	program_start(p, argv);
	free(words);
}

static void
see(const char *line, const struct buf *out, const char *text)
{
	if (text && !strstr(buf_text(out), text))
		fail_msg("%s: \"%s\" is not in: %s", line, text, buf_text(out));
}

static const struct {
	const char *line;
	int exit_code;
	const char *out, *out_too, *err;
} rows[] = {
	{ "--demo plan_budget", 0, "Plan a budget of 3,000 EUR", "1,050 EUR",
	    "from the app ui/notifications/initialized" },
	{ "--demo plan_budget --click Share+evenly --wait 20+% --size 80x30", 0, "  600 EUR", NULL,
	    "from the app ui/notifications/size-changed" },
	{ "--demo edit_orders --click Save --wait Saved:+ORD-1001 --yes", 0, "Saved: ORD-1001",
	    NULL, "call the destructive tool update_order: granted" },
	{ "--demo edit_orders --click Save", 0, "the user refused", NULL,
	    "update_order: refused; --yes grants it" },
	{ "--demo edit_orders --click What+is --click Note --type für+日本 --wait für+日本", 0,
	    "für 日本", NULL, "open https://modelcontextprotocol.io/ in the browser: refused" },
	{ "--demo watch_machine --wait reading+2 --ansi", 0, "\033[", "database", NULL },
	{ "--demo edit_orders --wait nothing+of+this --timeout 6s", 6, "Edit orders", NULL,
	    "--wait \"nothing of this\": it did not appear in time" },
	{ "--demo edit_orders --click nowhere --type never --timeout 6s", 6, "Edit orders", NULL,
	    "--click \"nowhere\"" },
	{ "--demo edit_orders --press Nix", 6, NULL, NULL, "there is no such key" },
};

static void
run(struct program *p, const char *line)
{
	start(p, line);
	program_finish(p, "", 0);
}

static void
test_pictures(void **state)
{
	need_engine();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct program p;
		run(&p, rows[i].line);
		if (p.exit_code != rows[i].exit_code)
			fail_msg(
			    "%s: exit code %d, %s", rows[i].line, p.exit_code, buf_text(&p.err));
		see(rows[i].line, &p.out, rows[i].out);
		see(rows[i].line, &p.out, rows[i].out_too);
		see(rows[i].line, &p.err, rows[i].err);
		program_free(&p);
	}
}

/* One object with all there is to know. */
static void
test_json(void **state)
{
	static const char *const parts[] = {
		"{\"tool\":\"edit_orders\",\"error\":null,\"steps\":[{\"click\":\"Ask "
		"the\",\"ms\":",
		"{\"wait\":\"never\",\"ms\":null,\"error\":null}",
		"\"resource\":\"ui://demo/edit_orders\",\"state\":\"runs\",\"readyMs\":",
		"\"csp\":\"lax\",\"policy\":\"default-src ",
		"\"columns\":90,\"rows\":40,\"text\":[",
		"\"lostCharacters\":0",
		"{\"role\":\"button\",\"name\":\"Save\",\"column\":",
		"\"asked\":[],\"files\":[],\"modelContext\":null,\"messages\":[",
		"Is it right that ORD-1001 is delivered?",
		"\"app\":{\"name\":\"edit-orders\",\"version\":\"1.0.0\",\"protocol\":\"2026-01-"
		"26\"}",
		"\"message\":{\"jsonrpc\":\"2.0\",\"method\":\"ui/notifications/tool-input\"",
		"\"bridgeEvicted\":0}",
	};
	const char *line = "--demo edit_orders --json --csp lax --size 90x40 --timeout 8s "
			   "--click Ask+the --press Nix --wait never";
	struct program p;

	need_engine();
	run(&p, line);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		see(line, &p.out, parts[i]);
	assert_int_equal(p.exit_code, 6);
	struct json_doc *doc = json_parse(buf_text(&p.out), p.out.len, NULL, NULL);
	assert_non_null(doc);
	json_doc_destroy(doc);
	program_free(&p);
}

static void
test_png(void **state)
{
	char path[] = "/tmp/mcpane-render-XXXXXX", line[120];
	struct buf png = BUF_INIT;
	struct program p;

	need_engine();
	close(mkstemp(path));
	snprintf(line, sizeof(line), "--demo edit_orders --size 80x24 --png %s", path);
	run(&p, line);
	assert_int_equal(p.exit_code, 0);
	assert_true(path_read_file(path, &png, NULL));
	assert_true(png.len > 5000); /* with its text; without it is 2 KB */
	static const unsigned char head[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0,
		13, 'I', 'H', 'D', 'R', 0, 0, 640 >> 8, 640 & 0xff, 0, 0, 384 >> 8, 384 & 0xff };
	assert_memory_equal(png.data, head, sizeof(head));
	buf_finish(&png);
	unlink(path);
	program_free(&p);
	run(&p, "--demo edit_orders --png /nonexistent/x.png");
	assert_int_equal(p.exit_code, 1);
	see("--png", &p.err, "--png: cannot write /nonexistent/x.png");
	program_free(&p);
}

/* A chart has its words, which are otherwise told as text, and only there. */
static void
test_png_has_the_text_of_a_canvas(void **state)
{
	enum { COLS = 80, ROWS = 24, CELL = 16, CHART_TOP = 200, BRIGHT = 190 };
	char path[] = "/tmp/mcpane-render-XXXXXX", line[120];
	struct buf png = BUF_INIT;
	struct app_cells cells;
	struct program p;
	size_t bright = 0;

	need_engine();
	close(mkstemp(path));
	snprintf(line, sizeof(line), "--demo plan_budget --size 80x24 --png %s", path);
	run(&p, line);
	assert_int_equal(p.exit_code, 0);
	program_free(&p);
	assert_true(path_read_file(path, &png, NULL));
	app_cells_init(&cells, COLS, ROWS, CELL, APP_PIXELS);
	assert_true(app_cells_take_frame(&cells, png.data, png.len, NULL));
	app_cells_draw(&cells);
	const struct picture *shown = cells.picture;
	assert_int_equal(shown->width, COLS * CELL / 2);
	const uint8_t *end = shown->rgba + (size_t)shown->width * (size_t)shown->height * 4;
	for (const uint8_t *at = shown->rgba + (size_t)shown->width * CHART_TOP * 4; at < end;
	     at += 4)
		bright += at[0] > BRIGHT && at[1] > BRIGHT && at[2] > BRIGHT;
	assert_true(bright > 100); /* its bars are in full colors */
	app_cells_finish(&cells);
	buf_finish(&png);
	unlink(path);
}

/* Also on a computer that has one. */
static void
test_no_engine(void **state)
{
	struct program p;

	run(&p, "--demo plan_budget --apps-engine /nonexistent/chromium");
	assert_int_equal(p.exit_code, 8);
	see("--apps-engine", &p.err, "/nonexistent/chromium: no such program");
	assert_int_equal(p.out.len, 0);
	program_free(&p);
}

static void
test_too_little_memory(void **state)
{
	struct program p;

	need_engine();
	run(&p, "--demo plan_budget --apps-memory 64M --wait never --timeout 20s");
	assert_int_equal(p.exit_code, 6);
	see("--apps-memory", &p.err, "used too much memory (64 MiB are allowed), and was ended");
	program_free(&p);
}

/* Its first process. */
static pid_t
wait_for_engine(struct program *p)
{
	enum { MOST = 64, RENDERERS_TOO = 5, NAP_MS = 20 };
	int64_t until_ms = clock_now_ms() + 3 * fixture_deadline_ms();
	pid_t pids[MOST], first = 0;

	for (size_t count = 0; count < RENDERERS_TOO; poll(NULL, 0, NAP_MS)) {
		size_t all = processes_find(&p->processes, pids, MOST);
		count = 0;
		for (size_t i = 0; i < all; i++) {
			char name[64];
			processes_name(pids[i], name, sizeof(name));
			if (!strstr(name, "chrom"))
				continue;
			first = count++ == 0 || pids[i] < first ? pids[i] : first;
		}
		if (clock_now_ms() > until_ms)
			fail_msg("%zu processes of the engine", count);
	}
	return first;
}

static void
test_signal(void **state)
{
	struct program p;

	need_engine();
	start(&p, "--demo edit_orders --wait never --timeout 60s");
	wait_for_engine(&p);
	assert_int_equal(kill(p.pid, SIGINT), 0);
	program_finish(&p, "", 0);
	assert_int_equal(p.exit_code, 128 + SIGINT);
	assert_int_equal(p.out.len, 0);
	program_wait_processes(&p, 0);
	program_free(&p);
}

/* The engine dies while the app runs. */
static void
test_engine_killed(void **state)
{
	struct program p;

	need_engine();
	start(&p, "--demo edit_orders --wait never --timeout 10s");
	kill(wait_for_engine(&p), SIGKILL);
	program_finish(&p, "", 0);
	if (p.exit_code != 6 && p.exit_code != 8)
		fail_msg("exit code %d: %s", p.exit_code, buf_text(&p.err));
	program_wait_processes(&p, 0);
	program_free(&p);
}

TEST_FILE(render)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pictures),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_png),
		cmocka_unit_test(test_png_has_the_text_of_a_canvas),
		cmocka_unit_test(test_no_engine),
		cmocka_unit_test(test_too_little_memory),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_engine_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
