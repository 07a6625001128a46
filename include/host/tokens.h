#ifndef HOST_TOKENS_H
#define HOST_TOKENS_H

#include "auth/store.h"

/*
 * The token book (auth/book.h) in its file, a private file (base/private_file.h) that all of the
 * user's mcpane processes share. Each change is applied to the current content of the file, so
 * that no process overwrites another's change. The content is never shown, logged or journaled.
 *
 * A malformed file is moved aside, and a new book starts. err, otherwise left as it is, then
 * says so.
 */

/* <state>/tokens.json; NULL: HOME is not set. Caller frees. */
char *tokens_default_path(void);

/* See auth/store.h. */
bool tokens_find(const char *path, const char *server_url, const char *issuer, const char *resource,
    struct auth_kept *out, struct err *err);
void tokens_find_clients(
    const char *path, const char *issuer, struct auth_clients *out, struct err *err);
/* False with err: not written. */
bool tokens_keep(
    const char *path, const char *server_url, const struct auth_kept *kept, struct err *err);
bool tokens_drop(const char *path, const struct auth_kept *kept, struct err *err);
/* found: the server had an entry. */
bool tokens_forget(const char *path, const char *server_url, bool *found, struct err *err);

/* Claims the refresh token of (issuer, resource), which may be usable only once. The caller
 * closes *fd. False: another process has the claim. */
bool tokens_claim(const char *path, const char *issuer, const char *resource, int *fd);

#endif
