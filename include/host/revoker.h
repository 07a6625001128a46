#ifndef HOST_REVOKER_H
#define HOST_REVOKER_H

#include "auth/book.h"
#include "loop/loop.h"

/*
 * Tells an authorization server that a stored token and its refresh token are not used any more
 * (RFC 7009): reads the metadata of the issuer, then revokes the refresh token and the other one.
 * Failures are only reported, and everything ends after REVOKER_MS.
 */
struct revoker;

#define REVOKER_MS 5000

/* server_url: the MCP server that the token was for. Takes the members of kept. done is called once
 * from the loop with the outcome in one line, without secrets, and may destroy the revoker. */
struct revoker *revoker_create(struct loop *loop, const char *server_url, struct auth_kept *kept,
    void (*done)(void *user, const char *outcome), void *user);
void revoker_destroy(struct revoker *r); /* NULL-safe */

#endif
