/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "apps/policy.h"
#include "cli/print/print.h"
#include "cli/client.h"
#include "demo/demo.h"
#include "ui/backend.h"

#include <string.h>
#include <unistd.h>

/* ---- the options ---- */

static const struct option_word eras[] = {
	{ "auto", ERA_AUTO, 0 },
	{ "modern", ERA_MODERN, 0 },
	{ "legacy", ERA_LEGACY, 0 },
	{ NULL, 0, 0 },
};

static const struct option_word apps[] = {
	{ "auto", APPS_AUTO, 0 },
	{ "always", APPS_ALWAYS, 0 },
	{ "never", APPS_NEVER, 0 },
	{ NULL, 0, 0 },
};

static const struct option_word colors[] = {
	{ "auto", BACKEND_COLORS_AUTO, 0 },
	{ "never", PAINT_MONO, 0 },
	{ "16", PAINT_16, 0 },
	{ "256", PAINT_256, 0 },
	{ "truecolor", PAINT_RGB, 0 },
	{ NULL, 0, 0 },
};

static const struct option_word formats[] = {
	{ "text", CHECK_OUTPUT_TEXT, OPTIONS_CHECK | OPTIONS_RUN },
	{ "json", CHECK_OUTPUT_JSON, 0 },
	{ "flag", CHECK_OUTPUT_FLAG, OPTIONS_CHECK },
	{ "basic", CHECK_OUTPUT_BASIC, OPTIONS_CHECK },
	{ "csv", CALL_FORMAT_CSV, OPTIONS_CALL },
	{ "tsv", CALL_FORMAT_TSV, OPTIONS_CALL },
	{ "markdown", CALL_FORMAT_MARKDOWN, OPTIONS_CALL },
	{ "jsonl", CALL_FORMAT_JSONL, OPTIONS_CALL },
	{ "junit", RUN_FORMAT_JUNIT, OPTIONS_RUN },
	{ "tap", RUN_FORMAT_TAP, OPTIONS_RUN },
	{ "github", RUN_FORMAT_GITHUB, OPTIONS_RUN },
	{ NULL, 0, 0 },
};

static const struct option_word views[] = {
#define X(id) { #id, VIEW_##id + 1, 0 },
	VIEWS(X)
#undef X
	    { "content", VIEW_OF_CONTENT, 0 },
	{ NULL, 0, 0 },
};

static const struct option_word policies[] = {
	{ "strict", APP_CSP_STRICT, 0 },
	{ "lax", APP_CSP_LAX, 0 },
	{ NULL, 0, 0 },
};

static const struct option_word drafts[] = {
	{ "v1", SCHEMA_DRAFT_V1, 0 },
	{ "2020-12", SCHEMA_DRAFT_2020_12, 0 },
	{ "2019-09", SCHEMA_DRAFT_2019_09, 0 },
	{ "draft-07", SCHEMA_DRAFT_07, 0 },
	{ "draft-06", SCHEMA_DRAFT_06, 0 },
	{ "draft-04", SCHEMA_DRAFT_04, 0 },
	{ "7", SCHEMA_DRAFT_07, 0 },
	{ "6", SCHEMA_DRAFT_06, 0 },
	{ "4", SCHEMA_DRAFT_04, 0 },
	{ NULL, 0, 0 },
};

#define VIEW_NAME(id) #id ", "

#define ROW(row_name, row_value, row_kind, member, row_help)          \
	.name = (row_name), .value = (row_value), .kind = (row_kind), \
	.offset = offsetof(struct options, member), .help = (row_help)

