/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "fence.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct call *
shown(void)
{
	return workspace_call(workbench_workspace(stage.wb));
}

static const char *
said(void)
{
	return workbench_message(stage.wb);
}

static void
assert_tool(const char *name)
{
	assert_string_equal(workspace_primitive(workbench_workspace(stage.wb))->name, name);
}

static void
test_names(void **state)
{
	assert_true(stage_run(&stage, ""));
	assert_true(stage_run(&stage, " \t : "));
	assert_true(stage_run(&stage, "tool bad_rows"));
	assert_tool("bad_rows");
	assert_true(stage_run(&stage, "  :tool \t list_users  "));
	assert_tool("list_users");
	assert_false(stage_run(&stage, "tool nothing"));
	assert_string_equal(said(), "no tool is named nothing");
	assert_tool("list_users");
	assert_false(stage_run(&stage, "frobnicate"));
	assert_string_equal(said(), "no command is named frobnicate (? lists all commands)");
	assert_false(stage_run(&stage, "toolbox"));
}

/* The beginning of one name will do, that of several will not: nothing is called by mistake. */
static void
test_beginnings(void **state)
{
	assert_true(stage_run(&stage, "too bad_rows"));
	assert_tool("bad_rows");
	assert_false(stage_run(&stage, "ca"));
	assert_string_equal(said(), "ca could be call or call-legacy");
	assert_null(shown());
	assert_true(stage_run(&stage, "q")); /* quit! does not count */
	assert_true(stage.quit);
}

/* Destructive commands must be typed in full or completed by Tab. */
static void
test_no_beginning_deletes_or_leaves(void **state)
{
	static const char *const beginnings[] = { "clear-l", "forget-ta", "quit", "disc", "take",
		"clos", "rest", "remove-ro" };

	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++) {
		bool full = strcmp(beginnings[i], "quit") == 0;
		assert_int_equal(stage_run(&stage, beginnings[i]), full);
		assert_true(full || strstr(said(), " in full"));
		stage_keys(&stage, "esc");
	}
	assert_int_equal(server_info(stage.server)->phase, SERVER_READY);
	stage_keys(&stage, ":");
	stage_type(&stage, "disc");
	stage_keys(&stage, "tab enter");
	assert_int_not_equal(server_info(stage.server)->phase, SERVER_READY);
}

static void
test_completion_begins_with_what_applies(void **state)
{
	static const struct {
		const char *typed, *completed;
	} rows[] = {
		{ "cop", ":copy\n" }, /* not copy-authorization-url: this server needs none */
		{ "t", ":tool\n" },
		{ "tas", ":tasks\n" },
		{ "ans", ":answer\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		stage_keys(&stage, ":");
		stage_type(&stage, rows[i].typed);
		stage_keys(&stage, "tab");
		see(rows[i].completed);
		stage_keys(&stage, "esc");
	}
}

static void
test_call(void **state)
{
	stage_run(&stage, "tool list_users");
	assert_false(stage_run(&stage, "set limit"));
	assert_false(stage_run(&stage, "set nothing_like_it"));
	assert_true(stage_run(&stage, "set limit 2"));
	assert_true(stage_run(&stage, "call"));
	stage_settle(&stage, 1000);
	assert_int_equal(shown()->state, CALL_DONE);
	assert_string_equal(shown()->arguments, "{\"limit\":2}");
	assert_true(stage_run(&stage, "goto /users/1/name"));
	assert_false(stage_run(&stage, "goto /users/99"));
	assert_string_equal(said(), "there is nothing at /users/99");
	assert_false(stage_run(&stage, "next-error"));
	assert_false(stage_run(&stage, "cancel"));
}

static void
test_bad_arguments_ask_first(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "set limit 100000");
	stage_run(&stage, "call");
	assert_null(shown());
	see("Call it anyway?");
	stage_keys(&stage, "n");
	assert_null(shown());
	stage_run(&stage, "call");
	stage_keys(&stage, "y");
	stage_settle(&stage, 1000);
	assert_non_null(shown());
	assert_int_equal(shown()->state, CALL_DONE);
}

static void
test_violations_round_and_round(void **state)
{
	stage_run(&stage, "tool bad_rows");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_int_equal(shown()->verdict.kind, VERDICT_INVALID);
	size_t count = report_facts(shown()->verdict.report)->kept;
	char first[100];
	assert_true(stage_run(&stage, "next-error"));
	assert_memory_equal(said(), "1 of ", 5);
	snprintf(first, sizeof(first), "%s", said());
	for (size_t i = 0; i < count; i++)
		assert_true(stage_run(&stage, "next-error"));
	assert_string_equal(said(), first);
	assert_true(stage_run(&stage, "previous-error"));
	assert_int_equal((size_t)(said()[0] - '0'), count);
}

