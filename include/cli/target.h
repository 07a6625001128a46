#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "cli/options.h"
#include "host/config.h"
#include "host/connection.h"
#include "host/target.h"

/* The server that the command line means. */
struct cli_target {
	struct target own;           /* of a URL, --demo or a command */
	struct config config;        /* of --config */
	const struct target *chosen; /* one of the above */
};

/* The server of a URL, a command or --demo. */
bool cli_target_own(struct target *t, const struct cli_options *o, struct err *err);
/* The only server of a file needs no name. False: there is none, or it must be named: err lists the
 * names. */
bool cli_target_find(struct cli_target *t, const struct cli_options *o, struct err *err);
void cli_target_finish(struct cli_target *t);

/* How to connect to it, as the command line says. */
struct connection_options cli_connection_options(const struct cli_options *o);

#endif
