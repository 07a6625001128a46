#include "options_priv.h"

#include "ui/backend.h"

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

/* ---- what takes an option ---- */
#define SCREEN OPTION_MODE(CLI_TUI)
#define CHECK OPTION_MODE(CLI_CHECK)
#define PRINTING                                                                 \
	(OPTION_MODE(CLI_LIST) | OPTION_MODE(CLI_CALL) | OPTION_MODE(CLI_READ) | \
	    OPTION_MODE(CLI_GET) | OPTION_MODE(CLI_COMPLETE) | OPTION_MODE(CLI_PING))
#define SCRIPTS (PRINTING | OPTION_MODE(CLI_CONFORMANCE))
#define SERVERS (SCREEN | SCRIPTS)

#define ROW(row_name, row_value, row_kind, member, row_help)          \
	.name = (row_name), .value = (row_value), .kind = (row_kind), \
	.offset = offsetof(struct cli_options, member), .help = (row_help)

const struct option option_table[] = {
	{ .help = "Server", .modes = SERVERS },
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
	{ .help = "Authorization", .modes = SERVERS },
	{ ROW("login", NULL, FLAG, login, "open the browser where a server wants authorization"),
	    .modes = SCRIPTS },
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
	{ .help = "What servers ask", .modes = SERVERS },
	{ ROW("elicit", "ANSWER", TEXT, elicit,
	      "accept (with defaults), decline, cancel, or what to fill in as a JSON object"),
	    .modes = SCRIPTS },
	{ ROW("sampling-reply", "TEXT", TEXT, sampling_reply,
	    "answer samplings by this text or result; @FILE reads a file") },
	{ ROW("sampling-command", "COMMAND", TEXT, sampling_command,
	    "answer samplings by what this prints; it gets the request as JSON") },
	{ ROW("root", "PATH", STRINGS, roots,
	    "a folder servers are told of when they ask; may be repeated") },
	{ .help = "Screen" },
	{ ROW("command", "COMMAND", STRINGS, commands,
	      "run a : command once connected; may be repeated"),
	    .letter = 'c', .modes = SCREEN },
	{ ROW("theme", "NAME", TEXT, theme, "a theme by name, or a file") },
	{ ROW("color", "WHEN", WORD, colors, "auto, never, 16, 256 or truecolor; default auto"),
	    .words = colors },
	{ ROW("ascii", NULL, FLAG, ascii, "frames and marks in ASCII") },
	{ ROW("no-mouse", NULL, FLAG, no_mouse, "leave the mouse to the terminal") },
	{ ROW("journal", "SIZE", SIZE, journal_max_bytes, "memory for the wire log; default 64M"),
	    .modes = SERVERS },
	{ .help = "list, call, read, get, complete, ping", .modes = PRINTING },
	{ ROW("trust", NULL, FLAG, trust,
	      "run what a file of this folder names, unapproved as it is"),
	    .modes = SCRIPTS },
	{ ROW("json", NULL, FLAG, json, "print JSON, every digit of a number as received") },
	{ ROW("raw", NULL, FLAG, raw, "print texts byte for byte, escape sequences and all") },
	{ ROW("args", "JSON", TEXT, args_json,
	      "the arguments, sent as they are; @FILE reads a file, @- standard input"),
	    .modes = OPTION_MODE(CLI_CALL) | OPTION_MODE(CLI_GET) },
	{ ROW("output", "FILE", TEXT, output,
	      "write what read gets to a file, as it is; - is standard output"),
	    .modes = OPTION_MODE(CLI_READ) },
	{ .help = "check", .modes = CHECK },
	{ ROW("format", "FORMAT", WORD, format,
	      "text, json, flag or basic (JSON Schema's own); default text"),
	    .words = formats },
	{ ROW("assert-format", NULL, FLAG, assert_format,
	    "what breaks its format is invalid, not only warned of") },
	{ ROW("draft", "DRAFT", WORD, draft,
	      "where $schema is absent: 2020-12, 2019-09, draft-07, 06 or 04"),
	    .words = drafts },
	{ ROW("map", "PREFIX=DIR", STRINGS, maps,
	    "references below a URI prefix are files of a folder; may be repeated") },
	{ ROW("lines", NULL, FLAG, lines, "each line is an instance, as in files ending .jsonl") },
	{ ROW("time", NULL, FLAG, time, "say how long parsing, compiling and validating took") },
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
	{ 0 },
};
