/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "cli/command_line.h"
#include "host/from_options.h"
#include "host/server_list.h"
#include "test.h"
#include "ui/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* argv[0] and up to 31 words, split at blanks; "_" within a word is a blank. */
struct line {
	char text[600];
	char *argv[33];
	int argc;
};

static void
split(struct line *l, const char *words)
{
	snprintf(l->text, sizeof(l->text), "mcpane %s", words);
	l->argc = 0;
	for (char *at = l->text; *at && l->argc < 32;) {
		l->argv[l->argc++] = at;
		at += strcspn(at, " ");
		if (*at)
			*at++ = '\0';
	}
	l->argv[l->argc] = NULL;
	for (int i = 0; i < l->argc; i++)
		for (char *c = l->argv[i]; *c; c++)
			*c = *c == '_' ? ' ' : *c;
}

static void
parse(struct options *o, struct line *l, const char *words)
{
	struct err err = { "" };

	split(l, words);
	if (!options_parse(o, l->argc, l->argv, &err))
		fail_msg("%s: %s", words, err.text);
}

static void
refuse(const char *words, const char *because)
{
	struct options o;
	struct line l;
	struct err err = { "" };

	split(&l, words);
	if (options_parse(&o, l.argc, l.argv, &err)) {
		options_finish(&o);
		fail_msg("not refused: %s", words);
	}
	if (!strstr(err.text, because))
		fail_msg("%s: \"%s\" does not say \"%s\"", words, err.text, because);
	assert_null(strchr(err.text, '\n'));
	assert_null(o.screen.commands.items);
	assert_null(o.call.arguments.items);
}

static void
test_url(void **state)
{
	struct options o;
	struct target t;
	struct line l;

	parse(&o, &l,
	    "call https://example.com:8443/mcp?x=1 -H A:_b --header X-Empty: --insecure tool "
	    "a=http://b/");
	assert_string_equal(o.url, "https://example.com:8443/mcp?x=1");
	assert_string_equal(o.call.tool, "tool");
	assert_int_equal(o.call.arguments.len, 1);
	assert_true(target_choose(&t, &o, NULL));
	assert_string_equal(t.name, "example.com:8443");
	assert_string_equal(t.url, o.url);
	assert_string_equal(t.headers[0], "A: b");
	assert_string_equal(t.headers[1], "X-Empty:");
	assert_null(t.headers[2]);
	assert_true(t.insecure);
	target_finish(&t);
	options_finish(&o);
	parse(&o, &l, "list http://localhost/ tools");
	assert_true(target_choose(&t, &o, NULL));
	assert_null(t.headers[0]);
	assert_false(t.insecure);
	target_finish(&t);
	options_finish(&o);
}

static void
test_defaults(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "");
	assert_ptr_equal(o.subcommand, subcommands);
	assert_int_equal(o.screen.colors, BACKEND_COLORS_AUTO);
	assert_int_equal(o.connect.era, ERA_AUTO);
	assert_false(o.demo || o.configs.len > 0 || o.command || o.call.json || o.screen.ascii ||
		     o.screen.no_mouse);
	assert_int_equal(o.connect.timeout_ms, 0);
	struct connection_options c = connection_options_from(&o);
	assert_int_equal(c.ladder.grace_ms, child_default_ladder.grace_ms);
	assert_int_equal(c.ladder.kill_ms, child_default_ladder.kill_ms);
	options_finish(&o);
	assert_true(options_parse(&o, 0, (char *[]){ NULL }, NULL));
	options_finish(&o);
}

static void
test_screen(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l,
	    "-c tool_list_users --command=call -ccancel --theme light --color 256 --ascii "
	    "--no-mouse --demo");
	assert_ptr_equal(o.subcommand, subcommands);
	assert_int_equal(o.screen.commands.len, 3);
	assert_string_equal(o.screen.commands.items[0], "tool list users");
	assert_string_equal(o.screen.commands.items[1], "call");
	assert_string_equal(o.screen.commands.items[2], "cancel");
	assert_string_equal(o.screen.theme, "light");
	assert_int_equal(o.screen.colors, PAINT_256);
	assert_true(o.screen.ascii && o.screen.no_mouse && o.demo);
	options_finish(&o);
	parse(&o, &l, "--color never");
	assert_int_equal(o.screen.colors, PAINT_MONO);
	options_finish(&o);
}

