#ifndef CLI_AUTHORIZATION_H
#define CLI_AUTHORIZATION_H

#include "cli/options.h"
#include "host/authorizer.h"

/* How servers are authorized, as the command line says. Holds what the options point to. */
struct cli_authorization {
	struct authorizer_options options;
	char *secret, *key, *tokens_path;
};

bool cli_authorization_init(struct cli_authorization *a, const struct cli_options *o,
    enum authorizer_consent consent, struct err *err);
void cli_authorization_finish(struct cli_authorization *a);

/* A secret where it is kept: @FILE, env:NAME, or in clear. Caller frees. waits: the file may be a
 * pipe; never where a screen would stand still. */
bool cli_secret_read(char **out, const char *from, bool waits, struct err *err);

#endif