const struct option option_table[] = {
	{ .help = "Server", .group = OPTIONS_SERVER },
	{ ROW("demo", NULL, FLAG, demo, "the built-in demo server") },
	{ ROW("config", "FILE", STRINGS, configs,
	    "a server file in the format of other clients; may be repeated") },
	{ ROW("server", "NAME", TEXT, server,
	    "the server to use from that file, or from the files found") },
	{ ROW("input", "ID=VALUE", STRINGS, inputs,
	    "value of ${input:ID} in a server file; may be repeated") },
	{ ROW("header", "HEADER", STRINGS, headers,
	      "'Name: value' sent with every request; may be repeated"),
	    .letter = 'H' },
	{ ROW("insecure", NULL, FLAG, insecure, "do not verify the server's TLS certificate"),
	    .group = OPTIONS_SERVER | OPTIONS_RECORD },
	{ ROW("era", "ERA", WORD, connect.era, "auto, modern (2026-07-28) or legacy; default auto"),
	    .words = eras },
	{ ROW("protocol", "VERSION", TEXT, connect.protocol,
	    "request this protocol version, such as 2025-06-18, even if unknown") },
	{ ROW("apps", "WHEN", WORD, connect.apps,
	      "auto, always or never: tell the server that apps are shown; default auto"),
	    .words = apps },
	{ ROW("apps-engine", "PROGRAM", TEXT, connect.apps_engine,
	      "the Chromium that runs apps; default the first one found"),
	    .group = OPTIONS_SCREEN | OPTIONS_RENDER },
	{ ROW("apps-memory", "SIZE", SIZE, connect.apps_memory,
	      "memory limit of the Chromium that runs apps; default 1G"),
	    .group = OPTIONS_SCREEN | OPTIONS_RENDER },
	{ ROW("ping", "TIME", TIME, connect.ping_ms,
	    "ping the server at this interval, if the protocol has ping; default never") },
	{ ROW("timeout", "TIME", TIME, connect.timeout_ms,
	    "time limit for a response, restarted by each progress; default 60s") },
	{ ROW("max-timeout", "TIME", TIME, connect.max_timeout_ms,
	    "time limit for a response despite progress; default 10m") },
	{ ROW("max-message", "SIZE", SIZE, connect.max_message_bytes,
	    "the longest message kept completely; default 64M") },
	{ ROW("grace", "TIME", TIME, connect.grace_ms,
	    "from closing the server's standard input to SIGTERM; default 150ms") },
	{ ROW("kill", "TIME", TIME, connect.kill_ms, "from SIGTERM to SIGKILL; default 500ms") },
	{ .help = "Authorization", .group = OPTIONS_SERVER },
	{ ROW("login", NULL, FLAG, auth.login,
	      "open the browser if a server requires authorization"),
	    .group = OPTIONS_SCRIPT },
	{ ROW("client-id", "ID", TEXT, auth.client_id,
	    "id of a registered client; default: register one") },
	{ ROW("client-secret", "SECRET", TEXT, auth.client_secret,
	    "the client's secret: @FILE or env:NAME") },
	{ ROW("client-metadata-url", "URL", TEXT, auth.client_metadata_url,
	    "URL of the client's metadata document, used as its id if supported") },
	{ ROW("scope", "SCOPES", TEXT, auth.scope,
	    "request these scopes instead of those the server names") },
	{ ROW("accept-issuer-slash", NULL, FLAG, auth.accept_issuer_slash,
	    "accept an issuer that differs only by a / at its end") },
	{ ROW("redirect-uri", "URI", TEXT, auth.redirect_uri,
	    "redirect URI for the browser; default a free port of 127.0.0.1") },
	{ ROW("client-credentials", NULL, FLAG, auth.client_credentials,
	    "use the client's own secret or key, without a browser") },
	{ ROW("client-key", "FILE", TEXT, auth.client_key,
	    "the client's private key (P-256, PEM) instead of a secret") },
	{ .help = "Requests from servers", .group = OPTIONS_SERVER },
	{ ROW("elicit", "ANSWER", TEXT, answer.elicit,
	      "accept (with the defaults), guess (and make up the rest), decline, cancel, or the "
	      "content "
	      "as a JSON object"),
	    .group = OPTIONS_SCRIPT },
	{ ROW("sampling-reply", "TEXT", TEXT, answer.sampling_reply,
	    "answer sampling requests with this text or result; @FILE reads a file") },
	{ ROW("sampling-command", "COMMAND", TEXT, answer.sampling_command,
	    "answer sampling requests with its output; it reads the request as JSON") },
	{ ROW("root", "PATH", STRINGS, answer.roots,
	    "a root to report to servers; may be repeated") },
	{ .help = "Screen" },
	{ ROW("command", "COMMAND", STRINGS, screen.commands,
	      "run this : command after connecting; may be repeated"),
	    .letter = 'c', .group = OPTIONS_SCREEN },
	{ ROW("theme", "NAME", TEXT, screen.theme, "name or file of a theme") },
	{ ROW("color", "WHEN", WORD, screen.colors,
	      "auto, never, 16, 256 or truecolor; default auto"),
	    .words = colors, .group = OPTIONS_SCREEN | OPTIONS_CALL | OPTIONS_RENDER },
	{ ROW("ascii", NULL, FLAG, screen.ascii, "draw frames and marks in ASCII") },
	{ ROW("no-mouse", NULL, FLAG, screen.no_mouse, "leave the mouse to the terminal") },
	{ ROW("no-history", NULL, FLAG, screen.no_history,
	      "keep no calls, and show no earlier ones"),
	    .group = OPTIONS_SCREEN | OPTIONS_SERVER },
	{ ROW("journal", "SIZE", SIZE, connect.journal_max_bytes,
	      "memory limit of the journal; default 64M"),
	    .group = OPTIONS_SERVER },
	{ .help = "list, call, read, get, skill, apps, render, diff, run, test, ping and others",
	    .group = OPTIONS_PRINT },
	{ ROW("trust", NULL, FLAG, trust, "run a server of a file without approval, this time"),
	    .group = OPTIONS_SCRIPT },
	{ ROW("approve-server", NULL, FLAG, approve_server,
	      "approve the server's current entry in its file, and run it"),
	    .group = OPTIONS_SCRIPT },
	{ ROW("json", NULL, FLAG, call.json,
	    "print JSON, with every digit of a number as received") },
	{ ROW("raw", NULL, FLAG, call.raw, "print text unchanged, including escape sequences") },
	{ ROW("meta", "KEY=VALUE|JSON", STRINGS, call.metas,
	      "a member of _meta (KEY:=JSON too), or several as an object; may be repeated"),
	    .group = OPTIONS_ARGUMENTS | OPTIONS_OUTPUT | OPTIONS_RUN },
	{ ROW("trace", NULL, FLAG, call.trace,
	      "send a new traceparent (W3C Trace Context) and print it"),
	    .group = OPTIONS_ARGUMENTS | OPTIONS_OUTPUT },
	{ ROW("args", "JSON", TEXT, call.args_json,
	      "the arguments, sent unchanged; @FILE reads a file, @- standard input"),
	    .group = OPTIONS_ARGUMENTS },
	{ ROW("saved", "NAME", TEXT, call.saved,
	      "make a saved call of the project instead of TOOL or URI; NAME=VALUE changes it"),
	    .group = OPTIONS_SAVED },
	{ ROW("env", "NAME", TEXT, call.environment,
	      "fill in ${name} with the values of this environment of the project, or of the "
	      "recipe"),
	    .group = OPTIONS_SAVED | OPTIONS_RUN | OPTIONS_PROJECT },
	{ ROW("var", "NAME=VALUE", STRINGS, call.variables,
	      "the value of ${NAME}, before that of the environment (NAME:=JSON too); may be "
	      "repeated"),
	    .group = OPTIONS_SAVED | OPTIONS_RUN },
	{ ROW("send-env", "NAME", STRINGS, call.sends,
	      "let the project send this variable of your environment; may be repeated"),
	    .group = OPTIONS_SAVED | OPTIONS_RUN },
	{ ROW("findings", NULL, FLAG, call.findings,
	      "also print findings about the tool and its result"),
	    .group = OPTIONS_CALL },
	{ ROW("view", "VIEW", WORD, call.view,
	      "draw the data as text: " VIEWS(VIEW_NAME) "or the content"),
	    .words = views, .group = OPTIONS_CALL },
	{ ROW("width", "COLUMNS", COLUMNS, call.width,
	      "columns of the view; default those of the terminal, or 80"),
	    .group = OPTIONS_CALL },
	{ ROW("jq", "EXPRESSION", TEXT, call.jq, "print the results of jq for the data"),
	    .group = OPTIONS_CALL },
	{ ROW("lens", "NAME", TEXT, call.lens,
	      "print the part of the result that reaches a model: conversational, programmatic, "
	      "strict, old, both or apps; all prints a line for each"),
	    .group = OPTIONS_CALL },
	{ ROW("format", "FORMAT", WORD, format,
	      "call: the data as csv, tsv, markdown, jsonl or json; run, test: text, json, junit, "
	      "tap or "
	      "github (a step summary); check: text, json, flag or basic (JSON Schema output)"),
	    .words = formats, .group = OPTIONS_CALL | OPTIONS_CHECK | OPTIONS_RUN },
	{ ROW("output", "FILE", TEXT, call.output,
	      "write the resource unchanged to this file, or - for standard output"),
	    .group = OPTIONS_OUTPUT | OPTIONS_TAP, .tap_help = "record to it" },
	{ ROW("approve", NULL, FLAG, call.approve,
	      "print the verified content of the skill to a file or a pipe"),
	    .group = OPTIONS_SKILL },
	{ .help = "history", .group = OPTIONS_PAST },
	{ ROW("limit", "N", COUNT, history.limit,
	    "print the newest N calls, or all; default 100 on a terminal, else all") },
	{ ROW("replies", NULL, FLAG, history.replies,
	    "print JSON with the whole replies and the definitions of the tools") },
	{ .help = "diff", .group = OPTIONS_DIFF },
	{ ROW("breaking", NULL, FLAG, diff.breaking,
	      "of definitions, and --lock: only a change that breaks callers fails, with 6"),
	    .group = OPTIONS_DIFF | OPTIONS_RUN },
	{ ROW("key", "COLUMN", TEXT, diff.key,
	      "match the rows of tables by this member; \"\" by their order; default: guess"),
	    .group = OPTIONS_DIFF },
	{ .help = "run, test", .group = OPTIONS_RUN },
	{ ROW("update", NULL, FLAG, run.update, "write the snapshots that differ or are missing") },
	{ ROW("lock", "FILE", TEXT, run.lock,
	    "fail if the server's declarations differ from this snapshot (mcpane snapshot)") },
	{ .help = "conformance", .group = OPTIONS_CONFORMANCE },
	{ ROW("read-only", NULL, FLAG, call.read_only,
	    "call only tools with readOnlyHint; default: every tool, destructive ones too") },
	{ .help = "render", .group = OPTIONS_RENDER },
	{ ROW("wait", "TEXT", STEPS, render.steps, "wait until the app shows this text"),
	    .step = STEP_WAIT },
	{ ROW("click", "TEXT", STEPS, render.steps,
	      "click the element with this name or text; runs in order with --wait, --type "
	      "and --press"),
	    .step = STEP_CLICK },
	{ ROW("type", "TEXT", STEPS, render.steps, "type this text where the focus is"),
	    .step = STEP_TYPE },
	{ ROW("press", "KEY", STEPS, render.steps,
	      "press a key, such as Enter, Tab or Shift+ArrowLeft"),
	    .step = STEP_PRESS },
	{ ROW("size", "COLSxROWS", CELLS, render.size, "the cells of the app; default 100x35") },
	{ ROW("text", NULL, FLAG, render.text,
	    "print the picture without colors on a terminal, too") },
	{ ROW("ansi", NULL, FLAG, render.ansi, "print the picture with colors to a pipe, too") },
	{ ROW("png", "FILE", TEXT, render.png, "save a picture of the page at the end") },
	{ ROW("csp", "POLICY", WORD, render.csp, "strict or lax: the Content-Security-Policy"),
	    .words = policies },
	{ ROW("allow", "DOMAIN", STRINGS, render.allowed,
	    "let the app reach this domain, which it has to declare; may be repeated") },
	{ ROW("yes", NULL, FLAG, render.yes,
	    "grant the app's requests to the user; default: refuse") },
	{ .help = "record, tap, replay", .group = OPTIONS_RECORD },
	{ ROW("with-secrets", NULL, FLAG, record.with_secrets,
	    "record tokens, passwords and keys too, instead of hiding them") },
	{ ROW("listen", "ADDRESS", TEXT, record.listen,
	    "listen for HTTP clients, such as at 127.0.0.1:8080, and pass requests on to URL; port "
	    "0 "
	    "picks a free port") },
	{ ROW("allow-origin", "ORIGIN", STRINGS, record.origins,
	    "let web pages of this origin be clients; may be repeated") },
	{ ROW("attach", NULL, FLAG, attach,
	      "show the traffic of a running tap or record: of that process, or the newest"),
	    .group = OPTIONS_TAP },
	{ ROW("strict", NULL, FLAG, record.strict,
	      "answer only requests with the recorded params, each once; else exit code 6"),
	    .group = OPTIONS_REPLAY },
	{ ROW("speed", "N", TEXT, record.speed,
	      "2 replays twice as fast as recorded, max without pauses; default 1"),
	    .group = OPTIONS_REPLAY },
	{ .help = "check", .group = OPTIONS_CHECK },
	{ ROW("assert-format", NULL, FLAG, check.assert_format,
	    "treat a violated format as invalid, not as a warning") },
	{ ROW("assert-content", NULL, FLAG, check.assert_content,
	    "draft-07: check contentEncoding base64 and contentMediaType JSON") },
	{ ROW("strict-integers", NULL, FLAG, check.strict_integers,
	    "draft-04: 1.0 and 1e2 are not integers") },
	{ ROW("draft", "DRAFT", WORD, check.draft,
	      "if $schema is absent: v1, 2020-12, 2019-09, draft-07, 06 or 04"),
	    .words = drafts },
	{ ROW("map", "PREFIX=DIR", STRINGS, check.maps,
	    "resolve references with this URI prefix to files of a folder; may be repeated") },
	{ ROW("lines", NULL, FLAG, check.lines, "each line is an instance, as in .jsonl files") },
	{ ROW("time", NULL, FLAG, check.time,
	    "print the time of parsing, compiling and validating") },
	{ .help = "Other" },
	{ .name = "serve-demo",
	    .kind = SUBCOMMAND,
	    .subcommand = "--serve-demo",
	    .help = "run the demo server on standard input and output" },
	{ .name = "help",
	    .letter = 'h',
	    .kind = SUBCOMMAND,
	    .subcommand = "help",
	    .help = "print this help" },
	{ .name = "version",
	    .letter = 'V',
	    .kind = SUBCOMMAND,
	    .subcommand = "version",
	    .help = "print the version" },
	{ 0 },
};

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
	if (text.len == 0 && sub && row->tap_help && sub->options & OPTIONS_TAP)
		buf_add_str(&text, row->tap_help);
	else if (text.len == 0)
		buf_add_str(&text, row->help);
	if (!sub && row->tap_help)
		buf_addf(&text, "; tap: %s", row->tap_help);
	add_wrapped(out, buf_text(&text), used, LEFT_COLS, HELP_COLS);
	buf_finish(&text);
}