static void
test_server(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l,
	    "--era legacy --timeout 1500 --max-timeout 2m --max-message 16M --journal 64K --grace "
	    "0 --kill 1s -- node server.js --demo list -- x");
	assert_ptr_equal(o.subcommand, subcommands);
	assert_int_equal(o.connect.era, ERA_LEGACY);
	assert_int_equal(o.connect.timeout_ms, 1500);
	assert_int_equal(o.connect.max_timeout_ms, 120000);
	assert_int_equal(o.connect.max_message_bytes, 16u << 20);
	assert_int_equal(o.connect.journal_max_bytes, 65536);
	assert_false(o.demo);
	assert_string_equal(o.command[0], "node");
	assert_string_equal(o.command[2], "--demo");
	assert_string_equal(o.command[4], "--");
	assert_string_equal(o.command[5], "x");
	assert_null(o.command[6]);
	struct connection_options c = connection_options_from(&o);
	assert_int_equal(c.ladder.grace_ms, 0);
	assert_int_equal(c.ladder.kill_ms, 1000);
	assert_int_equal(c.server.session.era, ERA_LEGACY);
	assert_int_equal(c.max_message_bytes, 16u << 20);
	options_finish(&o);
}

static void
test_list(void **state)
{
	static const char *const lines[] = {
		"list --demo --json",
		"list tools --json --demo",
		"--json --demo list",
		"--demo list tools --json",
	};
	struct options o;
	struct line l;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		parse(&o, &l, lines[i]);
		assert_string_equal(o.subcommand->name, "list");
		assert_true(o.demo && o.call.json);
		options_finish(&o);
	}
}

static void
test_call(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "--config f.json call --server a search q=a=b --args {} limit:=5 a.b= :x=1");
	assert_string_equal(o.subcommand->name, "call");
	assert_string_equal(o.call.tool, "search");
	assert_string_equal(o.call.args_json, "{}");
	assert_string_equal(o.server, "a");
	assert_int_equal(o.call.arguments.len, 4);
	const struct call_argument *a = o.call.arguments.items;
	assert_string_equal(a[0].path, "q");
	assert_string_equal(a[0].text, "a=b");
	assert_false(a[0].is_json);
	assert_string_equal(a[1].path, "limit");
	assert_string_equal(a[1].text, "5");
	assert_true(a[1].is_json);
	assert_string_equal(a[2].path, "a.b");
	assert_string_equal(a[2].text, "");
	assert_string_equal(a[3].path, ":x");
	options_finish(&o);
	/* a tool may be called list, and an option's value may look like anything */
	parse(&o, &l, "call list --args -1 --demo");
	assert_string_equal(o.call.tool, "list");
	assert_string_equal(o.call.args_json, "-1");
	options_finish(&o);
}

static void
test_primitives(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "list prompts https://h/mcp");
	assert_int_equal(o.call.kind, PRIMITIVE_PROMPT);
	assert_string_equal(o.url, "https://h/mcp");
	options_finish(&o);
	parse(&o, &l, "read https://h/mcp https://h/page --output f");
	assert_string_equal(o.subcommand->name, "read");
	assert_string_equal(o.url, "https://h/mcp");
	assert_string_equal(o.call.uri, "https://h/page");
	assert_string_equal(o.call.output, "f");
	options_finish(&o);
	parse(&o, &l, "read https://h/page -- node");
	assert_null(o.url);
	assert_string_equal(o.call.uri, "https://h/page");
	options_finish(&o);
	parse(&o, &l, "get --demo p a=1 b=2");
	assert_string_equal(o.subcommand->name, "get");
	assert_string_equal(o.call.tool, "p");
	assert_int_equal(o.call.arguments.len, 2);
	options_finish(&o);
	parse(&o, &l, "complete --demo template t{x} x v y=z");
	assert_int_equal(o.call.kind, PRIMITIVE_TEMPLATE);
	assert_string_equal(o.call.tool, "t{x}");
	assert_string_equal(o.call.argument, "x");
	assert_string_equal(o.call.value, "v");
	assert_string_equal(o.call.arguments.items[0].path, "y");
	options_finish(&o);
	parse(&o, &l, "ping --demo");
	assert_string_equal(o.subcommand->name, "ping");
	options_finish(&o);
	parse(&o, &l, "call ./server.json t a=b.json");
	assert_string_equal(o.configs.items[0], "./server.json");
	assert_string_equal(o.call.tool, "t");
	options_finish(&o);
	parse(&o, &l, "server.json");
	assert_string_equal(o.configs.items[0], "server.json");
	options_finish(&o);
}

