#include "cli/options.h"

#include "base/mem.h"
#include "base/vec.h"
#include "answers_priv.h"
#include "number_priv.h"
#include "options_priv.h"
#include "ui/backend.h"

#include <stdlib.h>
#include <string.h>

enum kind { FLAG, TEXT, TIME, SIZE, WORD, MODE, STRINGS };

static const struct word eras[] = {
	{ "auto", ERA_AUTO },
	{ "modern", ERA_MODERN },
	{ "legacy", ERA_LEGACY },
	{ NULL, 0 },
};

static const struct word colors[] = {
	{ "auto", BACKEND_COLORS_AUTO },
	{ "never", PAINT_MONO },
	{ "16", PAINT_16 },
	{ "256", PAINT_256 },
	{ "truecolor", PAINT_RGB },
	{ NULL, 0 },
};

static const struct word formats[] = {
	{ "text", CLI_FORMAT_TEXT },
	{ "json", CLI_FORMAT_JSON },
	{ "flag", CLI_FORMAT_FLAG },
	{ "basic", CLI_FORMAT_BASIC },
	{ NULL, 0 },
};

static const struct word drafts[] = {
	{ "2020-12", SCHEMA_DRAFT_2020_12 },
	{ "2019-09", SCHEMA_DRAFT_2019_09 },
	{ "draft-07", SCHEMA_DRAFT_07 },
	{ "draft-06", SCHEMA_DRAFT_06 },
	{ "draft-04", SCHEMA_DRAFT_04 },
	{ "7", SCHEMA_DRAFT_07 },
	{ "6", SCHEMA_DRAFT_06 },
	{ "4", SCHEMA_DRAFT_04 },
	{ NULL, 0 },
};

struct option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what follows it, for people; NULL: nothing */
	enum kind kind;
	size_t offset; /* in struct cli_options */
	const char *help;
	enum place place;
	const struct word *words; /* of WORD */
	enum cli_mode mode;       /* of MODE */
};

#define ROW(row_name, row_value, row_kind, member, row_help)          \
	.name = (row_name), .value = (row_value), .kind = (row_kind), \
	.offset = offsetof(struct cli_options, member), .help = (row_help)

