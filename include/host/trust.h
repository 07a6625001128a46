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
/* The mark that a server needs before it runs; "" for one that the user typed. In the user's own
 * file it covers the entry as it is written there and what others can add: variables of an
 * envFile, defaults of inputs, and the working directory if the program is found from there. So a
 * new folder or a new token asks nothing. */
void trust_mark_of(const struct target *t, enum choice_origin origin, char mark[SHA256_HEX]);
bool trust_is_given(const char *mark);
bool trust_give(const struct target *t, const char *mark, struct err *err);
/* Searches the text of that file. Each line is a mark, a space, and the server file's path. */
bool trust_has_mark(const char *text, size_t len, const char *mark);

/* Appends what deserves a look in t; the texts belong to the target. folder: the absolute path
 * that it should not leave, the project's or the bundle's; NULL: none. */
struct dangers {
	struct choice_danger *items;
	size_t len, cap;
};
void trust_find_dangers(const struct target *t, const char *folder, struct dangers *out);

#endif
