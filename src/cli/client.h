/* SPDX-License-Identifier: MIT */
#ifndef CLI_CLIENT_H
#define CLI_CLIENT_H

#include "cli/command_line.h"
#include "host/server_list.h"
#include "host/from_options.h"
#include "host/user_programs.h"
#include "loop/loop.h"
#include "recipe/collection.h"

struct form;

/*
 * Elicitation at the shell, if standard input and standard error are a terminal: asks for the
 * fields one by one, checks each, then asks whether to send, decline or cancel. The end of the
 * input cancels.
 */
struct asker {
	bool may_ask;
	struct loop_watch *watch; /* on standard input, while something is asked */
	uint64_t question;        /* 0: none */
	size_t field;             /* the next one; all are asked: the review */
	struct buf line;
};

/* Returns whether the server may get these variables of the user's environment, which a file of the
 * project names. Asks at a terminal. False: err names the first variable that it may not get. */
bool consent_to_send(const struct strings *sources, const struct target *target,
    const struct options *o, struct err *err);

/* One server, which a subcommand starts, uses and stops. */
#define CLIENT_SIGNALS 3

struct client {
	struct target target;
	struct loop *loop;
	struct connection *connection;
	struct sampler *sampler;
	bool runs_apps;         /* client_open() makes the house, and starts the engine */
	struct app_house *apps; /* NULL: none run */
	struct loop_watch *watches[CLIENT_SIGNALS];
	int end_code; /* exit code after a signal or a failure; 0: neither */
	struct auth_settings authorization;
	/* Adjusts the authorization options; may be NULL. */
	void (*adapt)(void *user, struct authorizer_options *options);
	struct asker asker;
	struct loop_watch *typed; /* watches standard input, where the user may paste an address */
	struct buf line;
	struct buf failure;  /* the reason of the failure; "" */
	unsigned lists;      /* which lists to request: bits of enum primitive_kind */
	bool lists_declared; /* do not report lists that the server does not declare */
	/* May the server be started? Asked once it is known. NULL: it may. */
	bool (*may_start)(void *user, const struct target *target, struct err *err);
	/* Called after every change of the server; may be NULL. */
	void (*on_change)(void *user);
	void *user;
};

/* Starts the server and waits for the requested lists. Returns 0, or the exit code after
 * reporting the failure; call client_close() either way. */
int client_open(struct client *c, const struct options *o);
/* The same for a client that is open: starts the server once more. */
int client_start(struct client *c);
/* Runs the loop until done() is true or a signal arrives. Returns the exit code of the signal, or
 * 0. */
int client_wait(struct client *c, bool (*done)(const struct client *c));
/* The same until no call runs, and no completion or request about a skill is under way. */
int client_wait_answers(struct client *c);
struct server *client_server(const struct client *c);
/* Lets the server end in the background and keeps everything known about it. Signals end the
 * program from here on, so that a slow reader of the output may take its time. */
void client_let_go(struct client *c);
void client_close(struct client *c);
/* Closes the client, writes out and finishes it. With --json an empty out becomes the failure as
 * {"error":{"message":…}}. Returns the code, or that of a failed write. */
int client_end(struct client *c, const struct options *o, int code, struct buf *out);
/* All of it around work(), which returns the exit code. */
int client_run(struct client *c, const struct options *o,
    int (*work)(struct client *c, const struct options *o, struct buf *out));

/* Reports the reason of a failure. */
void client_fail(struct client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The exit code of a failure: the server answered with an error, authorization is missing, or no
 * answer arrived. */
int client_failure(const struct client *c, bool answered);
/* The same after reporting "WHAT: error", or how the server ended or failed in the meantime. */
int client_say_failure(struct client *c, const char *what, const char *error, bool answered);

/* Sets every NAME=VALUE and NAME:=JSON of the command line. */
bool client_set_arguments(struct form *form, const struct options *o, struct err *err);

/* ---- call_command.c ---- */
struct call;
/* The source of a call of the command line, without its NAME=VALUE. */
struct call_source {
	const char *name; /* of the tool or prompt, or the URI */
	struct buf
	    given; /* JSON: --args (text, a file or standard input), or the saved arguments */
	struct saved_call saved;  /* zeroed without --saved */
	enum primitive_kind kind; /* that of the subcommand, or a template instead of a resource */
	struct environment environment;
	bool fills; /* replace "${name}" by a variable */
};
/* The caller finishes it either way. */
bool call_source_read(struct call_source *s, const struct options *o, struct err *err);
void call_source_finish(struct call_source *s);
/* Sends the call of the command line. Returns 0, or the exit code after reporting the failure. */
int client_send_call(
    struct client *c, const struct options *o, const struct call_source *source, uint64_t *call);
int client_call_code(
    const struct client *c, const struct call *call); /* of a call that has ended */

/* Appends a call and its reply as JSON. *is_id: whether the text is an id. False: nothing was
 * appended; for an id, the reason was reported. */
bool past_call_add_json(const char *text, struct buf *out, bool *is_id);

/* Sets _meta from the command line. False: the reason was reported. */
bool client_set_meta(struct client *c, const struct options *o);
/* Prints the traceparent that was sent last, if one was wanted. */
void client_say_trace(const struct client *c, const struct options *o);

/* Prints the last lines that an ended server wrote to standard error. */
void client_say_stderr(const char *tail);
void client_say_authorization(const struct client *c); /* the steps that failed */

/* Run by the rows of `subcommands`. */
int cli_apps(const struct options *o);
int cli_call(const struct options *o);                        /* call, read and get */
bool excerpt_check(const struct options *o, struct err *err); /* do the options go together? */
int cli_check(const struct options *o);
int cli_diff(const struct options *o);
bool diff_check(const struct options *o, struct err *err); /* are there two things to compare? */
int cli_snapshot(const struct options *o);
int cli_complete(const struct options *o);
int cli_conformance(const struct options *o);
int cli_list(const struct options *o);
int cli_completions(const struct options *o);
int cli_ping(const struct options *o);
int cli_render(const struct options *o);
int cli_run(const struct options *o);
bool render_check(const struct options *o, struct err *err); /* do the options go together? */
int cli_servers(const struct options *o);
int cli_tap(const struct options *o); /* and record */
bool tap_check(const struct options *o, struct err *err);
int cli_replay(const struct options *o);
bool replay_check(const struct options *o, struct err *err);
int cli_history(const struct options *o);
bool past_calls_check(const struct options *o, struct err *err);
extern const char *const past_verbs[]; /* what history does with a call; ends with NULL */
int cli_saved(const struct options *o);
int cli_logout(const struct options *o);
int cli_words(const struct options *o);
int cli_skill(const struct options *o);

/* compare.c: appends all declarations of the server (data/snapshot.h); the client was opened with
 * these lists. Returns 0, or the exit code after reporting the failure. */
#define SNAPSHOT_LISTS                                                                \
	(1u << PRIMITIVE_TOOL | 1u << PRIMITIVE_RESOURCE | 1u << PRIMITIVE_TEMPLATE | \
	    1u << PRIMITIVE_PROMPT)
int client_add_snapshot(struct client *c, struct buf *out);
/* The error if a file is not a snapshot. */
#define SNAPSHOT_REFUSED "%.150s is not a snapshot: mcpane snapshot writes one"

#endif
