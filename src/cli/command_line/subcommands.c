/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "cli/print/print.h"
#include "cli/client.h"
#include "demo/demo.h"

#include <string.h>
#include <unistd.h>

/* ---- --help, for a terminal of 80 columns ---- */

enum { LEFT_COLS = 26, HELP_COLS = 54 };

static const char opening[] =
    "mcpane is a full-screen host and inspector for MCP servers.\n"
    "\n"
    "  mcpane                        choose a server from the files found\n"
    "  mcpane --demo                 the built-in demo server\n"
    "  mcpane https://host/mcp       a server over HTTP\n"
    "  mcpane -- node server.js      a program; everything after -- is its command\n"
    "  mcpane --config FILE          the servers of a file\n"
    "\n"
    "Subcommands for scripts. SERVER is one of the above, or --server NAME for one of\n"
    "the files found; -- COMMAND comes last:\n"
    "\n";

static const char ending[] =
    "\n"
    "Exit codes: 0 ok, 1 usage or other, 3 not authorized, 4 no answer, 5 the answer\n"
    "is an error, 6 a difference, a failed test or a broken app, 7 a result violates\n"
    "its outputSchema or an instance its schema, 8 no browser for apps, 9 undecided.\n"
    "See the manual, mcpane(1).\n";

/* Lines break at spaces; those after the first begin in the column left. used: columns of the first
 * line. */
static void
add_wrapped(struct buf *out, const char *text, int used, int left, size_t cols)
{
	for (; *text; used = 0) {
		size_t len = strlen(text);
		if (len > cols)
			for (len = cols; len > 0 && text[len] != ' ';)
				len--;
		buf_addf(out, "%*s%.*s\n", left - used, "", (int)len, text);
		text += len + (text[len] == ' ');
	}
}

const char *
option_help(const struct option *row, const struct subcommand *sub)
{
	return row->tap_help && sub->options & OPTIONS_TAP ? row->tap_help : row->help;
}

/* sub: NULL for the help about everything. */
static void
add_option(struct buf *out, const struct option *row, const struct subcommand *sub)
{
	const char letter[] = { '-', row->letter, ',', '\0' };
	size_t start = out->len;
	struct buf text = BUF_INIT;
	bool differ = false;

	buf_addf(out, "  %-3s --%s%s%s", row->letter ? letter : "", row->name,
	    row->value ? " " : "", row->value ? row->value : "");
	int used = (int)(out->len - start);

	if (used > LEFT_COLS - 2) {
		buf_add_char(out, '\n');
		used = 0;
	}
	/* the words that go with the subcommand, if not all do */
	for (const struct option_word *w = sub ? row->words : NULL; w && w->text; w++)
		differ |= w->group != 0 && !(w->group & sub->options);
	for (const struct option_word *w = row->words; differ && w->text; w++)
		if (w->group == 0 || w->group & sub->options)
			buf_addf(&text, "%s%s", text.len ? ", " : "one of ", w->text);
	if (text.len == 0)
		buf_add_str(&text, sub ? option_help(row, sub) : row->help);
	if (!sub && row->tap_help)
		buf_addf(&text, "; tap: %s", row->tap_help);
	add_wrapped(out, buf_text(&text), used, LEFT_COLS, HELP_COLS);
	buf_finish(&text);
}

/* common: it goes with most subcommands, which would repeat it. */
static bool
goes_with(const struct option *row, const struct subcommand *sub, bool common)
{
	const bool draws = sub->options & (OPTIONS_SCREEN | OPTIONS_CALL | OPTIONS_RENDER);
	const struct option *heading = row;
	unsigned group = option_group(row);

	while (heading->name)
		heading--;
	if (row->kind == SUBCOMMAND ||
	    common != (heading->group == 0 || heading->group == OPTIONS_SERVER))
		return false;
	return group == 0 ? draws : group & sub->options;
}

static void
help_about(struct buf *out, const struct subcommand *sub)
{
	struct buf common = BUF_INIT;
	size_t count = 0;

	buf_addf(out, "mcpane %s %s\n\n", sub->name, sub->usage);
	add_wrapped(out, sub->about, 0, 0, LEFT_COLS + HELP_COLS);
	if (sub->server == SERVER_REQUIRED)
		buf_add_str(out,
		    "\nSERVER is --demo, a URL, --config FILE, --server NAME for one of the files\n"
		    "found, or -- COMMAND ARG... at the end.\n");
	for (const struct option *row = option_table; row->help; row++) {
		if (row->name && goes_with(row, sub, false)) {
			buf_add_str(out, count++ ? "" : "\nOptions\n");
			add_option(out, row, sub);
		} else if (row->name && goes_with(row, sub, true)) {
			buf_addf(&common, "%s--%s", common.len ? ", " : "", row->name);
		}
	}
	if (common.len > 0) {
		buf_add_str(out, "\nCommon options, explained by mcpane --help\n");
		add_wrapped(out, buf_text(&common), 0, 2, LEFT_COLS + HELP_COLS - 2);
	}
	buf_finish(&common);
	buf_addf(out, "\nExample\n  %s\n", sub->example);
	buf_add_str(out, "\nmcpane --help has all subcommands and the exit codes; the manual is "
			 "mcpane(1).\n");
}

