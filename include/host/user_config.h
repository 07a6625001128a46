/* SPDX-License-Identifier: MIT */
#ifndef HOST_USER_CONFIG_H
#define HOST_USER_CONFIG_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The user's own server file, edited entry by entry: everything else in it, comments included,
 * is preserved. Programs take turns changing it (base/private_file.h). False: nothing was
 * changed, err explains.
 */

/* words: a URL, or NAME=value for the environment followed by a command and its arguments;
 * NULL-terminated. Creates the file, readable only by the user, if it does not exist. */
bool user_config_add(const char *name, char *const *words, struct err *err);
/* Adds the inputs and entries of a server file from pasted_to_file(), unchanged; stops at an
 * entry that cannot be added. An input whose id the file has already is not added. */
bool user_config_add_file(const char *file, struct err *err);
/* Adds an entry with the JSON in value, or sets what: a member of an entry. Removes it if value is
 * NULL. */
bool user_config_change(const char *name, const char *what, const char *value, struct err *err);

/* Its path; NULL: neither XDG_CONFIG_HOME nor HOME is set. Caller frees. */
char *user_config_path(void);

/*
 * Servers in a form in which documentation shows them: a client's whole file, its inner object,
 * one entry with or without its name, a command such as "claude mcp add NAME -- COMMAND", or the
 * command line of a server.
 */
enum pasted {
	PASTED_ELSE,   /* none of these */
	PASTED_BROKEN, /* err says why */
	PASTED_SERVERS,
};

/* Appends a server file with mcpServers and inputs. */
enum pasted pasted_to_file(const char *text, struct buf *out, struct err *err);
/* Tells what such a file would run, short enough to be on the screen at once. */
bool pasted_tell(const char *file, struct buf *told, struct err *err);

#endif