static void
test_check(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "check s.json a.json - --map a=b --draft 7 --map=c=d --format basic --lines");
	assert_string_equal(o.subcommand->name, "check");
	assert_string_equal(o.check.schema, "s.json");
	assert_int_equal(o.check.instances.len, 2);
	assert_string_equal(o.check.instances.items[1], "-");
	assert_int_equal(o.check.maps.len, 2);
	assert_string_equal(o.check.maps.items[1], "c=d");
	assert_int_equal(o.check.draft, SCHEMA_DRAFT_07);
	assert_int_equal(o.format, CHECK_OUTPUT_BASIC);
	assert_true(o.check.lines);
	assert_false(o.check.assert_format || o.check.time);
	options_finish(&o);
	parse(&o, &l, "check - check");
	assert_string_equal(o.check.schema, "-");
	assert_string_equal(o.check.instances.items[0], "check");
	assert_int_equal(o.format, CHECK_OUTPUT_TEXT);
	assert_int_equal(o.check.draft, SCHEMA_DRAFT_UNKNOWN);
	options_finish(&o);
}

static void
test_history(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "history -tool:list --json -x two_words - since:2h --raw");
	assert_int_equal(o.history.past.len, 5);
	assert_string_equal(o.history.past.items[0], "-tool:list");
	assert_string_equal(o.history.past.items[1], "-x");
	assert_string_equal(o.history.past.items[2], "two words");
	assert_true(o.call.json && o.call.raw);
	options_finish(&o);
	parse(&o, &l, "history -V");
	assert_string_equal(o.subcommand->name, "version");
	options_finish(&o);
	refuse("history show", "the id of a call is missing");
	refuse("history show 5 6", "takes one call");
	refuse("history delete last tool:x", "\"tool:x\" is not the id of a call");
	refuse("history pin 99999999999999999999", "is not the id");
	refuse("history pin last --limit 3", "go with a search");
	refuse("history --view table", "only show prints one result");
	refuse("history --limit 0", "is not a number from 1 on, or all");
	refuse("history --limit 1x", "is not a number from 1 on, or all");
	refuse("list --demo --limit 1", "--limit goes with history, not with list");
	refuse("history show last --json --view table", "exclude each other");
	refuse("history --tool:list", "unknown option --tool:list");
	refuse("list -tool:list --demo", "unknown option -tool:list");
}

static void
test_other_modes(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l, "call --help --nonsense");
	assert_string_equal(o.subcommand->name, "help");
	options_finish(&o);
	parse(&o, &l, "-V");
	assert_string_equal(o.subcommand->name, "version");
	options_finish(&o);
	parse(&o, &l, "--serve-demo");
	assert_string_equal(o.subcommand->name, "--serve-demo");
	options_finish(&o);
}

