#ifndef CLI_SUBCOMMANDS_H
#define CLI_SUBCOMMANDS_H

#include "base/buf.h"
#include "config/options.h"

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

/* What a subcommand needs on its command line besides its operands. */
enum subcommand_server {
	SERVER_NONE,
	SERVER_URL,      /* a URL and no command */
	SERVER_OPTIONAL, /* without one the user chooses on the screen */
	SERVER_REQUIRED,
};

/* Groups of options; an option that no subcommand has to take is in none of them. */
enum {
	OPTIONS_SERVER = 1 << 0,
	OPTIONS_SCREEN = 1 << 1,
	OPTIONS_SCRIPT = 1 << 2, /* nobody is there to be asked */
	OPTIONS_PRINT = 1 << 3,
	OPTIONS_ARGUMENTS = 1 << 4,
	OPTIONS_OUTPUT = 1 << 5,
	OPTIONS_CHECK = 1 << 6,
};

struct operand;

/* A row is all there is about a subcommand: the parser, --help, main() and the manual's synopsis
 * read it. */
struct subcommand {
	const char *name;
	const char *usage; /* what follows the name in --help; NULL: it has no line there */
	enum subcommand_server server;
	int url_after;                  /* a URL is the server's after at most so many operands */
	unsigned options;               /* the groups it takes */
	enum offer_kind kind;           /* the default of options.kind */
	const struct operand *operands; /* the last one takes all that are left; NULL: none */
	bool ends_parsing;              /* the arguments after it are not read */
	/* What only this subcommand wants checked; may be NULL. */
	bool (*check)(const struct options *o, struct err *err);
	/* Runs to its end and returns the exit code; 128 + the signal's number when SIGINT, SIGTERM
	 * or SIGHUP ended it. The server is stopped in the background. NULL: the full screen. */
	int (*run)(const struct options *o);
};

/* Ends with a row without a name. The first is the full screen, which is named by no word. */
extern const struct subcommand subcommands[];

/* False: err is one line for people; the options are finished then. */
bool options_parse(struct options *o, int argc, char *const *argv, struct err *err);
void options_finish(struct options *o);

void help_text(struct buf *out); /* of --help: lines of 80 columns */

#endif
