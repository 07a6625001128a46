/* SPDX-License-Identifier: MIT */
/* Completions of the `:` line: every argument of a command, and each value with its description. */
#include "base/mem.h"
#include "base/vec.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The note of a completed line; NULL: it is not offered. */
static const char *
note_of(const char *typed, const char *line)
{
	static struct completions c;

	completions_finish(&c);
	complete(stage.wb, typed, &c);
	size_t at = strings_index(&c.lines, line);
	return at < c.lines.len ? c.notes.items[at] : NULL;
}

static size_t
count(const char *typed)
{
	struct completions c = { 0 };

	complete(stage.wb, typed, &c);
	size_t lines = c.lines.len;
	completions_finish(&c);
	return lines;
}

/* A server that another client's file lists. */
static void
add_shop(void)
{
	static char name[] = "shop", label[] = "node my server.js --port=1", program[] = "node",
		    script[] = "my server.js", port[] = "--port=1",
		    file[] = "/home/ada/.cursor/mcp.json", place[] = "~/.cursor/mcp.json";
	static char *argv[] = { program, script, port, NULL };
	static struct target shop = { .name = name,
		.label = label,
		.argv = argv,
		.file = file,
		.place = place,
		.client = "Cursor" };
	struct workspace *ws = workbench_workspace(stage.wb);

	stage.choices[ws->choice_count++] =
	    (struct server_choice){ .target = &shop, .origin = stage.choices[0].origin };
}

static void
test_every_source(void **state)
{
	static const struct {
		const char *typed, *line, *note;
	} rows[] = {
		{ "wri", "write", "like copy, but write to a file" },
		{ "jrn", "journal", "show or hide the journal of messages" },
		{ "schem", "schema", "the same as :definition" },
		{ "tool li", "tool list_users", "List users" },
		{ "tool lu", "tool list_users", "List users" },
		{ "resource demo://us", "resource demo://users.json", "users.json" },
		{ "watch demo://us", "watch demo://users.json", "users.json" },
		{ "template w", "template weather", "Weather" },
		{ "prompt in", "prompt introduce", "" },
		{ "pane def", "pane definition", "the definition" },
		{ "pane struct", "pane structuredContent", "" },
		{ "pane sch", "pane schema", "the definition" },
		{ "theme no", "theme nord", "dark" },
		{ "kind sta", "kind stacked", "a bar for each row" },
		{ "chart-style bl", "chart-style blocks", "four quarters" },
		{ "export sv", "export svg", "the chart" },
		{ "era ", "era modern", "2026-07-28" },
		{ "log w", "log warning", "and above" },
		{ "timeout ", "timeout 30s", "30 seconds" },
		{ "view t", "view tree", "" },
		{ "server de", "server demo", "" },
		{ "restart de", "restart demo", "" },
		{ "select-server ", "select-server 1", "demo" },
		{ "export c", "export csv", "spreadsheet" },
		{ "export csv n", "export csv notes.txt", "file" },
		{ "export csv d", "export csv data/", "folder" },
		{ "export csv data/n", "export csv data/notes.txt", "file" },
		{ "write .h", "write .hidden", "file" },
		{ "write ", "write notes.txt", "file" },
		{ "dump data/", "dump data/data/", "folder" },
		{ "root ", "root add", "" },
		{ "root add ", "root add data/", "folder" },
		{ "file role ", "file role base64", "" },
		{ "file role base64 n", "file role base64 notes.txt", "file" },
		{ "record ses", "record session", "wire" },
		{ "record session s", "record session stop", "end" },
		{ "record session n", "record session notes.txt", "file" },
		{ "export-journal ", "export-journal har", "" },
		{ "export-journal --with-secrets c", "export-journal --with-secrets curl", "" },
		{ "export-journal har n", "export-journal har notes.txt", "file" },
		{ "set r", "set role", "enum of 3" },
		{ "set role a", "set role admin", "" },
		{ "set role ", "set role editor", "" },
		{ "set limit ", "set limit 50", "default" },
		{ "set /l", "set /limit", "integer" },
		{ "edit li", "edit limit", "integer" },
		{ "skill tam", "skill skill://odd/tampered-notes/SKILL.md", "" },
		{ "list-folder ref", "list-folder references/deep/", "explain-verdict" },
		{ "theme ev", "theme evening sun", "in your folder" },
		{ "add ", "add shop", "Cursor" },
		{ "add shop ", "add shop node 'my server.js' --port=1", "~/.cursor" },
		{ "add shop np", "add shop npx -y ", "npm" },
		{ "add shop no", "add shop notes.txt", "file" },
		{ "add! ", "add! {\"mcpServers\":{\"NAME\":{\"command\":\"\",\"args\":[]}}}", "" },
		{ "client-id me ", "client-id me env:", "variable" },
		{ "client-id me @n", "client-id me @notes.txt", "file" },
		{ "meta ", "meta {}", "no further" },
		{ "send ", "send {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}", "" },
		{ "grow ", "grow 5", "" },
		{ "palette th", "palette theme", "" },
		{ "filter-logs l", "filter-logs level:", "warning" },
		{ "filter-logs x level:w", "filter-logs x level:warning", "" },
		{ "filter-tasks state:", "filter-tasks state:completed", "" },
		{ "filter list", "filter list_users", "List users" },
		{ "find list", "find list_users", "List users" },
	};

	add_shop();
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "pane tools");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *note = note_of(rows[i].typed, rows[i].line);
		if (!note || !strstr(note, rows[i].note))
			fail_msg("%s: %s", rows[i].line, note ? note : "is not offered");
	}
	assert_null(note_of("write ", "write .hidden"));
	assert_null(note_of("root add ", "root add notes.txt"));
	assert_int_equal(count("tool nothing like it"), 0);
	assert_int_equal(count("find x:"), 0);
	assert_int_equal(count(""), count(" "));
}