static void
test_refused(void **state)
{
	static const char *const lines[][2] = {
		{ "--nonsense", "unknown option --nonsense" },
		{ "--nonsense=1", "unknown option --nonsense" },
		{ "--dem", "unknown option --dem" },
		{ "-x", "unknown option -x" },
		{ "--", "the server's command must follow --" },
		{ "--config", "--config: a value is missing: FILE" },
		{ "--timeout -- node", "--timeout: a value is missing" },
		{ "-c", "a value is missing" },
		{ "--demo=yes", "--demo takes no value" },
		{ "--timeout soon", "\"soon\" is not a time" },
		{ "--timeout -5", "is not a time" },
		{ "--timeout 99999999999999999999", "is not a time" },
		{ "--timeout 5h", "is not a time" },
		{ "--timeout=", "is not a time" },
		{ "--max-message 1T", "is not a size" },
		{ "--max-message 9999999999G", "is not a size" },
		{ "--era new", "auto, modern" },
		{ "--color lots", "truecolor" },
		{ "--demo --config f", "exclude each other" },
		{ "--demo -- node", "exclude each other" },
		{ "--demo --server a", "--server selects a server of a file" },
		{ "node server.js", "goes after --" },
		{ "https://example.com/mcp --demo", "exclude each other" },
		{ "https://example.com/mcp http://b/", "unexpected \"http://b/\"" },
		{ "--demo --header a:b", "--header goes with a URL" },
		{ "--insecure -- node", "--insecure goes with a URL" },
		{ "call https://example.com/mcp", "name of a tool is missing" },
		{ "check https://a/s.json i.json --insecure -- x", "not with check" },
		{ "list", "no server" },
		{ "--input novalue", "not ID=VALUE" },
		{ "--input =x", "not ID=VALUE" },
		{ "--trust --demo", "--trust goes with list" },
		{ "list apps --demo", "only tools, resources" },
		{ "list tools tools --demo", "only tools" },
		{ "list --demo --args {}", "--args goes with call" },
		{ "read --demo", "the URI of a resource is missing" },
		{ "read --demo a: b:", "read: takes one URI; unexpected \"b:\"" },
		{ "read --demo a: --args {}", "--args goes with call" },
		{ "call --demo t --output f", "--output goes with read" },
		{ "get --demo", "the name of a prompt is missing" },
		{ "get --demo p a", "neither NAME=VALUE" },
		{ "complete --demo", "are needed" },
		{ "complete --demo prompt p a", "are needed" },
		{ "complete --demo tool p a b", "neither prompt nor template" },
		{ "ping --demo x", "unexpected \"x\"" },
		{ "lst --demo", "unknown subcommand \"lst\"; did you mean list?" },
		{ "node server.js", "unexpected \"node\": a server's command goes after --" },
		{ "list tols --demo", "did you mean tools?" },
		{ "--hlep", "unknown option --hlep; did you mean --help?" },
		{ "--tineout=3 --demo", "did you mean --timeout?" },
		{ "--zzzz", "unknown option --zzzz: see mcpane --help" },
		{ "ping", "no server" },
		{ "list --demo -c call",
		    "--command goes with the screen, tap and open, not with list" },
		{ "--demo --json", "--json goes with list, call, read, get, skill, apps, render, "
				   "run, test, complete, "
				   "ping, diff, snapshot, servers, history and saved, not "
				   "with the screen" },
		{ "call --demo", "name of a tool is missing" },
		{ "call t", "no server" },
		{ "call --demo t limit", "neither NAME=VALUE nor NAME:=JSON" },
		{ "call --demo t =5", "neither NAME=VALUE" },
		{ "call t http://h/mcp?a=1", "the server's URL comes before the name: URL t" },
		{ "get p a=1 https://h/mcp", "the server's URL comes before the name: URL p" },
		{ "call --demo t :=5", "neither NAME=VALUE" },
		{ "call --demo t a=1 b", "neither NAME=VALUE" },
		{ "check", "the schema is missing" },
		{ "check s.json", "give an instance to check" },
		{ "check - a.json -", "read only once" },
		{ "check s.json i.json -- node", "check: takes no server" },
		{ "check s.json i.json --json",
		    "--json goes with list, call, read, get, skill, apps, "
		    "render, run, test, complete, ping, diff, snapshot, servers, history and "
		    "saved, not with check" },
		{ "check s.json i.json -c quit", "not with check" },
		{ "check s.json i.json --format xml", "text, json, flag or basic" },
		{ "check s.json i.json --draft 3", "2019-09" },
		{ "check s.json i.json --map", "a value is missing: PREFIX=DIR" },
		{ "call --demo t --map a=b", "--map goes with check, not with call" },
		{ "read --demo demo://welcome -c x",
		    "--command goes with the screen, tap and open, not with read" },
		{ "logout https://host/mcp --json -c foo", "--json goes with list" },
		{ "logout https://host/mcp -c foo", "not with logout" },
		{ "logout https://host/mcp -- node", "takes a URL, not a command" },
		{ "conformance --demo --json", "not with conformance" },
		{ "render --demo", "the name of a tool is missing" },
		{ "render --demo t --size 9x30", "is not COLUMNSxROWS from 10x4 to 400x400" },
		{ "render --demo t --size 80x", "is not COLUMNSxROWS" },
		{ "render --demo t --size 80x24x1", "is not COLUMNSxROWS" },
		{ "render --demo t --size -80x24", "is not COLUMNSxROWS" },
		{ "render --demo t --size 4294967376x24", "is not COLUMNSxROWS" },
		{ "render --demo t --csp none", "strict or lax" },
		{ "render --demo t --json --ansi", "exclude each other" },
		{ "render --demo t --apps never", "goes without --apps never" },
		{ "render --demo t --theme nix", "built in, not \"nix\"" },
		{ "call --demo t --click x", "--click goes with render, not with call" },
		{ "--serve-demo --json", "not with --serve-demo" },
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		refuse(lines[i][0], lines[i][1]);
}

static void
test_steps(void **state)
{
	struct options o;
	struct line l;

	parse(&o, &l,
	    "render --demo --click Save_all tool --wait=done a=1 --type x --press Enter --click y "
	    "--size 80x24 --csp lax --yes");
	assert_string_equal(o.call.tool, "tool");
	assert_int_equal(o.call.arguments.len, 1);
	assert_int_equal(o.render.steps.len, 5);
	static const struct option_step expected[] = { { STEP_CLICK, "Save all" },
		{ STEP_WAIT, "done" }, { STEP_TYPE, "x" }, { STEP_PRESS, "Enter" },
		{ STEP_CLICK, "y" } };
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		assert_int_equal(o.render.steps.items[i].kind, expected[i].kind);
		assert_string_equal(o.render.steps.items[i].text, expected[i].text);
	}
	assert_int_equal(o.render.size.cols, 80);
	assert_int_equal(o.render.size.rows, 24);
	assert_int_equal(o.render.csp, 1);
	assert_true(o.render.yes);
	options_finish(&o);
	parse(&o, &l, "render --demo tool");
	assert_int_equal(o.render.size.cols, 0);
	assert_int_equal(o.render.steps.len, 0);
	options_finish(&o);
}

