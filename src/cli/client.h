#ifndef CLI_CLIENT_H
#define CLI_CLIENT_H

#include "cli/command_line.h"
#include "config/choose.h"
#include "host/from_options.h"
#include "host/sampler.h"
#include "loop/loop.h"

/* One server, run by a command to its end. */
#define CLIENT_SIGNALS 3

struct client {
	struct target target;
	struct loop *loop;
	struct connection *connection;
	struct sampler *sampler;
	struct loop_watch *watches[CLIENT_SIGNALS];
	int end_code; /* to exit with, when a signal or trouble ends the command; 0: nothing does */
	struct authorization authorization;
	/* Changes how the server is authorized; may be NULL. */
	void (*adapt)(void *user, struct authorizer_options *options);
	struct loop_watch *typed; /* standard input, where an address may be pasted */
	struct buf line;
	struct buf failure; /* why there will be no result; "" when nothing has failed */
	unsigned lists;     /* bits of enum offer_kind: what is to be listed */
	/* Called after every change of the server; may be NULL. */
	void (*on_change)(void *user);
	void *user;
};

/* Starts the server and waits until it is listed what it is asked for. Returns 0, or the exit code
 * after having said why; client_close() either way. */
int client_open(struct client *c, const struct options *o);
/* Turns the loop until done() or a signal. */
void client_wait(struct client *c, bool (*done)(const struct client *c));
struct server *client_server(const struct client *c);
/* Leaves the server to end in the background; what is known of it stays. Signals end the program
 * from here on, so that a reader of the results may take its time. */
void client_let_go(struct client *c);
void client_close(struct client *c);
/* Closes it and writes out, which is finished; with --json an empty one becomes what failed, as
 * {"error":{"message":…}}. Returns the code, or that of the writing. */
int client_end(struct client *c, const struct options *o, int code, struct buf *out);

/* Says why there will be no result. */
void client_fail(struct client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The exit code of what failed: by the server's word, for want of authorization, or for want of any
 * answer. */
int client_failure(const struct client *c, bool answered);
/* The same, having said why: "WHAT: error", or how the server ended or failed meanwhile. */
int client_say_failure(struct client *c, const char *what, const char *error, bool answered);

/* What a server that has gone wrote last. */
void client_say_stderr(const char *tail);
void client_say_authorization(const struct client *c); /* where it failed */

/* The functions that the rows of `subcommands` run. */
int cli_call(const struct options *o); /* call, read and get */
int cli_check(const struct options *o);
int cli_complete(const struct options *o);
int cli_conformance(const struct options *o);
int cli_list(const struct options *o);
int cli_ping(const struct options *o);

#endif