/* The words of a filter, of which the last one is completed. */
static void
test_filters(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_null(note_of("filter me", "filter method:")); /* of the tools pane */
	stage_run(&stage, "journal");
	assert_string_equal(note_of("filter ", "filter method:"), "tools/call");
	assert_string_equal(note_of("find ", "find dir:"), "in");
	assert_string_equal(
	    note_of("filter method:t", "filter method:tools/call"), "in the journal");
	assert_int_equal(count("filter method:tools/c"), 1); /* once */
	assert_non_null(note_of("filter users -st", "filter users -status:"));
	assert_non_null(note_of("filter users -status:e", "filter users -status:error"));
	assert_non_null(note_of("filter kind:", "filter kind:stderr"));
	assert_non_null(note_of("filter verdict:inv", "filter verdict:invalid"));
	assert_string_equal(note_of("filter tool:list_u", "filter tool:list_users"), "List users");
	assert_int_equal(count("filter nothing:"), 0);
	assert_true(stage_run(&stage, "filter tool:list_users -status:error"));
	see("/tool:list_users");
}

static bool
saved_calls(void *user, struct saved_calls *out, struct err *err)
{
	*out = (struct saved_calls){ 0 };
	*VEC_PUSH(out) = (struct saved_call){ .name = mem_strdup("open orders"),
		.key = mem_strdup("search_orders"),
		.arguments = mem_strdup("{}") };
	return true;
}

static bool
environments(void *user, struct environments *out, struct err *err)
{
	static const char text[] = "{\"environments\":{\"staging\":{}}}";

	return environments_parse(out, text, strlen(text), err);
}

static void
add_project(void)
{
	static const struct collection_host host = { .calls = saved_calls,
		.environments = environments };

	workbench_workspace(stage.wb)->collection.host = &host;
}

static void
test_project(void **state)
{
	assert_int_equal(count("saved "), 0);
	add_project();
	assert_string_equal(note_of("saved o", "saved open orders"), "search_orders");
	assert_string_equal(note_of("delete-saved ", "delete-saved open orders"), "search_orders");
	assert_non_null(note_of("rename-saved ", "rename-saved \"open orders\" "));
	assert_non_null(note_of("environment st", "environment staging"));
}

/* No command has an argument without completions, but these take any text. */
static void
test_no_argument_without_a_source(void **state)
{
	static const char *const free_text[] = { "copy", "authorize", "client-id", "jq",
		"jq-default", "browse", "browse!", "terminal", "search", "show-call", "delete-call",
		"delete-call!", "name-call" };
	const struct command_info *info;

	add_shop();
	add_project();
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane tools");
	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		bool is_free = false;
		for (size_t k = 0; k < ARRAY_LEN(free_text); k++)
			is_free |= strcmp(free_text[k], info->name) == 0;
		char *line = mem_printf("%s ", info->name);
		if (info->args[0] && !is_free && !info->alias_of && count(line) == 0)
			fail_msg(":%s %s has no completions", info->name, info->args);
		free(line);
	}
}