static void
test_help(void **state)
{
	struct buf help = BUF_INIT;

	help_text(&help, NULL);
	for (const char *at = buf_text(&help); *at; at += strcspn(at, "\n") + 1)
		assert_true(strcspn(at, "\n") <= 80);
	buf_finish(&help);
}

/* Each subcommand has a help of one page, with an example that parses. */
static void
test_help_of_subcommands(void **state)
{
	struct buf help = BUF_INIT;
	struct options o;
	struct line l;

	for (const struct subcommand *row = subcommands; row->name; row++) {
		if (!row->usage)
			continue;
		buf_clear(&help);
		help_text(&help, row);
		for (const char *at = buf_text(&help); *at; at += strcspn(at, "\n") + 1)
			assert_true(strcspn(at, "\n") <= 80);
		assert_non_null(strstr(buf_text(&help), row->usage));
		assert_non_null(row->about);
		assert_true(strncmp(row->example, "mcpane ", 7) == 0);
		parse(&o, &l, row->example + 7);
		assert_ptr_equal(o.subcommand, row);
		options_finish(&o);
	}
	buf_finish(&help);
}

static void
test_help_has_the_options_it_accepts(void **state)
{
	static const struct {
		const char *line, *subcommand, *has, *lacks;
	} rows[] = {
		{ "check --help", "check", "--draft", "--login" },
		{ "call --demo --help", "call", "  --jq EXPRESSION", "--draft" },
		{ "call -h", "call", "--login", "--key" },
		{ "help call", "call", "one of json, csv, tsv, markdown, jsonl\n", "junit" },
		{ "test --help list", "test", "one of text, json, junit, tap, github\n", "csv" },
		{ "--help open", "open", "--theme", "  --json" },
		{ "ping --help", "ping", "--timeout", "--theme" },
	};
	struct buf help = BUF_INIT;
	struct options o;
	struct line l;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		parse(&o, &l, rows[i].line);
		const struct subcommand *about = help_subject(&o);
		assert_string_equal(o.subcommand->name, "help");
		assert_non_null(about);
		assert_string_equal(about->name, rows[i].subcommand);
		buf_clear(&help);
		help_text(&help, about);
		assert_non_null(strstr(buf_text(&help), rows[i].has));
		assert_null(strstr(buf_text(&help), rows[i].lacks));
		options_finish(&o);
	}
	parse(&o, &l, "help nonsense");
	assert_null(help_subject(&o));
	options_finish(&o);
	buf_finish(&help);
}

