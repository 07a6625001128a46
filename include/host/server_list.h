/* SPDX-License-Identifier: MIT */
#ifndef HOST_SERVER_LIST_H
#define HOST_SERVER_LIST_H

#include "base/err.h"
#include "base/sha256.h"
#include "host/target.h"
#include "host/options.h"
#include "client/choice.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The known servers, in order, and their origin: servers of the files given, or of the files
 * found: those of other clients (host/server_file.h) in the current folder, the user's
 * <config>/servers.json, and those of other clients in the home folder.
 */
struct server_list_entry {
	struct target target;
	enum choice_origin origin;
	char mark[SHA256_HEX]; /* of trust_mark(); "" until it is needed */
};

struct server_list {
	struct server_list_entry *items;
	size_t len, cap;
	struct {
		struct server_list_trouble {
			char *path, *why; /* why: includes the path */
			enum choice_origin origin;
		} * items;
		size_t len, cap;
	} troubles; /* files that exist but cannot be read */
};

void server_list_finish(struct server_list *list);
void server_list_take(struct server_list *list, struct target *target, enum choice_origin origin);
/* Lists a file like a server that cannot start, with the reason. */
void server_list_add_unusable(
    struct server_list *list, const char *path, const char *why, enum choice_origin origin);
/* False: the file cannot be read, or has no servers. */
bool server_list_add_file(
    struct server_list *list, const char *path, enum choice_origin origin, struct err *err);
/* Missing files are ignored. */
void server_list_add_found(struct server_list *list);
void server_list_add_own(struct server_list *list); /* the user's own file only */
/* May it run without asking? */
bool server_list_is_approved(const struct server_list_entry *e);
/* By name, else by number from 1; SIZE_MAX: not found. */
size_t server_list_find(const struct server_list *list, const char *name);

/* Fills the list with every server the command line names; if it names none, with every server
 * found. */
bool server_list_choose(struct server_list *list, const struct options *o, struct err *err);
/* Adds the values of --input. */
void inputs_add_given(struct inputs *in, const struct options *o);
/* Chooses the server to run. A file with a single server needs no name. False: no server, an
 * ambiguous name (err lists them), not approved, or an input has no value. */
bool target_choose(struct target *run, const struct options *o, struct err *err);

#endif
