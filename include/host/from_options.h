/* SPDX-License-Identifier: MIT */
#ifndef HOST_FROM_OPTIONS_H
#define HOST_FROM_OPTIONS_H

#include "host/options.h"
#include "host/connection.h"

/* Authorization as the command line configures it. Owns the strings that the options point to. */
struct auth_settings {
	struct authorizer_options options;
	char *secret, *key, *tokens_path;
	const char *warning; /* to print on standard error; NULL: none */
};

bool auth_settings_init(struct auth_settings *a, const struct options *o,
    enum authorizer_consent consent, struct err *err);
void auth_settings_finish(struct auth_settings *a);

/* Reads a secret given as @FILE, env:NAME, or literally. Caller frees. waits: the file may be a
 * pipe; pass false if a screen would freeze. */
bool auth_settings_read_secret(char **out, const char *from, bool waits, struct err *err);

/* How to connect to a server. */
struct connection_options connection_options_from(const struct options *o);

#endif
