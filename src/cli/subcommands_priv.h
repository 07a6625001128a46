#ifndef CLI_SUBCOMMANDS_PRIV_H
#define CLI_SUBCOMMANDS_PRIV_H

#include "cli/subcommands.h"

/* The functions that the rows of `subcommands` run. */
int cli_call(const struct cli_options *o); /* call, read and get */
int cli_check(const struct cli_options *o);
int cli_complete(const struct cli_options *o);
int cli_conformance(const struct cli_options *o);
int cli_list(const struct cli_options *o);
int cli_logout(const struct cli_options *o);
int cli_ping(const struct cli_options *o);

#endif