/* A row without a name is a heading of the help. */
static const struct option options[] = {
	{ .help = "Server" },
	{ ROW("demo", NULL, FLAG, demo, "the built-in demo server") },
	{ ROW("config", "FILE", STRINGS, configs,
	    "a server file, as other clients have it; may be repeated") },
	{ ROW("server", "NAME", TEXT, server,
	    "which server of it, or of the files that are found without it") },
	{ ROW("input", "ID=VALUE", STRINGS, inputs,
	    "for ${input:ID} of a server file; may be repeated") },
	{ ROW("header", "HEADER", STRINGS, headers,
	      "'Name: value' for each request to a URL; may be repeated"),
	    .letter = 'H' },
	{ ROW("insecure", NULL, FLAG, insecure, "do not check the certificate of a URL's server") },
	{ ROW("era", "ERA", WORD, era, "auto, modern (2026-07-28) or legacy; default auto"),
	    .words = eras },
	{ ROW("protocol", "VERSION", TEXT, protocol,
	    "ask for this protocol version, such as 2025-06-18, even an unknown one") },
	{ ROW("ping", "TIME", TIME, ping_ms,
	    "ping the server so often, where the protocol has it; default never") },
	{ ROW("timeout", "TIME", TIME, timeout_ms,
	    "for an answer, anew with each progress; default 60s") },
	{ ROW("max-timeout", "TIME", TIME, max_timeout_ms,
	    "for an answer, whatever the progress; default 10m") },
	{ ROW("max-message", "SIZE", SIZE, max_message_bytes,
	    "the longest line taken whole; default 64M") },
	{ ROW("grace", "TIME", TIME, grace_ms,
	    "from closing its standard input to SIGTERM; default 150ms") },
	{ ROW("kill", "TIME", TIME, kill_ms, "from SIGTERM to SIGKILL; default 500ms") },
	{ .help = "Authorization" },
	{ ROW("login", NULL, FLAG, login, "open the browser where a server wants authorization"),
	    .place = IN_SCRIPTS },
	{ ROW("client-id", "ID", TEXT, client_id,
	    "of a client registered beforehand; without it one is registered") },
	{ ROW("client-secret", "SECRET", TEXT, client_secret, "its secret: @FILE or env:NAME") },
	{ ROW("client-metadata-url", "URL", TEXT, client_metadata_url,
	    "where the client's metadata document is; its id at servers that take one") },
	{ ROW("scope", "SCOPES", TEXT, scope, "ask for these instead of what the server names") },
	{ ROW("redirect-uri", "URI", TEXT, redirect_uri,
	    "where the browser comes back to; default a free port of 127.0.0.1") },
	{ ROW("client-credentials", NULL, FLAG, client_credentials,
	    "the client's own secret or key is enough, no browser") },
	{ ROW("client-key", "FILE", TEXT, client_key,
	    "its private key (P-256, PEM), in place of a secret") },
	{ .help = "What servers ask" },
	{ ROW("elicit", "ANSWER", TEXT, elicit,
	      "accept (with defaults), decline, cancel, or what to fill in as a JSON object"),
	    .place = IN_SCRIPTS },
	{ ROW("sampling-reply", "TEXT", TEXT, sampling_reply,
	    "answer samplings by this text or result; @FILE reads a file") },
	{ ROW("sampling-command", "COMMAND", TEXT, sampling_command,
	    "answer samplings by what this prints; it gets the request as JSON") },
	{ ROW("root", "PATH", STRINGS, roots,
	    "a folder servers are told of when they ask; may be repeated") },
	{ .help = "Screen" },
	{ ROW("command", "COMMAND", STRINGS, commands,
	      "run a : command once connected; may be repeated"),
	    .letter = 'c', .place = ON_SCREEN },
	{ ROW("theme", "NAME", TEXT, theme, "a theme by name, or a file") },
	{ ROW("color", "WHEN", WORD, colors, "auto, never, 16, 256 or truecolor; default auto"),
	    .words = colors },
	{ ROW("ascii", NULL, FLAG, ascii, "frames and marks in ASCII") },
	{ ROW("no-mouse", NULL, FLAG, no_mouse, "leave the mouse to the terminal") },
	{ ROW("journal", "SIZE", SIZE, journal_max_bytes, "memory for the wire log; default 64M") },
	{ .help = "list, call, read, get, complete, ping" },
	{ ROW("trust", NULL, FLAG, trust,
	      "run what a file of this folder names, unapproved as it is"),
	    .place = IN_SCRIPTS },
	{ ROW("json", NULL, FLAG, json, "print JSON, exactly as received"), .place = IN_SCRIPTS },
	{ ROW("args", "JSON", TEXT, args_json,
	      "the arguments, sent as they are; @FILE reads a file, @- standard input"),
	    .place = IN_SCRIPTS },
	{ ROW("output", "FILE", TEXT, output,
	      "write what read gets to a file, as it is; - is standard output"),
	    .place = IN_SCRIPTS },
	{ .help = "check" },
	{ ROW("format", "FORMAT", WORD, format,
	      "text, json, flag or basic (JSON Schema's own); default text"),
	    .place = IN_CHECK, .words = formats },
	{ ROW("assert-format", NULL, FLAG, assert_format,
	      "what breaks its format is invalid, not only warned of"),
	    .place = IN_CHECK },
	{ ROW("draft", "DRAFT", WORD, draft,
	      "where $schema is absent: 2020-12, 2019-09, draft-07, 06 or 04"),
	    .place = IN_CHECK, .words = drafts },
	{ ROW("map", "PREFIX=DIR", STRINGS, maps,
	      "references below a URI prefix are files of a folder; may be repeated"),
	    .place = IN_CHECK },
	{ ROW("lines", NULL, FLAG, lines, "each line is an instance, as in files ending .jsonl"),
	    .place = IN_CHECK },
	{ ROW("time", NULL, FLAG, time, "say how long parsing, compiling and validating took"),
	    .place = IN_CHECK },
	{ .help = "Other" },
	{ .name = "serve-demo",
	    .kind = MODE,
	    .mode = CLI_SERVE_DEMO,
	    .help = "be the demo server, on standard input and output" },
	{ .name = "help", .letter = 'h', .kind = MODE, .mode = CLI_HELP, .help = "this text" },
	{ .name = "version",
	    .letter = 'V',
	    .kind = MODE,
	    .mode = CLI_VERSION,
	    .help = "the version" },
};
#define OPTION_COUNT (sizeof(options) / sizeof(*options))

static bool
take_word(const struct option *row, void *at, const char *value, struct err *err)
{
	for (const struct word *w = row->words; w->text; w++) {
		if (strcmp(w->text, value) == 0) {
			memcpy(at, &w->value, sizeof(w->value));
			return true;
		}
	}
	return err_set(
	    err, "--%s: \"%.80s\" is none of its words: %s", row->name, value, row->help);
}