void
help_text(struct buf *out, const struct subcommand *about)
{
	if (about) {
		help_about(out, about);
		return;
	}
	buf_add_str(out, opening);
	for (const struct subcommand *row = subcommands; row->name; row++)
		if (row->usage)
			buf_addf(out, "  mcpane %s %s\n", row->name, row->usage);
	buf_add_str(out, "\nmcpane SUBCOMMAND --help explains one of them.\n");
	for (const struct option *row = option_table; row->help; row++) {
		if (row->name)
			add_option(out, row, NULL);
		else
			buf_addf(out, "\n%s\n", row->help);
	}
	buf_add_str(out, ending);
}

const struct subcommand *
help_subject(const struct options *o)
{
	const struct subcommand *row = o->help_about ? o->help_about : subcommands;

	if (!o->help_about)
		while (row->name && (!o->words[0] || strcmp(row->name, o->words[0]) != 0))
			row++;
	return row->usage ? row : NULL;
}

static int
print_help(const struct options *o)
{
	struct buf out = BUF_INIT;

	help_text(&out, help_subject(o));
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}

static int
print_version(const struct options *o)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, "mcpane " VERSION);
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}

static int
serve_demo(const struct options *o)
{
	return demo_serve(STDIN_FILENO, STDOUT_FILENO);
}

/* ---- the table ---- */

/* The groups of subcommands that print a server's answer. */
#define PRINTS (OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT)

static bool
check_instances(const struct options *o, struct err *err)
{
	size_t streams = o->check.schema && strcmp(o->check.schema, "-") == 0;

	if (o->command)
		return err_set(err, "check: takes no server");
	for (size_t i = 0; i < o->check.instances.len; i++)
		streams += strcmp(o->check.instances.items[i], "-") == 0;
	return streams <= 1 || err_set(err, "check: standard input can be read only once");
}

static bool
check_recipes(const struct options *o, struct err *err)
{
	bool tests = strcmp(o->subcommand->name, "test") == 0;

	if (o->run.recipes.len == 0 && !(tests && o->run.lock))
		return err_set(err, "%s: the file of a recipe is missing%s", o->subcommand->name,
		    tests ? "; --lock alone needs none" : "");
	if (o->diff.breaking && !o->run.lock)
		return err_set(err, "--breaking goes with --lock");
	if (o->run.recipes.len > 1 && strcmp(o->subcommand->name, "run") == 0)
		return err_set(
		    err, "run: takes one recipe; unexpected \"%.80s\"", o->run.recipes.items[1]);
	return !o->call.json || o->format == CHECK_OUTPUT_TEXT ||
	       err_set(err, "--json and --format exclude each other");
}