/* Each command waits for the call of the one before. */
static void
test_queue(void **state)
{
	workbench_enqueue(stage.wb, "tool slow");
	workbench_enqueue(stage.wb, "call");
	workbench_enqueue(stage.wb, "tool list_users");
	assert_false(workbench_queue_empty(stage.wb));
	workbench_advance(stage.wb, stage.now_us);
	assert_tool("slow");
	assert_int_equal(shown()->state, CALL_RUNNING);
	stage_settle(&stage, 60000);
	assert_tool("list_users");
	assert_true(workbench_queue_empty(stage.wb));
	/* a command that is refused does not stop the others */
	workbench_enqueue(stage.wb, "tool nothing");
	workbench_enqueue(stage.wb, "tool bad_rows");
	workbench_advance(stage.wb, stage.now_us);
	assert_tool("bad_rows");
}

/* The list of tools comes first; commands about another list wait for it. */
static void
test_queue_waits_for_lists(void **state)
{
	server_relist(stage.server, stage.now_us);
	workbench_enqueue(stage.wb, "prompt introduce");
	workbench_advance(stage.wb, stage.now_us);
	assert_false(workbench_queue_empty(stage.wb));
	stage_settle(&stage, 1000);
	assert_true(workbench_queue_empty(stage.wb));
	assert_int_equal(workbench_workspace(stage.wb)->desk->kind, PRIMITIVE_PROMPT);
}

/* The kinds turn from anywhere, but not where the keys are text or mean something else. */
static void
test_kinds_from_anywhere(void **state)
{
	stage_run(&stage, "pane content");
	stage_keys(&stage, "]");
	assert_int_equal(workbench_workspace(stage.wb)->tab, PRIMITIVE_RESOURCE);
	see("/ filter");
	stage_keys(&stage, "w [");
	assert_int_equal(workbench_workspace(stage.wb)->tab, PRIMITIVE_TOOL);
	see_not("journal · every");
	stage_keys(&stage, "w /");
	stage_type(&stage, "]");
	assert_int_equal(workbench_workspace(stage.wb)->tab, PRIMITIVE_TOOL);
}

static void
test_prompt(void **state)
{
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "tool bad");
	see("tool bad_rows");
	stage_keys(&stage, "tab enter");
	assert_tool("bad_rows");
	/* history, the unfinished line, and back */
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "tool slow");
	stage_keys(&stage, "enter alt-x up up up");
	see(":tool bad_rows");
	stage_keys(&stage, "down enter");
	assert_tool("slow");
	stage_keys(&stage, "alt-x up up enter");
	assert_tool("bad_rows");
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "tool list_users");
	stage_keys(&stage, "esc");
	assert_tool("bad_rows");
	/* input that may contain a secret is not remembered */
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "authorize http://127.0.0.1/callback?code=C-shh");
	stage_keys(&stage, "enter alt-x");
	stage_type(&stage, " client-id x SECRET-shh");
	stage_keys(&stage, "enter alt-x up");
	see_not("-shh");
	stage_keys(&stage, "esc");
	stage_keys(&stage, "alt-x backspace"); /* out of an empty line */
	stage_keys(&stage, "tab tab");
}

static void
test_completion_goes_round(void **state)
{
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "tool list_");
	stage_keys(&stage, "tab");
	see(":tool list_users\n");
	stage_keys(&stage, "tab");
	see(":tool list_users_before");
	stage_keys(&stage, "tab");
	see(":tool list_users\n");
	stage_keys(&stage, "shift-tab enter");
	assert_tool("list_users_before");
	stage_keys(&stage, "alt-x");
	stage_type(&stage, "nothing begins like this");
	stage_keys(&stage, "tab enter");
	assert_non_null(strstr(said(), "no command is named nothing"));
}

