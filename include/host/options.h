/* SPDX-License-Identifier: MIT */
#ifndef HOST_OPTIONS_H
#define HOST_OPTIONS_H

#include "base/err.h"
#include "base/strings.h"
#include "mcp/primitive.h"
#include "mcp/session.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The parsed command line. Options may precede or follow the subcommand; `--` ends them and
 * starts a server's command. Strings belong to argv, which must outlive the options.
 */
struct subcommand;

/* NAME=VALUE or NAME:=JSON of `call`, `get` and `complete`. */
struct call_argument {
	char *path; /* owned; a path for form_find() */
	const char *text;
	bool is_json;
};

struct option_strings {
	const char **items;
	size_t len, cap;
};

/* --format: of `check`, of the data that `call` prints, and of what `run` says. Each has json; 0 is
 * the default. */
enum check_output { CHECK_OUTPUT_TEXT, CHECK_OUTPUT_JSON, CHECK_OUTPUT_FLAG, CHECK_OUTPUT_BASIC };
enum call_format {
	CALL_FORMAT_JSON = CHECK_OUTPUT_JSON,
	CALL_FORMAT_JSONL = CHECK_OUTPUT_BASIC + 1,
	CALL_FORMAT_CSV,
	CALL_FORMAT_TSV,
	CALL_FORMAT_MARKDOWN,
	RUN_FORMAT_JUNIT,
	RUN_FORMAT_TAP,
	RUN_FORMAT_GITHUB,
};

/* Steps of `render` with an app, in the order of the options. */
enum option_step_kind { STEP_WAIT, STEP_CLICK, STEP_TYPE, STEP_PRESS };
struct option_step {
	enum option_step_kind kind;
	const char *text;
};

struct option_size {    /* in cells */
	int cols, rows; /* 0: not given */
};

/* When to declare to servers that this host shows apps. */
enum apps_when { APPS_AUTO, APPS_ALWAYS, APPS_NEVER };

struct option_auth { /* of an HTTP server; NULL: not given */
	const char *client_id;
	const char *client_secret; /* as auth_settings_read_secret() reads it */
	const char *client_metadata_url, *client_key, *scope, *redirect_uri;
	bool client_credentials, login, accept_issuer_slash;
};

struct option_connect { /* the session with a server */
	enum apps_when apps;
	/* Returns whether that program can show apps. NULL: no apps. Called for APPS_AUTO. */
	bool (*has_app_engine)(const char *program);
	const char *apps_engine; /* NULL: the first one found */
	size_t apps_memory;      /* 0: the default */
	enum session_era era;
	int64_t ping_ms;                             /* 0: never */
	const char *protocol;                        /* the version to request; NULL: by the era */
	int64_t timeout_ms, max_timeout_ms;          /* 0: the default */
	size_t max_message_bytes, journal_max_bytes; /* 0: the default */
	int64_t grace_ms, kill_ms;                   /* -1: the default */
};

struct option_answers {     /* to server requests */
	const char *elicit; /* accept, guess, decline, cancel or a JSON object; NULL: decline */
	const char *sampling_reply, *sampling_command;
	char *sampling_text;         /* the text of sampling_reply, owned */
	struct option_strings roots; /* as given */
	struct strings root_uris;    /* as absolute paths and URIs, owned */
};

struct option_screen {
	const char *theme; /* NULL: not given */
	int colors;        /* BACKEND_COLORS_AUTO or an enum of ui/paint.h */
	bool ascii, no_mouse, no_history;
	struct option_strings commands; /* -c, in order */
};

struct option_history {
	struct option_strings past; /* words of a search, or a verb and ids */
	size_t limit;               /* calls printed; 0: not given; SIZE_MAX: all */
	bool replies;               /* with definition and reply */
};