static void
test_of_the_result(void **state)
{
	assert_int_equal(count("sort "), 0);
	assert_int_equal(count("goto "), 0);
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_string_equal(note_of("sort n", "sort name"), "column");
	assert_string_equal(note_of("sort i", "sort id"), "column of numbers");
	assert_string_equal(note_of("sort id ", "sort id desc"), "descending");
	assert_string_equal(note_of("goto ", "goto /total"), "3");
	assert_non_null(note_of("goto /us", "goto /users"));
	assert_non_null(note_of("goto /users/", "goto /users/2"));
	assert_non_null(note_of("goto /users/0/", "goto /users/0/name"));
	assert_string_equal(note_of("block ", "block 1"), "text");
	assert_string_equal(note_of("data ", "data 1"), "text");
	assert_null(note_of("goto /nothing/", "goto /nothing/"));
}

/* The last token of an expression, also in the `/` line: Tab takes the next word that fits. */
static void
test_table_filter(void **state)
{
	stage_answer(&stage,
	    "\"result\":{\"content\":[],\"structuredContent\":[{\"price\":1,\"unit price\":2,"
	    "\"pr`x\":3},{\"price\":7}]}");
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane structured");
	assert_string_equal(note_of("filter pr", "filter price"), "column of numbers");
	assert_non_null(note_of("filter price > 1 and (not pr", "filter price > 1 and (not price"));
	assert_non_null(note_of("filter a=`un", "filter a=`unit price`"));
	assert_non_null(note_of("filter ", "filter `unit price`"));
	assert_non_null(note_of("filter price=7 or @in", "filter price=7 or @invalid"));
	assert_non_null(note_of("filter price=7 a", "filter price=7 and"));
	assert_null(note_of("filter \"a\" or \"pr", "filter \"a\" or \"price"));
	assert_null(note_of("filter pr", "filter pr`x"));
	assert_non_null(note_of("select price > 3 or pr", "select price > 3 or price"));
	assert_non_null(note_of("sort price desc, pr", "sort price desc, price"));
	stage_keys(&stage, "/");
	see("Tab price (8)");
	stage_type(&stage, "p");
	see("Tab price   Enter keep");
	stage_keys(&stage, "tab");
	stage_type(&stage, " > 3 and `");
	see("Tab `price` (2)");
	stage_keys(&stage, "tab tab tab shift-tab");
	see("/price > 3 and `unit price`");
	stage_keys(&stage, "enter");
	see("if price > 3 and `unit price` ✕");
	/* nothing fits: Tab leaves the line */
	stage_keys(&stage, "/");
	stage_type(&stage, "zzz");
	stage_keys(&stage, "tab");
	see("/zzz ✕");
}

/* A list as long as a server likes gives a bounded number of lines. */
static void
test_bounds(void **state)
{
	struct buf members = BUF_INIT;

	buf_add_str(&members, "\"result\":{\"tools\":[");
	for (int i = 0; i < 3000; i++)
		buf_addf(&members,
		    "%s{\"name\":\"tool_%d\",\"description\":\"one\\ntwo\",\"inputSchema\":{"
		    "\"type\":\"object\"}}",
		    i ? "," : "", i);
	buf_add_str(&members, "]}");
	stage_answer(&stage, buf_text(&members));
	stage_run(&stage, "relist");
	stage_settle(&stage, 1000);
	buf_finish(&members);
	assert_int_equal(count("tool t"), 1000);
	assert_string_equal(note_of("tool tool_2999", "tool tool_2999"), "one");
}

/* The list is framed, with the usage as its title; Tab continues inside a folder. */
static void
test_on_the_screen(void **state)
{
	stage_keys(&stage, ":");
	stage_type(&stage, "export csv da");
	see("export FORMAT [FILE]");
	stage_keys(&stage, "tab");
	see(":export csv data/\n");
	see("export csv data/notes.txt");
	stage_keys(&stage, "esc :");
	stage_type(&stage, "zoo");
	see("zoom                    toggle the pane between its place and the whole screen");
}

TEST_FILE(completion)
{
#define T(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
	const struct CMUnitTest tests[] = {
		T(test_every_source),
		T(test_filters),
		T(test_project),
		T(test_no_argument_without_a_source),
		T(test_of_the_result),
		T(test_table_filter),
		T(test_bounds),
		T(test_on_the_screen),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