/* ---- targets ---- */

static void
write_config(char *path, const char *text)
{
	strcpy(path, "/tmp/mcpane-options-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void
test_config(void **state)
{
	char path[64];
	struct target t;
	struct err err = { "" };
	const char *paths[] = { path };
	struct options o = { .configs = { paths, 1, 1 } };

	write_config(path, "{\"mcpServers\":{\"one\":{\"command\":\"true\"}}}");
	assert_true(target_choose(&t, &o, &err));
	assert_string_equal(t.name, "one");
	target_finish(&t);
	unlink(path);
	write_config(path,
	    "{\"mcpServers\":{\"one\":{\"command\":\"true\"},\"two\":{\"command\":\"false\"}}}");
	assert_false(target_choose(&t, &o, &err));
	assert_non_null(strstr(err.text, "give --server NAME or number; servers: one, two"));
	o.server = "three";
	assert_false(target_choose(&t, &o, &err));
	assert_non_null(strstr(err.text, "no server is called three in "));
	o.server = "two";
	assert_true(target_choose(&t, &o, &err));
	assert_string_equal(t.argv[0], "false");
	target_finish(&t);
	unlink(path);
	assert_false(target_choose(&t, &o, &err));
}

static bool
yes(const char *program)
{
	return true;
}

static bool
no(const char *program)
{
	return false;
}

/* The client announces apps if they can be shown, or if the user requests it. */
static void
test_apps(void **state)
{
	static const struct {
		const char *words;
		bool (*engine)(const char *program);
		bool told;
	} rows[] = {
		{ "--demo", NULL, false },
		{ "--demo", no, false },
		{ "--demo", yes, true },
		{ "--demo --apps auto", yes, true },
		{ "--demo --apps always", NULL, true },
		{ "--demo --apps never", yes, false },
	};
	struct options o;
	struct line l;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		parse(&o, &l, rows[i].words);
		o.connect.has_app_engine = rows[i].engine;
		const struct connection_options options = connection_options_from(&o);
		const struct session_capabilities *can = &options.server.session.can;
		bool told = false;
		for (size_t e = 0; e < can->extension_count; e++)
			told = told || strcmp(can->extensions[e].id, APPS_EXTENSION) == 0;
		assert_int_equal(told, rows[i].told);
		assert_string_equal(can->extensions[0].id, "io.modelcontextprotocol/tasks");
		options_finish(&o);
	}
}

TEST_FILE(options)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_apps),
		cmocka_unit_test(test_url),
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_server),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_primitives),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_other_modes),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_help_of_subcommands),
		cmocka_unit_test(test_help_has_the_options_it_accepts),
		cmocka_unit_test(test_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