static void
test_actions_of_views(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane structured");
	stage_keys(&stage, "right y");
	assert_string_equal(buf_text(&stage.written), "clipboard\nAlice");
	stage_keys(&stage, "s s y");
	assert_string_equal(buf_text(&stage.written), "clipboard\nCharlie");
	assert_true(stage_run(&stage, "copy-value row"));
	assert_string_equal(buf_text(&stage.written),
	    "clipboard\n{\"id\":3,\"name\":\"Charlie\",\"role\":\"viewer\"}");
	assert_true(stage_run(&stage, "copy-value column"));
	assert_string_equal(buf_text(&stage.written), "clipboard\nCharlie\nBob\nAlice\n");
	assert_false(stage_run(&stage, "copy-value all"));
	assert_true(stage_run(&stage, "view tree"));
	assert_false(stage_run(&stage, "copy-value row"));
	assert_false(stage_run(&stage, "sort id"));
	assert_string_equal(
	    workbench_message(stage.wb), "sort works on tables: v shows another view");
	stage_keys(&stage, "y"); /* the same node */
	assert_string_equal(buf_text(&stage.written), "clipboard\nCharlie");
	stage_keys(&stage, "left y");
	assert_memory_equal(buf_text(&stage.written), "clipboard\n{\"id\":3", 17);
	stage_keys(&stage, "Y");
	assert_string_equal(buf_text(&stage.written), "clipboard\n/users/2");
	stage_keys(&stage, "alt-c");
	see("card · 3 of 3");
	stage_keys(&stage, "pgup alt-c");
	see("table · 3 × 3");
	stage_keys(&stage, "y");
	assert_string_equal(buf_text(&stage.written), "clipboard\n2");
	assert_true(stage_run(&stage, "view json"));
	stage_keys(&stage, "y"); /* the same node */
	assert_string_equal(buf_text(&stage.written), "clipboard\n2");
	stage_keys(&stage, "home y");
	assert_memory_equal(buf_text(&stage.written), "clipboard\n{\"users\":[", 20);
	assert_false(stage_run(&stage, "view pies"));
	assert_non_null(
	    strstr(workbench_message(stage.wb), "views: table, tree, json, chart, cards"));
}

/* A chart leads to its rows: Enter shows the one of the cursor in the table. */
static void
test_from_chart_to_row(void **state)
{
	struct view *pane = &stage.wb->panes[PANE_structured];
	struct buf pointer = BUF_INIT;

	stage_run(&stage, "tool search_orders");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane structured");
	assert_true(stage_run(&stage, "chart bar"));
	assert_ptr_equal(view_of_value(pane)->ops, &view_chart);
	stage_keys(&stage, "down down enter");
	assert_ptr_equal(view_of_value(pane)->ops, &view_table);
	view_selected(view_of_value(pane), &pointer);
	assert_string_equal(buf_text(&pointer), "/orders/2/items");
	buf_finish(&pointer);
}

static void
test_files(void **state)
{
	assert_false(stage_run(&stage, "export csv f"));
	assert_false(stage_run(&stage, "copy"));
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_true(stage_run(&stage, "export csv a file.csv"));
	assert_memory_equal(buf_text(&stage.written), "a file.csv\nid,name,role\r\n1,", 26);
	/* in the shown order and filter */
	assert_true(stage_run(&stage, "sort id desc"));
	assert_true(stage_run(&stage, "filter editor"));
	assert_true(stage_run(&stage, "export jsonl f"));
	assert_string_equal(
	    buf_text(&stage.written), "f\n{\"id\":2,\"name\":\"Bob\",\"role\":\"editor\"}\n");
	/* as json the same, because the table leaves something out */
	assert_true(stage_run(&stage, "hide-column name"));
	assert_true(stage_run(&stage, "export json f"));
	assert_string_equal(
	    buf_text(&stage.written), "f\n[\n  {\"id\":2,\"role\":\"editor\"}\n]\n");
	assert_true(stage_run(&stage, "show-columns"));
	assert_true(stage_run(&stage, "clear-find"));
	/* only the shown part of the selection */
	assert_true(stage_run(&stage, "select id < 3"));
	assert_true(stage_run(&stage, "export tsv"));
	assert_string_equal(buf_text(&stage.written),
	    "clipboard\nid\tname\trole\n2\tBob\teditor\n1\tAlice\tadmin\n");
	assert_true(stage_run(&stage, "filter id = 3"));
	assert_false(stage_run(&stage, "export csv f"));
	assert_true(stage_run(&stage, "unselect"));
	assert_true(stage_run(&stage, "clear-find"));
	assert_true(stage_run(&stage, "export csv f"));
	assert_memory_equal(buf_text(&stage.written), "f\nid,name,role\r\n3,", 18);
	assert_false(stage_run(&stage, "export xml f"));
	assert_true(stage_run(&stage, "export svg a file.svg"));
	assert_memory_equal(buf_text(&stage.written), "a file.svg\n<?xml", 16);
	assert_true(stage_run(&stage, "export png f"));
	assert_memory_equal(buf_text(&stage.written), "f\n\x89PNG", 6);
	assert_true(stage_run(&stage, "export txt f"));
	assert_non_null(strstr(buf_text(&stage.written), "users · chart · bar · id by name"));
	assert_false(stage_run(&stage, "export svg"));
	assert_string_equal(workbench_message(stage.wb), "usage: export svg FILE");
	assert_false(stage_run(&stage, "export"));
	assert_false(stage_run(&stage, "dump"));
	assert_true(stage_run(&stage, "dump screen.txt"));
	assert_non_null(strstr(buf_text(&stage.written), "list_users"));
	assert_true(stage_run(&stage, "copy"));
	assert_memory_equal(buf_text(&stage.written), "clipboard\n{\"jsonrpc\"", 20);
	/* in the journal the selected message, open or not */
	stage_run(&stage, "wire");
	stage_keys(&stage, "home y");
	assert_non_null(strstr(buf_text(&stage.written), "clipboard\n{\"jsonrpc\""));
	assert_non_null(strstr(buf_text(&stage.written), "-32601")); /* the reply */
	stage_keys(&stage, "enter % y");
	assert_non_null(strstr(buf_text(&stage.written), "\"method\":\"initialize\""));
	stage_keys(&stage, "down y");
	assert_null(strstr(buf_text(&stage.written), "\"method\":\"initialize\""));
	stage_keys(&stage, "up");
	stage_run(&stage, "write f");
	assert_memory_equal(buf_text(&stage.written), "f\n{\"jsonrpc\"", 12);
	assert_non_null(strstr(buf_text(&stage.written), "\"method\":\"initialize\""));
	stage_keys(&stage, "esc");
	stage_run(&stage, "wire");
	assert_true(stage_run(&stage, "theme light"));
	assert_string_equal(stage.theme, "light");
	assert_false(stage_run(&stage, "theme nothing"));
}