const struct subcommand subcommands[] = {
	{ "the screen", NULL, SERVER_OPTIONAL,
	    .options = OPTIONS_SERVER | OPTIONS_SCREEN | OPTIONS_PROJECT },
	{ "list", "[tools|resources|templates|prompts|skills] SERVER [--json]", SERVER_REQUIRED,
	    .url_after = 1, .options = PRINTS, .operands = operands_of_list, .run = cli_list,
	    .about = "Lists the server's tools, or its resources, templates, prompts or "
		     "skills: as a table on a terminal, otherwise as JSON with every "
		     "definition exactly as received.",
	    .example = "mcpane list resources --demo" },
	{ "call", "SERVER TOOL [NAME=VALUE | NAME:=JSON]... [--args JSON] [--json]",
	    SERVER_REQUIRED, .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_CALL | OPTIONS_SAVED,
	    .kind = PRIMITIVE_TOOL, .operands = operands_of_call, .check = excerpt_check,
	    .run = cli_call,
	    .about = "Calls a tool and prints its result, even if that violates the "
		     "outputSchema; then the exit code is 7. NAME=VALUE converts the value "
		     "to the type in the inputSchema, NAME:=JSON sends JSON unchanged. A "
		     "NAME may be a path, such as address.city, tags.0 or tags.- for a new "
		     "item.",
	    .example = "mcpane call --demo list_users role=admin --format csv" },
	{ "read", "SERVER URI [--output FILE] [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_OUTPUT | OPTIONS_SAVED, .kind = PRIMITIVE_RESOURCE,
	    .operands = operands_of_read, .run = cli_call,
	    .about = "Reads a resource, listed or not, and prints its text, or the type and "
		     "length of a blob.",
	    .example = "mcpane read --demo demo://users.json" },
	{ "get", "SERVER PROMPT [NAME=VALUE]... [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_SAVED, .kind = PRIMITIVE_PROMPT,
	    .operands = operands_of_get, .run = cli_call,
	    .about = "Gets a prompt and prints its messages, each under its role.",
	    .example = "mcpane get --demo review_order order_id=1001" },
	{ "skill", "SERVER SKILL [FILE|FOLDER/] [--approve] [--output FILE] [--json]",
	    SERVER_REQUIRED, .options = PRINTS | OPTIONS_OUTPUT | OPTIONS_SKILL,
	    .kind = PRIMITIVE_SKILL, .operands = operands_of_skill, .run = cli_skill,
	    .about = "Reads SKILL.md or another file of a skill, and compares its size, "
		     "digest and frontmatter with the server's entry. A name that ends with "
		     "a slash lists a folder. A file or a pipe gets the content only with "
		     "--approve, and only if it is verified.",
	    .example = "mcpane skill --demo explain-verdict" },
	{ "apps", "SERVER [--json]", SERVER_REQUIRED, .options = PRINTS, .run = cli_apps,
	    .about = "Lists the tools with an app (MCP Apps), the permissions and domains "
		     "that their pages request, and problems found. Every page is read, none "
		     "is run.",
	    .example = "mcpane apps --demo" },
	{ "render", "SERVER TOOL [NAME=VALUE]... [--png FILE] [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_RENDER, .kind = PRIMITIVE_TOOL,
	    .operands = operands_of_call, .check = render_check, .run = cli_render,
	    .about = "Calls a tool and runs its app without a screen, in a confined "
		     "Chromium. Prints the picture of the app as text; the console, "
		     "violations and messages go to standard error. --wait, --click, --type "
		     "and --press run in their order.",
	    .example = "mcpane render --demo edit_orders --click Save --yes --png orders.png" },
	{ "run", "RECIPE SERVER [--var NAME=VALUE]... [--env NAME] [--format FORMAT]",
	    SERVER_REQUIRED, .url_after = 1,
	    .options = OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT | OPTIONS_RUN,
	    .operands = operands_of_run, .check = check_recipes, .run = cli_run,
	    .about = "Runs a recipe: calls, with jq, conditions, loops and assertions. "
		     "docs/RECIPES.md describes the file.",
	    .example = "mcpane run recipe.json --demo --var wanted=open" },
	{ "test", "[RECIPE]... SERVER [--lock FILE] [--var NAME=VALUE]... [--update]",
	    SERVER_REQUIRED, .url_after = 10000,
	    .options = OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT | OPTIONS_RUN,
	    .operands = operands_of_run, .check = check_recipes, .run = cli_run,
	    .about = "Runs recipes on one server and reports every failure. --lock also "
		     "compares the server's definitions with a snapshot.",
	    .example = "mcpane test tests/*.json --demo --format junit" },
	{ "complete", "SERVER prompt|template NAME ARGUMENT VALUE [NAME=VALUE]...", SERVER_REQUIRED,
	    .options = PRINTS, .operands = operands_of_complete, .run = cli_complete,
	    .about = "Prints the server's suggestions for an argument of a prompt or a "
		     "variable of a template, one per line. The pairs are the arguments "
		     "already filled in.",
	    .example = "mcpane complete --demo prompt review_order order_id 10" },
	{ "ping", "SERVER [--json]", SERVER_REQUIRED, .options = PRINTS, .run = cli_ping,
	    .about = "Prints the round-trip time of a small request.",
	    .example = "mcpane ping https://example.com/mcp" },
	{ "check", "SCHEMA.json INSTANCE.json... [--format FORMAT]", SERVER_NONE,
	    .options = OPTIONS_CHECK, .operands = operands_of_check, .check = check_instances,
	    .run = cli_check,
	    .about = "Validates JSON files against a JSON Schema. A - is standard input.",
	    .example = "mcpane check schema.json data.json" },
	{ "diff", "[SERVER] FILE [FILE] [--breaking] [--key COLUMN] [--json]", SERVER_OPTIONAL,
	    .options = PRINTS | OPTIONS_DIFF, .operands = operands_of_diff, .check = diff_check,
	    .run = cli_diff,
	    .about = "Compares two JSON files, or two results of mcpane call --json: tables "
		     "by a key column, the rest by path, text by line. With a server or two "
		     "snapshots it compares definitions. The exit code is 6 if there is a "
		     "difference.",
	    .example = "mcpane diff --demo demo.json --breaking" },
	{ "snapshot", "SERVER FILE", SERVER_REQUIRED, .options = PRINTS,
	    .operands = operands_of_snapshot, .run = cli_snapshot,
	    .about = "Writes everything that the server declares to a file, in a fixed "
		     "order, so that it can be committed and compared.",
	    .example = "mcpane snapshot --demo demo.json" },
	{ "servers", "[--config FILE] [--json]", SERVER_OPTIONAL,
	    .options = OPTIONS_SERVER | OPTIONS_PRINT, .run = cli_servers,
	    .about = "Lists the servers in the files of MCP clients, with the client and the "
		     "file of each.",
	    .example = "mcpane servers --json" },
	{ "history", "[SEARCH]... | show|delete|pin|unpin ID... [--limit N] [--json]", SERVER_NONE,
	    .options = OPTIONS_PRINT | OPTIONS_CALL | OPTIONS_PAST, .operands = operands_of_history,
	    .check = past_calls_check, .run = cli_history,
	    .about = "Prints past calls, newest first, that match all words of the search. "
		     "The subcommands show, delete, pin and unpin take ids, or last.",
	    .example = "mcpane history tool:list_users --limit 5" },
	{ "record", "FILE -- COMMAND... | --listen ADDRESS URL", SERVER_NONE,
	    .options = OPTIONS_RECORD, .operands = operands_of_record, .check = tap_check,
	    .run = cli_tap,
	    .about = "Starts a stdio server, passes everything between it and its client "
		     "unchanged, and records the traffic. Put it before the server's command "
		     "in the client's file. With --listen it does the same for a server that "
		     "speaks HTTP.",
	    .example = "mcpane record s.jsonl -- node server.js" },
	{ "tap", "[--output FILE] -- COMMAND... | --listen ADDRESS URL | --attach", SERVER_NONE,
	    .options = OPTIONS_RECORD | OPTIONS_TAP | OPTIONS_SCREEN, .operands = operands_of_tap,
	    .check = tap_check, .run = cli_tap,
	    .about = "Like record, but without a file unless --output names one. --attach "
		     "shows the traffic of a running tap or record on the screen.",
	    .example = "mcpane tap --listen 127.0.0.1:0 https://example.com/mcp" },
	{ "open", "FILE", SERVER_NONE, .options = OPTIONS_SCREEN, .operands = operands_of_replay,
	    .check = replay_check,
	    .about = "Opens a recording on the screen, with a time line. Nothing is sent.",
	    .example = "mcpane open s.jsonl" },
	{ "replay", "FILE [--strict] [--speed N]", SERVER_NONE, .options = OPTIONS_REPLAY,
	    .operands = operands_of_replay, .check = replay_check, .run = cli_replay,
	    .about = "Is a server on standard input and output that answers as the recorded "
		     "one did.",
	    .example = "mcpane replay s.jsonl --speed max" },
	{ "saved", "[--env NAME] [--json]", SERVER_NONE, .options = OPTIONS_PRINT | OPTIONS_SAVED,
	    .run = cli_saved,
	    .about = "Prints the project's saved calls, environments and variables.",
	    .example = "mcpane saved --json" },
	{ "conformance", "SERVER [--read-only]", SERVER_REQUIRED,
	    .options = OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_CONFORMANCE,
	    .run = cli_conformance,
	    .about = "Calls every tool of a server, destructive ones too, and uses every "
		     "resource and prompt, for the official conformance suite. With "
		     "--read-only it calls only tools with readOnlyHint.",
	    .example = "mcpane conformance http://127.0.0.1:3000/mcp" },
	{ "logout", "URL", SERVER_URL, .run = cli_logout,
	    .about = "Deletes the stored tokens of a server, and asks its authorization "
		     "server to revoke them.",
	    .example = "mcpane logout https://example.com/mcp" },
	{ "completions", "bash|zsh|fish", SERVER_NONE, .operands = operands_of_completions,
	    .run = cli_completions,
	    .about = "Prints a script that completes subcommands, options, servers and tools "
		     "in a shell.",
	    .example = "mcpane completions bash" },
	{ "__words", .ends_parsing = true, .run = cli_words },
	{ "--serve-demo", .run = serve_demo },
	{ "help", .ends_parsing = true, .run = print_help },
	{ "version", .ends_parsing = true, .run = print_version },
	{ 0 },
};
