#include "options.h"

#include "cli/print/print.h"
#include "cli/client.h"
#include "demo/demo.h"
#include "host/revoker.h"
#include "host/token_store.h"

#include <stdlib.h>
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

/* Length of the part of text that fits on a line; breaks at a space. */
static size_t
line_length(const char *text)
{
	size_t len = strlen(text);

	if (len <= HELP_COLS)
		return len;
	len = HELP_COLS;
	while (len > 0 && text[len] != ' ')
		len--;
	return len;
}

static void
add_option(struct buf *out, const struct option *row)
{
	const char letter[] = { '-', row->letter, ',', '\0' };
	size_t start = out->len;

	buf_addf(out, "  %-3s --%s%s%s", row->letter ? letter : "", row->name,
	    row->value ? " " : "", row->value ? row->value : "");
	int used = (int)(out->len - start);

	if (used > LEFT_COLS - 2) {
		buf_add_char(out, '\n');
		used = 0;
	}
	for (const char *text = row->help; *text; used = 0) {
		size_t len = line_length(text);
		buf_addf(out, "%*s%.*s\n", LEFT_COLS - used, "", (int)len, text);
		text += len + (text[len] == ' ');
	}
}

void
help_text(struct buf *out)
{
	buf_add_str(out, opening);
	for (const struct subcommand *row = subcommands; row->name; row++)
		if (row->usage)
			buf_addf(out, "  mcpane %s %s\n", row->name, row->usage);
	for (const struct option *row = option_table; row->help; row++) {
		if (row->name)
			add_option(out, row);
		else
			buf_addf(out, "\n%s\n", row->help);
	}
	buf_add_str(out, ending);
}

static int
print_help(const struct options *o)
{
	struct buf out = BUF_INIT;

	help_text(&out);
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

static void
on_revoked(void *user, const char *outcome)
{
	say("%s", outcome);
	*(bool *)user = true;
}

/* Takes the members of kept. They are deleted here whatever comes of it. */
static void
revoke_tokens(const char *server, struct auth_kept *kept)
{
	struct err err = { "" };
	struct loop *loop = loop_create(NULL, NULL, &err);
	bool done = loop == NULL;

	if (done)
		say("the tokens were not revoked: %s", err.text);
	struct revoker *r = done ? NULL : revoker_create(loop, server, kept, on_revoked, &done);
	while (!done && !loop_trouble(loop))
		loop_turn(loop, -1);
	revoker_destroy(r);
	loop_destroy(loop);
	auth_kept_finish(kept);
}

static int
logout(const struct options *o)
{
	char *server = auth_canonical_resource(o->url);
	char *path = token_store_default_path();
	struct err err = { "" };
	const struct auth_change forget = { .forget = true };
	struct auth_kept kept = { 0 };
	bool found = false;
	int code = CLI_EXIT_OK;

	if (server && path)
		token_store_find(path, server, NULL, NULL, &kept, &err);

	if (!server || !path) {
		say("%s", server ? "no folder for stored tokens: HOME is not set" : "invalid URL");
		code = CLI_EXIT_USAGE;
	} else if (!token_store_change(path, server, &forget, &found, &err) || err.text[0]) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	} else {
		say("%s: %s", server, found ? "its tokens were deleted" : "no tokens were stored");
		if (found && kept.token.access)
			revoke_tokens(server, &kept);
	}
	auth_kept_finish(&kept);
	free(server);
	free(path);
	return code;
}

/* ---- the table ---- */

/* The groups of subcommands that print what a server answers. */
#define PRINTS (OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT)

static bool
check_instances(const struct options *o, struct err *err)
{
	size_t streams = o->schema && strcmp(o->schema, "-") == 0;

	if (o->command)
		return err_set(err, "check: takes no server");
	for (size_t i = 0; i < o->instances.len; i++)
		streams += strcmp(o->instances.items[i], "-") == 0;
	return streams <= 1 || err_set(err, "check: standard input can be read only once");
}

static bool
check_recipes(const struct options *o, struct err *err)
{
	bool tests = strcmp(o->subcommand->name, "test") == 0;

	if (o->recipes.len == 0 && !(tests && o->lock))
		return err_set(err, "%s: the file of a recipe is missing%s", o->subcommand->name,
		    tests ? "; --lock alone needs none" : "");
	if (o->breaking && !o->lock)
		return err_set(err, "--breaking goes with --lock");
	if (o->recipes.len > 1 && strcmp(o->subcommand->name, "run") == 0)
		return err_set(
		    err, "run: takes one recipe; unexpected \"%.80s\"", o->recipes.items[1]);
	return !o->json || o->format == CHECK_OUTPUT_TEXT ||
	       err_set(err, "--json and --format exclude each other");
}

