#ifndef HOST_TOKENS_H
#define HOST_TOKENS_H

#include "auth/store.h"

/*
 * The book of tokens (auth/book.h) in its file, which all programs of the user share: a private
 * file (base/private_file.h). Each change is made to what is in the file at that time, so that
 * nobody loses what another has written. What is in it is never shown, logged or journalled.
 *
 * A file that is no book is moved aside, not away, and all goes on without: err, else left as it
 * is, has the sentence then too.
 */

/* <state>/tokens.json; NULL: HOME is not set. Caller frees. */
char *tokens_default_path(void);

/* As auth/store.h has them. */
bool tokens_find(const char *path, const char *server_url, const char *issuer, const char *resource,
    struct auth_kept *out, struct err *err);
void tokens_find_clients(
    const char *path, const char *issuer, struct auth_clients *out, struct err *err);
/* False with err: it is not written. */
bool tokens_keep(
    const char *path, const char *server_url, const struct auth_kept *kept, struct err *err);
bool tokens_drop(const char *path, const struct auth_kept *kept, struct err *err);
/* found: something was kept for the server. */
bool tokens_forget(const char *path, const char *server_url, bool *found, struct err *err);

/* The right to use the refresh token of (issuer, resource), which may be good only once: *fd is to
 * be closed. False: another has it. */
bool tokens_claim(const char *path, const char *issuer, const char *resource, int *fd);

#endif
