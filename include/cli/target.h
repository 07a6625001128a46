#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "cli/options.h"
#include "host/connection.h"
#include "host/inputs.h"
#include "host/roster.h"
#include "host/target.h"

/* The server that the command line means. */
struct cli_target {
	struct target run;           /* with values for its inputs */
	const struct target *chosen; /* it; NULL: none */
};

/* All that the command line names; where it names none, all that is found. */
bool cli_roster_fill(struct roster *r, const struct cli_options *o, struct err *err);
/* Values of --input. */
void cli_inputs_fill(struct inputs *in, const struct cli_options *o);
/* The only server of a file that was named needs no name. False: there is none, it must be named
 * (err lists the names), it was not approved, or a value is missing. */
bool cli_target_find(struct cli_target *t, const struct cli_options *o, struct err *err);
void cli_target_finish(struct cli_target *t);

/* How to connect to it, as the command line says. */
struct connection_options cli_connection_options(const struct cli_options *o);

#endif