const struct subcommand subcommands[] = {
	{ "the screen", NULL, SERVER_OPTIONAL, .options = OPTIONS_SERVER | OPTIONS_SCREEN },
	{ "list", "[tools|resources|templates|prompts|skills] SERVER [--json]", SERVER_REQUIRED,
	    .url_after = 1, .options = PRINTS, .operands = operands_of_list, .run = cli_list },
	{ "call", "SERVER TOOL [NAME=VALUE | NAME:=JSON]... [--args JSON] [--json]",
	    SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_CALL | OPTIONS_SAVED,
	    .kind = PRIMITIVE_TOOL, .operands = operands_of_call, .check = excerpt_check,
	    .run = cli_call },
	{ "read", "SERVER URI [--output FILE] [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_OUTPUT | OPTIONS_SAVED, .kind = PRIMITIVE_RESOURCE,
	    .operands = operands_of_read, .run = cli_call },
	{ "get", "SERVER PROMPT [NAME=VALUE]... [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_SAVED,
	    .kind = PRIMITIVE_PROMPT, .operands = operands_of_get, .run = cli_call },
	{ "skill", "SERVER SKILL [FILE|FOLDER/] [--approve] [--output FILE] [--json]",
	    SERVER_REQUIRED, .options = PRINTS | OPTIONS_OUTPUT | OPTIONS_SKILL,
	    .kind = PRIMITIVE_SKILL, .operands = operands_of_skill, .run = cli_skill },
	{ "apps", "SERVER [--json]", SERVER_REQUIRED, .options = PRINTS, .run = cli_apps },
	{ "render", "SERVER TOOL [NAME=VALUE]... [--png FILE] [--json]", SERVER_REQUIRED,
	    .options = PRINTS | OPTIONS_ARGUMENTS | OPTIONS_RENDER, .kind = PRIMITIVE_TOOL,
	    .operands = operands_of_call, .check = render_check, .run = cli_render },
	{ "run", "RECIPE SERVER [--var NAME=VALUE]... [--env NAME] [--format FORMAT]",
	    SERVER_REQUIRED, .url_after = 1,
	    .options = OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT | OPTIONS_RUN,
	    .operands = operands_of_run, .check = check_recipes, .run = cli_run },
	{ "test", "[RECIPE]... SERVER [--lock FILE] [--var NAME=VALUE]... [--update]",
	    SERVER_REQUIRED,
	    .url_after = 10000,
	    .options = OPTIONS_SERVER | OPTIONS_SCRIPT | OPTIONS_PRINT | OPTIONS_RUN,
	    .operands = operands_of_run, .check = check_recipes, .run = cli_run },
	{ "complete", "SERVER prompt|template NAME ARGUMENT VALUE [NAME=VALUE]...", SERVER_REQUIRED,
	    .options = PRINTS, .operands = operands_of_complete, .run = cli_complete },
	{ "ping", "SERVER [--json]", SERVER_REQUIRED, .options = PRINTS, .run = cli_ping },
	{ "check", "SCHEMA.json INSTANCE.json... [--format FORMAT]", SERVER_NONE,
	    .options = OPTIONS_CHECK, .operands = operands_of_check, .check = check_instances,
	    .run = cli_check },
	{ "diff", "[SERVER] FILE [FILE] [--breaking] [--key COLUMN] [--json]", SERVER_OPTIONAL,
	    .options = PRINTS | OPTIONS_DIFF, .operands = operands_of_diff, .check = diff_check,
	    .run = cli_diff },
	{ "snapshot", "SERVER FILE", SERVER_REQUIRED, .options = PRINTS,
	    .operands = operands_of_snapshot, .run = cli_snapshot },
	{ "servers", "[--config FILE] [--json]", SERVER_OPTIONAL,
	    .options = OPTIONS_SERVER | OPTIONS_PRINT, .run = cli_servers },
	{ "history", "[SEARCH]... | show|delete|pin|unpin ID... [--limit N] [--json]", SERVER_NONE,
	    .options = OPTIONS_PRINT | OPTIONS_CALL | OPTIONS_PAST, .operands = operands_of_history,
	    .check = past_calls_check, .run = cli_history },
	{ "record", "FILE -- COMMAND... | --listen ADDRESS URL", SERVER_NONE,
	    .options = OPTIONS_RECORD, .operands = operands_of_record, .check = tap_check,
	    .run = cli_tap },
	{ "tap", "[--output FILE] -- COMMAND... | --listen ADDRESS URL | --attach", SERVER_NONE,
	    .options = OPTIONS_RECORD | OPTIONS_TAP | OPTIONS_SCREEN, .operands = operands_of_tap,
	    .check = tap_check, .run = cli_tap },
	{ "open", "FILE", SERVER_NONE, .options = OPTIONS_SCREEN, .operands = operands_of_replay,
	    .check = replay_check },
	{ "replay", "FILE [--strict] [--speed N]", SERVER_NONE, .options = OPTIONS_REPLAY,
	    .operands = operands_of_replay, .check = replay_check, .run = cli_replay },
	{ "saved", "[--env NAME] [--json]", SERVER_NONE, .options = OPTIONS_PRINT | OPTIONS_SAVED,
	    .run = cli_saved },
	{ "conformance", "SERVER", SERVER_REQUIRED, .options = OPTIONS_SERVER | OPTIONS_SCRIPT,
	    .run = cli_conformance },
	{ "logout", "URL", SERVER_URL, .run = logout },
	{ "completions", "bash|zsh|fish", SERVER_NONE, .operands = operands_of_completions,
	    .run = cli_completions },
	{ "__words", .ends_parsing = true, .run = cli_words },
	{ "--serve-demo", .run = serve_demo },
	{ "help", .ends_parsing = true, .run = print_help },
	{ "version", .ends_parsing = true, .run = print_version },
	{ 0 },
};