struct option_call { /* also list, read, get, skill, complete and ping */
	bool json, raw, findings;
	enum primitive_kind kind;     /* what list prints, complete is about, call and read use */
	const char *tool;             /* or the prompt of `get`, or the subject of `complete` */
	const char *uri, *output;     /* of `read`; output NULL: standard output */
	const char *file;             /* of `skill`: its name in the skill; NULL: SKILL.md */
	bool approve;                 /* print its content */
	bool read_only;               /* conformance: call only tools with readOnlyHint */
	const char *argument, *value; /* of `complete` */
	struct option_strings metas;  /* KEY=VALUE, KEY:=JSON or a JSON object, for _meta */
	bool trace;                   /* send a traceparent */
	const char *args_json;        /* JSON, @FILE or @-; NULL: none */
	const char *saved;            /* a saved call, instead of `tool`; NULL: none */
	const char *environment;      /* of the project's variables; NULL: none */
	struct option_strings variables; /* NAME=VALUE or NAME:=JSON */
	struct option_strings sends;     /* variables of the environment that the server may get */
	struct {
		struct call_argument *items;
		size_t len, cap;
	} arguments;      /* in order */
	int view;         /* cli/print/print.h says which; 0: not given */
	size_t width;     /* of the view; 0: the terminal's */
	const char *jq;   /* an expression; NULL: not given */
	const char *lens; /* a lens, or "all"; NULL: not given */
};

struct option_diff {
	struct option_strings files; /* one or two, or "-" */
	const char *key;             /* of tables; NULL: guess */
	bool breaking;               /* only breaking changes count */
};

struct option_render {
	struct {
		struct option_step *items;
		size_t len, cap;
	} steps;
	struct option_size size;
	const char *png;               /* a file; NULL: none */
	bool text, ansi;               /* how the picture is printed; neither: by the output */
	bool yes;                      /* grant the permissions that the app requests */
	int csp;                       /* enum app_csp */
	struct option_strings allowed; /* domains that the app may reach */
};

struct option_record {      /* record, tap and replay */
	const char *listen; /* of HTTP: address and port for clients; NULL: a command is tapped */
	struct option_strings origins; /* of pages that may be clients of it */
	bool with_secrets;             /* record secrets */
	bool strict;                   /* answer only recorded requests */
	const char *speed;             /* a number, or "max"; NULL: 1 */
};

struct option_run {                    /* run and test */
	struct option_strings recipes; /* files */
	bool update;                   /* the snapshots */
	const char *lock;              /* a snapshot that the server has to match; NULL: none */
};

struct option_check {
	const char *schema;              /* a file, or "-" */
	struct option_strings instances; /* at least one; files, or "-" */
	struct option_strings maps;      /* URI-PREFIX=DIR */
	int draft;                       /* enum schema_draft; 0: not given */
	bool assert_format, assert_content, strict_integers, lines, time;
};

struct options {
	const struct subcommand *subcommand;
	const struct subcommand *help_about; /* of "call --help"; else NULL */
	bool full_screen;                    /* no subcommand: the user can be asked */

	/* The server: at most one of these. A subcommand that requires one accepts `server`
	 * alone too. */
	bool demo;
	struct option_strings configs; /* files */
	const char *server; /* a name in configs, or in the files found; NULL: not given */
	struct option_strings inputs;  /* ID=VALUE */
	bool trust;                    /* run a server of a file without approval */
	bool approve_server;           /* approve its current entry, also for later runs */
	char *const *command;          /* NULL-terminated, not empty; NULL: not given */
	const char *url;               /* of an HTTP server; NULL: not given */
	struct option_strings headers; /* "Name: value", in order */
	bool insecure;
	const char *recording; /* its file; with attach the process of the tap, NULL: the newest */
	bool attach;           /* show a running tap */

	/* completions */
	const char *shell;
	char *const *words; /* the words behind __words, ended by NULL */
	bool unfinished;    /* the line is still being typed: do not start servers for it */

	int format; /* enum check_output or call_format, also of run */
	struct option_auth auth;
	struct option_connect connect;
	struct option_answers answer;
	struct option_screen screen;
	struct option_history history;
	struct option_call call;
	struct option_diff diff;
	struct option_render render;
	struct option_record record;
	struct option_run run;
	struct option_check check;
};

/* Validates the options about replies and reads their files. */
bool options_read_replies(struct options *o, struct err *err);

#endif
