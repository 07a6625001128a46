#ifndef CLI_ARGUMENTS_PRIV_H
#define CLI_ARGUMENTS_PRIV_H

#include "base/buf.h"
#include "cli/options.h"
#include "mcp/offers.h"

/* The arguments of `call`. */

/* What --args gives, as it is: a text, a file or standard input. Empty without --args. False: it
 * cannot be read or is not JSON. */
bool arguments_read(const struct cli_options *o, struct buf *given, struct err *err);
/* The bytes to send: given as it is, or with every NAME=VALUE and NAME:=JSON set on top of it. */
bool arguments_build(const struct cli_options *o, const struct buf *given, const cJSON *schema,
    struct buf *out, struct err *err);

#endif