bool
options_take_mode(struct parser *p, enum cli_mode mode)
{
	p->o->mode = mode;
	p->has_command = true;
	p->done = mode == CLI_HELP || mode == CLI_VERSION;
	return true;
}

static bool
take_value(struct parser *p, const struct option *row, const char *value)
{
	void *at = (char *)p->o + row->offset;

	switch (row->kind) {
	case FLAG:
		*(bool *)at = true;
		return true;
	case TEXT:
		*(const char **)at = value;
		return true;
	case TIME:
		return number_time_ms(value, at) ||
		       err_set(p->err,
			   "--%s: \"%.80s\" is not a time such as 500, 500ms, 30s or 2m", row->name,
			   value);
	case SIZE:
		return number_size(value, at) ||
		       err_set(p->err, "--%s: \"%.80s\" is not a size such as 65536, 64K or 16M",
			   row->name, value);
	case WORD:
		return take_word(row, at, value, p->err);
	case MODE:
		return options_take_mode(p, row->mode);
	case STRINGS:
		*VEC_PUSH((struct cli_strings *)at) = value;
		return true;
	}
	return false;
}

/* The option's value is glued to it, or the next argument. */
static bool
take_option(struct parser *p, const struct option *row, const char *glued)
{
	const char *value = glued;

	if (!row->value && glued)
		return err_set(p->err, "--%s takes no value", row->name);
	if (row->value && !glued) {
		value = *p->next;
		if (!value || strcmp(value, "--") == 0)
			return err_set(
			    p->err, "--%s: a value is missing: %s", row->name, row->value);
		p->next++;
	}
	p->seen[row->place] = row;
	return take_value(p, row, value);
}

static bool
take_long(struct parser *p, const char *text)
{
	size_t len = strcspn(text, "=");

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *row = &options[i];
		if (row->name && strlen(row->name) == len && memcmp(row->name, text, len) == 0)
			return take_option(p, row, text[len] ? text + len + 1 : NULL);
	}
	return err_set(p->err, "there is no option --%.*s", (int)(len < 80 ? len : 80), text);
}

static bool
take_short(struct parser *p, const char *text)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (options[i].letter && options[i].letter == text[0])
			return take_option(p, &options[i], text[1] ? text + 1 : NULL);
	return err_set(p->err, "there is no option -%.80s", text);
}

static bool
take_all(struct parser *p)
{
	while (!p->done && *p->next) {
		const char *text = *p->next++;
		if (strcmp(text, "--") == 0) {
			p->o->command = p->next;
			return *p->next || err_set(p->err, "after -- comes the server's command");
		}
		if (strncmp(text, "--", 2) == 0 ? !take_long(p, text + 2)
		    : text[0] == '-' && text[1] ? !take_short(p, text + 1)
						: !options_take_operand(p, text))
			return false;
	}
	return true;
}

/* Options that make no difference there are a misunderstanding. */
static bool
check_places(const struct parser *p, enum cli_mode mode)
{
	bool script = mode != CLI_TUI && mode != CLI_CHECK;

	if (mode != CLI_TUI && p->seen[ON_SCREEN])
		return err_set(p->err, "--%s is for the screen, not for %s",
		    p->seen[ON_SCREEN]->name, script ? "list and call" : "check");
	if (!script && p->seen[IN_SCRIPTS])
		return err_set(p->err, "--%s goes with list and call", p->seen[IN_SCRIPTS]->name);
	if (mode != CLI_CHECK && p->seen[IN_CHECK])
		return err_set(p->err, "--%s goes with check", p->seen[IN_CHECK]->name);
	return true;
}

static bool
check_instances(const struct parser *p)
{
	const struct cli_options *o = p->o;
	size_t streams = o->schema && strcmp(o->schema, "-") == 0;

	if (o->demo || o->configs.len > 0 || o->server || o->command || o->url)
		return err_set(p->err, "check: there is no server in it");
	if (!o->schema)
		return err_set(p->err, "check: the schema is missing");
	if (o->instances.len == 0)
		return err_set(p->err, "check: what to check is missing; - is standard input");
	for (size_t i = 0; i < o->instances.len; i++)
		streams += strcmp(o->instances.items[i], "-") == 0;
	return streams <= 1 || err_set(p->err, "check: standard input can be read only once");
}

/* A line break in it would make it two. */
static bool
is_header(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon > text && !strpbrk(text, "\r\n");
}