/* The outcome of a call is shown in panes other than the form, at every size. */
static void
test_call_leaves_a_zoomed_form(void **state)
{
	static const int sizes[][2] = { { 120, 36 }, { 120, 24 }, { 80, 24 } };

	for (size_t i = 0; i < 3; i++) {
		stage_resize(&stage, sizes[i][0], sizes[i][1]);
		stage_run(&stage, "tool bad_rows");
		stage_run(&stage, "pane form");
		stage_run(&stage, "zoom");
		see_not("structuredContent");
		stage_keys(&stage, "f5");
		stage_settle(&stage, 1000);
		see("structuredContent ▸ products");
		see("✗");
	}
	stage_run(&stage, "pane content");
	stage_run(&stage, "zoom");
	stage_keys(&stage, "f5");
	stage_settle(&stage, 1000);
	see_not("structuredContent"); /* here the result is in sight */
}

/* Was the last request sent with this? */
static bool
sent(const char *text)
{
	const struct journal *j = server_info(stage.server)->journal;
	const struct journal_entry *e = journal_at(j, journal_info(j)->count - 1);

	while (!strstr(e->bytes->data, "\"method\":\"tools/call\""))
		e = journal_find(j, e->id - 1);
	return strstr(e->bytes->data, text) != NULL;
}

/* _meta for every call, like --meta for one; the form shows it. */
static void
test_meta(void **state)
{
	assert_true(stage_run(&stage, "tool list_users"));
	see_not("with _meta");
	assert_true(stage_run(&stage, "meta tenant=a n:=[1] 's p'='x y'"));
	assert_string_equal(
	    said(), "each call has in _meta: {\"tenant\":\"a\",\"n\":[1],\"s p\":\"x y\"}");
	see("with _meta");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_true(sent("\"tenant\":\"a\",\"n\":[1],\"s p\":\"x y\""));
	assert_false(stage_run(&stage, "meta progressToken=1"));
	assert_false(stage_run(&stage, "meta tenant"));
	assert_true(stage_run(&stage, "meta {\"b\": \"c d\"}"));
	assert_true(stage_run(&stage, "resource demo://welcome"));
	see("with _meta");
	assert_true(stage_run(&stage, "meta {}"));
	see_not("with _meta");
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_false(sent("tenant"));
}

static void
test_quit_asks_while_a_call_runs(void **state)
{
	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	assert_true(stage_run(&stage, "quit"));
	assert_false(stage.quit);
	stage_keys(&stage, "esc");
	assert_false(stage.quit);
	assert_true(stage_run(&stage, "quit!"));
	assert_true(stage.quit);
}

static void
test_restart_ends_calls(void **state)
{
	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	assert_int_equal(shown()->state, CALL_RUNNING);
	assert_true(stage_run(&stage, "restart"));
	assert_int_equal(shown()->state, CALL_DIED);
	stage_settle(&stage, 1000);
	assert_int_equal(server_info(stage.server)->phase, SERVER_READY);
	assert_tool("slow");
}

static uint32_t
corner(int x, int y)
{
	return stage.grid.cells[y * stage.grid.width + x].ch;
}

