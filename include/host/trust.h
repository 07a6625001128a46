/* SPDX-License-Identifier: MIT */
#ifndef HOST_TRUST_H
#define HOST_TRUST_H

#include "base/sha256.h"
#include "host/target.h"
#include "client/choice.h"

/*
 * The user approves a server of any file before it first runs. Approval covers
 * exactly one command, arguments, environment and folder, or URL and headers, stored as a hash in
 * <state>/approved, which only the user can read.
 */
void trust_mark(const struct target *t, char mark[SHA256_HEX]);
/* Computes the mark that has to be approved before a server runs; "" if the user typed the
 * server. In the user's own file the mark covers the entry as written and the parts that others
 * can change: variables of an envFile, defaults of inputs, and the working directory if the
 * program's path is relative to it. So a new folder or a new token needs no approval. */
void trust_mark_of(const struct target *t, enum choice_origin origin, char mark[SHA256_HEX]);
bool trust_is_given(const char *mark);
bool trust_give(const struct target *t, const char *mark, struct err *err);
/* Searches the text of that file. Each line is a mark, a space, and the server file's path. */
bool trust_has_mark(const char *text, size_t len, const char *mark);

/* Appends the suspicious parts of t; the texts belong to the target. folder: the absolute path
 * of the project or the bundle that paths should not leave; NULL: none. */
struct dangers {
	struct choice_danger *items;
	size_t len, cap;
};
void trust_find_dangers(const struct target *t, const char *folder, struct dangers *out);

#endif
