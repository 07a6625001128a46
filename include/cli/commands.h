#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* The commands that need no screen: results on standard output, everything else on standard error.
 */
enum cli_exit {
	CLI_EXIT_OK = 0,
	CLI_EXIT_USAGE = 1,         /* and whatever has no number of its own */
	CLI_EXIT_FORBIDDEN = 3,     /* authorization is needed, and was not given */
	CLI_EXIT_UNREACHABLE = 4,   /* the server gave no answer */
	CLI_EXIT_TOOL_ERROR = 5,    /* it did, and that is an error */
	CLI_EXIT_BROKEN_RESULT = 7, /* it breaks its outputSchema; it is printed all the same */
	CLI_EXIT_UNDECIDED = 9,     /* by a schema not all of which can be checked */
};

/* Each runs to its end and returns the exit code; 128 + the signal's number when SIGINT, SIGTERM or
 * SIGHUP ended it. The server is stopped in the background. */
int cli_list(const struct cli_options *o);
int cli_call(const struct cli_options *o); /* also CLI_READ and CLI_GET */
int cli_complete(const struct cli_options *o);
int cli_ping(const struct cli_options *o);

/* Uses everything a server offers, with arguments made from the schemas; for the official suite. */
int cli_conformance(const struct cli_options *o);

/* Forgets the tokens of the server at a URL. */
int cli_logout(const struct cli_options *o);

/* Instances by a schema; the exit code is that of the worst of them: 1, 7, 9, 0. */
int cli_check(const struct cli_options *o);

int cli_help(const struct cli_options *o);
int cli_version(const struct cli_options *o);

#endif