/* No row is wider than the screen, and no pane has drawn on the frame of another. */
static void
assert_frames(bool covered)
{
	struct rect none = { 0 };

	fence_assert(surface_whole(&stage.grid));
	for (int i = 0; i < PANE_COUNT && !covered; i++) {
		struct rect r = stage.wb->frame.width < 20 || stage.wb->frame.height < 6
				    ? none
				    : stage.wb->frame.layout.panes[i];
		if (r.width == 0)
			continue;
		assert_int_equal(corner(r.x, r.y), 0x256d);
		assert_int_equal(corner(r.x + r.width - 1, r.y), 0x256e);
		assert_int_equal(corner(r.x, r.y + r.height - 1), 0x2570);
		assert_int_equal(corner(r.x + r.width - 1, r.y + r.height - 1), 0x256f);
	}
}

/* Drawing works at any size with anything open. */
static void
test_every_size(void **state)
{
	static const char *const openers[] = { "f1", ":", "w", "f2", "z", "tab" };

	stage_run(&stage, "tool bad_rows");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	for (size_t i = 0; i < ARRAY_LEN(openers); i++) {
		stage_keys(&stage, openers[i]);
		for (int width = 1; width < 140; width += width < 30 ? 1 : 11) {
			for (int height = 1; height < 50; height += height < 12 ? 1 : 7) {
				stage_resize(&stage, width, height);
				assert_non_null(stage_text(&stage));
				assert_frames(stage.wb->dialog != NULL);
			}
		}
		stage_keys(&stage, "esc esc");
	}
}

/* ---- servers ---- */

static void
test_servers_by_name_and_number(void **state)
{
	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "server demo"));
	assert_true(stage_run(&stage, "server #1"));
	assert_false(stage_run(&stage, "server 5"));
	assert_string_equal(said(), "no server is named 5");
	assert_false(stage_run(&stage, "server #0"));
	assert_false(stage_run(&stage, "server old thing"));
	assert_string_equal(said(), "old thing: the environment has no OLD_HOME");
	assert_false(stage_run(&stage, "disconnect 2"));
	assert_string_equal(said(), "files is not connected");
	assert_true(stage_run(&stage, "connect"));
	assert_string_equal(said(), "demo is connected");
	assert_true(stage_run(&stage, "disconnect"));
	assert_string_equal(said(), "demo is disconnected: R reconnects");
	assert_false(stage_run(&stage, "call"));
	assert_true(stage_run(&stage, "connect"));
	assert_int_equal(server_info(stage.server)->phase, SERVER_READY);
}

/* On the first of its letters. */
static void
click_text(const char *text)
{
	const char *screen = stage_text(&stage), *found = strstr(screen, text);
	int y = 0, x = 0;

	assert_non_null(found);
	for (const char *at = screen; at < found; at++) {
		x += (*at & 0xc0) != 0x80; /* columns, as long as none is wide */
		if (*at == '\n') {
			x = 0;
			y++;
		}
	}
	stage_click(&stage, x, y);
}

/* The part below the list of servers is drawn only where a server is shown. */
static void
test_list_of_servers(void **state)
{
	stage_add_choices(&stage);
	stage_keys(&stage, "S");
	see("╭ Servers");
	see("▌1  ▸ demo");
	stage_keys(&stage, "S");
	see_not("╭ Servers");
	stage_keys(&stage, "S esc");
	see_not("╭ Servers");
	workspace_set_server(workbench_workspace(stage.wb), NULL);
	stage_keys(&stage, "S esc esc S");
	see("╭ Servers");
	see_not("Esc close");
}

static void
test_timeout(void **state)
{
	assert_false(stage_run(&stage, "timeout"));
	assert_false(stage_run(&stage, "timeout 0"));
	assert_false(stage_run(&stage, "timeout soon"));
	assert_string_equal(said(), "usage: timeout TIME, such as 500ms, 30s or 5m");
	assert_true(stage_run(&stage, "timeout 50ms"));
	assert_string_equal(said(), "new requests to demo time out after 50ms");
	stage_run(&stage, "tool slow");
	stage_run(&stage, "set seconds 3");
	stage_run(&stage, "call");
	stage_settle(&stage, 5000);
	assert_int_equal(shown()->state, CALL_TIMED_OUT);
	assert_true(stage_run(&stage, "timeout 20m")); /* the limit goes up with it */
	stage_run(&stage, "call");
	stage_settle(&stage, 5000);
	assert_int_equal(shown()->state, CALL_DONE);
}

/* The words of the bottom bar and the buttons of dialogs are there for the mouse too. */
static void
test_clicks(void **state)
{
	click_text("F5 call  ");
	assert_int_equal(shown()->kind, PRIMITIVE_TOOL);
	stage_settle(&stage, 1000);
	stage_resize(&stage, 160, 40); /* the bar has room for all */
	click_text("journal");
	see("╭⁶journal");
	click_text("close");
	see_not("╭⁶journal");
	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	stage_run(&stage, "quit");
	click_text("Stay ");
	assert_false(stage.quit);
	stage_run(&stage, "quit");
	click_text("Quit  ");
	assert_true(stage.quit);
}

