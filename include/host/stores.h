/* SPDX-License-Identifier: MIT */
#ifndef HOST_STORES_H
#define HOST_STORES_H

#include "auth/book.h"
#include "client/server.h"
#include "host/target.h"

/*
 * Tasks of servers, kept across runs in <state>/tasks.json, which only the user can read: a
 * task's id may be enough to fetch its result. An entry belongs to one exact command or URL
 * (trust_mark()). Programs take turns changing it (base/private_file.h).
 */

/* A missing or malformed file means no tasks. */
void task_store_load(const struct target *t, struct server *s);
bool task_store_save(const struct target *t, const struct server *s, struct err *err);

/*
 * The token book (auth/book.h) in its file, a private file (base/private_file.h) that all of the
 * user's mcpane processes share. Each change is applied to the current content of the file, so
 * that no process overwrites another's change. The content is never shown, logged or journaled. A
 * malformed file is moved aside, and a new book starts. Then err reports it; otherwise err does
 * not change.
 */

#define TOKEN_STORE_FILE "tokens.json" /* its name, for path_of(PATH_STATE) */

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
