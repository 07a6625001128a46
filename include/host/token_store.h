#ifndef HOST_TOKEN_STORE_H
#define HOST_TOKEN_STORE_H

#include "auth/book.h"

/*
 * The token book (auth/book.h) in its file, a private file (base/private_file.h) that all of the
 * user's mcpane processes share. Each change is applied to the current content of the file, so
 * that no process overwrites another's change. The content is never shown, logged or journaled.
 *
 * A malformed file is moved aside, and a new book starts. err, otherwise left as it is, then
 * says so.
 */

/* <state>/tokens.json; NULL: HOME is not set. Caller frees. */
char *token_store_default_path(void);

/* See struct auth_store. */
bool token_store_find(const char *path, const char *server_url, const char *issuer,
    const char *resource, struct auth_kept *out, struct err *err);
void token_store_find_clients(
    const char *path, const char *issuer, struct auth_clients *out, struct err *err);
/* False with err: not written. found, which may be NULL: the server that is forgotten had an entry.
 */
bool token_store_change(const char *path, const char *server_url, const struct auth_change *change,
    bool *found, struct err *err);
/* Claims the refresh token of (issuer, resource), which may be usable only once. The caller
 * closes *fd. False: another process has the claim. */
bool token_store_claim(const char *path, const char *issuer, const char *resource, int *fd);

#endif