/* Only y starts a server that a project's file names, and only after all of the question was on the
 * screen. */
static void
test_approval(void **state)
{
	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "server files"));
	stage_keys(&stage, "x tab f5");
	assert_true(stage.choices[1].unapproved);
	see("Run this program?");
	see_not("hunter2");
	stage_keys(&stage, "esc");
	assert_true(stage.choices[1].unapproved);
	assert_string_equal(said(), "files was not started");
	assert_true(stage_run(&stage, "server files"));
	stage_keys(&stage, "enter"); /* the button in focus */
	assert_true(stage.choices[1].unapproved);
	assert_string_equal(said(), "files was not started");
	assert_true(stage_run(&stage, "server files"));
	click_text("Do not run it");
	assert_true(stage.choices[1].unapproved);
	assert_string_equal(said(), "files was not started");
	stage_resize(&stage, 60, 12);
	assert_true(stage_run(&stage, "server files"));
	stage_keys(&stage, "y");
	assert_true(stage.choices[1].unapproved);
	assert_string_equal(said(), "there is more: read to the end first");
	stage_keys(&stage, "end end y"); /* no key skips text that was not drawn */
	assert_true(stage.choices[1].unapproved);
	for (int i = 0; i < 9; i++) {
		see("Do not run it");
		stage_keys(&stage, "end");
	}
	see_not("PgDn: there is more");
	stage_keys(&stage, "y");
	assert_false(stage.choices[1].unapproved);
	assert_string_equal(said(), "files is not there");
}

static void
key_at_once(const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	workbench_key(stage.wb, &key, stage.now_us);
}

/* A dialog takes its answer only after it was on the screen for a while, however late that was. */
static void
test_answers_come_after_the_question(void **state)
{
	static const char *const early[] = { "y", "enter", "ctrl-j", "Y", "n", "pgdn" };

	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "server files"));
	stage.now_us += 5000000; /* not drawn yet */
	for (size_t i = 0; i < ARRAY_LEN(early); i++) {
		key_at_once(early[i]);
		assert_true(stage.choices[1].unapproved);
		see("Run this program?");
		stage.now_us += 150000; /* each key but Ctrl-J restarts the wait */
	}
	key_at_once("esc"); /* the safe way out is always open */
	see_not("Run this program?");
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "set limit 100000");
	key_at_once("f5");
	key_at_once("y");
	see("Call it anyway?");
	assert_null(shown());
	stage_keys(&stage, "y");
	see_not("Call it anyway?");
	assert_non_null(shown());
}

/* Secrets are shown when the user asks for them, and everything is read again. */
static void
test_approval_shows_secrets(void **state)
{
	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "server files"));
	see("API_KEY=(hidden)");
	see("NODE_OPTIONS=--require ./x");
	click_text("Show all");
	see("API_KEY=hunter2");
	stage_keys(&stage, "v");
	see_not("hunter2");
	stage_resize(&stage, 60, 12);
	for (int i = 0; i < 9; i++) {
		see("Do not run it");
		stage_keys(&stage, "pgdn");
	}
	see_not("PgDn: there is more");
	stage_keys(&stage, "v y");
	assert_true(stage.choices[1].unapproved);
	see("PgDn: there is more");
}

/* A value of many pieces comes out whole. */
static void
test_approval_of_a_long_value(void **state)
{
	struct buf big = BUF_INIT;
	char *argv[] = { (char *)"x", NULL };

	buf_add_str(&big, "BIG=x");
	for (int i = 0; i < 5000; i++)
		buf_add_str(&big, "\xc3\xa4");
	buf_add_str(&big, "the end");
	char *env[] = { big.data, NULL };
	struct target target = { .name = argv[0], .label = argv[0], .argv = argv, .env = env };
	stage_add_choices(&stage);
	stage.choices[1].target = &target;
	stage.choices[1].danger_count = 0;
	assert_true(stage_run(&stage, "server x"));
	see("BIG=x\xc3\xa4\xc3\xa4");
	for (int i = 0; i < 9; i++) {
		see_not("\xef\xbf\xbd");
		stage_keys(&stage, "pgdn");
	}
	see("\xc3\xa4the end");
	see_not("PgDn: there is more");
	stage_keys(&stage, "n");
	stage_add_choices(&stage);
	buf_finish(&big);
}

