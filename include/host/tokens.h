#ifndef HOST_TOKENS_H
#define HOST_TOKENS_H

#include "auth/flow.h"

/*
 * Tokens and registrations between two runs: one file of mode 0600, one entry for each
 * MCP server, with the issuer and the resource that it belongs to. What is in it is
 * never shown, logged or journalled. Written anew as a whole; of two programs that
 * write at once the last one wins.
 */

/* What is kept for the server; *out is left empty where there is nothing. False: the file is not
 * what it should be, and was moved aside: said has the sentence. */
bool tokens_load(const char *path, const char *server_url, struct auth_kept *out, struct err *said);
/* kept NULL, or empty: the entry goes. */
bool tokens_save(
    const char *path, const char *server_url, const struct auth_kept *kept, struct err *err);

#endif
