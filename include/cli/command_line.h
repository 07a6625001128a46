/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "base/buf.h"
#include "host/options.h"

/* Subcommands need no screen: results go to standard output, everything else to standard error. */
enum cli_exit {
	CLI_EXIT_OK = 0,
	CLI_EXIT_USAGE = 1,         /* and every other failure */
	CLI_EXIT_FORBIDDEN = 3,     /* authorization is required and was not granted */
	CLI_EXIT_UNREACHABLE = 4,   /* the server did not answer */
	CLI_EXIT_TOOL_ERROR = 5,    /* the server answered with an error */
	CLI_EXIT_BROKEN_APP = 6,    /* the app did not run, or a step failed */
	CLI_EXIT_DIFFERENT = 6,     /* a difference, or a failed expectation */
	CLI_EXIT_BROKEN_RESULT = 7, /* the result violates its outputSchema; it is printed anyway */
	CLI_EXIT_NO_ENGINE = 8,     /* no browser that could run an app */
	CLI_EXIT_UNDECIDED = 9,     /* part of the schema could not be checked */
};

/* Which server a subcommand needs. */
enum subcommand_server {
	SERVER_NONE,
	SERVER_URL,      /* a URL, never a command */
	SERVER_OPTIONAL, /* without one the user chooses on the screen */
	SERVER_REQUIRED,
};

/* Groups of options. An option in no group goes with every subcommand. */
enum {
	OPTIONS_SERVER = 1 << 0,
	OPTIONS_SCREEN = 1 << 1,
	OPTIONS_SCRIPT = 1 << 2, /* the user cannot be asked */
	OPTIONS_PRINT = 1 << 3,
	OPTIONS_ARGUMENTS = 1 << 4,
	OPTIONS_OUTPUT = 1 << 5,
	OPTIONS_CHECK = 1 << 6,
	OPTIONS_SKILL = 1 << 7,
	OPTIONS_CALL = 1 << 8,
	OPTIONS_RENDER = 1 << 9,
	OPTIONS_RECORD = 1 << 10,
	OPTIONS_TAP = 1 << 11,
	OPTIONS_REPLAY = 1 << 12,
	OPTIONS_DIFF = 1 << 13,
	OPTIONS_SAVED = 1 << 14,
	OPTIONS_RUN = 1 << 15,
	OPTIONS_PAST = 1 << 16,
	OPTIONS_CONFORMANCE = 1 << 17,
	OPTIONS_PROJECT = 1 << 18, /* the screen of a server, not of a recording or a tap */
};

struct operand;

/* One row per subcommand: the parser, --help, main() and the manual's synopsis read it. */
struct subcommand {
	const char *name;
	const char *usage; /* follows the name in --help; NULL: not listed there */
	enum subcommand_server server;
	int url_after;                  /* the server's URL may follow at most this many operands */
	unsigned options;               /* the groups it accepts */
	enum primitive_kind kind;       /* default of options.kind */
	const struct operand *operands; /* the last one takes all remaining operands; NULL: none */
	bool ends_parsing;              /* later arguments are not read */
	/* Checks specific to this subcommand; may be NULL. */
	bool (*check)(const struct options *o, struct err *err);
	/* Runs to completion and returns the exit code: 128 + the signal number if SIGINT,
	 * SIGTERM or SIGHUP ended it. The server is stopped in the background. NULL: the full
	 * screen. */
	int (*run)(const struct options *o);
	const char *about, *example; /* in its --help; of each row with a usage */
};

/* Ends with a row without a name. The first row is the full screen, which no word selects. */
extern const struct subcommand subcommands[];

/* False: err is a single line and the options are finished. */
bool options_parse(struct options *o, int argc, char *const *argv, struct err *err);
void options_finish(struct options *o);

/* "call --help", "help call" and "--help call" ask about call; NULL: about everything. */
const struct subcommand *help_subject(const struct options *o);
/* The text of --help, 80 columns wide. about: one subcommand; NULL: all. */
void help_text(struct buf *out, const struct subcommand *about);

#endif