static void
test_inputs(void **state)
{
	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "server web"));
	stage_type(&stage, "qy?1");
	see_not("qy?1");
	stage_keys(&stage, "enter");
	assert_string_equal(buf_text(&stage.written), "token=qy?1");
	stage_keys(&stage, "end backspace enter"); /* the first choice is selected */
	assert_string_equal(said(), "e is not one of the choices; Tab cycles through them");
	stage_keys(&stage, "tab tab enter");
	assert_string_equal(buf_text(&stage.written), "region=eu");
	assert_string_equal(said(), "web is not there");
}

static void
test_own_file(void **state)
{
	stage_add_choices(&stage);
	assert_true(stage_run(&stage, "add it  'a b' \"c\\\"d\" e\\ f x''y \"\""));
	assert_string_equal(buf_text(&stage.written), "add [it] [a b] [c\"d] [e f] [xy] []");
	assert_true(stage_run(&stage, "add https://host:8080/mcp?x"));
	assert_string_equal(buf_text(&stage.written), "add [host:8080] [https://host:8080/mcp?x]");
	assert_true(stage_run(&stage, "add https://me:secret@host/@x"));
	assert_non_null(strstr(buf_text(&stage.written), "add [host] "));
	assert_true(stage_run(&stage, "add {\"a\": {}}"));
	see("one: {\"a\": {}}"); /* shown before it is added, and No is the default */
	assert_string_equal(buf_text(&stage.written), "told {\"a\": {}}");
	stage_keys(&stage, "enter");
	assert_string_equal(buf_text(&stage.written), "told {\"a\": {}}");
	assert_true(stage_run(&stage, "add {\"a\": {}}"));
	stage_keys(&stage, "y");
	assert_string_equal(buf_text(&stage.written), "added {\"a\": {}}");
	assert_false(stage_run(&stage, "add {}"));
	assert_string_equal(said(), "no server in it");
	assert_false(stage_run(&stage, "add it"));
	assert_non_null(strstr(said(), "usage: add [NAME]"));
	assert_false(stage_run(&stage, "add it 'x"));
	assert_string_equal(said(), "a quote does not end");
	assert_true(stage_run(&stage, "disable web"));
	assert_string_equal(buf_text(&stage.written), "disable web");
	assert_true(stage_run(&stage, "edit-server files"));
	assert_string_equal(buf_text(&stage.written), "edit files");
	assert_false(stage_run(&stage, "edit-server"));
	assert_true(stage_run(&stage, "pane servers"));
	stage_keys(&stage, "home down down delete y");
	assert_string_equal(buf_text(&stage.written), "remove web");
	stage_keys(&stage, "x");
	assert_string_equal(buf_text(&stage.written), "disable web");
}

static void
test_tabs(void **state)
{
	stage_add_choices(&stage);
	assert_non_null(
	    strstr(stage_text(&stage), "1 demo ●   2 files ◌   3 web ◌   4 old thing –"));
	stage_click(&stage, 34, 0);
	see("A token of your account");
	stage_keys(&stage, "esc 2");
	see("Run this program?");
	stage_keys(&stage, "n");
	assert_true(stage_run(&stage, "tool slow"));
	stage_keys(&stage, "2"); /* a number's field */
	see_not("Run this program?");
	stage_keys(&stage, "esc esc 2");
	see("Run this program?");
	stage_keys(&stage, "n esc esc 9");
	see("list_users");
}

/* If not all servers fit, the bar shows the current one and the number of the others. */
static void
test_many_tabs(void **state)
{
	enum { MANY = 40 };
	static struct target targets[MANY];
	static struct server_choice choices[MANY];
	static char names[MANY][32];
	struct workspace *ws = workbench_workspace(stage.wb);

	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "server-%zu", i + 1);
		targets[i] = (struct target){ .name = names[i], .label = names[i] };
		choices[i] = (struct server_choice){ .target = &targets[i] };
	}
	choices[33].server = stage.server;
	ws->choices = choices;
	ws->choice_count = MANY;
	for (int width = 40; width < 200; width += 40) {
		stage_resize(&stage, width, 30);
		const char *text = stage_text(&stage);
		assert_non_null(strstr(text, "34 server-34 ●"));
		assert_null(strstr(text, "server-33 "));
	}
	/* all were started: as many around it as fit */
	for (size_t i = 0; i < MANY; i++)
		choices[i].server = stage.server;
	ws->server = stage.server;
	see("1 server-1 ●");
	see_not("server-40");
	click_text("+3");
	see("╭ Servers");
}

