#ifndef HOST_FROM_OPTIONS_H
#define HOST_FROM_OPTIONS_H

#include "config/options.h"
#include "host/connection.h"

/* How servers are authorized, as the command line says. Holds what the options point to. */
struct authorization {
	struct authorizer_options options;
	char *secret, *key, *tokens_path;
	const char *warning; /* for standard error; NULL: none */
};

bool authorization_init(struct authorization *a, const struct options *o,
    enum authorizer_consent consent, struct err *err);
void authorization_finish(struct authorization *a);

/* A secret where it is kept: @FILE, env:NAME, or in clear. Caller frees. waits: the file may be a
 * pipe; never where a screen would stand still. */
bool authorization_read_secret(char **out, const char *from, bool waits, struct err *err);

/* How to connect to a server. */
struct connection_options connection_options_from(const struct options *o);

#endif