/* What only shows once all of it was read. */
static bool
check_all(struct parser *p)
{
	const struct cli_options *o = p->o;

	if (o->mode == CLI_HELP || o->mode == CLI_VERSION || o->mode == CLI_SERVE_DEMO)
		return true;
	if (o->mode == CLI_LOGOUT)
		return o->url || err_set(p->err, "logout: the server's URL is missing");
	if (!check_places(p, o->mode) || !answers_read(p->o, p->err))
		return false;
	if (o->mode == CLI_CHECK)
		return check_instances(p);
	if (!options_check_operands(p))
		return false;
	int targets = o->demo + (o->configs.len > 0) + !!o->command + !!o->url;
	if (targets > 1)
		return err_set(p->err, "more than one server: a URL, --demo, --config and -- "
				       "COMMAND exclude each other");
	if (!o->url && (o->headers.len > 0 || o->insecure))
		return err_set(p->err, "--%s goes with a URL", o->insecure ? "insecure" : "header");
	if (o->server && targets > 0 && o->configs.len == 0)
		return err_set(p->err, "--server names one of a file's servers");
	for (size_t i = 0; i < o->headers.len; i++)
		if (!is_header(o->headers.items[i]))
			return err_set(p->err, "\"%.80s\" is not a header such as \"Name: value\"",
			    o->headers.items[i]);
	for (size_t i = 0; i < o->inputs.len; i++)
		if (!strchr(o->inputs.items[i], '=') || o->inputs.items[i][0] == '=')
			return err_set(
			    p->err, "--input: \"%.80s\" is not ID=VALUE", o->inputs.items[i]);
	if (o->args_json && o->mode != CLI_CALL && o->mode != CLI_GET)
		return err_set(p->err, "--args goes with call and get");
	if (o->output && o->mode != CLI_READ)
		return err_set(p->err, "--output goes with read");
	if (o->mode != CLI_TUI && targets == 0 && !o->server)
		return err_set(p->err, "no server: give a URL, --demo, --config FILE, --server "
				       "NAME, or -- COMMAND ARG...");
	return true;
}

bool
cli_options_parse(struct cli_options *o, int argc, char *const *argv, struct err *err)
{
	struct parser p = { .o = o, .err = err, .next = argv + (argc > 0) };

	*o = (struct cli_options){ .colors = BACKEND_COLORS_AUTO, .grace_ms = -1, .kill_ms = -1 };
	if (take_all(&p) && check_all(&p))
		return true;
	cli_options_finish(o);
	return false;
}

void
cli_options_finish(struct cli_options *o)
{
	for (size_t i = 0; i < o->arguments.len; i++)
		free(o->arguments.items[i].path);
	free(o->arguments.items);
	free(o->commands.items);
	free(o->headers.items);
	free(o->instances.items);
	free(o->maps.items);
	free(o->configs.items);
	free(o->inputs.items);
	answers_finish(o);
	*o = (struct cli_options){ 0 };
}

static const char usage[] =
    "A full-screen host and inspector for MCP servers.\n"
    "\n"
    "  mcpane SERVER\n"
    "  mcpane list [tools|resources|templates|prompts] SERVER [--json]\n"
    "  mcpane call SERVER TOOL [NAME=VALUE | NAME:=JSON]... [--args JSON] [--json]\n"
    "  mcpane read SERVER URI [--output FILE] [--json]\n"
    "  mcpane get SERVER PROMPT [NAME=VALUE]... [--json]\n"
    "  mcpane complete SERVER prompt|template NAME ARGUMENT VALUE [NAME=VALUE]... [--json]\n"
    "  mcpane ping SERVER [--json]\n"
    "  mcpane check SCHEMA.json INSTANCE.json... [--format FORMAT]\n"
    "  mcpane conformance SERVER\n"
    "  mcpane logout URL\n"
    "\n"
    "SERVER is a URL, --demo, --config FILE [--server NAME], --server NAME of the files that\n"
    "are found, or, as the last thing, -- COMMAND ARG... Without one the screen lists them.\n";

void
cli_options_help(FILE *out)
{
	char left[64];

	fputs(usage, out);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *row = &options[i];
		if (!row->name) {
			fprintf(out, "\n%s\n", row->help);
			continue;
		}
		snprintf(left, sizeof(left), "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
		    row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
		    row->value ? " " : "", row->value ? row->value : "");
		fprintf(out, "  %-24s %s\n", left, row->help);
	}
	fputs("\nExit: 0 ok, 1 usage or other, 3 not authorized, 4 server unreachable, 5 tool "
	      "error,\n7 "
	      "result breaks its outputSchema or an instance its schema, 9 that could not be "
	      "decided.\n",
	    out);
}