/* Tenths of a second while the number is small, then seconds; nothing while nothing runs. */
static void
test_clock_of_a_running_call(void **state)
{
	assert_true(workbench_next_frame_us(stage.wb, stage.now_us) == INT64_MAX);
	stage_run(&stage, "tool slow");
	stage_run(&stage, "set seconds 600");
	stage_run(&stage, "call");
	int64_t start_us = shown()->started_us, at_us = start_us;
	size_t frames = 0;
	while (at_us < start_us + 60 * 1000000) {
		at_us = workbench_next_frame_us(stage.wb, at_us);
		assert_int_equal((at_us - start_us) % 100000, 0); /* when the number changes */
		frames++;
	}
	assert_int_equal(frames, 100 + 50);
	assert_true(stage_run(&stage, "cancel"));
	assert_true(workbench_next_frame_us(stage.wb, at_us) == INT64_MAX);
}

/* A server that does not answer its first request is looked at for longer than a call. */
static void
test_clock_of_a_start(void **state)
{
	server_start(stage.server, stage.now_us);
	assert_true(workbench_next_frame_us(stage.wb, stage.now_us) == stage.now_us + 100000);
	int64_t later_us = stage.now_us + 20 * 1000000;
	assert_true(workbench_next_frame_us(stage.wb, later_us) == later_us + 1000000);
}

static size_t comparisons;

int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);

/* The Makefile links the unit tests so that each strcmp() of the program comes here. */
int
__wrap_strcmp(const char *a, const char *b)
{
	comparisons++;
	return __real_strcmp(a, b);
}

/* Count the strings compared to draw one frame with the last of this many tools selected. */
static size_t
comparisons_of_a_frame(size_t tools)
{
	struct buf members = BUF_INIT;
	char last[40];

	buf_add_str(&members, "\"result\":{\"tools\":[");
	for (size_t i = 0; i < tools; i++)
		buf_addf(&members,
		    "%s{\"name\":\"tool_%06zu\",\"inputSchema\":{\"type\":\"object\"}}",
		    i ? "," : "", i);
	buf_add_str(&members, "]}");
	server_relist(stage.server, stage.now_us);
	stage_answer(&stage, buf_text(&members));
	stage_settle(&stage, 1000);
	buf_finish(&members);
	snprintf(last, sizeof(last), "tool tool_%06zu", tools - 1);
	assert_true(stage_run(&stage, last));
	stage_text(&stage); /* fill the caches of the list */
	comparisons = 0;
	stage_text(&stage);
	return comparisons;
}

static void
test_a_frame_costs_the_same_for_any_number_of_tools(void **state)
{
	size_t few = comparisons_of_a_frame(100), many = comparisons_of_a_frame(20000);
	assert_true(few > 0);
	print_message("strings compared for a frame: %zu of 100 tools, %zu of 20 000\n", few, many);
	assert_true(many < 4 * few); /* the search of a sorted list may take a few steps more */
}

/* A frame that says "too small" is complete, also after one that a long text left unfinished. */
static void
test_too_small_after_an_unfinished_frame(void **state)
{
	struct buf members = BUF_INIT;
	struct grid grid;

	buf_add_str(&members, "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
	for (int i = 0; i < 400000; i++)
		buf_add_str(&members, "many words ");
	buf_add_str(&members, "\"}]}");
	stage_answer(&stage, buf_text(&members));
	buf_finish(&members);
	stage_keys(&stage, "f5");
	stage_text(&stage);
	stage_run(&stage, "pane content");
	stage_keys(&stage, "end");
	grid_init(&grid, 100, 40);
	workbench_draw(stage.wb, &grid, stage.now_us);
	assert_true(workbench_is_busy(stage.wb));
	grid_finish(&grid);
	grid_init(&grid, 100, 4);
	workbench_draw(stage.wb, &grid, stage.now_us);
	assert_false(workbench_is_busy(stage.wb));
	grid_finish(&grid);
}

TEST_FILE(workbench)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_beginnings, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_no_beginning_deletes_or_leaves, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_completion_begins_with_what_applies, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_call, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_bad_arguments_ask_first, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_violations_round_and_round, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_queue, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_queue_waits_for_lists, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_kinds_from_anywhere, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_prompt, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_completion_goes_round, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_actions_of_views, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_from_chart_to_row, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_files, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_call_leaves_a_zoomed_form, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_meta, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_quit_asks_while_a_call_runs, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_restart_ends_calls, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_every_size, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_servers_by_name_and_number, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_approval, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_answers_come_after_the_question, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_approval_shows_secrets, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_approval_of_a_long_value, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_inputs, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_own_file, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_list_of_servers, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_timeout, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_clicks, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_tabs, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_many_tabs, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_clock_of_a_running_call, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_clock_of_a_start, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_a_frame_costs_the_same_for_any_number_of_tools,
		    stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_too_small_after_an_unfinished_frame, stage_set_up, stage_tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