static void
help_about(struct buf *out, const struct subcommand *sub)
{
	const bool draws = sub->options & (OPTIONS_SCREEN | OPTIONS_CALL | OPTIONS_RENDER);
	const struct option *heading = option_table;
	struct buf common = BUF_INIT; /* options of most subcommands, which would repeat them */
	size_t count = 0;

	buf_addf(out, "mcpane %s %s\n\n", sub->name, sub->usage);
	add_wrapped(out, sub->about, 0, 0, LEFT_COLS + HELP_COLS);
	if (sub->server == SERVER_REQUIRED)
		buf_add_str(out,
		    "\nSERVER is --demo, a URL, --config FILE, --server NAME for one of the files\n"
		    "found, or -- COMMAND ARG... at the end.\n");
	for (const struct option *row = option_table; row->help; row++) {
		unsigned group = row->group ? row->group : heading->group;
		if (!row->name)
			heading = row;
		if (!row->name || row->kind == SUBCOMMAND ||
		    !(group == 0 ? draws : group & sub->options))
			continue;
		if (heading->group == 0 || heading->group == OPTIONS_SERVER) {
			buf_addf(&common, "%s--%s", common.len ? ", " : "", row->name);
		} else {
			buf_add_str(out, count++ ? "" : "\nOptions\n");
			add_option(out, row, sub);
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
print_help_or_version(const struct options *o)
{
	struct buf out = BUF_INIT;

	if (strcmp(o->subcommand->name, "version") == 0)
		buf_add_str(&out, "mcpane " VERSION);
	else
		help_text(&out, help_subject(o));
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}

static int
serve_demo(const struct options *o)
{
	return demo_serve(STDIN_FILENO, STDOUT_FILENO);
}

/* ---- the subcommands ---- */

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
	{ "help", .ends_parsing = true, .run = print_help_or_version },
	{ "version", .ends_parsing = true, .run = print_help_or_version },
	{ 0 },
};
